"""Commitment in normal form: the leader's best mixed or correlated strategy that others see.

A mixed one by one linear program for each answer of the follower (Conitzer and Sandholm 2006; von
Stengel and Zamir 2010), exactly, and with a proof that no other commitment is better.

A correlated one by one linear program: with the leader's payoffs ``L``, maximise ``sum x(s) L(s)``
over the distributions ``x`` of joint actions ``s`` that every follower is willing to obey; the
leader's own incentives do not count (Conitzer and Korzhyk 2011).
"""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from functools import partial

import numpy as np

from gametheory_core import (
    CorrelatedDistribution,
    MixedProfile,
    NormalFormGame,
    NotConverged,
    best_response,
)
from gametheory_core.arrays import ZERO
from gametheory_core.certificates import WeakStackelbergCertificate, certify_stackelberg
from gametheory_core.certificates.correlated_commitment import (
    CorrelatedCommitmentCertificate,
    certify_correlated_commitment,
)
from gametheory_core.certificates.incentives import CorrelatedKind, IncentivePrice
from gametheory_core.certificates.stackelberg import Rows, StackelbergCertificate
from gametheory_core.certificates.weak_stackelberg import (
    Obstacles,
    certify_weak_stackelberg,
    response_classes,
)
from gametheory_core.certificates.wording import rationals
from gametheory_core.games.competition import exchange_of, is_strictly_competitive
from gametheory_core.strategies import correlated_distribution
from solvers.concepts import Concept
from solvers.correlated.certified_program import exact_optimum
from solvers.correlated.incentive_program import incentive_prices, incentive_rows, twofold_program
from solvers.requirements import a_normal_form, two_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.attainment import attain
from solvers.stackelberg.best_reply_regions import (
    RegionSearch,
    search_regions,
    settle_class,
    settle_region,
    strict_commitment,
)
from solvers.stackelberg.leader_problem import (
    Commitment,
    best_pure_commitment,
    leader_problem,
    proved,
    pure_strategy,
)
from solvers.zero_sum.competition import (
    opposing_prices,
    product_distribution,
    twin_minimax_of_matrix,
)


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

    Returns:
        The leader's commitment and the follower's pure response.

    Raises:
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    At most one float program for each follower's action, of the size of the game; as a rule, one
    of them is solved exactly too. In strictly competitive games one program finds minimax
    strategies, of which the leader's is an optimal commitment.

    Source: :cite:`conitzer2006commit`.

    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> strong_stackelberg(game).payoffs
    (Fraction(7, 2), Fraction(1, 2))
    """
    meter = open_meter(budget, on_iteration)
    if is_strictly_competitive(game):
        return proved(_competitive_certificate(game, leader, meter), meter)
    problem = leader_problem(game, leader)
    answers = tuple((b,) for b in range(problem.own.shape[1]))
    start = best_pure_commitment(problem)
    settle = partial(settle_region, problem, meter)
    search = search_regions(problem, answers, start, settle=settle, meter=meter)
    certificate = certify_stackelberg(
        game, _profile(game, leader, search.best), leader=leader, multipliers=_multipliers(search)
    )
    return proved(certificate, meter)


def _competitive_certificate(
    game: NormalFormGame, leader: int, meter: Meter
) -> StackelbergCertificate:
    """Commit to a minimax strategy; multipliers in proportion to the follower's bound all others.

    Then each bound is what the follower's strategy concedes (see ``zero_sum.competition``).
    """
    limit = 0 if meter.is_exhausted else None
    profile = twin_minimax_of_matrix(game, budget=Budget(meter.seconds_left, limit)).profile
    meter.step(int(limit is None))
    follower = 1 - leader
    answer = best_response(game, profile, player=follower).actions[0]
    weight = _loss_to_leader(game, leader)
    row = tuple(weight * share for share in profile.strategies[follower].tolist())
    strategies = list(profile.strategies)
    strategies[follower] = pure_strategy(answer, game.num_actions[follower])
    return certify_stackelberg(
        game,
        MixedProfile(tuple(strategies)),
        leader=leader,
        multipliers=(row,) * game.num_actions[follower],
    )


def _loss_to_leader(game: NormalFormGame, leader: int) -> Fraction:
    """Return what the leader loses for each unit that the follower gains."""
    rate = exchange_of(game).rate
    return rate if leader == 1 else 1 / rate


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

    Returns:
        A commitment that earns the value whatever best response is picked, if there is one. Else
        the limit of commitments that come close, with a proof that none attains the value. The
        certificate says which, and towards which interior point to step aside. (If the budget ends
        before that is decided, the certificate says neither.)

    Raises:
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, and its certificate bounds what is missing.

    Source: :cite:`stengel2010leadership`.

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
    certificate = _weak_certificate(game, leader, search, ())
    if not (certificate.epsilon or certificate.is_attained):
        with suppress(BudgetOver):
            certificate = _weak_certificate(game, leader, search, attain(search))
    return proved(certificate, meter)


def _weak_certificate(
    game: NormalFormGame, leader: int, search: RegionSearch, obstacles: Obstacles
) -> WeakStackelbergCertificate:
    interior = search.best.interior
    return certify_weak_stackelberg(
        game,
        _profile(game, leader, search.best),
        leader=leader,
        interior=rationals(search.best.strategy if interior is None else interior),
        weights=_rows(search, lambda k: search.proofs[k].weights),
        multipliers=_multipliers(search),
        obstacles=obstacles,
    )


def _profile(game: NormalFormGame, leader: int, commitment: Commitment) -> MixedProfile:
    response = pure_strategy(commitment.answer, game.num_actions[1 - leader])
    strategies = (commitment.strategy, response)
    return MixedProfile(strategies if leader == 0 else strategies[::-1])


def _multipliers(search: RegionSearch) -> Rows:
    return _rows(search, lambda k: search.proofs[k].multipliers)


def _rows(search: RegionSearch, entries: Callable[[int], dict[int, Fraction]]) -> Rows:
    columns = range(search.problem.own.shape[1])
    rows = map(entries, range(len(search.classes)))
    return tuple(tuple(row.get(c, ZERO) for c in columns) for row in rows)


@solver(
    Answers(Concept.CORRELATED_COMMITMENT, rank=10),
    takes=(a_normal_form,),
    unit="pivots",
    because="one linear program over joint actions that the others gain nothing by leaving",
    page="commitment",
)
def correlated_commitment(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[CorrelatedDistribution, CorrelatedCommitmentCertificate]:
    """Find the leader's best lottery over joint actions that all followers obey, exactly.

    Args:
        game: Any number of players.
        leader: Who commits, from 0.
        budget: Iterations are simplex pivots, and rounds of exact refinement.
        on_iteration: Called after the float solve, and before each round.

    Returns:
        Prices on the followers' incentives prove that no lottery earns more.

    Raises:
        UnsupportedGame: If the program would have more than 30,000,000 coefficients, joint actions
            times actions of the followers.
        NotConverged: If the budget ends first; there is no ``best`` then.

    One program with a variable for each joint action, so polynomial in the size of the game. With
    one follower it earns what ``strong_stackelberg`` does; with more it may earn more.

    Source: :cite:`conitzer2011correlated`.

    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> correlated_commitment(game).payoffs
    (Fraction(7, 2), Fraction(1, 2))
    """
    meter = open_meter(budget, on_iteration)
    solve = _solve_competitive if is_strictly_competitive(game) else _solve
    try:
        distribution, prices = solve(game, leader, meter)
    except BudgetOver:
        raise NotConverged(
            needs="an optimal commitment",
            found=f"the budget ended after {meter.iterations} pivots, before one was found",
        ) from None
    certificate = certify_correlated_commitment(game, distribution, leader=leader, prices=prices)
    return Solution(distribution, certificate.payoffs, certificate, meter.record())


def _solve_competitive(
    game: NormalFormGame, leader: int, meter: Meter
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]]:
    """Play minimax strategies; prices in proportion to the follower's bound all lotteries."""
    found = twin_minimax_of_matrix(game, budget=meter.left, on_iteration=meter.on_iteration)
    meter.iterations += found.run.iterations
    if found.certificate.epsilon:
        raise BudgetOver
    prices = opposing_prices(
        game,
        found.profile,
        player=1 - leader,
        weight=_loss_to_leader(game, leader),
        kind=CorrelatedKind.CORRELATED,
    )
    return product_distribution(found.profile), prices


def _solve(
    game: NormalFormGame, leader: int, meter: Meter
) -> tuple[CorrelatedDistribution, tuple[IncentivePrice, ...]]:
    """Solve the program of obedient followers exactly; without any, a best action will do."""
    values = game.scaled_payoffs[leader]
    if game.num_players == 1:
        meter.step()
        surely = np.zeros(game.num_actions, dtype=int)
        surely[np.argmax(values.numerators)] = 1
        return correlated_distribution(surely), ()
    rows = incentive_rows(game, CorrelatedKind.CORRELATED, leader=leader)
    optimum = exact_optimum(twofold_program(rows, values), meter)
    distribution = correlated_distribution(optimum.primal.reshape(game.num_actions))
    return distribution, incentive_prices(rows, optimum.dual.tolist(), values.denominator)
