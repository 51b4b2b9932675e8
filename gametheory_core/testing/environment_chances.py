"""Whether what comes by chance comes as often as a model says, over many episodes.

Draws are grouped by situation, and each outcome's count is judged by its exact binomial tail. A
situation is met at most once an episode, and what is grouped is known before the draw; so, given
the past, counts are binomial, and the level holds exactly. Situations are grouped in three ways: by
all that was shown and done before, which finds any wrong chance at a point often reached; for each
thing shown alone (turn and end, rewards, an agent's observation), by the law that the model gives;
and by the weights of that law alone. The last adds up points too rare to be judged one by one: a
coin that is shown beside a player's own card is the same coin whatever the card.
"""

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace
from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.games.rules import IDLE
from gametheory_core.testing.environment_forecast import Forecast, Moment
from gametheory_core.testing.environment_laws import EnvironmentLaw, broken, readable, shown_law
from gametheory_core.testing.statistics import binomial_tail, holm

LEAST_DRAWS = 20  # with fewer, not even an outcome that never should come is judged
TOGETHER = "all that is shown"


@dataclass(frozen=True)
class Part:
    """One thing that a forecast's moments show, and its law; groups are equal where they add up."""

    name: str
    law: dict[Hashable, Fraction]
    group: Hashable
    outcomes: dict[Moment, Hashable]

    def pooled(self) -> "Part":
        """Return the same with outcomes named by their rank, likeliest first."""
        ordered = sorted(self.law, key=lambda outcome: -self.law[outcome])
        rank = {outcome: f"outcome {k + 1}" for k, outcome in enumerate(ordered)}
        law: dict[Hashable, Fraction] = {rank[outcome]: self.law[outcome] for outcome in ordered}
        outcomes: dict[Moment, Hashable] = {m: rank[x] for m, x in self.outcomes.items()}
        name = f"{self.name}, outcomes ordered by weight"
        return Part(name, law, tuple(law.values()), outcomes)


@dataclass
class Group:
    """The draws of one situation."""

    law: dict[Hashable, Fraction]
    first: str
    counts: Counter[Hashable] = field(default_factory=Counter[Hashable])


@dataclass(frozen=True)
class Judged:
    """The binomial test of one outcome of one group."""

    name: str
    group: Group
    outcome: Hashable
    p_value: float


@dataclass
class ChanceCounts:
    """All draws so far: for each move number, group by group."""

    agents: tuple[str, ...]
    groups: dict[int, dict[Hashable, tuple[str, Group]]] = field(
        default_factory=dict[int, dict[Hashable, tuple[str, Group]]]
    )
    _numbers: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _parts: dict[Forecast, tuple[Part, ...]] = field(
        default_factory=dict[Forecast, tuple[Part, ...]]
    )

    def add(
        self, move: int, situation: Hashable, forecast: Forecast, moment: Moment, story: str
    ) -> None:
        """Count what was shown after a number of moves."""
        if len(forecast.law) == 1:
            return
        parts = self._parts.get(forecast)
        if parts is None:
            parts = self._parts[forecast] = self._split(forecast)
        groups = self.groups.setdefault(move, {})
        for part in parts:
            key = (part.name, situation) if part.name == TOGETHER else part.group
            if key not in groups:
                groups[key] = (part.name, Group(part.law, story))
            groups[key][1].counts[part.outcomes[moment]] += 1

    def _split(self, forecast: Forecast) -> tuple[Part, ...]:
        parts = parts_of(forecast, self.agents)
        parts.extend([part.pooled() for part in parts])
        return tuple(replace(part, group=self._number((part.name, part.group))) for part in parts)

    def _number(self, group: Hashable) -> int:
        """Return a short name of a group: rationals are slow to hash."""
        return self._numbers.setdefault(group, len(self._numbers))


def parts_of(forecast: Forecast, agents: tuple[str, ...]) -> list[Part]:
    """Return what a forecast's moments show, one thing at a time, as far as chance decides it."""
    parts = [
        _part("turn and end", forecast, lambda m: (m.movers, m.end)),
        _part("rewards", forecast, lambda m: m.rewards),
        _part(TOGETHER, forecast, lambda m: (m.movers, m.observations, m.rewards, m.end)),
    ]
    for player, agent in enumerate(agents):
        parts.append(_part(f"observation of {agent}", forecast, _seen_by(player)))
    return [part for part in parts if len(part.law) > 1]


def _seen_by(player: int) -> Callable[[Moment], Hashable]:
    def seen(moment: Moment) -> Hashable:
        if player not in moment.movers:
            return IDLE
        return moment.observations[moment.movers.index(player)]

    return seen


def _part(name: str, forecast: Forecast, show: Callable[[Moment], Hashable]) -> Part:
    law: dict[Hashable, Fraction] = {}
    outcomes: dict[Moment, Hashable] = {}
    for moment, weight in forecast.law.items():
        outcomes[moment] = outcome = show(moment)
        law[outcome] = law.get(outcome, ZERO) + weight
    return Part(name, law, frozenset(law.items()), outcomes)


def check_chances(counts: ChanceCounts, *, level: float) -> tuple[int, float]:
    """Refuse counts that a right environment shows with at most probability ``level``.

    Move number ``t`` is judged at ``level / ((t + 1) (t + 2))``, which adds up to the level, with
    Holm's correction for all groups and outcomes there.

    Returns:
        tests
        least_p_value: Not corrected.
    """
    tests, least = 0, 1.0
    for move, groups in sorted(counts.groups.items()):
        judged = [x for name, group in groups.values() for x in _judge(name, group)]
        tests += len(judged)
        corrected = holm([x.p_value for x in judged])
        if judged:  # of equal ones the first, which names its outcomes
            worst = min(range(len(judged)), key=lambda i: judged[i].p_value)
            least = min(least, judged[worst].p_value)
            if corrected[worst] <= level / ((move + 1) * (move + 2)):
                _refuse(judged[worst], move, corrected[worst])
    return tests, least


def _judge(name: str, group: Group) -> list[Judged]:
    draws = group.counts.total()
    if draws < LEAST_DRAWS:
        return []
    outcomes = list(group.law)[1:] if len(group.law) == 2 else list(group.law)
    return [
        Judged(name, group, x, binomial_tail(group.counts[x], draws, float(group.law[x])))
        for x in outcomes
    ]


def _refuse(worst: Judged, move: int, p_value: float) -> None:
    group, draws = worst.group, worst.group.counts.total()
    count, due = group.counts[worst.outcome], float(group.law[worst.outcome])
    broken(
        EnvironmentLaw.FREQUENCIES,
        f"{worst.name.capitalize()} after {move} moves, such as: {group.first}",
        f"needs {shown_law(group.law)}, but {readable(worst.outcome)} came {count} times in "
        f"{draws} episodes: a share of {count / draws:.3f} instead of {due:.3f}, which a right "
        f"environment shows with probability {p_value:.1e} or less, all tests there counted.",
    )
