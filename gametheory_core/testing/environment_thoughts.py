"""What a player thinks possible of the others, by the model, when they act at random.

A *node* is a hidden situation of the model, what is shown in it, and what players remember: their
first and last observation and their last action, others' *secrets*. A player knows its own
observations and actions, whose turn it was, who is there, and what was paid.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias, cast

from gametheory_core.testing.environment_forecast import Branch, End, Moment, Moments, TurnMoments
from gametheory_core.testing.environment_past import Past, entries_of

MOST_HIDDEN = 500  # nodes that a player may think possible, before it is left
MOST_KEPT = 20_000  # situations of which it is kept what may follow
MOST_BRANCHES = 200_000  # of the model, that are kept

Shown: TypeAlias = tuple[tuple[int, ...], tuple[Any, ...]]  # movers, and what they see
Seen: TypeAlias = tuple[Any, ...]  # what one player sees of a moment
Memory: TypeAlias = tuple[tuple[int, Any, Any, Any], ...]  # player, first and last label, action
Node: TypeAlias = tuple[Any, Shown, Memory]
Step: TypeAlias = tuple[Any, Shown, tuple[Any, ...], float]  # hidden, shown, actions, weight
Secret: TypeAlias = tuple[str, str | None, Any]  # of whom and when, which entry of it, its value


@dataclass
class KeptMoments:
    """A model that is asked each question once, as long as its answers are few.

    Attributes:
        moments: What is asked.
    """

    moments: Moments
    _known: dict[Any, tuple[Branch, ...]] = field(default_factory=dict[Any, tuple[Branch, ...]])
    _branches: int = 0

    def first(self) -> tuple[Branch, ...]:
        """Return the branches before the first move."""
        return self._kept(None, self.moments.first)

    def after(self, hidden: Any, actions: tuple[Any, ...]) -> tuple[Branch, ...]:
        """Return the branches after the movers' actions."""
        return self._kept((hidden, actions), lambda: self.moments.after(hidden, actions))

    def _kept(self, key: Any, ask: Callable[[], Iterable[Branch]]) -> tuple[Branch, ...]:
        found = self._known.get(key)
        if found is None:
            found = tuple(ask())
            if self._branches >= MOST_BRANCHES:
                self._known.clear()
                self._branches = 0
            self._known[key] = found
            self._branches += len(found)
        return found


