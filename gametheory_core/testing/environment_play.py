"""Environments as they are played: what each moment shows, copied before anything can change it.

Each kind of environment becomes a *table* with two methods, ``reset(seed)`` and ``step(actions)``,
each returning a ``Look``. What the interfaces promise whatever the game is checked on the way:
observations lie in their space, rewards are numbers, every agent has its entries, agents leave when
they have ended. Neither PettingZoo nor Gymnasium is needed: an environment with ``last`` is played
in turns, one with ``possible_agents`` at once, any other by a single agent.
"""

import copy
import math
import warnings
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any, NamedTuple, NoReturn, Protocol, TypeAlias, cast

import numpy as np

from gametheory_core.testing.environment_forecast import End, EnvironmentLaw, Story, broken, shown

ROUNDING = 1e-9  # of sums of rewards, relative
SOLE = "agent"  # of a Gymnasium environment
PARTS = ("observation", "reward", "termination", "truncation", "info")

Prints: TypeAlias = Hashable


class Lent(NamedTuple):
    """An object that an environment handed out, and what was in it.

    Attributes:
        is_whole: Whether it is a dictionary of all agents, which is the caller's to empty.
    """

    name: str
    given: Any
    content: Prints
    is_whole: bool


@dataclass(frozen=True)
class Look:
    """What an environment shows at one moment.

    Attributes:
        movers: Players who act now; none at the end.
        observations: A copy of what each mover was given.
        prints: The exact content of each: types, shapes and bytes; with whether agents are
            listed in their order, and in PettingZoo with that of its info.
        allowed: Indices that each mover's action mask allows; None without a mask.
        rewards: What the move before paid each player.
        notes: A copy of the info of each mover.
        left: Players who ended with this moment, how, and the content of their last observation.
        last: A copy of each of these.
        lent: What was handed out, and is to stay as it was.
    """

    movers: tuple[int, ...]
    observations: tuple[Any, ...]
    prints: tuple[tuple[Prints, Prints, Prints], ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    rewards: tuple[float, ...]
    notes: tuple[Any, ...]
    left: tuple[tuple[int, End, Prints], ...]
    last: tuple[Any, ...]
    lent: tuple[Lent, ...]

    @property
    def content(self) -> Hashable:
        """All that may not differ between two plays of one episode."""
        notes = tuple(map(fingerprint, self.notes))
        return (self.movers, self.prints, notes, self.allowed, self.rewards, self.left)


class Table(Protocol):
    """An environment ready to be played.

    Attributes:
        takes_back: Whether the actions handed in are taken back, that is overwritten, afterwards.
    """

    env: Any
    agents: tuple[str, ...]
    story: Story
    takes_back: bool

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed; without one, another episode."""
        ...

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the movers' actions, as the environment wants them."""
        ...

    def ask(self) -> None:
        """Ask for everything that may be asked for between two moves, twice."""
        ...

    def glance(self) -> dict[int, Any]:
        """Return a copy of what players see who are there and not on turn, if they may ask."""
        ...


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
        observations, infos = _tuple_of(self, self.env.reset(seed=seed, **options), 2, "reset")
        self._check_agents(())
        movers = tuple(self.env.agents)
        for name, entries in (("observation", observations), ("info", infos)):
            _check_entries(self, entries, movers, name)
        lent = (_lent("observations", observations),)
        return self._look(movers, observations, infos, dict.fromkeys(movers, 0.0), {}, lent)

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play one action for each agent that is there."""
        before = tuple(self.env.agents)
        choice = dict(zip(before, actions, strict=True))
        self.story.moves.extend(copy.deepcopy(choice).items())
        as_given = fingerprint(choice)
        results = _tuple_of(self, self.env.step(choice), 5, "step")
        _check_unchanged(self, choice, as_given, takes_back=self.takes_back)
        for name, entries in zip(PARTS, results, strict=True):
            _check_entries(self, entries, before, name)
        observations, rewards, terminations, truncations, infos = results
        ends = {agent: _end_of(self, agent, terminations, truncations) for agent in before}
        ends = {agent: end for agent, end in ends.items() if end is not End.RUNNING}
        self._check_agents([agent for agent in before if agent not in ends])
        self._ended.update(ends)
        come_back = self._ended.intersection(self.env.agents)
        if come_back:
            _refuse_leaving(self, f"{sorted(come_back)} ended, but are among the agents still")
        lent = tuple(
            _lent(name + "s", each) for name, each in zip(PARTS[:4], results, strict=False)
        )
        return self._look(tuple(self.env.agents), observations, infos, rewards, ends, lent)

    def ask(self) -> None:
        """Ask for spaces twice: nothing else may be asked for."""
        for agent in self.agents:
            _check_spaces(self, agent)

    def glance(self) -> dict[int, Any]:
        """Return nothing: all are on turn."""
        return {}

    def _check_agents(self, staying: Iterable[str]) -> None:
        _check_lists(self)
        missing = set(staying).difference(self.env.agents)
        if missing:
            _refuse_leaving(self, f"{sorted(missing)} neither ended nor are among the agents now")

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
            _check_space(self, agent, observations[agent])
        given = tuple(observations[agent] for agent in movers)
        lists = (self.env.agents, observations, infos, rewards)
        order = tuple(list(each) == sorted(each, key=self.agents.index) for each in lists)
        return _look_of(
            self,
            tuple(self.agents.index(agent) for agent in movers),
            given,
            tuple(infos[agent] for agent in movers),
            tuple(
                _reward(self, rewards, agent) if agent in rewards else 0.0 for agent in self.agents
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

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed."""
        self.story = Story(seed)
        self._due = dict.fromkeys(self.agents, 0.0)
        self.env.reset(seed=seed, **options)
        return self._look((0.0,) * len(self.agents))

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the action of the agent whose turn it is."""
        mover = self.env.agent_selection
        self.story.moves.append((mover, copy.deepcopy(actions[0])))
        before = tuple(self.env.agents)
        as_given = fingerprint(actions[0])
        self.env.step(actions[0])
        _check_unchanged(self, actions[0], as_given, takes_back=False)  # wrappers keep it for later
        missing = set(before).difference(self.env.agents)
        if missing:
            _refuse_leaving(self, f"{sorted(missing)} left without having been told of their end")
        _check_entries(self, self.env.rewards, before, "reward")
        paid = tuple(
            _reward(self, self.env.rewards, agent) if agent in self.env.rewards else 0.0
            for agent in self.agents
        )
        self._due[mover] = 0.0
        for agent, reward in zip(self.agents, paid, strict=True):
            self._due[agent] += reward
        return self._look(paid)

    def ask(self) -> None:
        """Ask for all observations, also off turn, and for ``last``, twice."""
        for agent in self.agents:
            _check_spaces(self, agent)
        for agent in tuple(self.env.agents):
            one = fingerprint(self.env.observe(agent))
            _check_asked(self, one, fingerprint(self.env.observe(agent)), f"observe({agent!r})")
        if self.env.agents:
            one = fingerprint(list(self.env.last()))
            _check_asked(self, one, fingerprint(list(self.env.last())), "last()")

    def glance(self) -> dict[int, Any]:
        """Return a copy of what agents see who are there and not on turn."""
        seen: dict[int, Any] = {}
        for agent in self.env.agents:
            if agent != self.env.agent_selection:
                given = self.env.observe(agent)
                _check_space(self, agent, given)
                seen[self.agents.index(agent)] = copy.deepcopy(given)
        return seen

    def _look(self, rewards: tuple[float, ...]) -> Look:
        """Let agents that have ended step without an action, until one may act or all are gone."""
        left: list[tuple[int, End, Any]] = []
        _check_lists(self)
        while self.env.agents:
            agent, given, info, end = self._last()
            if end is End.RUNNING:
                lent = (Lent(f"observation of {agent}", given, fingerprint(given), is_whole=False),)
                player = self.agents.index(agent)
                return _look_of(self, (player,), (given,), (info,), rewards, left, lent)
            left.append((self.agents.index(agent), end, copy.deepcopy(given)))
            self._leave(agent)
        return _look_of(self, (), (), (), rewards, left, ())

    def _leave(self, agent: str) -> None:
        staying = [other for other in self.env.agents if other != agent]
        self.env.step(None)
        _check_lists(self)
        if agent in self.env.agents:
            _refuse_leaving(self, f"{agent} ended and stepped with None, but is among the agents")
        missing = set(staying).difference(self.env.agents)
        if missing:
            _refuse_leaving(self, f"{sorted(missing)} left when {agent} did")

    def _last(self) -> tuple[str, Any, Any, End]:
        agent = self.env.agent_selection
        if agent not in self.env.agents:
            _refuse_leaving(self, f"the turn is that of {agent!r}, who is not among the agents")
        for name in ("terminations", "truncations", "infos"):
            _check_entries(self, getattr(self.env, name), self.env.agents, name[:-1])
        given, accumulated, terminated, truncated, info = _tuple_of(
            self, self.env.last(), 5, "last"
        )
        end = _end(self, agent, terminated, truncated)
        told = _end_of(self, agent, self.env.terminations, self.env.truncations)
        if end is not told:
            broken(
                EnvironmentLaw.END,
                self.story,
                f"last() tells {agent} of {end.value}, but terminations and truncations of "
                f"{told.value}.",
            )
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
        given, info = _tuple_of(self, self.env.reset(seed=seed, **options), 2, "reset")
        return self._look(given, info, 0.0, End.RUNNING)

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play an action."""
        self.story.moves.append((SOLE, copy.deepcopy(actions[0])))
        as_given = fingerprint(actions[0])
        result = _tuple_of(self, self.env.step(actions[0]), 5, "step")
        _check_unchanged(self, actions[0], as_given, takes_back=self.takes_back)
        given, reward, terminated, truncated, info = result
        return self._look(given, info, reward, _end(self, SOLE, terminated, truncated))

    def ask(self) -> None:
        """Ask for spaces twice: nothing else may be asked for."""
        _check_spaces(self, SOLE)

    def glance(self) -> dict[int, Any]:
        """Return nothing: the one agent is on turn."""
        return {}

    def _look(self, given: Any, info: Any, reward: Any, end: End) -> Look:
        _check_mapping(self, info, "as info")
        _check_space(self, SOLE, given)
        paid = (_reward(self, {SOLE: reward}, SOLE),)
        lent = (Lent("observation", given, fingerprint(given), is_whole=False),)
        if end is End.RUNNING:
            return _look_of(self, (0,), (given,), (info,), paid, [], lent)
        return _look_of(self, (), (), (), paid, [(0, end, given)], lent)


def table_of(env: Any) -> Table:
    """Return an environment ready to be played."""
    if is_turn_based(env):
        return TurnTable(env)
    return JointTable(env) if hasattr(env, "possible_agents") else SoleTable(env)


def is_turn_based(env: Any) -> bool:
    """Tell an ``AECEnv`` from a ``ParallelEnv``."""
    return hasattr(env, "last")


def fingerprint(value: Any) -> Prints:
    """Return the exact content of an observation, or of something returned, as a hashable."""
    if isinstance(value, np.ndarray | np.generic):
        array = np.asarray(value)
        content = array.tolist() if array.dtype == object else array.tobytes()
        return (
            "array",
            str(array.dtype),
            array.shape,
            array.strides,
            repr(content) if array.dtype == object else content,
        )
    if isinstance(value, Mapping):
        entries = cast("Mapping[Any, Any]", value)
        return ("mapping", tuple((key, fingerprint(x)) for key, x in entries.items()))
    if isinstance(value, tuple | list):
        entries = cast("list[Any]", value)
        return (type(entries).__name__, tuple(fingerprint(x) for x in entries))
    text = repr(value)
    return (type(value).__name__, "" if " at 0x" in text else text)  # an address is no content


def spoil(value: Any) -> None:
    """Write into every array of what was returned or handed in that can be written."""
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


def is_blank(observation: Any) -> bool:
    """Tell whether an observation holds no number but 0."""
    if isinstance(observation, Mapping):
        return all(map(is_blank, cast("Mapping[Any, Any]", observation).values()))
    if isinstance(observation, tuple | list):
        return all(map(is_blank, cast("list[Any]", observation)))
    return not np.any(observation)


def _lent(name: str, given: Any) -> Lent:
    return Lent(name, given, fingerprint(given), is_whole=True)


def _look_of(
    table: Table,
    movers: tuple[int, ...],
    given: tuple[Any, ...],
    infos: tuple[Any, ...],
    rewards: tuple[float, ...],
    left: list[tuple[int, End, Any]],
    lent: tuple[Lent, ...],
    order: Hashable = (),
) -> Look:
    return Look(
        movers,
        tuple(copy.deepcopy(x) for x in given),
        tuple(  # what Gymnasium's info tells need not be what the agent may know
            (fingerprint(x), None if isinstance(table, SoleTable) else fingerprint(info), order)
            for x, info in zip(given, infos, strict=True)
        ),
        tuple(
            _allowed(table, player, x, info)
            for player, x, info in zip(movers, given, infos, strict=True)
        ),
        rewards,
        tuple(copy.deepcopy(x) for x in infos),
        tuple((player, end, fingerprint(x)) for player, end, x in left),
        tuple(copy.deepcopy(x) for _, _, x in left),
        lent,
    )


def _allowed(table: Table, player: int, given: Any, info: Any) -> tuple[int, ...] | None:
    for source in (given, info):
        if isinstance(source, Mapping) and "action_mask" in source:
            mask = np.asarray(cast("Any", source["action_mask"]))
            agent = table.agents[player]
            choices = getattr(space_of(table, agent, is_of_actions=True), "n", mask.size)
            if mask.shape != (choices,) or not mask.any():
                broken(
                    EnvironmentLaw.LEGAL,
                    table.story,
                    f"needs an action mask of {choices} entries for {agent} that allows one at "
                    f"least, but found {shown(mask)}.",
                )
            return tuple(np.flatnonzero(mask).tolist())
    return None


def space_of(table: Table, agent: str, *, is_of_actions: bool = False) -> Any:
    """Return an agent's space of observations, or of actions."""
    found = getattr(table.env, "action_space" if is_of_actions else "observation_space")
    return found if isinstance(table, SoleTable) else found(agent)


def _check_spaces(table: Table, agent: str) -> None:
    for is_of_actions in (False, True):
        one, other = (space_of(table, agent, is_of_actions=is_of_actions) for _ in range(2))
        if one is not other:
            kind = "actions" if is_of_actions else "observations"
            broken(
                EnvironmentLaw.SPACES,
                table.story,
                f"needs one space of {kind} for {agent}, but each call makes a new one. Make it "
                "once and keep it: its generator is seeded once.",
            )


def _check_asked(table: Table, one: Prints, other: Prints, what: str) -> None:
    if one != other:
        broken(
            EnvironmentLaw.ASKED,
            table.story,
            f"{what} gives {shown(one)} and, asked again, {shown(other)}.",
        )


def _check_unchanged(table: Table, choice: Any, as_given: Prints, *, takes_back: bool) -> None:
    if fingerprint(choice) != as_given:
        broken(
            EnvironmentLaw.ACTIONS,
            table.story,
            f"needs the actions handed to step to stay as they were, but they are now "
            f"{shown(choice)}. Work on a copy.",
        )
    if takes_back:
        spoil(choice)
        if isinstance(choice, dict):
            cast("dict[str, Any]", choice).clear()


def _check_lists(table: Table) -> None:
    """Check the lists of agents against each other."""
    env, agents = table.env, list(table.env.agents)
    if tuple(env.possible_agents) != table.agents:
        _refuse_leaving(
            table,
            f"possible_agents were {list(table.agents)}, but are {list(env.possible_agents)} now",
        )
    if len(set(agents)) != len(agents) or not set(agents) <= set(table.agents):
        _refuse_leaving(table, f"agents are {agents}, of possible ones {list(table.agents)}")
    for name, due in (("num_agents", len(agents)), ("max_num_agents", len(table.agents))):
        if getattr(env, name, due) != due:
            _refuse_leaving(table, f"{name} is {getattr(env, name)}, but there are {due}")


def _check_entries(table: Table, entries: Any, agents: Iterable[str], kind: str) -> None:
    _check_mapping(table, entries, f"of {kind}s")
    for agent in agents:
        if agent not in entries:
            broken(
                EnvironmentLaw.ENTRIES,
                table.story,
                f"needs the {kind} of {agent}, but there is none.",
            )
        if kind == "info":
            _check_mapping(table, entries[agent], f"as info of {agent}")


def _check_mapping(table: Table, value: Any, what: str) -> None:
    if not isinstance(value, Mapping):
        broken(
            EnvironmentLaw.FORM,
            table.story,
            f"needs a dictionary {what}, but found {shown(value)}.",
        )


def _tuple_of(table: Table, result: Any, count: int, method: str) -> Any:
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) != count:
        broken(
            EnvironmentLaw.FORM,
            table.story,
            f"needs {method} to return a tuple of {count}, but found {shown(result)}.",
        )
    return cast("Any", result)


