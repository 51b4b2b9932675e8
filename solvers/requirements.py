"""What algorithms require of a game: each check refuses with a witness and a way out."""

from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_constant_sum,
)

Game = NormalFormGame | ExtensiveFormGame


def require_normal_form(game: object, *, function: str) -> None:
    """Refuse anything but a normal-form game."""
    if isinstance(game, ExtensiveFormGame):
        raise UnsupportedGame(
            f"{function}: needs a normal-form game, but got a tree, {game!r}. "
            "Use extensive_to_normal(game).target."
        )
    if not isinstance(game, NormalFormGame):
        raise InvalidArgument(f"{function}: needs a NormalFormGame, but got {type(game).__name__}.")


def require_tree(game: object, *, function: str) -> None:
    """Refuse anything but an extensive-form game."""
    if not isinstance(game, ExtensiveFormGame):
        raise UnsupportedGame(
            f"{function}: needs an extensive-form game, but got {game!r}. "
            "Use the solvers for normal-form games."
        )


def require_two_players(game: Game, *, function: str) -> None:
    """Refuse games of one player, or of three and more."""
    if game.num_players != 2:
        raise UnsupportedGame(
            f"{function}: needs two players, but {game!r} has {game.num_players}: "
            f"{', '.join(map(repr, game.players))}. Try solvers.nash.pure for more players."
        )


def require_constant_sum(game: Game, *, function: str) -> None:
    """Refuse games whose payoffs do not sum to a constant."""
    verdict = is_constant_sum(game)
    if not verdict:
        raise UnsupportedGame(
            f"{function}: needs a zero-sum (or constant-sum) game, but {verdict.reason}. "
            "Try lemke_howson or vertex_enumeration, which take general-sum games."
        )


def require_perfect_recall(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player forgets."""
    verdict = has_perfect_recall(game)
    if not verdict:
        raise UnsupportedGame(
            f"{function}: needs perfect recall, but {verdict.reason}. "
            "Solve extensive_to_normal(game).target instead."
        )


def require_perfect_information(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player cannot tell two nodes apart."""
    verdict = has_perfect_information(game)
    if not verdict:
        raise UnsupportedGame(
            f"{function}: needs perfect information, but {verdict.reason}. "
            "Try sequence_form_lp (two players, zero-sum) or extensive_to_normal(game).target."
        )
