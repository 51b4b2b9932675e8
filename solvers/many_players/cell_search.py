"""Searching the strategies with given supports, cell by cell, for all equilibria among them."""

from dataclasses import dataclass, field
from fractions import Fraction
from math import prod
from typing import cast

import numpy as np

from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.isolated_equilibrium import (
    IsolatedEquilibriumCertificate,
    certify_isolated_equilibrium,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.mixed import supports as supports_of
from solvers.many_players.logit_branch import PlayableGame, by_player
from solvers.many_players.support_cells import (
    ENLARGED,
    Cells,
    enlarged,
    halved,
    has_no_solution,
    has_one_solution_at_most,
    joined,
    linearized,
    whole_cell,
    without_dominated,
)
from solvers.many_players.support_newton import (
    LOOKS_SIMPLE,
    Supports,
    certified_finish,
    flat_supports,
    newton_on_supports,
    simple_fractions,
)
from solvers.solution import Meter

MOST_TIED_CELLS = 50  # where only one player mixes, between exactly tied actions
SINGULAR_SHARE = 10  # where the equations are singular on all cells, patience is this much less
SMALLEST = 1e-7  # diameter of a cell, below which it is left undecided
SAME = 1e-8  # distance of two approximations of one solution, at most
ROUNDING = 1e-14  # of a solution's float coordinates
LARGEST_CHUNK = 1_024  # cells whose derivatives are in memory at once, at most
MOST_DERIVATIVES = 2**23  # numbers in memory at once for them
MOST_PAYOFFS = 2**23  # numbers that hold the cells left; beyond, they are left undecided
RADII = tuple(Fraction(1, 10**digits) for digits in (2, 3, 4, 5, 6, 8, 10, 12))


@dataclass(frozen=True, eq=False)
class UndecidedBox:
    """A box of strategies that may hold more equilibria with given supports.

    Attributes:
        lowest, highest: Bounds on each player's probabilities of the supported actions, in floats.
    """

    supports: Supports
    lowest: tuple[FloatArray, ...]
    highest: tuple[FloatArray, ...]

    def __str__(self) -> str:
        sides = (
            "[" + ", ".join(f"{a:.3g}..{b:.3g}" for a, b in zip(low, high, strict=True)) + "]"
            for low, high in zip(self.lowest, self.highest, strict=True)
        )
        return f"supports {self.supports}, probabilities " + " x ".join(sides)


@dataclass(frozen=True, eq=False)
class CellOutcome:
    """What a search found.

    Attributes:
        undecided: A box around all cells left undecided, if any.
        is_finished: Whether the budget sufficed.
    """

    certificates: tuple[NashCertificate, ...]
    undecided: UndecidedBox | None
    is_finished: bool


@dataclass(frozen=True, eq=False)
class _Root:
    """A solution of the equations, alone in a box."""

    point: tuple[FloatArray, ...]  # probabilities of supported actions
    radius: float  # of the box, in each probability; 0 if the point is exactly the solution


@dataclass(eq=False)
class CellSearch:
    """A search under way; lives inside a single call."""

    game: NormalFormGame
    prepared: PlayableGame
    supports: Supports
    tolerance: Fraction
    meter: Meter
    is_regular: bool = True
    roots: list[_Root] = field(default_factory=list[_Root])
    failures: list[tuple[FloatArray, ...]] = field(default_factory=list[tuple[FloatArray, ...]])
    certificates: list[NashCertificate] = field(default_factory=list[NashCertificate])

    def start(self, payoffs: FloatArray) -> Cells:
        """Return the whole cell, or none if an action is dominated on it."""
        return without_dominated(whole_cell(payoffs, self.supports))

    def run(self, cells: Cells, *, most_cells: int) -> CellOutcome:
        """Settle all cells, as far as possible; leave the rest undecided after so many."""
        undecided: list[Cells] = []
        looked_at = 0
        while len(cells):
            if self.meter.is_exhausted:
                return CellOutcome(tuple(self.certificates), None, is_finished=False)
            looked_at += len(cells)
            patience = most_cells if self.is_regular else most_cells // SINGULAR_SHARE
            if looked_at > patience or (
                len(cells) > 1 and sum(tensor.size for tensor in cells.tensors) > MOST_PAYOFFS
            ):
                undecided.append(cells)
                break
            self.meter.step(len(cells))
            left = self._all_unsettled(cells)
            if left is None:
                return CellOutcome(tuple(self.certificates), None, is_finished=False)
            if not len(left):
                break
            cells, flat = halved(left)
            if flat is not None:
                undecided.append(flat)
            if not len(cells):
                break
            cells = without_dominated(cells)
            small = _diameters(cells) < SMALLEST
            if small.any():
                undecided.append(cells.where(small))
                cells = cells.where(~small)
        box = _box(joined(undecided)) if undecided else None
        return CellOutcome(tuple(self.certificates), box, is_finished=True)

    def _all_unsettled(self, cells: Cells) -> Cells | None:
        """Return the cells that are not settled, looked at in chunks; None if time is up."""
        self.is_regular = False
        kept: list[Cells] = []
        chunk = _chunk(self.supports)
        for at in range(0, len(cells), chunk):
            if kept and self.meter.seconds_left == 0.0:
                return None
            kept.append(self._unsettled(cells.where(slice(at, at + chunk))))
        return joined(kept)

    def _unsettled(self, cells: Cells) -> Cells:
        """Return the cells that hold neither no solution nor exactly one known solution."""
        system = linearized(cells)
        self.is_regular |= bool(system.is_usable.any())
        kept = ~has_no_solution(system)
        for index in np.flatnonzero(kept & has_one_solution_at_most(system)).tolist():
            cell = cells.where(slice(index, index + 1))
            kept[index] = not self._holds_only_a_known_root(cell, system.inverses[index])
        return cells.where(kept)

    def _holds_only_a_known_root(self, cell: Cells, inverse: FloatArray) -> bool:
        larger = enlarged(cell)
        if not has_one_solution_at_most(linearized(larger, inverse[np.newaxis] / ENLARGED))[0]:
            return False
        corners = tuple(own[0] for own in larger.corners)
        if any(_is_inside(root, corners) for root in self.roots):
            return True
        root = self._root_near(tuple(own[0].mean(axis=0) for own in cell.corners))
        return root is not None and _is_inside(root, corners)

    def _root_near(self, middle: tuple[FloatArray, ...]) -> _Root | None:
        """Look for a solution from a point; None if none can be proved to be there."""
        start = np.zeros(int(self.prepared.layout.starts[-1]))
        start[flat_supports(self.prepared.layout, self.supports)] = np.concatenate(middle)
        found = newton_on_supports(self.prepared.layout, start, self.supports)
        if found is None or found.min() < -LOOKS_SIMPLE:
            return None
        point = self._supported(found)
        for known in self.roots:
            if _distance(known.point, point) < SAME:
                return known
        if any(_distance(failure, point) < SAME for failure in self.failures):
            return None
        root = self._new_root(found)
        if root is None:
            self.failures.append(point)
        return root

    def _new_root(self, found: FloatArray) -> _Root | None:
        simple = simple_fractions(by_player(self.prepared.layout, found), within=LOOKS_SIMPLE)
        if simple is not None and self._solves(simple):
            certificate = certify_nash(self.game, simple)
            if not certificate.epsilon and supports_of(simple) == self.supports:
                self.certificates.append(certificate)
            return self._added(simple, 0.0)
        if min(map(np.min, self._supported(found))) <= 0:
            return None
        certificate = certified_finish(
            self.game, self.prepared, found, self.supports, tolerance=self.tolerance
        )
        if certificate is None or certificate.epsilon > self.tolerance:
            return None
        smallest = isolation(self.game, certificate, radii=tuple(reversed(RADII)))
        if smallest is None:
            return None
        self.certificates.append(certificate)
        return self._added(smallest.profile, float(smallest.radius))

    def _solves(self, profile: MixedProfile) -> bool:
        """Tell whether a rational profile exactly solves the equations."""
        for player, support in enumerate(self.supports):
            values = action_payoffs(self.game, profile, player=player)
            if any(values[a] != values[support[0]] for a in support):
                return False
        return True

    def _supported(self, flat: FloatArray) -> tuple[FloatArray, ...]:
        own = by_player(self.prepared.layout, flat)
        return tuple(p[list(support)] for p, support in zip(own, self.supports, strict=True))

    def _added(self, profile: MixedProfile, radius: float) -> _Root:
        flat = np.concatenate([own.astype(np.float64) for own in profile.strategies])
        self.roots.append(_Root(self._supported(flat), radius))
        return self.roots[-1]


def isolation(
    game: NormalFormGame, certificate: NashCertificate, *, radii: tuple[Fraction, ...] = RADII
) -> IsolatedEquilibriumCertificate | None:
    """Certify that one equilibrium lies near a profile, in the first box for which this works."""
    profile = cast("MixedProfile", certificate.profile)
    for radius in radii:
        try:
            return certify_isolated_equilibrium(game, profile, radius=radius)
        except CertificateRejected:
            continue
    return None


def _chunk(supports: Supports) -> int:
    """Return how many cells are looked at together, so that their derivatives fit in memory."""
    equations = sum(len(own) - 1 for own in supports)
    derivatives = prod(map(len, supports)) * max(equations, 1) ** 2
    return max(1, min(LARGEST_CHUNK, MOST_DERIVATIVES // derivatives))


def _distance(one: tuple[FloatArray, ...], other: tuple[FloatArray, ...]) -> float:
    pairs = zip(one, other, strict=True)
    return float(max(np.max(np.abs(a - b)) for a, b in pairs))


def _is_inside(root: _Root, corners: tuple[FloatArray, ...]) -> bool:
    """Tell whether the root's box lies in the cell with these corners."""
    for point, own in zip(root.point, corners, strict=True):
        inverse = np.linalg.inv(own.T)  # barycentric coordinates
        reach = len(point) * (root.radius + ROUNDING)
        if np.any(inverse @ point - np.abs(inverse).sum(axis=1) * reach <= 0):
            return False
    return True


def _diameters(cells: Cells) -> FloatArray:
    ranges = [(own.max(axis=1) - own.min(axis=1)).max(axis=1) for own in cells.corners]
    return np.max(ranges, axis=0)


def _box(cells: Cells) -> UndecidedBox:
    return UndecidedBox(
        cells.supports,
        tuple(freeze(own.min(axis=(0, 1))) for own in cells.corners),
        tuple(freeze(own.max(axis=(0, 1))) for own in cells.corners),
    )
