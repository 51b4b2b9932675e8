"""Hypothesis strategies for games and profiles, built to shrink to small readable examples.

All games are exact unless floats are asked for, and all are valid by construction, so that nothing
is filtered out.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, NumberArray, exact_array
from gametheory_core.errors import not_installed
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Sketch, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile

try:
    from hypothesis import strategies as st
except ImportError as error:  # pragma: no cover - the test suite has it
    raise not_installed("testing.generators", "hypothesis", extra="laws") from error

Draw: TypeAlias = Callable[["st.SearchStrategy[Any]"], Any]


class PayoffKind(Enum):
    """What payoffs look like; the value says it in words."""

    GENERIC = "integers from -1000 to 1000, rarely equal"
    DEGENERATE = "-1, 0 or 1, so ties are everywhere"
    RATIONAL = "fractions with denominators up to 6"
    FLOAT = "floats from -1000 to 1000, in steps that floats do not hold exactly"


def rationals(
    *, low: int = -10, high: int = 10, max_denominator: int = 6
) -> "st.SearchStrategy[Fraction]":
    """Draw fractions in ``[low, high]``; shrink to integers near zero."""
    return st.fractions(low, high, max_denominator=max_denominator)


def payoffs_of_kind(kind: PayoffKind) -> "st.SearchStrategy[Any]":
    """Draw single payoffs of a kind: integers, fractions or floats."""
    if kind is PayoffKind.GENERIC:
        return st.integers(-1000, 1000)
    if kind is PayoffKind.DEGENERATE:
        return st.sampled_from([0, 1, -1])
    if kind is PayoffKind.RATIONAL:
        return rationals()
    return st.integers(-10_000, 10_000).map(lambda tenths: tenths / 10)


@st.composite
def normal_form_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> NormalFormGame:
    """Draw games with a number of players in ``num_players`` (low, high), all actions numbered.

    Each player has 1 to ``max_actions`` actions. Payoffs are of one of ``kinds``; exact, unless the
    kind is ``FLOAT``, where the game is given as a float64 array.
    """
    players = draw(st.integers(*num_players))
    shape = tuple(draw(st.integers(1, max_actions)) for _ in range(players))
    return NormalFormGame.from_payoffs(_table(draw, (players, *shape), _kind(draw, kinds)))


@st.composite
def zero_sum_games(
    draw: Draw,
    *,
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> NormalFormGame:
    """Draw two-player games whose payoffs sum to exactly zero, also for float kinds."""
    shape = (draw(st.integers(1, max_actions)), draw(st.integers(1, max_actions)))
    return NormalFormGame.zero_sum(_table(draw, shape, _kind(draw, kinds)))


@st.composite
def symmetric_games(
    draw: Draw,
    *,
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> NormalFormGame:
    """Draw two-player games that look the same from both seats."""
    count = draw(st.integers(1, max_actions))
    return NormalFormGame.symmetric(_table(draw, (count, count), _kind(draw, kinds)))


@st.composite
def potential_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_actions: int = 3,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> NormalFormGame:
    """Draw exact potential games: a change of action gains what a common potential gains.

    A payoff is the potential, of one of ``kinds``, plus a term of the same kind that depends on the
    others' actions only; every exact potential game is such a sum. Floats are added exactly, so the
    game is exact for every kind.
    """
    players = draw(st.integers(*num_players))
    shape = tuple(draw(st.integers(1, max_actions)) for _ in range(players))
    kind = _kind(draw, kinds)
    potential = exact_array(_table(draw, shape, kind))
    payoffs = [
        potential + exact_array(_table(draw, (*shape[:i], 1, *shape[i + 1 :]), kind))
        for i in range(players)
    ]
    return NormalFormGame.from_payoffs(np.array(payoffs, dtype=object))


@dataclass
class _Growth:
    """A tree being drawn; ``moves_left`` bounds its inner nodes."""

    draw: Draw
    num_players: int
    payoff: "st.SearchStrategy[Any]"
    zero_sum: bool
    infoset_key: Callable[["_Growth", int, tuple[object, ...], int], object]
    moves_left: int
    has_chance: bool = True
    labels: dict[object, str] = field(default_factory=dict[object, str])


@st.composite
def extensive_form_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_depth: int = 4,
    max_moves: int = 9,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
    zero_sum: bool = False,
    perfect_information: bool = False,
    has_chance: bool = True,
) -> ExtensiveFormGame:
    """Draw trees with perfect recall, at least one move, chance and inner outcomes.

    What a mover knows is their own past (own information sets and actions) and one observation, so
    recall is perfect by construction. At most ``max_depth`` moves in a row and ``max_moves`` inner
    nodes, one to three actions each; chance has rational probabilities, some of them zero. Players
    may be without a move. ``zero_sum`` makes two-player games unless ``num_players`` says else; no
    move is left to chance without ``has_chance``.
    """
    key = _every_node_apart if perfect_information else _own_past_and_observation
    players = 2 if zero_sum and num_players == (1, 3) else draw(st.integers(*num_players))
    return _tree(
        draw,
        players,
        max_depth,
        max_moves,
        kinds,
        zero_sum=zero_sum,
        key=key,
        has_chance=has_chance,
    )


@st.composite
def forgetful_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 3),
    max_depth: int = 4,
    max_moves: int = 9,
    kinds: tuple[PayoffKind, ...] = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
) -> ExtensiveFormGame:
    """Draw trees whose movers know one observation only: recall may fail, also by absence of mind.

    Otherwise as ``extensive_form_games``.
    """
    players = draw(st.integers(*num_players))
    return _tree(draw, players, max_depth, max_moves, kinds, zero_sum=False, key=_observation_alone)


@st.composite
def mixed_profiles(draw: Draw, game: NormalFormGame, *, floats: bool = False) -> MixedProfile:
    """Draw a mixed profile of the game: exact unless ``floats``; zeros and pure ones are likely."""
    return MixedProfile(tuple(_lottery(draw, n, floats=floats) for n in game.num_actions))


@st.composite
def behavioral_profiles(
    draw: Draw, game: ExtensiveFormGame, *, floats: bool = False
) -> BehavioralProfile:
    """Draw a behavioral profile: exact unless ``floats``; zeros and pure choices are likely."""
    infosets = game.infosets[: game.num_decision_infosets]
    return BehavioralProfile(tuple(_lottery(draw, len(s.actions), floats=floats) for s in infosets))


def _kind(draw: Draw, kinds: tuple[PayoffKind, ...]) -> PayoffKind:
    return draw(st.sampled_from(kinds))


def _table(draw: Draw, shape: tuple[int, ...], kind: PayoffKind) -> NumberArray:
    size = int(np.prod(shape))
    flat = np.empty(size, dtype=np.float64 if kind is PayoffKind.FLOAT else object)
    flat[:] = draw(st.lists(payoffs_of_kind(kind), min_size=size, max_size=size))
    return flat.reshape(shape)


def _lottery(draw: Draw, count: int, *, floats: bool = False) -> NumberArray:
    weights = [draw(st.sampled_from([0, 0, 1, 2, 3])) for _ in range(count)]
    weights[draw(st.integers(0, count - 1))] += 1  # so the sum is positive
    vector = np.empty(count, dtype=object)
    vector[:] = [Fraction(weight, sum(weights)) for weight in weights]
    return vector.astype(np.float64) if floats else vector


def _tree(
    draw: Draw,
    num_players: int,
    max_depth: int,
    max_moves: int,
    kinds: tuple[PayoffKind, ...],
    *,
    zero_sum: bool,
    key: Callable[[_Growth, int, tuple[object, ...], int], object],
    has_chance: bool = True,
) -> ExtensiveFormGame:
    payoff = payoffs_of_kind(_kind(draw, kinds))
    growth = _Growth(draw, num_players, payoff, zero_sum, key, max_moves, has_chance)
    root = draw(_subtrees(growth, ((),) * num_players, max_depth, is_root=True))
    return from_sketch(root, players=[f"player {i + 1}" for i in range(num_players)])


@st.composite  # a strategy of its own, so that shrinking replaces whole subtrees
def _subtrees(
    draw: Draw,
    growth: _Growth,
    pasts: tuple[tuple[object, ...], ...],
    depth: int,
    *,
    is_root: bool = False,
) -> Sketch:
    movers = [*range(growth.num_players), *([-1] if growth.has_chance else [])]  # -1: chance
    if depth == 0 or growth.moves_left == 0:
        return Terminal(_payoffs(growth))
    mover = draw(st.sampled_from(movers if is_root else [None, *movers, *movers]))
    if mover is None:
        return Terminal(_payoffs(growth))
    growth.moves_left -= 1
    paid = _payoffs(growth) if draw(st.sampled_from([False, False, False, True])) else ()
    count = draw(st.sampled_from([1, 2, 2, 2, 3]))
    if mover < 0:
        weights = _lottery(draw, count).tolist()
        return Chance(
            {
                f"c{a + 1}": (w, draw(_subtrees(growth, pasts, depth - 1)))
                for a, w in enumerate(weights)
            },
            payoffs=paid,
        )
    key = growth.infoset_key(growth, mover, pasts[mover], count)
    label = growth.labels.setdefault((mover, key), f"h{len(growth.labels) + 1}")
    children: dict[str, Sketch] = {}
    for action in "abc"[:count]:
        after = (*pasts[:mover], (*pasts[mover], (label, action)), *pasts[mover + 1 :])
        children[action] = draw(_subtrees(growth, after, depth - 1))
    return Decision(mover, label, children, payoffs=paid)


def _payoffs(growth: _Growth) -> list[Fraction]:
    drawn = [Fraction(growth.draw(growth.payoff)) for _ in range(growth.num_players)]
    if growth.zero_sum:
        drawn[-1] = -sum(drawn[:-1], 0 * ONE)
    return drawn


def _own_past_and_observation(
    growth: _Growth, _mover: int, past: tuple[object, ...], count: int
) -> object:
    return past, growth.draw(st.integers(0, 1)), count


def _observation_alone(
    growth: _Growth, _mover: int, _past: tuple[object, ...], count: int
) -> object:
    return growth.draw(st.integers(0, 1)), count


def _every_node_apart(
    growth: _Growth, _mover: int, _past: tuple[object, ...], _count: int
) -> object:
    return len(growth.labels)
