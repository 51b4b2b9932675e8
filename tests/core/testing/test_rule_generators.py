"""Generators of rules and policies keep their promises, reach corners, shrink to small games."""

from dataclasses import replace
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import find as smallest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.vendor.pretty import pretty

from gametheory_core import NormalFormGame, UnsupportedGame, conversions, testing
from gametheory_core.evaluation import aec_trajectories, posg_trajectories
from gametheory_core.games import NULL
from tests.sample_sizes import to_reach, to_shrink

SHRINK = pytest.param(to_shrink, marks=pytest.mark.slow)
KINDS = st.sampled_from(list(testing.PayoffKind))


def check_sizes(game, table, max_horizon):
    assert 1 <= len(game.players) <= 3
    assert len(table.states) <= 2
    assert all(
        len(own) <= 2
        for own in (*game.actions, *(set(seen) - {NULL} for seen in table.observations))
    )
    assert 0 <= game.horizon <= max_horizon
    assert game.discount in (1, Fraction(1, 2), Fraction(9, 10), 0)


@given(testing.posgs())
def test_posgs_have_every_row_that_play_reaches_and_no_other(game):
    whole = conversions.posg_to_tabular(replace(game, horizon=None)).target
    assert len(whole.row_key) == len(game.transitions)
    assert set(whole.states) >= game.terminal
    check_sizes(game, whole, 2)
    for law in (game.first, *(law for _, law in game.transitions.items)):
        assert len(law) <= 2
        assert all(weight.denominator <= 4 for _, weight in law)


@given(testing.aecs())
def test_aec_games_have_every_row_that_play_reaches_and_no_other(game):
    whole = conversions.aec_to_tabular(replace(game, horizon=None)).target
    assert len(whole.row_key) == len(game.moves) + len(game.chances)
    assert set(whole.states) >= game.terminal
    check_sizes(game, whole, 3)
    for listing in (game.chances, game.turns, game.rewards, game.observations):
        assert all(len(law) <= 2 for _, law in listing.items)


@given(st.data())
def test_rewards_are_exact_of_their_kind_and_cancel_where_asked(data):
    kind = data.draw(KINDS)
    posg = data.draw(testing.posgs(zero_sum=True, kinds=(kind,)))
    aec = data.draw(testing.aecs(zero_sum=True, kinds=(kind,)))
    assert len(posg.players) == len(aec.players) == 2
    paid = [vector for _, vector in posg.rewards.items]
    paid += [vector for _, law in aec.rewards.items for vector, _ in law]
    for vector in paid:
        assert all(type(reward) is Fraction for reward in vector)
        assert sum(vector) == 0
        if kind is testing.PayoffKind.DEGENERATE:
            assert abs(vector[0]) <= 1


@given(st.data())
def test_profiles_play_legal_actions_exactly_and_always_alike(data):
    for game, trajectories in (
        (data.draw(testing.posgs()), posg_trajectories),
        (data.draw(testing.aecs()), aec_trajectories),
    ):
        profile = data.draw(testing.policy_profiles(game))
        law = trajectories(game, profile)
        assert sum(weight for _, weight in law) == 1
        copies = tuple(testing.SeededPolicy(game, own.player, own.seed) for own in profile)
        assert copies == profile
        assert trajectories(game, copies) == law


@given(testing.posgs(factored=True))
def test_factored_posgs_have_independent_observations(game):
    assert conversions.posg_to_aec_factored(game).source is game


def test_correlated_observations_are_reached():
    def is_correlated(game):
        try:
            conversions.posg_to_aec_factored(game)
        except UnsupportedGame:
            return True
        return False

    found = smallest(testing.posgs(num_players=(2, 2)), is_correlated, settings=to_reach)
    assert found.transitions


@given(st.data())
def test_potential_games_have_an_exact_potential(data):
    kind = data.draw(KINDS)
    game = data.draw(testing.potential_games(kinds=(kind,)))
    assert isinstance(game, NormalFormGame)
    payoffs = game.exact_payoffs
    # Monderer and Shapley: gains around every four-cycle of two players' deviations cancel
    for i, j in product(range(game.num_players), repeat=2):
        if i < j:
            first = np.diff(np.diff(payoffs[i], axis=i), axis=j)
            second = np.diff(np.diff(payoffs[j], axis=i), axis=j)
            assert first.tolist() == second.tolist()


