"""The leader's episodes as an environment: queries, then play. A network learns to lead in it."""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import InvalidArgument, UnsupportedGame
from gametheory_core.leaders import DeterministicLeader, follower_response, leader_view
from learners import leaders, train
from learners.leaders.meta_stackelberg import follower_on
from learners.leaders.network_leader import LeaderEnvironment
from tests.learners.leaders.led_games import iterated, same, trained
from tests.learners.tabular.small_games import BegunInItsEnd


def environment(
    name="chicken", *, answers=leaders.Answers.MEMOIZED, queries=leaders.Queries.VISIBLE, episodes=4
):
    stage = leaders.Stage(iterated(name))
    meeting = leaders.Meeting(
        stage, leaders.ExactFollower(stage, leaders.ExactResponseOptions()), answers, queries
    )
    return LeaderEnvironment(meeting, episodes=episodes, rng=np.random.default_rng(2))


def played(env, plan, steps=15):
    """Play one deterministic leader; return what was paid in all, and the last turn."""
    turn, total = env.reset(), 0.0
    for _ in range(steps):
        actions = np.array(plan)[turn.observations[:, 0]]
        turn = env.step(actions[:, None])
        total = total + turn.rewards[:, 0]
    return total, turn


@pytest.mark.parametrize("answers", leaders.Answers)
@pytest.mark.parametrize("plan", [(1, 0, 1, 0, 1), (0, 0, 1, 0, 1), (1, 1, 1, 1, 1)])
def test_an_episode_pays_what_the_leader_is_worth(plan, answers):
    env = environment("prisoners_dilemma", answers=answers)
    total, turn = played(env, plan)
    worth = follower_response(iterated("prisoners_dilemma"), DeterministicLeader(plan)).returns[0]
    assert total.tolist() == [worth] * 4
    assert turn.is_terminal.all()
    assert turn.observations[:, 0].tolist() == [0] * 4  # the next episode begins with its queries
    again, _ = played(env, plan)
    assert again.tolist() == [worth] * 4


def test_queries_come_first_pay_nothing_and_are_decisions():
    env = environment()
    turn, seen, acts, paid = env.reset(), [], [], []
    for _ in range(15):
        seen.append(int(turn.observations[0, 0]))
        acts.append(bool(turn.acts[0, 0]))
        turn = env.step(np.ones((4, 1), dtype=np.int64))
        paid.append(float(turn.rewards[0, 0]))
    assert seen[:6] == [0, 1, 2, 3, 4, 0]
    assert acts == [True] * 5 + [False] * 10
    assert paid[:5] == [0.0] * 5


def test_answers_are_held_in_play_whatever_is_tried():
    env = environment()
    env.reset()
    for _ in range(5):
        turn = env.step(np.ones((4, 1), dtype=np.int64))
    rewards = []
    for _ in range(10):
        turn = env.step(np.zeros((4, 1), dtype=np.int64))
        rewards.append(turn.rewards[:, 0])
    always = follower_response(iterated("chicken"), DeterministicLeader((1,) * 5)).returns[0]
    assert np.sum(rewards, axis=0).tolist() == [always] * 4


def test_fresh_answers_leave_the_leader_free_in_play():
    env = environment("prisoners_dilemma", answers=leaders.Answers.FRESH)
    turn = env.reset()
    for action in (1, 0, 1, 0, 1):  # promises
        turn = env.step(np.full((4, 1), action))
    assert turn.acts.all()
    total = 0.0
    for _ in range(10):
        total = total + env.step(np.ones((4, 1), dtype=np.int64)).rewards[:, 0]
    assert total.tolist() == [-2.0] * 4  # what lying is worth, by exact enumeration


def test_an_environment_goes_on_from_a_snapshot():
    env, twin = (
        environment(answers=leaders.Answers.FRESH),
        environment(answers=leaders.Answers.FRESH),
    )
    env.reset()
    rng = np.random.default_rng(1)
    for _ in range(8):
        env.step(rng.integers(2, size=(4, 1)))
    twin.restore(env.snapshot())
    for _ in range(20):
        actions = rng.integers(2, size=(4, 1))
        first, second = env.step(actions), twin.step(actions)
        assert np.array_equal(first.rewards, second.rewards)
        assert np.array_equal(first.observations, second.observations)


