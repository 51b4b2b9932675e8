"""Properties of games, each decided with a witness.

Every ``is_...`` and ``has_...`` returns a ``Verdict``: true or false in a condition, and with the
reason in words when it is false.

A verdict is a fact of a frozen game: it is decided once and kept with the game.

Payoffs of plays are added up as integers over one denominator: outcomes are few compared with
plays, so they are scaled once, in the words of the machine where sums certainly fit.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import IntArray, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame, choices_to, path_to
from gametheory_core.games.kept import kept_with_game
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_table import CHANCE, NO_OUTCOME, describe_infoset

WORD = 2**63  # integers below it in absolute value fit a word


@dataclass(frozen=True, eq=False)
class WholeNumbers:
    """Rationals as integers over one denominator.

    Attributes:
        numerators: Words only if every numerator fits.
        denominator: Positive; entry = numerator / denominator.
        largest: No numerator is larger in absolute value.
    """

    numerators: NDArray[Any]
    denominator: int
    largest: int


def whole_numbers(values: Sequence[Fraction], *, sums: int = 1) -> WholeNumbers:
    """Write rationals over their least common denominator.

    Args:
        sums: So many numerators are going to be added up: they are words only if each sum fits.
    """
    denominators = [value.denominator for value in values]
    denominator = math.lcm(*set(denominators))
    factors = {own: denominator // own for own in set(denominators)}
    whole = [
        value.numerator * factors[own] for value, own in zip(values, denominators, strict=True)
    ]
    largest = max(map(abs, whole), default=0)
    numerators = np.empty(len(whole), dtype=np.int64 if largest * sums < WORD else object)
    numerators[:] = whole
    return WholeNumbers(numerators, denominator, largest)


def play_payoffs(game: ExtensiveFormGame, *, player: int) -> WholeNumbers:
    """Return what each play pays a player, in the order of ``game.terminals``."""
    return _play_sums(game, [outcome.payoffs[player] for outcome in game.outcomes])


def play_totals(game: ExtensiveFormGame) -> WholeNumbers:
    """Return what each play pays all players together, in the order of ``game.terminals``."""
    return _play_sums(game, [_total(outcome.payoffs) for outcome in game.outcomes])


def play_total(game: ExtensiveFormGame, node: int) -> Fraction:
    """Return what is paid to all players together on the way to a node, and there."""
    total = Fraction(0)
    while node >= 0:
        outcome = int(game.node_outcome[node])
        if outcome != NO_OUTCOME:
            total += _total(game.outcomes[outcome].payoffs)
        node = int(game.parent[node])
    return total


def _total(payoffs: tuple[Fraction, ...]) -> Fraction:
    return sum(payoffs, Fraction(0))


def _play_sums(game: ExtensiveFormGame, paid: list[Fraction]) -> WholeNumbers:
    """Add up what outcomes pay on the way to each terminal history."""
    longest = len(game.level_offset) - 1
    own = whole_numbers([*paid, Fraction(0)], sums=longest)  # the last entry serves NO_OUTCOME
    inner = game.node_infoset >= 0
    if not np.any(game.node_outcome[inner] != NO_OUTCOME):
        at_ends = own.numerators[game.node_outcome[game.terminals]]
        return WholeNumbers(at_ends, own.denominator, own.largest)
    total = own.numerators[game.node_outcome]
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        total[start:stop] += total[game.parent[start:stop]]
    return WholeNumbers(total[game.terminals], own.denominator, own.largest * longest)


NO_ACTION_YET = -1
SHOWN_ENDS = 6


@dataclass(frozen=True)
class Verdict:
    """Whether a property holds, and if not, a sentence that says where it breaks.

    Attributes:
        holds: The decision; also the truth value of the record.
        reason: What breaks the property, by label and value; empty if it holds.
        witness: The same as indices: cells, nodes or information sets, as the function says.
    """

    holds: bool
    reason: str = ""
    witness: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return self.holds


HOLDS = Verdict(True)


@kept_with_game
def is_zero_sum(game: NormalFormGame | ExtensiveFormGame) -> Verdict:
    """Decide whether the players' payoffs sum to exactly zero at every terminal history.

    The witness is the joint action (normal form) or the terminal node (tree).

    >>> from gametheory_core import load_game
    >>> is_zero_sum(load_game("chicken")).reason
    "payoffs at joint action ('straight', 'straight') sum to -20, not 0"
    """
    return _sums_to(game, Fraction(0))


@kept_with_game
def is_constant_sum(game: NormalFormGame | ExtensiveFormGame) -> Verdict:
    """Decide whether the players' payoffs have the same sum at every terminal history.

    >>> from gametheory_core import load_game
    >>> bool(is_constant_sum(load_game("kuhn_poker")))
    True
    """
    return _sums_to(game, payoff_sum(game))


def require_two_player_constant_sum(
    game: NormalFormGame | ExtensiveFormGame, *, remedy: str = ""
) -> None:
    """Refuse a game that has not two players, or is not constant-sum."""
    if game.num_players != 2:
        found = f"{game!r} has {game.num_players}"
        raise UnsupportedGame(needs="two players", found=found, remedy=remedy)
    if not (constant := is_constant_sum(game)):
        raise UnsupportedGame(needs="a constant-sum game", found=constant.reason, remedy=remedy)


def payoff_sum(game: NormalFormGame | ExtensiveFormGame) -> Fraction:
    """Return the sum of the players' payoffs at the first terminal history."""
    if isinstance(game, NormalFormGame):
        return game.first_sum
    return play_total(game, int(game.terminals[0]))


