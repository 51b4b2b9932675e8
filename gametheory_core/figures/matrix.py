"""Pictures of matrix games: payoffs in colors, and best responses in the square of strategies."""

from collections.abc import Sequence
from textwrap import wrap
from typing import Any

import numpy as np
from matplotlib.colors import LinearSegmentedColormap
from matplotlib.patches import Rectangle

from gametheory_core.arguments import as_tuple, require_integer, shortened_labels, shown_players
from gametheory_core.arrays import NumberArray
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.evaluation.deviations import ReplyPiece, reply_correspondence
from gametheory_core.figures.canvas import Axes, entitle, new_axes
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.payoff_text import ABOUT, BoolArray, best_replies, payoff_text
from gametheory_core.games.tree_svg import FAINT, INK, color_of
from gametheory_core.strategies.answers import profiles_in
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

MOST_NUMBERED = 12  # actions of a player, where cells hold numbers
MOST_LABELLED = 40  # actions of a player, where rows and columns have names
LONGEST_LABEL = 20  # characters
DIGITS = 4  # of numbers that are too long for a cell
SMALLEST_LETTERS, LARGEST_LETTERS = 4.0, 10.0  # points
LABEL_LETTERS = 9.0  # points
MOST_LINES = 3  # of a column's label; longer ones are turned
LETTER = 0.62  # width of a character, as a share of its height
ROOM = 0.46  # of a cell's width, for one of two numbers
CELL_WIDTH, CELL_HEIGHT = 1.05, 0.75  # inches
SMALLEST, LARGEST = 3.2, 10.0  # inches, of the whole picture
TINT = "#9DC3E6"  # of the largest payoff; light, so that numbers can be read
DARKEST = "#0B3C5D"  # of the largest payoff where there are no numbers
FRAME = 0.06  # of a cell, around an equilibrium
CAPTION = "bold: best response; framed: equilibrium"


def draw_payoffs(game: NormalFormGame, *, player: int = 0, ax: Axes | None = None) -> Axes:
    """Draw the payoffs of a game of one or two players as a heat map.

    Colors show the payoffs of one player. Up to 12 x 12 actions cells hold the numbers: the first
    player's below on the left, the second's above on the right, bold where an action is a best
    response. Pure equilibria have a frame.

    Args:
        game: One or two players.
        player: Whose payoffs the colors show, from 0.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        InvalidArgument: If there is no such player.
        UnsupportedGame: If there are more than two players.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog import load
    >>> axes = draw_payoffs(load("prisoners_dilemma"), ax=Figure().add_subplot())
    >>> [text.get_text() for text in axes.texts[:4]]
    ['3', '3', '0', '5']
    """
    require_normal_form(game)
    require_integer(player, name="player")
    if game.num_players > 2:
        raise UnsupportedGame(
            needs="one or two players",
            found=f"{game!r} has {game.num_players}",
            remedy="Fix what the others do, or draw its tree: "
            "draw_tree(normal_to_extensive(game).target).",
        )
    if player not in range(game.num_players):
        raise InvalidArgument(needs=f"a player of {game!r}, from 0", found=f"got {player!r}")
    payoffs = game.given_payoffs.reshape(game.num_players, game.num_actions[0], -1)
    marks = best_replies(game.given_payoffs).reshape(payoffs.shape)
    height, width = payoffs.shape[1:]
    is_numbered = max(height, width) <= MOST_NUMBERED
    inches = _inches(width, CELL_WIDTH)
    ax = new_axes(ax, width=inches + 1.4, height=_inches(height, CELL_HEIGHT))
    scale = LinearSegmentedColormap.from_list(
        "payoffs", ["white", TINT if is_numbered else DARKEST]
    )
    values = game.payoffs[player].reshape(height, width)
    image = ax.imshow(values, cmap=scale, aspect="auto" if is_numbered else "equal")
    if is_numbered:
        ax.set_xticks(np.arange(width - 1) + 0.5, minor=True)
        ax.set_yticks(np.arange(height - 1) + 0.5, minor=True)
        ax.grid(which="minor", color=FAINT, linewidth=0.5, alpha=0.6)
        ax.tick_params(which="minor", length=0)
        is_rounded = _draw_numbers(ax, payoffs, marks, inches - 1.0)
        _draw_caption(ax, game, is_rounded=is_rounded)
    _draw_frames(ax, marks)
    _draw_labels(ax, game, inches - 1.0)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.05, pad=0.03)
    bar.set_label(f"payoff of {_player(game, player)}", color=INK, fontsize=9)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=8, color=FAINT, labelcolor=INK)
    entitle(ax, game.title)
    return ax


