"""``draw GAME FILE``: a picture of a game; the name of the file says in which format."""

import argparse
import importlib
from pathlib import Path
from typing import Any

from gametheory_core.command_line import write_out
from gametheory_core.commands.arguments import (
    CONVERT_FIRST,
    RULES,
    SIZES,
    add_game,
    add_table_budget,
    kind_of,
    loaded,
    size,
    words_for,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame, naming
from gametheory_core.extensions import kind_of_game, pictures
from gametheory_core.formats.files import write_bytes, write_text
from gametheory_core.formats.latex import tree_tikz

PICTURES = (".pdf", ".svg", ".png", ".tex")
ENDINGS = f"{', '.join(PICTURES[:-1])} or {PICTURES[-1]}"


def add_draw(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Draw a payoff matrix of one or two players, a tree, who moves after whom in an AEC "
        "game, or what each of at most 64 policies of a leader returns, in a POSG of two "
        "players with a horizon. Needs the extra figures, except for a tree as .tex, which is "
        "TikZ."
    )
    add_game(parser)
    add_table_budget(parser)
    parser.add_argument("target", metavar="FILE", help=f"ends in {ENDINGS} (trees only)")
    parser.add_argument("--dpi", type=size, metavar="N", help="dots per inch of a .png (100)")
    parser.set_defaults(run=_draw)


def _draw(options: argparse.Namespace) -> int:
    """Draw the game."""
    suffix = _suffix(options)
    game: Any = loaded(options)
    with naming({**SIZES, **CONVERT_FIRST}):
        if suffix == ".tex":
            write_text(_tikz(game), options.target)
        else:
            axes = _drawn(game, options.max_states)
            canvas = importlib.import_module("gametheory_core.figures.canvas")
            with naming({"dpi": "--dpi"}):
                picture = canvas.picture_bytes(axes.figure, suffix=suffix, dpi=options.dpi)
            write_bytes(picture, options.target)
    write_out(f"wrote {options.target}\n")
    return 0


def _suffix(options: argparse.Namespace) -> str:
    suffix = Path(options.target).suffix.lower()
    if suffix not in PICTURES:
        raise InvalidArgument(
            needs=f"a file name that ends in {ENDINGS}",
            found=f"it ends in {suffix!r}" if suffix else "it has no ending",
            where=options.target,
        )
    if options.dpi is not None and suffix != ".png":
        raise InvalidArgument(
            needs="a .png, which is made of dots, for --dpi",
            found=f"a {suffix} is made of lines",
            remedy="Leave out --dpi, or write a .png.",
            where=options.target,
        )
    return suffix


def _tikz(game: Any) -> str:
    kind = kind_of(game)
    if kind != "efg":
        raise UnsupportedGame(
            needs="a tree for a .tex, which is TikZ",
            found=f"{game.title or 'the game'!r} is a {words_for(kind)}",
            remedy="Write a .pdf, which LaTeX includes by \\includegraphics, or first "
            "gametheory convert GAME FILE.efg.",
        )
    return tree_tikz(game)


def _drawn(game: Any, max_states: int) -> Any:
    """Return the axes; matplotlib is imported only here, because it is an extra."""
    kind = kind_of(game)
    if kind == "nfg" and game.num_players <= 2:
        return importlib.import_module("gametheory_core.figures.matrix").draw_payoffs(game)
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
    convert = "gametheory convert GAME"
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
