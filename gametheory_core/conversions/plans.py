"""A player's pure plans: reduced ones where the player never forgets, full ones otherwise.

Exact payoffs of joint plans, by float matrix products that cannot round.

The payoff of a joint plan is the sum, over ends of play that all plans allow, of chance's weight
times what is paid there. Over a common denominator these are integers; cut into digits small enough
that no sum of them reaches 2**53, they are multiplied as floats without any rounding.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ExactArray, IntArray, freeze, scaled_integers
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.sequence_form import chance_reach, player_sequences

NOT_REACHED = -1


@dataclass(frozen=True, eq=False)
class PlayerPlans:
    """All plans of one player.

    Attributes:
        player: Whose.
        infosets: Indices of the player's information sets in the game.
        actions (num_plans, num_own_infosets): The action at each own information set;
            ``NOT_REACHED`` where the plan itself rules the set out. In lexicographic order.
    """

    player: int
    infosets: range
    actions: IntArray


def count_plans(game: ExtensiveFormGame, player: int) -> int:
    """Count a player's plans without building them.

    With ``n(s)`` the number of ways to go on after sequence ``s``, ``n(s)`` is the product over own
    information sets ``I`` that follow ``s`` of the sum over actions ``a`` of ``n(I a)``.
    """
    infosets = player_infosets(game, player)
    if not has_perfect_recall(game, player=player):
        return math.prod(len(game.infosets[s].actions) for s in infosets)
    own = player_sequences(game, player)
    ways = [1] * own.num_sequences
    for k in reversed(range(len(infosets))):
        start, stop = int(own.first_sequence[k]), int(own.first_sequence[k + 1])
        ways[int(own.parent_sequence[k])] *= sum(ways[start:stop])
    return ways[0]


def player_plans(game: ExtensiveFormGame, player: int) -> PlayerPlans:
    """List a player's plans, one information set at a time in order of first visit."""
    infosets = player_infosets(game, player)
    forgets = not has_perfect_recall(game, player=player)
    parents = [0] * len(infosets) if forgets else _parent_actions(game, player)
    table = np.zeros((1, 0), dtype=np.int32)
    is_chosen = np.ones((1, 1), dtype=bool)  # (plans, sequences so far); sequence 0 is empty
    for k, infoset in enumerate(infosets):
        count = len(game.infosets[infoset].actions)
        reached = is_chosen[:, parents[k]]
        copies = np.where(reached, count, 1)
        first = np.repeat(np.cumsum(copies) - copies, copies)
        action = np.arange(len(first)) - first
        column = np.where(np.repeat(reached, copies), action, NOT_REACHED).astype(np.int32)
        table = np.column_stack([np.repeat(table, copies, axis=0), column])
        chosen_here = column[:, None] == np.arange(count)
        is_chosen = np.concatenate([np.repeat(is_chosen, copies, axis=0), chosen_here], axis=1)
    return PlayerPlans(player, infosets, freeze(table.astype(np.int32)))


def plan_labels(game: ExtensiveFormGame, own: PlayerPlans) -> tuple[str, ...]:
    """Name plans by their actions, ``*`` where not reached; by numbers if names would collide."""
    if not own.infosets:
        return ("-",)
    tokens = [game.infosets[s].actions for s in own.infosets]
    named = [tuple(label or f"#{a + 1}" for a, label in enumerate(labels)) for labels in tokens]
    labels = _joined(own, named)
    if len(set(labels)) == len(labels):
        return labels
    return _joined(own, [tuple(f"#{a + 1}" for a in range(len(row))) for row in tokens])


