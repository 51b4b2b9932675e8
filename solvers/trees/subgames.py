"""Subgame-perfect equilibria: subgames solved from the last to the first, each for its worth.

A *piece* has the nodes of a subgame as far as no smaller subgame is reached; where one starts, play
ends and pays what that subgame is worth. Players with no choice in a piece are left out of it.
Whoever moves in it decides how it is solved: nobody or one player alone, by choosing what is best;
two players, by a linear program if payoffs sum to a constant and by Lemke's method if not; more,
through the reduced normal form.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core import NashCertificate, extensive_to_normal, pure_behavior, uniform_behavior
from gametheory_core.arrays import ONE, ZERO, ExactArray, IntArray, NumberArray, exact_array, freeze
from gametheory_core.certificates import SubgamePerfectCertificate, certify_subgame_perfect
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.evaluation import best_response, outcome_distribution
from gametheory_core.games import ExtensiveFormGame, InformationSet, path_to, subgame_roots
from gametheory_core.games.properties import has_perfect_information, is_constant_sum, shortened
from gametheory_core.games.subgames import innermost_roots
from gametheory_core.games.tree_table import CHANCE, NO_OUTCOME, Outcome
from gametheory_core.strategies import BehavioralProfile, MixedProfile
from solvers.concepts import Concept
from solvers.many_players.logit import LogitBranch, logit_homotopy
from solvers.many_players.pure_equilibria import pure
from solvers.requirements import a_tree, perfect_recall
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution, SolutionSet
from solvers.solver import Answers, open_meter, solver
from solvers.trees.complementarity import sequence_form_lcp
from solvers.trees.induction import backward_induction
from solvers.trees.linear_program import sequence_form_lp

DEFAULT_TOLERANCE = Fraction(1, 10**9)  # times the payoff span; where more than two players mix

Worth = list[Fraction]  # of a subgame, for each player
SubgamePerfectSolution = Solution[BehavioralProfile, SubgamePerfectCertificate]


@dataclass(frozen=True, eq=False)
class Piece:
    """A subgame without the smaller ones in it.

    Attributes:
        game: Its players are those with a choice in it (the first player, if nobody has one);
            others who have a single action are chance moves.
        infosets: The information set of the whole tree that each one of the players' is.
        end_payoffs (num_terminals, num_players): What each end pays all players of the whole tree.
    """

    game: ExtensiveFormGame
    infosets: tuple[int, ...]
    end_payoffs: ExactArray

    def worth(self, profile: BehavioralProfile) -> ExactArray:
        """Return what all players of the whole tree expect under a profile of the piece."""
        return np.asarray(outcome_distribution(self.game, profile) @ self.end_payoffs)


@solver(
    Answers(Concept.SUBGAME_PERFECT, rank=20),
    takes=(a_tree, perfect_recall),
    unit="subgames",
    because="perfect recall: subgames from the last to the first, each by who moves in it",
    page="trees",
)
def subgame_perfect(
    game: ExtensiveFormGame,
    *,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, SubgamePerfectCertificate]:
    """Find a subgame-perfect equilibrium, with imperfect information inside subgames.

    Args:
        game: Perfect recall, any number of players, and chance.
        tolerance: Largest gain accepted in any subgame, in payoff units, where more than two
            players have a choice in one piece and none of its equilibria is pure. Default 1e-9
            times the payoff span. Elsewhere the answer is exact.
        budget: Iterations are subgames; seconds are for all of them together.

    Returns:
        ``certificate.epsilon`` is 0 wherever at most two players have a choice in each piece.

    Raises:
        UnsupportedGame: If a player forgets, or a piece is too large; names what or where.
        NotConverged: If the budget ends first, or the tolerance is not met; ``best`` plays evenly
            in the subgames not solved, and its certificate says how much a player gains in the
            worst one.

    Pieces of two players cost what ``sequence_form_lp`` or ``sequence_form_lcp`` does; of more, the
    product of the numbers of reduced plans. Which of several equilibria a subgame gets is not
    searched: others may make other choices best before it.

    Source: :cite:`selten1965oligopol`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> prices = Decision(0, "entered", {a: Decision(1, "unseen", {
    ...     b: Terminal([3, 1] if a == b else [0, 0]) for b in ("low", "high")})
    ...     for a in ("low", "high")})
    >>> entry = Decision(0, "start", {"out": Terminal([2, 4]), "in": prices})
    >>> solution = subgame_perfect(from_sketch(entry, players=("Entrant", "Incumbent")))
    >>> solution.certificate.epsilon
    Fraction(0, 1)
    """
    if has_perfect_information(game):
        return _by_backward_induction(game, budget, on_iteration)
    roots = subgame_roots(game)
    meter = open_meter(budget, on_iteration, total=len(roots))
    worths = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    search = _Search(game, meter, list(uniform_behavior(game).probabilities), worths)
    for nodes in reversed(nodes_of_pieces(game, roots)):
        if meter.is_exhausted:
            raise _budget_ended(search)
        try:
            if not _decided_at_once(search, int(nodes[0]), len(nodes)):
                _solve(search, nodes)
        except NotConverged as error:
            raise _budget_ended(search) from error
        meter.step()
    solution = _certified(search)
    _require_tolerance_met(game, solution, tolerance)
    return solution


@dataclass(frozen=True, eq=False)
class _Search:
    """What is played and what subgames are worth so far; modified in place.

    Attributes:
        vectors: By information set; uniform where nothing is solved.
        worths: By root, and by end of play; for each player.
    """

    game: ExtensiveFormGame
    meter: Meter
    vectors: list[NumberArray]
    worths: dict[int, Worth]


def _by_backward_induction(
    game: ExtensiveFormGame, budget: Budget, on_iteration: OnIteration | None
) -> SubgamePerfectSolution:
    try:
        return backward_induction(game, budget=budget, on_iteration=on_iteration)
    except NotConverged as error:
        best = cast("Solution[BehavioralProfile, NashCertificate]", error.best)
        certificate = certify_subgame_perfect(game, best.profile, tolerance=None)
        solution = Solution(best.profile, certificate.payoffs, certificate, best.run)
        raise error.changed(best=solution) from error


def _decided_at_once(search: _Search, root: int, size: int) -> bool:
    """Take the best action where a piece is a single move; False if it is more than that."""
    game, worths = search.game, search.worths
    first, count = int(game.first_child[root]), int(game.num_children[root])
    if size != count + 1:
        return False
    children = [worths[v] for v in range(first, first + count)]
    if not count:  # the tree is one end of play
        return True
    infoset = int(game.node_infoset[root])
    player = game.infosets[infoset].player
    if player == CHANCE:
        shares = game.infosets[infoset].probabilities or ()
        worths[root] = [
            sum((p * paid for p, paid in zip(shares, column, strict=True)), ZERO)
            for column in zip(*children, strict=True)
        ]
        return True
    best = max(range(count), key=lambda a: children[a][player])
    search.vectors[infoset] = exact_array([int(a == best) for a in range(count)])
    worths[root] = children[best]
    return True


def _solve(search: _Search, nodes: IntArray) -> None:
    """Solve a piece, and write down what is played in it and what it is worth."""
    root, worths = int(nodes[0]), search.worths
    piece = piece_of(search.game, nodes, [worths[v] for v in nodes.tolist() if v in worths])
    budget = Budget(seconds=search.meter.seconds_left)
    profile = _equilibrium(piece, budget, _place(search.game, root))
    for infoset, vector in zip(piece.infosets, profile.probabilities, strict=True):
        search.vectors[infoset] = vector
    worths[root] = piece.worth(profile).tolist()


def _place(game: ExtensiveFormGame, root: int) -> str:
    return f"the subgame after {shortened(path_to(game, root))}" if root else "the whole tree"


def _equilibrium(piece: Piece, budget: Budget, place: str) -> BehavioralProfile:
    game = piece.game
    if game.num_players == 1:
        response = best_response(game, uniform_behavior(game), player=0)
        return pure_behavior(game, response.actions)
    if game.num_players == 2:
        solve = sequence_form_lp if is_constant_sum(game) else sequence_form_lcp
        return solve(game, budget=budget).profile
    try:
        conversion = extensive_to_normal(game)
    except UnsupportedGame as error:
        raise UnsupportedGame(
            needs="pieces of at most two players, or with few plans",
            found=f"{place} is played by {game.num_players}: {error.problem}",
            remedy=error.remedy,
        ) from error
    try:
        found = pure(conversion.target, budget=Budget(iterations=1))
    except NotConverged as error:  # there are more
        found = cast("SolutionSet[MixedProfile, NashCertificate]", error.best)
    if found.equilibria:
        return conversion.correspondence.to_source(found.equilibria[0].profile)
    try:
        branch = logit_homotopy(conversion.target, budget=budget)
    except NotConverged as error:
        if error.best is None:
            raise
        branch = cast("LogitBranch", error.best)  # what it is worth is certified in the end
    return conversion.correspondence.to_source(branch.solution.profile)


def _certified(search: _Search) -> SubgamePerfectSolution:
    profile = BehavioralProfile(tuple(search.vectors))
    certificate = certify_subgame_perfect(search.game, profile, tolerance=None)
    return Solution(profile, certificate.payoffs, certificate, search.meter.record())


def _budget_ended(search: _Search) -> NotConverged:
    best = _certified(search)
    return NotConverged(
        needs=f"all {search.meter.total} subgames",
        found=f"the budget ended after {search.meter.iterations}",
        remedy="Give a larger budget, or use the exception's best, which plays evenly in the "
        f"subgames not solved; a player gains {at_most(best.certificate.epsilon)} in the "
        "worst of them.",
        best=best,
    )


def _require_tolerance_met(
    game: ExtensiveFormGame, solution: SubgamePerfectSolution, tolerance: float | None
) -> None:
    epsilon = solution.certificate.epsilon
    if not epsilon:
        return
    paid = game.exact_terminal_payoffs
    span = cast("Fraction", max((paid.max(axis=0) - paid.min(axis=0)).tolist()))
    limit = DEFAULT_TOLERANCE * span if tolerance is None else Fraction(tolerance)
    if epsilon > limit:
        raise NotConverged(
            needs=f"gains of at most {at_most(limit)} in every subgame",
            found=f"found a player who gains {at_most(epsilon)}",
            remedy="Give a larger tolerance, or use the exception's best.",
            best=solution,
        )


def nodes_of_pieces(game: ExtensiveFormGame, roots: IntArray) -> list[IntArray]:
    """Return the nodes of each piece in breadth-first order, ends included.

    Args:
        roots: From ``subgame_roots``.
    """
    owner = innermost_roots(game, roots)
    above = owner[game.parent[1:]]
    by_piece = np.argsort(above, kind="stable")
    bounds = np.searchsorted(above[by_piece], roots)
    parts = np.split(1 + by_piece, bounds[1:])
    return [
        freeze(np.concatenate([[root], part]).astype(np.int32))
        for root, part in zip(roots.tolist(), parts, strict=True)
    ]


def piece_of(
    game: ExtensiveFormGame, nodes: IntArray, payoffs: Sequence[Sequence[Fraction]]
) -> Piece:
    """Build a piece.

    Args:
        nodes: From ``nodes_of_pieces``.
        payoffs: What each of its ends pays every player, in the order of ``nodes``.
    """
    above = np.zeros(game.num_nodes, dtype=bool)
    above[game.parent[nodes[1:]]] = True
    is_inside = above[nodes]  # play goes on there, within the piece
    inner = nodes[is_inside]
    kept = np.unique(game.node_infoset[inner]).tolist()
    choosers = {
        game.infosets[s].player
        for s in kept
        if game.infosets[s].player != CHANCE and len(game.infosets[s].actions) > 1
    }
    movers = sorted(choosers) or [0]
    new_index = np.full(len(game.infosets), -1, dtype=np.int32)
    new_index[kept] = np.arange(len(kept), dtype=np.int32)
    node_infoset = np.full(len(nodes), -1, dtype=np.int32)
    node_infoset[is_inside] = new_index[game.node_infoset[inner]]
    node_outcome = np.full(len(nodes), NO_OUTCOME, dtype=np.int32)
    node_outcome[~is_inside] = np.arange(len(payoffs), dtype=np.int32)
    table = ExtensiveFormGame(
        players=tuple(game.players[i] for i in movers),
        infosets=tuple(_renamed(game.infosets[s], number, movers) for number, s in enumerate(kept)),
        node_infoset=node_infoset,
        outcomes=tuple(Outcome(tuple(paid[i] for i in movers)) for paid in payoffs),
        node_outcome=node_outcome,
        title=game.title,
    )
    paid_to_all = np.array(payoffs, dtype=object).reshape(-1, game.num_players)
    return Piece(table, _sources(game, table, nodes), freeze(paid_to_all))


def _renamed(infoset: InformationSet, number: int, movers: list[int]) -> InformationSet:
    if infoset.player in movers:
        player = movers.index(infoset.player)
        return InformationSet(player, number + 1, infoset.label, infoset.actions)
    sure = infoset.probabilities or (ONE,)  # chance, or a player with a single action
    return InformationSet(CHANCE, number + 1, "", infoset.actions, sure)


def _sources(game: ExtensiveFormGame, table: ExtensiveFormGame, nodes: IntArray) -> tuple[int, ...]:
    sources = [-1] * table.num_decision_infosets
    for own, node in zip(table.node_infoset.tolist(), nodes.tolist(), strict=True):
        if 0 <= own < len(sources):
            sources[own] = int(game.node_infoset[node])
    return tuple(sources)
