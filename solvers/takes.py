"""What games an algorithm takes: each function returns "" for yes, else what is missing."""

from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rule_properties import has_zero_sum_rewards, is_fully_observed
from gametheory_core.games.security import SecurityGame
from gametheory_core.games.tabular_posg import TabularPOSG
from gametheory_core.mediation.game import MediatedGame
from solvers.concepts import Game
from solvers.requirements import (
    missing_constant_sum,
    missing_perfect_information,
    missing_perfect_recall,
    missing_two_players,
)

NEEDS_NORMAL_FORM = "a normal form"
NEEDS_TREE = "a tree"
NEEDS_BAYESIAN = "a Bayesian game"
NEEDS_SECURITY = "a security game"
NEEDS_POSG = "the rules of a POSG"
NEEDS_MEDIATED = "a mediated game"
KINDS = (
    NEEDS_NORMAL_FORM,
    NEEDS_TREE,
    NEEDS_BAYESIAN,
    NEEDS_SECURITY,
    NEEDS_POSG,
    NEEDS_MEDIATED,
)


def normal_form(game: Game) -> str:
    """Take any normal form."""
    return "" if isinstance(game, NormalFormGame) else NEEDS_NORMAL_FORM


def two_player_normal_form(game: Game) -> str:
    """Take bimatrix games."""
    return missing_two_players(game) if isinstance(game, NormalFormGame) else NEEDS_NORMAL_FORM


def many_player_normal_form(game: Game) -> str:
    """Take normal forms of three players and more."""
    return normal_form(game) or _count(game, "at least three players", fits=game.num_players > 2)


def several_player_normal_form(game: Game) -> str:
    """Take normal forms of two players and more."""
    return normal_form(game) or _count(game, "at least two players", fits=game.num_players > 1)


def one_player_normal_form(game: Game) -> str:
    """Take normal forms of one player."""
    return normal_form(game) or _count(game, "one player", fits=game.num_players == 1)


def one_player_recall_tree(game: Game) -> str:
    """Take trees of one player with perfect recall."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    return _count(game, "one player", fits=game.num_players == 1) or recall_tree(game)


def _count(game: Game, needed: str, *, fits: bool) -> str:
    return "" if fits else f"{needed}, but {game!r} has {game.num_players}"


def constant_sum_normal_form(game: Game) -> str:
    """Take two-player zero-sum and constant-sum normal forms."""
    if not isinstance(game, NormalFormGame):
        return NEEDS_NORMAL_FORM
    return missing_two_players(game) or missing_constant_sum(game)


def bayesian_game(game: Game) -> str:
    """Take Bayesian games of a leader and typed followers."""
    return "" if isinstance(game, BayesianGame) else NEEDS_BAYESIAN


def security_game(game: Game) -> str:
    """Take security games with one type of attacker."""
    if not isinstance(game, SecurityGame):
        return NEEDS_SECURITY
    return "" if len(game.types) == 1 else f"one type of attacker, but {game!r} has several"


def perfect_information_tree(game: Game) -> str:
    """Take trees with perfect information."""
    return missing_perfect_information(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def recall_tree(game: Game) -> str:
    """Take trees with perfect recall."""
    return missing_perfect_recall(game) if isinstance(game, ExtensiveFormGame) else NEEDS_TREE


def many_player_recall_tree(game: Game) -> str:
    """Take trees of three players and more with perfect recall."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    few = _count(game, "at least three players", fits=game.num_players > 2)
    return few or missing_perfect_recall(game)


def two_player_recall_tree(game: Game) -> str:
    """Take two-player trees with perfect recall."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    return missing_two_players(game) or missing_perfect_recall(game)


def constant_sum_recall_tree(game: Game) -> str:
    """Take two-player zero-sum and constant-sum trees with perfect recall."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    return two_player_recall_tree(game) or missing_constant_sum(game)


def constant_sum_or_perfect_information_tree(game: Game) -> str:
    """Take trees in which nothing is hidden, and two-player constant-sum trees with recall."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    lacking = constant_sum_recall_tree(game)
    return lacking if lacking and missing_perfect_information(game) else ""


def two_player_perfect_information_tree(game: Game) -> str:
    """Take two-player trees with perfect information and without chance."""
    if not isinstance(game, ExtensiveFormGame):
        return NEEDS_TREE
    lacking = missing_two_players(game) or missing_perfect_information(game)
    if lacking or len(game.infosets) == game.num_decision_infosets:
        return lacking
    return f"a tree without chance, but {game!r} has chance moves"


def leader_game(game: Game) -> str:
    """Take POSGs of two players that end after a number of steps."""
    if not isinstance(game, TabularPOSG):
        return NEEDS_POSG
    if game.horizon is None:
        return _no_horizon(game)
    return _count(game, "two players", fits=game.num_players == 2)


def _no_horizon(game: TabularPOSG) -> str:
    return (
        f"a horizon, but {game!r} has none: stop_posg(game, steps=...) gives one, and so does "
        "python -m gametheory_core convert GAME FILE.json --horizon N"
    )


def open_leader_game(game: Game) -> str:
    """Take POSGs of two players who see the state, with a horizon."""
    return leader_game(game) or open_game_with_horizon(game)


def open_game_with_horizon(game: Game) -> str:
    """Take POSGs in which all players see the state, with a horizon."""
    if not isinstance(game, TabularPOSG):
        return NEEDS_POSG
    if game.horizon is None:
        return _no_horizon(game)
    return _hidden_state(game)


def endless_zero_sum_game(game: Game) -> str:
    """Take POSGs of two players who see the state and whose rewards sum to 0, without a horizon."""
    if not isinstance(game, TabularPOSG):
        return NEEDS_POSG
    zero_sum = has_zero_sum_rewards(game)
    lack = _count(game, "two players", fits=game.num_players == 2)
    lack = lack or ("" if zero_sum else f"rewards that sum to 0, but {zero_sum.reason}")
    if not lack and game.horizon is not None:
        return (
            f"no horizon, but {game!r} has {game.horizon} steps: its tree has a value too "
            "(python -m gametheory_core convert GAME FILE.efg)"
        )
    return lack or _hidden_state(game)


def _hidden_state(game: TabularPOSG) -> str:
    verdict = is_fully_observed(game)
    return "" if verdict else f"players who see the state, but {verdict.reason}"


def mediated_game(game: Game) -> str:
    """Take mediated games."""
    return "" if isinstance(game, MediatedGame) else NEEDS_MEDIATED
