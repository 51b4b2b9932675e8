"""Certificates of correlated equilibria in trees: obeying the mediator pays, whatever the kind.

The claim is about a mixture and stands on the definition of the kind alone, for any number of
players and with chance: every deviation is measured again. That no other equilibrium has more of an
objective is proved for two players, by prices.

What prices on deviations prove about all correlated equilibria of a tree with two players.

A *priced deviation* has a trigger, and a continuation that mixes: weights ``y`` on own actions that
flow down the tree like a realization plan, times its price. Its gain is linear in the correlation
plan of the mediator, and at most 0 in equilibrium. For any prices ``>= 0`` and any *multipliers* of
the equations of consistency, which every lottery satisfies, an equilibrium with plan ``x`` has

    objective(x)  <=  objective(x) - sum of gains(x) - sum of multiplier * equation(x)
                  =   sum over pairs p of r[p] x[p]  <=  r[empty pair] + sum of max(0, r[p]),

since ``x[empty pair] = 1`` and no other entry is above one: a bound that takes only sums to check.
It holds with chance moves too; without them some prices and multipliers make it tight. Where they
do not, a small game has few pure profiles, and of a lottery over these

    sum over pairs p of r[p] x[p]  <=  max over pure profiles of the sum of r over their pairs.

Payoffs count from each player's least one here: deviator and obeyer get to ends of play equally
often, so that this changes no gain.

In a strictly competitive tree no prices are needed: all equilibria pay the same (``competition``).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, ExactArray, ScaledIntegers, exact_array, scaled_integers
from gametheory_core.certificates.claim import CLAIMED, Checkable, claim, claimed, gains_statement
from gametheory_core.certificates.competition import most_in_equilibrium
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.incentives import (
    LinearObjective,
    optimum,
    require_objective,
    values_at_ends,
)
from gametheory_core.certificates.wording import written
from gametheory_core.conversions.extensive_normal import count_plans, player_plans
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.extensive_deviations import distance_to, mixture_payoffs
from gametheory_core.evaluation.triggers import START, ExtensiveCorrelation, ends_and_places, scope
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.strategies.correlated import BehavioralMixture
from gametheory_core.strategies.correlation_plans import (
    Indices,
    SequencePairs,
    correlation_plan,
    sequence_pairs,
)
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm

MOST_PROFILES = 20_000  # of pure plans, looked at one by one


class BoundProof(Enum):
    """How a bound follows from prices; the value says it in words."""

    CONSISTENCY = "by the equations of consistency"
    ENUMERATION = "by looking at all pure profiles"
    COMPETITION = "by strict competition"


@dataclass(frozen=True)
class ActionFlow:
    """How much of a priced continuation plays an action.

    Attributes:
        infoset: Index into the game's information sets.
        weight: Positive.
    """

    infoset: int
    action: int
    weight: Fraction


@dataclass(frozen=True)
class DeviationPrice:
    """The multiplier of a deviation.

    Attributes:
        player: Who deviates.
        infoset: Where the trigger is; None for the start of play.
        recommended: The action recommended there; None where it is not seen.
        price: Positive.
        flows: The mixed continuation, times the price.
    """

    player: int
    infoset: int | None
    recommended: int | None
    price: Fraction
    flows: tuple[ActionFlow, ...]


@dataclass(frozen=True)
class ConsistencyMultiplier:
    """The multiplier of an equation of consistency.

    Attributes:
        player: Whose actions are summed.
        infoset: At which information set of that player; index into the game's.
        opponent_sequence: With which sequence of the other player, as ``sequence_form`` numbers
            them.
        value: Of either sign.
    """

    player: int
    infoset: int
    opponent_sequence: int
    value: Fraction


def correlated_bound(
    pairs: SequencePairs,
    kind: ExtensiveCorrelation,
    objective: LinearObjective,
    prices: Sequence[DeviationPrice],
    multipliers: Sequence[ConsistencyMultiplier],
    proof: BoundProof = BoundProof.CONSISTENCY,
) -> Fraction:
    """Return what prices prove: no equilibrium of the kind has more of the objective.

    Raises:
        CertificateRejected: If a price, a flow or a multiplier is not one of the game and kind, or
            out of range, or there are too many profiles to look at.
        InvalidArgument: If the objective does not fit the game.
    """
    game = pairs.form.game
    rest = np.full(pairs.num_pairs, ZERO, dtype=object)
    np.add.at(rest, pairs.terminal_pair, pairs.form.chance_weight * values_at_ends(game, objective))
    total = scaled_integers(rest)
    for player in range(2):
        own = [price for price in prices if price.player == player]
        total = _less(total, _charges(pairs, kind, player, own))
    _require_players(prices)
    total = _less(total, _shifts(pairs, multipliers))
    if proof is BoundProof.ENUMERATION:
        return Fraction(_largest_profile(pairs, total.numerators), total.denominator)
    first, *others = cast("list[int]", total.numerators.tolist())
    return Fraction(first + sum(rest for rest in others if rest > 0), total.denominator)


def plans_as_sequences(form: SequenceForm, player: int) -> NDArray[np.bool_]:
    """Return which sequences each of a player's reduced plans chooses, (num_plans, sequences)."""
    own = form.players[player]
    actions = player_plans(form.game, player).actions
    chosen = np.ones((len(actions), own.num_sequences), dtype=bool)
    for k in range(len(own.infosets)):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        chosen[:, start:stop] = actions[:, k, None] == np.arange(stop - start)
    return chosen


