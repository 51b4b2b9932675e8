"""Dodwadmath and Maghsudi 2025, Proposition and (5): updates need not make returns fairer.

The paper argues that each agent's update makes the mediator's value no lower, if leading pays at
every step and each agent has one action that maximizes how often it is picked later. (1) No action
does at the last step, where nobody is picked later. (2) With that asked for at all other steps, an
update may still lower the value; it does so in the paper's own games from fair starts. (3) From
selfish starts the values do rise there. (4) The limit is the optimum in all dilemma-like games of 2
players and 2 actions on a grid, but not with 3 actions or 3 players. Exact.

Why it matters (mediation): The paper rests convergence on this improvement, so that a
counterexample decides what else has to carry the proof.
"""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import mediation
from gametheory_core.mediation.certificate import mediator_deviation
from solvers.mediation import (
    AgentTies,
    InitialPolicies,
    MediatorTies,
    fair_optimum,
    jam_value_iteration,
    leading_response,
    mediator_response,
)
from tests.theorems.led_games import role_game

SOURCE = "Dodwadmath and Maghsudi 2025"
unique = pytest.mark.theorem(
    source=SOURCE,
    statement="The hypothesis of the Proposition, a unique action that maximizes later selection, "
    "never holds at the last step.",
)
improves = pytest.mark.theorem(
    source=SOURCE,
    statement="Mediators' updates never make returns less fair; agents' updates may, (5) is false.",
)
reaches = pytest.mark.theorem(
    source=SOURCE,
    statement="Rounds reach the optimum in dilemma-like games of 2 players and 2 actions.",
)
FULL = mediation.MediatorIncentives()


def later_selections(game, profile, agent):
    """How often an agent will be picked after each of its actions, at every node."""
    layers = mediation.mediated_histories(game).layers
    counts = [np.zeros(layer.num_nodes, dtype=int) for layer in layers]
    found = []
    for t in reversed(range(len(layers))):
        layer, after = layers[t], np.append(counts[t + 1], 0) if t + 1 < len(layers) else [0]
        here = []
        for node in range(layer.num_nodes):
            children = layer.child[node, agent, :, 0]
            here.append([int(after[child]) for child in children])
            leader = profile.leaders[t][node]
            taken = layer.child[node, leader, profile.actions[t][node][leader], 0]
            counts[t][node] = (leader == agent) + after[taken]
        found.append(here)
    return found[::-1]


def is_unique(counts):
    return counts.count(max(counts)) == 1


@unique
@pytest.mark.parametrize(
    "game",
    [
        mediation.mediated_prisoners_dilemma(),
        mediation.mediated_chicken(),
        mediation.resource_collection_two_colors(),
    ],
)
def test_no_action_is_unique_at_the_last_step(game):
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(0))
    for agent in range(2):
        last = later_selections(game, profile, agent)[-1]
        assert last
        assert not any(is_unique(counts) for counts in last)


@unique
def test_before_the_last_step_twin_an_action_may_be_unique():
    """A mediator that lets who cooperated lead again makes one action best for being picked."""
    game = mediation.mediated_prisoners_dilemma(rounds=2)
    histories = mediation.mediated_histories(game)
    returns = [histories.returns(1, node) for node in range(histories.layers[1].num_nodes)]
    led = [own.index(max(own)) for own in returns]
    again = tuple(k if min(own) > 0 else 1 - k for k, own in zip(led, returns, strict=True))
    profile = replace(
        mediation.random_mediated_profile(game, rng=np.random.default_rng(0)), leaders=((0,), again)
    )
    assert all(is_unique(counts) for counts in later_selections(game, profile, 0)[0])


@improves
@pytest.mark.parametrize(
    ("game", "start", "after"),
    [
        (mediation.resource_collection_two_colors(), 8, 5),
        (mediation.mediated_prisoners_dilemma(), 6, 3),
        (mediation.mediated_chicken(), 24, 12),
    ],
)
def test_the_first_agent_makes_fair_returns_unfair(game, start, after):
    found = jam_value_iteration(game, initial=InitialPolicies.FAIR)
    assert (found.start_value, found.trace[0][0]) == (start, after)
    assert found.fairness == start  # the mediator and later rounds mend it


