"""PettingZoo environments as batches: agents at once or in turns, many episodes side by side."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_instance, require_integer
from gametheory_core.errors import not_installed
from learners.adapters.gymnasium import Views, frame_of, replayed_rows, views_of
from learners.adapters.replays import Play
from learners.rows import Moment, RowBatch

try:
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:  # pragma: no cover - the test suite has it
    raise not_installed("learners.adapters", "pettingzoo", extra="interop") from error

Foreign: TypeAlias = AECEnv[Any, Any, Any] | ParallelEnv[Any, Any, Any]


def from_pettingzoo(make: Callable[[], Foreign], *, episodes: int, seed: int) -> RowBatch:
    """Make a batch of a PettingZoo environment, parallel or in turns.

    Args:
        make: Returns a new environment. Actions are ``Discrete``; observations are shown as numbers
            if those of all agents are ``Discrete``, else all are flattened to float32 features.
        episodes: Environments side by side.
        seed: As for ``from_gymnasium``.

    Returns:
        Satisfies ``BatchedEnvironment``; players are the ``possible_agents``. An ``action_mask``
        beside the observation or in the infos says what is legal.

    Raises:
        InvalidArgument, UnsupportedGame, MissingDependency: As for ``from_gymnasium``.

    An agent that has died no longer acts; it is shown what it saw last, and the episode goes on
    until no agent is left. It is truncated if an agent's end was a truncation. In turns, only the
    selected agent acts, the steps of dead agents are made for them, and rewards are those of every
    step, paid when they fall due, not ``last()``'s sums. Snapshots are as for ``from_gymnasium``.

    >>> from gametheory_core.adapters import aec_env
    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> batch = from_pettingzoo(lambda: aec_env(RandomOrderTeam()), episodes=2, seed=1)
    >>> batch.reset().acts.sum(axis=1).tolist(), batch.players
    ([1, 1], ('player_0', 'player_1'))
    """
    require_function(make, name="make", remedy="Give lambda: environment(...).")
    require_integer(episodes, name="episodes", low=1)
    require_integer(seed, name="seed", low=0)
    first = make()
    require_instance(first, (AECEnv, ParallelEnv), name="what make returns")
    agents = tuple(first.possible_agents)
    views = views_of(
        [first.observation_space(agent) for agent in agents],
        [first.action_space(agent) for agent in agents],
    )
    made = [first, *(make() for _ in range(episodes - 1))]
    rows = replayed_rows(made, _play_of, views, seed=seed)
    frame = frame_of(views, tuple(map(str, agents)), horizon=None)
    return RowBatch(frame, rows, views.observe)


def _play_of(env: Foreign, views: Views) -> Play:
    return _TurnsPlay(env, views) if isinstance(env, AECEnv) else _ParallelPlay(env, views)


class _Seats:
    """What agents saw last and may do, whether they act now or not."""

    def __init__(self, agents: list[Any], views: Views) -> None:
        self.agents = agents
        self.views = views
        self.clear()

    def clear(self) -> None:
        """Forget everything: an episode begins."""
        players = range(len(self.agents))
        self.seen = [self.views.nothing(i) for i in players]
        self.legal = [np.ones(int(self.views.actions[i].n), dtype=np.bool_) for i in players]
        self.was_cut = False

    def look(self, agent: Any, observation: Any, info: Mapping[str, Any], *, acts: bool) -> None:
        """Remember what an agent sees; a mask only if it is to act, since others' may be empty."""
        i = self.agents.index(agent)
        self.seen[i] = self.views.shown(i, observation)
        if acts:
            self.legal[i] = self.views.legal(i, observation, info)

    def moment(self, movers: list[Any], rewards: Mapping[Any, float], *, is_over: bool) -> Moment:
        """Return the moment at which ``movers`` are to act."""
        return Moment(
            observations=tuple(self.seen),
            legal=tuple(self.legal),
            acts=tuple(agent in movers for agent in self.agents),
            rewards=tuple(float(rewards.get(agent, 0.0)) for agent in self.agents),
            is_terminal=is_over and not self.was_cut,
            is_truncated=is_over and self.was_cut,
        )

    def action(self, agent: Any, actions: NDArray[np.int64]) -> int:
        """Return an agent's action as its space numbers it."""
        i = self.agents.index(agent)
        return int(actions[i]) + int(self.views.actions[i].start)


class _ParallelPlay:
    """One parallel environment."""

    def __init__(self, env: ParallelEnv[Any, Any, Any], views: Views) -> None:
        self._env = env
        self._seats = _Seats(list(env.possible_agents), views)

    def begin(self, seed: int) -> Moment:
        """Reset with a seed."""
        observations, infos = self._env.reset(seed=seed)
        self._seats.clear()
        return self._moment(observations, infos, {})

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let all live agents act."""
        chosen = {agent: self._seats.action(agent, actions) for agent in self._env.agents}
        observations, rewards, _, cuts, infos = self._env.step(chosen)
        self._seats.was_cut = self._seats.was_cut or any(cuts.values())
        return self._moment(observations, infos, rewards)

    def _moment(
        self, observations: Mapping[Any, Any], infos: Mapping[Any, Any], rewards: Mapping[Any, Any]
    ) -> Moment:
        alive = list(self._env.agents)
        for agent, observation in observations.items():
            self._seats.look(agent, observation, infos.get(agent, {}), acts=agent in alive)
        return self._seats.moment(alive, rewards, is_over=not alive)


class _TurnsPlay:
    """One environment of turns."""

    def __init__(self, env: AECEnv[Any, Any, Any], views: Views) -> None:
        self._env = env
        self._seats = _Seats(list(env.possible_agents), views)

    def begin(self, seed: int) -> Moment:
        """Reset with a seed."""
        self._env.reset(seed=seed)
        self._seats.clear()
        return self._until_turn({})

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let the selected agent act, and step for the dead."""
        self._env.step(self._seats.action(self._env.agent_selection, actions))
        return self._until_turn(dict(self._env.rewards))

    def _until_turn(self, rewards: Mapping[Any, float]) -> Moment:
        while self._env.agents:
            agent = self._env.agent_selection
            observation, _, ended, cut, info = self._env.last()
            acts = not (ended or cut)
            self._seats.look(agent, observation, info, acts=acts)
            if acts:
                return self._seats.moment([agent], rewards, is_over=False)
            self._seats.was_cut = self._seats.was_cut or bool(cut)
            self._env.step(None)
        return self._seats.moment([], rewards, is_over=True)
