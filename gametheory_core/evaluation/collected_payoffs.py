"""What a player collects under each own history, in exact products at the speed of floats.

For any labelling of nodes, the player's sequences for one,

    g[s] = sum over plays z labelled s of  payoff(z) chance(z) product over others j of w_j(z),

with ``w_j(z)`` the product of player j's own probabilities on the way. Plays on which label and
histories agree are merged into one term, and everything is an integer over one denominator.

Nodes with the same own actions on the way share a *history*, so that products of probabilities are
taken once for each history and not for each node. With perfect recall histories are the player's
sequences, kept apart where an action ends at several depths; without it there may be more of them.

Exact products of a float matrix with integer weights, at the speed of float products.

A float is a dyadic rational. Entries and weights are cut into *digits* of 20 bits,

    A = sum over k of D_k 2**(E - 20 k),      w = sum over l of d_l 2**(20 l),

with whole ``|D_k|, |d_l| < 2**20``. A float64 product of digits over at most 2**13 columns adds up
whole numbers below 2**53, so that it is exact in whatever order it is summed. The sums are then
carried in int64 and put together as Python integers. Where exponents range over more bits than a
few digits hold, Python integers do the whole work.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    FloatArray,
    IntArray,
    NumberArray,
    ScaledIntegers,
    freeze,
    is_exact,
    object_array,
    scaled_integers,
)
from gametheory_core.games import CHANCE, ExtensiveFormGame
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.properties import WORD, WholeNumbers, play_payoffs, whole_numbers
from gametheory_core.strategies.behavioral import BehavioralProfile


@dataclass(frozen=True, eq=False)
class OwnHistories:
    """A player's (or chance's) own actions on the way to each node.

    Attributes:
        node_history (num_nodes,): History at each node; 0 is the empty one.
        parent (num_histories,): The history with the last action left out; -1 for the empty one.
        action (num_histories,): The last action, in the game's flat order; -1 for the empty one.
        level_offset: Histories ``level_offset[k] .. level_offset[k + 1]`` extend earlier ones.
    """

    node_history: IntArray
    parent: IntArray
    action: IntArray
    level_offset: tuple[int, ...]


@kept_with_game
def own_histories(game: ExtensiveFormGame, player: int) -> OwnHistories:
    """Number the histories of a player, or of ``CHANCE``, an extended history after the shorter."""
    num_actions = int(game.action_offset[-1])
    own = game.node_player == player
    history = np.zeros(game.num_nodes, dtype=np.int32)
    parents, actions = [np.array([-1])], [np.array([-1])]
    offsets = [0, 1]
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        above = game.parent[start:stop]
        history[start:stop] = history[above]
        moved = start + np.flatnonzero(own[above])
        if not moved.size:
            continue
        pairs = history[moved].astype(np.int64) * num_actions + game.node_action[moved]
        found, places = np.unique(pairs, return_inverse=True)
        history[moved] = offsets[-1] + places
        parents.append(found // num_actions)
        actions.append(found % num_actions)
        offsets.append(offsets[-1] + len(found))
    return OwnHistories(
        node_history=freeze(history),
        parent=freeze(np.concatenate(parents).astype(np.int32)),
        action=freeze(np.concatenate(actions).astype(np.int32)),
        level_offset=tuple(offsets),
    )


def history_weights(histories: OwnHistories, probabilities: NumberArray) -> NumberArray:
    """Multiply probabilities along each history, shape (num_histories,).

    Args:
        probabilities: Of the game's flat actions, exact or float; only those in histories matter.
    """
    weights = np.empty(len(histories.parent), dtype=probabilities.dtype)
    weights[0] = ONE if is_exact(weights) else 1.0
    if is_exact(probabilities):
        _multiply_exactly(histories, probabilities, weights)
        return freeze(weights)
    for start, stop in pairwise(histories.level_offset[1:]):
        before = weights[histories.parent[start:stop]]
        weights[start:stop] = before * probabilities[histories.action[start:stop]]
    return freeze(weights)


def _multiply_exactly(
    histories: OwnHistories, probabilities: ExactArray, weights: ExactArray
) -> None:
    """Do the same for fractions, whose products by 0 and 1 are spared; ``weights`` in place."""
    ratios = [(entry.numerator, entry.denominator) for entry in probabilities.tolist()]
    is_zero = np.array([not top for top, _ in ratios], dtype=bool)
    is_proper = ~is_zero & np.array([top != bottom for top, bottom in ratios], dtype=bool)
    for start, stop in pairwise(histories.level_offset[1:]):
        action = histories.action[start:stop]
        level = weights[histories.parent[start:stop]]
        level[is_zero[action]] = ZERO
        proper = np.flatnonzero(is_proper[action])
        proper = proper[level[proper].astype(bool)]
        level[proper] *= probabilities[action[proper]]
        weights[start:stop] = level


MOST_BITS = 2**33  # of memory for a player's weights over one denominator: 1 GiB


@dataclass(frozen=True, eq=False)
class Collected:
    """Payoffs collected under each label.

    Attributes:
        numerators: Integers, or fractions where integers over one denominator would fill the
            memory.
        denominator: Positive; entry = numerator / denominator.
    """

    numerators: list[Any]
    denominator: int


@dataclass(frozen=True, eq=False)
class MergedPayoffs:
    """What plays pay, weighted by chance: plays that agree in all labels merged, zeros left out.

    Attributes:
        labels (num_terms,): In the order asked for; sorted, the first label counts first.
        numerators (num_terms,): Payoff times chance, added up.
        denominator: Positive; payoff = numerator / denominator.
    """

    labels: list[NDArray[np.int64]]
    numerators: NDArray[Any]
    denominator: int


def merged_payoffs(
    game: ExtensiveFormGame,
    *,
    player: int,
    node_labels: Sequence[IntArray],
    is_live: NDArray[np.bool_] | None = None,
) -> MergedPayoffs:
    """Add up a player's payoffs, weighted by chance, of plays with equal labels.

    Args:
        node_labels (num_nodes,): Looked at for terminal nodes: the players' sequences, for example.
        is_live (num_terminals,): Which plays count; default all.
    """
    paid = _weighted_payoffs(game, player)
    live = paid.numerators != 0 if is_live is None else is_live & (paid.numerators != 0)
    ends = game.terminals[live]
    kept = paid.numerators[live]
    labels, totals = _merged([own[ends].astype(np.int64) for own in node_labels], kept)
    return MergedPayoffs(labels, totals, paid.denominator)


@kept_with_game
def _weighted_payoffs(game: ExtensiveFormGame, player: int) -> WholeNumbers:
    """Return what each play pays a player times its chance, in numbers whose sums fit them."""
    chance = own_histories(game, CHANCE)
    shares = whole_numbers(history_weights(chance, game.exact_chance_probabilities).tolist())
    payoffs = play_payoffs(game, player=player)
    factors = max(1, shares.largest), max(1, payoffs.largest)  # each must fit, if one is 0 too
    largest = factors[0] * factors[1] * len(game.terminals)  # bounds each sum
    kind = np.int64 if largest < WORD else object
    at_ends = shares.numerators[chance.node_history[game.terminals]]
    paid = payoffs.numerators.astype(kind) * at_ends.astype(kind)
    return WholeNumbers(freeze(paid), payoffs.denominator * shares.denominator, largest)


def collected_payoffs(
    game: ExtensiveFormGame,
    profile: BehavioralProfile,
    *,
    player: int,
    node_label: IntArray,
    num_labels: int,
) -> Collected:
    """Add up what plays pay a player, weighted by the others' reach.

    Args:
        profile: Exact, and of the game (trusted). Only the others' strategies matter.
        node_label (num_nodes,): In ``0 .. num_labels - 1``; looked at for terminal nodes.
    """
    others = [other for other in range(game.num_players) if other != player]
    histories = [own_histories(game, other) for other in others]
    weights = [over_one_denominator(history_weights(own, profile.flat)) for own in histories]
    is_live = np.ones(len(game.terminals), dtype=bool)
    for own, scaled in zip(histories, weights, strict=True):
        is_live &= (scaled.numerators != 0).astype(bool)[own.node_history[game.terminals]]
    node_labels = [node_label, *(own.node_history for own in histories)]
    terms = merged_payoffs(game, player=player, node_labels=node_labels, is_live=is_live)
    factors = [
        cast("list[Any]", scaled.numerators[label].tolist())
        for label, scaled in zip(terms.labels[1:], weights, strict=True)
    ]
    paid = cast("list[int]", terms.numerators.tolist())
    numerators: list[Any] = [0] * num_labels
    amounts: Iterable[Any] = paid
    for own in factors:
        amounts = map(mul, amounts, own)  # one at a time: all may fill the memory
    for label, amount in zip(terms.labels[0].tolist(), amounts, strict=True):
        numerators[label] += amount
    return Collected(numerators, terms.denominator * math.prod(w.denominator for w in weights))


def expected_payoff(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> Fraction:
    """Return a player's expected payoff; the profile is exact, and of the game (trusted)."""
    own = own_histories(game, player)
    weights = over_one_denominator(history_weights(own, profile.flat))
    collected = collected_payoffs(
        game, profile, player=player, node_label=own.node_history, num_labels=len(own.parent)
    )
    total = sum(map(mul, collected.numerators, weights.numerators.tolist()))
    return Fraction(total) / (collected.denominator * weights.denominator)


