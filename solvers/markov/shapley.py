"""Discounted zero-sum Markov games: values and optimal stationary strategies (Shapley 1953).

Shapley's operator takes values of states to those of the stage games in which they come after; it
is a contraction, and its fixed point is the value. Floats find it: from values to optimal stage
strategies, from these to what they pay for ever (Pollatschek and Avi-Itzhak 1969), which is
Newton's method and takes few rounds, but need not converge; where it does not beat the contraction,
a plain step of the operator is taken instead. Rationals then prove what the strategies guarantee.

Where floats are too coarse for the tolerance, stage games are solved exactly on the supports that
floats have found, and each round's residual, magnified, is solved for in floats once more.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any

import numpy as np

from gametheory_core import NotConverged
from gametheory_core.arrays import ONE, ZERO, ExactArray, FloatArray, scaled_integers, to_fraction
from gametheory_core.certificates import ZeroSumMarkovCertificate, certify_zero_sum_markov
from gametheory_core.certificates.wording import at_most_roughly
from gametheory_core.certificates.zero_sum_markov import require_zero_sum_markov
from gametheory_core.conversions import markov_view
from gametheory_core.evaluation import stage_payoffs
from gametheory_core.games import POSG, MarkovView
from gametheory_core.strategies.markov import Lottery, MarkovProfile
from solvers.concepts import Concept
from solvers.markov.float_stages import (
    FloatStages,
    StageOptimum,
    float_stages,
    solve_stages,
    values_of_play,
)
from solvers.markov.stage_induction import over_all_actions
from solvers.requirements import a_posg, no_horizon, rewards_sum_to_zero, seen_state, two_players
from solvers.rounding import dyadic_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.zero_sum.matrix_vertex import equalizing_exactly

SHARE = Fraction(1, 10**9)  # of the largest return, as a tolerance
FLOAT_SHARE = 1e-15  # of the largest value: differences below are rounding errors
SHORT = 10**4  # denominators of values that are tried as exact ones
MOST_MULTIPLES = 2**53  # of a measure: beyond, floats do not tell them apart
NEAR = 1e-11  # of the largest value: how near such a value must be
STUCK = 3  # rounds without progress
ZOOM = 30  # bits by which a round of refinement is expected to gain
MOST_BITS = 4000

MarkovSolution = Solution[MarkovProfile, ZeroSumMarkovCertificate]


@solver(
    Answers(
        Concept.MINIMAX, rank=40, takes=(two_players, rewards_sum_to_zero, no_horizon, seen_state)
    ),
    takes=(a_posg,),
    unit="sweeps",
    because="two players, rewards that sum to 0, no horizon: values of states until they settle",
    page="markov-games",
)
def shapley_value_iteration(
    game: POSG | MarkovView,
    *,
    tolerance: float | Fraction | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> MarkovSolution:
    """Find optimal stationary strategies of a discounted zero-sum Markov game, and its value.

    Args:
        game: Two players who both see the state, rewards that sum to 0, no horizon. With a discount
            below 1, or a chance that play ends at each step.
        tolerance: Width of the interval around the value of every state that is good enough, in
            payoff units; as small as you like. Default: 1e-9 times the largest return that rewards
            allow.

    Returns:
        The certificate's interval holds the value; ``epsilon`` is its width, 0 where values are
        short rationals.

    Raises:
        UnsupportedGame: If the game is not of this kind; names players, a joint action, or where
            play surely goes on.
        NotConverged: If the budget ends first; ``best`` has what is proved so far.

    A sweep takes time linear in the number of joint actions and next states, and a matrix game for
    each state. Few sweeps are needed, whatever the discount.

    Sources:
        :cite:`shapley1953stochastic`.
        M. Pollatschek and B. Avi-Itzhak (1969), "Algorithms for stochastic games with geometrical
            interpretation", Management Science 15, 399-415.
        J. Filar and B. Tolwinski (1991), "On the algorithm of Pollatschek and Avi-Itzhak",
            Stochastic Games and Related Topics, 59-70.

    >>> from gametheory_core.catalog import big_match
    >>> from gametheory_core.catalog.markov import stopping_pennies
    >>> shapley_value_iteration(big_match(discount_percent=90)).certificate.game_value
    Fraction(5, 1)
    >>> solution = shapley_value_iteration(stopping_pennies(), tolerance=Fraction(1, 10**30))
    >>> value = solution.certificate.game_value  # (sqrt(17) - 3) / 2
    >>> abs((2 * value + 3) ** 2 - 17) < Fraction(1, 10**28)
    True
    """
    view = markov_view(game)
    require_zero_sum_markov(view)
    meter = open_meter(budget, on_iteration)
    if not view.acting.size:
        nothing = MarkovProfile((((),) * view.num_states,), is_stationary=True)
        return _solution(view, nothing, (ZERO,) * view.num_states, meter)
    wanted = _default_tolerance(view) if tolerance is None else to_fraction(tolerance)
    search = _Search(view, float_stages(view), wanted, meter)
    optimum, values = _float_values(search)
    best = _best_of_floats(search, optimum, values)
    if best.certificate.epsilon > wanted and not meter.is_exhausted:
        best = _refined(search, optimum, values, best)
    if best.certificate.epsilon > wanted:
        raise NotConverged(
            needs=f"an interval of width {at_most_roughly(wanted)}",
            found=f"{'the budget ended' if meter.is_exhausted else 'progress ended'} after "
            f"{meter.iterations} sweeps at {at_most_roughly(best.certificate.epsilon)}",
            remedy="Give a larger budget or tolerance, or use the exception's best.",
            best=best,
        )
    return best


@dataclass(frozen=True)
class _Search:
    """What one call works on; values of states in it are in units of ``stages``."""

    view: MarkovView
    stages: FloatStages
    tolerance: Fraction
    meter: Meter


def _default_tolerance(view: MarkovView) -> Fraction:
    largest = max(map(abs, view.rewards.numerators[view.rows, 0].tolist()))
    whole = Fraction(largest, view.rewards.denominator) / (1 - view.contraction)
    return (whole or 1) * SHARE


def _solution(
    view: MarkovView, profile: MarkovProfile, values: tuple[Fraction, ...], meter: Meter
) -> MarkovSolution:
    certificate = certify_zero_sum_markov(view, profile, values=values)
    middle = certificate.game_value
    return Solution(profile, (middle, -middle), certificate, meter.record())


# Floats


def _float_values(search: _Search) -> tuple[StageOptimum, FloatArray]:
    """Return values near the fixed point, and optimal strategies of their stage games."""
    stages, meter = search.stages, search.meter
    modulus = float(search.view.contraction)
    enough = float(min(search.tolerance / stages.unit, ONE)) * (1 - modulus) / 8
    values = np.zeros(stages.num_stages)
    optimum = solve_stages(stages, values)
    meter.step()
    residual = float(np.abs(optimum.values - values).max())
    stuck = 0
    while not meter.is_exhausted and stuck < STUCK:
        scale = float(np.abs(optimum.values).max())
        if residual <= min(enough, 1e-12 * scale) or residual <= FLOAT_SHARE * scale:
            break
        improved = values + values_of_play(
            stages, optimum.strategy, _gains(stages, optimum, values)
        )
        following = solve_stages(stages, improved)
        meter.step()
        change = float(np.abs(following.values - improved).max())
        if not change <= modulus * residual and not meter.is_exhausted:
            improved = optimum.values
            following = solve_stages(stages, improved)
            meter.step()
            change = float(np.abs(following.values - improved).max())
        stuck = stuck + 1 if not change < residual else 0
        if change <= residual:
            values, optimum, residual = improved, following, change
    return optimum, values


def _gains(stages: FloatStages, optimum: StageOptimum, values: FloatArray) -> FloatArray:
    """Return what a stage's optimal strategies pay beyond its value so far."""
    share = optimum.strategy[stages.cell_row] * optimum.strategy[stages.cell_column]
    paid = np.add.reduceat(share * stages.payoffs(values), stages.start[:-1])
    return paid - values


