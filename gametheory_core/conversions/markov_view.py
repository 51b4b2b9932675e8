"""Rules of a POSG to the Markov game that it is where everybody sees the state."""

from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.games.callers import refusing_as
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.posg import POSG, stop_posg
from gametheory_core.games.tabular_posg import TabularPOSG


def markov_view(game: POSG | MarkovView | LeaderView, *, horizon: int | None = None) -> MarkovView:
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
    if isinstance(game, LeaderView):
        game = game.game
    if isinstance(game, MarkovView):
        if horizon is None:
            return game
        game = game.game
    if isinstance(game, TabularPOSG) and horizon is None:
        return _viewed(game)
    rules = checked_posg(game, "markov_view")
    stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
    return _viewed(posg_to_tabular(stopped).target)


def _viewed(game: TabularPOSG) -> MarkovView:
    with refusing_as("markov_view", instead_of="MarkovView"):
        return MarkovView(game)
