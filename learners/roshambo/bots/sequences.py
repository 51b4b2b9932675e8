"""Bots that look at nothing and throw a sequence again and again."""

from fractions import Fraction

from learners.roshambo.bots.automata import Automaton, from_sequence, point
from learners.roshambo.bots.compiled_bot import Recipe
from learners.roshambo.bots.finite_state import finite_state

DIGITS = 1000  # of a constant, before it begins again


def sequence(*, throws: tuple[int, ...]) -> Automaton:
    """Return the automaton that throws these in turn."""
    return from_sequence([point(throw) for throw in throws])


def de_bruijn(*, order: int) -> Automaton:
    """Return that of the smallest cycle that has each word of so many throws once.

    It is the concatenation of all Lyndon words whose length divides the order, in their order.
    """
    word, cycle = [-1], list[int]()
    while word:
        word[-1] += 1
        if order % len(word) == 0:
            cycle += word
        word = [word[k % len(word)] for k in range(order)]
        while word and word[-1] == 2:
            word.pop()
    return sequence(throws=tuple(cycle))


def square_free(*, length: int) -> Automaton:
    """Return that of a word in which nothing is said twice in a row, from Thue's substitution."""
    word = [0]
    while len(word) < length:
        word = [throw for own in word for throw in ((0, 1, 2), (0, 2), (1,))[own]]
    return sequence(throws=tuple(word[:length]))


def digits_of_pi(*, digits: int) -> Automaton:
    """Return that of the digits of pi in base 3, after the point, by Machin's formula."""
    unit = 3 ** (digits + 20)
    pi = 4 * (4 * _arctangent(5, unit) - _arctangent(239, unit))
    return _digits(pi, unit, digits)


def digits_of_root(*, number: int, digits: int) -> Automaton:
    """Return that of the digits of a square root in base 3, after the point."""
    unit = 3 ** (digits + 20)
    root, low = number * unit, 0
    high = root
    while high - low > 1:  # the largest whole number whose square is at most number * unit^2
        middle = (low + high) // 2
        low, high = (middle, high) if middle * middle <= number * unit * unit else (low, middle)
    return _digits(low, unit, digits)


def mixture(*, chances: tuple[Fraction, ...]) -> Automaton:
    """Return the automaton that throws by one distribution."""
    return from_sequence([chances])


def _digits(scaled: int, unit: int, digits: int) -> Automaton:
    throws = [scaled * 3**k // unit % 3 for k in range(1, digits + 1)]
    return sequence(throws=tuple(throws))


def _arctangent(inverse: int, unit: int) -> int:
    """Return arctan(1 / inverse) in units, rounded down term by term."""
    power, total, k = unit // inverse, 0, 0
    while power:
        total += (-1) ** k * (power // (2 * k + 1))
        power //= inverse * inverse
        k += 1
    return total


SEQUENCE = finite_state("sequence", sequence)
DE_BRUIJN = finite_state("De Bruijn", de_bruijn)
SQUARE_FREE = finite_state("square-free", square_free)
PI = finite_state("digits of pi", digits_of_pi)
ROOT = finite_state("digits of a root", digits_of_root)
MIXTURE = finite_state("mixture", mixture)

BOTS = (
    Recipe("paper_always", SEQUENCE, {"throws": (1,)}, "paper, whatever happens"),
    Recipe("cycle_up", SEQUENCE, {"throws": (0, 1, 2)}, "rock, paper, scissors, and again"),
    Recipe("cycle_down", SEQUENCE, {"throws": (2, 1, 0)}, "the same backward"),
    Recipe(
        "long_cycle",
        SEQUENCE,
        {"throws": (0, 0, 1, 2, 2, 0, 1, 1, 1, 2, 0)},
        "eleven throws, and again",
    ),
    Recipe("de_bruijn_3", DE_BRUIJN, {"order": 3}, "each word of three once", ("debruijn1946",)),
    Recipe("de_bruijn_5", DE_BRUIJN, {"order": 5}, "each word of five once", ("debruijn1946",)),
    Recipe("square_free", SQUARE_FREE, {"length": 729}, "a word without squares", ("thue1912",)),
    Recipe("digits_of_pi", PI, {"digits": DIGITS}, "digits of pi in base 3"),
    Recipe("digits_of_root_two", ROOT, {"number": 2, "digits": DIGITS}, "those of a square root"),
    Recipe("uniform", MIXTURE, {"chances": (Fraction(1, 3),) * 3}, "equilibrium: all at random"),
    Recipe(
        "half_rock",
        MIXTURE,
        {"chances": (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))},
        "rock half of the time",
    ),
    Recipe(
        "no_scissors",
        MIXTURE,
        {"chances": (Fraction(2, 5), Fraction(3, 5), Fraction(0))},
        "never scissors",
    ),
)
