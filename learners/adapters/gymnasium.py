"""Environments of Gymnasium, and what agents of other libraries see and do, as batches.

Spaces become numbers where they are discrete, else features.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_instance, require_integer, shown
from gametheory_core.errors import UnsupportedGame, not_installed
from gametheory_core.games.rules import InformationState
from learners.adapters.replays import Play, ReplayedRow
from learners.rows import Frame, Moment, RowBatch

try:
    from gymnasium import Env
    from gymnasium.spaces import Dict, Discrete, Space, flatdim, flatten
except ImportError as error:  # pragma: no cover - the test suite has it
    raise not_installed("learners.adapters", "gymnasium", extra="interop") from error

MASK, OBSERVATION = "action_mask", "observation"


@dataclass(frozen=True, eq=False)
class Views:
    """How agents' observations, masks and actions are shown.

    Attributes:
        observations: Without masks.
        numbered: Whether all observations are numbers; else all are features.
    """

    observations: tuple[Space[Any], ...]
    actions: tuple[Discrete, ...]
    numbered: bool

    def shown(self, agent: int, observation: Any) -> Any:
        """Return an observation, without its mask, as a number or a vector of features."""
        space = self.observations[agent]
        if isinstance(observation, Mapping) and MASK in observation:
            observation = observation[OBSERVATION]
        if self.numbered and isinstance(space, Discrete):
            return int(cast("Any", observation)) - int(space.start)
        return np.asarray(flatten(space, observation), dtype=np.float32)

    def nothing(self, agent: int) -> Any:
        """Return what stands for no observation: number 0, or features of 0."""
        return 0 if self.numbered else np.zeros(flatdim(self.observations[agent]), np.float32)

    def legal(self, agent: int, observation: Any, info: Mapping[str, Any]) -> NDArray[np.bool_]:
        """Return the mask that comes with an observation or in its info; all legal without."""
        has_own = isinstance(observation, Mapping) and MASK in observation
        mask = observation[MASK] if has_own else info.get(MASK)
        if mask is None:
            return np.ones(int(self.actions[agent].n), dtype=np.bool_)
        return np.asarray(mask, dtype=np.bool_)

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return how each observation of an information state, in order, would be shown."""
        seen = [self.shown(player, observation) for observation in information_state[::2]]
        return np.array(seen, dtype=np.int64 if self.numbered else np.float32)


def views_of(observations: Sequence[Space[Any]], actions: Sequence[Space[Any]]) -> Views:
    """Read agents' spaces; refuse actions that are not discrete."""
    for space in actions:
        if not isinstance(space, Discrete):
            raise UnsupportedGame(
                needs="Discrete actions",
                found=f"the space is {shown(space)}",
                remedy="Wrap the environment so that its actions are numbers.",
            )
    bare = tuple(_without_mask(space) for space in observations)
    for space in bare:
        if not space.is_np_flattenable:
            raise UnsupportedGame(
                needs="observations of fixed size", found=f"the space is {shown(space)}"
            )
    return Views(
        observations=bare,
        actions=tuple(space for space in actions if isinstance(space, Discrete)),
        numbered=all(isinstance(space, Discrete) for space in bare),
    )


def _without_mask(space: Space[Any]) -> Space[Any]:
    if isinstance(space, Dict) and MASK in space.spaces:
        return space.spaces[OBSERVATION]
    return space


def frame_of(views: Views, players: tuple[str, ...], *, horizon: int | None) -> Frame:
    """Return what does not change in a batch of such agents; rewards are not discounted."""
    sizes = tuple(int(flatdim(space)) for space in views.observations)
    none = (0,) * len(players)
    return Frame(
        players=players,
        num_observations=sizes if views.numbered else none,
        num_features=none if views.numbered else sizes,
        action_labels=tuple(
            tuple(range(int(space.start), int(space.start + space.n))) for space in views.actions
        ),
        discount=1.0,
        horizon=horizon,
    )


Foreign = TypeVar("Foreign")


def replayed_rows(
    made: Sequence[Foreign], play_of: Callable[[Foreign, Views], Play], views: Views, *, seed: int
) -> list[ReplayedRow]:
    """Return the rows of a batch, one an environment."""
    return [
        ReplayedRow(
            lambda env=env: play_of(env, views),
            seed=seed,
            first=e,
            stride=len(made),
            name=str(made[0]),
        )
        for e, env in enumerate(made)
    ]


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
    rows = replayed_rows(made, _AgentPlay, views, seed=seed)
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
