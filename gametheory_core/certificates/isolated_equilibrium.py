"""Isolation certificates: exactly one equilibrium with given supports lies in a small box.

Fix supports ``S_i`` and take each player's first supported action ``r_i`` as the dependent one. The
unknowns are the other supported probabilities; the equations, as many, are
``F_ia = v_a - v_r = 0`` for each other supported action ``a``. On a box of radius ``R`` around a
point ``c``, with any matrix ``Y``, Krawczyk's condition

    |Y F(c)|_m + R * sum_l |I - Y F'(box)|_ml < R    for every m

gives exactly one solution in the box (Krawczyk 1969, Moore 1977). If moreover all probabilities are
positive and every action outside the supports earns strictly less than ``r_i`` on the whole box,
the solution is an equilibrium, and the only one with these supports whose unknowns lie in the box.
Equilibria of games of three players may be irrational, so that no rational profile is one; this is
how one is pinned down by rational numbers.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm, prod
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.claim import Checkable, answer_payoffs, claim
from gametheory_core.certificates.wording import (
    at_least,
    at_most,
    at_most_roughly,
    require_exact_profile,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

KIND = "isolated-equilibrium"

Interval: TypeAlias = tuple[Fraction, Fraction]
IntegerInterval: TypeAlias = tuple[int, int]
Matrix: TypeAlias = tuple[tuple[Fraction, ...], ...]
Unknown: TypeAlias = tuple[int, int]  # player, action


def _measure(
    game: NormalFormGame, profile: MixedProfile, radius: Fraction, preconditioner: Matrix
) -> "IsolatedEquilibriumCertificate":
    """Check Krawczyk's condition and the strict inequalities on the box, in rationals."""
    require_exact_profile(game, profile, kind=KIND)
    if not radius > 0:
        _reject(f"needs a positive radius, but it is {at_most(radius)}")
    system = _System(game, profile, radius)
    size = len(system.unknowns)
    if len(preconditioner) != size or any(len(row) != size for row in preconditioner):
        _reject(f"needs a preconditioner of {size} x {size} numbers")
    for player, (own, unit) in enumerate(
        zip(system.box.numerators, system.box.denominators, strict=True)
    ):
        for action, (low, _) in own.items():
            if not low > 0:
                label = game.actions[player][action]
                _reject(
                    f"needs positive probabilities on the box, but that of {label!r} of "
                    f"{game.players[player]!r} may be {at_least(Fraction(low, unit))}"
                )
    system.require_unused_worse()
    system.require_contraction(preconditioner)
    return IsolatedEquilibriumCertificate(game, profile, radius, preconditioner)


@claim(KIND, measure=_measure, proves=("all-nash",))
class IsolatedEquilibriumCertificate(Checkable):
    """The claim that exactly one equilibrium with the profile's supports lies in a box around it.

    The box holds the profiles with the same supports in which each probability, but for that of
    each player's first supported action, is within ``radius`` of the profile's.

    Attributes:
        game: Any number of players.
        profile: Rational: the middle of the box.
        radius: Positive.
        preconditioner: ``Y``, about the inverse of the derivatives of the equations; any matrix for
            which the condition holds will do.
    """

    game: NormalFormGame
    profile: MixedProfile
    radius: Fraction
    preconditioner: Matrix
    payoffs = answer_payoffs
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return (
            f"exactly one equilibrium with supports {supports(self.profile)} has all probabilities "
            f"but each player's first within {at_most_roughly(self.radius)} of the profile's"
        )


@dataclass(frozen=True)
class _Box:
    """Intervals of each player's probabilities, as integers over one denominator."""

    numerators: list[dict[int, tuple[int, int]]]
    denominators: list[int]


