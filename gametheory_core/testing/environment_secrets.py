"""Whether what a player is shown tells what the model keeps hidden.

What a player is shown beyond the model's label is a function of its own observations and actions;
so others' observations and actions have, whatever is shown, the law that the model and random play
give them, given the player's own past, whose turn it was and what was paid. This finds leaks where
whole histories never come twice. It is judged by evidence; see ``environment_evidence``.

What ``observe`` shows off turn must not tell more, either: it is compared at the player's next
turn, given all that it may know then. Or else it is what the model would show if it were the
player's turn now: a group of draws refutes an environment if it refutes both.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.testing.environment_content import Prints
from gametheory_core.testing.environment_evidence import Evidence, refuse_by
from gametheory_core.testing.environment_forecast import Moment
from gametheory_core.testing.environment_laws import EnvironmentLaw, Story, readable
from gametheory_core.testing.environment_look import Look
from gametheory_core.testing.environment_past import FewValues, Past, entries_of, numbers_shown
from gametheory_core.testing.environment_thoughts import (
    MOST_HIDDEN,
    Node,
    Secret,
    Thoughts,
    begun,
    normalized,
    remembered,
    shown_by,
)

MOST_EXTRAS = 24  # numbers shown to a player, beyond its label, that are followed
SAME = "the same"  # stands for any value that a player is shown, and another saw
FORM = -1  # stands for the place of all that is no number
EPISODES = 150  # that are looked at, for each player, for what is shown beyond labels
MOST_WORK = 200_000  # hidden situations, over all episodes of a player, for what is shown off turn

Place: TypeAlias = tuple[int, int, Hashable]  # player, moves, number or entry


@dataclass
class Secrets:
    """What was shown beyond labels in all episodes, by what others saw and did.

    Attributes:
        thoughts: What players think possible.
        evidence: By groups of draws: of what is shown, and how it was shown.
        now: By the same groups, as if what is shown off turn were what the model shows on turn.
        extras: For each player, places of numbers that differ where its label does not.
        glances, compared: How often players were shown something off turn in the episodes that are
            looked at, and how often that could be compared.
    """

    thoughts: Thoughts
    evidence: Evidence = field(default_factory=Evidence)
    now: Evidence = field(default_factory=Evidence)
    glances: int = 0
    compared: int = 0
    extras: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    _values: FewValues = field(default_factory=FewValues)
    _done: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    _plain: dict[Hashable, tuple[Prints, FloatArray]] = field(
        default_factory=dict[Hashable, tuple[Prints, FloatArray]]
    )
    _not_now: set[tuple[Any, ...]] = field(default_factory=set[tuple[Any, ...]])

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
        for player in range(len(self.thoughts.agents)):
            extras = self.extras.get(player, [])
            done, work = self._done.get(player, (0, 0))
            extras = extras if done < EPISODES else []
            glances = _news(past, player) if work < MOST_WORK else {}
            if extras or glances:
                self.glances += len(glances)
                thought = self._compare(past, player, extras, glances, story)
                self._done[player] = done + bool(extras), work + thought

    def require(self, level: float) -> None:
        """Refuse what a right environment shows with at most probability ``level``."""
        other = {cast("Any", group)[:2] for group, _ in self.now.refuting(level)} | self._not_now
        for group, draws in self.evidence.refuting(level):
            ((player, move, index), value, kind, _, secret) = cast("Any", group)
            is_off_turn = isinstance(index, str)
            if is_off_turn and ((player, move, index), value) not in other:
                continue
            what = "the form" if index == FORM else f"number {index}"
            if is_off_turn:
                what = f"off turn, the {index}label"
            agent = self.thoughts.agents[player]
            where = f"Where {what} of what {agent} is shown after {move} moves is {readable(value)}"
            told = f"{kind} {readable(secret)}"
            if value == SAME:
                where, told = f"In {what} of what {agent} is shown after {move} moves", kind[:-1]
            refuse_by(draws, EnvironmentLaw.SECRETS, f"{where}, such as: {draws.first}", told)

    def _compare(
        self, past: Past, player: int, extras: list[int], glances: dict[int, Hashable], story: Story
    ) -> int:
        """Count what a player was shown in an episode; return how much was to be thought of."""
        work = 0
        truth = begun(shown_by(past.looks[0][0]))
        nodes = self.thoughts.first(past, player)
        glanced: dict[Place, Hashable] = {}
        for move, (moment, look) in enumerate(past.looks):
            told = self.thoughts.told(truth, player)
            if player in look.movers:
                form, numbers = numbers_shown(look, player)
                shown: dict[Place, Hashable] = {
                    (player, move, i): form if i == FORM else float(numbers[i])
                    for i in extras
                    if i < len(numbers)
                }
                self._add(self.evidence, shown | glanced, nodes, told, story)
                self.compared += len({when for _, when, _ in glanced})
                glanced = {}
            elif move in glances:
                label = glances[move]
                entries: dict[Place, Hashable] = {
                    (player, move, name): value for name, value in entries_of(label)
                }
                glanced |= entries
                self._look_now(nodes, label, entries, told, story)
            work += len(nodes)
            nodes = self.thoughts.after(past, player, nodes, move)
            if not nodes:
                work += MOST_HIDDEN
                break
            following = shown_by(past.looks[move + 1][0])
            truth = remembered(truth, shown_by(moment), past.actions[move], following)
        return work

    def _add(
        self,
        evidence: Evidence,
        shown: dict[Place, Hashable],
        nodes: dict[Node, float],
        told: frozenset[Secret],
        story: Story,
    ) -> None:
        """Count others' secrets, whose law is that of the nodes, by what a player was shown.

        Off turn, also by whether that is the same as theirs.
        """
        kept = {place: value for place, value in shown.items() if self._values.holds(place, value)}
        player = next(iter(kept))[0] if kept else -1
        law = self.thoughts.secrets(nodes, player) if kept else {}
        for secret, weight in law.items():
            for group in kept.items():
                evidence.add((*group, *secret), weight, story, hit=secret in told)
        kinds = {(kind, name) for kind, name, _ in law}
        for place, value in shown.items():
            for kind, name in kinds:
                if place[2] == name:
                    secret = kind, name, value
                    group = (place, SAME, kind, name, SAME)
                    evidence.add(group, law.get(secret, 0.0), story, hit=secret in told)

    def _look_now(
        self,
        nodes: dict[Node, float],
        label: Hashable,
        entries: dict[Place, Hashable],
        told: frozenset[Secret],
        story: Story,
    ) -> None:
        """Count the same for what is shown off turn, as if it were what the model shows on turn."""
        player = next(iter(entries))[0]
        found: dict[Node, float] = {}
        for node, weight in nodes.items():
            share = self.thoughts.off_turn(node[0], player).get(label, 0.0)
            if share:
                found[node] = weight * share
        if found and told <= self.thoughts.secrets(found, player).keys():
            self._add(self.now, entries, normalized(found), told, story)
        else:
            self._not_now.update(entries.items(), ((place, SAME) for place in entries))


def _news(past: Past, player: int) -> dict[int, Hashable]:
    """Return what a player was shown off turn, but for what it saw last anyway; by moves made."""
    found: dict[int, Hashable] = {}
    last: Hashable = None
    for move, (glances, (moment, _)) in enumerate(zip(past.glances, past.looks, strict=False)):
        if player in moment.movers:
            last = moment.observations[moment.movers.index(player)]
        elif player in glances and glances[player] != last:
            found[move] = glances[player]
    return found