@dataclass
class Thoughts:
    """Answers what players think possible, each question once.

    Attributes:
        legal_actions: Of player and observation, as the model says.
    """

    moments: KeptMoments
    agents: tuple[str, ...]
    legal_actions: Callable[[int, Any], tuple[Any, ...]]
    _firsts: dict[Any, dict[Node, float]] = field(default_factory=dict[Any, dict[Node, float]])
    _steps: dict[Any, dict[Seen, list[Step]]] = field(
        default_factory=dict[Any, dict[Seen, list[Step]]]
    )
    _laws: dict[Any, dict[Any, float]] = field(default_factory=dict[Any, dict[Any, float]])
    _told: dict[Any, frozenset[Secret]] = field(default_factory=dict[Any, frozenset[Secret]])

    def first(self, past: Past, player: int) -> dict[Node, float]:
        """Return what a player thinks possible before the first move."""
        key = player, _seen_of(past.looks[0][0], player)
        if key not in self._firsts:
            nodes: dict[Node, float] = {}
            for moment, hidden, weight in self.moments.first():
                if _seen_of(moment, player) == key[1]:
                    shown = shown_by(moment)
                    node = (hidden, shown, begun(shown))
                    nodes[node] = nodes.get(node, 0.0) + float(weight)
            self._firsts[key] = normalized(nodes)
        return self._firsts[key]

    def after(
        self, past: Past, player: int, nodes: dict[Node, float], move: int
    ) -> dict[Node, float]:
        """Return what it thinks possible after a move, others' at random; nothing if too much."""
        found: dict[Node, float] = {}
        if move == len(past.looks) - 1:
            return found
        actual, following = past.looks[move][0], past.looks[move + 1][0]
        if following.end is not End.RUNNING:
            return {}
        is_mover = player in actual.movers
        own = past.actions[move][actual.movers.index(player)] if is_mover else None
        seen = _seen_of(following, player)
        for (hidden, shown, memory), weight in nodes.items():
            steps = self._steps_of(player, hidden, shown, own).get(seen, ())
            for deeper, after, actions, share in steps:
                key = (deeper, after, remembered(memory, shown, actions, after))
                found[key] = found.get(key, 0.0) + weight * share
            if len(found) > MOST_HIDDEN:
                return {}
        return normalized(found)

    def _steps_of(self, player: int, hidden: Any, shown: Shown, own: Any) -> dict[Seen, list[Step]]:
        """Return what may follow, by what the player sees of it; others' actions are random."""
        key = player, hidden, shown, own
        if key not in self._steps:
            choices = [
                (own,) if mover == player else self.legal_actions(mover, seen)
                for mover, seen in zip(*shown, strict=True)
            ]
            joint = list(product(*choices))
            found: dict[Seen, list[Step]] = {}
            for actions in joint:
                for moment, deeper, weight in self.moments.after(hidden, actions):
                    step = (deeper, shown_by(moment), actions, float(weight) / len(joint))
                    found.setdefault(_seen_of(moment, player), []).append(step)
            if len(self._steps) >= MOST_KEPT:
                self._steps.clear()
            self._steps[key] = found
        return self._steps[key]

    def off_turn(self, hidden: Any, player: int) -> dict[Any, float]:
        """Return the law of what the model would show a player if it were its turn."""
        key = hidden, player
        if key not in self._laws:
            if len(self._laws) >= MOST_KEPT:
                self._laws.clear()
            law = cast("TurnMoments", self.moments.moments).off_turn(hidden, player)
            self._laws[key] = {label: float(weight) for label, weight in law.items()}
        return self._laws[key]

    def secrets(self, nodes: dict[Node, float], player: int) -> dict[Secret, float]:
        """Return the probability of each of the others' secrets."""
        law: dict[Secret, float] = {}
        for (_, _, memory), weight in nodes.items():
            for told in self.told(memory, player):
                law[told] = law.get(told, 0.0) + weight
        return law

    def told(self, memory: Memory, player: int) -> frozenset[Secret]:
        """Return what others have seen first and last, entry by entry, and did last."""
        key = memory, player
        if key not in self._told:
            found: set[Secret] = set()
            for other, first, last, action in memory:
                agent = self.agents[other]
                for when, seen in (("first", first), ("last", last)) if other != player else ():
                    for name, value in entries_of(seen):
                        found.add((f"{name}observation that {agent} had {when},", name, value))
                if action is not None and other != player:
                    found.add((f"what {agent} did last,", None, action))
            if len(self._told) >= MOST_KEPT:
                self._told.clear()
            self._told[key] = frozenset(found)
        return self._told[key]


def shown_by(moment: Moment) -> Shown:
    """Return who moves, and what they see."""
    return moment.movers, moment.observations


def _seen_of(moment: Moment, player: int) -> Seen:
    """Return what a player sees of a moment: turns, payments and who is there are public."""
    place = moment.movers.index(player) if player in moment.movers else -1
    own = None if place < 0 else moment.observations[place]
    return moment.movers, own, moment.rewards, moment.away, moment.absent


def normalized(nodes: dict[Node, float]) -> dict[Node, float]:
    """Return weights that sum to 1."""
    total = sum(nodes.values())
    return {node: weight / total for node, weight in nodes.items()}


def begun(shown: Shown) -> Memory:
    """Return what is remembered at first."""
    return tuple((player, seen, seen, None) for player, seen in zip(*shown, strict=True))


def remembered(memory: Memory, shown: Shown, actions: tuple[Any, ...], after: Shown) -> Memory:
    """Return each player's first and last label, and its last action."""
    did = dict(zip(shown[0], actions, strict=True))
    sees = dict(zip(*after, strict=True))
    known = [
        (player, first, sees.pop(player, last), did.get(player, action))
        for player, first, last, action in memory
    ]
    if sees:  # of players who are met for the first time
        known += [(player, seen, seen, None) for player, seen in sees.items()]
        known.sort(key=lambda own: own[0])
    return tuple(known)
