"""Gymnasium environments as batches: one agent, many episodes side by side."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_instance, require_integer
from gametheory_core.errors import MissingDependency
from learners.adapters.replayed import ReplayedRow
from learners.adapters.spaces import Views, frame_of, views_of
from learners.environment.rows import Moment, RowBatch

try:
    from gymnasium import Env
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "learners.adapters: needs gymnasium. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error

_OWNER = "from_gymnasium"


def from_gymnasium(make: Callable[[], Env[Any, Any]], *, episodes: int, seed: int) -> RowBatch:
    """Make a batch of a Gymnasium environment, for a single agent.

    Args:
        make: Returns a new environment: ``lambda: gymnasium.make("CartPole-v1")``. Its actions are
            ``Discrete``; ``Discrete`` observations are shown as numbers, all others, flattened, as
            float32 features.
        episodes: Environments side by side.
        seed: Episode ``k`` begins with a seed that follows from this and ``k`` alone; row ``e`` of
            ``E`` plays the episodes ``e, e + E, e + 2E, ...``.

    Returns:
        Satisfies ``BatchedEnvironment``. Observations that are a dictionary with ``action_mask``,
        or an ``info`` with one, say what is legal; else everything is.

    Raises:
        InvalidArgument: If an option makes no sense; or, on going back to a snapshot, if the
            environment's episodes do not follow from seed and actions.
        UnsupportedGame: If actions are not discrete, or observations of no fixed size.
        MissingDependency: On import, where Gymnasium is not installed.

    A snapshot holds the seeds and actions of the episodes under way, and going back plays them
    again: exact for environments that draw from what ``reset(seed=...)`` seeds, refused for others.

    >>> import gymnasium
    >>> batch = from_gymnasium(lambda: gymnasium.make("CartPole-v1"), episodes=2, seed=1)
    >>> batch.reset().observations.shape, batch.num_actions
    ((2, 1, 4), (2,))
    """
    require_function(make, name="make", remedy="Give lambda: gymnasium.make(...).")
    require_integer(episodes, name="episodes", low=1)
    require_integer(seed, name="seed", low=0)
    first = make()
    require_instance(first, Env, name="what make returns")
    views = views_of([first.observation_space], [first.action_space])
    horizon = None if first.spec is None else first.spec.max_episode_steps
    made = [first, *(make() for _ in range(episodes - 1))]
    rows = [
        ReplayedRow(
            lambda env=env: _AgentPlay(env, views),
            seed=seed,
            first=e,
            stride=episodes,
            name=str(first),
        )
        for e, env in enumerate(made)
    ]
    return RowBatch(frame_of(views, ("agent",), horizon=horizon), rows, views.observe)


class _AgentPlay:
    """One Gymnasium environment."""

    def __init__(self, env: Env[Any, Any], views: Views) -> None:
        self._env = env
        self._views = views

    def begin(self, seed: int) -> Moment:
        """Reset with a seed."""
        observation, info = self._env.reset(seed=seed)
        return self._moment(observation, info, 0.0, ended=False, cut=False)

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Step."""
        action = int(actions[0]) + int(self._views.actions[0].start)
        observation, reward, ended, cut, info = self._env.step(np.int64(action))
        return self._moment(observation, info, float(reward), ended=bool(ended), cut=bool(cut))

    def _moment(
        self, observation: Any, info: dict[str, Any], reward: float, *, ended: bool, cut: bool
    ) -> Moment:
        return Moment(
            observations=(self._views.shown(0, observation),),
            legal=(self._views.legal(0, observation, info),),
            acts=(not (ended or cut),),
            rewards=(reward,),
            is_terminal=ended,
            is_truncated=cut and not ended,
        )
