"""The rule of policy hill climbing: values, a mixed policy, and the average of past policies."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from learners.batch import Snapshot
from learners.schedules import Schedule, StepSize, as_schedule, as_step_size, rate_at
from learners.tabular.rules import Arrival, Corrections, Needs
from learners.tabular.seats import Seat
from learners.tabular.value_rule import checked_initial

if TYPE_CHECKING:
    from learners._kernels.hill_climbing import ClimbArrays


class ClimbingRule:
    """A rule with a mixed policy for each player who learns."""

    needs = Needs.NOTHING

    def __init__(
        self,
        seats: tuple[Seat, ...],
        *,
        winning: Schedule,
        losing: Schedule,
        step_size: float | StepSize,
        exploration: float | Schedule,
        initial: float | Mapping[int, NDArray[np.float64]],
    ) -> None:
        from learners._kernels.hill_climbing import climb  # noqa: PLC0415 loads numba

        self._kernel = climb
        self._winning = winning
        self._losing = losing
        self._step_size = as_step_size(step_size)
        self._exploration = as_schedule(exploration, name="exploration", low=0, high=1)
        self._held: dict[int, ClimbArrays] = {}
        self._wins = {seat.player: 0 for seat in seats}
        self._updates = {seat.player: 0 for seat in seats}
        for seat in seats:
            values = checked_initial(initial, seat)
            self._held[seat.player] = _new(seat, values)

    def begin(self, seat: Seat, is_new: NDArray[np.bool_], step: int) -> None:
        """Prepare for nothing: actions are drawn afresh at each turn."""

    def lotteries(
        self, seat: Seat, seen: NDArray[np.int64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return the policy with exploration mixed in, shape (E, A)."""
        return self._explored(self._held[seat.player].policy[seen], legal, step)

    def _explored(
        self, policy: NDArray[np.float64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        mixed = self._exploration.at(step)
        return (1 - mixed) * _masked(policy, legal) + mixed * _evenly(legal)

    def learn(
        self, seat: Seat, arrival: Arrival, following: NDArray[np.float64] | None
    ) -> Corrections:
        """Update values, averages and policy of a player."""
        del following
        rate = rate_at(self._step_size, arrival.step)
        moves, step = arrival.moves, arrival.step
        total, wins = self._kernel(
            self._held[seat.player],
            seat.legal,
            moves,
            rate.rate,
            rate.power,
            self._winning.at(step),
            self._losing.at(step),
        )
        count = int(np.count_nonzero(moves.is_made))
        self._wins[seat.player] += wins
        self._updates[seat.player] += count
        return Corrections(total, count)

    def values(self, seat: Seat) -> NDArray[np.float64]:
        """Return a copy of a player's values (O, A)."""
        return self._held[seat.player].values.copy()

    def strategy(self, seat: Seat) -> NDArray[np.float64]:
        """Return the mixed policy, shape (O, A)."""
        return _masked(self._held[seat.player].policy, seat.legal)

    def average(self, seat: Seat) -> NDArray[np.float64]:
        """Return the average of the policies held so far, shape (O, A)."""
        return _masked(self._held[seat.player].average, seat.legal)

    def played(self, seat: Seat, step: int) -> NDArray[np.float64]:
        """Return how each episode is played, shape (E, O, A)."""
        out = self._explored(self._held[seat.player].policy, seat.legal, step)
        return np.broadcast_to(out, seat.shape)

    def metrics(self, seat: Seat, label: str, step: int) -> Mapping[str, float]:
        """Return exploration, step size, how often the player was winning, and entropy."""
        out = {"exploration": self._exploration.at(step)}
        rate = rate_at(self._step_size, step)
        if rate.power == 0:
            out["step size"] = rate.rate
        i, held = seat.player, self._held[seat.player]
        if self._updates[i]:
            out[f"winning/{label}"] = self._wins[i] / self._updates[i]
        self._wins[i] = self._updates[i] = 0
        met = held.policy[held.counts > 0]
        if len(met):
            logs = np.log(met, out=np.zeros_like(met), where=met > 0)
            out[f"entropy/{label}"] = float(-(met * logs).sum(axis=1).mean())
        return out

    def snapshot(self) -> Snapshot:
        """Return all that is held; shares of winning are reported between iterations."""
        return {
            str(i): {name: array.copy() for name, array in held._asdict().items()}
            for i, held in self._held.items()
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        for i, held in self._held.items():
            for name, array in held._asdict().items():
                array[...] = snapshot[str(i)][name]
            self._wins[i] = self._updates[i] = 0


def _new(seat: Seat, initial: float | NDArray[np.float64]) -> "ClimbArrays":
    """Return what a player holds at first: given values, and uniform policies."""
    from learners._kernels.hill_climbing import ClimbArrays  # noqa: PLC0415 loads numba

    shape = seat.shape[1:]
    values = np.empty(shape)
    values[:] = initial
    evenly = _evenly(seat.legal)
    return ClimbArrays(
        values=values,
        policy=evenly,
        average=evenly.copy(),
        visits=np.zeros(shape, dtype=np.int64),
        counts=np.zeros(shape[0], dtype=np.int64),
    )


def _evenly(legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    return legal / np.maximum(1, legal.sum(axis=1, keepdims=True))


def _masked(policy: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return a policy without what turned out to be illegal, where that is learned in play."""
    kept = policy * legal
    total = kept.sum(axis=1, keepdims=True)
    return np.divide(kept, total, out=_evenly(legal), where=total > 0)
