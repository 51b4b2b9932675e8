"""Meta-games: agents as actions, win rates as payoffs.

``W[i, j]`` is how often agent ``i`` beats agent ``j``, draws counting half. Within a population
``W[i, j] + W[j, i] = 1`` and ``W[i, i] = 1/2``; the *evaluation matrix* ``W - 1/2`` is
antisymmetric. Between two populations any entries from 0 to 1 go; the value of the game
``W - 1/2`` is the *relative performance* of the first.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import (
    ExactArray,
    NumberArray,
    exact_array,
    freeze,
    is_exact,
    number_array,
)
from gametheory_core.certificates.equilibrium import MinimaxCertificate
from gametheory_core.errors import InvalidGame, NotConverged, refusing_function
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.probabilities import ROUNDING
from gametheory_core.strategies.mixed import MixedProfile
from solvers.requirements import as_tuple, require_instance, require_integer
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import open_meter, solver
from solvers.zero_sum.matrix_games import minimax

HALF = Fraction(1, 2)
BIPARTITE = "Meta-game of two populations"
EXACTLY = 'Give exact numbers as text such as "0.7", or counts to win_rates_from_wins.'


@dataclass(frozen=True)
class PerformanceCurve:
    """Relative performance of two populations as both grow.

    Attributes:
        sizes: ``solutions[k]`` is about the first ``sizes[k]`` agents of each population.
        solutions: Each certified.
    """

    sizes: tuple[int, ...]
    solutions: tuple[Solution[MixedProfile, MinimaxCertificate], ...]

    @property
    def values(self) -> tuple[Fraction, ...]:
        """Relative performances, from -1/2 to 1/2; neither monotone nor smooth as a rule."""
        return tuple(solution.certificate.game_value for solution in self.solutions)


def win_rates_from_wins(wins: object) -> ExactArray:
    """Return exact win rates of a population from counts of wins.

    Args:
        wins (agents, agents): ``wins[i][j]``: how often ``i`` beat ``j``; count draws half for
            both. The diagonal is ignored.

    Returns:
        (agents, agents): With 1/2 on the diagonal.

    Raises:
        InvalidGame: If the table is not square, a count is negative, or two agents never met.

    >>> win_rates_from_wins([[0, 3], [1, 0]])[0, 1]
    Fraction(3, 4)
    """
    counts = exact_array(wins, where="win_rates_from_wins: wins")
    _require_square(counts)
    _refuse_first(counts < 0, counts, "counts of at least 0", "Check them.")
    rates = np.full(counts.shape, HALF)
    for i, j in zip(*(axis.tolist() for axis in np.triu_indices(len(counts), 1)), strict=True):
        met = counts[i, j] + counts[j, i]
        if not met:
            raise InvalidGame(
                needs="matches between all agents",
                found=f"{i} and {j} never met",
                remedy="Play them, or leave one out.",
            )
        rates[i, j], rates[j, i] = counts[i, j] / met, counts[j, i] / met
    return freeze(rates)


def evaluation_matrix(win_rates: object) -> NumberArray:
    """Return the antisymmetric matrix ``W - 1/2`` of a population's win rates.

    Args:
        win_rates (agents, agents): Exact, or with floats, whose pairs may miss the sum one by 1e-9.

    Returns:
        (agents, agents): Exact or float as given; exactly antisymmetric.

    Raises:
        InvalidGame: If the table is not square, an entry is not from 0 to 1, a pair does not sum to
            one, or the diagonal is not 1/2; names the entry.

    >>> evaluation_matrix([["1/2", "3/4"], ["1/4", "1/2"]])[0].tolist()
    [Fraction(0, 1), Fraction(1, 4)]
    """
    return _evaluation(win_rates)


def _evaluation(win_rates: object) -> NumberArray:
    rates = _checked_rates(win_rates)
    _require_square(rates)
    allowed = 0 if is_exact(rates) else ROUNDING
    off = np.abs(rates + rates.T - 1)
    on_diagonal = np.eye(len(rates), dtype=bool)
    _refuse_first(
        on_diagonal & (off > allowed),
        rates,
        "1/2 on the diagonal",
        "An agent wins half of the matches against itself.",
    )
    _refuse_first(
        off > allowed,
        rates,
        "pairs with W[i, j] + W[j, i] = 1",
        f"Count draws half for both, or use bipartite_meta_game for two populations. {EXACTLY}",
    )
    return freeze((rates - rates.T) / 2)


def meta_game(
    win_rates: object, *, agents: Sequence[str] | None = None, title: str = "Meta-game"
) -> NormalFormGame:
    """Return the symmetric zero-sum game in which both players choose an agent of a population.

    Args:
        win_rates (agents, agents): As for ``evaluation_matrix``.
        agents: Labels.
        title: For people.

    Raises:
        InvalidGame: As for ``evaluation_matrix``.

    >>> str(meta_game([["1/2", "3/4"], ["1/4", "1/2"]]).exact_payoffs[0][0, 1])
    '1/4'
    """
    require_instance(title, str, name="title")
    table = _evaluation(win_rates)
    labels = None
    if agents is not None:
        remedy = "Give a label for each agent."
        own = as_tuple(agents, name="agents", remedy=remedy)
        for label in own:
            require_instance(label, str, name="each of agents", remedy=remedy)
        labels = (own, own)
    return NormalFormGame.zero_sum(table, actions=labels, title=title)


def bipartite_meta_game(win_rates: object, *, title: str = BIPARTITE) -> NormalFormGame:
    """Return the zero-sum game in which each player chooses an agent of its own population.

    Args:
        win_rates (first agents, second agents): How often agents of the first population beat
            agents of the second.
        title: For people.

    Raises:
        InvalidGame: If an entry is not from 0 to 1.

    >>> bipartite_meta_game([[1, 0, "1/2"]]).num_actions
    (1, 3)
    """
    require_instance(title, str, name="title")
    return _between(_checked_rates(win_rates), title)


def _between(rates: NumberArray, title: str = BIPARTITE) -> NormalFormGame:
    half = HALF if is_exact(rates) else 0.5
    return NormalFormGame.zero_sum(rates - half, title=title)


@solver(unit="pivots", page="populations")
def relative_population_performance(
    win_rates: object,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, MinimaxCertificate]:
    """Find the value of the game between two populations, from -1/2 to 1/2.

    Args:
        win_rates (first agents, second agents): How often agents of the first population beat
            agents of the second.
        tolerance, budget, on_iteration: As for ``minimax``; give a tolerance for large float
            tables.

    Returns:
        ``certificate.game_value`` is the performance of the first population.

    Raises:
        InvalidGame: If an entry is not from 0 to 1.
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.

    Source: :cite:`balduzzi2018reevaluating`.

    >>> relative_population_performance([[1, 0], [0, 1]]).certificate.game_value
    Fraction(0, 1)
    """
    game = _between(_checked_rates(win_rates))
    return minimax(game, tolerance=tolerance, budget=budget, on_iteration=on_iteration)


@solver(unit="linear programs", page="populations")
def relative_performance_curve(
    win_rates: object,
    *,
    sizes: Sequence[int] | None = None,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> PerformanceCurve:
    """Follow the relative performance of two populations as they grow agent by agent.

    Args:
        win_rates (first agents, second agents): Agents in the order in which they joined.
        sizes: How many agents of each population to look at; default 1, 2, ... to the smaller
            population.
        tolerance: As for ``minimax``.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        One certified solution for each size.

    Raises:
        InvalidGame: If an entry is not from 0 to 1.
        InvalidArgument: If a size is not within both populations.
        NotConverged: If the budget ends first; ``best`` is the curve so far.

    >>> curve = relative_performance_curve([[1, 0], [1, "1/2"]])
    >>> [str(value) for value in curve.values]
    ['1/2', '0']
    """
    rates = _checked_rates(win_rates)
    most = min(rates.shape)
    wanted = (
        tuple(range(1, most + 1))
        if sizes is None
        else as_tuple(sizes, name="sizes", remedy="Give sizes=(1, 2).")
    )
    for size in wanted:
        require_integer(size, name="each of sizes", low=1, high=most)
    meter = open_meter(budget, on_iteration, total=len(wanted))
    done: list[Solution[MixedProfile, MinimaxCertificate]] = []
    for size in wanted:
        if meter.is_exhausted:
            raise _unfinished(wanted, done)
        game = _between(rates[:size, :size])
        try:
            done.append(minimax(game, tolerance=tolerance, budget=Budget(meter.seconds_left)))
        except NotConverged as error:
            raise _unfinished(wanted, done) from error
        meter.step()
    return PerformanceCurve(wanted, tuple(done))


def _unfinished(
    sizes: Sequence[int], done: list[Solution[MixedProfile, MinimaxCertificate]]
) -> NotConverged:
    return NotConverged(
        needs=f"{len(sizes)} linear programs",
        found=f"the budget ended after {len(done)}",
        remedy="Give a larger budget, a tolerance, or fewer sizes.",
        best=PerformanceCurve(tuple(sizes[: len(done)]), tuple(done)),
    )


def measured_array(values: object, *, where: str) -> NumberArray:
    """Copy numbers into a read-only array: float64 if there are floats among them, else exact.

    Floats in nested sequences count as those in arrays: measured, and rounded when they were
    written down. Where there is text or a ``Fraction`` besides, all are exact.

    Raises:
        InvalidGame: If rows have different lengths, or an entry is no finite number; names the
            index.
    """
    numbers = number_array(values, where=where)
    if not is_exact(numbers) or isinstance(values, np.ndarray):
        return numbers
    given = np.array(values, dtype=object).ravel().tolist()
    is_measured = any(isinstance(entry, float | np.floating) for entry in given)
    if is_measured and all(isinstance(entry, int | float | np.generic) for entry in given):
        return freeze(np.array(values, dtype=np.float64))
    return numbers


def _checked_rates(win_rates: object) -> NumberArray:
    rates = measured_array(win_rates, where=f"{refusing_function()}: win rates")
    if rates.ndim != 2 or not rates.size:
        raise InvalidGame(needs="a table of win rates", found=f"its shape is {rates.shape}")
    _refuse_first(
        (rates < 0) | (rates > 1),
        rates,
        "win rates from 0 to 1",
        "Give shares, not percentages or payoffs; win_rates_from_wins turns counts into shares.",
    )
    return rates


def _require_square(table: NumberArray) -> None:
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise InvalidGame(
            needs="a square table, agents against agents",
            found=f"its shape is {table.shape}",
            remedy="Use bipartite_meta_game for two populations.",
        )


def _refuse_first(bad: NumberArray, table: NumberArray, needs: str, remedy: str) -> None:
    """Refuse the first bad entry, and show the one across the diagonal if there is one."""
    places = np.argwhere(bad)
    if not len(places):
        return
    i, j = map(int, places[0])
    across = f" and W[{j}, {i}] is {table[j, i]}" if i != j and table.shape[0] > j else ""
    shown = across if table.shape[0] == table.shape[1] else ""
    raise InvalidGame(needs=needs, found=f"W[{i}, {j}] is {table[i, j]}{shown}", remedy=remedy)
