"""Commitment against a follower of unknown type: strong Stackelberg of Bayesian games, exactly.

By one linear program for each response function worth a look (Conitzer and Sandholm 2006), or by
the mixed-integer program DOBSS (Paruchuri et al. 2008), whose answer is then solved and proved in
rationals.

In DOBSS, binary ``q_tb`` says that type ``t`` answers ``b``; the leader's strategy is split into
``z_tb``, all of it on the answer chosen: ``sum of z_tb = q_tb``. That an answer is best is said, as
in the tight relaxation of ``bayesian_problem``, by ``z_tb.(F_t[:, c] - F_t[:, b]) <= 0``, which
needs no big constant (Casorran et al. 2019). The solver works in floats, so its answer is a
proposal.
"""

from enum import Enum
from math import floor

import numpy as np

from gametheory_core import BayesianGame, MixedProfile
from gametheory_core.certificates import BayesianStackelbergCertificate
from gametheory_core.certificates.bayesian_stackelberg import certify_bayesian_stackelberg
from solvers._programs.linear import LinearProgram
from solvers._programs.mixed_integer import MixedIntegerProgram, solve_mixed_integer
from solvers.concepts import Concept
from solvers.requirements import a_bayesian_game
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.bayesian_problem import (
    OPEN,
    BayesianProblem,
    Relaxation,
    Responses,
    TypedCommitment,
    bayesian_problem,
    best_pure_commitment,
    response_program,
)
from solvers.stackelberg.leader_problem import proved, pure_strategy
from solvers.stackelberg.response_search import (
    ResponseSearch,
    improved,
    search_responses,
    settle_responses,
)
from solvers.workers import processes_for

OBJECTIVE_BITS = 512  # a float holds twice that; a proposal needs no more


def proposed_responses(
    problem: BayesianProblem, best: TypedCommitment, *, meter: Meter
) -> Responses | None:
    """Return an action for each type that promises more than the best commitment known.

    None if the solver finds none in time.
    """
    if meter.is_exhausted:
        return None
    program = _mixed_integer_program(problem, best)
    left = meter.seconds_left
    half = None if left is None else left / 2  # the other half is for the proof
    solution = solve_mixed_integer(program, time_limit=half)
    meter.step()
    if solution.primal is None or solution.primal[problem.num_actions] > 0.5:
        return None  # the outside option: nothing better than what is known
    chosen = solution.primal[program.is_binary]
    ends = np.cumsum(problem.counts)
    return tuple(int(np.argmax(part)) for part in np.split(chosen, ends[:-1]))


def _mixed_integer_program(problem: BayesianProblem, best: TypedCommitment) -> MixedIntegerProgram:
    """Add to the tight relaxation, for each type, binary columns and the rows that tie them.

    The outside option, paid what the best commitment earns, stands beside the answers of a type.
    """
    size = problem.num_actions
    types = range(len(problem.own))
    least = floor(best.value * problem.own_scale)
    inner = response_program(problem, (OPEN,) * len(types), Relaxation.TIGHT, floor=least).program
    pairs = [(t, b) for t in types for b in range(problem.counts[t])]
    width, height = inner.num_columns, inner.num_rows
    rows, columns, values = list(inner.rows), list(inner.columns), list(inner.values)
    for k in range(len(pairs)):  # the parts of a split stand in the order of the pairs
        split = range(size + 1 + k * size, size + 1 + (k + 1) * size)
        rows += [height + k] * (size + 1)
        columns += [*split, width + k]
        values += [1] * size + [-1]
    for t in types:
        chosen = [width + k for k, pair in enumerate(pairs) if pair[0] == t]
        rows += [height + len(pairs) + t] * (1 + len(chosen))
        columns += [size, *chosen]
        values += [1] * (1 + len(chosen))
    total = height + len(pairs) + len(types)
    excess = max(0, max(abs(value).bit_length() for value in inner.objective) - OBJECTIVE_BITS)
    relaxation = LinearProgram(
        objective=np.append(inner.objective >> excess, np.zeros(len(pairs), dtype=object)),
        rows=np.array(rows, dtype=np.int32),
        columns=np.array(columns, dtype=np.int32),
        values=np.array(values, dtype=object),
        bounds=np.append(inner.bounds, np.repeat([0, 1], [len(pairs), len(types)]).astype(object)),
        is_equation=np.concatenate([inner.is_equation, np.ones(total - height, dtype=bool)]),
        is_free=np.zeros(width + len(pairs), dtype=bool),
    )
    return MixedIntegerProgram(relaxation, np.arange(width + len(pairs)) >= width)


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
    jobs: int | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, BayesianStackelbergCertificate]:
    """Find an optimal commitment against a follower of unknown type, exactly.

    Every type answers with a best response and breaks ties for the leader.

    Args:
        method: Both find the same value. DOBSS pays off with many types.
        jobs: Workers that share a long search; -1 for one a processor; changes nothing but the
            time. Default: as ``joblib.parallel_config`` has it.

    Returns:
        The profile has the leader's commitment, then each type's pure response; payoffs likewise.

    Raises:
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    The problem is NP-hard in the number of types: both methods may look at a number of response
    functions that is exponential in it.

    Sources: :cite:`paruchuri2008dobss`, :cite:`conitzer2006commit`, section 4.

    >>> from gametheory_core import load_game
    >>> solution = bayesian_stackelberg(load_game("house_patrol"))
    >>> str(solution.payoffs[0]), solution.certificate.epsilon
    ('-14/37', Fraction(0, 1))
    """
    if jobs is not None:
        processes_for(jobs)
    meter = open_meter(budget, on_iteration)
    problem = bayesian_problem(game)
    start = improved(problem, best_pure_commitment(problem), meter=meter)
    if method is BayesianMethod.MULTIPLE_LINEAR_PROGRAMS:
        search = search_responses(problem, start, Relaxation.LOOSE, meter=meter, jobs=jobs)
    else:
        found = _solve_proposal(problem, start, meter)
        search = search_responses(problem, found, Relaxation.TIGHT, meter=meter, jobs=jobs)
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
        (search.best.strategy, *(pure_strategy(answer, count) for count, answer in responses))
    )
    certificate = certify_bayesian_stackelberg(game, profile, nodes=tuple(search.nodes))
    return proved(certificate, meter)
