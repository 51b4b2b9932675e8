"""Dodwadmath and Maghsudi 2025, (3), (4), (11), (12): what a mediator gains by remembering.

For fixed agents, on a finite horizon and where nothing is drawn, the recursion that adds returns so
far before it compares leaders finds the fairest sequence of leaders there is, from every node; the
one that looks at returns to come alone may not. Two conditions are not in the paper. With a
discount, returns to come must be brought to the same time as past ones, or each step undoes the
plans of the one before. With drawn states the recursion compares *expected* returns at each node,
so that what it picks later may not be what its own earlier picks counted on being fair. The full
values are the truncated ones plus the past, (12), at every node. Checked in rationals against all
sequences of leaders.

Why it matters (mediation): A mediator that adds up what has been paid is fairer than one that looks
ahead only, under conditions that the paper does not state.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import mediation
from solvers.mediation import jam_value_iteration, mediator_response
from tests.solvers.mediation.mediated_cases import mediated_cases
from tests.theorems.led_games import leader_sequences, led_game, play_out

SOURCE = "Dodwadmath and Maghsudi 2025"
optimal = pytest.mark.theorem(
    source=SOURCE,
    statement="For fixed agents, and where nothing is drawn, a mediator that remembers returns "
    "reaches the fairest of all sequences of leaders.",
)
identity = pytest.mark.theorem(
    source=SOURCE, statement="The mediator's full values are the truncated ones plus the past."
)
REMEMBERS = mediation.MediatorIncentives(mediation.MINIMUM, mediation.MediatorStage.PRE_FINAL)
FORGETS = mediation.MediatorIncentives(mediation.MINIMUM, mediation.MediatorStage.NAIVE)


def seeded_profile(game, seed, agents=mediation.Memory.HISTORY, mediator=mediation.Memory.HISTORY):
    rng = np.random.default_rng(seed)
    return mediation.random_mediated_profile(game, rng=rng, agents=agents, mediator=mediator)


def action_by(game, profile):
    """What an agent of a profile on histories does, looked up by returns."""
    histories = mediation.mediated_histories(game)
    table = {
        (step, int(state), histories.returns(step, node)): profile.actions[step][node]
        for step, layer in enumerate(histories.layers)
        for node, state in enumerate(layer.states)
    }
    return lambda step, state, returns, leader: table[step, state, tuple(map(Fraction, returns))][
        leader
    ]


@optimal
@given(
    mediated_cases(deterministic=True, max_states=2, stages=(mediation.MediatorStage.PRE_FINAL,)),
    st.integers(0, 99),
)
def test_remembering_finds_the_fairest_sequence_of_leaders(case, seed):
    game, incentives = case
    profile = seeded_profile(game, seed)
    found = mediator_response(game, profile, incentives=incentives)
    fairness, acts = incentives.fairness, action_by(game, profile)
    assert mediation.mediated_fairness(game, found, fairness) == max(
        mediation.fairness_value(fairness, play_out(game, leaders, acts))
        for leaders in leader_sequences(game)
    )


@optimal
@given(
    mediated_cases(deterministic=True, max_states=2, stages=(mediation.MediatorStage.NAIVE,)),
    st.integers(0, 99),
)
def test_forgetting_is_never_fairer(case, seed):
    game, naive = case
    forgetting = seeded_profile(game, seed, mediation.Memory.STEP, mediation.Memory.STEP)
    forgetting = mediator_response(game, forgetting, incentives=naive)
    start = seeded_profile(game, seed, mediation.Memory.STEP)
    remembering = mediator_response(
        game,
        replace(start, actions=forgetting.actions),
        incentives=replace(naive, stage=mediation.MediatorStage.PRE_FINAL),
    )
    fairness = naive.fairness
    assert mediation.mediated_fairness(game, remembering, fairness) >= mediation.mediated_fairness(
        game, forgetting, fairness
    )


def two_steps(first, second, **options):
    """Each leader has one action a step, and pays as written; the law after the first may vary."""
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"first": 1},
        actions=[["lead"], ["lead"]],
        play=lambda state, leader, _: (
            (first[leader], {after: weight for after, (weight, _) in second.items()})
            if state == "first"
            else (second[state][1][leader], {state: 1})
        ),
        **options,
    )


@optimal
def test_forgetting_twin_is_strictly_less_fair():
    """Somebody has got 3 already; whoever forgets it treats both alike at the end."""
    game = two_steps([(3, 0), (3, 0)], {"second": (1, [(1, 1), (0, 3)])})
    values = [
        mediation.mediated_fairness(
            game,
            mediator_response(
                game, seeded_profile(game, 0, mediation.Memory.STEP, memory), incentives=incentives
            ),
            mediation.MINIMUM,
        )
        for incentives, memory in (
            (REMEMBERS, mediation.Memory.HISTORY),
            (FORGETS, mediation.Memory.STEP),
        )
    ]
    assert values == [3, 1]


@optimal
def test_drawn_states_twin_leaves_fairer_expected_returns_aside():
    """By lot A or B may get 6: fair on average, but in neither state once it is known."""
    game = two_steps(
        [(0, 0), (0, 0)], {"left": ("1/2", [(2, 2), (6, 0)]), "right": ("1/2", [(2, 2), (0, 6)])}
    )
    start = seeded_profile(game, 0)
    found = mediator_response(game, start, incentives=REMEMBERS)
    assert mediation.mediated_returns(game, found) == (2, 2)
    promised = replace(found, leaders=((0,), (1, 1)))
    assert mediation.mediated_returns(game, promised) == (3, 3)
    assert mediation.mediated_fairness(game, promised, mediation.MINIMUM) == 3
    certificate = mediation.certify_mediated(
        game, found, incentives=REMEMBERS
    )  # checks single picks alone
    certificate.verify()
    assert not certificate.has_fairest_plan
    assert certificate.fairness == 2


@optimal
def test_forgetting_twin_has_a_fairer_plan_where_no_single_pick_is():
    """The second leads twice, (3, 6); the first at last, (5, 4), repays what the second got."""
    game = led_game([[(6, 0)], [(2, 4)]], rounds=2, discount=Fraction(1, 2))
    found = jam_value_iteration(game, stage=mediation.MediatorStage.NAIVE).solution.certificate
    found.verify()
    assert found.profile.leaders == ((1,), (1,))
    assert not found.has_fairest_plan
    assert "no single other pick of the mediator makes returns to come fairer" in found.statement
    assert found.fairness == 3
    other = replace(found.profile, leaders=((1,), (0,)))
    assert mediation.mediated_fairness(game, other, mediation.MINIMUM) == 4
    remembering = jam_value_iteration(
        game, stage=mediation.MediatorStage.PRE_FINAL
    ).solution.certificate
    assert remembering.has_fairest_plan
    assert remembering.fairness == 4


@optimal
@given(
    mediated_cases(deterministic=True, max_states=2, stages=(mediation.MediatorStage.PRE_FINAL,)),
    st.integers(0, 99),
)
def test_single_picks_settle_all_plans_at_every_node(case, seed):
    """Where no pick is fairer, no sequence of leaders from there on is, whatever the node."""
    game, incentives = case
    found = mediator_response(game, seeded_profile(game, seed), incentives=incentives)
    acts, histories = action_by(game, found), mediation.mediated_histories(game)
    full = mediation.full_values(game, found)
    for step, layer in enumerate(histories.layers):
        for node, state in enumerate(layer.states):
            kept = mediation.fairness_value(
                incentives.fairness, full[step][node][found.leaders[step][node]]
            )
            assert kept == max(
                mediation.fairness_value(
                    incentives.fairness,
                    play_on(game, leaders, acts, step, int(state), histories.returns(step, node)),
                )
                for leaders in product(range(game.num_players), repeat=game.horizon - step)
            )


def play_on(game, leaders, acts, step, state, returns):
    """Return everybody's returns of all steps if these lead from a node on."""
    for t, leader in enumerate(leaders, start=step):
        if game.is_terminal(state):
            break
        row = game.row(state, leader, acts(t, state, returns, leader))
        pairs = zip(returns, game.rewards[row].tolist(), strict=True)
        returns = tuple(h + game.discount**t * r for h, r in pairs)
        state = int(game.transition_kernel.outcome[game.transition_kernel.start[row]])
    return returns


