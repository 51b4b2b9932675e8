"""Blum and Mansour 2007: copies without external regret make a player without swap regret.

With regret matching(+) as copies, swap regret is at most ``sum over i of root of sum_t |r_t^i|^2``,
where ``r_t^i`` are the instantaneous regrets of copy ``i``; utilities being in [-1, 1], at most
``n root(n T)`` times a constant. Floats: tolerance 1e-9.

Why it matters (regret): Swap regret is what leads play to correlated equilibria, and this makes it
from minimizers of the much simpler external regret.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from learners import regret
from learners.regret.minimizer import folded
from learners.regret.reductions import stationary_distributions
from solvers.local_rules import Hedge, RegretMatching, RegretMatchingPlus
from tests.theorems.utility_sequences import ADVERSARIES, face

theorem = pytest.mark.theorem(
    source="Blum and Mansour 2007, theorem 5",
    statement="Copies of a minimizer of external regret, one an action, make swap regret at most "
    "the sum of their external regrets",
)
BASES = [regret.LocalMinimizer(RegretMatching()), regret.LocalMinimizer(RegretMatchingPlus())]


class Watched:
    """A minimizer that keeps what its copies advised."""

    def __init__(self, inner):
        self.inner, self.advice = inner, []

    def start(self, batch, actions):
        return self.inner.start(batch, actions)

    def strategies(self, state):
        flat = self.inner.base.strategies(folded(state["copies"]))
        self.advice.append(flat.reshape(-1, flat.shape[1], flat.shape[1]))
        return self.inner.strategies(state)

    def observe(self, state, utilities):
        return self.inner.observe(state, utilities)


@theorem
@pytest.mark.parametrize("choose", ADVERSARIES)
@pytest.mark.parametrize("base", BASES)
def test_swap_regret_is_at_most_that_of_the_copies(base, choose):
    watched = Watched(regret.BlumMansour(base))
    played, earned = face(watched, choose, batch=4, actions=3, steps=400)
    advice = np.array(watched.advice)  # (T, batch, copies, actions)
    assert np.einsum("tbi,tbij->tbj", played, advice) == pytest.approx(played, abs=1e-9)
    shares = played[..., None] * earned[..., None, :]
    own = shares - (advice * shares).sum(axis=-1)[..., None]
    swap = regret.sequence_swap_regret(played, earned)
    copies = regret.sequence_external_regret(advice, shares).sum(axis=-1)
    bound = np.sqrt((own**2).sum(axis=(0, 3))).sum(axis=-1)
    assert swap == pytest.approx(copies, abs=1e-9)
    assert (swap <= bound + 1e-9).all()


@theorem
def test_swap_regret_bounds_external_regret():
    played, earned = face(regret.BlumMansour(), ADVERSARIES[0], batch=8, actions=4, steps=200)
    external = regret.sequence_external_regret(played, earned)
    assert (external <= regret.sequence_swap_regret(played, earned) + 1e-9).all()


def switching_utilities(steps):
    """A sequence on which what should have been played depends on what was.

    Three phases: a and c are paid alike while b is not, then b above a, then c far above all.
    """
    third = steps // 3
    return np.repeat(
        np.array([[1.0, 0.0, 1.0], [0.0, 1.0, -1.0], [-1.0, -1.0, 1.0]]), third, axis=0
    )


def swapped(minimizer, rows):
    schedule = iter(rows[:, None, :])
    played, earned = face(minimizer, lambda *_: next(schedule), batch=1, actions=3, steps=len(rows))
    return (
        regret.sequence_swap_regret(played, earned)[0] / len(rows),
        regret.sequence_external_regret(played, earned)[0] / len(rows),
    )


@theorem
def test_twin_a_minimizer_of_external_regret_has_linear_swap_regret():
    """Hedge's average swap regret stays as the sequence is stretched; that of copies vanishes."""
    alone, external, copies = [], [], []
    for steps in (900, 3600, 14400):
        rows = switching_utilities(steps)
        swap, outer = swapped(regret.LocalMinimizer(Hedge(rate=2.0)), rows)
        alone.append(swap)
        external.append(outer)
        copies.append(swapped(regret.BlumMansour(), rows)[0])
    assert min(alone) > 0.05
    assert alone[-1] > 0.9 * alone[0]
    assert external[-1] < 0.02
    assert max(copies) < 0.01


@theorem
@given(st.data(), st.integers(1, 5))
def test_what_is_played_is_left_as_it_is(data, size):
    """Stationary in rationals, for chains with closed classes, too."""
    rows = []
    for _ in range(size):
        weights = data.draw(
            st.lists(st.sampled_from([0, 0, 1, 2, 5]), min_size=size, max_size=size).filter(any)
        )
        rows.append([Fraction(w, sum(weights)) for w in weights])
    chain = np.array(rows, dtype=float)
    law = stationary_distributions(chain[None])[0]
    assert law.sum() == pytest.approx(1.0)
    assert (law >= 0).all()
    assert law @ chain == pytest.approx(law, abs=1e-12)
