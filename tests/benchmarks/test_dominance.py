"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from gametheory_core.certificates.dominance import DominatedBy
from tests.benchmarks.dominance import KINDS, by_gambit, by_quantecon, ours, payoffs_of, rows

pytestmark = pytest.mark.peer


@pytest.mark.parametrize("kind", KINDS)
def test_contenders_find_as_many_dominated_actions(kind):
    pytest.importorskip("quantecon")
    pytest.importorskip("pygambit")
    payoffs = payoffs_of(kind, 6)
    assert ours(payoffs) == by_quantecon(payoffs)
    assert ours(payoffs, by=DominatedBy.PURE) == by_gambit(payoffs)
    assert sum(ours(payoffs_of("mixtures", 6))) >= 4


def test_rows_name_each_task_once():
    pytest.importorskip("quantecon")
    pytest.importorskip("pygambit")
    found = rows(sizes=(3,), rounds=1)
    assert len({row.task for row in found}) == len(found) == 6
    assert all(row.ours > 0 for row in found)
