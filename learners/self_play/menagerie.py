"""Menageries: frozen policies in the order in which they were kept, and what is known of them.

The live policy stands beside the menagerie. Where candidates are numbered, snapshot ``k`` is number
``k``, and the live policy has the number ``len(menagerie)``.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, cast, overload

import numpy as np

from gametheory_core.arguments import (
    as_tuple,
    require_instance,
    require_integer,
    require_number,
    shown,
)
from gametheory_core.arrays import FloatArray, NumberArray, as_float, freeze
from gametheory_core.errors import InvalidArgument, InvalidGame
from learners.batch import Snapshot
from learners.snapshots import require_fitting
from solvers.populations.win_rates import evaluation_matrix, measured_array

HALF = Fraction(1, 2)
OF_ANY_SIZE = (
    "points", "matches", "ratings", "outcomes", "snapshots", "win_rates", "payoffs", "live", "play",
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """How the live policy has done against one snapshot.

    Attributes:
        points: A win counts 1, a tie 1/2.
        matches: Played.
    """

    points: Fraction = Fraction(0)
    matches: int = 0

    def __post_init__(self) -> None:
        require_integer(self.matches, name="matches", low=0, where="Record")
        require_number(self.points, name="points", low=0, high=self.matches, where="Record")

    @property
    def win_rate(self) -> Fraction:
        """Points a match, as if a win and a loss had come before: 1/2 of whom nobody met."""
        return (self.points + 1) / (self.matches + 2)


@dataclass(frozen=True, eq=False)
class Menagerie(Sequence[Any]):
    """Frozen policies, the oldest first; nothing in it ever changes.

    Attributes:
        snapshots: The policies; anything will do for laws, ``FrozenPolicy`` for play.
        win_rates (M, M): How often each beats each other, ties counting half; None where nobody
            has looked.
        payoffs (M, ...): Mean return of the first agent among the others, an axis a player; None
            where nobody has looked.
        records: Of the live policy against each; empty where it met nobody.
        ratings: Elo's, of each snapshot and of the live policy last; empty where nobody looked.
    """

    snapshots: tuple[Any, ...]
    win_rates: NumberArray | None = field(default=None, kw_only=True)
    payoffs: FloatArray | None = field(default=None, kw_only=True)
    records: tuple[Record, ...] = field(default=(), kw_only=True)
    ratings: tuple[float, ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        kept = as_tuple(self.snapshots, name="snapshots", remedy="Give a list of frozen policies.")
        object.__setattr__(self, "snapshots", kept)
        if not kept:
            raise InvalidArgument(
                needs="at least one snapshot",
                found="got an empty menagerie",
                remedy="A run begins with a copy of its first policy.",
                where="Menagerie",
            )
        for name in ("win_rates", "payoffs"):
            self._keep_array(name)
        for name, wanted in (("records", len(kept)), ("ratings", len(kept) + 1)):
            given = as_tuple(getattr(self, name), name=name)
            if given and len(given) != wanted:
                self._refuse(name, f"{wanted} entries, or none", f"{len(given)}")
            object.__setattr__(self, name, given)
        for number, record in enumerate(self.records):
            require_instance(record, Record, name=f"records[{number}]", where="Menagerie")
        for number, rating in enumerate(self.ratings):
            require_number(rating, name=f"ratings[{number}]", where="Menagerie")

    def _keep_array(self, name: str) -> None:
        """Copy an array of numbers, after looking at its shape."""
        if getattr(self, name) is None:
            return
        try:
            array = measured_array(getattr(self, name), where=f"Menagerie: {name}")
        except InvalidGame as error:
            raise error.changed(InvalidArgument) from None
        size = len(self.snapshots)
        if name == "win_rates" and array.shape != (size, size):
            self._refuse(name, f"shape {(size, size)}", f"shape {array.shape}")
        if set(array.shape) != {size}:
            self._refuse(name, f"{size} entries an axis", f"shape {array.shape}")
        if name == "win_rates":
            self._require_rates(array)
        kept = as_float(array) if name == "payoffs" else array
        object.__setattr__(self, name, freeze(kept))

    def _require_rates(self, array: NumberArray) -> None:
        """Refuse what cannot be how often each beats each other."""
        try:
            evaluation_matrix(array)
        except InvalidGame as error:
            raise error.changed(InvalidArgument, where="Menagerie: win_rates") from None

    def _refuse(self, name: str, needs: str, found: str) -> None:
        raise InvalidArgument(
            needs=f"{name} of {needs} for {len(self.snapshots)} snapshots",
            found=f"got {found}",
            where="Menagerie",
        )

    def __len__(self) -> int:
        return len(self.snapshots)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.snapshots)

    @overload
    def __getitem__(self, place: int) -> Any: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[Any, ...]: ...
    def __getitem__(self, place: int | slice) -> Any:
        return self.snapshots[place]

    @property
    def live(self) -> int:
        """The number of the live policy among candidates."""
        return len(self.snapshots)

    def appended(self, snapshot: Any) -> "Menagerie":
        """Return the menagerie with one more at its end; it is not known how that one does.

        >>> Menagerie(("first",)).appended("second").snapshots
        ('first', 'second')
        """
        return replace(
            self,
            snapshots=(*self.snapshots, snapshot),
            win_rates=None,
            payoffs=None,
            records=(*self.records, Record()) if self.records else (),
            ratings=(*self.ratings, self.ratings[-1]) if self.ratings else (),
        )

    def __repr__(self) -> str:
        known = [n for n in ("win_rates", "payoffs", "records", "ratings") if self._knows(n)]
        return f"Menagerie({len(self)} snapshots{'; ' * bool(known)}{', '.join(known)})"

    def _knows(self, name: str) -> bool:
        value = getattr(self, name)
        return value is not None and len(value) > 0


def require_menagerie(menagerie: object) -> Menagerie:
    """Refuse what is no menagerie; a plain sequence of snapshots is made one."""
    if isinstance(menagerie, Menagerie):
        return menagerie
    if isinstance(menagerie, list | tuple):
        return Menagerie(tuple(cast("Sequence[Any]", menagerie)))
    raise InvalidArgument(
        needs="a menagerie", found=f"got {shown(menagerie)}", remedy="Give Menagerie(snapshots)."
    )


def grown(rates: NumberArray | None, row: NumberArray) -> NumberArray:
    """Return win rates with one more agent, who wins so often against those before.

    Args:
        rates (M, M): None for nobody.
        row (M,): Win rates of the newcomer.

    >>> grown(np.array([[0.5]]), np.array([0.75])).tolist()
    [[0.5, 0.25], [0.75, 0.5]]
    """
    size = len(row)
    half: Any = HALF if row.dtype == object else 0.5
    table = np.full((size + 1, size + 1), half, dtype=row.dtype)
    if rates is not None:
        table[:size, :size] = rates
    table[size, :size] = row
    table[:size, size] = 1 - row
    return freeze(table)


def require_fitting_menagerie(
    snapshot: Snapshot, own: Snapshot, *, players: int, needs: str
) -> None:
    """Refuse a snapshot of self-play that does not fit one's own, however many are kept in it.

    Args:
        needs: What must be known of those who are kept: "win_rates", "payoffs", or anything else.
    """
    require_fitting(snapshot, own, ignored=OF_ANY_SIZE)
    kept = snapshot["snapshots"]
    size = max(1, len(kept) if isinstance(kept, list | tuple) else 0)
    of_that_size: dict[str, Any] = {
        "snapshots": own["snapshots"][:1] * size,
        "points": np.zeros(size),
        "matches": np.zeros(size),
        "ratings": np.zeros(size + 1),
        "outcomes": np.zeros(np.size(snapshot["outcomes"])),
    }
    for name, axes in (("win_rates", 2), ("payoffs", players)):
        is_known = name == needs or snapshot[name] is not None
        of_that_size[name] = np.zeros((size,) * axes) if is_known else None
    require_fitting({name: snapshot[name] for name in of_that_size}, of_that_size)
