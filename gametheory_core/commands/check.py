"""``check GAME``: run the laws that a game and its conversions must obey.

Rules are checked in part: stopped where the tree of their plays would pass a budget of nodes.
"""

import argparse
import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

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
from gametheory_core.conversions.aec_extensive import aec_to_extensive, count_aec_nodes
from gametheory_core.conversions.aec_posg import aec_to_posg
from gametheory_core.conversions.bayesian_normal import security_to_bayesian
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.simpler_forms import canonical_tree, label_by_text
from gametheory_core.conversions.static_games import extensive_to_aec, normal_to_extensive
from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.conversions.unrolling import count_nodes
from gametheory_core.errors import InvalidArgument, InvalidGame, LawBroken, UnsupportedGame, naming
from gametheory_core.extensions import kind_of_game
from gametheory_core.formats.checked_json import parse_json
from gametheory_core.formats.files import game_text
from gametheory_core.formats.game_records import game_from
from gametheory_core.games.rule_properties import always_ends, longest_play
from gametheory_core.games.rules import stop_aec, stop_posg
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.testing.laws import (
    check_bayesian,
    check_conversion,
    check_normal_form,
    check_tree,
)
from gametheory_core.testing.rule_laws import check_aec, check_posg

MAX_PROFILES = 2_000  # joint plans of a normal form that is compared with its tree
MAX_TREE = 1_000  # nodes of a tree whose profiles are carried to an AEC game and back
NUM_PROFILES = 3
MOST_STEPS = 100  # for which plays of rules are followed
ANSWERS = "answers are steady and well formed; plays and returns add up"

Check: TypeAlias = Callable[[Any], None]  # of a random generator


@dataclass(frozen=True)
class Law:
    """A law: what it says, and a function that raises if it is broken."""

    name: str
    check: Check


def _common_laws(game: Any) -> Iterator[Law]:
    yield Law("a file reads back as the same game", lambda _: _reads_back(game))
    yield Law("a pickle is the same game", lambda _: _unpickles(game))


def _reads_back(game: Any) -> None:
    is_table = isinstance(game, TabularPOSG | TabularAEC)
    written = label_by_text(game).target if is_table else game
    record = parse_json(game_text(written, ".json", name="file"), name="file")
    back = game_from(record)
    if back.digest != written.digest:
        raise LawBroken(found=f"must read back the same, but is {back!r}", where=repr(game))


def _unpickles(game: Any) -> None:
    copy = pickle.loads(pickle.dumps(game))  # noqa: S301  (our own bytes)
    if copy != game or copy.digest != game.digest:
        raise LawBroken(found="must equal its pickled copy, but does not", where=repr(game))


def _conversion_law(name: str, convert: Callable[[], Any]) -> Law:
    """Make a law of what a conversion claims to preserve."""
    return Law(name, lambda rng: check_conversion(convert(), rng=rng, num_profiles=NUM_PROFILES))


def _matrix_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "payoffs are averages; best responses lose nothing",
        lambda rng: check_normal_form(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)
    yield _conversion_law("the tree is the same game", lambda: _small_tree(game))


def _small_tree(game: Any) -> Any:
    size = math.prod(game.num_actions)
    if size > MAX_PROFILES:
        raise UnsupportedGame(
            needs=f"at most {MAX_PROFILES:,} terminal histories",
            found=f"the tree has {size:,}",
            where="normal_to_extensive",
        )
    return normal_to_extensive(game)


def _tree_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "probability is conserved; payoffs are averages; best responses lose nothing",
        lambda rng: check_tree(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)
    yield Law("as an AEC game and back, the same tree", lambda _: _walks_back(game))
    yield _conversion_law("as an AEC game and back, the same profiles", lambda: _around(game))
    yield _conversion_law(
        "the normal form is the same game",
        lambda: extensive_to_normal(game, max_profiles=MAX_PROFILES),
    )


def _around(game: Any) -> Any:
    if game.num_nodes > MAX_TREE:
        raise UnsupportedGame(
            needs=f"at most {MAX_TREE:,} nodes",
            found=f"the tree has {game.num_nodes:,}",
            where="extensive_to_aec",
        )
    walk = extensive_to_aec(game)
    return walk.then(aec_to_extensive(walk.target))


def _walks_back(game: Any) -> None:
    walk = extensive_to_aec(game).target
    returned = canonical_tree(aec_to_extensive(walk).target).target
    original = canonical_tree(game).target
    if returned != original:
        raise LawBroken(
            found=f"must come back as {original!r}, but is {returned!r}", where=repr(game)
        )


def _posg_laws(game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    yield Law(
        ANSWERS,
        lambda rng: check_posg(
            rules, rng=rng, num_profiles=NUM_PROFILES, steps=game.horizon, max_states=max_nodes
        ),
    )
    yield from _common_laws(game)
    yield _conversion_law("the AEC game is the same game", lambda: posg_to_aec(game))
    tree = posg_to_extensive(game, max_nodes=max_nodes)
    yield from _plays_laws(tree)


def _aec_laws(game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    moves = MOST_STEPS if game.horizon is None else game.horizon
    yield Law(
        ANSWERS,
        lambda rng: check_aec(
            rules, rng=rng, num_profiles=NUM_PROFILES, moves=moves, max_states=max_nodes
        ),
    )
    yield from _common_laws(game)
    yield _conversion_law("the POSG is what it claims to be", lambda: aec_to_posg(game))
    tree = aec_to_extensive(game, max_nodes=max_nodes)
    yield from _plays_laws(tree)


def _plays_laws(tree: Any) -> Iterator[Law]:
    yield _conversion_law("the tree of plays is the same game", lambda: tree)
    yield Law(
        "the tree of plays obeys the laws of trees",
        lambda rng: check_tree(tree.target, rng=rng, num_profiles=NUM_PROFILES),
    )


def _bayesian_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "the Harsanyi transform pays the same",
        lambda rng: check_bayesian(game, rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)


def _security_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    yield Law(
        "the Harsanyi transform of the game with all coverages pays the same",
        lambda rng: check_bayesian(security_to_bayesian(game), rng=rng, num_profiles=NUM_PROFILES),
    )
    yield from _common_laws(game)


def _registered_laws(game: Any, _rules: Any, _max_nodes: int) -> Iterator[Law]:
    kind = kind_of_game(game)
    yield from (Law(*law) for law in (kind.laws(game) if kind else ()))
    yield from _common_laws(game)


_LAWS = {
    "nfg": _matrix_laws,
    "efg": _tree_laws,
    "posg": _posg_laws,
    "aec": _aec_laws,
    "bayesian": _bayesian_laws,
    "security": _security_laws,
}


def laws_of(kind: str, game: Any, rules: Any, max_nodes: int) -> Iterator[Law]:
    """Yield the laws of a kind of game."""
    yield from _LAWS.get(kind, _registered_laws)(game, rules, max_nodes)


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


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Run the laws on a game and its conversions, with random exact policies. "
        "Exits with 1 if one is broken."
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
    for law in laws_of(kind, game, rules, options.max_nodes):
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
        with naming(WORDS):
            law.check(default_rng(seed))
    except (LawBroken, InvalidGame) as error:
        return "broken", str(error)
    except UnsupportedGame as error:
        return "not checked", str(error)
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
            needs=f"--max-nodes above {max_nodes:,}, because the tree of {game.title!r} is larger "
            "after one step already",
            where="check",
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
