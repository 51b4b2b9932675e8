"""Dodwadmath and Maghsudi 2025, sections 4.1.2 (iii) and 13.2: threats against the last leader.

The paper takes payoffs from a last leader whose action is not *ideal* and does not say what ideal
means. Two readings: no action of the leader has fairer rewards in this step (``STEP_IDEAL``), or
none makes the returns of all steps fairer (``HISTORY_IDEAL``). (1) By the first reading, and for
the minimum, no leader gains by an action that is not ideal. (2) By the second one it may. (3) Only
the second one gives the paper's experiment, in which an agent is picked whenever it has not more
than the other one: without threats it goes straight at the last step, with them it never does.
Exact; the experiment by enumeration of all plans.

Why it matters (mediation): Threats against the last leader decide the paper's experiments, and
their text admits two readings: only one of them gives its results.
"""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from gametheory_core.mediation.certificate import best_leading_value
from solvers.mediation import leading_response
from tests.theorems.led_games import led_game

SOURCE = "Dodwadmath and Maghsudi 2025"
compatible = pytest.mark.theorem(
    source=SOURCE,
    statement="A fine of the largest difference of rewards makes the step's fairest action best "
    "for the last leader, if fairness is the minimum.",
)
experiment = pytest.mark.theorem(
    source=SOURCE,
    statement="An agent that leads whenever it has not more brakes until the last step, and there "
    "too if ideal means fair returns.",
)


def last_payoffs(rewards, *, returns, leader, rule, fairness=mediation.MINIMUM):
    """What the leader of one last step gets by each action, and which actions cost nothing."""
    game = led_game(rewards, rounds=1)
    moved = mediation.end_transfers(
        game, fairness=fairness, rule=rule, step=0, state=0, returns=returns, leader=leader
    )
    assert all(sum(transfer) == 0 for transfer in moved.values())
    own = [rewards[leader][action][leader] + transfer[leader] for action, transfer in moved.items()]
    return own, [not any(transfer) for transfer in moved.values()]


@st.composite
def stages(draw):
    players = draw(st.integers(2, 4))
    reward = st.integers(-9, 9).map(Fraction)
    vector = st.tuples(*[reward] * players)
    own = st.lists(vector, min_size=1, max_size=4)
    return [draw(own) for _ in range(players)], [draw(reward) for _ in range(players)]


@compatible
@given(stages(), st.data())
def test_no_last_leader_gains_by_an_action_that_is_not_fairest(stage, data):
    rewards, returns = stage
    leader = data.draw(st.integers(0, len(rewards) - 1))
    own, _ = last_payoffs(
        rewards, returns=returns, leader=leader, rule=mediation.EndRule.STEP_IDEAL
    )
    fairest = max(map(min, rewards[leader]))
    ideal = [min(vector) == fairest for vector in rewards[leader]]
    best_other = [value for value, is_ideal in zip(own, ideal, strict=True) if not is_ideal]
    for value, is_ideal in zip(own, ideal, strict=True):
        if is_ideal and best_other:
            assert value >= max(best_other)


@compatible
def test_ideal_by_all_returns_twin_may_cost_more_than_the_fine():
    rewards = [[(-5, 5), (7, 2)], [(0, 0)]]
    own, free = last_payoffs(
        rewards, returns=(10, 0), leader=0, rule=mediation.EndRule.HISTORY_IDEAL
    )
    assert own == [-5, 2]
    assert free == [True, False]


@compatible
def test_other_measure_twin_may_cost_more_than_the_fine():
    """The sum is largest where the leader gets nothing."""
    mean = mediation.Fairness(mediation.FairnessKind.GINI, weights=(Fraction(1, 2), Fraction(1, 2)))
    rewards = [[(0, 10), (4, 3)], [(0, 0)]]
    own, free = last_payoffs(
        rewards, returns=(0, 0), leader=0, rule=mediation.EndRule.STEP_IDEAL, fairness=mean
    )
    assert own == [0, 3]
    assert free == [True, False]


@compatible
@given(stages(), st.data())
def test_equal_returns_leave_the_leader_the_mean(stage, data):
    """After equalization everybody has the mean, so that the leader maximizes the sum."""
    rewards, returns = stage
    leader = data.draw(st.integers(0, len(rewards) - 1))
    own, _ = last_payoffs(
        rewards, returns=returns, leader=leader, rule=mediation.EndRule.EQUALIZE_CUMULATIVE
    )
    for value, vector in zip(own, rewards[leader], strict=True):
        assert returns[leader] + value == (sum(returns) + sum(vector)) / Fraction(len(returns))


