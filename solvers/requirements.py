"""What solvers require of a game: each requirement decides with a witness, and knows a way out."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, cast

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
from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.errors import (
    InvalidArgument,
    InvalidStrategy,
    UnsupportedGame,
    refusing_function,
)
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import (
    is_rules_of_posg,
    is_tree_rules,
    is_view,
    require_bayesian,
    require_normal_form,
    require_posg,
    require_security,
    require_tree,
)
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    HOLDS,
    Verdict,
    has_perfect_information,
    has_perfect_recall,
    is_absent_minded,
    is_constant_sum,
)
from gametheory_core.games.rule_properties import has_zero_sum_rewards, is_fully_observed
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.strategies.mixed import MixedGame, MixedProfile, check_mixed_profile

__all__ = [
    "a_bayesian_game",
    "a_horizon",
    "a_normal_form",
    "a_posg",
    "a_security_game",
    "a_tree",
    "as_tuple",
    "constant_sum",
    "few_plans",
    "many_players",
    "no_chance",
    "no_horizon",
    "one_player",
    "one_type_of_attacker",
    "perfect_information",
    "perfect_recall",
    "require_generator",
    "require_instance",
    "require_integer",
    "require_member",
    "require_number",
    "require_player",
    "require_profile",
    "require_tolerance",
    "rewards_sum_to_zero",
    "seen_state",
    "several_players",
    "shown",
    "two_players",
]


@dataclass(frozen=True, eq=False)
class Kind:
    """A kind of game that a solver takes.

    Attributes:
        needs: Its name: "a normal form".
        holds: Whether something is of this kind.
        refuse: Refuses everything else, with the conversion that helps. Default: plainly.
        remedy: How other games become one of this kind, in a sentence.
        prepared: What is solved: ``solve`` answers about tables, where it is asked about rules.
    """

    needs: str
    holds: Callable[[Any], bool]
    refuse: Callable[..., None] | None = None
    prepared: Callable[[Any], Any] = lambda game: game
    remedy: str = ""

    def require(self, game: object) -> None:
        """Refuse what is of another kind.

        Raises:
            UnsupportedGame: If it is another kind of game; names the conversion.
            InvalidArgument: If it is no game.
        """
        if self.refuse is not None:
            self.refuse(game)
        if not self.holds(game):
            kind = UnsupportedGame if hasattr(game, "players") else InvalidArgument
            found = f"got {shown(game)} (type {type(game).__name__})"
            raise kind(needs=self.needs, found=found, remedy=self.remedy)


@dataclass(frozen=True, eq=False)
class Requirement:
    """What games of one kind must have.

    Attributes:
        needs: In words: "two players".
        test: Whether a game has it; if not, the reason says what it has instead, and the witness
            shows it.
        remedy: What to do about a game, where no other solver takes it.
        chooses: Whether games without it were never meant: they are for another solver.
    """

    needs: str
    test: Callable[[Any], Verdict]
    remedy: Callable[[Any], str] = lambda _game: ""
    chooses: bool = False


def _a_posg(game: object) -> bool:
    return is_rules_of_posg(game) or is_view(game)


def _in_tables(game: Any) -> TabularPOSG:
    rules = game.game if is_view(game) else game
    return rules if isinstance(rules, TabularPOSG) else posg_to_tabular(rules).target


def _is_tree_or_rules(game: object) -> bool:
    return isinstance(game, ExtensiveFormGame) or (is_tree_rules(game) and hasattr(game, "players"))


a_normal_form = Kind("a normal form", lambda g: isinstance(g, NormalFormGame), require_normal_form)
a_tree = Kind("a tree", lambda g: isinstance(g, ExtensiveFormGame), require_tree)
a_bayesian_game = Kind("a Bayesian game", lambda g: isinstance(g, BayesianGame), require_bayesian)
a_security_game = Kind("a security game", lambda g: isinstance(g, SecurityGame), require_security)
a_posg = Kind("the rules of a POSG", _a_posg, require_posg, _in_tables)
a_tree_or_its_rules = Kind("a tree, or the rules of one", _is_tree_or_rules)


def _players(fits: Callable[[int], bool]) -> Callable[[Any], Verdict]:
    def test(game: Any) -> Verdict:
        count = game.num_players
        if fits(count):
            return HOLDS
        names = ", ".join(map(repr, game.players))
        return Verdict(False, f"{game!r} has {count}: {names}", tuple(range(count)))

    return test


def _without_memory(game: Any) -> str:
    """Say what takes a tree with a player who forgets; "" if nobody does."""
    if not isinstance(game, ExtensiveFormGame) or has_perfect_recall(game):
        return ""
    judged = "expected_payoffs and one_shot_deviations judge a given profile."
    if is_absent_minded(game):
        return f"No solver takes players who forget that they have moved; {judged}"
    if too_many_plans(game):
        return f"No solver takes so large a tree with players who forget; {judged}"
    return (
        "Forgetful players are no obstacle in the normal form: extensive_to_normal(game).target, "
        "or gametheory convert GAME game.nfg."
    )


two_players = Requirement("two players", _players(lambda n: n == 2), _without_memory)
one_player = Requirement("one player", _players(lambda n: n == 1), chooses=True)
several_players = Requirement("at least two players", _players(lambda n: n > 1))
many_players = Requirement("at least three players", _players(lambda n: n > 2), chooses=True)
constant_sum = Requirement("a zero-sum (or constant-sum) game", is_constant_sum, _without_memory)
perfect_recall = Requirement("perfect recall", has_perfect_recall, _without_memory)
perfect_information = Requirement("perfect information", has_perfect_information, _without_memory)


def _no_chance(game: ExtensiveFormGame) -> Verdict:
    if len(game.infosets) == game.num_decision_infosets:
        return HOLDS
    return Verdict(False, f"{game!r} has chance moves")


def _few_plans(game: ExtensiveFormGame) -> Verdict:
    lack = too_many_plans(game)
    return Verdict(not lack, lack.partition(", but ")[2])


no_chance = Requirement("a tree without chance", _no_chance)
few_plans = Requirement("few joint plans", _few_plans)


def _one_type(game: SecurityGame) -> Verdict:
    return Verdict(game.num_types == 1, f"{game!r} has {game.num_types}")


one_type_of_attacker = Requirement(
    "one type of attacker",
    _one_type,
    lambda _game: "If it is small, use bayesian_stackelberg(security_to_bayesian(game)).",
)


def _has_horizon(game: TabularPOSG) -> Verdict:
    return Verdict(game.horizon is not None, f"{game!r} has none")


def _has_no_horizon(game: TabularPOSG) -> Verdict:
    return Verdict(game.horizon is None, f"{game!r} has {game.horizon} steps")


a_horizon = Requirement(
    "a horizon",
    _has_horizon,
    lambda _game: (
        "stop_posg(game, steps=...) gives one, and so does "
        "gametheory convert GAME FILE.json --horizon N."
    ),
)
no_horizon = Requirement(
    "no horizon",
    _has_no_horizon,
    lambda _game: "Its tree has a value too (gametheory convert GAME FILE.efg).",
)
seen_state = Requirement("players who see the state", is_fully_observed)
rewards_sum_to_zero = Requirement("rewards that sum to 0", has_zero_sum_rewards)


def require_tolerance(
    tolerance: object,
    *,
    name: str = "tolerance",
    is_optional: bool = True,
    remedy: str = "Leave it out for an exact solution.",
) -> None:
    """Refuse a tolerance that promises nothing: not positive, not finite, or no number.

    Raises:
        InvalidArgument: Names the way out.
    """
    if tolerance is None and is_optional:
        return
    if not is_finite_number(tolerance) or not cast("float", tolerance) > 0:
        raise InvalidArgument(
            needs=f"a finite {name} above 0", found=f"got {shown(tolerance)}", remedy=remedy
        )


def require_player(player: object, game: Any, *, name: str = "player") -> None:
    """Refuse anything but the number of a player, from 0.

    Raises:
        InvalidArgument: Names the range.
    """
    require_integer(player, name=name, low=0, high=game.num_players - 1)


def require_generator(rng: object) -> None:
    """Refuse a source of chance that is no generator of numpy.

    Raises:
        InvalidArgument: Says how to make one.
    """
    if not isinstance(rng, np.random.Generator):
        raise InvalidArgument(
            needs="rng to be a numpy Generator",
            found=f"got {shown(rng)}",
            remedy="Give numpy.random.default_rng(seed).",
        )


def require_profile(profile: object, game: MixedGame, *, name: str) -> None:
    """Refuse a first profile that is none, or does not fit the game; None is no profile.

    Raises:
        InvalidArgument: If it is no ``MixedProfile``.
        InvalidStrategy: If it does not fit the game.
    """
    if profile is None:
        return
    remedy = "Give MixedProfile(strategies), uniform_profile(game) or pure_profile(game, actions)."
    require_instance(profile, MixedProfile, name=name, remedy=remedy)
    try:
        check_mixed_profile(game, cast("MixedProfile", profile))
    except InvalidStrategy as error:
        raise error.changed(where=f"{refusing_function()}: {name}") from None
