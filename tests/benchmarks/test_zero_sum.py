"""The benchmark functions run."""

import pytest

pytest.importorskip("quantecon")
pytest.importorskip("pyspiel")


@pytest.mark.peer
def test_matrices_are_compared():
    from tests.benchmarks.zero_sum import matrix_rows

    assert [row.peer_name for row in matrix_rows(5, rounds=1)] == ["HiGHS", "QuantEcon minmax"]
