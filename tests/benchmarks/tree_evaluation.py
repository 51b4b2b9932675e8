"""Exploitability in trees: ours beside OpenSpiel's C++ and LiteEFG's, on the same trees.

All are prepared beforehand: our tables, OpenSpiel's policy, LiteEFG's environment. The profile is
drawn at random, but LiteEFG evaluates its own first, uniform one. The floor is a copy of the
numbers that an evaluation must read.
"""

import contextlib
import io
from collections.abc import Callable
from typing import Any

import numpy as np

import gametheory_core as core
from gametheory_core import BehavioralProfile, ExtensiveFormGame
from solvers.counterfactual import evaluation_tables, float_nash_conv
from tests.benchmarks.counterfactual_regret import peer_game, tree_of
from tests.benchmarks.measure import Row, interleaved

GAMES = {
    "Leduc poker": "leduc_poker",
    "liar's dice 1 x 6": "liars_dice",
    "Kuhn poker, 3 players": "kuhn_poker(players=3)",
}
OPEN_SPIEL, LITE_EFG = "OpenSpiel nash_conv, C++", "LiteEFG exploitability, C++"
CORE, COPY = "the exact core, in floats", "numpy copy of as many bytes"
SEED = 5


def random_profile(tree: ExtensiveFormGame) -> BehavioralProfile:
    """Draw a profile, in floats."""
    rng = np.random.default_rng(SEED)
    infosets = tree.infosets[: tree.num_decision_infosets]
    return BehavioralProfile(tuple(rng.dirichlet(np.ones(len(s.actions))) for s in infosets))


def open_spiel_policy(name: str, tree: ExtensiveFormGame, profile: BehavioralProfile) -> Any:
    """Write the profile as OpenSpiel's own table."""
    from open_spiel.python import policy

    table = policy.TabularPolicy(peer_game(name))
    for infoset, vector in zip(tree.infosets, profile.probabilities, strict=False):
        row = table.state_lookup[infoset.label]
        legal = np.flatnonzero(table.legal_actions_mask[row])
        table.action_probability_array[row] = 0.0
        table.action_probability_array[row, legal] = vector
    return policy.python_policy_to_pyspiel_policy(table)


def lite_efg_evaluation(name: str) -> Callable[[], list[float]]:
    """Return a function that evaluates the uniform profile."""
    import LiteEFG
    from LiteEFG.baselines.CFRplus import graph

    with contextlib.redirect_stdout(io.StringIO()):
        environment = LiteEFG.OpenSpielEnv(peer_game(name), traverse_type="Enumerate")
        rule = graph()
        environment.set_graph(rule)
    strategy = rule.current_strategy()
    return lambda: environment.exploitability(strategy)


def game_rows(title: str, *, calls: int, rounds: int) -> list[Row]:
    """Measure each contender on one game."""
    import pyspiel

    name = GAMES.get(title, title)
    tree, game = tree_of(name), peer_game(name)
    profile = random_profile(tree)
    tables = evaluation_tables(tree)
    policy = open_spiel_policy(name, tree, profile)
    source = np.zeros(tables.num_bytes // 16)  # a copy reads and writes
    target = np.empty_like(source)
    fewer = calls if tree.num_nodes < 100_000 else max(1, calls // 10)
    contenders: dict[str, Callable[[], object]] = {
        "ours": lambda: [float_nash_conv(tables, profile) for _ in range(calls)],
        COPY: lambda: [np.copyto(target, source) for _ in range(calls)],
        CORE: lambda: core.nash_conv(tree, profile),
        OPEN_SPIEL: lambda: pyspiel.nash_conv(game, policy),
    }
    if tree.num_players == 2:
        with contextlib.suppress(ImportError):
            evaluate = lite_efg_evaluation(name)
            contenders[LITE_EFG] = lambda: [evaluate() for _ in range(fewer)]
    best = interleaved(contenders, rounds=rounds)
    ours = best.pop("ours") / calls
    for quick, count in ((COPY, calls), (LITE_EFG, fewer)):
        if quick in best:
            best[quick] /= count
    return [Row(f"NashConv, {title}", ours, peer, seconds) for peer, seconds in best.items()]


def rows(*, calls: int = 200, rounds: int = 3) -> list[Row]:
    """Measure each game."""
    return [row for title in GAMES for row in game_rows(title, calls=calls, rounds=rounds)]
