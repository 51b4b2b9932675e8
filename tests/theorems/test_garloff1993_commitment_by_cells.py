"""Garloff 1993: coefficients in Bernstein form enclose a polynomial, here what a leader earns.

A leader who draws afresh at each use by what he observes earns a polynomial in his probabilities
wherever the follower's policy stays the same. So the interval that branch and bound over cells of
mixed actions proves must contain the value of games that are small enough to enumerate: with one
probability, each of the follower's policies, the points where she is indifferent between two of
them, and the critical points of what the leader earns; with two, a fine grid. It is (1) tight;
(2) not, if the follower's rationality is not priced; (3) about leaders who draw: deterministic ones
earn less, and (4) who draw by observation: those who also know the step may earn more.

Why it matters (commitment): Branch and bound over mixed actions needs a bound on a polynomial over
a box; this one is exact, and its interval proves the optimum.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import NormalFormGame, leaders
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import posg_from_tables
from gametheory_core.leaders.commitment_cells import CellGame
from gametheory_core.leaders.stochastic_stackelberg import BoundedCell, tree_bound
from solvers.leaders import stochastic_markov_stackelberg
from tests.benchmarks.stochastic_stackelberg import on_a_grid, random_game
from tests.sample_sizes import examples

SOURCE = "Garloff 1993"
enclosed = pytest.mark.theorem(
    source=SOURCE, statement="Cells of mixed actions enclose what the best memoryless leader earns."
)
ONE = Fraction(1)


def interval_of(view):
    certificate = stochastic_markov_stackelberg(view).certificate
    certificate.verify()
    return float(certificate.leader_payoff), float(certificate.upper_bound)


def with_probability(view, chance):
    """Give the second of two actions a chance, after the one observation with a choice."""
    lotteries = []
    for o in range(len(view.game.observations[view.leader])):
        legal = view.leader_actions(o)
        shares = dict.fromkeys(range(len(view.game.actions[view.leader])), Fraction(0))
        if legal:
            shares[legal[-1]] = chance
            shares[legal[0]] = shares[legal[0]] + 1 - chance if len(legal) > 1 else ONE
        lotteries.append(tuple(shares.values()) if legal else ())
    return leaders.StochasticLeader(tuple(lotteries))


def enumerated_value(view):
    """Return the best value over one probability, in floats, by all of the follower's policies."""
    polynomials = []
    nodes = [Fraction(k, view.horizon) for k in range(view.horizon + 1)]
    by_place = [
        view.follower_actions(o) if o >= 0 else (-1,) for o in view.follower_observation.tolist()
    ]
    for rows in product(product(*by_place), repeat=view.horizon):
        follower = leaders.TimedFollower(rows)
        returns = [leaders.leader_returns(view, with_probability(view, p), follower) for p in nodes]
        polynomials.append(
            tuple(
                np.polynomial.Polynomial.fit(
                    [float(p) for p in nodes], [float(pair[i]) for pair in returns], view.horizon
                ).convert()
                for i in (0, 1)
            )
        )
    places = {0.0, 1.0}
    for own, other in polynomials:
        for curve in (own.deriv(), *(other - theirs for _, theirs in polynomials)):
            trimmed = curve.trim(1e-9)
            if trimmed.degree():
                roots = trimmed.roots()
                places |= {float(r.real) for r in roots if abs(r.imag) < 1e-7 and 0 <= r.real <= 1}
    points = np.array(sorted(places))
    own, other = (np.array([pair[i](points) for pair in polynomials]) for i in (0, 1))
    is_best = other >= other.max(axis=0) - 1e-7
    return float(np.where(is_best, own, -np.inf).max())


@enclosed
@examples(15)
@given(leaders.leader_games(max_states=2, max_observations=1, max_actions=2, max_horizon=2))
def test_interval_holds_the_enumerated_value(view):
    low, high = interval_of(view)
    value = enumerated_value(view)
    assert low - 1e-6 <= value <= high + 1e-6
    assert high - low <= 1e-4


@enclosed
@pytest.mark.parametrize("seed", range(3))
def test_interval_holds_what_the_best_on_a_grid_earns(seed):
    view = random_game("mixed", 5, seed)
    low, high = interval_of(view)
    assert on_a_grid(view, 12) <= high + 1e-9
    assert high - low <= 1e-4


@enclosed
def test_unless_the_response_is_not_priced():
    """Without rates a cell bounds what both could do together, near enough: far too much."""
    view = leaders.leader_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    assert tree_bound(CellGame(view), (BoundedCell(),)) == 6
    assert interval_of(view) == (5.75, 5.75)


@enclosed
def test_unless_leaders_may_not_draw():
    """Deterministic ones earn nothing where the best chance, 1/10, earns a tenth."""
    stage = NormalFormGame.bimatrix([[0, 0], [1, 0]], [[1, 0], [0, 9]], actions=("ab", "xy"))
    view = leaders.leader_view(RepeatedGame(stage, rounds=1))
    plans = leaders.leader_policies(view)
    assert max(leaders.follower_response(view, plan).returns[0] for plan in plans) == 0
    assert stochastic_markov_stackelberg(view).certificate.upper_bound == Fraction(1, 10)


@enclosed
def test_unless_leaders_know_the_step():
    """Who must do the same twice earns 1/4 at best; by the step, 1."""
    assert interval_of(blind_view(("dark", "dark"))) == (0.25, 0.25)
    assert interval_of(blind_view(("first", "second"))) == (1.0, 1.0)


def blind_view(shown):
    """The leader is paid 1 for a, then b; what they see at both steps is given."""
    joint = [(a, "x") for a in "ab"]
    game = posg_from_tables(
        players=("leader", "follower"),
        actions=(("a", "b"), ("x",)),
        initial={0: 1},
        transitions={
            **{(0, pair): {1 if pair[0] == "a" else 2: 1} for pair in joint},
            **{(1, pair): {2: 1} for pair in joint},
        },
        rewards={
            **{(0, pair, 1 if pair[0] == "a" else 2): (0, 0) for pair in joint},
            **{(1, pair, 2): (int(pair[0] == "b"), 0) for pair in joint},
        },
        observations={(("a", "x"), 1): {(shown[1], 1): 1}},
        initial_observations={0: {(shown[0], 0): 1}},
        legal_actions={
            **{(0, seen): ("a", "b") for seen in shown},
            **{(1, s): ("x",) for s in (0, 1)},
        },
        terminal=[2],
        discount=ONE,
    )
    return leaders.leader_view(game, horizon=2)
