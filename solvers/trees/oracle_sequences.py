"""Double oracle in trees: mix over the sequences of a few plans, and let best responses add more.

A best response in a tree is a pure plan, that is a set of sequences which has, with a sequence, an
action at each own information set that follows it. Some plans of both players, and every mixture
that their sequences allow, make a restricted game (Bosansky et al. 2014; McAleer et al. 2021): its
linear program is that of the sequence form with rows and columns left out. Where a plan leads, the
union of plans has an action, so that a strategy of the restricted game is one of the whole game.

Both best responses bound the value of the whole game. Where neither does better than the value of
the restricted game, that is solved exactly; where they still do not, its solution is one of the
whole game.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core import BehavioralProfile, MinimaxCertificate
from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ZERO
from gametheory_core.games import ExtensiveFormGame
from gametheory_core.strategies import sequence_form
from gametheory_core.strategies.sequences import PlayerSequences, SequenceForm
from solvers._programs.linear import Basis, BoolArray, FloatOutcome, LinearProgram
from solvers._programs.refinement import refine, solve_model
from solvers.concepts import Concept
from solvers.requirements import a_tree, constant_sum, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.integer_plans import IntegerPlan, PlanReplies, Reply, behavior, integer_plan
from solvers.trees.linear_program import SequenceProgram, sequence_program
from solvers.zero_sum.certified_program import certified_solution
from solvers.zero_sum.oracle_rounds import (
    DoubleOracleRun,
    OracleRound,
    not_converged,
    require_actions,
)

TreeRun: TypeAlias = DoubleOracleRun[Solution[BehavioralProfile, MinimaxCertificate]]
CLOSE = Fraction(1, 10**9)  # of the largest payoff: less is not seen in floats


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
        solution = certified_solution(game, search.profile, meter=meter)
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
        self._basis: Basis | None = None
        self._is_settled = False
        self._best = [integer_plan(own, np.zeros(own.num_sequences)) for own in form.players]
        replies = self._replies(self._best)
        self._bounds = [replies[1].value, replies[0].value]
        self.allowed = [
            _plan(own, reply.actions) for own, reply in zip(form.players, replies, strict=True)
        ]

    @property
    def profile(self) -> BehavioralProfile:
        """The best strategies so far."""
        return behavior(self.form, self._best)

    @property
    def epsilon(self) -> Fraction:
        """How far the best guarantees so far are apart; payoff units."""
        return self._bounds[1] - self._bounds[0]

    @property
    def actions(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The sequences that are allowed."""
        first, second = (tuple(np.flatnonzero(own).tolist()) for own in self.allowed)
        return first, second

    def round(self) -> None:
        """Solve the restricted tree, and allow what answers it better."""
        plans, value, slack = self._solved()
        replies = self._replies(plans)
        self._keep(plans, replies)
        is_new = False
        for player, (reply, sign) in enumerate(zip(replies, (1, -1), strict=True)):
            plan = _plan(self.form.players[player], reply.actions)
            if sign * (reply.value - value) > slack and (plan & ~self.allowed[player]).any():
                self.allowed[player] |= plan
                is_new = True
        self._is_settled = not is_new
        first, second = (int(own.sum()) for own in self.allowed)
        lower, upper = self._bounds
        self.rounds.append(OracleRound((first, second), lower, upper, value))

    def _solved(self) -> tuple[list[IntegerPlan], Fraction, Fraction]:
        """Return minimax plans of the restricted tree, its value, and what that may miss."""
        program, rows, columns = _restricted(self.form, self.program, self.allowed)
        start = None if self._basis is None else self._warm(rows, columns)
        found = solve_model(program.twofold, basis=start, time_limit=self.meter.seconds_left)
        basis = found.basis
        if found.outcome is FloatOutcome.OPTIMAL and basis is not None:
            self._basis = Basis(
                tuple(columns[list(basis.columns)].tolist()), tuple(rows[list(basis.rows)].tolist())
            )
        if self._is_settled or basis is None:
            try:
                optimum = refine(
                    program.twofold,
                    Basis((), ()) if basis is None else basis,
                    time_limit=lambda: self.meter.seconds_left,
                    tick=self.meter.require_time,
                )
                value = optimum.value * program.scale
                return self._spread(optimum.primal, optimum.dual, ZERO), value, ZERO
            except BudgetOver:
                if basis is None:
                    return self._best, self._bounds[0], self._slack
        value = Fraction(float(found.primal[program.num_own])) * program.unit * program.scale
        return self._spread(found.primal, found.dual, 0.0), value, self._slack

    def _spread(self, primal: Any, dual: Any, zero: Any) -> list[IntegerPlan]:
        """Give sequences that are not allowed the weight zero."""
        plans: list[IntegerPlan] = []
        for own, allowed, values in zip(
            self.form.players, self.allowed, (primal, dual), strict=True
        ):
            full = np.full(len(allowed), zero)
            full[allowed] = values[: int(allowed.sum())]
            plans.append(integer_plan(own, full))
        return plans

    def _warm(self, rows: Any, columns: Any) -> Basis:
        """Carry the last basis over: where a plan leads anew, one of its new sequences is basic."""
        basis = cast("Basis", self._basis)
        own, shift = self.form.players[0], self.form.players[1].num_sequences + 1
        tight, basic = set(basis.rows), set(basis.columns)
        for row in rows[rows >= shift].tolist():
            if row not in tight:
                tight.add(row)
                k = row - shift
                start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
                basic.add(start + int(np.argmax(self.allowed[0][start:stop])))
        return Basis(
            tuple(np.flatnonzero(np.isin(columns, list(basic))).tolist()),
            tuple(np.flatnonzero(np.isin(rows, list(tight))).tolist()),
        )

    def _replies(self, plans: Sequence[IntegerPlan]) -> list[Reply]:
        return [self._oracle.reply(player, plans[1 - player]) for player in (0, 1)]

    def _keep(self, plans: Sequence[IntegerPlan], replies: Sequence[Reply]) -> None:
        """Keep each player's plan if it guarantees more than those before."""
        for player, sign in enumerate((1, -1)):
            guarantee = replies[1 - player].value
            if sign * (guarantee - self._bounds[player]) > 0:
                self._bounds[player], self._best[player] = guarantee, plans[player]


