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
from gametheory_core.certificates.claim import (
    claim,
    claim_answer,
    claimed,
    not_the_same_set,
    verify_claim,
)
from gametheory_core.certificates.completeness import certify_completeness
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import counted
from gametheory_core.strategies.mixed import MixedProfile

KIND = "nash-components"

Strategy: TypeAlias = tuple[Fraction, ...]


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


def certify_nash_components(game: NormalFormGame) -> "NashComponentsCertificate":
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


def _misfit(ours: tuple[NashComponent, ...], theirs: tuple[NashComponent, ...]) -> str:
    """Say what is wrong with claimed components, in whatever order they and their parts stand."""
    for subset in (subset for component in ours for subset in component.subsets):
        if any(len(set(side)) < len(side) for side in (subset.first, subset.second)):
            return f"with {_named(subset)}, which lists a strategy twice"
    claimed_sets, found_sets = (
        [tuple(map(_named, component.subsets)) for component in components]
        for components in (ours, theirs)
    )
    fault = not_the_same_set(sum(claimed_sets, ()), sum(found_sets, ()))
    if fault or set(map(frozenset, claimed_sets)) == set(map(frozenset, found_sets)):
        return fault
    return (
        f"with {len(ours)} connected ones, but the maximal Nash subsets hang together in "
        f"{len(theirs)}, otherwise sorted"
    )


def _named(subset: NashSubset) -> str:
    sides = (", ".join(map(written, sorted(side))) for side in (subset.first, subset.second))
    return f"{{{'} x {'.join(sides)}}}"


@claim(KIND, measure=certify_nash_components, answer="components", proves=("nash-components",))
class NashComponentsCertificate:
    """The claim that these are all maximal Nash subsets of the game, sorted by components.

    Attributes:
        game: Two players.
        components: In any order.
    """

    kind: ClassVar[str]
    game: NormalFormGame
    components: tuple[NashComponent, ...] = claimed(fault=_misfit)
    verify = verify_claim
    answer = claim_answer
    payoffs = ()
    epsilon = None

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        points = sum(component.is_point for component in self.components)
        subsets = sum(len(component.subsets) for component in self.components)
        return (
            f"the set of equilibria has {counted(len(self.components), 'connected component')}, "
            f"of which {points} isolated, made of {counted(subsets, 'maximal Nash subset')}"
        )
