"""Games walked fork by fork: who chooses among what, what is paid, what each player knows.

A tree is walked node by node; rules of POSGs and AEC games have a walk of their own.

Actions and outcomes of chance are numbers: places among those of their fork. Outcomes of
probability zero have none.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from gametheory_core.arguments import label_or_number
from gametheory_core.arrays import ZERO
from gametheory_core.games.extensive_form import TERMINAL, ExtensiveFormGame
from gametheory_core.games.rules import from_inner
from gametheory_core.strategies.sequences import chance_reach

ALL = -3  # who moves where all act at once

Position: TypeAlias = Any  # a node of a tree, or a situation of rules
Known: TypeAlias = tuple[Any, ...]  # sights, and numbers of actions between them


class Fork(NamedTuple):
    """What happens at a position.

    Attributes:
        mover: A player, ``CHANCE``, ``ALL``, or ``TERMINAL`` where play has ended.
        labels: Words for the actions of each who acts: of one, or of all players.
        weights: Of chance's outcomes; empty where players act.
    """

    mover: int
    labels: tuple[tuple[str, ...], ...] = ()
    weights: tuple[Fraction, ...] = ()


END = Fork(TERMINAL)


class Walk(Protocol):
    """A game walked fork by fork."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        ...

    @property
    def start(self) -> Position:
        """Where play starts."""
        ...

    @property
    def outline(self) -> Position:
        """Where play starts, for those who only look at what may follow."""
        ...

    def fork(self, here: Position) -> Fork:
        """Return what happens at a position."""
        ...

    def after(self, here: Position, choices: Sequence[int]) -> Position:
        """Return where choices lead, one of each who acts."""
        ...

    def paid(self, here: Position) -> tuple[Fraction, ...]:
        """Return what each player is paid on reaching a position."""
        ...

    def key(self, here: Position) -> Hashable:
        """Return what decides all that may follow."""
        ...

    def recurring(self, here: Position) -> Hashable:
        """Return what, if it comes twice in one play, can come again forever; None if it cannot."""
        ...

    def seen(self, here: Position, player: int) -> Any:
        """Return what a player who acts sees."""
        ...

    def known(self, here: Position, player: int) -> Known:
        """Return what a player has seen and done: sight, action, ..., a sight last if they act."""
        ...

    def actions(self, player: int, seen: Any) -> tuple[str, ...]:
        """Return words for what a player can do after a sight."""
        ...

    def sight_texts(self, player: int, sights: Sequence[Any]) -> tuple[str, ...]:
        """Return a text of each sight, all different."""
        ...

    @property
    def has_singletons(self) -> bool:
        """Tell whether no sight of a tree stands for two nodes that play can reach."""
        ...

    @property
    def at_once(self) -> bool:
        """Tell whether all players act at once."""
        ...

    @property
    def has_only_infosets(self) -> bool:
        """Tell whether sights are information sets, which say all that a player knows."""
        ...


def acting(mover: int, num_players: int) -> tuple[int, ...]:
    """Return who acts at a fork."""
    if mover == ALL:
        return tuple(range(num_players))
    return (mover,) if mover >= 0 else ()


@dataclass(frozen=True)
class TreeWalk:
    """A tree walked node by node; sights are information sets."""

    game: ExtensiveFormGame
    start = outline = 0
    at_once = False
    has_only_infosets = True
    players = from_inner("players")

    def fork(self, here: int) -> Fork:
        """Return what happens at a node."""
        return self._forks[self._infosets[here]]

    def after(self, here: int, choices: Sequence[int]) -> int:
        """Return a child."""
        return self._first_child[here] + self._places[self._infosets[here]][choices[0]]

    def paid(self, here: int) -> tuple[Fraction, ...]:
        """Return the outcome on a node."""
        return self._paid[self._outcomes[here]]

    def key(self, here: int) -> int:
        """Return the node."""
        return here

    def recurring(self, here: int) -> None:
        """Return None: a tree ends."""

    def seen(self, here: int, player: int) -> int:
        """Return the information set."""
        del player
        return self._infosets[here]

    def known(self, here: int, player: int) -> Known:
        """Return the information set, or where the player waits the last one and the action there.

        A tree says what players know only when they move.
        """
        if self.fork(here).mover == player:
            return (self._infosets[here],)
        while here > 0:
            parent = int(self.game.parent[here])
            if self.fork(parent).mover == player:
                return self._infosets[parent], here - self._first_child[parent]
            here = parent
        return ()

    def actions(self, player: int, seen: int) -> tuple[str, ...]:
        """Return the actions of an information set."""
        del player
        return self._forks[seen].labels[0]

    def sight_texts(self, player: int, sights: Sequence[int]) -> tuple[str, ...]:
        """Return labels of information sets, quoted, or their numbers among the player's."""
        del player
        infosets = (self.game.infosets[seen] for seen in sights)
        return tuple(label_or_number(infoset.label, infoset.number) for infoset in infosets)

    @property
    def has_singletons(self) -> bool:
        """Tell whether no player's information set has two nodes that play can reach."""
        met = (chance_reach(self.game) > 0) & (self.game.node_player >= 0)
        return bool(np.bincount(self.game.node_infoset[met], minlength=1).max() <= 1)

    @cached_property
    def _infosets(self) -> list[int]:
        return self.game.node_infoset.tolist()

    @cached_property
    def _outcomes(self) -> list[int]:
        return self.game.node_outcome.tolist()

    @cached_property
    def _first_child(self) -> list[int]:
        return self.game.first_child.tolist()

    @cached_property
    def _paid(self) -> list[tuple[Fraction, ...]]:
        nothing = (ZERO,) * self.game.num_players  # in the last place: NO_OUTCOME is -1
        return [*(outcome.payoffs for outcome in self.game.outcomes), nothing]

    @cached_property
    def _places(self) -> list[list[int]]:
        """Return, for each information set, the children that stand for its actions."""
        return [
            [k for k, w in enumerate(s.probabilities or (1,) * len(s.actions)) if w]
            for s in self.game.infosets
        ]

    @cached_property
    def _forks(self) -> list[Fork]:
        forks: list[Fork] = []
        for infoset, places in zip(self.game.infosets, self._places, strict=True):
            words, weights = infoset.actions, infoset.probabilities or ()
            if "" in words:
                words = tuple(label_or_number(word, k + 1) for k, word in enumerate(words))
            labels = tuple(words[k] for k in places)
            drawn = tuple(weights[k] for k in places) if weights else ()
            forks.append(Fork(infoset.player, (labels,), drawn))
        return [*forks, END]  # the last place is that of terminal nodes, whose index is -1