def _best_of_floats(search: _Search, optimum: StageOptimum, values: FloatArray) -> MarkovSolution:
    """Certify short rationals near the values if they are exact, else the floats themselves."""
    view, meter = search.view, search.meter
    for near in _short_values(search, values):
        exact_values = _all_states(search, near)
        pairs = _exact_pairs(search, optimum, exact_values)
        if pairs is not None:
            exact = _solution(view, _profile(view, pairs), exact_values, meter)
            if not exact.certificate.epsilon:
                return exact
    profile = _float_profile(search, optimum)
    return _solution(
        view, profile, _all_states(search, [Fraction(x) for x in values.tolist()]), meter
    )


def _short_values(search: _Search, values: FloatArray) -> Iterator[list[Fraction]]:
    """Yield rationals near the values: short as payoffs, or as multiples of what rewards share."""
    view, scale = search.view, float(np.abs(values).max()) or 1.0
    shared = gcd(*view.rewards.numerators[view.rows, 0].tolist()) or 1
    for measure in dict.fromkeys((ONE, Fraction(shared, view.rewards.denominator))):
        ratio = search.stages.unit / measure
        if Fraction(scale) * ratio > MOST_MULTIPLES:
            continue
        near = [(Fraction(x) * ratio).limit_denominator(SHORT) / ratio for x in values.tolist()]
        pairs = zip(near, values.tolist(), strict=True)
        if all(abs(float(q) - x) <= NEAR * scale for q, x in pairs):
            yield near


def _all_states(search: _Search, values: list[Fraction]) -> tuple[Fraction, ...]:
    """Return values of all states as payoffs, from those of the stages in units."""
    table = [ZERO] * search.view.num_states
    for state, value in zip(search.view.acting.tolist(), values, strict=True):
        table[state] = value * search.stages.unit
    return tuple(table)


