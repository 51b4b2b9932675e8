"""Prospecting as an AEC environment: both act on what they saw before either did."""

from enum import Enum
from typing import Any

import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete
from gymnasium.utils.seeding import np_random
from pettingzoo import AECEnv

from tests.laws.planted import prospecting
from tests.laws.planted.prospecting import ACTIONS, NOTHING_YET, ROUNDS
from tests.laws.planted.records import (
    APART,
    BEGINS,
    EACH_AGENT,
    ENDS,
    HIDDEN,
    LAST,
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

C = BugClass


class Bug(Enum):
    """What may be wrong with the environment."""

    NEW_SIGN_EACH_PLAY = Fault(C.CHANCE, "the first sign of a play is always right", ONE_LAW)
    SIGN_BY_ACTION = Fault(C.CHANCE, "who waited sees a sign that is wrong with 1/2", ONE_LAW)
    CHANGES_BETWEEN = Fault(C.DYNAMICS, "player_0's digging may change the ground at once", RULES)
    ACTS_LATE = Fault(C.DYNAMICS, "player_0's action counts in the next round", RULES)
    PAID_ALONE = Fault(C.DYNAMICS, "each is paid as if the other had waited", PAYS)
    SECOND_SEES_FIRST = Fault(C.LEAK, "player_1 sees what player_0 does in this round", HIDDEN)
    SEES_FIRST_LATE = Fault(C.LEAK, "in the last round player_1 sees what player_0 does", HIDDEN)
    PAID_AT_ONCE = Fault(C.LEAK, "player_1 pays or gets 0.5 as soon as player_0 digs", HIDDEN)
    SECOND_SIGN = Fault(C.LEAK, "player_1's sign off turn is another draw than on turn", HIDDEN)
    ACTION_IN_INFOS = Fault(C.LEAK, "player_1's info has player_0's action", HIDDEN)
    ORDER_TELLS = Fault(C.LEAK, "player_1 acts first on rich ground", HIDDEN)
    OFF_TURN = Fault(C.LEAK, "off turn, player_1 sees player_0's sign", HIDDEN)
    GROUND_OFF_TURN = Fault(C.LEAK, "off turn, player_0 sees the ground as its sign", HIDDEN)
    SEEDS_LATER = Fault(C.SEEDING, "reset draws before it takes the seed", REPRODUCIBLE)
    SEEDS_WITH_CALLS = Fault(C.SEEDING, "a seeded play depends on earlier observing", REPRODUCIBLE)
    TINY_SEEDS = Fault(C.SEEDING, "all seeds above 3 give one play", SEED_MATTERS)
    CLASS_ACTIONS = Fault(C.SHARED_STATE, "pending actions belong to the class", APART)
    VIEW_IS_KEPT = Fault(C.ALIASING, "the round is counted in player_0's observation", NEW_DATA)
    REWARDS_KEPT = Fault(
        C.ALIASING, "all infos hold the rewards themselves, which change", NEW_DATA, disputable=True
    )
    TERMINATES = Fault(C.LIFE_CYCLE, "the time limit terminates and does not truncate", ENDS)
    ENDS_IN_MID_ROUND = Fault(C.LIFE_CYCLE, "play stops before player_1's last turn", ENDS)
    ONE_STAYS = Fault(
        C.LIFE_CYCLE, "player_1 stays listed after its dead step, for another one", LEAVES
    )
    STALE_REWARDS = Fault(
        C.LIFE_CYCLE, "rewards of a round stay for another turn, and count again", PAYS
    )
    FIRST_FORGETS = Fault(C.LIFE_CYCLE, "player_0's last() leaves out what the round paid", LAST)
    TURN_KEPT = Fault(C.LIFE_CYCLE, "a reset in mid-round leaves the turn where it is", BEGINS)
    ROUND_TWICE = Fault(C.LIFE_CYCLE, "in round 3 player_0 acts again instead of player_1", RULES)
    FLAGS_OF_LIVE = Fault(
        C.LIFE_CYCLE, "terminations has player_0 only", EACH_AGENT, raises=KeyError
    )


class ProspectingTurnsEnv(AECEnv):
    """The environment: player_0 acts, then player_1, then the round is played and paid."""

    metadata = {"name": "prospecting_turns_v0", "render_modes": [], "is_parallelizable": True}  # noqa: RUF012
    class_actions: dict[str, int] = {}  # noqa: RUF012

    def __init__(self, bug: Bug | None = None) -> None:
        super().__init__()
        self.bug = bug
        self.render_mode = None
        self.possible_agents = ["player_0", "player_1"]
        self.agents = []
        self._seen = {
            a: MultiDiscrete([ROUNDS + 1, 2, NOTHING_YET + 1]) for a in self.possible_agents
        }
        self._acts = {a: Discrete(2) for a in self.possible_agents}
        self._rng: Any = None
        self._actions: dict[str, int] = {}
        self._looks = 0
        self.agent_selection = "player_0"

    def observation_space(self, agent):
        return self._seen[agent]

    def action_space(self, agent):
        return self._acts[agent]

    @property
    def actions(self) -> dict[str, int]:
        return self.class_actions if self.bug is Bug.CLASS_ACTIONS else self._actions

    def reset(self, seed=None, options=None):
        if self.bug is Bug.TINY_SEEDS and seed is not None:
            seed = min(seed, 4)
        if self.bug is Bug.SEEDS_WITH_CALLS and seed is not None:
            seed += self._looks // 7
        early = None
        if self.bug is Bug.SEEDS_LATER and self._rng is not None:
            early = int(self._rng.integers(2))
        if seed is not None or self._rng is None:
            self._rng = np_random(seed)[0]
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        if self.bug is Bug.FLAGS_OF_LIVE:
            del self.terminations["player_1"]
        self.round = 0
        self._ground = int(self._rng.integers(2)) if early is None else early
        self._did = dict.fromkeys(agents, NOTHING_YET)
        self._late = 0
        self._stayed = False
        self.actions.clear()
        self._draw_signs()
        if self.bug is not Bug.TURN_KEPT:
            self.agent_selection = self._first()
        self._inform()

    def _first(self):
        return "player_1" if self.bug is Bug.ORDER_TELLS and self._ground else "player_0"

    def _is_wrong(self, agent):
        odds = 0.25
        if self.bug is Bug.NEW_SIGN_EACH_PLAY and not self.round:
            odds = 0.0
        if self.bug is Bug.SIGN_BY_ACTION and self._did[agent] == 0:
            odds = 0.5
        return self._rng.random() < odds

    def _draw_signs(self):
        self._views = {}
        for agent, other in (("player_0", "player_1"), ("player_1", "player_0")):
            sign = 1 - self._ground if self._is_wrong(agent) else self._ground
            self._views[agent] = np.array([self.round, sign, self._did[other]])

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            if self.bug is Bug.ONE_STAYS and agent == "player_1" and not self._stayed:
                self.agents, self._stayed, self.agent_selection = [agent], True, agent
                self.rewards, self._cumulative_rewards = {agent: 0.0}, {agent: 0.0}
                self.terminations, self.truncations = {agent: False}, {agent: True}
                self.infos = {agent: {}}
            return
        self._cumulative_rewards[agent] = 0.0
        other = "player_1" if agent == "player_0" else "player_0"
        if self.bug is not Bug.STALE_REWARDS or self.actions:
            self._clear_rewards()
        self.actions[agent] = int(action)
        again = self.bug is Bug.ROUND_TWICE and self.round == 3 and agent == "player_0"
        if again and not self._late:
            self._late = 1
        elif len(self.actions) == 1 and not again:
            self._between(agent, other)
        else:
            self._play_round()
        self._accumulate_rewards()
        if self.bug is Bug.FIRST_FORGETS and not self.actions:
            self._cumulative_rewards["player_0"] = 0.0
        cut = self.round == ROUNDS
        if self.bug is Bug.ENDS_IN_MID_ROUND and self.round == ROUNDS - 1 and self.actions:
            cut = True
        if cut:
            terminates = self.bug is Bug.TERMINATES
            self.terminations = dict.fromkeys(self.agents, terminates)
            self.truncations = dict.fromkeys(self.agents, not terminates)
            self._deads_step_first()
        self._inform()

    def _between(self, agent, other):
        """Pass the turn on."""
        self.agent_selection = other
        dug = self.actions[agent] == 1
        if self.bug is Bug.PAID_AT_ONCE and agent == "player_0" and dug:
            self.rewards["player_1"] += 0.5 if self._ground else -0.5
        if self.bug is Bug.CHANGES_BETWEEN and dug and self._rng.random() < 0.5:
            self._ground = 1 - self._ground
        late = self.bug is Bug.SEES_FIRST_LATE and self.round == ROUNDS - 1
        if agent == "player_0" and (late or self.bug is Bug.SECOND_SEES_FIRST):
            self._views["player_1"][2] = self.actions["player_0"]
        if self.bug is Bug.SECOND_SIGN:
            sign = 1 - self._ground if self._is_wrong(other) else self._ground
            self._views[other][1] = sign

    def _play_round(self):
        """Pay both, change the ground and begin the next round."""
        actions = {agent: self.actions.get(agent, 0) for agent in self.agents}
        if self.bug is Bug.ACTS_LATE:
            actions["player_0"], self._late = self._late, actions["player_0"]
        num_dug = sum(actions.values())
        for agent, action in actions.items():
            alone = num_dug == 1 or self.bug is Bug.PAID_ALONE
            self.rewards[agent] += float(action * ((2 if alone else 1) if self._ground else -1))
        if self._rng.random() < (0.5 if num_dug else 0.25):
            self._ground = 1 - self._ground
        self.round += 1
        if self.bug is Bug.VIEW_IS_KEPT:
            self.round = int(self._views["player_0"][0]) + 1
        self._did = {agent: self.actions.get(agent, 0) for agent in self.agents}
        self.actions.clear()
        self._draw_signs()
        self.agent_selection = self._first()

    def _inform(self):
        self.infos = {agent: {} for agent in self.agents}
        if self.bug is Bug.REWARDS_KEPT:
            self.infos = {agent: {"paid": self.rewards} for agent in self.agents}
        if self.bug is Bug.ACTION_IN_INFOS and "player_0" in self.actions:
            self.infos["player_1"]["other"] = self.actions["player_0"]

    def observe(self, agent):
        self._looks += 1
        seen = self._views[agent]
        if self.bug is Bug.VIEW_IS_KEPT:
            return seen
        seen = seen.copy()
        if agent != self.agent_selection:
            if self.bug is Bug.OFF_TURN and agent == "player_1":
                seen[1] = self._views["player_0"][1]
            if self.bug is Bug.GROUND_OFF_TURN and agent == "player_0":
                seen[1] = self._ground
        return seen


GAME = Game(
    name="prospecting in turns",
    kind=Kind.AEC,
    model=prospecting.Prospecting(),
    environment=ProspectingTurnsEnv,
    bugs=Bug,
    read_observation=prospecting.read_observation,
    write_action=lambda agent, action: ACTIONS.index(action),
)
