"""Shapley 1953: discounted zero-sum Markov games have a value, which is the fixed point of stages.

The operator takes values of states to those of the stage games in which they come after. (1) It
brings any two vectors of values nearer, by the discount times the largest chance that play goes on.
(2) So there is one fixed point, stationary strategies that are optimal in its stages are optimal in
the game, and (3) values of the game stopped after ``n`` steps approach it by that factor to the
``n``. A chance that each step ends play does instead of a discount. Exact, on generated games of up
to four states; operators are evaluated by exact minimax.
The twins: without discount nothing comes nearer; with rewards that do not sum to a constant, stage
games have several equilibria, and the operator is none.

Why it matters (markov): Endless zero-sum games have a value that iteration over states finds to any
accuracy, with a proof.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, UnsupportedGame
from gametheory_core.catalog import RepeatedGame
from gametheory_core.conversions import markov_view
from gametheory_core.evaluation import stage_payoffs
from gametheory_core.evaluation.stages import stage_game
from gametheory_core.testing import markov_games, rationals
from solvers import minimax, pure, shapley_value_iteration
from solvers.markov import stage_nash_induction

SOURCE = "Shapley 1953"
contraction = pytest.mark.theorem(
    source=SOURCE, statement="The operator of stage values is a contraction by the discount."
)
optimal = pytest.mark.theorem(
    source=SOURCE, statement="Optimal stage strategies of the fixed point are optimal, stationary."
)
limit = pytest.mark.theorem(
    source=SOURCE, statement="Values of stopped games approach that of the game geometrically."
)
DISCOUNTED = markov_games(zero_sum=True, max_horizon=None)
STOPPING = markov_games(zero_sum=True, max_horizon=None, stopping=True)
ENDLESS = DISCOUNTED | STOPPING


def operator(view, values):
    """The value of each state's stage game in which ``values`` come after; exact."""
    both = np.full((view.num_states, 2), Fraction(0), dtype=object)
    both[:, 0], both[:, 1] = values, [-x for x in values]
    paid = stage_payoffs(view, both)
    found = [Fraction(0)] * view.num_states
    for state in view.acting.tolist():
        found[state] = minimax(stage_game(view, state, paid)).certificate.game_value
    return found


def apart(first, second):
    return max((abs(x - y) for x, y in zip(first, second, strict=True)), default=Fraction(0))


def drawn_values(data, view):
    acting = set(view.acting.tolist())
    return [data.draw(rationals()) if s in acting else Fraction(0) for s in range(view.num_states)]


@contraction
@given(st.data())
def test_the_operator_brings_values_nearer(data):
    view = data.draw(ENDLESS)
    first, second = drawn_values(data, view), drawn_values(data, view)
    moved = apart(operator(view, first), operator(view, second))
    assert moved <= view.contraction * apart(first, second)
    assert view.contraction < 1
    assert view.contraction <= view.game.discount


@contraction
@given(STOPPING.filter(lambda view: view.game.discount == 1), st.data())
def test_a_chance_to_stop_does_what_a_discount_does(view, data):
    """The factor is the largest chance to go on, as in the paper, which has no discount."""
    stops = view.game.states.index("stopped")
    kernel = view.game.transition_kernel
    chance = min(kernel.weight[kernel.outcome == stops].tolist())
    assert view.contraction <= 1 - chance < 1
    first, second = drawn_values(data, view), drawn_values(data, view)
    moved = apart(operator(view, first), operator(view, second))
    assert moved <= (1 - chance) * apart(first, second)
    certificate = shapley_value_iteration(view).certificate
    certificate.verify()


@contraction
def test_without_discount_nothing_comes_nearer():
    view = markov_view(RepeatedGame.of("matching_pennies", rounds=None, recall=0))
    for value in (Fraction(-3), Fraction(0), Fraction(7)):  # all are fixed points
        assert operator(view, [value]) == [value]
    with pytest.raises(UnsupportedGame, match="a discount below 1"):
        shapley_value_iteration(view)


@optimal
@given(ENDLESS)
def test_the_fixed_point_is_the_value_of_every_state(view):
    certificate = shapley_value_iteration(view, tolerance=Fraction(1, 10**20)).certificate
    certificate.verify()
    moved = operator(view, certificate.values)
    # The fixed point is within residual / (1 - c) of the values, and so is what both guarantee.
    near = apart(moved, certificate.values) / (1 - view.contraction)
    assert near <= Fraction(1, 10**19)
    assert certificate.epsilon <= Fraction(1, 10**20)


@optimal
def test_general_sums_leave_the_operator_undefined():
    """One stage, two equilibria of different payoffs: which values come next is a choice."""
    game = RepeatedGame.of("battle_of_the_sexes", rounds=None, recall=0, discount=Fraction(1, 2))
    view = markov_view(game)
    nothing = np.full((view.num_states, 2), Fraction(0), dtype=object)
    stage = stage_game(view, 0, stage_payoffs(view, nothing))
    assert len({equilibrium.payoffs for equilibrium in pure(stage).equilibria}) > 1
    with pytest.raises(UnsupportedGame, match="rewards that sum to 0"):
        shapley_value_iteration(view)


@limit
@given(ENDLESS, st.integers(0, 3))
def test_values_of_stopped_games_approach_the_value(view, steps):
    certificate = shapley_value_iteration(view, tolerance=Fraction(1, 10**20)).certificate
    stopped = stage_nash_induction(markov_view(view, horizon=steps))
    stopped.certificate.verify()
    largest = max((abs(x) for x in view.rewards.numerators[view.rows, 0].tolist()), default=0)
    bound = Fraction(largest, view.rewards.denominator) / (1 - view.contraction)
    error = abs(stopped.payoffs[0] - certificate.game_value)
    assert error <= view.contraction**steps * bound + certificate.epsilon


@limit
def test_without_discount_values_of_stopped_games_grow_for_ever():
    game = RepeatedGame.of("matching_pennies", rounds=None, recall=0)
    ahead = [[2, 0], [0, 2]]  # player 1 wins two or nothing: 1 a round
    endless = RepeatedGame(
        NormalFormGame.zero_sum(ahead, actions=game.stage.actions), rounds=None, recall=0
    )
    payoffs = [stage_nash_induction(markov_view(endless, horizon=n)).payoffs[0] for n in range(5)]
    assert payoffs == [0, 1, 2, 3, 4]
