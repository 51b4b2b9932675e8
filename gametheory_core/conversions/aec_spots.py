"""What can follow what in an AEC game: a *spot* is where play stands, whatever happened before.

Many nodes of a tree stand at one spot. Each spot is expanded once, and nodes are counted by spots.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arguments import distinct_texts
from gametheory_core.arrays import ZERO
from gametheory_core.conversions.aec_situations import (
    Situation,
    each_child,
    is_over,
    refuse_endless,
    root,
)
from gametheory_core.games import AEC
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.tree_draft import REPORT_EVERY
from gametheory_core.memory import LOOK_EVERY, growth_limit

Draw: TypeAlias = tuple[tuple[str, ...], tuple[Fraction, ...]]

MAX_POSITIONS = 2_000  # of a level: where counting stops once there are too many nodes


class Spots:
    """The spots that were met, numbered, and what follows those that were followed.

    Attributes:
        root: Where play stands once chance has begun, at spot 0.
        mover (num_spots,): Player who moves, ``CHANCE`` for draws, ``TERMINAL`` at the end.
        view (num_spots,): What the mover sees, by its number in ``views[mover]``.
        drawn (num_spots,): How many outcomes chance draws from; 0 if it does not.
        start (num_followed + 1,): Where a spot's edges begin: spots are followed in their order.
        child, pays, cycles (num_edges,): The spot that an edge leads to, the number in
            ``payments`` of what is paid on it, discounted from the last decision on, and how many
            chance moves are completed since then; draws of chance count with what follows them.
        draws: At each spot of chance, labels and probabilities of its edges.
        actions: Of each player, what may be done at each view.
    """

    def __init__(self, game: AEC) -> None:
        self.game = game
        self.mover, self.view, self.drawn = array("i"), array("i"), array("i")
        self.start = array("i", [0])
        self.child, self.pays, self.cycles = array("i"), array("i"), array("i")
        self.draws: dict[int, Draw] = {}
        self.views: tuple[dict[Any, int], ...] = tuple({} for _ in game.players)
        self.actions: tuple[list[tuple[Any, ...]], ...] = tuple([] for _ in game.players)
        self.payments: dict[tuple[Any, ...], int] = {}
        self._number: dict[Hashable, int] = {}
        self._unfollowed: dict[int, Situation] = {}
        self._require_room = growth_limit(what=f"the positions of {game.title or game!r}")
        self.root = root(game, remember=False)
        self._find(self.root)
        self.payments[self.root.paid] = 0

    def _find(self, here: Situation) -> int:
        """Return the number of a situation's spot."""
        events = None if self.game.horizon is None else here.events
        drawn = tuple((*entry[:2], entry[2].paid, entry[2].cycles) for entry in here.lottery)
        key = (here.state, here.mover, here.seen, events, drawn)
        number = self._number.setdefault(key, len(self.mover))
        if number == len(self.mover):
            mover = TERMINAL if not drawn and is_over(self.game, here) else here.mover
            self.mover.append(mover)
            self.view.append(0 if mover < 0 else self._view(mover, here.seen))
            self.drawn.append(len(drawn))
            self._unfollowed[number] = here
            if not number % LOOK_EVERY:
                self._require_room()
        return number

    def _view(self, player: int, seen: Any) -> int:
        number = self.views[player].setdefault(seen, len(self.views[player]))
        if number == len(self.actions[player]):
            self.actions[player].append(tuple(self.game.legal_actions(player, seen)))
        return number

    def follow(self, spot: int) -> Iterator[int]:
        """Yield the spots that follow, those of a spot not yet followed as they are found."""
        if spot + 1 < len(self.start):
            yield from self.child[self.start[spot] : self.start[spot + 1]]
            return
        here = self._unfollowed.pop(spot)
        if self.mover[spot] != TERMINAL:
            nothing = (ZERO,) * len(self.game.players)
            begun = here if here.lottery else here._replace(paid=nothing, cycles=0)
            labels: list[Any] = []
            odds: list[Any] = []
            for label, chance, there in each_child(self.game, begun):
                self.child.append(self._find(there))
                self.pays.append(self.payments.setdefault(there.paid, len(self.payments)))
                self.cycles.append(0 if there.lottery else there.cycles)
                labels.append(label)
                odds.append(chance)
                yield self.child[-1]
            if here.lottery:
                self.draws[spot] = (distinct_texts(labels), tuple(odds))
        self.start.append(len(self.child))


def count_nodes_at(
    spots: Spots, *, max_nodes: int, on_iteration: Callable[[int], None] | None = None
) -> int:
    """Count nodes level by level; stops once they are too many and counting on takes long."""
    level, total, depth, made = {0: 1}, 1, 0, 0
    while level:
        refuse_endless(spots.game, depth)
        following: dict[int, int] = {}
        waiting = below = 0  # spots, outcomes of their lotteries included, and nodes
        for spot, number in level.items():
            for child in spots.follow(spot):
                drawn = spots.drawn[child]
                waiting += 0 if child in following else 1 + drawn
                following[child] = following.get(child, 0) + number
                total += number
                below += number * drawn
                made += 1
                if on_iteration is not None and not made % REPORT_EVERY:
                    on_iteration(total)
                if total + below > max_nodes and (
                    waiting > MAX_POSITIONS or total + below > max_nodes**2
                ):
                    return total + below
        level, depth = following, depth + 1
    return total
