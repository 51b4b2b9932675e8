"""A certified finish: from approximate probabilities to an equilibrium with given supports.

On supports ``S_i`` the equations are ``v_a = v_b`` for ``a, b`` in ``S_i``, and probabilities of
each player that sum to 1. Newton's method solves them in floats. Where at most two players mix, the
equations are linear and are solved exactly; a solution that looks like simple fractions is tried as
such; else Newton goes on in rationals, with the float derivatives, until the exactly measured gain
is as small as asked for.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ONE, ZERO, ExactArray, FloatArray, as_exact, freeze
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._kernels.logit_path import LogitGame, action_values
from solvers._programs.rational_systems import RationalSolutions, solve_rational
from solvers.many_players.logit_branch import PlayableGame, by_player
from solvers.rounding import rational_distribution

Supports = tuple[tuple[int, ...], ...]

RELATIVE_TOLERANCE = Fraction(1, 10**12)
MOST_NEWTON_STEPS = 40
CONVERGED = 1e-13  # change of probabilities
SOLVED = 1e-9  # what is left of the equations, payoffs in [0, 1]
LARGEST_SIMPLE = 1_000  # denominator of a probability that is tried as a simple fraction
LOOKS_SIMPLE = 1e-12
BITS_A_STEP = 32  # that a rational Newton step surely gains on a regular equilibrium
MOST_RATIONAL_STEPS = 60


def accepted_gain(tolerance: float | Fraction | None, span: Fraction) -> Fraction:
    """Return the promised epsilon, in payoff units; by default a tiny part of the payoff span."""
    if tolerance is None:
        return RELATIVE_TOLERANCE * span
    return Fraction(tolerance)


def certified_finish(
    game: NormalFormGame,
    prepared: PlayableGame,
    probabilities: FloatArray,
    supports: Supports,
    *,
    tolerance: Fraction,
) -> NashCertificate | None:
    """Solve the equations of given supports from a point near a solution, and certify the result.

    Args:
        probabilities (K,): Of all players' actions, one after another.
        supports: Which actions each player mixes.
        tolerance: Gain, in payoff units, at which refinement stops.

    Returns:
        The best found, its epsilon perhaps above the tolerance; None if Newton's method leaves the
        positive probabilities.
    """
    mixed = [len(support) > 1 for support in supports]
    if sum(mixed) <= 2:
        exact = exact_on_supports(game, supports)
        if exact is not None:
            return certify_nash(game, exact)
    solved = newton_on_supports(prepared.layout, probabilities, supports)
    if solved is None or np.any(solved[flat_supports(prepared.layout, supports)] <= 0):
        return None
    simple = simple_fractions(by_player(prepared.layout, solved), within=LOOKS_SIMPLE)
    if simple is not None:
        certificate = certify_nash(game, simple)
        if not certificate.epsilon:
            return certificate
    strategies = map(rational_distribution, by_player(prepared.layout, solved))
    certificate = certify_nash(game, MixedProfile(tuple(strategies)))
    return _refined(game, prepared, certificate, supports, tolerance)


def newton_on_supports(
    game: LogitGame, probabilities: FloatArray, supports: Supports
) -> FloatArray | None:
    """Solve the equations in floats; None if this fails. Probabilities may come out negative."""
    played = flat_supports(game, supports)
    point = np.zeros_like(probabilities)
    point[played] = probabilities[played]
    for _ in range(MOST_NEWTON_STEPS):
        residual, matrix = support_equations(game, point, supports)
        change = _solved(matrix, residual)
        point[played] -= change
        size = np.max(np.abs(change))
        if not size < 1e3:
            return None
        if size < CONVERGED:  # with the shortest step that fits best, this may be no solution
            return point if np.max(np.abs(residual)) < SOLVED else None
    return None


def flat_supports(game: LogitGame, supports: Supports) -> NDArray[np.intp]:
    """Return the positions of the supports' actions in vectors over all actions."""
    return np.array(
        [int(first) + a for first, own in zip(game.starts, supports, strict=False) for a in own],
        dtype=np.intp,
    )


def support_equations(
    game: LogitGame, point: FloatArray, supports: Supports
) -> tuple[FloatArray, FloatArray]:
    """Evaluate the equations and their derivatives, both in the order of the supports' actions."""
    size = len(point)
    values, slopes = np.zeros(size), np.zeros((size, size))
    action_values(game, point, values, slopes)
    played = flat_supports(game, supports)
    residual, matrix = values[played], slopes[np.ix_(played, played)]
    row = 0
    for own in supports:
        rows = slice(row, row + len(own))
        residual[rows] -= residual[row]
        matrix[rows] -= matrix[row].copy()
        residual[row] = np.sum(point[played[rows]]) - 1.0
        matrix[row, rows] = 1.0
        row += len(own)
    return residual, matrix