@kept_with_game
def has_perfect_information(game: ExtensiveFormGame) -> Verdict:
    """Decide whether every information set of players is a single node.

    The witness is two nodes of one information set.

    >>> from gametheory_core import load_game
    >>> bool(has_perfect_information(load_game("centipede")))
    True
    """
    decisions = np.flatnonzero(game.node_player >= 0)
    infosets, first, counts = np.unique(
        game.node_infoset[decisions], return_index=True, return_counts=True
    )
    large = np.flatnonzero(counts > 1)
    if not large.size:
        return HOLDS
    infoset = int(infosets[large[0]])
    node = int(decisions[first[large[0]]])
    members = decisions[game.node_infoset[decisions] == infoset]
    other = int(members[1])
    return Verdict(
        False,
        f"{_owner(game, infoset)} cannot tell {_history(game, node)} from {_history(game, other)} "
        f"at {describe_infoset(game.infosets[infoset])}",
        (node, other),
    )


@kept_with_game
def has_perfect_recall(game: ExtensiveFormGame, *, player: int | None = None) -> Verdict:
    """Decide whether players never forget what they knew or did.

    That is: all nodes of an information set follow the same own information sets and actions. The
    witness is a pair of nodes of one information set with different own histories.

    Args:
        player: Ask for one player only. Default: all.

    >>> from gametheory_core import load_game
    >>> bool(has_perfect_recall(load_game("forgetful_bit")))
    False
    """
    for mover in range(game.num_players) if player is None else (player,):
        pairs = _pairs_that_forget(game, mover)
        if pairs:
            return _forgetting(game, mover, *pairs[0])
    return HOLDS


def require_perfect_recall(
    game: ExtensiveFormGame, *, remedy: str, player: int | None = None, whose: str = ""
) -> None:
    """Refuse a game in which a player forgets; the message has the witness.

    Args:
        player: Who must not forget; by default all players.
        whose: The same in words, such as " of the responding player".
    """
    recall = has_perfect_recall(game, player=player)
    if not recall:
        raise UnsupportedGame(needs=f"perfect recall{whose}", found=recall.reason, remedy=remedy)


@kept_with_game
def is_absent_minded(game: ExtensiveFormGame) -> Verdict:
    """Decide whether some path meets an information set twice.

    Here the reason says where it *is*: the witness is the two nodes, one above the other.

    >>> from gametheory_core import load_game
    >>> bool(is_absent_minded(load_game("absent_minded_driver")))
    True
    """
    suspects = {
        int(game.node_infoset[node])
        for player in range(game.num_players)
        for _, node in _pairs_that_forget(game, player)
    }
    for node in np.flatnonzero(np.isin(game.node_infoset, list(suspects))).tolist():
        above = int(game.parent[node])
        while above >= 0 and game.node_infoset[above] != game.node_infoset[node]:
            above = int(game.parent[above])
        if above >= 0:
            return _met_twice(game, above, node)
    return Verdict(False)


def _pairs_that_forget(game: ExtensiveFormGame, player: int) -> list[tuple[int, int]]:
    """Pair the first node of an own information set with each that has another last own action.

    If there is none, own histories agree within every information set, by induction on length.
    """
    nodes = np.flatnonzero(game.node_player == player)
    last = last_own_actions(game, player)[nodes]
    infosets = game.node_infoset[nodes]
    first = np.full(len(game.infosets), game.num_nodes)
    np.minimum.at(first, infosets, nodes)
    first_last = last[np.searchsorted(nodes, first[infosets])]
    bad = np.flatnonzero(first_last != last)
    return [(int(first[infosets[i]]), int(nodes[i])) for i in bad]


