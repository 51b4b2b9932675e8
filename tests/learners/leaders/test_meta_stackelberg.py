"""Learners who lead go on bit for bit, refuse what makes no sense, and work on any view."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame, expected_returns
from gametheory_core.catalog import RepeatedGame, iterated_game
from gametheory_core.catalog.ordinal import chicken
from gametheory_core.leaders import FollowerClass, leader_games, leader_returns, leader_view
from learners import Diverged, leaders
from tests.learners.continuing import assert_continues
from tests.learners.leaders.led_games import iterated, same, trained
from tests.learners.tabular.small_games import BegunInItsEnd
from tests.sample_sizes import examples

FOLLOWERS = (
    leaders.ContextualQOptions(iterations=3, episodes=10),
    leaders.ContextualPolicyGradientOptions(iterations=3, deployment=leaders.Deployment.SAMPLED),
    leaders.ContextualPPOOptions(iterations=3, episodes=10, epochs=2),
    leaders.InnerLoopQOptions(episodes=3),
    leaders.InnerLoopWeightsOptions(rounds=2),
    leaders.MeanDynamicsOptions(steps=3),
    leaders.ExactResponseOptions(),
)
LEADERS = (
    leaders.LeaderPolicyGradientOptions(iterations=4, episodes=5),
    leaders.LeaderPPOOptions(iterations=4, episodes=5),
    leaders.LeaderEvolutionOptions(iterations=4, population=4, episodes=2),
)


@pytest.mark.parametrize(("follower", "leader"), list(product(FOLLOWERS, LEADERS)))
def test_going_on_from_a_snapshot_is_bit_for_bit_the_same(follower, leader, tmp_path):
    options = {"follower": follower, "leader": leader, "answers": leaders.Answers.FRESH}
    assert_continues(
        lambda: leaders.MetaStackelberg(iterated("hero"), rng=np.random.default_rng(5), **options),
        tmp_path,
        after=6,
    )


def test_seeds_differ_and_repeat():
    ends = []
    for seed in (1, 1, 2):
        learner = leaders.MetaStackelberg(iterated("chicken"), rng=np.random.default_rng(seed))
        trained(learner, 33)
        ends.append(learner.probabilities().tobytes())
    assert ends[0] == ends[1] != ends[2]


@examples(20)
@given(
    leader_games(),
    st.sampled_from(FOLLOWERS),
    st.sampled_from(LEADERS),
    st.sampled_from(leaders.Answers),
    st.sampled_from(leaders.Queries),
    st.sampled_from(FollowerClass),
)
def test_any_view_is_learned_on_and_judged(view, follower, leader, answers, queries, kind):
    """Regrets are gains of a best response, so never negative; what is learned can be played."""
    if isinstance(follower, leaders.InnerLoopQOptions):
        follower = leaders.InnerLoopQOptions(episodes=3, follower_class=kind)
    if isinstance(follower, leaders.ExactResponseOptions):
        follower = leaders.ExactResponseOptions(FollowerClass.STATIONARY)
    learner = leaders.MetaStackelberg(
        view,
        follower=follower,
        leader=leader,
        answers=answers,
        queries=queries,
        rng=np.random.default_rng(3),
    )
    learned = trained(learner)
    judged = leaders.judge_commitment(view, learner.commitment())
    assert judged.regret_time_aware >= 0
    if kind is FollowerClass.STATIONARY or not isinstance(follower, leaders.InnerLoopQOptions):
        assert judged.regret_stationary >= 0
    policy = learner.probabilities()
    acts = [bool(view.leader_actions(o)) for o in range(len(policy))]
    assert np.abs(policy.sum(axis=1) - acts).max() < 1e-9
    assert learned.metrics[-1]["greedy return/leader"] == float(judged.returns[0])
    if kind is FollowerClass.STATIONARY:
        paid = expected_returns(view.game, learner.policies())
        assert (paid[view.leader], paid[view.follower]) == judged.returns


def test_the_second_player_may_lead():
    """Each does best by committing to the own first action; the other answers by the second."""
    stage = NormalFormGame.bimatrix([[0, 3], [1, 0]], [[0, 1], [4, 0]])
    for leader, returns in ((0, (3, 1)), (1, (4, 1))):
        view = leader_view(iterated_game(stage, rounds=1), leader=leader)
        learner = leaders.MetaStackelberg(view, rng=np.random.default_rng(1))
        trained(learner)
        learned = learner.commitment()
        assert learner.view.leader == leader
        assert leader_returns(view, learned.leader, learned.follower) == returns
        paid = expected_returns(view.game, learner.policies())
        assert (paid[leader], paid[1 - leader]) == returns


def test_metrics_are_finite_and_named():
    learner = leaders.MetaStackelberg(iterated("chicken"), rng=np.random.default_rng(1))
    learned = trained(learner, 19)
    assert set(learned.metrics[0]) == {"return/leader", "return/follower", "environment steps"}
    assert set(learned.metrics[-1]) == {
        "return/leader",
        "return/follower",
        "entropy/leader",
        "greedy return/leader",
        "greedy return/follower",
        "regret/follower",
        "environment steps",
    }
    assert [m["environment steps"] for m in learned.metrics[-2:]] == [18_000, 18_900]
    assert learner.name == "Meta-Stackelberg, PPO against contextual Q-learning"


def test_a_run_that_breaks_stops_with_the_quantity_and_its_last_good_state():
    stage = NormalFormGame.bimatrix([[10**300, 0], [-(10**300), 0]], [[1, 0], [0, 1]])
    view = leader_view(iterated_game(stage, rounds=2))
    leader = leaders.LeaderPolicyGradientOptions(step_size=1e9, iterations=5)
    learner = leaders.MetaStackelberg(
        view, follower=leaders.ExactResponseOptions(), leader=leader, rng=np.random.default_rng(1)
    )
    with pytest.raises(Diverged, match="'entropy/leader' became nan in iteration 1") as caught:
        trained(learner)
    assert caught.value.quantity == "entropy/leader"
    assert np.isfinite(learner.probabilities()).all()


def test_rewards_that_are_no_floats_are_refused():
    stage = NormalFormGame.bimatrix([[10**400, 0], [0, 0]], [[1, 0], [0, 1]])
    with pytest.raises(UnsupportedGame, match=r"needs rewards below 2\^1000"):
        leaders.MetaStackelberg(
            leader_view(iterated_game(stage, rounds=2)), rng=np.random.default_rng(1)
        )


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: leaders.ContextualQOptions(step_size=0),
            "ContextualQOptions: needs a finite step_size above 0",
        ),
        (
            lambda: leaders.ContextualQOptions(exploration=2),
            "ContextualQOptions: needs a finite exploration",
        ),
        (
            lambda: leaders.ContextualQOptions(episodes=0),
            "ContextualQOptions: needs episodes to be an integer",
        ),
        (lambda: leaders.ContextualQOptions(follower_class="timed"), "a member of FollowerClass"),
        (
            lambda: leaders.ContextualPPOOptions(clip=0),
            "ContextualPPOOptions: needs a finite clip above 0",
        ),
        (
            lambda: leaders.ContextualPolicyGradientOptions(memory=-1),
            "needs a finite memory of at least 0",
        ),
        (
            lambda: leaders.ContextualPolicyGradientOptions(deployment="greedy"),
            "a member of Deployment",
        ),
        (
            lambda: leaders.InnerLoopQOptions(discount=1.5),
            "InnerLoopQOptions: needs a finite discount",
        ),
        (
            lambda: leaders.InnerLoopWeightsOptions(rate=0),
            "InnerLoopWeightsOptions: needs a finite rate above 0",
        ),
        (lambda: leaders.ExactResponseOptions(ties="strong"), "a member of FollowerTies"),
        (
            lambda: leaders.LeaderPPOOptions(step_size=-1),
            "LeaderPPOOptions: needs a finite step_size above 0",
        ),
        (
            lambda: leaders.LeaderPolicyGradientOptions(episodes=0),
            "LeaderPolicyGradientOptions: needs episodes",
        ),
        (
            lambda: leaders.LeaderEvolutionOptions(population=5),
            "needs an even population, but got 5",
        ),
        (lambda: leaders.LeaderDQNOptions(span=0), "LeaderDQNOptions: needs span to be an integer"),
        (
            lambda: leaders.LeaderDQNOptions(exploration=2),
            "LeaderDQNOptions: needs a finite exploration",
        ),
        (
            lambda: leaders.LeaderEvolutionOptions(spread=0),
            "LeaderEvolutionOptions: needs a finite spread above 0",
        ),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(make, message):
    with pytest.raises(InvalidArgument, match=message):
        make()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"follower": "contextual"},
            "MetaStackelberg: needs follower to be of type ContextualQOptions",
        ),
        ({"leader": leaders.ContextualQOptions()}, "MetaStackelberg: needs leader to be of type"),
        ({"answers": "fresh"}, "MetaStackelberg: needs a member of Answers as answers"),
        (
            {"queries": leaders.Answers.FRESH},
            "MetaStackelberg: needs a member of Queries as queries",
        ),
        ({"rng": 1}, "needs rng"),
    ],
)
def test_choices_that_are_none_are_refused_by_name(options, message):
    with pytest.raises(InvalidArgument, match=message):
        leaders.MetaStackelberg(
            iterated("chicken"), **({"rng": np.random.default_rng(1)} | options)
        )


def test_games_without_a_horizon_are_refused():
    endless = RepeatedGame(chicken(), rounds=None)
    with pytest.raises(UnsupportedGame, match="needs a game with a horizon"):
        leaders.MetaStackelberg(endless, rng=np.random.default_rng(1))


def test_a_game_may_be_given_instead_of_its_view():
    learner = leaders.MetaStackelberg(
        iterated_game(chicken(), rounds=10), rng=np.random.default_rng(1)
    )
    assert learner.view == iterated("chicken")


TABULAR = leaders.ContextualQOptions()
TIME_AWARE = leaders.ContextualQOptions(follower_class=FollowerClass.TIME_AWARE)
EVOLVED, STEPPED = leaders.LeaderEvolutionOptions(), leaders.LeaderPPOOptions()


@pytest.mark.parametrize(
    ("who", "own", "other", "message"),
    [
        ("follower", TIME_AWARE, TABULAR, r"'values' is of shape \(32, 5, 2\), not \(32, 50, 2\)"),
        ("follower", leaders.ContextualPPOOptions(), TABULAR, r"\['values'\], not \['logits'"),
        ("follower", leaders.InnerLoopQOptions(), TABULAR, r"\['values'\], not \['first'\]"),
        ("follower", leaders.InnerLoopWeightsOptions(), TABULAR, r"\['values'\], not \[\]"),
        ("follower", leaders.ExactResponseOptions(), TABULAR, r"\['values'\], not \[\]"),
        ("leader", EVOLVED, STEPPED, r"not \['logits'\]"),
        ("leader", STEPPED, EVOLVED, r"not \['logits', 'optimizer'\]"),
    ],
)
def test_snapshots_of_learners_made_otherwise_are_refused(who, own, other, message):
    """Tables of another shape would be written past their ends."""
    learner, another = (
        leaders.MetaStackelberg(iterated("battle"), rng=np.random.default_rng(1), **{who: options})
        for options in (own, other)
    )
    with pytest.raises(InvalidArgument, match=f"restore: needs a snapshot .*{message}"):
        learner.restore(another.snapshot())


def test_what_is_no_snapshot_is_refused_with_the_keys_it_needs():
    learner = leaders.MetaStackelberg(iterated("battle"), rng=np.random.default_rng(1))
    with pytest.raises(InvalidArgument, match=r"has the parts \[\], not \['iterations'"):
        learner.restore({})


@pytest.mark.parametrize("ended", [Fraction(999, 1000), Fraction(1)])
@pytest.mark.parametrize(
    "options", [leaders.ContextualPPOOptions, leaders.ContextualPolicyGradientOptions]
)
@pytest.mark.parametrize(
    "leader",
    [
        leaders.LeaderPPOOptions(),
        leaders.LeaderPolicyGradientOptions(),
        leaders.LeaderEvolutionOptions(),
    ],
)
def test_batches_without_a_decision_teach_nothing(options, leader, ended):
    """Most batches of one episode begin in its end, so that nobody acts."""
    game = BegunInItsEnd(ended)
    follower = options(iterations=3, episodes=1)
    learner = leaders.MetaStackelberg(
        game, follower=follower, leader=leader, rng=np.random.default_rng(1)
    )
    before = learner.snapshot()["follower"]
    taught = trained(learner, 3)
    assert all("entropy/follower" not in metrics for metrics in taught.metrics)
    assert [metrics["return/follower"] for metrics in taught.metrics] == [0, 0, 0]
    assert same(before, learner.snapshot()["follower"])
    metrics = trained(learner, 2).metrics[-1]
    assert np.isfinite(list(metrics.values())).all()
