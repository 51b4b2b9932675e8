"""Trees prepared for the evaluation of many profiles: who has done what, at each end of play.

A player's *history* is the sequence of own actions so far; with perfect recall, histories are the
player's sequences. How likely the others let a play happen depends on their histories alone, so
plays on which all histories agree are merged.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray, IntArray, as_float, freeze
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import Verdict, has_perfect_recall, is_constant_sum
from gametheory_core.strategies.sequences import chance_reach, player_sequences

if TYPE_CHECKING:
    from solvers._kernels.tree_replies import ReplyTable


@dataclass(frozen=True, eq=False, repr=False)
class EvaluationTables:
    """A tree, prepared for the evaluation of many profiles.

    Attributes:
        game: Any number of players, any payoffs; players may forget.
        recall: Whether each player recalls perfectly, and if not, where that breaks.
        history_before, history_action (num_histories,): Each history's last action, as a flat
            action of the game, and the history before that; -1 for empty histories. Players'
            histories follow one another.
        first_history (num_players + 1,): Where each player's histories start.
        class_histories (num_classes, num_players): The players' histories at ends of play that pay;
            equal rows merged.
        class_payoffs (num_classes, num_players): Payoffs less the ``middle``, times chance's
            probability, summed.
        middle (num_players,): Half-way between each player's extreme payoffs.
    """

    game: ExtensiveFormGame
    recall: tuple[Verdict, ...]
    history_before: IntArray
    history_action: IntArray
    first_history: IntArray
    class_histories: IntArray
    class_payoffs: FloatArray
    middle: FloatArray

    @cached_property
    def constant_sum(self) -> Verdict:
        """Whether payoffs have one sum, exactly."""
        return is_constant_sum(self.game)

    @property
    def num_histories(self) -> int:
        """Number of histories of all players."""
        return len(self.history_before)

    @property
    def num_bytes(self) -> int:
        """Bytes that one evaluation reads at least: the tables once."""
        arrays = (
            self.history_before,
            self.history_action,
            self.class_histories,
            self.class_payoffs,
        )
        return sum(array.nbytes for array in arrays)

    @cached_property
    def compiled(self) -> "ReplyTable":
        """The arrays as compiled code takes them."""
        from solvers._kernels.tree_replies import ReplyTable  # noqa: PLC0415 loads numba

        game, shift = self.game, self.first_history
        before, after, stop = (_unsigned(np.zeros(game.num_decision_infosets)) for _ in range(3))
        for player in range(game.num_players):
            if self.recall[player]:
                own = player_sequences(game, player)
                slots = slice(own.infosets.start, own.infosets.stop)
                before[slots] = own.parent_sequence + shift[player]
                after[slots] = own.first_sequence[:-1] + shift[player]
                stop[slots] = own.first_sequence[1:] + shift[player]
        starts = [player_infosets(game, player).start for player in range(game.num_players)]
        return ReplyTable(
            _unsigned(shift),
            _unsigned(np.maximum(self.history_before, 0)),
            _unsigned(np.maximum(self.history_action, 0)),
            _unsigned(self.class_histories),
            self.class_payoffs,
            _unsigned([*starts, game.num_decision_infosets]),
            before,
            after,
            stop,
            np.array([bool(verdict) for verdict in self.recall]),
        )

    def __repr__(self) -> str:
        return (
            f"EvaluationTables({self.game!r}, {self.num_histories} histories, "
            f"{len(self.class_payoffs)} classes of plays)"
        )


def evaluation_tables(game: ExtensiveFormGame) -> EvaluationTables:
    """Prepare a tree for the evaluation of many profiles.

    Args:
        game: Any number of players; players may forget.

    Returns:
        To give to ``best_response``, ``deviation_gains``, ``nash_conv`` and ``exploitability`` in
        place of the game.

    Raises:
        UnsupportedGame: If it is no tree.
        InvalidGame: If a payoff is too large for a float.

    Time is linear in the number of nodes, up to sorting; memory a few numbers for each class of
    plays and each history. Payoffs are rounded once, after chance's exact probabilities are
    multiplied in and the middle is taken off, so that gains are accurate relative to the span of
    payoffs, however far from zero these are.

    >>> from gametheory_core import load_game
    >>> tables = evaluation_tables(load_game("kuhn_poker"))
    >>> tables.num_histories
    26
    """
    require_tree(game)
    recall = tuple(has_perfect_recall(game, player=i) for i in range(game.num_players))
    own = [
        _sequences(game, player) if recall[player] else _histories(game, player)
        for player in range(game.num_players)
    ]
    first = np.cumsum([0, *(len(part.before) for part in own)])
    before = [
        np.where(part.before < 0, -1, part.before + start)
        for part, start in zip(own, first, strict=False)
    ]
    at_ends = np.stack(
        [part.at_node[game.terminals] + start for part, start in zip(own, first, strict=False)],
        axis=1,
    )
    kept, group = _merged(at_ends)
    payoffs, middle = _payoffs(game)
    summed = np.zeros((len(kept), game.num_players))
    np.add.at(summed, group, payoffs)
    paid = np.any(summed != 0, axis=1)
    return EvaluationTables(
        game=game,
        recall=recall,
        history_before=_int32(np.concatenate(before)),
        history_action=_int32(np.concatenate([part.action for part in own])),
        first_history=_int32(first),
        class_histories=_int32(kept[paid]),
        class_payoffs=freeze(summed[paid]),
        middle=middle,
    )


@dataclass(frozen=True)
class _Own:
    """One player's histories, numbered from 0: before, last action, and at each node."""

    before: IntArray
    action: IntArray
    at_node: IntArray


