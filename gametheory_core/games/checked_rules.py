"""Rules whose every answer is checked: what enters the library is a game, or is refused by name.

``checked_posg`` and ``checked_aec`` wrap rules. Each question asked through them is answered by the
game and the answer checked: a law is a ``Distribution`` over hashable outcomes, rewards are one
exact number a player, legal actions a tuple of different ones. So a slip in rules is reported where
it is, with the question and the answer, and floats become the rationals they are before anything is
computed.
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

from gametheory_core.distributions import Distribution, push_forward
from gametheory_core.errors import InvalidGame, UnsupportedGame
from gametheory_core.games.aec import AEC
from gametheory_core.games.posg import POSG, JointAction
from gametheory_core.games.rule_answers import (
    Question,
    checked_actions,
    checked_law,
    checked_movers,
    checked_players,
    checked_rewards,
    checked_signals,
)
from gametheory_core.games.rules import Rules, is_posg
from gametheory_core.games.table_content import check_discount

_COMMON = ("title", "players", "discount", "horizon", "legal_actions", "is_terminal", "reward")
_POSG = (*_COMMON, "initial", "initial_observation", "transition", "observation")
_AEC = (*_COMMON, "initial_state", "observation", "move", "chance", "next_player")


def checked_posg(game: POSG, owner: str) -> POSG:
    """Return the game with its answers checked; ``owner`` names the caller in refusals.

    Raises:
        UnsupportedGame: If it is no POSG.
        InvalidGame: If players, discount or horizon are malformed.
    """
    if isinstance(game, CheckedPOSG):
        return cast("POSG", game)
    _require_members(game, _POSG, f"{owner}: needs a POSG", "aec_to_posg", "next_player")
    checked = CheckedPOSG(game)
    _check_frame(checked, game.horizon, owner)
    return cast("POSG", checked)


def checked_aec(game: AEC, owner: str) -> AEC:
    """Return the game with its answers checked; ``owner`` names the caller in refusals.

    Raises:
        UnsupportedGame: If it is no AEC game.
        InvalidGame: If players, discount, horizon or the initial state are malformed.
    """
    if isinstance(game, CheckedAEC):
        return cast("AEC", game)
    _require_members(game, _AEC, f"{owner}: needs an AEC game", "posg_to_aec", "transition")
    checked = CheckedAEC(game)
    _check_frame(checked, game.horizon, owner)
    _hashable(checked.initial_state, Question("initial_state"))
    return cast("AEC", checked)


def checked_rules(game: Rules, owner: str) -> Rules:
    """Return a POSG or an AEC game with its answers checked.

    Raises:
        UnsupportedGame: If it is neither.
    """
    if hasattr(game, "transition") and is_posg(game):
        return checked_posg(game, owner)
    _require_members(game, _AEC, f"{owner}: needs a POSG or an AEC game", "", "")
    return checked_aec(cast("AEC", game), owner)


def _require_members(
    game: Any, names: tuple[str, ...], needs: str, conversion: str, other: str
) -> None:
    missing = [name for name in names if not hasattr(game, name)]
    if isinstance(game, type):
        raise UnsupportedGame(f"{needs}, but got the class {game.__name__}. Make one: call it.")
    if not missing:
        return
    found = f"{needs}, but got {game!r} (type {type(game).__name__})"
    if hasattr(game, "correspondence") and hasattr(game, "target"):
        raise UnsupportedGame(f"{needs}, but got a Conversion. Give its target.")
    if other and hasattr(game, other):
        raise UnsupportedGame(f"{found}. Carry it over with {conversion}(game).target first.")
    if hasattr(game, "node_infoset"):
        road = _road("extensive_to_aec(game).target", conversion if other == "next_player" else "")
        raise UnsupportedGame(f"{found}. Carry the tree over with {road}.")
    if hasattr(game, "given_payoffs"):
        road = _road("normal_to_posg(game).target", conversion if other == "transition" else "")
        raise UnsupportedGame(f"{found}. Carry it over with {road}.")
    raise UnsupportedGame(f"{found}, which lacks {', '.join(missing)}.")


def _road(first: str, second: str) -> str:
    """Write the whole way over, where it takes a second conversion."""
    return f"{second}({first}).target" if second else first


def _check_frame(game: Any, horizon: Any, owner: str) -> None:
    _ = game.players, game.discount
    if horizon is None:
        return
    if isinstance(horizon, bool) or not isinstance(horizon, int) or horizon < 0:
        raise InvalidGame(
            f"{owner}: needs a horizon that is None or a whole number of at least 0, but the game "
            f"has {horizon!r}."
        )


def _hashable(thing: Any, asked: Question) -> None:
    try:
        hash(thing)
    except TypeError:
        raise InvalidGame(
            f"{asked}: needs hashable labels, but gives {thing!r} (type {type(thing).__name__}). "
            "Use tuples instead of lists, and frozen dataclasses."
        ) from None


def _law(law: Any, asked: Question) -> Distribution[Any]:
    checked = checked_law(law, asked)
    for outcome, _ in checked:
        _hashable(outcome, asked)
    return checked


@dataclass(frozen=True)
class CheckedPOSG:
    """A POSG whose answers are checked."""

    game: POSG

    @property
    def title(self) -> str:
        """For people."""
        return str(self.game.title)

    @property
    def horizon(self) -> int | None:
        """Number of steps after which play stops."""
        return self.game.horizon

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Labels of the players, different."""
        return checked_players(self.game)

    @cached_property
    def discount(self) -> Fraction:
        """The factor on rewards, exact, in [0, 1]."""
        return check_discount(self.game.discount)

    def initial(self) -> Distribution[Any]:
        """Return the law of the first state."""
        return _law(self.game.initial(), Question("initial"))

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint law of what is seen first."""
        asked = Question("initial_observation", (state,))
        law = self.game.initial_observation(state)
        return checked_signals(_law(law, asked), self.players, asked)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        actions = checked_actions(self.game, player, observation)
        _hashable(actions, Question("legal_actions", (player, observation)))
        return actions

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.game.is_terminal(state))

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the law of the next state."""
        asked = Question("transition", (state, joint_action))
        return _law(self.game.transition(state, joint_action), asked)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint law of what is seen after an action."""
        asked = Question("observation", (joint_action, state))
        law = self.game.observation(joint_action, state)
        return checked_signals(_law(law, asked), self.players, asked)

    def reward(
        self, state: Any, joint_action: JointAction, next_state: Any
    ) -> tuple[Fraction, ...]:
        """Return what each player receives, exact."""
        rewards = self.game.reward(state, joint_action, next_state)
        asked = Question("reward", (state, joint_action, next_state))
        return checked_rewards(rewards, self.players, asked)


@dataclass(frozen=True)
class CheckedAEC:
    """An AEC game whose answers are checked."""

    game: AEC

    @property
    def title(self) -> str:
        """For people."""
        return str(self.game.title)

    @property
    def horizon(self) -> int | None:
        """Number of moves after which play stops."""
        return self.game.horizon

    @property
    def initial_state(self) -> Any:
        """The state in which chance makes the first move."""
        return self.game.initial_state

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Labels of the players, different."""
        return checked_players(self.game)

    @cached_property
    def discount(self) -> Fraction:
        """The factor on rewards, exact, in [0, 1]."""
        return check_discount(self.game.discount)

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the law of what the mover sees."""
        return _law(self.game.observation(player, state), Question("observation", (player, state)))

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        actions = checked_actions(self.game, player, observation)
        _hashable(actions, Question("legal_actions", (player, observation)))
        return actions

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.game.is_terminal(state))

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which an action leads."""
        asked = Question("move", (player, state, action))
        after = self.game.move(player, state, action)
        if isinstance(after, Distribution):
            raise InvalidGame(
                f"{asked}: needs one state, but gives a Distribution. Let chance move next and "
                "draw."
            )
        _hashable(after, asked)
        return after

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the law of the next state."""
        return _law(self.game.chance(state), Question("chance", (state,)))

    def reward(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[tuple[Fraction, ...]]:
        """Return the joint law of rewards, exact."""
        asked = Question("reward", (state, mover, action, next_state))
        law = _law(self.game.reward(state, mover, action, next_state), asked)
        return push_forward(law, lambda paid: checked_rewards(paid, self.players, asked))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the law of who moves next."""
        asked = Question("next_player", (state, mover, action, next_state))
        law = self.game.next_player(state, mover, action, next_state)
        return checked_movers(_law(law, asked), self.players, asked)
