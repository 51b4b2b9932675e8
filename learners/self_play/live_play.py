"""One policy learns, frozen ones sit in the other seats: a game as one player's environment.

In each episode the live policy has one seat, and opponents, drawn anew when the episode begins, the
others. What it sees is numbered as ``SeatViews`` says, so that one table plays from all seats.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.games.rules import InformationState
from learners.batch import BatchedEnvironment, BatchTurn, as_actions
from learners.matches.sampled_rates import signs_of_leads
from learners.self_play.opponents import LIVE, Opponents
from learners.self_play.views import SeatViews
from learners.snapshots import Kept

# Number of episodes -> who sits in the other seats, (episodes, N - 1): places of ``Opponents``.
DrawOpponents = Callable[[int], NDArray[np.int64]]


@dataclass(frozen=True, eq=False)
class Results:
    """How episodes ended, in order.

    Attributes:
        seats (K,): Where the live policy sat.
        opponents (K, N - 1): Places of those it met.
        points (K, N - 1): Against each: 1 where it was paid more, 1/2 where as much, else 0.
        returns (K,): What it was paid.
    """

    seats: NDArray[np.int64]
    opponents: NDArray[np.int64]
    points: NDArray[np.float64]
    returns: NDArray[np.float64]

    @property
    def outcomes(self) -> tuple[Fraction, ...]:
        """Mean points of each episode, exactly."""
        halves = np.rint(2 * self.points).astype(np.int64).sum(axis=1).tolist()
        return tuple(Fraction(own, 2 * self.points.shape[1]) for own in halves)


class LivePlay(Kept):
    """A game in batches as the live policy meets it; satisfies ``BatchedEnvironment``.

    Args:
        environment: With numbered observations, or features of one length.
        views: What the policy sees from each seat; None where observations are features.
        seat: Where the live policy sits; None for any seat, all equally likely.
        draw: Draws opponents.
        rng: Draws seats, and what opponents do.
    """

    KEPT = (
        "environment", "opponents", "_rng", "_turn", "_seats", "_met", "_paid", "_most_paid",
        "_finished",
    )  # fmt: skip

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        views: SeatViews | None,
        opponents: Opponents,
        draw: DrawOpponents,
        seat: int | None,
        rng: np.random.Generator,
    ) -> None:
        count, seats = environment.num_episodes, len(environment.players)
        self.environment = environment
        self.views = views
        self.opponents = opponents
        from learners._kernels import live_play as kernel  # noqa: PLC0415 loads numba

        self._kernel = kernel
        self._padded = None if views is None else _padded(views)
        self._draw = draw
        self._seat = seat
        self._rng = rng
        self.players = ("live",)
        self.num_episodes = count
        self.num_observations = (0 if views is None else views.num_observations,)
        self.num_features = (0 if views else max(environment.num_features) + seats,)
        self.num_actions = (max(environment.num_actions),)
        self.action_labels = (tuple(range(self.num_actions[0])),)
        self.discount = environment.discount
        self.horizon = environment.horizon
        self.legal = self._known_legal()
        self._all = np.arange(count)
        self._turn: BatchTurn | None = None
        self._seats = np.zeros(count, dtype=np.int64)
        self._met = np.zeros((count, seats), dtype=np.int64)
        self._paid = np.zeros((count, seats))
        self._most_paid = np.zeros((count, seats))  # sums of absolute rewards
        self._finished: list[Any] = []

    def _known_legal(self) -> tuple[NDArray[np.bool_], ...]:
        known, views = self.environment.legal, self.views
        if not known or views is None:
            return ()
        table = np.ones((views.num_observations, self.num_actions[0]), dtype=np.bool_)
        for own, numbers in zip(known, views.numbers, strict=True):
            table[numbers] = False
            table[numbers, : own.shape[1]] = own
        return (table,)

    # Play

    def reset(self) -> BatchTurn:
        """Begin new episodes against opponents drawn anew."""
        turn = self.environment.reset()
        self._begin(np.ones(self.num_episodes, dtype=np.bool_))
        return self._shown(turn, turn.rewards[:, 0] * 0.0, self._view(turn.observations))

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let the live policy and its opponents act; ``actions`` is (E, 1)."""
        shape = (self.num_episodes, 1)
        own = as_actions(actions, shape=shape, is_begun=self._turn is not None)[:, 0]
        joint = self._others_actions(cast("BatchTurn", self._turn))
        joint[self._all, self._seats] = own
        turn = self.environment.step(joint)
        self._paid += turn.rewards
        self._most_paid += abs(turn.rewards)
        rewards = turn.rewards[self._all, self._seats]
        final = self._view(turn.final_observations)
        if turn.is_over.any():
            self._finish(turn.is_over)
            self._begin(turn.is_over)
        return self._shown(turn, rewards, final)

    def _begin(self, over: NDArray[np.bool_]) -> None:
        """Seat the live policy and new opponents where episodes are over."""
        count, players = int(over.sum()), self._met.shape[1]
        seats = (
            self._rng.integers(players, size=count)
            if self._seat is None
            else np.full(count, self._seat)
        )
        self._seats[over] = seats
        others = np.nonzero(np.arange(players) != seats[:, None])[1].reshape(count, players - 1)
        met = np.full((count, players), LIVE, dtype=np.int64)
        met[np.arange(count)[:, None], others] = self._draw(count)
        self._met[over] = met
        self._paid[over] = 0.0
        self._most_paid[over] = 0.0
        lanes = np.flatnonzero(over)[:, None] * players + np.arange(players)
        self.opponents.forget(lanes.ravel())

    def _finish(self, over: NDArray[np.bool_]) -> None:
        paid, seats, met = self._paid[over], self._seats[over], self._met[over]
        rows = np.arange(len(seats))
        own = paid[rows, seats]
        others = np.arange(paid.shape[1]) != seats[:, None]
        leads, most = own[:, None] - paid, self._most_paid[over]
        ahead = signs_of_leads(leads, most[rows, seats][:, None] + most)[others].reshape(
            len(seats), -1
        )
        self._finished.append(
            (seats.copy(), met[others].reshape(len(seats), -1), (1 + ahead) / 2, own)
        )

    def _others_actions(self, turn: BatchTurn) -> NDArray[np.int64]:
        """Draw what opponents do, (E, N)."""
        joint = np.zeros(turn.acts.shape, dtype=np.int64)
        tables = self.opponents.tables
        if self._padded is not None and tables is not None:
            numbers = self._rng.random(joint.shape)
            self._kernel.answer(
                tables, self._padded, self._seats, self._met, turn.observations, turn.acts,
                turn.legal, numbers, joint,
            )  # fmt: skip
            return joint
        players = turn.acts.shape[1]
        acts = turn.acts.copy()
        acts[self._all, self._seats] = False
        episodes, seats = np.nonzero(acts)
        if len(episodes):
            joint[episodes, seats] = self.opponents.act(
                episodes * players + seats,
                self._met[episodes, seats],
                self._seen(turn.observations[episodes, seats], seats),
                turn.legal[episodes, seats],
                self._rng,
            )
        return joint

    def _seen(self, observations: NDArray[Any], seats: NDArray[np.int64]) -> NDArray[Any]:
        """Return what a policy is shown in some seats."""
        if self._padded is None:
            return self.marked(observations, seats)
        return self._padded[seats, observations]

    def marked(self, observations: NDArray[Any], seats: Any) -> NDArray[Any]:
        """Return features, filled up with zeros, with a mark of the seat, (R, F + N)."""
        marks = np.eye(len(self.environment.players), dtype=np.float32)[seats]
        count, width = observations.shape
        filling = np.zeros((count, max(self.environment.num_features) - width), dtype=np.float32)
        return np.concatenate(
            [observations, filling, np.broadcast_to(marks, (count, marks.shape[-1]))], axis=1
        )

    def _view(self, observations: NDArray[Any]) -> NDArray[Any]:
        """Return what the live policy sees."""
        if self._padded is not None:
            seen = np.empty(self.num_episodes, dtype=np.int64)
            self._kernel.see(self._padded, self._seats, observations, seen)
            return seen
        return self._seen(observations[self._all, self._seats], self._seats)

    def _shown(
        self, turn: BatchTurn, rewards: NDArray[np.float64], final: NDArray[Any]
    ) -> BatchTurn:
        self._turn = turn
        seen = self._view(turn.observations)
        return BatchTurn(
            observations=seen[:, None],
            legal=turn.legal[self._all, self._seats][:, None],
            acts=turn.acts[self._all, self._seats][:, None],
            rewards=rewards[:, None],
            is_terminal=turn.is_terminal,
            is_truncated=turn.is_truncated,
            final_observations=np.where(
                turn.is_over.reshape(-1, *([1] * (seen.ndim - 1))), final, seen
            )[:, None],
        )

    def results(self) -> Results:
        """Return how episodes ended since last asked."""
        players = self._met.shape[1]
        empty = (
            np.zeros(0, dtype=np.int64),
            np.zeros((0, players - 1), dtype=np.int64),
            np.zeros((0, players - 1)),
            np.zeros(0),
        )
        parts = zip(empty, *self._finished, strict=True)
        self._finished = []
        return Results(*(np.concatenate(part) for part in parts))

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return the observations of an information state, which are numbers, or features."""
        del player
        return np.array(information_state[::2])


def _padded(views: SeatViews) -> NDArray[np.int64]:
    """Return the numbers of all seats' observations in one table, (N, most observations)."""
    table = np.zeros((len(views.numbers), max(map(len, views.numbers))), dtype=np.int64)
    for seat, numbers in enumerate(views.numbers):
        table[seat, : len(numbers)] = numbers
    return table
