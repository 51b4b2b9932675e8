"""Burch, Moravcik and Schmid 2019: taking turns, regret matching and its plus form never lose.

If players learn one after the other, each one's new strategy earns against what was just met at
least what the old one did. So in two-player zero-sum trees the averages, taken of what was met,
leave no more to gain than both average regrets. In rationals, after every step, on generated trees.
Twins: a rule that trusts forecasts may lose at once, and so does whoever learns at the same time as
the others.

Why it matters (counterfactual): Implementations of CFR update the players in turn, for speed, while
proofs are about updates at once: this is what carries the guarantee over.
"""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.testing import extensive_form_games
from solvers.counterfactual import PredictiveRegretMatchingPlus, UpdateOrder
from solvers.local_rules import RegretMatching, RegretMatchingPlus
from tests.sample_sizes import examples
from tests.solvers.counterfactual.regret_reference import Reference
from tests.theorems.test_zinkevich2007_average_equilibrium import average
from tests.theorems.test_zinkevich2007_regret_bound import total_regret

theorem = pytest.mark.theorem(
    source="Burch, Moravcik and Schmid 2019",
    statement="With alternating updates no update of regret matching or its plus form loses, so "
    "averages of what was met leave at most the average regrets to gain.",
)
rules = st.sampled_from([RegretMatching(), RegretMatchingPlus()])


def turns(tree, rule, steps):
    """Return, step after step, what players met in turn: profiles before each one learned."""
    reference = Reference(tree, rule, UpdateOrder.ALTERNATING, power=0)
    found = []
    for _ in range(steps):
        before = reference.profile().probabilities
        reference.step()
        after = reference.profile().probabilities
        owners = [s.player for s in tree.infosets[: tree.num_decision_infosets]]
        met = [
            gt.BehavioralProfile(
                tuple(
                    new if owner < turn else old
                    for owner, old, new in zip(owners, before, after, strict=True)
                )
            )
            for turn in range(tree.num_players + 1)
        ]
        found.append(met)
    return found


def gains_of_turns(tree, rule, steps):
    """Return what each player wins by each own update."""
    return [
        gt.expected_payoffs(tree, met[player + 1])[player]
        - gt.expected_payoffs(tree, met[player])[player]
        for met in turns(tree, rule, steps)
        for player in range(tree.num_players)
    ]


@theorem
@examples(15)
@given(extensive_form_games(max_moves=7), rules)
def test_no_update_loses(tree, rule):
    assert min(gains_of_turns(tree, rule, 4)) >= 0


@theorem
@examples(15)
@given(extensive_form_games(zero_sum=True, max_moves=7), rules)
def test_averages_of_what_was_met_leave_at_most_the_average_regrets(tree, rule):
    played = turns(tree, rule, 4)
    for steps in range(1, 5):
        met = [[step[player] for step in played[:steps]] for player in range(2)]
        regrets = sum(total_regret(tree, met[player], player) for player in range(2))
        # the second player met the first one's new strategies, the first the second one's old ones
        found = gt.certify_nash(tree, average(tree, met[1]))
        assert sum(found.deviation_gains) <= regrets / Fraction(steps)


def pennies():
    paid = {"u": {"l": -2, "r": 2}, "d": {"l": 1, "r": -3}}
    children = {
        a: gt.Decision(1, "", {b: gt.Terminal([paid[a][b], -paid[a][b]]) for b in "lr"})
        for a in "ud"
    }
    return gt.from_sketch(gt.Decision(0, "", children), players=("Up", "Left"))


@theorem
def test_trusting_forecasts_may_lose_at_once():
    """Twin: a rule that acts on a forecast may do worse than its old strategy."""
    assert min(gains_of_turns(pennies(), RegretMatchingPlus(), 4)) >= 0
    assert min(gains_of_turns(pennies(), PredictiveRegretMatchingPlus(), 4)) < 0


@theorem
def test_who_learns_at_the_same_time_as_others_may_lose():
    """Twin: what was met is gone when all have moved."""
    reference = Reference(pennies(), RegretMatchingPlus(), UpdateOrder.SIMULTANEOUS, power=0)
    earned = []
    for _ in range(4):
        earned.append(gt.expected_payoffs(pennies(), reference.profile())[0])
        reference.step()
    assert sorted(earned) != earned
    assert sorted(earned, reverse=True) != earned  # so that either player loses at times
