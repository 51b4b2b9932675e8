"""PettingZoo environments written by hand: a game of sticks, and faults environments have."""

import random
import threading

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv


class Sticks(AECEnv):
    """Three take 1 or 2 of a pile in turn; who empties a pile of ``size`` wins 1, others lose 1/2.

    An agent who takes 2 twice is out of the game, which goes on. After ``limit`` turns all are cut
    off. Masks are in infos.
    """

    def __init__(self, size=5, limit=9):
        self.possible_agents = ["ann_0", "bob_0", "cyd_0"]
        self.size, self.limit = size, limit
        self.metadata = {"name": "sticks_v0"}
        self.render_mode = None

    def observation_space(self, agent):
        return Box(0, 99, (2,), np.int64)

    def action_space(self, agent):
        return Discrete(2, start=1)

    def observe(self, agent):
        return np.array([self.pile, self.greed[agent]])

    def reset(self, seed=None, options=None):
        self.agents = self.possible_agents[:]
        self.pile, self.turns = self.size, 0
        self.greed = dict.fromkeys(self.agents, 0)
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._skip_agent_selection = None
        self.agent_selection = self.agents[0]
        self._inform()

    def _inform(self):
        mask = np.array([1, self.pile > 1], dtype=np.int8)
        self.infos = {agent: {"action_mask": mask} for agent in self.agents}

    def step(self, action):
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self.turns += 1
        self.pile -= int(action)
        self.greed[agent] += action == 2
        self.rewards = dict.fromkeys(self.agents, 0)
        if self.pile == 0:
            self.rewards = {a: 1 if a == agent else -0.5 for a in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.turns == self.limit:
            self.truncations = dict.fromkeys(self.agents, True)
        elif self.greed[agent] == 2:
            self.terminations[agent] = True
        self._cumulative_rewards[agent] = 0
        self._accumulate_rewards()
        self.agent_selection = self._following(agent)
        self._inform()
        self._deads_step_first()

    def _following(self, agent):
        place = self.agents.index(agent)
        return next(
            (
                other
                for other in self.agents[place + 1 :] + self.agents[:place]
                if not self.terminations[other]
            ),
            agent,
        )


class MaskedInObservation(Sticks):
    """The mask is where PettingZoo's own board games have it."""

    def observation_space(self, agent):
        return Dict({"observation": Box(0, 99, (2,), np.int64), "action_mask": Box(0, 1, (2,))})

    def observe(self, agent):
        mask = np.array([1, self.pile > 1], dtype=np.int8)
        return {"observation": super().observe(agent), "action_mask": mask}

    def _inform(self):
        self.infos = {agent: {} for agent in self.agents}


class Unmasked(Sticks):
    """All actions are legal; too many sticks taken empty the pile."""

    def step(self, action):
        super().step(min(action, self.pile) if action else action)

    def _inform(self):
        self.infos = {agent: {} for agent in self.agents}


class RebuiltWhenCopied(Sticks, EzPickle):
    """A copy is a new environment, not yet reset."""

    def __init__(self):
        EzPickle.__init__(self)
        Sticks.__init__(self)


class RebuiltReadyWhenCopied(RebuiltWhenCopied):
    """A copy is a new environment that stands at its start."""

    def __init__(self):
        super().__init__()
        self.reset()


class NeverCopied(Sticks):
    """Holds something that cannot be copied."""

    def __init__(self):
        super().__init__()
        self.lock = threading.Lock()


class OneForAllCopies(Sticks):
    """A copy shares the state of the original."""

    def __init__(self):
        super().__init__()
        self.shared = {}

    def __deepcopy__(self, memo):
        other = type(self)()
        other.__dict__ = self.__dict__
        return other


class _OneOfAKind:
    """Cannot be doubled: its copy is itself."""

    def __deepcopy__(self, memo):
        return self


class OnePileForAllCopies(Sticks):
    """A copy takes from the pile of the original."""

    def __init__(self):
        self.heap = _OneOfAKind()
        super().__init__()

    @property
    def pile(self):
        return self.heap.count

    @pile.setter
    def pile(self, count):
        self.heap.count = count


class _Forgetful:
    """Holds a number that its pickle leaves out."""

    count = 4

    def __getstate__(self):
        return None


class ForgottenWhenCopied(OnePileForAllCopies):
    """A copy has another pile."""

    def __init__(self):
        super().__init__()
        self.heap = _Forgetful()


class Forgiving(Sticks):
    """Who takes 2 is not remembered."""

    def step(self, action):
        super().step(action)
        self.greed = dict.fromkeys(self.greed, 0)


class Dealt(Sticks):
    """The pile is drawn from the seed, as it should be."""

    def reset(self, seed=None, options=None):
        self.size = 3 + int(np.random.default_rng(seed).integers(100)) % 4
        super().reset(seed=seed)


class PaysWhenLeaving(Sticks):
    """Who leaves gives a quarter to each who stays."""

    def step(self, action):
        super().step(action)
        if action is None:
            self.rewards = dict.fromkeys(self.agents, 0.25)
            self._accumulate_rewards()


class CutOffForOne(Sticks):
    """At the end one agent is cut off, and the others have finished."""

    def __init__(self, unlucky):
        super().__init__()
        self.unlucky = unlucky

    def step(self, action):
        super().step(action)
        if action and self.pile == 0:
            self.truncations[self.unlucky] = True
            self.terminations[self.unlucky] = False


class UnseededObservation(Sticks):
    """What is seen is drawn from numbers that no seed governs."""

    def observe(self, agent):
        return super().observe(agent) + random.SystemRandom().randrange(2**20)


class UnseededInACorner(Sticks):
    """As above, but only where the first has taken 2 and two are left."""

    def observe(self, agent):
        noise = random.SystemRandom().randrange(2**20)
        return super().observe(agent) + noise * (self.pile == self.greed["ann_0"] + 1 == 2)


class RememberedRewards(Sticks):
    """The winner's prize grows with the plays since the environment was made."""

    won = 0

    def step(self, action):
        super().step(action)
        if action and self.pile == 0:
            self.won += 1
            self.rewards = {a: r * self.won for a, r in self.rewards.items()}


class RememberedOrder(Sticks):
    """Who begins changes with every reset."""

    begun = 0

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.begun += 1
        self.agent_selection = self.agents[self.begun % 3]


class RememberedEnd(Sticks):
    """The limit shrinks with every reset."""

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.limit = max(1, self.limit - 1)


class NothingLegal(Sticks):
    """The mask forbids everything."""

    def _inform(self):
        self.infos = {a: {"action_mask": np.zeros(2, dtype=np.int8)} for a in self.agents}


class BottomlessReward(Sticks):
    """Pays what is no number."""

    def step(self, action):
        super().step(action)
        self.rewards = dict.fromkeys(self.rewards, float("nan"))


class SetsObserved(Sticks):
    """Shows what has no label."""

    def observe(self, agent):
        return {1, 2}


class AnyNumber(Sticks):
    """Actions are real numbers."""

    def action_space(self, agent):
        return Box(0, 1, (1,))


class Strangers(Sticks):
    """Selects an agent that is not listed."""

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.agents.append("dan_0")
        self.terminations["dan_0"] = self.truncations["dan_0"] = False
        self.rewards["dan_0"] = 0
        self.infos["dan_0"] = {}
        self.agent_selection = "dan_0"


class OverAtReset(Sticks):
    """All agents are dead from the start."""

    def reset(self, seed=None, options=None):
        super().reset(seed=seed)
        self.truncations = dict.fromkeys(self.agents, True)
