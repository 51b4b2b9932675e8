"""Hypothesis strategies for games that are hard on algorithms: ties, copies, and wild numbers.

Numbers are of one kind a game, since a game with one huge payoff among small ones is a game about
that payoff; then one of the kinds is just such a mixture.
"""

from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import NumberArray, exact_array
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.testing.generators import Draw, st

FAR = 10**30


def _near(corner: int, off: int) -> Fraction:
    return corner + Fraction(off, FAR)


def _of_size(digit: int, power: int) -> Fraction:
    return digit * Fraction(10) ** power


def _float_of_size(part: int, power: int) -> float:
    return float(np.ldexp(part / 2**53, power))


_PARTS = st.integers(-(2**53), 2**53)
NUMBERS: dict[str, "st.SearchStrategy[Any]"] = {
    "ties": st.sampled_from([0, 1, -1]),
    "zeros": st.sampled_from([0, 0, 0, 0, 1]),
    "digits": st.integers(-9, 9),
    "integers": st.integers(-1000, 1000),
    "rationals": st.builds(Fraction, st.integers(-60, 60), st.integers(1, 12)),
    "long rationals": st.builds(Fraction, st.integers(-FAR, FAR), st.integers(1, FAR)),
    "tiny": st.builds(Fraction, st.integers(-9, 9), st.just(FAR)),
    "huge": st.integers(-9, 9).map(FAR.__mul__),
    "nearly tied": st.builds(_near, st.integers(0, 1), st.integers(-2, 2)),
    "of all sizes": st.builds(_of_size, st.integers(-9, 9), st.integers(-20, 20)),
    "floats": st.builds(_float_of_size, _PARTS, st.just(0)),
    "floats of all sizes": st.builds(_float_of_size, _PARTS, st.integers(-60, 60)),
}
MOST_CELLS = 81


@st.composite
def wild_games(
    draw: Draw,
    *,
    num_players: tuple[int, int] = (1, 4),
    max_actions: int = 5,
    most_cells: int = MOST_CELLS,
    numbers: tuple[str, ...] = tuple(NUMBERS),
) -> NormalFormGame:
    """Draw normal forms of all shapes, with any of: copied actions, sums of zero, a planted answer.

    At most ``most_cells`` joint actions. Numbers are of one of the kinds in ``numbers``; floats are
    kept as floats where nothing is added to them.
    """
    players = draw(st.integers(*num_players))
    shape: list[int] = []
    for left in range(players, 0, -1):
        room = most_cells // int(np.prod(shape))
        shape.append(draw(st.integers(1, max(1, min(max_actions, int(room ** (1 / left)) + 1)))))
    number = NUMBERS[draw(st.sampled_from(numbers))]
    payoffs = _table(draw, (players, *shape), number)
    change = draw(st.sampled_from([None, None, _sum_to_zero, _agree, _plant, _swap_seats]))
    if change is not None:
        payoffs = change(draw, payoffs)
    for axis in range(players):
        if draw(st.sampled_from([False, False, False, True])):
            count = payoffs.shape[axis + 1]
            kept = [draw(st.integers(0, count - 1)) for _ in range(count)]
            payoffs = np.take(payoffs, kept, axis=axis + 1)
    return NormalFormGame.from_payoffs(payoffs)


def _table(draw: Draw, shape: tuple[int, ...], number: "st.SearchStrategy[Any]") -> NumberArray:
    size = int(np.prod(shape))
    drawn = draw(st.lists(number, min_size=size, max_size=size))
    if all(isinstance(value, float) for value in drawn):
        return np.array(drawn).reshape(shape)
    return exact_array(drawn).reshape(shape)


def _sum_to_zero(_draw: Draw, payoffs: NumberArray) -> NumberArray:
    """Let the last player pay what the others get."""
    exact = exact_array(payoffs).copy()
    exact[-1] = -exact[:-1].sum(axis=0) if len(exact) > 1 else exact[0]
    return exact


def _agree(_draw: Draw, payoffs: NumberArray) -> NumberArray:
    """Pay everyone the same."""
    return np.array([payoffs[0]] * len(payoffs))


def _swap_seats(_draw: Draw, payoffs: NumberArray) -> NumberArray:
    """Make a two-player game look the same from both seats, where it is square."""
    is_square = payoffs.ndim == 3 and payoffs.shape[1] == payoffs.shape[2]
    return np.array([payoffs[0], payoffs[0].T]) if is_square else payoffs


def _plant(draw: Draw, payoffs: NumberArray) -> NumberArray:
    """Move each action's payoffs so that a drawn profile is an equilibrium, often a degenerate one.

    An action of a support gets what the first one gets, another at most that.
    """
    exact = exact_array(payoffs).copy()
    profile = [
        [draw(st.sampled_from([0, 0, 1, 1, 2, 5])) for _ in range(count)]
        for count in exact.shape[1:]
    ]
    for weights in profile:
        weights[0] += not sum(weights)
    for player, weights in enumerate(profile):
        own = np.moveaxis(exact[player], player, 0)
        earned = own
        for other in reversed([i for i in range(len(profile)) if i != player]):
            total = sum(profile[other])
            shares = exact_array([Fraction(weight, total) for weight in profile[other]])
            earned = earned @ shares
        level = earned[int(np.flatnonzero(weights)[0])]
        for action, weight in enumerate(weights):
            slack = 0 if weight else draw(st.sampled_from([0, 0, 1]))
            own[action] += level - earned[action] - slack
    return exact
