"""The rounds of double oracle: what is known after each, and how the next one comes about."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic, TypeVar

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.certificates.implicit_minimax import (
    ImplicitReply,
    LargeGame,
    Mixtures,
    implicit_best_response,
    implicit_expected_payoff,
    require_no_better,
)
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import InvalidGame, NotConverged
from gametheory_core.games.implicit import ImplicitGame, Mixture, OracleGame
from solvers.solution import Budget, Meter, Solution
from solvers.zero_sum.restricted_game import RestrictedGame, RestrictedSolution

SolutionT = TypeVar("SolutionT", bound=Solution[Any, Any])


@dataclass(frozen=True)
class OracleRound:
    """What is known after a round.

    Attributes:
        sizes: Of the restricted game: rows and columns, or sequences of both players.
        lower, upper: The best certified bounds on the value so far; payoff units.
        restricted_value: Of the restricted game to player 0; rounded where supports are large.
    """

    sizes: tuple[int, int]
    lower: Fraction
    upper: Fraction
    restricted_value: Fraction


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


class OracleSearch:
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
        if isinstance(self.game, ImplicitGame):
            require_actions(actions, self.game.num_actions)
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
                found=f"bounds of {self.best[0][1]} and {self.best[1][1]} cannot both be right",
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
                restricted_value=found.value * self.unit,
            )
        )


def require_actions(actions: tuple[tuple[Any, ...], ...], counts: tuple[int, ...]) -> None:
    """Refuse a start with actions, or sequences, that the game does not have.

    Raises:
        InvalidArgument: Names the range.
    """
    for own, count in zip(actions, counts, strict=True):
        for action in own:
            require_integer(action, name="each of start.actions", low=0, high=count - 1)


def not_converged(
    epsilon: Fraction, tolerance: float | None, rounds: int, best: Any
) -> NotConverged:
    """Say that the budget ended first."""
    return NotConverged(
        needs="an exact solution" if tolerance is None else f"an epsilon of at most {tolerance}",
        found=f"the budget ended with epsilon {at_most(epsilon)} after {rounds} rounds",
        remedy="Give a larger budget and start=error.best, or use the exception's best.",
        best=best,
    )