def over_one_denominator(weights: ExactArray) -> ScaledIntegers:
    """Scale weights to integers; fractions stay if integers would take too much memory."""
    common = 1
    for denominator in {weight.denominator for weight in weights.tolist()}:
        common = math.lcm(common, denominator)
        if common.bit_length() * len(weights) > MOST_BITS:
            return ScaledIntegers(weights, 1)
    return scaled_integers(weights)


def _merged(
    keys: list[NDArray[np.int64]], values: NDArray[Any]
) -> tuple[list[NDArray[np.int64]], NDArray[Any]]:
    """Add up values with equal keys; zero sums are left out."""
    order = np.lexsort(keys[::-1])  # the last key counts first
    ordered = [own[order] for own in keys]
    is_new = np.zeros(len(order), dtype=bool)
    is_new[:1] = True
    for own in ordered:
        is_new[1:] |= own[1:] != own[:-1]
    first = np.flatnonzero(is_new)
    totals = np.add.reduceat(values[order], first) if first.size else values[:0]
    matters = totals != 0
    return [own[first[matters]] for own in ordered], totals[matters]


DIGIT_BITS = 20
MOST_DIGITS = 8  # of a matrix entry
MOST_COLUMNS = 2**13  # in one float product: 2 * 20 + 13 = 53 bits
MOST_PRODUCTS = 2**7  # of them in one int64 sum, which times MOST_DIGITS adds 10 bits
BLOCK_ENTRIES = 2**16  # rows are taken together while they stay in the cache
SAFE_EXPONENT = -500  # above it, powers of two of all digits are normal floats
_PAIR_BYTES = 5  # two digits
_MASK = 2**DIGIT_BITS - 1

