"""What a learner sees of what was observed: the last observation, the time with it, or everything.

Each way gives every player's information states numbers, known before play begins.
"""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.conversions.tabular import explore
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import InformationState
from gametheory_core.games.tree_table import CHANCE
from learners._kernels.arrays import (
    EVERYBODY,
    HISTORY,
    LAST,
    NEXT_PLACE,
    OFFSET,
    OVER,
    SHOWN,
    TIMED,
    RuleArrays,
    SightArrays,
)
from learners.batches.play_table import PlayTable


class Sees(Enum):
    """What learners see of a player's information state."""

    LAST = "the last observation"
    TIMED = "the number of own turns so far, and the last observation"
    HISTORY = "the whole information state"


@dataclass(frozen=True, eq=False)
class Sight:
    """The numbers of what players see.

    Attributes:
        labels: What each player's numbers stand for: an observation, (turn, observation), or an
            information state.
        last_seen: The observation on which each number ends.
    """

    labels: tuple[tuple[Any, ...], ...]
    last_seen: tuple[NDArray[np.int64], ...]
    arrays: SightArrays


def sight_of(table: PlayTable, sees: Sees, *, max_states: int, title: str) -> Sight:
    """Number what players see."""
    if sees is Sees.HISTORY:
        return _histories(table, max_states, title)
    turns = [1] * len(table.players) if sees is Sees.LAST else _most_turns(table, title)
    counts = [len(own) for own in table.observations]
    if sum(t * o for t, o in zip(turns, counts, strict=True)) > max_states:
        raise UnsupportedGame(
            needs=f"at most max_states = {max_states:,} observations with their times",
            found=f"{title} has {sum((t * o for t, o in zip(turns, counts, strict=True))):,}",
            remedy="Give a shorter horizon, or Sees.LAST.",
        )
    labels = (
        table.observations
        if sees is Sees.LAST
        else tuple(
            tuple(product(range(t), own)) for t, own in zip(turns, table.observations, strict=True)
        )
    )
    return Sight(
        labels=labels,
        last_seen=tuple(np.tile(np.arange(o), t) for t, o in zip(turns, counts, strict=True)),
        arrays=_arrays(table, LAST if sees is Sees.LAST else TIMED),
    )


def _arrays(table: PlayTable, kind: int) -> SightArrays:
    return SightArrays(
        kind=kind,
        sizes=np.array(
            [(len(o), len(a), 0) for o, a in zip(table.observations, table.actions, strict=True)],
            dtype=np.int64,
        ),
        branches=np.zeros(1, dtype=np.int64),
        following=np.zeros((0, 2), dtype=np.int32),
    )


