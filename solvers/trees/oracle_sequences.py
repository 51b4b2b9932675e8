"""Double oracle in trees: mix over the sequences of a few plans, and let best responses add more.

A best response in a tree is a pure plan, that is a set of sequences which has, with a sequence, an
action at each own information set that follows it. Some plans of both players, and every mixture
that their sequences allow, make a restricted game (Bosansky et al. 2014; McAleer et al. 2021): its
linear program is that of the sequence form, where other sequences have weight zero and ask for
nothing. Where a plan leads, the union of plans has an action, so that a strategy of the restricted
game is one of the whole game.

Both best responses bound the value of the whole game. Where neither does better than the value of
the restricted game by more than floats can see, the whole program is solved exactly from there.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from gametheory_core import BehavioralProfile, MinimaxCertificate
from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ZERO, NumberArray
from gametheory_core.games import ExtensiveFormGame
from gametheory_core.strategies import sequence_form
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._programs.growing_model import GrowingModel
from solvers._programs.linear import Basis, BoolArray
from solvers._programs.refinement import refine
from solvers.concepts import Concept
from solvers.requirements import a_tree, constant_sum, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.integer_plans import IntegerPlan, PlanReplies, Reply, behavior, integer_plan
from solvers.trees.sequence_program import sequence_program
from solvers.zero_sum.certified_program import certified_solution
from solvers.zero_sum.oracle_rounds import (
    DoubleOracleRun,
    OracleRound,
    not_converged,
    require_actions,
)

TreeRun: TypeAlias = DoubleOracleRun[Solution[BehavioralProfile, MinimaxCertificate]]
CLOSE = Fraction(1, 10**9)  # of the largest payoff: less is not seen in floats
FIRST_REPLIES = 2  # to replies, before the first program: they cost much less than it


@solver(
    Answers(Concept.MINIMAX, rank=25),
    takes=(a_tree, two_players, constant_sum, perfect_recall),
    unit="rounds",
    because="two players, constant sum and perfect recall: best responses make a small game grow",
    page="double-oracle",
)
def sequence_form_double_oracle(
    game: ExtensiveFormGame,
    *,
    tolerance: float | None = None,
    start: TreeRun | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeRun:
    """Find minimax behavioral strategies by growing a restricted tree with best responses.

    Args:
        game: Two players, constant-sum, perfect recall.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly.
        start: Go on from the sequences of an earlier run of the same tree.
        budget: Iterations are rounds. Time is looked at between them.
        on_iteration: Called after each round.

    Returns:
        Without a tolerance, ``solution.certificate.epsilon`` is 0. ``actions`` are numbers of
        sequences.

    Raises:
        NotConverged: If the budget ends first; ``best`` is the run so far, with certified bounds.

    Worth while where few sequences matter; else ``sequence_form_lp`` is quicker.

    Source: :cite:`bosansky2014exact`.

    >>> from gametheory_core import load_game
    >>> run = sequence_form_double_oracle(load_game("kuhn_poker"))
    >>> str(run.solution.certificate.game_value), run.solution.certificate.epsilon
    ('-1/18', Fraction(0, 1))
    """
    require_instance(start, (DoubleOracleRun, type(None)), name="start")
    meter = open_meter(budget, on_iteration)
    search = _Search(sequence_form(game), meter)
    if start is not None:
        require_actions(start.actions, tuple(map(len, search.allowed)))
        for allowed, own in zip(search.allowed, start.actions, strict=True):
            allowed[list(own)] = True

    def finish() -> TreeRun:
        paid = search.paid
        solution = certified_solution(game, search.profile, meter=meter, paid=paid)
        return DoubleOracleRun(solution, tuple(search.rounds), search.actions)

    while search.epsilon > Fraction(tolerance or 0):
        if meter.is_exhausted:
            raise not_converged(search.epsilon, tolerance, len(search.rounds), finish())
        search.round()
        meter.step()
    return finish()


class _Search:
    """Rounds of double oracle in a tree, the sequences allowed, and the best plans so far."""

    def __init__(self, form: SequenceForm, meter: Meter) -> None:
        self.form, self.meter = form, meter
        self.program = sequence_program(form)
        self.rounds: list[OracleRound] = []
        self._oracle = PlanReplies(form, self.program)
        self._slack = CLOSE * self.program.unit * self.program.scale
        self._model = GrowingModel(self.program.floats)
        self._is_settled = False
        self._best = [integer_plan(own, np.zeros(own.num_sequences)) for own in form.players]
        replies = self._replies(self._best)
        self._bounds = [replies[1].value, replies[0].value]
        self.allowed = pure = self._pure(replies)
        for _ in range(FIRST_REPLIES):
            plans = [own.astype(np.int8).astype(object) for own in pure]
            replies = self._replies(plans)
            self._keep(plans, replies)
            pure = self._pure(replies)
            self._allow(pure)

    @property
    def profile(self) -> BehavioralProfile:
        """The best strategies so far."""
        return behavior(self.form, self._best)

    @property
    def paid(self) -> Fraction:
        """What player 0 is paid where both play their best strategies so far."""
        return self._oracle.paid(self._best)

    @property
    def epsilon(self) -> Fraction:
        """How far the best guarantees so far are apart; payoff units."""
        return self._bounds[1] - self._bounds[0]

    @property
    def actions(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sequences that are allowed."""
        first, second = (tuple(np.flatnonzero(own).tolist()) for own in self.allowed)
        return first, second

    @property
    def sizes(self) -> tuple[int, int]:
        """How many sequences of each player are allowed."""
        first, second = (int(own.sum()) for own in self.allowed)
        return first, second

    def round(self) -> None:
        """Solve the restricted tree, and allow what answers it better."""
        plans, value, slack = self._solved()
        replies = self._replies(plans)
        self._keep(plans, replies)
        gains = replies[0].value - value, value - replies[1].value
        better = [
            pure & (gain > slack) for pure, gain in zip(self._pure(replies), gains, strict=True)
        ]
        self._is_settled = not self._allow(better)
        lower, upper = self._bounds
        self.rounds.append(OracleRound(self.sizes, lower, upper, value))

    def _solved(self) -> tuple[list[IntegerPlan], Fraction, Fraction]:
        """Return minimax plans of the restricted tree, its value, and what that may miss."""
        columns, rows = (own | self._is_settled for own in self.allowed)
        found = self._model.solve(columns, rows, time_limit=self.meter.seconds_left)
        if self._is_settled or found is None:
            try:
                optimum = refine(
                    self.program.twofold,
                    Basis((), ()) if found is None else self._model.basis,
                    time_limit=lambda: self.meter.seconds_left,
                    tick=self.meter.require_time,
                )
                value = optimum.value * self.program.scale
                return self._plans(optimum.primal, optimum.dual), value, ZERO
            except BudgetOver:
                if found is None:
                    return self._best, self._bounds[0], self._slack
        primal, dual = found
        value = Fraction(float(primal[self.program.num_own])) * self.program.unit
        return self._plans(primal, dual), value * self.program.scale, self._slack

    def _plans(self, primal: NumberArray, dual: NumberArray) -> list[IntegerPlan]:
        pairs = zip(self.form.players, (primal, dual), strict=True)
        return [integer_plan(own, values[: own.num_sequences]) for own, values in pairs]

    def _replies(self, plans: Sequence[IntegerPlan]) -> list[Reply]:
        return [self._oracle.reply(player, plans[1 - player]) for player in (0, 1)]

    def _allow(self, sequences: Sequence[BoolArray]) -> bool:
        """Allow more, and tell whether there are new ones."""
        before = self.sizes
        self.allowed = [own | new for own, new in zip(self.allowed, sequences, strict=True)]
        return self.sizes != before

    def _pure(self, replies: Sequence[Reply]) -> list[BoolArray]:
        """Return the sequences of each reply."""
        pairs = zip(self.form.players, replies, strict=True)
        return [_plan(own, reply.actions) for own, reply in pairs]

    def _keep(self, plans: Sequence[IntegerPlan], replies: Sequence[Reply]) -> None:
        """Keep each player's plan if it guarantees more than those before."""
        for player, sign in enumerate((1, -1)):
            guarantee = replies[1 - player].value
            if sign * (guarantee - self._bounds[player]) > 0:
                self._bounds[player], self._best[player] = guarantee, plans[player]


def _plan(own: PlayerSequences, actions: Sequence[int]) -> BoolArray:
    """Return the sequences of a pure strategy, but for those that its own actions exclude."""
    plan = [False] * own.num_sequences
    plan[0] = True
    pairs = zip(own.parent_sequence.tolist(), own.first_sequence.tolist(), actions, strict=False)
    for parent, start, action in pairs:
        plan[start + action] = plan[parent]
    return np.array(plan)