@improves
def test_uniqueness_before_the_last_step_does_not_help():
    """Leading pays at every step, and both agents have one best action for being picked."""
    game = role_game([(-1, -2), (1, -4)], players=2, rounds=2)
    profile = mediation.MediatedProfile(
        (((1, 1),), ((0, 0), (1, 0), (0, 1), (0, 1))), ((0,), (0, 1, 0, 1))
    )
    assert mediator_response(game, profile, incentives=FULL) == profile
    for agent in range(2):
        assert all(is_unique(counts) for counts in later_selections(game, profile, agent)[0])
    updated = leading_response(game, profile, agent=0, incentives=FULL)
    values = [mediation.mediated_fairness(game, p, mediation.MINIMUM) for p in (profile, updated)]
    assert values == [-3, -4]


@improves
@given(
    st.integers(0, 999),
    st.sampled_from([mediation.mediated_prisoners_dilemma, mediation.mediated_chicken]),
)
def test_updates_of_the_mediator_never_make_returns_less_fair(seed, make):
    game = make(rounds=3)
    profile = mediation.random_mediated_profile(game, rng=np.random.default_rng(seed))
    updated = mediator_response(game, profile, incentives=FULL)
    assert mediator_deviation(game, updated, mediation.MINIMUM) is None
    before, after = (
        mediation.mediated_fairness(game, p, mediation.MINIMUM) for p in (profile, updated)
    )
    assert after >= before


@improves
@pytest.mark.parametrize(
    ("game", "values"),
    [
        (mediation.mediated_chicken(), [18, 24]),
        (mediation.resource_collection_two_colors(), [6, 8]),
        (mediation.mediated_prisoners_dilemma(), [2, 4, 5, 6]),
    ],
)
def test_from_selfish_starts_the_values_rise_in_the_paper_s_games(game, values):
    found = jam_value_iteration(game)
    every = [found.start_value, *(value for row in found.trace for value in row)]
    assert all(a <= b for a, b in pairwise(every))
    assert sorted(set(every)) == values


def dilemma(follower, above, rounds):
    """A game in which leading always pays more than following: ``above`` the best of it."""
    best = max(follower)
    pays = [(best + more, paid) for paid, more in zip(follower, above, strict=True)]
    return role_game(pays, players=2, rounds=rounds)


@reaches
@given(
    st.tuples(*[st.integers(-3, 2)] * 2),
    st.tuples(*[st.integers(1, 4)] * 2),
    st.integers(2, 4),
    st.sampled_from([AgentTies.FIRST, AgentTies.LAST]),
    st.sampled_from([MediatorTies.FIRST, MediatorTies.LAST, MediatorTies.POOREST]),
)
def test_rounds_reach_the_optimum_with_two_players_and_two_actions(
    follower, above, rounds, agent_ties, mediator_ties
):
    """A grid of 10,368 cases without an exception; no proof is known."""
    game = dilemma(follower, above, rounds)
    found = jam_value_iteration(game, agent_ties=agent_ties, mediator_ties=mediator_ties)
    assert found.fairness == fair_optimum(game).fairness


@reaches
@pytest.mark.parametrize(
    ("pays", "players", "value", "optimum"),
    [([(3, 2), (5, 2), (7, 0)], 2, 9, 10), ([(-2, -4), (-2, -3)], 3, -9, -8)],
)
@pytest.mark.parametrize(
    "mediator_ties", [MediatorTies.FIRST, MediatorTies.LAST, MediatorTies.POOREST]
)
def test_three_actions_and_three_players_twins_fall_short(
    pays, players, value, optimum, mediator_ties
):
    game = role_game(pays, players=players, rounds=3)
    options = {"mediator_ties": mediator_ties}
    found = jam_value_iteration(game, agent_ties=AgentTies.FIRST, **options)
    assert found.fairness == value
    assert fair_optimum(game).fairness == optimum
    # The failure is one of ties: by the last of equally good actions the optimum is reached.
    assert jam_value_iteration(game, agent_ties=AgentTies.LAST, **options).fairness == optimum


@reaches
def test_four_players_twin_has_no_future_to_lose():
    """With as many players as steps everybody leads once, and nobody can be punished later."""
    game = mediation.mediated_prisoners_dilemma(players=4)
    found = jam_value_iteration(game)
    assert (found.fairness, fair_optimum(game).fairness) == (-1, 5)
    longer = mediation.mediated_prisoners_dilemma(players=2, rounds=2)
    assert jam_value_iteration(longer).fairness == fair_optimum(longer).fairness == 3