def compatible_terminals(game: ExtensiveFormGame, own: PlayerPlans) -> NDArray[np.bool_]:
    """Tell which ends of play each plan allows, shape (num_plans, num_terminals)."""
    allows = np.ones((game.num_nodes, len(own.actions)), dtype=bool)
    choices = own.actions.T
    moves = game.node_player == own.player
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        allows[start:stop] = allows[parent]
        moved = start + np.flatnonzero(moves[parent])
        above = game.parent[moved]
        position = moved - game.first_child[above]
        allows[moved] &= choices[game.node_infoset[above] - own.infosets.start] == position[:, None]
    return freeze(np.ascontiguousarray(allows[game.terminals].T))


def _parent_actions(game: ExtensiveFormGame, player: int) -> list[int]:
    parents: NDArray[Any] = player_sequences(game, player).parent_sequence
    return parents.tolist()


def _joined(own: PlayerPlans, tokens: list[tuple[str, ...]]) -> tuple[str, ...]:
    separator = "" if all(len(t) == 1 and t != "*" for row in tokens for t in row) else " / "
    return tuple(
        separator.join("*" if a < 0 else row[a] for row, a in zip(tokens, plan, strict=True))
        for plan in own.actions.tolist()
    )


FLOAT_BITS = 53


def plan_payoffs(
    game: ExtensiveFormGame,
    plans: tuple[PlayerPlans, ...],
    *,
    on_iteration: Callable[[int], None] | None = None,
) -> ExactArray:
    """Return payoffs of all joint plans, exact, shape (num_players, *num_plans).

    ``on_iteration`` is called after each matrix product with their number so far, and may raise.
    """
    report = on_iteration or _silent
    products = 0
    weights = chance_reach(game)[game.terminals]
    allowed = [compatible_terminals(game, own).astype(np.float64) for own in plans]
    shape = tuple(len(own.actions) for own in plans)
    out = np.empty((game.num_players, *shape), dtype=object)
    for player in range(game.num_players):
        scaled = scaled_integers(weights * game.exact_terminal_payoffs[:, player])
        total = np.zeros(shape, dtype=object)
        base = 1 << _digit_bits(len(weights))
        place = 1
        for digit in _digits(scaled.numerators.tolist(), base):
            total += _contracted(allowed, digit).astype(np.int64).astype(object) * place
            place *= base
            products += 1
            report(products)
        out[player] = _over(total, scaled.denominator)
    return out


def _silent(_products: int) -> None:
    pass


def _digit_bits(num_terms: int) -> int:
    return FLOAT_BITS - 1 - num_terms.bit_length()


def _digits(values: list[int], base: int) -> list[NDArray[np.float64]]:
    """Cut integers into digits of absolute value below ``base``, lowest first."""
    digits: list[NDArray[np.float64]] = []
    signs = [-1 if value < 0 else 1 for value in values]
    rest = [abs(value) for value in values]
    while any(rest):
        low = [s * (value % base) for s, value in zip(signs, rest, strict=True)]
        digits.append(np.array(low, dtype=np.float64))
        rest = [value // base for value in rest]
    return digits


def _contracted(allowed: list[NDArray[np.float64]], digit: NDArray[Any]) -> NDArray[np.float64]:
    """Sum ``digit`` over the ends that each joint plan allows, by matrix products."""
    if len(allowed) == 1:
        return allowed[0] @ digit
    leading, (rows, columns) = allowed[:-2], allowed[-2:]
    shape = tuple(len(matrix) for matrix in allowed)
    out = np.empty(shape)
    for joint in product(*(range(len(matrix)) for matrix in leading)):
        live = digit != 0
        for matrix, plan in zip(leading, joint, strict=True):
            live = live & (matrix[plan] > 0)
        ends = np.flatnonzero(live)
        out[joint] = (rows[:, ends] * digit[ends]) @ columns[:, ends].T
    return out


def _over(numerators: ExactArray, denominator: int) -> ExactArray:
    known = {value: Fraction(value, denominator) for value in set(numerators.ravel().tolist())}
    out = np.empty(numerators.size, dtype=object)
    out[:] = [known[value] for value in numerators.ravel().tolist()]
    return out.reshape(numerators.shape)
