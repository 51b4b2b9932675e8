"""Monte-Carlo counterfactual regret: what one sampled traversal of a tree teaches one player.

Both kinds of traversal add to the regrets of a player's actions an amount whose expectation, over
what is sampled, is the counterfactual regret of the action:

    external sampling   all own actions are followed; chance and the others are drawn as they play;
    outcome sampling    one play is drawn, the own actions from a mixture with uniform choice, and
                        divided by the own probability of being drawn.

A walk for averages draws the own actions as they are played and the others' uniformly, so that it
comes to an information set in proportion to the player's own reach, whatever the others do. The
strategy there is added to totals. For two players, external traversals of the other serve as well.

Amounts are floats, or ``Fraction`` if positions and memories hold these.
"""

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from gametheory_core.arrays import ONE, ZERO
from gametheory_core.games import CHANCE, TERMINAL
from solvers.counterfactual.sampled_positions import Positions, Visit
from solvers.solution import BudgetOver

LOOK_EVERY = 256  # visits between two looks at the time within a traversal


class Draws(Protocol):
    """Where random choices come from."""

    def chance(self, visit: Visit) -> int:
        """Draw a branch of chance."""
        ...

    def action(self, probabilities: Sequence[Any]) -> int:
        """Draw from a strategy."""
        ...

    def uniform(self, count: int) -> int:
        """Draw one of so many."""
        ...


@dataclass(frozen=True)
class GeneratorDraws:
    """Draws by uniform numbers in [0, 1)."""

    random: Callable[[], float]

    def chance(self, visit: Visit) -> int:
        """Draw a branch of chance."""
        return bisect_right(visit.cumulative, self.random())

    def action(self, probabilities: Sequence[float]) -> int:
        """Draw from a strategy."""
        number, total, last = self.random(), 0.0, 0
        for action, probability in enumerate(probabilities):
            if probability > 0.0:
                total += probability
                last = action
                if number < total:
                    break
        return last

    def uniform(self, count: int) -> int:
        """Draw one of so many."""
        return int(self.random() * count)


@dataclass
class Memories:
    """What is remembered at each information set met so far; grows. Lives inside one call.

    ``regrets`` and ``totals`` are sums; ``strategies`` are what the regrets say to play. What
    changes after ``keep`` can be taken back by ``undo``. ``is_over`` says whether time has run out.
    """

    positions: Positions
    regrets: list[list[Any]] = field(default_factory=list[list[Any]])
    totals: list[list[Any]] = field(default_factory=list[list[Any]])
    is_over: Callable[[], bool] = bool  # never

    def __post_init__(self) -> None:
        self._known = 0
        self._before: dict[int, tuple[list[Any], list[Any]]] = {}  # regrets and totals
        self.strategies: list[list[Any]] = []
        for regrets in self.regrets:
            self.strategies.append(self._matched(regrets))

    def visit(self, position: object) -> Visit:
        """Return what happens at a position; a new information set begins with uniform play."""
        found = self.positions.visit(position)
        if found.infoset == len(self.regrets):
            count = len(found.children)
            self.regrets.append([self.positions.number(ZERO)] * count)
            self.totals.append([self.positions.number(ZERO)] * count)
            self.strategies.append(self._matched(self.regrets[-1]))
        return found

    def keep(self) -> None:
        """Begin to note what is changed."""
        self._before.clear()
        self._known = len(self.regrets)

    def undo(self) -> None:
        """Take back all changes since ``keep``, half-done ones too."""
        for infoset, (regrets, totals) in self._before.items():
            self.regrets[infoset], self.totals[infoset] = regrets, totals
            self.refresh(infoset)
        del self.regrets[self._known :], self.totals[self._known :], self.strategies[self._known :]
        self.positions.forget(self._known)
        self._before.clear()

    def note(self, infoset: int) -> None:
        """Keep the numbers of an information set, which are about to change."""
        if infoset < self._known and infoset not in self._before:
            self._before[infoset] = self.regrets[infoset].copy(), self.totals[infoset].copy()

    def look(self) -> None:
        """Look at the time; raises ``BudgetOver`` if it has run out."""
        if self.is_over():
            raise BudgetOver

    def refresh(self, infoset: int) -> None:
        """Play in proportion to positive regrets, or uniformly if there are none."""
        self.strategies[infoset] = self._matched(self.regrets[infoset])

    def add_to_totals(self, infoset: int) -> None:
        """Count the strategy there once."""
        self.note(infoset)
        totals = self.totals[infoset]
        for action, probability in enumerate(self.strategies[infoset]):
            totals[action] += probability

    def _matched(self, regrets: list[Any]) -> list[Any]:
        total: Any = 0
        for regret in regrets:  # no sum(), which adds floats in another way in later Pythons
            if regret > 0:
                total += regret
        if not total:
            return [self.positions.number(ONE / len(regrets))] * len(regrets)
        nothing = self.positions.number(ZERO)
        return [regret / total if regret > 0 else nothing for regret in regrets]


