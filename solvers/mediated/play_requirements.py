"""What looking at whole plays of a mediated game requires."""

from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.fairness import Fairness, check_fairness
from gametheory_core.games.mediated import MediatedGame
from solvers.requirements import require_instance


def require_nothing_drawn(game: MediatedGame, fairness: Fairness, *, function: str) -> None:
    """Refuse games that draw states, and measures for other numbers of players.

    Raises:
        InvalidArgument, UnsupportedGame: Names what does not fit.
    """
    require_instance(game, MediatedGame, function=function, name="game")
    check_fairness(fairness, game.num_players)
    if not game.is_deterministic:
        raise UnsupportedGame(
            f"{function}: needs a game in which nothing is drawn, but {game!r} draws states. "
            "Use jam_value_iteration, which says how fair expected returns are."
        )
