"""What OpenSpiel wants to know of a game before it is played, decided exactly over all plays.

Positions from which the same may follow are looked at once. At each, the least and the most that
can still add up along a play are found backwards from the ends: of payoffs, of their sum, of how
they differ, and of moves. So bounds are attained, and sums that are constant are seen to be.

Information is perfect if no two histories look the same to the player who acts. Of players who
remember what they saw and did, that is local: from each own action, and from the start, no two ways
to the next own turn show the same sight there.
"""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple, TypeAlias

from gametheory_core.adapters.open_spiel_walks import ALL, Fork, Position, Walk, acting
from gametheory_core.arrays import ZERO
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games.extensive_form import TERMINAL
from gametheory_core.games.tree_table import CHANCE

STOP = "Stop long games by stop_posg(game, steps=...) or stop_aec(game, moves=...)."

Totals: TypeAlias = tuple[Fraction | int, ...]
Ways: TypeAlias = dict[Any, int]  # a player's next sight: one way there, or 2 for more


class Ahead(NamedTuple):
    """What may follow a position.

    Attributes:
        low, high: Bounds on payoffs, their sum, those of players 1, ... less player 0's, own turns
            of each player, forks at which players act, and draws of chance.
        ways: What each player may see at their next turn.
    """

    low: Totals
    high: Totals
    ways: tuple[Ways, ...]


class Child(NamedTuple):
    """Where choices lead, one of each who acts."""

    choice: tuple[int, ...]
    key: Hashable
    here: Position


@dataclass(frozen=True)
class Facts:
    """What holds of all plays of a game.

    Attributes:
        low, high: Least and largest payoff of any player.
        least_sum, most_sum: Of all players' payoffs.
        has_equal_payoffs: Whether all players always get the same.
        turns: Most turns of one player in one play.
        moves, draws: Most forks in one play at which players act, and at which chance draws.
        num_actions, num_outcomes: Most choices that a player and that chance has.
        sights: What each player may see when they act, numbered.
        pays_early: Whether something is paid before the end.
        has_perfect_information: Whether who acts alone, or all who act at once, know the history.
    """

    low: Fraction
    high: Fraction
    least_sum: Fraction
    most_sum: Fraction
    has_equal_payoffs: bool
    turns: int
    moves: int
    draws: int
    num_actions: int
    num_outcomes: int
    sights: tuple[dict[Any, int], ...]
    pays_early: bool
    has_perfect_information: bool


