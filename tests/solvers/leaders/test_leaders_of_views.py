"""A view of a game says who leads, until somebody else is asked to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import UnsupportedGame
from gametheory_core.catalog import load
from gametheory_core.leaders import FollowerClass, leader_view
from gametheory_core.leaders.generators import leader_games
from solvers import leaders
from solvers.results.tables import answer_table, label_text
from tests.sample_sizes import examples

SOLVERS = (
    leaders.commitment_upper_bound,
    leaders.markov_stackelberg,
    leaders.stochastic_markov_commitment,
)


def proof(found):
    return getattr(found, "certificate", found)


@pytest.mark.parametrize("own", [0, 1])
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_view_keeps_its_own_leader(solver, own):
    game = load("iterated_chicken:rounds=2")
    view = leader_view(game, leader=own)
    assert proof(solver(view)).leader == own
    assert proof(solver(view, leader=1 - own)).leader == 1 - own
    assert proof(solver(game)).leader == 0


@pytest.mark.parametrize("own", [0, 1])
def test_payoffs_are_in_the_order_of_players(own):
    view = leader_view(load("iterated_chicken:rounds=2"), leader=own)
    for solver in (leaders.markov_stackelberg, leaders.stochastic_markov_commitment):
        assert solver(view).payoffs[own] == 0
        assert solver(view, leader=1 - own).payoffs[1 - own] == 0
    assert leaders.markov_stackelberg_optima(view).certificate.leader == own
    assert leaders.deceiving_leader(view) == leaders.deceiving_leader(view, leader=own)


@pytest.mark.parametrize(
    "solver", [*SOLVERS, leaders.markov_stackelberg_optima, leaders.deceiving_leader]
)
def test_refusals_name_the_function_that_was_called(solver):
    with pytest.raises(UnsupportedGame, match=rf"^{solver.__name__}: .* player '1' may see "):
        solver(load("tiger:horizon=2"))


@examples(25)
@given(leader_games(max_horizon=2), st.sampled_from(FollowerClass))
def test_rows_of_a_commitment_are_the_actions_where_players_act(view, kind):
    found = leaders.markov_stackelberg(view, follower_class=kind).profile
    rows = answer_table(view.game, found, leader=view.leader).rows
    policies = {view.leader: found.leader_policy}
    if kind is FollowerClass.STATIONARY:
        policies[view.follower] = found.follower_policy
    for player, policy in policies.items():
        acting = [seen for seen, action in enumerate(policy.actions) if action >= 0]
        own = [row for row in rows if row[0] == view.game.players[player]]
        assert [(row[1], row[3]) for row in own] == [
            ("always", label_text(view.game.actions[player][policy.actions[seen]]))
            for seen in acting
        ]
