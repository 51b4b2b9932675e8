"""Whether chance, and what is shown, depend on something of the past that they must not know.

*Chance*: given all that was shown and done, the next draw has the law that the model says; so it
comes as often after one action, observation, or draw, as after another. Draws are grouped by single
features of the past, each lag and the beginning for itself, over all moves together.

*Secrets*: what a player is shown beyond the model's label is a function of its own observations and
actions, so that others' observations and actions have, whatever is shown, the law that the model
and random play give them, given the player's own past. This finds leaks where whole histories never
come twice.

Both are judged by evidence that is valid however draws depend on each other; see
``environment_evidence``.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations, product
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arrays import FloatArray
from gametheory_core.testing.environment_evidence import Draws, Evidence
from gametheory_core.testing.environment_forecast import (
    End,
    EnvironmentLaw,
    Forecast,
    Moment,
    Moments,
    Story,
    broken,
    readable,
)
from gametheory_core.testing.environment_play import Look, fingerprint

LAGS = 4  # moves back that are looked at one by one
FIRSTS = 2  # moves from the beginning that are looked at one by one
MOST_OUTCOMES = 8  # of one draw, likeliest first
MOST_EXTRAS = 24  # numbers shown to a player, beyond its label, that are followed
MOST_ENTRIES = 8  # of a label, that are looked at one by one
CERTAIN = 1e-9  # from 1, where rounding of sums is no chance
MOST_VALUES = 24  # of one feature of the past, that are told apart
MOST_HIDDEN = 500  # hidden situations that a player may think possible, before it is left
EPISODES_OF_BELIEFS = 150  # for each player

# What was so, of whom, its value, and how many moves back, or minus how many from the beginning.
Feature: TypeAlias = tuple[str, str, Any, int]
Shown: TypeAlias = tuple[tuple[int, ...], tuple[Any, ...]]  # movers, and what they see
Node: TypeAlias = tuple[Any, Shown, tuple[Any, ...]]  # hidden, what was shown, others' pasts
Step: TypeAlias = tuple[Any, Shown, tuple[Any, ...], float]  # hidden, shown, actions, weight


@dataclass(frozen=True)
class _Chance:
    """One outcome of what may be shown next."""

    part: str
    number: int
    probability: float
    hit: bool


@dataclass
class PastChecks:
    """What all episodes have shown; lives inside one check.

    Attributes:
        legal_actions: Of player and observation, as the model says.
        chance, secrets: Evidence, by groups of draws.
        before: What came in the last episode in which a part was drawn at a move.
    """

    moments: Moments
    agents: tuple[str, ...]
    legal_actions: Callable[[int, Any], tuple[Any, ...]]
    chance: Evidence = field(default_factory=Evidence)
    secrets: Evidence = field(default_factory=Evidence)
    believed: dict[int, int] = field(default_factory=dict[int, int])
    extras: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    _plain: dict[Hashable, tuple[Hashable, FloatArray]] = field(
        default_factory=dict[Hashable, tuple[Hashable, FloatArray]]
    )
    _chances: dict[tuple[Forecast, Moment], list[_Chance]] = field(
        default_factory=dict[tuple[Forecast, Moment], list[_Chance]]
    )
    before: dict[tuple[int, str], Hashable] = field(default_factory=dict[tuple[int, str], Hashable])
    _outcomes: dict[tuple[str, Hashable], int] = field(
        default_factory=dict[tuple[str, Hashable], int]
    )
    _values: dict[Hashable, set[Hashable]] = field(default_factory=dict[Hashable, set[Hashable]])
    _steps: dict[Any, dict[Shown, list[Step]]] = field(
        default_factory=dict[Any, dict[Shown, list[Step]]]
    )

    def begin(self, seed: int | None) -> "Past":
        """Return the past of a new episode."""
        return Past(self, seed)

    def chances(self, forecast: Forecast, moment: Moment) -> list[_Chance]:
        """Return the outcomes of what may be shown, and whether they are shown."""
        key = forecast, moment
        if key not in self._chances:
            laws: dict[str, dict[Hashable, float]] = {}
            for each, weight in forecast.law.items():
                for part, outcome in self._parts(each):
                    law = laws.setdefault(part, {})
                    law[outcome] = law.get(outcome, 0.0) + float(weight)
            shown = dict(self._parts(moment))
            self._chances[key] = [
                _Chance(
                    part,
                    self._outcomes.setdefault((part, outcome), len(self._outcomes)),
                    weight,
                    shown.get(part) == outcome,
                )
                for part, law in laws.items()
                for outcome, weight in _likeliest(law)
                if weight < 1 - CERTAIN
            ]
        return self._chances[key]

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

    def follow_extras(self, player: int, move: int, label: Any, look: Look, place: int) -> None:
        """Find numbers that differ where the player's label does not."""
        form, numbers = _numbers_of(look, place)
        known = self._plain.setdefault((player, move, label), (form, numbers))
        mine = self.extras.setdefault(player, [])
        if known[0] != form:
            new = [-1]
        elif len(known[1]) == len(numbers):
            new = np.flatnonzero(known[1] != numbers).tolist()
        else:
            new = []
        mine += [index for index in new if index not in mine][: MOST_EXTRAS - len(mine)]

    def is_one_of_few(self, what: Hashable, value: Hashable) -> bool:
        """Tell whether a value is among the first ones that something took."""
        known = self._values.setdefault(what, set())
        if len(known) < MOST_VALUES:
            known.add(value)
        return value in known

    def steps(self, player: int, hidden: Any, shown: Shown, own: Any) -> dict[Shown, list[Step]]:
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
                    after = (moment.movers, moment.observations)
                    step = (deeper, after, actions, float(weight) / len(joint))
                    found.setdefault(_seen_of(after, player), []).append(step)
            self._steps[key] = found
        return self._steps[key]

    def require(self, level: float) -> None:
        """Refuse what a right environment shows with at most probability ``level``, twice."""
        found = self.chance.strongest(level)
        if found is not None:
            (number, feature), draws = cast("Any", found[0]), found[1]
            part, outcome = list(self._outcomes)[number]
            _refuse(
                EnvironmentLaw.INDEPENDENCE,
                f"{part.capitalize()}, where {_told_feature(feature, list(self._outcomes))}, such "
                f"as: {draws.first}",
                f"{readable(outcome)}",
                draws,
            )
        found = self.secrets.strongest(level)
        if found is not None:
            (player, move, index, value, kind, secret), draws = cast("Any", found[0]), found[1]
            what = f"number {index}" if index >= 0 else "the form"
            _refuse(
                EnvironmentLaw.SECRETS,
                f"Where {what} of what {self.agents[player]} is shown after {move} moves is "
                f"{value!r}, such as: {draws.first}",
                f"{kind} {readable(secret)}",
                draws,
            )


