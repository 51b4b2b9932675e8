"""Triggers: where a player may stop obeying a mediator, and the terminal histories affected.

The player obeys until the *trigger*, and then follows a continuation without the mediator. What is
known then decides which deviations there are:

- before play, nothing; the trigger is the start,
- at an information set ``I`` before its recommendation is seen; it has the weight of parent(I),
- at ``I`` when ``a`` has been recommended there; it has the weight of the sequence ``I a``,
- before play, the whole reduced plan.

The realization plans of profile ``k`` are integers over one denominator, which its *factor* makes
good:

    probability that the mixture draws k and all own choices lead to ends z of play
        =  factor[k] * product over players i of plans[i][k, sequence_i(z)] / denominator.

Pure profiles give zeros and ones. Where integers would be very long, rationals stay as they are.
"""

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import scaled_integers
from gametheory_core.strategies.correlated import BehavioralMixture
from gametheory_core.strategies.correlation_plans import end_of_sequence
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm, realization_plan

MOST_BITS = 4096  # of the common denominator of a plan; beyond it, rationals are shorter

Numbers = NDArray[Any]  # int64, or objects: Python integers or Fractions


@dataclass(frozen=True, eq=False)
class MixturePlans:
    """Plans of all profiles of a mixture.

    Attributes:
        form: Of the game.
        factors (num_profiles,)
        plans (num_profiles, num_sequences): One for each player.
    """

    form: SequenceForm
    factors: list[Any]
    plans: tuple[Numbers, ...]
    denominator: int

    @property
    def num_profiles(self) -> int:
        """Number of profiles."""
        return len(self.factors)


def mixture_plans(form: SequenceForm, mixture: BehavioralMixture) -> MixturePlans:
    """Multiply out the plans of a mixture that fits the game (trusted)."""
    if mixture.is_pure:
        chosen = np.array([profile.flat for profile in mixture.profiles]) == 1
        plans = tuple(_pure_plans(own, chosen, form) for own in form.players)
        return _weighted(form, mixture, plans, [1] * len(mixture.weights))
    exact = tuple(
        np.array(
            [realization_plan(form, p, player=own.player).weights for p in mixture.profiles],
            dtype=object,
        )
        for own in form.players
    )
    scaled = [[scaled_integers(row) for row in rows] for rows in exact]
    if any(row.denominator.bit_length() > MOST_BITS for rows in scaled for row in rows):
        return MixturePlans(form, list(mixture.weights), exact, 1)
    divisors = [math.prod(rows[k].denominator for rows in scaled) for k in range(len(exact[0]))]
    whole = tuple(np.array([row.numerators for row in rows], dtype=object) for rows in scaled)
    return _weighted(form, mixture, whole, divisors)


def _weighted(
    form: SequenceForm, mixture: BehavioralMixture, plans: tuple[Numbers, ...], divisors: list[int]
) -> MixturePlans:
    shares = [w / divisor for w, divisor in zip(mixture.weights, divisors, strict=True)]
    denominator = math.lcm(*(share.denominator for share in shares))
    if denominator.bit_length() > MOST_BITS:
        return MixturePlans(form, cast("list[Any]", shares), plans, 1)
    factors = [int(share * denominator) for share in shares]
    return MixturePlans(form, cast("list[Any]", factors), plans, denominator)


def _pure_plans(
    own: PlayerSequences, chosen: NDArray[np.bool_], form: SequenceForm
) -> NDArray[np.int64]:
    plans = np.ones((len(chosen), own.num_sequences), dtype=np.int64)
    shift = int(form.game.action_offset[own.infosets.start]) - 1
    for k in range(len(own.infosets)):
        start, stop = own.first_sequence[k], own.first_sequence[k + 1]
        plans[:, start:stop] = chosen[:, start + shift : stop + shift]
        plans[:, start:stop] *= plans[:, own.parent_sequence[k], None]
    return plans


def as_fraction(value: object, denominator: int) -> Fraction:
    """Divide a sum of products by their denominator."""
    return Fraction(cast("Fraction", value)) / denominator


START = -1  # the place of a trigger that is not at an information set


