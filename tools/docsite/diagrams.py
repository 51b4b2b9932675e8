"""The flow charts of the pages as pictures, drawn here, since the site loads no script from elsewhere.

A small part of Mermaid's language: ``flowchart LR``, ``subgraph name [title]`` ... ``end``, and chains
``a["text<br>more"] -- word --> b``.
"""

import html
import re
from collections import defaultdict
from itertools import pairwise

NODE = re.compile(r'(\w+)(?:\["([^"]*)"\])?')
ARROW = re.compile(r'\s*--(?:\s*"?([^">]*?)"?\s*--)?>\s*')
WIDTH, HEIGHT, GAP, ROW = 190, 54, 96, 96


def drawn(chart: str) -> str:
    """Return a chart as SVG to stand in a page."""
    labels, edges, groups = read(chart)
    ranks = ranked(list(labels), edges)
    rows: dict[int, list[str]] = defaultdict(list)
    for name in labels:
        rows[ranks[name]].append(name)
    tallest = max(map(len, rows.values()))
    spots = {
        name: (rank * (WIDTH + GAP) + 8, (number + (tallest - len(names)) / 2) * ROW + 24)
        for rank, names in rows.items()
        for number, name in enumerate(names)
    }
    size = ((max(rows) + 1) * (WIDTH + GAP) - GAP + 16, tallest * ROW + 24)
    arrows = [_arrow(spots[a], spots[b], word) for a, b, word in edges]
    boxes = [_box(spots[name], text, groups.get(name, "")) for name, text in labels.items()]
    return (
        f'<svg class="chart" viewBox="0 0 {size[0]:g} {size[1]:g}" xmlns="http://www.w3.org/2000/svg">'
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" '
        'orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>' + "".join(arrows + boxes) + "</svg>\n"
    )


def read(
    chart: str,
) -> tuple[dict[str, str], list[tuple[str, str, str]], dict[str, str]]:
    """Return texts by node, edges with words, and groups by node."""
    labels: dict[str, str] = {}
    edges: list[tuple[str, str, str]] = []
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


def ranked(names: list[str], edges: list[tuple[str, str, str]]) -> dict[str, int]:
    """Return in which column each node stands: after all that lead to it, but for edges back."""
    ranks = dict.fromkeys(names, 0)
    for _ in names:
        for a, b, _word in edges:
            if names.index(a) < names.index(b) or (b, a) not in {(x, y) for x, y, _ in edges}:
                ranks[b] = max(ranks[b], ranks[a] + 1) if not _leads(b, a, edges) else ranks[b]
    return ranks


def _leads(start: str, goal: str, edges: list[tuple[str, str, str]]) -> bool:
    seen, todo = set[str](), [start]
    while todo:
        name = todo.pop()
        seen.add(name)
        todo += [b for a, b, _word in edges if a == name and b not in seen]
    return goal in seen


def _box(spot: tuple[float, float], text: str, group: str) -> str:
    x, y = spot
    lines = text.split("<br>")
    middle = y + HEIGHT / 2 - 9 * (len(lines) - 1) + 5
    words = "".join(
        f'<text x="{x + WIDTH / 2:g}" y="{middle + 18 * number:g}">{html.escape(line)}</text>'
        for number, line in enumerate(lines)
    )
    named = f'<text class="group" x="{x + 4:g}" y="{y - 6:g}">{html.escape(group)}</text>'
    return f'<rect x="{x:g}" y="{y:g}" width="{WIDTH}" height="{HEIGHT}" rx="6"/>{words}{named if group else ""}'


def _arrow(a: tuple[float, float], b: tuple[float, float], word: str) -> str:
    back = b[0] <= a[0]
    x0, y0 = (a[0] + (0 if back else WIDTH), a[1] + HEIGHT / 2)
    x1, y1 = (b[0] + (WIDTH if back else 0), b[1] + HEIGHT / 2)
    if back:
        y0, y1 = y0 + 16, y1 + 16
    middle = ((x0 + x1) / 2, (y0 + y1) / 2 - 6)
    return (
        f'<path class="edge" marker-end="url(#tip)" d="M{x0:g} {y0:g}L{x1:g} {y1:g}"/>'
        f'<text class="word" x="{middle[0]:g}" y="{middle[1]:g}">{html.escape(word)}</text>'
    )