def _refuse(law: EnvironmentLaw, where: str, what: str, draws: Draws) -> None:
    count = sum(n for n, _ in draws.counts.values())
    hits = sum(k for _, k in draws.counts.values())
    due = sum(p * n for p, (n, _) in draws.counts.items())
    broken(
        law,
        where,
        f"{what} came {hits} times in {count} draws, and is due {due:.1f} times. The evidence "
        f"against the model is exp({draws.log_evidence:.0f}): it should not depend on that.",
    )


def _told_feature(feature: Feature, outcomes: list[tuple[str, Hashable]]) -> str:
    kind, agent, value, when = feature
    if not when:
        return kind
    if not agent:
        value = outcomes[value][1] if kind.endswith("was") and value is not None else value
        return f"{when} {kind} {readable(value)}"
    ago = f"{when} moves before" if when > 0 else f"after {-when} moves"
    return f"{agent} {kind} {readable(value)} {ago}"


def _likeliest(law: dict[Hashable, float]) -> list[tuple[Hashable, float]]:
    ordered = sorted(law.items(), key=lambda item: -item[1])
    return ordered[: 1 if len(ordered) == 2 else MOST_OUTCOMES]


def entries_of(label: Any) -> list[tuple[str, Hashable]]:
    """Return the entries of a label that is a tuple, by their places; else the label itself."""
    found: list[tuple[str, Hashable]] = []

    def look(value: Any, place: str) -> None:
        if isinstance(value, tuple) and value:
            for k, entry in enumerate(cast("tuple[Any, ...]", value)):
                look(entry, f"{place}{k}.")
        else:
            found.append((f"entry {place[:-1]} of the " if place else "", value))

    look(label, "")
    return found if len(found) <= MOST_ENTRIES else [("", label)]


