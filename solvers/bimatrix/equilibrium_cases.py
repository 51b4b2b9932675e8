"""What branch and bound over equilibria keeps: a tree of cases, and the best equilibrium so far.

Equilibria are proposed on supports that floats suggest. Those in which only given actions are
played, all of them best replies, form a face: pairs of a strategy of each player, chosen
independently. What a player
earns depends on the other's strategy alone, so that two small exact linear programs, one for each
player's strategy, find the best pair.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial

import numpy as np

from gametheory_core.arrays import ExactArray, FloatArray, ScaledIntegers, freeze, object_array
from gametheory_core.certificates.equilibrium import certify_nash
from gametheory_core.certificates.equilibrium_bounds import Case, Label, Leaf
from gametheory_core.certificates.optimal_equilibrium import (
    SUPPORT_OBJECTIVES,
    EquilibriumObjective,
    scaled_scores,
    score_of,
)
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.evaluation.payoffs import scaled_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.bimatrix.equilibrium_relaxation import float_tables
from solvers.solution import Meter
from solvers.zero_sum.certified_program import dense_program

Supports = tuple[tuple[int, ...], tuple[int, ...]]


def best_on_face(
    game: NormalFormGame, actions: Supports, *, weights: tuple[int, int]
) -> MixedProfile | None:
    """Return an equilibrium that plays given actions only, all best replies; None if there is none.

    Args:
        actions: Each player's actions that may be played and must be best replies.
        weights: The sum of payoffs, so weighted, is made large; 1, 0 or -1.
    """
    strategies: list[ExactArray] = []
    for player in range(2):
        found = _strategy(game, actions, player, earned=weights[1 - player])
        if found is None:
            return None
        strategies.append(found)
    return MixedProfile(tuple(strategies))


def widest_on_face(game: NormalFormGame, actions: Supports) -> MixedProfile | None:
    """Return an equilibrium of the same kind that plays as many actions as one can."""
    strategies: list[ExactArray] = []
    for player in range(2):
        corners = [_strategy(game, actions, player, played=action) for action in actions[player]]
        found = [corner for corner in corners if corner is not None]
        if not found:
            return None
        strategies.append(freeze(sum(found[1:], found[0]) * Fraction(1, len(found))))
    return MixedProfile(tuple(strategies))


def _strategy(
    game: NormalFormGame, actions: Supports, player: int, *, earned: int = 0, played: int = -1
) -> ExactArray | None:
    """Maximise ``earned`` times the other's payoff, or the probability of an action ``played``."""
    own, replies = actions[player], actions[1 - player]
    table = scaled_payoffs(game, 1 - player).numerators
    table = (table.T if player == 0 else table)[:, own]  # replies x own actions
    program = _program(table, replies, [int(a == played) for a in own], earned)
    try:
        optimum = solve_exactly(program, solve_float(program).basis)
    except InfeasibleProgram:
        return None
    strategy = np.empty(game.num_actions[player], dtype=object)
    strategy[:] = Fraction(0)
    strategy[list(own)] = optimum.primal[: len(own)]
    return freeze(strategy)


def _program(
    table: ExactArray, replies: tuple[int, ...], costs: list[int], earned: int
) -> LinearProgram:
    """Columns: probabilities, then what the best reply earns; rows: replies, then the sum."""
    num_replies, num_own = table.shape
    full = np.zeros((num_replies + 1, num_own + 1), dtype=object)
    full[:-1, :-1] = table
    full[:-1, -1] = -1
    full[-1, :-1] = 1
    is_equation = np.zeros(num_replies + 1, dtype=bool)
    is_equation[[*replies, num_replies]] = True
    objective = object_array([*costs, earned])
    is_free = np.arange(num_own + 1) == num_own
    return dense_program(full, objective, is_equation=is_equation, is_free=is_free)


NO_SCORE = Fraction(-1)  # less than any number of actions


@dataclass(frozen=True)
class Proof:
    """A tree of cases.

    Attributes:
        questions: In preorder, None for a leaf.
    """

    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]


@dataclass
class Node:
    """A case with what is known about it; open until its bound is no better than the best."""

    case: Case
    leaf: Leaf
    bound: Fraction | None  # none: no equilibrium
    question: Label | None = None
    children: tuple["Node", "Node"] | None = None


