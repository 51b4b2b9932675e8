"""What sequences and best responses pay in public-state games, in integers, exactly.

Against a plan ``y`` of the other player, a hand ``a`` that comes to an end of play gets

    sum over b of W(a, b) u(a, b) y(b),

in parts of one whole. Where hands are compared, ``u`` has three values, and the sum is read off
running sums over the other's hands in order of strength: time is linear in hands. Added up over all
ends of a sequence, and with the best of what may follow, that is what the sequence can get.

Integers of the machine hold all payoffs if ``size_bound`` says so; what is summed on the way may
wrap around, and comes back, as integers modulo 2^64 do. Else Python's integers serve.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.games.public_histories import PublicLayout
from gametheory_core.games.public_states import (
    End,
    PayoffTable,
    PublicStateGame,
    Showdown,
    end_payoffs,
)
from gametheory_core.strategies.public_plans import BLOCK_ENTRIES, MACHINE_BITS, blocks_of_moves


def size_bound(game: PublicStateGame, whole: int) -> int:
    """Return what no payoff of a sequence exceeds in size, nor the best of what follows it.

    Along any way of playing, a pair of hands meets ends whose weights, times what the other's plan
    brings there, sum to at most the weight of the pair times the whole: chance's moves divide the
    former, and the other's the latter.

    Args:
        whole: ``plan[0]``.
    """
    paid = max((abs(p) for one in game.situations for p in _amounts(game, one.end)), default=0)
    return game.deals[0].total * paid * whole


def _amounts(game: PublicStateGame, end: End | None) -> list[Any]:
    """Return the payoffs of player 0 at an end in parts of ``1 / payoff_parts``."""
    return [int(payoff * game.payoff_parts) for payoff in end_payoffs(end)]


class _Comparison(NamedTuple):
    """How own hands compare with the other's.

    ``order``: the other's hands, the weakest first; ``below``, ``upto`` (own hands,): how many are
    weaker, and weaker or equal; ``alike`` (hands of one number,): 0, 1, 2 if the own is stronger,
    equal, weaker.
    """

    order: Any
    below: Any
    upto: Any
    alike: Any


def _comparison(end: End, player: int, game: PublicStateGame) -> _Comparison:
    if isinstance(end, Showdown):
        own, other = (np.array(end.strengths[p]) for p in (player, 1 - player))
    else:  # all equal
        own, other = (np.zeros(game.num_hands[p], dtype=np.int64) for p in (player, 1 - player))
    order = np.argsort(other, kind="stable")
    below, upto = (np.searchsorted(other[order], own, side=side) for side in ("left", "right"))
    alike = min(len(own), len(other))
    return _Comparison(order, below, upto, 1 - np.sign(own[:alike] - other[:alike]))


def sequence_payoffs(
    game: PublicStateGame, layout: PublicLayout, plan: Any, *, player: int
) -> NDArray[Any]:
    """Return what ends of play pay on each sequence of a player, against the other's plan.

    Args:
        plan: Of the other player, trusted.
        player: Whose sequences and payoffs.

    Returns:
        ``(sequences,)``: int64 or Python's integers. ``deals[0].total * payoff_parts * plan[0]`` of
        them are one unit of payoff.
    """
    is_small = size_bound(game, int(plan[0])).bit_length() <= MACHINE_BITS
    kind: Any = np.int64 if is_small else object
    plan = plan.astype(kind)
    found = np.zeros(layout.num_sequences[player], dtype=kind)
    factors = [_stacked(game, p, kind) for p in (0, 1)]
    same = np.array([_padded(deal.same, min(game.num_hands)) for deal in game.deals], dtype=kind)
    hands = [np.arange(count) for count in game.num_hands]
    other = 1 - player
    for end, ends, amounts, deals in _groups(game, layout):
        own_to, others_at = (
            layout.start[p, ends][:, None] + layout.stride[p, ends][:, None] * hands[p]
            for p in (player, other)
        )
        weights = plan[others_at]
        values = np.zeros(own_to.shape, dtype=kind)
        if isinstance(end, PayoffTable):
            table = np.array(_amounts(game, end), dtype=kind).reshape(game.num_hands)
            table = table if player == 0 else -table.T
            for term in range(factors[0].shape[1]):
                paid = (factors[other][deals, term] * weights) @ table.T
                values += factors[player][deals, term] * paid
            alike = np.diagonal(table)
        else:
            compared = _comparison(end, player, game)
            ordered = np.array(amounts, dtype=kind)  # (ends, 3)
            if player == 1:
                ordered = -ordered[:, ::-1]
            above, equal, below = (ordered[:, k, None] for k in range(3))
            for term in range(factors[0].shape[1]):
                reach = (factors[other][deals, term] * weights)[:, compared.order]
                sums = np.zeros((len(ends), len(hands[other]) + 1), dtype=kind)
                np.cumsum(reach, axis=1, out=sums[:, 1:])
                weaker, not_stronger = sums[:, compared.below], sums[:, compared.upto]
                paid = above * weaker + equal * (not_stronger - weaker)
                paid += below * (sums[:, -1:] - not_stronger)
                values += factors[player][deals, term] * paid
            alike = ordered[:, compared.alike]
        count = same.shape[1]
        values[:, :count] += same[deals] * weights[:, :count] * alike
        np.add.at(found, own_to, values)
    return found


def _groups(game: PublicStateGame, layout: PublicLayout) -> Iterator[tuple[End, Any, Any, Any]]:
    """Go over ends that compare hands alike: how, which, their amounts and their deals."""
    kinds: dict[object, int] = {}
    numbers = np.full(len(game.situations), -1)
    by_kind: list[End] = []
    for k, one in enumerate(game.situations):
        if one.end is None:
            continue
        key: object = one.end if isinstance(one.end, PayoffTable) else None
        if isinstance(one.end, Showdown):
            key = one.end.strengths
        if key not in kinds:
            kinds[key] = len(by_kind)
            by_kind.append(one.end)
        numbers[k] = kinds[key]
    situations = layout.situation[layout.ends]
    paid = [
        () if isinstance(one.end, PayoffTable) else _amounts(game, one.end)
        for one in game.situations
    ]
    deals = np.array([one.deal for one in game.situations])
    order = np.argsort(numbers[situations], kind="stable")
    bounds = np.searchsorted(numbers[situations][order], np.arange(len(by_kind) + 1))
    size = max(1, BLOCK_ENTRIES // max(game.num_hands))
    for kind, end in enumerate(by_kind):
        for start in range(int(bounds[kind]), int(bounds[kind + 1]), size):
            ends = order[start : min(start + size, int(bounds[kind + 1]))]
            here = situations[ends]
            yield end, ends, [paid[k] for k in here.tolist()], deals[here]


def _stacked(game: PublicStateGame, player: int, kind: Any) -> Any:
    """Return the factors of all deals for a player, (deals, terms, hands)."""
    terms = max(len(deal.first) for deal in game.deals)
    stacked = np.zeros((len(game.deals), terms, game.num_hands[player]), dtype=kind)
    for k, deal in enumerate(game.deals):
        own = (deal.first, deal.second)[player]
        stacked[k, : len(own)] = own
    return stacked


def _padded(same: Any, size: int) -> Any:
    return same if len(same) else np.zeros(size, dtype=np.int64)


def best_response_total(
    game: PublicStateGame, layout: PublicLayout, payoffs: Any, *, player: int
) -> int:
    """Return the most that a player can get, in the parts of ``sequence_payoffs``.

    Args:
        payoffs: From ``sequence_payoffs``; modified in place.
    """
    for block in blocks_of_moves(layout.moves[player], game.num_hands[player]):
        np.add.at(payoffs, block.parents, payoffs[block.sequences].max(axis=-1))
    return int(payoffs[0])
