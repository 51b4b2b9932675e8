"""SARSA: learn what the own play is worth, exploration included."""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument
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


class Sarsa:
    """Tabular SARSA of one player or of all independently, over a batch of episodes.

    A transition from ``o`` by ``a`` to the next own turn ``o'``, where ``a'`` is played, makes
    ``Q(o, a) += step_size * (r + discount^k Q(o', a') - Q(o, a))``; expected SARSA takes the mean
    over what ``a'`` may be. The next action is drawn before the update, as in the textbook; in
    expected SARSA after it.

    Args:
        environment: With numbered observations.
        expected: Expected SARSA: less noise, the same limit.
        rng: What exploration is drawn from.
        step_size, exploration, initial, discount, at_horizon, iteration, learns, others: As for
            ``QLearning``. What ``AtHorizon.GOES_ON`` adds after the last step is a mean in both
            kinds, since nothing is played there.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics as for ``QLearning``. With ``FixedPolicy`` it evaluates a policy instead of improving
    one.

    Sources:
        :cite:`rummery1994online`.
        :cite:`vanseijen2009expected`.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = Sarsa(play, expected=True, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [policy[((),)].items[0][0] for policy in learner.policies()]
    ['defect', 'defect']
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        expected: bool = False,
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
        if not isinstance(expected, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs="expected to be True or False", found=f"got {shown(expected)}"
            )
        self._name = "expected SARSA" if expected else "SARSA"
        self._play = value_play(
            environment,
            FollowingUpdate(Needs.MEAN if expected else Needs.ACTION),
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
        return self._name

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


class FollowingUpdate:
    """Values move towards rewards and the value of what is played next, or may be."""

    def __init__(self, needs: Needs) -> None:
        from learners._kernels.expected_values import learn_expected  # noqa: PLC0415 loads numba

        self._kernel = learn_expected
        self._needs = needs

    @property
    def needs(self) -> Needs:
        """The next action, or what it is drawn from."""
        return self._needs

    def learn(
        self,
        tables: Tables,
        seat: Seat,
        arrival: Arrival,
        following: NDArray[np.float64] | None,
        rate: Rate,
    ) -> Corrections:
        """Update a player's table."""
        moves = arrival.moves
        if following is None:  # play gives what is needed
            following = np.zeros((len(moves.is_made), seat.shape[2]))
        total = self._kernel(
            tables.values[0], tables.visits[0], following, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))

    def snapshot(self) -> Snapshot:
        """Return nothing: all is in the tables."""
        return {}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
