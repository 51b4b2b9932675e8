"""What mkdocs asks while it builds the site: pages that are made, and links that are moved."""

import posixpath
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from tools.docsite import bibliography, gallery, notebooks, reference
from tools.docsite.diagrams import CHART, drawn
from tools.docsite.docstrings import cited
from tools.docsite.links import DOCS, MOVED, ROOT, for_site, linked_sources, outside_code

LANGUAGES = {".py": "python", ".toml": "toml"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fill the places in the navigation that stand for many pages."""
    filled: dict[str, Callable[[], list[Any]]] = {
        "API reference": lambda: ["api/index.md", *_by_package()],
        "Notebooks": lambda: [
            "notebooks/index.md",
            *(f"notebooks/{script.stem}.md" for script in notebooks.scripts()),
        ],
        "Decisions": lambda: [
            "decisions/index.md",
            *(f"decisions/{page.name}" for page in sorted((DOCS / "decisions").glob("0*.md"))),
        ],
    }
    _fill(config.nav, filled)
    return config


def _fill(entries: Any, filled: dict[str, Callable[[], list[Any]]]) -> None:
    for entry in entries if isinstance(entries, list) else []:
        for title, inner in entry.items() if isinstance(entry, dict) else []:
            if title in filled and isinstance(inner, str):
                entry[title] = filled[title]()
            _fill(inner, filled)


def _by_package() -> list[dict[str, list[Any]]]:
    listed = reference.rooms()
    return [
        {
            package: [
                {room.name.removeprefix(f"{package}."): room.uri}
                for room in listed
                if room.name.partition(".")[0] == package
            ]
        }
        for package in reference.PACKAGES
    ]


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are made from something else."""

    def add(uri: str, content: str | bytes) -> None:
        files.append(File.generated(config, uri, content=content))

    for name, uri in MOVED.items():
        add(uri, for_site((ROOT / name).read_text(encoding="utf-8"), at=ROOT, uri=uri))
    for page, text in _made_pages().items():
        add(page, text)
    pages = [*DOCS.rglob("*.md"), *(ROOT / name for name in MOVED)]
    for file in linked_sources(pages):
        add(f"source/{file.relative_to(ROOT).as_posix()}.md", _source_page(file))
    shown = []
    for script in notebooks.scripts():
        notebook = notebooks.executed(script)
        shown.append(notebook)
        add(f"notebooks/{notebook.name}.md", notebook.markdown)
        add(f"notebooks/{notebook.name}.ipynb", notebook.file)
        for picture, data in notebook.pictures.items():
            add(f"notebooks/{picture}", data)
    add("notebooks/index.md", notebooks.overview(shown))
    add("gallery.md", gallery.page(shown))
    return files


def _made_pages() -> dict[str, str]:
    api = reference.Reference.of_packages()
    decisions = [
        f"- [{page.read_text(encoding='utf-8').partition(chr(10))[0].lstrip('# ')}]({page.name})"
        for page in sorted((DOCS / "decisions").glob("0*.md"))
    ]
    return {
        "references.md": bibliography.page(),
        "api/index.md": reference.overview(list(api.rooms)),
        "decisions/index.md": "\n".join(["# Decisions\n", *decisions]) + "\n",
        **{room.uri: api.page(room) for room in api.rooms},
    }


def _source_page(file: Path) -> str:
    name = file.relative_to(ROOT).as_posix()
    text = file.read_text(encoding="utf-8")
    head = f"---\nsearch:\n  exclude: true\nhide:\n  - navigation\n---\n# {name}\n\n"
    return f"{head}````{LANGUAGES.get(file.suffix, 'text')}\n{text}\n````\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Move links of pages that stand in docs, and draw what they say as diagrams."""
    del config, files
    if page.file.generated_by is None:
        folder = posixpath.dirname(page.file.src_uri)
        markdown = for_site(markdown, at=DOCS / folder, uri=page.file.src_uri)
    return CHART.sub(lambda chart: drawn(chart[1]), outside_code(markdown, cited))
