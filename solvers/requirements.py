"""What algorithms require of a game: each refusal has a witness and a way out.

``missing_...`` says what a game lacks, or "" if it has it; ``require_...`` raises with the same
words.
"""

from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_constant_sum,
)

Game = NormalFormGame | ExtensiveFormGame


def missing_two_players(game: Game) -> str:
    """Say how many players there are, unless two."""
    if game.num_players == 2:
        return ""
    return f"two players, but {game!r} has {game.num_players}: {', '.join(map(repr, game.players))}"


def missing_constant_sum(game: Game) -> str:
    """Name two ends of play whose payoffs have different sums, if there are."""
    verdict = is_constant_sum(game)
    return "" if verdict else f"a zero-sum (or constant-sum) game, but {verdict.reason}"


def missing_perfect_recall(game: ExtensiveFormGame) -> str:
    """Name what a player forgets, if one does."""
    verdict = has_perfect_recall(game)
    return "" if verdict else f"perfect recall, but {verdict.reason}"


def missing_perfect_information(game: ExtensiveFormGame) -> str:
    """Name two nodes that a player cannot tell apart, if there are."""
    verdict = has_perfect_information(game)
    return "" if verdict else f"perfect information, but {verdict.reason}"


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
    _refuse(missing_two_players(game), function, "Try pure, which takes any number of players.")


def require_constant_sum(game: Game, *, function: str) -> None:
    """Refuse games whose payoffs do not sum to a constant."""
    remedy = "Try lemke_howson or vertex_enumeration, which take general-sum games."
    _refuse(missing_constant_sum(game), function, remedy)


def require_perfect_recall(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player forgets."""
    remedy = "Solve extensive_to_normal(game).target instead."
    _refuse(missing_perfect_recall(game), function, remedy)


def require_perfect_information(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player cannot tell two nodes apart."""
    remedy = "Try sequence_form_lp (two players, zero-sum) or extensive_to_normal(game).target."
    _refuse(missing_perfect_information(game), function, remedy)


def _refuse(missing: str, function: str, remedy: str) -> None:
    if missing:
        raise UnsupportedGame(f"{function}: needs {missing}. {remedy}")
