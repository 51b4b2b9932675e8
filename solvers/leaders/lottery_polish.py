"""Local optimization of a leader's mixed actions while the follower's answers stay the same.

Where her answers are fixed, both values are polynomials in the leader's probabilities, and that she
gains by no deviation where play comes are polynomial constraints. The best mixed actions often lie
where several of them are tight at once, which no search along lines finds. Linear programs over a
region of trust go there, as fast as Newton's method where as many are tight as there are
probabilities. Derivatives are imaginary parts of values at complex probabilities, exact up to
rounding. Floats propose mixed actions and prove nothing.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.leaders.commitment_cells import CellGame
from gametheory_core.leaders.policies import StochasticLeader
from solvers._programs.linear import FloatOutcome, solve_float
from solvers.leaders.lottery_search import FloatLeaders, leader_values
from solvers.zero_sum.certified_program import dense_program

IMAGINARY = 1e-30  # step of complex derivatives
STEPS = 25
CLIMBS = 3  # with one policy of the follower's
FIRST_TRUST, LEAST_TRUST = 0.25, 1e-12
PENALTY = 20.0  # units of the leader's for each of the follower's by which she gains
NEAR_TIES = (1e-9, 1e-3, 3e-2)  # of the span, below which answers are tried that are not best
MARGIN = 1e-10  # of the span, by which answers are made best before they are rounded
DENOMINATORS = (8, 64, 4096, 2**20, 2**48)


class Terms(NamedTuple):
    """The leader's value and the follower's gains from her answers, with derivatives.

    Attributes:
        slopes (D,): By probability.
        gains (G,): Over each deviation where play comes.
        gain_slopes (G, D)
    """

    value: float
    slopes: FloatArray
    gains: FloatArray
    gain_slopes: FloatArray


@dataclass(frozen=True, eq=False)
class Polisher:
    """A game laid out for local optimization.

    Attributes:
        places: Of each probability, its observation and action.
        tried: How often each of the follower's policies was climbed with.
    """

    game: CellGame
    floats: FloatLeaders
    places: tuple[tuple[int, int], ...]
    tried: dict[bytes, int] = field(default_factory=dict[bytes, int])


def polisher(game: CellGame, floats: FloatLeaders) -> Polisher:
    """Lay a game out."""
    places = tuple((o, a) for o in game.observations for a in game.view.leader_actions(o))
    return Polisher(game, floats, places)


def polished(own: Polisher, start: FloatArray) -> list[StochasticLeader]:
    """Return rational mixed actions near local optima that are reached from probabilities (D,)."""
    span = own.floats.span
    found: list[StochasticLeader] = []
    for share in NEAR_TIES:
        answers = _answers(own, start, share * span)
        key = np.array(answers).tobytes()
        own.tried[key] = 1 + own.tried.get(key, 0)
        if own.tried[key] > CLIMBS:
            continue
        top = _climbed(own, answers, start, 0.0)
        safe = _climbed(own, answers, top, MARGIN * span)
        found += [rational_leader(own, top, d) for d in DENOMINATORS[:-1]]
        found += [rational_leader(own, safe, d) for d in DENOMINATORS[-2:]]
    return list(dict.fromkeys(found))


def point_values(own: Polisher, points: FloatArray) -> FloatArray:
    """Return what leaders earn, in units, by their probabilities (N, D)."""
    return leader_values(own.floats, _lotteries(own, points))


def _lotteries(own: Polisher, points: Any) -> Any:
    view = own.floats.view
    shape = (len(points), len(view.game.observations[view.leader]), own.floats.rewards.shape[1])
    found = np.zeros(shape, points.dtype)
    observations, actions = np.array(own.places).T
    found[:, observations, actions] = points
    return found


def _answers(own: Polisher, point: FloatArray, near: float) -> list[Any]:
    """Return the follower's answers by step: of those that are nearly best, the leader's best."""
    answers: list[Any] = []

    def choose(options: Any) -> Any:
        other = np.where(own.floats.view.tables.follower_legal, options[0, :, :, 1], -np.inf)
        is_good = other >= other.max(axis=1, keepdims=True) - near
        chosen = np.where(is_good, options[0, :, :, 0], -np.inf).argmax(axis=1)
        answers.append(chosen)
        return chosen

    _walk(own, point[None], choose, [])
    return answers[::-1]


def _walk(own: Polisher, points: Any, choose: Any, seen: list[Any]) -> Any:
    """Work backwards for points (N, D); ``seen`` collects all options, the last step's first."""
    floats = own.floats
    view = floats.view
    count = len(points)
    lotteries = _lotteries(own, points)
    acting = view.leader_observation >= 0
    chances = np.where(acting[:, None], lotteries[:, view.leader_observation], 0)  # (N, S, A)
    rewards = np.einsum("nsa,sabi->nsbi", chances, floats.rewards)
    weight = np.moveaxis(chances[:, :, :, None, None] * floats.weight, 2, 3)
    weight = weight.reshape(*weight.shape[:3], -1)
    after = np.moveaxis(floats.successor, 1, 2).reshape(*weight.shape[1:])
    values = np.zeros((count, len(acting), 2), points.dtype)
    for _ in range(view.horizon):
        later = np.einsum("nsbk,nsbki->nsbi", weight, values[:, after])
        options = rewards + float(view.discount) * later
        chosen = choose(options)
        seen.append((options, weight, after, chosen))
        values = options[:, np.arange(len(acting)), chosen]
        values[:, ~acting] = 0
    return values


