"""Values by plain layers: the numbers of the networks that are differentiated by a library."""

import numpy as np
import pytest

pytest.importorskip("torch")

from gametheory_core import UnsupportedGame
from learners.deep import (
    Activation,
    CopyEvery,
    Encoding,
    MoveBy,
    NetworkShape,
    NextValue,
    ValueLoss,
    ValueOptions,
)
from learners.deep.action_values import ActionValues, Head
from learners.deep.optimization import Broken
from learners.deep.plain_values import PlainValues
from learners.deep.replay import Transitions

FEATURES, ACTIONS = 5, 3


def options_of(**changes):
    given = {"shape": NetworkShape((16, 8)), "loss": ValueLoss.SQUARED, "step_size": 0.01}
    return ValueOptions(**given | changes)


def plain(options, *, seed=0):
    rng = np.random.default_rng(seed)
    return PlainValues(FEATURES, num_actions=ACTIONS, options=options, rng=rng)


def transitions(rng, count=32):
    legal = rng.random((count, ACTIONS)) < 0.6
    legal[:, 0] = True
    return Transitions(
        observations=rng.normal(size=(count, FEATURES)).astype(np.float32),
        actions=rng.integers(ACTIONS, size=count),
        rewards=3 * rng.normal(size=count).astype(np.float32),
        next_observations=rng.normal(size=(count, FEATURES)).astype(np.float32),
        next_legal=legal,
        next_discounts=0.9 * (rng.random(count) < 0.7).astype(np.float32),
    )


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"shape": NetworkShape((16, 8), activation=Activation.RELU)},
        {"shape": NetworkShape(())},
        {"next_value": NextValue.LARGEST, "slow_copy": MoveBy(0.1)},
        {"loss": ValueLoss.HUBER, "slow_copy": CopyEvery(3)},
        {"max_gradient_norm": 0.5},
        {"max_gradient_norm": None},
    ],
    ids=["usual", "relu", "linear", "largest", "huber", "clipped", "unclipped"],
)
def test_updates_are_those_of_the_library(changes):
    """Same weights, same transitions: after 25 updates no value differs by more than rounding."""
    options = options_of(**changes)
    own = plain(options)
    encoding = Encoding(num_observations=0, num_features=FEATURES)
    theirs = ActionValues(
        encoding, num_actions=ACTIONS, options=options, rng=np.random.default_rng(0)
    )
    rng = np.random.default_rng(1)
    for _ in range(25):
        batch = transitions(rng)
        found, wanted = own.update(batch), theirs.update(batch)
        assert found["loss/value"] == pytest.approx(wanted["loss/value"], rel=1e-4)
        assert found["gradient norm"] == pytest.approx(wanted["gradient norm"], rel=1e-4)
    shown = rng.normal(size=(50, FEATURES))
    assert own.values(shown) == pytest.approx(theirs.values(shown), abs=1e-4)
    assert own.updates == 25


def test_several_outputs_of_one_moment_are_as_many_moments():
    """K targets a row are the same step as K rows with one target each."""
    shown = np.random.default_rng(2).normal(size=(6, FEATURES))
    outputs = np.array([[0, 1], [1, 2]] * 3)
    targets = np.arange(12.0).reshape(6, 2)
    together, apart = plain(options_of()), plain(options_of())
    found = together.fit(shown, outputs, targets)
    rows = np.repeat(shown, 2, axis=0)
    wanted = apart.fit(rows, outputs.reshape(-1, 1), targets.reshape(-1, 1))
    assert found == pytest.approx(wanted, rel=1e-4)
    assert together.values(shown) == pytest.approx(apart.values(shown), abs=1e-5)


def test_restored_values_go_on_bit_for_bit():
    rng = np.random.default_rng(3)
    batches = [transitions(rng) for _ in range(8)]
    own, other = plain(options_of()), plain(options_of(), seed=9)
    for batch in batches[:4]:
        own.update(batch)
    other.restore(own.snapshot())
    for batch in batches[4:]:
        own.update(batch)
        other.update(batch)
    shown = batches[0].observations
    assert np.array_equal(own.values(shown), other.values(shown))


def test_values_that_are_no_numbers_are_named():
    own = plain(options_of())
    one = np.zeros((1, FEATURES))
    with pytest.raises(Broken, match="loss/value became nan"):
        own.fit(one, np.array([[0]]), np.array([[np.nan]]))
    huge = plain(options_of())
    target = np.array([[1e38]])  # its square is no 32-bit number
    with pytest.raises(Broken, match="loss/value became inf"), np.errstate(over="ignore"):
        huge.fit(one, np.array([[0]]), target)


def test_dueling_heads_are_refused():
    with pytest.raises(UnsupportedGame, match="a plain head"):
        plain(options_of(head=Head.DUELING))
