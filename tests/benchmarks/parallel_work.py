"""Divided work: one worker beside two, by the CPU time of the longest chain.

The clock of a shared machine says little about two workers. So the time of two is that of this
process and of the busier worker, added up: what two idle cores would take at most, waiting apart.
Workers are started before, and take part in a first round that is not counted.
"""

import os
import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from pathlib import Path

import numpy as np

from gametheory_core import BayesianGame, NormalFormGame, NotConverged
from gametheory_core.catalog import LiarsDiceRules, RepeatedGame
from solvers import Budget, bayesian_stackelberg
from solvers.counterfactual import monte_carlo_streams
from solvers.dynamics import play_streams
from solvers.leaders import stochastic_markov_stackelberg
from solvers.stackelberg import BayesianMethod
from tests.benchmarks.counterfactual_regret import tree_of
from tests.benchmarks.measure import Row
from tests.benchmarks.zero_sum import random_payoffs

PEER = "one worker"
TICKS = os.sysconf("SC_CLK_TCK")


def children_seconds() -> dict[int, float]:
    """Return the CPU seconds of each process that this one has started and that still lives."""
    found: dict[int, float] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(fields[1]) == os.getpid():
            found[int(file.parent.name)] = (int(fields[11]) + int(fields[12])) / TICKS
    return found


def chain_seconds(call: Callable[[], object]) -> float:
    """Return CPU seconds of a call here and in the busiest worker."""
    before, own = children_seconds(), time.process_time()
    call()
    spent = time.process_time() - own
    after = children_seconds()
    return spent + max((after[pid] - before.get(pid, 0.0) for pid in after), default=0.0)


def row(task: str, call: Callable[[int], object], *, rounds: int) -> Row:
    """Measure a function of the number of workers."""
    best = dict.fromkeys((1, 2), float("inf"))
    call(2)
    for _ in range(rounds):
        for jobs in best:
            best[jobs] = min(best[jobs], chain_seconds(partial(call, jobs)))
    return Row(task, best[2], PEER, best[1])


def random_bayesian(types: int, actions: int, answers: int) -> BayesianGame:
    """Draw integer payoffs from -100 to 100, and an even prior."""
    rng = np.random.default_rng(1)
    own, others = rng.integers(-100, 101, (2, types, actions, answers)).tolist()
    return BayesianGame.from_payoffs(own, others, prior=[Fraction(1, types)] * types)


def best_cells(length: int, splits: int, jobs: int) -> object:
    """Split cells of a repeated prisoner's dilemma, so many at most."""
    game = RepeatedGame.of("prisoners_dilemma", rounds=length)
    budget = Budget(iterations=splits)
    try:
        return stochastic_markov_stackelberg(game, tolerance=1e-15, budget=budget, jobs=jobs)
    except NotConverged as error:
        return error.best


def rows(
    *,
    iterations: int = 1_000_000,
    sides: int = 4,
    steps: int = 10_000_000,
    types: int = 14,
    length: int = 4,
    splits: int = 72,
    rounds: int = 1,
) -> list[Row]:
    """Measure each kind of divided work."""
    leduc, dice = tree_of("leduc_poker"), LiarsDiceRules(sides=sides)
    matrix, unknown = NormalFormGame.zero_sum(random_payoffs(20)), random_bayesian(types, 5, 5)
    method = BayesianMethod.MULTIPLE_LINEAR_PROGRAMS

    def sampled(source: object, count: int, jobs: int) -> object:
        rng = np.random.default_rng(1)
        return monte_carlo_streams(source, iterations=count, streams=8, rng=rng, jobs=jobs)

    def played(jobs: int) -> object:
        rng = np.random.default_rng(1)
        return play_streams(matrix, steps=steps, streams=8, rng=rng, jobs=jobs)

    few = max(8, iterations // 200)
    calls: dict[str, Callable[[int], object]] = {
        f"Leduc poker, built tree, {iterations:,} sampled iterations": partial(
            sampled, leduc, iterations
        ),
        f"liar's dice 1 x {sides}, rules, {few:,} sampled iterations": partial(sampled, dice, few),
        f"20 x 20, regret matching, {steps:,} drawn steps": played,
        f"{types} types, 5 x 5, a program for each response": lambda jobs: bayesian_stackelberg(
            unknown, method=method, jobs=jobs
        ),
        f"cells of mixed actions, {splits} splits": partial(best_cells, length, splits),
    }
    return [row(task, call, rounds=rounds) for task, call in calls.items()]
