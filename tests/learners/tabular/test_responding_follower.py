"""The follower responds exactly to how each episode is played; play is the game's."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.leaders import FollowerClass, StochasticLeader, follower_response, leader_view
from learners import Episodes, EpsilonGreedy, FixedPolicy, QLearning, Steps, batched, train
from learners.leaders import RespondingFollower
from tests.learners.tabular.small_games import BegunInItsEnd, RandomDecisions

VIEW = leader_view(iterated_prisoners_dilemma(rounds=4))


def leader_of(probabilities, follower_class, *, episodes, seed=3):
    play = RespondingFollower(
        VIEW, episodes=episodes, rng=np.random.default_rng(seed), follower_class=follower_class
    )
    options = {"exploration": FixedPolicy(probabilities), "iteration": Episodes(episodes)}
    learner = QLearning(play, rng=np.random.default_rng(seed), **options)
    play.respond_to(learner.played)
    return learner


@pytest.mark.parametrize("follower_class", FollowerClass)
@pytest.mark.parametrize("digits", ["10101", "00000", "01101", "11111"])
def test_pure_leaders_earn_what_the_core_says(digits, follower_class):
    probabilities = np.eye(2)[[int(d) for d in digits]]
    exact = StochasticLeader(tuple(tuple(map(Fraction, map(int, row))) for row in probabilities))
    response = follower_response(VIEW, exact, follower_class=follower_class)
    paid = leader_of(probabilities, follower_class, episodes=2).improve()["return/Leader"]
    assert paid == response.returns[0]


@pytest.mark.parametrize("follower_class", FollowerClass)
def test_drawing_leaders_earn_what_the_core_says(follower_class):
    """4,000 episodes of returns from -12 to 0: the mean is within five standard errors."""
    probabilities = np.array([[1, 0], [0.75, 0.25], [0.5, 0.5], [0.5, 0.5], [0.25, 0.75]])
    exact = StochasticLeader(tuple(tuple(map(Fraction, row)) for row in probabilities.tolist()))
    response = follower_response(VIEW, exact, follower_class=follower_class)
    paid = leader_of(probabilities, follower_class, episodes=4000).improve()["return/Leader"]
    assert abs(paid - response.returns[0]) < 5 * 6 / np.sqrt(4000)


def test_learner_goes_on_bit_for_bit():
    def fresh():
        play = RespondingFollower(VIEW, episodes=3, rng=np.random.default_rng(1))
        options = {"exploration": EpsilonGreedy(0.3), "iteration": Steps(7)}
        learner = QLearning(play, rng=np.random.default_rng(1), **options)
        play.respond_to(learner.played)
        return learner

    last = train(fresh(), iterations=6)  # never restored
    first = train(fresh(), iterations=3)
    again = train(fresh(), iterations=6, start=first)
    assert again.metrics == last.metrics
    assert np.array_equal(
        again.snapshot["rule"]["tables"][0]["values"], last.snapshot["rule"]["tables"][0]["values"]
    )


def test_learned_policy_is_a_policy_of_the_game():
    learner = leader_of(np.full((5, 2), 0.5), FollowerClass.TIME_AWARE, episodes=2)
    learner.improve()
    (policy,) = learner.policies()
    assert policy[(), "C", (("C", "D"),)].items[0][1] == 1
    with pytest.raises(InvalidArgument, match="observe: needs observations of 'Leader'"):
        _ = policy["no such thing",]


def test_play_needs_to_know_whom_to_respond_to():
    learner = QLearning(
        RespondingFollower(VIEW, episodes=1, rng=np.random.default_rng(1)),
        rng=np.random.default_rng(1),
    )
    with pytest.raises(InvalidArgument, match="Call respond_to"):
        learner.improve()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"episodes": 0}, "needs episodes to be an integer from 1 to 1000000"),
        ({"follower_class": "timed"}, "needs a member of FollowerClass"),
        ({"ties": None}, "needs a member of FollowerTies"),
        ({"view": RandomDecisions(1)}, "needs view to be of type LeaderView"),
    ],
)
def test_bad_options_are_refused(options, message):
    options = {"view": VIEW, "episodes": 1, "rng": np.random.default_rng(1), **options}
    view = options.pop("view")
    with pytest.raises(InvalidArgument, match=f"RespondingFollower: {message}"):
        RespondingFollower(view, **options)


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([[2], [0]], r"needs legal actions, but row 0 gives 2. Legal are \[0, 1\]"),
        ([[0], [-1]], "needs legal actions, but row 1 gives -1"),
        ([[0]], r"needs integers of shape \(2, 1\)"),
        ([[0.5], [0.5]], "needs integers of shape"),
    ],
)
def test_bad_actions_are_refused(actions, message):
    play = RespondingFollower(VIEW, episodes=2, rng=np.random.default_rng(1))
    with pytest.raises(InvalidArgument, match="Call reset"):
        play.step(np.zeros((2, 1), dtype=np.int64))
    play.reset()
    with pytest.raises(InvalidArgument, match=message):
        play.step(np.array(actions))


@pytest.mark.parametrize("ended", [Fraction(0), Fraction(1, 2)])
def test_play_that_begins_in_its_end_pays_nothing(ended):
    """4,000 episodes of returns 0 or 2: the mean is within five standard errors."""
    game = BegunInItsEnd(ended)
    play = RespondingFollower(leader_view(game), episodes=20, rng=np.random.default_rng(3))
    learner = QLearning(play, rng=np.random.default_rng(3), iteration=Episodes(4000))
    play.respond_to(learner.played)
    found = learner.improve()
    peer = batched(game, episodes=20, seed=3)
    own = QLearning(peer, rng=np.random.default_rng(3), iteration=Episodes(4000)).improve()
    for name, mean in (("return/Leader", 2 - 2 * float(ended)), ("length", 2 - float(ended))):
        assert abs(found[name] - mean) <= 5 * 2 * float(ended) / np.sqrt(4000)
        assert abs(found[name] - own[name]) <= 10 * 2 * float(ended) / np.sqrt(4000)


def test_turns_in_the_end_show_nobody_to_act():
    play = RespondingFollower(
        leader_view(BegunInItsEnd(Fraction(1, 2))), episodes=64, rng=np.random.default_rng(3)
    )
    play.respond_to(lambda: np.tile([[1.0, 0.0]], (64, len(play.legal[0]), 1)))
    first = play.reset()
    turn = play.step(np.where(first.acts, 0, 99))  # what those who do not act give is ignored
    assert 0 < first.acts.sum() < 64
    assert turn.is_terminal.tolist() == (~first.acts[:, 0]).tolist()
    assert turn.rewards.tolist() == first.acts.astype(float).tolist()
    assert (turn.final_observations >= 0).all()


def test_responses_are_kept_for_the_policies_met_last_only(monkeypatch):
    monkeypatch.setattr("learners.leaders.responding_follower.MOST_KEPT", 3)
    play = RespondingFollower(VIEW, episodes=1, rng=np.random.default_rng(1))
    computed = []
    best = play._best
    monkeypatch.setattr(play, "_best", lambda own: computed.append(own[0, 0]) or best(own))
    for share in (0.1, 0.2, 0.3, 0.1, 0.4, 0.1, 0.3, 0.2):
        play.respond_to(lambda share=share: np.array([[[share, 1 - share]] * 5]))
        play.reset()
        play.step(np.zeros((1, 1), dtype=np.int64))
    assert computed == [0.1, 0.2, 0.3, 0.4, 0.2]
    assert len(play._known) == 3
