"""Flow charts of the pages as pictures, drawn here: the site loads no script from elsewhere.

A small part of Mermaid's language: ``flowchart LR``, ``subgraph name [title]`` ... ``end``, and
chains ``a["text<br>more"] -- word --> b``.
"""

import html
import re
from itertools import pairwise
from typing import TypeAlias

CHART = re.compile(r"^```mermaid\n(.*?)^```", re.MULTILINE | re.DOTALL)
NODE = re.compile(r'(\w+)(?:\["([^"]*)"\])?')
ARROW = re.compile(r'\s*--(?:\s*"?([^">]*?)"?\s*--)?>\s*')
WIDTH, HEIGHT, GAP, ROW = 190, 54, 110, 96
Edge: TypeAlias = tuple[str, str, str]  # from, to, word
Spot: TypeAlias = tuple[float, float]  # upper left corner


def drawn(chart: str) -> str:
    """Return a chart as SVG to stand in a page."""
    labels, edges, groups = read(chart)
    ranks, back = ranked(list(labels), edges)
    spots: dict[str, Spot] = {}
    for rank in range(max(ranks.values()) + 1):  # each box as high as what leads to it
        below = 0.0
        for name in (name for name in labels if ranks[name] == rank):
            before = [spots[a][1] for a, b, _ in edges if b == name and ranks[a] < rank]
            height = max(sum(before) / len(before) if before else 24, below)
            spots[name] = (rank * (WIDTH + GAP) + 8, height)
            below = height + ROW
    lowest = max(height for _, height in spots.values()) + HEIGHT + (24 if back else 8)
    size = ((max(ranks.values()) + 1) * (WIDTH + GAP) - GAP + 16, lowest + 4)
    arrows = [
        _arrow(spots[a], spots[b], word, floor=lowest if (a, b, word) in back else None)
        for a, b, word in edges
    ]
    boxes = [_box(spots[name], text, groups.get(name, "")) for name, text in labels.items()]
    return (
        f'<svg class="chart" viewBox="0 0 {size[0]:g} {size[1]:g}">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>'
        + "".join(arrows + boxes)
        + "</svg>\n"
    )


def read(chart: str) -> tuple[dict[str, str], list[Edge], dict[str, str]]:
    """Return texts by node, edges with words, and groups by node."""
    labels: dict[str, str] = {}
    edges: list[Edge] = []
    groups: dict[str, str] = {}
    group = ""
    for line in map(str.strip, chart.splitlines()[1:]):
        if line.startswith("subgraph"):
            group = line.split()[1] if "[" not in line else line.partition("[")[2].rstrip("]")
        elif line == "end":
            group = ""
        else:
            chain = [NODE.match(part) for part in ARROW.sub("\0", line).split("\0")]
            names = [found[1] for found in chain if found]
            for found in filter(None, chain):
                labels[found[1]] = found[2] or labels.get(found[1], found[1])
                if found[2] and group:
                    groups[found[1]] = group
            words = [found[1] or "" for found in ARROW.finditer(line)]
            edges += [(a, b, word) for (a, b), word in zip(pairwise(names), words, strict=True)]
    return labels, edges, groups


def ranked(names: list[str], edges: list[Edge]) -> tuple[dict[str, int], set[Edge]]:
    """Return in which column each node stands, after all that lead to it, and the edges back."""
    back: set[Edge] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        for edge in edges:
            if edge[0] == name and edge[1] in path:
                back.add(edge)
            elif edge[0] == name:
                visit(edge[1], (*path, edge[1]))

    for name in names:
        if not back or all(name != edge[1] for edge in edges):
            visit(name, (name,))
    ranks = dict.fromkeys(names, 0)
    for _ in names:
        for a, b, word in edges:
            if (a, b, word) not in back:
                ranks[b] = max(ranks[b], ranks[a] + 1)
    return ranks, back


def _box(spot: Spot, text: str, group: str) -> str:
    x, y = spot
    lines = text.split("<br>")
    middle = y + HEIGHT / 2 - 9 * (len(lines) - 1) + 5
    words = "".join(
        f'<text x="{x + WIDTH / 2:g}" y="{middle + 18 * number:g}">{html.escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    named = f'<text class="group" x="{x + 4:g}" y="{y - 6:g}">{html.escape(group)}</text>'
    box = f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>'
    return f"{box}{words}{named if group else ''}"


def _arrow(a: Spot, b: Spot, word: str, *, floor: float | None) -> str:
    if floor is not None:  # back, below all boxes
        (x0, y0), (x1, y1) = ((x + WIDTH / 2, y + HEIGHT) for x, y in (a, b))
        depth = (8 * floor - y0 - y1) / 6  # of the two points that pull a cubic down to the floor
        path, middle = f"C{x0:g} {depth:g} {x1:g} {depth:g} {x1:g} {y1:g}", (x0 + x1) / 2
        height = floor - 6
    else:
        (x0, y0), (x1, y1) = (a[0] + WIDTH, a[1] + HEIGHT / 2), (b[0], b[1] + HEIGHT / 2)
        path, middle, height = f"L{x1:g} {y1:g}", (x0 + x1) / 2, (y0 + y1) / 2 - 6
    return (
        f'<path class="edge" marker-end="url(#tip)" d="M{x0:g} {y0:g}{path}"/>'
        f'<text class="word" x="{middle:g}" y="{height:g}">{html.escape(word)}</text>'
    )
