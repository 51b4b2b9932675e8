"""``check GAME``: run the laws that a game and its conversions must obey.

Rules are checked in part: stopped where the tree of their plays would pass a budget of nodes.
"""

import argparse
from typing import Any

from numpy.random import default_rng
from rich.markup import escape
from rich.table import Table

from gametheory_core.command_line import one_line, page
from gametheory_core.commands.arguments import (
    TABLE_BUDGET,
    add_game,
    kind_of,
    loaded,
    size,
    whole_number,
)
from gametheory_core.commands.laws import LAWS, MOST_STEPS, Law
from gametheory_core.commands.wording import in_options
from gametheory_core.conversions.aec_unfolding import count_aec_nodes
from gametheory_core.conversions.tabular_aec import aec_to_tabular
from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.conversions.unrolling import count_nodes
from gametheory_core.errors import InvalidArgument, InvalidGame, LawBroken, UnsupportedGame
from gametheory_core.games.aec import stop_aec
from gametheory_core.games.posg import stop_posg
from gametheory_core.games.rule_graphs import longest_play
from gametheory_core.games.rule_properties import always_ends
from gametheory_core.games.tabular_aec import TabularAEC
from gametheory_core.games.tabular_posg import TabularPOSG

EXIT_BROKEN = 1
MAX_NODES = 300  # of the tree of a stopped game, by default
MOST_SHOWN = 10**12  # nodes of a tree, said to who might check them all
UNITS = {"posg": "step(s)", "aec": "move(s)"}
WORDS = {
    "max_states": "--max-nodes",  # one option for both here
    "max_nodes": "--max-nodes",
    "max_profiles = ": "",
    ", or raise max_profiles": "",
}


def add_check(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "check",
        help="run the laws on a game and its conversions",
        description="Run the laws on a game and its conversions, with random exact policies. "
        "Exits with 1 if one is broken.",
    )
    add_game(parser)
    parser.add_argument(
        "--seed", type=whole_number, default=0, metavar="N", help="of the policies (%(default)s)"
    )
    parser.add_argument(
        "--max-nodes",
        type=size,
        default=MAX_NODES,
        metavar="N",
        help="stop rules where the tree of their plays would be larger (%(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Check the game."""
    game: Any = loaded(options)
    rules = game
    kind, title = kind_of(game), one_line(game.title or "untitled game")
    left_out = ""
    if kind in UNITS:
        rules, game = game, in_part(game, max_nodes=options.max_nodes)
        if game.horizon != rules.horizon:
            left_out = _left_out(rules, game.horizon, options.max_nodes)
            rules = _stopped(rules, game.horizon)
            title += f", stopped after {game.horizon} {UNITS[kind]}" if left_out else ""
    table = Table("law", "", "witness", title=f"Laws of {escape(title)}")
    broken = 0
    for law in LAWS[kind](game, rules, options.max_nodes):
        word, detail = _outcome(law, options.seed)
        broken += word == "broken"
        style = {"passed": "green", "broken": "bold red"}.get(word, "dim")
        table.add_row(escape(law.name), f"[{style}]{word}[/{style}]", escape(one_line(detail)))
    with page() as console:
        console.print(table)
        if left_out:
            console.print(escape(left_out))
    return EXIT_BROKEN if broken else 0


def _outcome(law: Law, seed: int) -> tuple[str, str]:
    try:
        law.check(default_rng(seed))
    except (LawBroken, InvalidGame) as error:
        return "broken", str(error)
    except UnsupportedGame as error:
        return "not checked", in_options(str(error), WORDS)
    return "passed", ""


def _stopped(rules: Any, horizon: int) -> Any:
    if kind_of(rules) == "posg":
        return stop_posg(rules, steps=horizon)
    return stop_aec(rules, moves=horizon)


def _left_out(game: Any, horizon: int, max_nodes: int) -> str:
    """Say why plays are not followed further, and how they would be; nothing if they are over."""
    unit = UNITS[kind_of(game)]
    end = _end(game, max_nodes)
    if end == horizon:
        return ""
    if end is None and horizon == MOST_STEPS:
        return f"Not all was checked: plays are followed for at most {horizon} {unit}."
    whole = "" if end is None else _whole_tree(game, end)
    return (
        f"Not all was checked: after {horizon} {unit} the tree of plays would have more than "
        f"--max-nodes = {max_nodes:,} nodes. Raise --max-nodes to follow plays further{whole}."
    )


def _whole_tree(game: Any, end: int) -> str:
    """Say which budget would do for all of a POSG, where that is known soon."""
    if kind_of(game) != "posg":
        return ""
    try:
        table = posg_to_tabular(game, max_states=TABLE_BUDGET).target
    except UnsupportedGame:
        return ""
    size = count_nodes(table, horizon=end)
    return f"; all of it has {size:,.0f}" if size < MOST_SHOWN else ""


def _end(game: Any, max_nodes: int) -> int | None:
    """Return after how many steps or moves play is surely over, where that is known soon."""
    if kind_of(game) != "posg" or game.horizon is not None:
        return game.horizon
    try:
        return longest_play(posg_to_tabular(game, max_states=max_nodes).target)
    except UnsupportedGame:
        return None  # so is its tree


def in_part(game: Any, *, max_nodes: int) -> TabularPOSG | TabularAEC:
    """Return the table of rules, stopped as late as a tree of ``max_nodes`` nodes allows.

    Raises:
        InvalidArgument: If there would be more after one step or move already.
    """
    table = _posg_table if kind_of(game) == "posg" else _aec_table
    end = _end(game, max_nodes)
    found = table(game, end, max_nodes)
    if found is not None:
        return found
    last = MOST_STEPS if end is None else end
    for horizon in range(1, last + 1):
        following = table(game, horizon, max_nodes)
        if following is None:
            break
        found = following
    if found is None:
        raise InvalidArgument(
            f"check: needs --max-nodes above {max_nodes:,}, because the tree of {game.title!r} is "
            "larger after one step already."
        )
    return found


def _posg_table(game: Any, horizon: int | None, max_nodes: int) -> TabularPOSG | None:
    """Return the table of a stopped POSG; None if the tree of its plays is too large."""
    if horizon is None:
        return None  # play need not end
    try:
        table = posg_to_tabular(stop_posg(game, steps=horizon), max_states=max_nodes).target
    except UnsupportedGame:
        return None
    return table if count_nodes(table, horizon=horizon) <= max_nodes else None


def _aec_table(game: Any, horizon: int | None, max_nodes: int) -> TabularAEC | None:
    """Return the table of an AEC game, maybe stopped; None if the tree is too large or endless."""
    rules = game if horizon is None else stop_aec(game, moves=horizon)
    try:
        table = aec_to_tabular(rules, max_states=max_nodes).target
    except UnsupportedGame:
        return None
    small = always_ends(table) and count_aec_nodes(table, max_nodes=max_nodes) <= max_nodes
    return table if small else None
