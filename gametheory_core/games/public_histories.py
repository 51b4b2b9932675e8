"""The histories of a public-state game in flat arrays, and the sequences of its players.

Histories are numbered breadth first, those of one move side by side. A player's sequences are
numbered history after history in which they move, there hand after hand, there action after action:

    sequence = base[history] + hand * actions + action,

with 0 for the empty sequence, which all hands share. So the sequences on which hands 0, 1, 2, ...
come to a history are ``start + hand * stride``: two numbers say them all.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_instance
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.public_states import End, PayoffTable, PublicStateGame, Showdown
from gametheory_core.games.table_content import spread
from gametheory_core.memory import require_memory

Indices: TypeAlias = NDArray[np.int64]

BYTES_PER_HISTORY = 120  # at the peak, while a level is laid out
BYTES_PER_SEQUENCE = 68  # five or six floats in motion, indices, and integers of the proof
BYTES_BESIDE = 2**26  # of blocks, tables of hands and the like


def play_bytes(game: PublicStateGame) -> int:
    """Return how much memory play over ranges takes at the peak, proof included.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> play_bytes(kuhn_poker_ranges(cards=1000)) < 70_000_000
    True
    """
    tables = sum(2 * 8 * _end_size(one.end) for one in game.situations)
    sequences = BYTES_PER_SEQUENCE * sum(game.num_sequences)
    return sequences + BYTES_PER_HISTORY * game.num_histories + tables + BYTES_BESIDE


def _end_size(end: End | None) -> int:
    """Return how many numbers an end of play needs for itself."""
    if isinstance(end, PayoffTable):
        return len(end.payoffs) * len(end.payoffs[0])
    return 4 * len(end.strengths[0]) if isinstance(end, Showdown) else 4


@dataclass(frozen=True, eq=False)
class PublicMoves:
    """The histories in which one player moves, in order; all arrays are read-only.

    Attributes:
        history (moves,): Their numbers.
        depth (moves,): How many own moves came before.
        actions (moves,): Number of actions.
        base (moves,): First sequence.
        start, stride (moves,): On which sequence each hand comes here: ``start + hand * stride``.
    """

    history: Indices
    depth: Indices
    actions: Indices
    base: Indices
    start: Indices
    stride: Indices


@dataclass(frozen=True, eq=False)
class PublicLayout:
    """Histories and sequences; all arrays are read-only.

    Attributes:
        situation (histories,): The situation of each.
        first_child (histories,): The first history that follows; what it would be at an end.
        moves: Of each player.
        ends (ends,): Histories at which play ends.
        start, stride (2, ends): On which sequence each player's hands come there.
        num_sequences: Of each player.
    """

    situation: NDArray[np.int32]
    first_child: Indices
    moves: tuple[PublicMoves, PublicMoves]
    ends: Indices
    start: Indices
    stride: Indices
    num_sequences: tuple[int, int]


def public_layout(game: PublicStateGame) -> PublicLayout:
    """Lay out the histories of a game.

    Raises:
        UnsupportedGame: If they need more memory than the cap; says how much.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> layout = public_layout(kuhn_poker_ranges(cards=3))
    >>> len(layout.situation), layout.num_sequences
    (9, (13, 13))
    """
    require_instance(game, PublicStateGame, name="game")
    require_memory(
        BYTES_PER_HISTORY * game.num_histories,
        what=f"the {game.num_histories:,} histories of {game!r}",
        remedy="Choose smaller parameters.",
    )
    counts = np.array([len(one.children) for one in game.situations])
    mover = np.array([one.mover for one in game.situations])
    first = np.cumsum(counts) - counts
    flat = np.array([child for one in game.situations for child in one.children], dtype=np.int32)
    level: dict[str, Any] = {
        "situation": np.zeros(1, dtype=np.int32),
        "start": np.zeros((2, 1), dtype=np.int64),
        "stride": np.zeros((2, 1), dtype=np.int64),
        "depth": np.zeros((2, 1), dtype=np.int64),
    }
    histories: list[Any] = []
    children: list[Any] = []
    moves: tuple[list[Any], list[Any]] = ([], [])
    ends: list[Any] = []
    met, next_sequence = 0, [1, 1]
    while len(level["situation"]):
        situation = level["situation"]
        num_children, who = counts[situation], mover[situation]
        histories.append(situation)
        children.append(met + len(situation) + np.cumsum(num_children) - num_children)
        parent, place = spread(num_children)
        below = {name: own[..., parent] for name, own in level.items()}
        below["situation"] = flat[first[situation][parent] + place]
        for player in (0, 1):
            here = np.flatnonzero(who == player)
            sizes = num_children[here] * game.num_hands[player]
            base = np.zeros(len(situation), dtype=np.int64)
            base[here] = next_sequence[player] + np.cumsum(sizes) - sizes
            next_sequence[player] += int(sizes.sum())
            own = (level[name][player, here] for name in ("start", "stride"))
            depth = level["depth"][player, here]
            moves[player].append([met + here, depth, num_children[here], base[here], *own])
            mine = who[parent] == player
            below["start"][player, mine] = (base[parent] + place)[mine]
            below["stride"][player, mine] = num_children[parent][mine]
            below["depth"][player, mine] += 1
        here = np.flatnonzero(who == TERMINAL)
        ends.append([met + here[None], level["start"][:, here], level["stride"][:, here]])
        met += len(situation)
        level = below
    situations, first_child = _joined(list(map(list, zip(histories, children, strict=True))))
    last, start, stride = _joined(ends)
    own = PublicMoves(*_joined(moves[0])), PublicMoves(*_joined(moves[1]))
    sizes = next_sequence[0], next_sequence[1]
    return PublicLayout(situations, first_child, own, freeze(last[0]), start, stride, sizes)


def _joined(levels: list[list[Any]]) -> list[Any]:
    """Put arrays of levels end to end."""
    return [freeze(np.concatenate(own, axis=-1)) for own in zip(*levels, strict=True)]


def public_history(game: PublicStateGame, layout: PublicLayout, labels: Sequence[str]) -> int:
    """Return the number of the history with these labels of moves and of chance.

    Raises:
        InvalidArgument: If there is none; says what could follow.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=3)
    >>> public_history(game, public_layout(game), ["bet"])
    2
    """
    history, given = 0, as_tuple(labels, name="the labels of a history")
    require_instance(game, PublicStateGame, name="game")
    for k, label in enumerate(given):
        one = game.situations[int(layout.situation[history])]
        if not isinstance(label, str) or label not in one.labels:
            raise InvalidArgument(
                needs=f"a label of {', '.join(map(repr, one.labels)) or 'nothing: play has ended'} "
                f"after {given[:k]}",
                found=f"got {label!r}",
            )
        history = int(layout.first_child[history]) + one.labels.index(label)
    return history


def history_labels(game: PublicStateGame, layout: PublicLayout, history: int) -> tuple[str, ...]:
    """Return the labels of moves and of chance that lead to a history.

    >>> from gametheory_core.catalog import kuhn_poker_ranges
    >>> game = kuhn_poker_ranges(cards=3)
    >>> history_labels(game, public_layout(game), 7)
    ('check', 'bet', 'fold')
    """
    labels: list[str] = []
    while history:
        # ends have no histories that follow, so that the last that could is the one before
        before = int(np.searchsorted(layout.first_child, history, side="right")) - 1
        place = history - int(layout.first_child[before])
        labels.append(game.situations[int(layout.situation[before])].labels[place])
        history = before
    return tuple(reversed(labels))