def external_traversal(
    memories: Memories, player: int, draws: Draws, *, is_averaging: bool = False
) -> None:
    """Follow all of one player's actions, and draw all else; ``memories`` is modified in place.

    Visits are listed level by level, and valued in reverse. If ``is_averaging``, the strategies
    of the others where they draw are added to totals.
    """
    visits = [memories.visit(memories.positions.root)]
    first: list[int] = []  # of each visit, the place of its first child's
    for place, visit in enumerate(visits):  # grows in the loop
        if place % LOOK_EVERY == LOOK_EVERY - 1:
            memories.look()
        first.append(len(visits))
        if visit.player == player:
            visits.extend(map(memories.visit, visit.children))
        elif visit.player == CHANCE:
            visits.append(memories.visit(visit.children[draws.chance(visit)]))
        elif visit.player != TERMINAL:
            if is_averaging:
                memories.add_to_totals(visit.infoset)
            drawn = draws.action(memories.strategies[visit.infoset])
            visits.append(memories.visit(visit.children[drawn]))
    _learn_from_all(memories, player, visits, first)


def _learn_from_all(memories: Memories, player: int, visits: list[Visit], first: list[int]) -> None:
    values: list[Any] = [None] * len(visits)
    for place in reversed(range(len(visits))):
        if place % LOOK_EVERY == LOOK_EVERY - 1:
            memories.look()
        visit = visits[place]
        value: Any = 0
        if visit.player == player:
            below = values[first[place] : first[place] + len(visit.children)]
            memories.note(visit.infoset)
            regrets = memories.regrets[visit.infoset]
            for probability, after in zip(memories.strategies[visit.infoset], below, strict=True):
                value += probability * after
            for action, after in enumerate(below):
                regrets[action] += after - value
        elif visit.player != TERMINAL:
            value = values[first[place]]
        if visit.payoffs:
            value += visit.payoffs[player]
        values[place] = value
    for visit in visits:
        if visit.player == player:
            memories.refresh(visit.infoset)


def outcome_traversal(memories: Memories, player: int, draws: Draws, exploration: Any) -> None:
    """Draw one play and learn from it; ``memories`` is modified in place.

    The player's own actions are drawn evenly with probability ``exploration``, else as played.
    """
    visit = memories.visit(memories.positions.root)
    own: list[tuple[int, int]] = []  # information set and action
    paid: Any = 0
    drawn_with: Any = 1  # own probability of being drawn
    while True:
        if visit.payoffs:
            paid += visit.payoffs[player]
        if visit.player == TERMINAL:
            break
        if visit.player == CHANCE:
            drawn = draws.chance(visit)
        elif visit.player != player:
            drawn = draws.action(memories.strategies[visit.infoset])
        else:
            even = exploration / len(visit.children)
            strategy = memories.strategies[visit.infoset]
            mixed = [even + (1 - exploration) * probability for probability in strategy]
            drawn = draws.action(mixed)
            drawn_with *= mixed[drawn]
            own.append((visit.infoset, drawn))
        visit = memories.visit(visit.children[drawn])
    _learn_from_one(memories, own, paid / drawn_with)


def _learn_from_one(memories: Memories, own: list[tuple[int, int]], value: Any) -> None:
    """Go back along a play; ``value`` is its payoff over the own probability of drawing it."""
    for infoset, drawn in reversed(own):
        before = value * memories.strategies[infoset][drawn]
        memories.note(infoset)
        regrets = memories.regrets[infoset]
        for action in range(len(regrets)):
            regrets[action] += (value if action == drawn else 0) - before
        value = before
    for infoset, _ in own:
        memories.refresh(infoset)


def averaging_walk(memories: Memories, player: int, draws: Draws) -> None:
    """Add one player's strategies to totals, in proportion to own reach; modified in place."""
    visit = memories.visit(memories.positions.root)
    while visit.player != TERMINAL:
        if visit.player == CHANCE:
            drawn = draws.chance(visit)
        elif visit.player == player:
            memories.add_to_totals(visit.infoset)
            drawn = draws.action(memories.strategies[visit.infoset])
        else:
            drawn = draws.uniform(len(visit.children))
        visit = memories.visit(visit.children[drawn])
