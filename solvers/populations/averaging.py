"""Nash averaging: rate agents by how they do against the most entropic equilibrium among them.

With ``A`` the evaluation matrix and ``p`` the max-entropy equilibrium of the game ``A``, the skill
of agent ``i`` is ``(A p)[i]``: 0 on the support of ``p``, at most 0 elsewhere (Balduzzi et al.
2018). Agents that differ in nothing share their probability and leave all skills alone.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ExactArray, NumberArray, freeze, is_exact
from gametheory_core.certificates.max_entropy import MaxEntropyCertificate
from gametheory_core.certificates.wording import rationals
from gametheory_core.errors import InvalidGame, NotConverged
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.populations.win_rates import EXACTLY, measured_array
from solvers.requirements import require_instance
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import solver
from solvers.zero_sum.entropy import DEFAULT_ENTROPY_TOLERANCE, max_entropy

ROUNDING = 1e-12  # share of the largest entry that floats may be off


@dataclass(frozen=True)
class NashAverage:
    """Ratings of agents, and of tasks or opponents.

    Attributes:
        solution: The max-entropy equilibrium of ``solution.certificate.game``.
        skills: What each agent earns against the equilibrium strategy of the other side; exact for
            the rational strategy that is returned.
        difficulties: The same for each task, or each agent as the opponent: what it takes from the
            agents' equilibrium strategy.
    """

    solution: Solution[MixedProfile, MaxEntropyCertificate]
    skills: tuple[Fraction, ...]
    difficulties: tuple[Fraction, ...]

    @property
    def agent_mixture(self) -> ExactArray:
        """The agents' probabilities in equilibrium."""
        return self.solution.profile.strategies[0]

    @property
    def task_mixture(self) -> ExactArray:
        """The tasks' probabilities; agents again, where agents meet agents."""
        return self.solution.profile.strategies[1]

    @property
    def certificate(self) -> MaxEntropyCertificate:
        """That the mixtures are optimal and of nearly greatest entropy."""
        return self.solution.certificate


@solver(unit="Newton steps", page="populations")
def nash_averaging(
    evaluation: object,
    *,
    tolerance: float | None = None,
    entropy_tolerance: float = DEFAULT_ENTROPY_TOLERANCE,
    start: NashAverage | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> NashAverage:
    """Rate agents against agents by their max-entropy equilibrium.

    Args:
        evaluation (agents, agents): Antisymmetric; ``evaluation_matrix(win_rates)`` makes one.
            Floats may miss that by 1e-12 of the largest entry, which is what rounding does to
            ``win_rates - 0.5`` near one half; then the average of ``A`` and ``-A.T`` is rated,
            which is exactly antisymmetric.
        tolerance: Width of the interval around the value 0 that is good enough, in units of the
            matrix. Default 1e-12 times its span.
        entropy_tolerance: How much more entropy another equilibrium strategy may have, in nats.
        start: Of the same matrix before new agents were added at its end.
        budget: As for ``max_entropy``.
        on_iteration: As for ``max_entropy``.

    Returns:
        With a certificate.

    Raises:
        InvalidGame: If the matrix is not square and antisymmetric; names the entries.
        NotConverged: If a tolerance is not met, or the budget ends first; ``best`` is the best so
            far.

    Ratings are discontinuous: where an agent is as good as another but for an arbitrarily small
    advantage, the mixture jumps.

    Source: :cite:`balduzzi2018reevaluating`.

    >>> average = nash_averaging([[0, 1, -1, 2], [-1, 0, 1, 2], [1, -1, 0, 2], [-2, -2, -2, 0]])
    >>> [str(skill) for skill in average.skills]
    ['0', '0', '0', '-2']
    """
    table = measured_array(evaluation, where="nash_averaging: evaluation matrix")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise InvalidGame(
            needs="a square matrix, agents against agents",
            found=f"its shape is {table.shape}",
            remedy="Use nash_averaging_against_tasks for agents and tasks.",
        )
    game = NormalFormGame.zero_sum(antisymmetric(table), title="Agents against agents")
    return _average(
        game,
        tolerance=tolerance,
        entropy_tolerance=entropy_tolerance,
        start=start,
        budget=budget,
        on_iteration=on_iteration,
    )


@solver(unit="Newton steps", page="populations")
def nash_averaging_against_tasks(
    scores: object,
    *,
    tolerance: float | None = None,
    entropy_tolerance: float = DEFAULT_ENTROPY_TOLERANCE,
    start: NashAverage | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> NashAverage:
    """Rate agents by the hardest mixture of tasks, and tasks by the best mixture of agents.

    Args:
        scores (agents, tasks): What each agent scores at each task. Scores of different tasks are
            compared as they are; bring them to one scale first.
        tolerance, entropy_tolerance, start, budget, on_iteration: As for ``nash_averaging``.

    Returns:
        Difficulties are negative scores: the higher, the harder.

    Raises:
        InvalidGame: If the scores are no table of numbers.
        NotConverged: If a tolerance is not met, or the budget ends first; ``best`` is the best so
            far.

    Source: :cite:`balduzzi2018reevaluating`, appendix D.

    >>> average = nash_averaging_against_tasks([[1, 0], [0, 1], [0, 0]])
    >>> [str(skill) for skill in average.skills]
    ['1/2', '1/2', '0']
    """
    table = measured_array(scores, where="nash_averaging_against_tasks: scores")
    if table.ndim != 2 or not table.size:
        raise InvalidGame(
            needs="a table of scores, agents by tasks", found=f"its shape is {table.shape}"
        )
    game = NormalFormGame.zero_sum(table, title="Agents against tasks")
    return _average(
        game,
        tolerance=tolerance,
        entropy_tolerance=entropy_tolerance,
        start=start,
        budget=budget,
        on_iteration=on_iteration,
    )


def antisymmetric(table: NumberArray) -> NumberArray:
    """Remove what rounding of floats may have done; refuse more."""
    off = np.abs(table + table.T)
    allowed = 0 if is_exact(table) else ROUNDING * np.abs(table).max()
    for i, j in np.argwhere(off > allowed).tolist():
        raise InvalidGame(
            needs="an antisymmetric matrix",
            found=f"A[{i}, {j}] is {table[i, j]} and A[{j}, {i}] is {table[j, i]}",
            remedy=f"Use evaluation_matrix(win_rates). {EXACTLY}",
        )
    return table if is_exact(table) else freeze((table - table.T) / 2)


def _average(
    game: NormalFormGame,
    *,
    tolerance: float | None,
    entropy_tolerance: float,
    start: NashAverage | None,
    budget: Budget,
    on_iteration: OnIteration | None,
) -> NashAverage:
    if start is not None:
        remedy = "Give what this solver returned for fewer agents."
        require_instance(start, NashAverage, name="start", remedy=remedy)
    try:
        solution = max_entropy(
            game,
            tolerance=tolerance,
            entropy_tolerance=entropy_tolerance,
            start=None if start is None else start.solution,
            budget=budget,
            on_iteration=on_iteration,
        )
    except NotConverged as error:
        best = error.best
        rated = _rated(game, best) if isinstance(best, Solution) else None
        raise error.changed(best=rated) from error
    return _rated(game, solution)


def _rated(
    game: NormalFormGame, solution: Solution[MixedProfile, MaxEntropyCertificate]
) -> NashAverage:
    skills, difficulties = (
        rationals(action_payoffs(game, solution.profile, player=i)) for i in range(2)
    )
    return NashAverage(solution, skills, difficulties)
