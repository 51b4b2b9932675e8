"""Rounds of updates do what recursion over dictionaries does, update by update."""

import re
import time
from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import (
    InvalidArgument,
    InvalidStrategy,
    NotConverged,
    UnsupportedGame,
    mediation,
)
from gametheory_core.mediation.certificate import best_leading_value
from solvers import Budget, solve
from solvers.mediation import (
    AgentTies,
    InitialPolicies,
    MediatorTies,
    RoundsStatus,
    jam_value_iteration,
    leading_response,
)
from solvers.mediation import value_iteration as rounds
from tests.benchmarks.plain_mediated import PlainRounds
from tests.solvers.mediation.mediated_cases import mediated_cases, options_of


@given(mediated_cases(horizons=(2, 3), max_states=2, max_actions=2), st.booleans())
def test_every_update_is_the_one_of_plain_recursion(case, fair_start):
    game, incentives = case
    plain = PlainRounds(game, fair_start=fair_start, **options_of(incentives))
    initial = InitialPolicies.FAIR if fair_start else InitialPolicies.SELFISH
    found = jam_value_iteration(game, initial=initial, **options_of(incentives))
    assert plain.fairness_now() == found.start_value
    assert plain.run() == found.trace
    assert found.status is RoundsStatus.FIXED
    found.solution.certificate.verify()
    assert found.fairness == mediation.mediated_fairness(game, found.profile, incentives.fairness)
    assert found.solution.payoffs == mediation.mediated_returns(game, found.profile)


def test_numbers_that_do_not_fit_into_64_bits_make_no_difference():
    small = mediation.mediated_chicken(players=3)
    large = replace(small, rewards=small.rewards * Fraction(10**40) + Fraction(1, 3**50))
    for fairness in (mediation.MINIMUM, mediation.Fairness(mediation.FairnessKind.NASH)):
        found, plain = (jam_value_iteration(game, fairness=fairness) for game in (large, small))
        assert found.profile == plain.profile
        found.solution.certificate.verify()


def test_products_that_do_not_fit_into_64_bits_are_not_cut():
    game = mediation.mediated_chicken(players=4, rounds=2)
    game = replace(game, rewards=game.rewards * Fraction(10**5))
    nash = mediation.Fairness(mediation.FairnessKind.NASH)
    found = jam_value_iteration(game, fairness=nash)
    assert found.trace == PlainRounds(game, fairness=nash).run()


def test_frozen_agents_change_only_where_they_lead():
    game = mediation.mediated_prisoners_dilemma()
    rng = np.random.default_rng(7)
    start = mediation.random_mediated_profile(game, rng=rng)
    found = jam_value_iteration(
        game, initial=start, freeze_unselected=True, budget=Budget(iterations=1)
    )
    assert found.status is RoundsStatus.OPEN
    changed = 0
    for before, after, leaders in zip(
        start.actions, found.profile.actions, start.leaders, strict=True
    ):
        for old, new, leader in zip(before, after, leaders, strict=True):
            assert all(old[i] == new[i] for i in range(2) if i != leader)
            changed += old != new
    assert changed


def test_frozen_agents_may_stop_short_of_equilibrium_and_get_no_certificate_then():
    rng = np.random.default_rng(0)
    runs = [
        jam_value_iteration(
            mediation.resource_collection_two_colors(),
            initial=InitialPolicies.RANDOM,
            freeze_unselected=True,
            rng=rng,
        )
        for _ in range(30)
    ]
    assert {(run.status, run.fairness) for run in runs} == {(RoundsStatus.FIXED, 8)}
    assert {run.solution is None for run in runs} == {True, False}
    for run in runs:
        if run.solution:
            run.solution.certificate.verify()


@given(
    mediated_cases(horizons=(2, 3), deterministic=True, max_states=2, max_actions=2),
    st.integers(0, 9),
    st.sampled_from([AgentTies.KEEP, AgentTies.FIRST, AgentTies.LAST]),
)
def test_plans_for_steps_are_best_among_all_plans(case, seed, ties):
    """The first update of an agent that knows the step alone, beside all of its plans."""
    game, incentives = case
    naive = incentives.stage is mediation.MediatorStage.NAIVE
    start = mediation.random_mediated_profile(
        game,
        rng=np.random.default_rng(seed),
        agents=mediation.Memory.STEP,
        mediator=mediation.Memory.STEP if naive else mediation.Memory.HISTORY,
    )
    found = jam_value_iteration(
        game,
        memory=mediation.Memory.STEP,
        agent_ties=ties,
        initial=start,
        budget=Budget(iterations=1),
        **options_of(incentives),
    )
    plan = with_plan(start, [[own[0] for own in layer] for layer in found.profile.actions])
    got = mediation.mediated_returns(game, plan, incentives=incentives)[0]
    assert got == best_leading_value(game, start, 0, incentives)
    assert got == max(
        mediation.mediated_returns(game, plan, incentives=incentives)[0]
        for plan in plans_of(game, start)
    )


