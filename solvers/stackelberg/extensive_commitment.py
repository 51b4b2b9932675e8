"""Commitment in trees: the leader's best behavioral strategy, or correlated one, that others see.

A behavioral one by branch and bound over the follower's actions, with the linear program of
correlated commitment as the bound (Bosansky and Cermak 2015; Cermak et al. 2016), exactly, and with
a proof that no other commitment is better.

In correlated commitment the leader also tells the follower what to do, step by step. One linear
program over pairs of sequences (Cermak et al. 2016); its solution, a correlation plan, is peeled
into a lottery over pure profiles. Without chance moves every plan is such a lottery.

In strictly competitive trees minimax strategies are optimal commitments of both kinds, and their
own proof.
"""

from typing import TypeAlias

import numpy as np

from gametheory_core import ExtensiveFormGame, NotConverged, UnsupportedGame, uniform_behavior
from gametheory_core.arrays import ONE, ZERO, ExactArray, freeze
from gametheory_core.certificates import (
    BoundProof,
    ExtensiveCorrelatedCommitmentCertificate,
    ExtensiveStackelbergCertificate,
    certify_extensive_correlated_commitment,
    certify_extensive_stackelberg,
)
from gametheory_core.certificates.extensive_stackelberg_bounds import ReplyCase
from gametheory_core.games.competition import is_strictly_competitive
from gametheory_core.strategies import BehavioralProfile, RealizationPlan, sequence_pairs
from gametheory_core.strategies.correlated import BehavioralMixture, behavioral_mixture
from gametheory_core.strategies.sequences import behavioral_profile, realization_plan, sequence_form
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import solve_float
from solvers.concepts import Concept
from solvers.correlated.extensive_form_lottery import lottery_of_plan
from solvers.requirements import a_tree, perfect_recall, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.extensive_problem import (
    CaseProgram,
    CommitmentProblem,
    case_program,
    commitment_problem,
    num_deviations,
    num_pairs,
)
from solvers.stackelberg.extensive_replies import (
    TreeCommitment,
    exact_multipliers,
    favorite_reply,
    floor_of,
    improved,
)
from solvers.stackelberg.extensive_search import cases_of, search_cases
from solvers.stackelberg.leader_problem import proved
from solvers.trees.competition import minimax_commitment

CorrelatedSolution: TypeAlias = Solution[
    BehavioralMixture, ExtensiveCorrelatedCommitmentCertificate
]

MOST_NUMBERS = 200_000  # columns and rows of the first program


