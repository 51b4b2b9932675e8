"""Branch and bound over which actions of a bimatrix game are played, with a proof of every bound.

A case is bounded by its relaxation (see ``equilibrium_relaxation``), whose multipliers prove the
bound. Floats search; where rounding could matter, the relaxation is solved exactly. Marginals that
are an equilibrium but for rounding propose supports, on which the best one is found exactly. Once
it is decided of every action whether it is played, the exact marginals are an equilibrium as good
as the exact bound, so that the search ends whatever floats say.
"""

import heapq
from fractions import Fraction
from math import isfinite

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, ScaledIntegers
from gametheory_core.certificates.equilibrium_bounds import Case, Label, Leaf
from gametheory_core.certificates.optimal_equilibrium import (
    SUPPORT_OBJECTIVES,
    EquilibriumObjective,
    leaf_bound,
)
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import FloatOutcome, FloatSolution, solve_float
from solvers.bimatrix.equilibrium_cases import (
    Node,
    Search,
    offer_marginals,
    propose_marginals,
    regrets_of,
    sides_of,
)
from solvers.bimatrix.equilibrium_relaxation import (
    Relaxation,
    Tables,
    float_tables,
    integer_tables,
    leaf_of,
    marginals,
    score_relaxation,
    support_relaxation,
)
from solvers.solution import BudgetOver

MARGIN = Fraction(1, 10**6)  # of the score's span: nearer bounds are computed exactly
GRAIN = 2**40  # float multipliers are rounded to parts of one


def branch_and_bound(search: Search) -> None:
    """Evaluate cases, the one with the largest bound first, until none may be better."""
    search.root = _evaluated(search, search.start, Leaf())
    pending: list[tuple[Fraction, int, Node]] = []
    nodes = [search.root]
    count = 0
    while True:
        for node in nodes:
            if _is_open(search, node):
                count += 1
                heapq.heappush(pending, (-(node.bound or Fraction(0)), count, node))
        if not pending:
            return
        _, _, node = heapq.heappop(pending)
        nodes = []
        if not _is_open(search, node):  # the best has become better since
            continue
        label = node.question
        if search.is_done or label is None:  # without a question if the budget ended meanwhile
            return
        nodes = [
            _evaluated(search, node.case.answered(label, is_played=played), node.leaf)
            for played in (False, True)
        ]
        node.children = nodes[0], nodes[1]


def _is_open(search: Search, node: Node) -> bool:
    return node.bound is not None and node.bound > search.best_score


# Evaluating a case.


def _evaluated(search: Search, case: Case, leaf: Leaf) -> Node:
    """Bound a case in floats, made exact where rounding could matter; propose equilibria.

    What proves a bound of the case before, ``leaf``, proves one here too.
    """
    node = Node(case, leaf, _bound(search, case, leaf))
    if not _is_open(search, node) or search.meter.is_exhausted:
        return node
    counts = search.objective in SUPPORT_OBJECTIVES
    target = search.best_score * (not counts) - MARGIN * _span(search.scores)
    tables = float_tables(search.game, search.scores, target)
    relaxation = _relaxation(search, tables, case)
    if relaxation is None:  # the trivial leaf says already that there is no equilibrium
        return node
    found = solve_float(relaxation.program, time_limit=search.meter.seconds_left)
    search.meter.step()
    if found.outcome is FloatOutcome.LIMIT_REACHED and search.meter.is_exhausted:
        return node
    joint = None
    if found.outcome is FloatOutcome.OPTIMAL:
        joint = marginals(relaxation, found.primal, search.game.num_actions)
        if not counts:
            leaf = leaf_of(relaxation, found.dual, tables, rounded=_rounded)
            _improve(node, leaf, _bound(search, case, leaf))
        propose_marginals(search, joint)
    optimum = Fraction(float(relaxation.program.objective @ found.primal))
    claimed = target + tables.unit * optimum
    if _is_open(search, node) and _is_left_open(search, node, relaxation, found, claimed=claimed):
        joint = _made_exact(search, node, found)
    if _is_open(search, node):
        node.question = _question(search, case, joint)
    return node


