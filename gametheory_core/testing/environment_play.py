"""Environments as they are played, each kind as the same kind of table.

Each kind of environment becomes a *table* with two methods, ``reset(seed)`` and ``step(actions)``,
each returning a ``Look``. What the interfaces promise whatever the game is checked on the way:
observations lie in their space, rewards are numbers, every agent has its entries, agents leave when
they have ended. Neither PettingZoo nor Gymnasium is needed: an environment with ``last`` is played
in turns, one with ``possible_agents`` at once, any other by a single agent.
"""

import copy
import math
from collections.abc import Iterable
from typing import Any

from gametheory_core.testing.environment_content import Lent, fingerprint, lent_of
from gametheory_core.testing.environment_contract import (
    end_by,
    end_of,
    refuse_leaving,
    require_agents,
    require_entries,
    require_in_space,
    require_kept_actions,
    require_mapping,
    require_no_entries_of_others,
    require_same_answer,
    require_same_spaces,
    reward_of,
    tuple_of,
)
from gametheory_core.testing.environment_forecast import End
from gametheory_core.testing.environment_laws import EnvironmentLaw, Story, broken
from gametheory_core.testing.environment_look import Look, Table, look_of

ROUNDING = 1e-9  # of sums of rewards, relative
SOLE = "agent"  # of a Gymnasium environment
PARTS = ("observation", "reward", "termination", "truncation", "info")


class JointTable:
    """A ``ParallelEnv``: all agents move at once."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: tuple[str, ...] = tuple(env.possible_agents)
        self.story = Story()
        self.takes_back = False
        self._ended: set[str] = set()

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        self._ended = set()
        observations, infos = tuple_of(self, self.env.reset(seed=seed, **options), 2, "reset")
        self._check_agents(())
        movers = tuple(self.env.agents)
        for name, entries in (("observation", observations), ("info", infos)):
            require_entries(self, entries, movers, name)
        lent = (lent_of("observations", observations, is_whole=True),)
        return self._look(movers, observations, infos, dict.fromkeys(movers, 0.0), {}, lent)

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play one action for each agent that is there."""
        before = tuple(self.env.agents)
        choice = dict(zip(before, actions, strict=True))
        self.story.moves.extend(copy.deepcopy(choice).items())
        as_given = fingerprint(choice)
        results = tuple_of(self, self.env.step(choice), 5, "step")
        require_kept_actions(self, choice, as_given, takes_back=self.takes_back)
        for name, entries in zip(PARTS, results, strict=True):
            require_entries(self, entries, before, name)
        observations, rewards, terminations, truncations, infos = results
        ends = {agent: end_of(self, agent, terminations, truncations) for agent in before}
        ends = {agent: end for agent, end in ends.items() if end is not End.RUNNING}
        self._check_agents([agent for agent in before if agent not in ends])
        self._ended.update(ends)
        for name, entries in (("observation", observations), ("info", infos)):
            require_entries(self, entries, self.env.agents, name)
        come_back = self._ended.intersection(self.env.agents)
        if come_back:
            refuse_leaving(self, f"{sorted(come_back)} ended, but are among the agents still")
        lent = tuple(
            lent_of(name + "s", each, is_whole=True)
            for name, each in zip(PARTS[:4], results, strict=False)
        )
        return self._look(tuple(self.env.agents), observations, infos, rewards, ends, lent)

    def ask(self) -> None:
        """Ask for spaces twice: nothing else may be asked for."""
        for agent in self.agents:
            require_same_spaces(self, agent)

    def glance(self) -> dict[int, Any]:
        """Return nothing: all are on turn."""
        return {}

    def _check_agents(self, staying: Iterable[str]) -> None:
        require_agents(self)
        missing = set(staying).difference(self.env.agents)
        if missing:
            refuse_leaving(self, f"{sorted(missing)} neither ended nor are among the agents now")

    def _look(
        self,
        movers: tuple[str, ...],
        observations: Any,
        infos: Any,
        rewards: Any,
        ends: dict[str, End],
        lent: tuple[Lent, ...],
    ) -> Look:
        for agent in (*movers, *ends):
            require_in_space(self, agent, observations[agent])
        given = tuple(observations[agent] for agent in movers)
        lists = (self.env.agents, observations, infos, rewards)
        for name, entries in zip(("observation", "info", "reward"), lists[1:], strict=True):
            require_no_entries_of_others(self, entries, name)
        order = tuple(list(each) == sorted(each, key=self.agents.index) for each in lists)
        return look_of(
            self,
            tuple(self.agents.index(agent) for agent in movers),
            given,
            tuple(infos[agent] for agent in movers),
            tuple(
                reward_of(self, rewards, agent) if agent in rewards else 0.0
                for agent in self.agents
            ),
            [(self.agents.index(agent), end, observations[agent]) for agent, end in ends.items()],
            lent,
            order,
        )


