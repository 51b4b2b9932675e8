"""Gradients of the losses, over all trajectories of a small game, are the exact policy gradient.

Two moments, two actions: the second observation shows the first action. Probabilities are quarters,
so that sixteen equally frequent lanes are all trajectories in exact proportion.
"""

import dataclasses
from itertools import product

import numpy as np
import pytest
import torch

from gametheory_core.catalog import RepeatedGame
from learners import batched
from learners.advantages import generalized_advantages
from learners.deep import Encoding, Network, NetworkShape, Reinforce
from learners.deep.actors import Actor
from learners.deep.agents import Agent
from learners.deep.lessons import reread
from learners.deep.ppo import Update, surrogate
from learners.deep.rollouts import Experience, rollout_buffer

QUARTERS = np.array([[1, 3], [2, 2], [3, 1]])  # of each action, after each observation
FIRST = np.array([0.5, -1.0])
SECOND = np.array([[2.0, -3.0], [1.0, 4.0]])
DISCOUNT = 0.5
UPDATE = Update(
    trace=1.0,
    clip=0.2,
    value_clip=None,
    value_weight=0.5,
    entropy_weight=0.0,
    epochs=1,
    minibatches=1,
    max_divergence=None,
    normalizes_advantages=False,
    max_gradient_norm=None,
)


def expected_return(logits, discount):
    shares = torch.softmax(logits, dim=-1)
    total = torch.zeros((), dtype=torch.float64)
    for a, b in product(range(2), repeat=2):
        chance = shares[0, a] * shares[1 + a, b]
        total = total + chance * (FIRST[a] + discount * SECOND[a, b])
    return total


def exact_gradient(discount):
    logits = torch.tensor(np.log(QUARTERS / 4), requires_grad=True)
    expected_return(logits, discount).backward()
    return logits.grad.numpy()


def exact_values(discount):
    after = (QUARTERS[1:] / 4 * SECOND).sum(axis=1)
    return np.array([(QUARTERS[0] / 4) @ (FIRST + discount * after), *after])


def tabular_actor():
    agent = Agent(
        players=(0,),
        name="one",
        num_actions=2,
        encoding=Encoding(num_observations=3, num_features=0),
    )

    def table(outputs):
        return Network(
            agent.encoding,
            outputs=outputs,
            shape=NetworkShape(hidden=()),
            output_scale=1.0,
            rng=np.random.default_rng(1),
            device=torch.device("cpu"),
        )

    actor = Actor(agent, policy=table(2), value=table(1), episodes=16)
    actor.policy.restore({"rows.weight": np.log(QUARTERS / 4)})
    return actor


class Standing:
    """An optimizer that makes no step."""

    def step(self):
        pass


def all_trajectories(values):
    """Return what sixteen lanes meet in which each trajectory is as frequent as it is likely."""
    lanes = []
    for a in range(2):
        for b in range(2):
            lanes += [(a, b)] * int(QUARTERS[0, a] * QUARTERS[1 + a, b])
    actions = np.array(lanes).T
    seen = np.stack([np.zeros(16, int), 1 + actions[0], np.zeros(16, int)])
    return Experience(
        observations=seen,
        previous=np.full((2, 16), -1),
        legal=np.ones((2, 16, 2), dtype=bool),
        acts=np.ones((3, 16), dtype=bool),
        actions=actions,
        log_shares=np.log(QUARTERS / 4)[seen[:2], actions],
        values=values[seen],
        beyond=np.zeros((2, 16)),
        rewards=np.stack([FIRST[actions[0]], SECOND[actions[0], actions[1]]]),
        is_over=np.array([[False] * 16, [True] * 16]),
        labels=np.zeros((2, 16), dtype=np.int64),
        policy_memory=torch.zeros(16, 0),
        value_memory=torch.zeros(16, 0),
    )


def estimated(values, trace):
    """Return the losses at the old policy, and the gradient that they give."""
    met, actor = all_trajectories(values), tabular_actor()
    found = generalized_advantages(
        **{name: getattr(met, name) for name in ("rewards", "values", "beyond", "acts", "is_over")},
        discount=1.0,
        trace=trace,
    )
    buffer = rollout_buffer(actor, met, advantages=found.advantages, counts=found.is_known)
    read = reread(actor, buffer)
    found = surrogate(read, buffer, UPDATE)
    actor.policy.differentiate(read.readings["policy"], found.lesson.slopes["policy"])
    layers = actor.policy.layers
    gradient = layers.named(layers.gradients)["rows.weight"]
    return found, -2 * gradient  # two decisions an episode


@pytest.mark.parametrize(
    ("trace", "values"),
    [
        (1.0, np.array([0.0, 0.0, 0.0])),
        (1.0, np.array([0.3, -2.0, 5.0])),  # any baseline does
        (0.0, exact_values(1.0)),  # with the right values, any trace does
        (0.6, exact_values(1.0)),
    ],
)
def test_surrogate_at_the_old_policy_has_the_exact_gradient(trace, values):
    losses, gradient = estimated(values, trace)
    assert np.allclose(gradient, exact_gradient(1.0), atol=1e-6)
    assert losses.divergence == pytest.approx(0.0, abs=1e-6)
    assert losses.clipped == 0.0


@pytest.mark.parametrize("clip", [None, 0.25])
def test_error_of_values_is_that_of_the_clipped_ones_where_larger(clip):
    old, new = np.array([0.0, 0.5, -1.0]), np.array([1.0, 0.5, -1.125])
    met, actor = all_trajectories(old), tabular_actor()
    actor.networks["value"].restore({"rows.weight": new[:, None]})
    returns = np.tile([2.0, -3.0, 0.25, 4.0], (2, 4))
    seen = met.observations[:2]
    buffer = rollout_buffer(actor, met, advantages=returns - old[seen], counts=met.acts[:2])
    found = surrogate(reread(actor, buffer), buffer, dataclasses.replace(UPDATE, value_clip=clip))
    missed = (new[seen] - returns) ** 2
    if clip is not None:
        held = np.clip(new, old - clip, old + clip)[seen]
        assert ((held - returns) ** 2 > missed).any()
        missed = np.maximum(missed, (held - returns) ** 2)
    assert found.lesson.losses["loss/value"] == pytest.approx(missed.mean() / 2)


def test_a_wrong_baseline_biases_short_traces():
    """The twin: one-step advantages of wrong values do not give the gradient."""
    _, gradient = estimated(np.array([0.3, -2.0, 5.0]), 0.0)
    assert not np.allclose(gradient, exact_gradient(1.0), atol=1e-2)


@pytest.mark.parametrize("baseline", [(0.0, 0.0, 0.0), (0.3, -2.0, 5.0)])
def test_reinforce_steps_along_the_exact_gradient_of_the_discounted_return(baseline):
    """What is met after the first episodes does not count."""
    game = RepeatedGame.of("matching_pennies")
    environment = batched(game, episodes=16, seed=1)
    learner = Reinforce(
        environment,
        learns=[0],
        discount=DISCOUNT,
        network=NetworkShape(hidden=()),
        rng=np.random.default_rng(1),
    )
    met, actor = all_trajectories(np.array(baseline)), tabular_actor()
    longer = {
        name: np.concatenate([array, array[:1]])
        for name, array in vars(met).items()
        if isinstance(array, np.ndarray)
    }
    learner._learn(actor, Standing(), dataclasses.replace(met, **longer))
    layers = actor.policy.layers
    gradient = layers.named(layers.gradients)["rows.weight"]
    assert np.allclose(-gradient, exact_gradient(DISCOUNT), atol=1e-6)
