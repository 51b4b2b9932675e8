"""Whether chance depends on something of the past that the model does not say.

Given all that was shown and done, the next draw has the law that the model says; so it comes as
often after one action, observation, or draw, as after another. Draws are grouped by single features
of the past, each lag and the beginning for itself, over all moves together, and by whether they
repeat earlier ones; see ``environment_repeats``. They are judged by evidence that is valid however
draws depend on each other; see ``environment_evidence``.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any, TypeAlias, cast

from gametheory_core.testing.environment_evidence import Evidence, refuse_by
from gametheory_core.testing.environment_forecast import Forecast, Moment
from gametheory_core.testing.environment_laws import EnvironmentLaw, Story, readable
from gametheory_core.testing.environment_past import FewValues, Past, entries_of, numbers_shown
from gametheory_core.testing.environment_repeats import Repeats

LAGS = 4  # moves back that are looked at one by one
FIRSTS = 2  # moves from the beginning that are looked at one by one
DRAWS_BACK = 2  # of the same thing
MOST_OUTCOMES = 8  # of one draw, likeliest first

# What was so, of whom, its value, and how many moves back, or minus how many from the beginning.
Feature: TypeAlias = tuple[str, str, Any, int]
Laws: TypeAlias = dict[str, dict[Hashable, float]]  # of each thing shown, likeliest outcomes first


@dataclass(frozen=True)
class _Chance:
    """One outcome of a part of what may be shown next, both numbered."""

    part: str
    number: int
    probability: float
    hit: bool


@dataclass
class Dependences:
    """Draws of all episodes, by features of the past.

    Attributes:
        evidence: By groups of draws.
        repeats: Those that are compared with earlier ones.
    """

    agents: tuple[str, ...]
    evidence: Evidence = field(default_factory=Evidence)
    _values: FewValues = field(default_factory=FewValues)
    repeats: Repeats = field(default_factory=Repeats)
    _laws: dict[Forecast, Laws] = field(default_factory=dict[Forecast, Laws])
    _chances: dict[tuple[Forecast, Moment], list[_Chance]] = field(
        default_factory=dict[tuple[Forecast, Moment], list[_Chance]]
    )
    _outcomes: dict[tuple[str, Hashable], int] = field(
        default_factory=dict[tuple[str, Hashable], int]
    )
    # what came in this episode, in turn, and in the last one that drew at a move
    _drawn: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    _before: dict[tuple[int, str], int] = field(default_factory=dict[tuple[int, str], int])

    def count(
        self,
        past: Past,
        forecast: Forecast,
        moment: Moment,
        story: Story,
        extras: Mapping[int, Sequence[int]],
    ) -> None:
        """Count a draw, by all features of the past.

        Args:
            extras: Places of numbers that players are shown beyond their labels.
        """
        move = len(past.looks)
        if not move:
            self._drawn.clear()
            self.repeats.begin()
        self.repeats.count(move, self._laws_of(forecast), dict(self._parts(moment)), story)
        if len(forecast.law) == 1:
            return
        features = [f for f in self._features(past, extras) if self._is_one_of_few(f)]
        came: dict[str, int] = {}
        for chance in self._chances_of(forecast, moment):
            drawn = self._drawn.get(chance.part, [])[: -DRAWS_BACK - 1 : -1]
            own: list[Feature] = [
                ("draws before, it was", "", number, back) for back, number in enumerate(drawn, 1)
            ]
            before = self._before.get((move, chance.part))
            own.append(("episode before, there it was", "", before, 1))
            for feature in (*features, *own):
                group = (chance.number, feature)
                self.evidence.add(group, chance.probability, story, hit=chance.hit)
            if chance.hit:
                came[chance.part] = chance.number
        for part, number in came.items():
            self._drawn.setdefault(part, []).append(number)
            self._before[move, part] = number

    def require(self, level: float) -> None:
        """Refuse what a right environment shows with at most probability ``level``."""
        self.repeats.require(level / 2)
        found = self.evidence.strongest(level / 2)
        if found is not None:
            (number, feature), draws = cast("Any", found[0]), found[1]
            part, outcome = list(self._outcomes)[number]
            where = f"{part.capitalize()}, where {self._told(feature)}, such as: {draws.first}"
            refuse_by(draws, EnvironmentLaw.INDEPENDENCE, where, readable(outcome))

    @property
    def tested(self) -> int:
        """The number of groups."""
        return len(self.evidence.groups) + len(self.repeats.evidence.groups)

    def _chances_of(self, forecast: Forecast, moment: Moment) -> list[_Chance]:
        """Return the outcomes of what may be shown, and whether they are shown."""
        key = forecast, moment
        if key not in self._chances:
            shown = dict(self._parts(moment))
            self._chances[key] = [
                _Chance(
                    part,
                    self._outcomes.setdefault((part, outcome), len(self._outcomes)),
                    weight,
                    shown.get(part) == outcome,
                )
                for part, law in self._laws_of(forecast).items()
                for outcome, weight in _likeliest(law)
            ]
        return self._chances[key]

    def _laws_of(self, forecast: Forecast) -> Laws:
        """Return the law of each thing that may be shown."""
        if forecast not in self._laws:
            laws: Laws = {}
            for each, weight in forecast.law.items():
                for part, outcome in self._parts(each):
                    law = laws.setdefault(part, {})
                    law[outcome] = law.get(outcome, 0.0) + float(weight)
            self._laws[forecast] = {
                part: dict(sorted(law.items(), key=lambda item: -item[1]))
                for part, law in laws.items()
            }
        return self._laws[forecast]

    def _parts(self, moment: Moment) -> Iterator[tuple[str, Hashable]]:
        """Return what a moment shows, thing by thing."""
        yield "turn and end", (moment.movers, moment.end)
        yield "rewards", moment.rewards
        entries = {
            self.agents[player]: entries_of(seen)
            for player, seen in zip(moment.movers, moment.observations, strict=False)
        }
        for agent, own in entries.items():
            for entry, value in own:
                yield f"{entry}observation of {agent}", value
        for (one, first), (other, second) in combinations(entries.items(), 2):
            for (entry, value), (again, same) in zip(first, second, strict=False):
                if entry == again:
                    yield f"{entry}observations of {one} and {other}, alike", value == same

    def _is_one_of_few(self, feature: Feature) -> bool:
        kind, agent, value, when = feature
        return self._values.holds((kind, agent, when), value)

    def _features(self, past: Past, extras: Mapping[int, Sequence[int]]) -> Iterator[Feature]:
        """Return what is true of the past."""
        yield ("whatever was before", "", None, 0)
        if past.seed is not None:
            for period in (2, 3):
                yield ("divides the seed, with the remainder", "", past.seed % period, period)
        count = len(past.actions)
        for move, actions in enumerate(past.actions):
            back = count - move
            whens = [back] if back <= LAGS else []
            whens += [-move] if move < FIRSTS else []
            moment, look = past.looks[move]
            for player, label, action in zip(
                moment.movers, moment.observations, actions, strict=True
            ):
                agent = self.agents[player]
                for when in whens:
                    yield ("did", agent, action, when)
                    for entry, value in entries_of(label):
                        yield (f"saw {entry[:-8]}", agent, value, when)
                if back == 1 and player in look.movers and extras.get(player):
                    _, numbers = numbers_shown(look, player)
                    for index in extras[player]:
                        if 0 <= index < len(numbers):
                            yield (f"was shown as number {index}", agent, numbers[index], 1)

    def _told(self, feature: Feature) -> str:
        kind, agent, value, when = feature
        if not when:
            return kind
        if not agent:
            if kind.endswith("was") and value is not None:
                value = list(self._outcomes)[value][1]
            return f"{when} {kind} {readable(value)}"
        ago = f"{when} moves before" if when > 0 else f"after {-when} moves"
        return f"{agent} {kind} {readable(value)} {ago}"


def _likeliest(law: dict[Hashable, float]) -> list[tuple[Hashable, float]]:
    return list(law.items())[: 1 if len(law) == 2 else MOST_OUTCOMES]
