"""Skirmish: three shooters with secret ammunition, of whom some are out while others play on."""

import random
import time
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils.seeding import np_random
from pettingzoo import ParallelEnv

from gametheory_core.arrays import ONE
from gametheory_core.distributions import (
    Distribution,
    distribution,
    point_mass,
    product,
    push_forward,
    uniform,
)
from tests.laws.planted.records import (
    APART,
    BEGINS,
    EACH_AGENT,
    ENDS,
    HIDDEN,
    IN_SPACE,
    INDEPENDENT,
    ITS_OWN,
    LEAVES,
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

ROUNDS = 8
HEALTH = 2
MOST_AMMO = 2
GUARD, NEXT, PREVIOUS = ACTIONS = ("guard", "shoot next", "shoot previous")
OUT = "out"
HIT = Fraction(3, 4)
FIND = Fraction(1, 2)


class Front(NamedTuple):
    """A state: the round, and each player's health and ammunition."""

    round: int
    health: tuple[int, ...]
    ammo: tuple[int, ...]


@dataclass(frozen=True)
class Skirmish:
    """The model.

    A shot at the next or the previous player in the ring takes 1 of one's ammunition, and hits with
    probability 3/4, unless the target guards. Each hit takes one of two health. Who has none left
    is out: it has the single action ``out`` and is paid nothing more. Who still lives finds 1 of
    ammunition with probability 1/2, and has no more than 2. A round costs what health it takes; the
    only one left gets 3.
    """

    title: str = field(default="Skirmish", init=False, repr=False)
    players: tuple[str, ...] = field(
        default=("player_0", "player_1", "player_2"), init=False, repr=False
    )
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int = ROUNDS

    def initial(self) -> Distribution[Any]:
        ammo = product([uniform((1, 2))] * 3)
        return push_forward(ammo, lambda each: Front(0, (HEALTH,) * 3, each))

    def initial_observation(self, state: Any) -> Distribution[Any]:
        return self.observation((), state)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        _, own, following, preceding, ammo = observation
        if not own:
            return (OUT,)
        shots = ((NEXT, following), (PREVIOUS, preceding))
        return (GUARD, *(shot for shot, health in shots if health and ammo))

    def is_terminal(self, state: Any) -> bool:
        return sum(health > 0 for health in state.health) < 2

    def transition(self, state: Any, joint_action: Any) -> Distribution[Any]:
        shots = [(i, _target(i, a)) for i, a in enumerate(joint_action) if a in {NEXT, PREVIOUS}]
        hit = distribution({1: HIT, 0: 1 - HIT})
        outcomes = product(
            [point_mass(0) if joint_action[target] == GUARD else hit for _, target in shots]
        )

        def health_after(hits: tuple[int, ...]) -> tuple[int, ...]:
            taken = [0, 0, 0]
            for (_, target), count in zip(shots, hits, strict=True):
                taken[target] += count
            return tuple(
                max(0, health - lost) for health, lost in zip(state.health, taken, strict=True)
            )

        shooters = [shooter for shooter, _ in shots]
        left = [ammo - (i in shooters) for i, ammo in enumerate(state.ammo)]
        after: dict[Any, Fraction] = {}
        for health, weight in push_forward(outcomes, health_after):
            found = product(
                [distribution({1: FIND * (h > 0), 0: 1 - FIND * (h > 0)}) for h in health]
            )
            for finds, odds in found:
                ammo = tuple(
                    min(MOST_AMMO, own + find) for own, find in zip(left, finds, strict=True)
                )
                front = Front(state.round + 1, health, ammo)
                after[front] = after.get(front, 0) + weight * odds
        return distribution(after)

    def observation(self, joint_action: Any, state: Any) -> Distribution[Any]:
        now, health, ammo = state
        return point_mass(
            tuple(
                (now, health[i], health[(i + 1) % 3], health[(i + 2) % 3], ammo[i])
                for i in range(3)
            )
        )

    def reward(self, state: Any, joint_action: Any, next_state: Any) -> tuple[int, ...]:
        won = 3 * (sum(health > 0 for health in next_state.health) == 1)
        return tuple(
            after - before + won * (after > 0)
            for before, after in zip(state.health, next_state.health, strict=True)
        )


def _target(player: int, action: str) -> int:
    return (player + (1 if action == NEXT else 2)) % 3


C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    HITS_SHARED = Fault(C.CHANCE, "all shots of a round hit, or none", INDEPENDENT)
    FINDS_SHARED = Fault(C.CHANCE, "all find ammunition, or none", INDEPENDENT)
    FULL_SHOOTS_WORSE = Fault(C.CHANCE, "who has 2 of ammunition hits with 1/2", ONE_LAW)
    LATE_SHOTS_HIT = Fault(C.CHANCE, "from round 4 on, shots always hit", ONE_LAW)
    THIRD_MISSES = Fault(C.CHANCE, "player_2 hits with 1/4", ONE_LAW)
    FINDS_IN_A_ROW = Fault(C.CHANCE, "who found ammunition finds more with 4/5", ITS_OWN)
    GUARD_LEAKS = Fault(C.CHANCE, "guards are hit with 1/4", ONE_LAW)
    GUARD_LASTS = Fault(C.CHANCE, "who guarded in the last round cannot be hit", ITS_OWN)
    MISSES_PERIODIC = Fault(C.CHANCE, "every fourth shot misses, from a random start", ITS_OWN)
    IN_ORDER = Fault(C.DYNAMICS, "who is out by an earlier player's shot no longer shoots", RULES)
    HITS_PAID = Fault(C.DYNAMICS, "each hit costs 1, even if there is no health to take", PAYS)
    THIRD_WINS_NOTHING = Fault(C.DYNAMICS, "player_2 is not paid for being the last", PAYS)
    PAID_AT_THE_LIMIT = Fault(C.DYNAMICS, "who lives at the time limit gets 1", PAYS)
    LATE_SHOTS_FREE = Fault(C.DYNAMICS, "from round 4 on, shots take no ammunition", RULES)
    ALL_END_AT_ONCE = Fault(C.DYNAMICS, "the first player out ends the game for all", ENDS)
    RISES_AGAIN = Fault(C.DYNAMICS, "who is out comes back two rounds later", LEAVES)
    MASK_TYPE = Fault(C.LEAK, "the mask is boolean if the next player has no ammunition", HIDDEN)
    KEY_ORDER = Fault(C.LEAK, "the order of keys tells whether the next is out of ammo", HIDDEN)
    STRIDES = Fault(C.LEAK, "an observation is a slice if the previous is out of ammo", HIDDEN)
    SHAPE = Fault(C.LEAK, "an observation is a row if the next is out of ammo", IN_SPACE)
    EXTRA_KEY = Fault(C.LEAK, "observations have a key with all ammunition", IN_SPACE)
    LATE_AMMO = Fault(C.LEAK, "from round 6 on, the round shown is 8 if all are armed", HIDDEN)
    ARMED_IN_INFOS = Fault(C.LEAK, "infos count the armed opponents", HIDDEN)
    MASK_BY_TARGET = Fault(C.LEAK, "masks forbid shooting who has no ammunition", MASKS)
    RANDOM_MODULE = Fault(C.SEEDING, "ammunition is found with Python's random", OWN_GENERATOR)
    HASH_ORDER = Fault(C.SEEDING, "agents draw in the order of a set of names", REPRODUCIBLE)
    CLOCK = Fault(C.SEEDING, "the clock draws ammunition from the second play on", REPRODUCIBLE)
    ONE_SEED = Fault(C.SEEDING, "each reset begins seed 0", SEED_MATTERS)
    SEED_TWICE = Fault(C.SEEDING, "the seed of the play before is not taken again", REPRODUCIBLE)
    DEFAULT_ARGUMENT = Fault(C.SHARED_STATE, "health is kept in a default argument", APART)
    MODULE_ROUND = Fault(C.SHARED_STATE, "the round is a global of the module", APART)
    MASK_BUFFER = Fault(C.ALIASING, "an agent gets one mask over and over", NEW_DATA)
    DICTIONARY_BUFFER = Fault(C.ALIASING, "an agent gets one dictionary, filled anew", NEW_DATA)
    HEALTH_IS_A_VIEW = Fault(
        C.ALIASING, "player_0 sees a view of the state: writing into it heals and hurts", NEW_DATA
    )
    DEAD_STAY = Fault(C.LIFE_CYCLE, "agents that are out stay listed", LEAVES)
    DEAD_VANISH = Fault(C.LIFE_CYCLE, "agents that are out leave without termination", EACH_AGENT)
    DEAD_PAID = Fault(C.LIFE_CYCLE, "agents that are out pay 1 in each later round", LEAVES)
    DEAD_KEYS = Fault(C.LIFE_CYCLE, "agents that are out keep entries of 0", LEAVES, True)
    LAST_CUT_OFF = Fault(C.LIFE_CYCLE, "the only one left is truncated, not terminated", ENDS)
    LAST_LEFT_ALONE = Fault(C.LIFE_CYCLE, "the only one left plays on to the time limit", ENDS)
    OUT_CUT_OFF = Fault(C.LIFE_CYCLE, "agents that are out are truncated as well", ENDS)
    BOTH_FLAGS = Fault(C.LIFE_CYCLE, "the time limit also terminates", ENDS)
    MASK_SHORT = Fault(C.LIFE_CYCLE, "masks have two entries", MASKS)
    MASK_EMPTY = Fault(C.LIFE_CYCLE, "who has no ammunition has nothing to do", MASKS)
    MASK_SHOOTS_DEAD = Fault(C.LIFE_CYCLE, "masks allow to shoot who is out", MASKS)
    DEAD_MUST_ACT = Fault(
        C.LIFE_CYCLE, "step wants actions of agents that are out", LEAVES, raises=KeyError
    )
    OLD_LAST_SIGHT = Fault(C.LIFE_CYCLE, "at the time limit agents see the round before", ONE_LAW)
    COUNT_LIES = Fault(C.LIFE_CYCLE, "num_agents is always 3", LEAVES)
    POSSIBLE_SHRINKS = Fault(C.LIFE_CYCLE, "who is out leaves possible_agents too", BEGINS)
    AMMO_LASTS = Fault(C.LIFE_CYCLE, "after a time limit ammunition is not dealt anew", BEGINS)


ROUND = [0]  # of MODULE_ROUND


class SkirmishEnv(ParallelEnv):
    """The environment: observations are dictionaries with masks."""

    metadata = {"name": "skirmish_v0", "render_modes": []}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        self.bug = bug
        self.render_mode = None
        self._names = [f"player_{i}" for i in range(3)]
        self.possible_agents = self._names[:]
        self.agents: list[str] = []
        top = np.array([ROUNDS, HEALTH, HEALTH, HEALTH, MOST_AMMO], dtype=np.int8)
        seen = [
            Dict(
                {
                    "observation": Box(np.zeros(5, np.int8), top, dtype=np.int8),
                    "action_mask": Box(0, 1, (3,), np.int8),
                }
            )
            for _ in range(3)
        ]
        self._seen = dict(zip(self.possible_agents, seen, strict=True))
        self._acts = {agent: Discrete(3) for agent in self.possible_agents}
        self._masks = {agent: np.zeros(3, np.int8) for agent in self.possible_agents}
        self._views_kept: dict[str, dict[str, Any]] = {a: {} for a in self.possible_agents}
        self._rng: Any = None
        self._seed: int | None = None
        self._episodes = 0
        self._cut = False

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    @property
    def num_agents(self):
        return 3 if self.bug is Bug.COUNT_LIES else len(self.agents)

    @property
    def now(self) -> int:
        return ROUND[0] if self.bug is Bug.MODULE_ROUND else self._round

    @now.setter
    def now(self, now: int) -> None:
        self._round = now
        if self.bug is Bug.MODULE_ROUND:
            ROUND[0] = now

    def reset(self, seed=None, options=None):
        again = self.bug is Bug.SEED_TWICE and seed is not None and seed == self._seed
        if self.bug is Bug.ONE_SEED:
            seed = 0
        if (seed is not None and not again) or self._rng is None:
            self._rng = np_random(seed)[0]
        self._seed = seed
        self._episodes += 1
        self.agents = self.possible_agents[:]
        self.now = 0
        self._health = self._full_health()
        ammo = self._rng.integers(1, 3, size=3)
        if self.bug is Bug.CLOCK and self._episodes > 1:
            ammo[:] = 1 + time.time_ns() // 1000 % 2
        if not (self.bug is Bug.AMMO_LASTS and self._cut):
            self._ammo = dict(zip(self._names, ammo.tolist(), strict=True))
        self._found = dict.fromkeys(self._names, False)
        self._guarded = dict.fromkeys(self._names, False)
        self._misses = 0
        self._shots = int(self._rng.integers(4))
        self._out_since: dict[str, int] = {}
        return self._views(self.agents, over=False)

    def _full_health(self, kept: dict[str, Any] = {}) -> dict[str, Any]:  # noqa: B006  (the bug)
        health = kept if self.bug is Bug.DEFAULT_ARGUMENT else {}
        health.update({a: np.int8(HEALTH * (a in self.agents)) for a in self._names})
        return health

    def step(self, actions):
        played = self.agents[:]
        if self.bug is Bug.DEAD_MUST_ACT:
            played = [agent for agent in self.possible_agents if actions[agent] is not None]
            played = [agent for agent in played if agent in self.agents]
        before = dict(self._health)
        old, _ = self._views(played, over=False)
        hits = self._shoot(played, actions)
        self._find(played)
        self._guarded = {agent: actions[agent] == 0 for agent in played}
        self.now += 1
        alive = [agent for agent in self.possible_agents if self._health[agent]]
        decided = len(alive) < (3 if self.bug is Bug.ALL_END_AT_ONCE else 2)
        if self.bug is Bug.LAST_LEFT_ALONE:
            decided = not alive
        cut = not decided and self.now == ROUNDS
        rewards = {
            agent: self._reward(agent, before, alive, cut, hits.count(agent)) for agent in played
        }
        terminations = {agent: decided or not self._health[agent] for agent in played}
        truncations = {agent: cut and not terminations[agent] for agent in played}
        if self.bug is Bug.LAST_CUT_OFF and decided and len(alive) == 1:
            terminations[alive[0]], truncations[alive[0]] = False, True
        if self.bug is Bug.OUT_CUT_OFF:
            truncations.update({agent: True for agent in played if not self._health[agent]})
        if self.bug is Bug.BOTH_FLAGS and cut:
            terminations = dict.fromkeys(played, True)
        observations, infos = self._views(played, over=decided)
        if self.bug is Bug.OLD_LAST_SIGHT and cut:
            observations = old
        self._cut = cut
        self._leave(played, terminations, truncations)
        if self.bug is Bug.RISES_AGAIN:
            for agent in set(self.agents) - set(played):
                observations[agent] = self._view(agent, over=False)
                rewards[agent], infos[agent] = 0.0, {}
                terminations[agent] = truncations[agent] = False
        if self.bug is Bug.DEAD_VANISH:
            for part in (observations, rewards, terminations, truncations, infos):
                for agent in [a for a in part if not self._health[a] and not decided]:
                    del part[agent]
        if self.bug in {Bug.DEAD_PAID, Bug.DEAD_KEYS}:
            for agent in self.possible_agents:
                if agent not in played:
                    rewards[agent] = -1.0 if self.bug is Bug.DEAD_PAID else 0.0
                    if self.bug is Bug.DEAD_KEYS:
                        terminations[agent], truncations[agent], infos[agent] = True, False, {}
                        observations[agent] = self._views([agent], over=True)[0][agent]
        return observations, rewards, terminations, truncations, infos

    def _leave(self, played, terminations, truncations):
        """Take agents that are done off the list."""
        gone = [agent for agent in played if terminations[agent] or truncations[agent]]
        everybody = all(terminations[agent] or truncations[agent] for agent in played)
        for agent in gone:
            self._out_since.setdefault(agent, self.now)
        if self.bug is not Bug.DEAD_STAY or everybody:
            self.agents = [agent for agent in self.agents if agent not in gone]
        if self.bug is Bug.POSSIBLE_SHRINKS and not everybody:
            self.possible_agents = [a for a in self.possible_agents if a not in gone]
        if self.bug is Bug.RISES_AGAIN and self.agents:
            back = [a for a in self._out_since if self.now - self._out_since[a] == 2]
            for agent in back:
                del self._out_since[agent]
                self._health[agent] = np.int8(1)
            self.agents = [a for a in self.possible_agents if a in self.agents or a in back]

    def _neighbor(self, agent, step):
        return f"player_{(int(agent[-1]) + step) % 3}"

    def _shoot(self, played, actions):
        """Let all shoot at once; return who was hit, with repetitions."""
        order = list(set(played)) if self.bug is Bug.HASH_ORDER else played
        together = self._rng.random()
        standing = dict(self._health)
        hits = []
        self._misses = 0
        for agent in order:
            if not actions[agent] or not standing[agent]:
                continue
            if self.bug is Bug.IN_ORDER and not self._health[agent]:
                continue
            target = self._neighbor(agent, int(actions[agent]))
            guarded = actions.get(target) == 0
            if self.bug is Bug.GUARD_LASTS:
                guarded = guarded or self._guarded.get(target, False)
            level = together if self.bug is Bug.HITS_SHARED else self._rng.random()
            is_hit = level < self._odds(agent) and not guarded
            if self.bug is Bug.GUARD_LEAKS and guarded:
                is_hit = level < 0.25
            if self.bug is Bug.MISSES_PERIODIC:
                self._shots += 1
                is_hit = self._shots % 4 != 0 and not guarded
            if not (self.bug is Bug.LATE_SHOTS_FREE and self.now >= 4):
                self._ammo[agent] -= 1
            self._misses += not guarded and not is_hit
            if is_hit:
                hits.append(target)
                self._health[target] = np.int8(max(0, self._health[target] - 1))
        return hits

    def _odds(self, agent):
        if self.bug is Bug.FULL_SHOOTS_WORSE and self._ammo[agent] == 2:
            return 0.5
        if self.bug is Bug.LATE_SHOTS_HIT and self.now >= 4:
            return 1.0
        if self.bug is Bug.THIRD_MISSES and agent == "player_2":
            return 0.25
        return 0.75

    def _find(self, played):
        together = self._rng.random()
        for agent in played:
            if not self._health[agent]:
                continue
            odds = 0.5
            if self.bug is Bug.FINDS_IN_A_ROW and self._found[agent]:
                odds = 0.8
            level = together if self.bug is Bug.FINDS_SHARED else self._rng.random()
            if self.bug is Bug.RANDOM_MODULE:
                level = random.random()  # noqa: S311  (the bug)
            self._found[agent] = level < odds
            self._ammo[agent] = min(MOST_AMMO, self._ammo[agent] + int(self._found[agent]))

    def _reward(self, agent, before, alive, cut, hits):
        lost = before[agent] - self._health[agent]
        reward = -float(hits if self.bug is Bug.HITS_PAID else lost)
        if alive == [agent] and not (self.bug is Bug.THIRD_WINS_NOTHING and agent == "player_2"):
            alone_before = sum(health > 0 for health in before.values()) == 1
            reward += 3.0 * (not alone_before)
        if self.bug is Bug.PAID_AT_THE_LIMIT and cut and agent in alive:
            reward += 1.0
        return reward

    def _views(self, agents, *, over):
        observations, infos = {}, {}
        for agent in agents:
            observations[agent] = self._view(agent, over=over)
            infos[agent] = {}
            if self.bug is Bug.ARMED_IN_INFOS:
                others = (self._neighbor(agent, 1), self._neighbor(agent, 2))
                infos[agent]["armed"] = sum(self._ammo[other] > 0 for other in others)
        return observations, infos

    def _view(self, agent, *, over):
        following, preceding = self._neighbor(agent, 1), self._neighbor(agent, 2)
        own, ammo = self._health[agent], self._ammo
        healths = [own, self._health[following], self._health[preceding]]
        seen = np.array([self.now, *healths, ammo[agent]], dtype=np.int8)
        mask = np.zeros(3, dtype=np.int8)
        if self.bug is Bug.MASK_BUFFER:
            mask = self._masks[agent]
        mask[:] = [1, ammo[agent] > 0 and healths[1] > 0, ammo[agent] > 0 and healths[2] > 0]
        if self.bug is Bug.MASK_BY_TARGET:
            mask[1:] &= np.array([ammo[following] > 0, ammo[preceding] > 0], dtype=np.int8)
        if self.bug is Bug.MASK_SHOOTS_DEAD:
            mask[1:] = ammo[agent] > 0
        if self.bug is Bug.MASK_EMPTY and not ammo[agent]:
            mask[:] = 0
        if over or not own:
            mask[:] = 0
        if self.bug is Bug.MASK_SHORT:
            mask = mask[:2].copy()
        if self.bug is Bug.MASK_TYPE and not ammo[following]:
            mask = mask.astype(bool)
        if self.bug is Bug.LATE_AMMO and self.now >= 6 and min(ammo.values()):
            seen[0] = ROUNDS
        if self.bug is Bug.STRIDES and not ammo[preceding]:
            seen = np.repeat(seen, 2)[::2]
        if self.bug is Bug.SHAPE and not ammo[following]:
            seen = seen[None]
        if self.bug is Bug.HEALTH_IS_A_VIEW and agent == "player_0":
            seen = self._state_of_first(seen)
        view = {"observation": seen, "action_mask": mask}
        if self.bug is Bug.KEY_ORDER and not ammo[following]:
            view = {"action_mask": mask, "observation": seen}
        if self.bug is Bug.EXTRA_KEY:
            view["ammo"] = np.array([*ammo.values()], dtype=np.int8)
        if self.bug is Bug.DICTIONARY_BUFFER:
            self._views_kept[agent].update(view)
            view = self._views_kept[agent]
        return view

    def _state_of_first(self, seen):
        """Return an array whose second entry is player_0's health from now on."""
        self._health["player_0"] = seen[1:2].reshape(())
        return seen


def read_observation(agent, observation):
    return tuple(int(entry) for entry in observation["observation"])


def write_action(agent, action):
    return ACTIONS.index(action)


GAME = Game(
    name="skirmish",
    kind=Kind.PARALLEL,
    model=Skirmish(),
    environment=SkirmishEnv,
    bugs=Bug,
    read_observation=read_observation,
    write_action=write_action,
)
