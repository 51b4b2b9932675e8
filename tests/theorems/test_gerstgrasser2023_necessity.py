"""Gerstgrasser and Parkes 2023, theorem 3: what a reduction to a leader's problem must do.

If the optima of a problem are leader strategies of Stackelberg pairs, then (1) they maximize the
leader's return against the oracle. That is the definition, so it is tested as a property of the
changes of rewards that the library offers. The paper adds (2) that the problem must implement the
oracle. That is false: oracles that differ only where the leader is not optimal admit the same
problem. Exact, on random games.

Why it matters (followers): It separates what a reduction must do, which is a definition, from what
the paper adds, which is false.
"""

from fractions import Fraction
from zlib import crc32

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, leaders
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import normal_to_posg
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import memoryless_returns
from gametheory_core.games import NULL, list_posg, rescale_rewards, shape_rewards
from solvers.leaders import TreeQueries, contextual_queries
from solvers.leaders.query_oracles import ask
from tests.theorems.leader_problem_values import maximizers, problem_values, reactive_table

SOURCE = "Gerstgrasser and Parkes 2023"
inclusion = pytest.mark.theorem(
    source=SOURCE, statement="A reduction keeps the maximizers of the leader's return."
)
implements = pytest.mark.theorem(
    source=SOURCE, statement="A reduction need not implement the oracle (erratum)."
)
NUMBERS = st.fractions(min_value=-3, max_value=3, max_denominator=4)


def changed_values(view, changed):
    """The value of every deterministic leader policy in a problem with other rewards."""
    return {
        pi: memoryless_returns(changed, [reactive_table(view, pi)])[0]
        for pi in leaders.leader_policies(view)
    }


@inclusion
@given(
    leaders.leader_games(max_states=3, max_horizon=3, terminal=False),
    NUMBERS.filter(lambda number: number > 0),
    NUMBERS,
)
def test_rescaling_keeps_the_maximizers(view, factor, constant):
    conversion = leaders.leader_problem(view, contextual_queries(view))
    values = problem_values(conversion.target)
    changed = rescale_rewards(conversion.target, factor=factor, constant=constant)
    steps = conversion.target.horizon
    found = changed_values(view, changed)
    assert found == {pi: factor * value + steps * constant for pi, value in values.items()}
    assert maximizers(found) == maximizers(values)


@inclusion
def test_constant_with_unequal_lengths_twin():
    """Who is asked twice is paid the constant once more."""
    stage = NormalFormGame.bimatrix(
        [[1, 1], [0, 0]], [[1, 0], [0, 1]], actions=(("once", "twice"), ("left", "right"))
    )
    view = leaders.leader_view(RepeatedGame(stage, recall=0))
    leaf = leaders.StationaryFollower((0,))
    again = ask(NULL, {"once": leaf, "twice": leaf})
    problem = leaders.leader_problem(
        view, TreeQueries(ask(NULL, {"once": leaf, "twice": again}))
    ).target
    values = problem_values(problem)
    changed = changed_values(view, rescale_rewards(problem, constant=2))
    assert maximizers(changed).isdisjoint(maximizers(values))


@inclusion
@given(leaders.leader_games(max_states=3, max_horizon=3), st.integers(0, 99))
def test_shaping_that_vanishes_at_the_end_keeps_the_maximizers(view, seed):
    problem = leaders.leader_problem(view, contextual_queries(view)).target
    values = problem_values(problem)

    def potential(state):
        return Fraction(crc32(repr((seed, state)).encode()) % 13 - 6, 2)

    start = sum(
        weight * potential(state)
        for state, weight in problem.initial()
        if not problem.is_terminal(state)
    )
    found = changed_values(view, shape_rewards(problem, potential))
    assert found == {pi: value - start for pi, value in values.items()}
    assert maximizers(found) == maximizers(values)


@inclusion
def test_potential_left_at_the_end_twin():
    """The horizon cuts play off where the potential is high."""
    game = list_posg(
        players=["leader"],
        actions=[["good", "bad"]],
        initial={"start": 1},
        transitions={("start", (a,)): {a: 1} for a in ("good", "bad")},
        rewards={("start", ("good",), "good"): (1,)},
        horizon=1,
    )
    shaped = shape_rewards(game, {"start": 0, "good": 0, "bad": 5}.get)
    plays = {a: {NULL: point_mass(a)} for a in ("good", "bad")}
    assert [memoryless_returns(game, [plays[a]])[0] for a in plays] == [1, 0]
    assert [memoryless_returns(shaped, [plays[a]])[0] for a in plays] == [1, 5]


@implements
def test_oracles_that_differ_at_a_bad_policy_admit_the_same_problem():
    """Row 0 is best against both oracles; at row 1 the follower is indifferent, and they differ.

    Take the oracle with strong ties in every game, and one that differs from it in this game alone.
    The problem built for the first has Stackelberg optima for the second too, but not its values.
    """
    game = NormalFormGame.bimatrix([[3, 3], [0, 1]], [[1, 0], [1, 1]])
    view = leaders.leader_view(normal_to_posg(game).target)
    first, second = (contextual_queries(view, ties=ties) for ties in leaders.FollowerTies)
    values = problem_values(leaders.leader_problem(view, first).target)
    returns = {pi: leaders.oracle_returns(view, second, pi)[0] for pi in values}
    assert maximizers(values) == maximizers(returns)
    assert sorted(values.values()) == [1, 3]
    assert sorted(returns.values()) == [0, 3]


@implements
def test_such_oracles_are_no_exception():
    """Among 100 random 2 x 2 games with many ties there are several more."""
    rng = np.random.default_rng(20230)
    found = 0
    for _ in range(100):
        game = NormalFormGame.bimatrix(*rng.integers(0, 3, size=(2, 2, 2)).tolist())
        view = leaders.leader_view(normal_to_posg(game).target)
        first, second = (contextual_queries(view, ties=ties) for ties in leaders.FollowerTies)
        values = problem_values(leaders.leader_problem(view, first).target)
        returns = {pi: leaders.oracle_returns(view, second, pi)[0] for pi in values}
        found += values != returns and maximizers(values) == maximizers(returns)
    assert found >= 3
