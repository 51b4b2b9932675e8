"""One equilibrium of a polymatrix game of any payoffs, by Lemke's path from a prior.

The path of ``polymatrix_tableau`` is followed in Python integers as long as that is quick, then in
floats. Some paths are a hundred times longer than others: a path in floats is left after so many
pivots, and one from a learned prior followed twice as far, and so on. What floats find is solved
again exactly and certified; if all are lost, Python integers go on from where they stood.
"""

from contextlib import suppress
from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.wording import at_most
from gametheory_core.compact import CompactNashCertificate, PolymatrixGame, certify_compact
from gametheory_core.errors import NotConverged
from gametheory_core.memory import require_memory
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers.compact.learned_priors import learned_prior
from solvers.compact.polymatrix_tableau import Tables, point_of, profile_on, start_of, tables_of
from solvers.compact.requirements import a_polymatrix_game
from solvers.concepts import Concept
from solvers.requirements import require_profile
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.lemke_path import ExactPath, FloatEnd, FloatPath, exact_path, float_path, step
from solvers.trees.lemke_tableau import Start

LONGEST_IN_INTEGERS = 400_000  # coefficients updated on one path: some 50 milliseconds
BYTES_PER_ENTRY = 16  # of the float tableau, and of payoffs for learned priors
FIRST_PIVOTS = 1000  # of the first path in floats
FIRST_ROUNDS = 250  # of play before the second
MOST_ATTEMPTS = 10

CompactSolution = Solution[MixedProfile, CompactNashCertificate]


@solver(
    Answers(Concept.NASH, rank=91),
    takes=(a_polymatrix_game,),
    unit="pivots",
    because="payoffs add up over edges: a path of pivots over all players' actions ends at an "
    "equilibrium, proved exactly",
    page="compact-games",
)
def polymatrix_lcp(
    game: PolymatrixGame,
    *,
    prior: MixedProfile | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, CompactNashCertificate]:
    """Find one equilibrium of a polymatrix game, exactly.

    Args:
        game: Any graph, any payoffs.
        prior: What players are believed to play where the path starts. Different priors may lead
            to different equilibria. Default: all actions equally likely.
        on_iteration: Called after each pivot, or batch of pivots.

    Returns:
        The certificate's epsilon is 0.

    Raises:
        InvalidArgument, InvalidStrategy: If the prior is not one, or of another game.
        UnsupportedGame: If the tableau would not fit into memory.
        NotConverged: If the budget ends first; ``best`` is the point reached on the path, and its
            certificate says how far from equilibrium it is.

    The number of pivots can be exponential in the number of actions of all players; a pivot costs
    up to its square. Ties are broken as if payoffs were perturbed by infinitesimals, so that the
    path ends in degenerate games too.

    Source: :cite:`howson1972equilibria`.

    >>> from gametheory_core import load_game
    >>> solution = polymatrix_lcp(load_game("security_ring"))
    >>> str(solution.certificate.epsilon)
    '0'
    """
    require_profile(prior, game, name="prior")
    meter = open_meter(budget, on_iteration)
    size = sum(game.num_actions)
    require_memory(
        BYTES_PER_ENTRY * size * (size + 2), what=f"the tableau of the {size:,} actions of {game!r}"
    )
    belief = uniform_profile(game) if prior is None else prior.to_exact()
    if meter.is_exhausted:
        raise _not_converged(_certified(game, belief, meter), meter)
    walk = _begun(game, tables_of(game), belief, meter)
    meter.step()
    return _followed(walk, may_leave=prior is None)


@dataclass(frozen=True, eq=False)
class _Walk:
    """A path, where it leads from, and how far it may go."""

    game: PolymatrixGame
    tables: Tables
    prior: MixedProfile
    start: Start
    path: ExactPath
    meter: Meter


def _begun(game: PolymatrixGame, tables: Tables, prior: MixedProfile, meter: Meter) -> _Walk:
    start = start_of(tables, prior)
    return _Walk(game, tables, prior, start, exact_path(start), meter)


def _followed(walk: _Walk, *, may_leave: bool) -> CompactSolution:
    """Follow the path in Python integers, and once in floats if it turns out long.

    Args:
        may_leave: Whether paths from other priors will do.
    """
    path, meter, may_switch = walk.path, walk.meter, True
    while not path.is_done and not meter.is_exhausted:
        if may_switch and path.words > LONGEST_IN_INTEGERS:
            may_switch = False
            found = _raced(walk) if may_leave else _by_floats(walk, meter)
            if found is not None:
                return found
        step(path)
        meter.step()
    weights = np.full(path.size, ZERO, dtype=object)
    for v, value in path.values.items():
        if v < path.size:
            weights[v] = value
    point = point_of(walk.tables, walk.prior, weights, path.weight)
    reached = _certified(walk.game, MixedProfile(point), meter)
    if not path.is_done:
        raise _not_converged(reached, meter)
    return reached


def _raced(walk: _Walk) -> CompactSolution | None:
    """Follow paths from priors learned longer and longer, each twice as far; None if lost."""
    meter = walk.meter
    for attempt in range(MOST_ATTEMPTS):
        budget = Budget(meter.seconds_left, meter.at_most(FIRST_PIVOTS << attempt))
        own = Meter(budget, meter.unit)
        found: CompactSolution | None = None
        with suppress(NotConverged):
            found = _by_floats(walk, own)
        meter.step(own.iterations)
        if found is not None:
            return replace(found, run=meter.record())
        if meter.is_exhausted:
            raise _not_converged(_certified(walk.game, walk.prior, meter), meter)
        prior = learned_prior(walk.tables, rounds=FIRST_ROUNDS << attempt)
        walk = _begun(walk.game, walk.tables, prior, meter)
    return None


def _by_floats(walk: _Walk, meter: Meter) -> CompactSolution | None:
    """Follow the rest of the path in floats; None if what comes out is no equilibrium."""
    try:
        reached = float_path(walk.path, walk.start, meter)
    except OverflowError:
        return None
    if reached.end is FloatEnd.BUDGET_ENDED:
        raise _not_converged(_certified(walk.game, _rounded(walk, reached), meter), meter)
    if reached.end is not FloatEnd.DONE:
        return None
    profile = profile_on(walk.tables, reached.basic)
    if profile is None:
        return None
    solution = _certified(walk.game, profile, meter)
    return None if solution.certificate.epsilon else solution


def _rounded(walk: _Walk, reached: FloatPath) -> MixedProfile:
    """Return the point where floats have come, rounded."""
    point = point_of(walk.tables, walk.prior.to_float(), reached.weights, reached.weight)
    return MixedProfile(tuple(map(rational_distribution, point)))


def _certified(game: PolymatrixGame, profile: MixedProfile, meter: Meter) -> CompactSolution:
    certificate = certify_compact(game, profile)
    return Solution(certificate.profile, certificate.payoffs, certificate, meter.record())


def _not_converged(best: CompactSolution, meter: Meter) -> NotConverged:
    return NotConverged(
        needs="the prior's weight to fall to 0",
        found=f"the budget ended after {meter.iterations} pivots with epsilon "
        f"{at_most(best.certificate.epsilon)}",
        remedy="Give a larger budget, another prior, or use the exception's best, the point of the "
        "path where it ended.",
        best=best,
    )
