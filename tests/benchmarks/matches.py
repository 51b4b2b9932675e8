"""Matches of RirRPS: ours beside the same recursion in plain Python, and each submatrix solved.

Ours includes checking the tables.
"""

from collections import defaultdict
from functools import cache

import numpy as np

from gametheory_core.catalog import RirRPS
from learners.matches import match_form, win_rates
from solvers import nash_averaging
from solvers.populations import leading_nash_averages
from tests.benchmarks.measure import Row, interleaved

SEED = 12
PLAIN = "plain Python"
FROM_BEFORE = "each from the one before"


def tables_of(count: int, game: RirRPS) -> np.ndarray:
    """Draw tables of windows."""
    return np.random.default_rng(SEED).dirichlet(np.ones(3), (count, match_form(game).num_windows))


def plain_rate(game: RirRPS, first: np.ndarray, second: np.ndarray) -> float:
    """Follow windows and leads by dictionaries; return how often the first player wins."""
    form = match_form(game)
    own, other = first.tolist(), second[form.mirrored].tolist()
    points = form.points.ravel().tolist()
    number = cache(lambda window: form.number_of(list(window)))
    reach = {((), 0): 1.0}
    for _ in range(form.rounds):
        after: dict[tuple[tuple[int, ...], int], float] = defaultdict(float)
        for (window, lead), weight in reach.items():
            mine, theirs = own[number(window)], other[number(window)]
            for code, gained in enumerate(points):
                following = (*window, code)[-form.recall :]
                chance = mine[code // 3] * theirs[code % 3]
                after[following, lead + gained] += weight * chance
        reach = after
    return sum(w * (1 if lead > 0 else 0.5 if lead == 0 else 0) for (_, lead), w in reach.items())


def plain_rates(game: RirRPS, tables: np.ndarray) -> np.ndarray:
    """Return win rates of all pairs."""
    rates = np.full((len(tables),) * 2, 0.5)
    for i, j in zip(*np.triu_indices(len(tables), 1), strict=True):
        rates[i, j] = plain_rate(game, tables[i], tables[j])
        rates[j, i] = 1 - rates[i, j]
    return rates


def improvers(count: int) -> np.ndarray:
    """Return how agents do of whom each is a little better than those before, and some cyclic."""
    skill = 3 * np.arange(count) / count
    a, b = np.random.default_rng(SEED).standard_normal((2, count)) / 2
    rates = 1 / (1 + np.exp(skill - skill[:, None] + b[:, None] * a - a[:, None] * b)) - 0.5
    return (rates - rates.T) / 2


def solved_from_before(evaluation: np.ndarray) -> np.ndarray:
    """Solve each leading submatrix whole, from the answer before; return the last mixture."""
    average = None
    for size in range(1, len(evaluation) + 1):
        average = nash_averaging(evaluation[:size, :size], start=average)
    return average.agent_mixture


def rows(
    *, game: RirRPS | None = None, agents: int = 4, growth: int = 200, rounds: int = 3
) -> list[Row]:
    """Measure each task."""
    played = game or RirRPS()
    tables, evaluation = tables_of(agents, played), improvers(growth)
    pairs = agents * (agents - 1) // 2
    best = interleaved(
        {
            "ours": lambda: win_rates(played, list(tables)),
            PLAIN: lambda: plain_rates(played, tables),
        },
        rounds=rounds,
    )
    found = [Row(f"win rates of {pairs} pairs of tables", best["ours"], PLAIN, best[PLAIN])]
    grown = interleaved(
        {
            "ours": lambda: leading_nash_averages(evaluation),
            FROM_BEFORE: lambda: solved_from_before(evaluation),
        },
        rounds=1,
    )
    task = f"Nash of {growth} leading submatrices"
    return [*found, Row(task, grown["ours"], FROM_BEFORE, grown[FROM_BEFORE])]
