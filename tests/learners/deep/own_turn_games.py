"""Small games and environments that tests of learners with networks play."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gametheory_core.conversions import posg_from_tables
from learners.batch import BatchTurn

LEFT, RIGHT = "left", "right"


def recall_game(*, waits: int = 1):
    """See a side, wait, then name it: a unit if right. Without memory a half is the most."""
    steps = ("cue", *(f"wait {k}" for k in range(1, waits)), "answer")
    after = dict(zip(steps, (*steps[1:], "end"), strict=True))
    transitions, rewards = {}, {}
    for side in (LEFT, RIGHT):
        for step in steps:
            state = (side, step)
            for said in (LEFT, RIGHT):
                entered = "end" if step == "answer" else (side, after[step])
                transitions[state, (said,)] = {entered: 1}
                if step == "answer" and said == side:
                    rewards[state, (said,), entered] = (1,)
    shown = {(side, step): {("nothing",): 1} for side in (LEFT, RIGHT) for step in steps[1:]}
    return posg_from_tables(
        players=["guesser"],
        actions=[[LEFT, RIGHT]],
        initial={(LEFT, "cue"): "1/2", (RIGHT, "cue"): "1/2"},
        transitions=transitions,
        rewards=rewards,
        observations={((said,), s): law for s, law in shown.items() for said in (LEFT, RIGHT)},
        initial_observations={(side, "cue"): {(side,): 1} for side in (LEFT, RIGHT)},
        terminal=["end"],
        title="Recall",
    )


def bandit():
    """Three contexts, of which each makes another of three actions pay; one of them barred."""
    contexts = ("red", "green", "blue")
    actions = ("a", "b", "c")
    pay = {"red": (1, 3, 2), "green": (5, 2, 4), "blue": (0, 1, 2)}
    return posg_from_tables(
        players=["player"],
        actions=[actions],
        initial={"red": "1/2", "green": "1/4", "blue": "1/4"},
        initial_observations={c: {(c,): 1} for c in contexts},
        legal_actions={(0, "green"): ["b", "c"]},  # the best of green is not allowed
        transitions={
            (c, (a,)): {"end": 1} for c in contexts for a in actions if (c, a) != ("green", "a")
        },
        rewards={
            (c, (a,), "end"): (pay[c][k],)
            for c in contexts
            for k, a in enumerate(actions)
            if (c, a) != ("green", "a")
        },
        terminal=["end"],
        title="Bandit",
    )


def chain(*, length: int = 4):
    """Walk right to a prize of ten, or take one at once: patience pays at discount 9/10."""
    states = tuple(range(length))
    transitions, rewards = {}, {}
    for state in states:
        last = state == length - 1
        transitions[state, ("go",)] = {"end" if last else state + 1: 1}
        transitions[state, ("take",)] = {"end": 1}
        rewards[state, ("take",), "end"] = (1,)
        if last:
            rewards[state, ("go",), "end"] = (10,)
    return posg_from_tables(
        players=["walker"],
        actions=[["go", "take"]],
        initial={0: 1},
        initial_observations={0: {(0,): 1}},
        observations={(("go",), s): {(s,): 1} for s in states[1:]},
        transitions=transitions,
        rewards=rewards,
        terminal=["end"],
        discount="9/10",
        title="Chain",
    )


@dataclass
class Alternating:
    """Two players in turn, features, three moves an episode; the mover names a side for a unit."""

    num_episodes: int = 4
    poison: float = 0.0
    poison_after: int = 10**9
    is_strict: bool = False

    players = ("first", "second")
    num_observations = (0, 0)
    num_features = (2, 3)
    num_actions = (2, 3)
    action_labels = ((LEFT, RIGHT), (LEFT, RIGHT, "none"))
    legal = ()
    discount = 0.5
    horizon = None

    def __post_init__(self) -> None:
        self.time = np.zeros(self.num_episodes, dtype=np.int64)
        self.count = 0

    def reset(self) -> BatchTurn:
        self.time[:] = np.arange(self.num_episodes) % 2
        return self._turn(np.zeros((self.num_episodes, 2)), np.zeros(self.num_episodes, bool))

    def step(self, actions) -> BatchTurn:
        mover = self.time % 2
        rewards = np.zeros((self.num_episodes, 2))
        if self.is_strict and (actions[mover == 1, 1] == 2).any():
            raise ValueError("the second may not play 'none'")
        named = actions[np.arange(self.num_episodes), mover]
        rewards[:, 0] = named == 0
        rewards[:, 1] = named == 1
        self.count += 1
        if self.count > self.poison_after:
            rewards[0, 0] = self.poison
        self.time += 1
        over = self.time >= 3
        self.time[over] = 0
        return self._turn(rewards, over)

    def _turn(self, rewards, over) -> BatchTurn:
        number = self.num_episodes
        acts = np.zeros((number, 2), dtype=bool)
        acts[np.arange(number), self.time % 2] = True
        seen = np.zeros((number, 2, 3))
        seen[:, :, 0] = self.time[:, None]
        seen[:, :, 1] = 1.0
        seen[:, 1, 2] = -1.0
        legal = np.zeros((number, 2, 3), dtype=bool)
        legal[:, 0, :2] = acts[:, [0]]
        legal[:, 1, :] = acts[:, [1]]
        legal[:, 1, 2] = False
        return BatchTurn(
            observations=seen,
            legal=legal,
            acts=acts,
            rewards=rewards,
            is_terminal=over,
            is_truncated=np.zeros(number, dtype=bool),
            final_observations=seen,
        )

    def observe(self, player, information_state):
        """The information state's observations are times."""
        return np.array([[t, 1.0, -1.0 * player] for t in information_state[::2]])

    def snapshot(self) -> dict[str, Any]:
        return {"time": self.time.copy(), "count": self.count}

    def restore(self, snapshot) -> None:
        self.time = np.array(snapshot["time"])
        self.count = snapshot["count"]
