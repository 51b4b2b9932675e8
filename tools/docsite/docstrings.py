"""Docstrings as Markdown: examples fenced, sources linked (an extension of griffe)."""

import re
from typing import Any

import griffe

EXAMPLE = re.compile(r"^((?:>>> .*|>>>)\n?(?:(?!>>>)\S.*\n?|(?:>>>|\.\.\.).*\n?)*)", re.MULTILINE)


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
    return re.sub(r":cite:`([^`]+)`", lambda found: f"[{found[1]}][{found[1]}]", text)


class MarkdownDocstrings(griffe.Extension):
    """Rewrites docstrings as they are loaded."""

    def on_object(self, *, obj: griffe.Object, **kwargs: Any) -> None:
        """Rewrite the docstring of whatever has one."""
        del kwargs
        if obj.docstring:
            obj.docstring.value = cited(fenced(obj.docstring.value))