class ExtensiveCorrelation(Enum):
    """When a player decides whether to obey; the value names the equilibrium."""

    NORMAL_FORM_COARSE = "normal-form coarse correlated"  # before play, knowing nothing
    EXTENSIVE_COARSE = "extensive-form coarse correlated"  # before each recommendation
    EXTENSIVE = "extensive-form correlated"  # after each recommendation
    NORMAL_FORM = "normal-form correlated"  # before play, told the whole plan


@dataclass(frozen=True, eq=False)
class Triggers:
    """The triggers of one player.

    Attributes:
        own: Of the player.
        places (num_triggers,): Own information set where the trigger is, or ``START``.
        weights (num_profiles, num_triggers): The player's own part of the probability that play
            gets to the trigger.
        pair_terminal, pair_trigger (num_pairs,): Each terminal history with each trigger from which
            it can be reached.
    """

    own: PlayerSequences
    places: list[int]
    weights: Numbers
    pair_terminal: NDArray[np.int64]
    pair_trigger: NDArray[np.int64]


def triggers_of(plans: MixturePlans, player: int, kind: ExtensiveCorrelation) -> Triggers:
    """List a player's triggers; for whole plans, those of the mixture (pure, trusted)."""
    own, weights = plans.form.players[player], plans.plans[player]
    num_ends = plans.form.terminal_sequences.shape[1]
    if kind is ExtensiveCorrelation.NORMAL_FORM_COARSE:
        everywhere = np.arange(num_ends, dtype=np.int64)
        return Triggers(own, [START], weights[:, :1], everywhere, np.zeros_like(everywhere))
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        distinct, which = np.unique(weights.astype(np.int64), axis=0, return_inverse=True)
        told = which.reshape(-1, 1) == np.arange(len(distinct))
        pairs = np.divmod(np.arange(num_ends * len(distinct)), len(distinct))
        return Triggers(own, [START] * len(distinct), told.astype(np.int64), *pairs)
    ends, places = ends_and_places(own, plans.form.terminal_sequences[player])
    if kind is ExtensiveCorrelation.EXTENSIVE_COARSE:
        where = list(range(len(own.infosets)))
        return Triggers(own, where, weights[:, own.parent_sequence], ends, places)
    first = own.first_sequence.astype(np.int64)
    counts = np.diff(first)
    copies = counts[places]
    within = np.arange(copies.sum()) - np.repeat(np.cumsum(copies) - copies, copies)
    sequences = np.repeat(first[places], copies) + within
    where = np.repeat(np.arange(len(counts)), counts).tolist()
    return Triggers(own, where, weights[:, 1:], np.repeat(ends, copies), sequences - 1)


