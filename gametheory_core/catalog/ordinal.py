"""The 2 x 2 games that a leader and a follower play again and again, with ordinal payoffs.

Each player ranks the four outcomes 0, -1, -2, -3. All twelve are symmetric: the follower's matrix
is the leader's, transposed. Each function lists the leader's payoffs, her first action in the first
row. The first action is called "C", the second "D", as the source does.
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from gametheory_core.games.normal_form import NormalFormGame

ACTIONS = ("C", "D")
PLAYERS = ("Leader", "Follower")


def prisoners_dilemma() -> NormalFormGame:
    """Prisoner's dilemma: defection dominates, mutual cooperation is better for both.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-1, -3], [0, -2]], "Prisoner's dilemma")


def stag_hunt() -> NormalFormGame:
    """Stag hunt: two equilibria, the better one risky; a lone second action is the second best.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -3], [-1, -2]], "Stag hunt")


def assurance() -> NormalFormGame:
    """Assurance: two equilibria, the better one risky; meeting at the worse one is the second best.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -3], [-2, -1]], "Assurance")


def coordination() -> NormalFormGame:
    """Coordination: two equilibria, the better one for both also the safer.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -2], [-3, -1]], "Coordination")


def mixedharmony() -> NormalFormGame:
    """Mixed harmony: the first action dominates; after the second, meeting is better than not.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -1], [-3, -2]], "Mixed harmony")


def harmony() -> NormalFormGame:
    """Harmony: the first action dominates, and matters more than the other's.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -1], [-2, -3]], "Harmony")


def noconflict() -> NormalFormGame:
    """No conflict: the first action dominates, but the other's action matters more.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[0, -2], [-1, -3]], "No conflict")


def deadlock() -> NormalFormGame:
    """Deadlock: the second action dominates, and is better for both than the first.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-2, -3], [0, -1]], "Deadlock")


def prisoners_delight() -> NormalFormGame:
    """Prisoner's delight: the second action dominates; both playing the first is the worst.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-3, -2], [0, -1]], "Prisoner's delight")


def hero() -> NormalFormGame:
    """Hero: one should take the second action alone; both playing the first is the worst.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-3, -1], [0, -2]], "Hero")


def battle() -> NormalFormGame:
    """Battle: one should take the second action alone; both doing so is the worst.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-2, -1], [0, -3]], "Battle")


def chicken() -> NormalFormGame:
    """Chicken: who takes the second action alone wins; both doing so is the worst.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return _ordinal([[-1, -2], [0, -3]], "Chicken")


def small_battle_of_the_sexes() -> NormalFormGame:
    """Battle of the sexes with payoffs 2 and 1: meeting pays, each prefers another place.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return NormalFormGame.bimatrix(
        [[2, 0], [0, 1]],
        [[1, 0], [0, 2]],
        players=PLAYERS,
        actions=(("A", "B"), ("A", "B")),
        title="Battle of the sexes, 2 and 1",
    )


def modified_prisoners_dilemma() -> NormalFormGame:
    """A leader who likes to cooperate beside a follower in the prisoner's dilemma.

    Source: M. Gerstgrasser and D. C. Parkes, "Oracles & Followers", ICML 2023, table 3.
    """
    return NormalFormGame.bimatrix(
        [[0, -2], [-1, -3]],
        [[-1, 0], [-3, -2]],
        players=PLAYERS,
        actions=(ACTIONS, ACTIONS),
        title="Modified prisoner's dilemma",
    )


def _ordinal(payoffs: Sequence[Sequence[int]], title: str) -> NormalFormGame:
    return NormalFormGame.symmetric(payoffs, players=PLAYERS, actions=ACTIONS, title=title)


ORDINAL_GAMES: Mapping[str, Callable[[], NormalFormGame]] = MappingProxyType(
    {
        build.__name__: build
        for build in (
            prisoners_dilemma,
            stag_hunt,
            assurance,
            coordination,
            mixedharmony,
            harmony,
            noconflict,
            deadlock,
            prisoners_delight,
            hero,
            battle,
            chicken,
        )
    }
)
