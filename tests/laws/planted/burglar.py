"""Burglar: listen, open one of two doors, or leave; one agent, and a safe that it cannot see."""

import time
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from gymnasium import Env
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box, Discrete

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform
from tests.laws.planted.records import (
    APART,
    BEGINS,
    ENDS,
    HIDDEN,
    IN_SPACE,
    ITS_OWN,
    MASKS,
    NEW_DATA,
    ONE_LAW,
    OWN_GENERATOR,
    PAYS,
    REPRODUCIBLE,
    RULES,
    SEED_MATTERS,
    BugClass,
    Fault,
    Game,
    Kind,
)

STEPS = 12
LATE = 9
SILENCE = 2
LISTEN, OPEN_LEFT, OPEN_RIGHT, LEAVE = ACTIONS = ("listen", "open left", "open right", "leave")
MISHEARD = Fraction(1, 4)


class House(NamedTuple):
    """A state: the door of the safe, 0 or 1, and whether there is alarm or the burglar is gone."""

    safe: int
    alarm: int
    gone: bool


@dataclass(frozen=True)
class Burglar:
    """The model: the burglar sees what was heard last, and the alarm.

    To listen costs 1/8 and tells the door of the safe, wrongly with probability 1/4. To open it
    pays 2, or 1 under alarm; to open the other costs 2 and raises an alarm for good. After either
    the safe is behind any door. To leave pays 1/2 and ends the game; that needs a sound just heard,
    and no alarm.
    """

    title: str = field(default="Burglar", init=False, repr=False)
    players: tuple[str, ...] = field(default=("burglar",), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = STEPS

    def initial(self) -> Distribution[Any]:
        return uniform(House(safe, 0, gone=False) for safe in (0, 1))

    def initial_observation(self, state: House) -> Distribution[Any]:
        return point_mass(((SILENCE, 0),))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        heard, alarm = observation
        return ACTIONS[:3] if alarm or heard == SILENCE else ACTIONS

    def is_terminal(self, state: House) -> bool:
        return state.gone

    def transition(self, state: House, joint_action: Any) -> Distribution[Any]:
        (action,) = joint_action
        if action == LISTEN:
            return point_mass(state)
        if action == LEAVE:
            return point_mass(state._replace(gone=True))
        alarm = state.alarm or int(not _is_right(state, action))
        return uniform(House(safe, alarm, gone=False) for safe in (0, 1))

    def observation(self, joint_action: Any, state: House) -> Distribution[Any]:
        if joint_action != (LISTEN,):
            return point_mass(((SILENCE, state.alarm),))
        return distribution(
            {((state.safe, state.alarm),): 1 - MISHEARD, ((1 - state.safe, state.alarm),): MISHEARD}
        )

    def reward(self, state: House, joint_action: Any, next_state: House) -> tuple[Any, ...]:
        (action,) = joint_action
        if action in {LISTEN, LEAVE}:
            return (Fraction(-1, 8) if action == LISTEN else Fraction(1, 2),)
        return ((1 if state.alarm else 2) if _is_right(state, action) else -2,)


def _is_right(state: House, action: str) -> bool:
    return action == (OPEN_LEFT, OPEN_RIGHT)[state.safe]


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    DEAF_LATE = Fault(C.CHANCE, "from step 9 on, what is heard is noise", ONE_LAW)
    ERRORS_STICK = Fault(C.CHANCE, "after an error in hearing the next is likely", ITS_OWN)
    ERRORS_PERIODIC = Fault(C.CHANCE, "every fourth sound is wrong, from a random start", ITS_OWN)
    NEVER_WRONG_TWICE = Fault(C.CHANCE, "a sound is never wrong twice in succession", ITS_OWN)
    RIGHT_EAR = Fault(C.CHANCE, "a safe on the right is heard with 1/2", ONE_LAW)
    FIRST_IS_SURE = Fault(C.CHANCE, "the first sound of a play is right", ONE_LAW)
    SAFE_STAYS = Fault(C.CHANCE, "the safe stays where it was opened", RULES)
    SAFE_CHANGES = Fault(C.CHANCE, "after an opening the safe is behind the other door", RULES)
    SAFE_FLEES = Fault(C.CHANCE, "the safe goes where the burglar did not open, with 3/4", ITS_OWN)
    SAFE_REMEMBERED = Fault(
        C.CHANCE, "unless seeded, the safe is where the last play left it", ONE_LAW
    )
    ALARM_DEAFENS = Fault(C.CHANCE, "under alarm what is heard is noise", ONE_LAW)
    SAFE_LEFT = Fault(C.CHANCE, "the safe begins on the left with 2/3", ONE_LAW)
    ALARM_STOPS = Fault(C.DYNAMICS, "the alarm stops after three steps", RULES)
    ALARM_IS_FREE = Fault(C.DYNAMICS, "under alarm the safe pays 2", PAYS)
    LEAVING_UNPAID = Fault(C.DYNAMICS, "who leaves after step 3 gets nothing", PAYS)
    LISTENING_IS_FREE = Fault(C.DYNAMICS, "from the second play on, listening is free", PAYS)
    LAST_STEP_DOUBLE = Fault(C.DYNAMICS, "the last step pays twice", PAYS)
    THIRTEENTH_STEP = Fault(C.DYNAMICS, "under alarm there are 13 steps", ENDS)
    SAFE_IN_INFO = Fault(C.LEAK, "info has the door of the safe", HIDDEN, True)
    SURE_LATE = Fault(C.LEAK, "in the last three steps nothing is misheard", HIDDEN)
    BYTE_ORDER = Fault(C.LEAK, "the byte order of an observation is the door", HIDDEN)
    STRIDES = Fault(C.LEAK, "arrays run backwards if the safe is on the right", HIDDEN)
    NEGATIVE_ZERO = Fault(C.LEAK, "no alarm is -0.0 if the safe is on the right", HIDDEN)
    TINY_NUMBER = Fault(C.LEAK, "the alarm is 1/1024 off if the safe is on the right", HIDDEN)
    SILENT_TELLS = Fault(C.LEAK, "after an opening the new door is heard", HIDDEN)
    LATE_TYPE = Fault(C.LEAK, "late, the mask is boolean if the safe is on the right", HIDDEN, True)
    FIRST_SEED_ONLY = Fault(C.SEEDING, "only the first seed is taken", SEED_MATTERS)
    UNSEEDED_HEARING = Fault(
        C.SEEDING, "hearing has a generator that no seed reaches", SEED_MATTERS
    )
    CLOCK = Fault(C.SEEDING, "the clock says where the safe goes", REPRODUCIBLE)
    NUMPY_SEEDED = Fault(C.SEEDING, "draws are np.random's, which reset seeds", OWN_GENERATOR)
    MODULE_SAFE = Fault(C.SHARED_STATE, "the safe is a global of the module", APART)
    DEFAULT_ARGUMENT = Fault(C.SHARED_STATE, "the alarm is kept in a default argument", APART)
    ONE_ARRAY = Fault(C.ALIASING, "observations are one array over and over", NEW_DATA)
    RESET_ARRAY = Fault(C.ALIASING, "the first step writes into what reset returned", NEW_DATA)
    CONSTANTS = Fault(C.ALIASING, "equal observations are one array", NEW_DATA)
    ALARM_IN_VIEW = Fault(C.ALIASING, "writing into an observation stops the alarm", NEW_DATA)
    MASK_KEPT = Fault(C.ALIASING, "info has one mask over and over", NEW_DATA)
    DOUBLES = Fault(C.LIFE_CYCLE, "observations are of float64", IN_SPACE)
    LIST = Fault(C.LIFE_CYCLE, "observations are lists", IN_SPACE)
    TERMINATES = Fault(C.LIFE_CYCLE, "the time limit terminates and does not truncate", ENDS)
    LEAVING_CUTS_OFF = Fault(C.LIFE_CYCLE, "leaving truncates", ENDS)
    LEAVING_GOES_ON = Fault(C.LIFE_CYCLE, "leaving in the second step does not end play", ENDS)
    BLANK_AT_LIMIT = Fault(C.LIFE_CYCLE, "the observation at the time limit is all 0", ONE_LAW)
    MASK_SHORT = Fault(C.LIFE_CYCLE, "masks have three entries", MASKS)
    MASK_ALL = Fault(C.LIFE_CYCLE, "masks allow to leave at any time", MASKS)
    MASK_EMPTY = Fault(C.LIFE_CYCLE, "under alarm no action is allowed", MASKS)
    INFO_MISSING = Fault(C.LIFE_CYCLE, "reset's info is None", "info is a dictionary")
    ALARM_LASTS = Fault(C.LIFE_CYCLE, "after a time limit the alarm is still on", BEGINS)
    SAFE_NOT_RESET = Fault(C.LIFE_CYCLE, "a reset with a seed does not put the safe", REPRODUCIBLE)
    REWARD_TEXT = Fault(C.LIFE_CYCLE, "rewards are text", "rewards are numbers")


SAFE = [0]  # of MODULE_SAFE


class BurglarEnv(Env):
    """The environment: what was heard is a unit vector, masks are in info."""

    metadata = {"render_modes": []}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None, kept: dict[str, int] = {}) -> None:  # noqa: B006
        self.bug = bug
        self.observation_space = Box(0, 1, (4,), np.float32)
        self.action_space = Discrete(len(ACTIONS))
        self._house = kept if bug is Bug.DEFAULT_ARGUMENT else {}
        self._array = np.zeros(4, np.float32)
        self._kept_mask = np.ones(4, np.int8)
        self._view: Any = None
        self._other_rng = np.random.default_rng()
        self._constants: dict[Any, Any] = {}
        self._is_over = True
        self._plays = 0
        self._clock = 0
        self._house["alarm"] = 0

    @property
    def safe(self) -> int:
        return SAFE[0] if self.bug is Bug.MODULE_SAFE else self._safe

    @safe.setter
    def safe(self, door: int) -> None:
        self._safe = door
        if self.bug is Bug.MODULE_SAFE:
            SAFE[0] = door

    def reset(self, *, seed=None, options=None):
        taken = seed
        if self.bug is Bug.FIRST_SEED_ONLY and self._plays:
            taken = None
        if self.bug is Bug.NUMPY_SEEDED and seed is not None:
            np.random.seed(seed)  # noqa: NPY002  (the bug)
        super().reset(seed=taken)
        self._plays += 1
        again = self._plays > 1
        if not (self.bug is Bug.ALARM_LASTS and self._clock == STEPS):
            self._house["alarm"] = 0
        self._clock = self._alarm_since = 0
        self._is_over = False
        door = int(self._random() < (1 / 3 if self.bug is Bug.SAFE_LEFT else 0.5))
        remembered = self.bug is Bug.SAFE_REMEMBERED and again and seed is None
        if not remembered and not (self.bug is Bug.SAFE_NOT_RESET and again and seed is not None):
            self.safe = door
        self._misheard = bool(self._random() < 0.25)
        self._sounds = 0
        self._phase = int(self.np_random.integers(4))
        seen = self._shown(SILENCE)
        if self.bug is Bug.RESET_ARRAY:
            self._array = seen
        return seen, None if self.bug is Bug.INFO_MISSING else self._info(SILENCE)

    def _random(self):
        return np.random.random() if self.bug is Bug.NUMPY_SEEDED else self.np_random.random()  # noqa: NPY002

    def step(self, action):
        if self._is_over:
            raise ResetNeeded("play is over")
        choice = ACTIONS[int(action)]
        if self.bug is Bug.ALARM_IN_VIEW:
            self._house["alarm"] = int(self._view[3])
        alarm = self._house["alarm"]
        heard = SILENCE
        terminated = False
        if choice == LISTEN:
            free = self.bug is Bug.LISTENING_IS_FREE and self._plays > 1
            reward = 0.0 if free else -0.125
            heard = self.safe if not self._mishears() else 1 - self.safe
        elif choice == LEAVE:
            reward = 0.0 if self.bug is Bug.LEAVING_UNPAID and self._clock > 3 else 0.5
            terminated = not (self.bug is Bug.LEAVING_GOES_ON and self._clock == 1)
        else:
            reward = self._open(choice, alarm)
            if self.bug is Bug.SILENT_TELLS:
                heard = self.safe
        self._clock += 1
        limit = STEPS + (self.bug is Bug.THIRTEENTH_STEP and bool(alarm))
        truncated = not terminated and self._clock >= limit
        if self.bug is Bug.LAST_STEP_DOUBLE and self._clock == STEPS:
            reward *= 2
        if self.bug is Bug.ALARM_STOPS and alarm and self._clock - self._alarm_since >= 3:
            self._house["alarm"] = 0
        seen = self._shown(heard)
        if truncated and self.bug is Bug.BLANK_AT_LIMIT:
            seen = np.zeros(4, np.float32)
        self._is_over = terminated or truncated
        if truncated and self.bug is Bug.TERMINATES:
            terminated, truncated = True, False
        if terminated and self.bug is Bug.LEAVING_CUTS_OFF:
            terminated, truncated = False, True
        if self.bug is Bug.RESET_ARRAY and self._clock == 1:
            self._array[:] = seen
            seen = self._array
        shown = str(reward) if self.bug is Bug.REWARD_TEXT else reward
        return seen, shown, terminated, truncated, self._info(heard)

    def _open(self, choice, alarm):
        """Open a door, put the safe behind any, and return the reward."""
        opened = ACTIONS.index(choice) - 1
        is_right = opened == self.safe
        if not is_right and not alarm:
            self._house["alarm"] = 1
            self._alarm_since = self._clock
        door = int(self._random() < 0.5)
        if self.bug is Bug.SAFE_STAYS:
            door = self.safe
        if self.bug is Bug.SAFE_CHANGES:
            door = 1 - self.safe
        if self.bug is Bug.SAFE_FLEES:
            door = 1 - opened if self._random() < 0.75 else opened
        if self.bug is Bug.CLOCK:
            door = time.time_ns() // 1000 % 2
        self.safe = door
        if not is_right:
            return -2.0
        return 1.0 if alarm and self.bug is not Bug.ALARM_IS_FREE else 2.0

    def _mishears(self):
        """Draw whether what is heard is wrong."""
        odds = 0.25
        late = self._clock >= LATE
        if self.bug is Bug.DEAF_LATE and late:
            odds = 0.5
        if self.bug is Bug.SURE_LATE and late:
            odds = 0.0
        if self.bug is Bug.ERRORS_STICK:
            odds = 0.75 if self._misheard else 1 / 12
        if self.bug is Bug.NEVER_WRONG_TWICE and self._sounds:
            odds = 0.0 if self._misheard else 1 / 3
        if self.bug is Bug.RIGHT_EAR and self.safe == 1:
            odds = 0.5
        if self.bug is Bug.FIRST_IS_SURE and not self._sounds:
            odds = 0.0
        if self.bug is Bug.ALARM_DEAFENS and self._house["alarm"]:
            odds = 0.5
        draw = self._other_rng.random if self.bug is Bug.UNSEEDED_HEARING else self._random
        self._misheard = bool(draw() < odds)
        if self.bug is Bug.ERRORS_PERIODIC:
            self._misheard = (self._sounds + self._phase) % 4 == 0
        self._sounds += 1
        return self._misheard

    def _shown(self, heard):
        alarm, on_right = self._house["alarm"], self.safe == 1
        seen = np.zeros(4, np.float32)
        seen[heard] = 1
        seen[3] = alarm
        if self.bug is Bug.NEGATIVE_ZERO and not alarm and on_right:
            seen[3] = -0.0
        if self.bug is Bug.TINY_NUMBER and on_right:
            seen[3] += -1 / 1024 if alarm else 1 / 1024
        if self.bug is Bug.BYTE_ORDER and on_right:
            seen = seen.astype(">f4")
        if self.bug is Bug.STRIDES and on_right:
            seen = seen[::-1].copy()[::-1]
        if self.bug is Bug.DOUBLES:
            seen = seen.astype(np.float64)
        if self.bug is Bug.LIST:
            return seen.tolist()
        if self.bug is Bug.ONE_ARRAY:
            self._array[:] = seen
            seen = self._array
        if self.bug is Bug.CONSTANTS:
            seen = self._constants.setdefault((heard, alarm), seen)
        self._view = seen
        return seen

    def _info(self, heard):
        alarm = self._house["alarm"]
        mask = np.array([1, 1, 1, heard != SILENCE and not alarm], np.int8)
        if self.bug is Bug.MASK_KEPT:
            self._kept_mask[:] = mask
            mask = self._kept_mask
        if self.bug is Bug.MASK_SHORT:
            mask = mask[:3].copy()
        if self.bug is Bug.MASK_ALL:
            mask[:] = 1
        if self.bug is Bug.MASK_EMPTY and alarm:
            mask[:] = 0
        if self.bug is Bug.LATE_TYPE and self._clock >= LATE and self.safe == 1:
            mask = mask.astype(bool)
        info = {"action_mask": mask}
        if self.bug is Bug.SAFE_IN_INFO:
            info["safe"] = self.safe
        return info


def read_observation(agent, observation):
    left, right, _, alarm = (round(float(entry)) for entry in observation)
    return (0 if left else 1 if right else SILENCE), alarm


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="burglar",
    kind=Kind.GYMNASIUM,
    model=Burglar(),
    environment=BurglarEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
