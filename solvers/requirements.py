"""What algorithms require of a game: each refusal has a witness and a way out.

``missing_...`` says what a game lacks, or "" if it has it; ``require_...`` raises with the same
words.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import cast

import numpy as np

from gametheory_core.arguments import (
    as_tuple,
    is_finite_number,
    require_instance,
    require_integer,
    require_member,
    require_number,
    shown,
)
from gametheory_core.conversions.extensive_normal import too_many_plans
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import (
    require_bayesian,
    require_normal_form,
    require_security,
    require_tree,
)
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
)
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

__all__ = [
    "as_tuple",
    "missing_constant_sum",
    "missing_perfect_information",
    "missing_perfect_recall",
    "missing_two_players",
    "require_bayesian",
    "require_constant_sum",
    "require_generator",
    "require_instance",
    "require_integer",
    "require_member",
    "require_normal_form",
    "require_number",
    "require_perfect_information",
    "require_perfect_recall",
    "require_player",
    "require_profile",
    "require_security",
    "require_tolerance",
    "require_tree",
    "require_two_players",
    "shown",
]

Game = NormalFormGame | ExtensiveFormGame

_MANY = "Try logit_homotopy, which takes any number of players."
_ALL = "Try polynomial_support_enumeration, which takes any number of players."
_LEADING = "Try pure_followers_stackelberg or correlated_commitment, which take several followers."
_NO_VALUE = (
    "Games of three players have no value, even zero-sum; try logit_homotopy or "
    "coarse_correlated_equilibrium."
)
_WITH_MORE_PLAYERS: Mapping[str, str] = MappingProxyType(
    {
        "lemke_howson": _MANY,
        "support_enumeration": _ALL,
        "vertex_enumeration": _ALL,
        "nash_components": _ALL,
        "mixed_integer": _ALL,
        "strong_stackelberg": _LEADING,
        "weak_stackelberg": _LEADING,
        "minimax": _NO_VALUE,
        "max_entropy": _NO_VALUE,
    }
)

_NORMAL = "extensive_to_normal(game).target"
_JUDGED = "expected_payoffs and one_shot_deviations judge a given profile."
_LEARNED = (
    "Try counterfactual_regret, which takes any number of players and certifies a coarse "
    "correlated equilibrium."
)
_LEADING_TREES = f"Try pure_followers_stackelberg or correlated_commitment on {_NORMAL}."
_TREES_OF_MORE_PLAYERS: Mapping[str, str] = MappingProxyType(
    {
        "extensive_stackelberg": _LEADING_TREES,
        "extensive_correlated_commitment": _LEADING_TREES,
        "perfect_information_commitment": _LEADING_TREES,
        "sequence_form_lcp": "Try subgame_perfect, which takes any number of players, or "
        f"logit_homotopy on {_NORMAL}.",
        "sequence_form_lp": "Games of three players have no value, even zero-sum; try "
        f"logit_homotopy or coarse_correlated_equilibrium on {_NORMAL}.",
    }
)
_REFINEMENTS = ("quasi_perfect", "sequential_equilibrium")


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


def require_two_players(game: Game, *, function: str) -> None:
    """Refuse games of one player, or of three and more."""
    missing = missing_two_players(game)
    if not missing:
        return
    if isinstance(game, ExtensiveFormGame):
        remedy = _with_other_players(game, function)
    elif game.num_players > 2:
        remedy = _WITH_MORE_PLAYERS.get(function, _MANY)
    else:
        remedy = "Try pure, which takes any number of players."
    _refuse(missing, function, remedy)


def require_constant_sum(game: Game, *, function: str) -> None:
    """Refuse games whose payoffs do not sum to a constant."""
    missing = missing_constant_sum(game)
    if not missing:
        return
    remedy = "Try lemke_howson or vertex_enumeration, which take general-sum games."
    if isinstance(game, ExtensiveFormGame):
        other = "subgame_perfect" if function in _REFINEMENTS else "sequence_form_lcp"
        remedy = _forgetting(game) or f"Try {other}, which takes general-sum trees."
    _refuse(missing, function, remedy)


def require_perfect_recall(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player forgets."""
    missing = missing_perfect_recall(game)
    if missing:
        _refuse(missing, function, _forgetting(game))


