"""Commitment against a follower of unknown type: strong Stackelberg of Bayesian games, exactly.

By one linear program for each response function worth a look (Conitzer and Sandholm 2006), or by
the mixed-integer program DOBSS (Paruchuri et al. 2008), whose answer is then solved and proved in
rationals.
"""

from enum import Enum

from gametheory_core.certificates.bayesian_stackelberg import (
    BayesianStackelbergCertificate,
    certify_bayesian_stackelberg,
)
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import bayesian_payoffs
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import Concept
from solvers.requirements import a_bayesian_game
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.bayesian_problem import (
    BayesianProblem,
    Relaxation,
    TypedCommitment,
    bayesian_problem,
    best_pure_commitment,
)
from solvers.stackelberg.dobss import proposed_responses
from solvers.stackelberg.leader_problem import strategy_of
from solvers.stackelberg.response_search import (
    ResponseSearch,
    improved,
    search_responses,
    settle_responses,
)

NAME = "bayesian_stackelberg"


class BayesianMethod(Enum):
    """How the response function is searched for; the value says it in words."""

    MULTIPLE_LINEAR_PROGRAMS = "a small linear program for each response function worth a look"
    DOBSS = "a mixed-integer program finds it, tight linear programs prove it"


@solver(
    Answers(Concept.STACKELBERG, rank=10),
    takes=(a_bayesian_game,),
    unit="linear programs",
    because="a follower of unknown type: a mixed-integer program, then exact linear programs",
    page="commitment",
)
def bayesian_stackelberg(
    game: BayesianGame,
    *,
    method: BayesianMethod = BayesianMethod.DOBSS,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, BayesianStackelbergCertificate]:
    """Find an optimal commitment against a follower of unknown type, exactly.

    Every type answers with a best response and breaks ties for the leader.

    Args:
        method: Both find the same value. DOBSS pays off with many types.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        The profile has the leader's commitment, then each type's pure response; payoffs likewise.

    Raises:
        InvalidArgument: If this is no Bayesian game, or no method.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    The problem is NP-hard in the number of types: both methods may look at a number of response
    functions that is exponential in it.

    Sources:
        :cite:`paruchuri2008dobss`.
        :cite:`conitzer2006commit`, section 4.

    >>> from gametheory_core import load_game
    >>> solution = bayesian_stackelberg(load_game("house_patrol"))
    >>> str(solution.payoffs[0]), solution.certificate.epsilon
    ('-14/37', Fraction(0, 1))
    """
    meter = open_meter(budget, on_iteration)
    problem = bayesian_problem(game)
    start = improved(problem, best_pure_commitment(problem), meter=meter)
    if method is BayesianMethod.MULTIPLE_LINEAR_PROGRAMS:
        search = search_responses(problem, start, Relaxation.LOOSE, meter=meter)
    else:
        found = _solve_proposal(problem, start, meter)
        search = search_responses(problem, found, Relaxation.TIGHT, meter=meter)
    return _answer(game, search, meter)


def _solve_proposal(
    problem: BayesianProblem, start: TypedCommitment, meter: Meter
) -> TypedCommitment:
    """Optimize exactly for the responses that the mixed-integer program proposes."""
    proposal = proposed_responses(problem, start, meter=meter)
    if proposal is None or meter.is_exhausted:
        return start
    try:
        return settle_responses(problem, proposal, start, meter=meter)[0]
    except BudgetOver:
        return start


def _answer(
    game: BayesianGame, search: ResponseSearch, meter: Meter
) -> Solution[MixedProfile, BayesianStackelbergCertificate]:
    responses = zip(search.problem.counts, search.best.responses, strict=True)
    profile = MixedProfile(
        (
            search.best.strategy,
            *(strategy_of([int(b == answer) for b in range(n)]) for n, answer in responses),
        )
    )
    certificate = certify_bayesian_stackelberg(game, profile, nodes=tuple(search.nodes))
    payoffs = bayesian_payoffs(game, profile)
    solution = Solution(profile, payoffs, certificate, meter.record(NAME))
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
