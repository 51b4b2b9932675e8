"""Rules that hold values: act by exploring around the greedy action, learn by an update.

Value learners put together: options checked, seats taken, tables laid out.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_number
from gametheory_core.errors import InvalidArgument
from learners.schedules import Rate, StepSize, as_step_size, rate_at
from learners.snapshots import Kept
from learners.tabular.exploration import Exploration, Explorer
from learners.tabular.rules import Arrival, Corrections, Needs, Seat


class Tables(Kept):
    """One player's values and how often each was updated.

    Attributes:
        values (K, O, A): ``K`` is 2 for double Q-learning, else 1; their sum is what the player
            acts by.
        visits (K, O, A)
    """

    KEPT = ("values", "visits")

    def __init__(self, shape: tuple[int, int, int], initial: float | NDArray[np.float64]) -> None:
        self.values = np.empty(shape)
        self.values[:] = initial
        self.visits = np.zeros(shape, dtype=np.int64)

    def rows(self, seen: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the values (E, A) of what is seen (E,), to act by."""
        if len(self.values) == 1:
            return self.values[0][seen]
        return self.values[0][seen] + self.values[1][seen]

    def table(self) -> NDArray[np.float64]:
        """Return all values (O, A), to act by."""
        return self.values[0] if len(self.values) == 1 else self.values.sum(axis=0)


class Update(Kept, ABC):
    """How tables change by what followed."""

    needs: Needs = Needs.NOTHING
    num_tables = 1
    is_greedy = False  # that of Q-learning, which compiled loops know

    @abstractmethod
    def learn(self, tables: Tables, seat: Seat, arrival: Arrival, rate: Rate) -> Corrections:
        """Update a player's tables."""


class ValueRule(Kept):
    """A rule with a table (or two) for each player who learns."""

    KEPT = ("_tables", "_explorers", "_update")
    EPISODES = ("_update",)  # which keeps their moves

    def __init__(
        self,
        seats: tuple[Seat, ...],
        update: Update,
        *,
        step_size: float | StepSize,
        initial: float | Mapping[int, NDArray[np.float64]],
        exploration: Exploration,
        rng: np.random.Generator,
    ) -> None:
        from learners._kernels.value_updates import mostly_greedy  # noqa: PLC0415 loads numba

        self._greedy = mostly_greedy
        self._update = update
        self._step_size = as_step_size(step_size)
        self._tables: dict[int, Tables] = {}
        self._explorers: dict[int, Explorer] = {}
        for seat in seats:
            shape = (update.num_tables, *seat.shape[1:])
            values = checked_initial(initial, seat)
            self._tables[seat.player] = Tables(shape, values)
            self._explorers[seat.player] = Explorer(exploration, shape=seat.shape, rng=rng)

    @property
    def needs(self) -> Needs:
        """What it must know of what is played next."""
        return self._update.needs

    @property
    def is_mostly_greedy(self) -> bool:
        """Whether it is Q-learning by epsilon-greedy play."""
        return self._update.is_greedy and all(
            explorer.is_mostly_greedy for explorer in self._explorers.values()
        )

    def scheduled(
        self, step: int, count: int
    ) -> tuple[NDArray[np.float64], float, NDArray[np.float64]]:
        """Return rates (count,), their common power, and how much is explored (count,)."""
        steps = range(step, step + count)
        rates = [rate_at(self._step_size, t) for t in steps]
        explorer = next(iter(self._explorers.values()))
        levels = [explorer.level(t) for t in steps]
        return np.array([own.rate for own in rates]), rates[0].power, np.array(levels)

    def held_by(self, seat: Seat) -> Tables | None:
        """Return the tables of a player, if it learns."""
        return self._tables.get(seat.player)

    def begin(self, seat: Seat, is_new: NDArray[np.bool_], step: int) -> None:
        """Prepare for episodes that begin."""
        tables = self._tables[seat.player]
        self._explorers[seat.player].begin(is_new, tables.table, seat.legal, step)

    def probabilities(
        self, seat: Seat, seen: NDArray[np.int64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return what to draw actions from, shape (E, A)."""
        tables = self._tables[seat.player]
        return self._explorers[seat.player].probabilities(
            lambda: tables.rows(seen), seen, legal, step
        )

    def learn(self, seat: Seat, arrival: Arrival) -> Corrections:
        """Update the player's tables."""
        rate = rate_at(self._step_size, arrival.step)
        return self._update.learn(self._tables[seat.player], seat, arrival, rate)

    def strategy(self, seat: Seat) -> NDArray[np.float64]:
        """Return the greedy policy, the first of several best actions, shape (O, A)."""
        out = np.zeros(seat.shape[1:])
        self._greedy(self._tables[seat.player].table(), seat.legal, 0.0, out)
        return out

    def played(self, seat: Seat, step: int) -> NDArray[np.float64]:
        """Return how each episode is played, shape (E, O, A)."""
        table = self._tables[seat.player].table()
        return self._explorers[seat.player].played(table, seat.legal, step)

    def values(self, seat: Seat) -> NDArray[np.float64]:
        """Return a copy of a player's values (O, A), the mean of both tables if there are two."""
        return self._tables[seat.player].values.mean(axis=0)

    def metrics(self, seat: Seat, label: str, step: int) -> Mapping[str, float]:
        """Return how much is explored, and the step size where it is the same for all cells."""
        del label
        out = {"exploration": self._explorers[seat.player].level(step)}
        rate = rate_at(self._step_size, step)
        if rate.power == 0:
            out["step size"] = rate.rate
        return out


def checked_initial(
    initial: float | Mapping[int, NDArray[np.float64]], seat: Seat
) -> float | NDArray[np.float64]:
    """Return a player's first values, after checking them.

    Raises:
        InvalidArgument: If they are no number, or a table of another shape.
    """
    if not isinstance(initial, Mapping):
        require_number(initial, name="initial")
        return float(initial)
    if seat.player not in initial:
        return 0.0
    table = np.asarray(initial[seat.player], dtype=np.float64)
    if table.shape != seat.shape[1:] or not np.isfinite(table).all():
        raise InvalidArgument(
            needs=f"in initial a table of finite values, {seat.shape[1]} observations by "
            f"{seat.shape[2]} actions for player {seat.player}",
            found=f"got shape {table.shape}",
        )
    return table


Initial = float | Mapping[int, NDArray[np.float64]]
