"""The documentation cannot lie: its Python runs, its commands answer, its links lead somewhere."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = sorted((ROOT / "docs" / "examples").glob("*.py"))


def blocks(language: str) -> list[tuple[str, str]]:
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    return [
        (f"{page.relative_to(ROOT)}-{i}", code)
        for page in PAGES
        for i, code in enumerate(pattern.findall(page.read_text(encoding="utf-8")))
    ]


def commands() -> list[tuple[str, str]]:
    """Indented command lines that call our modules."""
    found = []
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            match = re.match(
                r"    (?:\.venv/bin/)?python (-m (?:solvers|gametheory_core|learners) .*)", line
            )
            if match:
                found.append((str(page.relative_to(ROOT)), match.group(1)))
    return found


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """A folder with the file that the first page tells the reader to save."""
    folder = tmp_path_factory.mktemp("reader")
    (folder / "docs").symlink_to(ROOT / "docs")
    page = (ROOT / "docs" / "first-steps.md").read_text(encoding="utf-8")
    game = re.search(r"^```text\n(EFG.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert game is not None
    (folder / "entry.efg").write_text(game.group(1), encoding="utf-8")
    return folder


@pytest.mark.parametrize(("name", "code"), blocks("python"), ids=lambda value: str(value)[:40])
def test_python_block_runs(name, code, monkeypatch):
    if name.startswith("CONTRIBUTING"):  # declares solvers and claims that other tests must not see
        subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
        return
    example = ModuleType("example")  # where pickle finds a block's classes, as in a reader's script
    monkeypatch.setitem(sys.modules, "example", example)
    exec(compile(code, name, "exec"), vars(example))  # noqa: S102


def test_every_command_answers(workplace):
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert len(commands()) >= 8
    for page, arguments in commands():
        text, _, target = arguments.partition(" > ")
        done = subprocess.run(
            [sys.executable, *shlex.split(text, comments=True)],
            capture_output=True,
            text=True,
            check=False,
            cwd=workplace,
            env=environment,
        )
        assert done.returncode == 0, f"{page}: {arguments}: {done.stderr}"
        assert done.stdout.strip()
        if target:
            (workplace / target.split()[0]).write_text(done.stdout, encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_example_script_runs(script):
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=ROOT
    )
    absent = re.search(r"^ModuleNotFoundError: No module named '(\w+)'", done.stderr, re.MULTILINE)
    if absent is not None:
        pytest.importorskip(absent.group(1))
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def test_glossary_spells_names_as_the_code_does():
    rows = re.findall(
        r"^\|.*\|([^|]*)\|$",
        (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8"),
        re.MULTILINE,
    )
    named = {name for row in rows for name in re.findall(r"`(\w+)", row)}
    packages = ("gametheory_core", "solvers", "learners")
    files = [path for package in packages for path in (ROOT / package).rglob("*.py")]
    known = set(re.findall(r"\w+", "".join(path.read_text(encoding="utf-8") for path in files)))
    assert len(named) > 50
    assert named <= known, f"not in the code: {sorted(named - known)}"
