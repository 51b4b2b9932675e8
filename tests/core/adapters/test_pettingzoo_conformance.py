"""PettingZoo's own conformance tests, on games of every kind; warnings are errors here."""

from types import SimpleNamespace

import pytest
from pettingzoo.test import (
    api_test,
    max_cycles_test,
    parallel_api_test,
    parallel_seed_test,
    seed_test,
)
from pettingzoo.utils.conversions import parallel_to_aec

from gametheory_core.adapters import IllegalActions, Masks, aec_env, parallel_env
from gametheory_core.catalog import RandomOrderTeam, RepeatedGame, ReversingOrder, Tiger
from gametheory_core.conversions import posg_to_aec
from gametheory_core.games import stop_posg
from tests.core.adapters.small_games import Corridor, Wheel

ALWAYS_LEGAL = {
    "one shot": RepeatedGame.of("matching_pennies"),
    "repeated": RepeatedGame.of("rock_paper_scissors", rounds=4, recall=2),
    "tiger": Tiger(horizon=6),
}
POSGS = {**ALWAYS_LEGAL, "corridor": Corridor(horizon=5)}
TURNS = {
    "team": RandomOrderTeam(),
    "reversing": ReversingOrder(seats=3),
    "wheel": Wheel(),
    **{name: posg_to_aec(game).target for name, game in POSGS.items()},
}


def named(games):
    return [pytest.param(game, id=name) for name, game in games.items()]


@pytest.mark.parametrize("game", named(TURNS))
def test_turns_pass_api_test(game):
    api_test(aec_env(game, render_mode="ansi"), num_cycles=100)


@pytest.mark.parametrize("game", named(TURNS))
def test_turns_pass_seed_test(game):
    seed_test(lambda: aec_env(game), num_cycles=50)


@pytest.mark.parametrize("game", named(POSGS))
def test_parallel_turned_into_turns_passes_api_test(game):
    api_test(parallel_to_aec(parallel_env(game)), num_cycles=100)


@pytest.mark.parametrize("game", named(POSGS))
def test_parallel_turned_into_turns_passes_seed_test(game):
    seed_test(lambda: parallel_to_aec(parallel_env(game)), num_cycles=50)


@pytest.mark.parametrize("game", named(ALWAYS_LEGAL))
def test_parallel_passes_api_test(game):
    parallel_api_test(parallel_env(game), num_cycles=100)


@pytest.mark.parametrize("game", named(POSGS))
def test_parallel_with_masks_in_observations_passes_api_test(game):
    parallel_api_test(parallel_env(game, masks=Masks.IN_OBSERVATIONS), num_cycles=100)


@pytest.mark.parametrize("game", named(ALWAYS_LEGAL))
def test_parallel_passes_seed_test(game):
    parallel_seed_test(lambda: parallel_env(game), num_cycles=50)


@pytest.mark.parametrize("game", named(POSGS))
def test_parallel_that_takes_illegal_actions_passes_what_ignores_masks(game):
    def make():
        return parallel_env(game, illegal_actions=IllegalActions.FIRST_LEGAL)

    parallel_api_test(make(), num_cycles=100)
    parallel_seed_test(make, num_cycles=50)


@pytest.mark.parametrize(
    "game",
    [
        pytest.param(RepeatedGame.of("chicken", rounds=None), id="endless"),
        pytest.param(RepeatedGame.of("chicken", rounds=9), id="longer"),
        pytest.param(Tiger(horizon=30), id="tiger"),
    ],
)
def test_max_cycles_test_passes_with_either_kind_of_turns(game):
    def parallel(max_cycles):
        return parallel_env(game, max_cycles=max_cycles)

    def canonical_turns(max_cycles):
        return aec_env(posg_to_aec(stop_posg(game, steps=max_cycles)).target)

    for turns in (lambda max_cycles: parallel_to_aec(parallel(max_cycles)), canonical_turns):
        max_cycles_test(SimpleNamespace(parallel_env=parallel, env=turns))


def test_attribute_that_parallel_api_test_writes_changes_nothing():
    env = parallel_env(Tiger(horizon=2))
    env.max_cycles = 100
    env.reset(seed=0)
    for _ in range(2):
        *_, truncations, _ = env.step(dict.fromkeys(env.agents, 0))
    assert truncations == {"player_0": True, "player_1": True}
