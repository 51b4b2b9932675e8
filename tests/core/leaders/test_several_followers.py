"""Views of several followers: merged or one against the rest, the game is the same game."""

import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, InvalidStrategy, UnsupportedGame, load_game
from gametheory_core.catalog import RepeatedGame
from gametheory_core.leaders import (
    FollowersView,
    StationaryFollower,
    followers_view,
    leader_returns,
    leader_view,
)
from gametheory_core.leaders.several_followers import met_follower, met_leader
from tests.core.leaders.shared_games import drawn_followers, drawn_leader, random_tables, to_game
from tests.sample_sizes import examples

GOODS = followers_view(load_game("iterated_public_goods:rounds=3"))
SEEDS = st.integers(0, 2**32)
LEADERS = st.integers(0, 2)


def returns_of(game, profile):
    """What each player of a POSG returns on average, one history after another."""
    total = [Fraction(0)] * len(game.players)

    def walk(step, state, seen, chance):
        if step == game.horizon or game.is_terminal(state):
            return
        laws = [policy[(o,)] for policy, o in zip(profile, seen, strict=True)]
        joint = tuple(next(iter(law))[0] for law in laws)
        for following, weight in game.transition(state, joint):
            paid = game.reward(state, joint, following)
            for i, own in enumerate(paid):
                total[i] += chance * weight * game.discount**step * own
            if step + 1 < game.horizon and not game.is_terminal(following):
                for shown, share in game.observation(joint, following):
                    walk(step + 1, following, shown, chance * weight * share)

    for state, weight in game.initial():
        for shown, share in game.initial_observation(state):
            walk(0, state, shown, weight * share)
    return tuple(total)


@examples(20)
@given(seed=SEEDS, leader=LEADERS, blind=st.sets(st.integers(0, 2)))
def test_merged_and_one_against_the_rest_return_what_play_does(seed, leader, blind):
    rng = np.random.default_rng(seed)
    paid, chances, _, _ = random_tables(rng)
    game = to_game(paid, chances, leader=leader, blind=blind)
    view = followers_view(game, leader=leader)
    plan, policies = drawn_leader(view.merged, rng), drawn_followers(view, rng)
    true = returns_of(game, view.profile(plan, policies))
    merged = view.together(policies)
    others = sum(true[i] for i in view.followers)
    assert leader_returns(view.merged, plan, merged) == (true[leader], others)
    for i, policy in zip(view.followers, policies, strict=True):
        assert leader_returns(view.paid_as(i), plan, merged) == (true[leader], true[i])
        own = view.against(i, policies)
        pair = (met_leader(own, plan), met_follower(own, policy))
        assert leader_returns(own, *pair) == (true[leader], true[i])


@examples(20)
@given(seed=SEEDS, leader=LEADERS)
def test_policies_put_together_come_apart(seed, leader):
    rng = np.random.default_rng(seed)
    view = followers_view(load_game("iterated_public_goods:rounds=2"), leader=leader)
    policies = drawn_followers(view, rng)
    assert view.apart(view.together(policies)) == policies


def test_against_others_leaves_out_what_is_not_met():
    """Where the other always gives, it is never seen that she kept."""
    giving = tuple(StationaryFollower((0,) * 9) for _ in GOODS.followers)
    own = GOODS.against(1, giving)
    kept = {state for state in own.game.states if state and state[0][2] == "keep"}
    assert not kept
    assert len(own.game.states) == 1 + 4
    assert own.game.players == ("1", "2")
    last = GOODS.against(2, giving)
    assert last.game.players == ("1", "3")


def test_a_policy_that_depends_on_what_another_sees_does_not_come_apart():
    paid, chances, _, _ = random_tables(np.random.default_rng(0))
    view = followers_view(to_game(paid, chances, blind={1}))  # Ann sees nothing
    with pytest.raises(InvalidStrategy, match="depends on what another one sees"):
        view.apart(StationaryFollower((0, 3)))


def test_one_follower_is_the_view_of_two_players():
    game = load_game("iterated_chicken:rounds=3")
    shared, view = followers_view(game), leader_view(game)
    for name in ("rewards", "successor", "weight", "leader_legal", "follower_legal"):
        assert np.array_equal(getattr(shared.merged.tables, name), getattr(view.tables, name)), name
    assert shared.against(1, (StationaryFollower((0,) * 5),)).game == view.game


def test_a_view_goes_through_pickle_and_through_the_function():
    assert pickle.loads(pickle.dumps(GOODS)) == GOODS
    assert followers_view(GOODS) is GOODS
    assert followers_view(GOODS, leader=2).followers == (0, 1)


def test_refuses_what_is_no_game_with_a_leader():
    table = GOODS.game
    with pytest.raises(InvalidArgument, match="leader to be one of the 3 players"):
        FollowersView(table, 3)
    with pytest.raises(UnsupportedGame, match="a game with a horizon"):
        followers_view(RepeatedGame(load_game("iterated_public_goods").stage, rounds=None))
    with pytest.raises(InvalidArgument, match=r"followers_view\(game\), which makes it"):
        FollowersView("goods")


def test_refuses_policies_that_do_not_fit():
    with pytest.raises(InvalidStrategy, match="a policy for each of 2 followers, .* got 1"):
        GOODS.against(1, (StationaryFollower((0,) * 9),))
    with pytest.raises(InvalidStrategy, match=r"policy of player 3: .* at observation 8"):
        GOODS.together((StationaryFollower((0,) * 9), StationaryFollower((0,) * 8 + (2,))))
    with pytest.raises(InvalidStrategy, match="a tuple of 9 actions"):
        GOODS.apart(StationaryFollower((0,)))
    with pytest.raises(InvalidArgument, match="one of the followers 1, 2, .* got 0"):
        GOODS.paid_as(0)
    with pytest.raises(UnsupportedGame, match="followers_view"):
        leader_view(load_game("iterated_public_goods"))
