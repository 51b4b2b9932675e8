"""The logit homotopy: from the centroid along quantal responses to one equilibrium.

In a logit quantal response equilibrium of rationality ``t`` everybody plays each action with a
probability proportional to ``exp(t * what it earns)``. The branch of such profiles that starts at
``t = 0`` with everybody mixing evenly leads, in almost every game, to one Nash equilibrium as ``t``
grows.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import log
from typing import cast

import numpy as np

from gametheory_core.arrays import ONE, FloatArray, freeze
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._kernels.logit_path import REACHED, SETTLED, Branch
from solvers.concepts import Concept
from solvers.many_players.logit_branch import (
    Engine,
    Piece,
    PlayableGame,
    by_player,
    centroid,
    extended,
    over_span,
    playable,
)
from solvers.many_players.nearest_on_supports import exact_near
from solvers.many_players.support_newton import (
    Supports,
    accepted_gain,
    certified_finish,
    simple_fractions,
    support_equations,
)
from solvers.reduced_normal_form import reduced_normal_form
from solvers.requirements import a_normal_form
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

SETTLE_FROM = 20.0  # rationality, in units of one over the payoff span
PATIENCE = 4.0  # how many times further before the next attempt to finish
CLOSE = 0.3  # of a probability: what extrapolation to the limit may be wrong by
REGULAR = 1e10  # condition number of the equations on the support, at most
LOOKS_SIMPLE, LARGEST_SIMPLE = 1e-6, 24  # where the limit is degenerate and comes slowly
LARGEST_RATIONALITY = 1e15  # beyond, rounding drowns the equations
FAR = 1e6  # where the branch may end in rounding and its last point be as good as the limit
THRESHOLDS = (0.0, 1e-9, 1e-7, 1e-5, 1e-3, 1e-2)  # below, a probability may stand for 0


@dataclass(frozen=True, eq=False)
class LogitBranch:
    """Quantal response equilibria from the centroid on, and where they lead.

    Attributes:
        rationalities (points,): In units of one over payoffs; from 0, not always increasing, as the
            branch may turn. Infinite where payoffs are so small that no float is large enough.
        probabilities (points, actions): Of each player; accurate to about seven digits.
        solution: The equilibrium that the branch leads to.
    """

    game: NormalFormGame
    rationalities: FloatArray
    probabilities: tuple[FloatArray, ...]
    solution: Solution[MixedProfile, NashCertificate]

    def profile(self, point: int) -> MixedProfile:
        """Return the float profile at a point of the branch, renormalized."""
        return MixedProfile(tuple(own[point] / own[point].sum() for own in self.probabilities))


@solver(
    Answers(Concept.NASH, rank=70),
    takes=(a_normal_form,),
    through=(reduced_normal_form,),
    unit="points",
    because="any number of players: the limit of logit equilibria, certified to a rational epsilon",
    page="many-players",
)
def logit_homotopy(
    game: NormalFormGame,
    *,
    tolerance: float | Fraction | None = None,
    engine: Engine = Engine.BY_LENGTH,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> LogitBranch:
    """Follow the principal branch of logit quantal responses to its limit, a Nash equilibrium.

    Args:
        game: Any number of players.
        tolerance: Largest gain accepted at the limit, in payoff units. Default 1e-12 times the
            payoff span.
        engine: What follows the branch; changes the time alone.
        budget: Iterations are points of the branch.
        on_iteration: Called after every few dozen points.

    Returns:
        ``solution.certificate.epsilon`` is at most the tolerance. It is 0 where at most two players
        mix at the limit, or the probabilities are simple fractions, unless no exact equilibrium has
        the supports that floats found: this takes payoffs that differ by less than the tolerance.

    Raises:
        NotConverged: If the budget ends, or floats fail, first; ``best`` is the branch so far, with
            the best profile found near its end as ``solution``.

    Predictor and corrector steps in the logarithms of probabilities and the rationality (Turocy
    2005), by arclength. Once every action is clearly played or clearly not, the limit is
    extrapolated and solved for on its support; it is accepted if both agree, here and again at four
    times the rationality. That the profile is an equilibrium is certified. That it is the limit of
    the *principal* branch is a result of following it in floats, in steps controlled by curvature,
    and is not certified: in degenerate games rounding may decide where the branch goes, and whether
    it gets there. Operations come in a fixed order, so that it decides alike whenever the same game
    is solved. A step costs a few evaluations of the payoff tensor for each pair of
    players, and linear systems of the size of all actions.

    Sources:
        R. D. McKelvey and T. R. Palfrey (1995), "Quantal response equilibria for normal form
            games", Games and Economic Behavior 10, 6-38.
        T. L. Turocy (2005), "A dynamic homotopy interpretation of the logistic quantal response
            equilibrium correspondence", Games and Economic Behavior 51, 243-263.

    >>> hunt = NormalFormGame.symmetric([[4, 0], [3, 3]])
    >>> branch = logit_homotopy(hunt)
    >>> branch.solution.payoffs  # the less risky equilibrium
    (Fraction(3, 1), Fraction(3, 1))
    """
    prepared = playable(game)
    accepted = accepted_gain(tolerance, prepared.span)
    meter = open_meter(budget, on_iteration)
    farthest = _farthest(game, accepted / prepared.span)
    piece = Piece(centroid(prepared.layout), SETTLED)
    settle_from = min(SETTLE_FROM, farthest)
    candidate: NashCertificate | None = None
    while True:
        piece = extended(
            prepared.layout,
            piece.branch,
            target=farthest,
            settle_from=settle_from,
            engine=engine,
            meter=meter,
        )
        if piece.status != SETTLED:
            break
        ahead = _extrapolated(piece)
        if candidate is not None and _agree(candidate, ahead):  # twice, far apart
            return _answer(game, prepared, piece.branch, candidate, meter)
        candidate = _limit_near(game, prepared, ahead, accepted)
        settle_from = PATIENCE * float(piece.last[-1])
    found = _nearest_equilibrium(game, prepared, piece, accepted)
    answer = _answer(game, prepared, piece.branch, found, meter)
    if answer.solution.certificate.epsilon <= accepted and (
        piece.status == REACHED or piece.last[-1] >= FAR
    ):
        return answer
    raise NotConverged(
        needs=f"the end of the branch, and an epsilon of at most {at_most(accepted)} there",
        found=f"{'the budget ended' if meter.is_exhausted else 'floats failed'} at rationality "
        f"{answer.rationalities[-1]:.3g}; near there, epsilon is "
        f"{at_most(answer.solution.certificate.epsilon)}",
        remedy="Give a larger budget or tolerance, or use the exception's best.",
        best=answer,
    )


def _farthest(game: NormalFormGame, relative_gain: Fraction) -> float:
    """Return a rationality at which the quantal response itself gains less than accepted.

    Nobody gains more than ``log(number of actions) / rationality``.
    """
    most = log(max(2, *game.num_actions))
    share = min(relative_gain, ONE)  # nobody gains more than all
    return min(LARGEST_RATIONALITY, 2 * most / max(float(share), 1 / LARGEST_RATIONALITY))


def _extrapolated(piece: Piece) -> FloatArray:
    """Return about the limit: on its support, the branch is ``x + c / t``, up to ``1 / t**2``."""
    tangent = piece.branch.tangent
    growth = float(piece.last[-1]) * tangent[:-1] / tangent[-1]  # du / dlog(t)
    return np.where(growth < -1, 0.0, np.exp(piece.last[:-1]) * (1 + growth))


def _limit_near(
    game: NormalFormGame, prepared: PlayableGame, ahead: FloatArray, accepted: Fraction
) -> NashCertificate | None:
    """Finish on the support of an extrapolated limit; None if the result is not close to it."""
    supports = _supports(prepared, ahead)
    if not all(supports):
        return None
    derivatives = support_equations(prepared.layout, ahead, supports)[1]
    if not np.linalg.cond(derivatives) < REGULAR:  # many solutions: only the branch can choose
        return None
    found = certified_finish(game, prepared, ahead, supports, tolerance=accepted)
    close = found is not None and found.epsilon <= accepted and _agree(found, ahead)
    return found if close else None


def _agree(certificate: NashCertificate, ahead: FloatArray) -> bool:
    """Tell whether an extrapolated limit has the profile's support and about its probabilities."""
    profile = cast("MixedProfile", certificate.profile).to_float()
    found = np.concatenate(profile.strategies)
    return bool(np.all(np.abs(found - ahead) <= CLOSE * found))


