"""Numbers shown as one-hot vectors."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument, load_game
from learners import batched
from learners.batches import features


def test_features_are_the_numbers_one_hot():
    plain, shown = (batched(load_game("kuhn_poker"), episodes=5, seed=2) for _ in range(2))
    shown = features(shown)
    first, second = plain.reset(), shown.reset()
    for _ in range(4):
        assert second.observations.shape == (5, 2, 6)
        assert second.observations.dtype == np.float32
        assert (second.observations.argmax(-1) == first.observations).all()
        assert (second.final_observations.argmax(-1) == first.final_observations).all()
        assert (second.observations.sum(-1) == 1).all()
        actions = first.legal.argmax(-1)
        first, second = plain.step(actions), shown.step(actions)
    assert shown.num_features == plain.num_observations
    assert shown.num_observations == (0, 0)
    assert shown.observe(0, ("Q",)).argmax(-1).tolist() == plain.observe(0, ("Q",)).tolist()
    shown.restore(plain.snapshot())
    actions = first.legal.argmax(-1)
    wanted = plain.step(actions).observations
    assert (shown.step(actions).observations.argmax(-1) == wanted).all()


def test_features_of_features_are_refused():
    shown = features(batched(load_game("kuhn_poker"), episodes=5, seed=2))
    with pytest.raises(InvalidArgument, match="needs an environment with numbered observations"):
        features(shown)
