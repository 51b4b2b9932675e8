"""Watches: three take turns on deck; one may leave for good, one comes late and may leave, too."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product as tuples
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.games.rules import AWAY, IDLE
from gametheory_core.games.tree_table import CHANCE
from tests.laws.planted.records import (
    HIDDEN,
    ITS_OWN,
    LEAVES,
    ONE_LAW,
    RULES,
    BugClass,
    Fault,
    Game,
    Kind,
)

ROUNDS = 4
WINDS = 3
STAY, REST = ACTIONS = ("stay", "rest")
OUT, IN, GONE = range(3)


class Deck(NamedTuple):
    """A state: the round, whose turn it is, each one's wind, and who is out, in or gone."""

    round: int
    turn: int
    winds: tuple[int, ...]
    crew: tuple[int, ...]


@dataclass(frozen=True)
class Watches:
    """The model.

    In each round everyone has a wind of three, drawn anew, and sees it with the round and how many
    are in. In turn they stay, for a pay of the wind less one, or rest for nothing. When player_1 or
    player_2 rests, that is for good. Player_2 is out at first, and comes in with probability 1/2
    when a round begins.
    """

    title: str = field(default="Watches", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = 4 * ROUNDS
    initial_state: Deck = field(
        default=Deck(-1, CHANCE, (0, 0, 0), (IN, IN, OUT)), init=False, repr=False
    )

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        if state.crew[player] != IN:
            return point_mass(AWAY)
        return point_mass((state.round, state.winds[player], state.crew.count(IN)))

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        return (IDLE,) if observation is AWAY else ACTIONS

    def is_terminal(self, state: Any) -> bool:
        return False

    def move(self, player: int, state: Any, action: Any) -> Deck:
        leaves = action == REST and player > 0
        crew = tuple(GONE if leaves and i == player else own for i, own in enumerate(state.crew))
        return state._replace(turn=player + 1 if player < 2 else CHANCE, crew=crew)

    def chance(self, state: Any) -> Distribution[Deck]:
        comes = (OUT, IN) if state.crew[2] == OUT and state.round >= 0 else (state.crew[2],)
        return uniform(
            Deck(state.round + 1, 0, winds, (*state.crew[:2], last))
            for winds in tuples(range(WINDS), repeat=3)
            for last in comes
        )

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        stays = action == STAY
        return point_mass(tuple(stays * (i == mover) * (state.winds[i] - 1) for i in range(3)))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        return point_mass(next_state.turn)


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    LISTED_AT_RESET = Fault(C.LIFE_CYCLE, "who comes late is listed from the start", RULES)
    LISTED_BEFORE_TURN = Fault(
        C.LIFE_CYCLE, "who comes late is listed before the first turn that shows it", RULES
    )
    LEAVES_AT_ONCE = Fault(C.LIFE_CYCLE, "who rests leaves before the next turn", LEAVES)
    FIRST_LEAVES_AT_ONCE = Fault(C.LIFE_CYCLE, "only player_1 leaves before its turn", LEAVES)
    WIND_OFF_TURN = Fault(C.LEAK, "off turn, observe shows the mover's wind as one's own", HIDDEN)
    LATE_OFF_TURN = Fault(C.LEAK, "in round 3, off turn shows the mover's wind", HIDDEN)
    FIRST_OFF_TURN = Fault(C.LEAK, "off turn, only player_1 sees the wind of player_0", HIDDEN)
    OPPOSITE_OFF_TURN = Fault(C.LEAK, "off turn shows two less the mover's wind", HIDDEN)
    COUNT_OFF_TURN = Fault(C.LEAK, "off turn, the count is one more if the mover's is 2", HIDDEN)
    WIND_HOLDS = Fault(C.CHANCE, "with 1/8, a wind is that of the round before", ITS_OWN)
    WIND_TURNS = Fault(C.CHANCE, "with 1/4, the wind of player_0 is not as the last one", ITS_OWN)
    AS_LAST_PLAY = Fault(
        C.CHANCE, "unless seeded, winds begin with 4/5 as in the last play", ONE_LAW
    )
    AS_LAST_END = Fault(C.CHANCE, "unless seeded, winds begin with 4/5 as they ended", ONE_LAW)
    NOT_AS_LAST_PLAY = Fault(
        C.CHANCE, "unless seeded, the first wind of player_0 is not the last play's", ONE_LAW
    )


class Shown(Enum):
    """What right environments show off turn."""

    NOW = "what would be seen on turn"
    LAST = "what was seen at the own last turn"
    ZEROS = "nothing"
    WIND_ONLY = "the own wind of this round, and nothing else"
    OWN_AFFAIRS = "how often the agent has stayed, and what it was paid last"


class WatchesEnv(AECEnv):
    """The environment."""

    metadata = {"name": "watches_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None, shown: Shown = Shown.NOW) -> None:
        super().__init__()
        self.bug, self.shown = bug, shown
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1", "player_2"]
        self.agents: list[str] = []
        self._seen = {a: Box(0, ROUNDS, (3,), np.int8) for a in self.possible_agents}
        self._acts = {a: Discrete(2) for a in self.possible_agents}
        self._rng: Any = None
        self._winds: dict[str, int] = {}
        self._began: dict[str, int] = {}

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    def reset(self, seed=None, options=None):
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        self.now = -1
        self._crew = dict(zip(self.possible_agents, (IN, IN, OUT), strict=True))
        self._stays = dict.fromkeys(self.possible_agents, 0)
        self._paid = dict.fromkeys(self.possible_agents, 0)
        self._last = {a: np.zeros(3, np.int8) for a in self.possible_agents}
        self.agents = self.possible_agents[: 3 if self.bug is Bug.LISTED_AT_RESET else 2]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos = {agent: {} for agent in self.agents}
        self._blow(None if seed is not None else self._began)
        self._give_turn("player_0")

    def _blow(self, before=None):
        """Begin a round; ``before`` are the first winds of the last play, unless it is seeded."""
        last = self._winds
        self._winds = {a: int(self._rng.integers(WINDS)) for a in self.possible_agents}
        self.now += 1
        if self.now and self._crew["player_2"] == OUT and self._rng.random() < 0.5:
            self._crew["player_2"] = IN
            if self.bug is Bug.LISTED_BEFORE_TURN:
                self._join("player_2")
        if self.now:
            for agent in self.possible_agents:
                if self.bug is Bug.WIND_HOLDS and self._rng.random() < 1 / 8:
                    self._winds[agent] = last[agent]
            if self.bug is Bug.WIND_TURNS and self._rng.random() < 1 / 4:
                self._winds["player_0"] = self._another(last["player_0"])
            return
        if before:
            held = before if self.bug is Bug.AS_LAST_PLAY else last
            if self.bug in {Bug.AS_LAST_PLAY, Bug.AS_LAST_END} and self._rng.random() < 0.8:
                self._winds = dict(held)
            if self.bug is Bug.NOT_AS_LAST_PLAY:
                self._winds["player_0"] = self._another(before["player_0"])
        self._began = dict(self._winds)

    def _another(self, wind):
        return (wind + 1 + int(self._rng.integers(2))) % WINDS

    def _join(self, agent):
        if agent not in self.agents:
            self.agents = [a for a in self.possible_agents if a in {*self.agents, agent}]
            self.rewards[agent] = self._cumulative_rewards[agent] = 0.0
            self.terminations[agent] = self.truncations[agent] = False

    def _give_turn(self, agent):
        self._join(agent)
        self.agent_selection = agent
        self._last[agent] = self._now(agent)
        self.infos = {a: {} for a in self.agents}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        paid = self._winds[agent] - 1 if action == 0 else 0
        self._stays[agent] += action == 0
        self._paid[agent] = paid
        self.rewards[agent] = float(paid)
        if action == 1 and agent != "player_0":
            self._crew[agent] = GONE
            one = self.bug is Bug.FIRST_LEAVES_AT_ONCE and agent == "player_1"
            self.terminations[agent] = one or self.bug is Bug.LEAVES_AT_ONCE
        following = self._next(agent)
        if following is None:
            self.truncations = {a: not self.terminations[a] for a in self.agents}
        else:
            self._give_turn(following)
        self._accumulate_rewards()
        self._deads_step_first()

    def _next(self, agent):
        """Pass the turns of those who are away; return whose turn it is, None at the end."""
        names = self.possible_agents
        place = names.index(agent)
        while True:
            place = (place + 1) % len(names)
            if place == 0:
                if self.now + 1 == ROUNDS:
                    return None
                self._blow()
            following = names[place]
            if self._crew[following] == IN:
                return following
            if following in self.agents and self._crew[following] == GONE:
                self.terminations[following] = True

    def _now(self, agent):
        count = list(self._crew.values()).count(IN)
        return np.array([self.now, self._winds[agent], count], dtype=np.int8)

    def observe(self, agent):
        if agent == self.agent_selection:
            return self._now(agent)
        seen = {
            Shown.NOW: self._now(agent),
            Shown.LAST: self._last[agent].copy(),
            Shown.ZEROS: np.zeros(3, np.int8),
            Shown.WIND_ONLY: np.array([0, self._winds[agent], 0], np.int8),
            Shown.OWN_AFFAIRS: np.array([self._stays[agent], 1 + self._paid[agent], 0], np.int8),
        }[self.shown]
        theirs = self._winds[self.agent_selection]
        late = self.bug is Bug.LATE_OFF_TURN and self.now == ROUNDS - 2
        first = self.bug is Bug.FIRST_OFF_TURN and agent == "player_1"
        if self.bug is Bug.WIND_OFF_TURN or late or (first and self.agent_selection == "player_0"):
            seen[1] = theirs
        if self.bug is Bug.OPPOSITE_OFF_TURN:
            seen[1] = 2 - theirs
        if self.bug is Bug.COUNT_OFF_TURN:
            seen[2] += theirs == 2
        return seen


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation)


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="watches",
    kind=Kind.AEC,
    model=Watches(),
    environment=WatchesEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
