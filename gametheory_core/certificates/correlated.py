"""Correlated certificates: obeying the mediator pays, and no other equilibrium is worth more.

``incentives`` says which deviations count, and how prices on them bound an objective.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance
from gametheory_core.arrays import ZERO, ScaledIntegers, exact_sum
from gametheory_core.certificates.claim import CLAIMED, Checkable, claim, claimed, gains_statement
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    Evenness,
    IncentivePrice,
    LinearObjective,
    added,
    evenness_bound,
    evenness_of,
    incentive_charges,
    kind_regret,
    objective_values,
    optimum,
)
from gametheory_core.certificates.wording import at_least, at_most, exactly, written
from gametheory_core.errors import CertificateRejected, InvalidArgument
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs


@dataclass(frozen=True)
class PayoffFloor:
    """A demand on the equilibrium, and its multiplier.

    Attributes:
        player: Whose payoff.
        least: What it must be at least.
        price: At least 0: what a unit of ``least`` costs the objective.
    """

    player: int
    least: Fraction
    price: Fraction = ZERO


@dataclass(frozen=True)
class CorrelatedOptimality:
    """The claim that no equilibrium has more of the objective than ``upper_bound``.

    Attributes:
        objective: What is maximized.
        value: What the distribution has of it.
        upper_bound: What prices prove, over all equilibria of the kind that meet the floors.
        prices: The positive ones.
    """

    objective: LinearObjective | Evenness
    value: Fraction = field(metadata=CLAIMED)
    upper_bound: Fraction = field(metadata=CLAIMED)
    prices: tuple[IncentivePrice, ...]

    @property
    def gap(self) -> Fraction:
        """How much more another equilibrium may have at most; 0 if this one is optimal."""
        return self.upper_bound - self.value


def _measure(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    correlated_kind: CorrelatedKind,
    floors: tuple[PayoffFloor, ...],
    optimality: CorrelatedOptimality | None,
) -> "CorrelatedCertificate":
    asked = None if optimality is None else optimality.objective
    prices = () if optimality is None else optimality.prices
    return _certify(game, distribution, correlated_kind, asked, prices, floors)


def _only(kind: CorrelatedKind) -> Callable[[Any], str]:
    """Return what refuses certificates of another kind of correlated equilibrium."""

    def refuse(certificate: Any) -> str:
        found = certificate.correlated_kind
        return "" if found is kind else f"this is about {found.value} equilibria"

    return refuse


def _from_evenness(record: dict[str, Any], name: str) -> dict[str, Any]:
    """Rewrite a record of the most even equilibrium, which was a kind of its own in 0.1."""
    proof = {key: record.pop(key) for key in (name, "upper_bound", "prices")}
    optimality = {"objective": name, "value": proof.pop(name), **proof}
    return {**record, "kind": "correlated", "floors": [], "optimality": optimality}


@claim(
    "correlated",
    measure=_measure,
    answer="distribution",
    proves_if={
        "correlated": _only(CorrelatedKind.CORRELATED),
        "coarse-correlated": _only(CorrelatedKind.COARSE),
    },
    formerly={
        "max-gini-correlated": lambda record: _from_evenness(record, "gini"),
        "max-entropy-correlated": lambda record: _from_evenness(record, "entropy"),
    },
)
class CorrelatedCertificate(Checkable):
    """The claim that each player's best deviation gains exactly ``regrets[player]``.

    Attributes:
        game: Any number of players.
        distribution: What the mediator draws from.
        correlated_kind: Correlated: ``regrets`` are internal; coarse: external (negative where
            obeying beats all).
        payoffs: Expected payoff of each player.
        regrets: Payoff units.
        floors: Demands that the distribution was to meet; empty for none.
        optimality: None if no objective was asked for.
    """

    game: NormalFormGame
    distribution: CorrelatedDistribution
    correlated_kind: CorrelatedKind
    payoffs: tuple[Fraction, ...] = claimed()
    regrets: tuple[Fraction, ...] = claimed()
    floors: tuple[PayoffFloor, ...] = ()
    optimality: CorrelatedOptimality | None = claimed(default=None, is_given=True)

    @property
    def epsilon(self) -> Fraction:
        """The largest gain of a deviation, at least 0; 0 for an exact equilibrium."""
        return max((ZERO, *self.regrets))

    @property
    def shortfall(self) -> Fraction:
        """By how much a floor is missed at most; 0 if all are met."""
        missed = (floor.least - self.payoffs[floor.player] for floor in self.floors)
        return max((ZERO, *missed))

    @property
    def optimality_gap(self) -> Fraction | None:
        """How much more of the objective another equilibrium may have; None without one."""
        return None if self.optimality is None else self.optimality.gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = f"{self.correlated_kind.value} equilibrium"
        if self.optimality is not None and isinstance(self.optimality.objective, Evenness):
            return _even_statement(name, self.epsilon, self.optimality)
        said = gains_statement(self, name)
        if self.floors:
            missed = f"missed by at most {at_most(self.shortfall)}" if self.shortfall else "met"
            said += f"; the payoff floors are {missed}"
        if self.optimality is not None:
            rivals = f"{name} that meets the floors" if self.floors else name
            said += f"; {_optimum(self.game, self.optimality, rivals)}"
        return said


def certify_correlated(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    objective: LinearObjective | Evenness | None = None,
    prices: Sequence[IncentivePrice] = (),
    floors: Sequence[PayoffFloor] = (),
) -> CorrelatedCertificate:
    """Measure a distribution as a correlated equilibrium, exactly, and state the result.

    Args:
        distribution: Over the joint actions of the game.
        objective: What ``prices`` bound.
        prices: At least 0 each; those that are left out are 0.
        floors: Demands on payoffs, with prices of at least 0.

    Returns:
        Its ``epsilon`` is the largest internal regret.

    Raises:
        InvalidStrategy, InvalidArgument: If distribution, objective or floors do not fit the game.
        CertificateRejected: If a price is negative or misplaced.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("chicken")
    >>> lights = correlated_distribution([["1/3", "1/3"], ["1/3", 0]])
    >>> certify_correlated(game, lights).epsilon
    Fraction(0, 1)
    """
    require_normal_form(game)
    _require_bounds(objective, prices, floors)
    return _certify(game, distribution, CorrelatedKind.CORRELATED, objective, prices, floors)


def certify_coarse_correlated(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    *,
    objective: LinearObjective | Evenness | None = None,
    prices: Sequence[IncentivePrice] = (),
    floors: Sequence[PayoffFloor] = (),
) -> CorrelatedCertificate:
    """Measure a distribution as a coarse correlated equilibrium, exactly, and state the result.

    Args:
        distribution: Over the joint actions of the game.
        objective: What ``prices`` bound.
        prices: At least 0 each, ``recommended`` None; those that are left out are 0.
        floors: Demands on payoffs, with prices of at least 0.

    Returns:
        Its ``epsilon`` is the largest external regret, or 0 if all are negative.

    Raises:
        InvalidStrategy, InvalidArgument: If distribution, objective or floors do not fit the game.
        CertificateRejected: If a price is negative or misplaced.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("matching_pennies")
    >>> uniform = correlated_distribution([["1/4", "1/4"], ["1/4", "1/4"]])
    >>> certify_coarse_correlated(game, uniform).epsilon
    Fraction(0, 1)
    """
    require_normal_form(game)
    _require_bounds(objective, prices, floors)
    return _certify(game, distribution, CorrelatedKind.COARSE, objective, prices, floors)


def _require_bounds(objective: object, prices: object, floors: object) -> None:
    if objective is not None:
        require_instance(objective, (LinearObjective, Evenness), name="objective")
    for price in as_tuple(prices, name="prices"):
        require_instance(price, IncentivePrice, name="each of prices")
    for floor in as_tuple(floors, name="floors"):
        require_instance(floor, PayoffFloor, name="each of floors")


def equilibrium_bound(
    game: NormalFormGame,
    kind: CorrelatedKind,
    objective: LinearObjective,
    prices: Sequence[IncentivePrice],
    floors: Sequence[PayoffFloor] = (),
) -> Fraction:
    """Return what prices prove: no equilibrium that meets the floors has more of the objective.

    Raises:
        CertificateRejected: If a price is negative or misplaced.
        InvalidArgument: If objective or floors do not fit the game.
    """
    total = added(
        objective_values(game, objective), incentive_charges(game, kind, prices), factor=-1
    )
    demanded = ZERO
    for floor in floors:
        if floor.price < ZERO:
            raise CertificateRejected(needs="prices of at least 0", found=f"got {written(floor)}")
        total = added(total, game.scaled_payoffs[_player(game, floor)], factor=floor.price)
        demanded += floor.price * floor.least
    return Fraction(max(total.numerators.ravel().tolist()), total.denominator) - demanded


def _certify(
    game: NormalFormGame,
    distribution: CorrelatedDistribution,
    kind: CorrelatedKind,
    objective: LinearObjective | Evenness | None,
    prices: Sequence[IncentivePrice],
    floors: Sequence[PayoffFloor],
) -> CorrelatedCertificate:
    payoffs = correlated_payoffs(game, distribution)
    for floor in floors:
        _player(game, floor)
    regrets = tuple(kind_regret(game, distribution, kind, i) for i in range(game.num_players))
    optimality = None
    if objective is not None:
        if isinstance(objective, Evenness):
            value = evenness_of(distribution, objective)
            bound = evenness_bound(incentive_charges(game, kind, prices), objective)
        else:
            value = _expectation(objective_values(game, objective), distribution)
            bound = equilibrium_bound(game, kind, objective, prices, floors)
        optimality = CorrelatedOptimality(objective, value, bound, tuple(prices))
    return CorrelatedCertificate(
        game, distribution, kind, payoffs, regrets, tuple(floors), optimality
    )


def _even_statement(name: str, epsilon: Fraction, optimality: CorrelatedOptimality) -> str:
    value, bound = optimality.value, optimality.upper_bound
    is_gini = optimality.objective is Evenness.GINI
    if is_gini and not epsilon and not optimality.gap:
        return f"the {name} of most Gini impurity, {exactly(value)}"
    near = f"an epsilon-{name} with epsilon at most {at_most(epsilon)}"
    if is_gini:
        said = f"{near} and Gini impurity at least {at_least(value)}"
    else:
        said = f"{near if epsilon else f'a {name}'} of entropy at least {at_least(value)} nats"
    return f"{said}; no {name} has more than {at_most(bound)}"


def _optimum(game: NormalFormGame, optimality: CorrelatedOptimality, rivals: str) -> str:
    objective = cast("LinearObjective", optimality.objective)
    return optimum(game, objective, optimality.value, optimality.upper_bound, rivals=rivals)


def _expectation(values: ScaledIntegers, distribution: CorrelatedDistribution) -> Fraction:
    places = tuple(np.array(distribution.joint_actions, dtype=np.intp).T)
    at_support = values.numerators[places].tolist()
    pairs = zip(distribution.probabilities, at_support, strict=True)
    return exact_sum(share * value for share, value in pairs) / values.denominator


def _player(game: NormalFormGame, floor: PayoffFloor) -> int:
    if floor.player not in range(game.num_players):
        raise InvalidArgument(
            needs=f"a player from 0 to {game.num_players - 1}",
            found=f"got {written(floor)}",
            where="floor",
        )
    return floor.player
