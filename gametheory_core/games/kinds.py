"""What kind of game a function takes: refuse others with the conversion that helps."""

from typing import TypeGuard

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.extensions import kind_of_game
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import POSG
from gametheory_core.games.tables import TabularPOSG


def require_normal_form(game: object) -> None:
    """Refuse anything but a normal-form game.

    Raises:
        UnsupportedGame: If it is another kind of game; names the conversion.
        InvalidArgument: If it is no game.
    """
    if isinstance(game, NormalFormGame):
        return
    if isinstance(game, ExtensiveFormGame):
        raise UnsupportedGame(
            needs="a normal-form game",
            found=f"got a tree, {game!r}",
            remedy="Use extensive_to_normal(game).target.",
        )
    _refuse(
        game,
        "a normal-form game",
        "NormalFormGame",
        {
            BayesianGame: "Use harsanyi_transform(game).target.",
            SecurityGame: "Use security_to_normal(game).",
        },
        "posg_to_extensive(game).target or aec_to_extensive(game).target, and then "
        "extensive_to_normal",
        "lay_out_rules(rules), and then extensive_to_normal",
    )


def require_matrix_or_tree(game: object) -> None:
    """Refuse anything but a normal-form or extensive-form game.

    Raises:
        UnsupportedGame: If it is another kind of game; names the conversion.
        InvalidArgument: If it is no game.
    """
    if not isinstance(game, ExtensiveFormGame):
        require_normal_form(game)


def require_normal_or_bayesian(game: object) -> None:
    """Refuse anything but a normal-form or Bayesian game.

    Raises:
        UnsupportedGame: If it is another kind of game; names the conversion.
        InvalidArgument: If it is no game.
    """
    if not isinstance(game, BayesianGame):
        require_normal_form(game)


def require_tree(game: object) -> None:
    """Refuse anything but an extensive-form game.

    Raises:
        UnsupportedGame: If it is another kind of game; says what helps.
        InvalidArgument: If it is no game.
    """
    if not isinstance(game, ExtensiveFormGame):
        _refuse(
            game,
            "an extensive-form game",
            "ExtensiveFormGame",
            {
                NormalFormGame: "Use the solvers for normal-form games.",
                BayesianGame: "Use bayesian_stackelberg, or harsanyi_transform(game).target.",
                SecurityGame: "Use security_stackelberg, or security_to_normal(game).",
            },
            "posg_to_extensive(game).target or aec_to_extensive(game).target",
            "lay_out_rules(rules)",
        )


def require_posg(game: object) -> None:
    """Refuse anything but the rules or tables of a POSG, or a view of one.

    Raises:
        UnsupportedGame: If it is another kind of game; says what helps.
        InvalidArgument: If it is no game.
    """
    if is_rules_of_posg(game) or is_view(game):
        return
    _refuse(
        game,
        "the rules of a POSG",
        "POSG",
        {
            NormalFormGame: "Use RepeatedGame(game, rounds=...), or normal_to_posg(game).target.",
            ExtensiveFormGame: "Use the solvers for trees.",
            BayesianGame: "Use bayesian_stackelberg.",
            SecurityGame: "Use security_stackelberg.",
        },
        "aec_to_posg(game).target",
    )


def require_bayesian(game: object) -> None:
    """Refuse anything but a Bayesian game.

    Raises:
        UnsupportedGame: If it is another kind of game; says what helps.
        InvalidArgument: If it is no game.
    """
    if not isinstance(game, BayesianGame):
        _refuse(
            game,
            "a Bayesian game",
            "BayesianGame",
            {
                NormalFormGame: "A game without types is for strong_stackelberg; "
                "BayesianGame.from_payoffs builds one with types.",
                ExtensiveFormGame: "BayesianGame.from_payoffs builds one with types.",
                SecurityGame: "Use security_to_bayesian(game), or security_stackelberg.",
            },
            "BayesianGame.from_payoffs, from the payoffs of each type",
        )


def require_security(game: object) -> None:
    """Refuse anything but a security game.

    Raises:
        UnsupportedGame: If it is another kind of game; says what helps.
        InvalidArgument: If it is no game.
    """
    if not isinstance(game, SecurityGame):
        _refuse(
            game,
            "a security game",
            "SecurityGame",
            {
                NormalFormGame: "Use SecurityGame.from_payoffs, or strong_stackelberg for a "
                "normal form.",
                BayesianGame: "Use bayesian_stackelberg.",
                ExtensiveFormGame: "Use SecurityGame.from_payoffs.",
            },
            "SecurityGame.from_payoffs, from the payoffs of each target",
        )


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


def _refuse(
    game: object,
    wanted: str,
    name: str,
    remedies: dict[type, str],
    for_rules: str,
    for_tree_rules: str = "",
) -> None:
    for kind, remedy in remedies.items():
        if isinstance(game, kind):
            raise UnsupportedGame(needs=wanted, found=f"got {shown(game)}", remedy=remedy)
    kind = kind_of_game(game)
    if kind is not None:
        instead = kind.instead.get(name, "")
        raise UnsupportedGame(needs=wanted, found=f"got {shown(game)}", remedy=instead)
    if is_tree_rules(game) and for_tree_rules:
        raise UnsupportedGame(
            needs=wanted,
            found=f"got the rules of a tree, {shown(game)}",
            remedy=f"Use {for_tree_rules}.",
        )
    if hasattr(game, "legal_actions") and hasattr(game, "is_terminal"):
        raise UnsupportedGame(
            needs=wanted, found=f"got the rules {shown(game)}", remedy=f"Use {for_rules}."
        )
    article = "an" if name[0] in "AEIO" else "a"
    raise InvalidArgument(
        needs=f"{article} {name}",
        found=f"got {shown(game)} (type {type(game).__name__})",
        remedy="load_game reads one from a file or by name.",
    )
