"""WoLF-PHC: climb towards the best action, slowly while winning, fast while losing.

The rule of policy hill climbing: values, a mixed policy, and the average of past policies.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import AtHorizon, BatchedEnvironment
from learners.policies import entropies
from learners.schedules import Schedule, StepSize, as_schedule, as_step_size, rate_at
from learners.snapshots import Kept
from learners.tabular.play import TabularLearner
from learners.tabular.rules import ITERATION, Arrival, Corrections, Iteration, Needs, Others, Seat
from learners.tabular.values import Initial, checked_initial

if TYPE_CHECKING:
    from learners._kernels.value_updates import ClimbArrays


class ClimbingRule(Kept):
    """A rule with a mixed policy for each player who learns."""

    KEPT = ("_held", "_wins", "_updates")

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
        from learners._kernels.value_updates import climb  # noqa: PLC0415 loads numba

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

    def probabilities(
        self, seat: Seat, seen: NDArray[np.int64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        """Return the policy with exploration mixed in, shape (E, A)."""
        return self._explored(self._held[seat.player].policy[seen], legal, step)

    def _explored(
        self, policy: NDArray[np.float64], legal: NDArray[np.bool_], step: int
    ) -> NDArray[np.float64]:
        mixed = self._exploration.at(step)
        return (1 - mixed) * _masked(policy, legal) + mixed * _evenly(legal)

    def learn(self, seat: Seat, arrival: Arrival) -> Corrections:
        """Update values, averages and policy of a player."""
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
            out[f"entropy/{label}"] = float(entropies(met).mean())
        return out


def _new(seat: Seat, initial: float | NDArray[np.float64]) -> "ClimbArrays":
    """Return what a player holds at first: given values, and uniform policies."""
    from learners._kernels.value_updates import ClimbArrays  # noqa: PLC0415 loads numba

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


class WolfPHC(TabularLearner[ClimbingRule]):
    """Win-or-learn-fast policy hill climbing of one player or of all, over a batch of episodes.

    Beside values, learned as in Q-learning, the player holds a mixed policy ``p`` and the average
    ``q`` of the policies held so far. After each update at ``o`` the average moves first, then
    probability moves to the best action from each of the others, as far as there is any, by
    ``winning / (n - 1)`` if ``sum p(a) Q(o, a) > sum q(a) Q(o, a)``, else by ``losing / (n - 1)``,
    with ``n`` legal actions. Unlike the greedy policies of Q-learning, such policies can settle
    where an equilibrium is mixed.

    Args:
        environment: With numbered observations.
        rng: What actions are drawn from.
        winning, losing: How far the policy moves while winning and while losing; above 0 where a
            schedule begins, at most 1, ``losing`` above ``winning`` there.
        step_size: Of the values; above 0, at most 1.
        exploration: At each turn, with this probability any legal action, all equally likely; else
            the policy's.
        initial, discount, at_horizon, iteration, learns, others: As for ``QLearning``.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics as for ``QLearning``, with "winning/<player>", the share of updates made while winning,
    and "entropy/<player>", the mean over observations met, in nats.

    No limit is promised. Policies come near equilibrium in many two-player games with two actions;
    with ``winning = losing`` they circle. Let both decay, or take ``average_policies``.

    Source: :cite:`bowling2002wolf`, table 4.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = WolfPHC(play, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [float(learner.policies()[i][(),].items[-1][1]) > 0.9 for i in (0, 1)]
    [True, True]
    """

    name = "WoLF-PHC"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        winning: float | Schedule = 0.005,
        losing: float | Schedule = 0.02,
        step_size: float | StepSize = 0.1,
        exploration: float | Schedule = 0.05,
        initial: Initial = 0.0,
        discount: float | None = None,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        iteration: Iteration = ITERATION,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        slow, fast = _checked_pace(winning, losing)
        super().__init__(
            environment,
            lambda seats: ClimbingRule(
                seats,
                winning=slow,
                losing=fast,
                step_size=step_size,
                exploration=exploration,
                initial=initial,
            ),
            rng=rng,
            discount=discount,
            at_horizon=at_horizon,
            iteration=iteration,
            learns=learns,
            others=others,
        )

    def average_policies(self) -> PolicyProfile:
        """Return averages of the policies that learners held, the others' as they are, exact."""
        return self.policies_by(self.rule.average)


def _checked_pace(winning: float | Schedule, losing: float | Schedule) -> tuple[Schedule, Schedule]:
    slow = as_schedule(winning, name="winning", low=0, high=1)
    fast = as_schedule(losing, name="losing", low=0, high=1)
    if not 0 < slow.at(0) <= fast.at(0):
        raise InvalidArgument(
            needs="0 < winning <= losing where they begin",
            found=f"got winning {slow.at(0)} and losing {fast.at(0)}",
            remedy="Learn fast while losing.",
        )
    return slow, fast
