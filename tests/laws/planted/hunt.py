"""Hunt: a hider and a seeker on a ring hear each other dimly; twelve rounds, then time is up."""

import time
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from itertools import product as pairs
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform
from gametheory_core.games.tree_table import CHANCE
from tests.laws.planted.records import (
    APART,
    BEGINS,
    ENDS,
    HIDDEN,
    INDEPENDENT,
    ITS_OWN,
    LEAVES,
    NEW_DATA,
    ONE_LAW,
    OWN_GENERATOR,
    PAYS,
    REPRODUCIBLE,
    RULES,
    SAME_SPACE,
    SEED_MATTERS,
    BugClass,
    Fault,
    Game,
    Kind,
)

ROUNDS = 12
CELLS = 5
LATE = 10
FAR, NEAR, NOTHING = 0, 1, 2
ACTIONS = ("back", "stay", "forward")
SLIP = MISHEARD = Fraction(1, 4)
HIDER, SEEKER = "hider_0", "seeker_0"


class Phase(Enum):
    """What happens next."""

    START = "both are put on the ring"
    HIDER = "the hider's turn"
    HIDER_MOVES = "the hider moves, or slips"
    SEEKER = "the seeker's turn"
    SEEKER_MOVES = "the seeker moves, or slips"


class Ring(NamedTuple):
    """A state: where the hider and the seeker are, whether the last round ended in a catch."""

    phase: Phase
    round: int
    cells: tuple[int, int]
    caught: int
    step: int


