"""REINFORCE on small problems, judged by the core."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.evaluation import return_gains
from learners import batched, train
from learners.deep import NetworkShape, Recurrence, Reinforce
from tests.learners.deep.own_turn_games import Alternating, bandit, recall_game


@pytest.mark.parametrize("has_baseline", [True, False])
def test_a_bandit_is_solved(has_baseline):
    game = bandit()
    learner = Reinforce(
        batched(game, episodes=64, seed=1),
        network=NetworkShape(hidden=()),
        step_size=0.1,
        has_baseline=has_baseline,
        rng=np.random.default_rng(1),
    )
    learned = train(learner, iterations=80)
    assert return_gains(game, learned.policies)[0] < Fraction(1, 20)
    assert ("loss/value" in learned.metrics[-1]) == has_baseline


def test_a_memory_solves_what_needs_one():
    game = recall_game()
    learner = Reinforce(
        batched(game, episodes=64, seed=1),
        network=NetworkShape(hidden=(8,), recurrence=Recurrence.GRU, memory_size=8),
        step_size=0.02,
        rng=np.random.default_rng(1),
    )
    assert return_gains(game, train(learner, iterations=80).policies)[0] < Fraction(1, 10)


def test_each_iteration_plays_whole_episodes():
    environment = Alternating(num_episodes=6)
    learner = Reinforce(environment, rng=np.random.default_rng(1))
    metrics = learner.improve()
    assert metrics["length"] <= 3
    assert metrics["environment steps"] == 18.0  # three moves at most, six episodes
    cut = Reinforce(Alternating(num_episodes=6), max_steps=2, rng=np.random.default_rng(1))
    assert cut.improve()["environment steps"] == 12.0


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"value_weight": -1}, "value_weight"),
        ({"entropy_weight": -1}, "entropy_weight"),
        ({"max_gradient_norm": 0}, "max_gradient_norm"),
        ({"max_steps": 0}, "max_steps"),
        ({"step_size": None}, "step_size"),
    ],
)
def test_bad_options_are_refused_by_name(options, complaint):
    with pytest.raises(InvalidArgument, match=f"Reinforce: .*{complaint}"):
        Reinforce(Alternating(), **options, rng=np.random.default_rng(1))
