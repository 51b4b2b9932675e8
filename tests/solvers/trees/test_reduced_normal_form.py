"""Trees through their reduced normal form: every equilibrium carried back, each once, and true."""

import pytest
from hypothesis import assume, given, settings

from gametheory_core.catalog.index import load
from gametheory_core.certificates.completeness import certify_completeness
from gametheory_core.conversions.extensive_normal import extensive_to_normal
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.testing.generators import extensive_form_games
from solvers.bimatrix.lemke_howson import lemke_howson
from solvers.bimatrix.vertex_enumeration import vertex_enumeration
from solvers.solution import Budget
from solvers.trees.reduced_normal_form import all_through_normal_form, one_through_normal_form


@settings(max_examples=120)
@given(extensive_form_games(num_players=(2, 2)))
def test_all_equilibria_are_carried_back_once(tree):
    conversion = extensive_to_normal(tree)
    assume(max(conversion.target.num_actions) <= 8)
    found = all_through_normal_form(tree, vertex_enumeration)
    assert found.is_complete
    assert found.equilibria
    profiles = [solution.profile for solution in found.equilibria]
    assert len(set(profiles)) == len(profiles)
    independent = certify_completeness(conversion.target).profiles
    assert set(profiles) == {conversion.correspondence.to_source(p) for p in independent}
    for solution in found.equilibria:
        assert solution.certificate.game == tree
        assert solution.certificate.epsilon == 0
        solution.certificate.verify()


@settings(max_examples=120)
@given(extensive_form_games(num_players=(2, 2)))
def test_one_equilibrium_is_carried_back(tree):
    solution = one_through_normal_form(tree, lemke_howson)
    assert solution.certificate.game == tree
    assert solution.certificate.epsilon == 0
    solution.certificate.verify()


def pennies_twice():
    """Both see which of two tables they are sent to, and play matching pennies there."""

    def table(name):
        return Decision(
            0,
            name,
            {
                a: Decision(1, name, {b: Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
                for a in "HT"
            },
        )

    return from_sketch(
        Chance({name: ("1/2", table(name)) for name in ("left", "right")}), players=("Even", "Odd")
    )


def test_profiles_that_behave_alike_are_listed_once():
    """Plans for both tables can be mixed in many ways that are even at each of them."""
    tree = pennies_twice()
    mixed = vertex_enumeration(extensive_to_normal(tree).target)
    assert len(mixed.equilibria) > 1
    assert len(all_through_normal_form(tree, vertex_enumeration).equilibria) == 1


@pytest.mark.parametrize("function", [one_through_normal_form, all_through_normal_form])
def test_trees_without_recall_are_refused(function):
    with pytest.raises(UnsupportedGame, match=f"{function.__name__}: needs perfect recall"):
        function(load("forgetful_bit"), vertex_enumeration)


@pytest.mark.parametrize("seconds", [0.0])
def test_budget_ends_with_equilibria_of_the_tree(seconds):
    tree = load("beer_quiche")
    with pytest.raises(NotConverged, match="the budget ended") as caught:
        all_through_normal_form(tree, vertex_enumeration, budget=Budget(seconds=seconds))
    best = caught.value.best
    assert best.game == tree
    assert not best.is_complete
    assert best.equilibria
    for solution in best.equilibria:
        assert isinstance(solution.profile, BehavioralProfile)
        solution.certificate.verify()
    with pytest.raises(NotConverged, match="the budget ended") as caught:
        one_through_normal_form(tree, lemke_howson, budget=Budget(seconds=seconds))
    assert caught.value.best.certificate.game == tree
