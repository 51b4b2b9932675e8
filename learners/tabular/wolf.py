"""WoLF-PHC: climb towards the best action, slowly while winning, fast while losing."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.horizon import AtHorizon
from learners.schedules import Schedule, StepSize, as_schedule
from learners.tabular.climbing_rule import ClimbingRule
from learners.tabular.options import ITERATION, Iteration, Others, checked_options
from learners.tabular.play import TabularPlay, seats_of
from learners.tabular.value_play import Initial


class WolfPHC:
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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = WolfPHC(play, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [float(learner.policies()[i][(),].items[-1][1]) > 0.9 for i in (0, 1)]
    [True, True]
    """

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
        options = checked_options(
            environment,
            discount=discount,
            at_horizon=at_horizon,
            iteration=iteration,
            learns=learns,
            others=others,
        )
        slow, fast = _checked_pace(winning, losing)
        seats = seats_of(environment, options)
        self._rule = ClimbingRule(
            tuple(seats[i] for i in options.learns),
            winning=slow,
            losing=fast,
            step_size=step_size,
            exploration=exploration,
            initial=initial,
        )
        self._play = TabularPlay(environment, self._rule, seats, options=options, rng=rng)

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "WoLF-PHC"

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; see the notes for what it returns."""
        return self._play.improve()

    def policies(self) -> PolicyProfile:
        """Return the mixed policies of learners, the others' as they are, exact."""
        return self._play.policies()

    def average_policies(self) -> PolicyProfile:
        """Return averages of the policies that learners held, the others' as they are, exact."""
        return self._play.policies_by(self._rule.average)

    def values(self, player: int = 0) -> NDArray[np.float64]:
        """Return a copy of what a learner believes each action is worth, shape (O, A)."""
        return self._play.values(player)

    def played(self, player: int = 0) -> NDArray[np.float64]:
        """Return how a learner plays each episode, exploration included, shape (E, O, A)."""
        return self._play.played(player)

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self._play.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._play.restore(snapshot)


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
