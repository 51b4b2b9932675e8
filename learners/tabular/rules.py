"""What a learner is made of: a rule that says how to act and what to learn from what followed.

Seats: one player's side of a batch of episodes, from each own turn to the next.

Where players take turns, a transition begins when a player acts and is complete at the player's
next turn, or when the episode ends; rewards between are summed, each discounted by the steps since.

What all tabular learners let you choose about how they play, and what an iteration is.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from learners.batch import AtHorizon, BatchedEnvironment, BatchTurn, Snapshot
from learners.options import Count, checked
from learners.policies import Others, checked_others, learning_players, require_numbers
from learners.snapshots import Kept

if TYPE_CHECKING:
    from learners._kernels.learned_play import SeatArrays
    from learners._kernels.value_updates import MoveArrays
    from learners.tabular.values import Tables


@dataclass(frozen=True)
@checked
class Steps:
    """An iteration of so many steps of the environment, in all episodes at once."""

    count: Count


@dataclass(frozen=True)
@checked
class Episodes:
    """An iteration that goes on until so many episodes have ended."""

    count: Count


Iteration: TypeAlias = Steps | Episodes

ITERATION = Steps(100)


@dataclass(frozen=True, eq=False)
class PlayOptions:
    """How a learner plays, checked.

    Attributes:
        learns: Players who learn.
        others: Lotteries (O, A) of players who do not; those left out play uniformly.
    """

    discount: float
    at_horizon: AtHorizon
    iteration: Iteration
    learns: tuple[int, ...]
    others: Others


def checked_options(
    environment: BatchedEnvironment,
    *,
    discount: float | None,
    at_horizon: AtHorizon,
    iteration: Iteration,
    learns: tuple[int, ...] | None,
    others: Others | None,
) -> PlayOptions:
    """Return options with defaults put in, after checking them against the environment.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are features instead of numbers.
    """
    require_instance(iteration, (Steps, Episodes), name="iteration")
    chosen = learning_players(environment, learns)
    require_numbers(environment)
    return PlayOptions(
        float(environment.discount if discount is None else discount),
        at_horizon,
        iteration,
        tuple(sorted(chosen)),
        checked_others(environment, others or {}, chosen),
    )


class Seat(Kept):
    """What one player has begun and not completed, and which actions are known to be legal.

    Attributes:
        shape ((int, int, int)): Numbers of episodes, observations and actions.
        legal (O, A): As the environment knows it beforehand; else what was legal where an
            observation was met, and all where it was not.
    """

    EPISODES = ("_has_begun", "_observation", "_action", "_reward", "_factor")
    KEPT = ("legal", *EPISODES)

    def __init__(self, environment: BatchedEnvironment, player: int, options: PlayOptions) -> None:
        episodes = environment.num_episodes
        self.player = player
        self.shape = (
            episodes,
            environment.num_observations[player],
            environment.num_actions[player],
        )
        known = environment.legal
        self.legal = known[player] if known else np.ones(self.shape[1:], dtype=np.bool_)
        self._is_legal_known = bool(known)
        self._discount = options.discount
        self._stops = options.at_horizon is AtHorizon.ENDS
        self._has_begun = np.zeros(episodes, dtype=np.bool_)
        self._observation = np.zeros(episodes, dtype=np.int64)
        self._action = np.zeros(episodes, dtype=np.int64)
        self._reward = np.zeros(episodes)
        self._factor = np.ones(episodes)

    def legal_now(self, turn: BatchTurn) -> "np.ndarray[tuple[int, int], np.dtype[np.bool_]]":
        """Return what the player may do now, shape (E, A), after noting it."""
        legal = np.ascontiguousarray(turn.legal[:, self.player, : self.shape[2]])
        if not self._is_legal_known:
            acts = turn.acts[:, self.player]
            self.legal[turn.observations[acts, self.player]] = legal[acts]
        return legal

    def arrays(self, tables: "Tables | None") -> "SeatArrays":
        """Return all that is held, for compiled loops; ``tables`` are of a player who learns."""
        from learners._kernels.learned_play import SeatArrays  # noqa: PLC0415 loads numba

        held = (self._has_begun, self._observation, self._action, self._reward, self._factor)
        if tables is None:
            empty = np.zeros(self.shape[1:])
            return SeatArrays(False, self.legal, empty, empty.astype(np.int64), *held)
        return SeatArrays(True, self.legal, tables.values[0], tables.visits[0], *held)

    def complete(self, turn: BatchTurn) -> "MoveArrays":
        """Return the transitions that a turn completes."""
        from learners._kernels.value_updates import MoveArrays  # noqa: PLC0415 loads numba

        self._reward += self._factor * turn.rewards[:, self.player]
        self._factor *= self._discount
        is_made = self._has_begun & (turn.acts[:, self.player] | turn.is_over)
        self._has_begun &= ~is_made
        return MoveArrays(
            is_made,
            self._observation,
            self._action,
            self._reward,
            self._factor,
            turn.final_observations[:, self.player].astype(np.int64),
            ~turn.is_over if self._stops else ~turn.is_terminal,
        )

    def begin(self, turn: BatchTurn, actions: "np.ndarray[tuple[int], np.dtype[np.int64]]") -> None:
        """Begin transitions where the player acts; those completed are overwritten."""
        acts = turn.acts[:, self.player]
        np.copyto(self._observation, turn.observations[:, self.player], where=acts)
        np.copyto(self._action, actions, where=acts)
        self._reward[acts] = 0.0
        self._factor[acts] = 1.0
        self._has_begun |= acts


class Needs(Enum):
    """What must be known of the next own turn, before a transition is learned from."""

    NOTHING = "nothing: learn, then act"
    MEAN = "what would be drawn from as things stand: learn, then act"
    ACTION = "the action that is drawn: act, then learn"


@dataclass(frozen=True)
class Corrections:
    """How wrong a table was.

    Attributes:
        total: Sum of absolute errors, before they were corrected.
        count: Number of updates.
    """

    total: float
    count: int


@dataclass(frozen=True, eq=False)
class Arrival:
    """What a step led to, as one player sees it.

    Attributes:
        moves: The transitions that are complete.
        turn: What the step led to.
        step: Number of steps made before.
        following (E, A): What is played next, if the rule needs to know; else empty.
    """

    moves: "MoveArrays"
    turn: BatchTurn
    step: int
    following: NDArray[np.float64]


class Rule(Protocol):
    """How players act and learn; each has its seat."""

    @property
    def needs(self) -> Needs:
        """What it must know of what is played next."""
        ...

    def begin(self, seat: Seat, is_new: NDArray[np.bool_], step: int) -> None:
        """Prepare for episodes that begin."""
        ...

    def probabilities(
        self, seat: Seat, seen: NDArray[np.int64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return what to draw actions from, shape (E, A); overwritten by the next call."""
        ...

    def learn(self, seat: Seat, arrival: Arrival) -> Corrections:
        """Learn from what a step led to."""
        ...

    def values(self, seat: Seat) -> NDArray[np.float64]:
        """Return a copy of what actions are believed to be worth, shape (O, A)."""
        ...

    def strategy(self, seat: Seat) -> NDArray[np.float64]:
        """Return what was learned, as probabilities (O, A)."""
        ...

    def played(self, seat: Seat, step: int) -> NDArray[np.float64]:
        """Return how each episode is played, exploration included, shape (E, O, A)."""
        ...

    def metrics(self, seat: Seat, label: str, step: int) -> Mapping[str, float]:
        """Return what is worth watching beside returns and errors, since the last call."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is held."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
