"""Whether what a player is shown tells what the model keeps hidden.

What a player is shown beyond the model's label is a function of its own observations and actions;
so others' observations and actions have, whatever is shown, the law that the model and random play
give them, given the player's own past. This finds leaks where whole histories never come twice. It
is judged by evidence; see ``environment_evidence``.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.testing.environment_content import Prints
from gametheory_core.testing.environment_evidence import Evidence, refuse_by
from gametheory_core.testing.environment_forecast import (
    End,
    EnvironmentLaw,
    Moment,
    Moments,
    Story,
    readable,
)
from gametheory_core.testing.environment_past import FewValues, Past, numbers_shown
from gametheory_core.testing.environment_play import Look

MOST_EXTRAS = 24  # numbers shown to a player, beyond its label, that are followed
FORM = -1  # stands for the place of all that is no number
MOST_HIDDEN = 500  # hidden situations that a player may think possible, before it is left
MOST_KEPT = 20_000  # situations of which it is kept what may follow
EPISODES = 150  # that are looked at, for each player

Shown: TypeAlias = tuple[tuple[int, ...], tuple[Any, ...]]  # movers, and what they see
Node: TypeAlias = tuple[Any, Shown, tuple[Any, ...]]  # hidden, what was shown, others' pasts
Step: TypeAlias = tuple[Any, Shown, tuple[Any, ...], float]  # hidden, shown, actions, weight
Memory: TypeAlias = tuple[tuple[int, Any, Any, Any], ...]  # player, first and last label, action


@dataclass
class Secrets:
    """What was shown beyond labels in all episodes, by what others saw and did.

    Attributes:
        legal_actions: Of player and observation, as the model says.
        evidence: By groups of draws.
        extras: For each player, places of numbers that differ where its label does not.
    """

    moments: Moments
    agents: tuple[str, ...]
    legal_actions: Callable[[int, Any], tuple[Any, ...]]
    evidence: Evidence = field(default_factory=Evidence)
    extras: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    _values: FewValues = field(default_factory=FewValues)
    _episodes: dict[int, int] = field(default_factory=dict[int, int])
    _plain: dict[Hashable, tuple[Prints, FloatArray]] = field(
        default_factory=dict[Hashable, tuple[Prints, FloatArray]]
    )
    _steps: dict[Any, dict[Shown, list[Step]]] = field(
        default_factory=dict[Any, dict[Shown, list[Step]]]
    )

    def look_for_extras(self, move: int, moment: Moment, look: Look) -> None:
        """Find what differs where a player's label does not."""
        for player in look.movers:
            label = moment.observations[moment.movers.index(player)]
            form, numbers = numbers_shown(look, player)
            known = self._plain.setdefault((player, move, label), (form, numbers))
            mine = self.extras.setdefault(player, [])
            new = [] if known[0] == form else [FORM]
            if len(known[1]) == len(numbers):
                new += np.flatnonzero(known[1] != numbers).tolist()
            mine += [index for index in new if index not in mine][: MOST_EXTRAS - len(mine)]

    def compare(self, past: Past, story: Story) -> None:
        """Compare what was shown with others' secrets, given what each player knew then."""
        for player, extras in self.extras.items():
            done = self._episodes.get(player, 0)
            if extras and done < EPISODES:
                self._episodes[player] = done + 1
                self._compare(past, player, extras, story)

    def require(self, level: float) -> None:
        """Refuse what a right environment shows with at most probability ``level``."""
        found = self.evidence.strongest(level)
        if found is not None:
            (player, move, index, value, kind, secret), draws = cast("Any", found[0]), found[1]
            what = "the form" if index == FORM else f"number {index}"
            where = (
                f"Where {what} of what {self.agents[player]} is shown after {move} moves is "
                f"{value!r}, such as: {draws.first}"
            )
            refuse_by(draws, EnvironmentLaw.SECRETS, where, f"{kind} {readable(secret)}")

    def _compare(self, past: Past, player: int, extras: list[int], story: Story) -> None:
        truth = _begun(_shown(past.looks[0][0]))
        nodes = self._first_nodes(past, player)
        for move, (moment, look) in enumerate(past.looks):
            if player in look.movers:
                form, numbers = numbers_shown(look, player)
                told = _told_by(truth, player, self.agents)
                shown: dict[int, Hashable] = {
                    i: form if i == FORM else float(numbers[i]) for i in extras if i < len(numbers)
                }
                for secret, weight in _secrets_of(nodes, player, self.agents):
                    for index, value in shown.items():
                        if self._values.holds((player, move, index), value):
                            group = (player, move, index, value, *secret)
                            self.evidence.add(group, weight, story, hit=secret in told)
            if move == len(past.looks) - 1:
                return
            nodes = self._next_nodes(past, player, nodes, move)
            if not nodes:
                return
            following = _shown(past.looks[move + 1][0])
            truth = _remembered(truth, _shown(moment), past.actions[move], following)

    def _first_nodes(self, past: Past, player: int) -> dict[Node, float]:
        nodes: dict[Node, float] = {}
        first = _seen_of(_shown(past.looks[0][0]), player)
        for moment, hidden, weight in self.moments.first():
            shown = _shown(moment)
            if _seen_of(shown, player) == first:
                key = (hidden, shown, _begun(shown))
                nodes[key] = nodes.get(key, 0.0) + float(weight)
        return _normalized(nodes)

    def _next_nodes(
        self, past: Past, player: int, nodes: dict[Node, float], move: int
    ) -> dict[Node, float]:
        """Return what the player thinks possible after a move, others' being random."""
        found: dict[Node, float] = {}
        actual, following = past.looks[move][0], past.looks[move + 1][0]
        if following.end is not End.RUNNING:
            return {}
        is_mover = player in actual.movers
        own = past.actions[move][actual.movers.index(player)] if is_mover else None
        seen = _seen_of(_shown(following), player)
        for (hidden, shown, memory), weight in nodes.items():
            steps = self._steps_of(player, hidden, shown, own).get(seen, ())
            for deeper, after, actions, share in steps:
                key = (deeper, after, _remembered(memory, shown, actions, after))
                found[key] = found.get(key, 0.0) + weight * share
            if len(found) > MOST_HIDDEN:
                return {}
        return _normalized(found)

    def _steps_of(
        self, player: int, hidden: Any, shown: Shown, own: Any
    ) -> dict[Shown, list[Step]]:
        """Return what may follow, by what the player sees of it; others' actions are random."""
        key = player, hidden, shown, own
        if key not in self._steps:
            choices = [
                (own,) if mover == player else self.legal_actions(mover, seen)
                for mover, seen in zip(*shown, strict=True)
            ]
            joint = list(product(*choices))
            found: dict[Shown, list[Step]] = {}
            for actions in joint:
                for moment, deeper, weight in self.moments.after(hidden, actions):
                    step = (deeper, _shown(moment), actions, float(weight) / len(joint))
                    found.setdefault(_seen_of(_shown(moment), player), []).append(step)
            if len(self._steps) >= MOST_KEPT:
                self._steps.clear()
            self._steps[key] = found
        return self._steps[key]


