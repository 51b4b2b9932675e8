"""Rules whose every answer is checked: what enters the library is a game, or is refused by name.

``checked_posg`` and ``checked_aec`` wrap rules. Each question asked through them is answered by the
game and the answer checked: a distribution is a ``Distribution`` over hashable outcomes, rewards
are one exact number a player, legal actions a tuple of different ones. So a slip in rules is
reported where it is, with the question and the answer, and floats become the rationals they are
before anything is computed.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple, cast

from gametheory_core.arguments import check_labels, described
from gametheory_core.arrays import to_fraction
from gametheory_core.distributions import Distribution, push_forward, require_hashable
from gametheory_core.errors import InvalidGame, UnsupportedGame, refusing_as
from gametheory_core.games.rules import (
    AEC,
    POSG,
    AskedRules,
    JointAction,
    Rules,
    from_inner,
    is_posg,
)
from gametheory_core.games.table_content import check_discount, check_horizon


def checked_players(game: AskedRules) -> tuple[str, ...]:
    """Return the players' labels, different and at least one."""
    players = check_labels(game.players, kind="player", owner="game")
    if not players:
        raise InvalidGame(needs="at least one player", found="has none", where="game")
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
            needs="a Distribution",
            found=f"is {law!r} (type {type(law).__name__})",
            remedy="Use point_mass(...), uniform(...) or distribution(...).",
            where=asked,
        )
    return law


def checked_signals(
    law: object, players: Sequence[str], asked: Question
) -> Distribution[tuple[Any, ...]]:
    """Return a distribution of joint observations, each checked to have one entry per player."""
    checked = checked_law(law, asked)
    for seen, _ in checked:
        if not isinstance(seen, tuple) or len(seen) != len(players):
            raise InvalidGame(
                needs=f"a tuple with an observation for each of {len(players)} players",
                found=f"gives {seen!r}",
                where=asked,
            )
    return checked


