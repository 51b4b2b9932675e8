"""Exact potential games: one function says what every change of action gains whoever changes.

    u_i(b, a_-i) - u_i(a) = P(b, a_-i) - P(a)      for all players i, joint actions a, actions b.

A normal form has such a potential if and only if payoffs of movers add up to 0 around every cycle
of four steps in which two players change their actions and change them back (Monderer and Shapley
1996). It is unique but for a constant.
"""

from itertools import combinations
from typing import Any

import numpy as np

from gametheory_core.arrays import ExactArray, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import HOLDS, Verdict


@kept_with_game
def is_potential_game(game: NormalFormGame) -> Verdict:
    """Decide whether a game has an exact potential.

    The witness is a cycle: a joint action, the two players who move in turn, and the actions that
    they change to.

    >>> from gametheory_core import load_game
    >>> bool(is_potential_game(load_game("prisoners_dilemma")))
    True
    >>> is_potential_game(load_game("matching_pennies")).reason
    "players 'Even' and 'Odd' gain 8 in all around the cycle from ('heads', 'heads') in which they \
change to 'tails' and 'tails' and back, one after the other"
    """
    require_normal_form(game)
    payoffs = game.exact_payoffs
    for i, j in combinations(range(game.num_players), 2):
        gains = _around(payoffs[i], i, j) - _around(payoffs[j], i, j)
        bad = np.argwhere(gains != 0)
        if bad.size:
            joint = [int(a) for a in bad[0]]
            to = (joint[i], joint[j])
            start = [0 if k in (i, j) else a for k, a in enumerate(joint)]
            names = tuple(own[a] for own, a in zip(game.actions, start, strict=True))
            return Verdict(
                False,
                f"players {game.players[i]!r} and {game.players[j]!r} gain "
                f"{abs(gains[tuple(joint)])} in all around the cycle from {names} in which they "
                f"change to {game.actions[i][to[0]]!r} and {game.actions[j][to[1]]!r} and back, "
                "one after the other",
                (*start, i, j, *to),
            )
    return HOLDS


def _around(payoffs: Any, i: int, j: int) -> Any:
    """Return ``u(a, b) - u(0, b) - u(a, 0) + u(0, 0)`` for the actions of two players."""
    lead = payoffs - np.take(payoffs, [0], axis=i)
    return lead - np.take(lead, [0], axis=j)


def exact_potential(game: NormalFormGame) -> ExactArray:
    """Return the potential of each joint action, 0 where all play their first action.

    Shape ``game.num_actions``; read-only.

    Raises:
        UnsupportedGame: If there is none; has the witness.

    >>> from gametheory_core import load_game
    >>> exact_potential(load_game("prisoners_dilemma")).astype(int).tolist()
    [[0, 2], [2, 3]]
    """
    verdict = is_potential_game(game)
    if not verdict:
        raise UnsupportedGame(
            needs="a game with an exact potential", found=verdict.reason, witness=verdict.witness
        )
    total: Any = np.zeros(game.num_actions, dtype=object)
    rest: Any = game.exact_payoffs
    for i in range(game.num_players):  # players leave their first action one after the other
        own = rest[i]
        total = total + own - np.take(own, [0], axis=i)
        rest = np.take(rest, [0], axis=1 + i)
    return freeze(np.broadcast_to(total, game.num_actions).copy())
