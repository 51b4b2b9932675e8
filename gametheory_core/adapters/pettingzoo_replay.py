"""PettingZoo environments walked by histories: what stands after actions from a given seed.

Observations made of arrays as hashable labels that read well.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO, to_fraction
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.tree_table import CHANCE

_SHOWN = 16  # numbers of an array that its label shows


@dataclass(frozen=True, repr=False)
class ArrayLabel:
    """An array as a label: equal to another if type, shape and entries are.

    Attributes:
        content: The entries, in row-major order.
    """

    dtype: str
    shape: tuple[int, ...]
    content: bytes

    def array(self) -> NDArray[Any]:
        """Return the array, a new one each time."""
        return np.frombuffer(self.content, dtype=self.dtype).reshape(self.shape).copy()

    def __repr__(self) -> str:
        entries = self.array()
        kind = f"{entries.dtype}{list(self.shape)}"
        flat = entries.ravel()
        if flat.size > _SHOWN and not np.any(flat[flat != 0] != 1):
            ones = np.flatnonzero(flat).tolist()
            return f"{kind} with 1 at {ones}" if ones else f"{kind} of 0"
        shown = " ".join(f"{x:g}" if entries.dtype.kind == "f" else str(x) for x in flat[:_SHOWN])
        return f"{kind}({shown}{' ...' if flat.size > _SHOWN else ''})"


def label_of(observation: Any) -> Any:
    """Return an observation as a hashable label.

    Args:
        observation (array, number, str, bool, bytes, None, or mapping, tuple or list of them):
            Arrays become ``ArrayLabel``, mappings become tuples of pairs in the order of their
            keys.

    Raises:
        UnsupportedGame: If it is anything else.

    >>> import numpy as np
    >>> label_of({"observation": np.eye(2, dtype=np.int8), "turn": 1})
    (('observation', int8[2, 2](1 0 0 1)), ('turn', 1))
    """
    if isinstance(observation, np.ndarray) and observation.dtype.kind in "biuf":
        # Zero has two signs among floats; adding zero leaves one.
        entries = observation + 0.0 if observation.dtype.kind == "f" else observation
        entries = entries.astype(observation.dtype, copy=False)
        return ArrayLabel(entries.dtype.str, entries.shape, entries.tobytes())
    if isinstance(observation, np.generic):
        return observation.item()
    if isinstance(observation, Mapping):
        return tuple((key, label_of(observation[key])) for key in sorted(observation))
    if isinstance(observation, tuple | list):
        return tuple(map(label_of, observation))
    if observation is None or isinstance(observation, bool | int | float | str | bytes):
        return observation
    raise UnsupportedGame(
        needs="observations of arrays of numbers, numbers, text, or mappings and sequences of them",
        found=f"got {observation!r} (type {type(observation).__name__})",
        remedy="Wrap the environment so that it shows one of these.",
    )


Actions: TypeAlias = tuple[int, ...]

_KEPT = 1024  # copies of the environment kept at once


class Ending(Enum):
    """How a play ended."""

    TERMINATED = "terminated"
    TRUNCATED = "truncated"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class View:
    """What an agent has before it when it is its turn.

    Attributes:
        observation (hashable): The label of what the environment shows; arrays as ``ArrayLabel``.
        legal: The actions that the mask allows; all of them if there is no mask.
    """

    observation: Any
    legal: Actions


@dataclass(frozen=True)
class Position:
    """Where a play of an environment stands: the actions so far, and what they led to.

    Attributes:
        seed: Of the reset.
        history: The actions of live agents since then.
        mover: The player whose turn it is; ``CHANCE`` if play is over.
        view: What the mover has before it; None if play is over.
        rewards: What the last action paid.
        ending: None while play goes on.
    """

    seed: int
    history: Actions
    mover: int
    view: View | None
    rewards: tuple[Fraction, ...]
    ending: Ending | None


class Walker:
    """Walks an environment to any history, by copies if it can be copied, else by replaying."""

    def __init__(self, env: Any, *, copies: bool) -> None:
        self._env = copy.deepcopy(env) if copies else env
        self._copies = copies
        self._kept: dict[tuple[int, Actions], Any] = {}

    @property
    def agents(self) -> list[Any]:
        """Names of all agents."""
        return list(self._env.possible_agents)

    def position(self, seed: int, history: Actions) -> Position:
        """Return where play stands after a history."""
        if not history:
            return begin(self._standing(seed, ()), seed)
        env = self._standing(seed, history[:-1])
        reached = proceed(env, seed, history)
        if self._copies:
            self._keep(seed, history, env)
        return reached

    def _standing(self, seed: int, history: Actions) -> Any:
        """Return an environment after a history, for the caller to step."""
        for length in range(len(history), -1, -1):
            kept = self._kept.get((seed, history[:length]))
            if kept is not None:
                env, rest = copy.deepcopy(kept), history[length:]
                break
        else:
            env, rest = (copy.deepcopy(self._env) if self._copies else self._env), history
            begin(env, seed)
        done = len(history) - len(rest)
        for length in range(done + 1, len(history) + 1):
            proceed(env, seed, history[:length])
        return env

    def _keep(self, seed: int, history: Actions, env: Any) -> None:
        if len(self._kept) >= _KEPT:
            del self._kept[next(iter(self._kept))]
        self._kept[seed, history] = env


def begin(env: Any, seed: int) -> Position:
    """Reset an environment, and return where it stands."""
    env.reset(seed=seed)
    return _look(env, seed, (), *_bury(env, {}))


def proceed(env: Any, seed: int, history: Actions) -> Position:
    """Take the last action of a history, and return where the environment stands."""
    env.step(history[-1])
    return _look(env, seed, history, *_bury(env, _rewards(env, {})))


def _bury(env: Any, paid: dict[Any, Fraction]) -> tuple[dict[Any, Fraction], Ending | None]:
    """Let dead agents leave; return rewards, and how play ended if nobody is left.

    Play was cut off if that is what any of the last agents met.
    """
    ending = Ending.TERMINATED if all(env.terminations.values()) else Ending.TRUNCATED
    while env.agents and _is_dead(env, env.agent_selection):
        env.step(None)
        paid = _rewards(env, paid)
    return paid, None if env.agents else ending


def _look(
    env: Any, seed: int, history: Actions, paid: Mapping[Any, Fraction], ending: Ending | None
) -> Position:
    """Return where an environment stands."""
    agents = list(env.possible_agents)
    rewards = tuple(paid.get(agent, ZERO) for agent in agents)
    if ending is not None:
        return Position(seed, history, CHANCE, None, rewards, ending)
    agent = env.agent_selection
    if agent not in agents:
        raise UnsupportedGame(
            needs=f"agents among possible_agents, {agents!r}",
            found=f"after actions {history!r} it is the turn of {agent!r}",
        )
    observation = env.observe(agent)
    legal = _legal(env, agent, observation, history)
    view = View(label_of(_without_mask(observation)), legal)
    return Position(seed, history, agents.index(agent), view, rewards, None)


def _is_dead(env: Any, agent: Any) -> bool:
    return bool(env.terminations[agent] or env.truncations[agent])


def _rewards(env: Any, before: Mapping[Any, Fraction]) -> dict[Any, Fraction]:
    paid = dict(before)
    for agent, reward in env.rewards.items():
        exact = to_fraction(reward, where=f"rules_from_pettingzoo: reward of {agent!r}")
        paid[agent] = paid.get(agent, ZERO) + exact
    return paid


def _without_mask(observation: Any) -> Any:
    if isinstance(observation, Mapping) and set(observation) == {"observation", "action_mask"}:
        return observation["observation"]
    return observation


def _legal(env: Any, agent: Any, observation: Any, history: Actions) -> Actions:
    space = env.action_space(agent)
    start, count = int(space.start), int(space.n)
    mask = observation.get("action_mask") if isinstance(observation, Mapping) else None
    if mask is None:
        mask = env.infos[agent].get("action_mask")
    if mask is None:
        return tuple(range(start, start + count))
    legal = tuple(start + int(k) for k in np.flatnonzero(mask))
    if not legal or len(mask) != count:
        raise UnsupportedGame(
            needs=f"a mask of {count} actions of which some are legal",
            found=f"after actions {history!r} that of {agent!r} is {np.asarray(mask).tolist()!r}",
        )
    return legal
