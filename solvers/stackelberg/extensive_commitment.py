"""Commitment in trees: the leader's best behavioral strategy when the follower sees it.

By branch and bound over the follower's actions, with the linear program of correlated commitment as
the bound (Bosansky and Cermak 2015; Cermak et al. 2016), exactly, and with a proof that no other
commitment is better.
"""

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.certificates.extensive_stackelberg import (
    ExtensiveStackelbergCertificate,
    certify_extensive_stackelberg,
)
from gametheory_core.certificates.wording import rationals
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile, uniform_behavior
from gametheory_core.strategies.sequence_form import (
    RealizationPlan,
    behavioral_profile,
    realization_plan,
    sequence_form,
)
from solvers.concepts import Concept
from solvers.requirements import (
    a_tree,
    perfect_recall,
    two_players,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.extensive_problem import (
    CommitmentProblem,
    commitment_problem,
    num_deviations,
    num_pairs,
)
from solvers.stackelberg.extensive_replies import TreeCommitment, favorite_reply, improved
from solvers.stackelberg.extensive_search import cases_of, search_cases
from solvers.zero_sum.certified_program import integer_array

NAME = "extensive_stackelberg"
MOST_NUMBERS = 200_000  # columns and rows of the first program


@solver(
    Answers(Concept.STACKELBERG, rank=50),
    takes=(a_tree, two_players, perfect_recall),
    unit="linear programs",
    because="a tree of two players: branch and bound over what the follower answers, proved "
    "optimal",
    page="commitment-trees",
)
def extensive_stackelberg(
    game: ExtensiveFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, ExtensiveStackelbergCertificate]:
    """Find an optimal commitment in a two-player tree, ties of the follower broken for the leader.

    The leader commits to a behavioral strategy, as good as a mixed one by perfect recall. The
    follower sees it, not the moves it leads to, and plays a best response to the whole tree.

    Args:
        game: Two players, general-sum, perfect recall; chance is allowed.
        leader: Who commits: 0 or 1.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        The commitment and the follower's pure response; uniform where the leader's own strategy
        never comes.

    Raises:
        InvalidArgument: If there is no such leader.
        UnsupportedGame: If the game is no tree, has not two players, a player forgets, or the first
            program would have more than 200,000 rows and columns; names what is missing.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    NP-hard, with chance even where nothing is hidden (Letchford and Conitzer 2010). The first
    program has a column for each pair of sequences that end on one path; how many programs follow
    depends on how mixed its recommendations to the follower are, none if they are pure.

    Sources:
        :cite:`bosansky2015sequence`.
        :cite:`cermak2016correlated`.

    >>> from gametheory_core.games.tree_draft import Decision, Terminal
    >>> from gametheory_core.games.tree_draft import from_sketch
    >>> answer = Decision(0, "entered", {"fight": Terminal([0, -1]), "share": Terminal([2, 1])})
    >>> entry = Decision(1, "start", {"out": Terminal([4, 0]), "in": answer})
    >>> game = from_sketch(entry, players=("Incumbent", "Entrant"))
    >>> solution = extensive_stackelberg(game)
    >>> solution.payoffs, solution.certificate.epsilon
    ((Fraction(4, 1), Fraction(0, 1)), Fraction(0, 1))
    """
    meter = open_meter(budget, on_iteration)
    problem = checked_problem(game, leader)
    start = improved(problem, uniform_commitment(problem), meter=meter)
    search = search_cases(problem, start, meter=meter)
    profile = profile_of(problem, search.best)
    certificate = certify_extensive_stackelberg(
        game, profile, leader=leader, cases=cases_of(search)
    )
    return _answer(certificate, meter)


def checked_problem(game: ExtensiveFormGame, leader: int) -> CommitmentProblem:
    """Look at a tree from the leader's side, unless its first program would be too large."""
    problem = commitment_problem(game, leader=leader)
    pairs, deviations = num_pairs(problem), num_deviations(problem)
    if pairs + deviations > MOST_NUMBERS:
        raise UnsupportedGame(
            needs=f"a program of at most {MOST_NUMBERS:,} columns and rows",
            found=f"{game!r} has {pairs:,} pairs of sequences that end on one path and "
            f"{deviations:,} deviations of the follower",
            remedy="Solve a smaller tree.",
        )
    return problem


def uniform_commitment(problem: CommitmentProblem) -> TreeCommitment:
    """Return the commitment that plays all actions equally often."""
    payoffs = problem.payoffs
    form = sequence_form(payoffs.game)
    plan = realization_plan(form, uniform_behavior(payoffs.game), player=payoffs.leader)
    return favorite_reply(problem, plan.weights)


def profile_of(problem: CommitmentProblem, commitment: TreeCommitment) -> BehavioralProfile:
    """Write a commitment and its reply as a behavioral profile."""
    payoffs = problem.payoffs
    form = sequence_form(payoffs.game)
    weights = integer_array([0] * payoffs.other.num_sequences)
    weights[:] = ZERO
    weights[0] = ONE
    for k, parent in enumerate(payoffs.other.parent_sequence.tolist()):
        weights[problem.actions(k)[commitment.reply[k]]] = weights[parent]
    plans = [
        RealizationPlan(payoffs.leader, commitment.weights),
        RealizationPlan(1 - payoffs.leader, weights),
    ]
    return behavioral_profile(form, tuple(sorted(plans, key=lambda plan: plan.player)))


def _answer(
    certificate: ExtensiveStackelbergCertificate, meter: Meter
) -> Solution[BehavioralProfile, ExtensiveStackelbergCertificate]:
    solution = Solution(
        certificate.profile,
        rationals(expected_payoffs(certificate.game, certificate.profile)),
        certificate,
        meter.record(NAME),
    )
    if certificate.epsilon:
        raise NotConverged(
            needs="an optimal commitment",
            found=f"the budget ended after {meter.iterations} linear programs: the best one found "
            f"gets {certificate.leader_payoff}, and none gets more than "
            f"{certificate.upper_bound}",
            remedy="Give a larger budget, or use the commitment in the exception's best.",
            best=solution,
        )
    return solution
