"""Zero-sum trees by one linear program over realization plans.

A large tree is first taken apart into its subgames. Floats find a basis of each program, which is
solved and checked in rationals; what floats could not see is put right by magnified re-solves.
Likes are merged first, as suits of cards are. Large programs without likes are taken in two parts,
one for each player's plan.
"""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import TypeAlias

from gametheory_core import BehavioralProfile, MinimaxCertificate
from gametheory_core.arrays import NumberArray, is_exact, object_array
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import (
    InfeasibleProgram,
    InvalidStrategy,
    NotConverged,
    UnboundedProgram,
)
from gametheory_core.games import ExtensiveFormGame, subgame_roots
from gametheory_core.memory import require_memory
from gametheory_core.strategies import behavioral_profile, sequence_form, uniform_behavior
from gametheory_core.strategies.sequences import RealizationPlan, SequenceForm
from solvers._programs.exact import ExactOptimum, Tick, solve_exactly
from solvers._programs.linear import Basis, LinearProgram
from solvers._programs.reduced import WORTH_WHILE, Likes, likes
from solvers._programs.refinement import TwofoldProgram, paired_program, refine
from solvers.concepts import Concept
from solvers.requirements import a_tree, constant_sum, perfect_recall, two_players
from solvers.rounding import dyadic_distribution
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.like_pieces import subgame_search
from solvers.trees.likely_supports import LikelyPlay, likely_minimax_plans, likely_play
from solvers.trees.pieces import Pieces, pieces_of
from solvers.trees.sequence_program import SequenceProgram, sequence_program
from solvers.zero_sum.certified_program import (
    MinimaxTask,
    certified_solution,
    solve_certified,
    sparse_floats,
)

ProfileOf: TypeAlias = Callable[[NumberArray, NumberArray], BehavioralProfile]
SMALL = 2_000  # coefficients; below, looking for likes takes longer than the program
LARGE = 40_000  # coefficients; below, one program is the quickest
FEW_CLASSES = 1 / 3  # of rows and columns, up to which likes of large programs are merged
MANY_NODES = 5_000  # below, subgames are not looked for
SMALLER = 0.5  # the largest piece, as a share of the tree, up to which subgames are solved apart

BYTES_PER_NODE = 600  # of the tree, at the peak; measured up to a million nodes
BYTES_PER_ACTION = 1_100  # likewise, where nearly every node is an information set of its own


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

    Subgames of large trees are solved from the last to the first, and alike ones once. Float solves
    find bases of their programs, exact rational solves of these the strategies. Likes, such as
    suits of cards, are merged; large programs without likes are taken in two parts.

    Args:
        game: Two players, constant-sum, perfect recall.
        tolerance: Width of the interval around the value that is good enough, in payoff units.
            Default: the value is wanted exactly.
        budget: Iterations are simplex pivots; where they are limited, one program is solved.
            Time is looked at within the float solve, and between the steps of the exact one.
        on_iteration: Called some times a second within the float solve, and at each exact step; may
            raise.

    Returns:
        Without a tolerance, ``certificate.epsilon`` is 0. Behavior that the player's own strategy
        rules out is uniform, but in subgames that were solved apart.

    Raises:
        UnsupportedGame: If the program would take more memory than the cap, with the estimate.
        NotConverged: If the budget ends first; ``best`` is the best certified solution so far.

    Programs are linear in the size of the tree. Trees of a million nodes take seconds, and up to
    600 bytes a node, or 1,100 an action at an information set if that is more. Exact solving slows
    down where the value is a fraction of thousands of digits, as with payoffs of no pattern: then a
    tolerance helps.

    Sources: :cite:`koller1996efficient`, :cite:`grohe2014dimension`.

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
    if game.num_nodes > MANY_NODES and budget.iterations is None:
        pieces = pieces_of(game, subgame_roots(game))
        if max(pieces.sizes) <= SMALLER * game.num_nodes:
            return _by_subgames(game, pieces, tolerance, meter)
    return _as_one_program(game, tolerance, meter)