@optimal
def test_undiscounted_comparison_twin_undoes_its_own_plan():
    """Returns to come that are not brought to the time of past ones look too large."""
    game = two_steps([(2, 0), (2, 0)], {"second": (1, [(0, 4), (2, 3)])}, discount=Fraction(1, 2))
    found = mediator_response(game, seeded_profile(game, 0), incentives=REMEMBERS)
    past = mediation.mediated_histories(game).returns(1, 0)
    to_come = mediation.truncated_values(game, found)[1][0]
    naively = [
        mediation.fairness_value(mediation.MINIMUM, [h + v for h, v in zip(past, own, strict=True)])
        for own in to_come
    ]
    assert naively == [2, 3]
    assert [
        mediation.fairness_value(mediation.MINIMUM, own)
        for own in mediation.full_values(game, found)[1][0]
    ] == [2, Fraction(3, 2)]
    assert found.leaders[1] == (0,)
    assert mediation.mediated_fairness(game, found, mediation.MINIMUM) == 2


@identity
@given(mediated_cases(max_states=2, horizons=(1, 3)), st.integers(0, 99))
def test_full_values_are_the_past_and_the_discounted_truncated_ones(case, seed):
    game, _ = case
    profile = seeded_profile(game, seed)
    full, truncated = (
        mediation.full_values(game, profile),
        mediation.truncated_values(game, profile),
    )
    histories = mediation.mediated_histories(game)
    for t, layer in enumerate(histories.layers):
        for node in range(layer.num_nodes):
            past = histories.returns(t, node)
            for whole, to_come in zip(full[t][node], truncated[t][node], strict=True):
                assert whole == tuple(
                    h + game.discount**t * q for h, q in zip(past, to_come, strict=True)
                )


