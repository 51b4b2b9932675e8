"""POSGs, AEC games and trees: laying out, tabulating, and the exact law of whole plays."""

from fractions import Fraction
from functools import reduce

import numpy as np

from gametheory_core import aec_to_extensive, posg_to_extensive
from gametheory_core.adapters.pettingzoo import EnvironmentRules, rules_from_pettingzoo
from gametheory_core.catalog import RepeatedGame, TakeAway
from gametheory_core.conversions import (
    aec_to_tabular,
    count_aec_nodes,
    posg_to_aec,
    posg_to_tabular,
)
from gametheory_core.conversions.aec_extensive import aec_tree_rules
from gametheory_core.conversions.posg_aec import cycles
from gametheory_core.distributions import push_forward
from gametheory_core.evaluation import aec_trajectories, posg_trajectories
from gametheory_core.games import lay_out_rules, stop_aec, stop_posg
from tests.benchmarks.measure import Row, interleaved, peak_bytes

ROUNDS = 5


def rows() -> list[Row]:
    """Compare layouts of one game, tables by arrays with tables by rules, and laws of plays."""
    return [*layout_rows(), million_row(), *turn_rows(), *table_rows(), *law_rows()]


def layout_rows() -> list[Row]:
    """Lay out rock-paper-scissors over five rounds, 88,573 nodes, beside peers' ways."""
    game = RepeatedGame.of("rock_paper_scissors", rounds=ROUNDS)
    turns = posg_to_aec(game).target
    contenders = {
        "ours": lambda: posg_to_extensive(game),
        "our AEC game, its rules asked": lambda: aec_to_extensive(turns),
        "OpenSpiel, every history visited": open_spiel_visit,
        "Gambit, `append_move`": gambit_tree,
    }
    best = interleaved(contenders, rounds=1)
    task = f"rock-paper-scissors over {ROUNDS} rounds to a tree"
    return [Row(task, best["ours"], name, best[name]) for name in contenders if name != "ours"]


def million_row(rounds: int = 6) -> Row:
    """Lay out 797,161 nodes, or those of fewer rounds; the floor is sorting as many integers."""
    game = RepeatedGame.of("rock_paper_scissors", rounds=rounds)
    nodes = 3 ** (2 * rounds + 1) // 2
    numbers = np.random.default_rng(0).integers(1 << 40, size=nodes)
    best = interleaved(
        {"ours": lambda: posg_to_extensive(game), "floor": lambda: np.unique(numbers)}, rounds=3
    )
    name = "`numpy.unique` of as many integers"
    return Row(f"the same over {rounds} rounds, {nodes:,} nodes", best["ours"], name, best["floor"])


def turn_rows(piles: int = 2, tokens: int = 6, turns: int = 7) -> list[Row]:
    """Lay out an AEC game whose states repeat, and count the histories of PettingZoo's tic-tac-toe.

    Args:
        turns: Of tic-tac-toe, one of them chance's.
    """
    game = TakeAway(piles=piles, tokens=tokens)
    nodes = count_aec_nodes(game)
    best = interleaved(
        {
            "ours": lambda: aec_to_extensive(game),
            "plays": lambda: lay_out_rules(aec_tree_rules(game)),
        },
        rounds=1,
    )
    task = f"take-away game of {piles} x {tokens}, {nodes:,} nodes, to a tree"
    rows = [Row(task, best["ours"], "its rules asked at each node", best["plays"])]
    histories = replayed_histories(turns - 1)
    best = interleaved(
        {
            "ours": lambda: count_aec_nodes(stop_aec(rules_of_tic_tac_toe(), moves=turns)),
            "replayed": lambda: replayed_histories(turns - 1),
        },
        rounds=1,
    )
    task = f"PettingZoo's tic-tac-toe, {histories:,} histories counted"
    return [*rows, Row(task, best["ours"], "each history replayed", best["replayed"])]


def rules_of_tic_tac_toe() -> EnvironmentRules:
    """Read PettingZoo's environment as rules."""
    from pettingzoo.classic import tictactoe_v3

    return rules_from_pettingzoo(tictactoe_v3.env())