def with_plan(profile, plan):
    """Return the profile in which agent 0 does ``plan[step][node]``."""
    return replace(
        profile,
        actions=tuple(
            tuple((new, *own[1:]) for new, own in zip(news, layer, strict=True))
            for news, layer in zip(plan, profile.actions, strict=True)
        ),
    )


def plans_of(game, profile):
    """Yield profiles in which agent 0 follows each of its plans for steps and states."""
    layers = [
        layer.states.tolist()
        for layer in mediation.mediated_histories(game, memory=mediation.Memory.STEP).layers
    ]
    options = [product(*(game.legal(state, 0) for state in states)) for states in layers]
    for plan in product(*options):
        yield with_plan(profile, plan)


def test_agents_that_know_the_step_alone_may_go_round_in_circles():
    rng = np.random.default_rng(3)
    runs = [
        jam_value_iteration(
            mediation.mediated_prisoners_dilemma(),
            memory=mediation.Memory.STEP,
            initial=InitialPolicies.RANDOM,
            stage=mediation.MediatorStage.PRE_FINAL,
            rng=rng,
        )
        for _ in range(10)
    ]
    cycling = [run for run in runs if run.status is RoundsStatus.CYCLE]
    assert cycling
    for run in cycling:
        assert run.solution is None
        assert run.period >= 2
        values = [run.start_value, *(row[-1] for row in run.trace)]
        assert values[-1] == values[-1 - run.period]
        again = jam_value_iteration(
            mediation.mediated_prisoners_dilemma(),
            memory=mediation.Memory.STEP,
            initial=run.profile,
            stage=mediation.MediatorStage.PRE_FINAL,
        )
        assert (again.status, again.period) == (RoundsStatus.CYCLE, run.period)
        assert again.profile == run.profile
        assert len(again.trace) == run.period


NO_FIXED_POINT = [
    (
        mediation.mediated_prisoners_dilemma(),
        {"memory": mediation.Memory.STEP, "stage": mediation.MediatorStage.PRE_FINAL},
        r"after \d rounds a cycle of [24] began again. Break ties in another way",
    ),
    (
        mediation.resource_collection_two_colors(),
        {"freeze_unselected": True},
        "that of frozen actions is none. Leave freeze_unselected out",
    ),
    (
        mediation.mediated_prisoners_dilemma(),
        {"budget": Budget(iterations=1)},
        "the budget ended first. Give a larger budget",
    ),
]


@pytest.mark.parametrize(("game", "options", "complaint"), NO_FIXED_POINT)
def test_answers_say_why_there_is_no_equilibrium(game, options, complaint):
    rng = np.random.default_rng(3)
    complaints = set()
    for _ in range(20):
        try:
            solve(game, "mediated", initial=InitialPolicies.RANDOM, rng=rng, **options)
        except NotConverged as error:
            complaints.add(bool(re.search(complaint, str(error))))
    assert complaints == {True}


def test_a_given_fixed_point_is_seen_at_once():
    game = mediation.mediated_prisoners_dilemma()
    first = jam_value_iteration(game)
    again = jam_value_iteration(game, initial=first.profile)
    assert again.status is RoundsStatus.FIXED
    assert again.profile == first.profile
    assert again.trace == ((6, 6, 6),)


def test_the_budget_counts_rounds_and_each_is_reported():
    seen = []
    found = jam_value_iteration(
        mediation.mediated_prisoners_dilemma(),
        budget=Budget(iterations=1),
        on_iteration=lambda progress: seen.append((progress.done, progress.unit)),
    )
    assert seen == [(1, "rounds")]
    assert (found.status, found.solution, found.run.iterations) == (RoundsStatus.OPEN, None, 1)
    assert found.trace == ((4, 5, 6),)
    nothing = jam_value_iteration(mediation.mediated_prisoners_dilemma(), budget=Budget(seconds=0))
    assert (nothing.trace, nothing.fairness, nothing.start_value) == ((), 2, 2)