POSG_CORNERS = {
    "a reward": (lambda g: len(g.rewards) > 0, 1),
    "a draw": (lambda g: any(len(law) > 1 for _, law in g.transitions.items), 2),
    "a restricted player": (lambda g: len(g.legal) > 0, 1),
    "an end": (lambda g: bool(g.terminal), 2),
    "an end at once": (lambda g: any(g.is_terminal(s) for s, _ in g.first), 2),
    "a discount": (lambda g: g.discount != 1, 1),
    "no step": (lambda g: g.horizon == 0, 1),
}
AEC_CORNERS = {
    "a reward": (lambda g: len(g.rewards) > 0, 1),
    "a random reward": (lambda g: any(len(law) > 1 for _, law in g.rewards.items), 1),
    "a move": (lambda g: len(g.moves) > 0, 1),
    "a drawn mover": (lambda g: any(len(law) > 1 for _, law in g.turns.items), 1),
    "a clock that leaks": (lambda g: bool(conversions.clock_leak(g)), 1),
    "a turn that sees the new state": (
        lambda g: any(
            key[:3] == other[:3] and law != last
            for key, law in g.turns.items
            for other, last in g.turns.items
        ),
        2,
    ),
    "no move at all": (lambda g: g.horizon == 0, 1),
}


@pytest.mark.parametrize(("corner", "num_states"), POSG_CORNERS.values(), ids=POSG_CORNERS)
@pytest.mark.parametrize("search", [to_reach, SHRINK])
def test_corners_of_the_space_of_posgs_are_reached_and_shrink(corner, num_states, search):
    found = smallest(testing.posgs(), corner, settings=search)
    if search is to_reach:
        return
    assert len({s for s, _ in found.first} | {key[0] for key in found.transitions}) <= num_states
    assert len(found.transitions) <= 2
    assert len(repr(found)) < 500


@pytest.mark.parametrize(("corner", "num_states"), AEC_CORNERS.values(), ids=AEC_CORNERS)
@pytest.mark.parametrize("search", [to_reach, SHRINK])
def test_corners_of_the_space_of_aec_games_are_reached_and_shrink(corner, num_states, search):
    found = smallest(testing.aecs(), corner, settings=search)
    if search is to_reach:
        return
    assert len({key[3] for key in found.turns} | {"s0"}) <= num_states
    assert len(found.moves) <= 2
    assert len(repr(found)) < 700


def test_the_smallest_game_that_pays_is_read_at_a_glance():
    found = smallest(testing.posgs(), lambda game: len(game.rewards) > 0, settings=to_shrink)
    assert repr(found) == (
        "list_posg(players=('player 1',), actions=(('a',),), initial={'s0': 1}, "
        "transitions={('s0', ('a',)): {'s0': 1}}, rewards={('s0', ('a',), 's0'): (1,)}, "
        "observations={(('a',), 's0'): {('u',): 1}}, initial_observations={'s0': {('u',): 1}}, "
        "horizon=1)"
    )


def test_hypothesis_shows_a_game_as_the_call_that_builds_it():
    for games in (testing.posgs(), testing.aecs()):
        found = smallest(games, lambda game: len(game.rewards) > 0, settings=to_shrink)
        assert pretty(found) == repr(found)


def test_policies_shrink_to_the_first_action_and_remember_the_past():
    game = smallest(
        testing.posgs(), lambda g: len(g.legal) == 0 and len(g.actions[0]) == 2, settings=to_shrink
    )
    first = testing.SeededPolicy(game, 0, 0)
    assert (
        smallest(testing.policies(game), lambda own: len(own["u",]) == 1, settings=to_shrink)
        == first
    )
    assert first["u",].items == (("a", 1),)
    seeds = [testing.SeededPolicy(game, 0, seed) for seed in range(1, 40)]
    assert any(own["u",] != own["u", "a", "u"] for own in seeds)
    assert {len(own["u",]) for own in seeds} == {1, 2}
    mixing = smallest(testing.policies(game), lambda own: len(own["u",]) == 2, settings=to_shrink)
    assert repr(mixing) == f"SeededPolicy(game, player=0, seed={mixing.seed})"
    assert mixing.seed < 100


def test_random_policies_follow_the_generator():
    game = smallest(
        testing.aecs(num_players=(2, 2)), lambda g: len(g.moves) > 0, settings=to_shrink
    )
    draws = [testing.random_policies(game, rng=np.random.default_rng(seed)) for seed in (0, 0, 1)]
    assert draws[0] == draws[1] != draws[2]
    assert [own.player for own in draws[0]] == [0, 1]
