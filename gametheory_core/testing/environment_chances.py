"""Whether what comes by chance comes as often as a model says, over many episodes.

Draws are grouped by situation, and each outcome's count is judged by its exact binomial tail. A
situation is met at most once an episode, and what is grouped is known before the draw; so, given
the past, counts are binomial, and the level holds exactly. Situations are grouped in three ways: by
all that was shown and done before, which finds any wrong chance at a point often reached; for each
thing shown alone (turn and end, rewards, an agent's observation), by the law that the model gives;
and by the weights of that law alone. The last adds up points too rare to be judged one by one: a
coin that is shown beside a player's own card is the same coin whatever the card.

One draw against a known law is judged by the exact binomial tail, so that the level stated holds at
any number of draws; a chi-square's own tail is only a limit, and far out, where laws that must not
fail by accident are judged, it is off by orders of magnitude when few draws are expected. Two
samples of unknown law are compared by chi-square, after rare outcomes are pooled: an exact
permutation test would need more permutations than one over the level. No scipy: the core runs on
numpy alone, and both tails are a few lines.
"""

import math
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from gametheory_core.arrays import ZERO
from gametheory_core.games.rules import IDLE
from gametheory_core.testing.environment_forecast import (
    EnvironmentLaw,
    Forecast,
    Moment,
    broken,
    readable,
    shown_law,
)

LEAST_POOLED = 10  # draws, over both samples, that an outcome needs for a cell of its own
NEGLIGIBLE = 1e-17  # a term that no longer changes a sum of floats


def binomial_tail(count: int, draws: int, probability: float) -> float:
    """Return the two-sided p-value of ``count`` successes in independent draws.

    Twice the smaller tail, at most 1. A right law is rejected at a level with at most that
    probability, at any number of draws.

    Args:
        probability: Of a success, in [0, 1].

    >>> round(binomial_tail(10, 10, 0.5), 6)  # 2 / 2**10
    0.001953
    >>> binomial_tail(0, 10, 1.0)
    0.0
    """
    if probability in (0.0, 1.0):
        return float(count == round(draws * probability))
    upward = count >= draws * probability
    odds = probability / (1 - probability)
    term = math.exp(
        math.lgamma(draws + 1)
        - math.lgamma(count + 1)
        - math.lgamma(draws - count + 1)
        + count * math.log(probability)
        + (draws - count) * math.log1p(-probability)
    )
    total, k = term, count
    while (k < draws if upward else k > 0) and term > NEGLIGIBLE * total:
        term *= (draws - k) / (k + 1) * odds if upward else k / (draws - k + 1) / odds
        total += term
        k += 1 if upward else -1
    return min(1.0, 2 * total)


def chi_square_tail(statistic: float, degrees: int) -> float:
    """Return the probability that a chi-square variable is at least ``statistic``.

    The regularised upper incomplete gamma function ``Q(degrees / 2, statistic / 2)``, by its series
    near zero and by its continued fraction (Lentz) far out.

    Args:
        statistic: At least 0.
        degrees: Of freedom; with 0 the variable is 0.

    >>> round(chi_square_tail(3.841459, 1), 6)
    0.05
    """
    shape, x = degrees / 2, statistic / 2
    if degrees == 0 or x <= 0:
        return float(x <= 0)
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        k = shape
        while term > NEGLIGIBLE * total:
            k += 1
            term *= x / k
            total += term
        return max(0.0, 1 - front * total)
    return front * _continued_fraction(shape, x)


def _continued_fraction(shape: float, x: float) -> float:
    tiny = 1e-300
    b = x + 1 - shape
    c, d = 1 / tiny, 1 / b
    value = d
    for k in range(1, 10_000):
        a = -k * (k - shape)
        b += 2
        d = 1 / (a * d + b or tiny)
        c = b + a / c or tiny
        value *= c * d
        if abs(c * d - 1) < 1e-15:
            break
    return value


@dataclass(frozen=True)
class TwoSamples:
    """How far two samples are apart.

    Attributes:
        statistic: Chi-square.
        degrees: Of freedom: outcomes less one, rare ones counted together.
        p_value: How likely samples of one law are this far apart.
        effect: Cramer's V, in [0, 1]: 0 for equal shares, 1 for samples without a common outcome.
    """

    statistic: float
    degrees: int
    p_value: float
    effect: float


def compare_samples(first: Mapping[Hashable, int], second: Mapping[Hashable, int]) -> TwoSamples:
    """Compare two samples, given as counts of outcomes, by Pearson's chi-square.

    Args:
        first, second: Outcome -> how often it was drawn; each sample has at least one draw.

    >>> compare_samples({"a": 400}, {"b": 400}).statistic
    800.0
    """
    pooled: tuple[Counter[Hashable], Counter[Hashable]] = (Counter(), Counter())
    for outcome in {**first, **second}:
        pair = (first.get(outcome, 0), second.get(outcome, 0))
        cell: Hashable = outcome if sum(pair) >= LEAST_POOLED else _RARE
        for counts, number in zip(pooled, pair, strict=True):
            counts[cell] += number
    sizes = tuple(counts.total() for counts in pooled)
    draws = sum(sizes)
    statistic = 0.0
    for cell in pooled[0] | pooled[1]:
        seen = pooled[0][cell] + pooled[1][cell]
        for counts, size in zip(pooled, sizes, strict=True):
            expected = seen * size / draws
            statistic += (counts[cell] - expected) ** 2 / expected
    degrees = len(pooled[0] | pooled[1]) - 1
    tail = chi_square_tail(statistic, degrees)
    return TwoSamples(statistic, degrees, tail, math.sqrt(statistic / draws))


_RARE = object()


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number by Holm's step-down method.

    Rejecting those at most a level rejects any true hypothesis with at most that probability,
    whatever the dependence between the tests.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    corrected = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[index]))
        corrected[index] = largest
    return corrected


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
