"""Robinson 1951: in two-player zero-sum games, fictitious play's frequencies approach equilibrium.

Whatever best reply is played in ties, and whether players reply at once or in turn. A statement
about the limit: tested as certified exploitability falling below a twentieth of the payoff span
within 6,000 steps, on generated games of up to three actions, degenerate ones included. Play is
exact: counts are integers, and so are payoffs.

Why it matters (dynamics): The oldest learning rule finds optimal play of zero-sum games, whatever
is done in ties.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, certify_nash, load_game
from gametheory_core.testing import zero_sum_games
from solvers import fictitious_play
from solvers.dynamics import Order
from solvers.local_rules import TieRule

theorem = pytest.mark.theorem(
    source="Robinson 1951",
    statement="fictitious play converges to equilibrium in two-player zero-sum games",
)


@theorem
@given(
    game=zero_sum_games(),
    ties=st.sampled_from(TieRule),
    order=st.sampled_from(Order),
    data=st.data(),
)
def test_frequencies_get_near_equilibrium(game, ties, order, data):
    first = tuple(data.draw(st.integers(0, count - 1)) for count in game.num_actions)
    span = float(game.payoffs[0].max() - game.payoffs[0].min()) or 1.0
    play = fictitious_play(
        game,
        first_actions=first,
        ties=ties,
        order=order,
        steps=6_000,
        tolerance=span / 20,
        samples=60,
    )
    play.nash.verify()
    assert play.epsilon <= Fraction(span / 20)


@theorem
@pytest.mark.parametrize("order", Order)
@pytest.mark.parametrize("ties", TieRule)
def test_twin_shapley_cycle_in_general_sum(order, ties):
    """Shapley 1964: runs of growing length, frequencies that never settle, a gain that stays."""
    game = load_game("shapley_cycle")
    play = fictitious_play(game, ties=ties, order=order, steps=30_000, samples=600)
    play.nash.verify()
    assert play.nash.epsilon >= Fraction(1, 8)
    late = play.average_trajectories[0][len(play.sampled_steps) // 10 :, 0]
    assert late.max() - late.min() > 0.2
    gains = [
        certify_nash(game, fictitious_play(game, ties=ties, order=order, steps=steps).average)
        for steps in (500, 4_000)
    ]
    assert all(certificate.epsilon >= Fraction(1, 8) for certificate in gains)


@theorem
def test_convergence_may_be_slow_and_play_itself_correlated():
    """Frequencies are right, yet what is played together is not: no claim about joint play.

    Alternating fictitious play of matching pennies always has the second player match.
    """
    game = load_game("matching_pennies")
    play = fictitious_play(game, order=Order.ALTERNATING, steps=3_000)
    assert play.nash.epsilon <= Fraction(1, 20)
    assert play.coarse_correlated.epsilon >= Fraction(1, 2)


@theorem
def test_three_player_zero_sum_twin():
    """With three players the theorem fails: Shapley's game with a bystander who pays for it."""
    shapley = load_game("shapley_cycle").payoffs
    payoffs = np.concatenate([shapley, -shapley.sum(axis=0, keepdims=True)])[..., None]
    game = NormalFormGame.from_payoffs(payoffs.astype(int))
    play = fictitious_play(game, steps=4_000)
    assert not play.promises_nash
    assert play.nash.epsilon >= Fraction(1, 8)
