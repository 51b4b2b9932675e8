"""Q-tables: as a dictionary would have them, in files, as bots; what is refused."""

from collections import defaultdict
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, MalformedFile
from learners.roshambo import evaluate_bot, play_match
from learners.roshambo.agents import QBot, QTable, q_training, train_q_table, train_q_table_by_copy
from learners.schedules import Constant, Linear
from learners.streams import named_stream
from tests.learners.roshambo.simple_bots import Copying, Drawn, Scripted

POPULATION = {"copy": Copying, "drawn": Drawn, "script": partial(Scripted, [0, 1, 1, 2, 0])}
JOINT = st.tuples(st.integers(0, 2), st.integers(0, 2))


class Watched:
    """A bot that keeps what the other threw."""

    def __init__(self, inner, matches):
        self.inner, self.matches = inner, matches

    def reset(self, seed):
        self.inner.reset(seed)
        self.matches.append([])

    def throw(self, own, other):
        self.matches[-1] = list(zip(other, own, strict=True))
        return self.inner.throw(own, other)


def key_of(joints, recall):
    """Spelled out: digits in base 9 behind a leading 1."""
    recent = joints[max(0, len(joints) - recall) :]
    return int("1" + "".join(str(3 * a + b) for a, b in recent), 9)


def replayed(matches, recall, rate, discount):
    """The textbook's rule, in a dictionary."""
    values = defaultdict(lambda: [0.0, 0.0, 0.0])
    for joints in matches:
        for t, (a, b) in enumerate(joints):
            before = values[key_of(joints[:t], recall)]
            ahead = 0.0
            if t + 1 < len(joints):
                ahead = max(values[key_of(joints[: t + 1], recall)])
            reward = {0: 0, 1: 1, 2: -1}[(a - b) % 3]
            before[a] += rate * (reward + discount * ahead - before[a])
    return values


@pytest.mark.parametrize("recall", [0, 1, 3, 10])
def test_tables_are_those_of_the_textbook(recall, monkeypatch):
    monkeypatch.setattr(q_training, "FEWEST_SLOTS", 64)  # so that tables grow
    seen, whole = [], []

    def watched(maker):
        return Watched(maker(), seen)

    def played(*args, **options):
        match = play_match(*args, **options)
        whole.append([(int(a), int(b)) for a, b in match.histories.T])
        return match

    monkeypatch.setattr(q_training, "play_match", played)
    table = train_q_table(
        {name: partial(watched, maker) for name, maker in POPULATION.items()},
        recall=recall,
        episodes=12,
        seed=3,
        throws=30,
        step_size=0.25,
        exploration=0.5,
        discount=0.9,
    )
    values = replayed(whole, recall, 0.25, 0.9)
    assert table.keys.tolist() == sorted(values)
    assert table.values == pytest.approx(np.array([values[k] for k in sorted(values)]), abs=1e-12)
    assert len(table.keys) > (1, 9, 50, 200)[(0, 1, 3, 10).index(recall)] - (recall == 0)
    assert seen == [joints[:-1] for joints in whole]


class Textbook:
    """A learner in a dictionary; a uniform number settles whether it explores, and what it does."""

    def __init__(self, recall):
        self.recall, self.values = recall, defaultdict(lambda: [0.0, 0.0, 0.0])

    def throw(self, joints, draw, epsilon):
        values = self.values[key_of(joints, self.recall)]
        if draw < epsilon:
            return int(3 * draw / epsilon)
        best = [a for a in range(3) if values[a] == max(values)]
        return best[int(len(best) * (draw - epsilon) / (1 - epsilon))]

    def learn(self, joints, rate, discount, *, is_last):
        ((own, other),) = joints[-1:]
        ahead = 0.0 if is_last else max(self.values[key_of(joints, self.recall)])
        before = self.values[key_of(joints[:-1], self.recall)]
        reward = {0: 0, 1: 1, 2: -1}[(own - other) % 3]
        before[own] += rate * (reward + discount * ahead - before[own])


