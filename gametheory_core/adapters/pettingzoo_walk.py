"""PettingZoo environments walked: a position is what the environment holds there.

Positions are walked to by snapshots, or by histories where no snapshot can be taken.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from hashlib import blake2b
from typing import Any

import numpy as np

from gametheory_core.adapters.environment_snapshots import Snapshots
from gametheory_core.adapters.views import Actions, View, label_of
from gametheory_core.arrays import ZERO, to_fraction
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import AWAY
from gametheory_core.games.tree_table import CHANCE

_KEPT_BYTES = 2**27  # of snapshots kept at once; positions beyond are replayed


class Ending(Enum):
    """How a play ended."""

    TERMINATED = "terminated"
    TRUNCATED = "truncated"

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Position:
    """Where a play of an environment stands, and what the last action led to.

    Positions are equal if play goes on alike after them, where that can be told.

    Attributes:
        key: Of what the environment holds; else ``(seed, history)``.
        seed: Of a reset that leads here.
        history: The actions of live agents since then.
        mover: The player whose turn it is; ``CHANCE`` if play is over.
        view: What the mover has before it; ``AWAY`` if it has left with the last action, or was not
            there at the reset; None if play is over.
        rewards: What the last action paid.
        ending: None while play continues.
        then: Where play stands when a mover who is away has had its turn; else None.
    """

    key: Hashable = field(repr=False)
    seed: int = field(compare=False)
    history: Actions = field(compare=False)
    mover: int
    view: Any
    rewards: tuple[Fraction, ...]
    ending: Ending | None
    then: "Position | None" = None


class Walker:
    """Walks an environment to any position: by snapshots if they can be taken, else by replaying.

    Attributes:
        snapshots: None if positions are replayed.
    """

    def __init__(self, env: Any, *, snapshots: Snapshots | None) -> None:
        self.snapshots = snapshots
        self._env = env
        self._new = b"" if snapshots is None else snapshots.take(env)
        self._kept: dict[Hashable, bytes] = {}
        self._bytes_kept = 0

    def start(self, seed: int) -> Position:
        """Return where play stands after a reset."""
        env = self._fresh()
        return self._named(begin(env, seed), env)

    def step(self, here: Position, action: int) -> Position:
        """Return where play stands after an action."""
        env = self._standing(here)
        return self._named(proceed(env, here.seed, (*here.history, action)), env)

    def _fresh(self) -> Any:
        return self._env if self.snapshots is None else self.snapshots.restore(self._new)

    def _standing(self, here: Position) -> Any:
        """Return an environment that stands at a position, for the caller to step."""
        snapshot = self._kept.get(here.key)
        if self.snapshots is not None and snapshot is not None:
            return self.snapshots.restore(snapshot)
        env = self._fresh()
        begin(env, here.seed)
        for length in range(1, len(here.history) + 1):
            proceed(env, here.seed, here.history[:length])
        return env

    def _named(self, reached: Position, env: Any) -> Position:
        """Name a position by what the environment holds there, and keep that."""
        if self.snapshots is None:
            return reached
        if reached.ending is not None:
            return replace(reached, key=())  # nothing follows
        snapshot = self.snapshots.take(env)
        key = blake2b(snapshot, digest_size=16).digest()
        if key not in self._kept:
            self._kept[key] = snapshot
            self._bytes_kept += len(snapshot)
            while self._bytes_kept > _KEPT_BYTES:
                self._bytes_kept -= len(self._kept.pop(next(iter(self._kept))))
        return _keyed(reached, key)


def _keyed(reached: Position, key: bytes) -> Position:
    then = None if reached.then is None else _keyed(reached.then, key)
    return replace(reached, key=key, then=then)


def begin(env: Any, seed: int) -> Position:
    """Reset an environment, and return where it stands."""
    env.reset(seed=seed)
    absent = [agent for agent in env.possible_agents if agent not in env.agents]
    return _bury(env, seed, (), {}, absent)


def proceed(env: Any, seed: int, history: Actions) -> Position:
    """Take the last action of a history, and return where the environment stands."""
    env.step(history[-1])
    return _bury(env, seed, history, _rewards(env, {}), [])


def _bury(
    env: Any, seed: int, history: Actions, paid: dict[Any, Fraction], away: list[Any]
) -> Position:
    """Let dead agents leave, each with a turn in which it is away; return where play stands.

    If nobody is left, play was cut off if that is what any of the last agents met.
    """
    ending = Ending.TERMINATED if all(env.terminations.values()) else Ending.TRUNCATED
    while env.agents and _is_dead(env, env.agent_selection, history):
        away.append(env.agent_selection)
        env.step(None)
        paid = _rewards(env, paid)
    agents = list(env.possible_agents)
    rewards = tuple(paid.get(agent, ZERO) for agent in agents)
    if not env.agents:
        return Position((seed, history), seed, history, CHANCE, None, rewards, ending)
    if not away:
        return _look(env, seed, history, rewards)
    stands = _look(env, seed, history, (ZERO,) * len(agents))
    for agent in reversed(away):
        mover = agents.index(agent)
        stands = replace(stands, mover=mover, view=AWAY, then=stands)
    return replace(stands, rewards=rewards)


def _look(env: Any, seed: int, history: Actions, rewards: tuple[Fraction, ...]) -> Position:
    """Return where an environment stands in which somebody acts."""
    agents = list(env.possible_agents)
    agent = env.agent_selection
    if agent not in agents:
        raise UnsupportedGame(
            needs=f"agents among possible_agents, {agents!r}",
            found=f"after actions {history!r} it is the turn of {agent!r}",
        )
    observation = env.observe(agent)
    legal = _legal(env, agent, observation, history)
    view = View(label_of(_without_mask(observation)), legal)
    mover = agents.index(agent)
    return Position((seed, history), seed, history, mover, view, rewards, None)


def acting(position: Position) -> Position:
    """Return where play stands when those who are away have had their turns."""
    while position.then is not None:
        position = position.then
    return position


def _is_dead(env: Any, agent: Any, history: Actions) -> bool:
    return any(_entry(env, name, agent, history) for name in ("terminations", "truncations"))


def _entry(env: Any, name: str, agent: Any, history: Actions) -> Any:
    """Return what one of an environment's dictionaries has for an agent."""
    entries = getattr(env, name)
    if agent not in entries:
        raise UnsupportedGame(
            needs=f"an entry of {agent!r} in {name}",
            found=f"after actions {history!r} there are those of {list(entries)!r}",
            remedy="Keep one for each of agents; check_environment(make_env, None, rng=rng) shows "
            "more.",
        )
    return entries[agent]


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
        mask = _entry(env, "infos", agent, history).get("action_mask")
    if mask is None:
        return tuple(range(start, start + count))
    legal = tuple(start + int(k) for k in np.flatnonzero(mask))
    if not legal or len(mask) != count:
        raise UnsupportedGame(
            needs=f"a mask of {count} actions of which some are legal",
            found=f"after actions {history!r} that of {agent!r} is {np.asarray(mask).tolist()!r}",
        )
    return legal
