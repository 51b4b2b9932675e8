"""Evidence against a law of chance, from draws whose probabilities are known before each of them.

A draw hits with probability ``p``, known from the past. For any number ``c``,
``exp(c hits - sum of log(1 + p (exp(c) - 1)))`` is 1 on average, however probabilities and the
choice of draws depend on what came before: it is a martingale. Averages of such products, over some
numbers ``c`` and over groups of draws with weights that sum to 1, are 1 on average too; so under
the law they reach ``1 / level`` with at most the probability ``level`` (Ville 1939).
"""

import math
from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from gametheory_core.testing.environment_laws import EnvironmentLaw, broken

CERTAIN = 1e-9  # from 0 and 1, where rounding of sums is no chance
MOST_GROUPS = 100_000  # of draws, those that are met first
STEEPNESSES = tuple(sign * c for c in (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 4.0) for sign in (1, -1))


@dataclass
class Draws:
    """Draws of one group: of each probability, how many and how many hits."""

    rank: int
    first: str
    counts: dict[float, list[int]] = field(default_factory=dict[float, list[int]])

    def add(self, probability: float, *, hit: bool) -> None:
        """Count a draw."""
        count = self.counts.setdefault(probability, [0, 0])
        count[0] += 1
        count[1] += hit

    @property
    def log_evidence(self) -> float:
        """The logarithm of the average of the products."""
        hits = sum(k for _, k in self.counts.values())
        logs = [
            c * hits - sum(n * math.log1p(p * math.expm1(c)) for p, (n, _) in self.counts.items())
            for c in STEEPNESSES
        ]
        most = max(logs)
        return most + math.log(sum(math.exp(x - most) for x in logs) / len(logs))


@dataclass
class Evidence:
    """Groups of draws, numbered when first met: number ``k`` has the weight 1 / ((k+1) (k+2))."""

    groups: dict[Hashable, Draws] = field(default_factory=dict[Hashable, Draws])

    def add(self, group: Hashable, probability: float, story: object, *, hit: bool) -> None:
        """Count a draw of a group, if it is one of chance."""
        if CERTAIN < probability < 1 - CERTAIN:
            draws = self.groups.get(group)
            if draws is None and len(self.groups) == MOST_GROUPS:
                return
            if draws is None:
                draws = self.groups[group] = Draws(len(self.groups), str(story))
            draws.add(probability, hit=hit)

    def strongest(self, level: float) -> tuple[Hashable, Draws] | None:
        """Return the group that refutes the law at a level by the most; None if none does."""
        return next(iter(self.refuting(level)), None)

    def refuting(self, level: float) -> list[tuple[Hashable, Draws]]:
        """Return all groups that refute the law at a level, the strongest first."""
        found = [
            (draws.log_evidence - math.log((draws.rank + 1) * (draws.rank + 2) / level), group)
            for group, draws in self.groups.items()
        ]
        found = sorted((x for x in found if x[0] >= 0), key=lambda pair: -pair[0])
        return [(group, self.groups[group]) for _, group in found]


def coincidence(pairs: Iterable[tuple[float, bool]]) -> float:
    """Return the evidence that pairs of episodes agree more often than by chance, as a logarithm.

    Args:
        pairs: The logarithm of a pair's probability to agree, at most 0, and whether it did.
    """
    return sum(
        (max(-log_p, 0.0) + math.log1p(math.exp(log_p)) if agrees else 0.0) - math.log(2)
        for log_p, agrees in pairs
    )


def refuse_by(draws: Draws, law: EnvironmentLaw, where: str, what: str) -> NoReturn:
    """Say that something came too often or too rarely."""
    count = sum(n for n, _ in draws.counts.values())
    hits = sum(k for _, k in draws.counts.values())
    due = sum(p * n for p, (n, _) in draws.counts.items())
    broken(
        law,
        where,
        f"{what} came {hits} times in {count} draws, and is due {due:.1f} times. The evidence "
        f"against the model is exp({draws.log_evidence:.0f}): it should not depend on that.",
    )