def _largest_profile(pairs: SequencePairs, rest: ExactArray) -> int:
    """Return the largest sum over the pairs of a pure profile."""
    game = pairs.form.game
    count = count_plans(game, 0) * count_plans(game, 1)
    if count > MOST_PROFILES:
        found = f"but there are {written(count)}"
        raise _rejected(f"at most {MOST_PROFILES} pure profiles to look at, {found}")
    one, other = (plans_as_sequences(pairs.form, player) for player in range(2))
    best: list[int] = []
    for plan in one:
        held = np.flatnonzero(plan[pairs.first] & (rest != 0))
        by_sequence = np.zeros(other.shape[1], dtype=object)
        np.add.at(by_sequence, pairs.second[held], rest[held])
        best += [sum(by_sequence[chosen].tolist()) for chosen in other]
    return max(best)


def payoffs_from_least(form: SequenceForm, player: int) -> ScaledIntegers:
    """Return chance's weight times the payoff above the player's least, at each end of play."""
    payoffs = form.game.exact_terminal_payoffs[:, player]
    return scaled_integers(form.chance_weight * (payoffs - min(payoffs)))


def _charges(
    pairs: SequencePairs, kind: ExtensiveCorrelation, player: int, prices: Sequence[DeviationPrice]
) -> ScaledIntegers:
    """Return the coefficients of all priced gains of one player, shape (num_pairs,)."""
    stakes = payoffs_from_least(pairs.form, player)
    own = pairs.form.players[player]
    flows = [_checked_flow(own, kind, price) for price in prices]
    unit = scaled_integers(exact_array([1, *(w for flow in flows for w in flow)])).denominator
    sums = np.zeros(pairs.num_pairs, dtype=object)
    ends, places = ends_and_places(own, pairs.form.terminal_sequences[player])
    everywhere: Indices = np.arange(pairs.form.terminal_sequences.shape[1])
    for price, flow in zip(prices, flows, strict=True):
        place = START if price.infoset is None else price.infoset - own.infosets.start
        below = everywhere if place == START else ends[places == place]
        trigger, obedient = _trigger(pairs, own, price, place, below)
        weights = (flow * unit)[pairs.form.terminal_sequences[player][below]]
        others = pairs.form.terminal_sequences[1 - player][below]
        same = np.full(len(below), trigger, dtype=np.int64)
        deviating = pairs.index(*((same, others) if player == 0 else (others, same)))
        np.add.at(sums, deviating, weights * stakes.numerators[below])
        paid = price.price * unit * stakes.numerators[obedient]
        np.add.at(sums, pairs.terminal_pair[obedient], -paid)
    return ScaledIntegers(_whole(sums), unit * stakes.denominator)


