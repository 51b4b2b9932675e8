"""Monte-Carlo control: learn from the returns of whole episodes, without bootstrapping."""

from enum import Enum
from typing import TYPE_CHECKING, Any

import numpy as np

from learners.batch import AtHorizon, BatchedEnvironment, Snapshot
from learners.options import checked
from learners.schedules import PerVisit, Rate, StepSize
from learners.tabular.exploration import EpsilonGreedy, Exploration
from learners.tabular.play import TabularLearner
from learners.tabular.rules import ITERATION, Arrival, Corrections, Iteration, Others, Seat
from learners.tabular.values import Initial, Tables, Update, ValueRule

if TYPE_CHECKING:
    from learners._kernels.value_updates import EpisodeArrays, MoveArrays


FIRST_LENGTH = 16  # moves; memory doubles when episodes are longer


class Visits(Enum):
    """Which visits of an observation and action in an episode count."""

    EVERY = "every visit"
    FIRST = "the first visit"


@checked
class MonteCarloControl(TabularLearner[ValueRule]):
    """On-policy Monte-Carlo control of one player or of all independently, over a batch.

    When an episode ends, its own moves are gone through from the last to the first: with ``G`` the
    discounted return from a move on, ``Q(o, a) += step_size * (G - Q(o, a))``. Nothing is learned
    before an episode ends; those that end in one step count one after the other. A horizon ends
    episodes like the rules do.

    Args:
        environment: With numbered observations, and episodes that end.
        visits: Whether each cell counts once in an episode, where it was met first, or every time.
        rng: What exploration is drawn from.
        step_size: Above 0, at most 1. The default makes values the means of all returns so far.
        exploration, initial, discount, iteration, learns, others: As for ``QLearning``.

    Raises:
        InvalidArgument: If an option makes no sense.
        UnsupportedGame: If observations are not numbered.

    Metrics as for ``QLearning``; an error is that of a return. Where observations hide part of the
    state, returns are still what the play was worth: this makes Monte-Carlo control robust where
    learning from the next value is not.

    Source: :cite:`sutton2018reinforcement`, section 5.4.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> play = batched(RepeatedGame.of("prisoners_dilemma"), episodes=8, seed=1)
    >>> learner = MonteCarloControl(play, rng=np.random.default_rng(1))
    >>> _ = learner.improve()
    >>> [policy[((),)].items[0][0] for policy in learner.policies()]
    ['defect', 'defect']
    """

    name = "Monte-Carlo control"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        visits: Visits = Visits.EVERY,
        rng: np.random.Generator,
        step_size: float | StepSize = PerVisit(),  # noqa: B008 frozen
        exploration: Exploration = EpsilonGreedy(),  # noqa: B008 frozen
        initial: Initial = 0.0,
        discount: float | None = None,
        iteration: Iteration = ITERATION,
        learns: tuple[int, ...] | None = None,
        others: Others | None = None,
    ) -> None:
        super().__init__(
            environment,
            lambda seats: ValueRule(
                seats,
                ReturnUpdate(visits, environment.num_episodes),
                step_size=step_size,
                initial=initial,
                exploration=exploration,
                rng=rng,
            ),
            rng=rng,
            discount=discount,
            at_horizon=AtHorizon.ENDS,
            iteration=iteration,
            learns=learns,
            others=others,
        )


class ReturnUpdate(Update):
    """Values move towards the returns of episodes that have ended."""

    def __init__(self, visits: Visits, episodes: int) -> None:
        from learners._kernels.value_updates import learn_returns  # noqa: PLC0415 loads numba

        self._kernel = learn_returns
        self._only_first = visits is Visits.FIRST
        self._episodes = episodes
        self._kept: dict[int, EpisodeArrays] = {}

    def learn(self, tables: Tables, seat: Seat, arrival: Arrival, rate: Rate) -> Corrections:
        """Note the moves, and update a player's table where episodes ended."""
        kept = self._note(seat.player, arrival.moves)
        is_over = arrival.turn.is_over
        if not is_over.any():
            return Corrections(0.0, 0)
        total, count = self._kernel(
            tables.values[0],
            tables.visits[0],
            np.full(seat.shape[1:], -1, dtype=np.int64),
            kept,
            is_over,
            self._only_first,
            rate.rate,
            rate.power,
        )
        kept.lengths[is_over] = 0
        return Corrections(total, count)

    def _note(self, player: int, moves: "MoveArrays") -> "EpisodeArrays":
        kept = self._kept.get(player) or _memory(self._episodes, FIRST_LENGTH)
        made = np.flatnonzero(moves.is_made)
        at = kept.lengths[made]
        if at.size and at.max() == kept.rewards.shape[1]:
            kept = _doubled(kept)
        self._kept[player] = kept
        kept.observations[made, at] = moves.observation[made]
        kept.actions[made, at] = moves.action[made]
        kept.rewards[made, at] = moves.reward[made]
        kept.factors[made, at] = moves.factor[made]
        kept.lengths[made] += 1
        return kept

    def snapshot(self) -> dict[str, Any]:
        """Return the moves of episodes under way."""
        return {
            str(i): {name: array.copy() for name, array in kept._asdict().items()}
            for i, kept in self._kept.items()
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        from learners._kernels.value_updates import EpisodeArrays  # noqa: PLC0415 loads numba

        self._kept = {
            int(i): EpisodeArrays(**{name: np.array(own[name]) for name in own})
            for i, own in snapshot.items()
        }


def _memory(episodes: int, length: int) -> "EpisodeArrays":
    from learners._kernels.value_updates import EpisodeArrays  # noqa: PLC0415 loads numba

    shape = (episodes, length)
    return EpisodeArrays(
        lengths=np.zeros(episodes, dtype=np.int64),
        observations=np.zeros(shape, dtype=np.int64),
        actions=np.zeros(shape, dtype=np.int64),
        rewards=np.zeros(shape),
        factors=np.zeros(shape),
    )


def _doubled(kept: "EpisodeArrays") -> "EpisodeArrays":
    """Return the same moves with room for as many again."""
    episodes, length = kept.rewards.shape
    longer = _memory(episodes, 2 * length)
    longer.lengths[:] = kept.lengths
    for old, new in zip(kept[1:], longer[1:], strict=True):
        new[:, :length] = old
    return longer