def test_first_and_last_leaders_differ_where_all_are_as_fair():
    game = mediation.paid_leadership(rounds=1)
    picks = {
        ties: jam_value_iteration(game, mediator_ties=ties).profile.leaders
        for ties in (MediatorTies.FIRST, MediatorTies.LAST, MediatorTies.KEEP)
    }
    assert list(picks.values()) == [((0,),), ((1,),), ((0,),)]


def test_the_poorest_of_equally_fair_leaders_has_the_lowest_return_so_far():
    game = mediation.paid_leadership(players=3, rounds=2)
    found = jam_value_iteration(game, mediator_ties=MediatorTies.POOREST)
    assert found.profile.leaders == ((0,), (0, 0, 1))  # nodes (0,0,1), (0,1,0), (1,0,0)


def test_random_ties_are_drawn_once():
    game = mediation.paid_leadership(players=4, rounds=3)
    options = {"mediator_ties": MediatorTies.RANDOM, "agent_ties": AgentTies.RANDOM}
    found = [
        jam_value_iteration(game, rng=np.random.default_rng(seed), **options)
        for seed in (0, 0, 1, 2, 3)
    ]
    assert found[0].profile == found[1].profile
    assert len({run.profile.leaders for run in found}) > 1
    assert all(run.status is RoundsStatus.FIXED for run in found)


def test_play_that_has_ended_before_it_begins_is_worth_nothing():
    game = mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"over": 1},
        actions=[["x"], ["x"]],
        play=lambda _state, _leader, _action: ((1, 1), {"over": 1}),
        is_terminal=lambda _state: True,
    )
    for mediator_ties in MediatorTies:
        found = jam_value_iteration(game, mediator_ties=mediator_ties, rng=np.random.default_rng(0))
        assert found.fairness == 0
        found.solution.certificate.verify()


def drawn_states(*, surely_on):
    """A game in which the state after the first step is drawn, and may be an end of play."""
    return mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"s": 1},
        actions=[["x", "y"], ["x", "y"]],
        play=lambda _state, leader, _action: ((leader, 1), {"s": "1/2", "t": "1/2"}),
        is_terminal=lambda state: state == "t" and not surely_on,
    )


def test_games_that_may_end_at_any_step_have_no_transfers():
    with pytest.raises(UnsupportedGame, match=r"surely end play or surely do not.*PRE_FINAL"):
        jam_value_iteration(drawn_states(surely_on=False))
    found = jam_value_iteration(
        drawn_states(surely_on=False), stage=mediation.MediatorStage.PRE_FINAL
    )
    found.solution.certificate.verify()


@pytest.mark.parametrize("rule", mediation.EndRule)
def test_transfers_at_an_early_end_weigh_as_much_as_drawn_steps(rule):
    """Stopping ends play at once; going on leads to a state that is drawn."""
    game = mediation.mediated_game(
        players=["A", "B"],
        horizon=2,
        initial={"s": 1},
        actions=[["stop", "go"], ["stop", "go"]],
        play=lambda _state, leader, action: (
            (6, 0) if action == "stop" else (3, 3),
            {"end": 1} if action == "stop" else {"s": "1/3", "t": "2/3"},
        ),
        is_terminal=lambda state: state == "end",
        discount=Fraction(1, 2),
    )
    found = jam_value_iteration(game, end_rule=rule)
    assert found.trace == PlainRounds(game, end_rule=rule).run()
    found.solution.certificate.verify()


def test_plans_for_steps_need_games_in_which_nothing_is_drawn():
    with pytest.raises(UnsupportedGame, match=r"needs agents that remember returns, or a game"):
        jam_value_iteration(drawn_states(surely_on=True), memory=mediation.Memory.STEP)


def test_single_responses_for_steps_need_games_in_which_nothing_is_drawn():
    rng = np.random.default_rng(0)

    game = drawn_states(surely_on=True)
    plan = mediation.random_mediated_profile(game, rng=rng, agents=mediation.Memory.STEP)
    with pytest.raises(UnsupportedGame, match="needs agents that remember returns, or a game"):
        leading_response(game, plan, agent=0, incentives=mediation.MediatorIncentives())


def test_gini_weights_are_ranks_unless_others_are_given():
    game = mediation.mediated_chicken(rounds=2)
    weights = (Fraction(2, 3), Fraction(1, 3))
    gini = mediation.FairnessKind.GINI
    found = jam_value_iteration(game, fairness=gini)
    asked = jam_value_iteration(game, fairness=mediation.Fairness(gini, weights=weights))
    assert found.trace == asked.trace
    assert found.solution.certificate == asked.solution.certificate


