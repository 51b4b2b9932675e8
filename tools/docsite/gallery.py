"""The page with all pictures of the documentation, each with the page that explains it."""

import re
from collections.abc import Sequence

from tools.docsite.links import DOCS
from tools.docsite.notebooks import Notebook

PICTURE = re.compile(r"!\[([^\]]*)\]\((images/[^)]+)\)")
TITLE = re.compile(r"^# (.*)$", re.MULTILINE)


def page(shown: Sequence[Notebook]) -> str:
    """Return the page: pictures of the pages by page, then those that notebooks draw."""
    lines = [
        "# Gallery",
        "Every picture of this site, with the page that says what it shows and how it is made.",
    ]
    for file in sorted(DOCS.glob("*.md")):
        text = file.read_text(encoding="utf-8")
        pictures = dict.fromkeys(PICTURE.findall(text))
        if pictures:
            lines.append(f"## [{_title(text)}]({file.name})")
            lines += [_figure(f"![{alt}]({name})", alt) for alt, name in pictures]
    for notebook in shown:
        drawn = [name for name in sorted(notebook.pictures) if name.endswith((".png", ".svg"))]
        if drawn:
            title = _title(notebook.markdown)
            lines.append(f"## [{title}](notebooks/{notebook.name}.md)")
            lines += [f"![Picture of the notebook {title}](notebooks/{name})" for name in drawn]
    return "\n\n".join(lines) + "\n"


def _title(text: str) -> str:
    found = TITLE.search(text)
    return found[1] if found else ""


def _figure(picture: str, caption: str) -> str:
    return f"{picture}\n\n{caption}."