DigitSums = NDArray[np.int64]


def exact_product(matrix: FloatArray, weights: ScaledIntegers) -> ScaledIntegers:
    """Return ``matrix @ weights`` exactly, as integers over a common denominator.

    Args:
        matrix (num_rows, num_columns): Finite; any memory layout, so a transpose costs nothing.
        weights (num_columns,): Of either sign.

    Returns:
        (num_rows,): Not in lowest terms.
    """
    used = np.flatnonzero(weights.numerators)
    numerators = cast("list[int]", weights.numerators[used].tolist())
    num_rows, num_columns = len(matrix), len(used)
    largest = max(float(matrix.max(initial=0.0)), -float(matrix.min(initial=0.0)))
    if not num_columns or not largest:
        return _product(ScaledIntegers(object_array([0] * num_rows), 1), weights)
    if len(used) < matrix.shape[1]:
        matrix = matrix[:, used]
    if num_columns > MOST_COLUMNS * MOST_PRODUCTS:
        return _product_in_integers(matrix, numerators, weights)
    exponent = math.frexp(largest)[1]
    digits = _digits_of(numerators)
    sums = _digit_sums(matrix, exponent, digits)
    if sums is None:
        return _product_in_integers(matrix, numerators, weights)
    unit = exponent - DIGIT_BITS * (sums.shape[1] - digits.shape[1] + 1)  # place of the last digit
    totals = _carried(sums)
    if unit > 0:
        totals = [total << unit for total in totals]
    return _product(ScaledIntegers(object_array(totals), 1 << max(0, -unit)), weights)


def _product(product: ScaledIntegers, weights: ScaledIntegers) -> ScaledIntegers:
    return ScaledIntegers(product.numerators, product.denominator * weights.denominator)


def _product_in_integers(
    matrix: FloatArray, numerators: list[int], weights: ScaledIntegers
) -> ScaledIntegers:
    scaled = scaled_integers(matrix)
    totals = scaled.numerators @ object_array(numerators)
    return _product(ScaledIntegers(freeze(totals), scaled.denominator), weights)