class TurnTable:
    """An ``AECEnv``: one agent moves at a time, and once more, without an action, when it ended."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: tuple[str, ...] = tuple(env.possible_agents)
        self.story = Story()
        self.takes_back = False
        self._due: dict[str, float] = {}
        self._ended: set[str] = set()

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        self._due = dict.fromkeys(self.agents, 0.0)
        self._ended = set()
        self.env.reset(seed=seed, **options)
        return self._look((0.0,) * len(self.agents))

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the action of the agent whose turn it is."""
        mover = self.env.agent_selection
        self.story.moves.append((mover, copy.deepcopy(actions[0])))
        before = tuple(self.env.agents)
        as_given = fingerprint(actions[0])
        self.env.step(actions[0])
        # wrappers keep actions for later
        require_kept_actions(self, actions[0], as_given, takes_back=False)
        missing = set(before).difference(self.env.agents)
        if missing:
            refuse_leaving(self, f"{sorted(missing)} left without having been told of their end")
        require_entries(self, self.env.rewards, before, "reward")
        paid = tuple(
            reward_of(self, self.env.rewards, agent) if agent in self.env.rewards else 0.0
            for agent in self.agents
        )
        self._due[mover] = 0.0
        for agent, reward in zip(self.agents, paid, strict=True):
            self._due[agent] += reward
        return self._look(paid)

    def ask(self) -> None:
        """Ask for all observations, also off turn, and for ``last``, twice."""
        for agent in self.agents:
            require_same_spaces(self, agent)
        for agent in tuple(self.env.agents):
            one = fingerprint(self.env.observe(agent))
            require_same_answer(
                self, one, fingerprint(self.env.observe(agent)), f"observe({agent!r})"
            )
        if self.env.agents:
            one = fingerprint(list(self.env.last()))
            require_same_answer(self, one, fingerprint(list(self.env.last())), "last()")

    def glance(self) -> dict[int, Any]:
        """Return a copy of what agents see who are there and not on turn."""
        seen: dict[int, Any] = {}
        for agent in self.env.agents:
            if agent != self.env.agent_selection:
                given = self.env.observe(agent)
                require_in_space(self, agent, given)
                seen[self.agents.index(agent)] = copy.deepcopy(given)
        return seen

    def _look(self, rewards: tuple[float, ...]) -> Look:
        """Let agents that have ended step without an action, until one may act or all are gone."""
        left: list[tuple[int, End, Any]] = []
        require_agents(self)
        while self.env.agents:
            agent, given, info, end = self._last()
            if self._ended.intersection(self.env.agents):
                refuse_leaving(self, f"{sorted(self._ended)} ended, and are among the agents again")
            if end is End.RUNNING:
                lent = (lent_of(f"observation of {agent}", given),)
                player = self.agents.index(agent)
                return look_of(self, (player,), (given,), (info,), rewards, left, lent)
            left.append((self.agents.index(agent), end, copy.deepcopy(given)))
            self._leave(agent)
        return look_of(self, (), (), (), rewards, left, ())

    def _leave(self, agent: str) -> None:
        staying = [other for other in self.env.agents if other != agent]
        self.env.step(None)
        require_agents(self)
        if agent in self.env.agents:
            refuse_leaving(self, f"{agent} ended and stepped with None, but is among the agents")
        missing = set(staying).difference(self.env.agents)
        if missing:
            refuse_leaving(self, f"{sorted(missing)} left when {agent} did")
        self._ended.add(agent)

    def _last(self) -> tuple[str, Any, Any, End]:
        agent = self.env.agent_selection
        if agent not in self.env.agents:
            refuse_leaving(self, f"the turn is that of {agent!r}, who is not among the agents")
        for name in ("terminations", "truncations", "infos"):
            require_entries(self, getattr(self.env, name), self.env.agents, name[:-1])
        given, accumulated, terminated, truncated, info = tuple_of(self, self.env.last(), 5, "last")
        end = end_by(self, agent, terminated, truncated)
        told = end_of(self, agent, self.env.terminations, self.env.truncations)
        if end is not told:
            broken(
                EnvironmentLaw.END,
                self.story,
                f"last() tells {agent} of {end.value}, but terminations and truncations of "
                f"{told.value}.",
            )
        require_in_space(self, agent, given)
        found = reward_of(self, {agent: accumulated}, agent)
        if not math.isclose(found, self._due[agent], rel_tol=ROUNDING, abs_tol=ROUNDING):
            broken(
                EnvironmentLaw.ACCUMULATED,
                self.story,
                f"needs {self._due[agent]} for {agent}, the sum of its rewards since its own last "
                f"move, but last() gives {found}. Clear what is accumulated when an agent moves, "
                "and rewards before each move is paid.",
            )
        return agent, given, info, end


class SoleTable:
    """A Gymnasium environment: one agent."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: tuple[str, ...] = (SOLE,)
        self.story = Story()
        self.takes_back = False

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        given, info = tuple_of(self, self.env.reset(seed=seed, **options), 2, "reset")
        return self._look(given, info, 0.0, End.RUNNING)

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play an action."""
        self.story.moves.append((SOLE, copy.deepcopy(actions[0])))
        as_given = fingerprint(actions[0])
        result = tuple_of(self, self.env.step(actions[0]), 5, "step")
        require_kept_actions(self, actions[0], as_given, takes_back=self.takes_back)
        given, reward, terminated, truncated, info = result
        return self._look(given, info, reward, end_by(self, SOLE, terminated, truncated))

    def ask(self) -> None:
        """Ask for spaces twice: nothing else may be asked for."""
        require_same_spaces(self, SOLE)

    def glance(self) -> dict[int, Any]:
        """Return nothing: the one agent is on turn."""
        return {}

    def _look(self, given: Any, info: Any, reward: Any, end: End) -> Look:
        require_mapping(self, info, "as info")
        require_in_space(self, SOLE, given)
        paid = (reward_of(self, {SOLE: reward}, SOLE),)
        lent = (lent_of("observation", given),)
        if end is End.RUNNING:
            return look_of(self, (0,), (given,), (info,), paid, [], lent)
        return look_of(self, (), (), (), paid, [(0, end, given)], lent)


def table_of(env: Any) -> Table:
    """Return an environment ready to be played."""
    if is_turn_based(env):
        return TurnTable(env)
    return JointTable(env) if hasattr(env, "possible_agents") else SoleTable(env)


def is_turn_based(env: Any) -> bool:
    """Tell an ``AECEnv`` from a ``ParallelEnv``."""
    return hasattr(env, "last")
