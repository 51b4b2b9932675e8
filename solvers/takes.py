"""What games an algorithm takes: each function returns "" for yes, else what is missing."""

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers.concepts import Game
from solvers.requirements import (
    missing_constant_sum,
    missing_perfect_information,
    missing_perfect_recall,
    missing_two_players,
)

NEEDS_NORMAL_FORM = "a normal form"
NEEDS_TREE = "a tree"


def normal_form(game: Game) -> str:
    """Take any normal form."""
    return "" if isinstance(game, NormalFormGame) else NEEDS_NORMAL_FORM


def two_player_normal_form(game: Game) -> str:
    """Take bimatrix games."""
    return missing_two_players(game) or normal_form(game)


def constant_sum_normal_form(game: Game) -> str:
    """Take two-player zero-sum and constant-sum normal forms."""
    return two_player_normal_form(game) or missing_constant_sum(game)


def perfect_information_tree(game: Game) -> str:
    """Take trees with perfect information."""
    return missing_perfect_information(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def recall_tree(game: Game) -> str:
    """Take trees with perfect recall."""
    return missing_perfect_recall(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def two_player_recall_tree(game: Game) -> str:
    """Take two-player trees with perfect recall."""
    return missing_two_players(game) or recall_tree(game)


def constant_sum_recall_tree(game: Game) -> str:
    """Take two-player zero-sum and constant-sum trees with perfect recall."""
    return two_player_recall_tree(game) or missing_constant_sum(game)
