"""The documentation cannot lie: its Python runs, its commands answer, its links lead somewhere."""

import re
import runpy
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from gametheory_core.commands.verbs import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCRIPTS = sorted((ROOT / "docs" / "examples").glob("*.py"))

FOLLOWED = {  # what the tests of all such things then ask, by what a block of CONTRIBUTING declares
    "def hawk_dove": """
from gametheory_core.extensions import add_to_catalog
add_to_catalog(hawk_dove)
from gametheory_core import load_game
assert load_game("hawk_dove:injury=6").exact_payoffs[0, 0, 0] == -2
""",
    "add_game_kind(": """
import json
from gametheory_core.formats import game_from, game_record, parse_json
game = small_auction()
assert game_from(parse_json(json.dumps(game_record(game)), name="file")) == game
""",
    "@solver(": """
import json
from gametheory_core.formats import parse_json, verified_certificates
file = json.dumps(answer.to_record())
assert len(verified_certificates(parse_json(file, name="file"))) == 1
""",
    "@claim(": """
import json
from gametheory_core import CertificateRejected, MalformedFile
from gametheory_core.formats import parse_json, verified_certificates
from gametheory_core.testing import forged_claims, forged_givens, forged_records, forged_types
for forge, may_be_true in ((forged_claims, False), (forged_types, False), (forged_givens, True)):
    for where, forged in forge(certificate):
        try:
            forged.verify()
            assert may_be_true, where
        except CertificateRejected:
            pass
for where, record in forged_records(certificate_record(certificate)):
    try:
        verified_certificates(parse_json(json.dumps(record), name="file"))
    except (CertificateRejected, MalformedFile):
        pass
""",
    "@learner(": """
import tempfile
from learners.experiments import config_from, run
from learners.protocol import LEARNERS
LEARNERS["EmpiricalBestReply"] = "__main__:EmpiricalBestReply"
with tempfile.TemporaryDirectory() as folder:
    config = {
        "output": folder,
        "game": {"name": "rock_paper_scissors"},
        "learner": {"name": "EmpiricalBestReply"},
        "training": {"iterations": 3},
    }
    findings = run(config_from(config, path="test"), 1).findings
    assert "nash_conv" in {finding.name for finding in findings}
""",
}


def blocks(language: str) -> list[tuple[str, str]]:
    pattern = re.compile(rf"^```{language}\n(.*?)^```", re.MULTILINE | re.DOTALL)
    return [
        (f"{page.relative_to(ROOT)}-{i}", code)
        for page in PAGES
        for i, code in enumerate(pattern.findall(page.read_text(encoding="utf-8")))
    ]


def commands() -> dict[str, list[str]]:
    """Indented command lines that call our modules, by page; each once, where it is met first."""
    pattern = re.compile(
        r"^    (?:\.venv/bin/)?"
        r"(?:python -m (?=solvers|gametheory_core|learners)|(?=gametheory ))(\w+ .*)",
        re.MULTILINE,
    )
    met: set[str] = set()
    by_page = {}
    for page in PAGES:
        found = pattern.findall(page.read_text(encoding="utf-8"))
        needed = {text.partition(" > ")[0] for text in found if " > " not in text} - met
        if needed:  # then what writes their files comes with them
            by_page[str(page.relative_to(ROOT))] = [
                text for text in dict.fromkeys(found) if " > " in text or text in needed
            ]
        met |= needed
    return by_page


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_speeds_say_what_was_called(page):
    """Millions of steps a second are a call's, on a game; a reader wants to know which."""
    for passage in re.split(r"\n\n|\n(?=[|-] ?)", page.read_text(encoding="utf-8")):
        for sentence in re.split(r"(?<=\.)\s", passage):
            if "million steps a second" in " ".join(sentence.split()):
                assert "`" in sentence, sentence


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
        (asked,) = (more for declared, more in FOLLOWED.items() if declared in code)
        subprocess.run([sys.executable, "-c", code + asked], check=True, cwd=ROOT)
        return
    example = ModuleType("example")  # where pickle finds a block's classes, as in a reader's script
    monkeypatch.setitem(sys.modules, "example", example)
    exec(compile(code, name, "exec"), vars(example))  # noqa: S102


@pytest.mark.parametrize("page", commands())
def test_every_command_answers(page, workplace, capsys, monkeypatch):
    monkeypatch.chdir(workplace)
    for line in commands()[page]:
        text, _, target = line.partition(" > ")
        package, *arguments = shlex.split(text, comments=True)
        main = run if package == "gametheory" else import_module(f"{package}.__main__").main
        assert main(arguments) == 0, f"{line}: {capsys.readouterr().err}"
        answer = capsys.readouterr().out
        assert answer.strip(), line
        if target:
            (workplace / target.split()[0]).write_text(answer, encoding="utf-8")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.name)
def test_example_script_runs(script, capsys, monkeypatch):
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr(sys, "argv", [str(script)])
    try:
        runpy.run_path(str(script), run_name="__main__")
    except ModuleNotFoundError as absent:
        pytest.importorskip(absent.name)
        raise
    assert capsys.readouterr().out.strip()


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
