"""Choices of supports, with actions dropped that earn less than others under the choices made.

Joint actions are bits of an integer: what an action earns more or less than another one, against
all that others do, are two of them, and a question about a choice of supports is a mask.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import reduce
from math import prod
from operator import and_, or_

import numpy as np

from gametheory_core.certificates.all_equilibria import ASK, DROP
from gametheory_core.evaluation.support_rows import DifferenceTables, Supports
from gametheory_core.memory import BYTES_OF_AN_INTEGER, require_memory

Sets = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class SupportStep:
    """A step about supports; or, with no step, supports that are left."""

    step: tuple[int, ...]
    supports: Supports


class SupportTree:
    """Comparisons of all pairs of actions, as bits over joint actions."""

    def __init__(self, tables: DifferenceTables, look: Callable[[], None]) -> None:
        """Compare all pairs of actions of each player.

        Raises:
            UnsupportedGame: If the comparisons do not fit into memory.
            BudgetOver: From ``look``, which is called for each action.
        """
        shape = tables.game.num_actions
        size, pairs = prod(shape), sum(count * count for count in shape)
        require_memory(2 * pairs * (size / 8 + BYTES_OF_AN_INTEGER), what="comparisons of actions")
        indices = np.arange(size).reshape(shape)
        self.having = [
            [sum(1 << k for k in indices.take(a, axis=j).ravel().tolist()) for a in range(count)]
            for j, count in enumerate(shape)
        ]
        self.above: list[list[list[int]]] = []
        self.below: list[list[list[int]]] = []
        for player, own in enumerate(tables.scaled):
            ranks = np.unique(own, return_inverse=True)[1].reshape(own.shape)
            ranks = np.broadcast_to(np.expand_dims(ranks, player + 1), (len(own), *shape))
            self.above.append([])
            self.below.append([])
            for one in ranks:
                look()
                self.above[-1].append([_bits(one > other) for other in ranks])
                self.below[-1].append([_bits(one < other) for other in ranks])

    def steps(self) -> Iterator[SupportStep]:
        """Walk over all choices of supports, depth first."""
        todo: list[tuple[Sets, Sets]] = [
            (tuple(() for _ in self.having), tuple(tuple(range(len(own))) for own in self.having))
        ]
        while todo:
            played, perhaps = todo.pop()
            if not all(a or b for a, b in zip(played, perhaps, strict=True)):
                continue
            forced = [not a and len(b) == 1 for a, b in zip(played, perhaps, strict=True)]
            played, perhaps = (
                tuple(b if f else a for a, b, f in zip(played, perhaps, forced, strict=True)),
                tuple(() if f else b for b, f in zip(perhaps, forced, strict=True)),
            )
            worse = self._worse(played, perhaps)
            if worse is not None:
                player, action, _ = worse
                yield SupportStep((DROP, *worse), ())
                if action not in played[player]:
                    todo.append((played, _without(perhaps, player, action)))
                continue
            player = next((j for j, own in enumerate(perhaps) if own), -1)
            if player < 0:
                yield SupportStep((), played)
                continue
            action = min(perhaps[player])
            yield SupportStep((ASK, player, action), ())
            rest = _without(perhaps, player, action)
            todo += [(_with(played, player, action), rest), (played, rest)]

    def _worse(self, played: Sets, perhaps: Sets) -> tuple[int, int, int] | None:
        """Find an action that earns less than another one: its player, itself, and the other."""
        having = self.having
        possible = [
            reduce(or_, (having[j][a] for a in (*one, *other)))
            for j, (one, other) in enumerate(zip(played, perhaps, strict=True))
        ]
        sure = [reduce(or_, (having[j][a] for a in own), 0) for j, own in enumerate(played)]
        everything = -1
        for j in range(len(having)):
            rest = reduce(and_, possible[:j] + possible[j + 1 :], everything)
            surely = reduce(and_, sure[:j] + sure[j + 1 :], everything)
            for action in (*played[j], *perhaps[j]):
                for better in range(len(having[j])):
                    if rest & self.below[j][better][action] or better == action:
                        continue
                    above = self.above[j][better][action]
                    if rest & ~above == 0 or (surely & above if surely >= 0 else above):
                        return j, action, better
        return None


def _bits(marks: np.ndarray) -> int:
    return int.from_bytes(np.packbits(marks.ravel(), bitorder="little").tobytes(), "little")


def _with(sets: Sets, player: int, action: int) -> Sets:
    own = tuple(sorted((*sets[player], action)))
    return (*sets[:player], own, *sets[player + 1 :])


def _without(sets: Sets, player: int, action: int) -> Sets:
    own = tuple(a for a in sets[player] if a != action)
    return (*sets[:player], own, *sets[player + 1 :])
