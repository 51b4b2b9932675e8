"""``describe GAME``: sizes, and each property with its witness."""

import argparse
import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from rich.markup import escape

from gametheory_core.arguments import shown_players
from gametheory_core.command_line import one_line, page, write_out
from gametheory_core.commands.arguments import (
    CONVERT_FIRST,
    RULES,
    SIZES,
    add_game,
    add_table_budget,
    kind_of,
    loaded,
    tabulated,
    words_for,
)
from gametheory_core.conversions.dispatch import clock_leak
from gametheory_core.errors import UnsupportedGame, naming
from gametheory_core.extensions import kind_of_game
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.degeneracy import is_degenerate
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
    is_zero_sum,
)
from gametheory_core.games.rule_properties import (
    always_ends,
    has_common_rewards,
    has_deterministic_moves,
    has_fixed_turns,
    has_independent_observations,
    has_zero_sum_rewards,
    is_fully_observed,
    is_turn_based,
    sees_the_state,
)
from gametheory_core.games.tables import TabularAEC, TabularPOSG

SCHEMA = "gametheory-core/description/1"


class Fact(NamedTuple):
    """A size: its name, its value for machines, and the value as people read it."""

    name: str
    value: Any
    text: str


def add_describe(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    add_game(parser)
    add_table_budget(parser)
    parser.add_argument("--json", action="store_true", help="for machines")
    parser.set_defaults(run=_describe)


def _describe(options: argparse.Namespace) -> int:
    """Describe the game."""
    game: Any = loaded(options)
    kind, digest = kind_of(game), None
    if kind in RULES:
        try:
            game = tabulated(game, max_states=options.max_states)
        except UnsupportedGame:
            facts = list(_untabulated(game, kind, options.max_states))
            return _show(options, game, facts, {}, digest)
    facts = list(_facts(game))
    return _show(options, game, facts, dict(_properties(game, options.max_states)), game.digest)


def _show(
    options: argparse.Namespace,
    game: Any,
    facts: list[Fact],
    properties: dict[str, Verdict | str],
    digest: str | None,
) -> int:
    kind = kind_of(game)
    if options.json:
        write_out(_json(game, facts, properties, digest))
        return 0
    with page() as console:
        console.print(f"[bold]{escape(one_line(game.title or 'untitled game'))}[/bold]")
        console.print(f"kind: {words_for(kind)}")
        console.print(f"players: {escape(', '.join(shown_players(game.players)))}")
        for _, name, text in ((fact.value, fact.name, fact.text) for fact in facts):
            console.print(f"{name}: {escape(text)}")
        for name, verdict in properties.items():
            console.print(f"{name}: {_in_words(verdict)}")
        if digest:
            console.print(f"[dim]digest {digest}[/dim]")
    return 0


def _in_words(verdict: Verdict | str) -> str:
    if isinstance(verdict, str):
        return f"not decided - {escape(one_line(verdict))}"
    word = "[green]yes[/green]" if verdict else "no"
    return f"{word} - {escape(one_line(verdict.reason))}" if verdict.reason else word


def _json(
    game: Any, facts: list[Fact], properties: dict[str, Verdict | str], digest: str | None
) -> str:
    decided = {
        name: {"holds": None, "reason": verdict}
        if isinstance(verdict, str)
        else {"holds": verdict.holds, "reason": verdict.reason}
        for name, verdict in properties.items()
    }
    record = {
        "schema": SCHEMA,
        "title": game.title,
        "kind": kind_of(game),
        "players": list(game.players),
        "sizes": {fact.name: fact.value for fact in facts},
        "properties": decided,
        "digest": digest,
    }
    return json.dumps(record, indent=2, ensure_ascii=False) + "\n"


def _facts(game: Any) -> Iterator[Fact]:
    if isinstance(game, NormalFormGame):
        yield Fact("actions", list(game.num_actions), " x ".join(map(str, game.num_actions)))
    elif isinstance(game, ExtensiveFormGame):
        yield from _tree_facts(game)
    elif isinstance(game, BayesianGame):
        yield from _type_facts(game)
        yield Fact("actions", list(game.num_actions), ", ".join(map(str, game.num_actions)))
    elif isinstance(game, SecurityGame):
        yield from _type_facts(game)
        yield Fact("targets", game.num_targets, str(game.num_targets))
        yield Fact("resources", game.resources, str(game.resources))
    elif isinstance(game, TabularPOSG | TabularAEC):
        yield from _table_facts(game)
    elif kind := kind_of_game(game):
        yield from map(Fact._make, kind.sizes(game))


def _type_facts(game: BayesianGame | SecurityGame) -> Iterator[Fact]:
    pairs = list(zip(game.types, game.prior, strict=True))
    shown = ", ".join(f"{label or '#' + str(t + 1)} ({p})" for t, (label, p) in enumerate(pairs))
    yield Fact("types", {label: str(p) for label, p in pairs}, shown)


def _tree_facts(game: ExtensiveFormGame) -> Iterator[Fact]:
    ends = len(game.terminals)
    yield Fact("nodes", game.num_nodes, f"{game.num_nodes}, of which {ends} end the game")
    counts = [
        sum(infoset.player == player for infoset in game.infosets)
        for player in range(game.num_players)
    ]
    yield Fact("information sets", counts, ", ".join(map(str, counts)))
    depth = len(game.level_offset) - 2
    yield Fact("depth", depth, str(depth))


def _table_facts(game: TabularPOSG | TabularAEC) -> Iterator[Fact]:
    ends = int(game.terminal.sum())
    states = len(game.states)
    yield Fact("states", states, f"{states}, of which {ends} end the game")
    for name, labels in (("actions", game.actions), ("observations", game.observations)):
        counts = [len(own) for own in labels]
        yield Fact(name, counts, ", ".join(map(str, counts)))
    if isinstance(game, TabularPOSG):
        yield Fact("joint observations", len(game.signals), str(len(game.signals)))
    yield Fact("rows", len(game.row_key), f"{len(game.row_key)} of transitions")
    yield from _limits(game, "steps" if isinstance(game, TabularPOSG) else "moves")


def _limits(game: Any, unit: str) -> Iterator[Fact]:
    horizon = game.horizon
    yield Fact("horizon", horizon, "none" if horizon is None else f"{horizon} {unit}")
    yield Fact("discount", str(game.discount), str(game.discount))


def _untabulated(game: Any, kind: str, limit: int) -> Iterator[Fact]:
    """Say what is known of rules too large to walk."""
    unit = "pairs of state and joint observation" if kind == "posg" else "pairs of state and mover"
    text = f"too large to tabulate: more than {limit:,} {unit}; raise --max-states to go on"
    yield Fact("states", None, text)
    yield from _limits(game, "steps" if kind == "posg" else "moves")


def _properties(game: Any, max_states: int) -> Iterator[tuple[str, Verdict | str]]:
    if isinstance(game, TabularPOSG):
        yield from _posg_properties(game)
    elif isinstance(game, TabularAEC):
        yield from _aec_properties(game, max_states)
    elif isinstance(game, NormalFormGame | ExtensiveFormGame):
        yield from _form_properties(game)
    elif kind := kind_of_game(game):
        yield from kind.properties(game)


def _form_properties(game: NormalFormGame | ExtensiveFormGame) -> Iterator[tuple[str, Verdict]]:
    zero_sum = is_zero_sum(game)
    yield "zero-sum", zero_sum
    if not zero_sum:
        yield "constant-sum", is_constant_sum(game)
    if isinstance(game, ExtensiveFormGame):
        yield "perfect information", has_perfect_information(game)
        yield "perfect recall", has_perfect_recall(game)
        yield "absent-minded", is_absent_minded(game)
        return
    try:
        yield "degenerate", is_degenerate(game)
    except UnsupportedGame:
        return  # too large, or more than two players: nothing to say


def _posg_properties(game: TabularPOSG) -> Iterator[tuple[str, Verdict]]:
    yield "zero-sum rewards", has_zero_sum_rewards(game)
    yield "common rewards", has_common_rewards(game)
    yield "each player observes the state", is_fully_observed(game)
    yield "independent observations", has_independent_observations(game)
    yield "one player chooses at a time", is_turn_based(game)
    yield "deterministic", has_deterministic_moves(game)
    yield "always ends", always_ends(game)


def _aec_properties(game: TabularAEC, max_states: int) -> Iterator[tuple[str, Verdict | str]]:
    yield "zero-sum rewards", has_zero_sum_rewards(game)
    yield "common rewards", has_common_rewards(game)
    yield "movers observe the state", sees_the_state(game)
    yield "fixed order of turns", has_fixed_turns(game)
    yield "deterministic", has_deterministic_moves(game)
    yield "always ends", always_ends(game)
    try:
        with naming({**SIZES, **CONVERT_FIRST}):
            leak = clock_leak(game, max_states=max_states)
        yield "clock leaks", leak
    except UnsupportedGame as error:
        yield "clock leaks", str(error)
