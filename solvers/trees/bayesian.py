"""Bayes-Nash equilibria of Bayesian games, through their trees or by supports.

In the tree of a Bayesian game chance draws the type, the leader moves without having seen it, and
the type answers without having seen that. There are as many sequences as actions; in the normal
form the follower's plans for all types multiply. Lemke's path on the sequence form ends at an
equilibrium.

All of them: what an action earns is linear in the other side's strategies, so that supports and
ties of best replies determine vertices, and every equilibrium is a mixture of pairs of vertices
that are ones too.
"""

from fractions import Fraction
from itertools import accumulate, product
from typing import Any, TypeAlias, cast

from gametheory_core import (
    BayesianGame,
    Chance,
    Decision,
    ExtensiveFormGame,
    MixedProfile,
    NotConverged,
    Terminal,
    from_sketch,
)
from gametheory_core.arrays import ZERO, object_array
from gametheory_core.certificates.bayes_nash import (
    BayesNashCertificate,
    BayesNashCompletenessCertificate,
    certify_bayes_nash,
)
from gametheory_core.strategies import BehavioralProfile
from solvers._programs.reply_vertices import Replies, Side, Vertex, vertices
from solvers.concepts import Concept
from solvers.requirements import a_bayesian_game
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
from solvers.trees.complementarity import TreeSolution, sequence_form_lcp

BayesSolution: TypeAlias = Solution[MixedProfile, BayesNashCertificate]


@solver(
    Answers(Concept.NASH, rank=45),
    takes=(a_bayesian_game,),
    unit="pivots",
    because="a follower of unknown type: a path of pivots over actions, not plans, proved exactly",
    page="nash",
)
def bayes_nash(
    game: BayesianGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, BayesNashCertificate]:
    """Find a Bayes-Nash equilibrium of a leader and a follower of unknown type, exactly.

    Args:
        game: Leader and follower choose at once; nobody commits.

    Returns:
        The profile holds the leader's strategy, then one for each type. The certificate's epsilon
        is 0; payoffs are the leader's average over the prior, then each type's.

    Raises:
        UnsupportedGame: If there are more than 12,000 actions, of all types together.
        NotConverged: If the budget ends first; ``best`` is the point reached on the path.

    The number of pivots can be exponential in the number of actions.

    Sources: :cite:`harsanyi1968bayesian`, :cite:`stengel2002normal`.

    >>> from gametheory_core import load_game
    >>> solution = bayes_nash(load_game("house_patrol"))
    >>> str(solution.certificate.epsilon)
    '0'
    """
    meter = open_meter(budget, on_iteration)
    try:
        found = sequence_form_lcp(tree_of(game), budget=meter.left, on_iteration=on_iteration)
    except NotConverged as error:
        reached = cast("TreeSolution", error.best)
        best = _carried_back(game, reached.profile, meter)
        raise error.changed(best=best) from error
    meter.iterations = found.run.iterations
    return _carried_back(game, found.profile, meter)


def tree_of(game: BayesianGame) -> ExtensiveFormGame:
    """Return the tree in which chance draws the type, then leader and type choose at once."""

    def answers(t: int, row: int) -> Decision[Terminal]:
        paid = game.games[t].exact_payoffs[:, row].T.tolist()
        ends = {str(b): Terminal(both) for b, both in enumerate(paid)}
        return Decision(1, f"type {t}", ends)

    rows = range(game.num_actions[0])
    types = {
        str(t): (p, Decision(0, "leader", {str(row): answers(t, row) for row in rows}))
        for t, p in enumerate(game.prior)
    }
    return from_sketch(Chance(types), players=game.players)


def _carried_back(game: BayesianGame, profile: BehavioralProfile, meter: Meter) -> BayesSolution:
    certificate = certify_bayes_nash(game, MixedProfile(profile.probabilities))
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


