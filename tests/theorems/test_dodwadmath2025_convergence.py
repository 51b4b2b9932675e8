"""Dodwadmath and Maghsudi 2025: exact rounds of agents and mediator come to rest, corrected.

The paper proves convergence from a monotone improvement that does not hold (see the tests of
improvement) under a uniqueness that no episode offers. What holds instead: on a finite horizon,
with policies on step, state and returns so far, and ties broken by a function of these, of the
values and of the present policies, a round changes nothing after at most ``T`` rounds, whatever the
game, stage, start and ties. The fixed point is subgame perfect: nobody gains at any node by any
deviation, and no pick at any node would be fairer. Checked in rationals on random games.

Why it matters (mediation): The paper's argument for convergence fails; this is what can be proved
instead, with the number of rounds that it takes.
"""

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from gametheory_core.mediation.certificate import (
    agent_deviation,
    best_leading_value,
    mediator_deviation,
)
from solvers.mediation import (
    AgentTies,
    InitialPolicies,
    MediatorTies,
    RoundsStatus,
    fair_optimum,
    jam_value_iteration,
)
from tests.solvers.mediation.mediated_cases import mediated_cases, options_of
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
@given(mediated_cases(horizons=(1, 3), max_states=2), TIES, st.integers(0, 99))
def test_rounds_come_to_rest_at_a_subgame_perfect_profile(case, ties, seed):
    game, incentives = case
    found = rounds_of(game, incentives, ties, seed)
    assert found.status is RoundsStatus.FIXED
    assert found.run.iterations <= game.horizon + 1
    assert agent_deviation(game, found.profile, incentives) is None
    assert mediator_deviation(game, found.profile, incentives.fairness) is None
    returns = mediation.mediated_returns(game, found.profile, incentives=incentives)
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


def induced(game, incentives, agent_ties, mediator_ties):
    """Best actions and fairest leaders by (step, state, returns), from the last step back.

    By recursion over plays, in rationals, from the rules alone. Ties by number.
    """
    remembers = incentives.stage is not mediation.MediatorStage.NAIVE
    actions, leaders = {}, {}

    @cache
    def after(t, state, past):
        """What everybody still gets, without and with transfers."""
        nothing = (Fraction(0),) * game.num_players
        if t == game.horizon or game.is_terminal(state):
            return nothing, nothing
        place = (t, state, past)
        led = []
        for agent in range(game.num_players):
            paid = {a: outcome(*place, agent, a) for a in game.legal(state, agent)}
            best = max(values[1][agent] for values in paid.values())
            tied = [a for a, values in paid.items() if values[1][agent] == best]
            actions[*place, agent] = tied[-1 if agent_ties is AgentTies.LAST else 0]
            led.append(paid[actions[*place, agent]])
        weight = game.discount**t if remembers else 1
        fair = [
            mediation.fairness_value(
                incentives.fairness, [h + weight * q for h, q in zip(past, own, strict=True)]
            )
            for own, _ in led
        ]
        tied = [j for j, value in enumerate(fair) if value == max(fair)]
        leaders[place] = tied[-1 if mediator_ties is MediatorTies.LAST else 0]
        return led[leaders[place]]

    def outcome(t, state, past, agent, action):
        row = game.row(state, agent, action)
        moved = (Fraction(0),) * game.num_players
        if incentives.stage is mediation.MediatorStage.FULL:
            moved = mediation.end_transfers(
                game,
                fairness=incentives.fairness,
                rule=incentives.end_rule,
                step=t,
                state=state,
                returns=past,
                leader=agent,
            )[action]
        plain = list(game.rewards[row])
        told = [r + tau for r, tau in zip(plain, moved, strict=True)]
        now = game.rewards[row] * game.discount**t if remembers else 0 * game.rewards[row]
        known = tuple(h + r for h, r in zip(past, now, strict=True))
        entries = game.transition_kernel.row(row)
        kernel = game.transition_kernel
        for s, w in zip(kernel.outcome[entries].tolist(), kernel.weight[entries], strict=True):
            for kept, later in zip((plain, told), after(t + 1, s, known), strict=True):
                kept[:] = (k + game.discount * w * q for k, q in zip(kept, later, strict=True))
        return tuple(plain), tuple(told)

    for state in game.initial_kernel.outcome.tolist():
        after(0, state, (Fraction(0),) * game.num_players)
    return actions, leaders


