"""Several followers who learn: alone as one, in turn, each with queries of her own."""

import json
from pathlib import Path

import numpy as np
import pytest

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame, load_game
from gametheory_core.conversions import normal_to_posg
from gametheory_core.leaders import FollowerClass, StationaryFollower, followers_view, leader_view
from learners import train
from learners.experiments import read_config
from learners.experiments.registry import read_options
from learners.leaders import (
    Answers,
    ContextualQOptions,
    InnerLoopQOptions,
    LeaderPPOOptions,
    MetaStackelberg,
    Queries,
    judge_followers,
)
from learners.leaders.judging import BY_BEST_RESPONSE
from learners.leaders.meta_stackelberg import stage_of
from learners.leaders.offers import Offer
from learners.leaders.several_followers import ContextualQFollowers
from learners.streams import named_stream
from tests.learners.leaders.led_games import GAMES, same, trained
from tests.wrong_values import python_errors

DOCS = Path(__file__).parents[3] / "docs" / "examples"
CONFIG = DOCS / "configs" / "public_goods_leader.toml"
GOODS = followers_view(load_game("iterated_public_goods:rounds=4"))
SHORT = ContextualQOptions(iterations=3)
QUICK = LeaderPPOOptions(iterations=4)


def learner(view=GOODS, *, seed=1, **options):
    """A learner that is soon done."""
    chosen = {"follower": SHORT, "leader": QUICK} | options
    return MetaStackelberg(view, rng=np.random.default_rng(seed), **chosen)


def one_shot(payoffs):
    """The stage of a normal form that is played once."""
    return stage_of(normal_to_posg(NormalFormGame.from_payoffs(payoffs)).target)


@pytest.mark.parametrize("name", GAMES[:3])
def test_one_of_several_learns_the_very_same_bits_as_the_one_follower(name):
    game = load_game(f"iterated_{name}:rounds=6")
    alone = MetaStackelberg(leader_view(game), rng=np.random.default_rng(3))
    shared = MetaStackelberg(followers_view(game), rng=np.random.default_rng(3))
    assert alone.iterations == shared.iterations
    assert trained(alone).metrics == trained(shared).metrics
    assert alone.commitment() == shared.commitment()
    measured = BY_BEST_RESPONSE.measures
    for measure in ("regret_stationary", "regret_time_aware", "oracle_gap"):
        assert measured[measure](alone) == measured[measure](shared)


def test_in_a_turn_one_learns_and_the_others_are_as_they_were():
    own = learner(follower=ContextualQOptions(iterations=2))
    before = own._follower._values.copy()
    for turn in (0, 0, 1, 1, 0):
        own.improve()
        after = own._follower._values
        changed = [not np.array_equal(after[:, i], before[:, i]) for i in range(2)]
        assert changed == [turn == 0, turn == 1]
        before = after.copy()
    assert own._follower.pretraining == 2 * 2 * 4


def test_a_follower_learns_against_the_others_at_their_best_and_not_at_random():
    """Ann's first action is worth more if Bob plays his better one, and less if he draws."""
    ann = [[[3, 0], [2, 2]]] * 2  # her action by Bob's
    bob = [[[1, 0], [1, 0]]] * 2
    stage = one_shot([[[[0, 0], [0, 0]]] * 2, ann, bob])
    options = ContextualQOptions(exploration=1.0, iterations=40)
    followers = ContextualQFollowers(stage, stage.shared, options)
    rng = np.random.default_rng(0)
    for _ in range(followers.pretraining):
        followers.prepare(rng)
    assert followers._values[:, 0, 0].tolist() == [[3.0, 2.0]] * 2
    assert followers._values[:, 1, 0, :2].tolist() == [[1.0, 0.0]] * 2


def test_each_begins_at_the_middle_of_her_own_rewards():
    stage = one_shot([[[[0, 0], [0, 0]]] * 2, [[[1, 5], [1, 5]]] * 2, [[[-4, -2], [-4, -4]]] * 2])
    options = ContextualQOptions(discount=1.0)
    values = ContextualQFollowers(stage, stage.shared, options)._values
    assert (values[:, 0] == 3).all()
    assert (values[:, 1] == -3).all()
    level = ContextualQFollowers(stage, stage.shared, ContextualQOptions(initial=7))._values
    assert (level == 7).all()


@pytest.mark.parametrize("answers", Answers)
def test_each_has_queries_of_her_own(answers):
    stage = stage_of(GOODS)
    followers = ContextualQFollowers(stage, GOODS, SHORT)
    legal = stage.leader_legal
    rng = np.random.default_rng(0)
    plans = np.zeros((50, len(legal)), dtype=np.int64)
    even = np.broadcast_to(legal / 2.0, (1, *legal.shape))
    offer = Offer(plans, even, np.zeros(50, dtype=np.int64), answers, Queries.VISIBLE)
    response = followers.respond(offer, rng)
    assert (response.asked.sum(axis=2) == 2).all()
    assert response.steps == 2 * 50 * len(legal)
    given = response.asked[..., 0]
    if answers is Answers.MEMOIZED:
        assert (given == 2).all()
        assert len(response.strategies) == 1
    else:  # the first one's answers are the plans, the other one's are drawn anew
        assert set(np.unique(given)) == {1, 2}
        assert len(response.strategies) > 40
    acting = GOODS.merged.game.legal[1]
    assert np.array_equal(response.strategies.sum(axis=-1), np.ones((len(response.strategies), 9)))
    assert len(acting) == 9


