"""Triangle-free trees: those where every consistent correlation plan is a lottery over pure plans.

A *triangle* is two information sets ``I, I'`` of one player that follow the same own sequence, and
two such ``J, J'`` of the other, with ``I, J`` on one path, ``I', J'`` on one, and ``I, J'`` on one.
Without chance moves there are none; nor where all see each move of chance (Farina and Sandholm
2020).
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core.certificates.extensive_correlated import MOST_PROFILES
from gametheory_core.conversions.extensive_normal import count_plans
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.correlation_plan import SequencePairs


@dataclass(frozen=True)
class Triangle:
    """Four information sets, as indices into the game's, in the order ``I', J', I, J``."""

    infosets: tuple[int, int, int, int]


def find_triangle(pairs: SequencePairs) -> Triangle | None:
    """Return a triangle of a game, or None if it is triangle-free."""
    one, other = pairs.form.players
    rows, columns = pairs.connected.T
    classes = one.parent_sequence[rows].astype(np.int64) * other.num_sequences
    classes += other.parent_sequence[columns]
    row_codes = classes * len(one.infosets) + rows
    column_codes = classes * len(other.infosets) + columns
    crowded = np.flatnonzero(_copies(row_codes) & _copies(column_codes))
    if not crowded.size:
        return None
    edge = int(crowded[0])  # I and J', each with another one on a path
    far_j = np.flatnonzero((row_codes == row_codes[edge]) & (columns != columns[edge]))[0]
    far_i = np.flatnonzero((column_codes == column_codes[edge]) & (rows != rows[edge]))[0]
    starts = one.infosets.start, other.infosets.start
    return Triangle(
        (
            int(rows[far_i]) + starts[0],
            int(columns[edge]) + starts[1],
            int(rows[edge]) + starts[0],
            int(columns[far_j]) + starts[1],
        )
    )


def needs_profiles(pairs: SequencePairs) -> bool:
    """Tell whether a game has a triangle, so that its few pure profiles have to be listed.

    Raises:
        UnsupportedGame: If they are many; names the four information sets.
    """
    found = find_triangle(pairs)
    if found is None:
        return False
    game = pairs.form.game
    count = count_plans(game, 0) * count_plans(game, 1)
    if count <= MOST_PROFILES:
        return True
    first, second, third, fourth = (describe_infoset(game.infosets[s]) for s in found.infosets)
    raise UnsupportedGame(
        needs=f"a tree without chance moves, or a triangle-free one, or at most {MOST_PROFILES} "
        "pure profiles",
        found=f"there are {count}, and paths join {first} with {second}, {third} with {second}, "
        "and "
        f"{third} with {fourth}: what players learn apart from chance may not fit any lottery",
        remedy="Try counterfactual_regret.",
    )


def _copies(codes: np.ndarray) -> np.ndarray:
    """Tell which entries occur more than once."""
    _, which, counts = np.unique(codes, return_inverse=True, return_counts=True)
    return counts[which.ravel()] > 1