class Survey:
    """A game being looked over."""

    def __init__(self, walk: Walk, *, title: str, max_positions: int) -> None:
        self.walk, self.title, self.max_positions = walk, title, max_positions
        self.count = len(walk.players)
        self.ahead: dict[Hashable, Ahead] = {}
        self.num_actions = self.num_outcomes = 0
        self.sights: tuple[dict[Any, int], ...] = tuple({} for _ in walk.players)
        self.pays_early = False
        self.is_perfect = walk.has_singletons

    def facts(self) -> Facts:
        """Look at all positions, and say what holds of all plays."""
        start, n = self.walk.outline, self.count
        self._look_ahead(start)
        ahead = self.ahead[self.walk.key(start)]
        self._require_one_way(ahead.ways)
        self._note_payment(start, ahead)
        low, high = self._paid_then(start, ahead.low), self._paid_then(start, ahead.high)
        return Facts(
            low=Fraction(min(low[:n])),
            high=Fraction(max(high[:n])),
            least_sum=Fraction(low[n]),
            most_sum=Fraction(high[n]),
            has_equal_payoffs=not any((*low[n + 1 : 2 * n], *high[n + 1 : 2 * n])),
            turns=int(max(high[2 * n : 3 * n])),
            moves=int(high[3 * n]),
            draws=int(high[3 * n + 1]),
            num_actions=self.num_actions,
            num_outcomes=self.num_outcomes,
            sights=self.sights,
            pays_early=self.pays_early,
            has_perfect_information=self.is_perfect,
        )

    def _look_ahead(self, start: Position) -> None:
        """Look at what follows before what it follows."""
        walk, ahead = self.walk, self.ahead
        opened: dict[Hashable, tuple[Fork, list[Child]]] = {}
        on_path: set[Hashable] = set()
        waiting: list[tuple[Hashable, Position]] = [(walk.key(start), start)]
        while waiting:
            key, here = waiting[-1]
            if key in opened:
                ahead[key] = self._joined(here, *opened.pop(key))
                on_path.discard(walk.recurring(here))
            if key in ahead:
                waiting.pop()
                continue
            on_path.add(walk.recurring(here))
            self._require_room(len(opened) + len(ahead))
            fork = walk.fork(here)
            self._count(here, fork)
            joint = product(*(range(len(own)) for own in fork.labels))
            choices = joint if fork.mover != TERMINAL else ()
            after = ((choice, walk.after(here, choice)) for choice in choices)
            children = [Child(choice, walk.key(there), there) for choice, there in after]
            self._require_end(children, on_path)
            opened[key] = fork, children
            waiting.extend((child.key, child.here) for child in reversed(children))

    def _require_end(self, children: list[Child], on_path: set[Hashable]) -> None:
        for child in children:
            situation = self.walk.recurring(child.here)
            if situation is not None and situation in on_path:
                raise UnsupportedGame(
                    needs="plays that end",
                    found=f"in {self.title} they come back to where they were",
                    remedy=STOP,
                    witness=situation,
                    where="to_open_spiel",
                )

    def _require_room(self, known: int) -> None:
        if known >= self.max_positions:
            raise UnsupportedGame(
                needs=f"at most {named('max_positions')} = {self.max_positions:,} positions",
                found=f"{self.title} has more",
                remedy=f"Raise {named('max_positions')}. {STOP}",
                where="to_open_spiel",
            )

    def _count(self, here: Position, fork: Fork) -> None:
        most = max(map(len, fork.labels), default=0)
        if fork.mover == CHANCE:
            self.num_outcomes = max(self.num_outcomes, most)
        self.num_actions = max(self.num_actions, most * (fork.mover != CHANCE))
        for player in acting(fork.mover, self.count):
            self.sights[player].setdefault(self.walk.seen(here, player), len(self.sights[player]))

    def _joined(self, here: Position, fork: Fork, children: list[Child]) -> Ahead:
        """Put together what may follow each choice."""
        n = self.count
        if fork.mover == TERMINAL:
            nothing = (0,) * (3 * n + 2)
            return Ahead(nothing, nothing, ({},) * n)
        following = [(child.choice, child.here, self.ahead[child.key]) for child in children]
        for _, child, after in following:
            self._note_payment(child, after)
        movers = acting(fork.mover, n)
        own = (*(int(i in movers) for i in range(n)), int(bool(movers)), int(not movers))
        here_paid = (*(0,) * (2 * n), *own)
        lows = [self._paid_then(child, after.low) for _, child, after in following]
        highs = [self._paid_then(child, after.high) for _, child, after in following]
        ways: list[Ways] = []
        for player in range(n):
            if player not in movers:
                ways.append(_all_ways(after.ways[player] for _, _, after in following))
                continue
            place = player if fork.mover == ALL else 0
            for action in range(len(fork.labels[place])):
                taken = (after.ways[player] for c, _, after in following if c[place] == action)
                self._require_one_way((_all_ways(taken),))
            ways.append({self.walk.seen(here, player): 1})
        low, high = (
            tuple(map(best, zip(*side, strict=True))) for best, side in ((min, lows), (max, highs))
        )
        return Ahead(_added(here_paid, low), _added(here_paid, high), tuple(ways))

    def _require_one_way(self, ways: Iterable[Ways]) -> None:
        self.is_perfect = self.is_perfect and all(n == 1 for own in ways for n in own.values())

    def _note_payment(self, here: Position, ahead: Ahead) -> None:
        if not self.pays_early:
            goes_on = any(ahead.high[3 * self.count :])  # somebody moves, or chance draws
            self.pays_early = goes_on and any(self.walk.paid(here))

    def _paid_then(self, here: Position, ahead: Totals) -> Totals:
        """Add what is paid on reaching a position to what follows it."""
        paid = self.walk.paid(here)
        if not any(paid):
            return ahead
        less = (p - paid[0] for p in paid[1:])
        return _added((*paid, sum(paid, ZERO), *less, *(0,) * (self.count + 2)), ahead)


def _added(some: Totals, others: Totals) -> Totals:
    return tuple(a + b if b else a for a, b in zip(some, others, strict=True))


def _all_ways(parts: Iterable[Ways]) -> Ways:
    whole: Ways = {}
    for part in parts:
        for seen, number in part.items():
            whole[seen] = min(2, whole.get(seen, 0) + number)
    return whole
