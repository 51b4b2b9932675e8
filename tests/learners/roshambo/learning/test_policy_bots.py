"""What was learned plays the same in matches, in batches, and as the learner's exact policy."""

from functools import partial

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners import QLearning
from learners.frozen import frozen
from learners.roshambo import (
    PolicyBot,
    PopulationPlay,
    Recall,
    Shows,
    embedded_population,
    evaluate_bot,
    evaluate_policy,
    play_match,
)
from tests.learners.roshambo.simple_bots import Copying, Scripted

EVERYBODY = embedded_population()
FIXED = {name: EVERYBODY[name] for name in ("cycle_up", "long_cycle", "square_free", "beat")}
WINDOW = Recall(1, Shows.NUMBER)


def table(seed, recall=WINDOW):
    """Return mixed actions in each window."""
    return np.random.default_rng(seed).dirichlet(np.ones(3), size=recall.num_observations)


def networks():
    deep = pytest.importorskip("learners.deep")
    shape = deep.NetworkShape((8,))
    long = deep.NetworkShape((8,), recurrence=deep.Recurrence.LSTM, memory_size=5)
    return {
        "actor-critic": partial(deep.ActorCritic, steps=5, network=shape),
        "recurrent": partial(deep.ActorCritic, steps=5, network=long, step_size=0.1),
        "gated": partial(
            deep.PPO,
            steps=5,
            network=deep.NetworkShape((8,), recurrence=deep.Recurrence.GRU, memory_size=5),
        ),
        "soft": partial(deep.DQN, temperature=0.5),
    }


def trained(make, recall, iterations=20):
    play = PopulationPlay(FIXED, episodes=6, seed=1, throws=20, recall=recall)
    learner = make(play, rng=np.random.default_rng(1))
    for _ in range(iterations):
        learner.improve()
    return learner, play


def test_a_greedy_table_earns_the_same_one_by_one_and_in_batches():
    policy = table(1)
    agent = partial(PolicyBot, policy, recall=WINDOW, greedy=True)
    alone = evaluate_bot(agent, FIXED, matches=2, seed=1, throws=50)
    batched = evaluate_policy(
        policy, FIXED, recall=WINDOW, matches=2, seed=1, throws=50, greedy=True
    )
    assert alone.returns.tolist() == batched.returns.tolist()
    assert np.ptp(alone.returns) > 0


def test_a_table_is_looked_up_by_the_last_throws():
    beats_the_last = np.array([[1.0, 0, 0]] + [np.eye(3)[(n % 3 + 1) % 3] for n in range(9)])
    bot = PolicyBot(beats_the_last, recall=WINDOW)
    match = play_match(bot, Scripted([0, 1, 1, 2, 0]), throws=11, seeds=(5, 1))
    assert match.histories[0].tolist() == [0, *((match.histories[1][:-1] + 1) % 3)]


def test_throws_are_drawn_from_mixed_actions():
    policy = np.tile([0.2, 0.5, 0.3], (10, 1))
    bot = PolicyBot(policy, recall=WINDOW)
    match = play_match(bot, Copying(), throws=3000, seeds=(3, 1))
    again = play_match(bot, Copying(), throws=3000, seeds=(3, 1))
    other = play_match(bot, Copying(), throws=3000, seeds=(4, 1))
    assert np.bincount(match.histories[0]) / 3000 == pytest.approx([0.2, 0.5, 0.3], abs=0.05)
    assert match.histories.tolist() == again.histories.tolist() != other.histories.tolist()


@pytest.mark.parametrize("name", ["actor-critic", "recurrent", "gated", "soft"])
@pytest.mark.parametrize("shows", list(Shows))
def test_a_network_plays_its_exact_policy(name, shows):
    learner, play = trained(networks()[name], Recall(2, shows))
    bot = PolicyBot(frozen(learner, play), recall=play.recall)
    (exact,) = learner.policies()
    rng = np.random.default_rng(3)
    shown = []
    bot._play.throws = _noting(bot._play, shown)
    for _ in range(2):  # nothing is remembered from match to match
        own, other, known, expected = [], [], [], []
        shown.clear()
        bot.reset(7)
        for _ in range(6):
            seen = play.recall.seen(np.array([[own], [other]], dtype=np.int64))[0]
            known.append(tuple(seen.tolist()) if np.ndim(seen) else int(seen))
            mixed = dict(exact[tuple(known)].items)
            expected.append([float(mixed.get(a, 0)) for a in range(3)])
            own.append(bot.throw(own, other))
            known.append(own[-1])
            other.append(int(rng.integers(3)))
        assert np.array(shown) == pytest.approx(np.array(expected), abs=1e-5)
        assert np.ptp(shown, axis=0).max() > 1e-6


def _noting(own, shown):
    """Keep the mixed actions that throws are drawn from."""
    throws = own.throws

    def noting(seen, rng):
        before = own._memory, own._previous
        if isinstance(own._policy, np.ndarray):
            shown.append(own._policy[seen][0])
        else:
            shown.append(own._policy.shares(seen, before[1], own._legal, before[0])[0][0])
        return throws(seen, rng)

    return noting


def test_a_memory_is_forgotten_where_a_match_begins():
    learner, play = trained(networks()["recurrent"], Recall(1))
    bot = PolicyBot(frozen(learner, play), recall=play.recall, greedy=True)
    first, second = (
        play_match(bot, Scripted([0, 0, 1, 2, 1]), throws=60, seeds=(1, 1)) for _ in range(2)
    )
    assert first.histories.tolist() == second.histories.tolist()


@pytest.mark.parametrize(
    ("policy", "recall", "said"),
    [
        (table(1), Recall(2, Shows.NUMBER), r"a table of 91 windows.*got a table of shape \(10, 3"),
        (table(1), Recall(1), "a network, for a recall of 1 shown as bits"),
        (table(1)[:, :2], WINDOW, r"shape \(10, 2\)"),
        (None, WINDOW, "a frozen policy.*got None"),
        (table(1), 1, r"recall.*Give Recall\(3\)"),
    ],
)
def test_what_was_learned_otherwise_is_refused(policy, recall, said):
    with pytest.raises(InvalidArgument, match=said):
        PolicyBot(policy, recall=recall)


@pytest.mark.parametrize("recall", [Recall(1), WINDOW])
def test_a_network_of_another_recall_is_refused(recall):
    learner, play = trained(networks()["actor-critic"], Recall(2), iterations=1)
    with pytest.raises(InvalidArgument, match="reads a recall of .*asked for one match it gives"):
        PolicyBot(frozen(learner, play), recall=recall)


def test_tables_that_were_learned_play():
    learner, play = trained(QLearning, WINDOW)
    found = evaluate_policy(
        frozen(learner, play), FIXED, recall=WINDOW, matches=2, seed=1, throws=20
    )
    assert found.means.max() > 5
