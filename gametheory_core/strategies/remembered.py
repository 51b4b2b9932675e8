"""Rules and policies asked each question once, because evaluation asks the same ones often."""

from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar, cast

from gametheory_core.games.aec import AEC
from gametheory_core.games.information_states import InformationState
from gametheory_core.games.posg import POSG
from gametheory_core.strategies.policies import (
    PolicyProfile,
    action_lottery,
    check_profile_length,
)

Game = TypeVar("Game", bound=POSG | AEC)
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


def remembered(game: Game) -> Game:
    """Return the same rules, remembering the answers for as long as the object lives.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> game = remembered(RepeatedGame.of("matching_pennies"))
    >>> game.is_terminal(()), game.players == RepeatedGame.of("matching_pennies").players
    (False, True)
    """
    return cast("Game", _Remembered(game))


def remembered_lotteries(game: POSG | AEC, profile: PolicyProfile) -> Lottery:
    """Return a function that says what a player does at an information state, checked once.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.strategies.policies import uniform_policies
    >>> game = RepeatedGame.of("matching_pennies", recall=0)
    >>> lotteries = remembered_lotteries(game, uniform_policies(game))
    >>> len(lotteries(0, (game.initial_observation(()).items[0][0][0],)))
    2
    """
    check_profile_length(game.players, profile, owner="profile")

    @cache
    def lottery(player: int, known: InformationState) -> list[tuple[Any, Any]]:
        return list(action_lottery(game, player, profile[player], known))

    return lottery