def _solved(matrix: FloatArray, residual: FloatArray) -> FloatArray:
    try:
        return cast("FloatArray", np.linalg.solve(matrix, residual))
    except np.linalg.LinAlgError:  # a degenerate support: the shortest step that fits best
        return cast("FloatArray", np.linalg.lstsq(matrix, residual)[0])


def exact_on_supports(game: NormalFormGame, supports: Supports) -> MixedProfile | None:
    """Solve the linear equations of supports where at most two players mix.

    Returns:
        None if there is not exactly one solution, or a probability is not positive.
    """
    mixing = [player for player, support in enumerate(supports) if len(support) > 1]
    strategies = [[ONE] for _ in supports]
    if len(mixing) == 1:
        return None
    for player, opponent in [tuple(mixing), tuple(reversed(mixing))] if mixing else []:
        solution = indifference(game, supports, player=player, opponent=opponent).only
        if solution is None or min(solution) <= 0:
            return None
        strategies[opponent] = solution
    return MixedProfile(
        tuple(
            _spread(weights, support, count)
            for weights, support, count in zip(strategies, supports, game.num_actions, strict=True)
        )
    )


def indifference(
    game: NormalFormGame, supports: Supports, *, player: int, opponent: int
) -> RationalSolutions:
    """Solve for the opponent's weights, of sum 1, that make a player indifferent in the support.

    All others play one action each. Weights may be negative.
    """
    own = game.given_payoffs[player][np.ix_(*supports)]
    pair = np.moveaxis(own, (player, opponent), (0, 1))
    table = as_exact(pair.reshape(len(supports[player]), len(supports[opponent])))
    total = np.full((1, table.shape[1]), ONE)
    matrix = np.concatenate([table[1:] - table[0], total])
    return solve_rational(matrix, [ZERO] * (len(table) - 1) + [ONE])


def _spread(weights: Sequence[Fraction], support: tuple[int, ...], count: int) -> ExactArray:
    strategy = np.full(count, ZERO, dtype=object)
    strategy[list(support)] = weights
    return freeze(strategy)


def simple_fractions(
    strategies: tuple[FloatArray, ...], *, within: float, largest: int = LARGEST_SIMPLE
) -> MixedProfile | None:
    """Return the profile of simple fractions that all probabilities are close to, if any.

    Args:
        within: How close.
        largest: Largest denominator.
    """
    found: list[ExactArray] = []
    for strategy in strategies:
        simple = np.array(
            [Fraction(float(p)).limit_denominator(largest) for p in strategy], dtype=object
        )
        close = np.abs(simple.astype(np.float64) - strategy) <= within
        if sum(simple.tolist()) != 1 or not np.all(close):
            return None
        found.append(freeze(simple))
    return MixedProfile(tuple(found))


def _refined(
    game: NormalFormGame,
    prepared: PlayableGame,
    certificate: NashCertificate,
    supports: Supports,
    tolerance: Fraction,
) -> NashCertificate:
    """Take rational Newton steps with float derivatives while the measured gain shrinks."""
    best, bits, failures = certificate, 50, 0
    profile = cast("MixedProfile", certificate.profile)
    floats = np.concatenate([own.astype(np.float64) for own in profile.strategies])
    matrix = support_equations(prepared.layout, floats, supports)[1]
    for _ in range(MOST_RATIONAL_STEPS):
        if best.epsilon <= tolerance or failures == 2:
            return best
        bits += BITS_A_STEP
        profile = _newton_step(game, prepared, profile, supports, matrix, bits)
        certificate = certify_nash(game, profile)
        failures = 0 if certificate.epsilon < best.epsilon else failures + 1
        best = min(best, certificate, key=lambda found: found.epsilon)
    return best


def _newton_step(
    game: NormalFormGame,
    prepared: PlayableGame,
    profile: MixedProfile,
    supports: Supports,
    matrix: FloatArray,
    bits: int,
) -> MixedProfile:
    """Correct by float derivatives what is measured exactly; round to ``2**-bits``."""
    residual: list[Fraction] = []
    for player, own in enumerate(supports):
        values = action_payoffs(game, profile, player=player)[list(own)]
        residual += [ZERO, *((values[1:] - values[0]) / prepared.span)]
    largest = max(map(abs, residual)) or ONE
    relative = np.array([float(value / largest) for value in residual])
    change = iter(_solved(matrix, relative).tolist())
    strategies: list[ExactArray] = []
    for strategy, own in zip(profile.strategies, supports, strict=True):
        steps = [next(change) for _ in own]
        moved = [
            max(0, round((strategy[a] - Fraction(step) * largest) * 2**bits))
            for a, step in zip(own, steps, strict=True)
        ]
        likely = max(range(len(own)), key=moved.__getitem__)
        moved[likely] += 2**bits - sum(moved)
        strategies.append(_spread([Fraction(m, 2**bits) for m in moved], own, len(strategy)))
    return MixedProfile(tuple(strategies))