def test_discounts_of_zero_leave_nothing_to_equalize_with():
    game = replace(mediation.mediated_chicken(), discount=Fraction(0))
    with pytest.raises(UnsupportedGame, match="discount above 0"):
        jam_value_iteration(game, end_rule=mediation.EndRule.EQUALIZE_CUMULATIVE)
    assert jam_value_iteration(game).status is RoundsStatus.FIXED


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"fairness": "minimum"}, "needs fairness to be of type Fairness"),
        ({"stage": "full"}, "needs a member of MediatorStage as stage"),
        ({"end_rule": None}, "needs a member of EndRule as end_rule"),
        ({"memory": "T"}, "needs a member of Memory as memory"),
        ({"agent_ties": MediatorTies.FIRST}, "needs a member of AgentTies as agent_ties"),
        ({"mediator_ties": "first"}, "needs a member of MediatorTies as mediator_ties"),
        ({"initial": "selfish"}, "needs initial to be of type InitialPolicies or MediatedProfile"),
        ({"freeze_unselected": 1}, "needs freeze_unselected to be of type bool"),
        ({"rng": 7}, "needs rng to be a numpy Generator"),
        ({"agent_ties": AgentTies.RANDOM}, "needs rng for random ties"),
        ({"mediator_ties": MediatorTies.RANDOM}, "needs rng for random ties"),
        ({"initial": InitialPolicies.RANDOM}, "needs rng for random ties or policies"),
        (
            {"fairness": mediation.Fairness(mediation.FairnessKind.GINI, weights=(Fraction(1),))},
            "needs weights for each of 2 players",
        ),
        ({"budget": 3}, "needs budget to be a Budget"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, complaint):
    with pytest.raises(InvalidArgument, match=complaint):
        jam_value_iteration(mediation.mediated_chicken(rounds=1), **options)


def test_other_things_than_mediated_games_are_refused():
    with pytest.raises(InvalidArgument, match="needs a mediated game, but got"):
        jam_value_iteration("chicken")


def test_losses_have_no_product():
    with pytest.raises(InvalidArgument, match=r"Nash measure.*disagreement"):
        jam_value_iteration(
            mediation.mediated_prisoners_dilemma(),
            fairness=mediation.Fairness(mediation.FairnessKind.NASH),
        )
    floor = mediation.Fairness(
        mediation.FairnessKind.NASH, disagreement=(Fraction(-25, 3), Fraction(-9))
    )
    jam_value_iteration(
        mediation.mediated_prisoners_dilemma(), fairness=floor
    ).solution.certificate.verify()


def test_initial_policies_must_fit():
    game = mediation.mediated_chicken(rounds=2)
    short = mediation.MediatedProfile((((0, 0),),), ((0,),))
    with pytest.raises(InvalidStrategy, match="needs actions for each of 2 steps, but there are 1"):
        jam_value_iteration(game, initial=short)
    other = replace(short, agents=mediation.Memory.STEP)
    with pytest.raises(InvalidStrategy, match="needs initial policies that remember"):
        jam_value_iteration(game, initial=other)


def test_too_many_histories_are_refused_before_they_are_listed():
    game = mediation.mediated_game(
        players=["A", "B"],
        horizon=9,
        initial={0: 1},
        actions=[range(1000), range(1000)],
        play=lambda t, leader, action: ((action + leader, action), {min(t + 1, 1): 1}),
    )
    with pytest.raises(
        UnsupportedGame, match=r"layers 0 to 1 have 1, 2,000 nodes.* Shorten the horizon"
    ):
        jam_value_iteration(game)


def test_seconds_count_certifying(monkeypatch):
    slow = 0.2

    def certify_slowly(*args, **options):
        time.sleep(slow)
        return mediation.certify_mediated(*args, **options)

    monkeypatch.setattr(rounds, "certify_mediated", certify_slowly)
    found = jam_value_iteration(mediation.mediated_chicken(rounds=1))
    assert found.run.seconds >= slow
    assert found.solution.run == found.run


def test_a_certificate_that_would_take_too_long_is_left_out(monkeypatch):
    """A fixed point without proof is none: the budget ended first."""
    game = mediation.mediated_chicken(rounds=2)
    monkeypatch.setattr(rounds, "LEAST_SECONDS", 1e9)
    found = jam_value_iteration(game, budget=Budget(seconds=1000))
    assert (found.status, found.solution) == (RoundsStatus.OPEN, None)
    without_limit = jam_value_iteration(game)
    assert without_limit.status is RoundsStatus.FIXED
    assert without_limit.profile == found.profile
    assert without_limit.run.iterations == found.run.iterations
