"""``draw GAME FILE``: a payoff matrix, a tree, turns of an AEC game, or policies of a leader."""

import argparse
import importlib
import io
from pathlib import Path
from typing import Any

from gametheory_core.command_line import write_out
from gametheory_core.commands.arguments import (
    RULES,
    add_game,
    add_table_budget,
    kind_of,
    loaded,
    words_for,
)
from gametheory_core.commands.wording import CONVERT_FIRST, SIZES
from gametheory_core.errors import InvalidArgument, UnsupportedGame, naming
from gametheory_core.extensions import kind_of_game, pictures
from gametheory_core.formats.files import write_bytes

PICTURES = (".png", ".svg")


def add_draw(commands: Any) -> None:
    """Add the command."""
    parser = commands.add_parser(
        "draw",
        help="draw a payoff matrix, a tree, turns of an AEC game, or a leader's policies",
        description=(
            "Draw a payoff matrix of one or two players, a tree, who moves after whom in an AEC "
            "game, or what each of at most 64 policies of a leader returns, in a POSG of two "
            "players with a horizon. Needs the extra figures."
        ),
    )
    add_game(parser)
    add_table_budget(parser)
    parser.add_argument("target", metavar="FILE", help="ends in .png or .svg")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Draw the game."""
    suffix = Path(options.target).suffix.lower()
    if suffix not in PICTURES:
        raise InvalidArgument(
            needs=f"a file name that ends in {' or '.join(PICTURES)}",
            found=f"it ends in {suffix!r}",
            where=options.target,
        )
    game: Any = loaded(options)
    with naming({**SIZES, **CONVERT_FIRST}):
        axes = _drawn(game, options.max_states)
    picture = io.BytesIO()
    axes.figure.savefig(picture, format=suffix[1:])
    write_bytes(picture.getvalue(), options.target)
    write_out(f"wrote {options.target}\n")
    return 0


def _drawn(game: Any, max_states: int) -> Any:
    """Return the axes; matplotlib is imported only here, because it is an extra."""
    kind = kind_of(game)
    if kind == "nfg" and game.num_players <= 2:
        return importlib.import_module("gametheory_core.figures.payoffs").draw_payoffs(game)
    if kind == "efg":
        return importlib.import_module("gametheory_core.figures.tree").draw_tree(game)
    if kind == "aec":
        cycle = importlib.import_module("gametheory_core.figures.cycle")
        return cycle.draw_cycle(game, max_states=max_states)
    others = pictures(kind)
    drawn = next((axes for p in others if (axes := p.draw(game, max_states)) is not None), None)
    if drawn is not None:
        return drawn
    name = repr(game.title or "the game")
    convert = "python -m gametheory_core convert GAME"
    players = f" of {game.num_players} players" if kind == "nfg" else ""
    if kind in {"bayesian", "security"}:
        mend = f"Draw its payoff matrix: first {convert} FILE.nfg"
    elif registered := kind_of_game(game):
        mend = registered.instead.get("picture", "")
    elif kind not in RULES:
        mend = f"Draw its tree: first {convert} FILE.efg"
    else:
        mend = (
            f"Draw its turns: first {convert} FILE.json --to aec. Or its tree, if it is small: "
            f"first {convert} FILE.efg --horizon 1, or with a smaller parameter of the game"
        )
    mend = ". ".join([mend, *(picture.words for picture in others)])
    raise UnsupportedGame(
        needs="a payoff matrix of one or two players, a tree or an AEC game",
        found=f"{name} is a {words_for(kind)}{players}",
        remedy=f"{mend}.",
    )
