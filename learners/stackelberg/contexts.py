"""What a leader answers to all queries, as one number.

A deterministic leader is his answers. They are written with the last observation changing fastest,
so that contexts are numbered as ``leader_policies`` lists leaders; observations after which the
leader never acts are not asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.view import LeaderView

MAX_CELLS = 20_000_000  # of a table, 160 MB in floats


@dataclass(frozen=True)
class Contexts:
    """The numbering of all answers a leader can give.

    Attributes:
        choices: The leader's legal actions after each observation; nothing where he never acts.

    >>> contexts = Contexts(((0, 1), (), (0, 1, 2)))
    >>> contexts.count, contexts.num_queries
    (6, 2)
    >>> contexts.plan(4), contexts.numbers(np.array([[1, -1, 1]])).tolist()
    ((1, -1, 1), [4])
    """

    choices: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Number of deterministic leaders; a Python integer, which may be large."""
        return prod(len(own) for own in self.choices if own)

    @property
    def num_queries(self) -> int:
        """Number of observations asked about."""
        return sum(1 for own in self.choices if own)

    def plan(self, number: int) -> tuple[int, ...]:
        """Return the leader's actions, -1 where he never acts."""
        actions: list[int] = []
        for own in reversed(self.choices):
            number, digit = divmod(number, len(own)) if own else (number, 0)
            actions.append(own[digit] if own else -1)
        return tuple(reversed(actions))

    def number(self, plan: Sequence[int]) -> int:
        """Return the number of one leader's actions; a Python integer, which may be large."""
        number = 0
        for own, action in zip(self.choices, plan, strict=True):
            number = number * len(own) + own.index(action) if own else number
        return number

    def numbers(self, plans: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return the number of each row of actions, (E, O) to (E,), if all numbers are short."""
        digits, strides = self._coding
        rows = np.arange(len(self.choices))
        number: NDArray[np.int64] = digits[rows, plans] @ strides
        return number

    def uniform_plans(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw leaders, all equally likely; shape (count, O)."""
        plans = np.full((count, len(self.choices)), -1)
        for column, own in enumerate(self.choices):
            if own:
                plans[:, column] = np.array(own)[rng.integers(len(own), size=count)]
        return plans

    @cached_property
    def _coding(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        most = 1 + max((a for own in self.choices for a in own), default=0)
        digits = np.zeros((len(self.choices), most), dtype=np.int64)
        strides = np.ones(len(self.choices), dtype=np.int64)
        for o, own in enumerate(self.choices):
            digits[o, list(own)] = np.arange(len(own))
        for o in range(len(self.choices) - 2, -1, -1):
            strides[o] = strides[o + 1] * max(1, len(self.choices[o + 1]))
        return digits, strides


def require_table(contexts: Contexts, view: LeaderView, *, row: int) -> None:
    """Refuse a table over all answers with ``row`` numbers each that would not fit.

    Raises:
        UnsupportedGame: With the number of leaders.
    """
    if contexts.count * row > MAX_CELLS:
        player = view.game.players[view.leader]
        raise UnsupportedGame(
            needs=f"a table of at most {MAX_CELLS:,} numbers",
            found=f"{player!r} may answer {contexts.num_queries} queries in "
            f"{counted(contexts.count)} ways, with {row:,} numbers each",
            remedy="Take a follower who learns anew for each leader (InnerLoopQ), or let the "
            "leader "
            "observe less.",
        )
