"""What rules must answer: each check names the question asked and the answer that is wrong."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, Protocol

from gametheory_core.arrays import to_fraction
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame
from gametheory_core.labels import check_labels


class _Rules(Protocol):
    @property
    def players(self) -> tuple[str, ...]: ...

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]: ...


def checked_players(game: _Rules) -> tuple[str, ...]:
    """Return the players' labels, different and at least one."""
    players = check_labels(game.players, kind="player", owner="game")
    if not players:
        raise InvalidGame("game: needs at least one player, but has none.")
    return players


class Question(NamedTuple):
    """What rules were asked, written out only if the answer is wrong."""

    name: str
    arguments: tuple[Any, ...] = ()

    def __str__(self) -> str:
        return f"{self.name}({', '.join(map(repr, self.arguments))})"


def checked_law(law: object, asked: Question) -> Distribution[Any]:
    """Return a distribution, after checking that it is one over hashable outcomes."""
    if not isinstance(law, Distribution):
        raise InvalidGame(
            f"{asked}: needs a Distribution, but is {law!r} (type {type(law).__name__}). "
            "Use point_mass(...), uniform(...) or distribution(...)."
        )
    return law


def checked_signals(
    law: object, players: Sequence[str], asked: Question
) -> Distribution[tuple[Any, ...]]:
    """Return a law of joint observations, after checking that each has one entry a player."""
    checked = checked_law(law, asked)
    for seen, _ in checked:
        if not isinstance(seen, tuple) or len(seen) != len(players):
            raise InvalidGame(
                f"{asked}: needs a tuple with an observation for each of {len(players)} players, "
                f"but gives {seen!r}."
            )
    return checked


def checked_rewards(rewards: Any, players: Sequence[str], asked: Question) -> tuple[Fraction, ...]:
    """Return rewards as rationals, after checking that there is a finite one for each player."""
    if not isinstance(rewards, tuple) or len(rewards) != len(players):
        raise InvalidGame(
            f"{asked}: needs a tuple of {len(players)} rewards, one a player, but is {rewards!r}."
        )
    if all(type(r) is Fraction for r in rewards):
        return rewards
    exact: list[Fraction] = []
    for r, label in zip(rewards, players, strict=True):
        simple = type(r) is int or type(r) is Fraction
        exact.append(
            Fraction(r) if simple else to_fraction(r, where=f"{asked}: reward of {label!r}")
        )
    return tuple(exact)


def checked_actions(game: _Rules, player: int, observation: Any) -> tuple[Any, ...]:
    """Return legal actions, after checking that they differ and are the same when asked twice."""
    asked = Question("legal_actions", (player, observation))
    actions = game.legal_actions(player, observation)
    if not isinstance(actions, tuple) or not actions:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidGame(f"{asked}: needs a tuple of at least one action, but is {actions!r}.")
    if len(set(actions)) != len(actions):
        raise InvalidGame(f"{asked}: needs different actions, but is {actions!r}.")
    again = game.legal_actions(player, observation)
    if again != actions:
        raise InvalidGame(
            f"{asked}: needs the same answer to the same question, but is {actions!r} and then "
            f"{again!r}. Legal actions depend on the player and the own last observation only."
        )
    return actions


def checked_move(first: Any, again: Any, asked: Question) -> Any:
    """Return the state after a player's move, after checking that asking twice gives one answer."""
    if isinstance(first, Distribution):
        raise InvalidGame(
            f"{asked}: needs one state, but gives a Distribution. Let chance move next and draw."
        )
    if first != again:
        raise InvalidGame(
            f"{asked}: needs the same state each time, but gives {first!r} and then {again!r}. "
            "Players' moves are deterministic; let chance move next and draw."
        )
    return first


def checked_movers(law: object, players: Sequence[str], asked: Question) -> Distribution[int]:
    """Return a law of movers, after checking that each is a player or chance."""
    checked = checked_law(law, asked)
    for mover, _ in checked:
        if mover not in range(-1, len(players)):
            raise InvalidGame(
                f"{asked}: needs movers in -1 (chance)..{len(players) - 1}, but gives {mover!r}."
            )
    return checked
