"""Component certificates: how the equilibria of a bimatrix game hang together.

A *Nash subset* is a set of mixed strategies of each player such that every pair of them is an
equilibrium. The maximal ones are polytopes: all mixtures of some extreme strategies of one player,
paired with all mixtures of some of the other's. Their union is the set of equilibria, and those
that share strategies, directly or through others, form its connected components.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, TypeAlias

from gametheory_core.arrays import exact_array
from gametheory_core.certificates.certificate import rationals, written
from gametheory_core.certificates.completeness import certify_completeness
from gametheory_core.certificates.declared_types import require_declared_types
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import counted
from gametheory_core.strategies.mixed import MixedProfile

KIND = "nash-components"

Strategy: TypeAlias = tuple[Fraction, ...]
Shape: TypeAlias = tuple[frozenset[Strategy], frozenset[Strategy]]


@dataclass(frozen=True)
class NashSubset:
    """A maximal Nash subset, by its extreme strategies.

    Attributes:
        first, second: Of player 0 and of player 1. Every mixture of the ones with every mixture of
            the others is an equilibrium.
    """

    first: tuple[Strategy, ...]
    second: tuple[Strategy, ...]

    @property
    def is_point(self) -> bool:
        """Whether it is a single equilibrium."""
        return len(self.first) == len(self.second) == 1

    @property
    def profiles(self) -> tuple[MixedProfile, ...]:
        """Its extreme equilibria: all pairs."""
        return tuple(
            MixedProfile((exact_array(x), exact_array(y))) for x in self.first for y in self.second
        )


@dataclass(frozen=True)
class NashComponent:
    """A connected component of the set of equilibria.

    Attributes:
        subsets: Its maximal Nash subsets; neighbours share extreme strategies of both players.
    """

    subsets: tuple[NashSubset, ...]

    @property
    def is_point(self) -> bool:
        """Whether it is an isolated equilibrium."""
        return len(self.subsets) == 1 and self.subsets[0].is_point


@dataclass(frozen=True)
class NashComponentsCertificate:
    """The claim that these are all maximal Nash subsets of the game, sorted by components.

    Attributes:
        game: Two players.
        components: In any order.
    """

    kind: ClassVar[str] = KIND
    game: NormalFormGame
    components: tuple[NashComponent, ...]

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        points = sum(component.is_point for component in self.components)
        subsets = sum(len(component.subsets) for component in self.components)
        return (
            f"the set of equilibria has {counted(len(self.components), 'connected component')}, "
            f"of which {points} isolated, made of {counted(subsets, 'maximal Nash subset')}"
        )

    def verify(self) -> None:
        """List extreme equilibria, maximal Nash subsets and components again, and compare.

        Raises:
            CertificateRejected: If a subset is missing, listed twice, not maximal, or holds a pair
                that is no equilibrium, or if components are joined or parted wrongly.
        """
        require_declared_types(self)
        try:
            found = certify_nash_components(self.game)
        except UnsupportedGame as error:
            raise CertificateRejected(f"{KIND} certificate: {error}") from None
        for subset in (subset for component in self.components for subset in component.subsets):
            for side in (subset.first, subset.second):
                if len(set(side)) < len(side):
                    raise _rejection(_shape(subset), "lists a strategy twice")
        claimed = [shape for component in _shapes(self) for shape in component]
        known = {shape for component in _shapes(found) for shape in component}
        for position, shape in enumerate(claimed):
            if shape in claimed[:position]:
                raise _rejection(shape, "is listed twice")
            if shape not in known:
                raise _rejection(shape, _problem(shape, known))
        for shape in known - set(claimed):
            raise _rejection(shape, "is missing")
        if set(map(frozenset, _shapes(self))) != set(map(frozenset, _shapes(found))):
            raise CertificateRejected(
                f"{KIND} certificate: claims {len(self.components)} connected components, but the "
                f"maximal Nash subsets hang together in {len(found.components)}, otherwise sorted. "
                "Do not use this answer."
            )


def certify_nash_components(game: NormalFormGame) -> NashComponentsCertificate:
    """List the connected components of the set of equilibria, by a method of the core's own.

    Raises:
        UnsupportedGame: If the game has not two players.

    Meant for checking: simple, not fast. Extreme equilibria come from ``certify_completeness``;
    maximal Nash subsets are the intersections of the sets of partners that extreme strategies have.

    Source: M. J. M. Jansen, "Maximal Nash subsets for bimatrix games", Naval Research Logistics
        Quarterly 28 (1981), 147-152.

    >>> game = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]])
    >>> [component.is_point for component in certify_nash_components(game).components]
    [False]
    """
    partners: dict[Strategy, set[Strategy]] = {}
    for profile in certify_completeness(game).profiles:
        x, y = map(rationals, profile.strategies)
        partners.setdefault(x, set()).add(y)
    closed: set[frozenset[Strategy]] = set()
    for own in map(frozenset, partners.values()):
        closed |= {own & other for other in closed} | {own}
    subsets = [
        NashSubset(
            first=tuple(sorted((x for x, own in partners.items() if second <= own), reverse=True)),
            second=tuple(sorted(second, reverse=True)),
        )
        for second in closed
        if second
    ]
    return NashComponentsCertificate(game, tuple(map(NashComponent, _connected(_ordered(subsets)))))


def _ordered(subsets: Iterable[NashSubset]) -> list[NashSubset]:
    """Return subsets in the order of their strategies, earlier actions first."""
    return sorted(subsets, key=lambda subset: (subset.first, subset.second), reverse=True)


def _connected(subsets: list[NashSubset]) -> list[tuple[NashSubset, ...]]:
    """Part subsets into classes that share extreme equilibria, directly or through others."""
    classes: list[tuple[list[NashSubset], set[tuple[Strategy, Strategy]]]] = []
    for subset in subsets:
        members, pairs = [subset], {(x, y) for x in subset.first for y in subset.second}
        apart: list[tuple[list[NashSubset], set[tuple[Strategy, Strategy]]]] = []
        for others, theirs in classes:
            if pairs & theirs:
                members, pairs = others + members, pairs | theirs
            else:
                apart.append((others, theirs))
        classes = [*apart, (members, pairs)]
    return [tuple(_ordered(members)) for members, _ in classes]


def _shapes(certificate: NashComponentsCertificate) -> list[list[Shape]]:
    return [list(map(_shape, component.subsets)) for component in certificate.components]


def _shape(subset: NashSubset) -> Shape:
    return frozenset(subset.first), frozenset(subset.second)


def _problem(shape: Shape, known: set[Shape]) -> str:
    """Say why a claimed subset is none of the maximal ones."""
    if any(shape[0] <= first and shape[1] <= second for first, second in known):
        return "is not maximal, or empty"
    return "holds a pair that is no extreme equilibrium"


def _rejection(shape: Shape, problem: str) -> CertificateRejected:
    sides = (", ".join(written(strategy) for strategy in sorted(side)) for side in shape)
    return CertificateRejected(
        f"{KIND} certificate: the Nash subset {{{'} x {'.join(sides)}}} {problem}. "
        "Do not use this answer."
    )
