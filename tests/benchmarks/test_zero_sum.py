"""The benchmark functions run, and what they compare finds one value."""

import pytest

pytest.importorskip("quantecon")
pytest.importorskip("nashpy")
pytest.importorskip("pyspiel")


@pytest.mark.peer
def test_matrices_are_compared():
    from tests.benchmarks.zero_sum import matrix_rows

    assert [row.peer_name for row in matrix_rows(5, rounds=1)] == [
        "HiGHS",
        "HiGHS interior point",
        "QuantEcon minmax",
        "nashpy linear_program",
    ]


@pytest.mark.peer
def test_contenders_agree_on_the_value():
    from tests.benchmarks.zero_sum import certified, peers, random_payoffs

    payoffs = random_payoffs(40)
    value = certified(payoffs)
    for name, peer in peers(payoffs).items():
        assert peer() == pytest.approx(value, abs=1e-6), name


@pytest.mark.peer
def test_small_and_exact_games_are_compared(monkeypatch):
    from tests.theorems.test_stengel2010_leadership_trees import zero_sum

    monkeypatch.setattr(zero_sum, "REPETITIONS", 2)
    assert len(zero_sum.small_rows()) == 2
    assert len(zero_sum.exact_rows(4, rounds=1)) == 1
