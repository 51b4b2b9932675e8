"""Equilibria in which two players mix two actions each, and all others play one: exact, at once.

Random games of three players without a pure equilibrium have one like this in some three of four
cases. All candidates are looked at together: with the others' actions given, two players mix two
actions each only if each makes the other indifferent, which are two linear equations. What looks
like an equilibrium in floats is solved again exactly, and certified.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.memory import require_memory
from gametheory_core.strategies.mixed import MixedProfile, uniform_profile
from solvers.concepts import Concept
from solvers.many_players.logit_branch import normalized_payoffs
from solvers.many_players.support_newton import exact_on_supports
from solvers.requirements import a_normal_form, many_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

Supports: TypeAlias = tuple[tuple[int, ...], ...]

SLACK = 1e-9  # payoffs lie in [0, 1]: what gains less in floats is tried exactly
BYTES_PER_CANDIDATE = 200


class _Played(NamedTuple):
    """What candidates play: others' actions, and two of each who mixes."""

    others: tuple[NDArray[np.intp], ...]
    rows: NDArray[np.intp]
    columns: NDArray[np.intp]


@solver(
    Answers(Concept.NASH, rank=65),
    takes=(a_normal_form, many_players),
    unit="candidates",
    because="three players and more: two of them mix two actions each, exactly",
    page="many-players",
)
def two_mixers(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, NashCertificate]:
    """Find an equilibrium in which two players mix two actions each and all others play one.

    Args:
        game: Three players or more.
        budget: Iterations are candidates that are solved exactly.
        on_iteration: Called after each of them.

    Returns:
        Exact: the certificate's epsilon is 0. The first in the order of the players who mix, the
        others' actions, and theirs.

    Raises:
        UnsupportedGame: If floats find no such equilibrium; other solvers may find another one.
        NotConverged: If the budget ends first; ``best`` is uniform play.

    Source: R. Porter, E. Nudelman and Y. Shoham (2008), "Simple search methods for finding a Nash
        equilibrium", Games and Economic Behavior 63, 642-662: small supports are tried first.

    >>> even = [[[1, 0], [0, 0]], [[0, 0], [1, 0]]]  # two play pennies, if the third plays first
    >>> odd = [[[0, 0], [1, 0]], [[1, 0], [0, 0]]]
    >>> watched = NormalFormGame.from_payoffs([even, odd, [[[1, 0]] * 2] * 2])
    >>> [str(payoff) for payoff in two_mixers(watched).payoffs]
    ['1/2', '1/2', '1']
    """
    meter = open_meter(budget, on_iteration)
    payoffs = normalized_payoffs(game).payoffs
    for pair in combinations(range(game.num_players), 2):
        for supports in _candidates(payoffs, pair):
            if meter.is_exhausted:
                raise NotConverged(
                    needs="an exact solution of each candidate",
                    found=f"the budget ended after {meter.iterations}",
                    remedy="Give a larger budget.",
                    best=_solution(certify_nash(game, uniform_profile(game)), meter),
                )
            meter.step()
            profile = exact_on_supports(game, supports)
            if profile is None:
                continue
            certificate = certify_nash(game, profile)
            if not certificate.epsilon:
                return _solution(certificate, meter)
    raise UnsupportedGame(
        needs="an equilibrium in which two players mix two actions each and all others play one",
        found=f"none was found in {game!r}",
        remedy="Use logit_homotopy, or polynomial_support_enumeration for all.",
    )


def _solution(
    certificate: NashCertificate, meter: Meter
) -> Solution[MixedProfile, NashCertificate]:
    profile = cast("MixedProfile", certificate.profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())


def _candidates(payoffs: FloatArray, pair: tuple[int, int]) -> Iterator[Supports]:
    """Yield supports on which floats find an equilibrium, or nearly."""
    num_actions = payoffs.shape[1:]
    first, second = pair
    others = [player for player in range(len(num_actions)) if player not in pair]
    if min(num_actions[first], num_actions[second]) < 2:
        return
    order = (*others, first, second)
    tables = payoffs.transpose(0, *(1 + player for player in order))
    rows, columns = (np.array(list(combinations(range(num_actions[i]), 2))).T for i in pair)
    count = tables[0, ..., 0, 0].size * rows.shape[1] * columns.shape[1]
    require_memory(
        count * BYTES_PER_CANDIDATE * sum(num_actions),
        what=f"{count:,} candidates",
        remedy="Use logit_homotopy.",
    )
    upper = _equalizing(tables[second].swapaxes(-1, -2), columns, rows).swapaxes(-1, -2)
    left = _equalizing(tables[first], rows, columns)
    fits = (upper > 0) & (upper < 1) & (left > 0) & (left < 1)
    index = np.nonzero(fits)
    if not len(index[0]):
        return
    played = _Played(index[:-2], rows[:, index[-2]], columns[:, index[-1]])
    shares = upper[index], left[index]
    kept = _nobody_gains(tables, others, pair, played, shares)
    for candidate in np.flatnonzero(kept).tolist():
        chosen: list[tuple[int, ...]] = [()] * len(num_actions)
        for player, actions in zip(others, played.others, strict=True):
            chosen[player] = (int(actions[candidate]),)
        chosen[first] = tuple(played.rows[:, candidate].tolist())
        chosen[second] = tuple(played.columns[:, candidate].tolist())
        yield tuple(chosen)


def _equalizing(table: FloatArray, own: NDArray[np.intp], replies: NDArray[np.intp]) -> FloatArray:
    """Return the weight of each first reply that makes both own actions pay the same.

    Args:
        table (..., own actions, replies)
        own (2, num_pairs), replies (2, num_other_pairs)

    Returns:
        (..., num_pairs, num_other_pairs): NaN or infinite where no weight does.
    """
    gaps = table[..., own[0], :] - table[..., own[1], :]
    one, other = gaps[..., replies[0]], gaps[..., replies[1]]
    with np.errstate(divide="ignore", invalid="ignore"):
        return other / (other - one)


def _nobody_gains(
    tables: FloatArray,
    others: list[int],
    pair: tuple[int, int],
    played: _Played,
    shares: tuple[FloatArray, FloatArray],
) -> NDArray[np.bool_]:
    """Tell of which candidates nobody gains by another action, up to rounding."""
    upper, left = shares
    kept = np.ones(len(upper), dtype=np.bool_)
    first, second = pair
    (top, bottom), (one, other) = played.rows, played.columns
    at = played.others
    by_row = tables[first][at]  # (candidates, rows, columns)
    each = np.arange(len(upper))
    earned = by_row[each, :, one].T * left + by_row[each, :, other].T * (1 - left)
    kept &= earned.max(axis=0) <= earned[top, each] + SLACK
    by_column = tables[second][at]
    earned = by_column[each, top].T * upper + by_column[each, bottom].T * (1 - upper)
    kept &= earned.max(axis=0) <= earned[one, each] + SLACK
    for place, player in enumerate(others):
        own = np.moveaxis(tables[player], place, 0)
        rest = at[:place] + at[place + 1 :]
        of_row = [
            own[(slice(None), *rest, row, one)] * left
            + own[(slice(None), *rest, row, other)] * (1 - left)
            for row in (top, bottom)
        ]
        earned = of_row[0] * upper + of_row[1] * (1 - upper)
        kept &= earned.max(axis=0) <= earned[at[place], each] + SLACK
    return kept
