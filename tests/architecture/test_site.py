"""The site has what there is: all public names, all pages, sources, links and notebooks."""

import inspect
import os
import re
import runpy
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from tests.public_rooms import public_rooms
from tools.docsite.bibliography import sources
from tools.docsite.diagrams import CHART, drawn, ranked, read
from tools.docsite.docstrings import cited, fenced
from tools.docsite.links import DOCS, ROOT, for_site, linked_sources
from tools.docsite.notebooks import scripts
from tools.docsite.reference import PACKAGES, Reference

PAGES = sorted(DOCS.rglob("*.md"))
BIB = (DOCS / "references.bib").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def reference():
    return Reference.of_packages()


def test_reference_has_every_public_name(reference):
    pages = {room.name: reference.page(room) for room in reference.rooms}
    packages = public_rooms(*PACKAGES)
    assert len(packages) > 40
    for package in packages:
        for name in package.__all__:
            named = rf"^- \[`{name}`\][(\[]|^      heading: {name}$"
            assert re.search(named, pages[package.__name__], re.MULTILINE), (package, name)


def test_reference_describes_each_name_once(reference):
    homes = [
        home
        for room in reference.rooms
        for home in re.findall(r"^::: (\S+)$", reference.page(room), re.MULTILINE)
    ]
    assert len(homes) == len(set(homes)) > 700
    for home in homes:
        module, _, name = home.rpartition(".")
        assert hasattr(import_module(module), name), home


def test_names_are_described_in_the_innermost_room(reference):
    for home, room in reference.described.items():
        others = [other.name for other in reference.rooms if home in other.homes.values()]
        assert room.name.count(".") == max(name.count(".") for name in others), home


def test_public_modules_have_pages_of_their_own(reference):
    pages = {room.name for room in reference.rooms}
    for package in public_rooms(*PACKAGES):
        for value in (getattr(package, name) for name in package.__all__):
            assert not inspect.ismodule(value) or value.__name__ in pages


def test_navigation_has_every_page():
    navigation = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:")[2]
    listed = set(re.findall(r"[\w/-]+\.md", navigation))
    made = {"index.md", "changelog.md", "contributing.md", "references.md", "gallery.md"}
    written = {
        page.relative_to(DOCS).as_posix()
        for page in PAGES
        if page.parent.name != "decisions" and "examples" not in page.parts
    }
    assert listed == written | made


def test_links_lead_to_where_the_site_has_things():
    text = (
        "[a](docs/nash.md#all-equilibria) ![b](docs/images/x.png) [c](CHANGELOG.md) "
        "[d](tests/conftest.py) [e](docs/decisions/) [f](https://example.org/docs/nash.md)\n"
        "```text\n[a](docs/nash.md)\n```\n"
    )
    moved = for_site(text, at=ROOT, uri="index.md")
    for found in (
        "[a](nash.md#all-equilibria)", "[c](changelog.md)", "[d](source/tests/conftest.py.md)",
        "[e](decisions/index.md)", "[f](https://example.org/docs/nash.md)",
        "```text\n[a](docs/nash.md)\n```",
    ):  # fmt: skip
        assert found in moved
    deeper = for_site(
        "[a](../nash.md) [b](../references.bib#k)", at=DOCS / "tutorials", uri="t/x.md"
    )
    assert deeper == "[a](../nash.md) [b](../references.md#k)"


def test_theorem_tests_are_shown_as_pages():
    shown = {path.name for path in linked_sources([DOCS / "theorems.md"])}
    assert shown == {path.name for path in (ROOT / "tests" / "theorems").glob("test_*.py")}


def test_sources_have_one_entry_each():
    keys = re.findall(r"^@\w+\{([^,]+),", BIB, re.MULTILINE)
    assert len(keys) == len(set(keys)) > 150
    assert set(sources()) == set(keys)
    for source in sources().values():
        assert {"author", "title", "year"} <= set(source.fields), source.key
        assert not re.search(r"[\\{}]", source.text), source.text


def test_every_source_that_is_cited_is_listed():
    files = [path for package in PACKAGES for path in (ROOT / package).rglob("*.py")]
    texts = [path.read_text(encoding="utf-8") for path in [*files, *PAGES]]
    named = {key for text in texts for key in re.findall(r":cite:`([^`]+)`", text)}
    assert len(named) > 80
    assert named <= set(sources())


