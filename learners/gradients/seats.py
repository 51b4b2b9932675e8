"""Who learns and who plays along: options that policy-gradient learners share, checked."""

from collections.abc import Mapping
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import Policy, PolicyProfile
from learners.batch import BatchedEnvironment
from learners.gradients.softmax import Table, softmax_policy
from learners.policies import observed_policy
from learners.seats import learning_players, require_numbers

Others: TypeAlias = Mapping[int, Table]


class Seats:
    """The players of an environment: logits of those who learn, lotteries of the others.

    Attributes:
        learns: Who learns.
        logits (dict): Of each who learns, (O, A).
        legal (O, A): One a player: as the environment knows it beforehand, else as met so far.
    """

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
        self._others = _checked_others(dict(others or {}), self.learns, shapes)
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
        return tuple(self._policy(player) for player in range(len(self.legal)))

    def _policy(self, player: int) -> Policy:
        table = self.table(player)

        def last(seen: NDArray[np.int64]) -> NDArray[np.float64]:
            return table[seen[-1]]

        return observed_policy(self._environment, player, last)


def _checked_others(
    others: dict[int, Table],
    learns: tuple[int, ...],
    shapes: list[tuple[int, int]],
) -> dict[int, Table]:
    kept: dict[int, Table] = {}
    for player, given in others.items():
        require_integer(player, name="others", low=0, high=len(shapes) - 1)
        table = np.array(given, dtype=np.float64)
        if player in learns:
            raise InvalidArgument(
                needs="in others players who do not learn",
                found=f"player {player} does",
                remedy="Leave it out of learns or of others.",
            )
        if table.shape != shapes[player]:
            raise InvalidArgument(
                needs=f"others[{player}] of shape {shapes[player]}, observations by actions",
                found=f"its shape is {table.shape}",
            )
        if not (table >= 0).all() or not np.allclose(table.sum(axis=1), 1.0):
            row = int(
                np.flatnonzero((table < 0).any(axis=1) | (abs(table.sum(axis=1) - 1) > 1e-8))[0]
            )
            raise InvalidArgument(
                needs=f"lotteries in others[{player}]", found=f"row {row} is {table[row].tolist()}"
            )
        kept[player] = table
    return kept
