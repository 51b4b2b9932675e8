"""A normal form whose payoffs are asked for in many plays at once."""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame

LARGEST_PAYOFF = 2.0**1000


class Stage:
    """Payoffs of a normal form, joint actions numbered in C order.

    Raises:
        UnsupportedGame: If payoffs are too large to be added up as floats.

    Attributes:
        payoffs (players, joint actions)
    """

    def __init__(self, game: NormalFormGame) -> None:
        self._game = game
        counts = np.array(game.num_actions)
        self.payoffs: NDArray[np.float64] = np.asarray(game.payoffs, dtype=np.float64).reshape(
            game.num_players, -1
        )
        largest = np.abs(self.payoffs).max(initial=0.0)
        if not largest < LARGEST_PAYOFF:  # infinite ones, too
            raise UnsupportedGame(
                needs="payoffs below 2^1000, so that sums of regrets are finite floats",
                found=f"the largest is {largest:.3g}",
                remedy="Rescale them.",
            )
        self._strides = np.append(np.cumprod(counts[:0:-1])[::-1], 1).astype(np.int64)

    @property
    def num_joint(self) -> int:
        """Number of joint actions."""
        return self.payoffs.shape[1]

    @cached_property
    def numbers(self) -> dict[tuple[object, ...], int]:
        """The number of each joint action, by labels."""
        shape = self._game.num_actions
        labels = self._game.actions
        return {
            tuple(own[a] for own, a in zip(labels, index, strict=True)): number
            for number, index in enumerate(np.ndindex(*shape))
        }

    def joint(self, actions: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the number of each play's joint action; ``actions`` is (plays, players)."""
        return actions @ self._strides

    def against(self, player: int, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return what each of a player's actions earns against the others', (plays, actions)."""
        stride = self._strides[player]
        others = self.joint(actions) - actions[:, player] * stride
        own = np.arange(self._game.num_actions[player]) * stride
        return self.payoffs[player][others[:, None] + own]

    def joint_law(self, strategies: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        """Return how likely each joint action is, (plays, joint actions)."""
        law = strategies[0]
        for own in strategies[1:]:
            law = (law[:, :, None] * own[:, None, :]).reshape(len(law), -1)
        return law

    def expected(self, strategies: list[NDArray[np.float64]]) -> list[NDArray[np.float64]]:
        """Return what actions earn against strategies, (plays, actions) a player."""
        return [self._expected(player, strategies) for player in range(len(strategies))]

    def _expected(self, player: int, strategies: list[NDArray[np.float64]]) -> NDArray[np.float64]:
        count = self._game.num_actions[player]
        alone = [own if i != player else np.ones_like(own) for i, own in enumerate(strategies)]
        weighted = self.joint_law(alone) * self.payoffs[player]
        return self._by_action(player, weighted, count)

    def _by_action(
        self, player: int, values: NDArray[np.float64], count: int
    ) -> NDArray[np.float64]:
        """Add up what is given by joint action, (plays, joint actions), by own action."""
        stride = int(self._strides[player])
        return values.reshape(len(values), -1, count, stride).sum(axis=(1, 3))

    def deviation_sums(self, player: int, totals: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what always playing an action would have earned more, (plays, actions)."""
        count, stride = self._game.num_actions[player], int(self._strides[player])
        others = totals.reshape(len(totals), -1, count, stride).sum(axis=2, keepdims=True)
        own = self.payoffs[player].reshape(1, -1, count, stride)
        earned = (totals * self.payoffs[player]).sum(axis=1, keepdims=True)
        return (others * own).sum(axis=(1, 3)) - earned