def checked_rewards(rewards: Any, players: Sequence[str], asked: Question) -> tuple[Fraction, ...]:
    """Return rewards as rationals, after checking that there is a finite one for each player."""
    if not isinstance(rewards, tuple) or len(rewards) != len(players):
        raise InvalidGame(
            needs=f"a tuple of {len(players)} rewards, one a player",
            found=f"is {rewards!r}",
            where=asked,
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


def checked_actions(game: AskedRules, player: int, observation: Any) -> tuple[Any, ...]:
    """Return legal actions, after checking that they differ and are the same when asked twice."""
    asked = Question("legal_actions", (player, observation))
    actions = game.legal_actions(player, observation)
    if not isinstance(actions, tuple) or not actions:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidGame(
            needs="a tuple of at least one action", found=f"is {actions!r}", where=asked
        )
    if len(set(actions)) != len(actions):
        raise InvalidGame(needs="different actions", found=f"is {actions!r}", where=asked)
    again = game.legal_actions(player, observation)
    if again != actions:
        raise InvalidGame(
            needs="the same answer to the same question",
            found=f"is {actions!r} and then {again!r}",
            remedy="Legal actions depend on the player and their own last observation only.",
            where=asked,
        )
    return actions


def checked_move(first: Any, again: Any, asked: Question) -> Any:
    """Return the state after a player's move, after checking that asking twice gives one answer."""
    if first != again:
        raise InvalidGame(
            needs="the same state each time",
            found=f"gives {first!r} and then {again!r}",
            remedy="Players' moves are deterministic; let chance move next and draw.",
            where=asked,
        )
    return first


def checked_movers(law: object, players: Sequence[str], asked: Question) -> Distribution[int]:
    """Return a distribution of movers, after checking that each is a player or chance."""
    checked = checked_law(law, asked)
    for mover, _ in checked:
        if mover not in range(-1, len(players)):
            raise InvalidGame(
                needs=f"movers in -1 (chance)..{len(players) - 1}",
                found=f"gives {mover!r}",
                where=asked,
            )
    return checked


_COMMON = ("title", "players", "discount", "horizon", "legal_actions", "is_terminal", "reward")
_POSG = (*_COMMON, "initial", "initial_observation", "transition", "observation")
_AEC = (*_COMMON, "initial_state", "observation", "move", "chance", "next_player")


def checked_posg(game: POSG, owner: str) -> POSG:
    """Return the game with its answers checked; ``owner`` names the caller in refusals."""
    if isinstance(game, CheckedPOSG):
        return cast("POSG", game)
    require_posg_members(game, owner)
    checked = CheckedPOSG(game)
    _check_frame(checked, game.horizon, owner)
    return cast("POSG", checked)


def checked_aec(game: AEC, owner: str) -> AEC:
    """Return the game with its answers checked; ``owner`` names the caller in refusals."""
    if isinstance(game, CheckedAEC):
        return cast("AEC", game)
    require_aec_members(game, owner)
    checked = CheckedAEC(game)
    _check_frame(checked, game.horizon, owner)
    require_hashable(checked.initial_state, Question("initial_state"))
    return cast("AEC", checked)


def checked_rules(game: Rules, owner: str) -> Rules:
    """Return a POSG or an AEC game with its answers checked."""
    if hasattr(game, "transition") and is_posg(game):
        return checked_posg(game, owner)
    _require_members(game, _AEC, owner, "a POSG or an AEC game")
    return checked_aec(cast("AEC", game), owner)


def require_posg_members(game: object, owner: str, *, of_aecs: str = "") -> None:
    """Refuse what does not have all that rules of a POSG have, such as a class of games.

    Args:
        of_aecs: What does the same for AEC games.
    """
    _require_members(game, _POSG, owner, "a POSG", "aec_to_posg", "next_player", of_aecs)


def require_aec_members(game: object, owner: str, *, of_posgs: str = "") -> None:
    """Refuse what does not have all that rules of an AEC game have; ``of_posgs`` takes POSGs."""
    _require_members(game, _AEC, owner, "an AEC game", "posg_to_aec", "transition", of_posgs)


def _require_members(
    game: Any,
    names: tuple[str, ...],
    owner: str,
    needs: str,
    conversion: str = "",
    other: str = "",
    of_others: str = "",
) -> None:
    missing = [name for name in names if not hasattr(game, name)]
    found, remedy = f"got {described(game)}", ""
    if isinstance(game, type):
        remedy = "Make one: call it."
    elif not missing:
        return
    elif hasattr(game, "correspondence") and hasattr(game, "target"):
        found, remedy = "got a Conversion", "Give its target."
    elif other and hasattr(game, other):
        instead = f"Use {of_others}, or carry" if of_others else "Carry"
        remedy = f"{instead} it over with {conversion}(game).target first."
    elif hasattr(game, "node_infoset"):
        road = _road("extensive_to_aec(game).target", conversion if other == "next_player" else "")
        remedy = f"Carry the tree over with {road}."
    elif hasattr(game, "given_payoffs"):
        road = _road("normal_to_posg(game).target", conversion if other == "transition" else "")
        remedy = f"Carry it over with {road}."
    else:
        found = f"{found}, which lacks {', '.join(missing)}"
        remedy = "Give what answers these; load_game reads a game from a file or by name."
    raise UnsupportedGame(needs=needs, found=found, remedy=remedy, where=owner)


def _road(first: str, second: str) -> str:
    """Write the whole way over, where it takes a second conversion."""
    return f"{second}({first}).target" if second else first


def _check_frame(game: Any, horizon: Any, owner: str) -> None:
    _ = game.players, game.discount
    with refusing_as(owner):
        check_horizon(horizon)


def _law(law: Any, asked: Question) -> Distribution[Any]:
    checked = checked_law(law, asked)
    for outcome, _ in checked:
        require_hashable(outcome, asked)
    return checked


@dataclass(frozen=True)
class _Checked:
    """What rules of both kinds answer alike."""

    game: Any

    @property
    def title(self) -> str:
        """For people."""
        return str(self.game.title)

    @property
    def horizon(self) -> int | None:
        """Number of steps, or moves, after which play stops."""
        return self.game.horizon

    @cached_property
    def players(self) -> tuple[str, ...]:
        """Labels of the players, different."""
        return checked_players(self.game)

    @cached_property
    def discount(self) -> Fraction:
        """The factor on rewards, exact, in [0, 1]."""
        return check_discount(self.game.discount)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return what a player may do."""
        actions = checked_actions(self.game, player, observation)
        require_hashable(actions, Question("legal_actions", (player, observation)))
        return actions

    def is_terminal(self, state: Any) -> bool:
        """Tell whether play has ended."""
        return bool(self.game.is_terminal(state))


class CheckedPOSG(_Checked):
    """A POSG whose answers are checked."""

    def initial(self) -> Distribution[Any]:
        """Return the distribution of the first state."""
        return _law(self.game.initial(), Question("initial"))

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of what is seen first."""
        asked = Question("initial_observation", (state,))
        law = self.game.initial_observation(state)
        return checked_signals(_law(law, asked), self.players, asked)

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """Return the distribution of the next state."""
        asked = Question("transition", (state, joint_action))
        return _law(self.game.transition(state, joint_action), asked)

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Return the joint distribution of what is seen after an action."""
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


class CheckedAEC(_Checked):
    """An AEC game whose answers are checked."""

    initial_state = from_inner("initial_state")

    def observation(self, player: int, state: Any) -> Distribution[Any]:
        """Return the distribution of what the mover sees."""
        return _law(self.game.observation(player, state), Question("observation", (player, state)))

    def move(self, player: int, state: Any, action: Any) -> Any:
        """Return the one state to which an action leads."""
        asked = Question("move", (player, state, action))
        after = self.game.move(player, state, action)
        if isinstance(after, Distribution):
            raise InvalidGame(
                needs="one state",
                found="gives a Distribution",
                remedy="Let chance move next and draw.",
                where=asked,
            )
        require_hashable(after, asked)
        return after

    def chance(self, state: Any) -> Distribution[Any]:
        """Return the distribution of the next state."""
        return _law(self.game.chance(state), Question("chance", (state,)))

    def reward(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[tuple[Fraction, ...]]:
        """Return the joint distribution of rewards, exact."""
        asked = Question("reward", (state, mover, action, next_state))
        law = _law(self.game.reward(state, mover, action, next_state), asked)
        return push_forward(law, lambda paid: checked_rewards(paid, self.players, asked))

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: Any
    ) -> Distribution[int]:
        """Return the distribution of who moves next."""
        asked = Question("next_player", (state, mover, action, next_state))
        law = self.game.next_player(state, mover, action, next_state)
        return checked_movers(_law(law, asked), self.players, asked)
