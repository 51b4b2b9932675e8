"""Correlated equilibria of trees by linear programs: shapes, budgets, refusals, odd trees."""

from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import random_tree
from gametheory_core.certificates import BoundProof, LinearObjective
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.strategies import behavioral_mixture, correlation_plan, sequence_pairs
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers import Budget, extensive_form_correlated_equilibrium
from solvers.correlated import extensive_form, extensive_form_lottery, extensive_form_program
from solvers.correlated.extensive_form_lottery import lottery_of_plan
from tests.plan_pairs import game_of_bits
from tests.solvers.useless_floats import USELESS, float_solves

SOLVERS = (
    extensive_form_correlated_equilibrium,
    partial(extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.EXTENSIVE_COARSE),
    partial(extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE),
)
SCHOOL = gt.load_game("school_signalling")
each_solver = pytest.mark.parametrize("solver", SOLVERS, ids=["efce", "efcce", "nfcce"])


def nothing():
    """Count nothing."""


@each_solver
def test_trees_with_little_to_decide_are_solved(solver):
    one_node = gt.from_sketch(gt.Terminal([1, 2]), players=("A", "B"))
    alone = gt.from_sketch(
        gt.Decision(1, "", {"l": gt.Terminal([0, "1/3"]), "r": gt.Terminal([1, "1/3"])}),
        players=("A", "B"),
    )
    only_way = gt.from_sketch(
        gt.Decision(0, "", {"on": gt.Decision(1, "", {"on": gt.Terminal([-1, -2])})}),
        players=("A", "B"),
    )
    for game, payoffs in ((one_node, (1, 2)), (alone, (1, Fraction(1, 3))), (only_way, (-1, -2))):
        solution = solver(game)
        solution.certificate.verify()
        assert solution.payoffs == payoffs
        assert solution.certificate.optimality_gap == solution.certificate.epsilon == 0


@each_solver
def test_payoffs_of_any_size_are_exact(solver):
    def prisoners(unit):
        ends = {"cc": (3, 3), "cd": (0, 4), "dc": (4, 0), "dd": (1, 1)}
        root = {
            a: gt.Decision(1, "", {b: gt.Terminal([unit * p for p in ends[a + b]]) for b in "cd"})
            for a in "cd"
        }
        return gt.from_sketch(gt.Decision(0, "", root), players=("A", "B"))

    for unit in (Fraction(10**40), Fraction(1, 10**40), Fraction(1, 3)):
        assert solver(prisoners(unit)).payoffs == (unit, unit)


def hidden_moves(rng, depth):
    """Three actions each in turn, of which the other sees nothing; payoffs are floats."""

    def grow(left, mover, pasts):
        if not left:
            return gt.Terminal(rng.uniform(-1, 1, 2).tolist())
        children = {}
        for action in "abc":
            after = list(pasts)
            after[mover] += action
            children[action] = grow(left - 1, 1 - mover, tuple(after))
        return gt.Decision(mover, pasts[mover] or "start", children)

    return gt.from_sketch(grow(depth, 0, ("", "")), players=("A", "B"))


@each_solver
def test_payoffs_in_floats_need_no_long_walk_of_exact_pivots(solver):
    game = hidden_moves(np.random.default_rng(5), 4)
    solution = solver(game, budget=Budget(iterations=1500))
    solution.certificate.verify()
    assert solution.certificate.epsilon == solution.certificate.optimality_gap == 0


@each_solver
@pytest.mark.parametrize(("seed", "depth"), [(0, 3), (5, 4), (10, 4)])
def test_prices_flow_down_where_deviations_pay_nothing(solver, seed, depth):
    """Each solver has a tree here where multipliers lose weight at a value of zero."""
    solution = solver(random_tree(rng=np.random.default_rng(seed), depth=depth))
    solution.certificate.verify()
    assert solution.certificate.epsilon == solution.certificate.optimality_gap == 0


@each_solver
def test_a_budget_that_ends_leaves_a_measured_profile(solver):
    with pytest.raises(gt.NotConverged, match="the budget ended after") as caught:
        solver(SCHOOL, budget=Budget(iterations=1))
    caught.value.best.certificate.verify()
    seen = []
    solver(SCHOOL, on_iteration=seen.append)
    assert seen
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)


@each_solver
def test_what_the_program_is_not_for_is_refused(solver):
    leduc = gt.load_game("leduc_poker")
    folds = LinearObjective.of_outcomes(leduc, [abs(p) for p in leduc.exact_terminal_payoffs[:, 0]])
    with pytest.raises(gt.UnsupportedGame, match=r"pure profiles, but there are .* paths join"):
        solver(leduc, objective=folds)
    with pytest.raises(gt.InvalidArgument, match="2 payoff weights"):
        solver(SCHOOL, objective=LinearObjective((Fraction(1),)))
    with pytest.raises(gt.InvalidArgument, match="needs objective to be .*LinearObjective"):
        solver(SCHOOL, objective=Fraction(1))


def test_a_program_that_is_too_large_is_refused_with_its_size(monkeypatch):
    monkeypatch.setattr(extensive_form_program, "MOST_ENTRIES", 100)
    with pytest.raises(
        gt.UnsupportedGame, match=r"at most 100 coefficients, but .* has about 2\d\d"
    ):
        extensive_form_correlated_equilibrium(SCHOOL)


