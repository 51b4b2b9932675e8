"""How many games are solved for each concept: a compiled loop, and the solver of one game.

Games that the loop leaves out are handed to the solver of one game, and so are those whose answer
is not the only one, where the loop may find another one than that solver.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from solvers.bimatrix.pivoting import MOST_INTEGER_CELLS as LARGEST_PATH
from solvers.concepts import Concept
from solvers.many_games import loops
from solvers.many_games.batch import MOST_ACTIONS, Numbers, words_needed
from solvers.many_games.forms import JOINT, MIXED, PURE, SETS, Form
from solvers.many_games.loops import Order, Part, most_vertices, swaps_of
from solvers.zero_sum.matrix_games import MOST_INTEGER_CELLS as LARGEST_MATRIX

LARGEST_POLYTOPE = 700  # vertices: 8 x 8 actions; the solver of one game takes as long there


@dataclass(frozen=True, eq=False)
class Road:
    """How a concept is answered for many games.

    Attributes:
        solver: Name of the solver of one game that says the same.
        loop: Fills a part of the answers.
        takes_size: Whether the loop takes games of two players with so many actions.
        words: How many words the numbers of each game need; None where payoffs are only compared.
        options: What ``solve_many`` hands on to the solver of one game.
        form: What an answer is.
        is_zero_sum: Whether it is about zero-sum games.
        takes_more: Whether there may be other than two players.
        is_rebuilt: Whether weights are all that a certificate needs.
    """

    solver: str
    loop: Callable[[Order], Part]
    takes_size: Callable[[int, int], bool]
    words: Callable[[Numbers, int, int], NDArray[np.int64]] | None
    options: tuple[str, ...] = ()
    form: Form = MIXED
    is_zero_sum: bool = False
    takes_more: bool = False
    is_rebuilt: bool = False


def _path_fits(rows: int, columns: int) -> bool:
    return rows * columns <= LARGEST_PATH and min(rows, columns) <= MOST_ACTIONS


def _matrix_fits(rows: int, columns: int) -> bool:
    return rows * columns <= LARGEST_MATRIX and min(rows, columns) <= MOST_ACTIONS


def _polytope_fits(rows: int, columns: int) -> bool:
    most = max(most_vertices(rows, columns), most_vertices(columns, rows))
    return most <= LARGEST_POLYTOPE and rows + columns < 62  # labels are bits of a word


def _program_fits(rows: int, columns: int) -> bool:
    return min(swaps_of(rows, columns) + 1, rows * columns) <= MOST_ACTIONS


def _any_size(_rows: int, _columns: int) -> bool:
    return True


def _game_words(numbers: Numbers, rows: int, columns: int) -> NDArray[np.int64]:
    most = min(rows, columns)
    return words_needed(numbers.bits.max(axis=1), most, most)


def _difference_words(numbers: Numbers, rows: int, columns: int) -> NDArray[np.int64]:
    most = min(rows, columns)
    return words_needed(numbers.bits.max(axis=1) + 1, most, most)


def _program_words(numbers: Numbers, rows: int, columns: int) -> NDArray[np.int64]:
    """Numbers are those of a common scale, of both signs, or sums of two payoffs."""
    up = numbers.shifts.max(axis=1, keepdims=True) - numbers.shifts
    bits = (numbers.bits + up).max(axis=1) + 2
    swaps, cells = swaps_of(rows, columns), rows * columns
    return words_needed(bits, min(swaps + 1, cells), min(swaps + 2, cells))


ROADS: dict[str, Road] = {
    Concept.NASH: Road(
        "lemke_howson",
        loops.follow_paths,
        _path_fits,
        _game_words,
        options=("initial_label",),
        is_rebuilt=True,
    ),
    Concept.ALL_NASH: Road(
        "vertex_enumeration", loops.list_equilibria, _polytope_fits, _game_words, is_rebuilt=True
    ),
    Concept.MINIMAX: Road(
        "minimax",
        loops.solve_packings,
        _matrix_fits,
        _game_words,
        is_zero_sum=True,
        is_rebuilt=True,
    ),
    Concept.PURE_NASH: Road("pure", loops.list_cells, _any_size, None, form=PURE, takes_more=True),
    Concept.STACKELBERG: Road(
        "strong_stackelberg",
        loops.best_commitments,
        _polytope_fits,
        _game_words,
        options=("leader",),
    ),
    Concept.CORRELATED: Road(
        "correlated_equilibrium", loops.correlate, _program_fits, _program_words, form=JOINT
    ),
    Concept.DOMINANCE: Road(
        "iterated_dominance", loops.eliminate, _matrix_fits, _difference_words, form=SETS
    ),
}
