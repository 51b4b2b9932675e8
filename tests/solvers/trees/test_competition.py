"""Commitment and correlation in strictly competitive trees, by one linear program."""

from functools import partial

import pytest

import gametheory_core as gt
from gametheory_core.evaluation import ExtensiveCorrelation
from solvers import (
    Budget,
    Concept,
    Objective,
    extensive_correlated_commitment,
    extensive_form_correlated_equilibrium,
    extensive_stackelberg,
    sequence_form_lp,
    solve,
)
from tests.solvers.trees.trees import with_payoffs

KUHN = gt.load_game("kuhn_poker")
COMMITMENTS = [extensive_stackelberg, extensive_correlated_commitment]
SOLVERS = {
    **{
        f"{solver.__name__}-{i}": partial(solver, leader=i)
        for solver in COMMITMENTS
        for i in (0, 1)
    },
    **{
        kind.name: partial(extensive_form_correlated_equilibrium, kind=kind)
        for kind in ExtensiveCorrelation
        if kind is not ExtensiveCorrelation.NORMAL_FORM
    },
}
CONCEPTS = [
    Concept.STACKELBERG,
    Concept.CORRELATED_COMMITMENT,
    Concept.EXTENSIVE_CORRELATED,
    Concept.EXTENSIVE_COARSE_CORRELATED,
    Concept.COARSE_CORRELATED,
]
each_solver = pytest.mark.parametrize("solver", SOLVERS.values(), ids=list(SOLVERS))


@pytest.mark.parametrize("concept", CONCEPTS)
def test_poker_and_dice_are_solved_for_what_cases_would_take_forever(concept):
    """The programs over pairs of sequences refuse Leduc poker, or leave dice unproved."""
    for name in ("leduc_poker", "liars_dice:sides=3"):
        game = gt.load_game(name)
        answer = solve(game, concept)
        (solution,) = answer.solutions
        solution.certificate.verify()
        assert solution.certificate.epsilon == 0
        assert solution.payoffs[0] == sequence_form_lp(game).certificate.game_value


@each_solver
def test_units_of_the_second_player_do_not_matter(solver):
    paid = [(u, 7 - 3 * u) for u in KUHN.exact_terminal_payoffs[:, 0].tolist()]
    found = solver(with_payoffs(KUHN, paid))
    found.certificate.verify()
    assert found.certificate.epsilon == 0
    assert found.payoffs == (solver(KUHN).payoffs[0], 7 - 3 * solver(KUHN).payoffs[0])


@each_solver
@pytest.mark.parametrize("limit", [Budget(iterations=0), Budget(seconds=0)])
def test_a_budget_that_ends_leaves_a_certified_answer(solver, limit):
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        solver(KUHN, budget=limit)
    best = caught.value.best
    best.certificate.verify()
    assert best.certificate.epsilon > 0
    if hasattr(best.certificate, "leader"):
        leader = best.certificate.leader
        value = solver(KUHN).payoffs[leader]
        assert best.payoffs[leader] <= value <= best.certificate.upper_bound


@each_solver
def test_progress_is_counted(solver):
    seen = []
    found = solver(KUHN, on_iteration=seen.append)
    assert seen
    assert found.run.iterations == seen[-1].done > 0


@pytest.mark.parametrize("objective", Objective)
def test_every_objective_has_a_bound_that_is_met(objective):
    optimality = extensive_form_correlated_equilibrium(
        KUHN, objective=objective
    ).certificate.optimality
    assert optimality.value == optimality.upper_bound