def _supports(prepared: PlayableGame, probabilities: FloatArray) -> Supports:
    return tuple(
        tuple(np.flatnonzero(own > 0).tolist()) for own in by_player(prepared.layout, probabilities)
    )


def _nearest_equilibrium(
    game: NormalFormGame, prepared: PlayableGame, piece: Piece, accepted: Fraction
) -> NashCertificate:
    """Make the best of the last point, where the support is not clear."""
    now = np.exp(piece.last[:-1])
    simple = simple_fractions(
        by_player(prepared.layout, now), within=LOOKS_SIMPLE, largest=LARGEST_SIMPLE
    )
    best = None if simple is None else certify_nash(game, simple)
    for threshold in THRESHOLDS:
        kept = np.where(now > threshold, now, 0.0)
        supports = _supports(prepared, kept)
        if not all(supports):
            break
        rounded = MixedProfile(tuple(map(rational_distribution, by_player(prepared.layout, kept))))
        for found in (
            certify_nash(game, rounded),
            certified_finish(game, prepared, kept, supports, tolerance=accepted),
        ):
            if found is not None and (best is None or found.epsilon < best.epsilon):
                best = found
        if best is not None and best.epsilon <= accepted:
            break
    return cast("NashCertificate", best)


def _answer(
    game: NormalFormGame,
    prepared: PlayableGame,
    branch: Branch,
    found: NashCertificate,
    meter: Meter,
) -> LogitBranch:
    found = exact_near(game, found)
    points = branch.points[: branch.counts[0]]
    profile = cast("MixedProfile", found.profile)
    return LogitBranch(
        game=game,
        rationalities=freeze(over_span(points[:, -1], prepared.span)),
        probabilities=tuple(
            freeze(np.ascontiguousarray(own))
            for own in by_player(prepared.layout, np.exp(points[:, :-1]))
        ),
        solution=Solution(profile, found.payoffs, found, meter.record()),
    )
