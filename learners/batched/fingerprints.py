"""Fingerprints of what is played: by which a batch knows the snapshots that fit it."""

from collections.abc import Callable
from hashlib import sha256

import numpy as np

from learners._kernels.play_arrays import RuleArrays, SightArrays
from learners.batched.play_table import PlayTable
from learners.batched.sight import Sight


def fingerprint_of(table: PlayTable, sight: Sight) -> str:
    """Return a digest of everything that compiled play reads: rules, horizon and numbering.

    What states, actions and observations are called is left out, since play depends only on their
    numbers, and labels may be written otherwise in another process.
    """
    digest = sha256(repr((table.players, float(table.discount))).encode())
    for arrays in (table.rules, sight.arrays):
        _add(digest.update, arrays)
    return digest.hexdigest()


def _add(update: Callable[[bytes], None], arrays: RuleArrays | SightArrays) -> None:
    for name, part in arrays._asdict().items():
        array = np.ascontiguousarray(part)
        update(f"{name} {array.dtype.str} {array.shape}".encode())
        update(array.tobytes())
