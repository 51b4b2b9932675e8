"""What tables of POSGs and AEC games share: checks of labels and numbers, identity by content.

A *kernel* is many exact distributions over integers, one a row, stored end to end.
"""

import hashlib
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import check_labels, shown
from gametheory_core.arrays import (
    ExactArray,
    IntArray,
    ScaledIntegers,
    as_exact,
    freeze,
    hexadecimal,
    object_array,
    rational_text,
    scaled_integers,
    to_fraction,
)
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame


def by_constructor(self: Any) -> tuple[Any, ...]:
    """Pickle a record by its constructor, so that arrays are read-only again on the other side."""
    return (type(self), tuple(getattr(self, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class Kernel:
    """Rows of distributions.

    Attributes:
        start (num_rows + 1,): Row ``r`` is entries ``start[r]`` to ``start[r + 1]``, at least one.
        outcome (num_entries,): What is drawn.
        weight (num_entries,): Positive; each row sums to exactly one.
    """

    start: IntArray
    outcome: IntArray
    weight: ExactArray
    __reduce__ = by_constructor

    def __post_init__(self) -> None:
        for name in ("start", "outcome"):
            given = np.asarray(getattr(self, name))
            if given.size and given.dtype.kind not in "iu":
                raise InvalidGame(needs=f"integers in {name}", found=f"its type is {given.dtype}")
            object.__setattr__(self, name, freeze(given.astype(np.int32)))
        weight = np.array(self.weight, dtype=object)
        if any(type(w) is not Fraction for w in weight.tolist()):
            weight[:] = [to_fraction(w, where="Kernel: weight") for w in weight.tolist()]
        object.__setattr__(self, "weight", freeze(weight))
        rows = np.diff(self.start)
        fits = self.start[:1].tolist() == [0] and self.start[-1] == len(self.outcome)
        if not fits or np.any(rows < 1) or len(self.weight) != len(self.outcome):
            raise InvalidGame(
                needs="rows of at least one entry that cover outcome and weight",
                found=f"start runs from {self.start[:1].tolist()} to {self.start[-1:].tolist()} "
                f"over {len(self.outcome)} outcomes and {len(self.weight)} weights",
            )
        if self.num_rows:
            self._check_weights()

    def _check_weights(self) -> None:
        scaled = self.scaled
        sums = np.add.reduceat(scaled.numerators, self.start[:-1])
        bad = np.flatnonzero(sums != scaled.denominator)
        if bad.size:
            row = int(bad[0])
            raise InvalidGame(
                needs="rows that sum to exactly 1",
                found=f"row {row} has {list(map(rational_text, self.weight[self.row(row)]))}",
            )
        if np.any(scaled.numerators <= 0):
            entry = int(np.flatnonzero(scaled.numerators <= 0)[0])
            raise InvalidGame(
                needs="positive weights",
                found=f"entry {entry} has {rational_text(self.weight[entry])}",
            )

    @property
    def num_rows(self) -> int:
        """Number of distributions."""
        return len(self.start) - 1

    @cached_property
    def sizes(self) -> IntArray:
        """Number of outcomes of each row, shape (num_rows,)."""
        return freeze(np.diff(self.start).astype(np.int32))

    @cached_property
    def scaled(self) -> ScaledIntegers:
        """The weights as integers over one common denominator."""
        return scaled_integers(self.weight)

    def row(self, index: int) -> slice:
        """Return where a row's entries stand."""
        return slice(int(self.start[index]), int(self.start[index + 1]))

    def entries(self, rows: Any) -> tuple[Any, Any]:
        """Return the entries of some rows one after another: which row's, and where they stand."""
        which, position = spread(self.sizes[rows])
        return which, self.start[rows][which] + position

    def law(self, index: int, labels: Callable[[int], Any] | Sequence[Any]) -> Distribution[Any]:
        """Return a row as a distribution over labels."""
        entries = self.row(index)
        named = labels if callable(labels) else labels.__getitem__
        outcomes = [named(x) for x in self.outcome[entries].tolist()]
        return Distribution(tuple(zip(outcomes, self.weight[entries].tolist(), strict=True)))


@dataclass
class KernelRows:
    """A kernel under construction; equal rows may be stored once."""

    start: list[int] = field(default_factory=lambda: [0])
    outcome: list[int] = field(default_factory=list[int])
    weight: list[Any] = field(default_factory=list[Any])
    known: dict[Hashable, int] = field(default_factory=dict[Hashable, int])

    def add(self, entries: Sequence[tuple[int, Any]]) -> int:
        """Append a row and return its index."""
        self.outcome.extend(x for x, _ in entries)
        self.weight.extend(w for _, w in entries)
        self.start.append(len(self.outcome))
        return len(self.start) - 2

    def share(self, entries: Sequence[tuple[int, Any]]) -> int:
        """Return the index of a row equal to this one, appending it if there is none."""
        key = entries[0][0] if len(entries) == 1 else tuple(entries)  # alone it has weight 1
        index = self.known.get(key)
        if index is None:
            index = self.known[key] = self.add(entries)
        return index

    def freeze(self) -> Kernel:
        """Return the kernel."""
        outcome = np.array(self.outcome, dtype=np.int32)
        return Kernel(np.array(self.start), outcome, object_array(self.weight))


@dataclass
class Numbering:
    """Things numbered in the order in which they are first met."""

    things: list[Any] = field(default_factory=list[Any])
    index: dict[Any, int] = field(default_factory=dict[Any, int])

    def number(self, thing: Any) -> int:
        """Return the number of a thing, a new one if it is new."""
        found = self.index.get(thing)
        if found is None:
            found = self.index[thing] = len(self.things)
            self.things.append(thing)
        return found


def refuse_repetitions(kernel: Kernel, name: str) -> None:
    """Refuse a kernel that lists an outcome twice in a row."""
    row, _ = spread(kernel.sizes)
    order = np.lexsort((kernel.outcome, row))
    same = (np.diff(row[order]) == 0) & (np.diff(kernel.outcome[order]) == 0)
    if np.any(same):
        entry = int(order[int(np.flatnonzero(same)[0])])
        raise InvalidGame(
            needs=f"different outcomes in each row of {name}",
            found=f"row {row[entry]} has {kernel.outcome[entry]} twice",
            remedy="Add up their weights.",
        )


def permuted_rows(kernel: Kernel, order: Any) -> tuple[Kernel, Any]:
    """Return the kernel whose row ``k`` is row ``order[k]``, and where its entries stood."""
    _, entry = kernel.entries(order)
    start = np.concatenate([[0], np.cumsum(kernel.sizes[order])])
    return Kernel(start, kernel.outcome[entry], kernel.weight[entry]), entry


def find_rows(keys: Any, wanted: Any) -> Any:
    """Return the position of each wanted key among sorted ``keys``; -1 where it is not there."""
    if not len(keys):
        return np.full(np.shape(wanted), -1, dtype=np.int64)
    position = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
    return np.where(keys[position] == wanted, position, -1)


def spread(counts: Any) -> tuple[Any, Any]:
    """Return, for ``counts[k]`` copies of each ``k``, the source ``k`` and the copy's position."""
    source = np.repeat(np.arange(len(counts)), counts)
    first = np.cumsum(counts) - counts
    return source, np.arange(len(source)) - first[source]


LegalTable = tuple[tuple[tuple[int, ...], ...], ...]


def keep(record: Any, **fields: Any) -> None:
    """Set fields of a frozen record that is being made."""
    for name, value in fields.items():
        object.__setattr__(record, name, value)


def same_content(self: Any, other: object) -> bool:
    """Tell whether two games of one kind have equal digests."""
    return type(other) is type(self) and self.digest == cast("Any", other).digest


def hash_of_content(self: Any) -> int:
    """Hash a game by its digest."""
    return hash(self.digest)


@dataclass(frozen=True, eq=False, repr=False)
class LabelledTable:
    """What tables of both kinds begin with, answer by their labels, and are: their content.

    Attributes:
        states: Labels; every state can be reached.
        actions, observations: Labels, for each player.
        legal: ``legal[i][o]``: actions of player ``i`` after seeing observation ``o``.
    """

    players: tuple[str, ...]
    states: tuple[Hashable, ...]
    actions: tuple[tuple[Any, ...], ...]
    observations: tuple[tuple[Any, ...], ...]
    legal: LegalTable

    @property
    def num_players(self) -> int:
        """Number of players."""
        return len(self.players)

    @cached_property
    def state_index(self) -> dict[Hashable, int]:
        """Number of each state label."""
        return {label: k for k, label in enumerate(self.states)}

    @cached_property
    def action_index(self) -> tuple[dict[Hashable, int], ...]:
        """Number of each action label, for each player."""
        return tuple({label: k for k, label in enumerate(own)} for own in self.actions)

    @cached_property
    def observation_index(self) -> tuple[dict[Hashable, int], ...]:
        """Number of each observation label, for each player."""
        return tuple({label: k for k, label in enumerate(own)} for own in self.observations)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do after an observation."""
        own = self.legal[player][self.observation_index[player][observation]]
        return tuple(self.actions[player][a] for a in own)

    @cached_property
    def digest(self) -> str:
        """Content identity: SHA-256 over all fields but the title."""
        kind = type(self).__name__.removeprefix("Tabular").lower()
        return content_digest(kind, [getattr(self, f.name) for f in fields(self)[:-1]])

    __reduce__, __eq__, __hash__ = by_constructor, same_content, hash_of_content

    def __repr__(self) -> str:
        table = cast("Any", self)  # a title and row keys are among the fields of both kinds
        return (
            f"{type(self).__name__}({table.title!r}, {len(self.players)} players, "
            f"{len(self.states)} states, {len(table.row_key)} rows)"
        )


def keep_labels_and_numbers(table: Any) -> None:
    """Check and freeze, in a new table, the fields that POSGs and AEC games have in common."""
    players = check_labels(table.players, kind="player")
    if not players:
        raise InvalidGame(needs="at least one player", found="has none")
    kept: dict[str, Any] = {"players": players}
    kept["states"] = check_distinct(table.states, kind="states")
    for name in ("actions", "observations"):
        kept[name] = tuple(
            check_distinct(own, kind=f"{name} of player {i + 1}")
            for i, own in enumerate(getattr(table, name))
        )
    check_legal(table.legal, players, kept["actions"], kept["observations"])
    kept["terminal"] = frozen(table.terminal, np.bool_)
    kept["discount"] = check_discount(table.discount)
    kept["reward_vectors"] = exact_rewards(table.reward_vectors, len(players))
    check_horizon(table.horizon)
    keep(table, **kept)


def keep_arrays(table: Any, names: Sequence[str], dtype: Any) -> None:
    """Freeze arrays of a new table, copied with a type."""
    keep(table, **{name: frozen(getattr(table, name), dtype) for name in names})


def check_horizon(horizon: Any) -> None:
    """Refuse a horizon that is neither None nor a whole number."""
    if horizon is not None and (type(horizon) is not int or horizon < 0):
        raise InvalidGame(
            needs="a horizon that is None or a whole number of at least 0",
            found=f"has {shown(horizon)}",
        )


def check_discount(discount: object) -> Fraction:
    """Return the discount as a rational in [0, 1]."""
    exact = to_fraction(discount, where="discount")
    if not 0 <= exact <= 1:
        raise InvalidGame(
            needs="a number in [0, 1]", found=f"is {rational_text(exact)}", where="discount"
        )
    return exact


def check_distinct(
    labels: Sequence[Hashable], *, kind: str, owner: str | None = None
) -> tuple[Hashable, ...]:
    """Return labels as a tuple, after checking that no two are equal."""
    seen: dict[Hashable, int] = {}
    for position, label in enumerate(labels):
        first = seen.setdefault(label, position)
        if first != position:
            raise InvalidGame(
                needs=f"different {kind}",
                found=f"{label!r} stands at positions {first + 1} and {position + 1}",
                where=owner,
            )
    return tuple(labels)


def check_legal(
    legal: LegalTable,
    players: Sequence[str],
    actions: Sequence[Sequence[Hashable]],
    observations: Sequence[Sequence[Hashable]],
) -> None:
    """Refuse a table of legal actions with an observation without actions, or repeated ones."""
    if not len(legal) == len(actions) == len(observations) == len(players):
        raise InvalidGame(
            needs=f"actions, observations and legal actions for each of {len(players)} players",
            found=f"has {len(actions)}, {len(observations)} and {len(legal)}",
        )
    for i, label in enumerate(players):
        if len(legal[i]) != len(observations[i]):
            raise InvalidGame(
                needs=f"legal actions of {label!r} after each of {len(observations[i])} "
                "observations",
                found=f"has {len(legal[i])}",
            )
        for o, own in enumerate(legal[i]):
            if not own or len(set(own)) != len(own) or not set(own) <= set(range(len(actions[i]))):
                raise InvalidGame(
                    needs=f"different actions in 0..{len(actions[i]) - 1}, at least one, for "
                    f"{label!r} after {observations[i][o]!r}",
                    found=f"has {own}",
                )


def check_indices(name: str, array: Any, size: int, *, lowest: int = 0) -> None:
    """Refuse an index array that points outside ``lowest..size - 1``."""
    bad = np.flatnonzero((array < lowest) | (array >= size))
    if bad.size:
        raise InvalidGame(
            needs=f"{name} in {lowest}..{size - 1}", found=f"entry {bad[0]} has {array[bad[0]]}"
        )


def check_reachable(
    first: Any, row_state: Any, transitions: Kernel, states: Sequence[Hashable]
) -> None:
    """Refuse states that no play visits, naming one; rows are in ascending order of state."""
    reached = np.zeros(len(states), dtype=bool)
    fresh = np.unique(first)
    reached[fresh] = True
    row, _ = spread(transitions.sizes)
    bounds = row_state[row]
    while fresh.size:
        start = np.searchsorted(bounds, fresh, side="left")
        which, position = spread(np.searchsorted(bounds, fresh, side="right") - start)
        following = np.unique(transitions.outcome[start[which] + position])
        fresh = following[~reached[following]]
        reached[fresh] = True
    idle = np.flatnonzero(~reached)
    if idle.size:
        raise InvalidGame(
            needs="states that play can reach",
            found=f"{states[idle[0]]!r} is none ({idle.size} of {len(states)})",
            remedy="Leave it out.",
        )


def check_arrays(
    table: Any, *, lengths: Mapping[str, int], ranges: Mapping[str, tuple[int, int]]
) -> None:
    """Refuse arrays of another length, indices out of range, and keys that do not ascend.

    Args:
        lengths: Of arrays.
        ranges: The least index in an array or kernel, and the number after the largest.
    """
    for name, needed in lengths.items():
        if (found := len(getattr(table, name))) != needed:
            raise InvalidGame(needs=f"{needed} entries in {name}", found=f"has {found}")
    for name, (lowest, size) in ranges.items():
        given = getattr(table, name)
        indices = given.outcome if isinstance(given, Kernel) else np.atleast_1d(given)
        check_indices(name, indices, size, lowest=lowest)
        if name.endswith("_key") and np.any(np.diff(indices) <= 0):
            raise InvalidGame(needs=f"ascending {name}, one row for each key")


def check_play(table: Any, *, first: Any, kernels: Sequence[str], continues: str) -> None:
    """Refuse outcomes listed twice, ends that move or are not marked, and unreachable states.

    Args:
        first: The first states.
        continues: The array that says what follows each entry of the transitions, -1 at the end.
    """
    for name in kernels:
        refuse_repetitions(getattr(table, name), name)
    moving = table.row_state[table.terminal[table.row_state]]
    if moving.size:
        raise InvalidGame(
            needs="terminal states without transitions",
            found=f"{table.states[moving[0]]!r} has some",
            remedy="Drop its rows, or let it not be terminal.",
        )
    rows = getattr(table, continues)
    bad = np.flatnonzero(table.terminal[table.transition_kernel.outcome] != (rows < 0))
    if bad.size:
        raise InvalidGame(
            needs=f"-1 in {continues} for entries into terminal states, and only there",
            found=f"entry {bad[0]} has {rows[bad[0]]}",
        )
    check_reachable(first, table.row_state, table.transition_kernel, table.states)


def frozen(array: Any, dtype: Any) -> Any:
    """Return a read-only copy with a type."""
    return freeze(np.array(array, dtype=dtype))


def exact_rewards(vectors: Any, num_players: int) -> ExactArray:
    """Return reward vectors as a read-only exact array (num_rewards, num_players)."""
    array = np.array(vectors, dtype=object).reshape(-1, num_players)
    for position, value in enumerate(array.flat):
        if type(value) is not Fraction:
            where = f"reward of player {position % num_players + 1}"
            array.flat[position] = to_fraction(value, where=where)
    return freeze(as_exact(array))


def content_digest(kind: str, parts: Sequence[object]) -> str:
    """Return the SHA-256 of labels, arrays and kernels, the same on every machine."""
    content = hashlib.sha256(f"gametheory-core/{kind}/1\n".encode())
    for part in parts:
        if isinstance(part, Kernel):
            _add_array(content, part.start)
            _add_array(content, part.outcome)
            _add_array(content, part.weight)
        elif isinstance(part, np.ndarray):
            _add_array(content, part)
        else:
            content.update(_written(part).encode() + b"\n")
    return content.hexdigest()


def _written(part: Any) -> str:
    """Return what Python writes, sets in sorted order, so that no run differs from another."""
    if type(part) is tuple:
        return "(" + ", ".join(map(_written, cast("tuple[Any, ...]", part))) + ",)"
    if isinstance(part, frozenset):
        return "{" + ", ".join(sorted(map(_written, cast("frozenset[Any]", part)))) + "}"
    return repr(part)


def _add_array(content: Any, array: Any) -> None:
    content.update(repr(array.shape).encode())
    if array.dtype == object:
        content.update(" ".join(map(hexadecimal, array.ravel().tolist())).encode())
    else:
        content.update(array.astype("<i8").tobytes())
