"""Play any POSG, AEC game or tree by labels, drawn exactly by its distributions.

A game being played: what its players see and may do now, and what the last step paid.
"""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Protocol, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.conversions.static_games import extensive_to_aec
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.checked_rules import checked_aec, checked_posg
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.rules import (
    AEC,
    NULL,
    POSG,
    InformationState,
    is_posg,
    stop_aec,
    stop_posg,
)
from gametheory_core.games.tree_table import CHANCE
from learners.batch import Snapshot
from learners.snapshots import require_fitting
from learners.streams import generator_state, restore_generator


@dataclass(frozen=True)
class Turn:
    """One moment of a play.

    Attributes:
        movers: Who is to act: all players of a POSG, one where they take turns, nobody after the
            end.
        information_states: What each player has seen and done; empty before the first observation.
        legal_actions: What each mover may do; empty for the others.
        rewards: What was paid since the last turn, exact.
        is_terminal, is_truncated: Whether play is over: by the rules, or by the horizon.
    """

    movers: tuple[int, ...]
    information_states: tuple[InformationState, ...]
    legal_actions: tuple[tuple[Any, ...], ...]
    rewards: tuple[Fraction, ...]
    is_terminal: bool
    is_truncated: bool

    @property
    def is_over(self) -> bool:
        """Whether play has ended, one way or the other."""
        return self.is_terminal or self.is_truncated


class Environment(Protocol):
    """One play of a game at a time, by labels."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        ...

    @property
    def discount(self) -> Fraction:
        """Factor on rewards for each step."""
        ...

    @property
    def horizon(self) -> int | None:
        """Steps after which play is cut; None if only the rules end it."""
        ...

    def reset(self) -> Turn:
        """Begin a play."""
        ...

    def step(self, actions: Mapping[int, Any]) -> Turn:
        """Let the movers act, each as ``actions`` says."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here, as plain data."""
        ...

    def restore(self, snapshot: Snapshot) -> Turn | None:
        """Go back to a snapshot; return the turn that was there, None if no play had begun."""
        ...


Playable: TypeAlias = POSG | AEC | ExtensiveFormGame

_OWNER = "environment_of"


def environment_of(
    game: Playable, *, rng: np.random.Generator, horizon: int | None = None
) -> "GameEnvironment":
    """Play a game, one play at a time, by labels and in exact numbers.

    Args:
        game: Trees need perfect recall. Nothing is tabulated, so the game may be of any size.
        rng: Draws everything; moves on. Give each environment one of its own: going back to a
            snapshot plays again from where it stood when the play began.
        horizon: Cut play after so many steps (of AEC games and trees: moves, chance's counted), if
            the game does not end it earlier.

    Returns:
        Satisfies ``Environment``.

    Raises:
        InvalidArgument: If it is no game that can be played, or an option makes no sense.

    Every play has exactly the probability that the rules give it: draws are made with integers. In
    AEC games and trees chance moves by itself; what it pays is part of the step before, and before
    the first turn part of what ``reset`` returns. Rewards of AEC games are paid discounted, since
    they discount by cycles of moves, and ``discount`` is 1.

    >>> from gametheory_core import load_game
    >>> play = environment_of(load_game("kuhn_poker"), rng=np.random.default_rng(1))
    >>> turn = play.reset()
    >>> turn.movers, turn.legal_actions[0]
    ((0,), ('check', 'bet'))
    >>> play.step({0: "bet"}).movers
    (1,)
    """
    require_instance(rng, np.random.Generator, name="rng")
    if horizon is not None:
        require_integer(horizon, name="horizon", low=0)
    if isinstance(game, ExtensiveFormGame):
        walk = extensive_to_aec(game).target
        return GameEnvironment(_AecDynamics(_stopped_aec(walk, horizon)), rng)
    if not hasattr(game, "transition") and not hasattr(game, "next_player"):
        raise InvalidArgument(
            needs="a POSG, an AEC game or a tree",
            found=f"got {shown(game)} (type {type(game).__name__})",
            remedy="RepeatedGame(game, rounds=...) plays a normal form.",
        )
    if is_posg(game):
        stopped = game if horizon is None else stop_posg(game, steps=horizon)
        return GameEnvironment(_PosgDynamics(checked_posg(stopped, _OWNER)), rng)
    return GameEnvironment(_AecDynamics(_stopped_aec(cast("AEC", game), horizon)), rng)


def _stopped_aec(game: AEC, horizon: int | None) -> AEC:
    return checked_aec(game if horizon is None else stop_aec(game, moves=horizon), _OWNER)


