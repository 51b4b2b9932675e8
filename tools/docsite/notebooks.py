"""Notebooks: scripts in docs/notebooks, executed and shown with what they answer."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "notebooks"
SECONDS = 120  # a cell that takes longer fails


@dataclass(frozen=True)
class Notebook:
    """One that was executed.

    Attributes:
        name: Of its script, without the ending.
        markdown: The page; its pictures are named in it.
        pictures: By file name, as bytes.
        file: The notebook with all answers, as JSON.
    """

    name: str
    markdown: str
    pictures: Mapping[str, bytes]
    file: str


def scripts() -> list[Path]:
    """Return the scripts in the order in which they are meant to be read."""
    return sorted(FOLDER.glob("[0-9]*.py"))


def executed(script: Path) -> Notebook:
    """Run a script as a notebook, in a kernel of its own, and return it with its answers.

    Raises:
        CellExecutionError: If a cell raises; the message shows which.
    """
    import jupytext
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import MarkdownExporter
    from traitlets.config import Config

    notebook = jupytext.read(script)
    kernels = Config({"KernelManager": {"transport": "ipc"}})  # nobody else on the machine listens
    where = {"metadata": {"path": str(ROOT)}}
    NotebookClient(
        notebook, timeout=SECONDS, kernel_name="python3", resources=where, config=kernels
    ).execute()
    quiet(notebook)
    exporter = MarkdownExporter()
    text, resources = exporter.from_notebook_node(
        notebook, resources={"output_files_dir": ".", "unique_key": script.stem}
    )
    files = f"[The script]({script.name}), [the notebook]({script.stem}.ipynb)"
    links = f"\n\n{files} with what it printed.\n"
    return Notebook(
        script.stem, text.rstrip() + links, resources["outputs"], nbformat.writes(notebook)
    )


def overview(shown: Sequence[Notebook]) -> str:
    """Return the page that lists them, each with its first sentence."""
    lines = [
        "# Notebooks\n",
        "Executed when this site was built; each page links its script and its notebook.\n",
    ]
    for notebook in shown:
        title, first, *_ = (part for part in notebook.markdown.split("\n\n") if part.strip())
        sentence = " ".join(first.split()).partition(". ")[0].rstrip(".:")
        lines.append(f"1. [{title.lstrip('# ')}]({notebook.name}.md): {sentence}.")
    return "\n".join(lines) + "\n"


def quiet(notebook: Any) -> None:
    """Drop what says nothing to a reader: times of execution, and texts of pictures."""
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", []):
            data = output.get("data", {})
            if len(data) > 1:
                data.pop("text/plain", None)
        cell["outputs"] = [
            output for output in cell.get("outputs", []) if not _of_matplotlib(output)
        ]
        if cell.cell_type != "code":
            del cell["outputs"]


def _of_matplotlib(output: Any) -> bool:
    text = output.get("data", {}).get("text/plain", "")
    return re.match(r"\[?<matplotlib|Text\(", text) is not None
