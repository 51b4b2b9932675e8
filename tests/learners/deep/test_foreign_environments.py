"""Environments of PettingZoo and Gymnasium train with learners that know nothing of them."""

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
pytest.importorskip("gymnasium")

import gymnasium
from pettingzoo.classic import rps_v2

from gametheory_core.adapters import parallel_env
from gametheory_core.catalog import RepeatedGame
from learners import train
from learners.adapters import from_gymnasium, from_pettingzoo
from learners.deep import DQN, ActorCritic, CopyEvery, NetworkShape, ValueOptions

FAST = ValueOptions(shape=NetworkShape(()), step_size=0.05, slow_copy=CopyEvery(10))


def mostly_rock(observations, legal):
    """Rock half of the time; a ``Behavior``."""
    del observations
    shares = np.zeros(legal.shape)
    shares[:, :3] = [0.5, 0.25, 0.25]
    return shares


def test_a_learner_beats_a_biased_player_of_pettingzoos_rock_paper_scissors():
    """Random play earns 0 in 15 rounds, paper 15/4; the test asks for 3 (error rate 0: seeded)."""
    batch = from_pettingzoo(lambda: rps_v2.parallel_env(max_cycles=15), episodes=16, seed=1)
    others = {1: mostly_rock}
    learner = DQN(
        batch,
        learns=(0,),
        others=others,
        values=FAST,
        discount=0.5,
        exploration=1.0,
        steps=8,
        updates=8,
        batch_size=256,
        rng=np.random.default_rng(1),
    )
    learned = train(learner, iterations=30)
    paid = [each["return/player_0"] for each in learned.metrics if "return/player_0" in each]
    assert abs(np.mean(paid)) < 1  # it explored all the time
    judge = DQN(
        from_pettingzoo(lambda: rps_v2.parallel_env(max_cycles=15), episodes=64, seed=2),
        learns=(0,),
        others=others,
        values=FAST,
        exploration=0.0,
        steps=15,
        warm_up=50_000,
        rng=np.random.default_rng(3),
    )
    judge._seats[0].values.restore(learner._seats[0].values.snapshot())
    assert judge.improve()["return/player_0"] > 3


def test_a_game_that_went_through_pettingzoo_is_learned_as_before():
    game = RepeatedGame.of("prisoners_dilemma", rounds=2)
    batch = from_pettingzoo(lambda: parallel_env(game), episodes=16, seed=1)
    learner = ActorCritic(
        batch, network=NetworkShape((16,)), steps=4, step_size=0.02, rng=np.random.default_rng(1)
    )
    last = train(learner, iterations=60).metrics[-1]
    assert last["return/player_0"] == pytest.approx(2, abs=0.3)  # a unit a round if both defect


@pytest.mark.parametrize("kind", [DQN, ActorCritic])
def test_a_run_in_gymnasium_goes_on_from_a_snapshot(kind):
    def made():
        batch = from_gymnasium(lambda: gymnasium.make("CartPole-v1"), episodes=2, seed=1)
        return kind(batch, steps=40, rng=np.random.default_rng(1))

    whole = train(made(), iterations=6)
    half = train(made(), iterations=3)
    rest = train(made(), iterations=6, start=half)
    assert rest.metrics == whole.metrics
