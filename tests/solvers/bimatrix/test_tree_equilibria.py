"""The best equilibrium of a tree: as good as the best of its reduced normal form, and proved."""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import EquilibriumObjective
from gametheory_core.conversions import count_plans
from gametheory_core.games import is_strictly_competitive
from gametheory_core.testing import extensive_form_games
from solvers import Budget, extensive_best_nash, sequence_form_lp, solve, vertex_enumeration
from solvers.bimatrix import tree_equilibria as module
from tests.solvers.trees.trees import with_payoffs
from tests.theorems.test_adler2009_strict_competition import opposed_trees

BY = EquilibriumObjective
PAYOFF_OBJECTIVES = [BY.LARGEST_WELFARE, BY.LEAST_WELFARE, BY.LARGEST_PAYOFF, BY.LEAST_PAYOFF]
BEER = gt.load_game("beer_quiche")


def scored(payoffs, objective, player):
    """What the objective makes of payoffs."""
    value = sum(payoffs) if "WELFARE" in objective.name else payoffs[player or 0]
    return -value if "LEAST" in objective.name else value


def seat(objective, player):
    return player if "PAYOFF" in objective.name else None


@given(
    extensive_form_games(num_players=(2, 2), max_moves=9),
    st.sampled_from(PAYOFF_OBJECTIVES),
    st.sampled_from([0, 1]),
)
def test_no_extreme_equilibrium_of_the_plans_is_better(game, objective, player):
    assume(count_plans(game, 0) * count_plans(game, 1) <= 60)
    player = seat(objective, player)
    found = extensive_best_nash(game, objective=objective, player=player)
    found.certificate.verify()
    assert found.certificate.epsilon == 0
    assert gt.nash_conv(game, found.profile) == 0
    everything = vertex_enumeration(gt.extensive_to_normal(game).target).equilibria
    assert scored(found.payoffs, objective, player) == max(
        scored(other.payoffs, objective, player) for other in everything
    )
    assert bool(found.certificate.questions) is not bool(is_strictly_competitive(game))


@given(opposed_trees(), st.sampled_from(PAYOFF_OBJECTIVES), st.sampled_from([0, 1]))
def test_opposed_interests_leave_no_choice(game, objective, player):
    player = seat(objective, player)
    found = extensive_best_nash(game, objective=objective, player=player)
    found.certificate.verify()
    assert not found.certificate.questions
    assert found.certificate.score == found.certificate.upper_bound


def test_equilibria_differ_in_what_they_are_best_for():
    """Beer-quiche (Cho and Kreps 1987): the sender gets 2.9 where beer is the signal, else 2.1."""
    most, least = (
        extensive_best_nash(BEER, objective=objective, player=0)
        for objective in (BY.LARGEST_PAYOFF, BY.LEAST_PAYOFF)
    )
    assert (most.payoffs[0], least.payoffs[0]) == (Fraction(29, 10), Fraction(21, 10))
    assert least.certificate.statement == (
        "a Nash equilibrium with a payoff of player 'Sender' of 21/10, exactly; no equilibrium "
        "has less"
    )


def test_large_trees_of_opposed_interests_are_solved():
    dice = gt.load_game("liars_dice:sides=3")
    answer = solve(dice, "best-nash", objective="least-payoff", player=1)
    (found,) = answer.solutions
    found.certificate.verify()
    assert found.payoffs[0] == sequence_form_lp(dice).certificate.game_value
    assert answer.algorithm == "extensive_best_nash"


def test_large_trees_of_other_interests_are_refused(monkeypatch):
    leduc = gt.load_game("leduc_poker")
    paid = [(u, u) for u in leduc.exact_terminal_payoffs[:, 0].tolist()]
    with pytest.raises(gt.UnsupportedGame, match=r"reduced plans, which may make .* sequence_form"):
        extensive_best_nash(with_payoffs(leduc, paid))
    monkeypatch.setattr(module, "MOST_ENTRIES", 100)
    with pytest.raises(gt.UnsupportedGame, match="at most 100 coefficients, but .* 4 x 4 reduced"):
        extensive_best_nash(BEER)


def test_numbers_of_actions_are_no_objective_of_trees():
    with pytest.raises(gt.InvalidArgument, match="an objective about payoffs, but got 'smallest-s"):
        extensive_best_nash(BEER, objective=BY.SMALLEST_SUPPORT)
    with pytest.raises(gt.InvalidArgument, match="an objective about one player's payoff"):
        extensive_best_nash(BEER, player=1)


def test_a_budget_that_ends_leaves_a_certified_interval():
    whole = extensive_best_nash(BEER)
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        extensive_best_nash(BEER, budget=Budget(iterations=0))
    best = caught.value.best
    best.certificate.verify()
    assert best.certificate.score <= whole.certificate.score <= best.certificate.upper_bound
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        extensive_best_nash(gt.load_game("kuhn_poker"), budget=Budget(iterations=0))
    assert caught.value.best is None


def test_progress_is_counted():
    for game in (BEER, gt.load_game("kuhn_poker")):
        seen = []
        found = extensive_best_nash(game, on_iteration=seen.append)
        assert found.run.iterations == seen[-1].done > 0


@pytest.mark.parametrize(("player", "payoffs"), [(0, (1, 1)), (1, (0, 2))])
def test_it_matters_whose_payoff_is_asked_for(player, payoffs):
    """Entry deterrence (Selten 1978): the entrant stays out only of a market that fights."""
    reply = gt.Decision(1, "", {"fight": gt.Terminal([-1, -1]), "share": gt.Terminal([1, 1])})
    entry = gt.Decision(0, "", {"out": gt.Terminal([0, 2]), "in": reply})
    game = gt.from_sketch(entry, players=("Entrant", "Incumbent"))
    assert extensive_best_nash(game, objective=BY.LARGEST_PAYOFF, player=player).payoffs == payoffs
