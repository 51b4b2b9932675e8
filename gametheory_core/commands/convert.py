"""``convert GAME [FILE] --to KIND``: a game as another kind of game, and as a file."""

import argparse
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from gametheory_core.command_line import note, write_out
from gametheory_core.commands.arguments import (
    HORIZON,
    KINDS,
    RULES,
    SIZES,
    add_game,
    add_table_budget,
    kind_of,
    loaded,
    refuse_unless_rules,
    size,
    tabulated,
    whole_number,
)
from gametheory_core.conversions.aec_extensive import aec_to_extensive
from gametheory_core.conversions.aec_posg import IdleCorrespondence, aec_to_posg
from gametheory_core.conversions.bayesian_normal import harsanyi_transform, security_to_bayesian
from gametheory_core.conversions.extensive_normal import MAX_PROFILES, extensive_to_normal
from gametheory_core.conversions.posg_aec import posg_to_aec
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.conversions.simpler_forms import label_by_text
from gametheory_core.conversions.static_games import extensive_to_aec, normal_to_posg
from gametheory_core.errors import InvalidArgument, UnsupportedGame, naming
from gametheory_core.extensions import game_kinds
from gametheory_core.formats.files import SUFFIXES, game_text, utf8, write_text
from gametheory_core.games.rules import stop_aec, stop_posg
from gametheory_core.games.tables import TabularAEC, TabularPOSG

# Larger ones take more than some ten seconds to refuse, or to make.
MAX_NODES = 1_000_000
MAX_STATES = 50_000
TARGETS = ("aec", "posg", "efg", "nfg", "json")
_SUFFIX = MappingProxyType({"nfg": ".nfg", "efg": ".efg"})  # on stdout; the others are JSON
_FILES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {"nfg": (".nfg", ".csv", ".json"), "efg": (".efg", ".json")}
)