@dataclass(frozen=True)
class _System:
    """The equations of the profile's supports on a box around it."""

    game: NormalFormGame
    profile: MixedProfile
    radius: Fraction

    @cached_property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        return supports(self.profile)

    @cached_property
    def unknowns(self) -> list[Unknown]:
        return [(i, a) for i, own in enumerate(self.supports) for a in own[1:]]

    @cached_property
    def box(self) -> "_Box":
        """Where each supported probability may be; the first one's interval is the widest."""
        return self._box(self.radius)

    @cached_property
    def point(self) -> "_Box":
        """Its middle."""
        return self._box(ZERO)

    def _box(self, radius: Fraction) -> "_Box":
        numerators: list[dict[int, tuple[int, int]]] = []
        denominators: list[int] = []
        for strategy, own in zip(self.profile.strategies, self.supports, strict=True):
            unit = lcm(radius.denominator, *(strategy[a].denominator for a in own))
            room = int(radius * unit)
            rooms = dict.fromkeys(own, room) | {own[0]: (len(own) - 1) * room}
            middle = {a: int(strategy[a] * unit) for a in own}
            numerators.append({a: (middle[a] - rooms[a], middle[a] + rooms[a]) for a in own})
            denominators.append(unit)
        return _Box(numerators, denominators)

    def unit(self, player: int, box: "_Box") -> int:
        """The denominator of a player's differences on a box, and of their derivatives."""
        others = [d for j, d in enumerate(box.denominators) if j != player]
        return self.game.scaled_payoffs[player].denominator * prod(others)

    def difference(
        self, player: int, action: int, box: "_Box", fixed: dict[int, int]
    ) -> IntegerInterval:
        """Bound ``v_action - v_first`` on a box, some other players' actions being fixed."""
        first = self.supports[player][0]
        table = self.game.scaled_payoffs[player].numerators
        others = [
            [fixed[j]] if j in fixed else ([first] if j == player else list(self.supports[j]))
            for j in range(self.game.num_players)
        ]
        free = [j for j in range(self.game.num_players) if j != player and j not in fixed]
        low = high = 0
        for cell in product(*others):
            gain = table[(*cell[:player], action, *cell[player + 1 :])] - table[cell]
            if gain:
                least = gain * prod([box.numerators[j][cell[j]][0] for j in free])
                most = gain * prod([box.numerators[j][cell[j]][1] for j in free])
                low, high = (low + least, high + most) if gain > 0 else (low + most, high + least)
        scale = prod([box.denominators[j] for j in fixed])
        return low * scale, high * scale

    def require_unused_worse(self) -> None:
        """Reject if an action outside the supports may earn as much as those inside."""
        box = self.box
        for player, own in enumerate(self.supports):
            for action in set(range(self.game.num_actions[player])) - set(own):
                high = self.difference(player, action, box, {})[1]
                if not high < 0:
                    more = Fraction(high, self.unit(player, box))
                    _reject(
                        "needs unused actions to earn strictly less on the whole box, but "
                        f"{self.game.actions[player][action]!r} of {self.game.players[player]!r} "
                        f"may earn {at_most(more)} more"
                    )

    def derivatives(self, box: "_Box") -> Iterator[list[IntegerInterval]]:
        """Bound the derivatives of each equation by each unknown, a row for each equation."""
        for player, action in self.unknowns:
            row: list[IntegerInterval] = []
            for opponent, by in self.unknowns:
                if opponent == player:
                    row.append((0, 0))
                    continue
                first = self.supports[opponent][0]
                low, high = self.difference(player, action, box, {opponent: by})
                least, most = self.difference(player, action, box, {opponent: first})
                row.append((low - most, high - least))
            yield row

    def require_contraction(self, preconditioner: Matrix) -> None:
        """Reject unless Krawczyk's condition holds."""
        point, box = self.point, self.box
        values = [self.difference(i, a, point, {}) for i, a in self.unknowns]
        slopes = list(self.derivatives(box))
        for m, weights in enumerate(preconditioner):
            shift = abs(self._combined(weights, values, point)[0])
            spread = ZERO
            for column in range(len(values)):
                low, high = self._combined(weights, [row[column] for row in slopes], box)
                identity = ONE if column == m else ZERO
                spread += max(abs(identity - low), abs(identity - high))
            if not shift + self.radius * spread < self.radius:
                player, action = self.unknowns[m]
                _reject(
                    "needs Krawczyk's condition, but in the direction of "
                    f"{self.game.actions[player][action]!r} of {self.game.players[player]!r} the "
                    f"box of radius {at_most_roughly(self.radius)} is mapped to "
                    f"{at_most_roughly(shift + self.radius * spread)}"
                )

    def _combined(
        self, weights: Sequence[Fraction], intervals: Sequence[IntegerInterval], box: "_Box"
    ) -> Interval:
        """Weigh intervals of all equations."""
        units = [
            weight.denominator * self.unit(i, box)
            for weight, (i, _) in zip(weights, self.unknowns, strict=True)
        ]
        unit = lcm(*units)
        low = high = 0
        for weight, own, (least, most) in zip(weights, units, intervals, strict=True):
            times = weight.numerator * (unit // own)
            low += times * (least if times > 0 else most)
            high += times * (most if times > 0 else least)
        return Fraction(low, unit), Fraction(high, unit)


def _reject(problem: str) -> None:
    raise CertificateRejected(found=problem)


def certify_isolated_equilibrium(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    radius: Fraction,
    preconditioner: Matrix | None = None,
) -> IsolatedEquilibriumCertificate:
    """State that one equilibrium with the profile's supports lies near it, and check that.

    Args:
        game: Any number of players.
        profile: Exact, and very near to an equilibrium with the same supports in which every action
            outside them is strictly worse.
        radius: Of the box. A large one may fail because the equations bend, or inequalities break;
            one smaller than the distance to the equilibrium fails too.
        preconditioner: As in ``IsolatedEquilibriumCertificate``. Default: the inverse of the
            derivatives at the profile, in floats.

    Raises:
        CertificateRejected: If a condition fails on this box.

    >>> from gametheory_core import load_game, uniform_profile
    >>> pennies = load_game("matching_pennies")
    >>> found = certify_isolated_equilibrium(
    ...     pennies, uniform_profile(pennies), radius=Fraction(1, 10)
    ... )
    >>> found.verify()
    """
    if preconditioner is None:
        require_exact_profile(game, profile, kind=KIND)
        preconditioner = _inverse_at(_System(game, profile, radius))
    return _measure(game, profile, radius, preconditioner)


def _inverse_at(system: _System) -> Matrix:
    rows_of = zip(system.unknowns, system.derivatives(system.point), strict=True)
    middle = [
        [Fraction(low, system.unit(player, system.point)) for low, _ in row]
        for (player, _), row in rows_of
    ]
    scale = max((abs(value) for row in middle for value in row), default=ONE) or ONE
    floats = np.array([[float(value / scale) for value in row] for row in middle])
    try:
        inverse = np.linalg.inv(floats.reshape(len(middle), len(middle)))
    except np.linalg.LinAlgError:
        inverse = np.full((len(middle), len(middle)), np.inf)
    if not np.all(np.isfinite(inverse)):
        raise CertificateRejected(
            found=f"the equations of supports {system.supports} are singular at the profile"
        )
    rows = cast("list[list[float]]", inverse.tolist())
    return tuple(tuple(Fraction(value) / scale for value in row) for row in rows)