def _by_subgames(
    game: ExtensiveFormGame, pieces: Pieces, tolerance: float | None, meter: Meter
) -> Solution[BehavioralProfile, MinimaxCertificate]:
    """Solve subgames from the last to the first, each for its value."""
    found = subgame_search(game, pieces, tolerance=tolerance, meter=meter, solve=_as_one_program)
    try:
        found.run()
    except (BudgetOver, NotConverged):
        best = certified_solution(game, found.profile, meter=meter)
        raise NotConverged(
            needs="solutions of all subgames",
            found=f"the budget ended with epsilon {at_most(best.certificate.epsilon)}",
            remedy="Give a larger budget, or use the exception's best, which plays evenly in the "
            "subgames not solved.",
            best=best,
        ) from None
    return certified_solution(game, found.profile, meter=meter)


def _as_one_program(
    game: ExtensiveFormGame, tolerance: float | None, meter: Meter
) -> Solution[BehavioralProfile, MinimaxCertificate]:
    form = sequence_form(game)
    program = sequence_program(form)
    size = len(program.exact.values)
    most = FEW_CLASSES if size > LARGE else WORTH_WHILE
    alike = likes(program.floats, most=most) if size > SMALL else None
    if alike is not None:
        merged = _merged_task(form, program, alike)
        try:
            found = solve_certified(merged, tolerance=tolerance, meter=meter)
        except (InvalidStrategy, InfeasibleProgram, UnboundedProgram):
            found = None  # some were alike in floats alone
        if found is not None and (tolerance is not None or not found.certificate.epsilon):
            return found
    task = _task(form, program.exact, program.twofold, partial(plan_profile, form))
    if alike is None and size > LARGE and meter.budget.iterations is None:
        play = likely_play(form, program)
        try:
            found = _among_likely(play, tolerance, meter)
        except BudgetOver:
            task = replace(task, fallback=lambda: plan_profile(form, *play.average))
        else:
            if found is not None:
                return found
    return solve_certified(task, tolerance=tolerance, meter=meter)


def _task(
    form: SequenceForm, exact: LinearProgram, twofold: TwofoldProgram, profile_of: ProfileOf
) -> MinimaxTask[BehavioralProfile]:
    return MinimaxTask(
        game=form.game,
        float_program=lambda: twofold.floats,
        exact_program=lambda: exact,
        profile_of=profile_of,
        fallback=partial(uniform_behavior, form.game),
        solve_floats=sparse_floats,
        solve_exact=partial(_solve_exact, twofold),
        has_one_basis=True,
    )


def _merged_task(
    form: SequenceForm, program: SequenceProgram, alike: Likes
) -> MinimaxTask[BehavioralProfile]:
    """Solve for what likes have in total; the certificate is of the whole tree."""
    exact = alike.merged(program.exact)
    twofold = paired_program(
        exact,
        row_spans=alike.of_rows(object_array(program.row_spans)).tolist(),
        column_spans=alike.of_columns(object_array(program.column_spans)).tolist(),
    )

    def profile_of(primal: NumberArray, dual: NumberArray) -> BehavioralProfile:
        return plan_profile(form, alike.shared(primal), alike.spread(dual))

    return _task(form, exact, twofold, profile_of)


def _among_likely(
    play: LikelyPlay, tolerance: float | None, meter: Meter
) -> Solution[BehavioralProfile, MinimaxCertificate] | None:
    """Certify plans on likely sequences: floats if they are good enough, else exact ones.

    Raises:
        BudgetOver: If time is up.
    """
    for exactly in (True,) if tolerance is None else (False, True):
        weights = likely_minimax_plans(play, meter, exactly=exactly)
        if weights is None:
            return None
        found = certified_solution(play.form.game, plan_profile(play.form, *weights), meter=meter)
        if found.certificate.epsilon <= Fraction(tolerance or 0):
            return found
    return None


def _require_memory(game: ExtensiveFormGame) -> None:
    """Refuse a tree whose program may not fit, before time is spent on it."""
    require_memory(
        max(BYTES_PER_NODE * game.num_nodes, BYTES_PER_ACTION * int(game.action_offset[-1])),
        what=f"the {game.num_nodes:,} nodes of {game!r}",
        remedy="Use counterfactual_regret, which needs a fraction of that, or a smaller game.",
    )


def _solve_exact(
    twofold: TwofoldProgram, exact: LinearProgram, basis: Basis | None, tick: Tick, meter: Meter
) -> ExactOptimum:
    if basis is None:
        return solve_exactly(exact, None, tick=tick)
    return refine(twofold, basis, time_limit=lambda: meter.seconds_left, tick=tick)


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
