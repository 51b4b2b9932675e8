"""Sequences of utilities for regret minimizers: random, drifting, and chosen by an adversary."""

import numpy as np

# what an adversary gives who sees the strategies, shape (batch, actions)


def least_likely(strategies, rng):
    """Pay 1 to the action least likely to be played."""
    actions = strategies.shape[1]
    return (np.arange(actions) == strategies.argmin(axis=1)[:, None]).astype(float)


def punish_most_likely(strategies, rng):
    """Charge 1 for the action most likely to be played."""
    actions = strategies.shape[1]
    return -(np.arange(actions) == strategies.argmax(axis=1)[:, None]).astype(float)


def coins(strategies, rng):
    """Pay 0 or 1 at random."""
    return rng.integers(2, size=strategies.shape).astype(float)


def normal(strategies, rng):
    """Pay anything."""
    return rng.normal(size=strategies.shape)


def cycle(strategies, rng):
    """Act in a generalised rock-paper-scissors that the strategy's likeliest action loses."""
    actions = strategies.shape[1]
    other = (strategies.argmax(axis=1) + 1) % actions
    apart = (np.arange(actions) - other[:, None]) % actions
    return np.where(apart == 1, 1.0, 0.0) - np.where(apart == actions - 1, 1.0, 0.0)


ADVERSARIES = (least_likely, punish_most_likely, coins, normal, cycle)


def face(minimizer, choose, *, batch, actions, steps, seed=0):
    """Return strategies and utilities, both (steps, batch, actions)."""
    rng = np.random.default_rng(seed)
    state = minimizer.start(batch, actions)
    strategies, utilities = [], []
    for _ in range(steps):
        strategies.append(minimizer.strategies(state))
        utilities.append(choose(strategies[-1], rng))
        state = minimizer.observe(state, utilities[-1])
    return np.array(strategies), np.array(utilities)


def drifting(seed, *, steps, actions, phases):
    """Return utilities (steps, actions) in [0, 1] whose best action changes with the phase."""
    rng = np.random.default_rng(seed)
    best = rng.integers(actions, size=phases)
    phase = np.arange(steps) * phases // steps
    noise = rng.random((steps, actions)) * 0.5
    return noise + 0.5 * (np.arange(actions) == best[phase][:, None])
