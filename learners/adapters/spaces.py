"""What agents of other libraries see and do: numbers where spaces are discrete, else features.

Episodes of foreign environments, told by a seed and the actions, so that they can be resumed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, MissingDependency, UnsupportedGame
from gametheory_core.games.rules import InformationState
from learners.batch import Snapshot
from learners.environment.rows import Frame, Moment

try:
    from gymnasium.spaces import Dict, Discrete, Space, flatdim, flatten
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "learners.adapters: needs gymnasium. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error

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


_LARGEST_SEED = 2**31 - 1


class Play(Protocol):
    """A foreign environment, with its agents in order."""

    def begin(self, seed: int) -> Moment:
        """Begin an episode."""
        ...

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let those who act do so."""
        ...


def episode_seed(seed: int, episode: int) -> int:
    """Return the seed with which episode ``episode`` of a batch's seed begins."""
    words = np.random.SeedSequence(seed, spawn_key=(episode,)).generate_state(1)
    return int(words[0]) % _LARGEST_SEED


class ReplayedRow:
    """A row whose snapshots are a seed and actions: going back plays the episode again."""

    def __init__(
        self, make: Callable[[], Play], *, seed: int, first: int, stride: int, name: str
    ) -> None:
        self._play = make()
        self._seed = seed
        self._stride = stride
        self._episode = first - stride
        self._name = name
        self._actions: list[list[int]] = []
        self._moment: Moment | None = None

    def begin(self) -> Moment:
        """Begin the next episode of this row."""
        self._episode += self._stride
        return self._begin()

    def _begin(self) -> Moment:
        self._actions = []
        self._moment = self._play.begin(episode_seed(self._seed, self._episode))
        return self._moment

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let those who act do so."""
        self._actions.append([int(a) for a in actions])
        self._moment = self._play.act(actions)
        return self._moment

    def snapshot(self) -> Snapshot:
        """Return the number of the episode, its actions so far, and what they led to."""
        seen = () if self._moment is None else self._moment.observations
        return {
            "seed": self._seed,
            "episode": self._episode,
            "actions": np.array(self._actions, dtype=np.int64),
            "seen": [np.array(own) for own in seen],
        }

    def restore(self, snapshot: Snapshot) -> Moment | None:
        """Play the episode again up to where it was.

        Raises:
            InvalidArgument: If it does not lead to what was seen then.
        """
        if snapshot["seed"] != self._seed:
            raise InvalidArgument(
                needs=f"a snapshot with seed {self._seed}",
                found=f"its seed is {snapshot['seed']!r}",
                remedy="Make the batch with the options it had.",
                where="restore",
            )
        self._episode = int(snapshot["episode"])
        if not snapshot["seen"]:
            self._moment = None
            return None
        moment = self._begin()
        for actions in np.asarray(snapshot["actions"], dtype=np.int64):
            moment = self.act(actions)
        pairs: list[tuple[Any, Any]] = list(zip(moment.observations, snapshot["seen"], strict=True))
        if not all(np.array_equal(found, kept) for found, kept in pairs):
            raise InvalidArgument(
                needs="an environment whose episodes follow from seed and actions",
                found=f"{self._name} shows something else when its episode is played again",
                remedy="Resume between episodes, or seed all its random numbers in reset.",
                where="restore",
            )
        return moment
