"""Sequential equilibria: strategies and beliefs that make sense at every information set.

The trembles that make a profile of two players quasi-perfect also give beliefs with which it is
sequential (van Damme 1984). In trees of perfect information each belief is sure, and backward
induction finds a sequential equilibrium of any number of players. Elsewhere subgames are solved
from the last to the first: a subgame's trembles alone decide the beliefs in it, so that sequential
equilibria of the pieces are one of the whole. Pieces of one or two players are solved as above;
those of more by a search that may fail.
"""

from fractions import Fraction

from gametheory_core import ExtensiveFormGame, NotConverged, pure_behavior, uniform_behavior
from gametheory_core.arrays import ONE, ZERO, object_array
from gametheory_core.certificates.refinements import SequentialCertificate, certify_sequential
from gametheory_core.evaluation import best_response
from gametheory_core.games import subgame_roots
from gametheory_core.games.properties import has_perfect_information
from gametheory_core.strategies import BehavioralProfile, TremblingProfile, uniform_trembles
from gametheory_core.strategies.sequences import SequenceForm, sequence_form
from gametheory_core.strategies.trembles import LeadingTerm, leading_terms, trembling_profile
from solvers.concepts import Concept
from solvers.requirements import a_tree, perfect_recall
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Progress, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.assessments import search_assessment
from solvers.trees.induction import backward_induction
from solvers.trees.pieces import Piece, piece_of, pieces_of
from solvers.trees.refinements import perfect_trembles, required_form
from solvers.trees.signaling import trembling


@solver(
    Answers(Concept.SEQUENTIAL, rank=10),
    takes=(a_tree, perfect_recall),
    unit="steps",
    because="an equilibrium with beliefs, rational at every information set, from vanishing "
    "mistakes",
    page="refinements",
)
def sequential_equilibrium(
    game: ExtensiveFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[BehavioralProfile, SequentialCertificate]:
    """Find a sequential equilibrium: an equilibrium with beliefs, rational wherever play may be.

    Args:
        game: Perfect recall, any number of players, any payoffs. Chance excludes no information
            set.
        budget: Iterations are levels of the tree (perfect information), pivots, or choices looked
            at (more than two players). The certificate, which multiplies polynomials and is slow in
            deep trees, is not limited in time.
        on_iteration: Called as ``backward_induction`` or ``quasi_perfect`` does.

    Returns:
        ``certificate.assessment`` has profile and beliefs, ``certificate.trembles`` the completely
        mixed strategies that explain them.

    Raises:
        NotConverged: If the budget ends first, or more than two players move in a subgame and the
            search for one finds nothing; ``best`` is None, as nothing less is worth having.

    Every tree has a sequential equilibrium, and with two players one is always found. With more,
    subgames are searched for ones in which all choices are pure, or two players mix, at one
    information set each; the number of such profiles is exponential in that of information sets.

    Source: :cite:`kreps1982sequential`.

    >>> from gametheory_core import load_game
    >>> certificate = sequential_equilibrium(load_game("guess_the_ace")).certificate
    >>> [str(belief) for belief in certificate.beliefs[1]]  # it is the ace one time in 52
    ['1/52', '51/52']
    """
    meter = open_meter(budget, on_iteration)
    form = required_form(game)
    if has_perfect_information(game):
        trembles = _backward_induction(game, meter)
    elif game.num_players == 2:
        trembles = perfect_trembles(form, meter=meter)
    else:
        trembles = _by_subgames(game, meter)
    certificate = certify_sequential(game, trembles)
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def _backward_induction(game: ExtensiveFormGame, meter: Meter) -> TremblingProfile:
    """Let everyone tremble alike around the profile of backward induction."""

    def tick() -> None:
        if meter.seconds_left == 0.0:
            raise _ended(meter)

    def count(progress: Progress) -> None:
        meter.iterations = progress.done
        if meter.on_iteration is not None:
            meter.on_iteration(progress)

    try:
        found = backward_induction(game, budget=meter.left, on_iteration=count)
    except NotConverged as error:  # what is best so far has no beliefs
        raise _ended(meter) from error
    trembles = uniform_trembles(game, found.profile, tick=tick)
    tick()
    return trembles


def _ended(meter: Meter) -> NotConverged:
    return NotConverged(
        needs="an action and a belief at every information set",
        found=f"the budget ended after {meter.iterations} levels of the tree",
        remedy="Give a larger budget.",
    )


def _by_subgames(game: ExtensiveFormGame, meter: Meter) -> TremblingProfile:
    """Solve subgames from the last to the first, each for its worth, and put trembles together."""
    sizes = [[LeadingTerm(0, ONE)] for _ in range(game.num_decision_infosets)]
    worths = dict(zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True))
    pieces = pieces_of(game, subgame_roots(game))
    for nodes in map(pieces.nodes, reversed(range(len(pieces)))):
        ends = [worths[v] for v in nodes.tolist() if v in worths]
        if len(nodes) == 1:
            continue
        piece = piece_of(game, nodes, ends)
        found = _sizes(piece, meter)
        for infoset, terms in zip(piece.infosets, found, strict=True):
            sizes[infoset] = terms
        limit = [[ZERO if term.order else term.coefficient for term in terms] for terms in found]
        profile = BehavioralProfile(tuple(map(object_array, limit)))
        worths[int(nodes[0])] = piece.worth(profile).tolist()
    return trembling_profile(game, list(map(_polynomials, sizes)))


def _sizes(piece: Piece, meter: Meter) -> list[list[LeadingTerm]]:
    """Return how large the probability of each action of a piece is."""
    game = piece.game
    if game.num_players == 1:
        response = best_response(game, uniform_behavior(game), player=0)
        return _sizes_of(
            sequence_form(game), uniform_trembles(game, pure_behavior(game, response.actions))
        )
    if game.num_players == 2:
        form = required_form(game)
        return _sizes_of(form, perfect_trembles(form, meter=meter))
    try:
        found = search_assessment(game, tick=meter.tick)
    except BudgetOver:
        raise NotConverged(
            needs="an action and a belief at every information set",
            found=f"the budget ended after {meter.iterations:,} steps",
            remedy="Give a larger budget.",
        ) from None
    if found is None:
        raise NotConverged(
            needs="a sequential equilibrium in which at most two choices of a subgame are mixed",
            found=f"found none in {meter.iterations:,} steps",
            remedy="Give certify_sequential trembles of your own, or use subgame_perfect.",
        )
    return [
        [
            LeadingTerm(0, found.play[s][a])
            if a in found.play[s]
            else found.slips.get((s, a), LeadingTerm(1, ONE))
            for a in range(len(infoset.actions))
        ]
        for s, infoset in enumerate(game.infosets[: game.num_decision_infosets])
    ]


def _sizes_of(form: SequenceForm, trembles: TremblingProfile) -> list[list[LeadingTerm]]:
    """Divide the leading term of each sequence by its parent's."""
    return [
        [term / terms[parent] for term in terms[own.first_sequence[k] : own.first_sequence[k + 1]]]
        for own, terms in zip(form.players, leading_terms(trembles), strict=True)
        for k, parent in enumerate(own.parent_sequence.tolist())
    ]


def _polynomials(terms: list[LeadingTerm]) -> list[list[Fraction]]:
    """Return probabilities of these sizes that add up to 1."""
    shares = {a: term.coefficient for a, term in enumerate(terms) if not term.order}
    slips = {a: [*[ZERO] * term.order, term.coefficient] for a, term in enumerate(terms)}
    return trembling(range(len(terms)), shares, slips)