def replayed_histories(turns: int) -> int:
    """Visit each history of up to so many turns of PettingZoo's tic-tac-toe by its own methods."""
    from pettingzoo.classic import tictactoe_v3

    env = tictactoe_v3.env()
    visited, stack = 0, [()]
    while stack:
        history = stack.pop()
        visited += 1
        env.reset(seed=0)
        for action in history:
            env.step(action)
        seen, _, is_over, _, _ = env.last()
        if not is_over and len(history) < turns:
            stack.extend((*history, int(k)) for k in np.flatnonzero(seen["action_mask"]))
    return visited


def peak_bytes_a_node() -> float:
    """Return what laying out 797,161 nodes adds to the peak of a process, in bytes a node."""
    imports = (
        "from gametheory_core.catalog.repeated import RepeatedGame\n"
        "from gametheory_core.conversions.posg_extensive import posg_to_extensive\n"
    )
    layout = "posg_to_extensive(RepeatedGame.of('rock_paper_scissors', rounds=6))\n"
    return (peak_bytes(imports + layout) - peak_bytes(imports)) / 797_161


def table_rows(rounds: int = 4) -> list[Row]:
    """Make the AEC tables of a POSG by arrays, and by asking the AEC game's rules."""
    game = RepeatedGame.of("rock_paper_scissors", rounds=rounds, recall=rounds)
    table = posg_to_tabular(game).target
    best = interleaved(
        {
            "ours": lambda: posg_to_aec(table),
            "rules": lambda: aec_to_tabular(posg_to_aec(game).target),
        },
        rounds=3,
    )
    states = len(posg_to_aec(table).target.states)
    task = f"tables of a POSG to tables of its AEC game, {states:,} states"
    return [Row(task, best["ours"], "the AEC game's rules tabulated", best["rules"])]


def law_rows() -> list[Row]:
    """Compute the laws of plays of random games and of their AEC games, and compare them."""
    from tests.theorems.random_rules import RandomPOSG, seeded_policies

    games = [stop_posg(RandomPOSG(seed), steps=2) for seed in range(100)]
    pairs = [(game, seeded_policies(game, seed=0)) for game in games]

    def laws_are_equal() -> bool:
        laws = (
            (push_forward(aec_trajectories(posg_to_aec(game).target, own), cycles), game, own)
            for game, own in pairs
        )
        return all(dict(law) == dict(posg_trajectories(game, own)) for law, game, own in laws)

    weights = [[w for _, w in posg_trajectories(game, own)] for game, own in pairs]
    best = interleaved(
        {"ours": laws_are_equal, "products": lambda: [powers(own) for own in weights]}, rounds=2
    )
    name = "as many products of `Fraction`s, nothing else"
    return [
        Row("laws of 100 random POSGs and their AEC games", best["ours"], name, best["products"])
    ]


def powers(weights: list[Fraction]) -> list[Fraction]:
    """Multiply rationals as often as the laws need: a dozen factors a play."""
    third = Fraction(1, 3)
    return [reduce(lambda product, _: product * third, range(12), weight) for weight in weights]


def open_spiel_visit() -> int:
    """Visit every history of the same game, asking for the information state at each."""
    import pyspiel

    stage = "repeated_game(stage_game=matrix_rps(),num_repetitions=%d,recall=%d)"
    game = pyspiel.load_game_as_turn_based(stage % (ROUNDS, ROUNDS))
    visited, stack = 0, [game.new_initial_state()]
    while stack:
        state = stack.pop()
        visited += 1
        if state.is_terminal():
            state.returns()
            continue
        state.information_state_string()
        stack.extend(state.child(action) for action in state.legal_actions())
    return visited


def gambit_tree() -> object:
    """Build the same tree with Gambit's functions for editing trees."""
    import pygambit

    tree = pygambit.Game.new_tree(players=["Row", "Column"])
    wins = {(0, 0): 0, (1, 1): 0, (2, 2): 0, (1, 0): 1, (2, 1): 1, (0, 2): 1}
    outcomes = {
        score: tree.add_outcome(payoffs=[score, -score], label=str(score))
        for score in range(-ROUNDS, ROUNDS + 1)
    }
    level = [(tree.root, 0)]
    for _ in range(ROUNDS):
        following = []
        for node, score in level:
            tree.append_move(node, "Row", ["R", "P", "S"])
            tree.append_move(list(node.children), "Column", ["R", "P", "S"])
            for mine, child in enumerate(node.children):
                for other, grandchild in enumerate(child.children):
                    following.append((grandchild, score + wins.get((mine, other), -1)))
        level = following
    for node, score in level:
        tree.set_outcome(node, outcomes[score])
    return tree
