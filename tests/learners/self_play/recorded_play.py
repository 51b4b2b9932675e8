"""Games whose steps are written down, opponents known by what they do, and play told again."""

from dataclasses import dataclass, field

import numpy as np

from learners.self_play.live_play import LivePlay
from learners.self_play.opponents import Opponents
from learners.self_play.views import seat_views


class Recorder:
    """An environment that writes down each turn and what was done in it."""

    def __init__(self, inner):
        self.inner = inner
        self.turns, self.joint = [], []

    def __getattr__(self, name):
        return getattr(self.inner, name)

    def reset(self):
        self.turns.append(self.inner.reset())
        return self.turns[-1]

    def step(self, actions):
        self.joint.append(actions.copy())
        self.turns.append(self.inner.step(actions))
        return self.turns[-1]


@dataclass(eq=False)
class Counting:
    """A policy of features that remembers how often it has moved, and what it did last.

    It plays the legal action with the number ``kind + moves + previous``, counted in a circle.
    """

    kind: int
    memory_width: int = 2
    met: list = field(default_factory=list)

    def shares(self, observations, previous, legal, memory):
        moves = memory[:, 0].astype(int)
        assert (memory[:, 1] == np.where(moves == 0, 0, self.kind + 1)).all()  # nobody else's
        chosen = [circled(row, self.kind + m + p) for row, m, p in zip(
            legal, moves.tolist(), previous.tolist(), strict=True)]  # fmt: skip
        after = np.stack([moves + 1, np.full(len(moves), self.kind + 1)], axis=1)
        return np.eye(legal.shape[1])[chosen], after.astype(np.float32)

    def snapshot(self):
        return {"kind": self.kind}


def circled(legal, number):
    """Return the legal action with a number, counted in a circle; 0 where there is none."""
    allowed = np.flatnonzero(legal)
    return int(allowed[number % len(allowed)]) if len(allowed) else 0


def unrecorded(environment):
    """Return the environment itself, of which views depend on the class."""
    return environment.inner if isinstance(environment, Recorder) else environment


def tables_for(play_views, legal, num_actions, count):
    """Return tables that each do something else everywhere, as is legal: (count, O, A)."""
    tables = np.zeros((count, play_views.num_observations, num_actions))
    for kind in range(count):
        for number in range(play_views.num_observations):
            allowed = legal[number] if legal is not None else np.ones(num_actions, dtype=bool)
            tables[kind, number, circled(allowed, kind * 7 + number * (kind + 1))] = 1.0
    return tables


def live_play(environment, *, count=3, seat=None, seed=0, views="numbered", draw=None):
    """Return play against deterministic opponents, tables or networks, drawn evenly; and them."""
    seats = len(environment.players)
    seen = seat_views(unrecorded(environment)) if views == "numbered" else None
    actions = max(environment.num_actions)
    shape = (seen.num_observations if seen else 0, actions)
    opponents = Opponents(shape, lanes=environment.num_episodes * seats)
    rng = np.random.default_rng(seed)
    play = LivePlay(
        environment,
        views=seen,
        opponents=opponents,
        draw=draw or (lambda k: rng.integers(count + 1, size=(k, seats - 1))),
        seat=seat,
        rng=np.random.default_rng(seed + 1),
    )
    if seen is None:
        kept = [Counting(kind) for kind in range(count + 1)]
    else:
        legal = play.legal[0] if play.legal else None
        kept = list(tables_for(seen, legal, actions, count + 1))
    for place, policy in enumerate(kept):
        opponents.put(place, policy)
    return play, kept


@dataclass
class Episode:
    """What one lane of a batch went through, from its beginning."""

    turns: list = field(default_factory=list)
    done: list = field(default_factory=list)
    paid: list = field(default_factory=list)


def played(play, steps, *, seed=5):
    """Let a live policy do what is legal at random; return what it was shown, and what it did."""
    rng = np.random.default_rng(seed)
    shown, done = [play.reset()], []
    for _ in range(steps):
        turn = shown[-1]
        own = np.array([circled(row, int(rng.integers(99))) for row in turn.legal[:, 0]])
        done.append(own)
        shown.append(play.step(own[:, None]))
    return shown, done


def episodes_of(recorder):
    """Return the finished episodes in order: (lane, moments with what was done, what was paid)."""
    turns = recorder.turns
    open_ = [Episode() for _ in range(turns[0].acts.shape[0])]
    finished = []
    for t, joint in enumerate(recorder.joint):
        after = turns[t + 1]
        for lane, own in enumerate(open_):
            own.turns.append(t)
            own.done.append(joint[lane])
            own.paid.append(after.rewards[lane])
        for lane in np.flatnonzero(after.is_terminal | after.is_truncated).tolist():
            finished.append((lane, open_[lane]))
            open_[lane] = Episode()
    return finished


def number_of(environment, seat, observation):
    """Return the number that an observation has for a policy of all seats, one after another."""
    return sum(environment.num_observations[:seat]) + int(observation)
