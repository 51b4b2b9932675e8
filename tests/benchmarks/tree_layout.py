"""Trees laid out from rules: ours beside walks of the same games in OpenSpiel, and Gambit's reader.

After the table come bytes a node. Ours ends with a checked table of all nodes, information
sets and payoffs. OpenSpiel's states are walked in Python, which only looks at what a table would
need and keeps nothing, and in C++, where an ``InfostateTree`` is built for each player. Gambit
reads the tree from the text of a file, ready in memory.
"""

import gc
import io
import tracemalloc
from typing import Any

from gametheory_core import ExtensiveFormGame
from gametheory_core.catalog import GoofspielRules, LeducRules, LiarsDiceRules
from gametheory_core.games import TreeRules, lay_out_rules
from tests.benchmarks.measure import Row, interleaved

GOOFSPIEL = (
    "turn_based_simultaneous_game(game=goofspiel(imp_info=True,points_order=descending,"
    "num_cards={}))"
)
SMALL = {
    "liar's dice, 1 die of 3 sides": (LiarsDiceRules(3), "liars_dice(numdice=1,dice_sides=3)"),
    "goofspiel, 3 cards": (GoofspielRules(3), GOOFSPIEL.format(3)),
}
LARGE = {
    "Leduc poker": (LeducRules(), "leduc_poker"),
    "liar's dice, 1 die of 6 sides": (LiarsDiceRules(6), "liars_dice(numdice=1,dice_sides=6)"),
    "goofspiel, 5 cards": (GoofspielRules(5), GOOFSPIEL.format(5)),
}
DERIVED = ("num_children", "first_child", "parent", "node_player", "node_action", "level_offset")
DERIVED += ("terminals", "exact_terminal_payoffs", "terminal_payoffs")


def ours(rules: TreeRules[Any]) -> int:
    """Return the number of nodes of the table."""
    return lay_out_rules(rules).num_nodes


def ours_from_open_spiel(game: Any) -> int:
    """Do the same with OpenSpiel's rules, by the adapter."""
    from gametheory_core.adapters import open_spiel_tree

    return open_spiel_tree(game).num_nodes


def walked_in_python(game: Any) -> int:
    """Return the number of histories, each asked for what a table needs."""
    count, stack = 0, [game.new_initial_state()]
    while stack:
        state = stack.pop()
        count += 1
        if state.is_terminal():
            state.returns()
            continue
        if state.is_chance_node():
            state.chance_outcomes()
        else:
            state.information_state_string()
        stack += [state.child(action) for action in state.legal_actions()]
    return count


def built_in_compiled_code(game: Any) -> int:
    """Build the tree of information states of each player; return the number of the last's."""
    import pyspiel

    for player in range(2):
        tree = pyspiel.InfostateTree(game, player)
    return tree.num_leaves()


def read_by_gambit(text: str) -> int:
    """Return the number of nodes of the tree in the text of a file."""
    import pygambit

    return len(pygambit.read_efg(io.StringIO(text)).nodes)


def contenders(rules: TreeRules[Any], name: str, *, with_gambit: bool) -> dict[str, Any]:
    """Return each way to the tree, as a function that says its size."""
    import pyspiel

    from gametheory_core.formats import format_efg

    game = pyspiel.load_game(name)
    found = {
        "ours": lambda: ours(rules),
        "ours, OpenSpiel's rules": lambda: ours_from_open_spiel(game),
        "OpenSpiel's states walked in Python": lambda: walked_in_python(game),
        "OpenSpiel's `InfostateTree`s, C++": lambda: built_in_compiled_code(game),
    }
    if with_gambit:
        text = format_efg(lay_out_rules(rules))
        found["pygambit `read_efg`"] = lambda: read_by_gambit(text)
    return found


def rows(
    games: dict[str, tuple[TreeRules[Any], str]] | None = None, *, rounds: int = 3
) -> list[Row]:
    """Measure each game; Gambit reads only those of up to 30,000 nodes."""
    found: list[Row] = []
    for task, (rules, name) in (games or LARGE).items():
        size = ours(rules)
        best = interleaved(contenders(rules, name, with_gambit=size < 30_000), rounds=rounds)
        mine, adapted = best.pop("ours"), best.pop("ours, OpenSpiel's rules")
        shown = f"{task}, {size:,} nodes"
        found += [Row(f"{shown}: from rules", mine, peer, time) for peer, time in best.items()]
        walk = "OpenSpiel's states walked in Python"
        found.append(Row(f"{shown}: from OpenSpiel's rules", adapted, walk, best[walk]))
    return found


def bytes_per_node(rules: TreeRules[Any]) -> tuple[float, float, float]:
    """Return bytes a node at the peak of laying out, laid out, and with all derived arrays."""
    lay_out_rules(rules)  # what is computed once is not the tree's
    gc.collect()
    tracemalloc.start()
    game = lay_out_rules(rules)
    peak = tracemalloc.get_traced_memory()[1]
    gc.collect()
    laid_out = tracemalloc.get_traced_memory()[0]
    derive(game)
    gc.collect()
    derived = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    return peak / game.num_nodes, laid_out / game.num_nodes, derived / game.num_nodes


def derive(game: ExtensiveFormGame) -> None:
    """Ask for every array that follows from the table."""
    for name in DERIVED:
        getattr(game, name)


def memory_table(games: dict[str, tuple[TreeRules[Any], str]] | None = None) -> str:
    """Return bytes a node as a Markdown table."""
    lines = ["| tree | at the peak | laid out | with derived arrays |", "|---|--:|--:|--:|"]
    for task, (rules, _) in (games or LARGE).items():
        shown = " | ".join(f"{size:.0f}" for size in bytes_per_node(rules))
        lines.append(f"| {task} | {shown} |")
    return "\n".join(lines)


remarks = memory_table
