"""Commitment in growing random trees: ours beside programs over the reduced normal form.

Ours includes the exact solution and its certificate. One peer is the published mixed-integer
program, solved in floats by HiGHS. The others solve a program for each of the follower's plans: our
exact ``strong_stackelberg``, and OpenSpiel's ``stackelberg_lp`` in floats, both with the conversion
to normal form; the latter is left out where it takes too long.

Where interests are opposed, the peer is the linear program of minimax strategies alone, by HiGHS in
floats: the mixed-integer program is not done after a minute.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from gametheory_core import ExtensiveFormGame, extensive_to_normal, load_game
from gametheory_core.catalog import random_tree
from gametheory_core.conversions import count_plans
from gametheory_core.strategies import sequence_form
from solvers import extensive_form_correlated_equilibrium, extensive_stackelberg, strong_stackelberg
from solvers.trees.sequence_program import sequence_program
from tests.benchmarks.measure import Row, interleaved
from tests.benchmarks.sequence_form import by_highs
from tests.benchmarks.tree_commitment_program import payoff_by_program

OURS = "extensive_stackelberg"
PROGRAM = "mixed-integer program (Bosansky and Cermak), HiGHS, floats"
NORMAL_FORM = "strong_stackelberg on the normal form"
PEER = "OpenSpiel stackelberg_lp on the normal form, floats"
TREES = ((4, 57), (5, 45), (6, 28), (7, 4), (6, 46))  # depth and seed of random_tree
OPPOSED = ("liars_dice:sides=4", "goofspiel:cards=5", "leduc_poker")
HIGHS = "minimax program alone, HiGHS, floats, no proof"
MOST_PLANS = 61  # of the follower, for the float peer


def tree_of(depth: int, seed: int) -> ExtensiveFormGame:
    """Draw a tree with chance and hidden moves."""
    return random_tree(rng=np.random.default_rng(seed), depth=depth)


def ours(game: ExtensiveFormGame) -> float:
    """Return the leader's payoff; exact, then rounded."""
    return float(extensive_stackelberg(game).payoffs[0])


def by_normal_form(game: ExtensiveFormGame) -> float:
    """Return it by exact programs, one for each plan of the follower worth a look."""
    return float(strong_stackelberg(extensive_to_normal(game).target).payoffs[0])


def by_open_spiel(game: ExtensiveFormGame) -> float:
    """Return it in floats, by one program for each plan of the follower."""
    import pyspiel
    from open_spiel.python.algorithms import stackelberg_lp

    payoffs = extensive_to_normal(game).target.payoffs
    return float(stackelberg_lp.solve_stackelberg(pyspiel.create_matrix_game(*payoffs.tolist()))[2])


def tree_rows(*, trees: tuple[tuple[int, int], ...] = TREES, rounds: int = 2) -> list[Row]:
    """Measure each random tree."""
    found: list[Row] = []
    for depth, seed in trees:
        game = tree_of(depth, seed)
        plans = [count_plans(game, player) for player in range(2)]
        solvers: dict[str, Callable[[ExtensiveFormGame], float]] = {
            OURS: ours,
            PROGRAM: payoff_by_program,
            NORMAL_FORM: by_normal_form,
        }
        if plans[1] <= MOST_PLANS:
            solvers[PEER] = by_open_spiel
        calls = {name: partial(solver, game) for name, solver in solvers.items()}
        best = interleaved(calls, rounds=rounds)
        mine = best.pop(OURS)
        task = f"commitment in a tree of {game.num_nodes} nodes, {plans[0]} x {plans[1]} plans"
        found += [Row(task, mine, peer, theirs) for peer, theirs in best.items()]
    return found


def by_a_mediator(game: ExtensiveFormGame) -> float:
    """Return player 0's payoff in an extensive-form correlated equilibrium."""
    return float(extensive_form_correlated_equilibrium(game).payoffs[0])


def opposed_rows(*, games: tuple[str, ...] = OPPOSED, rounds: int = 3) -> list[Row]:
    """Measure trees of opposed interests."""
    found: list[Row] = []
    for name in games:
        game = load_game(name)
        floats = sequence_program(sequence_form(game)).floats
        calls = {
            "commitment": partial(ours, game),
            "extensive-form correlated": partial(by_a_mediator, game),
            HIGHS: partial(by_highs, floats),
        }
        best = interleaved(calls, rounds=rounds)
        theirs = best.pop(HIGHS)
        found += [Row(f"{what}, {name}", mine, HIGHS, theirs) for what, mine in best.items()]
    return found


def rows() -> list[Row]:
    """Measure both."""
    return [*tree_rows(), *opposed_rows()]
