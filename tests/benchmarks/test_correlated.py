"""The benchmark's functions run, and its contenders agree, on a tiny size. Nothing is timed."""

import pytest

from gametheory_core.certificates.incentives import CorrelatedKind
from tests.benchmarks.correlated import (
    by_open_spiel,
    even_by_open_spiel,
    ours,
    ours_even,
    payoffs_of,
    rows,
)

pytestmark = [
    pytest.mark.peer,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::UserWarning"),
]


@pytest.mark.parametrize("kind", list(CorrelatedKind))
@pytest.mark.parametrize("shape", [(5, 5), (2, 3, 3)])
@pytest.mark.parametrize("seed", range(3))
def test_contenders_find_the_same_welfare(shape, kind, seed):
    pytest.importorskip("open_spiel.python.algorithms.jpsro", exc_type=ImportError)
    payoffs = payoffs_of(shape, seed=seed)
    assert ours(payoffs, kind) == pytest.approx(by_open_spiel(payoffs, kind), abs=1e-3)
    assert ours(payoffs, kind, tolerance=1e-6) == pytest.approx(ours(payoffs, kind), abs=1e-6)


@pytest.mark.parametrize("kind", list(CorrelatedKind))
def test_contenders_find_the_same_impurity(kind):
    pytest.importorskip("open_spiel.python.algorithms.jpsro", exc_type=ImportError)
    payoffs = payoffs_of((4, 4), seed=5)
    assert ours_even(payoffs, kind) == pytest.approx(even_by_open_spiel(payoffs, kind), abs=1e-4)


def test_rows_name_each_task_once():
    pytest.importorskip("open_spiel.python.algorithms.jpsro", exc_type=ImportError)
    found = rows(shapes=((3, 3),), even_shapes=((3, 3),), rounds=1)
    assert len({row.task for row in found}) == len(found) == 6
    assert all(row.ours > 0 for row in found)
