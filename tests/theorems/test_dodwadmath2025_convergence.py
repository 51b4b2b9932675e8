"""Dodwadmath and Maghsudi 2025: exact rounds of agents and mediator come to rest, corrected.

The paper proves convergence from a monotone improvement that does not hold (see the tests of
improvement) under a uniqueness that no episode offers. What holds instead: on a finite horizon,
with policies on step, state and returns so far, and ties broken by a function of these, of the
values and of the present policies, a round changes nothing after at most ``T`` rounds, whatever the
game, stage, start and ties. The fixed point is subgame perfect: nobody gains at any node by any
deviation, and no pick at any node would be fairer. Checked in rationals on random games.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core.catalog.mediated import mediated_chicken, mediated_prisoners_dilemma
from gametheory_core.evaluation.end_transfers import MediatorStage
from gametheory_core.evaluation.mediated_deviations import (
    agent_deviation,
    best_leading_value,
    mediator_deviation,
)
from gametheory_core.evaluation.mediated_values import mediated_returns
from gametheory_core.games.mediated_histories import Memory
from solvers.mediated.jam_value_iteration import jam_value_iteration
from solvers.mediated.rounds import RoundsStatus
from solvers.mediated.starts import InitialPolicies
from solvers.mediated.ties import AgentTies, MediatorTies
from tests.solvers.mediated.mediated_cases import mediated_cases, options_of
from tests.theorems.led_games import led_game, role_game

SOURCE = "Dodwadmath and Maghsudi 2025"
converges = pytest.mark.theorem(
    source=SOURCE,
    statement="Rounds with policies on histories come to rest within T + 1 rounds, at a "
    "subgame-perfect profile.",
)
TIES = st.tuples(st.sampled_from(AgentTies), st.sampled_from(MediatorTies))


def rounds_of(game, incentives, ties, seed):
    agent_ties, mediator_ties = ties
    return jam_value_iteration(
        game,
        agent_ties=agent_ties,
        mediator_ties=mediator_ties,
        initial=InitialPolicies.RANDOM,
        rng=np.random.default_rng(seed),
        **options_of(incentives),
    )


@converges
@settings(max_examples=70, deadline=None)
@given(mediated_cases(horizons=(1, 3), max_states=2), TIES, st.integers(0, 99))
def test_rounds_come_to_rest_at_a_subgame_perfect_profile(case, ties, seed):
    game, incentives = case
    found = rounds_of(game, incentives, ties, seed)
    assert found.status is RoundsStatus.FIXED
    assert found.run.iterations <= game.horizon + 1
    assert agent_deviation(game, found.profile, incentives) is None
    assert mediator_deviation(game, found.profile, incentives.fairness) is None
    returns = mediated_returns(game, found.profile, incentives=incentives)
    for agent in range(game.num_players):  # no deviation at many nodes at once gains either
        assert best_leading_value(game, found.profile, agent, incentives) == returns[agent]


SLOWEST = {  # rewards[leader][action], and a start
    1: ([[[3, 0], [3, 0]], [[-3, -1], [1, 0]]], 0),
    2: ([[[0, 2], [-1, 0]], [[-1, 2], [0, -1]]], 14),
    3: ([[[1, -1], [2, 3]], [[2, 0], [1, 1]]], 12),
    4: ([[[0, -1], [3, 2]], [[-2, 2], [3, -3]]], 39),
}


@converges
@pytest.mark.parametrize("rounds", SLOWEST)
def test_the_bound_on_rounds_is_attained(rounds):
    """The last step is settled in the first round, the one before in the second, and so on."""
    rewards, seed = SLOWEST[rounds]
    found = jam_value_iteration(
        led_game(rewards, rounds=rounds),
        initial=InitialPolicies.RANDOM,
        rng=np.random.default_rng(seed),
    )
    assert found.run.iterations == rounds + 1


@converges
@settings(max_examples=30, deadline=None)
@given(
    mediated_cases(horizons=(1, 3), max_states=2),
    st.sampled_from([AgentTies.FIRST, AgentTies.LAST]),
    st.sampled_from([MediatorTies.FIRST, MediatorTies.LAST, MediatorTies.POOREST]),
    st.integers(0, 99),
)
def test_without_memory_of_the_start_the_limit_is_that_of_backward_induction(
    case, agent_ties, mediator_ties, seed
):
    """If ties do not depend on present policies, all starts lead to one profile."""
    game, incentives = case
    drawn = rounds_of(game, incentives, (agent_ties, mediator_ties), seed)
    settled = jam_value_iteration(
        game, agent_ties=agent_ties, mediator_ties=mediator_ties, **options_of(incentives)
    )
    assert drawn.profile == settled.profile


@converges
def test_ties_that_keep_what_is_present_make_the_limit_depend_on_the_start_twin():
    game = mediated_prisoners_dilemma()
    values = [
        jam_value_iteration(
            game, initial=InitialPolicies.RANDOM, rng=np.random.default_rng(seed)
        ).fairness
        for seed in (0, 71)
    ]
    assert values == [6, 5]


@converges
@pytest.mark.parametrize("stage", [MediatorStage.PRE_FINAL, MediatorStage.FULL])
def test_policies_on_steps_twin_may_cycle_forever(stage):
    """The paper's agents know state and step, not the returns: then rounds may come back."""
    found = [
        jam_value_iteration(
            game,
            stage=stage,
            memory=Memory.STEP,
            initial=InitialPolicies.RANDOM,
            rng=np.random.default_rng(seed),
        )
        for game in (mediated_prisoners_dilemma(), mediated_chicken())
        for seed in range(15)
    ]
    assert {run.status for run in found} >= {RoundsStatus.CYCLE}
    assert {run.period for run in found if run.period} <= set(range(2, 20))
    for run in found:
        if run.status is RoundsStatus.FIXED:
            run.solution.certificate.verify()


@converges
def test_certificates_of_fixed_points_say_that_they_are_subgame_perfect():
    certificate = jam_value_iteration(role_game([(3, 1)], players=2, rounds=2)).solution.certificate
    assert certificate.is_subgame_perfect
    assert "at any node" in certificate.statement
