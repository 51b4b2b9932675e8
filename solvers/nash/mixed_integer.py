"""The best equilibrium of a bimatrix game, by branch and bound with a proof that can be checked.

The mixed-integer program of Sandholm, Gilpin and Conitzer (2005) asks of each action whether it is
played. HiGHS solves it as it stands where played actions are counted. Where payoffs are compared, a
far tighter relaxation prunes the same tree: correlated play with known best replies (see
``equilibrium_relaxation``). At most nodes of random games of 20 x 20 it leaves nothing to branch
on; its marginals propose equilibria, which are made exact on their face and certified; and its
multipliers, made exact where that matters, are a proof by cases that the core checks by itself.
"""

import heapq
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, ScaledIntegers
from gametheory_core.certificates.equilibrium_bounds import Case, Label, Leaf
from gametheory_core.certificates.nash import certify_nash
from gametheory_core.certificates.optimal_equilibrium import (
    SUPPORT_OBJECTIVES,
    EquilibriumObjective,
    OptimalEquilibriumCertificate,
    certify_optimal_equilibrium,
    leaf_bound,
    scaled_scores,
    score_of,
)
from gametheory_core.errors import InvalidArgument, NotConverged, NumericalFailure
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import FloatOutcome, FloatSolution, solve_float
from solvers.nash.equilibrium_face import Supports, best_on_face, widest_on_face
from solvers.nash.equilibrium_program import propose
from solvers.nash.equilibrium_relaxation import (
    Relaxation,
    Tables,
    leaf_of,
    marginals,
    score_relaxation,
    support_relaxation,
)
from solvers.nash.equilibrium_tables import float_tables, integer_tables
from solvers.nash.lemke_howson import lemke_howson
from solvers.requirements import require_normal_form, require_two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution

NAME = "mixed_integer"

MARGIN = Fraction(1, 10**6)  # of the score's span: nearer bounds are computed exactly
GRAIN = 2**40  # float multipliers are rounded to parts of one
NEARLY = 1e-7  # regrets, of payoffs in [0, 1], that may be rounding
PRESENT = 1e-9  # probabilities that count

OptimalSolution = Solution[MixedProfile, OptimalEquilibriumCertificate]