@compatible
@given(stages(), st.fractions(Fraction(1, 4), Fraction(3, 4), max_denominator=4), st.data())
def test_equal_returns_are_equal_at_the_start_under_a_discount(stage, discount, data):
    """What moves at the end counts ``discount^t`` of itself among the returns of all steps."""
    rewards, returns = stage
    step = data.draw(st.integers(1, 3))
    leader = data.draw(st.integers(0, len(rewards) - 1))
    moved = mediation.end_transfers(
        led_game(rewards, rounds=step + 1, discount=discount),
        fairness=mediation.MINIMUM,
        rule=mediation.EndRule.EQUALIZE_CUMULATIVE,
        step=step,
        state=0,
        returns=returns,
        leader=leader,
    )
    for action, transfer in moved.items():
        paid = zip(returns, rewards[leader][action], transfer, strict=True)
        assert len({h + discount**step * (r + tau) for h, r, tau in paid}) == 1


STRAIGHT, SWERVE, BRAKE = range(3)
PLAIN = mediation.MediatorIncentives(mediation.MINIMUM, mediation.MediatorStage.PRE_FINAL)
BY_HISTORY = mediation.MediatorIncentives(
    mediation.MINIMUM, mediation.MediatorStage.FULL, mediation.EndRule.HISTORY_IDEAL
)
BY_STEP = mediation.MediatorIncentives(
    mediation.MINIMUM, mediation.MediatorStage.FULL, mediation.EndRule.STEP_IDEAL
)


def experiment_profile(*, others=STRAIGHT, first=0):
    """The first player leads whenever it has not more; the other one always does the same."""
    game = mediation.mediated_chicken()
    histories = mediation.mediated_histories(game)
    leaders = [
        tuple(int(a > b) for a, b in (histories.returns(t, n) for n in range(layer.num_nodes)))
        for t, layer in enumerate(histories.layers)
    ]
    leaders[0] = (first,)
    actions = tuple(
        tuple((STRAIGHT, others) for _ in range(layer.num_nodes)) for layer in histories.layers
    )
    return game, mediation.MediatedProfile(actions, tuple(leaders))


def best_plans(incentives, **options):
    """All plans for steps that are best for the first player, cut to the steps it leads."""
    game, profile = experiment_profile(**options)
    steps = replace(
        profile,
        agents=mediation.Memory.STEP,
        actions=tuple(((STRAIGHT, layer[0][1]),) for layer in profile.actions),
    )
    found, best = set(), None
    for plan in product(range(3), repeat=4):
        own = tuple(((a, layer[0][1]),) for a, layer in zip(plan, steps.actions, strict=True))
        planned = replace(steps, actions=own)
        value = mediation.mediated_returns(game, planned, incentives=incentives)[0]
        led = tuple(
            action if leader == game.players[0] else "-"
            for leader, action in mediation.mediated_plan(game, planned)
        )
        outcome = (led, mediation.mediated_returns(game, planned))
        if best is None or value > best:
            found, best = {outcome}, value
        elif value == best:
            found.add(outcome)
    assert best == best_leading_value(game, profile, 0, incentives)
    return best, found


@experiment
def test_without_threats_the_last_step_is_selfish():
    assert best_plans(PLAIN) == (25, {(("brake", "brake", "brake", "straight"), (25, 20))})


@experiment
def test_threats_by_all_returns_make_every_step_fair():
    assert best_plans(BY_HISTORY) == (24, {(("brake",) * 4, (24, 24))})


@experiment
def test_threats_by_the_last_step_twin_are_turned_against_the_other_player():
    assert best_plans(BY_STEP) == (26, {(("brake", "brake", "straight", "-"), (21, 21))})


@experiment
def test_a_fair_other_player_twin_leaves_nothing_to_be_fair_for():
    best, plans = best_plans(PLAIN, others=BRAKE)
    assert best == 25
    assert all("straight" in plan for plan, _ in plans)


@experiment
def test_the_other_player_leading_first_twin_is_made_up_for():
    """Having been left behind, the first player may go straight once."""
    for incentives, value in ((PLAIN, 22), (BY_HISTORY, 21)):
        best, plans = best_plans(incentives, first=1)
        assert best == value
        assert all(plan[0] == "-" and "straight" in plan for plan, _ in plans)


@experiment
def test_the_response_on_histories_plays_the_best_plan():
    game, profile = experiment_profile()
    for incentives, last in ((PLAIN, "straight"), (BY_HISTORY, "brake")):
        found = leading_response(game, profile, agent=0, incentives=incentives)
        assert [action for _, action in mediation.mediated_plan(game, found)] == ["brake"] * 3 + [
            last
        ]
