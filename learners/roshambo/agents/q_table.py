"""Tables of what throws are worth after histories, in files and as bots.

With recall ``R`` there are ``9^R`` histories of full length, of which few are ever met where ``R``
is large; a table has a row for each that was.
"""

from dataclasses import dataclass
from hashlib import blake2b
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.arrays import freeze
from gametheory_core.errors import InvalidArgument, MalformedFile
from gametheory_core.formats.files import write_bytes
from gametheory_core.interrupts import interrupts_later
from learners.roshambo.matches.histories import MatchClock, Uniforms
from learners.roshambo.matches.matches import NUM_THROWS, Throws
from learners.streams import named_stream

SCHEMA = "gametheory-core/roshambo-q-table/1"
MOST_RECALLED = 18  # so that keys are integers of 64 bits


@dataclass(frozen=True, eq=False, repr=False)
class QTable:
    """What own throws are worth after histories.

    A history of ``m`` joint throws has the key ``9^m + code``; the digits of ``code`` in base 9 are
    ``3 own + other``, the latest last.

    Attributes:
        recall: How many joint throws are recalled, from 0 to 18.
        keys (n,): Of the histories that were met, increasing, int64.
        values (n, 3): By own throw.

    Raises:
        InvalidArgument: If arrays do not fit, or keys are those of no history of this recall.

    >>> QTable(1, np.array([1, 9]), np.array([[0.0, 0.5, 0.0], [1.0, 0.0, 0.0]]))
    QTable(recall=1, 2 histories, digest f06d183f)
    """

    recall: int
    keys: NDArray[np.int64]
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        require_integer(self.recall, name="recall", low=0, high=MOST_RECALLED)
        keys, values = np.array(self.keys), np.array(self.values, dtype=np.float64)
        if keys.ndim != 1 or values.shape != (len(keys), NUM_THROWS):
            raise InvalidArgument(
                needs="a row of three values for each key",
                found=f"keys have shape {keys.shape} and values {values.shape}",
            )
        if not np.isfinite(values).all():
            raise InvalidArgument(needs="finite values", found="some are not")
        self._check_keys(keys)
        object.__setattr__(self, "keys", freeze(keys.astype(np.int64)))
        object.__setattr__(self, "values", freeze(values))

    def _check_keys(self, keys: NDArray[Any]) -> None:
        if len(keys) and (keys.dtype.kind not in "iu" or (np.diff(keys) <= 0).any()):
            raise InvalidArgument(needs="increasing integers as keys", found=f"got {keys}")
        powers = (NUM_THROWS**2) ** np.arange(self.recall + 1, dtype=np.int64)
        lengths = np.searchsorted(powers, keys, side="right") - 1
        wrong = (keys < 1) | (keys >= 2 * powers[lengths])
        if wrong.any():
            raise InvalidArgument(
                needs=f"keys of histories of at most {self.recall} joint throws",
                found=f"{keys[wrong][0]} is none",
            )

    def __repr__(self) -> str:
        digest = blake2b(self.keys.tobytes() + self.values.tobytes(), digest_size=4).hexdigest()
        return f"QTable(recall={self.recall}, {len(self.keys)} histories, digest {digest})"

    def save(self, file: str | Path) -> None:
        """Write the table to a file, NumPy's ``npz``.

        Raises:
            InvalidArgument: If the file cannot be written.
        """
        archive = BytesIO()
        with interrupts_later():
            np.savez_compressed(
                archive, schema=SCHEMA, recall=self.recall, keys=self.keys, values=self.values
            )
        write_bytes(archive.getvalue(), file)

    @classmethod
    def load(cls, file: str | Path) -> "QTable":
        """Read a table from a file.

        Raises:
            InvalidArgument: If the file cannot be read.
            MalformedFile: If it is not one that ``save`` wrote.
        """
        try:
            with Path(file).open("rb") as opened, np.load(opened, allow_pickle=False) as read:
                if str(read["schema"]) != SCHEMA:
                    raise MalformedFile(
                        needs=f"the schema {SCHEMA}", found=f"it is {read['schema']}", where=file
                    )
                return cls(int(read["recall"]), read["keys"], read["values"])
        except OSError as error:
            needs = f"a file that can be read, but: {error.strerror or error}"
            raise InvalidArgument(needs=needs, where=file) from None
        except (ValueError, TypeError, KeyError, AttributeError, BadZipFile, EOFError) as error:
            raise MalformedFile(needs="a Q-table", found=f"{error}", where=file) from None


class QBot:
    """A bot that plays by a table: a best throw after each history, ties drawn.

    After a history that was never met, all throws are equally likely.

    Args:
        table: What throws are worth.

    Raises:
        InvalidArgument: If it is no table; by ``throw``, if histories are not those of a match that
            goes on.

    >>> bot = QBot(QTable(0, np.array([1]), np.array([[0.0, 0.5, 0.0]])))
    >>> bot.throw([], []), bot.throw([1], [2])
    (1, 1)
    """

    def __init__(self, table: QTable) -> None:
        from learners._kernels import history_values as kernel  # noqa: PLC0415 loads numba

        require_instance(table, QTable, name="table", remedy="Give QTable.load(file).")
        self.table = table
        self._longer, self._throw = kernel.longer, kernel.throw_greedily
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Begin a match.

        Args:
            seed: Of what ties are broken by.
        """
        self._clock = MatchClock()
        self._numbers = Uniforms(named_stream(seed, "q_bot"))
        self._key = 1

    def throw(self, own: Throws, other: Throws) -> int:
        """Return the next throw after the throws so far; both grow by one from call to call."""
        last_own, last_other = self._clock.tick(own, other)
        table = self.table
        if len(own):
            self._key = self._longer(self._key, table.recall, last_own, last_other)
        return self._throw(table.keys, table.values, self._key, self._numbers.next())

    def __reduce__(self) -> tuple[Any, ...]:
        return QBot, (self.table,)