def _is_decided(search: Search, case: Case) -> bool:
    """Tell whether it is known of every action whether it is played."""
    return all(
        set(case.possible(player, count)) <= case.played[player]
        for player, count in enumerate(search.game.num_actions)
    )


def _relaxation(search: Search, tables: Tables, case: Case) -> Relaxation | None:
    if search.objective not in SUPPORT_OBJECTIVES:
        return score_relaxation(tables, case)
    labels = tuple(
        Label(player, action)
        for player, count in enumerate(search.game.num_actions)
        for action in case.possible(player, count)
    )
    return support_relaxation(tables, case, labels)


def _bound(search: Search, case: Case, leaf: Leaf) -> Fraction | None:
    return leaf_bound(search.game, case, leaf, objective=search.objective, scores=search.scores)


def _improve(node: Node, leaf: Leaf, bound: Fraction | None) -> None:
    if bound is None or (node.bound is not None and bound <= node.bound):
        node.leaf, node.bound = leaf, bound


def _is_left_open(
    search: Search, node: Node, relaxation: Relaxation, found: FloatSolution, *, claimed: Fraction
) -> bool:
    """Tell whether floats leave open what an exact solution may close.

    They do if they failed, if nothing is left to ask, if the bound that they claim is not proved by
    their multipliers, or if it is near the best score.
    """
    if found.outcome is not FloatOutcome.OPTIMAL or _is_decided(search, node.case):
        return True
    if search.objective not in SUPPORT_OBJECTIVES:
        margin = MARGIN * _span(search.scores)
        near = search.best_score + 3 * margin
        return node.bound is not None and not near < node.bound <= claimed + margin
    size = len(relaxation.possible[0]) * len(relaxation.possible[1])
    is_present = (found.primal[size:] > 0.5).tolist()
    present = {label for label, here in zip(relaxation.labels, is_present, strict=True) if here}
    for player, played in enumerate(node.case.played):
        own = {label.action for label in present if label.player == player}
        if not own or not played <= own:
            return True
    if search.objective is EquilibriumObjective.SMALLEST_SUPPORT:
        return False
    return len(present) <= search.best_score


def _made_exact(search: Search, node: Node, found: FloatSolution) -> ExactArray | None:
    """Solve the case's relaxation exactly, against the best score itself."""
    counts = search.objective in SUPPORT_OBJECTIVES
    tables = integer_tables(search.game, search.scores, search.best_score * (not counts))
    relaxation = _relaxation(search, tables, node.case)
    if relaxation is None:
        return None
    try:
        optimum = solve_exactly(relaxation.program, found.basis, tick=search.meter.require_time)
    except BudgetOver:  # the bound in floats stays
        return None
    search.meter.step()
    leaf = leaf_of(relaxation, optimum.dual, tables)
    _improve(node, leaf, _bound(search, node.case, leaf))
    joint = marginals(relaxation, optimum.primal, search.game.num_actions)
    total = joint.sum()
    if not total:
        return joint
    joint = joint / total
    offer_marginals(search, joint)
    propose_marginals(search, joint.astype(np.float64))
    return joint


def _question(search: Search, case: Case, joint: FloatArray | ExactArray | None) -> Label | None:
    """Ask about the action that is played most although it is not a best reply."""
    if joint is None:
        joint = np.ones(search.game.num_actions)
    weights = joint.astype(np.float64)
    regrets = regrets_of(search, weights)
    candidates = [
        (probability * regret, probability, -player, -action)
        for player, (own, losses) in enumerate(zip(sides_of(weights), regrets, strict=True))
        for action, (probability, regret) in enumerate(zip(own, losses, strict=True))
        if action not in case.played[player] and action not in case.unplayed[player]
    ]
    if not candidates:
        return None
    _, _, player, action = max(candidates)
    return Label(-player, -action)


def _span(scores: ScaledIntegers) -> Fraction:
    numerators = scores.numerators
    return Fraction(int(numerators.max() - numerators.min()), scores.denominator)


def _rounded(value: float) -> Fraction:
    if not -GRAIN < value < GRAIN:  # an integer, or too large for floats: any weight is allowed
        return Fraction(value) if isfinite(value) else Fraction(0)
    return Fraction(round(value * GRAIN), GRAIN)
