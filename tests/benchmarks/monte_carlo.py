"""Monte-Carlo counterfactual regret: ours beside OpenSpiel's C++, on the same trees.

A number is the time of one iteration, a traversal for each player; OpenSpiel steps through states;
ours runs on the built tree in compiled code, and once more on rules in Python, unbuilt. Our outcome
sampling plays twice in a traversal: once to learn, once for the average.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from gametheory_core.catalog import KuhnRules, LeducRules, LiarsDiceRules
from solvers import monte_carlo_counterfactual_regret
from solvers.counterfactual import SampledPlay, Sampling
from solvers.counterfactual.sampled_play import Source
from tests.benchmarks.counterfactual_regret import peer_game, tree_of
from tests.benchmarks.measure import Row, interleaved

NAMES = {
    "Kuhn poker": "kuhn_poker",
    "Leduc poker": "leduc_poker",
    "liar's dice 1 x 6": "liars_dice",
}
RULES = {
    "Kuhn poker": KuhnRules(),
    "Leduc poker": LeducRules(),
    "liar's dice 1 x 6": LiarsDiceRules(sides=6),
}
PEERS = {
    Sampling.EXTERNAL: "OpenSpiel ExternalSamplingMCCFRSolver, C++",
    Sampling.OUTCOME: "OpenSpiel OutcomeSamplingMCCFRSolver, C++",
}
SEED = 3
EXPLORATION = 0.6


def ours(source: Source, sampling: Sampling, iterations: int) -> SampledPlay:
    """Learn from so many iterations, from the beginning."""
    return monte_carlo_counterfactual_regret(
        source,
        iterations=iterations,
        sampling=sampling,
        exploration=EXPLORATION,
        rng=np.random.default_rng(SEED),
    )


def open_spiel_solver(name: str, sampling: Sampling) -> Any:
    """Return OpenSpiel's solver of the same kind."""
    import pyspiel

    if sampling is Sampling.EXTERNAL:
        return pyspiel.ExternalSamplingMCCFRSolver(peer_game(name), seed=SEED)
    return pyspiel.OutcomeSamplingMCCFRSolver(peer_game(name), epsilon=EXPLORATION, seed=SEED)


def game_rows(title: str, *, iterations: int, rounds: int) -> list[Row]:
    """Measure both kinds of sampling on one game."""
    name = NAMES[title]
    tree = tree_of(name)
    found: list[Row] = []
    for sampling, peer in PEERS.items():
        solver = open_spiel_solver(name, sampling)
        theirs, plain = max(1, iterations // 20), max(1, iterations // 50)
        contenders: dict[str, Callable[[], object]] = {
            "tree": lambda sampling=sampling: ours(tree, sampling, iterations),
            "rules": lambda sampling=sampling, plain=plain: ours(RULES[title], sampling, plain),
            peer: lambda solver=solver, theirs=theirs: [
                solver.run_iteration() for _ in range(theirs)
            ],
        }
        best = interleaved(contenders, rounds=rounds)
        kind = sampling.name.lower()
        found += [
            Row(f"{title}, {kind}, {way}", best[way] / count, peer, best[peer] / theirs)
            for way, count in (("tree", iterations), ("rules", plain))
        ]
    return found


def rows(*, iterations: int = 100_000, rounds: int = 3) -> list[Row]:
    """Measure each game."""
    return [
        row for title in NAMES for row in game_rows(title, iterations=iterations, rounds=rounds)
    ]
