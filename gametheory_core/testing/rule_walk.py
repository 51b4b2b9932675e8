"""Situations that play of a POSG or an AEC game can reach, and which follow upon which."""

from collections.abc import Callable, Iterable
from itertools import product
from typing import Any, TypeAlias

from gametheory_core.conversions.clock import choices, followers
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.aec import AEC
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.posg import POSG

Situation: TypeAlias = tuple[Any, Any]  # state, with the joint observation or the mover
Graph: TypeAlias = dict[Situation, tuple[Situation, ...]]

MAX_STATES = 20_000


def posg_situations(game: POSG, *, max_states: int = MAX_STATES) -> Graph:
    """Return each pair of a state and a joint observation on which players act, and what follows.

    Only what play can reach within the horizon, if there is one.

    Raises:
        UnsupportedGame: If there are more than ``max_states``.
    """

    def following(situation: Situation) -> Iterable[Situation]:
        state, seen = situation
        for joint in product(*(game.legal_actions(i, o) for i, o in enumerate(seen))):
            for after, _ in game.transition(state, joint):
                if not game.is_terminal(after):
                    for shown, _ in game.observation(joint, after):
                        yield after, shown

    first = [
        (state, seen)
        for state, _ in game.initial()
        if not game.is_terminal(state)
        for seen, _ in game.initial_observation(state)
    ]
    return _graph(first, following, game.horizon, max_states)


def aec_situations(game: AEC, *, max_states: int = MAX_STATES) -> Graph:
    """Return each pair of a state and the mover there, and what follows.

    Raises:
        UnsupportedGame: If there are more than ``max_states``.
    """

    def following(situation: Situation) -> Iterable[Situation]:
        for action in choices(game, *situation):
            yield from followers(game, *situation, action)

    ended = game.is_terminal(game.initial_state)
    first = [] if ended else [(game.initial_state, CHANCE)]
    return _graph(first, following, game.horizon, max_states)


def recurring_situation(graph: Graph) -> Situation | None:
    """Return a situation to which play can come back, or None if all play ends."""
    waiting = dict.fromkeys(graph, 0)
    for followers_of in graph.values():
        for after in followers_of:
            waiting[after] += 1
    free = [situation for situation, count in waiting.items() if not count]
    while free:
        situation = free.pop()
        del waiting[situation]
        for after in graph[situation]:
            waiting[after] -= 1
            if not waiting[after]:
                free.append(after)
    return _on_a_cycle(graph, waiting) if waiting else None


def _on_a_cycle(graph: Graph, left: Iterable[Situation]) -> Situation:
    """Walk back from a situation that has not been freed until one is met again."""
    kept = set(left)
    before = {after: s for s in kept for after in graph[s] if after in kept}
    situation = next(iter(left))
    met: set[Situation] = set()
    while situation not in met:
        met.add(situation)
        situation = before[situation]
    return situation


def _graph(
    first: list[Situation],
    following: Callable[[Situation], Iterable[Situation]],
    horizon: int | None,
    max_states: int,
) -> Graph:
    graph: Graph = {}
    frontier = list(dict.fromkeys(first))
    depth = 0
    while frontier and (horizon is None or depth < horizon):
        for situation in frontier:
            graph[situation] = tuple(dict.fromkeys(following(situation)))
        if len(graph) > max_states:
            raise UnsupportedGame(
                f"check: needs at most max_states = {max_states:,} situations, but there "
                "are more. Stop the game earlier (stop_posg, stop_aec), or raise max_states."
            )
        found = {after: None for situation in frontier for after in graph[situation]}
        frontier = [after for after in found if after not in graph]
        depth += 1
    reached: Graph = {}
    for situation, after in graph.items():
        reached[situation] = tuple(s for s in after if s in graph)
    return reached