def _terms(own: Polisher, answers: list[Any], point: FloatArray) -> Terms:
    size = len(point)
    points = np.repeat(point[None].astype(complex), size, axis=0)
    points[np.arange(size), np.arange(size)] += IMAGINARY * 1j
    left, seen = list(answers), list[Any]()

    def follow(_: Any) -> Any:
        return left.pop()

    total: Any = _walk(own, points, follow, seen)[..., 0] @ own.floats.first
    reached = own.floats.first > 0
    gains: list[Any] = []
    legal = own.floats.view.tables.follower_legal
    for options, weight, after, chosen in reversed(seen):
        states = np.flatnonzero(reached & legal.any(axis=1))
        reached = np.zeros_like(reached)
        for s in states:
            own_gain = options[:, s, chosen[s], 1]
            gains += [own_gain - options[:, s, c, 1] for c in np.flatnonzero(legal[s])]
            used = weight[0, s, chosen[s]].real > 0
            reached[after[s, chosen[s]][used]] = True
    table: Any = np.array(gains)
    return Terms(
        float(total[0].real), total.imag / IMAGINARY, table[:, 0].real, table.imag / IMAGINARY
    )


def _climbed(own: Polisher, answers: list[Any], start: FloatArray, margin: float) -> FloatArray:
    """Climb while answers stay best by a margin, as far as there are such mixed actions."""
    point, trust = start, FIRST_TRUST
    terms = _terms(own, answers, point)
    for _ in range(STEPS):
        step = _best_step(own, terms, point, (trust, margin))
        if step is None:
            return point
        then = _terms(own, answers, step)
        if _merit(then, margin) > _merit(terms, margin) + 1e-14:
            point, terms, trust = step, then, 2 * trust
        else:
            trust = trust / 4
        if trust < LEAST_TRUST:
            break
    return point


def _merit(terms: Terms, margin: float) -> float:
    return terms.value - PENALTY * float(np.maximum(_needed(terms, margin) - terms.gains, 0).sum())


def _needed(terms: Terms, margin: float) -> FloatArray:
    """Return the margin, but nothing of answers against themselves."""
    return np.where(terms.gain_slopes.any(axis=1), margin, 0.0)


def _best_step(
    own: Polisher, terms: Terms, point: FloatArray, limits: tuple[float, float]
) -> FloatArray | None:
    """Solve the linearized problem near a point; gains that are negative are paid for."""
    trust, margin = limits
    used = terms.gain_slopes.any(axis=1)
    slopes, gains = terms.gain_slopes[used], terms.gains[used]
    size, count = len(point), len(gains)
    observations = sorted({o for o, _ in own.places})
    sums = np.array([[float(o == seen) for seen, _ in own.places] for o in observations])
    matrix = np.zeros((count + 2 * size + len(sums), size + count))
    matrix[:count, :size], matrix[:count, size:] = -slopes, -np.eye(count)
    matrix[count : count + size, :size] = np.eye(size)
    matrix[count + size : count + 2 * size, :size] = -np.eye(size)
    matrix[count + 2 * size :, :size] = sums
    objective = np.concatenate([terms.slopes, np.full(count, -PENALTY)])
    program = dense_program(
        matrix,
        objective,
        is_equation=np.arange(len(matrix)) >= count + 2 * size,
        is_free=np.zeros(size + count, dtype=bool),
        bounds=np.concatenate(
            [gains - slopes @ point - margin, point + trust, trust - point, np.ones(len(sums))]
        ),
    )
    solved = solve_float(program)
    if solved.outcome is not FloatOutcome.OPTIMAL:
        return None
    step = np.maximum(solved.primal[:size], 0.0)
    return step / (sums.T @ (sums @ step))


def rational_leader(own: Polisher, point: FloatArray, denominator: int) -> StochasticLeader:
    """Return mixed actions near a point, of denominators up to some number."""
    view = own.game.view
    count = len(view.game.actions[view.leader])
    lotteries: list[tuple[Fraction, ...]] = []
    for o in range(len(view.game.observations[view.leader])):
        shares = {a: point[k] for k, (seen, a) in enumerate(own.places) if seen == o}
        weights = {a: Fraction(float(w)).limit_denominator(denominator) for a, w in shares.items()}
        if not shares:
            legal = view.leader_actions(o)
            weights = {a: Fraction(int(k == 0)) for k, a in enumerate(legal)}
        main = max(weights, key=lambda a: weights[a], default=None)
        if main is not None:
            weights[main] = 1 - sum((w for a, w in weights.items() if a != main), Fraction(0))
        lotteries.append(
            tuple(weights.get(a, Fraction(0)) for a in range(count)) if weights else ()
        )
    return StochasticLeader(tuple(lotteries))
