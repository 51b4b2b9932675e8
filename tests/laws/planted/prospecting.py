"""Prospecting: two players see private signs of the hidden ground and dig at once; a time limit."""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, product, push_forward, uniform
from tests.laws.planted.records import (
    APART,
    BEGINS,
    CALLERS,
    EACH_AGENT,
    ENDS,
    ENTROPY,
    GOES_ON,
    HIDDEN,
    IN_SPACE,
    INDEPENDENT,
    ITS_OWN,
    LEAVES,
    NEW_DATA,
    ONE_LAW,
    OWN_GENERATOR,
    PAYS,
    RULES,
    SAME_SPACE,
    SEED_MATTERS,
    BugClass,
    Fault,
    Game,
    Kind,
)

ROUNDS = 6
ACTIONS = ("wait", "dig")
NOTHING_YET = 2
WRONG = Fraction(1, 4)


@dataclass(frozen=True)
class Prospecting:
    """The model: a state is the round and the ground, 0 dry or 1 rich.

    Each round each player sees the round, a sign of the ground that is wrong with probability 1/4,
    and what the other did last. Digging costs 1 on dry ground; on rich ground it pays 2, or 1 if
    both dig. Then the ground changes with probability 1/4, or 1/2 if somebody dug.
    """

    title: str = field(default="Prospecting", init=False, repr=False)
    players: tuple[str, ...] = field(default=("player_0", "player_1"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = ROUNDS

    def initial(self) -> Distribution[Any]:
        return uniform(((0, 0), (0, 1)))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return _seen(state, (NOTHING_YET, NOTHING_YET))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return ACTIONS

    def is_terminal(self, state: Any) -> bool:
        return False

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        now, ground = state
        odds = Fraction(1, 2) if "dig" in joint_action else Fraction(1, 4)
        return distribution({(now + 1, ground): 1 - odds, (now + 1, 1 - ground): odds})

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        return _seen(state, tuple(map(ACTIONS.index, joint_action)))

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[int, ...]:
        dug = (2 if joint_action.count("dig") == 1 else 1) if state[1] else -1
        return tuple(dug if action == "dig" else 0 for action in joint_action)


def _seen(state: Any, did: tuple[int, ...]) -> Distribution[Any]:
    now, ground = state
    sign = distribution({ground: 1 - WRONG, 1 - ground: WRONG})
    return push_forward(
        product([sign, sign]), lambda signs: ((now, signs[0], did[1]), (now, signs[1], did[0]))
    )


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    SIGNS_SHARED = Fault(C.CHANCE, "both signs are right or wrong together", INDEPENDENT)
    SIGNS_OPPOSED = Fault(C.CHANCE, "never are both signs wrong", INDEPENDENT)
    SIGNS_WEAK_LATE = Fault(C.CHANCE, "in the last rounds signs are wrong half the time", ONE_LAW)
    SECOND_SEES_WORSE = Fault(C.CHANCE, "player_1's signs are wrong with 2/5", ONE_LAW)
    NEVER_WRONG_TWICE = Fault(C.CHANCE, "a sign is never wrong twice in succession", ITS_OWN)
    PERIODIC_ERRORS = Fault(C.CHANCE, "every fourth sign is wrong, from a random start", ITS_OWN)
    ERRORS_AFTER_DIGGING = Fault(
        C.CHANCE, "a sign is nearly always right after the other player dug", ITS_OWN
    )
    GROUND_ALTERNATES = Fault(
        C.CHANCE, "unless seeded, play begins on the other ground than the last one did", ONE_LAW
    )
    OLD_GROUND_SHOWN = Fault(C.CHANCE, "signs are of the ground before it changed", ONE_LAW)
    DIGGING_IS_HARMLESS = Fault(C.DYNAMICS, "ground changes with 1/4 whatever players do", RULES)
    GROUND_STAYS_LATE = Fault(C.DYNAMICS, "the ground no longer changes after round 3", RULES)
    FIRST_GETS_ALL = Fault(C.DYNAMICS, "if both dig on rich ground, player_0 gets 2", PAYS)
    LAST_ROUND_UNPAID = Fault(C.DYNAMICS, "the last round pays nothing", PAYS)
    PAID_FOR_NEW_GROUND = Fault(C.DYNAMICS, "digging pays for the ground after it changed", PAYS)
    SECOND_EPISODE_SHORT = Fault(C.DYNAMICS, "from the second play on, a round is missing", ENDS)
    GROUND_IN_INFOS = Fault(C.LEAK, "infos tell the ground", HIDDEN)
    LATE_INFO = Fault(C.LEAK, "in late rounds infos has a key if the other's sign is rich", HIDDEN)
    BYTE_ORDER = Fault(C.LEAK, "the byte order of an observation is the other's sign", HIDDEN)
    AGENT_ORDER = Fault(C.LEAK, "on rich ground dictionaries list player_1 first", HIDDEN)
    SURE_LATE = Fault(C.LEAK, "in the last two rounds signs are the ground itself", HIDDEN)
    NEGATIVE_ZERO = Fault(C.LEAK, "who waits gets -0.0 on dry ground", HIDDEN, disputable=True)
    SEED_IGNORED = Fault(C.SEEDING, "reset takes a seed and does nothing with it", SEED_MATTERS)
    SEEDS_IN_PAIRS = Fault(C.SEEDING, "seeds 2k and 2k + 1 give the same play", SEED_MATTERS)
    RESEEDS_ITSELF = Fault(C.SEEDING, "reset() begins the last seed again", GOES_ON)
    COPIES_ALIKE = Fault(C.SEEDING, "never seeded, all copies play seed 0", ENTROPY)
    NUMPY_GLOBAL = Fault(C.SEEDING, "signs are drawn with np.random", OWN_GENERATOR)
    NUMPY_GLOBAL_SEEDED = Fault(C.SEEDING, "reset(seed) also seeds np.random", OWN_GENERATOR)
    CLASS_GROUND = Fault(C.SHARED_STATE, "the ground belongs to the class", APART)
    CLASS_GENERATOR = Fault(C.SHARED_STATE, "the generator belongs to the class", APART)
    OBSERVATION_BUFFER = Fault(C.ALIASING, "an agent gets one array over and over", NEW_DATA)
    REWARDS_BUFFER = Fault(C.ALIASING, "step returns one dictionary of rewards", NEW_DATA)
    INFO_KEPT = Fault(C.ALIASING, "an agent's info is one dictionary, changed later", NEW_DATA)
    INFO_OF_BOTH = Fault(C.ALIASING, "both infos are one empty dictionary", NEW_DATA, True)
    ACTIONS_CLEARED = Fault(C.ALIASING, "step empties the actions passed to it", CALLERS)
    BOTH_FLAGS = Fault(C.LIFE_CYCLE, "the time limit also terminates", ENDS)
    TERMINATES_ONLY = Fault(C.LIFE_CYCLE, "the time limit terminates and does not truncate", ENDS)
    AGENTS_STAY = Fault(C.LIFE_CYCLE, "agents are still listed after the end", LEAVES)
    AGENTS_ALIASED = Fault(C.LIFE_CYCLE, "agents is possible_agents, which the end empties", BEGINS)
    NEW_SPACES = Fault(C.LIFE_CYCLE, "action_space makes a new space each time", SAME_SPACE)
    INFO_MISSING = Fault(C.LIFE_CYCLE, "reset has no info for player_1", EACH_AGENT)
    FLAG_MISSING = Fault(C.LIFE_CYCLE, "player_1 has no truncation", EACH_AGENT)
    ROUND_OUT_OF_SPACE = Fault(C.LIFE_CYCLE, "the last observation says round 7 of 6", IN_SPACE)


class ProspectingEnv(ParallelEnv):
    """The environment; its last round is not the end of the world, but a time limit."""

    metadata = {"name": "prospecting_v0", "render_modes": []}  # noqa: RUF012  (as PettingZoo asks)
    class_ground: list[int] = [0]  # noqa: RUF012
    class_rng: list[Any] = [None]  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        top = np.array([ROUNDS, 1, NOTHING_YET])
        self._seen = {a: Box(np.zeros(3), top, dtype=np.int16) for a in self.possible_agents}
        self._acts = {a: Discrete(len(ACTIONS)) for a in self.possible_agents}
        self._buffers = {a: np.zeros(3, np.int16) for a in self.possible_agents}
        self._paid: dict[str, float] = {}
        self._infos: dict[str, dict[str, Any]] = {a: {} for a in self.possible_agents}
        self._rng: Any = None
        self._seed: int | None = None
        self._ground = 0
        self._episodes = 0

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        if self.bug is Bug.NEW_SPACES:
            return Discrete(len(ACTIONS))
        return self._acts[agent]

    @property
    def ground(self) -> int:
        return self.class_ground[0] if self.bug is Bug.CLASS_GROUND else self._ground

    @ground.setter
    def ground(self, ground: int) -> None:
        self._ground = ground
        if self.bug is Bug.CLASS_GROUND:
            self.class_ground[0] = ground

    @property
    def rng(self) -> Any:
        return self.class_rng[0] if self.bug is Bug.CLASS_GENERATOR else self._rng

    def _seeded(self, seed: int | None) -> None:
        if self.bug is Bug.SEED_IGNORED:
            seed = None
        if self.bug is Bug.SEEDS_IN_PAIRS and seed is not None:
            seed //= 2
        if self.bug is Bug.RESEEDS_ITSELF:
            seed = self._seed = self._seed if seed is None else seed
        if self.bug is Bug.COPIES_ALIKE and self._rng is None and seed is None:
            seed = 0
        if self.bug is Bug.NUMPY_GLOBAL_SEEDED and seed is not None:
            np.random.seed(seed)  # noqa: NPY002  (the bug)
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
            if self.bug is Bug.CLASS_GENERATOR:
                self.class_rng[0] = self._rng

    def reset(self, seed=None, options=None):
        self._seeded(seed)
        last = self._first_ground if self._episodes else None
        self._episodes += 1
        self.agents = self.possible_agents[:]
        if self.bug is Bug.AGENTS_ALIASED:
            self.agents = self.possible_agents
        self.round = 0
        self.ground = int(self.rng.integers(2))
        if self.bug is Bug.GROUND_ALTERNATES and seed is None and last is not None:
            self.ground = 1 - last
        self._first_ground = self._before = self.ground
        self._did = dict.fromkeys(("player_0", "player_1"), NOTHING_YET)
        self._phases = self.rng.integers(4, size=2).tolist()
        self._wrong = [False, False]
        observations, infos = self._views()
        if self.bug is Bug.INFO_MISSING:
            del infos["player_1"]
        return observations, infos

    def step(self, actions):
        dug = [agent for agent in self.agents if actions[agent] == 1]
        self._did = {agent: int(actions[agent]) for agent in self.agents}
        if self.bug is Bug.ACTIONS_CLEARED:
            actions.clear()
        self._before = self.ground
        odds = 0.5 if dug and self.bug is not Bug.DIGGING_IS_HARMLESS else 0.25
        if self.rng.random() < odds and not (self.bug is Bug.GROUND_STAYS_LATE and self.round >= 3):
            self.ground = 1 - self.ground
        rewards = {agent: self._reward(agent, dug) for agent in self.agents}
        if self.bug is Bug.REWARDS_BUFFER:
            self._paid.update(rewards)
            rewards = self._paid
        self.round += 1
        short = self.bug is Bug.SECOND_EPISODE_SHORT and self._episodes > 1
        over = self.round == ROUNDS - short
        observations, infos = self._views()
        both = self.bug is Bug.BOTH_FLAGS or self.bug is Bug.TERMINATES_ONLY
        terminations = dict.fromkeys(self.agents, over and both)
        truncations = dict.fromkeys(self.agents, over and self.bug is not Bug.TERMINATES_ONLY)
        if self.bug is Bug.FLAG_MISSING:
            del truncations["player_1"]
        if over and self.bug is Bug.AGENTS_ALIASED:
            self.agents.clear()
        elif over and self.bug is not Bug.AGENTS_STAY:
            self.agents = []
        return observations, rewards, terminations, truncations, infos

    def _reward(self, agent: str, dug: list[str]) -> float:
        paid_for = self.ground if self.bug is Bug.PAID_FOR_NEW_GROUND else self._before
        if self.bug is Bug.LAST_ROUND_UNPAID and self.round == ROUNDS - 1:
            return 0.0
        if agent not in dug:
            return -0.0 if self.bug is Bug.NEGATIVE_ZERO and not self._before else 0.0
        if not paid_for:
            return -1.0
        if self.bug is Bug.FIRST_GETS_ALL and agent == "player_0":
            return 2.0
        return 2.0 if len(dug) == 1 else 1.0

    def _errors(self) -> list[bool]:
        """Draw which signs are wrong."""
        bug, rng = self.bug, self.rng
        draw = np.random.random if bug is Bug.NUMPY_GLOBAL else rng.random
        odds = [0.25, 0.25]
        if bug is Bug.SIGNS_WEAK_LATE and self.round >= 4:
            odds = [0.5, 0.5]
        if bug is Bug.SECOND_SEES_WORSE:
            odds = [0.25, 0.4]
        if bug is Bug.NEVER_WRONG_TWICE and self.round:
            odds = [0.0 if wrong else 1 / 3 for wrong in self._wrong]
        if bug is Bug.ERRORS_AFTER_DIGGING:
            odds = [0.05 if self._did[a] == 1 else 0.25 for a in ("player_1", "player_0")]
        if bug is Bug.SURE_LATE and self.round >= ROUNDS - 1:
            odds = [0.0, 0.0]
        wrong = [draw() < p for p in odds]
        if bug is Bug.SIGNS_SHARED:
            wrong = [wrong[0], wrong[0]]
        if bug is Bug.SIGNS_OPPOSED:
            level = rng.random()
            wrong = [level < 0.25, level >= 0.75]
        if bug is Bug.PERIODIC_ERRORS:
            wrong = [(self.round + phase) % 4 == 0 for phase in self._phases]
        return wrong

    def _views(self):
        self._wrong = self._errors()
        ground = self._before if self.bug is Bug.OLD_GROUND_SHOWN else self.ground
        signs = [1 - ground if wrong else ground for wrong in self._wrong]
        observations, infos = {}, {}
        agents = [0, 1]
        if self.bug is Bug.AGENT_ORDER and self.ground:
            agents = [1, 0]
        both: dict[str, Any] = {}
        for i in agents:
            agent, other = f"player_{i}", f"player_{1 - i}"
            seen = np.array([self.round, signs[i], self._did[other]], dtype=np.int16)
            if self.bug is Bug.ROUND_OUT_OF_SPACE and self.round == ROUNDS:
                seen[0] += 1
            if self.bug is Bug.BYTE_ORDER and signs[1 - i]:
                seen = seen.astype(">i2")
            if self.bug is Bug.OBSERVATION_BUFFER:
                self._buffers[agent][:] = seen
                seen = self._buffers[agent]
            observations[agent] = seen
            infos[agent] = both if self.bug is Bug.INFO_OF_BOTH else {}
            if self.bug is Bug.GROUND_IN_INFOS:
                infos[agent]["ground"] = self.ground
            if self.bug is Bug.LATE_INFO and self.round >= 4 and signs[1 - i]:
                infos[agent]["debug"] = True
            if self.bug is Bug.INFO_KEPT:
                self._infos[agent]["round"] = self.round
                infos[agent] = self._infos[agent]
        return observations, infos


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation)


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="prospecting",
    kind=Kind.PARALLEL,
    model=Prospecting(),
    environment=ProspectingEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