def _inches(count: int, size: float) -> float:
    return min(max(SMALLEST, count * size + 1.0), LARGEST)


def _player(game: NormalFormGame, player: int) -> str:
    return shortened_labels(shown_players(game.players), most=LONGEST_LABEL)[player]


def _draw_numbers(ax: Axes, payoffs: NumberArray, marks: BoolArray, width: float) -> bool:
    """Write own payoffs into each cell, one in the middle, two on a diagonal; tell if rounded."""
    places = [(0.0, 0.0)] if len(payoffs) == 1 else [(-0.2, 0.22), (0.2, -0.22)]
    texts = [[payoff_text(p, digits=DIGITS) for p in own.ravel().tolist()] for own in payoffs]
    shown = [[text.removeprefix(ABOUT) for text in own] for own in texts]
    longest = max(len(text) for own in shown for text in own)
    room = ROOM * 72 * width / payoffs.shape[2]
    size = min(max(room / (LETTER * longest), SMALLEST_LETTERS), LARGEST_LETTERS)
    for number, (row, column) in enumerate(np.ndindex(*payoffs.shape[1:])):
        for own, best, (right, down) in zip(shown, marks[:, row, column], places, strict=True):
            ax.text(
                column + right,
                row + down,
                own[number],
                color=INK,
                fontsize=size,
                fontweight="bold" if best else "normal",
                ha="center",
                va="center",
            )
    return shown != texts


def _draw_frames(ax: Axes, marks: BoolArray) -> None:
    side = 1 - 2 * FRAME
    for row, column in np.argwhere(marks.all(axis=0)).tolist():
        corner = (column - 0.5 + FRAME, row - 0.5 + FRAME)
        ax.add_patch(
            Rectangle(corner, side, side, facecolor="none", edgecolor=color_of(1), linewidth=2.0)
        )


def _draw_labels(ax: Axes, game: NormalFormGame, width: float) -> None:
    """Name rows on the left and columns on top, in the order of the matrix."""
    ax.tick_params(length=0, labelsize=LABEL_LETTERS, labelcolor=INK)
    ax.tick_params(labeltop=True, labelbottom=False)
    for spine in ax.spines.values():
        spine.set_color(FAINT)
    for axis, own in zip((ax.yaxis, ax.xaxis), (0, 1), strict=True):
        labels = game.actions[own] if own < game.num_players else ("",)
        if len(labels) > MOST_LABELLED:
            axis.set_ticks([])
            continue
        names = [label or f"#{k}" for k, label in enumerate(labels, start=1)]
        if own >= game.num_players:
            names = [""]
        names = shortened_labels(names, most=LONGEST_LABEL)
        if axis is ax.xaxis:
            lines = _lines(names, room=72 * width / len(names))
            ax.tick_params(axis="x", labelrotation=0 if lines else 90)
            names = lines or names
        axis.set_ticks(range(len(labels)), names)
    ax.set_ylabel(_player(game, 0), color=INK, fontsize=10)
    if game.num_players == 2:
        ax.set_xlabel(_player(game, 1), color=INK, fontsize=10)
        ax.xaxis.set_label_position("top")


def _lines(names: list[str], *, room: float) -> list[str]:
    """Break names into few lines of so many points; nothing if a word or the lines do not fit."""
    most = int(room / (LETTER * LABEL_LETTERS)) - 1  # one for the gap between columns
    if most < 1:
        return []
    broken = [wrap(name, most, break_long_words=False, break_on_hyphens=False) for name in names]
    if any(len(lines) > MOST_LINES for lines in broken):
        return []
    if any(len(line) > most for lines in broken for line in lines):
        return []
    return ["\n".join(lines) for lines in broken]


def _draw_caption(ax: Axes, game: NormalFormGame, *, is_rounded: bool) -> None:
    places = ""
    if game.num_players == 2:
        places = f"below: {_player(game, 0)}, above: {_player(game, 1)}\n"
    ax.annotate(
        places + CAPTION + ("; rounded" if is_rounded else ""),
        (0.5, 0),
        xytext=(0, -6),
        xycoords="axes fraction",
        textcoords="offset points",
        color=INK,
        fontsize=8,
        ha="center",
        va="top",
    )


