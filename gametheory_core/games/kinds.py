"""What kind of game a function takes: refuse others with the conversion that helps."""

from typing import NamedTuple, TypeGuard

from gametheory_core.arguments import described, shown, with_article
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.extensions import kind_of_game
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.public_states import PublicStateGame
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG


class Kind(NamedTuple):
    """A kind of game that functions take, and what to do with another one.

    Attributes:
        words: "a normal-form game".
        games: Its class.
        remedies: By the type of the game given.
        of_rules, of_tree_rules: Which function to use on the rules of a game, and of a tree.
    """

    words: str
    games: type
    remedies: dict[type, str]
    of_rules: str
    of_tree_rules: str = ""


_NORMAL_FORM = Kind(
    "a normal-form game",
    NormalFormGame,
    {
        ExtensiveFormGame: "Use extensive_to_normal(game).target.",
        BayesianGame: "Use harsanyi_transform(game).target.",
        SecurityGame: "Use security_to_normal(game).",
    },
    "posg_to_extensive(game).target or aec_to_extensive(game).target, and then extensive_to_normal",
    "lay_out_rules(rules), and then extensive_to_normal",
)
_TREE = Kind(
    "an extensive-form game",
    ExtensiveFormGame,
    {
        NormalFormGame: "Use the solvers for normal-form games.",
        BayesianGame: "Use bayesian_stackelberg, or harsanyi_transform(game).target.",
        SecurityGame: "Use security_stackelberg, or security_to_normal(game).",
    },
    "posg_to_extensive(game).target or aec_to_extensive(game).target",
    "lay_out_rules(rules)",
)
_PUBLIC_STATE = Kind(
    "a public-state game",
    PublicStateGame,
    {ExtensiveFormGame: "Use counterfactual_regret for trees."},
    "public_state_game(rules), on rules of hands that are dealt at the start",
    "public_state_game(rules), if each position is a PublicMove, a PublicDraw or an end of play",
)
_POSG = Kind(
    "the rules of a POSG",
    POSG,
    {
        NormalFormGame: "Use RepeatedGame(game, rounds=...), or normal_to_posg(game).target.",
        ExtensiveFormGame: "Use the solvers for trees.",
        BayesianGame: "Use bayesian_stackelberg.",
        SecurityGame: "Use security_stackelberg.",
    },
    "aec_to_posg(game).target",
)
_BAYESIAN = Kind(
    "a Bayesian game",
    BayesianGame,
    {
        NormalFormGame: "A game without types is for strong_stackelberg; BayesianGame.from_payoffs "
        "builds one with types.",
        ExtensiveFormGame: "BayesianGame.from_payoffs builds one with types.",
        SecurityGame: "Use security_to_bayesian(game), or security_stackelberg.",
    },
    "BayesianGame.from_payoffs, from the payoffs of each type",
)
_SECURITY = Kind(
    "a security game",
    SecurityGame,
    {
        NormalFormGame: "Use SecurityGame.from_payoffs, or strong_stackelberg for a normal form.",
        BayesianGame: "Use bayesian_stackelberg.",
        ExtensiveFormGame: "Use SecurityGame.from_payoffs.",
    },
    "SecurityGame.from_payoffs, from the payoffs of each target",
)


def require_normal_form(game: object) -> None:
    """Refuse anything but a normal-form game."""
    _require(game, _NORMAL_FORM)


def require_matrix_or_tree(game: object) -> None:
    """Refuse anything but a normal-form or extensive-form game, as ``require_normal_form``."""
    if not isinstance(game, ExtensiveFormGame):
        _require(game, _NORMAL_FORM)


def require_mixed(game: object) -> None:
    """Refuse games whose profiles are not mixed strategies, as ``require_normal_form``."""
    if not has_mixed_profiles(game):
        _require(game, _NORMAL_FORM)


def has_mixed_profiles(game: object) -> bool:
    """Tell whether a profile of a game is a ``MixedProfile``."""
    if isinstance(game, NormalFormGame | BayesianGame):
        return True
    kind = kind_of_game(game)
    return kind is not None and kind.is_mixed


def require_tree(game: object) -> None:
    """Refuse anything but an extensive-form game, as ``require_normal_form``."""
    _require(game, _TREE)


def require_public_state(game: object) -> None:
    """Refuse anything but a public-state game, as ``require_normal_form``."""
    _require(game, _PUBLIC_STATE)


def require_posg(game: object) -> None:
    """Refuse what is no rules, table or view of a POSG, as ``require_normal_form``."""
    if not is_rules_of_posg(game) and not is_view(game):
        _refuse(game, _POSG)


def require_bayesian(game: object) -> None:
    """Refuse anything but a Bayesian game, as ``require_normal_form``."""
    _require(game, _BAYESIAN)


def require_security(game: object) -> None:
    """Refuse anything but a security game, as ``require_normal_form``."""
    _require(game, _SECURITY)


def is_view(game: object) -> bool:
    """Tell whether something reads the table of a POSG that it holds, as a ``MarkovView`` does."""
    return isinstance(getattr(game, "game", None), TabularPOSG)


def is_rules_of_posg(game: object) -> TypeGuard[POSG]:
    """Tell whether something has what the rules of a POSG have, and nothing of an AEC game's.

    >>> from gametheory_core import load_game
    >>> is_rules_of_posg(load_game("tiger")), is_rules_of_posg(load_game("kuhn_poker"))
    (True, False)
    """
    return (
        hasattr(game, "legal_actions")
        and hasattr(game, "is_terminal")
        and hasattr(game, "transition")
        and not hasattr(game, "next_player")
    )


def is_tree_rules(game: object) -> bool:
    """Tell whether something has what the rules of a tree have, a root and how to continue."""
    return hasattr(game, "root") and hasattr(game, "expand")


def _require(game: object, kind: Kind) -> None:
    if not isinstance(game, kind.games):
        _refuse(game, kind)


def _refuse(game: object, wanted: Kind) -> None:
    needs, found = wanted.words, f"got {shown(game)}"
    remedy = next((told for kind, told in wanted.remedies.items() if isinstance(game, kind)), None)
    if isinstance(game, type):
        pass  # a class has the methods of its games, and is not one
    elif remedy is None and (registered := kind_of_game(game)) is not None:
        remedy = registered.instead.get(wanted.games.__name__, "")
    elif remedy is None and is_tree_rules(game) and wanted.of_tree_rules:
        found, remedy = f"got the rules of a tree, {shown(game)}", f"Use {wanted.of_tree_rules}."
    elif remedy is None and hasattr(game, "legal_actions") and hasattr(game, "is_terminal"):
        found, remedy = f"got the rules {shown(game)}", f"Use {wanted.of_rules}."
    if remedy is not None:
        raise UnsupportedGame(needs=needs, found=found, remedy=remedy)
    raise InvalidArgument(
        needs=with_article(wanted.games.__name__),
        found=f"got {described(game)}",
        remedy="load_game reads one from a file or by name.",
    )
