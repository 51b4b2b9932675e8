"""Subgame-perfect equilibria: subgames solved from the last to the first, each for its worth.

Each subgame is solved as a *piece*, up to where smaller ones start, which end play and pay what
they are worth. Players with no choice in a piece are left out of it. Whoever moves in it decides
how it is solved: nobody or one player alone, by choosing what is best; two players, by a linear
program if payoffs sum to a constant and by Lemke's method if not; more, through the reduced normal
form.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

from gametheory_core import (
    MinimaxCertificate,
    NashCertificate,
    extensive_to_normal,
    pure_behavior,
    uniform_behavior,
)
from gametheory_core.arrays import ZERO, IntArray, NumberArray, exact_array
from gametheory_core.certificates import SubgamePerfectCertificate, certify_subgame_perfect
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.evaluation import best_response
from gametheory_core.games import ExtensiveFormGame, path_to, subgame_roots
from gametheory_core.games.properties import has_perfect_information, is_constant_sum, shortened
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.strategies import BehavioralProfile, MixedProfile
from solvers.concepts import Concept
from solvers.many_players.logit import LogitBranch, logit_homotopy
from solvers.many_players.pure_equilibria import pure
from solvers.requirements import a_tree, perfect_recall
from solvers.solution import (
    UNLIMITED,
    Budget,
    BudgetOver,
    Meter,
    OnIteration,
    Solution,
    SolutionSet,
)
from solvers.solver import Answers, open_meter, solver
from solvers.trees.complementarity import sequence_form_lcp
from solvers.trees.induction import backward_induction
from solvers.trees.like_pieces import subgame_search
from solvers.trees.linear_program import sequence_form_lp
from solvers.trees.pieces import Piece, Pieces, piece_of, pieces_of

DEFAULT_TOLERANCE = Fraction(1, 10**9)  # times the payoff span; where more than two players mix

Worth = list[Fraction]  # of a subgame, for each player
SubgamePerfectSolution = Solution[BehavioralProfile, SubgamePerfectCertificate]


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

    Pieces of two players cost what ``sequence_form_lp`` or ``sequence_form_lcp`` does, and alike
    ones of a constant sum are solved once; of more players, the product of the numbers of reduced
    plans. Which of several equilibria a subgame gets is not searched: others may make other choices
    best before it.

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
    pieces = pieces_of(game, roots)
    if game.num_players == 2 and is_constant_sum(game) and budget.iterations is None:
        return _with_likes(search, pieces)
    for nodes in map(pieces.nodes, reversed(range(len(pieces)))):
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


def _with_likes(search: _Search, pieces: Pieces) -> SubgamePerfectSolution:
    """Solve pieces of a constant sum, each exactly, and alike ones once."""

    def solve(
        piece: ExtensiveFormGame, tolerance: float | None, meter: Meter
    ) -> Solution[BehavioralProfile, MinimaxCertificate]:
        return sequence_form_lp(piece, tolerance=tolerance, budget=meter.left)

    found = subgame_search(search.game, pieces, tolerance=None, meter=search.meter, solve=solve)
    try:
        found.run()
    except (BudgetOver, NotConverged) as error:
        search.vectors[:] = found.vectors.tolist()
        raise _budget_ended(search) from error
    search.vectors[:] = found.vectors.tolist()
    search.meter.step(len(pieces))
    return _certified(search)


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
