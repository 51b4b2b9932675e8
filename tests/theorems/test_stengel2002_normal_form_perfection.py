"""Von Stengel, van den Elzen and Talman 2002: a completely mixed prior leads to perfection.

The path from a completely mixed prior ends at a normal-form perfect equilibrium. With two players,
these are the equilibria in which nobody's mixed strategy is weakly dominated, which is decided here
by a linear program over the reduced normal form, in rationals, without tolerance. Twin: from a
prior that excludes an action, the path may end at an equilibrium in weakly dominated strategies.

Why it matters (trees): Where the path of a solver starts decides whether it may end in a dominated
strategy.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import sequence_form_lcp
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram

theorem = pytest.mark.theorem(
    source="Von Stengel, van den Elzen and Talman 2002",
    statement="A completely mixed prior leads to an equilibrium without dominated strategies.",
)


def is_weakly_dominated(payoffs, strategy):
    """Maximize what another mixed strategy gains in all, never losing against any action.

    ``payoffs`` is own actions x the opponent's, exact. Columns are the other strategy's weights.
    """
    earned = strategy @ payoffs
    num_rows, num_columns = payoffs.shape[1], len(strategy)
    table = [[-value for value in column] for column in payoffs.T.tolist()]
    table.append([Fraction(1)] * num_columns)
    bounds = [*(-value for value in earned.tolist()), Fraction(1)]
    total = [sum(row, Fraction(0)) for row in payoffs.tolist()]
    numbers = [*bounds, *total, *(value for row in table for value in row)]
    scale = math.lcm(*(Fraction(value).denominator for value in numbers))
    places = [(i, j) for i, row in enumerate(table) for j, value in enumerate(row) if value]
    optimum = solve_exactly(
        LinearProgram(
            objective=np.array([int(value * scale) for value in total], dtype=object),
            rows=np.array([i for i, _ in places], dtype=np.int32),
            columns=np.array([j for _, j in places], dtype=np.int32),
            values=np.array([int(table[i][j] * scale) for i, j in places], dtype=object),
            bounds=np.array([int(value * scale) for value in bounds], dtype=object),
            is_equation=np.arange(num_rows + 1) == num_rows,
            is_free=np.zeros(num_columns, dtype=bool),
        ),
        None,
    )
    return optimum.value > sum(earned.tolist(), Fraction(0)) * scale


def anyone_is_dominated(game, profile):
    conversion = gt.extensive_to_normal(game)
    mixed = conversion.correspondence.to_target(profile)
    first, second = conversion.target.exact_payoffs
    tables = (first, second.T)
    return any(map(is_weakly_dominated, tables, mixed.strategies))


@st.composite
def trees_with_full_priors(draw):
    game = draw(
        extensive_form_games(
            num_players=(2, 2),
            max_moves=8,
            kinds=(PayoffKind.DEGENERATE, PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
        )
    )
    vectors = []
    for infoset in game.infosets[: game.num_decision_infosets]:
        weights = [draw(st.integers(1, 4)) for _ in infoset.actions]
        vectors.append([Fraction(weight, sum(weights)) for weight in weights])
    return game, gt.BehavioralProfile(tuple(vectors))


@theorem
@given(trees_with_full_priors())
def test_completely_mixed_priors_lead_to_undominated_strategies(tree):
    game, prior = tree
    assume(max(gt.extensive_to_normal(game).target.num_actions) <= 12)
    solution = sequence_form_lcp(game, prior=prior)
    assert solution.certificate.epsilon == 0
    assert not anyone_is_dominated(game, solution.profile)


def meeting():
    """Both are paid 1 if both do the second of two things, and nothing else."""
    second = {
        a: gt.Decision(
            1, "unseen", {b: gt.Terminal([1, 1] if a == b == "d" else [0, 0]) for b in "cd"}
        )
        for a in "cd"
    }
    return gt.from_sketch(gt.Decision(0, "first", second), players=("Ann", "Bob"))


@theorem
def test_prior_that_excludes_an_action_may_end_at_dominated_strategies():
    """Twin: nothing tells what is never expected from what is bad."""
    game = meeting()
    stuck = sequence_form_lcp(game, prior=gt.pure_behavior(game, (0, 0)))
    assert stuck.profile == gt.pure_behavior(game, (0, 0))
    assert gt.certify_nash(game, stuck.profile).epsilon == 0
    assert anyone_is_dominated(game, stuck.profile)
    meets = sequence_form_lcp(game, prior=gt.uniform_behavior(game))
    assert meets.payoffs == (1, 1)
    assert not anyone_is_dominated(game, meets.profile)
