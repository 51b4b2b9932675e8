"""Rules of a POSG to the Markov game in which one player commits first."""

from gametheory_core.conversions.tabular_posg import posg_to_tabular
from gametheory_core.games.callers import refusing_as
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.posg import POSG, stop_posg
from gametheory_core.games.tabular_posg import TabularPOSG


def leader_view(
    game: POSG | LeaderView, *, leader: int = 0, horizon: int | None = None
) -> LeaderView:
    """View a two-player POSG as a Markov game with a leader and a follower.

    Args:
        game: Two players, each of whom observes a function of the state.
        leader: Who commits first.
        horizon: Stop after so many steps; needed if the game does not stop by itself.

    Raises:
        UnsupportedGame: If the game does not fit, or is too large for a table; names a state and
            what is seen there.
        InvalidArgument: If there is no such leader or horizon.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> view = leader_view(RepeatedGame.of("prisoners_dilemma", rounds=None), horizon=10)
    >>> view.horizon, [view.game.observations[0][o] for o in view.leader_observation[:2]]
    (10, [(), (('cooperate', 'cooperate'),)])
    """
    if isinstance(game, LeaderView):
        if horizon is None and leader == game.leader:
            return game
        game = game.game
    if isinstance(game, TabularPOSG) and horizon is None:
        return _viewed(game, leader)
    rules = checked_posg(game, "leader_view")
    stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
    return _viewed(posg_to_tabular(stopped).target, leader)


def _viewed(game: TabularPOSG, leader: int) -> LeaderView:
    with refusing_as("leader_view", instead_of="LeaderView"):
        return LeaderView(game, leader)
