"""McMahan, Gordon and Blum 2003: growing by best responses ends with the value of the whole game.

On generated matrices and trees, in rationals: the end is exact, and what both best responses say
bounds the value after each round, ever more closely. Twins: the value of the restricted game itself
goes down and up again on the way; an oracle whose answers are not the best ends at a wrong value,
unless what it overlooks is known; and with payoffs of any sum the last restricted game has an
equilibrium that is none of the whole game's bounds.

Why it matters (zero-sum): Games too large to write down are solved by looking at the few actions
that best responses name.
"""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core.games import OracleGame
from gametheory_core.testing import PayoffKind, extensive_form_games, zero_sum_games
from solvers import minimax, sequence_form_lp
from solvers.trees import sequence_form_double_oracle
from solvers.zero_sum import double_oracle, implicit_double_oracle

theorem = pytest.mark.theorem(
    source="McMahan, Gordon and Blum 2003",
    statement="Double oracle ends with the value of the whole game; its best bounds only close.",
)
RESTLESS = gt.NormalFormGame.zero_sum([[1, 2, 0], [2, 1, -1], [0, 2, 1]])


def check_rounds(rounds, value):
    assert rounds
    assert all(known.lower <= value <= known.upper for known in rounds)
    for before, after in pairwise(rounds):
        assert before.lower <= after.lower
        assert before.upper >= after.upper
        assert all(a <= b for a, b in zip(before.sizes, after.sizes, strict=True))
    assert rounds[-1].lower == rounds[-1].upper == value


@theorem
@given(zero_sum_games(max_actions=7, kinds=tuple(PayoffKind)))
def test_matrices_end_with_their_value(game):
    run = double_oracle(game)
    run.solution.certificate.verify()
    assert run.solution.certificate.epsilon == 0
    check_rounds(run.rounds, minimax(game).certificate.game_value)


@theorem
@given(extensive_form_games(num_players=(2, 2), zero_sum=True))
def test_trees_end_with_their_value(tree):
    run = sequence_form_double_oracle(tree)
    run.solution.certificate.verify()
    value = sequence_form_lp(tree).certificate.game_value
    assert run.solution.certificate.game_value == value
    if run.rounds:  # else even play is optimal
        check_rounds(run.rounds, value)


@theorem
def test_the_value_of_the_restricted_game_goes_down_and_up():
    rounds = double_oracle(RESTLESS).rounds
    assert [known.restricted_value for known in rounds] == [1.0, 0.0, 0.5]
    check_rounds(rounds, Fraction(1, 2))


def asked(payoffs, *, rows):
    """A game of oracles in which the first sees only some rows."""

    def row_value(row, mixture):
        return sum(Fraction(payoffs[row][column]) * weight for column, weight in mixture)

    def column_value(column, mixture):
        return sum(Fraction(payoffs[row][column]) * weight for row, weight in mixture)

    def best_row(mixture):
        found = max(rows, key=lambda row: row_value(row, mixture))
        return found, row_value(found, mixture)

    def best_column(mixture):
        found = min(range(len(payoffs[0])), key=lambda column: column_value(column, mixture))
        return found, column_value(found, mixture)

    return OracleGame(lambda row, column: payoffs[row][column], best_row, best_column, (rows[0], 0))


@theorem
@given(zero_sum_games(max_actions=5))
def test_oracles_for_any_objects_end_with_the_value(game):
    payoffs = game.exact_payoffs[0].tolist()
    run = implicit_double_oracle(asked(payoffs, rows=range(len(payoffs))))
    run.solution.certificate.verify()
    assert run.solution.certificate.game_value == minimax(game).certificate.game_value


@theorem
def test_an_oracle_that_overlooks_what_nobody_knows_ends_at_a_wrong_value():
    """So the certificate names it as what it rests on."""
    payoffs = [[1, 0], [0, 1], [1, 1]]
    certificate = implicit_double_oracle(asked(payoffs, rows=(0, 1))).solution.certificate
    certificate.verify()
    assert certificate.game_value == Fraction(1, 2)
    assert minimax(gt.NormalFormGame.zero_sum(payoffs)).certificate.game_value == 1
    assert "best_row" in certificate.rests_on


@theorem
def test_without_a_constant_sum_best_responses_bound_no_value():
    """Each is a best response to the other in (0, 0), and both gain by meeting in (1, 1)."""
    game = gt.NormalFormGame.bimatrix([[1, 0], [0, 2]], [[1, 0], [0, 2]])
    for actions, paid in (((0, 0), 1), ((1, 1), 2)):
        certificate = gt.certify_nash(game, gt.pure_profile(game, actions))
        assert (certificate.epsilon, certificate.payoffs[0]) == (0, paid)
    with pytest.raises(gt.UnsupportedGame, match="needs a zero-sum"):
        double_oracle(game)
