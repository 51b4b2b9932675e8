"""Zinkevich et al. 2007, theorem 2: where regrets are small, averages are near equilibrium.

In a two-player zero-sum tree with perfect recall, for every sequence of profiles and all weights,
what both players could gain against the averages (of realization plans) adds up to the sum of
their average regrets; so the averages are an epsilon-Nash equilibrium with that epsilon. In
rationals, without tolerance, on generated trees. Twins: with a third player, and without zero sum,
averages stay far from equilibrium though regrets vanish; last strategies do so even in zero-sum
games; averages of behavior instead of plans need not be near.

Why it matters (counterfactual): It is why averages, and not last strategies, are what CFR returns.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import strategies
from gametheory_core.testing import behavioral_profiles, extensive_form_games
from solvers import counterfactual_regret
from solvers.counterfactual import UpdateOrder
from solvers.local_rules import RegretMatching
from tests.theorems.test_zinkevich2007_regret_bound import total_regret

theorem = pytest.mark.theorem(
    source="Zinkevich, Johanson, Bowling and Piccione 2007",
    statement="In two-player zero-sum trees the average plans are an equilibrium up to the sum of "
    "the average regrets.",
)


def average(game, profiles):
    """Return the average of profiles by realization plans, exactly."""
    form = strategies.sequence_form(game)
    plans = [
        sum(strategies.realization_plan(form, profile, player=i).weights for profile in profiles)
        / len(profiles)
        for i in range(game.num_players)
    ]
    return strategies.behavioral_profile(
        form, tuple(strategies.RealizationPlan(i, w) for i, w in enumerate(plans))
    )


@theorem
@given(st.data())
def test_gains_against_averages_add_up_to_average_regrets(data):
    tree = data.draw(extensive_form_games(zero_sum=True))
    drawn = [data.draw(behavioral_profiles(tree)) for _ in range(data.draw(st.integers(1, 3)))]
    weights = [data.draw(st.integers(1, 3)) for _ in drawn]
    profiles = [p for p, weight in zip(drawn, weights, strict=True) for _ in range(weight)]
    regrets = [total_regret(tree, profiles, i) / len(profiles) for i in range(2)]
    found = gt.certify_nash(tree, average(tree, profiles))
    assert sum(found.deviation_gains) == sum(regrets)
    assert found.epsilon <= sum(regrets)


ROWS = [[3, 0, 1], [1, 3, 0], [0, 1, 3]]
COLUMNS = [[1, 3, 0], [0, 1, 3], [4, 0, 1]]


def chase(*, with_third):
    """Row wants to meet Column, who wants to be one ahead; a third player may pay for it all."""

    def end(i, j):
        both = [ROWS[i][j], COLUMNS[i][j]]
        if not with_third:
            return gt.Terminal(both)
        return gt.Decision(2, "pays", {"pay": gt.Terminal([*both, -sum(both)])})

    children = {
        str(i): gt.Decision(1, "column", {str(j): end(i, j) for j in range(3)}) for i in range(3)
    }
    players = ("Row", "Column", "Third")[: 2 + with_third]
    return gt.from_sketch(gt.Decision(0, "row", children), players=players)


@theorem
@pytest.mark.parametrize("with_third", [True, False])
def test_averages_of_other_games_stay_far_from_equilibrium(with_third):
    """Twin: with the third player it is zero-sum, without it has two players; neither is enough."""
    tree = chase(with_third=with_third)
    run = counterfactual_regret(tree, rule=RegretMatching(), steps=8_000)
    assert run.state.memory.max() / run.state.steps < 1e-3  # average regrets, in units near 4
    assert run.epsilon < Fraction(1, 20)  # so play is near the coarse correlated equilibria
    certificate = gt.certify_nash(tree, run.average)
    certificate.verify()
    assert certificate.epsilon > Fraction(1, 4)


@theorem
@pytest.mark.parametrize("updates", UpdateOrder)
def test_last_strategies_stay_far_from_equilibrium(updates):
    """Twin: they circle."""
    paid = {("H", "H"): 3, ("T", "T"): 1}
    children = {
        a: gt.Decision(
            1, "", {b: gt.Terminal([paid.get((a, b), -1), -paid.get((a, b), -1)]) for b in "HT"}
        )
        for a in "HT"
    }
    tree = gt.from_sketch(gt.Decision(0, "", children), players=("A", "B"))
    far, state = [], None
    for _ in range(8):
        run = counterfactual_regret(
            tree, rule=RegretMatching(), updates=updates, steps=500, start=state
        )
        state = run.state
        far.append(gt.certify_nash(tree, run.last).epsilon)
    assert run.epsilon < Fraction(1, 10)
    assert max(far[4:]) > Fraction(1, 4)


@theorem
def test_averages_of_behavior_are_another_thing():
    """Twin: Ann stays out in every second step, and would have shown heads only there."""
    inside = {
        a: gt.Decision(1, "call", {b: gt.Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
        for a in "HT"
    }
    tree = gt.from_sketch(
        gt.Decision(0, "door", {"in": gt.Decision(0, "coin", inside), "out": gt.Terminal([0, 0])}),
        players=("Ann", "Bob"),
    )
    half = Fraction(1, 2)
    calls = np.array([half, half], dtype=object)
    profiles = [
        gt.BehavioralProfile((*gt.pure_behavior(tree, plan).probabilities[:2], calls))
        for plan in ((0, 0, 0), (1, 1, 0), (0, 1, 0), (1, 1, 0))
    ]
    assert [total_regret(tree, profiles, i) for i in range(2)] == [0, 0]
    assert gt.certify_nash(tree, average(tree, profiles)).epsilon == 0
    mixed = [sum(p.probabilities[s] for p in profiles) / 4 for s in range(3)]
    assert gt.certify_nash(tree, gt.BehavioralProfile(tuple(mixed))).epsilon == half * half
