"""Public-state games drawn at random, small enough for their trees; all kinds of deals and ends."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.games import (
    Deal,
    Paid,
    PayoffTable,
    PublicDraw,
    PublicMove,
    PublicStateGame,
    Showdown,
    public_state_game,
)
from gametheory_core.strategies.public_plans import PublicProfile, random_public_profile

UNIT = 6  # parts into which chance may split a deal once


@dataclass(frozen=True, eq=False)
class Listed:
    """Rules as a dictionary of positions."""

    deal: Deal
    nodes: dict[Any, Any]
    hands: tuple[tuple[str, ...], tuple[str, ...]]
    players: tuple[str, str] = ("Alice", "Bob")
    title: str = "drawn at random"
    root: tuple[int, ...] = ()

    def expand(self, position):
        return self.nodes[position]


def random_public_game(seed: int, *, depth: int = 4, is_generic: bool = False) -> PublicStateGame:
    """Draw a game; generic ones have payoffs of many digits, so that nothing ties."""
    rng = np.random.default_rng(seed)
    counts = tuple(rng.integers(1, 5, size=2).tolist())
    deal = _random_deal(rng, counts)
    nodes: dict[Any, Any] = {}
    _grow(nodes, (), deal, counts, depth, rng, is_generic)
    hands = tuple(
        tuple(f"{name}{k}" for k in range(n)) for name, n in zip("ab", counts, strict=True)
    )
    return public_state_game(Listed(deal, nodes, hands))


def _random_deal(rng, counts):
    kind = rng.integers(3)
    if kind == 0:  # any table
        table = rng.integers(0, 4, size=counts)
        table[0, 0] += 1
        return Deal(np.eye(counts[0], dtype=int), table)
    first, second = (rng.integers(1, 4, size=(1, n)) for n in counts)
    if kind == 1 or counts == (1, 1):
        return Deal(UNIT * first, second)
    alike = min(counts)
    taken = rng.integers(0, first[0, :alike] * second[0, :alike] + 1)
    return Deal(UNIT * first, second, UNIT * (rng.integers(0, 2, size=alike) - taken))


def _parts_of(deal, rng):
    """Split a deal into two; the weights of pairs are split at random where they are a table."""
    if len(deal.first) > 1:
        table = deal.rows(0, deal.shape[0])
        some = rng.integers(0, table + 1)
        if 0 < some.sum() < table.sum():
            eye = np.eye(deal.shape[0], dtype=int)
            return [Deal(eye, some), Deal(eye, table - some)]
    share = int(rng.integers(1, UNIT))
    if (deal.first % UNIT).any() or (deal.same % UNIT).any():
        return [deal]
    first, same = deal.first // UNIT, deal.same // UNIT
    return [Deal(part * first, deal.second, part * same) for part in (share, UNIT - share)]


def _grow(nodes, position, deal, counts, depth, rng, is_generic):
    kind = rng.random()
    if depth == 0 or (kind < 0.15 and position):
        nodes[position] = _random_end(rng, counts, is_generic)
    elif kind < 0.3:
        parts = _parts_of(deal, rng)
        nodes[position] = PublicDraw(
            {f"c{k}": (part, (*position, k)) for k, part in enumerate(parts)}
        )
        for k, part in enumerate(parts):
            _grow(nodes, (*position, k), part, counts, depth - 1, rng, is_generic)
    else:
        actions = int(rng.integers(1, 4))
        children = {f"m{k}": (*position, k) for k in range(actions)}
        nodes[position] = PublicMove(int(rng.integers(2)), children)
        for child in children.values():
            _grow(nodes, child, deal, counts, depth - 1, rng, is_generic)


def _random_end(rng, counts, is_generic):
    def payoff():
        if is_generic:
            return Fraction(int(rng.integers(-(10**6), 10**6)), 10**5)
        return Fraction(int(rng.integers(-3, 4)), int(rng.integers(1, 4)))

    kind = rng.integers(3)
    if kind == 0:
        return Paid(payoff())
    if kind == 1:
        strengths = tuple(tuple(rng.integers(0, 4, size=n).tolist()) for n in counts)
        return Showdown(strengths, payoff(), payoff(), payoff())
    return PayoffTable(tuple(tuple(payoff() for _ in range(counts[1])) for _ in range(counts[0])))


def random_plans(game: PublicStateGame, seed: int, *, whole: int = 10**6) -> PublicProfile:
    """Draw realization plans, some actions never played."""
    return random_public_profile(game, rng=np.random.default_rng(seed), whole=whole)
