"""Values, transfers and deviations of mediated games, beside simple recursions over plays."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, mediation
from gametheory_core.mediation.certificate import (
    MediatedDeviation,
    agent_deviation,
    best_leading_value,
    mediator_deviation,
)
from gametheory_core.mediation.fairness import ends_play, require_known_ends
from tests.sample_sizes import examples
from tests.solvers.mediation.mediated_cases import mediated_cases


def followed(game, profile, incentives=None):
    """What everybody expects, by following every play to its end; transfers where it ends."""
    nothing = (Fraction(0),) * game.num_players
    kernel = game.initial_kernel
    total = nothing
    for state, odds in zip(kernel.outcome.tolist(), kernel.weight.tolist(), strict=True):
        paid = nothing
        if not game.is_terminal(state):
            paid = returns_from(game, profile, incentives, (0, state, nothing))
        total = tuple(a + odds * b for a, b in zip(total, paid, strict=True))
    return total


def drawn_profile(game, seed, agents=mediation.Memory.HISTORY):
    return mediation.random_mediated_profile(game, rng=np.random.default_rng(seed), agents=agents)


REMEMBERING = (mediation.MediatorStage.PRE_FINAL, mediation.MediatorStage.FULL)
CASES = mediated_cases(horizons=(1, 3), max_states=2, stages=REMEMBERING)
SMALL_CASES = mediated_cases(horizons=(1, 2), max_states=2, max_actions=2, stages=REMEMBERING)


@given(CASES, st.integers(0, 99))
def test_returns_are_those_of_all_plays(case, seed):
    game, incentives = case
    profile = drawn_profile(game, seed)
    assert mediation.mediated_returns(game, profile) == followed(game, profile)
    with_transfers = mediation.mediated_returns(game, profile, incentives=incentives)
    assert with_transfers == followed(game, profile, incentives)
    assert sum(with_transfers) == sum(followed(game, profile))  # nothing is lost or made


@examples(30)
@given(mediated_cases(horizons=(1, 3), deterministic=True, max_states=2), st.integers(0, 99))
def test_fairness_is_that_of_the_returns_where_nothing_is_drawn(case, seed):
    game, incentives = case
    profile = drawn_profile(game, seed)
    assert mediation.mediated_fairness(
        game, profile, incentives.fairness
    ) == mediation.fairness_value(incentives.fairness, mediation.mediated_returns(game, profile))


@examples(30)
@given(SMALL_CASES, st.integers(0, 99))
def test_a_deviation_found_is_one_and_none_found_means_none(case, seed):
    """One action changed at one node: what the agent then gets if it is picked there."""
    game, incentives = case
    profile = drawn_profile(game, seed)
    found = agent_deviation(game, profile, incentives)
    gains = {
        (t, node, agent, action)
        for t, layer in enumerate(profile.actions)
        for node, own in enumerate(layer)
        for agent in range(game.num_players)
        for action in game.legal(
            int(mediation.mediated_histories(game).layers[t].states[node]), agent
        )
        if action != own[agent] and gain_of(game, profile, incentives, t, node, agent, action) > 0
    }
    if found is None:
        assert not gains
    else:
        where = (found.step, found.node, found.player, found.choice)
        assert where in gains
        weight = game.discount**found.step
        assert gain_of(game, profile, incentives, *where) == weight * (found.better - found.value)


def gain_of(game, profile, incentives, t, node, agent, action):
    """How much better off the agent is at the node by another action, if it is picked there."""
    assume(game.discount)
    histories = mediation.mediated_histories(game)
    state, past = int(histories.layers[t].states[node]), histories.returns(t, node)
    values = []
    for own in (profile.actions[t][node][agent], action):
        actions, leaders = [list(x) for x in profile.actions], [list(x) for x in profile.leaders]
        actions[t][node] = (*actions[t][node][:agent], own, *actions[t][node][agent + 1 :])
        leaders[t][node] = agent
        changed = replace(
            profile, actions=tuple(map(tuple, actions)), leaders=tuple(map(tuple, leaders))
        )
        values.append(returns_from(game, changed, incentives, (t, state, past))[agent])
    return values[1] - values[0]


def returns_from(game, profile, incentives, where):
    """What everybody has in the end if play passes through a node, discounted to step 0."""
    t, state, past = where
    histories = mediation.mediated_histories(game)
    place = {(int(s), histories.returns(t, n)): n for n, s in enumerate(histories.layers[t].states)}
    node = place[state, past]
    leader = profile.leaders[t][node]
    action = profile.actions[t][node][leader]
    row = game.row(state, leader, action)
    weight = game.discount**t
    moved = (0,) * game.num_players
    if incentives is not None and incentives.stage is mediation.MediatorStage.FULL:
        moved = mediation.end_transfers(
            game,
            fairness=incentives.fairness,
            rule=incentives.end_rule,
            step=t,
            state=state,
            returns=past,
            leader=leader,
        )[action]
    after = tuple(h + weight * r for h, r in zip(past, game.rewards[row].tolist(), strict=True))
    total = [Fraction(0)] * game.num_players
    entries = game.transition_kernel.row(row)
    for later, odds in zip(
        game.transition_kernel.outcome[entries].tolist(),
        game.transition_kernel.weight[entries].tolist(),
        strict=True,
    ):
        final = after
        if t + 1 < game.horizon and not game.is_terminal(later):
            final = returns_from(game, profile, incentives, (t + 1, later, after))
        total = [a + odds * b for a, b in zip(total, final, strict=True)]
    return tuple(a + weight * m for a, m in zip(total, moved, strict=True))


STRAIGHT, SWERVE, BRAKE = range(3)
CHICKEN = mediation.mediated_chicken(rounds=1)
PLAIN = mediation.MediatorIncentives(stage=mediation.MediatorStage.PRE_FINAL)


def one_step(first, second, leader):
    return mediation.MediatedProfile((((first, second),),), ((leader,),))


def test_the_deviation_says_who_where_and_how_much():
    profile = one_step(BRAKE, STRAIGHT, 0)
    assert agent_deviation(CHICKEN, profile, PLAIN) == MediatedDeviation(0, 0, 0, STRAIGHT, 6, 7)
    assert mediator_deviation(CHICKEN, profile, mediation.MINIMUM) is None
    unfair = one_step(STRAIGHT, BRAKE, 0)
    assert mediator_deviation(CHICKEN, unfair, mediation.MINIMUM) == MediatedDeviation(
        0, 0, None, 1, 2, 6
    )


def test_an_agent_that_is_not_picked_is_asked_as_well():
    profile = one_step(STRAIGHT, SWERVE, 0)
    found = agent_deviation(CHICKEN, profile, PLAIN)
    assert (found.player, found.choice, found.better) == (1, STRAIGHT, 7)


def test_best_leading_is_worth_what_the_best_action_is():
    profile = one_step(SWERVE, BRAKE, 0)
    assert best_leading_value(CHICKEN, profile, 0, PLAIN) == 7
    assert best_leading_value(CHICKEN, profile, 1, PLAIN) == 7  # what swerving gives it
    assert best_leading_value(CHICKEN, profile, 0, mediation.MediatorIncentives()) == 6


def test_plans_for_steps_are_not_valued_where_states_are_drawn():
    game = mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"s": 1},
        actions=[["x"], ["x"]],
        play=lambda _state, leader, _action: ((leader, 1), {"s": "1/2", "t": "1/2"}),
    )
    profile = drawn_profile(game, 0, mediation.Memory.STEP)
    with pytest.raises(UnsupportedGame, match="best_leading_value: needs agents that remember"):
        best_leading_value(game, profile, 0, PLAIN)


def test_fines_are_shared_by_the_others():
    game = mediation.mediated_prisoners_dilemma(players=3, rounds=1)
    moved = mediation.end_transfers(
        game,
        fairness=mediation.MINIMUM,
        rule=mediation.EndRule.STEP_IDEAL,
        step=0,
        state=0,
        returns=(0, 0, 0),
        leader=1,
    )
    assert moved == {0: (0, 0, 0), 1: (Fraction(5, 2), -5, Fraction(5, 2))}


def test_rules_differ_in_what_they_look_at():
    found = {
        rule: mediation.end_transfers(
            CHICKEN,
            fairness=mediation.MINIMUM,
            rule=rule,
            step=0,
            state=0,
            returns=(0, 4),
            leader=0,
        )
        for rule in mediation.EndRule
    }
    assert found[mediation.EndRule.STEP_IDEAL] == {0: (-5, 5), 1: (-5, 5), 2: (0, 0)}
    assert found[mediation.EndRule.HISTORY_IDEAL] == {
        0: (0, 0),
        1: (-5, 5),
        2: (0, 0),
    }  # 7 and 6 of 6
    halves = {0: (Fraction(-1, 2), Fraction(1, 2)), 2: (2, -2)}
    equalized = found[mediation.EndRule.EQUALIZE_CUMULATIVE]
    assert {a: equalized[a] for a in halves} == halves


def test_a_leader_without_followers_pays_nobody():
    game = mediation.mediated_game(
        players=["Ann"],
        horizon=1,
        initial={"s": 1},
        actions=[["a", "b"]],
        play=lambda _state, _leader, action: ((1 if action == "a" else 2,), {"s": 1}),
    )
    for rule in mediation.EndRule:
        moved = mediation.end_transfers(
            game, fairness=mediation.MINIMUM, rule=rule, step=0, state=0, returns=(0,), leader=0
        )
        assert moved == {0: (0,), 1: (0,)}


def early_end(law, **options):
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=3,
        initial={"s": 1},
        actions=[["stop", "go"], ["stop", "go"]],
        play=lambda _state, leader, action: (
            (5, 1) if leader else (1, 5),
            law if action == "stop" else {"s": 1},
        ),
        is_terminal=lambda state: state == "end",
        **options,
    )


@pytest.mark.parametrize("rule", mediation.EndRule)
def test_transfers_at_early_ends_are_in_payoffs_of_their_step(rule):
    game = early_end({"end": 1}, discount=Fraction(2, 3))
    incentives = mediation.MediatorIncentives(end_rule=rule)
    lengths = set()
    for seed in range(10):
        profile = drawn_profile(game, seed)
        found = mediation.mediated_returns(game, profile, incentives=incentives)
        assert found == followed(game, profile, incentives)
        lengths.add(sum(found))
    assert len(lengths) > 1  # plays of one step and of more


def test_steps_into_an_end_of_play_are_last_ones():
    game = early_end({"end": 1})
    require_known_ends(game, rule=mediation.EndRule.STEP_IDEAL)
    stop, go = (game.row(0, 0, action) for action in (0, 1))
    assert [ends_play(game, step, row) for step in (0, 2) for row in (stop, go)] == [
        True, False, True, True,
    ]  # fmt: skip
    moved = mediation.end_transfers(
        game,
        fairness=mediation.MINIMUM,
        rule=mediation.EndRule.EQUALIZE_CUMULATIVE,
        step=0,
        state=0,
        returns=(0, 0),
        leader=0,
    )
    assert moved == {0: (2, -2), 1: (0, 0)}


def test_uncertain_ends_are_refused_by_name():
    with pytest.raises(UnsupportedGame, match=r"after 'A' leads with action 0 in state 's'"):
        require_known_ends(early_end({"end": "1/2", "s": "1/2"}), rule=mediation.EndRule.STEP_IDEAL)


def test_full_values_need_a_mediator_that_remembers():
    profile = mediation.MediatedProfile(
        (((0, 0),),), ((0,),), mediation.Memory.STEP, mediation.Memory.STEP
    )
    assert mediation.truncated_values(CHICKEN, profile) == ((((7, 2), (2, 7)),),)
    with pytest.raises(InvalidArgument, match="full_values: needs a mediator that remembers"):
        mediation.full_values(CHICKEN, profile)
    assert mediation.full_values(CHICKEN, one_step(0, 0, 0)) == ((((7, 2), (2, 7)),),)


def test_profiles_that_do_not_fit_are_refused():
    for function in (mediation.truncated_values, mediation.full_values, mediation.mediated_returns):
        with pytest.raises(InvalidStrategy, match="needs legal actions"):
            function(CHICKEN, one_step(0, 3, 0))
