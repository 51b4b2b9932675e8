"""Plain random plays of an environment, and fingerprints of all that is seen in them.

A fingerprint has what an agent could tell apart: values, types, byte order, strides, read-only
flags and the order of keys.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from gymnasium.spaces import Discrete, MultiDiscrete

from tests.laws.planted.records import Kind

MOST_MOMENTS = 80
ALONE = "agent"  # what the one agent of gymnasium is called


class Moment(NamedTuple):
    """What the caller has in hands after a reset or a step, not copied.

    Attributes:
        mover: Whose turn it is; None in parallel play.
        before: The actions that led here; empty after a reset.
        observations: Of all agents, or of the mover.
        last: In AEC play, the reward that ``last()`` says.
        returned: What ``step`` of an AEC environment returned.
    """

    mover: Any
    before: dict[Any, Any]
    observations: dict[Any, Any]
    rewards: dict[Any, Any]
    terminations: dict[Any, Any]
    truncations: dict[Any, Any]
    infos: dict[Any, Any]
    agents: list[Any]
    last: Any = None
    returned: Any = None


def moments(
    env: Any, kind: Kind, rng: np.random.Generator, *, seed: int | None = None, **more: Any
) -> Iterator[Moment]:
    """Reset an environment and play it, evenly among legal actions, until it ends."""
    begin = {Kind.PARALLEL: _parallel, Kind.AEC: _aec, Kind.GYMNASIUM: _gymnasium}[kind]
    more = more if seed is None else {"seed": seed, **more}
    for count, moment in enumerate(begin(env, rng, more)):
        yield moment
        if count == MOST_MOMENTS:
            return


def _parallel(env: Any, rng: np.random.Generator, asked: dict[str, Any]) -> Iterator[Moment]:
    observations, infos = env.reset(**asked)
    yield Moment(None, {}, observations, {}, {}, {}, infos, list(env.agents))
    while env.agents:
        actions = {
            agent: action_of(env.action_space(agent), observations[agent], infos.get(agent), rng)
            for agent in env.agents
            if agent in observations
        }
        kept = dict(actions)
        observations, rewards, ends, cuts, infos = env.step(actions)
        yield Moment(None, kept, observations, rewards, ends, cuts, infos, list(env.agents))


def _aec(env: Any, rng: np.random.Generator, asked: dict[str, Any]) -> Iterator[Moment]:
    env.reset(**asked)
    before: dict[Any, Any] = {}
    returned = None
    while env.agents:
        agent = env.agent_selection
        observation, last, ends, cuts, info = env.last()
        state = (env.rewards, env.terminations, env.truncations, env.infos, list(env.agents))
        yield Moment(agent, before, {agent: observation}, *state, last, returned)
        action = None
        if not ends and not cuts:
            action = action_of(env.action_space(agent), observation, info, rng)
        before = {agent: action}
        returned = env.step(action)
    state = (env.rewards, env.terminations, env.truncations, env.infos, [])
    yield Moment(None, before, {}, *state, None, returned)


def _gymnasium(env: Any, rng: np.random.Generator, asked: dict[str, Any]) -> Iterator[Moment]:
    observation, info = env.reset(**asked)
    yield Moment(None, {}, {ALONE: observation}, {}, {}, {}, {ALONE: info}, [ALONE])
    ends = cuts = False
    while not ends and not cuts:
        action = action_of(env.action_space, observation, info, rng)
        observation, reward, ends, cuts, info = env.step(action)
        state = ({ALONE: reward}, {ALONE: ends}, {ALONE: cuts}, {ALONE: info})
        agents = [] if ends or cuts else [ALONE]
        yield Moment(None, {ALONE: action}, {ALONE: observation}, *state, agents)


def action_of(space: Any, observation: Any, info: Any, rng: np.random.Generator) -> Any:
    """Draw an action that the mask allows; the first one if it allows none."""
    mask = None
    for place in (observation, info):
        if isinstance(place, dict) and "action_mask" in place:
            mask = place["action_mask"]
    if isinstance(space, Discrete):
        legal = range(int(space.n)) if mask is None else np.flatnonzero(mask)
        place = int(rng.integers(max(1, len(legal))))
        return int(space.start) + (int(legal[place]) if len(legal) else 0)
    if isinstance(space, MultiDiscrete):
        return rng.integers(space.nvec)
    low, high = np.maximum(space.low, -1), np.minimum(space.high, 1)
    return rng.uniform(low, high).astype(space.dtype)


def fingerprint(data: Any) -> Any:
    """Return what can be told of data by looking at it, as nested tuples."""
    if isinstance(data, np.ndarray):
        order = (data.dtype.str, data.shape, data.strides, data.flags.writeable)
        return ("array", *order, data.tobytes())
    if isinstance(data, np.generic):
        return (type(data).__name__, repr(data))
    if isinstance(data, dict):
        return ("dict", tuple((key, fingerprint(value)) for key, value in data.items()))
    if isinstance(data, tuple | list):
        return (type(data).__name__, tuple(map(fingerprint, data)))
    return (type(data).__name__, repr(data))


def trace(env: Any, kind: Kind, *, seed: int | None = None, play: int = 0) -> tuple[Any, ...]:
    """Return the fingerprints of a play whose actions are drawn from generator ``play``."""
    rng = np.random.default_rng(play)
    return tuple(map(fingerprint, moments(env, kind, rng, seed=seed)))