def _sequences(game: ExtensiveFormGame, player: int) -> _Own:
    own = player_sequences(game, player)
    counts = np.diff(own.first_sequence)
    before = np.concatenate([[-1], np.repeat(own.parent_sequence, counts)])
    start = int(game.action_offset[own.infosets.start])
    action = np.concatenate([[-1], np.arange(start, start + own.num_sequences - 1)])
    return _Own(before, action, own.node_sequence)


def _histories(game: ExtensiveFormGame, player: int) -> _Own:
    """Number the histories of a player who forgets, level by level."""
    before, action = [-1], [-1]
    number: dict[tuple[int, int], int] = {}
    at_node = np.zeros(game.num_nodes, dtype=np.int32)
    own = game.node_player == player
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        at_node[start:stop] = at_node[game.parent[start:stop]]
        for node in (start + np.flatnonzero(own[game.parent[start:stop]])).tolist():
            key = int(at_node[node]), int(game.node_action[node])
            if key not in number:
                number[key] = len(before)
                before.append(key[0])
                action.append(key[1])
            at_node[node] = number[key]
    return _Own(_int32(before), _int32(action), at_node)


def _merged(rows: IntArray) -> tuple[IntArray, NDArray[np.int64]]:
    """Return distinct rows in lexicographic order, and the place of each row among them."""
    code = np.zeros(len(rows), dtype=np.int64)
    for column in rows.T:  # codes stay below rows times histories
        whole = code * (int(rows.max()) + 1) + column
        code = np.unique(whole, return_inverse=True)[1].astype(np.int64)
    _, first = np.unique(code, return_index=True)
    return rows[first], code


def _payoffs(game: ExtensiveFormGame) -> tuple[FloatArray, FloatArray]:
    """Return payoffs less the middle, times chance's probability; and the middle."""
    exact = game.exact_terminal_payoffs
    middle = (exact.max(axis=0) + exact.min(axis=0)) / 2
    chance = chance_reach(game)[game.terminals]
    return as_float((exact - middle) * chance[:, None]), as_float(middle)


def _int32(values: object) -> IntArray:
    return freeze(np.asarray(values, dtype=np.int32))


def _unsigned(values: object) -> NDArray[np.uint32]:
    return np.array(values, dtype=np.uint32)