def test_stopped_and_continued_is_as_if_it_was_not():
    whole = learner()
    trained(whole)
    first, second = learner(), learner(seed=9)
    trained(first, 11)
    second.restore(first.snapshot())
    trained(second, whole.iterations - 11)
    assert same(second.snapshot(), whole.snapshot())


def test_policies_are_of_the_game_and_in_its_order():
    own = learner(followers_view(GOODS, leader=1))
    trained(own)
    policies = own.policies()
    assert len(policies) == 3
    learned = own.commitment()
    apart = own.shared.apart(learned.follower)
    for player, actions in zip((0, 1, 2), (apart[0], learned.leader, apart[1]), strict=True):
        law = policies[player][((),)]
        assert law.items == ((GOODS.game.actions[player][actions.actions[0]], 1),)


def test_metrics_are_all_followers_returns_and_the_largest_regret():
    own = learner()
    last = trained(own).metrics[-1]
    judged = judge_followers(own.shared, own.commitment())
    assert last["greedy return/leader"] == judged.returns[0]
    assert last["greedy return/follower"] == sum(judged.returns[1:])
    assert last["regret/follower"] == max(judged.regrets_stationary)


def test_refuses_other_followers_and_clocks():
    with pytest.raises(InvalidArgument, match="ContextualQOptions, if there are several"):
        learner(follower=InnerLoopQOptions())
    with pytest.raises(UnsupportedGame, match="without a clock"):
        learner(follower=ContextualQOptions(follower_class=FollowerClass.TIME_AWARE))
    with pytest.raises(UnsupportedGame, match=r"table of at most .* in 2\^33|8,589,934,592 ways"):
        learner(followers_view(load_game("iterated_public_goods:players=5,rounds=3")))


def recorded():
    """What ``rates`` printed for the shipped file, on seeds that no option was chosen on."""
    return json.loads((DOCS / "data" / "meta-rl" / "two_followers.json").read_text())


def test_the_page_says_what_is_recorded():
    page = (DOCS.parent / "meta-rl.md").read_text(encoding="utf-8")
    found = recorded()
    runs, good, gaps = found["runs"], found["successes"], found["gaps"]
    assert (found["seeds"], runs, len(gaps)) == ("0-199", 200, 200)
    assert [seed for seed, gap in enumerate(gaps) if gap] == found["failed"]
    assert f"**{runs - found['regretted']} of {runs} runs**" in page
    low, high = (f"{100 * end:.1f}" for end in found["interval"])
    assert f"in **{good}**\n({low} to {high} %)" in page
    assert f"In the other {runs - good} he is 1 to {max(gaps)} short" in page


@pytest.mark.slow
def test_recorded_seeds_end_as_recorded():
    found, config = recorded(), read_config(CONFIG)
    options = read_options(MetaStackelberg, config.learner.options, path="learner")
    view = followers_view(load_game("iterated_public_goods"))
    for seed in (*found["failed"][:2], 5, 117):
        own = MetaStackelberg(view, rng=named_stream(seed, "learner"), **options)
        assert config.training.iterations == own.iterations
        train(own, iterations=own.iterations)
        numbers = [BY_BEST_RESPONSE.measures[name](own) for name in config.success]
        assert numbers == [0, found["gaps"][seed]]


def test_the_leader_takes_turns_with_followers_who_always_give():
    """He keeps after all have given, and gives again where they gave although he kept."""
    leader = LeaderPPOOptions(iterations=66, episodes=480)
    view = followers_view(load_game("iterated_public_goods"))
    own = MetaStackelberg(view, leader=leader, rng=named_stream(1000, "learner"))
    trained(own)
    learned = own.commitment()
    judged = judge_followers(view, learned)
    assert judged.returns == (35, 20, 20)
    assert judged.regrets_stationary == (0, 0)
    assert judged.regrets_time_aware == (1, 1)  # to keep in the last round
    assert BY_BEST_RESPONSE.measures["oracle_gap"](own) == 0
    assert learned.follower != StationaryFollower((0,) * 9)  # to give whatever was done


def test_a_default_that_takes_hours_is_refused_with_the_option_to_give():
    goods = load_game("iterated_public_goods:players=4,rounds=3")
    rng = np.random.default_rng(0)
    refused = pytest.raises(
        InvalidArgument,
        match=r"73,728 for each of 12 turns of 3 followers, 265,420,800 steps.*131,072 ways.*"
        r"ContextualQOptions\(iterations=",
    )
    with refused:
        MetaStackelberg(goods, rng=rng)
    asked = MetaStackelberg(goods, follower=ContextualQOptions(iterations=73_728), rng=rng)
    assert asked.iterations > 73_728 * 12


def test_whatever_cannot_be_taken_is_refused_in_our_own_words():
    learner = MetaStackelberg(GOODS, follower=SHORT, leader=QUICK, rng=np.random.default_rng(1))
    options = {"follower": SHORT, "leader": QUICK, "rng": np.random.default_rng(1)}
    kept = learner.snapshot()
    found = [
        *python_errors(followers_view, [GOODS.game], {"leader": 2}),
        *python_errors(MetaStackelberg, [GOODS], options),
        *python_errors(judge_followers, [GOODS, learner.commitment()]),
        *python_errors(learner.response_to, [learner.commitment().leader]),
        *python_errors(lambda own: learner.restore(kept | {"streams": own}), [kept["streams"]]),
        *python_errors(learner.restore, [kept]),
    ]
    assert found == []


@pytest.mark.parametrize("options", [ContextualQOptions, LeaderPPOOptions])
def test_more_episodes_at_once_than_arrays_hold_are_refused(options):
    with pytest.raises(InvalidArgument, match="episodes to be an integer from 1 to 1000000"):
        options(episodes=10**9)
