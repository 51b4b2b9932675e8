"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import shutil

import pytest

from tests.benchmarks.enumeration import by_quantecon, float_rows, ours, payoffs_of, size_rows

pytestmark = pytest.mark.peer


def test_contenders_count_the_same_equilibria():
    pytest.importorskip("quantecon")
    batch = payoffs_of(3, 5)
    assert ours(batch) == by_quantecon(batch)


def test_rows_name_each_peer_once():
    pytest.importorskip("quantecon")
    if shutil.which("lrsnash") is None:
        pytest.skip("lrsnash is not installed")
    found = size_rows(3, count=2, rounds=1, gambit_rounds=0)
    assert len({row.peer_name for row in found}) == len(found) == 3
    assert all(row.ours > 0 for row in found)


def test_float_games_are_measured_too():
    pytest.importorskip("quantecon")
    (found,) = float_rows(3, count=2, rounds=1)
    assert found.ours > 0
