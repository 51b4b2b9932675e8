"""Q-learning: learn what the best play is worth, whatever is played."""

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


class QLearning:
    """Tabular Q-learning of one player or of all independently, over a batch of episodes.

    Each completed transition from ``o`` by ``a``, paying ``r``, to the next own turn ``o'``, ``k``
    steps later, makes ``Q(o, a) += step_size * (r + discount^k max_b Q(o', b) - Q(o, a))``, with
    nothing after an episode's end; ``b`` is legal at ``o'``. Of several episodes in one step, each
    updates the table as those before left it, so that a batch of one is the textbook's algorithm.

    Args:
        environment: With numbered observations.
        rng: What exploration is drawn from.
        step_size: Above 0, at most 1.
        initial: Values to begin with: one for all, or player -> table (O, A).
        discount: Default: the environment's.
        at_horizon: Whether anything follows the last step before episodes are cut off.
        iteration: What one call of ``improve`` makes.
        learns: Who learns; default: all players, independently.
        others: For players who do not learn, player -> probabilities (O, A); those left out play
            uniformly.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics: "return/<player>" and "length", means over episodes that ended; "error/<player>", mean
    absolute temporal-difference error; "exploration"; "step size", unless it is per visit.

    Source: :cite:`watkins1992qlearning`.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> from learners.training import train
    >>> game = RepeatedGame.of("prisoners_dilemma")
    >>> play = batched(game, episodes=8, seed=1)
    >>> learned = train(QLearning(play, rng=np.random.default_rng(1)), iterations=5)
    >>> [policy[((),)].items[0][0] for policy in learned.policies]
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
            GreedyUpdate(),
            rng=rng,
            step_size=step_size,
            exploration=exploration,
            initial=initial,
            discount=discount,
            at_horizon=at_horizon,
            iteration=iteration,
            learns=learns,
            others=others,
        )

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return "Q-learning"

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


class GreedyUpdate:
    """Values move towards rewards and the best value that follows."""

    needs = Needs.NOTHING

    def __init__(self) -> None:
        from learners._kernels.greedy_values import learn_greedily  # noqa: PLC0415 loads numba

        self._kernel = learn_greedily

    def learn(
        self,
        tables: Tables,
        seat: Seat,
        arrival: Arrival,
        following: NDArray[np.float64] | None,
        rate: Rate,
    ) -> Corrections:
        """Update a player's table."""
        del following
        moves = arrival.moves
        total = self._kernel(
            tables.values[0], tables.visits[0], seat.legal, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))

    def snapshot(self) -> Snapshot:
        """Return nothing: all is in the tables."""
        return {}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
