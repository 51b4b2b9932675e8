"""Seats: one player's side of a batch of episodes, from each own turn to the next.

Where players take turns, a transition begins when a player acts and is complete at the player's
next turn, or when the episode ends; rewards between are summed, each discounted by the steps since.
"""

from typing import TYPE_CHECKING

import numpy as np

from learners.batch import BatchedEnvironment, BatchTurn, Snapshot
from learners.horizon import AtHorizon
from learners.tabular.options import PlayOptions

if TYPE_CHECKING:
    from learners._kernels.moves import MoveArrays


class Seat:
    """What one player has begun and not completed, and which actions are known to be legal.

    Attributes:
        shape ((int, int, int)): Numbers of episodes, observations and actions.
        legal (O, A): As the environment knows it beforehand; else what was legal where an
            observation was met, and all where it was not.
    """

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

    def complete(self, turn: BatchTurn) -> "MoveArrays":
        """Return the transitions that a turn completes."""
        from learners._kernels.moves import MoveArrays  # noqa: PLC0415 loads numba

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

    def snapshot(self) -> Snapshot:
        """Return all that is held."""
        return {
            "legal": self.legal.copy(),
            "has_begun": self._has_begun.copy(),
            "observation": self._observation.copy(),
            "action": self._action.copy(),
            "reward": self._reward.copy(),
            "factor": self._factor.copy(),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self.legal = np.array(snapshot["legal"])
        self._has_begun = np.array(snapshot["has_begun"])
        self._observation = np.array(snapshot["observation"])
        self._action = np.array(snapshot["action"])
        self._reward = np.array(snapshot["reward"])
        self._factor = np.array(snapshot["factor"])