@converges
@given(
    mediated_cases(horizons=(1, 3), max_states=2),
    st.sampled_from([AgentTies.FIRST, AgentTies.LAST]),
    st.sampled_from([MediatorTies.FIRST, MediatorTies.LAST]),
    st.integers(0, 99),
)
def test_without_memory_of_the_start_the_limit_is_that_of_backward_induction(
    case, agent_ties, mediator_ties, seed
):
    """If ties do not depend on present policies, all starts lead to one profile."""
    game, incentives = case
    found = rounds_of(game, incentives, (agent_ties, mediator_ties), seed).profile
    actions, leaders = induced(game, incentives, agent_ties, mediator_ties)
    histories = mediation.mediated_histories(game, memory=found.mediator)
    for t, layer in enumerate(histories.layers):
        for node, state in enumerate(layer.states.tolist()):
            place = (t, state, histories.returns(t, node))
            assert found.leaders[t][node] == leaders[place]
            for agent in range(game.num_players):
                assert found.actions[t][node][agent] == actions[*place, agent]


@converges
def test_ties_that_keep_what_is_present_make_the_limit_depend_on_the_start_twin():
    game = mediation.mediated_prisoners_dilemma()
    values = [
        jam_value_iteration(
            game, initial=InitialPolicies.RANDOM, rng=np.random.default_rng(seed)
        ).fairness
        for seed in (0, 71)
    ]
    assert values == [6, 5]


@converges
@pytest.mark.parametrize(
    ("stage", "game", "periods"),
    [  # of 15 random starts
        (
            mediation.MediatorStage.PRE_FINAL,
            mediation.mediated_prisoners_dilemma(),
            {4: 8, None: 7},
        ),
        (mediation.MediatorStage.PRE_FINAL, mediation.mediated_chicken(), {2: 13, 4: 1, None: 1}),
        (mediation.MediatorStage.FULL, mediation.mediated_prisoners_dilemma(), {2: 14, None: 1}),
        (mediation.MediatorStage.FULL, mediation.mediated_chicken(), {2: 6, None: 9}),
    ],
)
def test_policies_on_steps_twin_may_cycle_forever(stage, game, periods):
    """The paper's agents know state and step, not the returns: then rounds may come back."""
    found = [
        jam_value_iteration(
            game,
            stage=stage,
            memory=mediation.Memory.STEP,
            initial=InitialPolicies.RANDOM,
            rng=np.random.default_rng(seed),
        )
        for seed in range(15)
    ]
    assert Counter(run.period for run in found) == periods
    for run in found:
        if run.status is RoundsStatus.FIXED:
            run.solution.certificate.verify()
            continue
        assert run.status is RoundsStatus.CYCLE
        again = run.trace[-run.period :]  # the same rounds from where they were met again
        assert (
            jam_value_iteration(
                game, stage=stage, memory=mediation.Memory.STEP, initial=run.profile
            ).trace[: run.period]
            == again
        )


@converges
def test_certificates_of_fixed_points_say_that_they_are_subgame_perfect():
    certificate = jam_value_iteration(role_game([(3, 1)], players=2, rounds=2)).solution.certificate
    assert certificate.is_subgame_perfect
    assert "at any node" in certificate.statement


@converges
@pytest.mark.parametrize(
    ("game", "values", "optimum"),
    [
        (mediation.mediated_prisoners_dilemma(), {4: 7, 5: 8, 6: 15}, 6),
        (mediation.mediated_chicken(), {21: 5, 24: 25}, 24),
        (mediation.resource_collection_two_colors(), {8: 30}, 8),
    ],
)
def test_frozen_agents_twin_comes_to_rest_short_of_the_optimum(game, values, optimum):
    """Who changes nothing where nobody picks them, as without exploration, still comes to rest.

    Of 30 random starts; rarely at a subgame-perfect profile.
    """
    found = [
        jam_value_iteration(
            game,
            freeze_unselected=True,
            initial=InitialPolicies.RANDOM,
            rng=np.random.default_rng(seed),
        )
        for seed in range(30)
    ]
    assert {run.status for run in found} == {RoundsStatus.FIXED}
    assert Counter(run.fairness for run in found) == values
    assert max(values) == fair_optimum(game).fairness == optimum
    assert sum(run.solution is None for run in found) > 25
