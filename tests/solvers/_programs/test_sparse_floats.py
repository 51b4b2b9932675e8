"""Large float programs: both methods agree, can be watched, and stop when told to."""

import pytest

from gametheory_core.catalog import leduc_poker
from gametheory_core.strategies import sequence_form
from solvers._programs import linear as sparse_floats
from solvers._programs.linear import FloatOutcome, solve_sparse
from solvers.trees.sequence_program import sequence_program


@pytest.fixture(scope="module")
def leduc():
    return sequence_program(sequence_form(leduc_poker()))


def unlimited():
    return None


def value(leduc, found):
    return float(leduc.floats.objective @ found.primal)


@pytest.mark.parametrize(("large", "pivots_a_row"), [(10**9, 0.5), (0, 10.0), (0, 0.0), (0, 0.2)])
def test_simplex_and_interior_points_find_one_value(leduc, monkeypatch, large, pivots_a_row):
    monkeypatch.setattr(sparse_floats, "LARGE", large)
    monkeypatch.setattr(sparse_floats, "PIVOTS_A_ROW", pivots_a_row)
    reports = []
    found = solve_sparse(leduc.floats, watch=reports.append, time_limit=unlimited)
    assert found.outcome is FloatOutcome.OPTIMAL
    expected = solve_sparse(leduc.floats, watch=lambda pivots: None, time_limit=unlimited)
    assert value(leduc, found) == pytest.approx(value(leduc, expected), rel=1e-9)
    assert len(found.basis.columns) == len(found.basis.rows) > 0
    assert reports == sorted(reports)
    assert len(reports) > 10


@pytest.mark.parametrize("pivots_a_row", [0.0, 10.0])
def test_what_a_watcher_raises_comes_out(leduc, monkeypatch, pivots_a_row):
    monkeypatch.setattr(sparse_floats, "LARGE", 0)
    monkeypatch.setattr(sparse_floats, "PIVOTS_A_ROW", pivots_a_row)
    calls = []

    def stop(pivots):
        calls.append(pivots)
        if len(calls) == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        solve_sparse(leduc.floats, watch=stop, time_limit=unlimited)
    assert len(calls) == 5


def test_time_and_pivots_are_limited(leduc):
    for time_limit, pivot_limit in ((lambda: 0.0, None), (unlimited, 10)):
        found = solve_sparse(
            leduc.floats, watch=lambda pivots: None, time_limit=time_limit, pivot_limit=pivot_limit
        )
        assert found.outcome is FloatOutcome.LIMIT_REACHED
        assert found.pivots <= 50
