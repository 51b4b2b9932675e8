"""The contenders of the benchmark of zero-sum trees find one value."""

import pytest

pytest.importorskip("pyspiel")
pytest.importorskip("pygambit")
pytest.importorskip("cvxpy")


@pytest.mark.peer
def test_contenders_agree_on_small_trees():
    from tests.benchmarks.sequence_form import ours, small_contenders

    found = small_contenders()
    assert len(found) == 3
    for name, (tree, peers) in found.items():
        assert peers
        for peer in peers.values():
            assert peer() == pytest.approx(ours(tree), abs=1e-8), name


def test_highs_agrees_up_to_the_unit_of_payoffs():
    from gametheory_core.catalog.poker import leduc_poker
    from gametheory_core.strategies.sequence_form import sequence_form
    from solvers.trees.sequence_program import sequence_program
    from tests.benchmarks.sequence_form import by_highs, ours

    program = sequence_program(sequence_form(leduc_poker()))
    payoff = 13 / 120  # the largest bet, and the chance of the deal, in Leduc poker
    assert by_highs(program.floats) * payoff == pytest.approx(ours(leduc_poker()), abs=1e-8)
