"""Integer plans: constraints hold exactly, replies are those of the core, rounding is small."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.evaluation.deviations import best_response
from gametheory_core.strategies import realization_plan, sequence_form, uniform_behavior
from gametheory_core.testing import PayoffKind, behavioral_profiles, extensive_form_games
from solvers.rounding import GRAIN
from solvers.trees.integer_plans import PlanReplies, behavior, integer_plan
from solvers.trees.sequence_program import sequence_program

TREES = extensive_form_games(num_players=(2, 2), zero_sum=True, kinds=tuple(PayoffKind))


def shares_are_kept(own, plan):
    bounds = pairwise(own.first_sequence.tolist())
    sums = [sum(plan[start:stop]) for start, stop in bounds]
    return sums == plan[own.parent_sequence].tolist() and min(plan) >= 0 < plan[0]


@given(TREES, st.data())
def test_replies_to_exact_plans_are_best_responses(tree, data):
    profile = data.draw(behavioral_profiles(tree)).to_exact()
    form = sequence_form(tree)
    plans = [
        integer_plan(own, realization_plan(form, profile, player=i).weights)
        for i, own in enumerate(form.players)
    ]
    oracle = PlanReplies(form, sequence_program(form))
    for player in (0, 1):
        assert shares_are_kept(form.players[player], plans[player])
        known = best_response(tree, profile, player=player)
        reply = oracle.reply(player, plans[1 - player])
        assert tuple(reply.actions) == known.actions
        total = sum(tree.exact_terminal_payoffs[0].tolist())
        assert reply.value == (known.value if player == 0 else total - known.value)
    same = behavior(form, plans)
    for i in range(2):
        before = realization_plan(form, profile, player=i).weights
        assert realization_plan(form, same, player=i).weights.tolist() == before.tolist()


@given(TREES, st.data())
def test_rounded_plans_keep_constraints_and_are_near(tree, data):
    form = sequence_form(tree)
    exact = data.draw(behavioral_profiles(tree)).to_exact()
    for i, own in enumerate(form.players):
        weights = realization_plan(form, exact, player=i).weights.astype(float)
        plan = integer_plan(own, weights)
        assert shares_are_kept(own, plan)
        error = np.abs(plan.astype(float) / GRAIN - weights)
        assert error.max() <= own.num_sequences**2 * 2.0**-48


@given(TREES)
def test_nothing_is_shared_out_evenly_and_negative_weights_count_as_nothing(tree):
    form = sequence_form(tree)
    uniform = uniform_behavior(tree)
    for i, own in enumerate(form.players):
        even = realization_plan(form, uniform, player=i).weights.astype(float)
        for value in (0.0, -1.0):
            plan = integer_plan(own, np.full(own.num_sequences, value))
            assert shares_are_kept(own, plan)
            assert np.allclose(plan.astype(float) / GRAIN, even, atol=1e-12)


@given(TREES, st.data())
def test_any_floats_become_a_plan(tree, data):
    form = sequence_form(tree)
    for own in form.players:
        size = own.num_sequences
        weights = data.draw(st.lists(st.floats(-2, 2), min_size=size, max_size=size))
        plan = integer_plan(own, np.array(weights))
        assert shares_are_kept(own, plan)
        for start, stop in pairwise(own.first_sequence.tolist()):
            some = any(weight > 0 for weight in weights[start:stop])
            assert not some or not any(plan[s] for s in range(start, stop) if weights[s] <= 0)
