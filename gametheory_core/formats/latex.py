"""LaTeX: text as it takes it, and trees as TikZ."""

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any

from gametheory_core.arguments import shortened_text, shown_players
from gametheory_core.evaluation.payoffs import reach_probabilities
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.payoff_text import ABOUT, MINUS, payoff_text
from gametheory_core.games.tree_svg import (
    BELIEF,
    CHANCE_COLOR,
    FAINT,
    INK,
    LEVEL_HEIGHT,
    LONGEST_TITLE,
    Link,
    Point,
    TreePlan,
    along_edge,
    color_of,
    color_on,
    require_readable,
    tree_plan,
)
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies.answers import beliefs_in, profile_in
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile

SIGNS = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        **{sign: f"\\{sign}" for sign in "&%$#_{}"},
    }
)
MATHEMATICS = MappingProxyType(
    {
        MINUS: "$-$",
        BELIEF: r"$\mu$",
        ABOUT: r"$\approx$",
        "\N{HORIZONTAL ELLIPSIS}": r"\ldots{}",
        "<": "$<$",
    }
    | {">": "$>$", "|": "$|$", "[": "{[}", "]": "{]}"}
)
PALE, THIN, WIDEST = 0.35, 0.4, 2.4  # opacity and points: edges never and always played


def latex_text(text: str) -> str:
    r"""Write a text so that LaTeX takes it as it is.

    >>> latex_text("50% of $A_1")
    '50\\% of \\$A\\_1'
    """
    return "".join(SIGNS.get(sign, sign) for sign in text)


