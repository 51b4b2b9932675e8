"""Rules of a POSG to the Markov game that it is where everybody sees the state."""

from typing import cast

from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.games.callers import refusing_as
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.kinds import is_view
from gametheory_core.games.markov_view import MarkovView, View
from gametheory_core.games.posg import POSG, stop_posg
from gametheory_core.games.tabular_posg import TabularPOSG


def markov_view(game: POSG | View, *, horizon: int | None = None) -> MarkovView:
    """View a POSG in which everybody sees the state as one stage game for each state.

    Args:
        game: Any number of players.
        horizon: Stop after so many steps.

    Raises:
        UnsupportedGame: If a player cannot tell two states apart (names them), or the game is too
            large for a table.
        InvalidArgument: If there is no such horizon.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> view = markov_view(RepeatedGame.of("matching_pennies", rounds=None), horizon=4)
    >>> view.game.horizon, view.num_stages
    (4, 13)
    """
    if isinstance(game, MarkovView) and horizon is None:
        return game
    table_or_rules = cast("View", game).game if is_view(game) else cast("POSG", game)
    if isinstance(table_or_rules, TabularPOSG) and horizon is None:
        return _viewed(table_or_rules)
    rules = checked_posg(table_or_rules, "markov_view")
    stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
    return _viewed(posg_to_tabular(stopped).target)


def _viewed(game: TabularPOSG) -> MarkovView:
    with refusing_as("markov_view", instead_of="MarkovView"):
        return MarkovView(game)
