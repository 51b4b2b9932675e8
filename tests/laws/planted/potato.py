"""Hot potato: three pass it in turns; who holds it when it bursts is out while others play on."""

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
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform
from gametheory_core.games.tree_table import CHANCE
from tests.laws.planted.records import (
    APART,
    EACH_AGENT,
    ENDS,
    ENTROPY,
    GOES_ON,
    HIDDEN,
    INDEPENDENT,
    ITS_OWN,
    LAST,
    LEAVES,
    MASKS,
    NEW_DATA,
    OBSERVE,
    ONE_LAW,
    OWN_GENERATOR,
    PAYS,
    RULES,
    BugClass,
    Fault,
    Game,
    Kind,
)

HOTTEST = 2
PASS, HOLD, DUCK = ACTIONS = ("pass", "hold", "duck")


class Phase(Enum):
    """What happens next."""

    START = "shields are dealt"
    TURN = "the holder acts"
    RISK = "the potato may burst"


class Scene(NamedTuple):
    """A state: who holds the potato, its heat, and who has a shield and who is alive."""

    phase: Phase
    holder: int
    heat: int
    shields: tuple[bool, ...]
    alive: tuple[bool, ...]


@dataclass(frozen=True)
class Potato:
    """The model.

    Shields and the first holder are drawn evenly. To pass gives the potato to the next who is
    alive, to hold keeps it for a reward of 1; either way it then bursts with probability
    (heat + 1) / 4, and else gets hotter, up to 2. To duck takes one's shield, cools the potato and
    passes it without risk. Who is hit by a burst loses 1 and is out, and the next who is alive gets
    a cool one; the last alive wins 2. The holder sees their own shield, the heat, and whether the
    next and the previous player are alive. Players who are out are never asked again.
    """

    title: str = field(default="Hot potato", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = None
    initial_state: Scene = field(
        default=Scene(Phase.START, 0, 0, (False,) * 3, (True,) * 3), init=False, repr=False
    )

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        following, preceding = (player + 1) % 3, (player + 2) % 3
        alive = int(state.alive[following]), int(state.alive[preceding])
        return point_mass((int(state.shields[player]), state.heat, *alive))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        return ACTIONS if observation[0] else (PASS, HOLD)

    def is_terminal(self, state: Any) -> bool:
        return sum(state.alive) == 1

    def move(self, player: int, state: Any, action: str) -> Scene:
        receiver = next_alive(state.alive, player)
        if action == DUCK:
            shields = tuple(has and i != player for i, has in enumerate(state.shields))
            return Scene(Phase.TURN, receiver, 0, shields, state.alive)
        holder = player if action == HOLD else receiver
        return state._replace(phase=Phase.RISK, holder=holder)

    def chance(self, state: Any) -> Distribution[Scene]:
        if state.phase is Phase.START:
            return uniform(
                Scene(Phase.TURN, holder, 0, shields, state.alive)
                for holder in range(3)
                for shields in tuples((False, True), repeat=3)
            )
        risk = Fraction(state.heat + 1, 4)
        alive = tuple(lives and i != state.holder for i, lives in enumerate(state.alive))
        burst = Scene(Phase.TURN, next_alive(alive, state.holder), 0, state.shields, alive)
        hotter = state._replace(phase=Phase.TURN, heat=min(HOTTEST, state.heat + 1))
        return distribution({burst: risk, hotter: 1 - risk})

    def reward(self, state: Any, mover: int, action: Any, next_state: Any) -> Distribution[Any]:
        rewards = [0, 0, 0]
        if action == HOLD:
            rewards[mover] = 1
        for i in range(3):
            rewards[i] -= state.alive[i] and not next_state.alive[i]
            rewards[i] += 2 * (self.is_terminal(next_state) and next_state.alive[i])
        return point_mass(tuple(rewards))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        return point_mass(CHANCE if next_state.phase is Phase.RISK else next_state.holder)


def next_alive(alive: tuple[bool, ...], player: int) -> int:
    """Return the next player who is alive; the player itself if nobody else is."""
    return next(i % 3 for i in range(player + 1, player + 4) if alive[i % 3])


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    HEAT_DOES_NOTHING = Fault(C.CHANCE, "the potato bursts with 1/2, whatever its heat", ONE_LAW)
    SHIELDED_ARE_LUCKY = Fault(C.CHANCE, "a shield halves the risk of a burst", ITS_OWN)
    RISK_RISES = Fault(C.CHANCE, "when somebody is out, the risk is higher by 1/4", ONE_LAW)
    SAFE_AFTER_HOLDING = Fault(C.CHANCE, "it never bursts when passed after a hold", ITS_OWN)
    RISK_ADDS_UP = Fault(
        C.CHANCE, "it bursts when added risks pass 1, from a random start", ITS_OWN
    )
    SHIELDS_DIFFER = Fault(C.CHANCE, "never have all or none a shield", INDEPENDENT)
    SHIELDS_REMEMBERED = Fault(
        C.CHANCE, "unless seeded, shields are those of the last end", ONE_LAW
    )
    HOLDER_ROTATES = Fault(C.CHANCE, "unless seeded, the first holder goes around", ONE_LAW)
    HOLDER_SHIELDED = Fault(C.CHANCE, "the first holder is one with a shield", INDEPENDENT)
    SHIELD_STAYS = Fault(C.DYNAMICS, "ducking does not take the shield", RULES)
    DUCKING_STAYS_HOT = Fault(C.DYNAMICS, "ducking does not cool the potato", RULES)
    BURST_STAYS_HOT = Fault(C.DYNAMICS, "the potato after a burst is as hot as before", RULES)
    WINNER_UNPAID = Fault(C.DYNAMICS, "if player_2 wins, that is not paid", PAYS)
    HOLD_UNPAID_IN_BURST = Fault(C.DYNAMICS, "holding pays only if it does not burst", PAYS)
    PREVIOUS_GETS_IT = Fault(C.DYNAMICS, "after a burst the previous player gets it", RULES)
    THIRD_STEP_BACK = Fault(C.DYNAMICS, "if two are left, passing hits the passer", RULES)
    SHIELDS_IN_INFOS = Fault(C.LEAK, "infos count the shields", HIDDEN)
    MASK_OF_OTHER = Fault(C.LEAK, "the mask forbids to pass if the next has a shield", MASKS)
    OFF_TURN = Fault(C.LEAK, "off turn, observe shows the holder's shield as one's own", HIDDEN)
    STRIDES = Fault(C.LEAK, "arrays run backwards if the next player has a shield", HIDDEN)
    READ_ONLY = Fault(C.LEAK, "arrays are read-only if the previous has a shield", HIDDEN)
    INFO_ORDER = Fault(C.LEAK, "infos list first who has a shield", HIDDEN)
    HEAT_TYPE = Fault(C.LEAK, "with two left, masks are boolean if the other is shielded", HIDDEN)
    REPEATS_UNSEEDED = Fault(C.SEEDING, "each reset without a seed begins the same play", GOES_ON)
    COPIES_ALIKE = Fault(C.SEEDING, "never seeded, all copies play alike", ENTROPY)
    SPACE_GENERATOR = Fault(C.SEEDING, "bursts are drawn from an action space", OWN_GENERATOR)
    GLOBAL_ENTROPY = Fault(C.SEEDING, "first seeds are drawn with np.random", ENTROPY, True)
    CLASS_SHIELDS = Fault(C.SHARED_STATE, "the shields belong to the class", APART)
    MODULE_HEAT = Fault(C.SHARED_STATE, "the heat is a global of the module", APART)
    BUFFER = Fault(C.ALIASING, "all agents get one array over and over", NEW_DATA)
    MASK_IS_KEPT = Fault(C.ALIASING, "the mask is state: writing into it changes play", NEW_DATA)
    CUMULATIVE_IS_REWARDS = Fault(
        C.ALIASING, "cumulative rewards are the dictionary of rewards", LAST, raises=KeyError
    )
    DEAD_STAY = Fault(C.LIFE_CYCLE, "who is out stays listed after the dead step", LEAVES)
    DEAD_WAIT = Fault(C.LIFE_CYCLE, "who is out leaves when the game is over", LEAVES, True)
    DEAD_VANISH = Fault(C.LIFE_CYCLE, "who is out is gone without a dead step", EACH_AGENT)
    DEAD_PAID = Fault(C.LIFE_CYCLE, "who is out is paid -1/2 for later moves", LEAVES)
    WRONG_TURN = Fault(C.LIFE_CYCLE, "after a death the first agent moves, not the holder", RULES)
    WINNER_STAYS = Fault(C.LIFE_CYCLE, "the last one alive plays on alone", ENDS)
    WINNER_CUT_OFF = Fault(C.LIFE_CYCLE, "the last one alive is truncated", ENDS)
    NEVER_CLEARED = Fault(C.LIFE_CYCLE, "last() adds up all rewards since the reset", LAST)
    COUNTED_TWICE = Fault(C.LIFE_CYCLE, "last() counts rewards twice", LAST)
    STALE_REWARDS = Fault(C.LIFE_CYCLE, "rewards stay until the next payment", PAYS)
    INFO_OF_MOVER = Fault(C.LIFE_CYCLE, "infos has only the agent whose turn it is", EACH_AGENT)
    DEAD_MAY_ACT = Fault(
        C.LIFE_CYCLE, "a dead step with an action is taken", "the dead step takes None", True
    )
    DEAD_MUST_ACT = Fault(
        C.LIFE_CYCLE, "a dead step wants an action", "the dead step takes None", raises=TypeError
    )
    OBSERVE_DRAWS = Fault(C.LIFE_CYCLE, "observe draws whether the next is alive", OBSERVE)
    OBSERVE_HEATS = Fault(C.LIFE_CYCLE, "each observe heats the potato", OBSERVE)
    OBSERVE_TAKES_NUMBERS = Fault(C.LIFE_CYCLE, "observe takes random numbers from play", OBSERVE)
    ALWAYS_OBSERVES = Fault(
        C.LIFE_CYCLE, "last(observe=False) observes", "last(observe=False) returns None"
    )
    MOST_LIES = Fault(
        C.LIFE_CYCLE, "max_num_agents counts live agents", "it is the length of possible_agents"
    )
    MASK_EMPTY = Fault(C.LIFE_CYCLE, "with two left, who has no shield has no action", MASKS)
    STEP_RETURNS = Fault(C.LIFE_CYCLE, "step returns the observation", "step returns None")


HEAT = [0]  # of MODULE_HEAT


class PotatoEnv(AECEnv):
    """The environment: masks are in infos."""

    metadata = {"name": "potato_v0", "render_modes": [], "is_parallelizable": False}  # noqa: RUF012
    class_shields: dict[str, bool] = {}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        super().__init__()
        self.bug = bug
        self.render_mode = None
        self.possible_agents = [f"player_{i}" for i in range(3)]
        self.agents = []
        top = np.array([1, HOTTEST, 1, 1], np.int8)
        self._seen = {
            a: Box(np.zeros(4, np.int8), top, dtype=np.int8) for a in self.possible_agents
        }
        self._acts = {a: Discrete(3) for a in self.possible_agents}
        self._buffer = np.zeros(4, np.int8)
        self._rng: Any = None
        self._plays = 0
        self._shields: dict[str, bool] = {}
        self._first = 0

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    @property
    def max_num_agents(self):
        return len(self.agents if self.bug is Bug.MOST_LIES else self.possible_agents)

    @property
    def heat(self) -> int:
        return HEAT[0] if self.bug is Bug.MODULE_HEAT else self._heat

    @heat.setter
    def heat(self, heat: int) -> None:
        self._heat = heat
        if self.bug is Bug.MODULE_HEAT:
            HEAT[0] = heat

    @property
    def shields(self) -> dict[str, bool]:
        return self.class_shields if self.bug is Bug.CLASS_SHIELDS else self._shields

    def _seeded(self, seed):
        if self.bug is Bug.REPEATS_UNSEEDED and seed is None and self._rng is not None:
            seed = self._first_seed
        if self.bug is Bug.COPIES_ALIKE and seed is None and self._rng is None:
            seed = 17
        if self.bug is Bug.GLOBAL_ENTROPY and seed is None and self._rng is None:
            seed = int(np.random.randint(2**31))  # noqa: NPY002  (the bug)
        if seed is not None or self._rng is None:
            self._rng, self._first_seed = np_random(seed)
            if self.bug is Bug.SPACE_GENERATOR:
                self._acts["player_0"].seed(self._first_seed % 2**31)

    def reset(self, seed=None, options=None):
        self._seeded(seed)
        self._plays += 1
        again = self._plays > 1 and seed is None
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        if self.bug is Bug.CUMULATIVE_IS_REWARDS:
            self._cumulative_rewards = self.rewards
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        shields = self._rng.integers(2, size=3).astype(bool).tolist()
        while self.bug is Bug.SHIELDS_DIFFER and len(set(shields)) == 1:
            shields = self._rng.integers(2, size=3).astype(bool).tolist()
        if not (self.bug is Bug.SHIELDS_REMEMBERED and again):
            self.shields.update(zip(agents, shields, strict=True))
        holder = int(self._rng.integers(3))
        if self.bug is Bug.HOLDER_ROTATES and again:
            holder = (self._first + 1) % 3
        if self.bug is Bug.HOLDER_SHIELDED and any(shields):
            holder = int(self._rng.choice(np.flatnonzero(shields)))
        self._first = holder
        self.heat = 0
        self._level = self._rng.random()  # of RISK_ADDS_UP
        self._held = self._burst = False
        self._at_risk = holder
        self._masks = {agent: np.array([1, 1, s], np.int8) for agent, s in self.shields.items()}
        self.agent_selection = agents[holder]
        self._inform()

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            return self._dead_step(agent, action)
        if self.bug is not Bug.NEVER_CLEARED:
            self._cumulative_rewards[agent] = 0.0
        old = dict(self.rewards)
        self._clear_rewards()
        if self.bug is Bug.DEAD_PAID:
            self.rewards = dict.fromkeys(self.agents, 0.0)
        live = [a for a in self.agents if not self.terminations[a]]
        receiver = self._next_alive(agent)
        choice = ACTIONS[int(action)]
        if self.bug is Bug.MASK_IS_KEPT and not self._masks[agent][int(action)]:
            choice = PASS
        if choice == DUCK:
            if self.bug is not Bug.SHIELD_STAYS:
                self.shields[agent] = False
            if self.bug is not Bug.DUCKING_STAYS_HOT:
                self.heat = 0
            self.agent_selection = receiver
        else:
            holder = agent if choice == HOLD else receiver
            if self.bug is Bug.THIRD_STEP_BACK and len(live) == 2:
                holder = agent
            bursts = self._bursts(holder, choice, len(live))
            self._at_risk, self._burst = self.possible_agents.index(holder), bursts
            if choice == HOLD and not (self.bug is Bug.HOLD_UNPAID_IN_BURST and bursts):
                self.rewards[agent] += 1.0
            self.agent_selection = holder
            if bursts:
                self._out(holder)
            else:
                self.heat = min(HOTTEST, self.heat + 1)
        self._held = choice == HOLD
        if self.bug is Bug.STALE_REWARDS and not any(self.rewards.values()):
            self.rewards.update({a: r for a, r in old.items() if a in self.agents})
        if self.bug is not Bug.CUMULATIVE_IS_REWARDS:
            self._accumulate_rewards()
        if self.bug is Bug.COUNTED_TWICE:
            self._accumulate_rewards()
        if self.bug is Bug.DEAD_PAID:
            self.rewards.update({a: -0.5 for a in self.possible_agents if a not in self.agents})
        over = all(self.terminations[a] or self.truncations[a] for a in self.agents)
        if self.bug is not Bug.DEAD_WAIT or over:
            self._deads_step_first()
        self._inform()
        return self.observe(self.agent_selection) if self.bug is Bug.STEP_RETURNS else None

    def _dead_step(self, agent, action):
        if self.bug is Bug.DEAD_MAY_ACT:
            action = None
        if self.bug is Bug.DEAD_MUST_ACT:
            int(action)
            action = None
        kept = {a: self.terminations[a] for a in self.agents}
        self._was_dead_step(action)
        if self.bug is Bug.DEAD_STAY and self.agents and not all(self.terminations.values()):
            self.agents.append(agent)
            self.terminations.update(kept)
            self.truncations[agent] = False
            self.rewards[agent] = self._cumulative_rewards[agent] = 0.0
        if self.bug is Bug.WRONG_TURN and self.agents:
            self.agent_selection = self.agents[0]
        if self.agents:
            self._inform()

    def _next_alive(self, agent):
        names = self.possible_agents
        i = names.index(agent)
        ring = [names[(i + k) % 3] for k in (1, 2, 3)]
        if self.bug is Bug.PREVIOUS_GETS_IT and self.terminations.get(agent):
            ring = [ring[1], ring[0], ring[2]]
        return next((a for a in ring if a in self.agents and not self.terminations[a]), agent)

    def _bursts(self, holder, choice, num_live):
        risk = (self.heat + 1) / 4
        if self.bug is Bug.HEAT_DOES_NOTHING:
            risk = 0.5
        if self.bug is Bug.SHIELDED_ARE_LUCKY and self.shields[holder]:
            risk /= 2
        if self.bug is Bug.RISK_RISES and num_live == 2:
            risk += 0.25
        if self.bug is Bug.SAFE_AFTER_HOLDING and self._held and choice == PASS:
            risk = 0.0
        if self.bug is Bug.RISK_ADDS_UP:
            self._level += risk
            bursts, self._level = self._level >= 1, self._level % 1
            return bursts
        if self.bug is Bug.SPACE_GENERATOR:
            return bool(self._acts["player_0"].np_random.random() < risk)
        return bool(self._rng.random() < risk)

    def _out(self, victim):
        """Take who was hit out of the game, and end it if one is left."""
        self.terminations[victim] = True
        self.rewards[victim] -= 1.0
        if self.bug is not Bug.BURST_STAYS_HOT:
            self.heat = 0
        self.agent_selection = following = self._next_alive(victim)
        live = [a for a in self.agents if not self.terminations[a]]
        if len(live) == 1:
            if not (self.bug is Bug.WINNER_UNPAID and following == "player_2"):
                self.rewards[following] += 2.0
            if self.bug is Bug.WINNER_CUT_OFF:
                self.truncations[following] = True
            elif self.bug is not Bug.WINNER_STAYS:
                self.terminations[following] = True
        elif self.bug is Bug.DEAD_VANISH:
            self.agents.remove(victim)
            for part in (self.rewards, self._cumulative_rewards, self.terminations):
                del part[victim]
            del self.truncations[victim]

    def _inform(self):
        agents = self.agents
        if self.bug is Bug.INFO_ORDER:
            agents = sorted(agents, key=lambda a: not self.shields[a])
        self.infos = {agent: {"action_mask": self._mask(agent)} for agent in agents}
        if self.bug is Bug.SHIELDS_IN_INFOS:
            for agent in agents:
                self.infos[agent]["shields"] = sum(self.shields.values())
        if self.bug is Bug.INFO_OF_MOVER:
            self.infos = {a: self.infos[a] for a in agents if a == self.agent_selection}

    def _mask(self, agent):
        live = [a for a in self.agents if not self.terminations[a]]
        if agent != self.agent_selection or agent not in live:
            return np.zeros(3, np.int8)
        mask = np.array([1, 1, self.shields[agent]], np.int8)
        if self.bug is Bug.MASK_OF_OTHER:
            mask[0] = not self.shields[self._next_alive(agent)]
        if self.bug is Bug.MASK_EMPTY and len(live) == 2 and not self.shields[agent]:
            mask[:] = 0
        if self.bug is Bug.HEAT_TYPE and len(live) == 2 and self.shields[self._next_alive(agent)]:
            mask = mask.astype(bool)
        if self.bug is Bug.MASK_IS_KEPT:
            self._masks[agent][2] = min(self._masks[agent][2], mask[2])
            mask = self._masks[agent]
        return mask

    def observe(self, agent):
        i = self.possible_agents.index(agent)
        following, preceding = (f"player_{(i + k) % 3}" for k in (1, 2))
        if self.bug is Bug.OBSERVE_HEATS:
            self.heat = min(HOTTEST, self.heat + 1)
        if self.bug is Bug.OBSERVE_TAKES_NUMBERS:
            self._rng.random()
        alive = [a in self.agents and not self.terminations[a] for a in (following, preceding)]
        if self.bug is Bug.OBSERVE_DRAWS:
            alive[0] = bool(np_random()[0].integers(2))
        shield = self.shields[agent]
        if self.bug is Bug.OFF_TURN and self.agents:
            shield = self.shields[self.agent_selection]
        seen = np.array([shield, self.heat, *alive], np.int8)
        if self.bug is Bug.STRIDES and self.shields[following]:
            seen = seen[::-1].copy()[::-1]
        if self.bug is Bug.READ_ONLY and self.shields[preceding]:
            seen.flags.writeable = False
        if self.bug is Bug.BUFFER:
            self._buffer[:] = seen
            seen = self._buffer
        return seen

    def last(self, observe=True):  # noqa: FBT002  (as PettingZoo has it)
        return super().last(observe or self.bug is Bug.ALWAYS_OBSERVES)


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation)


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="potato",
    kind=Kind.AEC,
    model=Potato(),
    environment=PotatoEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
