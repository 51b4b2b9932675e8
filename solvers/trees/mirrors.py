"""Symmetric zero-sum trees: where players may change places, one optimal plan is enough.

A *mirror* ``m`` renames the sequences of player 0 as those of player 1, so that what leads to an
information set, and what both are paid, stays the same with the players exchanged:

    parent(m I) = m parent(I),     A[s, t] = -A[m^-1 t, m s].

The value is then 0, and a plan that guarantees it, mirrored, guarantees it to the other player
(Gale, Kuhn and Tucker 1950). A mirror is looked for by labels: information sets of both players
that have the same one, and the same actions, are taken for each other's image, which is then
checked.
"""

import numpy as np

from gametheory_core.arrays import IntArray, freeze
from gametheory_core.strategies.sequences import SequenceForm
from solvers.trees.sequence_program import SequenceProgram, payoff_entries


def mirror_of(form: SequenceForm, program: SequenceProgram) -> IntArray | None:
    """Return the sequence of player 1 that each of player 0 is mirrored to; None without a mirror.

    >>> from gametheory_core import load_game
    >>> from gametheory_core.strategies import sequence_form
    >>> from solvers.trees.sequence_program import sequence_program
    >>> form = sequence_form(load_game("goofspiel:cards=3"))
    >>> mirror_of(form, sequence_program(form)).tolist()[:4]
    [0, 1, 2, 3]
    """
    first, second = form.players
    if first.num_sequences != second.num_sequences or len(first.infosets) != len(second.infosets):
        return None
    sets = form.game.infosets
    places = {(sets[s].label, sets[s].actions): k for k, s in enumerate(second.infosets)}
    images = [places.get((sets[s].label, sets[s].actions), -1) for s in first.infosets]
    if sorted(images) != list(range(len(images))):
        return None
    mirror = np.zeros(first.num_sequences, dtype=np.int32)
    counts = np.diff(first.first_sequence)
    own = np.arange(first.num_sequences - 1) - np.repeat(first.first_sequence[:-1] - 1, counts)
    mirror[1:] = np.repeat(second.first_sequence[images], counts) + own
    if (mirror[first.parent_sequence] != second.parent_sequence[images]).any():
        return None
    return freeze(mirror) if _is_mirrored(program, mirror) else None


def _is_mirrored(program: SequenceProgram, mirror: IntArray) -> bool:
    """Tell whether exchanged players are paid the same; payoffs are losses of player 0."""
    exact, paid = program.exact, payoff_entries(program)
    rows, columns, losses = exact.rows[paid], exact.columns[paid], exact.values[paid]
    image_rows, image_columns = mirror[columns], np.argsort(mirror)[rows]
    order = np.lexsort((image_columns, image_rows))
    return bool(
        (image_rows[order] == rows).all()
        and (image_columns[order] == columns).all()
        and (losses[order] == -losses).all()
    )
