"""Double Q-learning: Q-learning without its bias, from two tables."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.horizon import AtHorizon
from learners.schedules import Rate, StepSize
from learners.tabular.exploration import EpsilonGreedy, Exploration
from learners.tabular.options import ITERATION, Iteration, Others
from learners.tabular.rules import Arrival, Corrections, Needs
from learners.tabular.seats import Seat
from learners.tabular.value_play import Initial, value_play
from learners.tabular.value_rule import Tables


class DoubleQLearning:
    """Tabular double Q-learning of one player or of all independently, over a batch of episodes.

    The maximum in Q-learning overestimates what noisy values are worth. Here a fair coin picks one
    of two tables at each update: that table says which action is best at ``o'``, the other one what
    it is worth: ``Q1(o, a) += step_size * (r + discount^k Q2(o', argmax Q1(o', .)) - Q1(o, a))``,
    or the same with both exchanged. The player acts by their sum.

    Args:
        environment: With numbered observations.
        rng: What exploration and the coins are drawn from.
        step_size: Above 0, at most 1; visits are counted for each table by itself.
        exploration, initial, discount, at_horizon, iteration, learns, others: As for ``QLearning``;
            ``Boltzmann`` weighs by the sum of both tables.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics as for ``QLearning``. ``values`` returns the mean of both tables.

    Source: :cite:`hasselt2010double`, algorithm 1.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = DoubleQLearning(play, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [policy[((),)].items[0][0] for policy in learner.policies()]
    ['defect', 'defect']
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        rng: np.random.Generator,
        step_size: float | StepSize = 0.1,
        exploration: Exploration = EpsilonGreedy(),  # noqa: B008 frozen
        initial: Initial = 0.0,
        discount: float | None = None,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        iteration: Iteration = ITERATION,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        self._play = value_play(
            environment,
            DoubleUpdate(rng),
            rng=rng,
            step_size=step_size,
            exploration=exploration,
            initial=initial,
            discount=discount,
            at_horizon=at_horizon,
            iteration=iteration,
            learns=learns,
            others=others,
            num_tables=2,
        )

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "double Q-learning"

    def improve(self) -> Mapping[str, float]:
        """Make one iteration; see the notes for what it returns."""
        return self._play.improve()

    def policies(self) -> PolicyProfile:
        """Return greedy policies of learners, the others' as they are, exact."""
        return self._play.policies()

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


class DoubleUpdate:
    """One table chooses, the other one evaluates."""

    needs = Needs.NOTHING

    def __init__(self, rng: np.random.Generator) -> None:
        from learners._kernels.double_values import learn_doubly  # noqa: PLC0415 loads numba

        self._kernel = learn_doubly
        self._rng = rng

    def learn(
        self,
        tables: Tables,
        seat: Seat,
        arrival: Arrival,
        following: NDArray[np.float64] | None,
        rate: Rate,
    ) -> Corrections:
        """Update a player's two tables."""
        del following
        moves = arrival.moves
        coins = self._rng.integers(2, size=len(moves.is_made))
        total = self._kernel(
            tables.values, tables.visits, seat.legal, coins, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))

    def snapshot(self) -> Snapshot:
        """Return nothing: all is in the tables."""
        return {}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