def ends_and_places(
    own: PlayerSequences, sequences: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pair each terminal history, given by own sequences, with own information sets before it."""
    ends_at = end_of_sequence(own)
    terminals = np.arange(len(sequences), dtype=np.int64)
    current = sequences.astype(np.int64)
    found: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    while True:
        moved = current > 0
        terminals, current = terminals[moved], current[moved]
        if not len(current):
            break
        found.append((terminals, ends_at[current]))
        current = own.parent_sequence[ends_at[current]].astype(np.int64)
    if not found:
        return terminals, terminals
    return (
        np.concatenate([ends for ends, _ in found]),
        np.concatenate([places for _, places in found]),
    )


INT64_BITS = 62


@dataclass(frozen=True, eq=False)
class Collected:
    """Payoffs of one player by trigger and own sequence; numerators over one denominator.

    Attributes:
        alone (num_triggers): Own sequence -> what is collected at its terminal histories by a
            deviator who plays it after the trigger; triggers that no profile leads to are empty.
        obeyed (num_sequences): What is collected at each sequence's terminal histories by obeying.
        by_profile (num_profiles): What obeying collects in each profile.
    """

    triggers: Triggers
    alone: list[dict[int, Any]]
    obeyed: list[Any]
    by_profile: list[Any]
    denominator: int


@dataclass(frozen=True, eq=False)
class Continuation:
    """The best continuation: its value, and the action at each own information set below."""

    value: Any
    actions: dict[int, int]


def collected(plans: MixturePlans, triggers: Triggers) -> Collected:
    """Add up a player's payoffs over profiles and terminal histories."""
    form, player = plans.form, triggers.own.player
    chance = scaled_integers(form.chance_weight)
    payoffs = scaled_integers(form.game.exact_terminal_payoffs[:, player])
    stakes = _shortest(chance.numerators * payoffs.numerators, plans)
    sequences = form.terminal_sequences[player]
    codes, cell = np.unique(
        triggers.pair_trigger * triggers.own.num_sequences + sequences[triggers.pair_terminal],
        return_inverse=True,
    )
    sums = np.zeros(len(codes), dtype=stakes.dtype)
    obeyed = np.zeros(triggers.own.num_sequences, dtype=stakes.dtype)
    by_profile: list[Any] = []
    is_met = triggers.weights != 0
    for k in range(plans.num_profiles):
        worth, is_live = _worth(plans, player, stakes, k)
        met = np.flatnonzero(is_live[triggers.pair_terminal] & is_met[k][triggers.pair_trigger])
        weights = triggers.weights[k][triggers.pair_trigger[met]]
        np.add.at(sums, cell.ravel()[met], worth[triggers.pair_terminal[met]] * weights)
        live = np.flatnonzero(is_live)
        paid = worth[live] * plans.plans[player][k, sequences[live]]
        np.add.at(obeyed, sequences[live], paid)
        by_profile.append(sum(paid.tolist()))
    denominator = plans.denominator * chance.denominator * payoffs.denominator
    alone = _by_trigger(triggers, codes, sums)
    return Collected(triggers, alone, obeyed.tolist(), by_profile, denominator)


def best_continuation(own: PlayerSequences, place: int, values: dict[int, Any]) -> Continuation:
    """Find the best way to continue from an own information set, or from the start.

    Args:
        place: Index of an own information set, or ``START``.
        values: Own sequence -> what is collected at its terminal histories. Zero where it is left
            out.
    """
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    values, actions = dict(values), dict[int, int]()
    for k in reversed(scope(own, place)):
        options = [values.get(s, 0) for s in range(first[k], first[k + 1])]
        best = max(options)
        actions[k] = options.index(best)
        if k == place:
            return Continuation(best, actions)
        if best:
            values[parents[k]] = values.get(parents[k], 0) + best
    return Continuation(values.get(0, 0), actions)


def scope(own: PlayerSequences, place: int) -> list[int]:
    """Return the player's information sets at and below one, in order of first visit."""
    if place == START:
        return list(range(len(own.infosets)))
    first, parents = own.first_sequence.tolist(), own.parent_sequence.tolist()
    found, below = [place], set(range(first[place], first[place + 1]))
    for k in range(place + 1, len(parents)):
        if parents[k] in below:
            found.append(k)
            below.update(range(first[k], first[k + 1]))
    return found


def _worth(
    plans: MixturePlans, player: int, stakes: Numbers, profile: int
) -> tuple[Numbers, NDArray[np.bool_]]:
    """Return what each terminal history is worth where the others' plans allow it."""
    worth = stakes * plans.factors[profile]
    is_live = stakes != 0
    for other, sequences in enumerate(plans.form.terminal_sequences):
        if other != player:
            weights = plans.plans[other][profile, sequences]
            is_live &= weights != 0
            worth = worth * weights
    return worth, is_live


def _shortest(stakes: Numbers, plans: MixturePlans) -> Numbers:
    """Use machine integers where no sum can overflow: pure plans, whose factors add up to one."""
    is_pure = all(own.dtype == np.int64 for own in plans.plans)
    largest = sum(map(abs, cast("list[int]", stakes.tolist()))) * plans.denominator
    is_whole = all(type(factor) is int for factor in plans.factors)
    if is_pure and is_whole and largest.bit_length() < INT64_BITS:
        return stakes.astype(np.int64)
    return stakes


def _by_trigger(
    triggers: Triggers, codes: NDArray[np.int64], sums: Numbers
) -> list[dict[int, Any]]:
    alone: list[dict[int, Any]] = [{} for _ in triggers.places]
    which, sequences = np.divmod(codes, triggers.own.num_sequences)
    rows = zip(which.tolist(), sequences.tolist(), sums.tolist(), strict=True)
    for trigger, sequence, value in rows:
        if value:
            alone[trigger][sequence] = value
    return alone
