"""Grohe, Kersting, Mladenov and Selman 2014: an equitable partition keeps the optimum.

If rows and columns of a linear program fall into classes such that entries of a column sum, over
each class of rows, to what its class says, and likewise for rows, then the program of the classes
has the same optimum, and its solutions, shared out evenly, are solutions. On the sequence form of
generated trees of which chance plays one of several copies, in rationals. Twins: a partition that
is not equitable has another optimum; and a copy that pays differently is no like.

Why it matters (trees): Suits of cards multiply a poker's linear program and not what is in it: the
library merges them before it solves.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.strategies import sequence_form
from solvers._programs.exact import solve_exactly
from solvers._programs.reduced import Likes, likes
from solvers.trees.sequence_program import plan_program

theorem = pytest.mark.theorem(
    source="Grohe, Kersting, Mladenov and Selman 2014",
    statement="An equitable partition of a linear program keeps its optimum.",
)
PAYOFFS = st.lists(st.integers(-3, 3), min_size=4, max_size=4)


def suited(payoffs, *, copies):
    """Chance deals a suit; both see it, and then choose between two actions unseen."""

    def suit(k, paid):
        replies = [
            gt.Decision(
                1, f"suit {k}", {b: gt.Terminal([v, -v]) for b, v in zip("cd", own, strict=True)}
            )
            for own in (paid[:2], paid[2:])
        ]
        return gt.Decision(0, f"suit {k}", dict(zip("ab", replies, strict=True)))

    table = [payoffs] * copies if isinstance(payoffs[0], int) else payoffs
    share = Fraction(1, len(table))
    deals = {str(k): (share, suit(k, paid)) for k, paid in enumerate(table)}
    game = gt.from_sketch(gt.Chance(deals), players=("Ann", "Bob"))
    return plan_program(sequence_form(game))


@theorem
@given(PAYOFFS, st.integers(3, 6))
@settings(max_examples=40)
def test_classes_have_the_optimum_of_the_whole(payoffs, copies):
    program = suited(payoffs, copies=copies)
    alike = likes(program)
    assert max(alike.columns) + 1 <= 6  # the empty sequence, two actions, two values, in one suit
    whole, merged = solve_exactly(program, None), solve_exactly(alike.merged(program), None)
    assert merged.value == whole.value
    shared = alike.shared(merged.primal)
    table = np.full((program.num_rows, program.num_columns), Fraction(0))
    table[program.rows, program.columns] = program.values
    slacks = program.bounds - table @ shared
    assert min(slacks) >= 0
    assert not any(slacks[program.is_equation])
    assert shared @ program.objective == whole.value


@theorem
def test_partition_that_is_not_equitable_has_another_optimum_is_twin():
    """Twin: one suit is matching pennies, the other pays 1 always; as if both were alike."""
    program = suited([[1, -1, -1, 1], [1, 1, 1, 1]], copies=2)
    alike = likes(suited([1, -1, -1, 1], copies=2))
    assert (
        solve_exactly(program, None).value
        != solve_exactly(Likes(alike.rows, alike.columns).merged(program), None).value
    )


@theorem
def test_suit_that_pays_differently_is_no_like_is_twin():
    """Twin: of four suits, one pays one more at one end."""
    even, odd = [2, -1, -1, 2], [2, -1, -1, 3]
    alike, other = likes(suited(even, copies=4)), likes(suited([even, even, even, odd], copies=4))
    assert other is None or max(other.columns) > max(alike.columns)
