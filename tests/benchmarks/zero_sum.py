"""Zero-sum solvers beside HiGHS called directly and QuantEcon."""

from functools import partial

import highspy
import numpy as np

from gametheory_core.catalog.poker import kuhn_poker, leduc_poker
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.sequence_form import sequence_form
from solvers._programs.linear import solve_float
from solvers.nash.minimax import minimax
from solvers.nash.sequence_form_lp import plan_program, sequence_form_lp
from tests.benchmarks.measure import Row, interleaved, peak_bytes

TOLERANCE = 1e-6  # payoffs lie in [0, 1]


def rows() -> list[Row]:
    """Compare on random float matrices and on poker."""
    return [*matrix_rows(300, rounds=5), *matrix_rows(1000, rounds=1), *poker_rows()]


def matrix_rows(size: int, *, rounds: int) -> list[Row]:
    """Compare certified minimax with uncertified float solves of the same matrix."""
    payoffs = np.random.default_rng(size).random((size, size))
    contenders = {
        "ours": lambda: minimax(NormalFormGame.zero_sum(payoffs), tolerance=TOLERANCE),
        "HiGHS": partial(natural_program, payoffs),
    }
    if size <= 300:
        contenders["QuantEcon minmax"] = partial(quantecon_minmax, payoffs)
    best = interleaved(contenders, rounds=rounds)
    task = f"{size} x {size} floats, certified within {TOLERANCE:g}"
    return [Row(task, best["ours"], name, best[name]) for name in contenders if name != "ours"]


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
        "from solvers.nash.sequence_form_lp import sequence_form_lp\n"
        "sequence_form_lp(leduc_poker())\n"
    )
    return peak_bytes(script) / 1e6


def natural_program(payoffs: np.ndarray) -> float:
    """Solve ``max v, v <= A'x, sum x = 1`` with HiGHS as it comes; return the value."""
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
    highs.passModel(model)
    highs.run()
    return highs.getInfo().objective_function_value


def quantecon_minmax(payoffs: np.ndarray) -> float:
    """Return QuantEcon's value."""
    from quantecon.optimize import minmax

    return minmax(payoffs)[0]