def mixed_integer(
    game: NormalFormGame,
    *,
    objective: EquilibriumObjective = EquilibriumObjective.LARGEST_WELFARE,
    player: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> OptimalSolution:
    """Find the Nash equilibrium of a bimatrix game that is best for an objective, and prove it.

    Parameters
    ----------
    game : NormalFormGame
        Two players; degenerate games too.
    objective : EquilibriumObjective
        What to make large or small: the sum of payoffs, one player's payoff, or the number of
        actions that are played.
    player : int
        Whose payoff, for the objectives about one player's.
    budget : Budget
        Iterations are linear programs.
    on_iteration : function, optional
        Called after each linear program.

    Returns
    -------
    Solution[MixedProfile, OptimalEquilibriumCertificate]
        An exact equilibrium; the certificate's epsilon is 0: no equilibrium is better.

    Raises
    ------
    UnsupportedGame
        If the game has not two players, or is a tree.
    InvalidArgument
        If the objective or the player does not exist.
    NotConverged
        If the budget ends first; ``best`` is the best equilibrium found, and its certificate says
        how much better another one may be at most. None if not even one was found.

    Notes
    -----
    Deciding whether an equilibrium of a given welfare exists is NP-hard. A relaxation has ``m n``
    variables and at most ``m (m - 1) + n (n - 1)`` rows.

    References
    ----------
    .. [1] T. Sandholm, A. Gilpin, V. Conitzer (2005), "Mixed-integer programming methods for
       finding Nash equilibria", AAAI-05, 495-501.
    .. [2] I. Gilboa, E. Zemel (1989), "Nash and correlated equilibria: some complexity
       considerations", Games and Economic Behavior 1, 80-93.

    Examples
    --------
    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> mixed_integer(game, objective=EquilibriumObjective.LEAST_WELFARE).certificate.value
    Fraction(12, 5)
    """
    require_normal_form(game, function=NAME)
    require_two_players(game, function=NAME)
    _require_options(objective, player)
    meter = Meter(budget, "linear programs", on_iteration)
    search = _started(game, objective, player, meter)
    _branch_and_bound(search)
    return _finished(search)


def _require_options(objective: EquilibriumObjective, player: int) -> None:
    if not isinstance(objective, EquilibriumObjective):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidArgument(
            f"{NAME}: needs an EquilibriumObjective, but got {objective!r}. Choose from: "
            f"{', '.join(known.name for known in EquilibriumObjective)}."
        )
    if player not in (0, 1):
        raise InvalidArgument(f"{NAME}: needs player 0 or 1, but got {player!r}.")


@dataclass
class _Node:
    """A case with what is known about it; open until its bound is no better than the best."""

    case: Case
    leaf: Leaf
    bound: Fraction | None  # none: no equilibrium
    question: Label | None = None
    children: tuple["_Node", "_Node"] | None = None


@dataclass
class _Search:
    """Everything that one call keeps; lives inside it."""

    game: NormalFormGame
    objective: EquilibriumObjective
    player: int
    meter: Meter
    best: MixedProfile
    best_score: Fraction
    scores: ScaledIntegers
    payoffs: tuple[FloatArray, FloatArray]
    tried: set[Supports] = field(default_factory=set[Supports])
    root: _Node = field(default_factory=lambda: _Node(Case(), Leaf(), None))


# The steps, from the outside in.


def _started(
    game: NormalFormGame, objective: EquilibriumObjective, player: int, meter: Meter
) -> _Search:
    """Begin with some equilibrium, and with HiGHS' proposal where played actions are counted."""
    try:
        first = lemke_howson(game, budget=Budget(meter.seconds_left)).profile
    except NotConverged as error:
        raise NotConverged(
            f"{NAME}: needs an equilibrium to start with, but the budget ended before. Give a "
            "larger budget.",
            best=None,
        ) from error
    scores = scaled_scores(game, objective=objective, player=player)
    search = _Search(
        game=game,
        objective=objective,
        player=player,
        meter=meter,
        best=first,
        best_score=score_of(game, first, objective=objective, player=player),
        scores=scores,
        payoffs=float_tables(game, scores, Fraction(0)).payoffs,
    )
    if objective is EquilibriumObjective.SMALLEST_SUPPORT and not meter.is_exhausted:
        proposal = propose(search.payoffs, unplayed_weight=1.0, time_limit=meter.seconds_left)
        if proposal is not None:
            _try_actions(search, proposal.actions)
    return search


def _branch_and_bound(search: _Search) -> None:
    """Evaluate cases, the one with the largest bound first, until none may be better."""
    search.root = _evaluated(search, Case())
    pending: list[tuple[Fraction, int, _Node]] = []
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
        if search.meter.is_exhausted:
            return
        label = node.question
        if label is None:
            raise NumericalFailure(
                f"{NAME}: needs an action to ask about, but all are decided and the bound "
                f"{node.bound} is not reached. Please report this game."
            )
        nodes = [
            _evaluated(search, node.case.answered(label, is_played=played))
            for played in (False, True)
        ]
        node.children = nodes[0], nodes[1]


def _finished(search: _Search) -> OptimalSolution:
    questions: list[Label | None] = []
    leaves: list[Leaf] = []
    pending = [search.root]
    while pending:
        node = pending.pop()
        if node.children is None:
            questions.append(None)
            leaves.append(node.leaf)
        else:
            questions.append(node.question)
            pending += [node.children[1], node.children[0]]
    certificate = certify_optimal_equilibrium(
        search.game,
        search.best,
        objective=search.objective,
        player=search.player,
        questions=tuple(questions),
        leaves=tuple(leaves),
    )
    payoffs = certify_nash(search.game, search.best).payoffs
    solution = Solution(search.best, payoffs, certificate, search.meter.record(NAME))
    if certificate.epsilon:
        raise NotConverged(
            f"{NAME}: needs the best equilibrium, but the budget ended after "
            f"{search.meter.iterations} linear programs with one that another may surpass by "
            f"{float(certificate.epsilon):.3g}. Give a larger budget, or use the exception's best.",
            best=solution,
        )
    return solution


def _is_open(search: _Search, node: _Node) -> bool:
    return node.bound is not None and node.bound > search.best_score


# Evaluating a case.


def _evaluated(search: _Search, case: Case) -> _Node:
    """Bound a case in floats, made exact where rounding could matter; propose equilibria."""
    node = _Node(case, Leaf(), _bound(search, case, Leaf()))
    if not _is_open(search, node) or search.meter.is_exhausted:
        return node
    margin = MARGIN * _span(search.scores)
    counts = search.objective in SUPPORT_OBJECTIVES
    tables = float_tables(search.game, search.scores, search.best_score * (not counts) - margin)
    relaxation = _relaxation(search, tables, case)
    if relaxation is None:  # the trivial leaf says already that there is no equilibrium
        return node
    found = solve_float(relaxation.program, time_limit=search.meter.seconds_left)
    search.meter.step()
    if found.outcome is FloatOutcome.LIMIT_REACHED:
        return node
    joint = None
    if found.outcome is FloatOutcome.OPTIMAL:
        joint = marginals(relaxation, found.primal, search.game.num_actions)
        if not counts:
            leaf = leaf_of(relaxation, found.dual, tables, rounded=_rounded)
            _improve(node, leaf, _bound(search, case, leaf))
        _propose(search, joint)
    if _is_open(search, node) and (joint is None or _is_near(search, node, relaxation, found)):
        joint = _made_exact(search, node, found)
    if _is_open(search, node):
        node.question = _question(search, case, joint)
    return node


def _relaxation(search: _Search, tables: Tables, case: Case) -> Relaxation | None:
    if search.objective not in SUPPORT_OBJECTIVES:
        return score_relaxation(tables, case)
    labels = tuple(
        Label(player, action)
        for player, count in enumerate(search.game.num_actions)
        for action in case.possible(player, count)
    )
    return support_relaxation(tables, case, labels)


def _bound(search: _Search, case: Case, leaf: Leaf) -> Fraction | None:
    return leaf_bound(search.game, case, leaf, objective=search.objective, scores=search.scores)


def _improve(node: _Node, leaf: Leaf, bound: Fraction | None) -> None:
    if bound is None or (node.bound is not None and bound <= node.bound):
        node.leaf, node.bound = leaf, bound


def _is_near(search: _Search, node: _Node, relaxation: Relaxation, found: FloatSolution) -> bool:
    """Tell whether an exact solution may close the node."""
    if search.objective not in SUPPORT_OBJECTIVES:
        margin = 3 * MARGIN * _span(search.scores)
        return node.bound is not None and node.bound <= search.best_score + margin
    size = len(relaxation.possible[0]) * len(relaxation.possible[1])
    present = found.primal[size:] > 0.5
    absent = {
        label
        for label, is_present in zip(relaxation.labels, present, strict=True)
        if not is_present
    }
    if any(label.action in node.case.played[label.player] for label in absent):
        return True
    if search.objective is EquilibriumObjective.SMALLEST_SUPPORT:
        return False
    return int(present.sum()) <= search.best_score


def _made_exact(search: _Search, node: _Node, found: FloatSolution) -> ExactArray | None:
    """Solve the case's relaxation exactly, against the best score itself."""
    counts = search.objective in SUPPORT_OBJECTIVES
    tables = integer_tables(search.game, search.scores, search.best_score * (not counts))
    relaxation = _relaxation(search, tables, node.case)
    if relaxation is None:
        return None
    optimum = solve_exactly(relaxation.program, found.basis)
    search.meter.step()
    leaf = leaf_of(relaxation, optimum.dual, tables)
    _improve(node, leaf, _bound(search, node.case, leaf))
    joint = marginals(relaxation, optimum.primal, search.game.num_actions)
    _propose(search, joint.astype(np.float64))
    return joint


def _question(search: _Search, case: Case, joint: FloatArray | ExactArray | None) -> Label | None:
    """Ask about the action that is played most although it is not a best reply."""
    if joint is None:
        joint = np.ones(search.game.num_actions)
    weights = joint.astype(np.float64)
    regrets = _regrets(search, weights)
    candidates = [
        (probability * regret, probability, -player, -action)
        for player, (own, losses) in enumerate(zip(_sides(weights), regrets, strict=True))
        for action, (probability, regret) in enumerate(zip(own, losses, strict=True))
        if action not in case.played[player] and action not in case.unplayed[player]
    ]
    if not candidates:
        return None
    _, _, player, action = max(candidates)
    return Label(-player, -action)


# Proposing equilibria.


def _propose(search: _Search, joint: FloatArray) -> None:
    """Try the marginals' supports, if the marginals are an equilibrium but for rounding."""
    if not joint.any():
        return
    sides = _sides(joint)
    supports = tuple(np.flatnonzero(side > PRESENT) for side in sides)
    regrets = _regrets(search, joint)
    if any((loss[own] > NEARLY).any() for loss, own in zip(regrets, supports, strict=True)):
        return
    _try_actions(search, (tuple(supports[0].tolist()), tuple(supports[1].tolist())))


def _try_actions(search: _Search, actions: Supports) -> None:
    """Keep the best equilibrium on a face, if it is better than the best so far."""
    if actions in search.tried:
        return
    search.tried.add(actions)
    find = partial(best_on_face, weights=_weights(search.objective, search.player))
    if search.objective is EquilibriumObjective.LARGEST_SUPPORT:
        find = widest_on_face
    profile = find(search.game, actions)
    if profile is None:
        return
    score = score_of(search.game, profile, objective=search.objective, player=search.player)
    if score > search.best_score:
        search.best, search.best_score = profile, score


def _weights(objective: EquilibriumObjective, player: int) -> tuple[int, int]:
    if objective in SUPPORT_OBJECTIVES:
        return (0, 0)
    if objective is EquilibriumObjective.LARGEST_WELFARE:
        return (1, 1)
    if objective is EquilibriumObjective.LEAST_WELFARE:
        return (-1, -1)
    sign = 1 if objective is EquilibriumObjective.LARGEST_PAYOFF else -1
    return (sign, 0) if player == 0 else (0, sign)


def _sides(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    total = joint.sum() or 1.0
    return joint.sum(axis=1) / total, joint.sum(axis=0) / total


def _regrets(search: _Search, joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what each action loses against the other's marginal; payoffs in [0, 1]."""
    x, y = _sides(joint)
    rows, columns = search.payoffs[0] @ y, x @ search.payoffs[1]
    return rows.max() - rows, columns.max() - columns


def _span(scores: ScaledIntegers) -> Fraction:
    numerators = scores.numerators
    return Fraction(int(numerators.max() - numerators.min()), scores.denominator)


def _rounded(value: float) -> Fraction:
    return Fraction(round(value * GRAIN), GRAIN)
