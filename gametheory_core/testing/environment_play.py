"""Environments as they are played: what each moment shows, copied before anything can change it.

Both kinds of PettingZoo environment become a *table* with two methods, ``reset(seed)`` and
``step(actions)``, each returning a ``Look``. Laws that need no model are checked on the way:
observations lie in their space, rewards are numbers, ``last()`` accumulates as promised. PettingZoo
itself is not needed: an environment with ``last`` is played in turns, any other at once.
"""

import copy
import math
import warnings
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from gametheory_core.testing.environment_forecast import End, EnvironmentLaw, Story, broken, shown

ROUNDING = 1e-9  # of sums of rewards, relative


@dataclass(frozen=True)
class Look:
    """What an environment shows at one moment.

    Attributes:
        movers: Players who act now; none at the end.
        observations: A copy of what each mover was given.
        given: The objects themselves.
        prints: The exact content of each: types, shapes and bytes.
        allowed: Indices that each mover's action mask allows; None without a mask.
        rewards: What the move before paid each player.
    """

    movers: tuple[int, ...]
    observations: tuple[Any, ...]
    given: tuple[Any, ...]
    prints: tuple[Hashable, ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    rewards: tuple[float, ...]
    end: End

    @property
    def content(self) -> Hashable:
        """All that may not differ between two plays of one episode."""
        return (self.movers, self.prints, self.allowed, self.rewards, self.end)


class Table(Protocol):
    """An environment ready to be played."""

    env: Any
    agents: tuple[str, ...]
    story: Story

    def reset(self, seed: int) -> Look:
        """Start the episode of a seed."""
        ...

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the movers' actions, as the environment wants them."""
        ...


class JointTable:
    """A ``ParallelEnv``: all agents move at once."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: tuple[str, ...] = tuple(env.possible_agents)
        self.story = Story()

    def reset(self, seed: int) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        observations, infos = self.env.reset(seed=seed)
        return self._look(observations, infos, (0.0,) * len(self.agents), End.RUNNING)

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play one action for each agent."""
        choice = dict(zip(self.agents, actions, strict=True))
        self.story.moves.extend(choice.items())
        observations, rewards, terminations, truncations, infos = self.env.step(choice)
        paid = tuple(_reward(self, rewards, agent) for agent in self.agents)
        return self._look(observations, infos, paid, _end(self, terminations, truncations))

    def _look(self, observations: Any, infos: Any, rewards: tuple[float, ...], end: End) -> Look:
        for agent in self.agents:
            _check_space(self, agent, _entry(self, observations, agent, "observation"))
        if end is not End.RUNNING:
            return Look((), (), (), (), (), rewards, end)
        given = tuple(observations[agent] for agent in self.agents)
        notes = tuple(_entry(self, infos, agent, "info") for agent in self.agents)
        return _look_of(tuple(range(len(self.agents))), given, notes, rewards)


class TurnTable:
    """An ``AECEnv``: one agent moves at a time."""

    def __init__(self, env: Any) -> None:
        self.env = env
        self.agents: tuple[str, ...] = tuple(env.possible_agents)
        self.story = Story()
        self._due: dict[str, float] = {}

    def reset(self, seed: int) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        self._due = dict.fromkeys(self.agents, 0.0)
        self.env.reset(seed=seed)
        return self._look((0.0,) * len(self.agents))

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the action of the agent whose turn it is."""
        mover = self.env.agent_selection
        self.story.moves.append((mover, actions[0]))
        self.env.step(actions[0])
        paid = tuple(_reward(self, self.env.rewards, agent) for agent in self.agents)
        self._due[mover] = 0.0
        for agent, reward in zip(self.agents, paid, strict=True):
            self._due[agent] += reward
        return self._look(paid)

    def _look(self, rewards: tuple[float, ...]) -> Look:
        end = _end(self, self.env.terminations, self.env.truncations)
        if end is not End.RUNNING:
            self._bury()
            return Look((), (), (), (), (), rewards, end)
        agent, given, info = self._last()
        return _look_of((self.agents.index(agent),), (given,), (info,), rewards)

    def _last(self) -> tuple[str, Any, Any]:
        agent = self.env.agent_selection
        given, accumulated, _, _, info = self.env.last()
        if agent not in self.agents:
            broken(EnvironmentLaw.AGENTS, self.story, f"the turn is that of {agent!r}.")
        _check_space(self, agent, given)
        found = _reward(self, {agent: accumulated}, agent)
        if not math.isclose(found, self._due[agent], rel_tol=ROUNDING, abs_tol=ROUNDING):
            broken(
                EnvironmentLaw.ACCUMULATED,
                self.story,
                f"needs {self._due[agent]} for {agent}, the sum of its rewards since its own last "
                f"move, but last() gives {found}. Clear what is accumulated when an agent moves, "
                "and rewards before each move is paid.",
            )
        return agent, given, info

    def _bury(self) -> None:
        """Let each agent make its last step, which shows the last reward."""
        for _ in self.agents:
            if self.env.agents:
                self._last()
                self.env.step(None)
        if self.env.agents:
            broken(
                EnvironmentLaw.END,
                self.story,
                f"needs no agents after each stepped with None, but {self.env.agents} remain.",
            )


def table_of(env: Any) -> Table:
    """Return an environment ready to be played."""
    return TurnTable(env) if is_turn_based(env) else JointTable(env)


def is_turn_based(env: Any) -> bool:
    """Tell an ``AECEnv`` from a ``ParallelEnv``."""
    return hasattr(env, "last")


Prints: TypeAlias = Hashable


def fingerprint(value: Any) -> Prints:
    """Return the exact content of an observation as a hashable."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        content = array.tolist() if array.dtype == object else array.tobytes()
        return (
            "array",
            str(array.dtype),
            array.shape,
            repr(content) if array.dtype == object else content,
        )
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        return ("mapping", tuple((key, fingerprint(x)) for key, x in entries.items()))
    if isinstance(value, tuple | list):
        entries = cast("list[Any]", value)
        return (type(entries).__name__, tuple(fingerprint(x) for x in entries))
    return (type(value).__name__, repr(value))


def spoil(value: Any) -> None:
    """Write into every array of an observation that can be written."""
    if isinstance(value, Mapping):
        for part in cast("Mapping[Any, Any]", value).values():
            spoil(part)
    elif isinstance(value, tuple | list):
        for part in cast("list[Any]", value):
            spoil(part)
    elif isinstance(value, np.ndarray) and value.flags.writeable:
        array = cast("np.ndarray[Any, Any]", value)
        if array.dtype.kind in "biu":
            array[...] = ~array
        elif array.dtype.kind in "fc":
            array[...] = array + 1


def _look_of(
    movers: tuple[int, ...],
    given: tuple[Any, ...],
    infos: tuple[Any, ...],
    rewards: tuple[float, ...],
) -> Look:
    return Look(
        movers,
        tuple(copy.deepcopy(x) for x in given),
        given,
        tuple(fingerprint(x) for x in given),
        tuple(_allowed(x, info) for x, info in zip(given, infos, strict=True)),
        rewards,
        End.RUNNING,
    )


def _allowed(given: Any, info: Any) -> tuple[int, ...] | None:
    for source in (given, info):
        if isinstance(source, Mapping) and "action_mask" in source:
            return tuple(np.flatnonzero(np.asarray(source["action_mask"])).tolist())
    return None


def _entry(table: Table, entries: Any, agent: str, kind: str) -> Any:
    if agent not in entries:
        broken(
            EnvironmentLaw.AGENTS, table.story, f"needs the {kind} of {agent}, but there is none."
        )
    return entries[agent]


def _reward(table: Table, rewards: Any, agent: str) -> float:
    reward = _entry(table, rewards, agent, "reward")
    if not isinstance(reward, Real) or not math.isfinite(reward):
        broken(
            EnvironmentLaw.NUMBERS,
            table.story,
            f"needs a finite number for {agent}, but found {shown(reward)}.",
        )
    return float(reward)


def _check_space(table: Table, agent: str, observation: Any) -> None:
    space = table.env.observation_space(agent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # spaces warn of what they refuse; the witness says more
        inside = space.contains(observation)
    if not inside:
        broken(
            EnvironmentLaw.SPACE,
            table.story,
            f"needs an observation of {agent} in {space}, but found {shown(observation)}.",
        )


def _end(table: Table, terminations: Any, truncations: Any) -> End:
    ended = [bool(_entry(table, terminations, agent, "termination")) for agent in table.agents]
    cut = [bool(_entry(table, truncations, agent, "truncation")) for agent in table.agents]
    if len(set(zip(ended, cut, strict=True))) > 1:
        broken(
            EnvironmentLaw.END,
            table.story,
            f"needs all agents to end together, as the model's players do, but terminations are "
            f"{dict(terminations)} and truncations {dict(truncations)}.",
        )
    return End.TERMINATED if ended[0] else End.TRUNCATED if cut[0] else End.RUNNING
