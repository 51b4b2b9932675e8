# %% [markdown]
# # Prove your environment right
#
# You have an environment of PettingZoo. Its tests tell whether methods have the right form, and
# not whether it plays the right game, which they were never told. Write the rules once more as a
# model, and compare.
#
# The model: two players are dealt a high or a low card and raise or stay, once.

# %%
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

import numpy as np
from gymnasium.spaces import Box, Discrete
from pettingzoo import ParallelEnv

from gametheory_core.distributions import point_mass, product, uniform
from gametheory_core.errors import LawBroken
from gametheory_core.games import NULL
from gametheory_core.testing import check_environment


@dataclass(frozen=True)
class Raises:
    """A state is a pair of cards, and then the end."""

    title = "one raise"
    players = ("left", "right")
    discount = Fraction(1)
    horizon = 1

    def initial(self):
        return product([uniform(["low", "high"]), uniform(["low", "high"])])

    def initial_observation(self, state):
        return point_mass(state)

    def observation(self, joint_action, state):
        return point_mass((NULL, NULL))

    def legal_actions(self, player, observation):
        return ("stay", "raise")

    def is_terminal(self, state):
        return False

    def transition(self, state, joint_action):
        return point_mass(state)

    def reward(self, state, joint_action, next_state):
        won = (1 + joint_action.count("raise")) * ((state[0] == "high") - (state[1] == "high"))
        return (won, -won)


# %% [markdown]
# The environment, with a bug that can be switched on: a loaded coin deals the cards.


# %%
class RaisesEnv(ParallelEnv):
    """Shows the own card; action 1 raises."""

    metadata = MappingProxyType({"name": "raises_v0"})
    render_mode = None

    def __init__(self, high=0.5):
        self.high = high
        self.possible_agents = ["player_0", "player_1"]
        self.spaces = {agent: Box(0, 1, (1,), np.int8) for agent in self.possible_agents}
        self.choices = {agent: Discrete(2) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self.spaces[agent]

    def action_space(self, agent):
        return self.choices[agent]

    def observations(self):
        return {a: np.array([self.cards[k]], np.int8) for k, a in enumerate(self.possible_agents)}

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.cards = (np.random.default_rng(seed).random(2) < self.high).astype(int)
        return self.observations(), {agent: {} for agent in self.agents}

    def step(self, actions):
        won = float((1 + sum(actions.values())) * (self.cards[0] - self.cards[1]))
        ended, cut = dict.fromkeys(self.agents, False), dict.fromkeys(self.agents, True)
        infos = {agent: {} for agent in self.agents}
        self.agents = []
        return self.observations(), {"player_0": won, "player_1": -won}, ended, cut, infos


def read(_agent, observation):
    return ("low", "high")[observation[0]]


report = check_environment(
    RaisesEnv,
    Raises(),
    read_observation=read,
    rng=np.random.default_rng(1),
    episodes=1000,
    last_observations=False,
)
print(
    report.episodes, "episodes, smallest effect found for sure:", round(report.smallest_effect, 3)
)

# %% [markdown]
# The loaded coin is found, with the probability that a right environment would look like this.

# %%
try:
    check_environment(
        lambda: RaisesEnv(high=0.7),
        Raises(),
        read_observation=read,
        rng=np.random.default_rng(1),
        episodes=1000,
        last_observations=False,
    )
except LawBroken as witness:
    print(witness)

# %% [markdown]
# ## And solve it
#
# The model is a game like any other: what should one do?

# %%
from gametheory_core import posg_to_extensive
from solvers import sequence_form_lp

solution = sequence_form_lp(posg_to_extensive(Raises()).target)
solution.certificate.verify()
solution