@dataclass
class Search:
    """Everything that one call keeps; lives inside it.

    Attributes:
        game, objective, player, meter: What is asked for.
        start: What is answered before the first question.
        scores: The score of each pair of actions.
        payoffs: Each player's, in [0, 1].
        best: The best equilibrium found.
        best_score: Its score, or less than any.
        stops_at_first: Whether any equilibrium will do.
        tried: Supports proposed before.
        root: Of the tree of cases.
    """

    game: NormalFormGame
    objective: EquilibriumObjective
    player: int
    meter: Meter
    start: Case
    scores: ScaledIntegers
    payoffs: tuple[FloatArray, FloatArray]
    best: MixedProfile | None = None
    best_score: Fraction = NO_SCORE
    stops_at_first: bool = False
    tried: set[Supports] = field(default_factory=set[Supports])
    root: Node = field(default_factory=lambda: Node(Case(), Leaf(), None))

    @property
    def is_done(self) -> bool:
        """Whether nothing more is wanted, or may be spent."""
        return self.meter.is_exhausted or (self.stops_at_first and self.best is not None)


def new_search(
    game: NormalFormGame,
    *,
    objective: EquilibriumObjective,
    player: int,
    start: Case,
    meter: Meter,
    stops_at_first: bool = False,
) -> Search:
    """Prepare a search that knows no equilibrium yet.

    Where payoffs are compared, it must be offered one before it starts.
    """
    scores = scaled_scores(game, objective=objective, player=player)
    return Search(
        game=game,
        objective=objective,
        player=player,
        meter=meter,
        start=start,
        scores=scores,
        payoffs=float_tables(game, scores, Fraction(0)).payoffs,
        stops_at_first=stops_at_first,
    )


def proof_of(search: Search) -> Proof:
    """Write the tree of cases in preorder."""
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
    return Proof(tuple(questions), tuple(leaves))


NEARLY = 1e-7  # regrets, of payoffs in [0, 1], that may be rounding
PRESENT = 1e-9  # probabilities that count


def propose_marginals(search: Search, joint: FloatArray) -> None:
    """Try the marginals' supports, if the marginals are an equilibrium but for rounding."""
    if not joint.any():
        return
    sides = sides_of(joint)
    supports = tuple(np.flatnonzero(side > PRESENT) for side in sides)
    regrets = regrets_of(search, joint)
    if any((loss[own] > NEARLY).any() for loss, own in zip(regrets, supports, strict=True)):
        return
    try_actions(search, (tuple(supports[0].tolist()), tuple(supports[1].tolist())))


def offer_marginals(search: Search, joint: ExactArray) -> None:
    """Keep the marginals themselves, which add up to 1, if they are an equilibrium and better."""
    profile = MixedProfile((freeze(joint.sum(axis=1)), freeze(joint.sum(axis=0))))
    if not certify_nash(search.game, profile).epsilon:
        offer(search, profile)


def try_actions(search: Search, actions: Supports) -> None:
    """Keep the best equilibrium on a face, if it is better than the best so far."""
    if actions in search.tried:
        return
    search.tried.add(actions)
    find = partial(best_on_face, weights=_weights(search.objective, search.player))
    if search.objective is EquilibriumObjective.LARGEST_SUPPORT:
        find = widest_on_face
    profile = find(search.game, actions)
    if profile is not None:
        offer(search, profile)


def offer(search: Search, profile: MixedProfile) -> None:
    """Keep an equilibrium if it is the best so far."""
    score = score_of(search.game, profile, objective=search.objective, player=search.player)
    if search.best is None or score > search.best_score:
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


def sides_of(joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return both marginals, each with sum 1."""
    total = joint.sum() or 1.0
    return joint.sum(axis=1) / total, joint.sum(axis=0) / total


def regrets_of(search: Search, joint: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return what each action loses against the other's marginal; payoffs in [0, 1]."""
    x, y = sides_of(joint)
    rows, columns = search.payoffs[0] @ y, x @ search.payoffs[1]
    return rows.max() - rows, columns.max() - columns
