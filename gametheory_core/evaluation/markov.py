"""Values of Markov profiles, by time and state, and of best responses to them.

With a horizon, backwards in rationals. Without one, stationary values solve
``v = r + gamma P v``: floats find them, residuals in integers refine them to hundreds of bits, and
where their denominators are short, the exact rationals are recovered and proved by substitution.
"""

from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import (
    ZERO,
    ExactArray,
    FloatArray,
    freeze,
    object_array,
    scaled_integers,
)
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.stages import action_payoffs, stage_payoffs
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.strategies.markov import Lottery, MarkovProfile, pure_lottery

Values: TypeAlias = tuple[tuple[tuple[Fraction, ...], ...], ...]  # [t][state][player]
Row: TypeAlias = tuple[tuple[Lottery, ...], ...]

BITS = 512  # to which stationary values are refined
ROUGH_BITS = 50  # while best responses are searched for
DENSE = 1500  # states up to which linear systems are solved by elimination
MOST_REFINEMENTS = 100
MOST_SWEEPS = 100_000
FLOAT_ACCURACY = 2.0**-40  # relative, of a solution in floats that is worth adding


def has_one_round(view: MarkovView, profile: MarkovProfile) -> bool:
    """Tell whether values are the same at all times: stationary play without a horizon."""
    return profile.is_stationary and view.game.horizon is None


def require_endless_values(view: MarkovView) -> None:
    """Refuse games without a horizon whose values need not be finite or unique."""
    if view.game.horizon is None and view.contraction >= 1:
        raise UnsupportedGame(
            needs="a horizon, a discount below 1, or a chance that play ends at each step",
            found=f"{view.game!r} has discount {view.game.discount}, and {_sure_to_go_on(view)}",
            remedy="Stop it: stop_posg(game, steps=...), or give a discount.",
        )


def _sure_to_go_on(view: MarkovView) -> str:
    kernel = view.game.transition_kernel
    ends = view.game.terminal[kernel.outcome]
    for state in view.acting.tolist():
        for row in view.stage_rows(state).ravel().tolist():
            if not ends[kernel.row(row)].any():
                code = int(view.game.row_key[row]) % view.game.num_joint_actions
                label = view.game.joint_action(code)
                return f"play surely continues after {label!r} in state {view.game.states[state]!r}"
    return "play may continue forever"


def markov_values(view: MarkovView, profile: MarkovProfile) -> Values:
    """Return what the profile pays from each time and state on.

    Returns:
        By time, state and player; one row for all times if play is stationary and has no horizon.
        Empty where nobody acts. Exact with a horizon; else exact, or with an error far below that
        of floats.

    Raises:
        UnsupportedGame: If there is no horizon, and neither discount nor ends make each step count
            less.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> from gametheory_core.strategies import uniform_markov_profile
    >>> dilemma = RepeatedGame.of("prisoners_dilemma", rounds=None, discount=Fraction(9, 10))
    >>> view = markov_view(dilemma)
    >>> markov_values(view, uniform_markov_profile(view))[0][0]
    (Fraction(45, 2), Fraction(45, 2))
    """
    if has_one_round(view, profile):
        require_endless_values(view)
        return (_rows(view, view.acting, chain_values(view, profile.at(0))),)
    return _backwards(view, profile, best=False)


def best_values(view: MarkovView, profile: MarkovProfile, values: Values) -> Values:
    """Return what each player could get at most from each time and state on.

    Args:
        values: What the profile pays: ``markov_values(view, profile)``.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> from gametheory_core.strategies import uniform_markov_profile
    >>> view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0))
    >>> evenly = uniform_markov_profile(view)
    >>> [str(value) for value in best_values(view, evenly, markov_values(view, evenly))[0][0]]
    ['6', '6']
    """
    if not has_one_round(view, profile):
        return _backwards(view, profile, best=True)
    best = dense_values(view, values[0])
    table: ExactArray = np.full(best.shape, ZERO, dtype=object)
    for player in range(view.num_players):
        table[:, player] = _best_stationary(view, profile.at(0), player, best)
    return (_rows(view, view.acting, table),)


def dense_values(view: MarkovView, row: tuple[tuple[Fraction, ...], ...]) -> ExactArray:
    """Return values of one time as an exact array (num_states, N), 0 where nobody acts."""
    table: ExactArray = np.full((view.num_states, view.num_players), ZERO, dtype=object)
    for state, own in enumerate(row):
        if own:
            table[state] = own
    return freeze(table)


