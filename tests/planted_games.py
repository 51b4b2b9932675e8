"""Games with an equilibrium that is known before they are made."""

from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.evaluation import action_payoffs

LARGEST_EXPONENT = 15


def planted(rng, shape, supports, *, exponent=LARGEST_EXPONENT, gap=1):
    """Return a game and an equilibrium of it with the given supports, in rationals.

    Probabilities and payoffs go over many powers of ten. Payoffs are random ones, less what an
    action earns at the equilibrium, so that all supported actions earn 0 there; others earn
    ``gap`` less, in their player's unit.
    """
    profile = MixedProfile(
        tuple(
            _strategy(rng, count, own, exponent) for count, own in zip(shape, supports, strict=True)
        )
    )
    payoffs = np.empty((len(shape), *shape), dtype=object)
    for cell in product(*map(range, payoffs.shape)):
        payoffs[cell] = Fraction(int(rng.integers(-1000, 1001)))
    game = NormalFormGame.from_payoffs(payoffs)
    for player, own in enumerate(supports):
        values = action_payoffs(game, profile, player=player)
        unit = Fraction(10) ** int(rng.integers(-exponent, exponent + 1))
        for action, value in enumerate(values):
            where = (player, *(action if j == player else slice(None) for j in range(len(shape))))
            payoffs[where] -= value + (0 if action in own else gap)
            payoffs[where] *= unit
    return NormalFormGame.from_payoffs(payoffs), profile


def _strategy(rng, count, support, exponent):
    weights = [
        Fraction(int(rng.integers(1, 1000))) / Fraction(10) ** int(rng.integers(0, exponent + 1))
        for _ in support
    ]
    strategy = np.full(count, Fraction(0), dtype=object)
    strategy[list(support)] = [weight / sum(weights) for weight in weights]
    return strategy


def regular_supports(rng, shape):
    """Draw supports for which the equations, as many as unknowns, can have isolated solutions.

    Nobody mixes over more actions than the others' mixing can make him indifferent among.
    """
    while True:
        supports = tuple(
            tuple(sorted(rng.choice(n, size=int(rng.integers(1, n + 1)), replace=False).tolist()))
            for n in shape
        )
        free = [len(own) - 1 for own in supports]
        if 2 * max(free) <= sum(free):
            return supports
