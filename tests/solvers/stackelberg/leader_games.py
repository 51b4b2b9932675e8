"""Games in which someone leads, for tests: Bayesian, security, and with several followers."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import strategies as st

from gametheory_core import BayesianGame, NormalFormGame, NotConverged, SecurityGame
from solvers import Budget
from tests.solvers.stackelberg.region_vertices import POOR, RICH


def earned(solution, leader=0):
    """Verify that a commitment is optimal; return what it earns."""
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.payoffs[leader] == solution.certificate.leader_payoff
    return solution.payoffs[leader]


def bounds_within(solve, best, limits):
    """Certify what each number of programs leaves open; return the upper bounds."""
    bounds = []
    for iterations in range(limits):
        with pytest.raises(NotConverged, match=r"the budget ended") as caught:
            solve(budget=Budget(iterations=iterations))
        found = caught.value.best.certificate
        found.verify()
        assert found.leader_payoff <= best <= found.upper_bound
        assert found.epsilon > 0
        bounds.append(found.upper_bound)
    return bounds


@st.composite
def bayesian_games(draw, most_types=3, largest=3):
    """A few types with action sets of different sizes; half of the games are degenerate."""
    numbers = draw(st.sampled_from([POOR, RICH]))
    m = draw(st.integers(1, largest))
    counts = draw(st.lists(st.integers(1, largest), min_size=1, max_size=most_types))
    tables = [
        draw(st.lists(st.lists(numbers, min_size=n, max_size=n), min_size=m, max_size=m))
        for n in counts
        for _ in range(2)
    ]
    weights = draw(st.lists(st.integers(1, 4), min_size=len(counts), max_size=len(counts)))
    prior = [Fraction(weight, sum(weights)) for weight in weights]
    return BayesianGame.from_payoffs(tables[::2], tables[1::2], prior=prior)


@st.composite
def security_games(draw, most_targets=5, most_types=1):
    """Few targets with small whole payoffs, so that ties and idle cover are common."""
    n = draw(st.integers(1, most_targets))
    types = draw(st.integers(1, most_types))

    def table(numbers):
        row = st.lists(numbers, min_size=n, max_size=n)
        return np.array(draw(st.lists(row, min_size=types, max_size=types)), dtype=object)

    loss, covered = table(st.integers(-3, 1)), table(st.integers(-2, 1))
    return SecurityGame.from_payoffs(
        resources=draw(st.integers(0, n)),
        defender_uncovered=loss.tolist(),
        defender_covered=(loss + table(st.integers(0, 3))).tolist(),
        attacker_covered=covered.tolist(),
        attacker_uncovered=(covered + table(st.integers(0, 3))).tolist(),
    )


@st.composite
def games_of_three(draw, largest=3):
    """Three players; half of the games are degenerate."""
    numbers = draw(st.sampled_from([POOR, RICH]))
    shape = tuple(draw(st.integers(1, largest)) for _ in range(3))
    size = 3 * int(np.prod(shape))
    flat = draw(st.lists(numbers, min_size=size, max_size=size))
    return NormalFormGame.from_payoffs(np.array(flat, dtype=object).reshape(3, *shape))
