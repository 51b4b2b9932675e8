"""What several commands take, load and say."""

import argparse
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from gametheory_core.catalog.index import Game
from gametheory_core.conversions.tabular import aec_to_tabular, posg_to_tabular
from gametheory_core.errors import InvalidArgument
from gametheory_core.extensions import game_kinds, kind_of_game
from gametheory_core.formats.gambit_text import DuplicateLabels
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import is_posg
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.loading import load_game

KINDS = {
    "nfg": "normal form",
    "efg": "tree",
    "posg": "POSG (all players act at once)",
    "aec": "AEC game (one mover at a time)",
    "bayesian": "Bayesian game (a leader, and a follower of one of several types)",
    "security": "security game (a defender of many targets, and an attacker)",
}
RULES = ("posg", "aec")
TABLE_BUDGET = 20_000  # positions of rules that a command looks at by default


def add_game(command: argparse.ArgumentParser) -> None:
    """Let a command take a game."""
    command.add_argument(
        "game",
        metavar="GAME",
        help="a .nfg, .efg, .csv or .json file, or NAME or NAME:KEY=VALUE,... of the catalogue",
    )
    command.add_argument(
        "--rename-duplicate-labels",
        dest="duplicates",
        action="store_const",
        const=DuplicateLabels.RENAME,
        default=DuplicateLabels.REFUSE,
        help="number labels that occur twice in a file, instead of refusing it",
    )
    command.add_argument(
        "--recover",
        action="store_true",
        help="read chance probabilities of a .efg file that are rounded decimals as the simple "
        "fractions that sum to one",
    )
    command.add_argument(
        "--decimals",
        action="store_true",
        help="read numbers of a .json file as the decimals that stand there; other files are "
        "read so anyway",
    )


def add_table_budget(command: argparse.ArgumentParser, *, default: int = TABLE_BUDGET) -> None:
    """Let a command take the size up to which it looks at all of a game's rules."""
    command.add_argument(
        "--max-states",
        type=size,
        default=default,
        metavar="N",
        help="positions of rules to look at, at most (%(default)s)",
    )


def whole_number(text: str) -> int:
    """Read an option that counts things."""
    return _number(text, least=0)


def size(text: str) -> int:
    """Read an option that says how large something may be."""
    return _number(text, least=1)


def _number(text: str, *, least: int) -> int:
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < least or len(text) > 18:
        raise argparse.ArgumentTypeError(
            f"needs a whole number of at least {least}, but got {text!r}"
        )
    return number


def loaded(options: argparse.Namespace) -> Game:
    """Load the game that the options name."""
    return load_game(
        options.game,
        duplicates=options.duplicates,
        recover=options.recover,
        decimals=options.decimals,
    )


def kind_of(game: Any) -> str:
    """Return what kind of game this is, by the name that files and options give it."""
    if isinstance(game, NormalFormGame):
        return "nfg"
    if isinstance(game, ExtensiveFormGame):
        return "efg"
    if isinstance(game, BayesianGame):
        return "bayesian"
    if isinstance(game, SecurityGame):
        return "security"
    if not hasattr(game, "legal_actions") and (kind := kind_of_game(game)) is not None:
        return kind.name
    return "posg" if is_posg(game) else "aec"


def words_for(kind: str) -> str:
    """Return a kind of game in words."""
    return KINDS.get(kind) or game_kinds()[kind].words


def tabulated(game: Any, *, max_states: int) -> TabularPOSG | TabularAEC:
    """Return the table of rules.

    Raises:
        UnsupportedGame: If more than ``max_states`` positions can be reached.
    """
    if kind_of(game) == "posg":
        return posg_to_tabular(game, max_states=max_states).target
    return aec_to_tabular(game, max_states=max_states).target


def refuse_unless_rules(game: Any, option: str) -> None:
    """Refuse an option that is about steps or moves for a matrix or a tree."""
    if kind_of(game) not in RULES:
        raise InvalidArgument(
            needs="the rules of a POSG or AEC game",
            found=f"{game.title or 'the game'!r} has no steps or moves: it ends by itself",
            remedy="Leave the option out.",
            where=option,
        )


# What refusals call an argument, and the option that sets it.
SIZES: Mapping[str, str] = MappingProxyType(
    {
        "max_states": "--max-states",
        "max_nodes": "--max-nodes",
        "max_profiles = ": "--max-profiles = ",
        ", or raise max_profiles": ", or raise --max-profiles",
    }
)
HORIZON: Mapping[str, str] = MappingProxyType(
    {
        "stop_posg": "--horizon N",
        "stop_aec": "--horizon N",
        "horizon=...": "--horizon N",
        "shorter horizon": "shorter horizon (--horizon N)",
        "a horizon": "--horizon N",
    }
)
CONVERT_FIRST: Mapping[str, str] = MappingProxyType(
    {"stop_posg": "convert --horizon N", "stop_aec": "convert --horizon N"}
)
