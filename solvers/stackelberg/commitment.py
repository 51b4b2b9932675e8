"""Commitment in normal form: the leader's best mixed strategy when the follower sees it.

By one linear program for each answer of the follower (Conitzer and Sandholm 2006; von Stengel and
Zamir 2010), exactly, and with a proof that no other commitment is better.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import TypeVar

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.certificates.commitment_bounds import Rows
from gametheory_core.certificates.stackelberg import StackelbergCertificate, certify_stackelberg
from gametheory_core.certificates.weak_stackelberg import (
    WeakStackelbergCertificate,
    certify_weak_stackelberg,
    response_classes,
)
from gametheory_core.certificates.wording import rationals, written
from gametheory_core.errors import NotConverged
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import Concept
from solvers.requirements import (
    a_normal_form,
    two_players,
)
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.exact_regions import settle_class, settle_region, strict_commitment
from solvers.stackelberg.leader_problem import (
    Commitment,
    best_pure_commitment,
    leader_problem,
    strategy_of,
)
from solvers.stackelberg.region_search import RegionSearch, search_regions

CertificateT = TypeVar("CertificateT", StackelbergCertificate, WeakStackelbergCertificate)


@solver(
    Answers(Concept.STACKELBERG, rank=10),
    takes=(a_normal_form, two_players),
    unit="linear programs",
    because="two players: one linear program for each response worth inducing",
    page="commitment",
)
def strong_stackelberg(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, StackelbergCertificate]:
    """Find an optimal commitment when the follower breaks ties for the leader, exactly.

    For each answer ``b``, ``max x.L[:, b]`` over the mixed strategies ``x`` to which ``b`` is a
    best response; the best of these programs wins.

    Args:
        game: Two players.
        leader: Who commits: 0 or 1.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        The leader's commitment and the follower's pure response.

    Raises:
        InvalidArgument: If there is no such leader.
        UnsupportedGame: If the game is a tree, or has not two players.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    At most one float program for each follower's action, of the size of the game; as a rule, one
    of them is solved exactly too.

    Source: Conitzer, V. and Sandholm, T. (2006). Computing the optimal strategy to commit to. Proc.
        7th ACM Conference on Electronic Commerce, 82-90.

    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> strong_stackelberg(game).payoffs
    (Fraction(7, 2), Fraction(1, 2))
    """
    meter = open_meter(budget, on_iteration)
    problem = leader_problem(game, leader)
    answers = tuple((b,) for b in range(problem.own.shape[1]))
    start = best_pure_commitment(problem)
    settle = partial(settle_region, problem, meter)
    search = search_regions(problem, answers, start, settle=settle, meter=meter)
    certificate = certify_stackelberg(
        game,
        _profile(game, leader, search.best),
        leader=leader,
        multipliers=_multipliers(search),
    )
    return _answer(certificate, meter)


@solver(
    Answers(Concept.STACKELBERG, rank=20),
    takes=(a_normal_form, two_players),
    unit="linear programs",
    because="two players, ties against the leader: one linear program for each full best-"
    "reply region",
    page="commitment",
)
def weak_stackelberg(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, WeakStackelbergCertificate]:
    """Find the best commitment when the follower breaks ties against the leader, exactly.

    The value is a supremum. Actions that always pay the follower the same form a class ``E``. For
    each class that is somewhere strictly best, ``max min x.L[:, b]`` over ``b`` in ``E`` and the
    mixed strategies ``x`` to which ``E`` is a best response; the best of these programs wins.

    Args:
        game: Two players.
        leader: Who commits: 0 or 1.
        budget: Iterations are linear programs.
        on_iteration: Called after each linear program.

    Returns:
        The limit of the commitments, and the response that they induce. The certificate says
        whether the limit itself earns its value, and towards which interior point to step aside.

    Raises:
        InvalidArgument: If there is no such leader.
        UnsupportedGame: If the game is a tree, or has not two players.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    Source: von Stengel, B. and Zamir, S. (2010). Leadership games with convex strategy sets. Games
        and Economic Behavior 69, 446-457.

    >>> game = NormalFormGame.bimatrix([[2, 0]], [[1, 1]])
    >>> weak_stackelberg(game).payoffs[0], strong_stackelberg(game).payoffs[0]
    (Fraction(0, 1), Fraction(2, 1))
    """
    meter = open_meter(budget, on_iteration)
    problem = leader_problem(game, leader)
    classes = response_classes(game, leader=leader)
    start = strict_commitment(problem, classes)
    settle = partial(settle_class, problem, meter)
    search = search_regions(problem, classes, start, settle=settle, meter=meter)
    interior = search.best.interior
    certificate = certify_weak_stackelberg(
        game,
        _profile(game, leader, search.best),
        leader=leader,
        interior=rationals(search.best.strategy if interior is None else interior),
        weights=_rows(search, lambda k: search.proofs[k].weights),
        multipliers=_multipliers(search),
    )
    return _answer(certificate, meter)


def _profile(game: NormalFormGame, leader: int, commitment: Commitment) -> MixedProfile:
    answers = [int(b == commitment.answer) for b in range(game.num_actions[1 - leader])]
    strategies: tuple[ExactArray, ExactArray] = (commitment.strategy, strategy_of(answers))
    return MixedProfile(strategies if leader == 0 else strategies[::-1])


def _multipliers(search: RegionSearch) -> Rows:
    return _rows(search, lambda k: search.proofs[k].multipliers)


def _rows(search: RegionSearch, entries: Callable[[int], dict[int, Fraction]]) -> Rows:
    columns = range(search.problem.own.shape[1])
    rows = map(entries, range(len(search.classes)))
    return tuple(tuple(row.get(c, ZERO) for c in columns) for row in rows)


def _answer(certificate: CertificateT, meter: Meter) -> Solution[MixedProfile, CertificateT]:
    solution = Solution(
        certificate.profile,
        rationals(expected_payoffs(certificate.game, certificate.profile)),
        certificate,
        meter.record(),
    )
    if certificate.epsilon:
        raise NotConverged(
            needs="an optimal commitment",
            found=f"the budget ended after {meter.iterations} linear programs: the best one found "
            f"gets {written(certificate.leader_payoff)}, and none gets more than "
            f"{written(certificate.upper_bound)}",
            remedy="Give a larger budget, or use the commitment in the exception's best.",
            where=meter.algorithm,
            best=solution,
        )
    return solution
