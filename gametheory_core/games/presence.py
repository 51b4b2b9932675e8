"""Who is there: players who join late and leave early, by what they see themselves.

A player who sees ``AWAY`` is not there, and is ``IDLE``. What a player sees, ``IDLE`` left out, is
``AWAY`` for a while, then anything else, then ``AWAY`` for good: who left does not come back. The
step, or move, in which a player first sees something else is the one that it joins with, and that
in which it sees ``AWAY`` again the one that it leaves with. So a POSG and its AEC game agree on who
is there, and information states say it with the words that they have.

Who is away is paid nothing. Where a player has seen nothing but ``IDLE`` so far, or has had no turn
yet, being paid says that it is there.
"""

from collections.abc import Iterable, Iterator
from enum import Enum
from itertools import product
from typing import Any, NamedTuple, TypeAlias, cast

from gametheory_core.games.rules import AEC, AWAY, IDLE, NULL, POSG, Rules, is_posg
from gametheory_core.games.tree_table import CHANCE


class Presence(Enum):
    """Whether a player is there, as far as is told; the value says it in words."""

    UNTOLD = "has seen nothing yet"
    BEFORE = "has not joined yet"
    THERE = "is there"
    GONE = "has left"
    BACK = "has left and come back"

    @property
    def is_away(self) -> bool:
        """Whether the player is known not to be there."""
        return self in {Presence.BEFORE, Presence.GONE}


Presences: TypeAlias = tuple[Presence, ...]

_ON_AWAY = {
    Presence.UNTOLD: Presence.BEFORE,
    Presence.THERE: Presence.GONE,
    Presence.BACK: Presence.GONE,
}


def seeing(before: Presence, observation: Any) -> Presence:
    """Return how a player stands who sees something.

    >>> seeing(Presence.THERE, AWAY)
    <Presence.GONE: 'has left'>
    """
    if observation is IDLE:
        return before
    if observation is AWAY:
        return _ON_AWAY.get(before, before)
    return Presence.BACK if before is Presence.GONE else Presence.THERE


def all_seeing(before: Presences, observations: Iterable[Any]) -> Presences:
    """Return how players stand who see something at once."""
    return tuple(seeing(own, seen) for own, seen in zip(before, observations, strict=True))


def one_seeing(before: Presences, player: int, observation: Any) -> Presences:
    """Return how players stand when one of them sees something."""
    return (*before[:player], seeing(before[player], observation), *before[player + 1 :])


def all_paid(before: Presences, rewards: Iterable[Any]) -> Presences:
    """Return how players stand who are paid."""
    return tuple(
        Presence.THERE if paid and own is Presence.UNTOLD else own
        for own, paid in zip(before, rewards, strict=True)
    )


def nobody_told(game: Rules) -> Presences:
    """Return how players stand before anything is seen."""
    return (Presence.UNTOLD,) * len(game.players)


class Scene(NamedTuple):
    """Where a play stands, and who is there.

    Attributes:
        state (hashable)
        shown: What each player of a POSG sees; of an AEC game, the mover.
        presences: Of all players; that of the mover before it sees anything.
    """

    state: Any
    shown: Any
    presences: Presences


class Passage(NamedTuple):
    """One step or move, between two scenes.

    Attributes:
        begun: How the players stand when it begins, the mover having seen.
        rewards: What it pays.
        after: Where it leads; None if play is over there.
    """

    begun: Presences
    action: Any
    state: Any
    rewards: tuple[Any, ...]
    after: Scene | None


def first_scenes(game: Rules) -> list[Scene]:
    """Return where play begins."""
    untold = nobody_told(game)
    if not is_posg(game):
        start = cast("AEC", game).initial_state
        return [] if game.is_terminal(start) else [Scene(start, CHANCE, untold)]
    return [
        Scene(state, seen, all_seeing(untold, seen))
        for state, _ in game.initial()
        if not game.is_terminal(state)
        for seen, _ in game.initial_observation(state)
    ]


def passages(game: Rules, scene: Scene) -> Iterator[Passage]:
    """Yield what may happen next."""
    return _steps(game, scene) if is_posg(game) else _moves(cast("AEC", game), scene)


def _steps(game: POSG, scene: Scene) -> Iterator[Passage]:
    state, seen, begun = scene
    for joint in product(*(game.legal_actions(i, o) for i, o in enumerate(seen))):
        for after, _ in game.transition(state, joint):
            rewards = game.reward(state, joint, after)
            if game.is_terminal(after):
                yield Passage(begun, joint, after, rewards, None)
                continue
            paid = all_paid(begun, rewards)
            for shown, _ in game.observation(joint, after):
                then = Scene(after, shown, all_seeing(paid, shown))
                yield Passage(begun, joint, after, rewards, then)


def _moves(game: AEC, scene: Scene) -> Iterator[Passage]:
    state, mover, before = scene
    if mover == CHANCE:
        moved = [(before, NULL, after) for after, _ in game.chance(state)]
    else:
        moved = [
            (one_seeing(before, mover, seen), action, game.move(mover, state, action))
            for seen, _ in game.observation(mover, state)
            for action in game.legal_actions(mover, seen)
        ]
    for begun, action, after in moved:
        for rewards, _ in game.reward(state, mover, action, after):
            if game.is_terminal(after):
                yield Passage(begun, action, after, rewards, None)
                continue
            paid = all_paid(begun, rewards)
            for turn, _ in game.next_player(state, mover, action, after):
                yield Passage(begun, action, after, rewards, Scene(after, turn, paid))


def scenes(game: Rules) -> dict[Scene, tuple[Passage, ...]]:
    """Return all scenes that play can reach within the horizon, and what may happen there."""
    found: dict[Scene, tuple[Passage, ...]] = {}
    frontier = list(dict.fromkeys(first_scenes(game)))
    depth = 0
    while frontier and (game.horizon is None or depth < game.horizon):
        for scene in frontier:
            found[scene] = tuple(passages(game, scene))
        following = (p.after for scene in frontier for p in found[scene])
        frontier = [s for s in dict.fromkeys(following) if s is not None and s not in found]
        depth += 1
    return found


def late_players(game: Rules) -> frozenset[int]:
    """Return who may join after it was said that they are not there.

    >>> from gametheory_core.catalog import load
    >>> late_players(load("tiger"))
    frozenset()
    """
    found = scenes(game)
    return frozenset(
        player
        for scene, passed in found.items()
        for passage in passed
        for then in (passage.begun, *(s.presences for s in [passage.after] if s and s in found))
        for player, change in enumerate(zip(scene.presences, then, strict=True))
        if change == (Presence.BEFORE, Presence.THERE)
    )
