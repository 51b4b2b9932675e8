"""Regret minimizers in batches: beside vectorised numpy, and beside OpenSpiel's single play.

A number is the time of updating a batch of decision makers with three actions once, or of one step
of one play of rock-paper-scissors by both players; CPU seconds, the minimum over the rounds.
OpenSpiel's ``regret_matching`` is plain numpy, one play at a time; the solvers' ``regret_matching``
is our compiled loop for a single play.
"""

from typing import Any

import numpy as np

from gametheory_core import load_game
from learners import RegretLearner
from learners.regret import BlumMansour, Feedback, LocalMinimizer, StronglyAdaptive
from solvers import regret_matching
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus
from tests.benchmarks.measure import Row, interleaved

ACTIONS = 3
NUMPY = "numpy, whole arrays"
OPEN_SPIEL = "OpenSpiel regret_matching, Python"
MINIMIZERS = {
    "regret matching": LocalMinimizer(RegretMatching()),
    "regret matching+": LocalMinimizer(RegretMatchingPlus()),
    "Hedge": LocalMinimizer(Hedge(rate=1.0)),
    "Blum-Mansour": BlumMansour(),
    "strongly adaptive, 10 levels": StronglyAdaptive(low=-5, high=5, levels=10),
}


def utilities(batch: int, steps: int) -> Any:
    """Return what actions earn, (steps, batch, actions)."""
    return np.random.default_rng(1).normal(size=(steps, batch, ACTIONS)).clip(-5, 5)


def ours(name: str, rows: Any) -> Any:
    """Let a batch learn from the rows; return its strategies."""
    minimizer = MINIMIZERS[name]
    state = minimizer.start(rows.shape[1], ACTIONS)
    for row in rows:
        state = minimizer.observe(state, row)
    return minimizer.strategies(state)


def in_numpy(name: str, rows: Any) -> Any:
    """Return the strategies of three rules, written in whole arrays."""
    memory = np.zeros(rows.shape[1:])
    strategies = np.full(rows.shape[1:], 1 / ACTIONS)
    for step, row in enumerate(rows, start=1):
        memory += row - (row * strategies).sum(axis=1, keepdims=True)
        if name == "Hedge":
            exponents = memory / np.sqrt(step)
            weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
            strategies = weights / weights.sum(axis=1, keepdims=True)
            continue
        if name == "regret matching+":
            np.maximum(memory, 0.0, out=memory)
        positive = np.maximum(memory, 0.0)
        total = positive.sum(axis=1, keepdims=True)
        even = np.full_like(positive, 1 / ACTIONS)
        strategies = np.divide(positive, total, out=even, where=total > 0)
    return strategies


def learner(plays: int, steps: int, feedback: Feedback) -> RegretLearner:
    """Play so many games at once."""
    own = RegretLearner(
        load_game("rock_paper_scissors"),
        minimizer=RegretMatching(),
        rng=np.random.default_rng(1),
        plays=plays,
        steps=steps,
        feedback=feedback,
    )
    own.improve()
    return own


def open_spiel(steps: int) -> Any:
    """Return the averages of OpenSpiel's regret matching."""
    from open_spiel.python.algorithms import regret_matching as peer

    payoffs = np.asarray(load_game("rock_paper_scissors").payoffs, dtype=float)
    return peer.regret_matching(list(payoffs), iterations=steps)


def rows(*, batch: int = 20_000, steps: int = 20, plays: int = 1000, rounds: int = 5) -> list[Row]:
    """Measure updates by rule, then steps of whole plays."""
    found: list[Row] = []
    given = utilities(batch, steps)
    for name, minimizer in MINIMIZERS.items():
        has_peer = isinstance(minimizer, LocalMinimizer)
        plain = name if has_peer else "regret matching+"
        best = interleaved(
            {
                "ours": lambda name=name: ours(name, given),
                NUMPY: lambda plain=plain: in_numpy(plain, given),
            },
            rounds=rounds,
        )
        peer = NUMPY if has_peer else f"{NUMPY}: one regret matching+"
        task = f"{name}: {batch:,} updates at once"
        found.append(Row(task, best["ours"] / steps, peer, best[NUMPY] / steps))
    found += _plays(plays, steps=200, rounds=rounds)
    return found


def _plays(plays: int, *, steps: int, rounds: int) -> list[Row]:
    game = load_game("rock_paper_scissors")
    contenders: dict[str, Any] = {
        "expected": lambda: learner(plays, steps, Feedback.EXPECTED),
        "drawn": lambda: learner(plays, steps, Feedback.DRAWN),
        "single": lambda: regret_matching(game, steps=100 * steps, samples=1),
    }
    try:
        open_spiel(2)
        contenders[OPEN_SPIEL] = lambda: open_spiel(steps)
    except ImportError:
        return []
    best = interleaved(contenders, rounds=rounds)
    peer = best[OPEN_SPIEL] / steps
    return [
        Row(
            f"a step, {plays:,} plays at once, expected payoffs",
            best["expected"] / steps / plays,
            OPEN_SPIEL,
            peer,
        ),
        Row(
            f"a step, {plays:,} plays at once, drawn actions",
            best["drawn"] / steps / plays,
            OPEN_SPIEL,
            peer,
        ),
        Row("a step, one play (solvers)", best["single"] / steps / 100, OPEN_SPIEL, peer),
    ]