@dataclass(frozen=True)
class Hunt:
    """The model.

    Both begin anywhere on a ring of 5 cells. In each round first the hider, then the seeker goes
    one step or stays; a step fails with probability 1/4. If the seeker then stands on the hider's
    cell, it wins 1 from the hider, who is put on any cell. Who has the turn knows the round, their
    own cell, whether the last round ended in a catch, and hears whether the other is near (within
    one step) or far; what is heard is wrong with probability 1/4.
    """

    title: str = field(default="Hunt", init=False, repr=False)
    players: tuple[str, ...] = field(default=(HIDER, SEEKER), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = 1 + 4 * ROUNDS  # each round has two moves of players and two of chance
    initial_state: Ring = field(default=Ring(Phase.START, 0, (0, 0), 0, 0), init=False, repr=False)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        heard = int(is_near(*state.cells))
        known = (state.round, state.cells[player], state.caught)
        return distribution({(*known, heard): 1 - MISHEARD, (*known, 1 - heard): MISHEARD})

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return ACTIONS

    def is_terminal(self, state: Any) -> bool:
        return False

    def move(self, player: int, state: Any, action: str) -> Ring:
        phase = Phase.HIDER_MOVES if player == 0 else Phase.SEEKER_MOVES
        return state._replace(phase=phase, step=ACTIONS.index(action) - 1)

    def chance(self, state: Any) -> Distribution[Ring]:
        hider, seeker = state.cells
        if state.phase is Phase.START:
            return uniform(
                Ring(Phase.HIDER, 0, cells, 0, 0) for cells in pairs(range(CELLS), repeat=2)
            )
        steps = {state.step: 1 - SLIP, 0: SLIP} if state.step else {0: ONE}
        after: dict[Ring, Fraction] = {}
        for step, weight in steps.items():
            if state.phase is Phase.HIDER_MOVES:
                cells = ((hider + step) % CELLS, seeker)
                outcomes = [Ring(Phase.SEEKER, state.round, cells, state.caught, 0)]
            else:
                reached = (seeker + step) % CELLS
                caught = int(reached == hider)
                outcomes = [
                    Ring(Phase.HIDER, state.round + 1, (cell, reached), caught, 0)
                    for cell in (range(CELLS) if caught else [hider])
                ]
            for ring in outcomes:
                after[ring] = after.get(ring, 0) + weight / len(outcomes)
        return distribution(after)

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        paid = int(state.phase is Phase.SEEKER_MOVES and next_state.caught)
        return point_mass((-paid, paid))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        turns = {Phase.HIDER: 0, Phase.SEEKER: 1}
        return point_mass(turns.get(next_state.phase, CHANCE))


def is_near(first: int, second: int) -> bool:
    """Tell whether two cells are at most one step apart on the ring."""
    return (first - second) % CELLS in {0, 1, CELLS - 1}


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    SLIPS_LATE = Fault(C.CHANCE, "from round 8 on, steps fail with 1/2", ONE_LAW)
    SLIPS_AT_ZERO = Fault(C.CHANCE, "steps from cell 0 fail with 1/2", ONE_LAW)
    SLIPS_TOGETHER = Fault(C.CHANCE, "the seeker slips if the hider just did", INDEPENDENT)
    SLIPS_NEVER_TWICE = Fault(C.CHANCE, "an agent never slips twice in succession", ITS_OWN)
    SLIPS_PERIODIC = Fault(C.CHANCE, "every fourth step fails, from a random start", ITS_OWN)
    ERRORS_STICK = Fault(C.CHANCE, "after an error in hearing the next is likely", ITS_OWN)
    ERRORS_PERIODIC = Fault(C.CHANCE, "every fourth sound is wrong, from a random start", ITS_OWN)
    OLD_SOUND = Fault(C.CHANCE, "what is heard is how it was before the last move", ONE_LAW)
    STILL_HEARS_BETTER = Fault(C.CHANCE, "who stayed hears nearly without error", ITS_OWN)
    DEAF_LATE = Fault(C.CHANCE, "in the last two rounds the seeker hears noise", ONE_LAW)
    DEAF_AGAIN = Fault(C.CHANCE, "from the second play on, all hear noise", ONE_LAW)
    NEVER_PUT_HERE = Fault(C.CHANCE, "the caught hider is put on another cell", ONE_LAW)
    PUT_ON_ZERO = Fault(C.CHANCE, "from the second catch on, the hider is put on 0", ONE_LAW)
    START_APART = Fault(C.CHANCE, "they never begin on one cell", INDEPENDENT)
    START_WHERE_ENDED = Fault(C.CHANCE, "unless seeded, play begins where it ended", ONE_LAW)
    CAUGHT_WHEN_HIDING = Fault(C.DYNAMICS, "a hider who steps onto the seeker is caught", RULES)
    THIRD_CATCH_FREE = Fault(C.DYNAMICS, "from the third catch on, the hider pays nothing", PAYS)
    LINE = Fault(C.DYNAMICS, "the seeker cannot pass between cells 4 and 0", RULES)
    ELEVEN_ROUNDS = Fault(C.DYNAMICS, "from the second play on, a round is missing", ENDS)
    LATE_CATCH_ENDS = Fault(C.DYNAMICS, "a catch in the last two rounds ends the game", ENDS)
    LATE_PARITY = Fault(C.LEAK, "in the last two rounds the seeker hears an odd cell", HIDDEN)
    LATE_CELL = Fault(C.LEAK, "in the last two rounds nobody mishears", HIDDEN)
    LATE_BYTE_ORDER = Fault(C.LEAK, "late, the byte order tells if the other is past 2", HIDDEN)
    LATE_INFO = Fault(C.LEAK, "late, a number in infos hides the other's cell", HIDDEN)
    LATE_KEYS = Fault(C.LEAK, "late, infos has as many keys as the other's cell", HIDDEN)
    LATE_OFF_TURN = Fault(C.LEAK, "late, observe off turn shows the other's cell", HIDDEN)
    OFF_TURN = Fault(C.LEAK, "observe off turn shows the other's observation", HIDDEN)
    STRIDES = Fault(C.LEAK, "arrays are slices if the other is near", HIDDEN)
    TYPE_OF_REWARD = Fault(C.LEAK, "no reward is 0 or 0.0, as the other is near", HIDDEN, True)
    FIRST_SEED_ONLY = Fault(C.SEEDING, "only the first seed is taken", SEED_MATTERS)
    NUMPY_GLOBAL = Fault(C.SEEDING, "hearing draws from np.random", OWN_GENERATOR)
    CLOCK = Fault(C.SEEDING, "the clock says where a caught hider is put", REPRODUCIBLE)
    HASH_ORDER = Fault(C.SEEDING, "cells are dealt in the order of a set of names", REPRODUCIBLE)
    ZERO_IS_NO_SEED = Fault(C.SEEDING, "seed 0 is taken for no seed", REPRODUCIBLE)
    CLASS_CELLS = Fault(C.SHARED_STATE, "the cells belong to the class", APART)
    CLASS_ROUND = Fault(C.SHARED_STATE, "the round belongs to the class", APART)
    CELL_IN_VIEW = Fault(C.ALIASING, "writing into an observation moves the agent", NEW_DATA)
    INFOS_KEPT = Fault(
        C.ALIASING, "an agent's info is one dictionary, changed later", NEW_DATA, disputable=True
    )
    BOTH_FLAGS = Fault(C.LIFE_CYCLE, "the time limit also terminates", ENDS)
    TERMINATES = Fault(C.LIFE_CYCLE, "the time limit terminates and does not truncate", ENDS)
    SEEKER_STAYS = Fault(C.LIFE_CYCLE, "at the time limit the seeker has one more turn", ENDS)
    GONE_AT_ONCE = Fault(C.LIFE_CYCLE, "at the time limit agents go without dead steps", LEAVES)
    CAUGHT_STAYS = Fault(C.LIFE_CYCLE, "reset does not clear the last round's catch", BEGINS)
    NEW_SPACES = Fault(C.LIFE_CYCLE, "observation_space makes a new one each time", SAME_SPACE)
    HIDER_SKIPPED = Fault(C.LIFE_CYCLE, "in round 5 the hider has no turn", RULES)


class HuntEnv(AECEnv):
    """The environment; off turn, agents see what they saw at their own last turn."""

    metadata = {"name": "hunt_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    class_cells: dict[str, int] = {}  # noqa: RUF012
    class_round: list[int] = [0]  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        super().__init__()
        self.bug = bug
        self.render_mode = None
        self.possible_agents = [HIDER, SEEKER]
        self.agents = []
        self._top = np.array([ROUNDS, CELLS - 1, 1, NOTHING])
        self._seen = {a: self._new_space() for a in self.possible_agents}
        self._acts = {a: Discrete(3) for a in self.possible_agents}
        self._rng: Any = None
        self._plays = 0
        self._caught = 0
        self._cells: dict[str, int] = {}
        self._kept: dict[str, dict[str, Any]] = {a: {} for a in self.possible_agents}

    def _new_space(self):
        return Box(np.zeros(4), self._top, dtype=np.int16)

    def observation_space(self, agent):
        return self._new_space() if self.bug is Bug.NEW_SPACES else self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    @property
    def cells(self) -> dict[str, int]:
        return self.class_cells if self.bug is Bug.CLASS_CELLS else self._cells

    @property
    def now(self) -> int:
        return self.class_round[0] if self.bug is Bug.CLASS_ROUND else self._round

    @now.setter
    def now(self, now: int) -> None:
        self._round = now
        if self.bug is Bug.CLASS_ROUND:
            self.class_round[0] = now

    def reset(self, seed=None, options=None):
        taken = seed is not None and not (self.bug is Bug.ZERO_IS_NO_SEED and not seed)
        if self.bug is Bug.FIRST_SEED_ONLY and self._rng is not None:
            taken = False
        if taken or self._rng is None:
            self._rng = np_random(seed if taken else None)[0]
        rng = self._rng
        self._plays += 1
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        self.infos = {agent: {} for agent in agents}
        self.now = self._catches = 0
        if self.bug is not Bug.CAUGHT_STAYS:
            self._caught = 0
        first, second = rng.integers(CELLS, size=2).tolist()
        if self.bug is Bug.START_APART and first == second:
            second = (first + int(rng.integers(1, CELLS))) % CELLS
        if not (self.bug is Bug.START_WHERE_ENDED and seed is None and self._plays > 1):
            order = list(set(agents)) if self.bug is Bug.HASH_ORDER else agents
            self.cells.update(zip(order, (first, second), strict=True))
        self._slipped = dict.fromkeys(agents, False)
        self._misheard = {agent: bool(rng.random() < 0.25) for agent in agents}
        self._phases = dict(zip(agents, rng.integers(4, size=2).tolist(), strict=True))
        self._steps = dict.fromkeys(agents, 0)
        self._was_near = is_near(first, second)
        self._action = dict.fromkeys(agents, 0)
        self._views = {
            agent: np.array([0, self.cells[agent], 0, NOTHING], np.int16) for agent in agents
        }
        self.agent_selection = HIDER
        self._look(HIDER)

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.bug is Bug.CELL_IN_VIEW:
            self.cells[agent] = int(self._views[agent][1])
        step = self._action[agent] = int(action) - 1
        self._was_near = self._is_near()
        if step and not self._slips(agent):
            self._go(agent, step)
        late = self.now >= LATE
        if agent == SEEKER or (self.bug is Bug.CAUGHT_WHEN_HIDING and self._is_caught()):
            self._judge()
        if self.bug is Bug.TYPE_OF_REWARD and not any(self.rewards.values()) and self._is_near():
            self.rewards = dict.fromkeys(self.agents, 0.0)
        self._accumulate_rewards()
        if agent == SEEKER:
            self.now += 1
        self._turn(SEEKER if agent == HIDER else HIDER, late)

    def _turn(self, agent, late):
        """Give the turn to an agent, or end play."""
        if self.bug is Bug.HIDER_SKIPPED and self.now == 5:
            agent = SEEKER
        rounds = ROUNDS - (self.bug is Bug.ELEVEN_ROUNDS and self._plays > 1)
        self.agent_selection = agent
        if self.bug is Bug.LATE_CATCH_ENDS and late and self._caught and agent == HIDER:
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.now >= rounds:
            both = self.bug is Bug.BOTH_FLAGS or self.bug is Bug.TERMINATES
            self.terminations = dict.fromkeys(self.agents, both)
            self.truncations = dict.fromkeys(self.agents, self.bug is not Bug.TERMINATES)
            if self.bug is Bug.SEEKER_STAYS:
                self.agent_selection = SEEKER
                self.truncations[SEEKER] = HIDER not in self.agents
        over = [a for a in self.agents if self.terminations[a] or self.truncations[a]]
        for seeing in over or [agent]:
            self._look(seeing)
        if over and self.bug is Bug.GONE_AT_ONCE:
            self.agents = []
        elif over:
            self._deads_step_first()

    def _is_near(self):
        return is_near(*self.cells.values())

    def _is_caught(self):
        return self.cells[HIDER] == self.cells[SEEKER]

    def _go(self, agent, step):
        reached = self.cells[agent] + step
        if self.bug is Bug.LINE and agent == SEEKER:
            reached = min(max(reached, 0), CELLS - 1)
        self.cells[agent] = reached % CELLS

    def _slips(self, agent):
        """Draw whether a step fails."""
        odds = 0.25
        if self.bug is Bug.SLIPS_LATE and self.now >= 8:
            odds = 0.5
        if self.bug is Bug.SLIPS_AT_ZERO and not self.cells[agent]:
            odds = 0.5
        if self.bug is Bug.SLIPS_TOGETHER and agent == SEEKER and self._action[HIDER]:
            odds = float(self._slipped[HIDER])
        if self.bug is Bug.SLIPS_NEVER_TWICE and self._steps[agent]:
            odds = 0.0 if self._slipped[agent] else 1 / 3
        slips = bool(self._rng.random() < odds)
        if self.bug is Bug.SLIPS_PERIODIC:
            slips = (self._steps[agent] + self._phases[agent]) % 4 == 0
        self._steps[agent] += 1
        self._slipped[agent] = slips
        return slips

    def _judge(self):
        """See whether the hider is caught, pay, and put it elsewhere."""
        self._caught = int(self._is_caught())
        if not self._caught:
            return
        self._catches += 1
        free = self.bug is Bug.THIRD_CATCH_FREE and self._catches >= 3
        paid = {HIDER: 0.0 if free else -1.0, SEEKER: 1.0}
        self.rewards.update({a: paid[a] for a in self.agents})
        cell = int(self._rng.integers(CELLS))
        if self.bug is Bug.NEVER_PUT_HERE:
            cell = (self.cells[SEEKER] + int(self._rng.integers(1, CELLS))) % CELLS
        if self.bug is Bug.PUT_ON_ZERO and self._catches >= 2:
            cell = 0
        if self.bug is Bug.CLOCK:
            cell = time.time_ns() // 1000 % CELLS
        self.cells[HIDER] = cell

    def _mishears(self, agent):
        """Draw whether what is heard is wrong."""
        late = self.now >= LATE
        odds = 0.25
        if self.bug is Bug.ERRORS_STICK:
            odds = 0.75 if self._misheard[agent] else 1 / 12
        if self.bug is Bug.STILL_HEARS_BETTER and self.now and not self._action[agent]:
            odds = 0.02
        if self.bug is Bug.DEAF_LATE and late and agent == SEEKER:
            odds = 0.5
        if self.bug is Bug.DEAF_AGAIN and self._plays > 1:
            odds = 0.5
        if self.bug is Bug.LATE_CELL and late:
            odds = 0.0
        draw = np.random.random if self.bug is Bug.NUMPY_GLOBAL else self._rng.random
        wrong = bool(draw() < odds)
        if self.bug is Bug.ERRORS_PERIODIC:
            wrong = (self.now + self._phases[agent]) % 4 == 0
        self._misheard[agent] = wrong
        return wrong

    def _look(self, agent):
        """Let an agent see and hear, once a turn."""
        late = self.now >= LATE
        other = SEEKER if agent == HIDER else HIDER
        near = self._was_near if self.bug is Bug.OLD_SOUND else self._is_near()
        heard = int(near != self._mishears(agent))
        if self.bug is Bug.LATE_PARITY and late and agent == SEEKER:
            heard = self.cells[HIDER] % 2
        seen = np.array([min(self.now, ROUNDS), self.cells[agent], self._caught, heard], np.int16)
        if self.bug is Bug.LATE_BYTE_ORDER and late and self.cells[other] > 2:
            seen = seen.astype(">i2")
        if self.bug is Bug.STRIDES and self._is_near():
            seen = np.repeat(seen, 2)[::2]
        self._views[agent] = seen
        info: dict[str, Any] = {}
        if self.bug is Bug.LATE_INFO and late:
            info["check"] = (7 * self.cells[other] + 3) % 11
        if self.bug is Bug.LATE_KEYS and late:
            info = {f"key_{k}": 0 for k in range(self.cells[other])}
        if self.bug is Bug.INFOS_KEPT:
            self._kept[agent]["round"] = self.now
            info = self._kept[agent]
        self.infos = {a: info if a == agent else self.infos[a] for a in self.agents}

    def observe(self, agent):
        seen = self._views[agent]
        if agent != self.agent_selection and self.agents:
            if self.bug is Bug.OFF_TURN:
                seen = self._views[self.agent_selection]
            if self.bug is Bug.LATE_OFF_TURN and self.now >= LATE:
                seen = seen.copy()
                seen[1] = self.cells[self.agent_selection]
        if self.bug is Bug.CELL_IN_VIEW:
            return seen
        return np.repeat(seen, 2)[::2] if seen.strides[0] > 2 else seen.copy()


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation)


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="hunt",
    kind=Kind.AEC,
    model=Hunt(),
    environment=HuntEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