def _trigger(
    pairs: SequencePairs, own: PlayerSequences, price: DeviationPrice, place: int, below: Indices
) -> tuple[int, Indices]:
    """Return the sequence that a deviator has played, and the ends to which obeying leads."""
    if place == START:
        return 0, below
    if price.recommended is None:
        return int(own.parent_sequence[place]), below
    trigger = int(own.first_sequence[place]) + price.recommended
    return trigger, _ends_after(pairs, own, trigger, below)


def _ends_after(
    pairs: SequencePairs, own: PlayerSequences, sequence: int, ends: Indices
) -> Indices:
    """Keep the ends of play that come after an own sequence."""
    after = np.zeros(own.num_sequences, dtype=bool)
    after[sequence] = True
    for k, parent in enumerate(own.parent_sequence.tolist()):
        if after[parent]:
            after[own.first_sequence[k] : own.first_sequence[k + 1]] = True
    return ends[after[pairs.form.terminal_sequences[own.player][ends]]]


def _checked_flow(
    own: PlayerSequences, kind: ExtensiveCorrelation, price: DeviationPrice
) -> ExactArray:
    """Return a continuation as weights on own sequences, the empty one included."""
    _require_trigger(own, kind, price)
    flow = np.full(own.num_sequences, ZERO, dtype=object)
    at_start = price.infoset is None
    place = START if price.infoset is None else price.infoset - own.infosets.start
    inside = scope(own, place)
    for entry in price.flows:
        k = entry.infoset - own.infosets.start
        if k not in inside or not 0 <= entry.action < _num_actions(own, k) or entry.weight < 0:
            where = "on actions at and below the trigger"
            raise _rejected(f"weights of at least 0 {where}: {written(entry)}")
        flow[own.first_sequence[k] + entry.action] += entry.weight
    if at_start:
        flow[0] = price.price
    for k in inside:
        due = price.price if k == place else flow[own.parent_sequence[k]]
        if sum(flow[own.first_sequence[k] : own.first_sequence[k + 1]]) != due:
            raise _rejected(
                "weights that flow down the tree, but those at information set index "
                f"{own.infosets[k]} do not sum to {written(due)}"
            )
    return flow


def _require_trigger(
    own: PlayerSequences, kind: ExtensiveCorrelation, price: DeviationPrice
) -> None:
    if price.price < 0:
        raise _rejected(f"prices of at least 0, but got {written(price.price)}")
    at_start = kind is ExtensiveCorrelation.NORMAL_FORM_COARSE
    is_seen = kind is ExtensiveCorrelation.EXTENSIVE
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        raise _rejected("a kind of which prices are known, not that of whole plans")
    if (price.infoset is None) != at_start or (price.recommended is None) == is_seen:
        raise _rejected(f"triggers of the kind {kind.value!r}, but got {written(price.infoset)}")
    if price.infoset is None:
        return
    if price.infoset not in own.infosets:
        raise _rejected(f"information sets of the player, but got index {written(price.infoset)}")
    count = _num_actions(own, price.infoset - own.infosets.start)
    if price.recommended is not None and not 0 <= price.recommended < count:
        raise _rejected(f"actions from 0 to {count - 1}, but got {written(price.recommended)}")


def _shifts(pairs: SequencePairs, multipliers: Sequence[ConsistencyMultiplier]) -> ScaledIntegers:
    """Return the coefficients of all equations times their multipliers."""
    rows = pairs.consistency
    names = zip(
        rows.player.tolist(), rows.infoset.tolist(), rows.opponent_sequence.tolist(), strict=True
    )
    place = {name: row for row, name in enumerate(names)}
    values = scaled_integers(exact_array([entry.value for entry in multipliers]))
    by_row = np.zeros(rows.num_rows, dtype=object)
    for entry, value in zip(multipliers, values.numerators.tolist(), strict=True):
        row = place.get((entry.player, entry.infoset, entry.opponent_sequence))
        if row is None:
            raise _rejected(f"equations of the game, but got {written(entry)}")
        by_row[row] += value
    sums = np.zeros(pairs.num_pairs, dtype=object)
    np.add.at(sums, rows.child_pair, by_row[rows.child_row])
    np.add.at(sums, rows.parent_pair, -by_row)
    return ScaledIntegers(_whole(sums), values.denominator)


