"""Rollouts: one episode in each slot of a batch, played to its end by policies held fixed."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import UnsupportedGame
from learners.batch import BatchedEnvironment, BatchTurn
from learners.gradients.softmax import Table


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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> play = batched(RepeatedGame.of("matching_pennies", rounds=3, recall=0), episodes=4, seed=1)
    >>> table = np.array([[0.5, 0.5]])
    >>> rollout = play_episodes(play, [table, table], rng=np.random.default_rng(1))
    >>> rollout.rewards.shape, rollout.lengths.tolist()
    ((3, 4, 2), [3, 3, 3, 3])
    """
    turn = environment.reset()
    goes_on = np.ones(environment.num_episodes, dtype=np.bool_)
    lengths = np.zeros(environment.num_episodes, dtype=np.int64)
    turns: list[BatchTurn] = []
    chosen: list[NDArray[np.int64]] = []
    acting: list[NDArray[np.bool_]] = []
    paid: list[NDArray[np.float64]] = []
    while goes_on.any():
        if len(turns) == longest:
            raise UnsupportedGame(
                needs=f"episodes that end within longest = {longest} steps",
                found=f"{int(goes_on.sum())} of {len(goes_on)} have not",
                remedy="Give the game a horizon, or raise longest.",
            )
        actions = _draw(turn, tables, rng)
        turns.append(turn)
        chosen.append(actions)
        acting.append(turn.acts & goes_on[:, None])
        turn = environment.step(actions)
        paid.append(np.where(goes_on[:, None], turn.rewards, 0.0))
        lengths += goes_on
        goes_on = goes_on & ~turn.is_over
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
        sums = weights.cumsum(axis=1)
        cut = np.minimum(numbers[:, player] * sums[:, -1], np.nextafter(sums[:, -1], 0.0))
        actions[:, player] = (sums <= cut[:, None]).sum(axis=1)
    return np.where(turn.acts, actions, 0)
