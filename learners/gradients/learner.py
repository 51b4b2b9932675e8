"""What tabular policy-gradient learners share: logits, values, rollouts and their state.

A rollout is one episode in each slot of a batch, played to its end by policies held fixed.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown_players
from gametheory_core.errors import UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, BatchTurn
from learners.gradients.softmax import Adam, Table, adam, softmax_policy
from learners.options import Count, Share, checked
from learners.policies import (
    Others,
    checked_others,
    learning_players,
    require_numbers,
    table_policy,
)
from learners.snapshots import Kept
from learners.streams import drawn_actions


@dataclass(frozen=True, eq=False)
class Rollout:
    """What happened, of ``E`` episodes of at most ``T`` steps and ``N`` players.

    Attributes:
        observations, actions (T, E, N)
        acts (T, E, N): Who acted; nobody after the end of the episode.
        legal (T, E, N, A): What those who acted might have done.
        rewards (T, E, N): What each step paid; zero after the end.
        lengths (E,): Steps of each episode.
    """

    observations: NDArray[np.int64]
    actions: NDArray[np.int64]
    acts: NDArray[np.bool_]
    legal: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    lengths: NDArray[np.int64]

    @property
    def returns(self) -> NDArray[np.float64]:
        """The undiscounted return of each episode and player, (E, N)."""
        return self.rewards.sum(axis=0)


def play_episodes(
    environment: BatchedEnvironment,
    tables: Sequence[Table],
    *,
    rng: np.random.Generator,
    longest: int = 10_000,
) -> Rollout:
    """Play an episode in each slot to its end.

    Args:
        environment: With numbered observations.
        tables (O_i, A_i): How each player acts on the last observation; what is not legal at a turn
            is left out.
        rng: Draws actions.
        longest: Steps after which it is taken that play does not end.

    Raises:
        UnsupportedGame: If an episode has not ended after ``longest`` steps.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> play = batched(RepeatedGame.of("matching_pennies", rounds=3, recall=0), episodes=4, seed=1)
    >>> table = np.array([[0.5, 0.5]])
    >>> rollout = play_episodes(play, [table, table], rng=np.random.default_rng(1))
    >>> rollout.rewards.shape, rollout.lengths.tolist()
    ((3, 4, 2), [3, 3, 3, 3])
    """
    turn = environment.reset()
    continues = np.ones(environment.num_episodes, dtype=np.bool_)
    lengths = np.zeros(environment.num_episodes, dtype=np.int64)
    turns: list[BatchTurn] = []
    chosen: list[NDArray[np.int64]] = []
    acting: list[NDArray[np.bool_]] = []
    paid: list[NDArray[np.float64]] = []
    while continues.any():
        if len(turns) == longest:
            raise UnsupportedGame(
                needs=f"episodes that end within longest = {longest} steps",
                found=f"{int(continues.sum())} of {len(continues)} have not",
                remedy="Give the game a horizon, or raise longest.",
            )
        actions = _draw(turn, tables, rng)
        turns.append(turn)
        chosen.append(actions)
        acting.append(turn.acts & continues[:, None])
        turn = environment.step(actions)
        paid.append(np.where(continues[:, None], turn.rewards, 0.0))
        lengths += continues
        continues = continues & ~turn.is_over
    return Rollout(
        observations=np.array([t.observations for t in turns]),
        actions=np.array(chosen),
        acts=np.array(acting),
        legal=np.array([t.legal for t in turns]),
        rewards=np.array(paid),
        lengths=lengths,
    )


def _draw(turn: BatchTurn, tables: Sequence[Table], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw an action for each episode and player, (E, N)."""
    numbers = rng.random(turn.acts.shape)
    actions = np.zeros(turn.acts.shape, dtype=np.int64)
    for player, table in enumerate(tables):
        weights = table[turn.observations[:, player]]
        weights = weights * turn.legal[:, player, : table.shape[1]]
        actions[:, player] = drawn_actions(weights, numbers[:, player])
    return np.where(turn.acts, actions, 0)


