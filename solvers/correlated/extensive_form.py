"""Correlated equilibria of trees with two players by one linear program over correlation plans.

``extensive_form_program`` writes the program down; floats solve it, rationals prove it; then the
plan is drawn as a lottery over pure profiles, which the certificate measures by the definition.

Coefficients are payoffs, and ones that exact elimination feeds on. In floats they are divided by
the largest payoff, and values with them. Where payoffs are short integers, floats that are
magnified then correct the basis; with long ones, as those of floats are, exact pivots do.

In *triangle-free* trees every consistent correlation plan is a lottery over pure plans. A triangle
is two information sets ``I, I'`` of one player that follow the same own sequence, and two such ``J,
J'`` of the other, with ``I, J`` on one path, ``I', J'`` on one, and ``I, J'`` on one. Without
chance moves there are none; nor where all see each move of chance (Farina and Sandholm 2020).

In strictly competitive trees minimax strategies are as good as any equilibrium of any kind.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import cast

import numpy as np

from gametheory_core import ExtensiveFormGame, pure_behavior, uniform_behavior
from gametheory_core.arrays import ExactArray
from gametheory_core.certificates import BoundProof, LinearObjective, certify_extensive_correlated
from gametheory_core.certificates.extensive_correlated import (
    MOST_PROFILES,
    ExtensiveCorrelatedCertificate,
)
from gametheory_core.certificates.incentives import require_objective
from gametheory_core.certificates.wording import at_most
from gametheory_core.conversions import count_plans, player_plans
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games.competition import is_strictly_competitive
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies import BehavioralMixture, behavioral_mixture, sequence_form
from gametheory_core.strategies.correlation_plans import SequencePairs, sequence_pairs
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.linear import FloatOutcome, solve_float
from solvers._programs.refinement import paired_program, refine
from solvers.concepts import Concept, Objective, objective_for
from solvers.correlated.extensive_form_lottery import lottery_of_plan
from solvers.correlated.extensive_form_program import (
    MOST_ENTRIES,
    CorrelationProgram,
    consistency_multipliers,
    correlation_program,
    deviation_prices,
    require_few_incentives,
)
from solvers.requirements import a_tree, perfect_recall, require_instance, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.competition import twin_minimax

LARGEST_COEFFICIENT = 10**6  # of a program in floats that is not scaled


@solver(
    Answers(Concept.EXTENSIVE_CORRELATED, rank=10, given={"kind": ExtensiveCorrelation.EXTENSIVE}),
    Answers(
        Concept.EXTENSIVE_COARSE_CORRELATED,
        rank=10,
        given={"kind": ExtensiveCorrelation.EXTENSIVE_COARSE},
    ),
    Answers(
        Concept.COARSE_CORRELATED, rank=60, given={"kind": ExtensiveCorrelation.NORMAL_FORM_COARSE}
    ),
    takes=(a_tree, two_players, perfect_recall),
    unit="pivots",
    because="two players: one linear program over pairs of sequences, drawn as a lottery over "
    "profiles; over sequences alone where interests are opposed",
    page="correlated-trees",
)
def extensive_form_correlated_equilibrium(
    game: ExtensiveFormGame,
    *,
    kind: ExtensiveCorrelation = ExtensiveCorrelation.EXTENSIVE,
    objective: Objective | LinearObjective = Objective.LARGEST_WELFARE,
    player: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralMixture, ExtensiveCorrelatedCertificate]:
    """Find the extensive-form correlated equilibrium with the most of an objective, exactly.

    A mediator draws a pair of plans, and recommends an action at each information set when play
    comes there; nobody gains by going on alone after any recommendation.

    Args:
        game: Two players, perfect recall; without chance moves, or triangle-free, or with few
            plans.
        kind: When players decide whether to obey. ``EXTENSIVE``: after each recommendation.
            ``EXTENSIVE_COARSE``: at each information set, before they see the recommendation there.
            ``NORMAL_FORM_COARSE``: before play; it is what ``correlated_equilibrium`` finds in the
            reduced normal form, in polynomial time.
        objective: What is preferred, in words or as weights.
        player: Whose payoff an objective in words is about. Default: the first player's.
        budget: Iterations are simplex pivots, rounds of exact refinement, and profiles drawn.

    Returns:
        A mixture of pure profiles; ``certificate.epsilon`` and ``certificate.optimality_gap`` are
        0. In a strictly competitive tree (constant-sum, up to the units of payoffs) all equilibria
        of all kinds pay the same, and minimax strategies are one, whatever the size of the tree.

    Raises:
        UnsupportedGame: If the program is too large, or chance asks for too many profiles.
        InvalidArgument: If the objective makes no sense for the game.
        NotConverged: If the budget ends first; ``best`` is the uniform profile, measured.

    The size of the program is polynomial: a column for each pair of sequences that meet on a path.
    With chance moves in general the problem is NP-hard, and all pure profiles have columns.

    Sources:
        :cite:`vonstengel2008extensive`.
        :cite:`farina2020polynomial`.
        :cite:`farina2020coarse`.

    >>> from gametheory_core import load_game
    >>> signalling = load_game("school_signalling")
    >>> best = extensive_form_correlated_equilibrium(signalling)
    >>> str(sum(best.payoffs))
    '10'
    """
    meter = open_meter(budget, on_iteration)
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        raise InvalidArgument(
            needs="a kind for which linear programs are known",
            found=f"got {kind}",
            remedy="Solve extensive_to_normal(game).target by correlated_equilibrium.",
        )
    wanted = objective_for(LinearObjective, objective, player, num_players=game.num_players)
    require_instance(wanted, LinearObjective, name="objective")
    require_objective(game, wanted, len(game.terminals))
    if not wanted.outcome_weights and is_strictly_competitive(game):
        return _minimax_mixture(game, kind, wanted, meter)
    require_few_incentives(sequence_form(game), kind)
    pairs = sequence_pairs(game, max_pairs=MOST_ENTRIES // 3)
    by_profiles = needs_profiles(pairs)
    solved = correlation_program(pairs, kind, wanted, by_profiles=by_profiles)

    try:
        optimum = _optimum(solved, meter)
        mixture = _mixture(solved, optimum.primal, meter.tick)
    except BudgetOver:
        mixture = behavioral_mixture([uniform_behavior(game)])
        measured = certify_extensive_correlated(game, mixture, kind=kind)
        raise _not_converged(mixture, measured, meter, "uniform play") from None
    multipliers = optimum.dual.tolist()
    certificate = certify_extensive_correlated(
        game,
        mixture,
        kind=kind,
        objective=wanted,
        prices=deviation_prices(solved, multipliers),
        multipliers=consistency_multipliers(solved, multipliers),
        proof=BoundProof.ENUMERATION if by_profiles else BoundProof.CONSISTENCY,
    )
    return Solution(mixture, certificate.payoffs, certificate, meter.record())


def _minimax_mixture(
    game: ExtensiveFormGame, kind: ExtensiveCorrelation, wanted: LinearObjective, meter: Meter
) -> Solution[BehavioralMixture, ExtensiveCorrelatedCertificate]:
    """Solve a strictly competitive tree, in which strategies are all the proof that is needed."""
    found = twin_minimax(game, budget=meter.left, on_iteration=meter.on_iteration)
    meter.iterations += found.run.iterations
    mixture = behavioral_mixture([found.profile])
    certificate = certify_extensive_correlated(
        game, mixture, kind=kind, objective=wanted, proof=BoundProof.COMPETITION
    )
    if certificate.epsilon:
        raise _not_converged(mixture, certificate, meter, "the best found")
    return Solution(mixture, certificate.payoffs, certificate, meter.record())


def _not_converged(
    mixture: BehavioralMixture, measured: ExtensiveCorrelatedCertificate, meter: Meter, what: str
) -> NotConverged:
    return NotConverged(
        needs="an exact solution",
        found=f"the budget ended after {meter.iterations} pivots; {what} has epsilon "
        f"{at_most(measured.epsilon)}",
        best=Solution(mixture, measured.payoffs, measured, meter.record()),
    )


def _mixture(
    solved: CorrelationProgram, primal: ExactArray, tick: Callable[[], None]
) -> BehavioralMixture:
    """Read the lottery off the columns of profiles, or peel it off the plan."""
    if solved.plans is None:
        plan = primal[: solved.pairs.num_pairs]
        return lottery_of_plan(solved.pairs, plan, tick=tick)
    game = solved.pairs.form.game
    shares = primal[solved.first_profile :]
    tables = [player_plans(game, player).actions for player in range(2)]
    drawn = np.flatnonzero(shares)
    profiles = [
        pure_behavior(game, np.maximum(0, np.concatenate([tables[0][i], tables[1][j]])).tolist())
        for i, j in zip(*np.divmod(drawn, len(tables[1])), strict=True)
    ]
    return behavioral_mixture(profiles, weights=shares[drawn])


def _optimum(solved: CorrelationProgram, meter: Meter) -> ExactOptimum:
    meter.require_more()
    left, program = meter.left, solved.program
    floats = paired_program(program, solved.row_spans, solved.column_spans).floats
    estimate = solve_float(floats, time_limit=left.seconds, pivot_limit=left.iterations)
    meter.step(estimate.pivots)
    if estimate.outcome is FloatOutcome.LIMIT_REACHED:
        raise BudgetOver

    largest = max(map(abs, cast("list[int]", program.values.tolist())), default=0)
    if estimate.basis is None or largest > LARGEST_COEFFICIENT:
        return solve_exactly(program, estimate.basis, tick=meter.tick)
    unscaled = paired_program(program, [1] * program.num_rows, [1] * program.num_columns)
    return refine(unscaled, estimate.basis, time_limit=lambda: meter.seconds_left, tick=meter.tick)


@dataclass(frozen=True)
class Triangle:
    """Four information sets, as indices into the game's, in the order ``I', J', I, J``."""

    infosets: tuple[int, int, int, int]


