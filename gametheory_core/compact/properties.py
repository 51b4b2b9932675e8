"""Whether the payoffs of a polymatrix game sum to a constant, decided without joint actions.

What all players get together is a sum over edges of ``w(a, b) = A(a, b) + B(a, b)``. It does not
depend on the joint action exactly if each ``w`` is a sum ``f(a) + g(b)``, and what these give each
player for each of its actions adds up to the same (Cai, Candogan, Daskalakis and Papadimitriou
2016).
"""

from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.compact.anonymous import AnonymousGame
from gametheory_core.compact.congestion import CongestionGame
from gametheory_core.compact.kinds import require_compact
from gametheory_core.compact.payoffs import pure_payoffs
from gametheory_core.compact.polymatrix import PolymatrixGame
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.games.properties import HOLDS, Verdict


@kept_with_game
def is_constant_sum_polymatrix(game: PolymatrixGame) -> Verdict:
    """Decide whether payoffs have the same sum at every joint action, in polynomial time.

    The witness is two joint actions, one after the other, at which they have not.

    >>> from gametheory_core import compact, load_game
    >>> bool(compact.is_constant_sum_polymatrix(load_game("ring_of_pennies:players=5")))
    True
    """
    require_compact(game, PolymatrixGame)
    base = [0] * game.num_players
    sums: list[Any] = [np.full(n, ZERO, dtype=object) for n in game.num_actions]
    for edge, (i, j) in enumerate(game.edges.tolist()):
        both = game.bimatrix(edge).sum(axis=0)
        sums[i] = sums[i] + both[:, 0]
        sums[j] = sums[j] + both[0]
        bent = np.argwhere(both - both[:, :1] - both[:1] + both[0, 0] != 0)
        if bent.size:
            a, b = bent[0].tolist()
            corners = [_changed(base, {i: x, j: y}) for x, y in ((0, 0), (a, 0), (0, b), (a, b))]
            return _differing(game, corners)
    for i, own in enumerate(sums):
        bad = np.flatnonzero(own != own[0])
        if bad.size:
            return _differing(game, [tuple(base), _changed(base, {i: int(bad[0])})])
    return HOLDS


def _changed(base: list[int], changes: dict[int, int]) -> tuple[int, ...]:
    return tuple(changes.get(k, action) for k, action in enumerate(base))


def _differing(game: PolymatrixGame, joints: list[tuple[int, ...]]) -> Verdict:
    """Return two of some joint actions with different sums; there are some."""
    first = joints[0]
    total = _total(game, first)
    other = next(joint for joint in joints if _total(game, joint) != total)
    changed = [
        f"{game.players[k]!r} plays {game.actions[k][a]!r}"
        for k, a in enumerate(other)
        if a != first[k]
    ]
    return Verdict(
        False,
        f"payoffs sum to {payoff_text(total)} where all play their first action, and to "
        f"{payoff_text(_total(game, other))} "
        f"where {' and '.join(changed)}",
        (*first, *other),
    )


def _total(game: PolymatrixGame, joint: tuple[int, ...]) -> Fraction:
    return sum(pure_payoffs(game, joint), ZERO)


def players_are_alike(game: AnonymousGame | CongestionGame) -> Verdict:
    """Tell whether a game of counts is symmetric: the same for all players.

    >>> from gametheory_core import compact, load_game
    >>> bool(compact.players_are_alike(load_game("el_farol")))
    True
    """
    require_compact(game, AnonymousGame, CongestionGame)
    if isinstance(game, AnonymousGame):
        reason = "" if game.is_symmetric else "each player has payoffs of its own"
    else:
        other = next((i for i, uses in enumerate(game.uses) if uses != game.uses[0]), None)
        reason = "" if other is None else f"player {other + 1} has other actions than player 1"
    return Verdict(not reason, reason)
