"""How fair deep JAM-Q-learning gets, as rows of a table.

A row says game, who leads, seed, episodes made, fairness, and the most that there can be.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from typing import Any

from gametheory_core.arguments import require_integer
from gametheory_core.mediation.fairness import MINIMUM, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.values import mediated_fairness
from learners.mediation.jam_networks import DeepJamQLearning
from learners.mediation.led_batch import MediatedBatch, fairness_of_floats
from learners.mediation.led_games import Leaders, led_batch
from learners.streams import named_stream

AT_ONCE, ITERATIONS = 50, 320  # for games in tables
GRID_AT_ONCE, GRID_JUDGED = 100, 300  # episodes of an iteration, and to judge by

WAYS: Mapping[str, Mapping[str, Any]] = {
    "full": {"stage": MediatorStage.FULL},
    "pre-final": {"stage": MediatorStage.PRE_FINAL},
    "naive": {"stage": MediatorStage.NAIVE},
    "fixed": {"leaders": Leaders.FIXED},
    "in turn": {"leaders": Leaders.IN_TURN},
    "vote": {"leaders": Leaders.VOTED},
}


@dataclass(frozen=True)
class LearnedRow:
    """How fair a run was at one time.

    Attributes:
        game: For people.
        way: Who leads: a key of ``WAYS``.
        episodes: Played so far.
        fairness: Of the lowest return; on the grid the mean over episodes without exploring.
        bound: No play is fairer.
    """

    game: str
    way: str
    seed: int
    episodes: int
    fairness: float
    bound: float


COLUMNS = tuple(field.name for field in fields(LearnedRow))


def rows_of(rows: Iterable[LearnedRow]) -> list[Sequence[Any]]:
    """Return rows as a file of comma-separated values has them, below ``COLUMNS``."""
    return [astuple(row) for row in rows]


def learned_row(
    label: str,
    game: MediatedGame,
    *,
    seed: int,
    bound: float,
    way: str = "full",
    iterations: int = ITERATIONS,
) -> LearnedRow:
    """Learn a game in tables with the default options, and judge exactly what was learned.

    Args:
        bound: The optimum, for one: ``fair_optimum(game).fairness``.
        way: By a mediator; a key of ``WAYS``.
        iterations: Of 50 episodes.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> learned_row("Chicken", mediated_chicken(), seed=0, bound=24, iterations=2).episodes
    100
    """
    require_integer(iterations, name="iterations", low=1)
    batch = led_batch(game, episodes=AT_ONCE, rng=named_stream(seed, "environment"))
    learner = DeepJamQLearning(batch, rng=named_stream(seed, "learner"), **WAYS[way])
    for _ in range(iterations):
        learner.improve()
    played = learner.batch
    if not isinstance(played, MediatedBatch):
        returns = learner.greedy_returns(episodes=GRID_JUDGED, rng=named_stream(seed, "judge"))
        worth = float(fairness_of_floats(MINIMUM, returns).mean())
    else:
        worth = float(mediated_fairness(game, played.profile(learner), MINIMUM))
    return LearnedRow(label, way, seed, AT_ONCE * iterations, worth, float(bound))
