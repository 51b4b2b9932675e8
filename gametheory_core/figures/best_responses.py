"""A picture of a 2 x 2 game: both players' best responses in the square of mixed strategies."""

from collections.abc import Sequence

from matplotlib.patches import Rectangle

from gametheory_core.arguments import as_tuple
from gametheory_core.evaluation.deviations import ReplyPiece, reply_correspondence
from gametheory_core.figures.canvas import Axes, entitle, new_axes
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_svg import FAINT, INK, color_of
from gametheory_core.labels import shortened_text, shown_players
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

LONGEST_LABEL = 14  # characters
SIZE = 4.6  # inches
WIDTHS = (5.0, 2.2)  # of the lines of player 0 and 1: where both run, both are seen
TICKS = (0.0, 0.25, 0.5, 0.75, 1.0)


def draw_best_responses(
    game: NormalFormGame, *, equilibria: Sequence[MixedProfile] = (), ax: Axes | None = None
) -> Axes:
    """Draw what each player's best responses are to every mixed strategy of the other.

    To the right the first player's probability of the first action, upwards the second player's.
    Where both lines, or areas, meet nobody gains by changing: these are the equilibria. Those
    given are marked by dots.

    Args:
        game: Two players with two actions each.
        equilibria: To be marked; such as those that ``vertex_enumeration`` finds.
        ax: Where to draw; default a new figure.

    Raises:
        UnsupportedGame: If the game is not 2 x 2.
        InvalidStrategy: If a profile does not fit the game.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog.index import load
    >>> axes = draw_best_responses(load("chicken"), ax=Figure().add_subplot())
    >>> axes.get_xlabel()
    "player 1: probability of 'swerve'"
    """
    require_normal_form(game)
    profiles = as_tuple(equilibria, name="equilibria")
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
    names = [shortened_text(name, most=LONGEST_LABEL) for name in shown_players(game.players)]
    for player, own in enumerate(pieces):
        _draw_pieces(ax, own, player, names[player])
    for profile in profiles:
        x, y = (float(strategy[0]) for strategy in profile.strategies)
        ax.plot([x], [y], "o", color=INK, markersize=8, zorder=4, clip_on=False)
    ax.set_xlabel(_axis_text(game, names, 0), color=color_of(0), fontsize=10)
    ax.set_ylabel(_axis_text(game, names, 1), color=color_of(1), fontsize=10)
    _draw_legend(ax, has_equilibria=bool(equilibria))
    entitle(ax, game.title, pad=40 if equilibria else 26)
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
    """Return where the line of best responses turns, as the other's and the own probability."""
    level = [piece for piece in pieces if piece.low == piece.high]
    ends = [point for p in level for point in ((p.start, p.low), (p.end, p.low))]
    if len(level) == 1 and len(pieces) == 2:  # everything is best where the line begins or ends
        edge = next(piece for piece in pieces if piece.low < piece.high)
        jump = (edge.start, 1 - level[0].low)
        ends = [jump, *ends] if edge.start == 0 else [*ends, jump]
    return [(float(theirs), float(own)) for theirs, own in ends]


def _axis_text(game: NormalFormGame, names: list[str], player: int) -> str:
    action = shortened_text(game.actions[player][0] or "#1", most=LONGEST_LABEL)
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
