"""Slope: a climber who slips, seen by itself; a goal, a pit and a time limit; one agent."""

import random
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np
from gymnasium import Env
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Discrete
from gymnasium.utils.seeding import np_random

from gametheory_core.arrays import ONE
from gametheory_core.distributions import (
    Distribution,
    distribution,
    point_mass,
    push_forward,
    uniform,
)
from tests.laws.planted.records import (
    APART,
    BEGINS,
    ENDS,
    ENTROPY,
    GOES_ON,
    IN_SPACE,
    ITS_OWN,
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

STEPS = 10
PIT, GOAL = 0, 6
STARTS = (2, 3, 4)
ACTIONS = ("down", "up")
SLIP = Fraction(1, 4)
EFFORT = Fraction(1, 8)


@dataclass(frozen=True)
class Slope:
    """The model: a state is a cell, 0 to 6, which is all the climber sees.

    Play begins on cell 2, 3 or 4. A step up or down goes the other way with probability 1/4. The
    goal, cell 6, pays 1; the pit, cell 0, costs 1; both end the game. Other steps cost 1/8.
    """

    title: str = field(default="Slope", init=False, repr=False)
    players: tuple[str, ...] = field(default=("climber",), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = STEPS

    def initial(self) -> Distribution[Any]:
        return uniform(STARTS)

    def initial_observation(self, state: int) -> Distribution[Any]:
        return point_mass((state,))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return ACTIONS

    def is_terminal(self, state: int) -> bool:
        return state in {PIT, GOAL}

    def transition(self, state: int, joint_action: Any) -> Distribution[Any]:
        step = 1 if joint_action[0] == "up" else -1
        steps = distribution({step: 1 - SLIP, -step: SLIP})
        return push_forward(steps, lambda taken: state + taken)

    def observation(self, joint_action: Any, state: int) -> Distribution[Any]:
        return point_mass((state,))

    def reward(self, state: int, joint_action: Any, next_state: int) -> tuple[Any, ...]:
        return ({PIT: -1, GOAL: 1}.get(next_state, -EFFORT),)


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    SLIPS_NEVER_TWICE = Fault(C.CHANCE, "the climber never slips twice in succession", ITS_OWN)
    SLIPS_PERIODIC = Fault(C.CHANCE, "every fourth step slips, from a random start", ITS_OWN)
    SLIPS_LATE = Fault(C.CHANCE, "from step 6 on, the climber slips with 1/2", ONE_LAW)
    SLIPS_UP_ONLY = Fault(C.CHANCE, "steps down never slip", ONE_LAW)
    SLIPS_AFTER_TURNING = Fault(C.CHANCE, "slips are likely after a step the other way", ITS_OWN)
    SLIPS_AGAIN = Fault(C.CHANCE, "from the second play on, the climber slips with 2/5", ONE_LAW)
    START_ALTERNATES = Fault(C.CHANCE, "unless seeded, no play begins where the last did", ONE_LAW)
    START_LOW = Fault(C.CHANCE, "play begins on cell 2 with 1/2", ONE_LAW)
    START_AFTER_FALL = Fault(C.CHANCE, "after a fall play begins on cell 4", ONE_LAW)
    LATE_GOAL_UNPAID = Fault(C.DYNAMICS, "from step 7 on, the goal pays nothing", PAYS)
    REST_IS_FREE = Fault(C.DYNAMICS, "a step to cell 3 costs nothing", PAYS)
    GOAL_IS_PASSED = Fault(C.DYNAMICS, "the goal only ends the game from step 4 on", RULES)
    FLOAT_EFFORT = Fault(C.DYNAMICS, "a step costs 0.1", PAYS)
    LIMIT_SHRINKS = Fault(C.DYNAMICS, "from the second play on, the time limit is 8", ENDS)
    LIMIT_LATE = Fault(C.DYNAMICS, "the time limit is 11", ENDS)
    SEED_IGNORED = Fault(C.SEEDING, "reset takes a seed and does nothing with it", SEED_MATTERS)
    NOT_NP_RANDOM = Fault(C.SEEDING, "the seed goes to a generator beside np_random", SEED_MATTERS)
    SEEDS_IN_PAIRS = Fault(C.SEEDING, "seeds 2k and 2k + 1 give the same play", SEED_MATTERS)
    RESEEDS_ITSELF = Fault(C.SEEDING, "reset() begins the last seed again", GOES_ON)
    COPIES_ALIKE = Fault(C.SEEDING, "never seeded, all copies play seed 0", ENTROPY)
    NUMPY_GLOBAL = Fault(C.SEEDING, "slips are drawn with np.random", OWN_GENERATOR)
    RANDOM_MODULE = Fault(C.SEEDING, "starts are drawn with Python's random", OWN_GENERATOR)
    SPACE_GENERATOR = Fault(C.SEEDING, "slips are drawn from the action space", OWN_GENERATOR)
    CLASS_CELL = Fault(C.SHARED_STATE, "the cell belongs to the class", APART)
    MODULE_CLOCK = Fault(C.SHARED_STATE, "the clock is a global of the module", APART)
    INFO_KEPT = Fault(C.ALIASING, "info is one dictionary, changed later", NEW_DATA)
    BOTH_FLAGS = Fault(C.LIFE_CYCLE, "the time limit also terminates", ENDS)
    TERMINATES = Fault(C.LIFE_CYCLE, "the time limit terminates and does not truncate", ENDS)
    GOAL_CUTS_OFF = Fault(C.LIFE_CYCLE, "the goal truncates", ENDS)
    ALSO_AT_LIMIT = Fault(
        C.LIFE_CYCLE, "an end of the game at the limit also truncates", ENDS, True
    )
    CLOCK_KEPT = Fault(C.LIFE_CYCLE, "after the goal the clock is not reset", BEGINS)
    FOUR_PARTS = Fault(
        C.LIFE_CYCLE, "step returns done", "step returns five parts", raises=ValueError
    )
    ONE_PART = Fault(
        C.LIFE_CYCLE, "reset returns no info", "reset returns two parts", raises=TypeError
    )
    LIST = Fault(C.LIFE_CYCLE, "reset returns a list", "reset returns a tuple")
    INFO_NONE = Fault(C.LIFE_CYCLE, "step's info is None", "info is a dictionary")
    REWARD_ARRAY = Fault(C.LIFE_CYCLE, "rewards are arrays of one number", "rewards are numbers")
    REWARD_NONE = Fault(C.LIFE_CYCLE, "there is no reward but at the end", "rewards are numbers")
    FLAG_NUMBER = Fault(C.LIFE_CYCLE, "terminated is 0 or 1", "terminated is a bool")
    FLOAT = Fault(C.LIFE_CYCLE, "observations are floats", IN_SPACE)
    OUT_OF_SPACE = Fault(C.LIFE_CYCLE, "the pit is shown as -1", IN_SPACE)
    OLD_LAST_SIGHT = Fault(C.LIFE_CYCLE, "the last observation is the one before", ONE_LAW)
    NEW_SIGHT_AT_END = Fault(
        C.LIFE_CYCLE, "at the end, step shows the start of the next play", ONE_LAW
    )
    RESTARTS = Fault(C.LIFE_CYCLE, "a step after the end begins a new play", ENDS, True)
    NEW_SPACE = Fault(C.LIFE_CYCLE, "action_space is new each time", SAME_SPACE)
    SPACE_SHRINKS = Fault(C.LIFE_CYCLE, "reset narrows the observation space to 6", IN_SPACE)
    NO_SEED = Fault(
        C.LIFE_CYCLE, "reset refuses seeds", "reset takes seed and options", raises=TypeError
    )
    NO_OPTIONS = Fault(
        C.LIFE_CYCLE, "reset refuses options", "reset takes seed and options", raises=TypeError
    )


CLOCK = [0]  # of MODULE_CLOCK


class SlopeEnv(Env):
    """The environment."""

    metadata = {"render_modes": []}  # noqa: RUF012
    class_cell: list[int] = [0]  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        self.bug = bug
        self.observation_space = Discrete(GOAL + 1)
        self._acts = Discrete(2)
        self._own_rng: Any = None
        self._first_seed: int | None = None
        self._plays = 0
        self._last_start = 0
        self._info: dict[str, Any] = {}
        self._clock = 0
        self._cell = 0
        if bug is Bug.NO_SEED:
            self.reset = lambda *, options=None: type(self).reset(self, options=options)
        if bug is Bug.NO_OPTIONS:
            self.reset = lambda *, seed=None: type(self).reset(self, seed=seed)

    @property
    def action_space(self):
        return Discrete(2) if self.bug is Bug.NEW_SPACE else self._acts

    @property
    def cell(self) -> int:
        return self.class_cell[0] if self.bug is Bug.CLASS_CELL else self._cell

    @cell.setter
    def cell(self, cell: int) -> None:
        self._cell = cell
        if self.bug is Bug.CLASS_CELL:
            self.class_cell[0] = cell

    @property
    def clock(self) -> int:
        return CLOCK[0] if self.bug is Bug.MODULE_CLOCK else self._clock

    @clock.setter
    def clock(self, clock: int) -> None:
        self._clock = clock
        if self.bug is Bug.MODULE_CLOCK:
            CLOCK[0] = clock

    def reset(self, *, seed=None, options=None):
        if self.bug is Bug.SEED_IGNORED:
            seed = None
        if self.bug is Bug.SEEDS_IN_PAIRS and seed is not None:
            seed //= 2
        if self.bug is Bug.RESEEDS_ITSELF:
            seed = self._first_seed = self._first_seed if seed is None else seed
        if self.bug is Bug.COPIES_ALIKE and seed is None and self._np_random is None:
            seed = 0
        if self.bug is Bug.NOT_NP_RANDOM:
            if seed is not None or self._own_rng is None:
                self._own_rng = np_random(seed)[0]
        else:
            super().reset(seed=seed)
        self._plays += 1
        if not (self.bug is Bug.CLOCK_KEPT and self._plays > 1 and self.cell == GOAL):
            self.clock = 0
        self.cell = self._start(is_seeded=seed is not None)
        self._last_start = self._last = self.cell
        self._slipped = False
        self._phase = int(self._draws().integers(4))
        self._action: int | None = None
        self._is_over = False
        if self.bug is Bug.SPACE_SHRINKS:
            self.observation_space = Discrete(GOAL)
        seen, info = self._shown(self.cell), self._new_info()
        if self.bug is Bug.ONE_PART:
            return seen
        return [seen, info] if self.bug is Bug.LIST else (seen, info)

    def _draws(self):
        return self._own_rng if self.bug is Bug.NOT_NP_RANDOM else self.np_random

    def _start(self, *, is_seeded):
        rng = self._draws()
        start = STARTS[int(rng.integers(3))]
        if self.bug is Bug.START_ALTERNATES and self._plays > 1 and not is_seeded:
            rest = [cell for cell in STARTS if cell != self._last_start]
            start = rest[int(rng.integers(2))]
        if self.bug is Bug.START_LOW and rng.random() < 0.25:
            start = STARTS[0]
        if self.bug is Bug.START_AFTER_FALL and self._plays > 1 and self.cell == PIT:
            start = STARTS[2]
        if self.bug is Bug.RANDOM_MODULE:
            start = random.choice(STARTS)  # noqa: S311  (the bug)
        return start

    def step(self, action):
        if self.bug is Bug.RESTARTS and self._is_over:
            seen, info = self.reset()
            return seen, 0.0, False, False, info
        if self._is_over:
            raise ResetNeeded("play is over")
        self._last = self.cell
        step = 1 if int(action) == 1 else -1
        self.cell += -step if self._slips(int(action)) else step
        self._action = int(action)
        self.clock += 1
        at_goal = self.cell >= GOAL
        if self.bug is Bug.GOAL_IS_PASSED and at_goal and self.clock < 4:
            self.cell, at_goal = GOAL - 1, False
        terminated = at_goal or self.cell <= PIT
        limit = STEPS
        if self.bug is Bug.LIMIT_SHRINKS and self._plays > 1:
            limit = 8
        if self.bug is Bug.LIMIT_LATE:
            limit = 11
        truncated = not terminated and self.clock >= limit
        if self.bug is Bug.ALSO_AT_LIMIT:
            truncated = self.clock >= limit
        reward = self._reward(terminated, at_goal)
        if truncated and self.bug in {Bug.BOTH_FLAGS, Bug.TERMINATES}:
            terminated, truncated = True, self.bug is Bug.BOTH_FLAGS
        if self.bug is Bug.GOAL_CUTS_OFF and at_goal:
            terminated, truncated = False, True
        self._is_over = terminated or truncated
        seen = self._shown(self.cell)
        if self._is_over and self.bug is Bug.OLD_LAST_SIGHT:
            seen = self._shown(self._last)
        info = self._new_info()
        if self._is_over and self.bug is Bug.NEW_SIGHT_AT_END:
            seen = self._shown(STARTS[int(self.np_random.integers(3))])
        if self.bug is Bug.FLAG_NUMBER:
            terminated = int(terminated)
        if self.bug is Bug.INFO_NONE:
            info = None
        if self.bug is Bug.FOUR_PARTS:
            return seen, reward, terminated or truncated, info
        return seen, reward, terminated, truncated, info

    def _slips(self, action):
        """Draw whether a step goes the other way."""
        odds = 0.25
        if self.bug is Bug.SLIPS_NEVER_TWICE and self.clock:
            odds = 0.0 if self._slipped else 1 / 3
        if self.bug is Bug.SLIPS_LATE and self.clock >= 6:
            odds = 0.5
        if self.bug is Bug.SLIPS_UP_ONLY and action == 0:
            odds = 0.0
        if self.bug is Bug.SLIPS_AFTER_TURNING and self._action not in {None, action}:
            odds = 0.6
        if self.bug is Bug.SLIPS_AGAIN and self._plays > 1:
            odds = 0.4
        draw = self._draws().random
        if self.bug is Bug.NUMPY_GLOBAL:
            draw = np.random.random
        if self.bug is Bug.SPACE_GENERATOR:
            draw = self._acts.np_random.random
        self._slipped = bool(draw() < odds)
        if self.bug is Bug.SLIPS_PERIODIC:
            self._slipped = (self.clock + self._phase) % 4 == 0
        return self._slipped

    def _reward(self, terminated, at_goal):
        reward = (1.0 if at_goal else -1.0) if terminated else -0.125
        if self.bug is Bug.LATE_GOAL_UNPAID and at_goal and self.clock >= 7:
            reward = 0.0
        if self.bug is Bug.REST_IS_FREE and self.cell == 3:
            reward = 0.0
        if self.bug is Bug.FLOAT_EFFORT and not terminated:
            reward = -0.1
        if self.bug is Bug.REWARD_NONE and not terminated:
            return None
        return np.array([reward]) if self.bug is Bug.REWARD_ARRAY else reward

    def _shown(self, cell):
        if self.bug is Bug.FLOAT:
            return np.float32(cell)
        if self.bug is Bug.OUT_OF_SPACE and cell == PIT:
            return np.int64(-1)
        return np.int64(cell)

    def _new_info(self):
        if self.bug is Bug.INFO_KEPT:
            self._info["clock"] = self.clock
            return self._info
        return {"clock": self.clock}


GAME = Game(
    name="slope",
    kind=Kind.GYMNASIUM,
    model=Slope(),
    environment=SlopeEnv,
    bugs=Bug,
    read_observation=lambda agent, observation: int(observation),
    write_action=lambda agent, action: ACTIONS.index(action),
)