@pytest.mark.parametrize(
    "solver",
    [
        extensive_form_correlated_equilibrium,
        partial(extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.EXTENSIVE_COARSE),
    ],
)
def test_a_long_tree_is_refused_before_its_pairs_are_listed(solver, monkeypatch):
    """Pairs are as many as the square of the rounds, and so are the incentives counted first."""

    def listed(*_args, **_options):
        raise AssertionError

    monkeypatch.setattr(extensive_form, "sequence_pairs", listed)
    with pytest.raises(
        gt.UnsupportedGame,
        match=r"at most 2,000,000 coefficients, but .* at least \d,\d{3},\d{3}\. Try",
    ):
        solver(gt.load_game("centipede:rounds=1200"))


def test_too_many_pairs_are_refused_while_they_are_counted(monkeypatch):
    monkeypatch.setattr(extensive_form, "MOST_ENTRIES", 300)
    solver = partial(
        extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
    )
    message = "extensive_form_correlated_eq.*: needs at most 100 pairs of sequences .* Try count"
    with pytest.raises(gt.UnsupportedGame, match=message):
        solver(gt.load_game("centipede:rounds=40"))


@each_solver
def test_objectives_are_extreme_in_their_direction(solver):
    most = solver(SCHOOL, objective=LinearObjective.payoff(SCHOOL, player=0))
    least = solver(SCHOOL, objective=LinearObjective.least_payoff(SCHOOL, player=0))
    assert most.payoffs[0] == 4
    assert least.payoffs[0] == 0
    admitted = [Fraction(int(p[0] > 0)) for p in SCHOOL.exact_terminal_payoffs.tolist()]
    often = solver(SCHOOL, objective=LinearObjective.of_outcomes(SCHOOL, admitted))
    assert often.certificate.optimality.upper_bound == often.certificate.optimality.value > 0


def test_profiles_are_listed_only_where_chance_asks_for_it():
    by_profiles = extensive_form_correlated_equilibrium(SCHOOL).certificate
    assert by_profiles.optimality.proof is BoundProof.ENUMERATION
    by_equations = extensive_form_correlated_equilibrium(gt.load_game("centipede")).certificate
    assert by_equations.optimality.proof is BoundProof.CONSISTENCY


@given(st.data())
def test_the_plan_of_a_mixture_is_drawn_as_a_lottery_again(data):
    game = data.draw(extensive_form_games(num_players=(2, 2), max_moves=8, has_chance=False))
    profiles = [data.draw(behavioral_profiles(game)) for _ in range(2)]
    plan = correlation_plan(game, behavioral_mixture(profiles, weights=["1/3", "2/3"]))
    lottery = lottery_of_plan(plan.pairs, plan.weights, tick=nothing)
    assert lottery.is_pure
    assert len(lottery.weights) <= np.count_nonzero(plan.weights)
    assert correlation_plan(game, lottery).weights.tolist() == plan.weights.tolist()


def test_a_consistent_plan_that_is_no_lottery_is_refused():
    pairs = sequence_pairs(game_of_bits())
    weights = np.full(pairs.num_pairs, Fraction(1, 2), dtype=object)
    weights[0] = Fraction(1)
    for pair, (s, t) in enumerate(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)):
        if s and t:  # bits agree, but where both saw r
            (x, a), (y, b) = divmod(s - 1, 2), divmod(t - 1, 2)
            weights[pair] = Fraction(int((a != b) == (x == y == 1)), 2)
    with pytest.raises(gt.UnsupportedGame, match="none is supported by the last 1 of it"):
        lottery_of_plan(pairs, weights, tick=nothing)


@pytest.mark.parametrize(
    ("seed", "most"),
    [
        (2388, 25),  # 85 if places that others come before were not put off
        (2655, 45),  # 71 if choices that leave the other player none were not dropped at once
    ],
)
def test_profiles_are_found_without_long_searches(monkeypatch, seed, most):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng=rng, depth=int(rng.integers(3, 7)), max_actions=3)
    counts = [len(s.actions) for s in tree.infosets[: tree.num_decision_infosets]]
    profiles = [
        gt.pure_behavior(tree, [int(rng.integers(n)) for n in counts])
        for _ in range(int(rng.integers(2, 9)))
    ]
    plan = correlation_plan(tree, behavioral_mixture(profiles))
    monkeypatch.setattr(extensive_form_lottery, "MOST_STEPS", most)
    lottery = lottery_of_plan(plan.pairs, plan.weights, tick=nothing)
    assert correlation_plan(tree, lottery).weights.tolist() == plan.weights.tolist()


@USELESS
def test_the_best_correlation_does_not_rest_on_floats(useless):
    for seed in range(3):
        game = random_tree(rng=np.random.default_rng(seed), depth=3)
        expected = extensive_form_correlated_equilibrium(game)
        with float_solves(useless):
            found = extensive_form_correlated_equilibrium(game)
        found.certificate.verify()
        assert sum(found.payoffs) == sum(expected.payoffs)


def test_pure_profiles_are_counted_before_they_are_listed(monkeypatch):
    """Chance joins two information sets of each player; one player has more actions at each."""

    def answers(x, y):
        ends = {b: gt.Terminal([0, 0]) for b in "012"}
        return gt.Decision(0, x, {a: gt.Decision(1, y, dict(ends)) for a in "01"})

    ways = {x + y: ("1/4", answers(x, y)) for x in "lr" for y in "lr"}
    pairs = sequence_pairs(gt.from_sketch(gt.Chance(ways), players=("A", "B")))
    monkeypatch.setattr(extensive_form, "MOST_PROFILES", 4 * 9)
    assert extensive_form.needs_profiles(pairs)
    monkeypatch.setattr(extensive_form, "MOST_PROFILES", 4 * 9 - 1)
    with pytest.raises(gt.UnsupportedGame, match=r"at most 35 pure .*there are 36, and paths"):
        extensive_form.needs_profiles(pairs)
