"""Zero-sum solvers beside HiGHS called directly, QuantEcon and nashpy.

What is compiled, ours and theirs, is loaded and called once before it is timed.
"""

from collections.abc import Callable, Mapping
from functools import partial

import highspy
import numpy as np

from gametheory_core import NormalFormGame
from gametheory_core.catalog import kuhn_poker, leduc_poker
from gametheory_core.strategies import sequence_form
from solvers import minimax, sequence_form_lp
from solvers._programs.linear import solve_float
from solvers.trees.sequence_program import plan_program
from solvers.zero_sum.float_matrix_game import by_kernel
from tests.benchmarks.measure import Row, interleaved, peak_bytes

TOLERANCE = 1e-6  # payoffs lie in [0, 1]
SMALL = 10  # actions of the games that are solved many times in a row
REPETITIONS = 500


def rows() -> list[Row]:
    """Compare on random float matrices and on poker."""
    return [
        *small_rows(),
        *matrix_rows(100, rounds=5),
        *matrix_rows(300, rounds=5),
        *matrix_rows(1000, rounds=1),
        *exact_rows(100, rounds=3),
        *poker_rows(),
    ]


def matrix_rows(size: int, *, rounds: int) -> list[Row]:
    """Compare certified minimax with uncertified float solves of the same matrix."""
    payoffs = random_payoffs(size)
    contenders = {"ours": partial(certified, payoffs), **peers(payoffs)}
    best = interleaved(contenders, rounds=rounds)
    task = f"{size} x {size} floats, certified within {TOLERANCE:g}"
    return [Row(task, best["ours"], name, best[name]) for name in contenders if name != "ours"]


def small_rows() -> list[Row]:
    """Compare float solves of small games, and what the certificate adds."""
    payoffs = random_payoffs(SMALL)
    game = NormalFormGame.zero_sum(payoffs)
    best = interleaved(
        {
            "kernel": repeated(partial(by_kernel, payoffs, None)),
            "certified": repeated(partial(minimax, game, tolerance=TOLERANCE)),
            "QuantEcon": repeated(partial(quantecon_minmax, payoffs)),
        },
        rounds=5,
    )
    return [
        Row(
            f"{SMALL} x {SMALL} floats, {task}",
            best[ours] / REPETITIONS,
            "QuantEcon minmax",
            best["QuantEcon"] / REPETITIONS,
        )
        for ours, task in (
            ("kernel", "kernel alone"),
            ("certified", f"certified within {TOLERANCE:g}"),
        )
    ]


def exact_rows(size: int, *, rounds: int) -> list[Row]:
    """Compare exact minimax of integers with the float program alone."""
    payoffs = np.random.default_rng(size).integers(-1000, 1000, (size, size))
    game = NormalFormGame.zero_sum(payoffs)
    best = interleaved(
        {
            "ours": lambda: minimax(NormalFormGame.from_payoffs(game.given_payoffs)),
            "HiGHS": partial(natural_program, payoffs.astype(np.float64)),
        },
        rounds=rounds,
    )
    task = f"{size} x {size} integers, exact solution, certificate"
    return [Row(task, best["ours"], "HiGHS, floats", best["HiGHS"])]


def random_payoffs(size: int) -> np.ndarray:
    """Draw payoffs between 0 and 1."""
    return np.random.default_rng(size).random((size, size))


def certified(payoffs: np.ndarray) -> float:
    """Return our value."""
    game = NormalFormGame.zero_sum(payoffs)
    return float(minimax(game, tolerance=TOLERANCE).certificate.game_value)


def peers(payoffs: np.ndarray) -> Mapping[str, Callable[[], float]]:
    """Return what finds the value of the game in floats, by name."""
    return {
        "HiGHS": partial(natural_program, payoffs),
        "HiGHS interior point": partial(natural_program, payoffs, solver="ipm", crossover="off"),
        "QuantEcon minmax": partial(quantecon_minmax, payoffs),
        "nashpy linear_program": partial(nashpy_program, payoffs),
    }


def repeated(function: Callable[[], object]) -> Callable[[], None]:
    """Call it many times in a row."""

    def many() -> None:
        for _ in range(REPETITIONS):
            function()

    return many


def poker_rows() -> list[Row]:
    """Compare exact certified solutions, from the rules on, with the float program alone."""
    found: list[Row] = []
    for name, build in (("Kuhn poker", kuhn_poker), ("Leduc poker", leduc_poker)):
        program = plan_program(sequence_form(build()))
        best = interleaved(
            {
                "ours": lambda build=build: sequence_form_lp(build()),
                "HiGHS": partial(solve_float, program),
            },
            rounds=5,
        )
        task = f"{name}: rules, layout, exact solution, certificate"
        found.append(Row(task, best["ours"], "the float program alone", best["HiGHS"]))
    return found


def leduc_peak_megabytes() -> float:
    """Return the peak memory of a process of its own that solves Leduc poker from its rules."""
    script = (
        "from gametheory_core.catalog.poker import leduc_poker\n"
        "from solvers.trees.linear_program import sequence_form_lp\n"
        "sequence_form_lp(leduc_poker())\n"
    )
    return peak_bytes(script) / 1e6


def natural_program(payoffs: np.ndarray, *, solver: str = "choose", crossover: str = "on") -> float:
    """Solve ``max v, v <= A'x, sum x = 1`` with HiGHS, by default as it comes; return the value."""
    num_rows, num_columns = payoffs.shape
    table = np.ones((num_columns + 1, num_rows + 1))
    table[:-1, :-1] = -payoffs.T
    table[-1, -1] = 0.0
    model = highspy.HighsLp()
    model.num_row_, model.num_col_ = table.shape
    model.sense_ = highspy.ObjSense.kMaximize
    model.col_cost_ = np.append(np.zeros(num_rows), 1.0)
    model.col_lower_ = np.append(np.zeros(num_rows), -np.inf)
    model.col_upper_ = np.full(num_rows + 1, np.inf)
    model.row_lower_ = np.append(np.full(num_columns, -np.inf), 1.0)
    model.row_upper_ = np.append(np.zeros(num_columns), 1.0)
    places, columns = np.nonzero(table)
    model.a_matrix_.format_ = highspy.MatrixFormat.kRowwise
    model.a_matrix_.start_ = np.searchsorted(places, np.arange(num_columns + 2))
    model.a_matrix_.index_ = columns
    model.a_matrix_.value_ = table[places, columns]
    highs = highspy.Highs()
    highs.setOptionValue("output_flag", False)
    highs.setOptionValue("threads", 1)
    highs.setOptionValue("solver", solver)
    highs.setOptionValue("run_crossover", crossover)
    highs.passModel(model)
    highs.run()
    return highs.getInfo().objective_function_value


def quantecon_minmax(payoffs: np.ndarray) -> float:
    """Return QuantEcon's value."""
    from quantecon.optimize import minmax

    return minmax(payoffs)[0]


def nashpy_program(payoffs: np.ndarray) -> float:
    """Return the value of nashpy's strategies."""
    import nashpy

    x, y = nashpy.Game(payoffs).linear_program()
    return x @ payoffs @ y
