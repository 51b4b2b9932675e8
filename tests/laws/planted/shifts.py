"""Shifts: workers come in by chance, work or go home for good, and do not see who is hidden."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, product, push_forward, uniform
from gametheory_core.games.rules import AWAY, IDLE
from tests.laws.planted.records import (
    EACH_AGENT,
    ENDS,
    LEAVES,
    ONE_LAW,
    PAYS,
    RULES,
    BugClass,
    Fault,
    Game,
    Kind,
)

ROUNDS = 5
WORK, HOME = ACTIONS = ("work", "go home")
OUT, IN, GONE = range(3)


class Shift(NamedTuple):
    """A state: the round, and whether each worker is still out, in, or gone."""

    round: int
    workers: tuple[int, ...]


@dataclass(frozen=True)
class Shifts:
    """The model.

    The first of three workers is in. In each round who is in works, for 1 shared by all who work,
    or goes home for 2; who is out comes in with probability 1/2. When nobody is in, all is over.
    """

    title: str = field(default="Shifts", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = ROUNDS

    def initial(self) -> Distribution[Any]:
        return point_mass(Shift(0, (IN, OUT, OUT)))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return self.observation((), state)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        return (IDLE,) if observation is AWAY else ACTIONS

    def is_terminal(self, state: Any) -> bool:
        return IN not in state.workers

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        following = [
            uniform((OUT, IN)) if here == OUT else point_mass(GONE if action == HOME else here)
            for here, action in zip(state.workers, joint_action, strict=True)
        ]
        return push_forward(product(following), lambda after: Shift(state.round + 1, after))

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        seen = (state.round, state.workers.count(IN))
        return point_mass(tuple(seen if here == IN else AWAY for here in state.workers))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[Any, ...]:
        working = joint_action.count(WORK)
        paid = {WORK: Fraction(1, max(1, working)), HOME: 2, IDLE: 0}
        return tuple(paid[action] for action in joint_action)


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    STAYS_LISTED = Fault(C.LIFE_CYCLE, "who goes home terminates, and stays listed", LEAVES)
    LEAVES_LATE = Fault(C.LIFE_CYCLE, "who goes home leaves a round later", LEAVES)
    SENT_HOME = Fault(C.LIFE_CYCLE, "player_1 is sent home after its first round", LEAVES)
    COMES_BACK = Fault(C.LIFE_CYCLE, "who went home may come in again", LEAVES)
    PENSION = Fault(C.DYNAMICS, "who has gone home is paid 1 in each later round", PAYS)
    SLIPS_AWAY = Fault(C.LIFE_CYCLE, "who goes home is not told of the end", EACH_AGENT)
    CUT_OFF = Fault(C.LIFE_CYCLE, "who goes home is truncated, not terminated", ENDS)
    UNPAID = Fault(C.DYNAMICS, "who goes home is not paid for that", PAYS)
    ALL_IN = Fault(C.LIFE_CYCLE, "all are among the agents at reset", RULES)
    SELDOM_IN = Fault(C.CHANCE, "who is out comes in with probability 1/4", ONE_LAW)


class ShiftsEnv(ParallelEnv):
    """The environment."""

    metadata = {"name": "shifts_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1", "player_2"]
        self.agents: list[str] = []
        self._seen = {a: Box(0, ROUNDS, (2,), np.int8) for a in self.possible_agents}
        self._acts = {a: Discrete(2) for a in self.possible_agents}
        self._rng: Any = None

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self.now = 0
        self.agents = self.possible_agents[: 3 if self.bug is Bug.ALL_IN else 1]
        self._home: set[str] = set()
        self._late: set[str] = set()
        return self._views(self.agents), {agent: {} for agent in self.agents}

    def _views(self, agents):
        count = len(self.agents)
        return {agent: np.array([self.now, count], dtype=np.int8) for agent in agents}

    def step(self, actions):
        played = self.agents[:]
        self.now += 1
        going = {agent for agent in played if actions[agent] == 1}
        working = len(played) - len(going)
        rewards = {agent: 2.0 if agent in going else 1 / working for agent in played}
        if self.bug is Bug.UNPAID:
            rewards.update(dict.fromkeys(going, 0.0))
        leaving = set(going)
        if self.bug is Bug.SENT_HOME and "player_1" in played:
            leaving.add("player_1")
        if self.bug is Bug.LEAVES_LATE:
            leaving, self._late = self._late.intersection(played), going
        odds = 0.25 if self.bug is Bug.SELDOM_IN else 0.5
        coming = [
            agent
            for agent in self.possible_agents
            if agent not in played
            and (agent not in self._home or self.bug is Bug.COMES_BACK)
            and self._rng.random() < odds
        ]
        if self.bug is Bug.PENSION:
            rewards.update(dict.fromkeys(self._home, 1.0))
        self._home |= leaving
        staying = [a for a in self.possible_agents if a in coming or a in {*played} - leaving]
        self.agents = staying
        over, cut = not staying, bool(staying) and self.now == ROUNDS
        told = (
            played if over or cut else [a for a in self.possible_agents if a in {*played, *staying}]
        )
        observations = self._views(told)
        rewards = dict.fromkeys(told, 0.0) | rewards
        ended = {agent: over or agent in leaving for agent in told}
        stopped = {agent: cut and agent not in leaving for agent in told}
        infos: dict[str, dict[str, Any]] = {agent: {} for agent in told}
        if self.bug is Bug.CUT_OFF and not over:
            stopped.update(dict.fromkeys(leaving, True))
            ended.update(dict.fromkeys(leaving, False))
        if self.bug is Bug.SLIPS_AWAY and not over and not cut:
            ended.update(dict.fromkeys(leaving, False))
        if cut:
            self.agents = []
        elif self.bug is Bug.STAYS_LISTED and not over:
            self.agents = [a for a in self.possible_agents if a in {*played, *staying}]
        return observations, rewards, ended, stopped, infos


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation)


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="shifts",
    kind=Kind.PARALLEL,
    model=Shifts(),
    environment=ShiftsEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
