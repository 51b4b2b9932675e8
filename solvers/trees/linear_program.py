"""Zero-sum trees by one linear program over realization plans.

Floats find a basis of the program, which is solved and checked in rationals; what floats could not
see is put right by magnified re-solves. With ``A`` (sequences of player 0 x sequences of player 1)
the chance-weighted payoffs of player 0, ``E x = e`` and ``F y = f`` the constraints on the plans,
player 0 solves

    max  v[empty]   subject to   E x = e,   x >= 0,
    v[I(s)] - sum over J with parent(J) = s of v[J]  <=  (A'x)[s]   for every sequence s of player 1

where ``I(s)`` is the information set at which ``s`` ends and ``v`` is what player 1 concedes from
there on. The multipliers of these rows are an optimal plan of player 1.

In floats payoffs are divided by the largest, and so is ``v``: its coefficients stay 1 and -1, as
near to the others as they can be.
"""

import math
import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core import BehavioralProfile, MinimaxCertificate
from gametheory_core.arrays import NumberArray, is_exact
from gametheory_core.evaluation.collected_payoffs import merged_payoffs
from gametheory_core.games import ExtensiveFormGame
from gametheory_core.memory import require_memory
from gametheory_core.strategies import behavioral_profile, sequence_form, uniform_behavior
from gametheory_core.strategies.sequences import PlayerSequences, RealizationPlan, SequenceForm
from solvers._programs.exact import ExactOptimum, Tick, solve_exactly
from solvers._programs.linear import Basis, FloatSolution, LinearProgram, solve_sparse
from solvers._programs.refinement import TwofoldProgram, paired_program, refine
from solvers.concepts import Concept
from solvers.requirements import a_tree, constant_sum, perfect_recall, two_players
from solvers.rounding import dyadic_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.certified_program import MinimaxTask, solve_certified


@dataclass(frozen=True, eq=False)
class SequenceProgram:
    """The program of player 0.

    Attributes:
        exact: Columns ``x``, then ``v[empty]``, then ``v[J]``; rows are player 1's sequences, then
            the constraints on player 0's plan.
        num_own, num_opponent: Sequences of player 0 and of player 1.
        unit: The largest payoff; ``v`` is divided by it in floats.
        scale: What the exact ``v`` is multiplied by to be in payoff units.
    """

    exact: LinearProgram
    num_own: int
    num_opponent: int
    unit: int
    scale: Fraction

    @cached_property
    def twofold(self) -> TwofoldProgram:
        """The program together with ``floats``."""
        num_plan_rows = self.exact.num_rows - self.num_opponent
        num_values = self.exact.num_columns - self.num_own
        return paired_program(
            self.exact,
            row_spans=[self.unit] * self.num_opponent + [1] * num_plan_rows,
            column_spans=[1] * self.num_own + [self.unit] * num_values,
        )

    @property
    def floats(self) -> LinearProgram:
        """The same program in floats near 1, with the same bases."""
        return self.twofold.floats


def sequence_program(form: SequenceForm) -> SequenceProgram:
    """Write player 0's program; plays with equal pairs of sequences are added up.

    The common factor of payoffs is dropped: it scales ``v`` and leaves the plans alone.
    """
    own, opponent = form.players
    root, first = own.num_sequences, opponent.num_sequences
    payoffs, unit, scale = _payoff_entries(form)
    dual, primal = plan_constraints(opponent), plan_constraints(own)
    blocks = (
        payoffs,
        Entries(dual.columns, root + dual.rows, dual.values.astype(object)),
        Entries(first + primal.rows, primal.columns, primal.values.astype(object)),
    )
    rows, columns, values = map(np.concatenate, zip(*blocks, strict=True))
    order = np.lexsort((columns, rows))
    num_rows = first + 1 + len(own.infosets)
    num_columns = root + 1 + len(opponent.infosets)
    exact = LinearProgram(
        objective=np.array([int(j == root) for j in range(num_columns)], dtype=object),
        rows=rows[order].astype(np.int32),
        columns=columns[order].astype(np.int32),
        values=values[order],
        bounds=np.array([int(i == first) for i in range(num_rows)], dtype=object),
        is_equation=np.arange(num_rows) >= first,
        is_free=np.arange(num_columns) >= root,
    )
    return SequenceProgram(exact, root, first, unit, scale)


class Entries(NamedTuple):
    """Where coefficients stand, and what they are."""

    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    values: NDArray[Any]