@solver(
    Answers(Concept.STACKELBERG, rank=50),
    takes=(a_tree, two_players, perfect_recall),
    unit="linear programs",
    because="a tree of two players: branch and bound over what the follower answers, proved "
    "optimal; minimax strategies where interests are opposed",
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

    Returns:
        The commitment and the follower's pure response; uniform where the leader's own strategy
        never comes. In a strictly competitive tree (constant-sum, up to the units of payoffs) they
        are minimax strategies, optimal however ties break, whatever the size of the tree.

    Raises:
        UnsupportedGame: If the first program would have more than 200,000 rows and columns.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    NP-hard, with chance even where nothing is hidden (Letchford and Conitzer 2010). The first
    program has a column for each pair of sequences that end on one path; how many programs follow
    depends on how mixed its recommendations to the follower are, none if they are pure.

    Sources: :cite:`bosansky2015sequence`, :cite:`cermak2016correlated`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> answer = Decision(0, "entered", {"fight": Terminal([0, -1]), "share": Terminal([2, 1])})
    >>> entry = Decision(1, "start", {"out": Terminal([4, 0]), "in": answer})
    >>> game = from_sketch(entry, players=("Incumbent", "Entrant"))
    >>> solution = extensive_stackelberg(game)
    >>> solution.payoffs, solution.certificate.epsilon
    ((Fraction(4, 1), Fraction(0, 1)), Fraction(0, 1))
    """
    meter = open_meter(budget, on_iteration)
    if is_strictly_competitive(game):
        profile = minimax_commitment(game, leader=leader, meter=meter)
        return proved(certify_extensive_stackelberg(game, profile, leader=leader, cases=()), meter)
    problem = checked_problem(game, leader)
    start = improved(problem, uniform_commitment(problem), meter=meter)
    search = search_cases(problem, start, meter=meter)
    profile = profile_of(problem, search.best)
    certificate = certify_extensive_stackelberg(
        game, profile, leader=leader, cases=cases_of(search)
    )
    return proved(certificate, meter)


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
    weights = np.full(payoffs.other.num_sequences, ZERO, dtype=object)
    weights[0] = ONE
    for k, parent in enumerate(payoffs.other.parent_sequence.tolist()):
        weights[problem.actions(k)[commitment.reply[k]]] = weights[parent]
    plans = [
        RealizationPlan(payoffs.leader, commitment.weights),
        RealizationPlan(1 - payoffs.leader, weights),
    ]
    return behavioral_profile(form, tuple(sorted(plans, key=lambda plan: plan.player)))


@solver(
    Answers(Concept.CORRELATED_COMMITMENT, rank=20),
    takes=(a_tree, two_players, perfect_recall),
    unit="linear programs",
    because="a tree of two players: one linear program over pairs of sequences the follower obeys, "
    "or over sequences alone where interests are opposed",
    page="commitment-trees",
)
def extensive_correlated_commitment(
    game: ExtensiveFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> CorrelatedSolution:
    """Find the leader's best lottery over profiles that the follower of a tree obeys, exactly.

    The leader draws a profile, plays its own part, and recommends to the follower the action drawn
    for each information set when play comes there.

    Args:
        game: Two players, general-sum, perfect recall. With chance moves the program is a
            relaxation that may promise more than any lottery earns.
        leader: Who commits: 0 or 1.
        budget: Iterations are linear programs, and profiles drawn. The certificate is not limited
            in time: seconds with thousands of actions.

    Returns:
        Pure profiles; prices on the follower's deviations prove that no lottery earns more. In a
        strictly competitive tree minimax strategies: recommendations are worth nothing.

    Raises:
        UnsupportedGame: If the program would have more than 200,000 rows and columns.
        NotConverged: If the budget ends first, or chance keeps the solution of the program from
            being a lottery; ``best`` then holds a good commitment without recommendations, and its
            certificate bounds what is missing.

    Polynomial without chance moves. Never earns less than ``extensive_stackelberg``.

    Source: :cite:`cermak2016correlated`.

    >>> from gametheory_core import Decision, Terminal
    >>> from gametheory_core import from_sketch
    >>> answer = Decision(0, "entered", {"fight": Terminal([0, -1]), "share": Terminal([2, 1])})
    >>> entry = Decision(1, "start", {"out": Terminal([4, 0]), "in": answer})
    >>> game = from_sketch(entry, players=("Incumbent", "Entrant"))
    >>> extensive_correlated_commitment(game).payoffs
    (Fraction(4, 1), Fraction(0, 1))
    """
    meter = open_meter(budget, on_iteration)
    ending = "the budget ended"
    if is_strictly_competitive(game):
        profile = minimax_commitment(game, leader=leader, meter=meter)
        return _optimal(_competitive_solution(game, leader, profile, meter), ending)
    problem = checked_problem(game, leader)
    best = improved(problem, uniform_commitment(problem), meter=meter)
    leaf = ReplyCase(-1)
    if not meter.is_exhausted:
        try:
            leaf, mixture = _optimum(problem, best, meter)
        except BudgetOver:
            pass
        else:
            if mixture is not None:
                return _solution(game, leader, mixture, leaf, meter)
            ending = "with chance moves the program's solution is not known to be one"
    plain = behavioral_mixture([profile_of(problem, best)])
    return _optimal(_solution(game, leader, plain, leaf, meter), ending)


def _optimal(found: CorrelatedSolution, ending: str) -> CorrelatedSolution:
    if not found.certificate.epsilon:
        return found
    raise NotConverged(
        needs="an optimal lottery",
        found=f"{ending}: the best commitment found gets {found.certificate.leader_payoff}, and no "
        f"lottery gets more than {found.certificate.upper_bound}",
        remedy="Use the exception's best.",
        best=found,
    )


def _optimum(
    problem: CommitmentProblem, best: TreeCommitment, meter: Meter
) -> tuple[ReplyCase, BehavioralMixture | None]:
    """Solve the program exactly, and write its solution as a lottery if that can be done."""
    written = case_program(problem, {}, floor=floor_of(problem, best) - 1)
    estimate = solve_float(written.for_floats, time_limit=meter.seconds_left)
    meter.step()
    optimum = solve_exactly(written.program, estimate.basis, tick=meter.require_time)
    leaf = exact_multipliers(problem, written, optimum.dual)
    return leaf, _lottery(problem, written, optimum.primal, meter)


def _lottery(
    problem: CommitmentProblem, written: CaseProgram, primal: ExactArray, meter: Meter
) -> BehavioralMixture | None:
    pairs = sequence_pairs(problem.payoffs.game)
    ends = [pairs.first.tolist(), pairs.second.tolist()]
    own, other = ends[problem.payoffs.leader], ends[1 - problem.payoffs.leader]
    columns = [written.columns[written.classes[t], s] for s, t in zip(own, other, strict=True)]
    try:
        return lottery_of_plan(pairs, freeze(primal[columns]), tick=meter.tick)
    except UnsupportedGame:
        return None


def _competitive_solution(
    game: ExtensiveFormGame, leader: int, profile: BehavioralProfile, meter: Meter
) -> CorrelatedSolution:
    mixture = behavioral_mixture([profile])
    certificate = certify_extensive_correlated_commitment(
        game, mixture, leader=leader, deviations=(), transfers=(), proof=BoundProof.COMPETITION
    )
    return Solution(mixture, certificate.payoffs, certificate, meter.record())


def _solution(
    game: ExtensiveFormGame, leader: int, mixture: BehavioralMixture, leaf: ReplyCase, meter: Meter
) -> CorrelatedSolution:
    certificate = certify_extensive_correlated_commitment(
        game, mixture, leader=leader, deviations=leaf.deviations, transfers=leaf.transfers
    )
    return Solution(mixture, certificate.payoffs, certificate, meter.record())
