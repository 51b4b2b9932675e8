"""How rational observed players are: the likeliest logit response, with its standard error.

Observed choices are taken to be drawn, each by itself, from the quantal response of one rationality
``t``. With counts ``n`` and probabilities ``p(t)`` on the principal branch the log likelihood is
``sum n log p(t)``. Its slope is ``sum n u'(t)``, where ``u = log p``, and the information that the
choices hold about ``t`` is ``sum_i N_i sum_a p_a u_a'^2`` with ``N_i`` choices of player ``i``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf, sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from gametheory_core.arguments import as_tuple, require_number, shown
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.errors import InvalidArgument, NumericalFailure, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers._kernels.logit_path import linearize
from solvers.many_players.logit import LogitBranch, logit_homotopy
from solvers.many_players.logit_branch import PlayableGame, over_span, playable
from solvers.many_players.quantal import QuantalResponse, corrected, is_even, response_at
from solvers.requirements import a_normal_form

ROUNDED = 1e-9  # of log likelihoods: as good as equal
RIVAL = 2  # log likelihoods below the largest: a seventh of the likelihood
HALVINGS = 50  # of the interval in which the slope's root lies
SMALLEST_SPAN, LARGEST_SPAN = 1e-100, 1e100  # of payoffs


@dataclass(frozen=True, eq=False)
class RationalityEstimate:
    """The rationality of which observed choices are likeliest, on the principal branch.

    Attributes:
        observed: Of each player, how often each action was chosen, (actions,) floats.
        rationality: In units of one over payoffs.
        standard_error: In the same units, from the information at the estimate; infinite where
            choices say nothing there.
        log_likelihood: In nats, without the number of orders in which choices may come.
        response: The quantal response of that rationality, certified.
        rivals: Other rationalities at which the likelihood peaks, at no less than a seventh of the
            largest: there the choices do not tell which it was. The interval knows nothing of them.
    """

    observed: tuple[FloatArray, ...]
    rationality: float
    standard_error: float
    log_likelihood: float
    response: QuantalResponse
    rivals: tuple[float, ...]

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return an interval that holds the rationality about so often, for many choices.

        The estimate and so many standard errors to both sides, cut at 0.
        """
        require_number(confidence, name="confidence", above=0, below=1)
        reach = NormalDist().inv_cdf((1 + confidence) / 2) * self.standard_error
        return max(0.0, self.rationality - reach), self.rationality + reach


def estimate_rationality(
    game: NormalFormGame, observed: Sequence[Sequence[float] | Mapping[Any, float]]
) -> RationalityEstimate:
    """Estimate from observed choices how rational players are, by maximum likelihood.

    Args:
        observed: Of each player, how often each action was chosen: numbers in the order of the
            actions, or action -> number. Players of whom nothing is known have zeros.

    Raises:
        InvalidArgument: If counts do not fit the game, are all zero, or fit an equilibrium at the
            end of the branch better than any finite rationality.
        UnsupportedGame: If it is no normal form, or all are indifferent where all play uniformly:
            then any rationality fits.
        NumericalFailure: If they are likeliest where the branch turns back.
        NotConverged: If floats fail before the branch ends.

    Peaks of the likelihood at the points of the branch are refined between their neighbors by the
    slope's root; of equal ones the first is taken, and ``rivals`` has those nearly as high. That no
    other branch fits better is not said.

    Source: :cite:`mckelvey1995quantal`, section 3.

    >>> pennies = NormalFormGame.bimatrix([[9, 0], [0, 1]], [[0, 1], [1, 0]])
    >>> found = estimate_rationality(pennies, [[83, 45], [57, 71]])
    >>> round(found.rationality, 2), round(found.standard_error, 2)
    (0.17, 0.05)
    """
    a_normal_form.require(game)
    counts = _counts(game, observed)
    if is_even(game):
        raise UnsupportedGame(
            needs="a game in which rationality changes play",
            found="all are indifferent where all play uniformly",
            remedy="Any rationality fits.",
        )
    prepared = playable(game)
    if not SMALLEST_SPAN < prepared.span < LARGEST_SPAN:
        raise NumericalFailure(
            needs=f"payoffs that span {SMALLEST_SPAN:g} to {LARGEST_SPAN:g}",
            found="their span is none that floats can be divided by",
            remedy="Measure them in another unit.",
        )
    branch = logit_homotopy(game)
    weights = np.concatenate(counts)
    peaks = _refined(prepared, branch, weights)
    heights = [_log_likelihood(weights, own[:-1]) for own in peaks]
    best = next(k for k, own in enumerate(heights) if own >= max(heights) - ROUNDED)
    point = peaks[best]
    others = [
        own[-1] for k, own in enumerate(peaks) if k != best and heights[k] > heights[best] - RIVAL
    ]
    rationality = float(over_span(point[-1:], prepared.span)[0])
    slopes = _log_slopes(prepared, point)
    chosen = np.concatenate([np.full(len(own), own.sum()) for own in counts])
    information = float(np.sum(chosen * np.exp(point[:-1]) * slopes**2)) * float(prepared.span) ** 2
    return RationalityEstimate(
        observed=counts,
        rationality=rationality,
        standard_error=1 / sqrt(information) if information else inf,
        log_likelihood=_log_likelihood(weights, point[:-1]),
        response=response_at(
            game, prepared, point, rationality=rationality, run=branch.solution.run
        ),
        rivals=tuple(over_span(np.array(others), prepared.span).tolist()),
    )