def _require_players(prices: Sequence[DeviationPrice]) -> None:
    for price in prices:
        if price.player not in (0, 1):
            raise _rejected(f"players 0 and 1, but got {written(price.player)}")


def _less(left: ScaledIntegers, right: ScaledIntegers) -> ScaledIntegers:
    numerators = left.numerators * right.denominator - right.numerators * left.denominator
    return ScaledIntegers(_whole(numerators), left.denominator * right.denominator)


def _whole(values: ExactArray) -> ExactArray:
    """Write rationals that are whole as Python integers."""
    out = np.empty(len(values), dtype=object)
    out[:] = [int(value) for value in values.tolist()]
    return out


def _num_actions(own: PlayerSequences, place: int) -> int:
    return int(own.first_sequence[place + 1] - own.first_sequence[place])


def _rejected(needed: str) -> CertificateRejected:
    return CertificateRejected(needs=needed)


@dataclass(frozen=True)
class ExtensiveOptimality:
    """The claim that no equilibrium of the kind has more of the objective than ``upper_bound``.

    Attributes:
        objective: What is maximized.
        value: What the mixture has of it.
        upper_bound: What prices and multipliers prove.
        prices: The positive ones.
        multipliers: Those that are not zero.
        proof: How the bound follows.
    """

    objective: LinearObjective
    value: Fraction = field(metadata=CLAIMED)
    upper_bound: Fraction = field(metadata=CLAIMED)
    prices: tuple[DeviationPrice, ...]
    multipliers: tuple[ConsistencyMultiplier, ...]
    proof: BoundProof = BoundProof.CONSISTENCY

    @property
    def gap(self) -> Fraction:
        """How much more another equilibrium may have at most; 0 if this one is optimal."""
        return self.upper_bound - self.value


def _measure(
    game: ExtensiveFormGame,
    mixture: BehavioralMixture,
    correlation: ExtensiveCorrelation,
    optimality: ExtensiveOptimality | None,
) -> "ExtensiveCorrelatedCertificate":
    if optimality is None:
        return certify_extensive_correlated(game, mixture, kind=correlation)
    return certify_extensive_correlated(
        game,
        mixture,
        kind=correlation,
        objective=optimality.objective,
        prices=optimality.prices,
        multipliers=optimality.multipliers,
        proof=optimality.proof,
    )


def _only(kind: ExtensiveCorrelation) -> Callable[[Any], str]:
    def refuse(certificate: Any) -> str:
        found = certificate.correlation
        return "" if found is kind else f"this is about {found.value} equilibria"

    return refuse


