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


def with_dominated_and_copies(rng, game, *, dominated=2, copies=1):
    """Plant strictly dominated actions and copies into a game, in a random order.

    A dominated action earns less than a mixture of two actions. A copy pays everybody what its
    original does, but for a term that depends on what the others, without the one paid, do.

    Returns the game, and for each of its actions which one of the given game it is a copy of; -1
    for dominated ones, and copies of these.
    """
    payoffs = game.exact_payoffs
    origins = [np.arange(n) for n in game.num_actions]
    for kind in rng.permutation([0] * dominated + [1] * copies).tolist():
        count = len(payoffs)
        player = int(rng.integers(count))
        rest = [np.take(payoffs[k], 0, axis=player) for k in range(count)]
        if kind == 0:
            a, b = rng.integers(payoffs.shape[1 + player], size=2).tolist()
            share = Fraction(int(rng.integers(1, 4)), 4)
            own = payoffs[player]
            new = [rng.integers(-50, 51, r.shape).astype(object) for r in rest]
            new[player] = share * np.take(own, a, axis=player)
            new[player] = new[player] + (1 - share) * np.take(own, b, axis=player)
            new[player] = new[player] - rng.integers(1, 5, new[player].shape)
        else:
            a = int(rng.integers(payoffs.shape[1 + player]))
            new = [np.take(payoffs[k], a, axis=player) for k in range(count)]
            for k in set(range(count)) - {player}:
                axis = k - (k > player)
                term = rng.integers(-9, 10, np.take(rest[k], [0], axis=axis).shape)
                new[k] = new[k] + term
        origin = origins[player][a] if kind else -1
        row = np.expand_dims(np.stack(new), 1 + player)
        payoffs = np.concatenate([payoffs, row], axis=1 + player)
        order = rng.permutation(payoffs.shape[1 + player])
        payoffs = np.take(payoffs, order, axis=1 + player)
        origins[player] = np.append(origins[player], origin)[order]
    return NormalFormGame.from_payoffs(payoffs), origins


def with_idle_players(rng, table, *, dominated, copies):
    """Seat two players among two who have a single action, then plant actions for everybody.

    Args:
        table (2, rows, columns): Payoffs of the two; the others are paid at random.

    Returns what ``with_dominated_and_copies`` does, and where the two sit.
    """
    rows, columns = table.shape[1:]
    seats = sorted(rng.choice(4, size=2, replace=False).tolist())
    shape = [1] * 4
    shape[seats[0]], shape[seats[1]] = rows, columns
    payoffs = rng.integers(-9, 10, (4, *shape)).astype(object)
    payoffs[seats] = table.reshape(2, *shape)
    base = NormalFormGame.from_payoffs(payoffs)
    return *with_dominated_and_copies(rng, base, dominated=dominated, copies=copies), seats


def without_planted(profile, origins, num_actions):
    """Return a profile of the game into which others were planted; None if it plays dominated ones.

    Copies are merged.
    """
    if any(own[at == -1].any() for own, at in zip(profile.strategies, origins, strict=True)):
        return None
    strategies = [np.full(n, Fraction(0), dtype=object) for n in num_actions]
    for strategy, own, at in zip(strategies, profile.strategies, origins, strict=True):
        for action in np.flatnonzero(own).tolist():
            strategy[at[action]] += own[action]
    return MixedProfile(tuple(strategies))


def merged(reduction, strategies):
    """Return how often each class of copies is played."""
    return tuple(
        tuple(sum(own[a] for a in each) for each in classes)
        for own, classes in zip(strategies, reduction.copies, strict=True)
    )


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