def _rows(view: MarkovView, acting: Any, table: ExactArray) -> tuple[tuple[Fraction, ...], ...]:
    rows: list[tuple[Fraction, ...]] = [()] * view.num_states
    for state in acting.tolist():
        rows[state] = tuple(cast("list[Fraction]", table[state].tolist()))
    return tuple(rows)


def _backwards(view: MarkovView, profile: MarkovProfile, *, best: bool) -> Values:
    rounds: list[tuple[tuple[Fraction, ...], ...]] = []
    after: ExactArray = np.full((view.num_states, view.num_players), ZERO, dtype=object)
    for time in reversed(range(len(view.layers))):
        paid = stage_payoffs(view, after)
        table: ExactArray = np.full(after.shape, ZERO, dtype=object)
        for state in view.layers[time].tolist():
            lotteries = profile.at(time)[state]
            for player in range(view.num_players):
                found = action_payoffs(view, state, player, lotteries, paid[player])
                table[state, player] = max(found.each) if best else found.own
        rounds.append(_rows(view, view.layers[time], table))
        after = table
    return tuple(reversed(rounds))


def _best_stationary(view: MarkovView, row: Row, player: int, start: ExactArray) -> ExactArray:
    """Improve a player's actions until none is better: policy iteration (Howard 1960).

    First roughly, then with all bits, so that long numbers are computed once or twice.
    """
    values, own = start, row
    for bits in (ROUGH_BITS, BITS):
        for _ in range(MOST_REFINEMENTS):
            better = _improved(view, own, player, values, bits // 2)
            if better == own:
                break
            own = better
            values = chain_values(view, own, bits=bits)
        values = chain_values(view, own)
    return values[:, player]


def _improved(view: MarkovView, row: Row, player: int, values: ExactArray, bits: int) -> Row:
    """Return distributions in which a player takes actions that gain more than rounding errors."""
    own = values[:, player]
    paid = stage_payoffs(view, values)[player]
    least = (1 + max(map(abs, own.tolist()))) / (1 << bits)
    better = list(row)
    for state in view.acting.tolist():
        found = action_payoffs(view, state, player, row[state], paid)
        best = max(found.each)
        if best > found.own + least:
            action = view.legal[state][player][found.each.index(best)]
            pure = pure_lottery(action, len(view.game.actions[player]))
            better[state] = (*row[state][:player], pure, *row[state][player + 1 :])
    return tuple(better)


class _Chain(NamedTuple):
    """A Markov chain over the acting states, numbers over a denominator for each state.

    Attributes:
        weight (num_entries,): ``gamma P``, entries of a state one after the other.
        state, outcome (num_entries,): Position among the acting states, or ``num_acting`` where
            play ends.
        start (num_acting,)
        rewards (num_acting, N)
        denominator (num_acting,)
    """

    weight: ExactArray
    state: Any
    outcome: Any
    start: Any
    rewards: ExactArray
    denominator: ExactArray


def chain_values(view: MarkovView, row: Row, *, bits: int = BITS) -> ExactArray:
    """Return the stationary values of the distributions of each state, (num_states, N).

    Exact if their denominators have less than about ``bits / 2`` bits, else with an error of about
    ``2 ** -bits`` relative to the largest.
    """
    table: ExactArray = np.full((view.num_states, view.num_players), ZERO, dtype=object)
    if not view.acting.size:
        return freeze(table)
    chain = _chain(view, row)
    solve = _float_solver(chain)
    count, players = chain.rewards.shape
    values = np.zeros((count + 1, players), dtype=object)  # times 2**shift
    shift, known = 0, 0
    for _ in range(MOST_REFINEMENTS):
        residual, size = _residual(chain, values, shift)
        if size is None or known > bits:
            break
        step = solve(residual)
        fresh = np.vectorize(int, otypes=[object])(np.rint(np.ldexp(step, 40)))
        target = size + 40  # bits after the point that the step speaks of
        if target > shift:
            values = values << (target - shift)
            shift = target
        values[:count] += fresh << (shift - target)
        known = target
    found = np.full((count, players), ZERO, dtype=object)
    found[:] = [[Fraction(x, 1 << shift) for x in own] for own in values[:count].tolist()]
    table[view.acting] = found if bits <= ROUGH_BITS else _recovered(chain, found, bits)
    return freeze(table)


def _chain(view: MarkovView, row: Row) -> _Chain:
    kernel, rewards = view.game.transition_kernel, view.rewards
    discount = view.game.discount
    parts: list[tuple[Any, Any]] = []
    scales: list[int] = []
    for state in view.acting.tolist():
        weights, scale = _joint(view, state, row[state])
        rows = view.stage_rows(state).ravel()
        parts.append((weights, rows))
        scales.append(scale)
    sizes = np.array([len(rows) for _, rows in parts], dtype=np.int64)
    weight = np.concatenate([w for w, _ in parts]) if parts else np.zeros(0, dtype=object)
    rows = np.concatenate([r for _, r in parts]) if parts else np.zeros(0, dtype=np.int64)
    owner = np.repeat(np.arange(len(parts)), sizes)
    used = np.flatnonzero(weight)
    weight, rows, owner = weight[used], rows[used], owner[used]
    first = np.searchsorted(owner, np.arange(len(parts)))
    step = kernel.scaled.denominator * discount.denominator
    paid = np.add.reduceat(weight[:, None] * rewards.numerators[rows], first, axis=0) * step
    which, entry = kernel.entries(rows)
    place = np.full(view.num_states, len(parts), dtype=np.int64)
    place[view.acting] = np.arange(len(parts))
    down = discount.numerator * rewards.denominator
    return _Chain(
        weight=weight[which] * kernel.scaled.numerators[entry] * down,
        state=owner[which],
        outcome=place[kernel.outcome[entry]],
        start=np.searchsorted(owner[which], np.arange(len(parts))),
        rewards=paid,
        denominator=np.array(scales, dtype=object) * (step * rewards.denominator),
    )


def _joint(view: MarkovView, state: int, lotteries: tuple[Lottery, ...]) -> tuple[Any, int]:
    weights: Any = np.ones((), dtype=object)
    scale = 1
    for own, legal in zip(lotteries, view.legal[state], strict=True):
        scaled = scaled_integers(object_array([own[a] for a in legal]))
        weights = np.multiply.outer(weights, scaled.numerators)
        scale *= scaled.denominator
    return weights.ravel(), scale


def _residual(chain: _Chain, values: Any, shift: int) -> tuple[FloatArray, int | None]:
    """Return ``r + gamma P v - v`` as floats times ``2**size``; None as size if it is zero."""
    moved = np.add.reduceat(chain.weight[:, None] * values[chain.outcome], chain.start, axis=0)
    down = chain.denominator[:, None]
    exact = (chain.rewards << shift) + moved - values[:-1] * down
    if not exact.any():
        return np.zeros(exact.shape), None
    floats = np.array(
        [
            [x / (d << shift) for x in own]
            for own, d in zip(exact.tolist(), chain.denominator.tolist(), strict=True)
        ]
    )
    size = -int(np.frexp(np.abs(floats).max())[1])
    return np.ldexp(floats, size), size


def _float_solver(chain: _Chain) -> Any:
    """Return a function that solves ``(I - gamma P) x = b`` in floats."""
    count = len(chain.denominator)
    down = chain.denominator[chain.state].tolist()
    weight = np.array([w / d for w, d in zip(chain.weight.tolist(), down, strict=True)])
    inside = chain.outcome < count
    place = (chain.state[inside], chain.outcome[inside])
    weight = weight[inside]
    if count <= DENSE:
        matrix = np.eye(count)
        np.subtract.at(matrix, place, weight)
        inverse = np.linalg.inv(matrix)

        def multiply(right: FloatArray) -> FloatArray:
            return inverse @ right

        return multiply

    def sweep(right: FloatArray) -> FloatArray:
        found = right.copy()
        for _ in range(MOST_SWEEPS):
            moved = np.stack(
                [np.bincount(place[0], weight * own[place[1]], minlength=count) for own in found.T],
                axis=1,
            )
            change = float(np.abs(right + moved - found).max())
            found = right + moved
            if change <= FLOAT_ACCURACY:
                break
        return found

    return sweep


def _recovered(chain: _Chain, found: ExactArray, bits: int) -> ExactArray:
    """Return the rationals with short denominators nearby if they solve the equations exactly."""
    most = 1 << (bits // 2 - 8)
    near = np.full((len(found) + 1, found.shape[1]), ZERO, dtype=object)
    near[:-1] = [[x.limit_denominator(most) for x in own] for own in found.tolist()]
    moved = np.add.reduceat(chain.weight[:, None] * near[chain.outcome], chain.start, axis=0)
    is_exact = np.all(chain.rewards + moved == near[:-1] * chain.denominator[:, None])
    return near[:-1] if is_exact else found
