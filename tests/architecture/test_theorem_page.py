"""docs/theorems.md says what the theorem tests say, why, with counterexamples and sources."""

import re

import pytest

from tests.theorems.index import DOCS, HERE, PAGE, TOPICS, page, theorems


@pytest.fixture(scope="module")
def found():
    return theorems()


def test_theorem_page_is_fresh():
    assert PAGE.read_text(encoding="utf-8") == page(), "run: python -m tests.theorems.index"


def test_every_file_states_a_theorem_and_says_why_it_matters(found):
    assert {theorem.file for theorem in found} == {file.name for file in HERE.glob("test_*.py")}
    for theorem in found:
        assert theorem.statements, f"{theorem.file} has no marked test"
        assert len(theorem.why) > 40, theorem.file
        assert theorem.topic in TOPICS, theorem.file


def test_every_theorem_has_a_counterexample(found):
    for theorem in found:
        assert theorem.checks, theorem.file
        assert theorem.twins, f'{theorem.file}: begin the docstring of a counterexample "Twin:"'


def test_every_topic_has_theorems(found):
    assert {theorem.topic for theorem in found} == set(TOPICS)


def test_every_section_links_its_test_and_its_source(found):
    text = PAGE.read_text(encoding="utf-8")
    keys = re.findall(r"^@\w+\{(\w+),", (DOCS / "references.bib").read_text("utf-8"), re.MULTILINE)
    for theorem in found:
        assert f"(../tests/theorems/{theorem.file})" in text
    linked = re.findall(r"\(references\.bib#(\w+)\)", text)
    assert len(linked) == len(found)
    assert set(linked) <= set(keys)
