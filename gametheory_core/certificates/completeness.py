"""Completeness certificates: these are exactly the extreme equilibria of a bimatrix game.

A pair of mixed strategies is an extreme equilibrium if each is a vertex of its player's
best-response polytope and every action, of either player, is unplayed or a best reply. Checking
the claim means listing those vertices again, in what is left of the game without the dominated
actions that the certificate names (see ``extreme_equilibria``).

Pure completeness certificates: these are exactly the pure equilibria of a normal-form game.

Component certificates: how the equilibria of a bimatrix game hang together.

A *Nash subset* is a set of mixed strategies of each player such that every pair of them is an
equilibrium. The maximal ones are polytopes: all mixtures of some extreme strategies of one player,
paired with all mixtures of some of the other's. Their union is the set of equilibria, and those
that share strategies, directly or through others, form its connected components.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product

from gametheory_core.arguments import number_of
from gametheory_core.arrays import exact_array
from gametheory_core.certificates.claim import CheckableFact, claim, claimed, not_the_same_set
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.extreme_equilibria import Strategy, extreme_strategies
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, pure_profile


def certify_completeness(
    game: NormalFormGame,
    *,
    eliminations: Sequence[Elimination] = (),
    profiles: Sequence[MixedProfile] = (),
) -> "CompletenessCertificate":
    """List all extreme equilibria of a bimatrix game and state that these are all.

    Args:
        game: Two players, or more of whom eliminations and copies leave two a choice.
        eliminations: Of strictly dominated actions, in order, rounds numbered from 1.
        profiles: Equilibria that are known; they save time where the game is strategically
            zero-sum.

    Raises:
        UnsupportedGame: If one player, or more than two, have a choice.
        CertificateRejected: If an elimination is not right, or what is known is no equilibrium.

    Meant for checking. A random game of 12 x 12 actions takes a tenth of a second, one of 16 x 16
    a second; where many replies tie, one of 12 x 12 takes about a third of a second, one of
    14 x 14 two seconds.

    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> len(certify_completeness(pennies).profiles)
    1
    """
    known = [tuple(map(rationals, profile.to_exact().strategies)) for profile in profiles]
    extreme = extreme_strategies(game, eliminations=eliminations, known=known)
    found = tuple(MixedProfile(tuple(map(exact_array, each))) for each in extreme)
    return CompletenessCertificate(game, found, tuple(eliminations))


@claim("completeness", measure=certify_completeness, completes=("all-nash",))
class CompletenessCertificate(CheckableFact):
    """The claim that ``profiles`` are all extreme equilibria of the game, and nothing else.

    Attributes:
        game: Two players, or more of whom eliminations and copies leave two a choice.
        profiles: Rational and different, in any order.
        eliminations: Strictly dominated actions that are left out of the search, in order.
    """

    game: NormalFormGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set, is_given=True)
    eliminations: tuple[Elimination, ...] = ()

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if len(self.profiles) == 1:
            return "complete: the profile is the only equilibrium of the game"
        return (
            f"complete: the {len(self.profiles)} profiles are all extreme equilibria of the game, "
            "and every equilibrium is a mixture of them"
        )


def certify_pure_completeness(game: NormalFormGame) -> "PureCompletenessCertificate":
    """List all pure equilibria of a game, by trying every change of one player's action.

    >>> pennies = NormalFormGame.zero_sum([[1, -1], [-1, 1]])
    >>> certify_pure_completeness(pennies).profiles
    ()
    """
    payoffs = game.exact_payoffs
    found = [
        joint_action
        for joint_action in product(*map(range, game.num_actions))
        if all(
            payoffs[player, *joint_action[:player], other, *joint_action[player + 1 :]]
            <= payoffs[player, *joint_action]
            for player, count in enumerate(game.num_actions)
            for other in range(count)
        )
    ]
    return PureCompletenessCertificate(game, tuple(pure_profile(game, each) for each in found))


def _has_rivals(certificate: "PureCompletenessCertificate") -> str:
    """Say that a list of pure equilibria is not complete, but for a single player."""
    return "only completeness proves a list of all equilibria" * (len(certificate.game.players) > 1)


@claim(
    "pure-completeness",
    measure=certify_pure_completeness,
    completes=("pure-nash",),
    completes_if={"all-nash": _has_rivals},
)
class PureCompletenessCertificate(CheckableFact):
    """The claim that ``profiles`` are all pure equilibria of the game, and nothing else.

    Attributes:
        game: Any number of players.
        profiles: Rational and pure, in any order.
    """

    game: NormalFormGame
    profiles: tuple[MixedProfile, ...] = claimed(fault=not_the_same_set)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        if not self.profiles:
            return "complete: the game has no pure equilibrium"
        if len(self.profiles) == 1:
            return "complete: the profile is the only pure equilibrium of the game"
        return f"complete: the {len(self.profiles)} profiles are all pure equilibria of the game"


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


def certify_nash_components(
    game: NormalFormGame,
    *,
    eliminations: Sequence[Elimination] = (),
    components: Sequence[NashComponent] = (),
) -> "NashComponentsCertificate":
    """List the connected components of the set of equilibria, by a method of the core's own.

    Args:
        game, eliminations: As for ``certify_completeness``.
        components: Of equilibria that are known, as there.

    Raises:
        UnsupportedGame: If the game has not two players.
        CertificateRejected: As from ``certify_completeness``.

    Meant for checking: simple, not fast. Extreme equilibria come as in ``certify_completeness``;
    maximal Nash subsets are the intersections of the sets of partners that extreme strategies have.

    Source: M. J. M. Jansen, "Maximal Nash subsets for bimatrix games", Naval Research Logistics
        Quarterly 28 (1981), 147-152.

    >>> game = NormalFormGame.bimatrix([[1, 1], [0, 0]], [[1, 1], [0, 0]])
    >>> [component.is_point for component in certify_nash_components(game).components]
    [False]
    """
    if game.num_players != 2:
        raise UnsupportedGame(needs="two players", found=f"{game!r} has {game.num_players}")
    partners: dict[Strategy, set[Strategy]] = {}
    subsets_known = [subset for component in components for subset in component.subsets]
    known = [(x, y) for subset in subsets_known for x in subset.first for y in subset.second]
    for x, y in extreme_strategies(game, eliminations=eliminations, known=known):
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
    found = tuple(map(NashComponent, _connected(_ordered(subsets))))
    return NashComponentsCertificate(game, found, tuple(eliminations))


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


@claim(
    "nash-components",
    measure=certify_nash_components,
    answer="components",
    proves=("nash-components",),
)
class NashComponentsCertificate(CheckableFact):
    """The claim that these are all maximal Nash subsets of the game, sorted by components.

    Attributes:
        game: Two players.
        components: In any order.
        eliminations: Strictly dominated actions that are left out of the search, in order.
    """

    game: NormalFormGame
    components: tuple[NashComponent, ...] = claimed(fault=_misfit, is_given=True)
    eliminations: tuple[Elimination, ...] = ()

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        points = sum(component.is_point for component in self.components)
        subsets = sum(len(component.subsets) for component in self.components)
        return (
            f"the set of equilibria has {number_of(len(self.components), 'connected component')}, "
            f"of which {points} isolated, made of {number_of(subsets, 'maximal Nash subset')}"
        )