def _counts(
    game: NormalFormGame, observed: Sequence[Sequence[float] | Mapping[Any, float]]
) -> tuple[FloatArray, ...]:
    """Return how often each action was chosen, of each player.

    Raises:
        InvalidArgument: Names the player and what stands there.
    """
    given = as_tuple(observed, name="observed")
    if len(given) != game.num_players:
        raise InvalidArgument(
            needs=f"counts of {game.num_players} players",
            found=f"there are {len(given)} in observed",
            remedy="Give zeros for a player of whom nothing is known.",
        )
    found: list[FloatArray] = []
    for player, actions, own in zip(game.players, game.actions, given, strict=True):
        numbers = list(_in_order(player, actions, own))
        for action, number in zip(actions, numbers, strict=True):
            require_number(number, name=f"count of {player!r} choosing {action!r}", low=0)
        found.append(freeze(np.array(numbers, dtype=np.float64)))
    total = sum(float(own.sum()) for own in found)
    if total < 1:
        raise InvalidArgument(
            needs="at least one observed choice", found=f"all counts sum to {total:g}"
        )
    return tuple(found)


def _in_order(player: str, actions: tuple[str, ...], own: Any) -> Sequence[Any]:
    if isinstance(own, Mapping):
        unknown = [action for action in own if action not in actions]
        if unknown:
            raise InvalidArgument(
                needs=f"actions of {player!r}, {', '.join(actions)}", found=f"got {unknown[0]!r}"
            )
        return [own.get(action, 0) for action in actions]
    numbers = list(own) if np.ndim(own) == 1 else [own]
    if len(numbers) != len(actions):
        raise InvalidArgument(
            needs=f"a count of each of {player!r}'s {len(actions)} actions",
            found=f"got {shown(own)}",
        )
    return numbers


def _log_likelihood(weights: FloatArray, logarithms: FloatArray) -> float:
    """Return the sum over what was chosen at all: minus infinity where that is never chosen."""
    chosen = weights > 0
    return float(weights[chosen] @ logarithms[chosen])


def _peaks(branch: LogitBranch, weights: FloatArray) -> list[int]:
    """Return the points of the branch at which choices are likelier than at both neighbors.

    Raises:
        InvalidArgument: If they are likelier still in the equilibrium behind all points.
    """
    with np.errstate(divide="ignore"):
        logarithms = np.log(np.concatenate(branch.probabilities, axis=1))
        limit = branch.solution.profile.to_float().strategies
        beyond = _log_likelihood(weights, np.log(np.concatenate(limit)))
    found = np.array([-np.inf, *(_log_likelihood(weights, own) for own in logarithms), beyond])
    best = int(np.argmax(found[1:-1]))
    if best == len(found) - 3 or beyond >= found[best + 1]:
        raise InvalidArgument(
            needs="choices that some finite rationality fits best",
            found=f"their log likelihood grows along the branch, to {beyond:.6g} at its "
            "equilibrium",
            remedy="They err less than any logit response; see logit_homotopy for the equilibrium.",
        )
    inner = found[1:-2]  # the last point has no neighbor that can be corrected
    is_peak = (inner >= found[:-3]) & (inner > found[2:-1])
    return np.flatnonzero(is_peak).tolist()


