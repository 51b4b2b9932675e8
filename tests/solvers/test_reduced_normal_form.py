"""Trees through their reduced normal form: every equilibrium carried back, each once, and true."""

import time

import pytest
from hypothesis import assume, given

import gametheory_core as gt
import solvers
from gametheory_core.catalog import load
from gametheory_core.certificates import certify_completeness
from gametheory_core.testing import extensive_form_games
from solvers import reduced_normal_form
from solvers.reduced_normal_form import all_through_normal_form, one_through_normal_form
from solvers.solution import Meter


@given(extensive_form_games(num_players=(2, 2)))
def test_all_equilibria_are_carried_back_once(tree):
    conversion = gt.extensive_to_normal(tree)
    assume(max(conversion.target.num_actions) <= 8)
    found = all_through_normal_form(tree, solvers.vertex_enumeration)
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


@given(extensive_form_games(num_players=(2, 2)))
def test_one_equilibrium_is_carried_back(tree):
    solution = one_through_normal_form(tree, solvers.lemke_howson)
    assert solution.certificate.game == tree
    assert solution.certificate.epsilon == 0
    solution.certificate.verify()


def pennies_twice():
    """Both see which of two tables they are sent to, and play matching pennies there."""

    def table(name):
        return gt.Decision(
            0,
            name,
            {
                a: gt.Decision(
                    1, name, {b: gt.Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"}
                )
                for a in "HT"
            },
        )

    return gt.from_sketch(
        gt.Chance({name: ("1/2", table(name)) for name in ("left", "right")}),
        players=("Even", "Odd"),
    )


def test_profiles_that_behave_alike_are_listed_once():
    """Plans for both tables can be mixed in many ways that are even at each of them."""
    tree = pennies_twice()
    mixed = solvers.vertex_enumeration(gt.extensive_to_normal(tree).target)
    assert len(mixed.equilibria) > 1
    assert len(all_through_normal_form(tree, solvers.vertex_enumeration).equilibria) == 1


@pytest.mark.parametrize("function", [one_through_normal_form, all_through_normal_form])
def test_trees_without_recall_are_refused(function):
    with pytest.raises(gt.UnsupportedGame, match=f"{function.__name__}: needs perfect recall"):
        function(load("forgetful_bit"), solvers.vertex_enumeration)


@pytest.mark.parametrize("seconds", [0.0])
def test_budget_ends_with_equilibria_of_the_tree(seconds):
    tree = load("beer_quiche")
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        all_through_normal_form(
            tree, solvers.vertex_enumeration, budget=solvers.Budget(seconds=seconds)
        )
    best = caught.value.best
    assert best.game == tree
    assert not best.is_complete
    assert best.equilibria
    for solution in best.equilibria:
        assert isinstance(solution.profile, gt.BehavioralProfile)
        solution.certificate.verify()
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        one_through_normal_form(tree, solvers.lemke_howson, budget=solvers.Budget(seconds=seconds))
    assert caught.value.best.certificate.game == tree


def test_time_ends_while_equilibria_are_carried_back(monkeypatch):
    tree, carry_one = load("beer_quiche"), reduced_normal_form._carried_back

    def carried_slowly(*args):
        time.sleep(1.1 * reduced_normal_form.GRACE)
        return carry_one(*args)

    def all_at_any_cost(game, **_):
        return solvers.vertex_enumeration(game)

    monkeypatch.setattr(reduced_normal_form, "_carried_back", carried_slowly)
    with pytest.raises(gt.NotConverged, match="all_through.*: 1 of 4 were carried back") as caught:
        all_through_normal_form(tree, all_at_any_cost, budget=solvers.Budget(seconds=0.0))
    best = caught.value.best
    assert (len(best.equilibria), best.is_complete, best.completeness) == (1, False, None)
    best.equilibria[0].certificate.verify()
    unhurried = all_through_normal_form(tree, all_at_any_cost)
    assert (len(unhurried.equilibria), unhurried.is_complete) == (4, True)


def hidden_moves(depth):
    """Ann and Bob move in turn; each sees all but the last move, so plans multiply."""

    def below(left, past):
        if not left:
            return gt.Terminal([sum(past), -(sum(past) ** 2)])
        mover = left % 2
        children = {str(a): below(left - 1, (*past, a)) for a in range(2)}
        return gt.Decision(mover, (left, past[:-1]), children)

    return gt.from_sketch(below(depth, ()), players=("Ann", "Bob"))


def test_time_ends_while_the_normal_form_is_built(monkeypatch):
    monkeypatch.setattr(reduced_normal_form, "GRACE", 0.0)
    tree, no_time = hidden_moves(5), solvers.Budget(seconds=0.0)
    with pytest.raises(
        gt.NotConverged, match="all_through_normal_form: .* while it was built"
    ) as e:
        all_through_normal_form(tree, solvers.vertex_enumeration, budget=no_time)
    assert (e.value.best.equilibria, e.value.best.is_complete) == ((), False)
    with pytest.raises(
        gt.NotConverged, match="one_through_normal_form: .* while it was built"
    ) as e:
        one_through_normal_form(tree, solvers.lemke_howson, budget=no_time)
    e.value.best.certificate.verify()
    assert e.value.best.profile == gt.uniform_behavior(tree)


def test_trees_with_too_many_plans_are_refused_with_their_numbers():
    with pytest.raises(
        gt.UnsupportedGame, match=r"max_profiles = 1,000,000 joint plans, but .* has"
    ):
        all_through_normal_form(hidden_moves(9), solvers.vertex_enumeration)


def test_three_players_mix_irrationally_in_a_tree():
    """One equilibrium, in which everybody mixes by roots; its stand-in has a tiny epsilon."""
    game = load("irrational_equilibrium")
    payoffs = game.exact_payoffs

    def move(player, past):
        if player == 3:
            return gt.Terminal([own[past] for own in payoffs])
        count = game.num_actions[player]
        return gt.Decision(
            player, f"p{player}", {str(a): move(player + 1, (*past, a)) for a in range(count)}
        )

    tree = gt.from_sketch(move(0, ()), players=game.players)
    found = all_through_normal_form(tree, solvers.polynomial_support_enumeration)
    direct = solvers.polynomial_support_enumeration(game).found
    assert found.is_complete
    assert found.is_complete == direct.is_complete
    assert [s.profile.probabilities[0].tolist() for s in found.equilibria] == [
        s.profile.strategies[0].tolist() for s in direct.equilibria
    ]
    for solution in found.equilibria:
        solution.certificate.verify()
        assert 0 < solution.certificate.epsilon < 1e-9


def test_budget_ends_the_search_over_supports():
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        all_through_normal_form(
            load("selten_horse"),
            solvers.polynomial_support_enumeration,
            budget=solvers.Budget(iterations=0),
        )
    assert not caught.value.best.is_complete
    for solution in caught.value.best.equilibria:
        solution.certificate.verify()


@pytest.mark.parametrize(
    "solver", [solvers.pure, solvers.logit_homotopy, solvers.polynomial_support_enumeration]
)
def test_one_equilibrium_of_three_players_from_sets_and_branches(solver):
    tree = load("selten_horse")
    solution = one_through_normal_form(tree, solver)
    assert solution.certificate.game == tree
    assert solution.certificate.epsilon == 0
    solution.certificate.verify()


def test_one_equilibrium_is_the_first_of_a_set():
    tree = load("beer_quiche")
    every = all_through_normal_form(tree, solvers.vertex_enumeration)
    assert (
        one_through_normal_form(tree, solvers.vertex_enumeration).profile
        == every.equilibria[0].profile
    )


def test_a_branch_that_was_cut_off_is_carried_back():
    with pytest.raises(gt.NotConverged, match="the budget ended") as caught:
        one_through_normal_form(
            load("selten_horse"), solvers.logit_homotopy, budget=solvers.Budget(iterations=1)
        )
    assert caught.value.best.certificate.game == load("selten_horse")
    caught.value.best.certificate.verify()


def test_no_equilibrium_of_the_kind_looked_for():
    with pytest.raises(gt.UnsupportedGame, match="that pure looks for, but .* has none"):
        one_through_normal_form(pennies_twice(), solvers.pure)


def test_an_empty_set_that_is_not_complete():
    def nothing(game, *, budget, on_iteration):
        assert on_iteration is None
        run = Meter(budget, "steps", algorithm="nothing").record()
        return solvers.SolutionSet(game, (), False, "nobody looked", None, run)

    with pytest.raises(
        gt.NotConverged, match="nothing found none and left some possibilities open"
    ):
        one_through_normal_form(pennies_twice(), nothing)


def test_results_that_are_no_equilibria_are_refused_by_name():
    tree = load("beer_quiche")
    with pytest.raises(
        gt.InvalidArgument, match=r"set of equilibria, but lemke_howson .* Solution"
    ):
        all_through_normal_form(tree, solvers.lemke_howson)
    with pytest.raises(gt.InvalidArgument, match=r"but logit_homotopy returned LogitBranch\. Give"):
        all_through_normal_form(tree, solvers.logit_homotopy)
    for function in (one_through_normal_form, all_through_normal_form):
        with pytest.raises(
            gt.InvalidArgument, match=r"but correlated_equilibrium returned Solution"
        ):
            function(tree, solvers.correlated_equilibrium)
        with pytest.raises(gt.InvalidArgument, match=r"<lambda> returned NoneType\. Give"):
            function(tree, lambda _game, **_options: None)