@dataclass(frozen=True)
class _Position:
    """Where a play stands: the true state, and all that the rules need to go on."""

    state: Any
    movers: tuple[int, ...]
    known: tuple[InformationState, ...]
    rewards: tuple[Fraction, ...]
    moves: int = 0
    chances: int = -1  # completed moves of chance, the first not counted
    is_terminal: bool = False


class _PosgDynamics:
    """How a POSG goes on: all act, the state is drawn, all observe."""

    def __init__(self, game: POSG) -> None:
        self.game = game
        self.discount = game.discount
        self._everybody = tuple(range(len(game.players)))

    def begin(self, rng: np.random.Generator) -> _Position:
        state = draw(self.game.initial(), rng)
        zeros = (ZERO,) * len(self._everybody)
        if self.game.is_terminal(state):
            return _Position(state, (), ((),) * len(zeros), zeros, is_terminal=True)
        seen = draw(self.game.initial_observation(state), rng)
        return _Position(state, self._everybody, tuple((o,) for o in seen), zeros)

    def go_on(
        self, now: _Position, actions: Mapping[int, Any], rng: np.random.Generator
    ) -> _Position:
        joint = tuple(actions[i] for i in self._everybody)
        state = draw(self.game.transition(now.state, joint), rng)
        rewards = tuple(map(Fraction, self.game.reward(now.state, joint, state)))
        if self.game.is_terminal(state):
            return _Position(state, (), now.known, rewards, now.moves + 1, is_terminal=True)
        seen = draw(self.game.observation(joint, state), rng)
        known = tuple((*p, a, o) for p, a, o in zip(now.known, joint, seen, strict=True))
        return _Position(state, self._everybody, known, rewards, now.moves + 1)


class _AecDynamics:
    """How an AEC game goes on: the mover acts, then chance until the next player's turn."""

    def __init__(self, game: AEC) -> None:
        self.game = game
        self.discount = ONE

    def begin(self, rng: np.random.Generator) -> _Position:
        nothing = ((),) * len(self.game.players)
        state, zeros = self.game.initial_state, (ZERO,) * len(nothing)
        if self.game.is_terminal(state):
            return _Position(state, (), nothing, zeros, is_terminal=True)
        return self._until_turn(_Position(state, (CHANCE,), nothing, zeros), rng)

    def go_on(
        self, now: _Position, actions: Mapping[int, Any], rng: np.random.Generator
    ) -> _Position:
        mover = now.movers[0]
        action = actions[mover]
        known = tuple((*p, action) if i == mover else p for i, p in enumerate(now.known))
        fresh = replace(now, known=known, rewards=(ZERO,) * len(now.known))
        moved = self._moved(fresh, mover, action, self.game.move(mover, now.state, action), rng)
        return self._until_turn(moved, rng)

    def _until_turn(self, now: _Position, rng: np.random.Generator) -> _Position:
        while now.movers == (CHANCE,) and now.moves != self.game.horizon:
            now = self._moved(now, CHANCE, NULL, draw(self.game.chance(now.state), rng), rng)
        if now.is_terminal or now.moves == self.game.horizon:
            return now
        mover = now.movers[0]
        seen = draw(self.game.observation(mover, now.state), rng)
        known = tuple((*p, seen) if i == mover else p for i, p in enumerate(now.known))
        return replace(now, known=known)

    def _moved(
        self, now: _Position, mover: int, action: Any, after: Any, rng: np.random.Generator
    ) -> _Position:
        paid = draw(self.game.reward(now.state, mover, action, after), rng)
        weight = self.game.discount ** max(0, now.chances)
        rewards = tuple(a + weight * b for a, b in zip(now.rewards, paid, strict=True))
        ended = self.game.is_terminal(after)
        turns = () if ended else self.game.next_player(now.state, mover, action, after)
        movers = () if ended else (draw(cast("Any", turns), rng),)
        chances = now.chances + (mover == CHANCE)
        return _Position(after, movers, now.known, rewards, now.moves + 1, chances, ended)