LONGEST_ACTION = 14  # characters
SIZE = 4.6  # inches
WIDTHS = (5.0, 2.2)  # of the lines of player 0 and 1: where both run, both are seen
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_best_responses(
    game: NormalFormGame, *, equilibria: Sequence[MixedProfile] | Any = (), ax: Axes | None = None
) -> Axes:
    """Draw what each player's best responses are to every mixed strategy of the other.

    To the right the first player's probability of the first action, upwards the second player's.
    Where both lines, or areas, meet nobody gains by changing: these are the equilibria. Those
    given are marked by dots.

    Args:
        game: Two players with two actions each.
        equilibria: To be marked: profiles, solutions, or an answer that has some, such as what
            ``vertex_enumeration`` finds.
        ax: Where to draw; default a new figure.

    Raises:
        UnsupportedGame: If the game is not 2 x 2.
        InvalidStrategy: If a profile does not fit the game.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog import load
    >>> axes = draw_best_responses(load("chicken"), ax=Figure().add_subplot())
    >>> axes.get_xlabel()
    "player 1: probability of 'swerve'"
    """
    require_normal_form(game)
    profiles = as_tuple(profiles_in(equilibria), name="equilibria")
    pieces = [reply_correspondence(game, player=player) for player in (0, 1)]
    for profile in profiles:
        check_mixed_profile(game, profile)
    ax = new_axes(ax, width=SIZE, height=SIZE + 0.3)
    ax.set_aspect("equal")
    ax.set_xlim(-0.04, 1.04)
    ax.set_ylim(-0.04, 1.04)
    ax.set_xticks(TICKS)
    ax.set_yticks(TICKS)
    ax.tick_params(color=FAINT, labelcolor=INK, labelsize=9)
    ax.grid(color=FAINT, linewidth=0.5, alpha=0.4)
    ax.set_axisbelow(True)
    for spine in ax.spines.values():
        spine.set_color(FAINT)
    names = shortened_labels(shown_players(game.players), most=LONGEST_ACTION)
    for player, own in enumerate(pieces):
        _draw_pieces(ax, own, player, names[player])
    for profile in profiles:
        x, y = (float(strategy[0]) for strategy in profile.strategies)
        ax.plot([x], [y], "o", color=INK, markersize=8, zorder=4, clip_on=False)
    ax.set_xlabel(_axis_text(game, names, 0), color=color_of(0), fontsize=10)
    ax.set_ylabel(_axis_text(game, names, 1), color=color_of(1), fontsize=10)
    _draw_legend(ax, has_equilibria=bool(profiles))
    entitle(ax, game.title, pad=40 if profiles else 26)
    return ax


def _draw_pieces(ax: Axes, pieces: tuple[ReplyPiece, ...], player: int, name: str) -> None:
    """Draw a line, or an area where everything is always best."""
    color, label = color_of(player), f"best responses of {name}"
    if pieces[0].low < pieces[0].high and pieces[0].start < pieces[0].end:
        ax.add_patch(Rectangle((0, 0), 1, 1, facecolor=color, alpha=0.25, label=label))
        return
    theirs, own = zip(*_corners(pieces), strict=True)
    x, y = (own, theirs) if player == 0 else (theirs, own)
    ax.plot(
        x,
        y,
        color=color,
        linewidth=WIDTHS[player],
        solid_joinstyle="miter",
        solid_capstyle="round",
        label=label,
        zorder=2 + player,
        clip_on=False,
    )


def _corners(pieces: tuple[ReplyPiece, ...]) -> list[tuple[float, float]]:
    """Return where the line of best responses turns, as the other's and their own probability."""
    level = [piece for piece in pieces if piece.low == piece.high]
    ends = [point for p in level for point in ((p.start, p.low), (p.end, p.low))]
    if len(level) == 1 and len(pieces) == 2:  # everything is best where the line begins or ends
        edge = next(piece for piece in pieces if piece.low < piece.high)
        jump = (edge.start, 1 - level[0].low)
        ends = [jump, *ends] if edge.start == 0 else [*ends, jump]
    return [(float(theirs), float(own)) for theirs, own in ends]


def _axis_text(game: NormalFormGame, names: list[str], player: int) -> str:
    named = [label or f"#{k}" for k, label in enumerate(game.actions[player], start=1)]
    action = shortened_labels(named, most=LONGEST_ACTION)[0]
    return f"{names[player]}: probability of {action!r}"


def _draw_legend(ax: Axes, *, has_equilibria: bool) -> None:
    if has_equilibria:
        ax.plot([], [], "o", color=INK, markersize=7, label="equilibrium")
    ax.legend(
        loc="lower center",
        bbox_to_anchor=(0.5, 1.0),
        ncols=2,
        frameon=False,
        fontsize=8,
        columnspacing=1.0,
        handlelength=1.4,
    )