def _payoff_entries(form: SequenceForm) -> tuple[Entries, int, Fraction]:
    """Return ``-A'`` in integers without common factor, the largest of them, and that factor."""
    own, opponent = (player.node_sequence for player in form.players)
    merged = merged_payoffs(form.game, player=0, node_labels=[opponent, own])
    numerators = cast("list[int]", merged.numerators.tolist())
    divisor = math.gcd(*numerators) or 1
    payoffs = np.array([-value // divisor for value in numerators], dtype=object)
    unit = max(map(abs, payoffs.tolist()), default=1)
    scale = Fraction(divisor, merged.denominator)
    return Entries(merged.labels[0], merged.labels[1], payoffs), unit, scale


def plan_constraints(own: PlayerSequences) -> Entries:
    """Return the constraints on a plan: row 0 is the empty sequence's, row k + 1 that of set k."""
    num_sets = len(own.infosets)
    ends = np.repeat(np.arange(1, num_sets + 1), np.diff(own.first_sequence))
    return Entries(
        rows=np.concatenate([[0], ends, np.arange(1, num_sets + 1)]),
        columns=np.concatenate(
            [np.arange(own.num_sequences), own.parent_sequence.astype(np.int64)]
        ),
        values=np.repeat([1, -1], [own.num_sequences, num_sets]),
    )


REPORT_EVERY = 0.05  # seconds
BYTES_PER_NODE = 600  # of the tree, at the peak; measured up to a million nodes


@solver(
    Answers(Concept.MINIMAX, rank=20),
    Answers(Concept.NASH, rank=20),
    takes=(a_tree, two_players, constant_sum, perfect_recall),
    unit="pivots",
    because="two players, constant sum and perfect recall: one linear program finds a solution",
    page="sequence-form",
)
def sequence_form_lp(
    game: ExtensiveFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, MinimaxCertificate]:
    """Find minimax behavioral strategies of a two-player constant-sum tree.

    A float solve finds the basis, an exact rational solve of that basis the strategies.

    Args:
        game: Two players, constant-sum, perfect recall.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly.
        budget: Iterations are simplex pivots. Time is looked at within the float solve, and between
            the steps of the exact one.
        on_iteration: Called some times a second within the float solve, and at each exact step; may
            raise.

    Returns:
        Without a tolerance, ``certificate.epsilon`` is 0. Behavior that the player's own strategy
        rules out is uniform.

    Raises:
        UnsupportedGame: If the program would take more memory than the cap, with the estimate.
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.

    The program is linear in the size of the tree. Trees of a million nodes take seconds, and up to
    600 bytes a node. Exact solving slows down where the value is a fraction of thousands of digits,
    as with payoffs of no pattern: then a tolerance helps.

    Source: :cite:`koller1996efficient`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> pennies = Decision(0, "", {
    ...     a: Decision(1, "", {b: Terminal([2, -2] if a == b else [-1, 1]) for b in "HT"})
    ...     for a in "HT"})
    >>> solution = sequence_form_lp(from_sketch(pennies, players=("Even", "Odd")))
    >>> solution.certificate.game_value, solution.certificate.epsilon
    (Fraction(1, 2), Fraction(0, 1))
    """
    _require_memory(game)
    meter = open_meter(budget, on_iteration)
    form = sequence_form(game)
    program = sequence_program(form)
    task = MinimaxTask(
        game=game,
        float_program=lambda: program.floats,
        exact_program=lambda: program.exact,
        profile_of=partial(plan_profile, form),
        fallback=partial(uniform_behavior, game),
        solve_floats=_solve_floats,
        solve_exact=partial(_solve_exact, program),
        has_one_basis=True,
    )
    return solve_certified(task, tolerance=tolerance, meter=meter)


def plan_program(form: SequenceForm) -> LinearProgram:
    """Write player 0's program with integers: columns ``x``, then ``v[empty]``, then ``v[J]``.

    Rows are player 1's sequences, then the constraints on player 0's plan.
    """
    return sequence_program(form).exact


def _require_memory(game: ExtensiveFormGame) -> None:
    """Refuse a tree whose program may not fit, before time is spent on it."""
    require_memory(
        BYTES_PER_NODE * game.num_nodes,
        what=f"the {game.num_nodes:,} nodes of {game!r}",
        remedy="Use counterfactual_regret, which needs a fraction of that, or a smaller game.",
    )


def _solve_floats(program: LinearProgram, meter: Meter) -> FloatSolution:
    """Solve within the budget; reports some times a second."""
    counted, last = 0, time.perf_counter()

    def watch(pivots: int) -> None:
        nonlocal counted, last
        now = time.perf_counter()
        if now - last >= REPORT_EVERY:
            meter.step(pivots - counted)
            counted, last = pivots, now

    found = solve_sparse(
        program,
        watch=watch,
        time_limit=lambda: meter.seconds_left,
        pivot_limit=meter.iterations_left,
    )
    meter.step(found.pivots - counted)
    return found


def _solve_exact(
    program: SequenceProgram, exact: LinearProgram, basis: Basis | None, tick: Tick, meter: Meter
) -> ExactOptimum:
    if basis is None:
        return solve_exactly(exact, None, tick=tick)
    return refine(program.twofold, basis, time_limit=lambda: meter.seconds_left, tick=tick)


def plan_profile(form: SequenceForm, primal: NumberArray, dual: NumberArray) -> BehavioralProfile:
    """Return the behavior of both players' plans: exact ones, or floats, which are rounded."""
    weights = [
        values[: own.num_sequences]
        for own, values in zip(form.players, (primal, dual), strict=True)
    ]
    if is_exact(primal):
        plans = (RealizationPlan(0, weights[0]), RealizationPlan(1, weights[1]))
        return behavioral_profile(form, plans)
    return BehavioralProfile(
        tuple(
            dyadic_distribution(values[start:stop])
            for own, values in zip(form.players, weights, strict=True)
            for start, stop in pairwise(own.first_sequence)
        )
    )
