"""Information sets and outcomes: what the nodes of a tree refer to."""

from dataclasses import dataclass
from fractions import Fraction

from gametheory_core.arrays import to_fraction
from gametheory_core.distributions import check_weights
from gametheory_core.errors import InvalidGame
from gametheory_core.labels import check_labels, label_or_number

CHANCE = -1
NO_OUTCOME = -1


@dataclass(frozen=True, slots=True)
class InformationSet:
    """Decision nodes that the mover cannot tell apart, or chance nodes with one lottery.

    Attributes:
        player: The mover, or ``CHANCE``.
        number: The number of the information set among its player's, as in the file; from 1.
        label: Name, or "" if unnamed.
        actions: Labels of the choices, in the order of the children.
        probabilities: For chance: of each choice, summing to one. None for players.
    """

    player: int
    number: int
    label: str
    actions: tuple[str, ...]
    probabilities: tuple[Fraction, ...] | None = None

    def __post_init__(self) -> None:
        if self.player != CHANCE and self.probabilities is None and _are_distinct(self.actions):
            return  # a tree may have a million of them
        owner = describe_infoset(self)
        actions = check_labels(self.actions, kind="action", owner=owner)
        object.__setattr__(self, "actions", actions)
        if not actions:
            raise InvalidGame(f"{owner}: needs at least one action, but has none.")
        if (self.player == CHANCE) != (self.probabilities is not None):
            raise InvalidGame(f"{owner}: chance, and only chance, needs probabilities.")
        if self.probabilities is not None:
            exact = tuple(to_fraction(p, where=f"{owner}: probability") for p in self.probabilities)
            object.__setattr__(self, "probabilities", exact)
            if len(exact) != len(actions):
                raise InvalidGame(
                    f"{owner}: needs a probability for each of {len(actions)} actions, "
                    f"but got {len(exact)}."
                )
            check_weights(list(zip(actions, exact, strict=True)), owner=owner)


def _are_distinct(actions: tuple[str, ...]) -> bool:
    """Tell whether these are different texts, at least one."""
    return (
        type(actions) is tuple
        and set(map(type, actions)) == {str}
        and (len(set(actions)) == len(actions))
    )


@dataclass(frozen=True)
class Outcome:
    """What a node pays on reaching it: one ``Fraction`` for each player."""

    payoffs: tuple[Fraction, ...]
    label: str = ""

    def __post_init__(self) -> None:
        exact = tuple(
            to_fraction(p, where=f"payoff of outcome {self.label!r}") for p in self.payoffs
        )
        object.__setattr__(self, "payoffs", exact)


def describe_infoset(infoset: InformationSet) -> str:
    """Return how messages name an information set: its label, or its number and player."""
    name = label_or_number(infoset.label, infoset.number)
    owner = "chance" if infoset.player == CHANCE else f"player {infoset.player + 1}"
    return f"information set {name} of {owner}"