@identity
@given(mediated_cases(max_states=2, horizons=(1, 3)), st.integers(0, 99))
def test_full_values_are_the_mean_of_those_of_the_next_leaders(case, seed):
    """(11), and at an end of play the returns of all steps."""
    game, _ = case
    profile = seeded_profile(game, seed)
    full, histories = mediation.full_values(game, profile), mediation.mediated_histories(game)
    for t, layer in enumerate(histories.layers):
        for node in range(layer.num_nodes):
            for leader, value in enumerate(full[t][node]):
                action = profile.actions[t][node][leader]
                row = int(layer.row[node, leader, action])
                step = zip(histories.returns(t, node), game.rewards[row].tolist(), strict=True)
                ended = tuple(h + game.discount**t * r for h, r in step)
                weights = game.transition_kernel.weight[game.transition_kernel.row(row)]
                mean = [Fraction(0)] * game.num_players
                for weight, child in zip(
                    weights, layer.child[node, leader, action, : len(weights)], strict=True
                ):
                    after = ended
                    if child >= 0:
                        after = full[t + 1][child][profile.leaders[t + 1][child]]
                    mean = [m + weight * v for m, v in zip(mean, after, strict=True)]
                assert value == tuple(mean)


@identity
@given(mediated_cases(deterministic=True, max_states=2, horizons=(1, 3)), st.integers(0, 99))
def test_full_values_of_the_start_are_the_returns_of_play(case, seed):
    game, _ = case
    profile = seeded_profile(game, seed)
    histories = mediation.mediated_histories(game)
    acts = action_by(game, profile)
    picks = {
        (t, int(state), histories.returns(t, node)): profile.leaders[t][node]
        for t, layer in enumerate(histories.layers)
        for node, state in enumerate(layer.states)
    }
    (start,) = histories.start
    assume(start >= 0)
    for first, value in enumerate(mediation.full_values(game, profile)[0][start]):
        assert value in {
            play_out(game, leaders, acts)
            for leaders in leader_sequences(game)
            if leaders[0] == first and follows(game, leaders, acts, picks)
        }


def follows(game, leaders, acts, picks):
    """Tell whether a sequence of leaders is what the picks lead to, but for the first one."""
    (state,) = game.initial_kernel.outcome.tolist()
    returns = (Fraction(0),) * game.num_players
    for t, leader in enumerate(leaders):
        if game.is_terminal(state):
            return True
        if t and picks[t, state, returns] != leader:
            return False
        row = game.row(state, leader, acts(t, state, returns, leader))
        pairs = zip(returns, game.rewards[row].tolist(), strict=True)
        returns = tuple(h + game.discount**t * r for h, r in pairs)
        state = int(game.transition_kernel.outcome[game.transition_kernel.start[row]])
    return True
