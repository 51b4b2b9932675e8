"""Which law an environment broke, and where: the seed, the moves so far, what was due and found."""

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
    SPACE = "observations lie in their space"
    NUMBERS = "rewards are finite numbers"
    ACCUMULATED = "last() gives the rewards since the agent's own last move"
    KEPT = "observations once returned stay as they were"
    OWN_COPY = "writing into a returned observation changes nothing"
    SEEDED = "the same seed gives the same episode"
    FORGOTTEN = "reset forgets the episode before"
    ORDER = "the agents move in the model's order"
    END = "episodes end as the model ends"
    REWARDS = "rewards are the model's"
    OBSERVATIONS = "observations are the model's"
    LEGAL = "legal actions are the model's"
    SECRETS = "equal information looks equal"
    FREQUENCIES = "chances are the model's"


@dataclass
class Story:
    """What was done in an episode so far, for the witness.

    Attributes:
        moves: Actions as the environment got them.
    """

    seed: int = 0
    moves: list[tuple[str, Any]] = field(default_factory=list[tuple[str, Any]])

    def __str__(self) -> str:
        moves = ", ".join(f"{agent}: {action!r}" for agent, action in self.moves)
        return f"Seed {self.seed}, after {moves or 'reset'}"


def broken(law: EnvironmentLaw, where: object, detail: str) -> NoReturn:
    """Raise ``LawBroken`` with the law's sentence, the place, and what was due and found."""
    raise LawBroken(
        f"check_environment: an environment obeys '{law.value}', but this one does not. "
        f"{where}: {detail}"
    )


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
