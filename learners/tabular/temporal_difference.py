"""Q-learning: learn what the best play is worth, whatever is played.

Double Q-learning: Q-learning without its bias, from two tables.

SARSA: learn what the own play is worth, exploration included.
"""

from collections.abc import Callable

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, refusing_as
from learners.batch import AtHorizon, BatchedEnvironment
from learners.schedules import Rate, StepSize
from learners.tabular.exploration import EpsilonGreedy, Exploration
from learners.tabular.play import TabularLearner
from learners.tabular.rules import ITERATION, Arrival, Corrections, Iteration, Needs, Others, Seat
from learners.tabular.values import Initial, Tables, Update, ValueRule


def _towards_the_best(rng: np.random.Generator) -> Update:
    del rng
    return GreedyUpdate()


def _by_two_tables(rng: np.random.Generator) -> Update:
    return DoubleUpdate(rng)


class TemporalDifference(TabularLearner[ValueRule]):
    """What ``QLearning``, ``DoubleQLearning`` and ``Sarsa`` have in common: all but the update.

    Attributes:
        make_update: Given what coins are tossed by, makes what corrects values.
    """

    make_update: Callable[[np.random.Generator], Update]

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
        with refusing_as(type(self).__name__):
            super().__init__(
                environment,
                lambda seats: ValueRule(
                    seats,
                    self.make_update(rng),
                    step_size=step_size,
                    initial=initial,
                    exploration=exploration,
                    rng=rng,
                ),
                rng=rng,
                discount=discount,
                at_horizon=at_horizon,
                iteration=iteration,
                learns=learns,
                others=others,
            )


class QLearning(TemporalDifference):
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

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> from learners import train
    >>> game = RepeatedGame.of("prisoners_dilemma")
    >>> play = batched(game, episodes=8, seed=1)
    >>> learned = train(QLearning(play, rng=np.random.default_rng(1)), iterations=5)
    >>> [policy[((),)].items[0][0] for policy in learned.policies]
    ['defect', 'defect']
    """

    name = "Q-learning"
    make_update = staticmethod(_towards_the_best)


class GreedyUpdate(Update):
    """Values move towards rewards and the best value that follows."""

    is_greedy = True

    def __init__(self) -> None:
        from learners._kernels.value_updates import learn_greedily  # noqa: PLC0415 loads numba

        self._kernel = learn_greedily

    def learn(self, tables: Tables, seat: Seat, arrival: Arrival, rate: Rate) -> Corrections:
        """Update a player's table."""
        moves = arrival.moves
        total = self._kernel(
            tables.values[0], tables.visits[0], seat.legal, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))


class DoubleQLearning(TemporalDifference):
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

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = DoubleQLearning(play, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [policy[((),)].items[0][0] for policy in learner.policies()]
    ['defect', 'defect']
    """

    name = "double Q-learning"
    make_update = staticmethod(_by_two_tables)


class DoubleUpdate(Update):
    """One table chooses, the other one evaluates."""

    num_tables = 2

    def __init__(self, rng: np.random.Generator) -> None:
        from learners._kernels.value_updates import learn_doubly  # noqa: PLC0415 loads numba

        self._kernel = learn_doubly
        self._rng = rng

    def learn(self, tables: Tables, seat: Seat, arrival: Arrival, rate: Rate) -> Corrections:
        """Update a player's two tables."""
        moves = arrival.moves
        coins = self._rng.integers(2, size=len(moves.is_made))
        total = self._kernel(
            tables.values, tables.visits, seat.legal, coins, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))


class Sarsa(TemporalDifference):
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
            ``QLearning``. What ``AtHorizon.CONTINUES`` adds after the last step is a mean in both
            kinds, since nothing is played there.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics as for ``QLearning``. With ``FixedPolicy`` it evaluates a policy instead of improving
    one.

    Sources:
        :cite:`rummery1994online`.
        :cite:`vanseijen2009expected`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = Sarsa(play, expected=True, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [policy[((),)].items[0][0] for policy in learner.policies()]
    ['defect', 'defect']
    """

    name = "SARSA"

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
        if expected:
            self.name = "expected SARSA"
        self.make_update = lambda _rng: FollowingUpdate(Needs.MEAN if expected else Needs.ACTION)
        super().__init__(
            environment,
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


class FollowingUpdate(Update):
    """Values move towards rewards and the value of what is played next, or may be."""

    def __init__(self, needs: Needs) -> None:
        from learners._kernels.value_updates import learn_expected  # noqa: PLC0415 loads numba

        self._kernel = learn_expected
        self.needs = needs

    def learn(self, tables: Tables, seat: Seat, arrival: Arrival, rate: Rate) -> Corrections:
        """Update a player's table."""
        del seat
        moves = arrival.moves
        total = self._kernel(
            tables.values[0], tables.visits[0], arrival.following, moves, rate.rate, rate.power
        )
        return Corrections(total, int(np.count_nonzero(moves.is_made)))
