"""The best mixed actions in random Markov games: how often the gap is closed, and how fast.

No other library bounds such leaders. The peer is what one would write first: every mixed action on
a grid of twentieths, in floats, all at once, with no proof; where three observations have three
actions each, that is out of reach. ``python -m tests.benchmarks.stochastic_stackelberg FAMILY SEED
FIRST LAST`` measures games one by one and prints a record of each.
"""

import json
import sys
import time
from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core import NotConverged
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders import FollowerClass, FollowerTies, LeaderView, leader_view
from solvers import Budget
from solvers.leaders import stochastic_markov_commitment, stochastic_markov_stackelberg
from solvers.leaders.lottery_search import float_leaders, leader_values
from tests.benchmarks.measure import Row, cpu_seconds

SPLITS, SECONDS = 600, 150  # cells and wall-clock time, in one game
CLOSED = Fraction(1, 10**6)  # of the span of the leader's returns
PARTS = 20  # of the grid

FAMILIES = {  # numbers that are drawn: states, observations, actions of both, steps, discounts
    "seen": ((3,), None, (2,), (2,), (3,), (Fraction(1),)),
    "mixed": (
        (2, 3, 4),
        (1, 2, 3),
        (2, 3),
        (2, 3),
        (1, 2, 3, 4),
        (Fraction(1), Fraction(9, 10), Fraction(1, 2)),
    ),
    "large": ((3,), None, (3,), (3,), (3,), (Fraction(1),)),
}


def random_game(family: str, *seed: int) -> LeaderView:
    """Draw a game: one to three next states, integer rewards from -5 to 5, a uniform start.

    The follower sees the state; the leader does too, or one of so many observations of it.
    """
    rng = np.random.default_rng(seed)
    count, seen, mine, theirs, steps, discount = (
        own if own is None else own[int(rng.integers(len(own)))] for own in FAMILIES[family]
    )
    own, other = tuple("abc"[:mine]), tuple("xyz"[:theirs])
    shown = [s if seen is None else int(rng.integers(seen)) for s in range(count)]
    transitions, rewards = {}, {}
    for state, joint in product(range(count), product(own, other)):
        size = int(rng.integers(1, min(3, count) + 1))
        after = rng.choice(count, size=size, replace=False).tolist()
        parts = rng.integers(1, 4, size).tolist()
        transitions[state, joint] = {
            s: Fraction(part, sum(parts)) for s, part in zip(after, parts, strict=True)
        }
        for s in after:
            rewards[state, joint, s] = tuple(rng.integers(-5, 6, 2).tolist())
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=(own, other),
        initial=dict.fromkeys(range(count), Fraction(1, count)),
        transitions=transitions,
        rewards=rewards,
        observations={
            (joint, s): {(shown[s], s): 1} for (_, joint), law in transitions.items() for s in law
        },
        initial_observations={s: {(shown[s], s): 1} for s in range(count)},
        legal_actions={
            **{(0, o): own for o in set(shown)},
            **{(1, s): other for s in range(count)},
        },
        discount=discount,
    )
    return leader_view(game, horizon=steps)


def span_of(view: LeaderView) -> Fraction:
    """Return how much the leader's returns may differ."""
    rewards = view.tables.rewards[..., 0]
    steps = sum(view.discount**t for t in range(view.horizon))
    return Fraction(int(np.ptp(rewards)), view.tables.reward_denominator) * steps


def proved(view: LeaderView, *, splits: int | None = SPLITS):
    """Return the certificate of branch and bound, closed or not."""
    try:
        return stochastic_markov_stackelberg(view, budget=Budget(SECONDS, splits)).certificate
    except NotConverged as error:
        return error.best.certificate


def record(family: str, *seed: int) -> dict[str, object]:
    """Measure one game: CPU seconds of search and proof, and of verifying; bounds by prices."""
    view = random_game(family, *seed)
    before = time.process_time()
    certificate = proved(view)
    between = time.process_time()
    certificate.verify()
    after = time.process_time()
    prices = stochastic_markov_commitment(view).certificate
    span = span_of(view)
    return {
        "family": family,
        "seed": list(seed),
        "value": str(certificate.leader_payoff),
        "bound": str(certificate.upper_bound),
        "gap": float(certificate.epsilon / span) if span else 0.0,
        "cells": len(certificate.nodes),
        "seconds": round(between - before, 2),
        "verified": round(after - between, 2),
        "by_prices": [float(prices.leader_payoff), float(prices.upper_bound)],
        "prices_gap": float(prices.epsilon / span) if span else 0.0,
    }


def on_a_grid(view: LeaderView, parts: int = PARTS) -> float:
    """Return what the best mixed actions in so many parts earn, in floats."""
    floats = float_leaders(view, follower_class=FollowerClass.TIME_AWARE, ties=FollowerTies.STRONG)
    count = len(view.game.actions[view.leader])
    choices = [
        [
            [Fraction(weights[legal.index(a)], parts) if a in legal else 0 for a in range(count)]
            for weights in product(range(parts + 1), repeat=len(legal))
            if sum(weights) == parts
        ]
        if legal
        else [[0] * count]
        for legal in map(view.leader_actions, range(len(view.game.observations[view.leader])))
    ]
    lotteries = np.array(list(product(*choices)), dtype=float)
    return float(leader_values(floats, lotteries).max()) * float(floats.unit)


def rows(*, family: str = "seen", seeds: tuple[int, ...] = (0, 1, 2), rounds: int = 1) -> list[Row]:
    """Compare games with the grid."""
    found: list[Row] = []
    for seed in seeds:
        view = random_game(family, seed)
        found.append(
            Row(
                f"best mixed actions, proved, random game {seed}",
                cpu_seconds(lambda view=view: proved(view), calls=rounds),
                "a grid of twentieths, floats, no proof",
                cpu_seconds(lambda view=view: on_a_grid(view), calls=rounds),
            )
        )
    return found


if __name__ == "__main__":
    for number in range(int(sys.argv[3]), int(sys.argv[4])):
        sys.stdout.write(json.dumps(record(sys.argv[1], int(sys.argv[2]), number)) + "\n")
        sys.stdout.flush()
