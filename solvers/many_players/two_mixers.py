"""Equilibria of many players in which two mix over two actions each, and the rest are pure.

With the others' actions fixed, two players who mix over ``a, a'`` and ``b, b'`` make each other
indifferent by the ratios of a 2 x 2 game,

    y = (U[a', b'] - U[a, b']) / (U[a, b] - U[a', b] - U[a, b'] + U[a', b']),

and ``x`` alike. Floats compute all these at once, and drop those at which somebody gains; what is
left is solved again in rationals, and certified. Supports are tried by their size, small ones first
(Porter, Nudelman and Shoham 2008): of random games with three players and actions two in three have
a pure equilibrium, and nineteen in twenty that or one of these.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted
from gametheory_core.arrays import ONE, ZERO, object_array, to_fraction
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.concepts import Concept
from solvers.many_players.logit_branch import normalized_payoffs
from solvers.requirements import a_normal_form, many_players
from solvers.solution import UNLIMITED, Budget, BudgetOver, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

MOST_CANDIDATES = 1_000_000
CLOSE = 1e-9  # of normalized payoffs: what floats may be wrong by


@solver(
    Answers(Concept.NASH, rank=65),
    takes=(a_normal_form, many_players),
    unit="pairs of players",
    because="three players and more: one in which two mix over two actions each, found at once",
    page="many-players",
)
def two_mixing(
    game: NormalFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[MixedProfile, NashCertificate]:
    """Find an equilibrium in which two players mix over two actions each and the rest are pure.

    Args:
        game: Three players or more, at most a million ways to choose the actions.
        budget: Iterations are pairs of players.

    Returns:
        The first one, exactly: the certificate's epsilon is 0.

    Raises:
        UnsupportedGame: If there are more ways, or none of them is an equilibrium; then
            ``logit_homotopy`` finds another kind.
        NotConverged: If the budget ends first; there is no best.

    Source: :cite:`porter2008simple`.

    >>> pennies = [[[1], [-1]], [[-1], [1]]]
    >>> lost = [[[-1], [1]], [[1], [-1]]]
    >>> idle = [[[0], [0]], [[0], [0]]]
    >>> game = NormalFormGame.from_payoffs([pennies, lost, idle])
    >>> [str(p) for p in two_mixing(game).profile.strategies[0]]
    ['1/2', '1/2']
    """
    _require_few(game)
    pairs = list(combinations(range(game.num_players), 2))
    meter = open_meter(budget, on_iteration, total=len(pairs))
    payoffs = normalized_payoffs(game).payoffs
    try:
        for i, j in pairs:
            meter.tick()
            for candidate in _candidates(payoffs, i, j):
                found = _exact(game, i, j, candidate)
                if found is not None:
                    profile = cast("MixedProfile", found.profile)
                    return Solution(profile, found.payoffs, found, meter.record())
    except BudgetOver:
        raise NotConverged(
            needs=f"all {len(pairs)} pairs of players to be tried",
            found=f"the budget ended after {meter.iterations}",
        ) from None
    raise UnsupportedGame(
        needs="an equilibrium in which two players mix over two actions each and the rest are pure",
        found=f"{game!r} has none that is isolated",
        remedy="Try logit_homotopy, or pure.",
    )


def _require_few(game: NormalFormGame) -> None:
    sizes = game.num_actions
    pairs = combinations(range(len(sizes)), 2)
    ways = sum(
        comb(sizes[i], 2) * comb(sizes[j], 2) * (prod(sizes) // (sizes[i] * sizes[j]))
        for i, j in pairs
    )
    if ways > MOST_CANDIDATES:
        raise UnsupportedGame(
            needs=f"at most {MOST_CANDIDATES:,} ways to choose two actions of two players and one "
            "of each other",
            found=f"{game!r} has {counted(ways)}",
            remedy="Try logit_homotopy.",
        )


Candidate = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]  # others', and both pairs


def _candidates(payoffs: NDArray[np.float64], i: int, j: int) -> Iterator[Candidate]:
    """Yield what may be an equilibrium in which ``i`` and ``j`` mix, as floats see it."""
    count = len(payoffs)
    others = [k for k in range(count) if k not in {i, j}]
    tensor = payoffs.transpose(0, *(1 + k for k in others), 1 + i, 1 + j)
    rest, (rows, columns) = tensor.shape[1:-2], tensor.shape[-2:]
    flat = tensor.reshape(count, -1, rows, columns)
    a, b = _pairs(rows), _pairs(columns)
    places = (slice(None), a[:, None, :, None], b[None, :, None, :])
    y = _share(flat[i][places])  # cell, pair of i, pair of j
    x = _share(flat[j][places].swapaxes(-1, -2))
    cells, first, second = np.nonzero((x > 0) & (x < 1) & (y > 0) & (y < 1))
    chosen = np.arange(len(cells))
    p, q = np.zeros((len(cells), rows)), np.zeros((len(cells), columns))
    for strategies, shares, pair in ((p, x, a[first]), (q, y, b[second])):
        own = shares[cells, first, second]
        strategies[chosen, pair[:, 0]], strategies[chosen, pair[:, 1]] = own, 1 - own
    earned = (flat[i, cells] @ q[:, :, None])[:, :, 0]
    answered = (p[:, None, :] @ flat[j, cells])[:, 0]
    stable = earned.max(axis=1) <= (earned * p).sum(axis=1) + CLOSE
    stable &= answered.max(axis=1) <= (answered * q).sum(axis=1) + CLOSE
    for m in np.flatnonzero(stable).tolist():
        joint = tuple(int(k) for k in np.unravel_index(int(cells[m]), rest))
        if _others_stay(tensor, others, joint, p[m], q[m]):
            yield joint, tuple(a[first[m]].tolist()), tuple(b[second[m]].tolist())


def _pairs(count: int) -> NDArray[np.intp]:
    return np.array(list(combinations(range(count), 2)), dtype=np.intp).reshape(-1, 2)


def _share(games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how likely the first column must be for both rows to pay the same; else NaN."""
    above = games[..., 1, 1] - games[..., 0, 1]
    below = above + games[..., 0, 0] - games[..., 1, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        return above / below


def _others_stay(
    tensor: NDArray[np.float64],
    others: list[int],
    joint: tuple[int, ...],
    p: NDArray[np.float64],
    q: NDArray[np.float64],
) -> bool:
    """Tell whether none of the pure players gains, as floats see it."""
    for place, player in enumerate(others):
        row = tensor[(player, *joint[:place], slice(None), *joint[place + 1 :])]
        values = row @ q @ p
        if values.max() > values[joint[place]] + CLOSE:
            return False
    return True


def _exact(game: NormalFormGame, i: int, j: int, candidate: Candidate) -> NashCertificate | None:
    """Solve in rationals and certify; None if somebody gains."""
    joint, a, b = candidate
    fixed: list[Any] = list(joint)
    for player in (i, j):  # i comes before j
        fixed.insert(player, slice(None))
    own, other = (_corner(game, player, tuple(fixed), a, b) for player in (i, j))
    y, x = _exact_share(*own), _exact_share(*map(tuple, zip(*other, strict=True)))
    if x is None or y is None:
        return None
    strategies: list[list[Fraction]] = [[ZERO] * n for n in game.num_actions]
    for player, action in enumerate(fixed):
        if player not in {i, j}:
            strategies[player][action] = ONE
    for player, pair, share in ((i, a, x), (j, b, y)):
        strategies[player][pair[0]], strategies[player][pair[1]] = share, 1 - share
    certificate = certify_nash(game, MixedProfile(tuple(map(object_array, strategies))))
    return None if certificate.epsilon else certificate


Rows = tuple[tuple[Fraction, ...], ...]


def _corner(
    game: NormalFormGame, player: int, fixed: tuple[Any, ...], a: Sequence[int], b: Sequence[int]
) -> Rows:
    """Return what the player gets in the 2 x 2 game, exactly."""
    table = game.given_payoffs[(player, *fixed)]
    return tuple(tuple(to_fraction(table[row, column]) for column in b) for row in a)


def _exact_share(first: tuple[Fraction, ...], second: tuple[Fraction, ...]) -> Fraction | None:
    """Return what ``_share`` does of two rows; None unless both columns are played."""
    above = second[1] - first[1]
    below = above + first[0] - second[0]
    share = above / below if below else ZERO
    return share if 0 < share < 1 else None