class Seats(Kept):
    """The players of an environment: logits of those who learn, mixed actions of the others.

    Attributes:
        learns: Who learns.
        logits (dict): Of each who learns, (O, A).
        legal (O, A): One a player: as the environment knows it beforehand, else as met so far.
    """

    KEPT = ("logits", "legal")

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: tuple[int, ...] | None,
        others: Others | None,
    ) -> None:
        require_numbers(environment)
        chosen = learning_players(environment, learns)
        self.learns = tuple(sorted(chosen))
        shapes = list(zip(environment.num_observations, environment.num_actions, strict=True))
        self._is_legal_known = bool(environment.legal)
        self.legal: list[NDArray[np.bool_]] = list(environment.legal) or [
            np.ones(shape, dtype=np.bool_) for shape in shapes
        ]
        self._others = checked_others(environment, others or {}, self.learns)
        self.logits = {player: np.zeros(shapes[player]) for player in self.learns}
        self._environment = environment

    def tables(self) -> list[Table]:
        """Return how each player plays, (O, A) a player."""
        return [self.table(player) for player in range(len(self.legal))]

    def table(self, player: int) -> Table:
        """Return how a player plays, (O, A)."""
        if player in self.logits:
            return softmax_policy(self.logits[player], self.legal[player])
        given = self._others.get(player)
        if given is not None:
            return given
        return softmax_policy(np.zeros(self.legal[player].shape), self.legal[player])

    def note(self, player: int, observations: NDArray[np.int64], legal: NDArray[np.bool_]) -> None:
        """Remember what was legal where a player acted, unless the environment says it."""
        if not self._is_legal_known:
            met = self.legal[player].copy()
            met[observations] = legal[:, : met.shape[1]]
            self.legal[player] = met

    def policies(self) -> PolicyProfile:
        """Return exact policies of all players."""
        tables = enumerate(self.tables())
        return tuple(table_policy(self._environment, player, table) for player, table in tables)


@dataclass(frozen=True, eq=False)
class ValueMeans:
    """Believed values of one player's observations.

    Attributes:
        values (O,): Zero before the first visit.
        visits (O,)
    """

    values: NDArray[np.float64]
    visits: NDArray[np.int64]

    def moved(
        self, observations: NDArray[np.int64], worths: NDArray[np.float64], *, step_size: float
    ) -> "ValueMeans":
        """Return values moved towards the means of the samples; at first visits, put there."""
        size = len(self.values)
        counts = np.bincount(observations, minlength=size)
        means = np.bincount(observations, worths, size) / np.maximum(counts, 1)
        share = np.where(self.visits > 0, step_size, 1.0) * (counts > 0)
        return ValueMeans(self.values + share * (means - self.values), self.visits + counts)


def value_means(size: int) -> ValueMeans:
    """Return values of observations never visited.

    >>> first = value_means(2).moved(np.array([1, 1]), np.array([2.0, 4.0]), step_size=0.1)
    >>> first.values.tolist()
    [0.0, 3.0]
    >>> first.moved(np.array([1]), np.array([13.0]), step_size=0.1).values.tolist()
    [0.0, 4.0]
    """
    return ValueMeans(np.zeros(size), np.zeros(size, dtype=np.int64))


@checked
class GradientLearner(Kept, ABC):
    """Softmax policies in tables at play: what tabular policy-gradient learners have in common.

    Each iteration plays an episode in each slot of the batch, and lets each player who learns learn
    from it.

    Args:
        discount, rng, longest, learns, others: As for ``TabularReinforce``.
    """

    name: str
    KEPT = ("_environment", "_seats", "_optimizers", "_values", "_rng")
    EPISODES = ("_environment", "_rng")
    UNCHECKED = ("environment", "rng")

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        discount: Share | None,
        longest: Count,
        learns: tuple[int, ...] | None,
        others: Others | None,
    ) -> None:
        self._seats = Seats(environment, learns=learns, others=others)
        self._environment = environment
        self._rng = rng
        self._discount = float(environment.discount if discount is None else discount)
        self._longest = longest
        logits = self._seats.logits
        self._optimizers: dict[int, Adam] = {i: adam(own.shape) for i, own in logits.items()}
        self._values: dict[int, ValueMeans] = {i: value_means(len(z)) for i, z in logits.items()}

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; the notes of each learner say what it returns."""
        tables = self._seats.tables()
        rollout = play_episodes(self._environment, tables, rng=self._rng, longest=self._longest)
        players = shown_players(self._environment.players)
        means = zip(players, rollout.returns.mean(axis=0), strict=True)
        metrics = {f"return/{label}": float(mean) for label, mean in means}
        metrics["length"] = float(rollout.lengths.mean())
        for player in self._seats.learns:
            acts = rollout.acts[:, :, player]
            seen, legal = rollout.observations[:, :, player], rollout.legal[:, :, player]
            self._seats.note(player, seen[acts], legal[acts])
            found = self._learn(player, rollout)
            metrics |= {f"{name}/{players[player]}": value for name, value in found.items()}
        return metrics

    @abstractmethod
    def _learn(self, player: int, rollout: Rollout) -> dict[str, float]:
        """Let a player learn; return metrics."""

    def policies(self) -> PolicyProfile:
        """Return all players' policies, exact; those who do not learn as they are."""
        return self._seats.policies()

    def table(self, player: int = 0) -> Table:
        """Return how a player plays now, a copy of shape (O, A)."""
        return self._seats.table(player).copy()

    def frozen(self) -> Table:
        """Return how the first learner plays now, for good; shape (O, A)."""
        return self.table(self._seats.learns[0])
