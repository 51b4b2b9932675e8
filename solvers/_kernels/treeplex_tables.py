"""The records that sweeps over trees read: flat read-only arrays, no code, no numba.

Vectors of one player are over *sequences*, as ``gametheory_core.strategies.sequence_form`` numbers
them: entry 0 is the empty sequence's, then come the actions of the player's information sets. A
*behavior* gives each sequence the probability of its last action (entry 0 is 1), a *plan* the
product along it.

Indices are int32, or uint32 where compiled loops read them: an unsigned index is never looked at
twice, whether it counts from the end.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Indices: TypeAlias = NDArray[np.int32] | NDArray[np.uint32]


class Treeplex(NamedTuple):
    """How one player's sequences hang together; indices, read-only.

    ``first_sequence`` (own information sets + 1,): where the actions of each start, the number of
    sequences at the end. ``parent_sequence`` (own information sets,): the sequence that leads to
    each; it is below the first sequence of the set, so that a loop forward goes down the tree.
    """

    first_sequence: Indices
    parent_sequence: Indices


class SparseRows(NamedTuple):
    """A sparse matrix by rows, read-only.

    ``first_entry`` (rows + 1,) and ``columns`` (entries,) indices, ``values`` (entries,) float64.
    """

    first_entry: Indices
    columns: Indices
    values: NDArray[np.float64]


class Ends(NamedTuple):
    """The ends of play that differ in some player's sequence, read-only.

    ``sequences`` (players, ends) indices; ``payoffs`` (players, ends) float64: payoffs times the
    probability of chance's moves, added up over ends with the same sequences.
    """

    sequences: Indices
    payoffs: NDArray[np.float64]


class Forest(NamedTuple):
    """All players' treeplexes end to end, read-only; sequences keep their own numbers.

    ``first_sequence`` (information sets + players,) and ``parent_sequence`` (information sets,)
    indices: player after player; ``first_infoset`` (players + 1,) int64: where each player's
    information sets start; ``first_entry`` (players + 1,) int64: where each player's sequences
    start in a vector over all players' sequences.
    """

    first_sequence: Indices
    parent_sequence: Indices
    first_infoset: NDArray[np.int64]
    first_entry: NDArray[np.int64]


class Tree(NamedTuple):
    """A whole tree as the loops read it.

    ``forest`` and ``ends`` as above. With two players, ``first_payoffs`` and ``second_payoffs``
    hold each one's payoffs over (own sequence, opponent's sequence); else they are without entries.
    """

    forest: Forest
    ends: Ends
    first_payoffs: SparseRows
    second_payoffs: SparseRows
