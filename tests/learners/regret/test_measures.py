"""Measures of regret, judged by enumeration."""

from itertools import combinations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from learners import regret
from tests.sample_sizes import examples


def drawn(seed, *, steps=5, actions=3):
    rng = np.random.default_rng(seed)
    return rng.dirichlet(np.ones(actions), size=(steps, 2)), rng.normal(size=(steps, 2, actions))


@examples(30)
@given(st.integers(0, 10**6))
def test_measures_equal_enumeration(seed):
    played, earned = drawn(seed)
    got = (played * earned).sum(axis=2)
    for row in (0, 1):
        p, u, own = played[:, row], earned[:, row], got[:, row]
        external = max(u[:, a].sum() for a in range(3)) - own.sum()
        assert regret.sequence_external_regret(played, earned)[row] == pytest.approx(external)
        swapped = max(
            sum((p[:, a] * u[:, target[a]]).sum() for a in range(3))
            for target in product(range(3), repeat=3)
        )
        assert regret.sequence_swap_regret(played, earned)[row] == pytest.approx(
            swapped - own.sum()
        )
        interval = max(
            u[i:j, a].sum() - own[i:j].sum() for i, j in combinations(range(6), 2) for a in range(3)
        )
        assert regret.sequence_interval_regret(played, earned)[row] == pytest.approx(interval)
        for switches in (0, 1, 2):
            best = max(
                sum(u[t, a] for t, a in enumerate(path))
                for path in product(range(3), repeat=5)
                if sum(x != y for x, y in zip(path[1:], path[:-1], strict=True)) <= switches
            )
            found = regret.sequence_switching_regret(played, earned, switches=switches)[row]
            assert found == pytest.approx(best - own.sum())


def test_sequences_that_do_not_fit_are_refused():
    with pytest.raises(InvalidArgument, match=r"the shapes are \(1, 2\) and \(1, 3\)"):
        regret.instantaneous_regrets(np.ones((1, 2)), np.ones((1, 3)))
    with pytest.raises(InvalidArgument, match="needs switches to be an integer of at least 0"):
        regret.sequence_switching_regret(np.ones((1, 2)), np.ones((1, 2)), switches=-1)
