"""Links of pages as they stand in the repository, turned into links of the site."""

import posixpath
import re
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MOVED = {
    "README.md": "index.md",
    "CHANGELOG.md": "changelog.md",
    "CONTRIBUTING.md": "contributing.md",
}
MADE = {**MOVED, "docs/references.bib": "references.md"}
FENCE = re.compile(r"^(```.*?^```[^\n]*\n?|(?: {4}|\t)[^\n]*\n?)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(\]\()(?!\w+:)([^)#\s]+)(#[^)\s]*)?(\))")


def uri_of(target: Path) -> str:
    """Return where the site has a file or folder of the repository.

    Pages are where they are below docs; what else is linked to, such as a test, is shown as a page
    below ``source``.
    """
    where = target.relative_to(ROOT).as_posix()
    if where in MADE:
        return MADE[where]
    if target.is_dir():
        return f"{where.removeprefix('docs/')}/index.md"
    return where.removeprefix("docs/") if where.startswith("docs/") else f"source/{where}.md"


def for_site(text: str, *, at: Path, uri: str) -> str:
    """Return a page with links that lead to where the site has what they lead to.

    Args:
        text: The page in Markdown, with links as they are in the repository.
        at: The folder in which it stands there.
        uri: Where the site has it.
    """

    def moved(link: re.Match[str]) -> str:
        target = (at / link[2]).resolve()
        if not target.exists() or not target.is_relative_to(ROOT):
            return link[0]
        there = posixpath.relpath(uri_of(target), posixpath.dirname(uri) or ".")
        return f"{link[1]}{there}{link[3] or ''}{link[4]}"

    return outside_code(text, lambda part: LINK.sub(moved, part))


def outside_code(text: str, change: Callable[[str], str]) -> str:
    """Change a page but for its blocks of code."""
    parts = FENCE.split(text)  # every second part is code
    return "".join(part if number % 2 else change(part) for number, part in enumerate(parts))


def linked_sources(pages: list[Path]) -> Iterator[Path]:
    """Yield the files outside docs that pages link to, but for other pages."""
    seen: set[Path] = set()
    for page in pages:
        for _, target, *_ in LINK.findall(page.read_text(encoding="utf-8")):
            file = (page.parent / target).resolve()
            if file.is_file() and file.is_relative_to(ROOT) and not file.is_relative_to(DOCS):
                seen.add(file)
    yield from sorted(file for file in seen if file.relative_to(ROOT).as_posix() not in MOVED)
