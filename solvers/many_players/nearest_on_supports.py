"""An exact equilibrium on the supports of one that is nearly exact, where at most two players mix.

With one or two players mixing, what each earns is linear in the other's probabilities ``y``. So
the equilibria on given supports are a polytope for each of the two,

    y >= 0,   sum y == 1,   what is played earns as much as anything,

and one exact linear program finds the point of it that is nearest to ``y`` as floats found it. That
needs no regular equations: where there are many equilibria on the supports, it chooses one. Where
there is none, floats took something for played that is not: it is left out, and the next supports
are tried.
"""

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, as_exact, freeze
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram

Supports: TypeAlias = tuple[tuple[int, ...], ...]
Row: TypeAlias = list[Fraction]

MOST_MIXING = 2
HARDLY = (1e-9, 1e-6, 1e-3)  # played as rarely as this, an action may not be played at all


def exact_near(game: NormalFormGame, found: NashCertificate) -> NashCertificate:
    """Return an exact equilibrium near one that is nearly exact; the same where none is found."""
    profile = cast("MixedProfile", found.profile)
    if not found.epsilon:
        return found
    for played in _likely_supports(game, profile):
        candidate = _nearest(game, profile, played)
        certificate = None if candidate is None else certify_nash(game, candidate)
        if certificate is not None and not certificate.epsilon:
            return certificate
    return found


def _likely_supports(game: NormalFormGame, profile: MixedProfile) -> Iterator[Supports]:
    """Go through the supports and smaller ones, of which at most two have several actions."""
    seen: set[Supports] = set()
    for threshold in (0.0, *HARDLY):
        played = tuple(
            tuple(np.flatnonzero(own > min(threshold, float(own.max()) / 2)).tolist())
            for own in profile.strategies
        )
        for candidate in (played, _best_of(game, played)):
            if candidate not in seen and len(_mixing(candidate)) <= MOST_MIXING:
                seen.add(candidate)
                yield candidate


def _best_of(game: NormalFormGame, played: Supports) -> Supports:
    """Leave out what earns less than another action, where all others play one action each."""
    mixing = _mixing(played)
    best = list(played)
    for player, own in enumerate(played):
        if all(other == player for other in mixing):
            earned = _payoffs(game, played, player, None)[:, 0]
            best[player] = tuple(a for a in own if earned[a] == max(earned[list(own)]))
    return tuple(best)


def _mixing(played: Supports) -> list[int]:
    return [player for player, own in enumerate(played) if len(own) > 1]


def _nearest(game: NormalFormGame, profile: MixedProfile, played: Supports) -> MixedProfile | None:
    """Return the nearest profile on the supports where all play best replies, if there is one."""
    mixing = _mixing(played)
    strategies: list[ExactArray] = []
    for player, own in enumerate(played):
        strategy = np.full(game.num_actions[player], ZERO, dtype=object)
        weights = [ONE]
        if len(own) > 1:
            asked = [k for k in range(len(played)) if k != player and {*mixing} <= {player, k}]
            near = [Fraction(p) for p in profile.strategies[player][list(own)]]
            moved = _nearest_strategy(
                near, [(_payoffs(game, played, k, player), played[k]) for k in asked]
            )
            if moved is None:
                return None
            weights = moved
        strategy[list(own)] = weights
        strategies.append(freeze(strategy))
    return MixedProfile(tuple(strategies))


def _payoffs(
    game: NormalFormGame, played: Supports, player: int, opponent: int | None
) -> ExactArray:
    """Return what a player's actions (rows) earn against an opponent's played ones (columns).

    All others play their first action of those played; one column if there is no opponent.
    """
    places = [
        np.arange(game.num_actions[k]) if k == player else list(own if k == opponent else own[:1])
        for k, own in enumerate(played)
    ]
    table = np.moveaxis(game.given_payoffs[player][np.ix_(*places)], player, 0)
    return as_exact(table.reshape(len(table), -1))


def _nearest_strategy(
    near: list[Fraction], replies: list[tuple[ExactArray, tuple[int, ...]]]
) -> list[Fraction] | None:
    """Return the nearest probabilities against which others' played actions are best replies.

    Columns of the program are the probabilities and how far each is from where it was.

    Args:
        near: Where they were.
        replies: Payoffs of another player's actions (rows) against each of the actions mixed, and
            which of the rows are played.
    """
    size = len(near)
    rows: list[Row] = [[ONE] * size + [ZERO] * size + [ONE]]
    equations = [True]
    for table, own in replies:
        for action, earned in enumerate(table):
            if action != own[0]:
                rows.append([*(earned - table[own[0]]), *[ZERO] * (size + 1)])
                equations.append(action in own)
    for place, value in enumerate(near):
        for sign in (1, -1):
            row = [ZERO] * (2 * size) + [sign * value]
            row[place], row[size + place] = sign * ONE, -ONE
            rows.append(row)
            equations.append(False)
    table = np.array([_whole(row) for row in rows], dtype=object)
    places = np.nonzero(table[:, :-1])
    program = LinearProgram(
        objective=np.array([0] * size + [-1] * size, dtype=object),
        rows=places[0].astype(np.int32),
        columns=places[1].astype(np.int32),
        values=table[places],
        bounds=table[:, -1],
        is_equation=np.array(equations),
        is_free=np.zeros(2 * size, dtype=bool),
    )
    try:
        return solve_exactly(program, None).primal[:size].tolist()
    except InfeasibleProgram:
        return None


def _whole(row: Row) -> list[int]:
    """Multiply by the common denominator."""
    scale = math.lcm(*(value.denominator for value in row))
    return [int(value * scale) for value in row]
