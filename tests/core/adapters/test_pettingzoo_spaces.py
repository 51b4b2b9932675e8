"""The agents' side of a game: names, spaces, unit vectors."""

import subprocess
import sys

import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete

from gametheory_core import InvalidArgument
from gametheory_core.adapters import Masks, aec_env, parallel_env
from gametheory_core.adapters.pettingzoo import one_hot
from gametheory_core.catalog import RepeatedGame, Tiger
from gametheory_core.games import NULL, stop_aec
from tests.core.adapters.small_games import Wheel


def test_spaces_are_the_same_objects_each_time_and_each_agents_own():
    env = parallel_env(Tiger())
    for space in (env.observation_space, env.action_space):
        assert space("player_0") is space("player_0")
        assert space("player_0") is not space("player_1")
    assert env.possible_agents == ["player_0", "player_1"]
    assert env.observation_space("player_0") == Box(0, 1, (3,), np.float32)  # nothing, two sides
    assert env.action_space("player_0") == Discrete(3)


def test_masks_in_observations_make_a_dict_space():
    env = parallel_env(Tiger(), masks=Masks.IN_OBSERVATIONS)
    assert env.observation_space("player_0") == Dict(
        {"observation": Box(0, 1, (3,), np.float32), "action_mask": Box(0, 1, (3,), np.int8)}
    )


def test_game_that_shows_nothing_has_arrays_of_two_numbers():
    env = parallel_env(RepeatedGame.of("matching_pennies", recall=0))
    assert env.reset(seed=0)[0]["player_0"].tolist() == [1, 0]


def test_player_who_never_acts_has_a_space_and_an_empty_mask():
    env = aec_env(stop_aec(Wheel(), moves=2))  # chance, then one of the first two seats
    env.reset(seed=0)
    assert env.action_space("player_2") == Discrete(1)
    assert env.infos["player_2"]["action_mask"].tolist() == [0]


def test_one_hot_gives_each_label_its_own_place():
    encoding = one_hot(["a", "b", "a", NULL, "c"])
    arrays = [encoding.encode(0, seen) for seen in (NULL, "a", "b", "c")]
    assert np.array_equal(arrays, np.eye(4))
    assert all(array.dtype == np.float32 and encoding.space.contains(array) for array in arrays)


def test_one_hot_refuses_what_is_not_listed():
    with pytest.raises(InvalidArgument, match=r"among the 2 listed, but player 1 sees 'z'"):
        one_hot(["a"]).encode(1, "z")


@pytest.mark.parametrize("package", ["gymnasium", "pettingzoo"])
def test_missing_package_is_named_with_the_extra_that_brings_it(package):
    code = (
        "import sys\n"
        f"sys.modules[{package!r}] = None\n"
        "from gametheory_core.errors import MissingDependency\n"
        "try:\n    import gametheory_core.adapters.pettingzoo\n"
        "except MissingDependency as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith(
        f"adapters.pettingzoo: needs {package}. Run: pip install 'gametheory-core[interop]' "
    )
