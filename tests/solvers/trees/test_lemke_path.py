"""Rows of the path: they hold at the prior, at every basis on the way, and at the equilibrium."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import deviation_gains, strategies, uniform_behavior
from gametheory_core.catalog import load
from gametheory_core.evaluation import sequence_payoffs
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers.trees.lemke_path import ExactPath, exact_path, step
from solvers.trees.lemke_tableau import RIGHT, start_of

TREES = extensive_form_games(num_players=(2, 2), max_depth=5, max_moves=10)


def start_at(game, prior):
    form = strategies.sequence_form(game)
    plans = tuple(strategies.realization_plan(form, prior, player=i) for i in range(2))
    return form, plans, start_of(form, plans)


def point_of(form, prior, path):
    """Return the profile that a basis stands for."""
    values, first = path.values, form.players[0].num_sequences - 1
    plans = []
    for i, (low, own) in enumerate(zip((0, first), form.players, strict=True)):
        weights = [Fraction(1)]
        for s in range(1, own.num_sequences):
            mixed = values.get(low + s - 1, 0) + path.weight * prior[i].weights[s]
            weights.append(Fraction(mixed))
        plans.append(strategies.RealizationPlan(i, weights))
    return strategies.behavioral_profile(form, tuple(plans))


@given(st.data())
def test_start_holds_best_replies_to_the_prior(data):
    game = data.draw(TREES)
    prior = data.draw(behavioral_profiles(game))
    form, _, start = start_at(game, prior)
    assert len(start.rows) == len(start.basic) == start.size
    assert sorted(start.order) == sorted(start.basic)
    kinds = [v >= start.size for v in start.order]
    assert kinds == sorted(kinds, reverse=True)  # slacks are perturbed more than sequences
    assert {min(v, (v + start.size) % (2 * start.size)) for v in start.basic} == set(
        range(start.size)
    )
    for row, basic in zip(start.rows, start.basic, strict=True):
        assert row[basic] == 1
        assert row.get(RIGHT, 0) >= 0
    shift = 0
    for own in form.players:  # a slack is 0 just where a sequence is as good as the best beside it
        collected = sequence_payoffs(game, prior, player=own.player).copy()
        slack = {b: row.get(RIGHT, 0) for row, b in zip(start.rows, start.basic, strict=True)}
        for k in reversed(range(len(own.infosets))):
            here = range(own.first_sequence[k], own.first_sequence[k + 1])
            best = max(collected[s] for s in here)
            for s in here:
                is_tied = slack.get(start.size + shift + s - 1, 0) == 0
                assert is_tied == (collected[s] == best)
            collected[own.parent_sequence[k]] += best
        shift += own.num_sequences - 1


def leading_sign(row, order):
    """Return the first of a row's constant and its infinitesimals, by size, that is not 0."""
    return next(row[v] for v in (RIGHT, *order) if row.get(v, 0))


@given(st.data())
def test_every_basis_is_feasible_and_almost_complementary(data):
    game = data.draw(TREES)
    prior = data.draw(behavioral_profiles(game))
    form, plans, start = start_at(game, prior)
    path = exact_path(start)
    seen = set()
    while not path.is_done:
        basis = frozenset(path.basic)
        assert basis not in seen
        seen.add(basis)
        assert all(value >= 0 for value in path.values.values())
        assert 0 < path.weight <= 1  # the path ends as soon as the prior has no weight left
        assert all(leading_sign(row, path.order) > 0 for row in path.rows)
        pairs = [v % path.size for v in path.basic if v < 2 * path.size]
        assert len(set(pairs)) == path.size - 1
        point_of(form, plans, path)  # refuses anything but plans
        step(path)
    assert path.weight == 0
    assert not deviation_gains(game, point_of(form, plans, path)).any()


def test_prior_leaves_first_among_ties():
    """Variable 4 is the prior's weight; infinitesimals alone would let variable 0 leave."""
    rows = [{4: 1, 1: 1, 3: 5, RIGHT: 1}, {0: 1, 1: 1, RIGHT: 1}]
    path = ExactPath(rows, basic=[4, 0], size=2, order=(3, 0), entering=1)
    step(path)
    assert path.is_done
    assert path.basic == [1, 0]


def test_path_of_kuhn_poker_lowers_the_gains_to_nothing():
    game = load("kuhn_poker")
    form, plans, start = start_at(game, uniform_behavior(game))
    path = exact_path(start)
    gains = [max(deviation_gains(game, point_of(form, plans, path)))]
    while not path.is_done:
        step(path)
        gains.append(max(deviation_gains(game, point_of(form, plans, path))))
    assert len(gains) > 5
    assert gains[0] > 0
    assert gains[-1] == 0
