"""docs/theorems.md says what the theorem tests say, and each theorem has a counterexample twin."""

import pytest

from tests.theorems.index import HERE, PAGE, page


@pytest.fixture(scope="module")
def written():
    return page()


def test_theorem_page_is_fresh(written):
    assert PAGE.read_text(encoding="utf-8") == written, "run: python -m tests.theorems.index"


def test_every_theorem_has_a_twin(written):
    blocks = written.split("\n**")[1:]
    assert len(blocks) >= 10
    for block in blocks:
        assert block.count("\n- ") >= 2, f"no counterexample twin: {block}"
    for file in HERE.glob("test_*.py"):
        assert file.name in written, f"{file.name} has no marked test"
