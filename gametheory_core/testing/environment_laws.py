"""What every environment of a model obeys; a *witness* says which law one broke, and where."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, NoReturn, cast

from gametheory_core.errors import LawBroken

SHOWN_OUTCOMES = 6
LONGEST_VALUE = 300


class EnvironmentLaw(Enum):
    """What every environment of a model obeys; the value says it in words."""

    AGENTS = "one agent for each player of the model"
    ENTRIES = "each agent has its entry in everything that is returned"
    LEAVING = "an agent leaves when it has ended, and only then"
    SPACE = "observations lie in their space"
    SPACES = "spaces stay the same objects"
    NUMBERS = "rewards are finite numbers"
    FORM = "reset and step return what the interface says"
    ACCUMULATED = "last() gives the rewards since the agent's own last move"
    KEPT = "observations once returned stay as they were"
    OWN_COPY = "writing into a returned observation changes nothing"
    ACTIONS = "actions that are handed in stay the caller's"
    ASKED = "what is asked for twice is the same, and asking changes nothing"
    SEEDED = "the same seed gives the same episode"
    FORGOTTEN = "reset forgets the episode before"
    APART = "environments share nothing"
    GENERATORS = "the global random generators decide nothing"
    UNSEEDED = "without a seed each episode is another one"
    UNPAIRED = "episodes of different seeds are independent"
    ORDER = "the agents move in the model's order"
    END = "episodes end as the model ends"
    REWARDS = "rewards are the model's"
    OBSERVATIONS = "observations are the model's"
    LAST = "the last observation is the model's"
    LEGAL = "legal actions are the model's"
    SECRETS = "equal information looks equal"
    FREQUENCIES = "chances are the model's"
    INDEPENDENCE = "chance depends on nothing but what the model says"


@dataclass
class Story:
    """What was done in an episode so far, for the witness.

    Attributes:
        moves: Actions as the environment got them.
    """

    seed: int | None = 0
    moves: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])

    def __str__(self) -> str:
        moves = ", ".join(f"{agent}: {action!r}" for agent, action in self.moves)
        seed = "No seed" if self.seed is None else f"Seed {self.seed}"
        return f"{seed}, after {moves or 'reset'}"


def broken(
    law: EnvironmentLaw, where: object, detail: str, *, cause: Exception | None = None
) -> NoReturn:
    """Raise ``LawBroken`` with the law's sentence, the place, and what was due and found."""
    raise LawBroken(
        needs=f"an environment that obeys '{law.value}'",
        found="this one does not",
        remedy=f"{where}: {detail}",
        where="check_environment",
    ) from cause


def raised(error: Exception) -> str:
    """Return what was raised in words."""
    return f"raises {type(error).__name__}" + (f": {error}" if str(error) else "")


def shown(value: object) -> str:
    """Return a value in one line of bounded length."""
    text = " ".join(repr(value).split())
    return text if len(text) <= LONGEST_VALUE else text[:LONGEST_VALUE] + "..."


def shown_law(law: Mapping[Any, Fraction]) -> str:
    """Return a lottery in words, likeliest outcomes first."""
    if len(law) == 1:
        return readable(next(iter(law)))
    ordered = sorted(law.items(), key=lambda item: -item[1])
    parts = [f"{readable(outcome)} with {weight}" for outcome, weight in ordered[:SHOWN_OUTCOMES]]
    more = len(ordered) - len(parts)
    return ", ".join(parts) + (f" and {more} more" if more > 0 else "")


def readable(outcome: object) -> str:
    """Return an outcome with its rationals written as in print."""
    if isinstance(outcome, Fraction):
        return str(outcome)
    if isinstance(outcome, Enum):
        return str(outcome.value)
    if isinstance(outcome, tuple):
        parts = [readable(part) for part in cast("tuple[object, ...]", outcome)]
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    return shown(outcome)
