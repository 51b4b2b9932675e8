"""Many steps a call are those of one a call: the same tables, metrics and chance, to the bit."""

import numpy as np
import pytest

from gametheory_core import load_game
from gametheory_core.catalog import RepeatedGame
from learners import AtHorizon, Boltzmann, EpsilonGreedy, QLearning, Sarsa, Steps, batched
from learners.schedules import Linear, PerVisit
from learners.tabular.rules import Episodes

GAMES = {
    "turns": load_game("kuhn_poker"),
    "at once": RepeatedGame.of("rock_paper_scissors", rounds=3),
}
OPTIONS = {
    "steps": {"iteration": Steps(50), "step_size": Linear(0.5, 0.1, steps=70)},
    "episodes": {
        "iteration": Episodes(13),
        "step_size": PerVisit(),
        "exploration": EpsilonGreedy(Linear(1.0, 0.1, steps=60)),
    },
    "one learns": {"learns": (1,), "at_horizon": AtHorizon.CONTINUES, "discount": 0.9},
}


def learner(game, episodes, **options):
    play = batched(game, episodes=episodes, seed=3)
    return QLearning(play, rng=np.random.default_rng(4), **options)


@pytest.mark.parametrize("episodes", [1, 3])
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("game", GAMES)
def test_steps_of_a_loop_are_those_of_python(game, options, episodes, monkeypatch):
    monkeypatch.setattr("learners.tabular.play.MOST_STEPS", 16)
    fast, slow = (learner(GAMES[game], episodes, **OPTIONS[options]) for _ in range(2))
    loops = slow._compiled
    assert loops is not None
    slow._compiled = None
    for _ in range(2):
        assert fast.improve() == slow.improve()
    middle = fast.snapshot()
    assert repr(middle) == repr(slow.snapshot())
    fast._compiled, slow._compiled = None, loops
    assert fast.improve() == slow.improve()
    assert (fast.values(1) == slow.values(1)).all()
    fast.restore(middle)
    fast.improve()
    assert repr(fast.snapshot()) == repr(slow.snapshot())


def test_loops_are_left_to_python_where_they_would_learn_something_else():
    play = batched(GAMES["at once"], episodes=1, seed=1)
    rng = np.random.default_rng(1)
    table = np.full((play.num_observations[1], play.num_actions[1]), 1 / 3)
    others = (
        Sarsa(play, rng=rng),
        QLearning(play, rng=rng, exploration=Boltzmann()),
        QLearning(play, rng=rng, learns=(0,), others={1: table}),
    )
    assert [own._compiled for own in others] == [None] * 3