def test_docstrings_become_markdown():
    text = "Do it.\n\nSource: :cite:`kuhn1953extensive`.\n\n>>> f(1)\n2\n>>> f(2)\n3\n\nMore."
    found = cited(fenced(text))
    assert "[Kuhn 1953][kuhn1953extensive]" in found
    assert "```pycon\n>>> f(1)\n2\n>>> f(2)\n3\n```\n\nMore." in found


def test_charts_of_the_pages_are_drawn():
    charts = [
        chart
        for page in [*PAGES, ROOT / "CONTRIBUTING.md"]
        for chart in CHART.findall(page.read_text(encoding="utf-8"))
    ]
    assert len(charts) == 2
    for chart in charts:
        labels, edges, _ = read(chart)
        ranks, back = ranked(list(labels), edges)
        assert len(labels) >= 5
        assert all(ranks[a] < ranks[b] for a, b, word in edges if (a, b, word) not in back)
        assert len(back) <= 1
        assert drawn(chart).count("<rect") == len(labels)


def test_figures_of_the_comparison_are_those_of_the_benchmarks():
    def rows(page):
        lines = (DOCS / page).read_text(encoding="utf-8").splitlines()
        return [
            [cell.strip() for cell in line.strip("|").split("|")]
            for line in lines
            if line[:1] == "|"
        ]

    measured = {tuple(row[1:]) for row in rows("benchmarks.md")}
    compared = [row for row in rows("comparison.md") if len(row) == 5 and row[-1][:1].isdigit()]
    assert len(compared) > 10
    for row in compared:
        assert tuple(row[1:]) in measured, row
    assert any(float(row[-1].split()[0].replace(",", "")) < 1 for row in compared)


def test_there_are_notebooks_enough():
    assert len(scripts()) >= 12
    for script in scripts():
        text = script.read_text(encoding="utf-8")
        assert re.match(r"# %% \[markdown\]\n# # \S", text), script.name
        assert text.count("\n# %%\n") >= 2, script.name


@pytest.mark.parametrize("script", scripts(), ids=lambda path: path.stem)
def test_notebook_runs_as_a_script(script, capsys, monkeypatch):
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    monkeypatch.chdir(ROOT)
    try:
        runpy.run_path(str(script), run_name="__main__")
    except ModuleNotFoundError as absent:
        pytest.importorskip(absent.name)
        raise
    finally:
        pyplot.close("all")
    assert capsys.readouterr().out.strip()


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The whole site, built anew."""
    for needed in ("mkdocs", "mkdocstrings", "jupytext", "nbconvert", "ipykernel"):
        pytest.importorskip(needed)
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--site-dir", str(folder)]
    paths = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": paths}
    done = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "WARNING" not in done.stderr.replace("[IPKernelApp] WARNING", "")
    return folder


@pytest.mark.slow
def test_site_is_built_and_loads_nothing_from_elsewhere(site):
    pages = list(site.rglob("*.html"))
    assert len(pages) > 250
    loaded = r"<(?:script|img|iframe)[^>]*\ssrc=\"https?:|<link[^>]*stylesheet[^>]*href=\"https?:"
    for page in pages:
        assert not re.search(loaded, page.read_text(encoding="utf-8")), page


@pytest.mark.slow
def test_site_has_an_anchor_for_every_public_name(site, reference):
    for room in reference.rooms:
        text = (site / "api" / f"{room.name}.html").read_text(encoding="utf-8")
        for name, home in room.homes.items():
            described = reference.described[home]
            assert described is not room or f'id="{home}"' in text or f"{home}.html" in text, name


@pytest.mark.slow
def test_site_has_executed_notebooks_with_pictures(site):
    for script in scripts():
        page = (site / "notebooks" / f"{script.stem}.html").read_text(encoding="utf-8")
        assert f'href="{script.stem}.ipynb"' in page
        assert Path(site / "notebooks" / f"{script.stem}.ipynb").stat().st_size > 1000
    assert len(list((site / "notebooks").glob("*.png"))) >= 8
