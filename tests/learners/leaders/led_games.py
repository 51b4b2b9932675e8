"""The games that learned leaders are tested on, and what they can be worth."""

from functools import cache

import numpy as np

from gametheory_core import load_game
from gametheory_core.leaders import leader_view
from learners import train
from learners.studies.oracles_followers.settings import stage_games

GAMES = stage_games()


@cache
def iterated(name, rounds=10):
    """The view of an iterated game, player 0 leading."""
    return leader_view(load_game(f"iterated_{name}:rounds={rounds}"))


def trained(learner, iterations=None):
    """Train a learner to its end; return what was learned."""
    return train(learner, iterations=learner.iterations if iterations is None else iterations)


def same(first, second):
    """Whether two nested snapshots are equal, bit for bit."""
    if isinstance(first, dict):
        keys = first.keys() == second.keys()
        return keys and all(same(first[key], second[key]) for key in first)
    if isinstance(first, np.ndarray):
        return first.dtype == second.dtype and np.array_equal(first, second)
    if isinstance(first, list | tuple):
        pairs = zip(first, second, strict=True)
        return len(first) == len(second) and all(same(a, b) for a, b in pairs)
    return type(first) is type(second) and first == second
