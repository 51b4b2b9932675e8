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
        require_memory(pairs * (size / 8 + BYTES_OF_AN_INTEGER), what="comparisons of actions")
        indices = np.arange(size).reshape(shape)
        self.having = [
            [sum(1 << k for k in indices.take(a, axis=j).ravel().tolist()) for a in range(count)]
            for j, count in enumerate(shape)
        ]
        self._unions: dict[tuple[int, tuple[int, ...]], int] = {}
        # for each player and action: another one, where that earns less, and where more
        self.pairs: list[list[list[tuple[int, int, int]]]] = []
        for player, own in enumerate(tables.scaled):
            ranks = np.unique(own, return_inverse=True)[1].reshape(own.shape)
            ranks = np.broadcast_to(np.expand_dims(ranks, player + 1), (len(own), *shape))
            above: list[list[int]] = []
            for one in ranks:
                look()
                above.append([_bits(one > other) for other in ranks])
            self.pairs.append(
                [
                    [
                        (b, above[action][b], above[b][action])
                        for b in range(len(own))
                        if b != action
                    ]
                    for action in range(len(own))
                ]
            )

    def steps(self) -> Iterator[SupportStep]:
        """Walk over all choices of supports, depth first."""
        # with the player, if any, of whose actions none is worse: others' answers did not change
        todo: list[tuple[Sets, Sets, int]] = [
            (tuple(() for _ in self.having), tuple(tuple(range(len(a))) for a in self.having), -1)
        ]
        while todo:
            played, perhaps, known = todo.pop()
            if not all(a or b for a, b in zip(played, perhaps, strict=True)):
                continue
            for player, (own, others) in enumerate(zip(played, perhaps, strict=True)):
                if not own and len(others) == 1:
                    played, perhaps = _set(played, player, others), _set(perhaps, player, ())
            worse = self._worse(played, perhaps, known)
            if worse is not None:
                player, action, _ = worse
                yield SupportStep((DROP, *worse), ())
                if action not in played[player]:
                    rest = tuple(a for a in perhaps[player] if a != action)
                    todo.append((played, _set(perhaps, player, rest), -1))
                continue
            player = next((j for j, own in enumerate(perhaps) if own), -1)
            if player < 0:
                yield SupportStep((), played)
                continue
            action, *others = perhaps[player]
            yield SupportStep((ASK, player, action), ())
            rest = _set(perhaps, player, tuple(others))
            more = _set(played, player, tuple(sorted((*played[player], action))))
            todo += [(more, rest, player), (played, rest, player)]

    def _worse(self, played: Sets, perhaps: Sets, known: int = -1) -> tuple[int, int, int] | None:
        """Find an action that earns less than another one: its player, itself, and the other."""
        sure = [self._union(j, own) for j, own in enumerate(played)]
        possible = [
            one | self._union(j, own)
            for (j, own), one in zip(enumerate(perhaps), sure, strict=True)
        ]
        for j in range(len(sure)):
            if j == known:
                continue
            rest = reduce(and_, possible[:j] + possible[j + 1 :], -1)
            surely = reduce(and_, sure[:j] + sure[j + 1 :], -1)
            for action in (*played[j], *perhaps[j]):
                for better, below, above in self.pairs[j][action]:
                    if rest & below:
                        continue
                    if not rest & ~above or (surely & above if surely >= 0 else above):
                        return j, action, better
        return None

    def _union(self, player: int, actions: tuple[int, ...]) -> int:
        """Return the joint actions at which a player plays one of some actions."""
        found = self._unions.get((player, actions))
        if found is None:
            found = reduce(or_, (self.having[player][a] for a in actions), 0)
            self._unions[player, actions] = found
        return found


def _bits(marks: np.ndarray) -> int:
    return int.from_bytes(np.packbits(marks.ravel(), bitorder="little").tobytes(), "little")


def _set(sets: Sets, player: int, own: tuple[int, ...]) -> Sets:
    return (*sets[:player], own, *sets[player + 1 :])
