"""A leader who forgets: lotteries over plans beat behavioral strategies."""

from fractions import Fraction

from gametheory_core import Decision, Terminal, from_sketch

GRID = [Fraction(k, 24) for k in range(25)]


def two_bits():
    """Ann picks two bits and forgets the first; Bob, who sees nothing, guesses the first.

    Ann wins if her bits agree and Bob is wrong.
    """
    guess = {
        a: {
            b: Decision(1, "guess", {g: Terminal([1, -1] if a == b != g else [0, 0]) for g in "01"})
            for b in "01"
        }
        for a in "01"
    }
    second = {a: Decision(0, "second", guess[a]) for a in "01"}
    return from_sketch(Decision(0, "first", second), players=("Ann", "Bob"))


def behavioral_value():
    """What behavioral commitments win: a quarter.

    With probabilities p and q of bit 0, guesses 0 and 1 leave (1 - p)(1 - q) and p q; the smaller
    is at most 1/4, for their product is p (1 - p) q (1 - q) <= 1/16.
    """
    return max(min((1 - p) * (1 - q), p * q) for p in GRID for q in GRID)