@claim(
    "extensive-correlated",
    measure=_measure,
    answer="mixture",
    proves_if={
        "coarse-correlated": _only(ExtensiveCorrelation.NORMAL_FORM_COARSE),
        "extensive-form-correlated": _only(ExtensiveCorrelation.EXTENSIVE),
        "extensive-form-coarse-correlated": _only(ExtensiveCorrelation.EXTENSIVE_COARSE),
    },
)
class ExtensiveCorrelatedCertificate(Checkable):
    """The claim that each player's best deviation from a mixture gains exactly ``gains[player]``.

    Attributes:
        game: Perfect recall; any number of players.
        mixture: What the mediator draws from.
        correlation: Which deviations count.
        payoffs: Expected payoff of each player who obeys.
        gains: Of the best deviation, with any number of triggers; at least 0; payoff units.
        optimality: None if no objective was asked for; two players otherwise.
    """

    game: ExtensiveFormGame
    mixture: BehavioralMixture
    correlation: ExtensiveCorrelation
    payoffs: tuple[Fraction, ...] = claimed()
    gains: tuple[Fraction, ...] = claimed()
    optimality: ExtensiveOptimality | None = claimed(default=None, is_given=True)

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation; 0 for an exact equilibrium."""
        return max(self.gains)

    @property
    def optimality_gap(self) -> Fraction | None:
        """How much more of the objective another equilibrium may have; None without one."""
        return None if self.optimality is None else self.optimality.gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlation.value} equilibrium"
        said = gains_statement(self, name)
        if self.optimality is None:
            return said
        found = self.optimality
        proved = optimum(self.game, found.objective, found.value, found.upper_bound, rivals=name)
        return f"{said}; {proved}"


def certify_extensive_correlated(
    game: ExtensiveFormGame,
    mixture: BehavioralMixture,
    *,
    kind: ExtensiveCorrelation,
    objective: LinearObjective | None = None,
    prices: Sequence[DeviationPrice] = (),
    multipliers: Sequence[ConsistencyMultiplier] = (),
    proof: BoundProof = BoundProof.CONSISTENCY,
) -> ExtensiveCorrelatedCertificate:
    """Measure a mixture as an equilibrium of a kind, exactly, and state the result.

    Args:
        game: Perfect recall; any number of players, and chance.
        mixture: What the mediator draws from.
        kind: When players decide whether to obey.
        objective: What ``prices`` and ``multipliers`` bound; for two players.
        prices: At least 0 each; those that are left out are 0.
        multipliers: Those that are left out are 0.
        proof: How the bound follows; all pure profiles are looked at only in small games.

    Returns:
        Its ``epsilon`` is the largest gain of a deviation.

    Raises:
        UnsupportedGame: If the game is no tree, a player forgets, or an objective is to be bounded
            for other than two players.
        InvalidStrategy, InvalidArgument: If the mixture or the objective do not fit the game, or
            the mixture is to be told as whole plans and is not pure.
        CertificateRejected: If a price or a multiplier is out of range or misplaced.

    >>> from gametheory_core import load_game, pure_behavior
    >>> from gametheory_core.strategies import behavioral_mixture
    >>> centipede = load_game("centipede:rounds=2")
    >>> take = behavioral_mixture([pure_behavior(centipede, (0, 0))])
    >>> kind = ExtensiveCorrelation.EXTENSIVE
    >>> certify_extensive_correlated(centipede, take, kind=kind).statement
    'an extensive-form correlated equilibrium: no player gains anything by deviating (epsilon = 0, \
exactly)'
    """
    require_tree(game)
    require_declared_arguments(ExtensiveCorrelatedCertificate, mixture=mixture, correlation=kind)
    found = distance_to(game, mixture, kind=kind)
    gains = tuple(deviation.gain for deviation in found.players)
    optimality = None
    if objective is not None:
        asked = ExtensiveOptimality(objective, ZERO, ZERO, tuple(prices), tuple(multipliers), proof)
        require_declared_arguments(ExtensiveCorrelatedCertificate, optimality=asked)
        if proof is BoundProof.COMPETITION:
            require_objective(game, objective, len(game.terminals))
            _require_nothing_priced(objective, prices, multipliers)
            weights = objective.payoff_weights
            bound = most_in_equilibrium(game, weights, payoffs=found.payoffs, gains=gains)
        else:
            pairs = sequence_pairs(game)
            bound = correlated_bound(pairs, kind, objective, prices, multipliers, proof)
        value = _expectation(game, mixture, objective)
        optimality = replace(asked, value=value, upper_bound=bound)
    return ExtensiveCorrelatedCertificate(game, mixture, kind, found.payoffs, gains, optimality)


def _require_nothing_priced(
    objective: LinearObjective,
    prices: Sequence[DeviationPrice],
    multipliers: Sequence[ConsistencyMultiplier],
) -> None:
    """Reject what has no place in a proof by strict competition."""
    if prices or multipliers:
        raise _rejected("no prices and no multipliers where strict competition is the proof")
    if objective.outcome_weights:
        raise _rejected("an objective of payoffs alone where strict competition is the proof")


def _expectation(
    game: ExtensiveFormGame, mixture: BehavioralMixture, objective: LinearObjective
) -> Fraction:
    values = values_at_ends(game, objective)
    if not objective.outcome_weights:
        payoffs = mixture_payoffs(game, mixture)
        pairs = zip(objective.payoff_weights, payoffs, strict=True)
        return sum((weight * payoff for weight, payoff in pairs), ZERO)
    plan = correlation_plan(game, mixture)
    reach = plan.pairs.form.chance_weight * plan.weights[plan.pairs.terminal_pair]
    return sum((reach * values).tolist(), ZERO)