def find_triangle(pairs: SequencePairs) -> Triangle | None:
    """Return a triangle of a game, or None if it is triangle-free."""
    one, other = pairs.form.players
    rows, columns = pairs.connected.T
    classes = one.parent_sequence[rows].astype(np.int64) * other.num_sequences
    classes += other.parent_sequence[columns]
    row_codes = classes * len(one.infosets) + rows
    column_codes = classes * len(other.infosets) + columns
    crowded = np.flatnonzero(_copies(row_codes) & _copies(column_codes))
    if not crowded.size:
        return None
    edge = int(crowded[0])  # I and J', each with another one on a path
    far_j = np.flatnonzero((row_codes == row_codes[edge]) & (columns != columns[edge]))[0]
    far_i = np.flatnonzero((column_codes == column_codes[edge]) & (rows != rows[edge]))[0]
    starts = one.infosets.start, other.infosets.start
    return Triangle(
        (
            int(rows[far_i]) + starts[0],
            int(columns[edge]) + starts[1],
            int(rows[edge]) + starts[0],
            int(columns[far_j]) + starts[1],
        )
    )


def needs_profiles(pairs: SequencePairs) -> bool:
    """Tell whether a game has a triangle, so that its few pure profiles have to be listed.

    Raises:
        UnsupportedGame: If they are many; names the four information sets.
    """
    found = find_triangle(pairs)
    if found is None:
        return False
    game = pairs.form.game
    count = count_plans(game, 0) * count_plans(game, 1)
    if count <= MOST_PROFILES:
        return True
    first, second, third, fourth = (describe_infoset(game.infosets[s]) for s in found.infosets)
    raise UnsupportedGame(
        needs=f"a tree without chance moves, or a triangle-free one, or at most {MOST_PROFILES} "
        "pure profiles",
        found=f"there are {count}, and paths join {first} with {second}, {third} with {second}, "
        f"and {third} with {fourth}: what players learn apart from chance may not fit any lottery",
        remedy="Try counterfactual_regret.",
    )


def _copies(codes: np.ndarray) -> np.ndarray:
    """Tell which entries occur more than once."""
    _, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return counts[which.ravel()] > 1
