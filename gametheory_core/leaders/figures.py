"""Pictures of a leader's policies: what each deterministic one is worth, and how learning moves.

Learning is drawn as the way of two probabilities of a stochastic policy through the unit square.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from textwrap import wrap
from typing import cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, shortened_text, shown, text_of
from gametheory_core.arrays import FloatArray, as_float, exact_array
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.figures.canvas import Axes, blank_axes, draw_arrow, entitle, new_axes
from gametheory_core.games.payoff_text import ABOUT, payoff_text
from gametheory_core.games.tree_svg import FAINT, INK, PLAYER_COLORS, color_of
from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies, response_returns
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    leader_policies,
    num_leader_policies,
)
from gametheory_core.leaders.policy_forms import leader_to_text
from gametheory_core.leaders.view import LeaderView

MAX_POLICIES = 64
LONGEST_LABEL = 14  # characters
DIGITS = 4  # of returns that are too long for a box
WIDTH, HEIGHT = 0.84, 0.5  # of a box; the next one stands 1 to the right, or LEVEL above
LEVEL = 1.25
NARROWEST = 3.0  # from the middle to the edge of the picture
INCH = 0.95  # inches, from box to box
LETTERS = 14  # of the caption, an inch
TINT = "#9DC3E6"  # of the highest return; light, so that numbers can be read


def draw_leader_policies(
    view: LeaderView,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    ax: Axes | None = None,
) -> Axes:
    """Draw what each deterministic leader policy returns when the follower responds to it.

    A box is a policy: its digits are the numbers of the leader's actions, one for each observation
    (see ``leader_to_text``), and below stand the leader's and the follower's return. At the bottom
    every action is the first; each row above has one step more away from it. A line links policies
    that differ by one step: dark if it changes the leader's return. The best policies have a thick
    frame; a dashed one marks policies that are not best though no change after a single observation
    improves them, where a search that changes one action at a time may stop.

    Args:
        view: At most 64 deterministic leader policies.
        follower_class, ties: As for ``follower_response``.
        ax: Where to draw; default a new figure of fitting size.

    Raises:
        UnsupportedGame: If there are more than 64 policies, or too many stationary followers.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> from gametheory_core.catalog import load
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(load("iterated_prisoners_dilemma"))
    >>> axes = draw_leader_policies(view, ax=Figure().add_subplot())
    >>> len(axes.patches), len(axes.lines)  # policies, changes of one action
    (32, 80)
    """
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    count = num_leader_policies(view)
    if count > MAX_POLICIES:
        raise UnsupportedGame(
            needs=f"at most {MAX_POLICIES} leader policies to be readable",
            found=f"{view.game.players[view.leader]!r} has {count:,} in {view.game!r}",
            remedy="Rank them by response_returns(view, ...) instead.",
        )
    policies = list(leader_policies(view))
    table = response_returns(
        view,
        np.array([policy.actions for policy in policies]),
        follower_class=follower_class,
        ties=ties,
    )
    returns = [table.pair(k) for k in range(count)]
    steps = _steps(view, policies)
    places = _places(steps)
    widest = max(NARROWEST, *(x + 0.5 for x, _ in places))
    top = max(y for _, y in places)
    ax = blank_axes(ax, width=2 * widest * INCH, height=1.2 + (top + LEVEL) * INCH)
    ax.set_xlim(-widest, widest)
    ax.set_ylim(-0.5 * LEVEL, top + 0.5 * LEVEL)
    for one, other in combinations(range(count), 2):
        if sum(abs(a - b) for a, b in zip(steps[one], steps[other], strict=True)) == 1:
            changes = returns[one][0] != returns[other][0]
            _draw_line(ax, places[one], places[other], is_dark=changes)
    own = [pair[0] for pair in returns]
    tints = _tints([float(x) for x in as_float(exact_array(own))])
    stuck = _stuck(steps, own)
    for k, place in enumerate(places):
        frame = "best" if own[k] == max(own) else "stuck" if stuck[k] else ""
        numbers = " / ".join(_number(value) for value in returns[k])
        _draw_box(ax, place, (leader_to_text(view, policies[k]), numbers), tints[k], frame)
    entitle(ax, view.game.title)
    lines = [_digits(view), "below: returns of leader / follower"]
    lines += [f"follower: {follower_class.value}, {ties.value} ties", "thick frame: best"]
    if any(one and value != max(own) for one, value in zip(stuck, own, strict=True)):
        lines.append("dashed: no single change is better")
    _draw_caption(ax, "; ".join(lines), letters=int(2 * widest * INCH * LETTERS))
    return ax


def _steps(view: LeaderView, policies: list[DeterministicLeader]) -> list[tuple[int, ...]]:
    """Return how many steps each action is away from the first legal one."""
    seen = range(len(view.game.observations[view.leader]))
    legal = [view.leader_actions(o) or (-1,) for o in seen]
    return [
        tuple(own.index(a) for a, own in zip(policy.actions, legal, strict=True))
        for policy in policies
    ]


def _places(steps: list[tuple[int, ...]]) -> list[tuple[float, float]]:
    """Return where each policy stands: rows by the sum of steps, each in the middle."""
    rows: dict[int, list[int]] = {}
    for k, own in enumerate(steps):
        rows.setdefault(sum(own), []).append(k)
    places = [(0.0, 0.0)] * len(steps)
    for level, row in rows.items():
        for position, k in enumerate(row):
            places[k] = (position - (len(row) - 1) / 2, LEVEL * level)
    return places


def _stuck(steps: list[tuple[int, ...]], values: list[Fraction]) -> list[bool]:
    """Tell which policies no change after a single observation improves."""
    return [
        not any(
            values[other] > values[k]
            for other, theirs in enumerate(steps)
            if sum(a != b for a, b in zip(own, theirs, strict=True)) == 1
        )
        for k, own in enumerate(steps)
    ]


def _tints(values: list[float]) -> list[tuple[float, float, float, float]]:
    """Return a color for each return: the higher, the darker."""
    from matplotlib.colors import LinearSegmentedColormap  # noqa: PLC0415 may be missing

    scale = LinearSegmentedColormap.from_list("returns", ["white", TINT])
    low, span = min(values), max(values) - min(values)
    return [scale((value - low) / span if span else 1.0) for value in values]


def _number(value: Fraction) -> str:
    return payoff_text(value, digits=DIGITS).removeprefix(ABOUT)


def _draw_line(
    ax: Axes, start: tuple[float, float], end: tuple[float, float], *, is_dark: bool
) -> None:
    (low_x, low_y), (high_x, high_y) = sorted((start, end), key=lambda place: place[1])
    ax.plot(
        [low_x, high_x],
        [low_y + HEIGHT / 2, high_y - HEIGHT / 2],
        color=INK if is_dark else FAINT,
        linewidth=0.8 if is_dark else 0.6,
        alpha=0.75 if is_dark else 0.45,
        zorder=1,
    )


def _draw_box(
    ax: Axes,
    place: tuple[float, float],
    lines: tuple[str, str],
    color: tuple[float, float, float, float],
    frame: str,
) -> None:
    from matplotlib.patches import FancyBboxPatch  # noqa: PLC0415 may be missing

    x, y = place
    ax.add_patch(
        FancyBboxPatch(
            (x - WIDTH / 2 + 0.05, y - HEIGHT / 2 + 0.05),
            WIDTH - 0.1,
            HEIGHT - 0.1,
            boxstyle="round,pad=0.05",
            facecolor=color,
            edgecolor=color_of(1) if frame else FAINT,
            linewidth=2.6 if frame == "best" else 1.6 if frame else 0.8,
            linestyle="--" if frame == "stuck" else "-",
            zorder=2,
        )
    )
    weight = "bold" if frame == "best" else "normal"
    for text, up, size in zip(lines, (0.11, -0.12), (9.5, 8.0), strict=True):
        ax.text(
            x,
            y + up,
            text,
            color=INK,
            fontsize=size,
            fontweight=weight,
            ha="center",
            va="center",
            zorder=3,
        )


def _digits(view: LeaderView) -> str:
    """Say what the digits of a policy mean."""
    game, leader = view.game, view.leader
    seen = " | ".join(
        shortened_text(text_of(label).strip("()") or "nothing", most=LONGEST_LABEL)
        for o, label in enumerate(game.observations[leader])
        if view.leader_actions(o)
    )
    digits = ", ".join(
        f"{k}: {shortened_text(text_of(label), most=LONGEST_LABEL)}"
        for k, label in enumerate(game.actions[leader])
    )
    return f"digits: the action after {seen} ({digits})"


def _draw_caption(ax: Axes, text: str, *, letters: int) -> None:
    ax.annotate(
        "\n".join(wrap(text, letters)),
        (0.5, 0),
        xytext=(0, -4),
        xycoords="axes fraction",
        textcoords="offset points",
        color=INK,
        fontsize=8.5,
        ha="center",
        va="top",
    )


LONGEST_PANEL_LABEL = 40  # characters
TOLERANCE = 1e-6  # how far probabilities may be outside the square
ARROW_AT = 0.5  # of the length of a path: where its direction is shown
SHORTEST = 0.02  # paths below have no room for an arrow
REMEDY = "Give flow.lotteries[:, observations, action], for one."


def draw_leader_flow(
    paths: Mapping[str, Sequence[object]],
    *,
    region: Sequence[object] = (),
    labels: tuple[str, str] = ("first probability", "second probability"),
    title: str = "",
    ax: Axes | None = None,
) -> Axes:
    """Draw where flows of a leader's policy go, as two of its probabilities.

    Each path ends at a dot; an arrow shows the direction.

    Args:
        paths (num_steps, 2): Label -> the paths that share a color, such as those of one kind of
            flow.
        region: Corners of a part of the square to be shaded.
        labels: What the two probabilities are, to the right and up.
        title: Above the picture.
        ax: Where to draw; default a new figure.

    Raises:
        InvalidArgument: If there is no label, there are more than the colors, or a path is not made
            of pairs of probabilities.
        MissingDependency: On import, if matplotlib is not installed.

    >>> from matplotlib.figure import Figure
    >>> path = [[0.5, 0.5], [0.5, 0.0]]
    >>> axes = draw_leader_flow({"hidden": [path]}, ax=Figure().add_subplot())
    >>> axes.get_legend().get_texts()[0].get_text()
    'hidden'
    """
    require_instance(paths, Mapping, name="paths", remedy="Give {label: [path]}.")
    require_instance(title, str, name="title")
    across, upwards = (str(label) for label in as_tuple(labels, name="labels"))
    if not 1 <= len(paths) <= len(PLAYER_COLORS):
        raise InvalidArgument(
            needs=f"1 to {len(PLAYER_COLORS)} kinds of paths", found=f"got {len(paths)}"
        )
    drawn = {
        label: [
            _points(path, f"path {k} of {label!r}")
            for k, path in enumerate(as_tuple(own, name=repr(label)), start=1)
        ]
        for label, own in paths.items()
    }
    corners = as_tuple(region, name="region")
    ax = new_axes(ax, width=5.0, height=4.8)
    ax.set_aspect("equal")
    ax.set_xlim(-0.03, 1.03)
    ax.set_ylim(-0.03, 1.03)
    if corners:
        shaded = _points(corners, "the region")
        ax.fill(shaded[:, 0], shaded[:, 1], color=FAINT, alpha=0.25, linewidth=0, zorder=1)
    for number, (label, own) in enumerate(drawn.items()):
        for k, path in enumerate(own):
            _draw_path(ax, path, color_of(number), label if not k else "")
    ax.set_xlabel(across, color=INK)
    ax.set_ylabel(upwards, color=INK)
    ax.spines[["top", "right"]].set_visible(False)
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=2, frameon=False, fontsize=9)
    entitle(ax, title)
    return ax


def _points(values: object, name: str) -> FloatArray:
    """Return an array of shape (steps, 2) of probabilities."""
    try:
        points: FloatArray = np.array(values, dtype=np.float64)
    except (TypeError, ValueError):
        points = np.empty((0, 0))
    if points.ndim != 2 or points.shape[-1] != 2 or not len(points):
        raise InvalidArgument(
            needs="pairs of probabilities",
            found=f"{name} has the shape {points.shape}",
            remedy=REMEDY,
        )
    wrong = ~((points >= -TOLERANCE) & (points <= 1 + TOLERANCE)).all(axis=1)
    if wrong.any():
        bad = cast("object", points[int(np.argmax(wrong))].tolist())
        raise InvalidArgument(
            needs="probabilities from 0 to 1", found=f"{name} has {shown(bad)}", remedy=REMEDY
        )
    return points


def _draw_path(ax: Axes, path: FloatArray, color: str, label: str) -> None:
    shortened = shortened_text(label, most=LONGEST_PANEL_LABEL) if label else "_"
    ax.plot(path[:, 0], path[:, 1], color=color, linewidth=1.1, alpha=0.85, label=shortened)
    ax.plot(*path[-1:].T, "o", color=color, markersize=4, zorder=3, clip_on=False)
    look = {"color": color, "mutation_scale": 10, "linewidth": 0}
    draw_arrow(ax, path, share=ARROW_AT, least=SHORTEST, **look)
