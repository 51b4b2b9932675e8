"""Whether draws repeat, or avoid, what came before, over all points of play together.

What a draw has come to before is compared with what it comes to now: the last two times in the
episode, at the same move of the episode before, and when that episode ended. So chance that repeats
itself a little everywhere is found, though no point of play shows it. Draws are compared by value,
and by how likely they were: a step that fails, say, is not one value.
"""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, cast

from gametheory_core.testing.environment_evidence import CERTAIN, Draws, Evidence, refuse_by
from gametheory_core.testing.environment_laws import EnvironmentLaw

BACK = 2  # draws of the same thing in this episode
UNSHOWN = object()


class Repeat(NamedTuple):
    """A group of draws: of what, like which earlier one, and how likely that was.

    Attributes:
        outcomes, rank: Where draws are compared by likelihood, of how many outcomes it was which,
            likeliest first; else 0 and -1.
    """

    part: str
    like: str
    outcomes: int = 0
    rank: int = -1

    def __str__(self) -> str:
        if self.rank < 0:
            return self.like
        return f"{self.like}, then number {self.rank + 1} of {self.outcomes} outcomes by likelihood"


@dataclass
class Repeats:
    """What came in this episode and in the one before, thing by thing.

    Attributes:
        evidence: By groups of draws.
    """

    evidence: Evidence = field(default_factory=Evidence)
    _now: dict[str, list[Hashable]] = field(default_factory=dict[str, list[Hashable]])
    _ranks: dict[tuple[str, int], int] = field(default_factory=dict[tuple[str, int], int])
    _ended: dict[str, Hashable] = field(default_factory=dict[str, Hashable])
    _there: dict[tuple[int, str], Hashable] = field(default_factory=dict[tuple[int, str], Hashable])

    def begin(self) -> None:
        """Begin an episode."""
        self._ended.update({part: came[-1] for part, came in self._now.items()})
        self._now.clear()
        self._ranks.clear()

    def count(
        self,
        move: int,
        laws: Mapping[str, Mapping[Hashable, float]],
        came: Mapping[str, Hashable],
        story: object,
    ) -> None:
        """Count what came after a number of moves.

        Args:
            laws: Of each thing that may be shown; most likely outcomes first.
            came: What was shown of it; a thing may not be shown at all, which is no outcome.
        """
        for part, law in laws.items():
            outcome = came.get(part, UNSHOWN)
            if max(law.values()) < 1 - CERTAIN:
                self._bet(move, part, law, outcome, story)
            if outcome is not UNSHOWN:
                self._now.setdefault(part, []).append(outcome)
                self._there[move, part] = outcome

    def _bet(
        self, move: int, part: str, law: Mapping[Hashable, float], outcome: Hashable, story: object
    ) -> None:
        now = self._now.get(part, [])
        likes = [
            (f"it is as {back} draws before", now[-back])
            for back in range(1, BACK + 1)
            if back <= len(now)
        ]
        if not now and part in self._ended:
            likes.append(("it is as at the end of the episode before", self._ended[part]))
        if (move, part) in self._there:
            likes.append(("it is as there in the episode before", self._there[move, part]))
            if not now:
                likes.append(("it first is as there in the episode before", likes[-1][1]))
        for like, before in likes:
            group = Repeat(part, like)
            self.evidence.add(group, law.get(before, 0.0), story, hit=outcome == before)
        size, order = len(law), list(law)
        rank = self._ranks.get((part, size))
        if rank is not None:
            again = order[rank]
            group = Repeat(part, "it is as likely as the draw before", size, rank)
            self.evidence.add(group, law[again], story, hit=outcome == again)
        if outcome in law:
            self._ranks[part, size] = order.index(outcome)

    def require(self, level: float) -> None:
        """Refuse what a right environment shows with at most probability ``level``."""
        found = self.evidence.strongest(level)
        if found is not None:
            repeat, draws = cast("tuple[Repeat, Draws]", found)
            where = f"{repeat.part.capitalize()}, over all moves, such as: {draws.first}"
            refuse_by(draws, EnvironmentLaw.INDEPENDENCE, where, f"That {repeat}")
