"""What the interfaces of PettingZoo and Gymnasium promise, whatever the game."""

import math
import warnings
from collections.abc import Iterable, Mapping
from numbers import Real
from typing import Any, NoReturn, Protocol, cast

import numpy as np

from gametheory_core.testing.environment_content import Prints, fingerprint, spoil
from gametheory_core.testing.environment_forecast import End
from gametheory_core.testing.environment_laws import EnvironmentLaw, Story, broken, raised, shown


class Played(Protocol):
    """An environment, its possible agents, and what was done so far."""

    env: Any
    agents: tuple[str, ...]
    story: Story


def space_of(table: Played, agent: str, *, is_of_actions: bool = False) -> Any:
    """Return an agent's space of observations, or of actions."""
    name = "action_space" if is_of_actions else "observation_space"
    try:
        found = getattr(table.env, name)
        return found(agent) if callable(found) else found
    except Exception as error:  # noqa: BLE001 whatever it is, the environment should not raise it
        what = f"needs {name} of {agent}, but asked for it the environment {raised(error)}."
        broken(EnvironmentLaw.ENTRIES, table.story, what, cause=error)


def require_same_spaces(table: Played, agent: str) -> None:
    """Require the same space, however often it is asked for."""
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


def require_same_answer(table: Played, one: Prints, other: Prints, what: str) -> None:
    """Require the same answer to a question asked twice."""
    if one != other:
        broken(
            EnvironmentLaw.ASKED,
            table.story,
            f"{what} gives {shown(one)} and, asked again, {shown(other)}.",
        )


def require_kept_actions(table: Played, choice: Any, as_given: Prints, *, takes_back: bool) -> None:
    """Require the actions handed in to be as they were; then overwrite them if that is asked."""
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


def require_agents(table: Played) -> None:
    """Check the lists of agents against each other."""
    env, agents = table.env, list(table.env.agents)
    if tuple(env.possible_agents) != table.agents:
        refuse_leaving(
            table,
            f"possible_agents were {list(table.agents)}, but are {list(env.possible_agents)} now",
        )
    if len(set(agents)) != len(agents) or not set(agents) <= set(table.agents):
        refuse_leaving(table, f"agents are {agents}, of possible ones {list(table.agents)}")
    for name, due in (("num_agents", len(agents)), ("max_num_agents", len(table.agents))):
        if getattr(env, name, due) != due:
            refuse_leaving(table, f"{name} is {getattr(env, name)}, but there are {due}")


def require_entries(table: Played, entries: Any, agents: Iterable[str], kind: str) -> None:
    """Require an entry for each agent."""
    require_mapping(table, entries, f"of {kind}s")
    for agent in agents:
        if agent not in entries:
            broken(
                EnvironmentLaw.ENTRIES,
                table.story,
                f"needs the {kind} of {agent}, but there is none.",
            )
        if kind == "info":
            require_mapping(table, entries[agent], f"as info of {agent}")


def require_no_entries_of_others(table: Played, entries: Iterable[str], kind: str) -> None:
    """Require entries of agents alone."""
    for other in entries:
        if other not in table.agents:
            broken(
                EnvironmentLaw.ENTRIES,
                table.story,
                f"needs the {kind} of agents alone, but there is one of {other!r}.",
            )


def require_mapping(table: Played, value: Any, what: str) -> None:
    """Require a dictionary."""
    if not isinstance(value, Mapping):
        broken(
            EnvironmentLaw.FORM,
            table.story,
            f"needs a dictionary {what}, but found {shown(value)}.",
        )


def tuple_of(table: Played, result: Any, count: int, method: str) -> Any:
    """Require a tuple of a length, and return it."""
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) != count:
        broken(
            EnvironmentLaw.FORM,
            table.story,
            f"needs {method} to return a tuple of {count}, but found {shown(result)}.",
        )
    return cast("Any", result)


def refuse_leaving(table: Played, problem: str) -> NoReturn:
    """Say what is wrong with the agents that are there."""
    broken(EnvironmentLaw.LEAVING, table.story, problem + ".")


def reward_of(table: Played, rewards: Any, agent: str) -> float:
    """Require a finite reward, and return it."""
    reward = rewards[agent]
    if isinstance(reward, np.ndarray) or not isinstance(reward, Real) or not math.isfinite(reward):
        broken(
            EnvironmentLaw.NUMBERS,
            table.story,
            f"needs a finite number for {agent}, but found {shown(reward)}.",
        )
    return float(reward)


def require_in_space(table: Played, agent: str, observation: Any) -> None:
    """Require an observation to lie in its space."""
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


def end_of(table: Played, agent: str, terminations: Any, truncations: Any) -> End:
    """Return how an agent stands, by dictionaries of flags."""
    return end_by(table, agent, terminations[agent], truncations[agent])


def end_by(table: Played, agent: str, terminated: Any, truncated: Any) -> End:
    """Return how an agent stands, by its flags."""
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


def allowed_by(table: Played, agent: str, given: Any, info: Any) -> tuple[int, ...] | None:
    """Return the indices that an action mask allows; None without a mask."""
    for source in (given, info):
        if isinstance(source, Mapping) and "action_mask" in source:
            mask = np.asarray(cast("Any", source["action_mask"]))
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
