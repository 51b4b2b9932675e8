"""Balduzzi et al. 2018: copies of agents change Elo ratings, but not Nash averages.

With ``p`` the max-entropy equilibrium of an antisymmetric matrix and an agent copied: all skills
stay, and if the equilibrium is unique but for copies, so does the total probability of each group
of equals. Quantified over generated matrices and agents; skills exactly, up to the certified
epsilon. Two claims one may read into the paper fail, and are twins here: where several
equilibria exist, a group's mass depends on the number of copies; and ratings are not continuous.

Why it matters (populations): A ranking that changes when an agent is submitted twice can be bought;
this says which ratings can, and which of the paper's promises need a unique equilibrium.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame
from gametheory_core.testing import rationals
from solvers import nash_averaging, vertex_enumeration
from solvers.populations import batch_elo

theorem = pytest.mark.theorem(
    source="Balduzzi, Tuyls, Perolat and Graepel 2018",
    statement="copies of agents leave Nash averages alone, and change Elo ratings",
)

CYCLE = np.array([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors


@st.composite
def evaluations(draw):
    count = draw(st.integers(1, 4))
    table = np.zeros((count, count), dtype=object)
    for i in range(count):
        for j in range(i):
            table[i, j] = draw(rationals(low=-3, high=3))
            table[j, i] = -table[i, j]
    return table, draw(st.integers(0, count - 1)), draw(st.integers(1, 3))


def with_copies(table, agent, copies):
    chosen = [*range(len(table)), *[agent] * copies]
    return table[np.ix_(chosen, chosen)]


def wins_of(table):
    """Nine of ten matches go to the favorite."""
    return np.where(table > 0, 9, np.where(table < 0, 1, 5))


@theorem
@given(evaluations())
def test_copies_change_no_skill_where_the_equilibrium_is_unique(case):
    table, agent, copies = case
    assume(len(vertex_enumeration(NormalFormGame.zero_sum(table)).equilibria) == 1)
    before = nash_averaging(table)
    after = nash_averaging(with_copies(table, agent, copies))
    after.certificate.verify()
    count = len(table)
    assert [float(s) for s in after.skills[:count]] == pytest.approx(
        [float(s) for s in before.skills], abs=1e-8
    )
    assert [float(s) for s in after.skills[count:]] == pytest.approx(
        [float(before.skills[agent])] * copies, abs=1e-8
    )
    group = sum(after.agent_mixture[count:]) + after.agent_mixture[agent]
    assert float(group) == pytest.approx(float(before.agent_mixture[agent]), abs=1e-6)


@theorem
@pytest.mark.parametrize("copies", [1, 2, 5])
def test_copies_of_rock_share_its_third(copies):
    average = nash_averaging(with_copies(CYCLE, 0, copies))
    assert set(average.skills) == {0}
    mixture = average.agent_mixture.tolist()
    assert mixture[1:3] == [Fraction(1, 3)] * 2
    assert mixture[0] == mixture[-1] == Fraction(1, 3 * (copies + 1))


@theorem
def test_elo_twin_copies_of_rock_lift_paper():
    """A cycle has equal Elo ratings, which predict an even match where nine of ten are won."""
    ratings = batch_elo(wins_of(CYCLE))
    assert ratings.ratings == pytest.approx(1500)
    assert ratings.expected_win_rates == pytest.approx(0.5)
    copied = batch_elo(wins_of(with_copies(CYCLE, 0, 2))).ratings
    assert copied[1] > copied[0] + 50 > copied[2] + 100


@theorem
def test_twin_group_mass_grows_with_copies_where_equilibria_are_many():
    """Two tied agents share alike; three, of whom two are copies, share alike again."""
    tied = np.zeros((2, 2), dtype=int)
    assert nash_averaging(tied).agent_mixture.tolist() == [Fraction(1, 2)] * 2
    copied = nash_averaging(with_copies(tied, 0, 1)).agent_mixture
    assert copied[0] + copied[2] == Fraction(2, 3)


@theorem
@pytest.mark.parametrize("edge", [Fraction(1, 10), Fraction(1, 10**6)])
def test_twin_ratings_jump_at_a_tie(edge):
    ahead = nash_averaging([[0, edge], [-edge, 0]])
    assert ahead.agent_mixture.tolist() == [1, 0]
