"""Zero and constant sums by definition, with the cell or end of play that breaks them."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, testing
from gametheory_core.games import is_constant_sum, is_zero_sum
from gametheory_core.games.properties import payoff_sum
from tests.core.naive_trees import plays

ALL_KINDS = tuple(testing.PayoffKind)
TABLES = st.one_of(
    testing.normal_form_games(kinds=ALL_KINDS, max_actions=2),
    testing.zero_sum_games(kinds=ALL_KINDS),
    testing.zero_sum_games().map(
        lambda game: NormalFormGame.from_payoffs(game.exact_payoffs + Fraction(1, 3))
    ),
)


def sums_of_cells(game):
    """Exact sum of payoffs at each joint action, the given numbers read one by one."""
    given_payoffs = game.given_payoffs
    return {
        joint: sum(Fraction(given_payoffs[(i, *joint)]) for i in range(game.num_players))
        for joint in np.ndindex(game.num_actions)
    }


@given(TABLES)
def test_sums_of_normal_forms_are_decided_by_definition(game):
    sums = sums_of_cells(game)
    zero, constant = is_zero_sum(game), is_constant_sum(game)
    assert zero.holds == all(total == 0 for total in sums.values())
    assert constant.holds == (len(set(sums.values())) == 1)
    assert payoff_sum(game) == next(iter(sums.values()))
    if not zero:
        assert sums[zero.witness] != 0
        assert f"sum to {sums[zero.witness]}, not 0" in zero.reason
    if not constant:
        assert sums[constant.witness] != payoff_sum(game)


@given(
    st.one_of(
        testing.extensive_form_games(num_players=(1, 2)),
        testing.extensive_form_games(zero_sum=True),
    )
)
def test_sums_of_trees_are_decided_by_definition(game):
    sums = {play.node: sum(play.paid) for play in plays(game)}
    zero, constant = is_zero_sum(game), is_constant_sum(game)
    assert zero.holds == all(total == 0 for total in sums.values())
    assert constant.holds == (len(set(sums.values())) == 1)
    assert payoff_sum(game) == next(iter(sums.values()))
    for verdict, total in ((zero, 0), (constant, payoff_sum(game))):
        if not verdict:
            (node,) = verdict.witness
            assert sums[node] != total
            assert f"sum to {sums[node]}, not {total}" in verdict.reason


@pytest.mark.parametrize("last", [0.3, np.nextafter(0.3, 1)])
def test_floats_that_only_seem_to_cancel_do_not(last):
    rows, columns = np.array([[0.1 + 0.2]]), np.array([[-last]])
    game = NormalFormGame.bimatrix(rows, columns)
    assert is_zero_sum(game).holds == (last == 0.1 + 0.2)
    assert is_constant_sum(game)
    assert payoff_sum(game) == Fraction(0.1 + 0.2) - Fraction(float(last))


def test_float_sums_are_exact_where_floats_would_round():
    rows, columns = np.array([[1e16, 0.0]]), np.array([[1.0, 1e16]])
    verdict = is_constant_sum(NormalFormGame.bimatrix(rows, columns))
    assert not verdict
    assert "('1', '2') sum to 10000000000000000, not 10000000000000001" in verdict.reason


@given(
    st.lists(st.floats(-1e300, 1e300), min_size=4, max_size=4),
    st.sampled_from([1.0, 0.1, 1e300, -3e-5, 1e-310]),
)
def test_constant_sums_of_floats_are_decided_exactly(values, total):
    """Differences to a constant, rounded: some games are constant-sum, some only nearly."""
    rows = np.array(values).reshape(2, 2)
    game = NormalFormGame.bimatrix(rows, total - rows)
    assert is_constant_sum(game).holds == (len(set(sums_of_cells(game).values())) == 1)


def test_halves_that_sum_to_a_constant_do_so_exactly():
    rows = np.arange(12.0).reshape(3, 4) / 8
    assert is_constant_sum(NormalFormGame.bimatrix(rows, 1.0 - rows))
    last = NormalFormGame.bimatrix(rows, np.where(rows == rows.max(), 2.0, 1.0) - rows)
    assert is_constant_sum(last).witness == (2, 3)


def test_sums_beyond_floats_are_still_compared():
    largest = np.full((1, 2), 1.7e308)
    assert is_constant_sum(NormalFormGame.bimatrix(largest, largest))
    assert not is_constant_sum(NormalFormGame.bimatrix(largest, np.array([[1.7e308, 1.6e308]])))
