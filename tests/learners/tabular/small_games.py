"""Small games to learn: one player among random states, and repeated pennies."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np

from gametheory_core.distributions import distribution, point_mass


@dataclass(frozen=True)
class RandomDecisions:
    """A fully observed decision problem drawn from a seed; state 0 is first, the last terminal."""

    seed: int
    states: int = 4
    choices: int = 3
    horizon: int | None = 3
    discount: Fraction = Fraction(9, 10)
    title = "random decisions"
    players = ("decider",)

    @cached_property
    def _tables(self):
        rng = np.random.default_rng(self.seed)
        shape = (self.states, self.choices)
        ends = rng.integers(self.states, size=(*shape, 2))
        weights = rng.integers(1, 4, size=shape)
        return ends.tolist(), weights.tolist(), rng.integers(-8, 9, size=shape).tolist()

    def initial(self):
        return point_mass(0)

    def initial_observation(self, state):
        return point_mass((state,))

    def legal_actions(self, player, observation):
        return tuple(range(1 + observation % self.choices, self.choices + 1))[::-1]

    def is_terminal(self, state):
        return state == self.states - 1

    def transition(self, state, joint_action):
        ends, weights, _ = self._tables
        first, second = ends[state][joint_action[0] - 1]
        share = Fraction(weights[state][joint_action[0] - 1], 4)
        if first == second:
            return point_mass(first)
        return distribution({first: share, second: 1 - share})

    def observation(self, joint_action, state):
        return point_mass((state,))

    def reward(self, state, joint_action, next_state):
        return (Fraction(self._tables[2][state][joint_action[0] - 1]),)


@dataclass(frozen=True)
class NoisyChoice:
    """One step, some actions, each paying 1 or -1 with probability one half."""

    choices: int = 2
    horizon: int | None = 1
    discount: Fraction = Fraction(1)
    title = "noisy choice"
    players = ("decider",)

    def initial(self):
        return point_mass("now")

    def initial_observation(self, state):
        return point_mass((state,))

    def legal_actions(self, player, observation):
        return tuple(range(self.choices))

    def is_terminal(self, state):
        return state != "now"

    def transition(self, state, joint_action):
        return distribution({"won": Fraction(1, 2), "lost": Fraction(1, 2)})

    def observation(self, joint_action, state):
        return point_mass((state,))

    def reward(self, state, joint_action, next_state):
        return (Fraction(1 if next_state == "won" else -1),)


@dataclass(frozen=True)
class BegunInItsEnd:
    """Every step pays 1, and play may begin in its end."""

    ended: Fraction
    title = "begun in its end"
    players = ("Leader", "Follower")
    horizon = 2
    discount = Fraction(1)

    def initial(self):
        return distribution({"over": self.ended, "on": 1 - self.ended})

    def initial_observation(self, state):
        return point_mass((state, state))

    def legal_actions(self, player, observation):
        return ("wait", "go")

    def is_terminal(self, state):
        return state == "over"

    def transition(self, state, joint_action):
        return point_mass("on")

    def observation(self, joint_action, state):
        return point_mass((state, state))

    def reward(self, state, joint_action, next_state):
        return (1, 1)
