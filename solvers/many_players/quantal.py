"""The logit quantal response equilibrium of a given rationality, on the principal branch."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, FloatArray, freeze, object_array
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.quantal_response import (
    QuantalResponseCertificate,
    certify_quantal_response,
)
from gametheory_core.errors import NotConverged, NumericalFailure
from gametheory_core.evaluation.payoffs import scaled_action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers._kernels.logit_path import REACHED, LogitGame, linearize
from solvers.concepts import Concept
from solvers.many_players.logit_branch import (
    Engine,
    PlayableGame,
    by_player,
    centroid,
    extended,
    over_span,
    playable,
)
from solvers.requirements import a_normal_form, require_number
from solvers.solution import UNLIMITED, Budget, OnIteration, RunRecord, Solution
from solvers.solver import Answers, open_meter, solver

MOST_CORRECTIONS = 30
CONVERGED = 1e-12  # change of logarithms of probabilities, relative
LARGEST = 1.0  # logarithm of a probability, in floats that mean anything
LARGEST_EXPONENT = 700.0  # exponentials of larger ones are no floats
LN_2 = float(np.log(2.0))
LEAST_EXPONENT = 20_000  # probabilities are rounded up to 2**-20,000
FARTHEST = 1e60  # rationality times the payoff span: beyond, products of steps underflow


@dataclass(frozen=True, eq=False)
class QuantalResponse:
    """A profile in which everybody plays ``a`` in proportion to ``exp(rationality * payoff of a)``.

    Attributes:
        rationality: In units of one over payoffs.
        profile: Floats.
        residual: How far ``log p(a) - log p(b)`` is from
            ``rationality * (payoff of a - payoff of b)``, at most, for two actions of one player;
            measured in floats.
        certificate: Bounds the residual of a rational profile very near to ``profile``.
        nash: The exact gains of that rational profile: how far it is from Nash.
        run: How it was got.
    """

    game: NormalFormGame
    rationality: float
    profile: MixedProfile
    residual: float
    certificate: QuantalResponseCertificate
    nash: NashCertificate
    run: RunRecord

    @property
    def solution(self) -> Solution[MixedProfile, QuantalResponseCertificate]:
        """The rational profile, with a bound on its residual."""
        proved = self.certificate
        return Solution(proved.profile, proved.payoffs, proved, self.run)


@solver(
    Answers(Concept.QUANTAL_RESPONSE, rank=10, default={"rationality": 1.0}),
    takes=(a_normal_form,),
    unit="points",
    because="the logit branch up to a rationality, in floats; what is left of the equations is "
    "bounded exactly",
    page="many-players",
)
def quantal_response(
    game: NormalFormGame,
    *,
    rationality: float,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> QuantalResponse:
    """Find the logit quantal response equilibrium where the principal branch first gets to.

    Args:
        game: Any number of players.
        rationality: At least 0, in units of one over payoffs: 0 is even mixing, infinity best
            responses.
        budget: Iterations are points of the branch.
        on_iteration: Called after every few dozen points.

    Returns:
        With exact bounds on its residual, and on what anybody could gain.

    Raises:
        InvalidArgument: If the rationality is negative or not finite.
        NumericalFailure: If the rationality is beyond what floats can follow, unless even mixing
            makes everybody indifferent.
        NotConverged: If the budget ends first; ``best`` is None.

    Where the branch turns back there are several equilibria of one rationality; this is the first
    along the branch. Rationality depends on the unit of payoffs: doubling all payoffs halves it.

    Source: R. D. McKelvey and T. R. Palfrey (1995), "Quantal response equilibria for normal form
        games", Games and Economic Behavior 10, 6-38.

    >>> pennies = NormalFormGame.bimatrix([[9, 0], [0, 1]], [[0, 1], [1, 0]])
    >>> response = quantal_response(pennies, rationality=1.0)
    >>> [round(float(p), 3) for p in response.profile.strategies[0]]  # Nash: one half each
    [0.894, 0.106]
    """
    require_number(
        rationality,
        name="rationality",
        low=0,
        remedy="It is in units of one over payoffs. For the limit, use logit_homotopy.",
    )
    prepared = playable(game)
    meter = open_meter(budget, on_iteration)
    scaled = ZERO if is_even(game) else Fraction(rationality) * prepared.span
    if scaled > FARTHEST:
        raise NumericalFailure(
            needs=f"rationality {rationality:.6g}",
            found=f"floats fail beyond {over_span(np.array([FARTHEST]), prepared.span)[0]:.6g}",
            remedy="Give a smaller one, or follow the branch to its limit by logit_homotopy.",
        )
    target = float(scaled)
    branch = centroid(prepared.layout)
    point = branch.points[0]
    if target > 0:
        piece = extended(
            prepared.layout,
            branch,
            target=target,
            settle_from=float("inf"),
            engine=Engine.BY_LENGTH,
            meter=meter,
        )
        if piece.status != REACHED:
            reached = f"{over_span(piece.last[-1:], prepared.span)[0]:.6g}"
            if meter.is_exhausted:
                raise NotConverged(
                    needs=f"rationality {rationality:.6g}",
                    found=f"the budget ended at {reached}",
                    remedy="Give a larger budget, or a smaller rationality.",
                )
            raise _failure(rationality, reached)
        count = int(piece.branch.counts[0])
        before, after = piece.branch.points[count - 2 : count]
        share = (target - before[-1]) / (after[-1] - before[-1])
        point = corrected(prepared.layout, before + share * (after - before), target)
        if point is None:
            raise _failure(rationality, f"{rationality:.6g}")
    return response_at(game, prepared, point, rationality=rationality, run=meter.record())


def response_at(
    game: NormalFormGame,
    prepared: PlayableGame,
    point: FloatArray,
    *,
    rationality: float,
    run: RunRecord,
) -> QuantalResponse:
    """Return a point of the branch as a response, with its certificates."""
    logarithms = by_player(prepared.layout, point[:-1])
    strategies = [np.exp(own) for own in logarithms]
    rounded = MixedProfile(tuple(map(_exponential_distribution, logarithms)))
    return QuantalResponse(
        game=game,
        rationality=float(rationality),
        profile=MixedProfile(tuple(own / own.sum() for own in strategies)),
        residual=_residual(prepared.layout, point),
        certificate=certify_quantal_response(game, rounded, rationality=Fraction(rationality)),
        nash=certify_nash(game, rounded),
        run=run,
    )


def is_even(game: NormalFormGame) -> bool:
    """Tell whether even mixing makes everybody indifferent: then it is all of the branch."""
    even = uniform_profile(game).to_exact()
    for player in range(game.num_players):
        earned = scaled_action_payoffs(game, even, player=player).numerators
        if earned.min() != earned.max():
            return False
    return True


def _failure(rationality: float, reached: str) -> NumericalFailure:
    return NumericalFailure(
        needs=f"rationality {rationality:.6g}",
        found=f"floats failed at {reached}",
        remedy="Give a smaller one, or use logit_homotopy for the limit.",
    )


def _exponential_distribution(logarithms: FloatArray) -> ExactArray:
    """Return rational probabilities, none zero, in proportion to ``exp``; precise if tiny, too."""
    halvings = np.maximum(np.floor(logarithms / LN_2), -LEAST_EXPONENT)
    parts = np.exp(logarithms - halvings * LN_2)  # 1 to 2, but where the least exponent holds
    weights = [
        Fraction(float(max(part, 1.0))) / 2 ** int(-halving)
        if halving < 0
        else Fraction(float(part))
        for part, halving in zip(parts, halvings, strict=True)
    ]
    total = sum(weights)
    return freeze(object_array([weight / total for weight in weights]))


def corrected(game: LogitGame, start: FloatArray, rationality: float) -> FloatArray | None:
    """Solve the equations at a fixed rationality by Newton's method; None where floats fail."""
    point = start.copy()
    point[-1] = rationality
    size = len(point) - 1
    residual, matrix = np.zeros(size + 1), np.zeros((size + 1, size + 1))
    for _ in range(MOST_CORRECTIONS):
        if not point[:size].max() < LARGEST_EXPONENT:
            return None
        linearize(game, point, residual, matrix)
        try:
            change = np.linalg.solve(matrix[:size, :size], residual[:size])
        except np.linalg.LinAlgError:
            return None
        point[:size] -= change
        if not np.isfinite(point).all():
            return None
        if np.max(np.abs(change) / (1 + np.abs(point[:size]))) < CONVERGED:
            break
    return point if point[:size].max() < LARGEST else None


def _residual(game: LogitGame, point: FloatArray) -> float:
    size = len(point) - 1
    residual, matrix = np.zeros(size + 1), np.zeros((size + 1, size + 1))
    linearize(game, point, residual, matrix)
    # each row is measured against the player's most likely action, so two rows span the worst pair
    spans = [np.ptp(np.append(residual[a:b], 0.0)) for a, b in pairwise(game.starts.tolist())]
    return float(max(spans))