def test_hidden_queries_are_no_steps_of_an_environment():
    with pytest.raises(UnsupportedGame, match="LeaderEnvironment: needs visible queries"):
        environment(queries=leaders.Queries.HIDDEN)


def test_a_leader_who_never_acts_is_refused():
    stage = leaders.Stage(leader_view(BegunInItsEnd(Fraction(1))))
    meeting = leaders.Meeting(
        stage,
        leaders.ExactFollower(stage, leaders.ExactResponseOptions()),
        leaders.Answers.MEMOIZED,
        leaders.Queries.VISIBLE,
    )
    with pytest.raises(UnsupportedGame, match="LeaderEnvironment: needs a leader who acts"):
        LeaderEnvironment(meeting, episodes=4, rng=np.random.default_rng(2))


@pytest.mark.parametrize(
    "follower", [leaders.InnerLoopQOptions(), leaders.InnerLoopWeightsOptions()]
)
def test_followers_who_learn_anew_are_refused(follower):
    stage = leaders.Stage(iterated("chicken"))
    own = follower_on(stage, follower)
    meeting = leaders.Meeting(stage, own, leaders.Answers.MEMOIZED, leaders.Queries.VISIBLE)
    with pytest.raises(UnsupportedGame, match=f"but {own.name} does not"):
        LeaderEnvironment(meeting, episodes=4, rng=np.random.default_rng(2))


def test_a_network_learns_to_lead_and_goes_on_bit_for_bit():
    torch = pytest.importorskip("torch")
    torch.set_num_threads(1)
    options = leaders.LeaderDQNOptions(iterations=40)
    whole, first, second = (
        leaders.MetaStackelberg(
            iterated("battle"),
            follower=leaders.ExactResponseOptions(),
            leader=options,
            rng=np.random.default_rng(3),
        )
        for _ in range(3)
    )
    once = trained(whole)
    found = once.metrics[-1]
    assert (found["greedy return/leader"], found["regret/follower"]) == (0, 0)
    assert once.metrics[0]["greedy return/leader"] < 0
    half = trained(first, 4)
    train(second, iterations=6, start=half)
    trained(first, 2)
    assert same(first.snapshot(), second.snapshot())


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        ([[2], [0], [0], [0]], r"needs legal actions, but row 0 gives 2. Legal are \[0, 1\]"),
        ([[0], [0], [0], [-1]], "needs legal actions, but row 3 gives -1"),
        ([[0]], r"needs integers of shape \(4, 1\)"),
        ([0, 0, 0, 0], r"needs integers of shape \(4, 1\)"),
        ([[0.5]] * 4, "needs integers of shape"),
        (None, "needs integers of shape"),
    ],
)
def test_bad_actions_are_refused(actions, message):
    env = environment()
    with pytest.raises(InvalidArgument, match="step: needs episodes to play, .* Call reset"):
        env.step(np.zeros((4, 1), dtype=np.int64))
    env.reset()
    with pytest.raises(InvalidArgument, match=message):
        env.step(actions)


def test_what_is_given_where_nothing_is_decided_is_ignored():
    env = environment()
    env.reset()
    for _ in range(5):
        turn = env.step(np.ones((4, 1), dtype=np.int64))
    assert not turn.acts.any()
    assert np.isfinite(env.step(np.full((4, 1), 99)).rewards).all()


def test_illegal_actions_are_refused_in_play_too():
    env = environment(answers=leaders.Answers.FRESH)
    env.reset()
    for _ in range(5):
        env.step(np.ones((4, 1), dtype=np.int64))
    with pytest.raises(InvalidArgument, match="needs legal actions, but row 0 gives 99"):
        env.step(np.full((4, 1), 99))


@pytest.mark.parametrize(
    ("player", "seen", "message"),
    [(0, ("nowhere",), "'Leader', but 'nowhere' is none"), (1, (), "needs player to be")],
)
def test_what_the_leader_never_sees_is_refused(player, seen, message):
    with pytest.raises(InvalidArgument, match=f"observe: .*{message}"):
        environment().observe(player, seen)