def _refuse_leaving(table: Table, problem: str) -> NoReturn:
    broken(EnvironmentLaw.LEAVING, table.story, problem + ".")


def _reward(table: Table, rewards: Any, agent: str) -> float:
    reward = rewards[agent]
    if isinstance(reward, np.ndarray) or not isinstance(reward, Real) or not math.isfinite(reward):
        broken(
            EnvironmentLaw.NUMBERS,
            table.story,
            f"needs a finite number for {agent}, but found {shown(reward)}.",
        )
    return float(reward)


def _check_space(table: Table, agent: str, observation: Any) -> None:
    space = space_of(table, agent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # spaces warn of what they refuse; the witness says more
        inside = space.contains(observation)
    if not inside:
        broken(
            EnvironmentLaw.SPACE,
            table.story,
            f"needs an observation of {agent} in {space}, but found {shown(observation)}.",
        )


def _end_of(table: Table, agent: str, terminations: Any, truncations: Any) -> End:
    return _end(table, agent, terminations[agent], truncations[agent])


def _end(table: Table, agent: str, terminated: Any, truncated: Any) -> End:
    for name, flag in (("termination", terminated), ("truncation", truncated)):
        if not isinstance(flag, bool | int | np.bool_):
            broken(
                EnvironmentLaw.FORM,
                table.story,
                f"needs True or False as {name} of {agent}, but found {shown(flag)}.",
            )
    if terminated and truncated:
        return End.BOTH
    return End.TERMINATED if terminated else End.TRUNCATED if truncated else End.RUNNING