def _shown(moment: Moment) -> Shown:
    return moment.movers, moment.observations


def _seen_of(shown: Shown, player: int) -> Shown:
    """Return what a player sees of a moment: turns are public."""
    movers, seen = shown
    return movers, (seen[movers.index(player)],) if player in movers else ()


def _normalized(nodes: dict[Node, float]) -> dict[Node, float]:
    total = sum(nodes.values())
    return {node: weight / total for node, weight in nodes.items()}


def _begun(shown: Shown) -> Memory:
    return tuple((player, seen, seen, None) for player, seen in zip(*shown, strict=True))


def _remembered(memory: Memory, shown: Shown, actions: tuple[Any, ...], after: Shown) -> Memory:
    """Return each player's first and last label, and its last action."""
    known = {player: (first, last, action) for player, first, last, action in memory}
    for player, action in zip(shown[0], actions, strict=True):
        first, last, _ = known[player]
        known[player] = (first, last, action)
    for player, seen in zip(*after, strict=True):
        first, _, action = known.get(player, (seen, seen, None))
        known[player] = (first, seen, action)
    return tuple((player, *own) for player, own in sorted(known.items()))


def _told_by(memory: Memory, player: int, agents: tuple[str, ...]) -> set[tuple[str, Any]]:
    found: set[tuple[str, Any]] = set()
    for other, first, last, action in memory:
        if other != player:
            found.add((f"what {agents[other]} saw first,", first))
            found.add((f"what {agents[other]} saw last,", last))
            if action is not None:
                found.add((f"what {agents[other]} did last,", action))
    return found


def _secrets_of(
    nodes: dict[Node, float], player: int, agents: tuple[str, ...]
) -> list[tuple[tuple[str, Any], float]]:
    law: dict[tuple[str, Any], float] = {}
    for (_, _, memory), weight in nodes.items():
        for told in _told_by(memory, player, agents):
            law[told] = law.get(told, 0.0) + weight
    return list(law.items())