def _plan(own: PlayerSequences, actions: Sequence[int]) -> BoolArray:
    """Return the sequences of a pure strategy, but for those that its own actions exclude."""
    plan = np.zeros(own.num_sequences, dtype=bool)
    plan[0] = True
    starts = own.first_sequence.tolist()
    for k, parent in enumerate(own.parent_sequence.tolist()):
        plan[starts[k] + actions[k]] = plan[parent]
    return plan


def _restricted(
    form: SequenceForm, whole: SequenceProgram, allowed: Sequence[BoolArray]
) -> tuple[SequenceProgram, Any, Any]:
    """Leave out of the program what belongs to sequences that are not allowed.

    Returns:
        The program, and which rows and columns of the whole one it has.
    """
    reached = [
        own[np.concatenate([[0], player.parent_sequence])]
        for own, player in zip(allowed, form.players, strict=True)
    ]
    has_row = np.concatenate([allowed[1], reached[0]])
    has_column = np.concatenate([allowed[0], reached[1]])
    exact = whole.exact
    is_kept = has_row[exact.rows] & has_column[exact.columns]
    new_row, new_column = np.cumsum(has_row) - 1, np.cumsum(has_column) - 1
    program = LinearProgram(
        objective=exact.objective[has_column],
        rows=new_row[exact.rows[is_kept]].astype(np.int32),
        columns=new_column[exact.columns[is_kept]].astype(np.int32),
        values=exact.values[is_kept],
        bounds=exact.bounds[has_row],
        is_equation=exact.is_equation[has_row],
        is_free=exact.is_free[has_column],
    )
    sizes = int(allowed[0].sum()), int(allowed[1].sum())
    found = SequenceProgram(program, *sizes, whole.unit, whole.scale)
    return found, np.flatnonzero(has_row), np.flatnonzero(has_column)
