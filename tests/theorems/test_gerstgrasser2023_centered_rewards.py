"""Gerstgrasser and Parkes 2023, appendix F: rewards are centered at 0 for training.

Where all plays have equally many steps, a constant added to a player's rewards adds as much to all
of that player's returns: no best response and no best commitment changes. Where they end early it
may; what the library's followers start from instead, the value of earning the middle of the rewards
from there on, is no part of the rewards, and changes nothing there either.

Why it matters (followers): Shifting rewards is a common habit in training, and harmless only where
episodes are equally long.
"""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import leaders
from gametheory_core.games import list_posg, rescale_rewards
from learners import train
from learners.leaders import ContextualQOptions, MetaStackelberg
from tests.sample_sizes import examples
from tests.theorems.leader_problem_values import maximizers

SOURCE = "Gerstgrasser and Parkes 2023"
centering = pytest.mark.theorem(
    source=SOURCE, statement="Centering rewards changes no best response and no best commitment."
)


def centered(view):
    """The same game with rewards centered, and what that takes off a step for each player."""
    game, middles = view.game, []
    for player in range(2):
        table = view.game
        paid = table.reward_vectors[table.entry_reward][:, player].tolist()
        middles.append(Fraction(min(paid) + max(paid)) / 2)
        game = rescale_rewards(game, player=player, constant=-middles[-1])
    own = [middles[view.leader], middles[view.follower]]
    return leaders.leader_view(game, leader=view.leader), own


def commitments(view, follower_class):
    """Every leader with what he and a follower who best responds, for him if tied, return."""
    return {
        pi: leaders.follower_response(view, pi, follower_class=follower_class)
        for pi in leaders.leader_policies(view)
    }


@centering
@pytest.mark.parametrize("follower_class", leaders.FollowerClass)
@examples(30)
@given(leaders.leader_games(max_states=3, max_horizon=3, terminal=False))
def test_centering_changes_no_best_response_and_no_best_commitment(follower_class, view):
    other, middles = centered(view)
    steps = sum(view.discount**t for t in range(view.horizon))
    before, after = (commitments(own, follower_class) for own in (view, other))
    for pi, response in before.items():
        moved = tuple(r - steps * m for r, m in zip(response.returns, middles, strict=True))
        assert after[pi].returns == moved
        assert leaders.leader_returns(view, pi, after[pi].policy) == response.returns
    values = [{pi: own.returns[0] for pi, own in found.items()} for found in (before, after)]
    assert maximizers(values[0]) == maximizers(values[1])


def stopping_game():
    """The follower may end play for 1, or go on to be paid 2 once; then play is over."""
    return list_posg(
        players=["leader", "follower"],
        actions=[["watch"], ["end", "go"]],
        initial={"first": 1},
        transitions={
            ("first", ("watch", "end")): {"over": 1},
            ("first", ("watch", "go")): {"second": 1},
            ("second", ("watch", "end")): {"over": 1},
            ("second", ("watch", "go")): {"over": 1},
        },
        rewards={
            ("first", ("watch", "end"), "over"): (0, 1),
            ("second", ("watch", "end"), "over"): (0, 2),
            ("second", ("watch", "go"), "over"): (0, 2),
        },
        terminal=["over"],
        horizon=3,
    )


def first_action(view, policy):
    """What the follower does at first."""
    state = view.initial[0][0]
    return view.game.actions[1][policy.actions[0][state]]


@centering
def test_centering_twin_where_play_ends_early():
    """Two steps for 2 are better than one for 1; with the middle 3 taken off, they are worse."""
    view = leaders.leader_view(stopping_game())
    pi = next(iter(leaders.leader_policies(view)))
    other = leaders.leader_view(rescale_rewards(view.game, player=1, constant=-3))
    found = [leaders.follower_response(own, pi).policy for own in (view, other)]
    assert [first_action(view, own) for own in found] == ["go", "end"]


@centering
def test_beginning_at_the_middle_twin_learns_to_go_on_all_the_same():
    """What values are at first is forgotten; rewards are as they were."""
    shifted = rescale_rewards(stopping_game(), player=1, constant=5)
    for game, wanted in ((stopping_game(), "go"), (shifted, "go")):
        view = leaders.leader_view(game)
        options = ContextualQOptions(
            follower_class=leaders.FollowerClass.TIME_AWARE, discount=1.0, iterations=5
        )
        learner = MetaStackelberg(view, follower=options, rng=np.random.default_rng(0))
        train(learner, iterations=5)
        assert first_action(view, learner.commitment().follower) == wanted