@pytest.mark.parametrize("recall", [0, 2, 9])
def test_copies_learn_from_each_other_as_the_textbook_has_it(recall, monkeypatch):
    monkeypatch.setattr(q_training, "FEWEST_SLOTS", 64)
    episodes, throws, epsilons = 8, 40, Linear(0.6, 0.2, steps=200)
    stream = named_stream(5, "q_learning_by_copy")
    one, two = Textbook(recall), Textbook(recall)
    for episode in range(episodes):
        draws, epsilon = stream.random((2, throws)).tolist(), epsilons.at(episode * throws)
        mine, theirs = [], []
        for t in range(throws):
            a = one.throw(mine, draws[0][t], epsilon)
            b = two.throw(theirs, draws[1][t], epsilon)
            mine.append((a, b))
            theirs.append((b, a))
            one.learn(mine, 0.2, 0.9, is_last=t + 1 == throws)
            two.learn(theirs, 0.2, 0.9, is_last=t + 1 == throws)
    table = train_q_table_by_copy(
        recall=recall,
        episodes=episodes,
        seed=5,
        throws=throws,
        step_size=0.2,
        exploration=epsilons,
        discount=0.9,
    )
    assert table.keys.tolist() == sorted(one.values)
    expected = np.array([one.values[key] for key in table.keys.tolist()])
    assert table.values == pytest.approx(expected, abs=1e-12)


def test_exploration_is_as_often_as_asked():
    """Where one throw is best for sure, others are thrown by chance alone, evenly."""
    learned = []

    def played(*args, **options):
        learned.append(play_match(*args, **options).histories[0])
        raise RuntimeError("seen enough")

    rock = {"rock": partial(Scripted, [0])}
    for epsilon, low, high in ((0.0, 0.99, 1.0), (0.5, 0.6, 0.73), (1.0, 0.28, 0.39)):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(q_training, "play_match", played)
            with pytest.raises(RuntimeError, match="seen enough"):
                train_q_table(
                    rock,
                    recall=0,
                    episodes=1,
                    seed=1,
                    throws=2000,
                    exploration=epsilon,
                    step_size=1.0,
                    discount=0.0,
                )
        papers = np.mean(learned[-1] == 1)
        assert low <= papers <= high
        if epsilon:
            assert np.mean(learned[-1] == 0) == pytest.approx(epsilon / 3, abs=0.04)


def test_a_learned_table_beats_what_it_was_trained_against():
    schedules = {"step_size": Linear(0.2, 0.0, steps=60_000), "exploration": Constant(0.3)}
    table = train_q_table(
        {"script": POPULATION["script"], "copy": Copying},
        recall=3,
        episodes=600,
        seed=1,
        throws=100,
        **schedules,
    )
    scores = evaluate_bot(partial(QBot, table), POPULATION, matches=4, seed=2, throws=100)
    assert scores.means[0] > 70
    assert scores.means[2] > 70
    assert abs(scores.means[1]) < 5 * np.sqrt(200 / 3 / 4)


def test_the_same_seed_learns_the_same():
    options = {"recall": 2, "episodes": 20, "throws": 50}
    one, again, other = (train_q_table(POPULATION, seed=s, **options) for s in (1, 1, 2))
    assert repr(one) == repr(again) != repr(other)


def test_unknown_histories_and_ties_are_thrown_at_random():
    nothing = QBot(QTable(2, np.zeros(0, dtype=np.int64), np.zeros((0, 3))))
    tied = QBot(QTable(0, np.array([1]), np.array([[2.0, -1.0, 2.0]])))
    found = [
        np.bincount(play_match(bot, Copying(), seeds=(1, 1)).histories[0], minlength=3)
        for bot in (nothing, tied)
    ]
    assert (np.abs(found[0] - 1000 / 3) < 75).all()
    assert found[1][1] == 0
    assert abs(found[1][0] - 500) < 80


@given(st.integers(0, 18), st.lists(JOINT, max_size=30))
def test_keys_of_histories_differ_and_are_those_of_the_last_joint_throws(recall, joints):
    """A table of one history is used there and nowhere else."""
    key = key_of(joints, recall)
    bot = QBot(QTable(recall, np.array([key]), np.array([[0.0, 1.0, 0.0]])))
    own, other = [a for a, _ in joints], [b for _, b in joints]
    for t in range(len(joints) + 1):
        thrown = bot.throw(own[:t], other[:t])
        if key_of(joints[:t], recall) == key:
            assert thrown == 1
    assert bot._key == key


