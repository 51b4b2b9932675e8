"""Right but unusual environments: agents that leave early, correlated signs, revealed actions.

A checker that takes one of these for a bug asks for more than the definitions do.
"""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any, NamedTuple

import numpy as np
from gymnasium import Env
from gymnasium.spaces import Box, Dict, Discrete, MultiDiscrete, Tuple
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv, ParallelEnv

from gametheory_core import distributions
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform

# Leaving: three share a growing pot; who leaves is out, the others go on.

LEAVING_ROUNDS = 6
STAY, LEAVE, OUT = "stay", "leave", "out"


class Pot(NamedTuple):
    """A state: the round, the pot, and who is still there."""

    round: int
    pot: int
    there: tuple[bool, ...]


@dataclass(frozen=True)
class Leaving:
    """Who leaves shares the pot with those who leave at once; it grows with probability 1/2."""

    title: str = field(default="Leaving", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = LEAVING_ROUNDS

    def initial(self) -> Distribution[Any]:
        return point_mass(Pot(0, 1, (True,) * 3))

    def initial_observation(self, state: Pot) -> Distribution[Any]:
        return self.observation((), state)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return (STAY, LEAVE) if observation[0] else (OUT,)

    def is_terminal(self, state: Pot) -> bool:
        return not any(state.there)

    def transition(self, state: Pot, joint_action: Any) -> Distribution[Any]:
        there = tuple(action == STAY for action in joint_action)
        return uniform(Pot(state.round + 1, state.pot + grows, there) for grows in (0, 1))

    def observation(self, joint_action: Any, state: Pot) -> Distribution[Any]:
        return point_mass(tuple((int(own), state.pot, sum(state.there)) for own in state.there))

    def reward(self, state: Pot, joint_action: Any, next_state: Pot) -> tuple[int, ...]:
        share = 6 * state.pot // max(1, joint_action.count(LEAVE))
        return tuple(share if action == LEAVE else 0 for action in joint_action)


class LeavingEnv(ParallelEnv):
    """Rewards are int, spaces are made when they are first asked for, and kept."""

    metadata = {"name": "leaving_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self) -> None:
        self.render_mode = None
        self.possible_agents = [f"player_{i}" for i in range(3)]
        self.agents: list[str] = []
        self._rng: Any = None

    @cache  # noqa: B019  (as PettingZoo recommends)
    def observation_space(self, agent):
        return MultiDiscrete([2, LEAVING_ROUNDS + 2, 4])

    @cache  # noqa: B019
    def action_space(self, agent):
        return Discrete(2)

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self.agents = self.possible_agents[:]
        self._round, self._pot = 0, 1
        return self._views(self.agents), {agent: {} for agent in self.agents}

    def step(self, actions):
        live = self.agents
        leavers = [agent for agent in live if actions[agent] == 1]
        share = 6 * self._pot // max(1, len(leavers))
        rewards = {agent: share * (agent in leavers) for agent in live}
        self.agents = [agent for agent in live if agent not in leavers]
        self._pot += int(self._rng.integers(2))
        self._round += 1
        observations, infos = self._views(live), {agent: {} for agent in live}
        cut = self._round == LEAVING_ROUNDS
        terminations = {agent: agent in leavers for agent in live}
        truncations = {agent: cut and agent not in leavers for agent in live}
        if cut:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _views(self, agents):
        count = len(self.agents)
        return {a: np.array([a in self.agents, self._pot, count]) for a in agents}


# Signs: both see a coin; how the coins hang together is the model's affair.

SIGN_ROUNDS = 4


class Together(Enum):
    """How likely the two signs are alike."""

    PUBLIC = Fraction(1)
    OPPOSED = Fraction(0)
    CORRELATED = Fraction(3, 4)
    PRIVATE = Fraction(1, 2)


@dataclass(frozen=True)
class Signs:
    """In each round each sees a fair coin and what the other did last; equal calls pay 1."""

    together: Together
    title: str = field(default="Signs", init=False, repr=False)
    players: tuple[str, ...] = field(default=("player_0", "player_1"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = None

    def initial(self) -> Distribution[Any]:
        return point_mass(0)

    def initial_observation(self, state: int) -> Distribution[Any]:
        return self.observation((2, 2), state)

    def legal_actions(self, player: int, observation: Any) -> tuple[int, ...]:
        return (0, 1)

    def is_terminal(self, state: int) -> bool:
        return state == SIGN_ROUNDS

    def transition(self, state: int, joint_action: Any) -> Distribution[Any]:
        return point_mass(state + 1)

    def observation(self, joint_action: Any, state: int) -> Distribution[Any]:
        alike = self.together.value
        first, second = joint_action
        return distribution(
            {
                ((coin, second), (other, first)): (alike if coin == other else 1 - alike) / 2
                for coin, other in product((0, 1), repeat=2)
            }
        )

    def reward(self, state: int, joint_action: Any, next_state: int) -> tuple[Fraction, ...]:
        return (Fraction(joint_action[0] == joint_action[1]),) * 2


class SignsEnv(ParallelEnv):
    """Rewards are np.float32; the last round ends the game."""

    metadata = {"name": "signs_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self, together: Together) -> None:
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._alike = float(together.value)
        self._seen = {a: MultiDiscrete([2, 3]) for a in self.possible_agents}
        self._acts = {a: Discrete(2) for a in self.possible_agents}
        self._rng: Any = None

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self.agents = self.possible_agents[:]
        self._round = 0
        return self._views([2, 2]), {agent: {} for agent in self.agents}

    def step(self, actions):
        did = [int(actions[agent]) for agent in self.agents]
        self._round += 1
        over = self._round == SIGN_ROUNDS
        observations, infos = self._views(did), {agent: {} for agent in self.agents}
        rewards = dict.fromkeys(self.agents, np.float32(did[0] == did[1]))
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, False)
        if over:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _views(self, did):
        coin = int(self._rng.integers(2))
        other = coin if self._rng.random() < self._alike else 1 - coin
        return {"player_0": np.array([coin, did[1]]), "player_1": np.array([other, did[0]])}


# Auction: three with secret values in turn; who drops out leaves, the last one buys.

DROP = "drop"
HIGHEST = 5


class Sale(NamedTuple):
    """A state: whose turn it is, the price, all values and who is still there."""

    mover: int
    price: int
    values: tuple[int, ...]
    there: tuple[bool, ...]


@dataclass(frozen=True)
class Auction:
    """Values are 1 to 4, all different; the first to bid is drawn; each bid raises the price by 1.

    At price 5 one must drop. The last one there gets their value less the price.
    """

    title: str = field(default="Auction", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = None
    initial_state: str = field(default="start", init=False, repr=False)

    def observation(self, player: int, state: Sale) -> Distribution[Any]:
        there = [int(state.there[(player + k) % 3]) for k in (1, 2)]
        return point_mass((state.values[player], state.price, *there))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return (DROP,) if observation[1] == HIGHEST else (STAY, DROP)

    def is_terminal(self, state: Any) -> bool:
        return state != "start" and sum(state.there) == 1

    def move(self, player: int, state: Sale, action: str) -> Sale:
        there = tuple(
            own and not (i == player and action == DROP) for i, own in enumerate(state.there)
        )
        mover = next(k % 3 for k in range(player + 1, player + 4) if there[k % 3])
        return Sale(mover, state.price + (action == STAY), state.values, there)

    def chance(self, state: Any) -> Distribution[Any]:
        return uniform(
            Sale(mover, 0, values, (True,) * 3)
            for mover in range(3)
            for values in permutations((1, 2, 3, 4), 3)
        )

    def reward(self, state: Any, mover: int, action: Any, next_state: Sale) -> Distribution[Any]:
        if not self.is_terminal(next_state):
            return point_mass((0, 0, 0))
        gains = [v - next_state.price for v in next_state.values]
        return point_mass(
            tuple(g if own else 0 for g, own in zip(gains, next_state.there, strict=True))
        )

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Sale
    ) -> Distribution[int]:
        return point_mass(next_state.mover)


class AuctionEnv(AECEnv):
    """Masks are in observations; rewards are np.float32."""

    metadata = {"name": "auction_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self) -> None:
        super().__init__()
        self.render_mode = None
        self.possible_agents = [f"player_{i}" for i in range(3)]
        self.agents = []
        top = np.array([4, HIGHEST, 1, 1], np.int8)
        self._seen = {
            agent: Dict(
                {
                    "observation": Box(np.zeros(4, np.int8), top, dtype=np.int8),
                    "action_mask": Box(0, 1, (2,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self._acts = {agent: Discrete(2) for agent in self.possible_agents}
        self._rng: Any = None

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, np.float32(0))
        self._cumulative_rewards = dict.fromkeys(agents, np.float32(0))
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self._price = 0
        self._values = dict(zip(agents, self._rng.permutation(4)[:3] + 1, strict=True))
        self.agent_selection = agents[int(self._rng.integers(3))]

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = np.float32(0)
        self.rewards = dict.fromkeys(self.agents, np.float32(0))
        self.agent_selection = following = self._next(agent)
        if action == 0:
            self._price += 1
        else:
            self.terminations[agent] = True
            if self._next(following) == following:
                self.terminations[following] = True
                self.rewards[following] = np.float32(self._values[following] - self._price)
        self._accumulate_rewards()
        if any(self.terminations.values()):
            self._deads_step_first()
        self.infos = {a: {} for a in self.agents}

    def _next(self, agent):
        place = self.possible_agents.index(agent)
        ring = [self.possible_agents[(place + k) % 3] for k in (1, 2, 3)]
        return next(a for a in ring if a in self.agents and not self.terminations[a])

    def observe(self, agent):
        place = self.possible_agents.index(agent)
        others = [self.possible_agents[(place + k) % 3] for k in (1, 2)]
        there = [a in self.agents and not self.terminations[a] for a in others]
        seen = np.array([self._values[agent], self._price, *there], np.int8)
        mask = np.zeros(2, np.int8)
        if agent == self.agent_selection and agent in self.agents and not self.terminations[agent]:
            mask[:] = [self._price < HIGHEST, 1]
        return {"observation": seen, "action_mask": mask}


# Guide: one sees a target and sends a message, the other walks; they see and do different things.

GUIDE_ROUNDS = 5
NO_MESSAGE = 3


@dataclass(frozen=True)
class Guide:
    """The guide sees target and walker, the walker the last message; a hit pays both 1."""

    title: str = field(default="Guide", init=False, repr=False)
    players: tuple[str, ...] = field(default=("guide_0", "walker_0"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = GUIDE_ROUNDS

    def initial(self) -> Distribution[Any]:
        return uniform((target, 0) for target in range(3))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return point_mass((state, NO_MESSAGE))

    def legal_actions(self, player: int, observation: Any) -> tuple[int, ...]:
        return (0, 1, 2) if player == 0 else (0, 1)

    def is_terminal(self, state: Any) -> bool:
        return False

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        target, cell = state
        cell = (cell + joint_action[1]) % 3
        targets = range(3) if cell == target else (target,)
        return uniform((new, cell) for new in targets)

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        return point_mass((state, joint_action[0]))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[int, ...]:
        return (int(next_state[1] == state[0]),) * 2


class GuideEnv(ParallelEnv):
    """Spaces differ between agents; observations are a tuple, and a number."""

    metadata = {"name": "guide_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self) -> None:
        self.render_mode = None
        self.possible_agents = ["guide_0", "walker_0"]
        self.agents: list[str] = []
        self._seen = {"guide_0": Tuple([Discrete(3), Discrete(3)]), "walker_0": Discrete(4)}
        self._acts = {"guide_0": Discrete(3), "walker_0": Discrete(2)}
        self._rng: Any = None

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self.agents = self.possible_agents[:]
        self._round = self._cell = 0
        self._target = int(self._rng.integers(3))
        return self._views(NO_MESSAGE), {agent: {"round": 0} for agent in self.agents}

    def step(self, actions):
        self._cell = (self._cell + int(actions["walker_0"])) % 3
        hit = self._cell == self._target
        if hit:
            self._target = int(self._rng.integers(3))
        self._round += 1
        cut = self._round == GUIDE_ROUNDS
        infos = {agent: {"round": self._round} for agent in self.agents}
        rewards = dict.fromkeys(self.agents, int(hit))
        terminations = dict.fromkeys(self.agents, False)
        truncations = dict.fromkeys(self.agents, cut)
        if cut:
            self.agents = []
        return self._views(int(actions["guide_0"])), rewards, terminations, truncations, infos

    def _views(self, message):
        return {"guide_0": (self._target, self._cell), "walker_0": message}


# Lamp: one agent with two switches; a dictionary as observation, and an option for reset.

LAMP_STEPS = 5


@dataclass(frozen=True)
class Lamp:
    """If two switches differ the lamp is lit with 3/4, else with 1/4; light pays 1."""

    title: str = field(default="Lamp", init=False, repr=False)
    players: tuple[str, ...] = field(default=("electrician",), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = LAMP_STEPS

    def initial(self) -> Distribution[Any]:
        return uniform(((0, 0), (1, 0)))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return point_mass((state,))

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        return tuple(product((0, 1), repeat=2))

    def is_terminal(self, state: Any) -> bool:
        return False

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        ((first, second),) = joint_action
        odds = Fraction(3 if first != second else 1, 4)
        lit = distributions.distribution({1: odds, 0: 1 - odds})
        return distributions.push_forward(lit, lambda lamp: (lamp, state[1] + 1))

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        return point_mass((state,))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[int, ...]:
        return (next_state[0],)


class LampEnv(Env):
    """``options={"lamp": 1}`` begins with light."""

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(self) -> None:
        self.observation_space = Dict({
            "lamp": Discrete(2), "time": Box(0, LAMP_STEPS, (1,), np.int32)
        })  # fmt: skip
        self.action_space = MultiDiscrete([2, 2])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self._time = 0
        self._lamp = (options or {}).get("lamp", int(self.np_random.integers(2)))
        return self._view(), {}

    def step(self, action):
        odds = 0.75 if action[0] != action[1] else 0.25
        self._lamp = int(self.np_random.random() < odds)
        self._time += 1
        return self._view(), np.float32(self._lamp), False, self._time == LAMP_STEPS, {}

    def _view(self):
        return {"lamp": self._lamp, "time": np.array([self._time], np.int32)}
