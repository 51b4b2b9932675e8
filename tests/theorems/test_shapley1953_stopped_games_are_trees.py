"""Shapley 1953: with a horizon, stage by stage minimax gives the value of the game as a tree.

Perfect information of the past, simultaneous moves: the tree of all plays has the value that
induction over stage games finds, though its strategies may remember everything. Exact, on generated
zero-sum games of up to three states and three steps; the tree is solved over its sequence form. The
twins: with other rewards, memory matters, for it can choose between equilibria of later stages;
where a state is hidden, there are no stage games.

Why it matters (markov): Memory is worth nothing in a zero-sum Markov game with a horizon, so that a
program over states replaces one over histories.
"""

from fractions import Fraction

import pytest
from hypothesis import given

from gametheory_core import UnsupportedGame, expected_returns, posg_to_extensive
from gametheory_core.catalog import RepeatedGame, Tiger
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import best_response_returns
from gametheory_core.games import stop_posg
from gametheory_core.strategies import reactive
from gametheory_core.testing import markov_games
from solvers import sequence_form_lp
from solvers.markov import stage_nash_induction

theorem = pytest.mark.theorem(
    source="Shapley 1953",
    statement="Stage by stage minimax gives the value of the tree of a zero-sum Markov game.",
)


@theorem
@given(markov_games(zero_sum=True, max_horizon=3))
def test_stage_values_are_the_value_of_the_tree(view):
    tree = posg_to_extensive(view.game).target
    certificate = sequence_form_lp(tree).certificate
    assert stage_nash_induction(view).payoffs[0] == certificate.game_value


@theorem
def test_with_other_rewards_memory_finds_equilibria_that_stages_do_not():
    """Twin: battle of the sexes twice: taking turns is an equilibrium, and pays both the same."""
    game = RepeatedGame.of("battle_of_the_sexes", rounds=2)
    ballet, fight = game.stage.actions[0]
    after = {
        (): ballet,
        ((ballet, ballet),): fight,
        ((fight, fight),): ballet,
        ((ballet, fight),): fight,
        ((fight, ballet),): fight,
    }
    turns = reactive({window: point_mass(action) for window, action in after.items()})
    returns = expected_returns(game, (turns, turns))
    assert best_response_returns(game, (turns, turns)).tolist() == returns.tolist()
    assert returns[0] == returns[1] == Fraction(5)
    assert stage_nash_induction(game).payoffs == (6, 4)


@theorem
def test_hidden_states_have_no_stage_games():
    """Twin: whoever does not see the state cannot play by it, and is refused."""
    with pytest.raises(UnsupportedGame, match="sees null in state left and in state right"):
        stage_nash_induction(stop_posg(Tiger(), steps=2))