def require_perfect_information(game: ExtensiveFormGame, *, function: str) -> None:
    """Refuse trees in which a player cannot tell two nodes apart."""
    missing = missing_perfect_information(game)
    if not missing:
        return
    remedy = _forgetting(game) or "Try subgame_perfect, which takes hidden moves."
    if game.num_players > 2 and not _forgetting(game) and too_many_plans(game):
        remedy = _LEARNED
    _refuse(missing, function, remedy)


def _with_other_players(game: ExtensiveFormGame, function: str) -> str:
    """Say what takes a tree that has not two players."""
    forgetting = _forgetting(game)
    if forgetting:
        return forgetting
    if game.num_players > 2 and not too_many_plans(game) and function in _TREES_OF_MORE_PLAYERS:
        return _TREES_OF_MORE_PLAYERS[function]
    if game.num_players > 2 and too_many_plans(game) and not has_perfect_information(game):
        return _LEARNED
    return "Try subgame_perfect, which takes any number of players."


def _forgetting(game: ExtensiveFormGame) -> str:
    """Say what takes a tree with a player who forgets; "" if nobody does."""
    if has_perfect_recall(game):
        return ""
    if is_absent_minded(game):
        return f"No solver takes players who forget that they have moved; {_JUDGED}"
    if too_many_plans(game):
        return f"No solver takes so large a tree with players who forget; {_JUDGED}"
    return f"Solve {_NORMAL} instead."


def _refuse(missing: str, function: str, remedy: str) -> None:
    if missing:
        raise UnsupportedGame(f"{function}: needs {missing}. {remedy}")


def require_tolerance(
    tolerance: object,
    *,
    function: str,
    name: str = "tolerance",
    is_optional: bool = True,
    unit: str = "in payoff units",
    remedy: str = "Leave it out for an exact solution.",
) -> None:
    """Refuse a tolerance that promises nothing: not positive, not finite, or no number.

    Raises:
        InvalidArgument: Names the unit and the way out.
    """
    if tolerance is None and is_optional:
        return
    if not is_finite_number(tolerance) or not cast("float", tolerance) > 0:
        raise InvalidArgument(
            f"{function}: needs a finite {name} above 0, {unit}, but got {shown(tolerance)}. "
            f"{remedy}"
        )


def require_player(player: object, game: Game, *, function: str, name: str = "player") -> None:
    """Refuse anything but the number of a player, from 0.

    Raises:
        InvalidArgument: Names the range.
    """
    require_integer(player, function=function, name=name, low=0, high=game.num_players - 1)


def require_generator(rng: object, *, function: str) -> None:
    """Refuse a source of chance that is no generator of numpy; None is none.

    Raises:
        InvalidArgument: Says how to make one.
    """
    if rng is not None and not isinstance(rng, np.random.Generator):
        raise InvalidArgument(
            f"{function}: needs rng to be a numpy Generator, but got {shown(rng)}. "
            "Give numpy.random.default_rng(seed)."
        )


def require_profile(profile: object, game: NormalFormGame, *, function: str, name: str) -> None:
    """Refuse a first profile that is none, or does not fit the game; None is no profile.

    Raises:
        InvalidArgument: If it is no ``MixedProfile``.
        InvalidStrategy: If it does not fit the game.
    """
    if profile is None:
        return
    remedy = "Give MixedProfile(strategies), uniform_profile(game) or pure_profile(game, actions)."
    require_instance(profile, MixedProfile, function=function, name=name, remedy=remedy)
    try:
        check_mixed_profile(game, cast("MixedProfile", profile))
    except InvalidStrategy as error:
        raise InvalidStrategy(f"{function}: {name}: {error}") from None
