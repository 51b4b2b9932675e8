"""Double oracle: solve a small game, and let best responses over all actions make it grow.

The *restricted game* has some rows and columns. Its minimax strategies ``x`` and ``y`` are answered
by best responses over all actions (McMahan, Gordon and Blum 2003), which bound the value ``v``:

    min over all b of x'A[:, b]  <=  v  <=  max over all a of A[a, :]y.

A response that does better than the restricted game's value is new, and joins it. When neither does,
``x`` and ``y`` are minimax strategies of the whole game, however few of its actions were ever
looked at. The value of the restricted game may go up and down; the best bounds so far only close.

Restricted games are solved in floats, from where the one before was solved; small supports then
determine exact strategies. Where nothing new is found that floats can see, the restricted game is
solved exactly, so that the end is exact, too.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np

from gametheory_core import MinimaxCertificate, MixedProfile, NormalFormGame
from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ONE, ZERO, ExactArray
from gametheory_core.certificates.implicit_minimax import (
    ImplicitMinimaxCertificate,
    ImplicitReply,
    LargeGame,
    Mixtures,
    implicit_best_response,
    implicit_expected_payoff,
    require_no_better,
)
from gametheory_core.certificates.wording import at_most
from gametheory_core.distributions import point_mass
from gametheory_core.errors import InvalidGame, NotConverged
from gametheory_core.games.implicit import ImplicitGame, Mixture, OracleGame
from solvers.concepts import Concept
from solvers.requirements import Kind, a_normal_form, constant_sum, two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.certified_program import certified_solution
from solvers.zero_sum.restricted_game import RestrictedGame, RestrictedSolution

SolutionT = TypeVar("SolutionT", bound=Solution[Any, Any])

a_large_game = Kind(
    "an ImplicitGame or OracleGame",
    lambda game: isinstance(game, ImplicitGame | OracleGame),
    remedy="Use double_oracle for tables, and sequence_form_double_oracle for trees.",
)


@dataclass(frozen=True)
class OracleRound:
    """What is known after a round.

    Attributes:
        sizes: Of the restricted game: rows and columns, or sequences of both players.
        lower, upper: The best certified bounds on the value so far; payoff units.
        restricted_value: Of the restricted game to player 0, up to rounding.
    """

    sizes: tuple[int, int]
    lower: Fraction
    upper: Fraction
    restricted_value: float


@dataclass(frozen=True)
class DoubleOracleRun(Generic[SolutionT]):
    """A solution, and the restricted game in which it was found.

    Attributes:
        solution: Certified for the whole game.
        rounds: Bounds and sizes, round by round.
        actions: Of both players in the restricted game; give the run as ``start`` to go on.
    """

    solution: SolutionT
    rounds: tuple[OracleRound, ...]
    actions: tuple[tuple[Any, ...], tuple[Any, ...]]


ImplicitRun = DoubleOracleRun[Solution[Mixtures, ImplicitMinimaxCertificate]]
MatrixRun = DoubleOracleRun[Solution[MixedProfile, MinimaxCertificate]]


@solver(
    Answers(Concept.MINIMAX, rank=15),
    takes=(a_normal_form, two_players, constant_sum),
    unit="rounds",
    because="two players, constant sum: best responses make a small game grow",
    page="double-oracle",
)
def double_oracle(
    game: NormalFormGame,
    *,
    tolerance: float | None = None,
    start: MatrixRun | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> MatrixRun:
    """Find minimax strategies by growing a restricted game with best responses.

    Args:
        game: Two players, constant-sum.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly.
        start: Go on from the actions of an earlier run.
        budget: Iterations are rounds. Time is looked at between them.
        on_iteration: Called after each round.

    Returns:
        Without a tolerance, ``solution.certificate.epsilon`` is 0.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the run so far, with certified bounds.

    Worth while where supports are small; else ``minimax`` is quicker. For games that no table can
    hold, use ``implicit_double_oracle``.

    Source: :cite:`mcmahan2003planning`.

    >>> game = NormalFormGame.zero_sum([[2, -1, 3], [-1, 1, 3]])
    >>> str(double_oracle(game).solution.certificate.game_value)
    '1/5'
    """
    require_instance(start, (DoubleOracleRun, type(None)), name="start")
    meter = open_meter(budget, on_iteration)
    scaled = game.scaled_payoffs[0]
    table, unit = scaled.numerators, Fraction(1, scaled.denominator)
    if max(map(abs, (table.max(), table.min()))) < 2**62:
        table = table.astype(np.int64)
    rows, columns = game.num_actions
    inner = ImplicitGame(lambda i, j: table[i, j], (rows, columns))

    search = _Search(inner, meter, unit)

    def finish() -> MatrixRun:
        vectors = map(_vector, search.profile, game.num_actions)
        return search.run(certified_solution(game, MixedProfile(tuple(vectors)), meter=meter))

    return _grown(search, start, tolerance, finish)


@solver(takes=(a_large_game,), unit="rounds", page="double-oracle")
def implicit_double_oracle(
    game: LargeGame,
    *,
    tolerance: float | None = None,
    start: ImplicitRun | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> ImplicitRun:
    """Find minimax strategies of a zero-sum game that is given by functions.

    Args:
        game: An ``ImplicitGame``, whose actions are all looked at in each round, or an
            ``OracleGame``, whose oracles are asked.
        tolerance, start, budget, on_iteration: As for ``double_oracle``.

    Returns:
        Without a tolerance, ``solution.certificate.epsilon`` is 0.

    Raises:
        InvalidGame: If payoffs have another shape or are no finite numbers, or an oracle names a
            payoff that its action does not get, or overlooks a better action that is known.
        NotConverged: If the budget ends first; ``best`` is the run so far, with certified bounds.

    A round takes time linear in the number of actions times the size of the support; memory is
    that of the restricted game and a block of payoffs.

    Source: :cite:`mcmahan2003planning`.

    >>> game = ImplicitGame(lambda row, column: (row - column) ** 2, (10**6 + 1, 10**6 + 1))
    >>> str(implicit_double_oracle(game).solution.certificate.game_value)
    '250000000000'
    """
    require_instance(start, (DoubleOracleRun, type(None)), name="start")
    meter = open_meter(budget, on_iteration)

    search = _Search(game, meter)

    def finish() -> ImplicitRun:
        lower, upper = (value for _, value in search.best)
        certificate = ImplicitMinimaxCertificate(game, search.profile, lower, upper)
        return search.run(
            Solution(search.profile, certificate.payoffs, certificate, meter.record())
        )

    return _grown(search, start, tolerance, finish)


class _Search:
    """Rounds of double oracle, the restricted game, and the best strategies so far."""

    def __init__(self, game: LargeGame, meter: Meter, unit: Fraction = ONE) -> None:
        self.game, self.meter, self.unit = game, meter, unit
        self.restricted = RestrictedGame(game)
        self.rounds: list[OracleRound] = []
        self.best: list[tuple[Mixture, Fraction]] = []  # of each player, and what it guarantees
        self._is_settled = False

    @property
    def profile(self) -> Mixtures:
        """The best strategies so far."""
        return self.best[0][0], self.best[1][0]

    @property
    def epsilon(self) -> Fraction:
        """How far their guarantees are apart; payoff units."""
        return (self.best[1][1] - self.best[0][1]) * self.unit

    def begin(self, actions: tuple[tuple[Any, ...], tuple[Any, ...]]) -> None:
        """Start from some actions of both players."""
        for player, own in enumerate(actions):
            for action in own:
                self.restricted.add(player, action)

    def round(self) -> None:
        """Solve the restricted game, and add what answers it better."""
        found = self._solved()
        replies = self.look(found.profile)
        better = [
            sign * (reply.value - found.value) > found.slack
            for sign, reply in zip((1, -1), replies, strict=True)
        ]
        is_new = False
        for player, reply in enumerate(replies):
            if isinstance(self.game, OracleGame):
                self._check(player, reply, found)
            if better[player] and not self.restricted.has(player, reply.action):
                self.restricted.add(player, reply.action)
                is_new = True
        if self.epsilon < 0 or (found.is_proved and not is_new and self.epsilon):
            raise InvalidGame(
                needs="payoffs that are always the same for the same actions",
                found=f"the bounds {self.best[0][1]} and {self.best[1][1]} contradict each other, or "
                "what is best in the restricted game",
                remedy="Draw nothing, and keep nothing, in the functions.",
            )
        self._is_settled = not is_new
        self._note(found)

    def look(self, profile: Mixtures) -> tuple[ImplicitReply, ImplicitReply]:
        """Find what answers a profile best, and keep strategies that guarantee more."""
        upper, lower = (
            implicit_best_response(self.game, profile[1 - player], player=player)
            for player in (0, 1)
        )
        if not self.best:
            self.best = [(profile[0], lower.value), (profile[1], upper.value)]
        if lower.value > self.best[0][1]:
            self.best[0] = (profile[0], lower.value)
        if upper.value < self.best[1][1]:
            self.best[1] = (profile[1], upper.value)
        return upper, lower

    def run(self, solution: Any) -> Any:
        """Report what was found."""
        return DoubleOracleRun(solution, tuple(self.rounds), self.restricted.actions)

    def _solved(self) -> RestrictedSolution:
        if self._is_settled:
            try:
                return self.restricted.solve_exactly(Budget(self.meter.seconds_left))
            except NotConverged:
                pass
        return self.restricted.solve()

    def _check(self, player: int, reply: ImplicitReply, found: RestrictedSolution) -> None:
        """Refuse an oracle that overlooks a known action."""
        known, mixture = self.restricted.best_known(player, found), found.profile[1 - player]
        value = implicit_expected_payoff(self.game, known, mixture, player=player)
        require_no_better(player, reply, ImplicitReply(known, value), mixture)

    def _note(self, found: RestrictedSolution) -> None:
        rows, columns = self.restricted.actions
        self.rounds.append(
            OracleRound(
                sizes=(len(rows), len(columns)),
                lower=self.best[0][1] * self.unit,
                upper=self.best[1][1] * self.unit,
                restricted_value=float(found.value * self.unit),
            )
        )


def _grown(
    search: _Search,
    start: DoubleOracleRun[Any] | None,
    tolerance: float | None,
    finish: Callable[[], Any],
) -> Any:
    """Go round by round until the bounds are near enough.

    Raises:
        NotConverged: If the budget ends first.
    """
    if start is not None:
        search.begin(start.actions)
    elif isinstance(search.game, ImplicitGame):
        search.begin(((0,), (0,)))
    else:
        row, column = search.game.first_actions
        search.begin(((row,), (column,)))
    while not search.best or search.epsilon > Fraction(tolerance or 0):
        if search.meter.is_exhausted:
            if not search.best:
                row, column = (own[0] for own in search.restricted.actions)
                search.look((point_mass(row), point_mass(column)))
            raise not_converged(search.epsilon, tolerance, len(search.rounds), finish())
        search.round()
        search.meter.step()
    return finish()


def not_converged(epsilon: Fraction, tolerance: float | None, rounds: int, best: Any) -> NotConverged:
    """Say that the budget ended first."""
    return NotConverged(
        needs="an exact solution" if tolerance is None else f"an epsilon of at most {tolerance}",
        found=f"the budget ended with epsilon {at_most(epsilon)} after {rounds} rounds",
        remedy="Give a larger budget and start=error.best, or use the exception's best.",
        best=best,
    )


def _vector(mixture: Mixture, count: int) -> ExactArray:
    vector = np.full(count, ZERO)
    for action, weight in mixture:
        vector[action] = weight
    return vector
