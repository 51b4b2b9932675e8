"""What the mediator's network of picks learns toward: targets, with values of the network given."""

import numpy as np
import pytest

pytest.importorskip("torch")

from gametheory_core.mediation import MINIMUM, MediatorIncentives, MediatorStage
from learners.deep import ValueOptions
from learners.mediation.value_networks import PickingNetwork

STILL = np.array([[0.0, 3.0], [1.0, 1.0]])  # what both are still to get, by leader picked
PAST = np.array([[5.0, 0.0]])


class FixedValues:
    """Stands for a network: its values never change, and what it is taught is kept."""

    def __init__(self):
        self.taught = []

    def values(self, shown):
        return np.tile(STILL.reshape(-1), (len(shown), 1))

    def fit(self, shown, outputs, targets):
        self.taught.append((shown.tolist(), outputs.tolist(), targets.tolist()))
        return {}


def mind_of(stage):
    network = PickingNetwork(
        episodes=1,
        num_features=1,
        players=2,
        incentives=MediatorIncentives(MINIMUM, stage),
        options=ValueOptions(),
        capacity=4,
        rng=np.random.default_rng(1),
    )
    network._network = FixedValues()
    return network


@pytest.mark.parametrize(
    ("stage", "pick"),
    [(MediatorStage.NAIVE, 1), (MediatorStage.PRE_FINAL, 0), (MediatorStage.FULL, 0)],
)
def test_only_a_naive_mediator_forgets_what_was_paid(stage, pick):
    """The worst off is still to get 0 or 1, but with what was paid has 3 or 1."""
    network = mind_of(stage)
    assert network.best(network.values(np.zeros((1, 1))), PAST).tolist() == [pick]


@pytest.mark.parametrize(
    ("stage", "ended", "targets"),
    [
        (MediatorStage.NAIVE, False, [11.0, 21.0]),
        (MediatorStage.PRE_FINAL, False, [10.0, 23.0]),
        (MediatorStage.NAIVE, True, [10.0, 20.0]),
        (MediatorStage.PRE_FINAL, True, [10.0, 20.0]),
    ],
)
def test_targets_are_what_is_paid_and_what_the_next_pick_leads_to(stage, ended, targets):
    network = mind_of(stage)
    row = np.array([0])
    network.decide(row, np.array([[7.0]]), np.array([1]))
    network.gather(np.array([[4.0, 20.0]]))
    network.gather(np.array([[6.0, 0.0]]))
    network.close(row, np.array([[8.0]]), PAST, ended=ended)
    assert network.learn(2) == {}
    assert network._network.taught == []
    network.learn(1)
    assert network._network.taught == [([[7.0]], [[2, 3]], [targets])]
