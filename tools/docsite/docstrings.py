"""Docstrings as Markdown: examples fenced, sources linked."""

import re
from functools import cache

from tools.docsite.bibliography import sources


def fenced(text: str) -> str:
    """Put a fence around each example of a docstring, so that Markdown shows it as it stands."""
    lines: list[str] = []
    inside = False
    for line in text.split("\n"):
        begins = line.lstrip().startswith(">>> ")
        if begins and not inside:
            indent = line[: len(line) - len(line.lstrip())]
            lines += ["", f"{indent}```pycon"]
            inside = True
        if inside and not line.strip():
            lines.append(f"{indent}```")
            inside = False
        lines.append(line)
    if inside:
        lines.append(f"{indent}```")
    return "\n".join(lines)


def cited(text: str) -> str:
    """Link each source to its entry on the page of references."""
    return re.sub(r":cite:`([^`]+)`", lambda found: f"[{_label(found[1])}][{found[1]}]", text)


@cache
def _labels() -> dict[str, str]:
    return {key: source.label for key, source in sources().items()}


def _label(key: str) -> str:
    return _labels().get(key, key)