class GameEnvironment:
    """One play of a game at a time; see ``environment_of``. Satisfies ``Environment``."""

    def __init__(self, dynamics: _PosgDynamics | _AecDynamics, rng: np.random.Generator) -> None:
        self._dynamics = dynamics
        self._rng = rng
        self._position: _Position | None = None
        self._begun: dict[str, Any] = {}  # the generator before the play began
        self._choices: list[list[int]] = []  # for each step, places among the legal actions

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self._dynamics.game.players

    @property
    def discount(self) -> Fraction:
        """Factor on rewards for each step; 1 for AEC games, which pay discounted."""
        return self._dynamics.discount

    @property
    def horizon(self) -> int | None:
        """Steps (of AEC games: moves) after which play is cut; None if only the rules end it."""
        return self._dynamics.game.horizon

    @property
    def state(self) -> Any:
        """The true state, which no player need know."""
        return self._now.state

    @property
    def _now(self) -> _Position:
        if self._position is None:
            raise InvalidArgument(needs="a play", found="has none", remedy="Call reset() first.")
        return self._position

    def reset(self) -> Turn:
        """Begin a play."""
        self._begun = generator_state(self._rng)
        self._choices = []
        self._position = self._dynamics.begin(self._rng)
        return self._turn()

    def step(self, actions: Mapping[int, Any]) -> Turn:
        """Let the movers act.

        Args:
            actions: Player's number -> action, for the movers of the turn.

        Raises:
            InvalidArgument: If play is over, others than the movers act, or an action is not legal.
        """
        turn = self._turn()
        if turn.is_over:
            raise InvalidArgument(
                needs="a play that goes on", found="it is over", remedy="Call reset()."
            )
        require_instance(
            actions,
            Mapping,
            name="actions",
            remedy="Give a mapping from the number of each mover to its action.",
        )
        if set(actions) != set(turn.movers):
            raise InvalidArgument(
                needs=f"an action of each of {self._labels(turn.movers)}, whose turn it is",
                found=f"got them of {self._labels(tuple(actions))}",
                remedy="Give a mapping from the number of each mover to its action.",
            )
        for player in turn.movers:
            legal = turn.legal_actions[player]
            if not any(_is_same(action, actions[player]) for action in legal):
                raise InvalidArgument(
                    needs=f"a legal action of {self.players[player]!r}, one of {legal!r}",
                    found=f"got {actions[player]!r}",
                )
        self._choices.append([turn.legal_actions[i].index(actions[i]) for i in turn.movers])
        self._position = self._dynamics.go_on(self._now, actions, self._rng)
        return self._turn()

    def _labels(self, players: tuple[Any, ...]) -> list[Any]:
        known = range(len(self.players))
        return [self.players[i] if i in known else i for i in players]

    def _turn(self) -> Turn:
        now, game = self._now, self._dynamics.game
        is_truncated = not now.is_terminal and now.moves == game.horizon
        movers = () if now.is_terminal or is_truncated else now.movers
        legal = tuple(
            game.legal_actions(i, past[-1]) if i in movers else ()
            for i, past in enumerate(now.known)
        )
        return Turn(movers, now.known, legal, now.rewards, now.is_terminal, is_truncated)

    def snapshot(self) -> Snapshot:
        """Return how the play came here: where chance stood at its beginning, and all choices."""
        return {
            "begun": dict(self._begun),
            "generator": generator_state(self._rng),
            "choices": [list(choice) for choice in self._choices],
            "is_begun": self._position is not None,
        }

    def restore(self, snapshot: Snapshot) -> Turn | None:
        """Go back to a snapshot, by playing as it says.

        Returns:
            The turn that was there; None if no play had begun.

        Raises:
            InvalidArgument: If it is no snapshot of a play of this game.
        """
        require_fitting(snapshot, _PARTS, ignored=tuple(_PARTS))
        turn = None
        if snapshot["is_begun"]:
            restore_generator(self._rng, snapshot["begun"])
            turn = self.reset()
            for choice in snapshot["choices"]:
                turn = self.step(_chosen_again(turn, choice))
        else:
            self._position = None
        restore_generator(self._rng, snapshot["generator"])
        return turn


def _is_same(legal: Any, action: Any) -> bool:
    """Whether an action is a legal one; what is compared entry by entry, as an array, is none."""
    return legal is action or (isinstance(action, Hashable) and bool(legal == action))


_PARTS: Snapshot = {"begun": {}, "generator": {}, "choices": [], "is_begun": False}


def _chosen_again(turn: Turn, choice: Sequence[int]) -> Mapping[int, Any]:
    """Return the actions that a snapshot says were taken, by places among the legal ones."""
    fits = len(choice) == len(turn.movers) and all(
        0 <= place < len(turn.legal_actions[i])
        for i, place in zip(turn.movers, choice, strict=True)
    )
    if not fits:
        raise InvalidArgument(
            needs="a snapshot of a play of this game",
            found=f"in the one given players chose their legal actions {[*choice]} where "
            f"{len(turn.movers)} players are to act",
            remedy="Make the environment with the game and the horizon it had.",
        )
    return {i: turn.legal_actions[i][place] for i, place in zip(turn.movers, choice, strict=True)}
