"""Learners of episodes in batches say what they need, and where to get it, when given a game."""

import inspect
from importlib import import_module

import numpy as np
import pytest

import learners
from gametheory_core import InvalidArgument, load_game
from learners.regret import Exp3
from learners.self_play import naive

ROOMS = [import_module(f"learners.{room}") for room in learners.ROOMS]
LEARNERS = [
    made
    for room in ROOMS
    for made in (getattr(room, name) for name in room.__all__)
    if inspect.isclass(made) and {"environment", "rng"} <= inspect.signature(made).parameters.keys()
]
NEEDED = {
    "BanditLearner": {"minimizer": Exp3(exploration=0.1)},
    "SelfPlay": {"scheme": naive(), "live": {"name": "QLearning"}},
    "PopulationTraining": {"live": {"name": "QLearning"}},
}


def test_there_are_such_learners_in_each_general_room():
    assert {made.__module__.split(".")[1] for made in LEARNERS} >= {
        "tabular",
        "gradients",
        "regret",
        "deep",
    }


@pytest.mark.parametrize("given", [load_game("kuhn_poker"), load_game("tiger"), None], ids=repr)
@pytest.mark.parametrize("learner", LEARNERS)
def test_a_game_is_refused_with_the_way_to_play_it_in_batches(learner, given):
    needed = NEEDED.get(learner.__name__, {})
    with pytest.raises(InvalidArgument, match=r"many episodes at once, but got .*Give batched\("):
        learner(given, rng=np.random.default_rng(0), **needed)