def tree_tikz(game: ExtensiveFormGame, *, profile: BehavioralProfile | Any = None) -> str:
    r"""Draw a small tree in TikZ: a whole document that LaTeX compiles to one picture.

    What is drawn is what ``draw_tree`` draws. In a paper, write ``\usepackage{tikz,standalone}``
    and ``\input`` the file, or copy what stands in its document. Labels with letters that pdfTeX
    lacks need LuaLaTeX or XeLaTeX.

    Args:
        game: At most 48 leaves and 40 levels.
        profile: Or a solution or run that has one. Writes the probability of each action on its
            edge. Edges are the wider the likelier play comes along; what is never reached is pale.
            Beliefs of a sequential equilibrium stand in the boxes.

    Raises:
        UnsupportedGame: If the tree is too large; says how large.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.catalog import load
    >>> print(tree_tikz(load("kuhn_poker")).splitlines()[0])
    \documentclass[tikz,border=4pt]{standalone}
    """
    require_readable(game)
    own = profile_in(profile)
    weights, reach = None, [1.0] * game.num_nodes
    if own is not None:
        check_behavioral_profile(game, own)
        weights = [shares.tolist() for shares in own.probabilities]
        reach = reach_probabilities(game, own).astype(float).tolist()
    plan = tree_plan(game, weights=weights, beliefs=beliefs_in(game, profile))
    lines = [
        r"\documentclass[tikz,border=4pt]{standalone}",
        r"\begin{document}",
        *_colors(game),
        *_picture(plan),
        *_edges(game, plan, reach, is_plain=own is None),
        *(_link(link) for link in plan.links),
        *_edge_labels(game, plan),
        *_nodes(game, plan, reach),
        *_payoffs(game, plan),
        *_heading(game, plan),
        r"\end{tikzpicture}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def _colors(game: ExtensiveFormGame) -> list[str]:
    named = {"chance": CHANCE_COLOR, "faint": FAINT, "ink": INK}
    named |= {f"player{k}": color_of(k) for k in range(game.num_players)}
    return [rf"\definecolor{{{name}}}{{HTML}}{{{color[1:]}}}" for name, color in named.items()]


def _picture(plan: TreePlan) -> list[str]:
    """Return the beginning of the picture: lengths as in the plan, and what things look like."""
    text = "align=center, inner sep=1pt"
    return [
        rf"\begin{{tikzpicture}}[x={plan.leaf_width:.3f}in, y={LEVEL_HEIGHT:.3f}in,",
        r"  edge/.style={draw=faint, line cap=round},",
        r"  link/.style={draw=#1, dashed, rounded corners=5pt},",
        rf"  action/.style={{text=#1, fill=white, font=\scriptsize, {text}}},",
        r"  box/.style={fill=#1, rounded corners=2pt, font=\small, align=center},",
        r"  chance/.style={fill=chance, rectangle, rotate=45, minimum size=6pt, inner sep=0},",
        r"  leaf/.style={fill=ink, circle, minimum size=3pt, inner sep=0},",
        rf"  payoffs/.style={{anchor=north, yshift=-3pt, font=\scriptsize, {text}}}]",
    ]


def _edges(
    game: ExtensiveFormGame, plan: TreePlan, reach: Sequence[float], *, is_plain: bool
) -> list[str]:
    lines: list[str] = []
    for node, parent in enumerate(game.parent[1:].tolist(), start=1):
        ends = f"{_at(plan.places[parent])} -- {_at(plan.places[node])}"
        width = THIN if is_plain else THIN + (WIDEST - THIN) * reach[node]
        lines.append(rf"\draw[edge, line width={width:.2f}pt{_pale(reach[node])}] {ends};")
    return lines


def _link(link: Link) -> str:
    """Return a dashed line that leaves both nodes upwards and runs level between."""
    (x, y), (end_x, end_y) = link.start, link.end
    top = max(y, end_y) + link.height
    corners = [(x, y), (x, top), (end_x, top), (end_x, end_y)]
    return rf"\draw[link={_name(link.player)}] {' -- '.join(map(_at, corners))};"


def _edge_labels(game: ExtensiveFormGame, plan: TreePlan) -> list[str]:
    return [
        rf"\node[action={_name(int(game.node_player[parent]))}] at "
        rf"{_at(along_edge(plan.places[parent], plan.places[node]))} "
        rf"{{{_written(plan.edge_texts[node])}}};"
        for node, parent in enumerate(game.parent[1:].tolist(), start=1)
        if plan.edge_texts[node]
    ]


def _nodes(game: ExtensiveFormGame, plan: TreePlan, reach: Sequence[float]) -> list[str]:
    lines: list[str] = []
    for node, (place, text) in enumerate(zip(plan.places, plan.node_texts, strict=True)):
        player = int(game.node_player[node])
        look = "chance" if player == CHANCE else "leaf"
        if text:
            letters = "ink" if not reach[node] or color_on(player) == INK else "white"
            look = f"box={_name(player)}, text={letters}"
            faded = f", fill opacity={PALE}, text opacity=1" if not reach[node] else ""
        else:
            faded = _pale(reach[node])
        lines.append(rf"\node[{look}{faded}] (n{node}) at {_at(place)} {{{_written(text)}}};")
    return lines


def _payoffs(game: ExtensiveFormGame, plan: TreePlan) -> list[str]:
    return [
        rf"\node[payoffs] at {_at(plan.places[leaf])} {{"
        + r" \\ ".join(
            rf"\textcolor{{{_name(player)}}}{{{_written(payoff_text(payoff))}}}"
            for player, payoff in enumerate(payoffs)
        )
        + "};"
        for leaf, payoffs in zip(
            game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True
        )
    ]


def _heading(game: ExtensiveFormGame, plan: TreePlan) -> list[str]:
    """Return the title, and under it who has which color."""
    names = dict(enumerate(shown_players(game.players)))
    if game.num_decision_infosets < len(game.infosets):
        names[CHANCE] = "chance"
    players = r"\quad ".join(
        rf"\textcolor{{{_name(player)}}}{{\rule{{1ex}}{{1ex}}~{_written(label)}}}"
        for player, label in names.items()
    )
    title = _written(shortened_text(game.title, most=LONGEST_TITLE))
    above = rf"\textbf{{{title}}} \\ {players}" if title else players
    middle = ((plan.num_leaves - 1) / 2, 0.0)
    return [rf"\node[anchor=south, yshift=14pt, align=center] at {_at(middle)} {{{above}}};"]


def _name(player: int) -> str:
    return "chance" if player == CHANCE else f"player{player}"


def _at(place: Point) -> str:
    return f"({place[0]:.3f},{place[1]:.3f})"


def _pale(reach: float) -> str:
    return "" if reach else f", opacity={PALE}"


def _written(text: str) -> str:
    r"""Return a label, its lines parted by ``\\``; mathematical signs as mathematics."""
    lines = ["".join(map(_sign, line)) for line in text.split("\n")]
    return r" \\ ".join(lines)


def _sign(sign: str) -> str:
    return MATHEMATICS.get(sign) or latex_text(sign)
