"""Policies: behavior keyed by information state, the same key in POSGs, AEC games and trees.

A policy is anything that ``policy[information_state]`` turns into an exact distribution over
actions: a dictionary, or ``policy_from`` a function. A profile is a tuple of policies, one for each
player.

Evaluation asks the same questions often, so rules and policies are *remembered*: asked once.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol, TypeAlias, TypeVar, cast

import numpy as np

from gametheory_core.arguments import described, shown
from gametheory_core.distributions import Distribution, uniform
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games.rules import AEC, POSG, AskedRules, InformationState, last_observation


class Policy(Protocol):
    """Behavior of one player."""

    def __getitem__(self, information_state: InformationState, /) -> Distribution[Any]:
        """Return the distribution of the next action."""
        ...


PolicyProfile: TypeAlias = tuple[Policy, ...]


class PolicyFromFunction:
    """A policy given by a function; each information state is asked once."""

    def __init__(self, function: Callable[[InformationState], Distribution[Any]]) -> None:
        self._function = function
        self._known: dict[InformationState, Distribution[Any]] = {}

    def __getitem__(self, information_state: InformationState, /) -> Distribution[Any]:
        known = self._known.get(information_state)
        if known is None:
            known = self._known[information_state] = self._function(information_state)
        return known


def policy_from(function: Callable[[InformationState], Distribution[Any]]) -> Policy:
    """Make a policy of a function of the information state.

    Args:
        function: Information state -> ``Distribution`` over actions.

    >>> from gametheory_core.distributions import point_mass
    >>> copycat = policy_from(lambda seen: point_mass(seen[-1]))
    >>> copycat["hello",].items
    (('hello', Fraction(1, 1)),)
    """
    return PolicyFromFunction(function)


def reactive(table: Mapping[Any, Distribution[Any]]) -> Policy:
    """Make a policy that looks at the last observation only.

    Args:
        table: Observation -> ``Distribution`` over actions.

    >>> from gametheory_core.distributions import point_mass
    >>> reactive({"red": point_mass("stop")})["green", "go", "red"].items
    (('stop', Fraction(1, 1)),)
    """

    def act(seen: InformationState) -> Distribution[Any]:
        observation = last_observation(seen)
        if observation not in table:
            raise InvalidStrategy(
                needs=f"a distribution after observation {observation!r}",
                found="has none",
                remedy="Add it to the table.",
            )
        return table[observation]

    return PolicyFromFunction(act)


def uniform_policies(game: AskedRules) -> PolicyProfile:
    """Return the profile that plays all legal actions equally often everywhere.

    Raises:
        InvalidArgument: If the game has no rules that policies are of.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> profile = uniform_policies(RepeatedGame.of("matching_pennies"))
    >>> len(profile)
    2
    """
    if not hasattr(game, "legal_actions"):
        raise InvalidArgument(
            needs="a POSG or an AEC game",
            found=f"got {shown(game)}",
            remedy="Give normal_to_posg(game).target of a normal form and "
            "extensive_to_aec(game).target of a tree, or use uniform_profile or uniform_behavior.",
            where="uniform_policies",
        )
    return tuple(_uniform(game, player) for player in range(len(game.players)))


def _uniform(game: AskedRules, player: int) -> Policy:
    return PolicyFromFunction(
        lambda seen: uniform(game.legal_actions(player, last_observation(seen)))
    )


def action_lottery(
    game: AskedRules, player: int, policy: Policy, information_state: InformationState
) -> Distribution[Any]:
    """Return what a policy does at an information state, after checking that it may.

    Raises:
        InvalidStrategy: If the policy says nothing there, or gives weight to an action that is not
            legal.
    """
    label = game.players[player]
    if isinstance(policy, Mapping) and information_state not in policy:
        raise InvalidStrategy(
            needs=f"a distribution at information state {information_state!r}",
            found="has none",
            remedy="Add it to the table.",
            where=f"policy of {label!r}",
        )
    law = policy[information_state]
    if not isinstance(law, Distribution):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidStrategy(
            needs=f"a Distribution at information state {information_state!r}",
            found=f"has {law!r} (type {type(law).__name__})",
            remedy="Use point_mass(...), uniform(...) or distribution(...).",
            where=f"policy of {label!r}",
        )
    legal = game.legal_actions(player, last_observation(information_state))
    for action, _ in law:
        if action not in legal:
            raise InvalidStrategy(
                needs=f"legal actions {legal!r} at information state {information_state!r}",
                found=f"plays {action!r}",
                where=f"policy of {label!r}",
            )
    return law


def check_profile_length(players: tuple[str, ...], profile: PolicyProfile, *, owner: str) -> None:
    """Refuse a profile that has not one policy for each player."""
    given: Any = profile
    if not hasattr(given, "__len__") or any(map(_says_nothing, given)):
        raise InvalidStrategy(
            needs="policies, one a player, that tell what to do at an information state",
            found=f"got {shown(given)}. uniform_policies(game) makes such a profile; "
            "policy_from(function) and tables make a policy",
            where=owner,
        )
    if len(profile) != len(players):
        raise InvalidStrategy(
            needs=f"a policy for each of {len(players)} players",
            found=f"the profile has {len(profile)}",
            where=owner,
        )


def require_policy(policy: object, *, name: str) -> None:
    """Refuse what cannot be asked at an information state, as an option.

    Raises:
        InvalidArgument: Shows what came instead.
    """
    if _says_nothing(policy):
        raise InvalidArgument(
            needs=f"{name} to be a policy, that tells what to do at an information state",
            found=f"got {described(policy)}",
            remedy="Use policy_from(function), or uniform_policies(game).",
        )


def _says_nothing(policy: Any) -> bool:
    """Tell whether something cannot be asked at an information state: a number, or a list."""
    return not hasattr(policy, "__getitem__") or isinstance(policy, Sequence | np.ndarray)


RulesT = TypeVar("RulesT", bound=POSG | AEC)
Lottery = Callable[[int, InformationState], list[tuple[Any, Any]]]

_QUESTIONS = frozenset(
    {
        "chance",
        "initial_observation",
        "is_terminal",
        "legal_actions",
        "move",
        "next_player",
        "observation",
        "reward",
        "transition",
    }
)


class _Remembered:
    """Rules that remember their answers."""

    def __init__(self, game: Any) -> None:
        self._game = game

    def __getattr__(self, name: str) -> Any:
        answer = getattr(self._game, name)
        found = cache(answer) if name in _QUESTIONS else answer
        self.__dict__[name] = found  # so that this is not asked again
        return found


def remembered(game: RulesT) -> RulesT:
    """Return the same rules, remembering the answers for as long as the object lives."""
    return cast("RulesT", _Remembered(game))


def remembered_lotteries(game: POSG | AEC, profile: PolicyProfile) -> Lottery:
    """Return a function that says what a player does at an information state, checked once."""
    check_profile_length(game.players, profile, owner="profile")

    @cache
    def lottery(player: int, known: InformationState) -> list[tuple[Any, Any]]:
        return list(action_lottery(game, player, profile[player], known))

    return lottery
