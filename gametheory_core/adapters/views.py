"""What agents of other libraries see, as hashable labels that read well."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import UnsupportedGame

Actions: TypeAlias = tuple[int, ...]

_SHOWN = 16  # numbers of an array that its label shows


@dataclass(frozen=True, repr=False)
class ArrayLabel:
    """An array as a label: equal to another if type, shape and entries are.

    Attributes:
        content: The entries, in row-major order.
    """

    dtype: str
    shape: tuple[int, ...]
    content: bytes

    def array(self) -> NDArray[Any]:
        """Return the array, a new one each time."""
        return np.frombuffer(self.content, dtype=self.dtype).reshape(self.shape).copy()

    def __repr__(self) -> str:
        entries = self.array()
        kind = f"{entries.dtype}{list(self.shape)}"
        flat = entries.ravel()
        if flat.size > _SHOWN and not np.any(flat[flat != 0] != 1):
            ones = np.flatnonzero(flat).tolist()
            return f"{kind} with 1 at {ones}" if ones else f"{kind} of 0"
        texts = [f"{x:g}" if entries.dtype.kind == "f" else str(x) for x in flat[:_SHOWN]]
        shown = " ".join(texts)
        if flat.size <= _SHOWN and all(map(_says_all, texts, flat)):
            return f"{kind}({shown})"
        rest = blake2b(self.content, digest_size=8).hexdigest()  # texts of labels must differ
        return f"{kind}({shown} ... {rest})"


def _says_all(text: str, entry: Any) -> bool:
    return entry.dtype.kind != "f" or entry.dtype.type(text) == entry


def label_of(observation: Any) -> Any:
    """Return an observation as a hashable label.

    Args:
        observation (array, number, str, bool, bytes, None, or mapping, tuple or list of them):
            Arrays become ``ArrayLabel``, mappings become tuples of pairs in the order of their
            keys.

    Raises:
        UnsupportedGame: If it is anything else.

    >>> import numpy as np
    >>> label_of({"observation": np.eye(2, dtype=np.int8), "turn": 1})
    (('observation', int8[2, 2](1 0 0 1)), ('turn', 1))
    """
    if isinstance(observation, np.ndarray) and observation.dtype.kind in "biuf":
        # Zero has two signs among floats; adding zero leaves one.
        entries = observation + 0.0 if observation.dtype.kind == "f" else observation
        entries = entries.astype(observation.dtype, copy=False)
        return ArrayLabel(entries.dtype.str, entries.shape, entries.tobytes())
    if isinstance(observation, np.generic):
        return observation.item()
    if isinstance(observation, Mapping):
        return tuple((key, label_of(observation[key])) for key in sorted(observation))
    if isinstance(observation, tuple | list):
        return tuple(map(label_of, observation))
    if observation is None or isinstance(observation, bool | int | float | str | bytes):
        return observation
    raise UnsupportedGame(
        needs="observations of arrays of numbers, numbers, text, or mappings and sequences of them",
        found=f"got {observation!r} (type {type(observation).__name__})",
        remedy="Wrap the environment so that it shows one of these.",
    )


@dataclass(frozen=True)
class View:
    """What an agent has before it when it is its turn.

    Attributes:
        observation (hashable): The label of what the environment shows; arrays as ``ArrayLabel``.
        legal: The actions that the mask allows; all of them if there is no mask.
    """

    observation: Any
    legal: Actions
