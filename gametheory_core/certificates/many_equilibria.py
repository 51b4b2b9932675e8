"""Check equilibria of many two-player games at once, exactly, from the definition.

Weights, not normalised, are an equilibrium if whatever has weight pays as much as anything else,
against the other player's weights. Floats tell, with a bound on their rounding, which actions pay
less for sure. What they leave open is a sum of products of integers, whose sign is found from
digits: products and sums of them are floats that do not round.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import CertificateRejected

_MANTISSA = 53  # bits of a float
_WORD = 64
_DIGIT = 20  # bits: products have 40, and 2^13 of them may be added
_MOST_SUMMED = 2**13
_MOST_DIGITS = 8  # of a payoff: where a row's are further apart, Python's integers are used


def require_equilibria(payoffs: NDArray[Any], weights: Sequence[NDArray[np.uint64]]) -> None:
    """Refuse weights of which one is not an equilibrium of its game.

    Args:
        payoffs (num_games, 2, m, n): int64, exact objects, or float64, taken as the rationals they
            are.
        weights ((num_games, m, words), (num_games, n, words)): Integers of words of 64 bits, the
            lowest first.

    Raises:
        CertificateRejected: Names the first such game, by its number, and what is wrong.

    >>> pennies = np.array([[[[1, -1], [-1, 1]], [[-1, 1], [1, -1]]]])
    >>> even, uneven = np.array([[[[2], [2]]], [[[2], [1]]]], dtype=np.uint64)
    >>> require_equilibria(pennies, [even, even])
    >>> require_equilibria(pennies, [uneven, even])
    Traceback (most recent call last):
    gametheory_core.errors.CertificateRejected: needs an equilibrium of each game, but player 1 \
