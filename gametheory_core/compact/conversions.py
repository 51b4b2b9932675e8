"""Compact games as normal forms and back; profiles are the same on both sides.

A payoff tensor is polymatrix exactly if each player's payoff is a sum of terms in its own action
and one other's. With ``0`` the first action of everybody, the only candidate is

    u_i(a) = u_i(a_i, 0) + sum over j of  (u_i(a_i, a_j, 0) - u_i(a_i, 0)),

so that it is enough to compare it with the tensor at each joint action.
"""

import math
from itertools import combinations
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import counted, require_integer
from gametheory_core.arrays import ZERO, NumberArray, freeze, object_array
from gametheory_core.compact.graphical import GraphicalGame
from gametheory_core.compact.kinds import CompactGame, require_compact
from gametheory_core.compact.payoffs import pure_values
from gametheory_core.compact.polymatrix import Pair, PolymatrixGame
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import HOLDS, Verdict

MOST_PROFILES = 100_000
MOST_AXES = 63  # of a numpy array, the players' axis apart


def compact_to_normal(game: CompactGame, *, max_profiles: int = MOST_PROFILES) -> NormalFormGame:
    """List what every joint action pays; a mixed profile of one game is one of the other.

    Args:
        max_profiles: Refuse to list more joint actions.

    Raises:
        UnsupportedGame: If there are more; says how many, before any is listed.

    >>> from gametheory_core import compact, load_game
    >>> compact.compact_to_normal(load_game("pigou:players=3"))
    NormalFormGame("Pigou's two roads", 3 players, 2 x 2 x 2 actions)
    """
    require_compact(game)
    require_integer(max_profiles, name="max_profiles", low=1)
    size = math.prod(game.num_actions)
    if size > max_profiles or game.num_players > MOST_AXES:
        raise UnsupportedGame(
            needs=f"at most {max_profiles:,} joint actions of at most {MOST_AXES} players",
            found=f"{game!r} has {counted(size)} joint actions, each with {game.num_players} "
            "payoffs",
            remedy="Solve the game itself, or raise max_profiles.",
            argument="max_profiles",
        )
    if isinstance(game, PolymatrixGame):
        payoffs = _edges_summed(game)
    elif isinstance(game, GraphicalGame):
        payoffs = [_over_all(game, i) for i in range(game.num_players)]
    else:
        payoffs = _listed(game)
    return NormalFormGame(game.players, game.actions, freeze(np.stack(payoffs)), game.title)


def _edges_summed(game: PolymatrixGame) -> list[NumberArray]:
    payoffs = [np.full(game.num_actions, ZERO, dtype=object) for _ in game.players]
    for edge, (i, j) in enumerate(game.edges.tolist()):
        shape = [n if k in (i, j) else 1 for k, n in enumerate(game.num_actions)]
        for player, table in zip((i, j), game.bimatrix(edge), strict=True):
            payoffs[player] = payoffs[player] + table.reshape(shape)
    return payoffs


def _over_all(game: GraphicalGame, player: int) -> NumberArray:
    """Repeat a player's table along the axes of those who do not matter."""
    axes = (player, *game.neighbors[player])
    order = sorted(range(len(axes)), key=axes.__getitem__)
    shape = [n if k in axes else 1 for k, n in enumerate(game.num_actions)]
    table = np.transpose(game.table(player), order).reshape(shape)
    return np.broadcast_to(table, game.num_actions)


def _listed(game: CompactGame) -> list[NumberArray]:
    payoffs = [np.empty(game.num_actions, dtype=object) for _ in game.players]
    for joint in np.ndindex(*game.num_actions):
        for i, own in enumerate(payoffs):
            own[joint] = pure_values(game, joint, i)[joint[i]]
    return payoffs


def is_polymatrix(game: NormalFormGame) -> Verdict:
    """Decide whether payoffs are sums of terms in the actions of two players each.

    The witness is a joint action at which they are not, and then whose payoff it is.

    >>> from gametheory_core import compact, load_game
    >>> bool(compact.is_polymatrix(load_game("chicken")))
    True
    """
    require_normal_form(game)
    for player in range(game.num_players):
        payoffs = game.exact_payoffs[player]
        guess = _own_part(payoffs, player)
        for other in _others(game, player):
            guess = guess + _pair_part(payoffs, player, other)
        bad = np.argwhere(guess != payoffs)
        if bad.size:
            joint = tuple(int(a) for a in bad[0])
            names = tuple(own[a] for own, a in zip(game.actions, joint, strict=True))
            return Verdict(
                False,
                f"player {game.players[player]!r} gets {payoffs[joint]} at joint action {names}, "
                f"where terms for pairs of players add up to {guess[joint]}",
                (*joint, player),
            )
    return HOLDS


def _others(game: NormalFormGame, player: int) -> list[int]:
    return [j for j in range(game.num_players) if j != player]


def _own_part(payoffs: Any, player: int) -> Any:
    """Return what own actions get where all others play their first action, all axes kept."""
    place = tuple(slice(None) if k == player else slice(0, 1) for k in range(payoffs.ndim))
    return payoffs[place]


def _pair_part(payoffs: Any, player: int, other: int) -> Any:
    """Return what another's action changes in that."""
    kept = (player, other)
    place = tuple(slice(None) if k in kept else slice(0, 1) for k in range(payoffs.ndim))
    return payoffs[place] - _own_part(payoffs, player)


def normal_to_polymatrix(game: NormalFormGame) -> PolymatrixGame:
    """Write a normal form as a polymatrix game; a mixed profile of one is one of the other.

    Edges on which nobody's action matters are left out.

    Raises:
        UnsupportedGame: If payoffs are no sums of terms for pairs of players; has the witness.

    >>> from gametheory_core import compact, load_game
    >>> compact.normal_to_polymatrix(load_game("chicken"))
    PolymatrixGame('Chicken', 2 players, 1 edge, 2 actions each)
    """
    verdict = is_polymatrix(game)
    if not verdict:
        raise UnsupportedGame(
            needs="payoffs that are sums of terms for pairs of players",
            found=verdict.reason,
            remedy="Solve the normal form.",
            witness=verdict.witness,
        )
    if game.num_players == 1:
        raise UnsupportedGame(
            needs="at least two players", found=f"{game!r} has one", remedy="Solve the normal form."
        )
    tables: dict[tuple[int, int], Any] = {}
    for player in range(game.num_players):
        payoffs = game.exact_payoffs[player]
        others = _others(game, player)
        for other in others:
            part = _pair_part(payoffs, player, other)
            if other == others[0]:  # what does not depend on others goes to the first edge
                part = part + _own_part(payoffs, player)
            shape = [game.num_actions[k] for k in sorted((player, other))]
            tables[player, other] = np.broadcast_to(
                part, [n if k in (player, other) else 1 for k, n in enumerate(game.num_actions)]
            ).reshape(shape)
    pairs = [
        (i, j)
        for i, j in combinations(range(game.num_players), 2)
        if any(tables[i, j].flat) or any(tables[j, i].flat)
    ]
    return _of_tables(game, pairs, tables)


def _of_tables(
    game: NormalFormGame, pairs: list[Pair], tables: dict[tuple[int, int], Any]
) -> PolymatrixGame:
    flat = [value for i, j in pairs for t in (tables[i, j], tables[j, i]) for value in t.flat]
    return PolymatrixGame(
        players=game.players,
        actions=game.actions,
        edges=cast("Any", np.array(pairs, dtype=np.int32).reshape(-1, 2)),
        given_payoffs=object_array(flat),
        title=game.title,
    )
