"""Payoff-polygon certificates: these are the corners of what correlated equilibria pay two players.

Each corner comes with an equilibrium that pays it, so the polygon between the corners is within
reach. Each edge comes with prices, as in ``incentives``, that bound the payoffs weighed by the
edge's outer normal, so nothing outside is.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.claim import CheckableFact, claim, claimed
from gametheory_core.certificates.correlated import equilibrium_bound
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    IncentivePrice,
    LinearObjective,
    kind_regret,
)
from gametheory_core.certificates.wording import nearly, written
from gametheory_core.errors import CertificateRejected, InvalidArgument
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution, correlated_payoffs

Point: TypeAlias = tuple[Fraction, Fraction]


@dataclass(frozen=True)
class PayoffEdge:
    """A proof that no equilibrium lies beyond an edge.

    Attributes:
        normal: Outer normal: weights of the two players' payoffs.
        prices: The positive multipliers of deviations.
    """

    normal: Point
    prices: tuple[IncentivePrice, ...]


def _measure(correlated_kind: CorrelatedKind, **given: Any) -> "CorrelatedPayoffsCertificate":
    return certify_correlated_payoffs(kind=correlated_kind, **given)


@claim("correlated-payoffs", measure=_measure, answer="vertices", proves=("correlated-payoffs",))
class CorrelatedPayoffsCertificate(CheckableFact):
    """The claim that ``vertices`` are the corners of all equilibrium payoffs of two players.

    Attributes:
        game: At least two players.
        correlated_kind: Which equilibria.
        players: Whose payoffs.
        vertices: Counterclockwise, no three on a line; one if all equilibria pay the same, two for
            a segment.
        distributions: An equilibrium for each vertex.
        edges: One from each vertex to the next; the two sides of a segment and, for it as for a
            point, its ends: four normals in all.
    """

    game: NormalFormGame
    correlated_kind: CorrelatedKind
    players: tuple[int, int]
    vertices: tuple[Point, ...] = claimed()
    distributions: tuple[CorrelatedDistribution, ...]
    edges: tuple[PayoffEdge, ...]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        names = " and ".join(repr(self.game.players[i]) for i in self.players)
        shown = ", ".join(f"({nearly(first)}, {nearly(second)})" for first, second in self.vertices)
        return (
            f"the payoffs of {names} in {self.correlated_kind.value} equilibria are the mixtures "
            f"of {shown}, and no others"
        )


def certify_correlated_payoffs(
    game: NormalFormGame,
    distributions: Sequence[CorrelatedDistribution],
    edges: Sequence[PayoffEdge],
    *,
    kind: CorrelatedKind = CorrelatedKind.CORRELATED,
    players: tuple[int, int] = (0, 1),
) -> CorrelatedPayoffsCertificate:
    """State that some equilibria pay the corners of what all equilibria pay two players.

    Args:
        distributions: Equilibria of the kind whose payoffs are the corners, counterclockwise.
        edges: What bounds the polygon.
        kind: Which equilibria.
        players: Whose payoffs; two different ones.

    Raises:
        InvalidStrategy, InvalidArgument: If a distribution or the players do not fit the game.
        CertificateRejected: If a distribution is no equilibrium, or the edges do not bound the
            polygon of the corners.

    >>> from gametheory_core import correlated_distribution, load_game
    >>> game = load_game("prisoners_dilemma")
    >>> one = Fraction(1)
    >>> prices = tuple(IncentivePrice(i, 0, 1, 5 * one) for i in (0, 1))
    >>> sides = [(one, 0 * one), (-one, 0 * one), (0 * one, one), (0 * one, -one)]
    >>> edges = [PayoffEdge(normal, prices) for normal in sides]
    >>> defect = correlated_distribution([[0, 0], [0, 1]])
    >>> certify_correlated_payoffs(game, [defect], edges).vertices
    ((Fraction(1, 1), Fraction(1, 1)),)
    """
    require_declared_arguments(
        CorrelatedPayoffsCertificate,
        correlated_kind=kind,
        players=players,
        distributions=tuple(distributions),
        edges=tuple(edges),
    )
    first, second = players
    if first == second or not {first, second} <= set(range(game.num_players)):
        raise InvalidArgument(
            needs=f"two different players of {game.num_players}", found=f"got {players}"
        )
    vertices: list[Point] = []
    for distribution in distributions:
        payoffs = correlated_payoffs(game, distribution)
        vertices.append((payoffs[first], payoffs[second]))
        worst = max(kind_regret(game, distribution, kind, i) for i in range(game.num_players))
        if worst > 0:
            raise CertificateRejected(
                needs=f"{kind.value} equilibria",
                found=f"the one that pays {written(vertices[-1])} lets a deviation gain "
                f"{written(worst)}",
            )
    _require_corners(vertices)
    normals = [edge.normal for edge in edges]
    _require_normals(vertices, normals)
    for edge in edges:
        weights = [ZERO] * game.num_players
        weights[first], weights[second] = edge.normal
        bound = equilibrium_bound(game, kind, LinearObjective(tuple(weights)), edge.prices)
        reached = max(_dot(edge.normal, vertex) for vertex in vertices)
        if bound > reached:
            raise CertificateRejected(
                needs=f"prices that prove at most {reached} in direction {written(edge.normal)}",
                found=f"they prove {written(bound)}",
            )
    return CorrelatedPayoffsCertificate(
        game, kind, players, tuple(vertices), tuple(distributions), tuple(edges)
    )


def _require_corners(vertices: Sequence[Point]) -> None:
    """Reject vertices unless each corner turns left, and all lie left of every side."""
    count = len(vertices)
    if not count or len(set(vertices)) < count:
        raise CertificateRejected(needs="different vertices, at least one")
    if count < 3:
        return
    around = [*vertices, vertices[0], vertices[1]]
    sides = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(around)]
    turns_left = all(_cross(side, following) > 0 for side, following in pairwise(sides))
    convex = all(
        _cross(side, (other[0] - start[0], other[1] - start[1])) >= 0
        for side, start in zip(sides[:count], vertices, strict=True)
        for other in vertices
    )
    if not (turns_left and convex):
        raise CertificateRejected(needs="the corners of a convex polygon, counterclockwise")


def _require_normals(vertices: Sequence[Point], normals: Sequence[Point]) -> None:
    """Reject normals that do not cut out just the polygon: one for each side.

    A segment needs both its sides and both its ends, a point four that surround it.
    """
    wanted = _outer_normals(vertices)
    for direction in wanted:
        if not any(_same_direction(direction, normal) for normal in normals):
            raise CertificateRejected(
                needs=f"an edge with outer normal {written(direction)}", found="there is none"
            )


def _outer_normals(vertices: Sequence[Point]) -> list[Point]:
    if len(vertices) == 1:
        one = Fraction(1)
        return [(one, ZERO), (ZERO, one), (-one, ZERO), (ZERO, -one)]
    around = [*vertices, vertices[0]]
    normals = [(b[1] - a[1], a[0] - b[0]) for a, b in pairwise(around)]
    if len(vertices) == 2:
        (x, y), _ = normals
        normals += [(-y, x), (y, -x)]
    return normals


def _dot(left: Point, right: Point) -> Fraction:
    return left[0] * right[0] + left[1] * right[1]


def _cross(left: Point, right: Point) -> Fraction:
    return left[0] * right[1] - left[1] * right[0]


def _same_direction(left: Point, right: Point) -> bool:
    return _cross(left, right) == 0 and _dot(left, right) > 0
