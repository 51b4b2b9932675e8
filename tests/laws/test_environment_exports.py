"""Environments made by our own exporter are right, and a wrong model for them is noticed."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")

from gametheory_core import catalog
from gametheory_core.adapters import Masks, aec_env, parallel_env
from gametheory_core.adapters.pettingzoo import one_hot
from gametheory_core.conversions import aec_to_tabular, posg_to_aec, posg_to_tabular
from gametheory_core.errors import LawBroken
from gametheory_core.games import AWAY, NULL
from gametheory_core.testing import EnvironmentLaw
from tests.laws.planted.shifts import Shifts
from tests.laws.planted_bugs import HiddenCards, WhisperedPennies
from tests.laws.seeded_check import check_environment

FEW = {"episodes": 150, "replays": 3}


def encoding_of(game):
    """Unit vectors for all that is ever seen, and the way back."""
    table = (posg_to_tabular if hasattr(game, "initial") else aec_to_tabular)(game).target
    views = [o for own in table.observations for o in own if o is not AWAY]
    seen = list(dict.fromkeys((NULL, *views)))

    def read(agent, observation):
        array = observation["observation"] if isinstance(observation, dict) else observation
        return seen[int(np.argmax(array))]

    return one_hot(seen), read


@pytest.mark.parametrize("masks", Masks)
@pytest.mark.parametrize(
    "game", [HiddenCards(), catalog.RandomOrderTeam(), catalog.ReversingOrder()], ids=repr
)
def test_exported_turns_obey_their_game(game, masks):
    encoding, read = encoding_of(game)
    report = check_environment(
        lambda: aec_env(game, encoding=encoding, masks=masks), game, read_observation=read, **FEW
    )
    assert report.episodes == 150
    assert report.chances_tested > 0


@pytest.mark.parametrize(
    "game",
    [
        WhisperedPennies(),
        catalog.tiger(horizon=3),
        catalog.Cleanup(catalog.Resolution.RANDOM),
        catalog.RepeatedGame.of("rock_paper_scissors", rounds=3),
    ],
    ids=lambda game: game.title,
)
def test_exported_steps_obey_their_game(game):
    encoding, read = encoding_of(game)
    at_once = check_environment(
        lambda: parallel_env(game, encoding=encoding), game, read_observation=read, **FEW
    )
    in_turns = check_environment(
        lambda: aec_env(posg_to_aec(game).target, encoding=encoding),
        game,
        read_observation=read,
        **FEW,
    )
    assert in_turns.moves == 2 * at_once.moves


@pytest.mark.parametrize("game", [catalog.overlapping_generations(), Shifts()], ids=repr)
def test_exported_steps_of_players_who_come_and_go_obey_their_game(game):
    encoding, read = encoding_of(game)
    check_environment(
        lambda: parallel_env(game, encoding=encoding),
        game,
        read_observation=read,
        episodes=60,
        replays=2,
    )


@pytest.mark.parametrize(
    "game",
    [catalog.truel(rounds=2), posg_to_aec(catalog.overlapping_generations()).target],
    ids=lambda game: game.title,
)
def test_exported_turns_of_players_who_come_and_go_obey_their_game(game):
    _, read = encoding_of(game)
    check_environment(lambda: aec_env(game), game, read_observation=read, episodes=60, replays=2)


def test_race_condition_is_not_taken_for_a_random_order():
    encoding, read = encoding_of(catalog.Cleanup(catalog.Resolution.RANDOM))
    with pytest.raises(LawBroken, match=EnvironmentLaw.FREQUENCIES.value):
        check_environment(
            lambda: parallel_env(catalog.Cleanup(catalog.Resolution.FIXED), encoding=encoding),
            catalog.Cleanup(catalog.Resolution.RANDOM),
            read_observation=read,
            replays=2,
            episodes=1000,
        )
