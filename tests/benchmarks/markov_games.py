"""Markov games: ours beside plain value iteration with numpy and scipy's ``linprog``.

All begin with the game as tables. Ours ends with a certificate: an interval, proved in rationals,
in which the value lies, or a proof that nobody gains at any time and state. The peer sweeps in
floats, with one linear program for each state, until the contraction bound says that values are as
near as asked for, and proves nothing. No library we know of solves these games.
"""

from fractions import Fraction
from typing import Any

import numpy as np
from scipy.optimize import linprog

from gametheory_core.catalog import Soccer
from gametheory_core.conversions import markov_view
from gametheory_core.games import MarkovView
from solvers import shapley_value_iteration
from solvers.markov import stage_nash_induction
from tests.benchmarks.measure import Row, interleaved

PEER = "numpy and linprog, floats"
ONE_SWEEP = "one sweep of numpy and linprog"


def soccer_view(rows: int, columns: int, *, horizon: int | None = None) -> MarkovView:
    """Return soccer on a field, discounted by 9/10."""
    return markov_view(Soccer(rows, columns), horizon=horizon)


def float_tables(view: MarkovView) -> list[tuple[Any, Any]]:
    """Return each acting state's rewards (A, B) and next-state probabilities (A, B, S)."""
    kernel = view.game.transition_kernel
    found: list[tuple[Any, Any]] = []
    for state in view.acting.tolist():
        rows = view.stage_rows(state)
        rewards = view.rewards.numerators[rows, 0].astype(float) / view.rewards.denominator
        law = np.zeros((*rows.shape, view.num_states))
        for cell in np.ndindex(*rows.shape):
            entries = kernel.row(int(rows[cell]))
            law[cell][kernel.outcome[entries]] = kernel.weight[entries].astype(float)
        found.append((rewards, law))
    return found


def matrix_value(payoffs: Any) -> float:
    """Return the value of a matrix game by one linear program."""
    rows, columns = payoffs.shape
    answer = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.hstack([-payoffs.T, np.ones((columns, 1))]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return float(answer.x[-1])


def sweep(tables: list[tuple[Any, Any]], values: Any, acting: Any, discount: float) -> Any:
    """Return the values of all stage games in which ``values`` come after."""
    found = np.zeros_like(values)
    found[acting] = [matrix_value(r + discount * law @ values) for r, law in tables]
    return found


def plain_value_iteration(tables: list[tuple[Any, Any]], view: MarkovView, tolerance: float) -> Any:
    """Sweep until the contraction bound is within the tolerance."""
    discount = float(view.game.discount)
    values = np.zeros(view.num_states)
    while True:
        following = sweep(tables, values, view.acting, discount)
        change = np.abs(following - values).max()
        values = following
        if change * discount / (1 - discount) <= tolerance:
            return values


def plain_induction(tables: list[tuple[Any, Any]], view: MarkovView, horizon: int) -> Any:
    """Sweep once for each step."""
    values = np.zeros(view.num_states)
    for _ in range(horizon):
        values = sweep(tables, values, view.acting, float(view.game.discount))
    return values


def rows(
    *,
    field: tuple[int, int] = (4, 5),
    small: tuple[int, int] = (2, 4),
    tolerance: float = 1e-3,
    steps: int = 3,
    rounds: int = 2,
) -> list[Row]:
    """Measure values of endless games, and of stopped ones."""
    small_view, large_view = soccer_view(*small), soccer_view(*field)
    small_tables, large_tables = float_tables(small_view), float_tables(large_view)
    stopped = soccer_view(*small, horizon=steps)
    names = [f"soccer on {r} x {c} cells" for r, c in (small, field)]
    nothing = np.zeros(large_view.num_states)
    tasks = [
        (
            f"{names[0]}, {small_view.num_states} states, value within {tolerance:g}",
            lambda: shapley_value_iteration(small_view, tolerance=tolerance),
            PEER,
            lambda: plain_value_iteration(small_tables, small_view, tolerance),
        ),
        (
            f"{names[0]}, stopped after {steps} steps, exact",
            lambda: stage_nash_induction(stopped),
            PEER,
            lambda: plain_induction(small_tables, small_view, steps),
        ),
        (
            f"{names[1]}, {large_view.num_states} states, value within 1e-9",
            lambda: shapley_value_iteration(large_view, tolerance=1e-9),
            ONE_SWEEP,
            lambda: sweep(large_tables, nothing, large_view.acting, 0.9),
        ),
        (
            f"{names[1]}, {large_view.num_states} states, value within 1e-40",
            lambda: shapley_value_iteration(large_view, tolerance=Fraction(1, 10**40)),
            ONE_SWEEP,
            lambda: sweep(large_tables, nothing, large_view.acting, 0.9),
        ),
    ]
    found: list[Row] = []
    for task, ours, peer, theirs in tasks:
        best = interleaved({"ours": ours, peer: theirs}, rounds=rounds)
        found.append(Row(task, best["ours"], peer, best[peer]))
    return found
