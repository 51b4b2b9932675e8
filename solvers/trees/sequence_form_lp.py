"""Zero-sum trees by one linear program over realization plans.

The program is written in ``sequence_program.py``. Floats find a basis of it, which is solved and
checked in rationals; what floats could not see is put right by magnified re-solves.
"""

import time
from functools import partial

from gametheory_core.arrays import NumberArray, is_exact
from gametheory_core.certificates.equilibrium import MinimaxCertificate
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_layout import free_memory
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.sequence_form import (
    RealizationPlan,
    SequenceForm,
    behavioral_profile,
    sequence_form,
)
from solvers._programs.exact import ExactOptimum, Tick, solve_exactly
from solvers._programs.linear import Basis, FloatSolution, LinearProgram
from solvers._programs.refinement import refine
from solvers._programs.sparse_floats import solve_sparse
from solvers.concepts import Concept
from solvers.requirements import (
    a_tree,
    constant_sum,
    perfect_recall,
    two_players,
)
from solvers.rounding import dyadic_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.sequence_program import SequenceProgram, sequence_program
from solvers.zero_sum.certified_program import MinimaxTask, pivots_left, solve_certified

NAME = "sequence_form_lp"
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
        UnsupportedGame: If a requirement fails, with the witness; if the program would not fit into
            memory, with the estimate.
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.

    The program has a row and a column for about each sequence, and a coefficient for each pair of
    sequences that meet at an end of play: it is linear in the size of the tree. Trees of a million
    nodes take seconds, and up to 600 bytes a node. Exact solving slows down where the value is a
    fraction of thousands of digits, as with payoffs of no pattern: then a tolerance helps.

    Source: D. Koller, N. Megiddo, B. von Stengel (1996), "Efficient computation of equilibria for
        extensive two-person games", Games and Economic Behavior 14, 247-259.

    >>> from gametheory_core.games.tree_draft import Decision, Terminal
    >>> from gametheory_core.games.tree_draft import from_sketch
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
        function=NAME,
        game=game,
        float_program=lambda: program.floats,
        exact_program=lambda: program.exact,
        profile_of=partial(_profile, form),
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
    needed, free = BYTES_PER_NODE * game.num_nodes, free_memory()
    if needed > free:
        raise UnsupportedGame(
            needs=f"about {needed / 2**30:.3g} GiB of memory for the {game.num_nodes:,} nodes of "
            f"{game!r}",
            found=f"{free / 2**30:.3g} GiB are free",
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
        pivot_limit=pivots_left(meter),
    )
    meter.step(found.pivots - counted)
    return found


def _solve_exact(
    program: SequenceProgram, exact: LinearProgram, basis: Basis | None, tick: Tick, meter: Meter
) -> ExactOptimum:
    if basis is None:
        return solve_exactly(exact, None, tick=tick)
    return refine(program.twofold(), basis, time_limit=lambda: meter.seconds_left, tick=tick)


def _profile(form: SequenceForm, primal: NumberArray, dual: NumberArray) -> BehavioralProfile:
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
            for start, stop in zip(own.first_sequence[:-1], own.first_sequence[1:], strict=True)
        )
    )