def _numbers_of(look: Look, place: int) -> tuple[Hashable, FloatArray]:
    """Split what is shown into numbers and the rest."""
    numbers: list[FloatArray] = []

    def form_of(value: Any) -> Hashable:
        if isinstance(value, np.ndarray | np.generic) and np.asarray(value).dtype.kind in "biuf":
            array = np.asarray(value)
            numbers.append(array.ravel().astype(np.float64))
            return ("array", str(array.dtype), array.shape)
        if isinstance(value, Mapping):
            entries = cast("Mapping[Any, Any]", value)
            return ("mapping", tuple((key, form_of(x)) for key, x in entries.items()))
        if isinstance(value, tuple | list):
            entries = cast("list[Any]", value)
            return (type(entries).__name__, tuple(form_of(x) for x in entries))
        if isinstance(value, int | float):
            numbers.append(np.array([value], dtype=np.float64))
            return type(value).__name__
        return fingerprint(value)

    is_told = look.prints[place][1] is not None  # whether the info is the player's
    form = form_of([look.observations[place], look.notes[place] if is_told else None])
    return form, np.concatenate(numbers) if numbers else np.empty(0)


@dataclass
class Past:
    """What was shown and done in one episode.

    Attributes:
        features: Of the past, lag by lag: what may be said of it.
    """

    checks: PastChecks
    seed: int | None
    looks: list[tuple[Moment, Look]] = field(default_factory=list[tuple[Moment, Look]])
    actions: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    drawn: dict[str, list[Hashable]] = field(default_factory=dict[str, list[Hashable]])

    def shown(self, forecast: Forecast, moment: Moment, look: Look, story: Story) -> None:
        """Count a draw, by all features of the past; then make it part of the past."""
        checks = self.checks
        if len(forecast.law) > 1:
            features = list(self._features())
            came: dict[str, Hashable] = {}
            for chance in checks.chances(forecast, moment):
                own: list[Feature] = [
                    ("draws before, it was", "", outcome, back)
                    for back, outcome in enumerate(self.drawn.get(chance.part, [])[:-3:-1], 1)
                ]
                before = checks.before.get((len(self.looks), chance.part))
                own.append(("episode before, there it was", "", before, 1))
                for feature in (*features, *own):
                    group = (chance.number, feature)
                    checks.chance.add(group, chance.probability, story, hit=chance.hit)
                if chance.hit:
                    came[chance.part] = chance.number
            for part, outcome in came.items():
                self.drawn.setdefault(part, []).append(outcome)
                checks.before[len(self.looks), part] = outcome
        for place, player in enumerate(look.movers):
            label = moment.observations[moment.movers.index(player)]
            checks.follow_extras(player, len(self.looks), label, look, place)
        self.looks.append((moment, look))

    def acted(self, actions: tuple[Any, ...]) -> None:
        """Make the movers' actions part of the past."""
        self.actions.append(actions)

    def _features(self) -> Iterator[Feature]:
        """Return what is true of the past, where it is one of few things."""
        return (
            f for f in self._all_features() if self.checks.is_one_of_few((f[0], f[1], f[3]), f[2])
        )

    def _all_features(self) -> Iterator[Feature]:
        agents = self.checks.agents
        count = len(self.actions)
        yield ("whatever was before", "", None, 0)
        if self.seed is not None:
            for period in (2, 3):
                yield ("divides the seed, with the remainder", "", self.seed % period, period)
        for move in range(count):
            back = count - move
            if back > LAGS and move >= FIRSTS:
                continue
            whens = [back] if back <= LAGS else []
            whens += [-move] if move < FIRSTS else []
            moment, look = self.looks[move]
            for place, player in enumerate(moment.movers):
                label, action = moment.observations[place], self.actions[move][place]
                seen = [(f"saw {entry[:-8]}", value) for entry, value in entries_of(label)]
                for when in whens:
                    yield ("did", agents[player], action, when)
                    for what, value in seen:
                        yield (what, agents[player], value, when)
                if back == 1 and player in look.movers and self.checks.extras.get(player):
                    _, numbers = _numbers_of(look, look.movers.index(player))
                    for index in self.checks.extras[player]:
                        if 0 <= index < len(numbers):
                            yield (
                                f"was shown as number {index}",
                                agents[player],
                                numbers[index],
                                1,
                            )

    def finish(self, story: Story) -> None:
        """Compare what was shown with others' secrets, given what each player knew then."""
        for player, extras in self.checks.extras.items():
            done = self.checks.believed.get(player, 0)
            if extras and done < EPISODES_OF_BELIEFS:
                self.checks.believed[player] = done + 1
                self._compare_secrets(player, extras, story)

    def _compare_secrets(self, player: int, extras: list[int], story: Story) -> None:
        checks = self.checks
        truth = _memory_begins(_shown(self.looks[0][0]))
        nodes = self._first_nodes(player)
        for move, (moment, look) in enumerate(self.looks):
            if player in look.movers and nodes:
                place = look.movers.index(player)
                form, numbers = _numbers_of(look, place)
                shown = {
                    i: form if i < 0 else float(numbers[i]) for i in extras if i < len(numbers)
                }
                shown = {
                    i: x for i, x in shown.items() if checks.is_one_of_few((player, move, i), x)
                }
                for (kind, secret), weight in _secrets_of(nodes, player, self.checks.agents):
                    hit = (kind, secret) in _told_by(truth, player, self.checks.agents)
                    for index, value in shown.items():
                        group = (player, move, index, value, kind, secret)
                        self.checks.secrets.add(group, min(weight, 1.0), story, hit=hit)
            if move == len(self.looks) - 1:
                return
            nodes = self._next_nodes(player, nodes, move)
            if not nodes:
                return
            following = _shown(self.looks[move + 1][0])
            truth = _remembered(truth, _shown(moment), self.actions[move], following)

    def _first_nodes(self, player: int) -> dict[Node, float]:
        nodes: dict[Node, float] = {}
        first = _shown(self.looks[0][0])
        for moment, hidden, weight in self.checks.moments.first():
            if _seen_of(_shown(moment), player) == _seen_of(first, player):
                key = (hidden, _shown(moment), _memory_begins(_shown(moment)))
                nodes[key] = nodes.get(key, 0.0) + float(weight)
        return _normalized(nodes)

    def _next_nodes(self, player: int, nodes: dict[Node, float], move: int) -> dict[Node, float]:
        """Return what the player thinks possible after a move, others' being random."""
        found: dict[Node, float] = {}
        actual, following = self.looks[move][0], self.looks[move + 1][0]
        if following.end is not End.RUNNING:
            return {}
        is_mover = player in actual.movers
        own = self.actions[move][actual.movers.index(player)] if is_mover else None
        seen = _seen_of(_shown(following), player)
        for (hidden, shown, memory), weight in nodes.items():
            steps = self.checks.steps(player, hidden, shown, own).get(seen, ())
            for deeper, after, actions, share in steps:
                key = (deeper, after, _remembered(memory, shown, actions, after))
                found[key] = found.get(key, 0.0) + weight * share
            if len(found) > MOST_HIDDEN:
                return {}
        return _normalized(found)


def _shown(moment: Moment) -> Shown:
    return moment.movers, moment.observations


def _seen_of(shown: Shown, player: int) -> Shown:
    """Return what a player sees of a moment: turns are public."""
    movers, seen = shown
    return movers, (seen[movers.index(player)],) if player in movers else ()


def _normalized(nodes: dict[Node, float]) -> dict[Node, float]:
    total = sum(nodes.values())
    return {node: weight / total for node, weight in nodes.items()}


Memory: TypeAlias = tuple[tuple[int, Any, Any, Any], ...]  # player, first and last label, action


def _memory_begins(shown: Shown) -> Memory:
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
    return [(told, weight) for told, weight in law.items() if weight < 1 - CERTAIN]