of game 0 plays action 0, and action 1 pays more. Do not use these answers.
    """
    tables = np.ascontiguousarray(payoffs.transpose(1, 2, 3, 0))  # games last: sums run along them
    words = [np.ascontiguousarray(own.transpose(2, 1, 0)) for own in weights]
    for player, own in enumerate(words):
        played = np.bitwise_or.reduce(own, axis=0) > 0
        if not played.any(axis=0).all():
            game = int(np.argmin(played.any(axis=0)))
            raise _rejected(game, f"the weights of player {player} of game {game} are no strategy")
        table = tables[1].swapaxes(0, 1) if player else tables[0]
        best, open_to_doubt = _compared(table, words[1 - player], played)
        actions, games = np.nonzero(open_to_doubt)
        rivals = best[games]
        gains = np.stack([table[actions, :, games], table[rivals, :, games]])
        signs = _signs(gains.transpose(0, 2, 1), words[1 - player], games)
        wrong = (signs > 0) | (signs < 0) & played[actions, games]
        if wrong.any():
            first = int(np.flatnonzero(wrong)[np.argmin(games[wrong])])
            pair = [int(actions[first]), int(rivals[first])]
            worse, better = pair[::-1] if signs[first] > 0 else pair
            game = int(games[first])
            raise _rejected(
                game,
                f"player {player} of game {game} plays action {worse}, and action {better} pays "
                "more",
            )


def shares_of(words: NDArray[np.uint64]) -> FloatArray:
    """Return weights (words, n, num_games) as shares (n, num_games), up to n + 4 roundings."""
    floats = words[-1].astype(np.float64)
    for k in range(1, len(words)):
        floats = floats + np.ldexp(words[-1 - k].astype(np.float64), -_WORD * k)
    return floats / floats.sum(axis=0)


def _rejected(game: int, found: str) -> CertificateRejected:
    return CertificateRejected(
        needs="an equilibrium of each game",
        found=found,
        remedy="Do not use these answers.",
        witness=game,
    )


def _compared(
    table: NDArray[Any], others: NDArray[np.uint64], played: NDArray[np.bool_]
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Return an action that is played, and which others may pay as much, or have to, by game."""
    everything = np.arange(table.shape[-1])
    if table.dtype == object:
        best, open_to_doubt = played.argmax(axis=0), np.ones(played.shape, dtype=np.bool_)
    else:
        floats, limits = table.astype(np.float64, copy=False), np.finfo(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            earned = (floats * shares_of(others)).sum(axis=1)
            steps = limits.eps * np.abs(floats).max(axis=(0, 1)) + limits.smallest_subnormal
            slack = 4 * (others.shape[1] + 8) * steps  # twice what may round away
            best = np.where(played, np.maximum(earned, limits.min), -np.inf).argmax(axis=0)
            most = earned[best, everything]
            is_less = np.isfinite(most) & (earned < most - slack)
        open_to_doubt = played | ~is_less
    open_to_doubt[best, everything] = False
    return best, open_to_doubt


def _signs(
    payoffs: NDArray[Any], words: NDArray[np.uint64], games: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return the signs of the sums of differences of payoffs times weights, exactly.

    Args:
        payoffs (2, n, num_pairs): Of which the second ones are subtracted from the first.
        words (words, n, num_games): Weights.
        games (num_pairs,): Whose weights each pair is multiplied with.
    """
    mantissas, powers = _integers(payoffs)
    fits = _bits(mantissas) + powers.max(axis=(0, 1), initial=0) <= _MOST_DIGITS * _DIGIT
    fits &= _MOST_DIGITS * payoffs.shape[1] <= _MOST_SUMMED
    signs = np.zeros(len(games), dtype=np.int64)
    if fits.any():
        chosen = (mantissas, powers) if fits.all() else (mantissas[..., fits], powers[..., fits])
        digits = _digits(*chosen)
        signs[fits] = _sign(_products(digits[:, 0] - digits[:, 1], words[:, :, games[fits]]))
    for k in np.flatnonzero(~fits).tolist():
        own = words[:, :, games[k]].astype(object) << np.arange(len(words))[:, np.newaxis] * _WORD
        gains = [Fraction(one) - Fraction(other) for one, other in payoffs[..., k].T.tolist()]
        total = sum(gain * weight for gain, weight in zip(gains, own.sum(axis=0), strict=True))
        signs[k] = (total > 0) - (total < 0)
    return signs


def _integers(payoffs: NDArray[Any]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Write payoffs (2, n, num_pairs) as mantissas times powers of two, times one more of a pair's.

    Exact objects count as too far apart for digits.
    """
    if payoffs.dtype == np.float64:
        fractions, powers = np.frexp(payoffs)
        highest = np.iinfo(powers.dtype).max
        least = np.where(payoffs == 0, highest, powers).min(axis=(0, 1))
        mantissas = np.ldexp(fractions, _MANTISSA).astype(np.int64)
        return mantissas, np.where(payoffs == 0, 0, powers - least).astype(np.int64)
    is_exact = payoffs.dtype == object
    mantissas = np.zeros(payoffs.shape, dtype=np.int64) if is_exact else payoffs
    return mantissas, np.full(payoffs.shape, _MOST_DIGITS * _DIGIT + 1 if is_exact else 0)


def _bits(numbers: NDArray[Any]) -> int:
    """Return how many bits the largest has."""
    return max(int(numbers.max(initial=0)), -int(numbers.min(initial=0))).bit_length()


def _digits(mantissas: NDArray[np.int64], powers: NDArray[np.int64]) -> FloatArray:
    """Return signed digits (num_digits, *shape), the lowest first, of mantissas times 2^powers."""
    sizes, signs = np.abs(mantissas), np.sign(mantissas)
    count = -(-(_bits(mantissas) + int(powers.max(initial=0))) // _DIGIT)
    digits = np.zeros((max(count, 1), *mantissas.shape))
    for k in range(count):
        down = _DIGIT * k - powers  # bits of the mantissa below this digit
        lower = np.right_shift(sizes, np.clip(down, 0, _WORD - 1))
        upper = np.left_shift(lower, np.clip(-down, 0, _DIGIT))
        digits[k] = signs * (upper & (2**_DIGIT - 1))
    return digits


def _products(gains: FloatArray, words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """Return the digits (num_digits, num_pairs), not carried, of gains times weights, summed.

    Args:
        gains (num_digits, n, num_pairs): Digits.
        words (words, n, num_pairs): Weights.
    """
    in_use = max((k + 1 for k in range(len(words)) if words[k].any()), default=1)
    places = range(0, _WORD * (in_use - 1) + _bits(words[in_use - 1]), _DIGIT)
    totals = np.zeros((len(gains) + len(places), gains.shape[2]))
    for k, low in enumerate(places):
        word, shift = divmod(low, _WORD)
        digit = words[word] >> np.uint64(shift)
        if shift > _WORD - _DIGIT and word + 1 < in_use:
            digit |= words[word + 1] << np.uint64(_WORD - shift)
        own = (digit & np.uint64(2**_DIGIT - 1)).astype(np.float64)
        totals[k : k + len(gains)] += np.einsum("djp,jp->dp", gains, own)
    return totals.astype(np.int64)


def _sign(digits: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sign of numbers from their digits (num_digits, num_pairs), not carried."""
    carried = np.zeros(digits.shape[1], dtype=np.int64)
    rest = np.zeros_like(carried)
    for digit in digits:
        carried = carried + digit
        rest |= carried & (2**_DIGIT - 1)
        carried >>= _DIGIT
    return np.where(carried < 0, -1, (carried > 0) | (rest > 0))
