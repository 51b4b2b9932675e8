"""Payoffs as rows, one for each joint action and player, ready for data frames."""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.games.best_replies import best_replies
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame


@dataclass(frozen=True)
class PayoffRow:
    """What one player gets for one joint action.

    Attributes:
        actions: Labels of the joint action.
        player: Label of the player.
        action: Label of the player's own action.
        payoff: Exact; ``frame.payoff.astype(float)`` for floats.
        is_best_response: Whether the player gains nothing by changing the own action.
        is_equilibrium: Whether nobody does.
    """

    actions: tuple[str, ...]
    player: str
    action: str
    payoff: Fraction
    is_best_response: bool
    is_equilibrium: bool


def payoff_rows(game: NormalFormGame) -> tuple[PayoffRow, ...]:
    """Return the payoffs of a game in long form, as ``pandas.DataFrame(rows)`` takes them.

    Args:
        game: Any number of players.

    Returns:
        Joint actions in order, the last player's action changing fastest; the players of each in
        order.

    >>> from gametheory_core import load_game
    >>> row = payoff_rows(load_game("prisoners_dilemma"))[3]
    >>> row.actions, row.player, str(row.payoff), row.is_best_response
    (('cooperate', 'defect'), '2', '5', True)
    """
    require_normal_form(game, function="payoff_rows")
    marks = best_replies(game.given_payoffs)
    stable = np.asarray(marks.all(axis=0))
    rows: list[PayoffRow] = []
    for cell in np.ndindex(*game.num_actions):
        actions = tuple(own[a] for own, a in zip(game.actions, cell, strict=True))
        for player, label in enumerate(game.players):
            rows.append(
                PayoffRow(
                    actions=actions,
                    player=label,
                    action=actions[player],
                    payoff=cast("Fraction", game.exact_payoffs[(player, *cell)]),
                    is_best_response=bool(marks[(player, *cell)]),
                    is_equilibrium=bool(stable[cell]),
                )
            )
    return tuple(rows)
