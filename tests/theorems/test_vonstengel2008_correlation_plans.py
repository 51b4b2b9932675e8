"""Von Stengel and Forges 2008: without chance moves, consistent correlation plans are lotteries.

For two-player trees with perfect recall and without chance, the best welfare over consistent plans
equals the best over lotteries on all pairs of reduced plans, with every deviation written out, for
extensive-form correlated equilibria and both coarse kinds (Farina, Bianchi and Sandholm 2020). On
generated trees, in rationals. Twin: with private chance moves consistent plans win a game of bits
always that lotteries win three times in four.

Why it matters (correlation): Without chance, the best correlated equilibrium of a tree is one
linear program of polynomial size.
"""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import assume, given

from gametheory_core.certificates import BoundProof
from gametheory_core.conversions import count_plans
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import extensive_form_correlated_equilibrium
from tests.plan_pairs import best_welfare, deviations, game_of_bits, program_value

theorem = pytest.mark.theorem(
    source="von Stengel and Forges 2008",
    statement="Without chance moves, the correlation plans of two players are those that add up.",
)
SOLVERS = {
    ExtensiveCorrelation.EXTENSIVE: extensive_form_correlated_equilibrium,
    ExtensiveCorrelation.EXTENSIVE_COARSE: partial(
        extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.EXTENSIVE_COARSE
    ),
    ExtensiveCorrelation.NORMAL_FORM_COARSE: partial(
        extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
    ),
}


@theorem
@pytest.mark.parametrize("kind", SOLVERS, ids=lambda kind: kind.name)
@given(
    tree=extensive_form_games(
        num_players=(2, 2),
        has_chance=False,
        max_moves=8,
        kinds=(PayoffKind.GENERIC, PayoffKind.DEGENERATE, PayoffKind.RATIONAL),
    )
)
def test_the_best_consistent_plan_is_the_best_lottery(kind, tree):
    assume(count_plans(tree, 0) * count_plans(tree, 1) * len(deviations(tree, kind)) <= 20_000)
    solution = SOLVERS[kind](tree)
    solution.certificate.verify()
    proof = solution.certificate.optimality.proof
    assert proof in (BoundProof.CONSISTENCY, BoundProof.COMPETITION)
    assert solution.certificate.epsilon == solution.certificate.optimality_gap == 0
    assert sum(solution.payoffs) == best_welfare(tree, kind)


@theorem
@pytest.mark.parametrize("kind", SOLVERS, ids=lambda kind: kind.name)
def test_with_private_chance_moves_plans_that_add_up_promise_too_much(kind):
    """Twin: four times in four, where lotteries win three."""
    tree = game_of_bits()
    assert program_value(tree, kind, by_profiles=False) == 2
    assert program_value(tree, kind, by_profiles=True) == Fraction(3, 2)
    solution = SOLVERS[kind](tree)
    solution.certificate.verify()
    assert sum(solution.payoffs) == best_welfare(tree, kind) == Fraction(3, 2)
    assert solution.certificate.optimality_gap == 0