def _refined(prepared: PlayableGame, branch: LogitBranch, weights: FloatArray) -> list[FloatArray]:
    """Return the peaks between the points of the branch.

    Raises:
        NumericalFailure: If one that counts cannot be told: far out, rounding makes low ones.
    """
    found: list[FloatArray] = []
    failed: list[tuple[float, NumericalFailure]] = []
    for k in _peaks(branch, weights):
        try:
            found.append(_likeliest(prepared, _neighbors(prepared, branch, k), weights))
        except NumericalFailure as error:
            logarithms = np.log(np.concatenate([own[k] for own in branch.probabilities]))
            failed.append((_log_likelihood(weights, logarithms), error))
    best = max((_log_likelihood(weights, own[:-1]) for own in found), default=-inf)
    for height, error in failed:
        if height > best - RIVAL:
            raise error
    return found


def _neighbors(prepared: PlayableGame, branch: LogitBranch, best: int) -> list[FloatArray]:
    """Return a point of the branch with those before and after it, corrected, in spans."""
    found: list[FloatArray] = []
    for k in range(max(best - 1, 0), best + 2):
        logarithms = np.log(np.concatenate([own[k] for own in branch.probabilities]))
        target = float(branch.rationalities[k]) * float(prepared.span)
        found.append(_at(prepared, np.append(logarithms, target), target))
    return found


def _at(prepared: PlayableGame, start: FloatArray, target: float) -> FloatArray:
    point = corrected(prepared.layout, start, target)
    if point is None:
        raise NumericalFailure(
            needs="a likelihood that can be followed near its maximum",
            found=f"floats fail at rationality {over_span(start[-1:], prepared.span)[0]:.6g}",
        )
    return point


def _likeliest(prepared: PlayableGame, points: list[FloatArray], weights: FloatArray) -> FloatArray:
    """Return the root of the likelihood's slope between neighboring points."""

    def slope(point: FloatArray) -> float:
        return float(weights @ _log_slopes(prepared, point))

    if len(points) == 2 and slope(points[0]) <= 0:
        return points[0]  # uniform play is likeliest
    for before, after in pairwise(points):
        slopes = (slope(before), slope(after))
        if 0 in slopes:
            return before if slopes[0] == 0 else after
        if slopes[0] * slopes[1] < 0:
            return _root(prepared, before, after, slope)
    raise NumericalFailure(
        needs="a likelihood that is largest where the branch goes straight",
        found="it is largest where the branch turns back, near rationality "
        f"{over_span(points[-1][-1:], prepared.span)[0]:.6g}",
    )


def _root(
    prepared: PlayableGame,
    before: FloatArray,
    after: FloatArray,
    slope: Callable[[FloatArray], float],
) -> FloatArray:
    """Return the point between two at which a slope changes its sign, by halving."""
    sign = slope(before)
    low, high = before[-1], after[-1]
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_before = slope(_between(prepared, before, after, middle)) * sign > 0
        low, high = (middle, high) if is_before else (low, middle)
    return _between(prepared, before, after, low)


def _between(
    prepared: PlayableGame, before: FloatArray, after: FloatArray, target: float
) -> FloatArray:
    share = (target - before[-1]) / (after[-1] - before[-1])
    return _at(prepared, before + share * (after - before), target)


def _log_slopes(prepared: PlayableGame, point: FloatArray) -> FloatArray:
    """Return how logarithms of probabilities change with the rationality, in spans."""
    size = len(point) - 1
    residual, matrix = np.zeros(size + 1), np.zeros((size + 1, size + 1))
    linearize(prepared.layout, point, residual, matrix)
    return np.linalg.solve(matrix[:size, :size], -matrix[:size, size]).astype(np.float64)
