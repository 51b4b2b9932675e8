"""Von Stengel and Forges 2008, Farina et al. 2020: kinds of correlation include one another.

Mixtures of Nash equilibria are correlated equilibria told whole plans, which are extensive-form
correlated, which are extensive-form coarse, which are normal-form coarse. On generated trees of one
to three players, with chance, in rationals: a mixture that no deviation of one kind pays against is
not paid against by the weaker kinds, and so are mixtures of equilibria by none. Twins: each
inclusion is strict, by an example.

Why it matters (correlation): Kinds of correlated equilibria of trees differ by when one may still
refuse; this puts them in order.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import solvers
from gametheory_core import Decision, Terminal, extensive_to_normal, from_sketch, load_game
from gametheory_core.certificates import LinearObjective
from gametheory_core.conversions import count_plans
from gametheory_core.evaluation import ExtensiveCorrelation, distance_to
from gametheory_core.strategies import behavioral_mixture
from gametheory_core.testing import extensive_form_games

theorem = pytest.mark.theorem(
    source="von Stengel and Forges 2008",
    statement="Nash, correlated, extensive-form correlated, extensive-form coarse and normal-form "
    "coarse equilibria of a tree include one another in this order.",
)
WEAKER = (
    ExtensiveCorrelation.NORMAL_FORM,
    ExtensiveCorrelation.EXTENSIVE,
    ExtensiveCorrelation.EXTENSIVE_COARSE,
    ExtensiveCorrelation.NORMAL_FORM_COARSE,
)


@theorem
@given(st.data())
def test_mixtures_of_equilibria_are_correlated_equilibria_of_every_kind(data):
    tree = data.draw(extensive_form_games(num_players=(2, 2), max_moves=6))
    assume(count_plans(tree, 0) * count_plans(tree, 1) <= 40)
    conversion = extensive_to_normal(tree)
    found = solvers.vertex_enumeration(conversion.target).equilibria
    profiles = [conversion.correspondence.to_source(solution.profile) for solution in found]
    weights = [data.draw(st.integers(1, 5)) for _ in profiles]
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    mixture = behavioral_mixture(profiles, weights=shares)
    for kind in WEAKER[1:]:
        assert distance_to(tree, mixture, kind=kind).epsilon == 0


@theorem
@given(extensive_form_games(num_players=(2, 2), max_moves=7))
def test_the_best_equilibrium_of_a_kind_is_one_of_the_weaker_kinds(tree):
    best = [
        solvers.extensive_form_correlated_equilibrium(tree),
        solvers.extensive_form_correlated_equilibrium(
            tree, kind=ExtensiveCorrelation.EXTENSIVE_COARSE
        ),
        solvers.extensive_form_correlated_equilibrium(
            tree, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
        ),
    ]
    for place, solution in enumerate(best):
        for kind in WEAKER[place + 1 :]:
            assert distance_to(tree, solution.profile, kind=kind).epsilon == 0
    welfare = [sum(solution.payoffs) for solution in best]
    assert welfare == sorted(welfare)


def side_by_side(rows):
    """Lay a bimatrix game out as a tree."""
    root = {
        str(a): Decision(1, "", {str(b): Terminal(pair) for b, pair in enumerate(row)})
        for a, row in enumerate(rows)
    }
    return from_sketch(Decision(0, "", root), players=("A", "B"))


@theorem
def test_unless_recommendations_are_drawn_apart_more_is_possible_than_nash():
    chicken = side_by_side([[(6, 6), (2, 7)], [(7, 2), (0, 0)]])
    best = solvers.extensive_form_correlated_equilibrium(chicken)
    nash = solvers.vertex_enumeration(extensive_to_normal(chicken).target).equilibria
    assert sum(best.payoffs) == Fraction(21, 2) > max(sum(point.payoffs) for point in nash)


@theorem
def test_unless_plans_are_told_whole_the_school_admits():
    school = load_game("school_signalling")
    told = solvers.correlated_equilibrium(extensive_to_normal(school).target)
    assert told.payoffs == (0, 6)
    assert told.certificate.optimality_gap == 0
    best = solvers.extensive_form_correlated_equilibrium(school)
    assert sum(best.payoffs) == 10
    assert distance_to(school, best.profile, kind=WEAKER[0]).epsilon > 0
    for player, most in ((0, 4), (1, Fraction(13, 2))):
        objective = LinearObjective.payoff(school, player=player)
        best = solvers.extensive_form_correlated_equilibrium(school, objective=objective)
        assert best.payoffs[player] == most


@theorem
def test_unless_recommendations_are_seen_first_more_is_possible():
    game = side_by_side([[(1, 0), (0, 1), (1, 1)], [(0, 3), (3, 1), (1, 0)]])
    assert sum(solvers.extensive_form_correlated_equilibrium(game).payoffs) == 2
    assert sum(
        solvers.extensive_form_correlated_equilibrium(
            game, kind=ExtensiveCorrelation.EXTENSIVE_COARSE
        ).payoffs
    ) == Fraction(17, 6)


@theorem
def test_unless_players_may_leave_on_the_way_more_is_possible():
    centipede = load_game("centipede")
    assert (
        sum(
            solvers.extensive_form_correlated_equilibrium(
                centipede, kind=ExtensiveCorrelation.EXTENSIVE_COARSE
            ).payoffs
        )
        == 2
    )
    best = solvers.extensive_form_correlated_equilibrium(
        centipede, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
    )
    assert sum(best.payoffs) == Fraction(23, 2)
