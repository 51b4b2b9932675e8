"""Balduzzi et al. 2018: an antisymmetric matrix has one max-entropy equilibrium.

Optimal strategies of an antisymmetric matrix game are the same for both players and form a
polytope, on which the entropy has one maximum ``p``. More is checked: every other optimal strategy
``q`` has less entropy by at least ``|p - q|^2 / 2`` (sum of absolute differences; the Pythagorean
theorem of relative entropy with Pinsker's inequality). Optimal strategies ``q`` are rational
mixtures of all extreme ones, found exactly; entropies are enclosed between rationals. The solver's
``p`` is within 1e-12 of the irrational one, which is the tolerance.

Why it matters (populations): It makes the Nash average of a population well defined: among many
equilibria one is singled out without arbitrariness.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.arrays import exact_array
from gametheory_core.evaluation import entropy_enclosure
from solvers import max_entropy, vertex_enumeration

TOLERANCE = Fraction(1, 10**12)

theorem = pytest.mark.theorem(
    source="Balduzzi et al. 2018",
    statement="An antisymmetric matrix has one max-entropy Nash equilibrium, a symmetric one.",
)


@st.composite
def antisymmetric_matrices(draw, *, max_size=5):
    size = draw(st.integers(1, max_size))
    entries = st.one_of(st.sampled_from([0, 1, -1]), st.integers(-9, 9))
    table = np.zeros((size, size), dtype=object)
    for i in range(size):
        for j in range(i):
            table[i, j] = draw(entries)
            table[j, i] = -table[i, j]
    return table.tolist()


def extreme_strategies(game):
    """All extreme optimal strategies of player 0, exactly."""
    found = {tuple(e.profile.strategies[0]) for e in vertex_enumeration(game).equilibria}
    return [exact_array(list(strategy)) for strategy in sorted(found)]


@theorem
@given(antisymmetric_matrices(), st.data())
def test_every_other_equilibrium_has_less_entropy_the_more_it_differs(payoffs, data):
    game = gt.NormalFormGame.zero_sum(payoffs)
    solution = max_entropy(game)
    first, second = solution.profile.strategies
    assert np.array_equal(first, second)
    assert solution.certificate.epsilon <= TOLERANCE
    extreme = extreme_strategies(game)
    shares = data.draw(
        st.lists(st.integers(0, 3), min_size=len(extreme), max_size=len(extreme)).filter(any)
    )
    other = sum(share * q for share, q in zip(shares, extreme, strict=True)) / Fraction(sum(shares))
    assert gt.certify_nash(game, gt.MixedProfile((other, other))).epsilon == 0
    distance = sum(abs(first - other))
    lead = entropy_enclosure(first).upper - entropy_enclosure(other).lower
    assert lead >= distance**2 / 2 - TOLERANCE


@theorem
def test_without_entropy_there_are_many():
    """Two actions that draw: all mixtures are equilibria, and one has the most entropy."""
    game = gt.NormalFormGame.zero_sum([[0, 0], [0, 0]])
    assert len(vertex_enumeration(game).equilibria) == 4
    assert max_entropy(game).profile == gt.uniform_profile(game)


@theorem
def test_without_antisymmetry_the_players_have_one_each_but_not_the_same():
    game = gt.NormalFormGame.zero_sum([[2, -1, -1], [-1, 1, 1]])
    first, second = max_entropy(game).profile.strategies
    assert first.tolist() == [Fraction(2, 5), Fraction(3, 5)]
    assert second.tolist() == [Fraction(2, 5), Fraction(3, 10), Fraction(3, 10)]


@theorem
def test_without_opposed_interests_two_equilibria_can_have_the_most_entropy():
    """A symmetric game with two isolated equilibria, both pure (Myerson 1978)."""
    game = gt.NormalFormGame.symmetric([[1, 0], [0, 0]])
    found = {e.profile for e in vertex_enumeration(game).equilibria}
    assert found == {gt.pure_profile(game, (0, 0)), gt.pure_profile(game, (1, 1))}
    # nothing between them is an equilibrium, so these two are all, and no entropy is larger
    assert gt.certify_nash(game, gt.pure_profile(game, (0, 1))).epsilon > 0
    enclosures = [entropy_enclosure(own) for profile in found for own in profile.strategies]
    assert all(largest < TOLERANCE for _, largest in enclosures)


@theorem
def test_the_one_is_not_continuous_in_the_matrix():
    """Any lead, however small, takes all the probability that a tie had shared."""
    for lead in (Fraction(1, 10**3), Fraction(1, 10**30)):
        game = gt.NormalFormGame.zero_sum([[0, lead], [-lead, 0]])
        assert max_entropy(game).profile == gt.pure_profile(game, (0, 0))


@theorem
def test_the_one_gives_clones_more_than_their_original_had_if_there_are_other_equilibria():
    """Two actions that draw have 1/2 each; with a clone of the first, the two have 2/3."""
    game = gt.NormalFormGame.zero_sum([[0] * 3] * 3)
    assert sum(max_entropy(game).profile.strategies[0][:2]) == Fraction(2, 3)