def _float_profile(search: _Search, optimum: StageOptimum) -> MarkovProfile:
    pairs = [
        tuple(dyadic_distribution(optimum.strategy[i : i + n]) for i, n in zip(*both, strict=True))
        for both in zip(search.stages.place.tolist(), search.stages.shape.tolist(), strict=True)
    ]
    return _profile(search.view, pairs)


def _profile(view: MarkovView, pairs: Sequence[Sequence[ExactArray]]) -> MarkovProfile:
    """Make a profile of what legal actions get in the acting states."""
    row: list[tuple[Lottery, ...]] = [()] * view.num_states
    for state, pair in zip(view.acting.tolist(), pairs, strict=True):
        row[state] = over_all_actions(view, state, pair)
    return MarkovProfile((tuple(row),), is_stationary=True)


# Rationals


def _exact_pairs(
    search: _Search, optimum: StageOptimum, values: tuple[Fraction, ...]
) -> list[tuple[ExactArray, ExactArray]] | None:
    """Solve each stage exactly on the supports that floats have found; None if one cannot be."""
    view, stages = search.view, search.stages
    own: ExactArray = np.full((view.num_states, 2), ZERO, dtype=object)
    own[:, 0] = values
    paid: Any = stage_payoffs(view, own)[0].numerators
    pairs: list[tuple[ExactArray, ExactArray]] = []
    for k, state in enumerate(view.acting.tolist()):
        (first, second), (rows, columns) = stages.place[k], stages.shape[k]
        x = tuple(np.flatnonzero(optimum.support[first : first + rows]).tolist())
        y = tuple(np.flatnonzero(optimum.support[second : second + columns]).tolist())
        if not x or len(x) != len(y):
            return None
        table = scaled_integers(paid[view.stage_rows(state)]).numerators
        strategies = equalizing_exactly(table.T, y, x), equalizing_exactly(table, x, y)
        if strategies[0] is None or strategies[1] is None:
            return None
        pairs.append((strategies[0], strategies[1]))
    return pairs


def _refined(
    search: _Search, optimum: StageOptimum, values: FloatArray, best: MarkovSolution
) -> MarkovSolution:
    """Add to the values what their exact residual, magnified, is worth in floats; then again."""
    view, stages, meter = search.view, search.stages, search.meter
    exact = [Fraction(x) for x in values.tolist()]
    bits, stuck = ZOOM, 0
    while best.certificate.epsilon > search.tolerance and stuck < STUCK and bits < MOST_BITS:
        pairs = _exact_pairs(search, optimum, _all_states(search, exact))
        if pairs is None or meter.is_exhausted:
            return best
        residual = _residual(search, pairs, exact)
        largest = max(map(abs, residual))
        if largest:
            bits = max(0, largest.denominator.bit_length() - largest.numerator.bit_length())
            zoom = 1 << bits
            paid = np.array([float(x * zoom) for x in residual])
            step = values_of_play(stages, optimum.strategy, paid)
            exact = [
                x + Fraction(round(d * 2**ZOOM), 1 << ZOOM) / zoom
                for x, d in zip(exact, step.tolist(), strict=True)
            ]
        pairs = _exact_pairs(search, optimum, _all_states(search, exact)) or pairs
        rounded = [(_short(x, bits + 3 * ZOOM), _short(y, bits + 3 * ZOOM)) for x, y in pairs]
        meter.step()
        found = _solution(view, _profile(view, rounded), _all_states(search, exact), meter)
        stuck = 0 if found.certificate.epsilon < best.certificate.epsilon / 2 else stuck + 1
        if found.certificate.epsilon < best.certificate.epsilon:
            best = found
    return best


def _residual(
    search: _Search, pairs: list[tuple[ExactArray, ExactArray]], values: list[Fraction]
) -> list[Fraction]:
    """Return what the pairs pay in their stages beyond the values, exactly; in units."""
    view, unit = search.view, search.stages.unit
    own: ExactArray = np.full((view.num_states, 2), ZERO, dtype=object)
    own[:, 0] = _all_states(search, values)
    paid: Any = stage_payoffs(view, own)[0]
    found: list[Fraction] = []
    for (x, y), state, value in zip(pairs, view.acting.tolist(), values, strict=True):
        table = paid.numerators[view.stage_rows(state)]
        found.append(Fraction(x @ table @ y) / (paid.denominator * unit) - value)
    return found


def _short(weights: ExactArray, bits: int) -> ExactArray:
    """Round probabilities to multiples of ``2**-bits``; the largest takes up the rounding."""
    scale = 1 << bits
    parts = [round(weight * scale) for weight in weights.tolist()]
    parts[parts.index(max(parts))] += scale - sum(parts)
    return np.array([Fraction(part, scale) for part in parts], dtype=object)