def _most_turns(table: PlayTable, title: str) -> list[int]:
    """Return how often each player can see something in one play, by the longest paths."""
    rules = table.rules
    if table.horizon is not None and EVERYBODY in rules.movers:
        return [table.horizon + 1] * len(table.players)
    rows = len(rules.row_keys)
    entries = np.diff(rules.starts[: rows + 1])
    source = np.repeat(rules.row_keys // rules.num_codes, entries)
    next_places = rules.entries[:, NEXT_PLACE]
    gained = (rules.signals >= 0).astype(np.int64)[rules.entries[:, SHOWN]]
    moves, first = slice(0, len(source)), slice(len(source), None)
    reached = np.full((len(rules.movers), len(table.players)), -1, dtype=np.int64)
    np.maximum.at(reached, next_places[first], gained[first])
    most = reached.max(axis=0)
    depth = 0
    while (reached >= 0).any() and (table.horizon is None or depth < table.horizon):
        depth += 1
        if table.horizon is None and depth > len(rules.movers):
            raise UnsupportedGame(
                needs="plays of limited length to number times",
                found=f"those of {title} may go on without end",
                remedy="Give a horizon, or Sees.LAST.",
            )
        follows = np.full_like(reached, -1)
        open_ = reached[source, 0] >= 0
        into, plus = next_places[moves][open_], gained[moves][open_]
        np.maximum.at(follows, into, reached[source[open_]] + plus)
        reached = follows
        most = np.maximum(most, reached.max(axis=0))
    return [max(1, int(t)) for t in most]


class _Past(NamedTuple):
    """What a player saw and did in a play: what was before, the action after it, what was seen."""

    before: "_Past | None"
    action: int
    seen: int


class Pasts:
    """Information states met by following all plays, and the number of each.

    For histories each has a number of its own; else only the first is kept that has a number. Plays
    are then told apart only by place, numbers and last actions, so that of those that meet, one is
    remembered: what was seen in a play that is possible, and not pieces of several.
    """

    def __init__(self, table: PlayTable, kind: int) -> None:
        self.table = table
        self.kind = kind
        rules = self.rules = table.rules
        self.starts = rules.starts.tolist()
        self.next_places = rules.entries[:, NEXT_PLACE].tolist()
        self.signals = [
            [(i, o) for i, o in enumerate(own) if o >= 0] for own in rules.signals.tolist()
        ]
        self.shown = rules.entries[:, SHOWN].tolist()
        self.row_of = {key: row for row, key in enumerate(rules.row_keys.tolist())}
        self.allowed = [[np.flatnonzero(own).tolist() for own in legal] for legal in table.legal]
        count = len(table.players)
        self.labels: list[dict[int, InformationState]] = [{} for _ in range(count)]
        self.last_seen: list[dict[int, int]] = [{} for _ in range(count)]
        self.numbers: list[dict[tuple[int, int, int], int]] = [{} for _ in range(count)]
        self._pasts: dict[Any, tuple[_Past | None, ...]] = {}  # of a play that led to each node

    def start(self) -> list[Any]:
        """Return where play starts: a place, and for each player the number and last action."""
        blank = ((-1, 0),) * len(self.table.players)
        return list(self._after(len(self.starts) - 2, blank, (None,) * len(blank)))

    def expand(self, node: Any) -> list[Any]:
        """Return where each choice of those who move, and chance, may lead."""
        place, known = node
        mover = int(self.rules.movers[place])
        if mover == OVER:
            return []
        acting = [] if mover == CHANCE else [mover] if mover >= 0 else range(len(known))
        choices = [self.allowed[i][self.last_seen[i][known[i][0]]] for i in acting]
        found: list[Any] = []
        pasts = self._pasts.get(node, ())
        for joint in product(*choices):
            done = list(known)
            code = 0
            for i, action in zip(acting, joint, strict=True):
                done[i] = (known[i][0], action)
                code += action * int(self.rules.strides[i])
            row = self.row_of[place * self.rules.num_codes + code]
            found.extend(self._after(row, tuple(done), pasts))
        return found

    def _after(
        self, row: int, known: tuple[tuple[int, int], ...], pasts: tuple[_Past | None, ...]
    ) -> Iterator[Any]:
        for entry in range(self.starts[row], self.starts[row + 1]):
            new, own = list(known), list(pasts)
            for i, seen in self.signals[self.shown[entry]]:
                before, action = known[i]
                if self.kind == HISTORY:
                    number = self._number_of_history(i, before, action, seen)
                else:
                    past = own[i] = _Past(pasts[i], action, seen)
                    number = self._number(i, before, past)
                new[i] = (number, 0)
            node = self.next_places[entry], tuple(new)
            if self.kind != HISTORY:
                self._pasts.setdefault(node, tuple(own))
            yield node

    def _number_of_history(self, player: int, before: int, action: int, seen: int) -> int:
        key = (before, action, seen)
        number = self.numbers[player].get(key)
        if number is None:
            number = self.numbers[player][key] = len(self.labels[player])
            past = (
                ()
                if before < 0
                else (*self.labels[player][before], self.table.actions[player][action])
            )
            self.labels[player][number] = (*past, self.table.observations[player][seen])
            self.last_seen[player][number] = seen
        return number

    def _number(self, player: int, before: int, past: _Past) -> int:
        count, seen = len(self.table.observations[player]), past.seen
        number = seen if self.kind == LAST else (before // count + 1) * count + seen
        if number not in self.labels[player]:
            self.labels[player][number] = self._label(player, past)
            self.last_seen[player][number] = seen
        return number

    def _label(self, player: int, last: _Past) -> InformationState:
        """Return what a player saw and did, in order."""
        backwards: list[Hashable] = []
        past: _Past | None = last
        while past is not None:
            backwards.append(self.table.observations[player][past.seen])
            if past.before is not None:
                backwards.append(self.table.actions[player][past.action])
            past = past.before
        return tuple(reversed(backwards))


def followed_pasts(table: PlayTable, kind: int, *, max_states: int, title: str) -> Pasts:
    """Follow all plays; refuse too many."""
    met = Pasts(table, kind)
    explore(
        met.start(),
        met.expand,
        horizon=table.horizon,
        most=max_states,
        needs=f"at most max_states = {max_states:,} different pasts to number information states",
        whose=title,
        unit="moves",
        stop="horizon=...",
    )
    return met


def _histories(table: PlayTable, max_states: int, title: str) -> Sight:
    met = followed_pasts(table, HISTORY, max_states=max_states, title=title)
    return Sight(
        labels=tuple(
            tuple(own.values()) or table.observations[i][:1] for i, own in enumerate(met.labels)
        ),
        last_seen=tuple(np.array([*own.values()] or [0], dtype=np.int64) for own in met.last_seen),
        arrays=_branches(table, met.numbers),
    )


def _branches(table: PlayTable, met: list[dict[tuple[int, int, int], int]]) -> SightArrays:
    """Store which number follows which past, action and observation, players end to end."""
    arrays = _arrays(table, HISTORY)
    offset = 0
    starts: list[NDArray[np.int64]] = [np.zeros(1, dtype=np.int64)]
    following: list[NDArray[np.int64]] = [np.zeros((0, 2), dtype=np.int64)]
    for i, numbers in enumerate(met):
        width = len(table.actions[i])
        size = (len(numbers) + 1) * width
        rows = [((b + 1) * width + a, o, number) for (b, a, o), number in numbers.items()]
        keys = np.array(rows, dtype=np.int64).reshape(-1, 3)
        following.append(keys[np.lexsort((keys[:, 1], keys[:, 0])), 1:])
        starts.append(np.cumsum(np.bincount(keys[:, 0], minlength=size)) + starts[-1][-1])
        arrays.sizes[i, OFFSET] = offset
        offset += size
    return arrays._replace(
        branches=np.concatenate(starts), following=np.concatenate(following).astype(np.int32)
    )


class Numbers:
    """Numbers of what a player has seen, looked up by labels."""

    def __init__(self, table: PlayTable, sight: Sight, player: int) -> None:
        self._kind = sight.arrays.kind
        self._player = table.players[player]
        self._number = {label: k for k, label in enumerate(sight.labels[player])}

    def of(self, information_state: InformationState) -> NDArray[np.int64]:
        """Return the number shown at each observation of an information state.

        Raises:
            InvalidArgument: If play within the horizon cannot come there.
        """
        numbers: list[int] = []
        for turn, position in enumerate(range(0, len(information_state), 2)):
            seen = information_state[position]
            label: Any = seen
            if self._kind == TIMED:
                label = (turn, seen)
            elif self._kind == HISTORY:
                label = information_state[: position + 1]
            number = self._number.get(label) if _is_hashable(label) else None
            if number is None:
                raise InvalidArgument(
                    needs="an information state that play can reach",
                    found=f"{self._player!r} never sees {label!r}",
                    remedy="Give a longer horizon if play may go on.",
                )
            numbers.append(number)
        return np.array(numbers, dtype=np.int64)


def _is_hashable(label: Any) -> bool:
    try:
        hash(label)
    except TypeError:
        return False
    return True


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
