"""One HTML file, in which style, scripts and data stand: nothing is loaded from elsewhere.

The page's own policy allows this very script and style, by their hashes, and nothing else: no
label can become a script, and no request leaves the page.
"""

import base64
import hashlib
import html
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.formats.files import write_text

MOST_BYTES = 5_000_000  # of a file that browsers open at once
HERE = "solvers.explorer"
FRAME_HEIGHT = 720  # pixels, in a notebook


@dataclass(frozen=True, repr=False)
class ExplorerPage:
    """A page to be saved, opened in a browser, or shown in a notebook.

    Attributes:
        name: Of the file, without its suffix.
        html: All of it.
        notes: What is not in it, and why, in sentences.
    """

    name: str
    html: str
    notes: tuple[str, ...] = ()

    def save(self, path: str | Path) -> Path:
        """Write the file, replacing what was there, and return where it is.

        Raises:
            InvalidArgument: If it cannot be written, or is not named as a page.
        """
        if Path(path).suffix.lower() not in {".html", ".htm"}:
            raise InvalidArgument(
                needs="a file that ends in .html",
                found=f"got {str(path)!r}",
                remedy="gametheory draw makes pictures.",
                where="explore",
            )
        write_text(self.html, path)
        return Path(path)

    def __repr__(self) -> str:
        return f"ExplorerPage({self.name!r}, {len(self.html.encode()):,} bytes)"

    def _repr_html_(self) -> str:
        """Show the page within a notebook."""
        inside = html.escape(self.html)
        return f'<iframe srcdoc="{inside}" width="100%" height="{FRAME_HEIGHT}"></iframe>'


def page_of(
    data: Mapping[str, Any],
    scripts: Sequence[tuple[str, str]],
    *,
    title: str,
    subtitle: str,
    footer: str,
    remedy: str,
    notes: tuple[str, ...] = (),
) -> ExplorerPage:
    """Put a page together.

    Args:
        data: What JSON can hold.
        scripts: Package and file name of each, in order; ``start.js`` comes last.
        remedy: What to do about a page that would be too large.
        notes: What is not in it.

    Raises:
        UnsupportedGame: If the file would be larger than 5 MB.
    """
    style = _asset(HERE, "style.css")
    script = "\n".join(_asset(*own) for own in (*scripts, (HERE, "start.js")))
    allowed = f"script-src {_hash(script)}; style-src {_hash(style)}"
    parts = {
        "policy": f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'",
        "title": html.escape(title),
        "subtitle": html.escape(subtitle),
        "footer": html.escape(footer),
        "style": style,
        "script": script,
        "data": _inert(json.dumps(data, ensure_ascii=False, separators=(",", ":"))),
    }
    content = re.sub(r"\{\{(\w+)\}\}", lambda found: parts[found[1]], _asset(HERE, "page.html"))
    size = len(content.encode("utf-8", errors="surrogatepass"))
    if size > MOST_BYTES:
        raise UnsupportedGame(
            needs=f"a page of at most {MOST_BYTES:,} bytes",
            found=f"{title!r} would take {size:,}",
            remedy=remedy,
        )
    return ExplorerPage(file_name(title), content, notes)


def file_name(title: str) -> str:
    """Return a title as the name of a file, without a suffix.

    >>> file_name("Prisoner's dilemma"), file_name("?")
    ('prisoner-s-dilemma', 'game')
    """
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:60] or "game"


def _asset(package: str, name: str) -> str:
    return (files(package) / "assets" / name).read_text(encoding="utf-8")


def _hash(content: str) -> str:
    digest = hashlib.sha256(content.encode()).digest()
    return f"'sha256-{base64.b64encode(digest).decode()}'"


def _inert(text: str) -> str:
    """Write JSON so that nothing in it ends the element that it stands in."""
    return text.translate({ord("<"): "\\u003c", ord(">"): "\\u003e", ord("&"): "\\u0026"})
