"""Convoys: what two players send to two fronts arrives a round later, or is stopped by a fog."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product as pairs
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, push_forward, uniform
from tests.laws.planted.records import (
    APART,
    CALLERS,
    EACH_AGENT,
    ENDS,
    HIDDEN,
    IN_SPACE,
    ITS_OWN,
    LEAVES,
    NEW_DATA,
    ONE_LAW,
    PAYS,
    REPRODUCIBLE,
    RULES,
    SEED_MATTERS,
    BugClass,
    Fault,
    Game,
    Kind,
)

ROUNDS = 5
NO_FOG = 2
COST = Fraction(1, 4)
Load = tuple[int, int]


class Roads(NamedTuple):
    """A state: what each player has on the way to the fronts, the fog, and what player_0 won."""

    round: int
    sent: tuple[Load, ...]
    fog: int
    won: Load


@dataclass(frozen=True)
class Convoys:
    """The model: an action is how many units, 0 or 1, go to each front.

    What was sent in the round before arrives, but not at the front in fog. Who has more units there
    wins 1 from the other; each unit costs 1/4 when it is sent. Then the fog moves to front 0, front
    1 or neither, evenly; all see it. Players see what they won, the fog and what they sent.
    """

    title: str = field(default="Convoys", init=False, repr=False)
    players: tuple[str, ...] = field(default=("player_0", "player_1"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = None

    def initial(self) -> Distribution[Any]:
        return uniform(Roads(0, ((0, 0), (0, 0)), fog, (0, 0)) for fog in range(3))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return self.observation((), state)

    def legal_actions(self, player: int, observation: Any) -> tuple[Load, ...]:
        return tuple(pairs((0, 1), (0, 1)))

    def is_terminal(self, state: Any) -> bool:
        return state.round == ROUNDS

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        first, second = state.sent
        won = tuple(
            (front != state.fog) * ((mine > yours) - (mine < yours))
            for front, (mine, yours) in enumerate(zip(first, second, strict=True))
        )
        fogs = uniform(range(3))
        return push_forward(fogs, lambda fog: Roads(state.round + 1, joint_action, fog, won))

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        lost = tuple(-won for won in state.won)
        first, second = state.sent
        return point_mass(((state.won, state.fog, first), (lost, state.fog, second)))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[Fraction, ...]:
        won = sum(next_state.won)
        first, second = joint_action
        return won - COST * sum(first), -won - COST * sum(second)


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    FOG_FOLLOWS = Fault(C.CHANCE, "fog prefers the front to which more units went", ITS_OWN)
    FOG_MOVES_ON = Fault(C.CHANCE, "fog is never where it was the round before", ITS_OWN)
    FOG_CYCLES = Fault(C.CHANCE, "fog goes around 0, 1, neither, from a random start", ITS_OWN)
    FOG_REMEMBERS = Fault(
        C.CHANCE, "play never begins in the fog in which the last one began", ITS_OWN
    )
    CLEAR_IS_RARE = Fault(C.CHANCE, "neither front is in fog with 1/5", ONE_LAW)
    FOG_PRIVATE = Fault(C.CHANCE, "each player is shown a fog of their own", "the fog is public")
    FOG_IGNORED = Fault(C.DYNAMICS, "fog does not stop units at front 1", RULES)
    TIES_FOR_FIRST = Fault(C.DYNAMICS, "player_0 wins where both have a unit", RULES)
    COST_ONCE = Fault(C.DYNAMICS, "two units cost as much as one", PAYS)
    AT_ONCE = Fault(C.DYNAMICS, "units arrive in the round in which they are sent", RULES)
    LAST_LOST = Fault(C.DYNAMICS, "in the last round nothing arrives", RULES)
    TAX = Fault(C.DYNAMICS, "each unit also costs the other player 1/1024", PAYS)
    SIXTH_ROUND = Fault(C.DYNAMICS, "play goes on if nobody won anything last", ENDS)
    OTHER_IN_INFOS = Fault(C.LEAK, "infos tell what the other has on the way", HIDDEN)
    KEY_ORDER = Fault(C.LEAK, "the order of keys tells whether the other sent two", HIDDEN)
    TYPE_OF_SENT = Fault(C.LEAK, "the type of 'sent' tells what is on the way to front 0", HIDDEN)
    TYPE_OF_FOG = Fault(C.LEAK, "the fog is an int or a numpy integer, as the other sent", HIDDEN)
    PAID_EARLY = Fault(C.LEAK, "what units will win is paid when they are sent", HIDDEN)
    HASHED_SEED = Fault(C.SEEDING, "the seed is hashed as text", REPRODUCIBLE)
    LOW_BITS = Fault(C.SEEDING, "seeds are taken modulo 8", SEED_MATTERS)
    EPISODE_IN_SEED = Fault(C.SEEDING, "the number of plays is added to the seed", REPRODUCIBLE)
    CLASS_FOG = Fault(C.SHARED_STATE, "the fog belongs to the class", APART)
    CLASS_SENT = Fault(C.SHARED_STATE, "what is on the way belongs to the class", APART)
    ONE_ACTION_SPACE = Fault(
        C.SHARED_STATE, "all agents of all copies share one action space", APART, disputable=True
    )
    ACTION_KEPT = Fault(C.ALIASING, "what is on the way is the caller's array", CALLERS)
    ACTIONS_KEPT = Fault(C.ALIASING, "what is on the way is the caller's dictionary", CALLERS)
    ACTION_CHANGED = Fault(C.ALIASING, "step sets the caller's arrays to 0", CALLERS)
    SENT_IS_STATE = Fault(C.ALIASING, "'sent' is the state: writing into it sends units", NEW_DATA)
    WON_BUFFER = Fault(C.ALIASING, "'won' is one array, overwritten in each round", NEW_DATA)
    CUT_OFF = Fault(C.LIFE_CYCLE, "the end of the game truncates", ENDS)
    SECOND_LEAVES = Fault(C.LIFE_CYCLE, "player_1 terminates a round before the end", LEAVES)
    NO_LAST_SIGHT = Fault(C.LIFE_CYCLE, "the last observations are missing", EACH_AGENT)
    NO_FIRST_REWARD = Fault(C.LIFE_CYCLE, "the first rewards are None", "rewards are numbers")
    WON_IS_FLOAT = Fault(C.LIFE_CYCLE, "'won' is an array of floats", IN_SPACE)
    INFOS_ARE_LISTS = Fault(C.LIFE_CYCLE, "infos are lists", "an agent's info is a dictionary")
    FOUR_PARTS = Fault(
        C.LIFE_CYCLE, "step returns no truncations", "step returns five parts", raises=ValueError
    )
    ONE_PART = Fault(
        C.LIFE_CYCLE, "reset returns no infos", "reset returns two parts", raises=TypeError
    )
    NO_OPTIONS = Fault(
        C.LIFE_CYCLE, "reset refuses options", "reset takes seed and options", raises=TypeError
    )


ONE_SPACE = MultiDiscrete([2, 2])  # of ONE_ACTION_SPACE


class ConvoysEnv(ParallelEnv):
    """The environment: actions are arrays, observations are dictionaries."""

    metadata = {"name": "convoys_v0", "render_modes": []}  # noqa: RUF012
    class_state: dict[str, Any] = {}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._seen = {
            agent: Dict(
                {"won": Box(-1, 1, (2,), np.int8), "fog": Discrete(3), "sent": MultiBinary(2)}
            )
            for agent in self.possible_agents
        }
        self._acts = {agent: MultiDiscrete([2, 2]) for agent in self.possible_agents}
        if bug is Bug.ONE_ACTION_SPACE:
            self._acts = dict.fromkeys(self.possible_agents, ONE_SPACE)
        if bug is Bug.NO_OPTIONS:
            self.reset = self._reset_with_seed
        self._rng: Any = None
        self._plays = 0
        self._fog: int | None = None
        self._buffers = {agent: np.zeros(2, np.int8) for agent in self.possible_agents}

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    @property
    def fog(self):
        return self.class_state["fog"] if self.bug is Bug.CLASS_FOG else self._fog

    @property
    def sent(self):
        return self.class_state["sent"] if self.bug is Bug.CLASS_SENT else self._sent

    def _put(self, fog, sent):
        self._fog, self._sent = fog, sent
        if self.bug in {Bug.CLASS_FOG, Bug.CLASS_SENT}:
            self.class_state.update(fog=fog, sent=sent)

    def _reset_with_seed(self, seed=None):
        return type(self).reset(self, seed)

    def reset(self, seed=None, options=None):
        if seed is not None and self.bug is Bug.HASHED_SEED:
            seed = hash(str(seed)) % 2**32
        if seed is not None and self.bug is Bug.LOW_BITS:
            seed %= 8
        if seed is not None and self.bug is Bug.EPISODE_IN_SEED:
            seed += self._plays
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self._plays += 1
        self.agents = self.possible_agents[:]
        self.round = 0
        self._won = np.zeros(2, np.int8)
        fog = int(self._rng.integers(3))
        if self.bug is Bug.FOG_REMEMBERS and self._plays > 1 and seed is None:
            fog = (self._first_fog + 1 + int(self._rng.integers(2))) % 3
        self._first_fog = fog
        self._put(fog, {agent: np.zeros(2, np.int8) for agent in self.agents})
        observations, infos = self._views()
        return observations if self.bug is Bug.ONE_PART else (observations, infos)

    def step(self, actions):
        loads = {
            agent: np.array(actions[agent] if agent in self.agents else (0, 0), dtype=np.int8)
            for agent in self.possible_agents
        }
        fog = self.fog
        here = loads if self.bug is Bug.AT_ONCE else self.sent
        if self.bug is Bug.LAST_LOST and self.round == ROUNDS - 1:
            here = {agent: np.zeros(2, np.int8) for agent in loads}
        self._won = self._winnings(here, fog)
        fog = self._next_fog(loads)
        costs = {agent: load.sum() / 4 for agent, load in loads.items()}
        if self.bug is Bug.COST_ONCE:
            costs = {agent: load.max() / 4 for agent, load in loads.items()}
        paid = self._won
        if self.bug is Bug.PAID_EARLY:
            last = self.round == ROUNDS - 1
            paid = np.zeros(2) if last else self._winnings(loads, fog)
        rewards = {
            agent: float(sign * paid.sum() - costs[agent])
            for agent, sign in (("player_0", 1), ("player_1", -1))
            if agent in self.agents
        }
        if self.bug is Bug.TAX:
            rewards["player_0"] -= float(loads["player_1"].sum()) / 1024
            rewards["player_1"] -= float(loads["player_0"].sum()) / 1024
        if self.bug is Bug.NO_FIRST_REWARD and self.round == 0:
            rewards = dict.fromkeys(rewards)
        sent = loads
        if self.bug is Bug.ACTION_KEPT:
            sent = {agent: actions[agent] for agent in self.agents}
        if self.bug is Bug.ACTIONS_KEPT:
            sent = actions
        self._put(fog, sent)
        self.round += 1
        over = self.round >= ROUNDS
        if self.bug is Bug.SIXTH_ROUND and self.round == ROUNDS:
            over = bool(self._won.any())
        observations, infos = self._views()
        if self.bug is Bug.ACTION_CHANGED:
            for agent in self.agents:
                actions[agent][:] = 0
        if over and self.bug is Bug.NO_LAST_SIGHT:
            observations = {}
        return self._ended(over, observations, rewards, infos)

    def _ended(self, over, observations, rewards, infos):
        terminations = dict.fromkeys(self.agents, over)
        truncations = dict.fromkeys(self.agents, False)
        if self.bug is Bug.CUT_OFF:
            terminations, truncations = truncations, terminations
        if self.bug is Bug.SECOND_LEAVES and self.round == ROUNDS - 1:
            terminations["player_1"] = True
            self.agents = ["player_0"]
        if over:
            self.agents = []
        if self.bug is Bug.FOUR_PARTS:
            return observations, rewards, terminations, infos
        return observations, rewards, terminations, truncations, infos

    def _winnings(self, here, fog):
        """Return what player_0 wins at each front of what is here."""
        first, second = (np.array(here[agent], np.int8) for agent in self.possible_agents)
        won = np.sign(first - second)
        if self.bug is Bug.TIES_FOR_FIRST:
            won[(first == 1) & (second == 1)] = 1
        if fog != NO_FOG and not (self.bug is Bug.FOG_IGNORED and fog == 1):
            won[fog] = 0
        return won

    def _next_fog(self, loads):
        fog = int(self._rng.integers(3))
        if self.bug is Bug.FOG_FOLLOWS:
            units = loads["player_0"] + loads["player_1"]
            if units[0] != units[1] and self._rng.random() < 0.5:
                fog = int(units.argmax())
        if self.bug is Bug.FOG_MOVES_ON:
            fog = (self.fog + 1 + int(self._rng.integers(2))) % 3
        if self.bug is Bug.FOG_CYCLES:
            fog = (self.fog + 1) % 3
        if self.bug is Bug.CLEAR_IS_RARE:
            fog = int(np.searchsorted([0.4, 0.8], self._rng.random()))
        return fog

    def _views(self):
        observations = {}
        infos: dict[str, Any] = {}
        for agent, other, sign in (("player_0", "player_1", 1), ("player_1", "player_0", -1)):
            if agent not in self.agents:
                continue
            mine, theirs = self.sent[agent], self.sent[other]
            won, fog, sent = (sign * self._won).astype(np.int8), self.fog, np.array(mine, np.int8)
            if self.bug is Bug.FOG_PRIVATE and agent == "player_1":
                fog = int(self._rng.integers(3))
            if self.bug is Bug.TYPE_OF_FOG and theirs[1]:
                fog = np.int64(fog)
            if self.bug is Bug.TYPE_OF_SENT and theirs[0]:
                sent = sent.astype(np.int64)
            if self.bug is Bug.SENT_IS_STATE:
                sent = mine
            if self.bug is Bug.WON_IS_FLOAT:
                won = won.astype(np.float64)
            if self.bug is Bug.WON_BUFFER:
                self._buffers[agent][:] = won
                won = self._buffers[agent]
            seen = {"won": won, "fog": fog, "sent": sent}
            if self.bug is Bug.KEY_ORDER and theirs[0] and theirs[1]:
                seen = {"sent": sent, "fog": fog, "won": won}
            observations[agent] = seen
            infos[agent] = [] if self.bug is Bug.INFOS_ARE_LISTS else {}
            if self.bug is Bug.OTHER_IN_INFOS:
                infos[agent]["incoming"] = int(theirs[0] + theirs[1])
        return observations, infos


def read_observation(agent, observation):
    won, sent = ((int(x), int(y)) for x, y in (observation["won"], observation["sent"]))
    return won, int(observation["fog"]), sent


def write_action(agent, action):
    return np.array(action, dtype=np.int64)


GAME = Game(
    name="convoys",
    kind=Kind.PARALLEL,
    model=Convoys(),
    environment=ConvoysEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
