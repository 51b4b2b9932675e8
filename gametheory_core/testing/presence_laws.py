"""Laws of games whose players come and go: who is ``AWAY`` waits, is not paid, and stays away.

1. Who sees ``AWAY`` can do ``IDLE`` only.
2. Who is away when a step or a move begins is paid nothing for it. A player of an AEC game is away
   from the turn on in which it sees ``AWAY``, and until the turn in which it sees something else.
3. Who has left does not come back.
4. Somebody is there while play goes on: when a step begins; in an AEC game, when chance moves.
"""

from collections.abc import Iterable, Mapping
from typing import cast

from gametheory_core.errors import LawBroken
from gametheory_core.games.presence import Passage, Presence, Scene, scenes
from gametheory_core.games.rules import AEC, AWAY, IDLE, Rules, is_posg
from gametheory_core.games.tree_table import CHANCE
from gametheory_core.testing.rule_walk import Graph, broken


def require_presence(game: Rules, graph: Graph) -> None:
    """Refuse rules in which players who are away act, are paid or come back, or nobody is there.

    Args:
        graph: The situations of the game.

    Raises:
        LawBroken: With what happens, and the states on the way there.
    """
    away = _who_may_be_away(game, graph)
    if not away:
        return
    for player in away:
        legal = tuple(game.legal_actions(player, AWAY))
        if legal != (IDLE,):
            raise broken(
                game,
                f"{game.players[player]!r} may do {legal!r}",
                needs="players who see AWAY to have the one legal action IDLE",
            )
    found = scenes(game)
    for scene, passed in found.items():
        if _is_deserted(scene, is_posg(game)):
            raise _witnessed(
                game, found, scene, "somebody there while play goes on", "all players are away"
            )
        for passage in passed:
            _require_lawful(game, found, scene, passage)


def _who_may_be_away(game: Rules, graph: Graph) -> list[int]:
    players = range(len(game.players))
    if is_posg(game):
        views = {seen for _, seen in graph}
        return [i for i in players if any(seen[i] is AWAY for seen in views)]
    turns = [(state, mover) for state, mover in graph if mover != CHANCE]
    shown = cast("AEC", game).observation
    return sorted({mover for state, mover in turns if shown(mover, state)[AWAY]})


def _is_deserted(scene: Scene, all_move: bool) -> bool:  # noqa: FBT001  (private)
    if all_move:
        return all(seen is AWAY for seen in scene.shown)
    return scene.shown == CHANCE and all(presence.is_away for presence in scene.presences)


def _require_lawful(
    game: Rules, found: Mapping[Scene, tuple[Passage, ...]], scene: Scene, passage: Passage
) -> None:
    for name, presence, paid in zip(game.players, passage.begun, passage.rewards, strict=True):
        if presence is Presence.BACK:
            raise _witnessed(
                game,
                found,
                scene,
                "players who have left to see AWAY for good",
                f"{name!r} comes back",
            )
        if presence.is_away and paid:
            raise _witnessed(
                game,
                found,
                scene,
                "no rewards for players who are away",
                f"{name!r} {presence.value} and is paid {paid} for {passage.action!r} there, "
                f"which leads to {passage.state!r}",
            )


def _witnessed(
    game: Rules, found: Mapping[Scene, tuple[Passage, ...]], scene: Scene, needs: str, what: str
) -> LawBroken:
    states = ", ".join(repr(passed.state) for passed in _way_to(found, scene))
    return broken(game, f"after the states {states} {what}", needs=needs)


def _way_to(found: Mapping[Scene, tuple[Passage, ...]], scene: Scene) -> Iterable[Scene]:
    """Return a shortest play to a scene; scenes were found breadth first."""
    number = {met: k for k, met in enumerate(found)}
    led_from: dict[Scene, Scene] = {}
    for before, passed in found.items():
        for passage in passed:
            after = passage.after
            if after is not None and number[before] < number.get(after, 0):
                led_from.setdefault(after, before)
    way = [scene]
    while way[-1] in led_from:
        way.append(led_from[way[-1]])
    return reversed(way)