def test_files_keep_tables(tmp_path):
    table = train_q_table(POPULATION, recall=2, episodes=5, seed=1, throws=50)
    table.save(tmp_path / "table.npz")
    loaded = QTable.load(tmp_path / "table.npz")
    assert repr(loaded) == repr(table)
    assert loaded.recall == 2
    matches = [
        play_match(QBot(t), Drawn(), throws=90, seeds=(1, 2)).histories for t in (table, loaded)
    ]
    assert (matches[0] == matches[1]).all()
    with pytest.raises(ValueError, match="read-only"):
        loaded.values[0] = 1


def test_what_is_no_table_of_a_file_is_refused(tmp_path):
    file = tmp_path / "table.npz"
    with pytest.raises(InvalidArgument, match="a file that can be read"):
        QTable.load(file)
    with pytest.raises(InvalidArgument, match="a file that can be written"):
        QTable(0, np.array([1]), np.zeros((1, 3))).save(tmp_path)
    for content in (b"", b"something else", b"PK\x03\x04 half a file"):
        file.write_bytes(content)
        with pytest.raises(MalformedFile, match="a Q-table"):
            QTable.load(file)
    for arrays in (
        {"schema": "another"},
        {"other": 1},
        {"schema": "gametheory-core/roshambo-q-table/1", "recall": 1, "keys": [3], "values": [[0]]},
    ):
        np.savez(file, **arrays)
        with pytest.raises(MalformedFile, match="a Q-table|the schema"):
            QTable.load(file)
    np.save(tmp_path / "array.npy", np.zeros(3))
    with pytest.raises(MalformedFile, match="a Q-table"):
        QTable.load(tmp_path / "array.npy")


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ((19, [1], [[0.0] * 3]), "recall"),
        ((1, [1, 9], [[0.0] * 3]), "a row of three values"),
        ((1, [[1]], [[0.0] * 3]), "a row of three values"),
        ((1, [1], [[0.0, 1.0]]), "a row of three values"),
        ((1, [1], [[0.0, 1.0, np.nan]]), "finite values"),
        ((1, [9, 1], [[0.0] * 3] * 2), "increasing integers"),
        ((1, [9, 9], [[0.0] * 3] * 2), "increasing integers"),
        ((1, [1.5], [[0.0] * 3]), "increasing integers"),
        ((1, [2], [[0.0] * 3]), "2 is none"),
        ((1, [0], [[0.0] * 3]), "0 is none"),
        ((1, [18], [[0.0] * 3]), "18 is none"),
        ((0, [9], [[0.0] * 3]), "9 is none"),
    ],
)
def test_what_is_no_table_is_refused(arguments, match):
    recall, keys, values = arguments
    with pytest.raises(InvalidArgument, match=match):
        QTable(recall, np.array(keys), np.array(values))


@pytest.mark.parametrize(
    ("options", "match"),
    [
        ({"population": {}}, "it is empty"),
        ({"population": {"copy": Copying()}}, "a function"),
        ({"recall": -1}, "recall"),
        ({"recall": 19}, "recall"),
        ({"episodes": 0}, "episodes"),
        ({"seed": -1}, "seed"),
        ({"throws": 0}, "throws"),
        ({"step_size": 0}, "step_size"),
        ({"step_size": 1.5}, "step_size"),
        ({"exploration": 1.1}, "exploration"),
        ({"exploration": Linear(0.5, -0.1, steps=9)}, "exploration"),
        ({"discount": 1.1}, "discount"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, match):
    good = {"recall": 1, "episodes": 1, "seed": 1}
    with pytest.raises(InvalidArgument, match=match):
        train_q_table(**{"population": POPULATION, **good, **options})
    if "population" not in options:
        with pytest.raises(InvalidArgument, match=match):
            train_q_table_by_copy(**{**good, **options})


def test_bots_refuse_what_is_no_table():
    with pytest.raises(InvalidArgument, match="to be of type QTable"):
        QBot({"recall": 1})
