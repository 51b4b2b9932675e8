"""Answers about Markov games and mediated games as rows of plain tables."""

from collections.abc import Hashable, Iterator
from fractions import Fraction
from typing import TypeAlias, cast

from gametheory_core.arguments import shown_players
from gametheory_core.games.rules import Blank
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.markov_policies import MarkovCorrelation, MarkovProfile

Row: TypeAlias = tuple[str | Fraction, ...]


def label_text(label: Hashable) -> str:
    """Write a label for people: tuples in parentheses, of one entry without.

    >>> label_text((("cooperate", "defect"),))
    '(cooperate, defect)'
    """
    if isinstance(label, tuple):
        parts = [label_text(part) for part in cast("tuple[Hashable, ...]", label)]
        return parts[0] if len(parts) == 1 else f"({', '.join(parts)})"
    return label.name.lower() if isinstance(label, Blank) else str(label)


def choice_text(game: TabularPOSG, player: int, seen: int, action: int) -> tuple[str, str]:
    """Write what a player sees and does."""
    observation = game.observations[player][seen]
    return label_text(observation), label_text(game.actions[player][action])


def markov_rows(game: TabularPOSG, answer: MarkovProfile) -> Iterator[Row]:
    """Yield time, state, player, action and probability."""
    names = shown_players(game.players)
    for time, row in enumerate(answer.lotteries):
        when = "always" if answer.is_stationary else str(time)
        for state, lotteries in enumerate(row):
            for player, lottery in enumerate(lotteries):
                for action, weight in enumerate(lottery):
                    if weight:
                        taken = label_text(game.actions[player][action])
                        where = label_text(game.states[state])
                        yield (when, where, names[player], taken, weight)


def correlation_rows(game: TabularPOSG, answer: MarkovCorrelation) -> Iterator[Row]:
    """Yield time, state, joint action and probability."""
    for time, row in enumerate(answer.distributions):
        for state, drawn in enumerate(row):
            if drawn is None:
                continue
            for joint, weight in zip(drawn.joint_actions, drawn.probabilities, strict=True):
                taken = zip(game.actions, joint, strict=True)
                actions = ", ".join(label_text(own[a]) for own, a in taken)
                yield (str(time), label_text(game.states[state]), actions, weight)