@kept_with_game
def last_own_actions(game: ExtensiveFormGame, player: int) -> IntArray:
    """Return, for each node, the player's last flat action on the way there (-1 if none)."""
    last = np.full(game.num_nodes, NO_ACTION_YET, dtype=np.int32)
    own = game.node_player == player
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        last[start:stop] = np.where(own[parent], game.node_action[start:stop], last[parent])
    return freeze(last)


def own_history(game: ExtensiveFormGame, player: int, node: int) -> tuple[str, ...]:
    """Return the labels of the player's own actions on the way to a node."""
    places = zip(path_to(game, node), choices_to(game, node), strict=True)
    return tuple(label for label, (above, _) in places if game.node_player[above] == player)


def _float_sums_hold(game: NormalFormGame, total: Fraction) -> bool:
    """Tell whether floats prove that two players' payoffs sum to the total everywhere.

    The rounded sum and its rounding error, which floats hold exactly (Knuth's two-sum), are one
    number in only one way.
    """
    if game.num_players != 2:
        return False
    floats = game.scaled_floats
    if floats[0] is None or floats[1] is None or floats[0].denominator != floats[1].denominator:
        return False
    first, second = floats[0].numerators, floats[1].numerators
    if not total:
        return np.array_equal(first, -second)
    with np.errstate(over="ignore", invalid="ignore"):  # an overflow is told by its sum
        rounded = first + second
        from_second = rounded - first
        error = (first - (rounded - from_second)) + (second - from_second)
    whole, rest = rounded.flat[0], error.flat[0]
    return bool(
        np.isfinite(rest)
        and np.all(rounded == whole)
        and np.all(error == rest)
        and Fraction(float(whole)) + Fraction(float(rest)) == total * floats[0].denominator
    )


def _sums_to(game: NormalFormGame | ExtensiveFormGame, total: Fraction) -> Verdict:
    if isinstance(game, ExtensiveFormGame):
        return _plays_sum_to(game, total)
    if _float_sums_hold(game, total):
        return HOLDS
    totals = np.sum(game.exact_payoffs, axis=0)
    bad = np.argwhere(totals != total)
    if not bad.size:
        return HOLDS
    index = tuple(int(i) for i in bad[0])
    names = tuple(own[a] for own, a in zip(game.actions, index, strict=True))
    return _sums_differ(f"joint action {names}", index, totals[index], total)


def _plays_sum_to(game: ExtensiveFormGame, total: Fraction) -> Verdict:
    totals = play_totals(game)
    wanted = total * totals.denominator  # whole: the total is 0, or that of the first play
    bad = np.flatnonzero(totals.numerators != wanted.numerator)
    if not bad.size:
        return HOLDS
    node = int(game.terminals[bad[0]])
    return _sums_differ(f"play {_history(game, node)}", (node,), play_total(game, node), total)


def _sums_differ(where: str, witness: tuple[int, ...], found: Fraction, total: Fraction) -> Verdict:
    return Verdict(False, f"payoffs at {where} sum to {found}, not {total}", witness)


def _forgetting(game: ExtensiveFormGame, player: int, node: int, other: int) -> Verdict:
    infoset = game.infosets[game.node_infoset[node]]
    return Verdict(
        False,
        f"player {game.players[player]!r} forgets at {describe_infoset(infoset)}: reached after "
        f"own actions {shortened(own_history(game, player, node))} by {_history(game, node)} and "
        f"after {shortened(own_history(game, player, other))} by {_history(game, other)}",
        (node, other),
    )


def _met_twice(game: ExtensiveFormGame, above: int, node: int) -> Verdict:
    return Verdict(
        True,
        f"{describe_infoset(game.infosets[game.node_infoset[node]])} is met at "
        f"{_history(game, above)} and again at {_history(game, node)}",
        (above, node),
    )


def _history(game: ExtensiveFormGame, node: int) -> str:
    return shortened(path_to(game, node)) if node else "the start"


def _owner(game: ExtensiveFormGame, infoset: int) -> str:
    player = game.infosets[infoset].player
    return "chance" if player == CHANCE else f"player {game.players[player]!r}"


def shortened(labels: tuple[str, ...]) -> str:
    """Show a history, the middle of a long one left out."""
    if len(labels) <= 2 * SHOWN_ENDS:
        return repr(labels)
    first, last = (", ".join(map(repr, end)) for end in (labels[:SHOWN_ENDS], labels[-SHOWN_ENDS:]))
    return f"({first}, ... {len(labels) - 2 * SHOWN_ENDS} more ..., {last})"
