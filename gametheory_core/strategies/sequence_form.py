"""The sequence form: a player's strategies as weights on sequences of own actions.

With perfect recall, a player's way to an information set ``I`` is one *sequence* ``parent(I)``, and
a strategy is a vector ``x >= 0`` over sequences with

    x[empty] = 1,     sum over actions a at I of x[I a] = x[parent(I)]   for every own I.

Sequence 0 is the empty one; then come the actions of the player's information sets in their order
of first visit, so that ``parent(I) < I a`` always. The chance-weighted payoffs of player ``i`` are
multilinear in the players' vectors.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from gametheory_core.arrays import ONE, ExactArray, IntArray, freeze
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.properties import has_perfect_recall, last_own_actions


@dataclass(frozen=True, eq=False)
class PlayerSequences:
    """One player's sequences.

    Attributes:
        player: Whose.
        infosets: Indices of the player's information sets in the game.
        first_sequence (num_own_infosets + 1,): ``first_sequence[k] .. first_sequence[k + 1]`` are
            the sequences ending at the k-th own information set, one an action; entry 0 is 1, the
            last entry the number of sequences.
        parent_sequence (num_own_infosets,): The sequence that leads to each own information set.
        node_sequence (num_nodes,): The player's sequence at each node of the game.
    """

    player: int
    infosets: range
    first_sequence: IntArray
    parent_sequence: IntArray
    node_sequence: IntArray

    @property
    def num_sequences(self) -> int:
        """Number of sequences, the empty one included."""
        return int(self.first_sequence[-1])


@dataclass(frozen=True, eq=False)
class SequenceForm:
    """The sequence form of a game with perfect recall.

    Attributes:
        game: Where it comes from.
        players: One for each player.
    """

    game: ExtensiveFormGame
    players: tuple[PlayerSequences, ...]

    @cached_property
    def terminal_sequences(self) -> IntArray:
        """Each player's sequence at each terminal node, shape (num_players, num_terminals)."""
        terminals = self.game.terminals
        rows = [own.node_sequence[terminals] for own in self.players]
        return freeze(np.array(rows, dtype=np.int32))

    @cached_property
    def chance_weight(self) -> ExactArray:
        """Product of chance's probabilities on the way to each terminal node, exact."""
        return freeze(chance_reach(self.game)[self.game.terminals])


def sequence_form(game: ExtensiveFormGame) -> SequenceForm:
    """Build the sequence form.

    Raises:
        UnsupportedGame: If a player lacks perfect recall; the message has the pair of histories.

    >>> from gametheory_core import load_game
    >>> [own.num_sequences for own in sequence_form(load_game("kuhn_poker")).players]
    [13, 13]
    """
    recall = has_perfect_recall(game)
    if not recall:
        raise UnsupportedGame(
            f"sequence_form: needs perfect recall, but {recall.reason}. "
            "Solve extensive_to_normal(game).target instead."
        )
    return SequenceForm(game, tuple(player_sequences(game, i) for i in range(game.num_players)))


def player_sequences(game: ExtensiveFormGame, player: int) -> PlayerSequences:
    """Number one player's sequences; only this player needs perfect recall (trusted)."""
    infosets = player_infosets(game, player)
    shift = int(game.action_offset[infosets.start]) - 1  # flat own action -> sequence
    sequence = last_own_actions(game, player) - shift
    sequence[sequence < 1] = 0
    nodes = np.flatnonzero(game.node_player == player)
    parent = np.zeros(len(infosets), dtype=np.int32)
    parent[game.node_infoset[nodes] - infosets.start] = sequence[nodes]
    first = game.action_offset[infosets.start : infosets.stop + 1] - shift
    return PlayerSequences(
        player=player,
        infosets=infosets,
        first_sequence=freeze(first),
        parent_sequence=freeze(parent),
        node_sequence=freeze(sequence),
    )


def chance_reach(game: ExtensiveFormGame) -> ExactArray:
    """Return the product of chance's probabilities on the way to each node, exact."""
    reach = np.empty(game.num_nodes, dtype=object)
    reach[:] = ONE
    by_chance = game.node_player == CHANCE
    for start, stop in zip(game.level_offset[1:-1], game.level_offset[2:], strict=True):
        parent = game.parent[start:stop]
        reach[start:stop] = reach[parent]
        moved = start + np.flatnonzero(by_chance[parent])
        reach[moved] *= game.exact_chance_probabilities[game.node_action[moved]]
    return freeze(reach)
