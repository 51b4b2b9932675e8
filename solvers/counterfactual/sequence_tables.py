"""A tree over its sequences: float tables for compiled sweeps, and rational profiles from floats.

Built without loops over nodes from the core's sequence form, whose numbering they keep: the arrays
of player ``i`` are over ``sequence_form(game).players[i]``.

Probabilities become multiples of ``1 / GRAIN``, a power of two, so that products of many of them
keep small denominators and are measured exactly without delay.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from gametheory_core import BehavioralProfile, ExtensiveFormGame
from gametheory_core.arrays import FloatArray, freeze
from gametheory_core.strategies import SequenceForm, sequence_form
from solvers._kernels.treeplex import Ends, SparseRows, Treeplex
from solvers._kernels.treeplex_regret import LEAST_TOTAL
from solvers.rounding import GRAIN


@dataclass(frozen=True, eq=False)
class SequenceTables:
    """A tree of perfect recall as float tables over sequences; all arrays are read-only.

    Attributes:
        form: Where they come from; ``form.game`` is the tree.
        treeplexes: How each player's sequences hang together.
        payoffs: With two players: of each, payoffs times chance's probabilities over (own sequence,
            opponent's sequence), equal pairs merged, zeros left out. Empty for other numbers.
        ends: The same for any number of players, as a list of ends of play.
        offsets (num_players + 1,): Where each player's part of a vector over all players' sequences
            starts.
    """

    form: SequenceForm
    treeplexes: tuple[Treeplex, ...]
    payoffs: tuple[SparseRows, ...]
    ends: Ends
    offsets: "np.ndarray[tuple[int], np.dtype[np.int64]]"

    @property
    def game(self) -> ExtensiveFormGame:
        """The tree."""
        return self.form.game

    @property
    def num_sequences(self) -> int:
        """Number of sequences of all players, empty ones included."""
        return int(self.offsets[-1])

    def own(self, flat: FloatArray, player: int) -> FloatArray:
        """Return a player's part of a vector over all players' sequences; shares memory."""
        return flat[self.offsets[player] : self.offsets[player + 1]]

    def behavior(self, profile: BehavioralProfile) -> FloatArray:
        """Return a profile (trusted to fit) over all players' sequences, 1 at empty ones."""
        behavior = np.ones(self.num_sequences)
        behavior[np.delete(np.arange(self.num_sequences), self.offsets[:-1])] = (
            profile.to_float().flat
        )
        return behavior


def sequence_tables(game: ExtensiveFormGame) -> SequenceTables:
    """Build the float tables of a tree.

    Args:
        game: Perfect recall; any number of players, any payoffs that floats hold.

    Raises:
        UnsupportedGame: If a player forgets; carries the witness.
        InvalidGame: If payoffs are too large for floats.

    Time is that of sorting the ends of play; memory about 60 bytes for each.

    >>> from gametheory_core import load_game
    >>> tables = sequence_tables(load_game("kuhn_poker"))
    >>> tables.num_sequences, len(tables.payoffs[0].values)
    (26, 30)
    """
    form = sequence_form(game)
    ends = _merged_ends(form)
    sizes = [own.num_sequences for own in form.players]
    treeplexes = tuple(Treeplex(own.first_sequence, own.parent_sequence) for own in form.players)
    pairs: tuple[SparseRows, ...] = ()
    if game.num_players == 2:
        pairs = tuple(_payoff_rows(ends, player, sizes[player]) for player in range(2))
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return SequenceTables(form, treeplexes, pairs, ends, freeze(offsets))


def _merged_ends(form: SequenceForm) -> Ends:
    """Add up the payoffs of ends of play at which all players have the same sequences."""
    weighted = form.chance_weight.astype(np.float64) * form.game.terminal_payoffs.T
    sequences = form.terminal_sequences
    order = np.lexsort(sequences[::-1])  # the first player's sequence counts first
    ordered = sequences[:, order]
    is_new = np.ones(len(order), dtype=bool)
    is_new[1:] = np.any(ordered[:, 1:] != ordered[:, :-1], axis=0)
    starts = np.flatnonzero(is_new)
    paid = np.add.reduceat(weighted[:, order], starts, axis=1)
    matters = np.any(paid != 0.0, axis=0)
    return Ends(
        freeze(np.ascontiguousarray(ordered[:, starts[matters]])),
        freeze(np.ascontiguousarray(paid[:, matters])),
    )


def _payoff_rows(ends: Ends, player: int, num_rows: int) -> SparseRows:
    own, other = ends.sequences[player], ends.sequences[1 - player]
    entries = np.flatnonzero(ends.payoffs[player] != 0.0)
    if player:  # ends are sorted by the first player's sequence, which stays the second key
        entries = entries[np.argsort(own[entries], kind="stable")]
    counts = np.bincount(own[entries], minlength=num_rows)
    return SparseRows(
        freeze(np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)),
        freeze(other[entries]),
        freeze(ends.payoffs[player][entries]),
    )


def behavior_of_totals(tables: SequenceTables, totals: FloatArray, last: FloatArray) -> FloatArray:
    """Divide summed plans by their sum at each information set.

    Where floats cannot hold the own probability of coming there, the last behavior answers.
    """
    behavior = last.copy()
    for player, treeplex in enumerate(tables.treeplexes):
        first = treeplex.first_sequence
        if len(first) == 1:
            continue
        weights = tables.own(totals, player)[1:]
        counts = np.diff(first)
        sums = np.repeat(np.add.reduceat(weights, first[:-1] - 1), counts)
        own = tables.own(behavior, player)[1:]
        np.divide(weights, sums, out=own, where=sums >= LEAST_TOTAL)
    return behavior


def rational_profile(tables: SequenceTables, behavior: FloatArray) -> BehavioralProfile:
    """Return the profile that a float behavior stands for, rounded to short rationals.

    What rounding leaves over goes to the most likely action of each information set.
    """
    vectors: list[np.ndarray[tuple[int], np.dtype[np.object_]]] = []
    known: dict[int, Fraction] = {}
    for player, treeplex in enumerate(tables.treeplexes):
        bounds = (treeplex.first_sequence - 1).tolist()
        whole = np.rint(tables.own(behavior, player)[1:] * GRAIN).astype(np.int64).tolist()
        for start, stop in pairwise(bounds):
            parts: list[int] = whole[start:stop]
            parts[parts.index(max(parts))] += GRAIN - sum(parts)
            vector = np.empty(len(parts), dtype=object)
            for place, part in enumerate(parts):
                if part not in known:
                    known[part] = Fraction(part, GRAIN)
                vector[place] = known[part]
            vectors.append(vector)
    return BehavioralProfile(tuple(vectors))
