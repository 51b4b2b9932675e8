"""What is found out about a game once and kept with it: games are frozen, answers must be."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

Game = TypeVar("Game")
Options = ParamSpec("Options")
Answer = TypeVar("Answer")


def kept_with_game(
    find: Callable[Concatenate[Game, Options], Answer],
) -> Callable[Concatenate[Game, Options], Answer]:
    """Keep what a function finds out about a game as long as the game is there."""

    @wraps(find)
    def answer(game: Game, *args: Options.args, **options: Options.kwargs) -> Answer:
        own: Any = getattr(game, "__dict__", None)
        if type(own) is not dict:  # no game, as the function says itself
            return find(game, *args, **options)
        known: dict[object, Answer] = own.setdefault("_kept", {})
        question = (find.__module__, find.__qualname__, args, *options.items())
        if question not in known:
            known[question] = find(game, *args, **options)
        return known[question]

    return answer