def _digit_sums(matrix: FloatArray, exponent: int, digits: FloatArray) -> DigitSums | None:
    """Return the sums of digit products by place, the last place first; None if they are many.

    The shape is (rows, digits of an entry + digits of a weight - 1).
    """
    num_rows, num_columns = matrix.shape
    rows_at_once = max(1, BLOCK_ENTRIES // num_columns)
    # allocated once: fresh memory costs more than the arithmetic
    rest_room, part_room = (
        np.empty_like(matrix[:rows_at_once]),
        np.empty_like(matrix[:rows_at_once]),
    )
    products: list[list[DigitSums]] = []
    for start in range(0, num_rows, rows_at_once):
        block = matrix[start : start + rows_at_once]
        rest, part = rest_room[: len(block)], part_room[: len(block)]
        rest[:] = block
        found = _block_products(rest, part, exponent, digits)
        if found is None:
            return None
        products.append(found)
    longest = max(1, *map(len, products))
    sums = np.zeros((num_rows, longest + digits.shape[1] - 1), dtype=np.int64)
    for start, found in zip(range(0, num_rows, rows_at_once), products, strict=True):
        for depth, product in enumerate(found, start=1):
            place = longest - depth
            sums[start : start + len(product), place : place + digits.shape[1]] += product
    return sums


def _block_products(
    rest: FloatArray, part: FloatArray, exponent: int, digits: FloatArray
) -> list[DigitSums] | None:
    """Multiply the digits of some rows, the leading ones first; None if they are many.

    ``rest``, the rows, and ``part``, of the same shape, are modified in place.
    """
    if exponent < SAFE_EXPONENT:
        rest *= math.ldexp(1.0, -SAFE_EXPONENT)  # exact upwards
        exponent -= SAFE_EXPONENT
    products: list[DigitSums] = []
    while rest.any():
        if len(products) == MOST_DIGITS:
            return None
        place = exponent - DIGIT_BITS * (len(products) + 1)
        np.multiply(rest, math.ldexp(1.0, -place), out=part)
        np.trunc(part, out=part)
        products.append(_whole_product(part, digits))
        part *= math.ldexp(1.0, place)
        rest -= part  # exact: the leading bits go
    return products


def _whole_product(part: FloatArray, digits: FloatArray) -> DigitSums:
    total = np.zeros((len(part), digits.shape[1]), dtype=np.int64)
    for start in range(0, part.shape[1], MOST_COLUMNS):
        stop = start + MOST_COLUMNS
        total += (part[:, start:stop] @ digits[start:stop]).astype(np.int64)
    return total


def _digits_of(integers: list[int]) -> FloatArray:
    """Cut integers into signed digits, the last digit first, shape (integers, digits)."""
    bits = max(value.bit_length() for value in integers)
    num_pairs = -(-bits // (2 * DIGIT_BITS))
    size = num_pairs * _PAIR_BYTES
    raw = b"".join(abs(value).to_bytes(size, "little") for value in integers)
    octets = np.frombuffer(raw, dtype=np.uint8).reshape(len(integers), num_pairs, _PAIR_BYTES)
    pairs = np.zeros((len(integers), num_pairs, 8), dtype=np.uint8)
    pairs[:, :, :_PAIR_BYTES] = octets
    words = pairs.view("<i8")[:, :, 0]
    digits = np.empty((len(integers), 2 * num_pairs))
    digits[:, 0::2] = words & _MASK
    digits[:, 1::2] = words >> DIGIT_BITS
    digits *= np.array([-1.0 if value < 0 else 1.0 for value in integers])[:, None]
    return digits[:, : -(-bits // DIGIT_BITS)]


def _carried(sums: DigitSums) -> list[int]:
    """Add up ``sums[:, place] * 2**(20 place)``; ``sums`` is modified in place."""
    num_rows, width = sums.shape
    num_pairs = -(-width // 2)
    words = np.zeros((num_rows, num_pairs), dtype="<i8")
    carry = np.zeros(num_rows, dtype=np.int64)
    for place in range(width):
        carry += sums[:, place]
        low = carry & _MASK
        words[:, place // 2] |= low << (DIGIT_BITS * (place % 2))
        carry >>= DIGIT_BITS
    octets = words.view(np.uint8).reshape(num_rows, num_pairs, 8)[:, :, :_PAIR_BYTES]
    raw = np.ascontiguousarray(octets).tobytes()
    size = num_pairs * _PAIR_BYTES
    top = DIGIT_BITS * width
    return [
        int.from_bytes(raw[row * size : (row + 1) * size], "little") + (high << top)
        for row, high in enumerate(carry.tolist())
    ]