def add_convert(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Write a game as another kind of game, or in another format. Without FILE, "
        "what a file would hold goes to stdout."
    )
    add_game(parser)
    parser.add_argument("target", metavar="FILE", nargs="?", help=f"ends in {', '.join(SUFFIXES)}")
    parser.add_argument(
        "--to",
        choices=TARGETS,
        help="kind of game to write; json keeps the kind. Default: as FILE's suffix says",
    )
    parser.add_argument(
        "--horizon",
        type=whole_number,
        metavar="N",
        help="stop a POSG after N steps, an AEC game after N moves",
    )
    for name, default, what in (
        ("--max-nodes", MAX_NODES, "largest tree to build, in nodes (%(default)s)"),
        ("--max-profiles", MAX_PROFILES, "largest normal form, in joint plans (%(default)s)"),
    ):
        parser.add_argument(name, type=size, default=default, metavar="N", help=what)
    add_table_budget(parser, default=MAX_STATES)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Convert the game."""
    wanted, suffix = _wanted(options)
    game: Any = loaded(options)
    if options.horizon is not None:
        game = _stopped(game, options.horizon)
    limits = Limits(options.max_nodes, options.max_states, options.max_profiles)
    with naming({**SIZES, **HORIZON}):
        game = converted(game, wanted, limits)
    if isinstance(game, TabularPOSG | TabularAEC):
        game = _writable(game)
    text = game_text(game, suffix, name=options.target or "stdout")
    if options.target is None:
        utf8(text, name="stdout")  # refused before anything is written
        write_out(text)
        return 0
    write_text(text, options.target)
    write_out(f"wrote {game!r} to {options.target}\n")
    return 0


def _wanted(options: argparse.Namespace) -> tuple[str, str]:
    """Return the kind of game to write, and the suffix of the format."""
    if options.target is None:
        if options.to is None:
            raise InvalidArgument(
                needs="a FILE or --to",
                found="got neither",
                remedy=f"Give --to {'|'.join(TARGETS)}.",
                where="convert",
            )
        return options.to, _SUFFIX.get(options.to, ".json")
    suffix = Path(options.target).suffix.lower()
    wanted = options.to or {".csv": "nfg"}.get(suffix, suffix[1:])
    if suffix not in (_FILES.get(wanted, (".json",)) if options.to else SUFFIXES):
        fitting = " or ".join(_FILES.get(wanted, (".json",)) if options.to else SUFFIXES)
        raise InvalidArgument(
            needs=f"a file name that ends in {fitting}",
            found=f"it ends in {suffix!r}",
            where=options.target,
        )
    return wanted, suffix


def _stopped(game: Any, horizon: int) -> Any:
    refuse_unless_rules(game, "--horizon")
    if kind_of(game) == "posg":
        return stop_posg(game, steps=horizon)
    return stop_aec(game, moves=horizon)


class Limits(NamedTuple):
    """How large what is built on the way may be: a tree, a table, a normal form."""

    nodes: int
    states: int
    profiles: int


def converted(game: Any, wanted: str, limits: Limits) -> Any:
    """Return the game as a kind of game, rules as tables.

    Raises:
        UnsupportedGame: If it would be too large, or a player of a tree forgets.
    """
    kind = kind_of(game)
    if wanted in {kind, "json"}:
        return tabulated(game, max_states=limits.states) if kind in RULES else game
    own = game_kinds()[kind] if kind not in KINDS else None
    if own and own.to_normal:
        game, kind = own.to_normal(game, limits.profiles), "nfg"
    elif own and own.to_extensive:
        game, kind = own.to_extensive(game, limits.nodes), "efg"
    if wanted == kind:
        return game
    if kind not in KINDS:
        raise UnsupportedGame(
            needs=f"a game that can become {wanted}",
            found=f"{game!r} has no other form",
            remedy="Write FILE.json.",
            where="convert",
        )
    if kind in _TO_MATRIX:
        game, kind = _TO_MATRIX[kind](game, limits), "nfg"
        if wanted == kind:
            return game
    for step in _ROUTES[kind, wanted]:
        game = step(game, limits)
    return game


def _to_table(game: Any, limits: Limits) -> Any:
    return tabulated(game, max_states=limits.states)


def _to_simulation(game: Any, limits: Limits) -> Any:
    """Carry an AEC game to a POSG, and say so if that is no equivalence."""
    conversion = aec_to_posg(_to_table(game, limits), max_states=limits.states)
    correspondence = conversion.correspondence
    if isinstance(correspondence, IdleCorrespondence) and correspondence.leak:
        note(
            f"warning: the POSG only simulates the AEC game: {correspondence.leak}. "
            "Idle steps tell players the time, so the POSG may have other values and equilibria."
        )
    return _to_table(conversion.target, limits)


def _posg_tree(game: Any, limits: Limits) -> Any:
    return posg_to_extensive(game, max_nodes=limits.nodes, max_states=limits.states).target


def _aec_tree(game: Any, limits: Limits) -> Any:
    table = _to_table(game, limits)  # rules too large to walk are refused sooner than their tree
    return aec_to_extensive(table, max_nodes=limits.nodes).target


def _one_shot(game: Any, _limits: Limits) -> Any:
    return normal_to_posg(game).target


def _walk(game: Any, _limits: Limits) -> Any:
    return extensive_to_aec(game).target


def _queued(game: Any, limits: Limits) -> Any:
    return posg_to_aec(_to_table(game, limits)).target


def _plans(game: Any, limits: Limits) -> Any:
    return extensive_to_normal(game, max_profiles=limits.profiles).target


def _all_plans(game: Any, limits: Limits) -> Any:
    return harsanyi_transform(game, max_profiles=limits.profiles).target


def _all_coverages(game: Any, limits: Limits) -> Any:
    return _all_plans(security_to_bayesian(game), limits)


_TO_MATRIX: Mapping[str, Callable[[Any, Limits], Any]] = MappingProxyType(
    {"bayesian": _all_plans, "security": _all_coverages}
)
_ROUTES: Mapping[tuple[str, str], tuple[Callable[[Any, Limits], Any], ...]] = MappingProxyType(
    {
        ("nfg", "posg"): (_one_shot, _to_table),
        ("nfg", "aec"): (_one_shot, _queued),
        ("nfg", "efg"): (_one_shot, _posg_tree),
        ("efg", "aec"): (_walk, _to_table),
        ("efg", "posg"): (_walk, _to_simulation),
        ("efg", "nfg"): (_plans,),
        ("posg", "aec"): (_queued,),
        ("posg", "efg"): (_posg_tree,),
        ("posg", "nfg"): (_posg_tree, _plans),
        ("aec", "posg"): (_to_simulation,),
        ("aec", "efg"): (_aec_tree,),
        ("aec", "nfg"): (_aec_tree, _plans),
    }
)


def _writable(game: TabularPOSG | TabularAEC) -> Any:
    """Name by texts what the format cannot hold, and say so where policies would notice."""
    named = label_by_text(game).target
    for name in ("actions", "observations"):
        if getattr(named, name) != getattr(game, name):
            note(f"note: {name} are written as texts, because JSON cannot hold their labels.")
    return named