@solver(
    Answers(Concept.ALL_NASH, rank=60, lists=True),
    takes=(a_bayesian_game,),
    unit="supports",
    because="a follower of unknown type: supports of the leader and of all types give linear "
    "equations",
    page="nash",
)
def bayes_nash_enumeration(
    game: BayesianGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> SolutionSet[MixedProfile, BayesNashCertificate]:
    """Find all extreme Bayes-Nash equilibria of a leader and a follower of unknown type, exactly.

    Args:
        game: Leader and follower choose at once; nobody commits.
        budget: Iterations are supports, of the leader and of all types together.

    Returns:
        Complete: every Bayes-Nash equilibrium is a mixture of these, for the leader and for the
        types together. ``completeness.isolated`` are the ones near which there are no others.

    Raises:
        NotConverged: If the budget ends first; ``best`` holds those found.

    The number of supports is exponential in the number of actions, and in that of types.

    Source: :cite:`harsanyi1968bayesian`.

    >>> from gametheory_core import load_game
    >>> found = bayes_nash_enumeration(load_game("house_patrol"))
    >>> len(found.equilibria), len(found.completeness.isolated)
    (8, 0)
    """
    meter = open_meter(budget, on_iteration)
    points: tuple[list[Vertex], list[Vertex]] = ([], [])
    is_complete = True
    try:
        for side, own in zip(_sides(game), points, strict=True):
            for vertex in vertices(side, meter.tick):
                own.append(vertex)
    except BudgetOver:
        is_complete = False
    pairs = [(x, y) for x, y in product(*points) if x.played <= y.best and y.played <= x.best]
    certificates = [certify_bayes_nash(game, _profile(game, x, y)) for x, y in pairs]
    completeness, evidence = None, f"the budget ended after {meter.iterations:,} supports"
    if is_complete:
        isolated = tuple(
            c.profile
            for c, (x, y) in zip(certificates, pairs, strict=True)
            if not any((x is v) != (y is w) for v, w in pairs)
        )
        profiles = tuple(c.profile for c in certificates)
        completeness = BayesNashCompletenessCertificate(game, profiles, isolated)
        evidence = (
            f"all extreme Bayes-Nash equilibria, {len(isolated)} of them isolated: all "
            f"{meter.iterations:,} supports gave {len(points[0])} and {len(points[1])} vertices"
        )
    run = meter.record()
    solutions = tuple(Solution(c.profile, c.payoffs, c, run) for c in certificates)
    found = SolutionSet(cast("Any", game), solutions, is_complete, evidence, completeness, run)
    if not is_complete:
        raise NotConverged(
            needs="all supports of the leader and of the types",
            found=evidence,
            remedy="Give a larger budget, or use the exception's best.",
            best=found,
        )
    return found


def _sides(game: BayesianGame) -> tuple[Side, Side]:
    """Return the leader's side and the types'; actions of types are numbered on."""
    rows, *counts = game.num_actions
    first = list(accumulate(counts, initial=0))
    blocks = tuple(tuple(range(f, f + n)) for f, n in zip(first, counts, strict=False))
    answers: list[Replies] = []
    earned: Replies = {row: {} for row in range(rows)}
    for one, p, block in zip(game.games, game.prior, blocks, strict=True):
        own, others = one.exact_payoffs.tolist()
        answers.append({b: {a: others[a][j] for a in range(rows)} for j, b in enumerate(block)})
        for a in range(rows):
            earned[a] |= {b: p * own[a][j] for j, b in enumerate(block)}
    return Side((tuple(range(rows)),), tuple(answers)), Side(blocks, (earned,))


def _profile(game: BayesianGame, x: Vertex, y: Vertex) -> MixedProfile:
    rows, *counts = game.num_actions
    first = list(accumulate(counts, initial=0))
    parts: list[list[Fraction]] = [[x.shares.get(a, ZERO) for a in range(rows)]]
    for f, n in zip(first, counts, strict=False):
        parts.append([y.shares.get(b, ZERO) for b in range(f, f + n)])
    return MixedProfile(tuple(map(object_array, parts)))
