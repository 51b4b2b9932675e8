"""Naive responses: what followers do in a step, all of them at once, once the leader has acted.

``BR(s, i, a_i)`` is a joint action of the others such that none of them would rather do something
else in this step: a Nash equilibrium of the one-stage game that the leader's action leaves. It is
published: a function of state, leader and action that everybody knows.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, TypeAlias

from gametheory_core.conversions.stage_responses import (
    Answer,
    Joint,
    Stages,
    mediated_by,
    stages_of,
)
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.posg import POSG

Key: TypeAlias = tuple[Any, int, Any]  # state, leader, action


def naive_responses(game: POSG, *, horizon: int | None = None) -> Mapping[Key, Answer]:
    """Compute the followers' naive responses, where there is exactly one.

    Looked at are deterministic responses, in states that leaders and naive followers can reach.

    Args:
        game: Everybody sees the state.
        horizon: Stop after so many steps; needed if the game has no horizon.

    Returns:
        (state, leader, action) -> joint action of the others, in the players' order. In a
        dictionary of your own, leave out keys for what a player cannot lead with.

    Raises:
        UnsupportedGame: If followers have no pure equilibrium after some action, or several: names
            two. Publish the one that is meant: ``mediate(game, responses=...)``. Also if a player
            does not see the state, or play has no end.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> responses = naive_responses(RepeatedGame.of("battle_of_the_sexes"))
    >>> responses[(), 0, "ballet"], responses[(), 1, "fight"]
    (('ballet',), ('fight',))
    """
    stages = stages_of(game, horizon=horizon, function="naive_responses")
    found: dict[Key, Answer] = {}

    def respond(state: Any, leader: int, action: Any) -> Joint:
        joint = _only_response(stages, state, leader, action)
        labels = stages.labels(state, joint)
        found[state, leader, action] = labels[:leader] + labels[leader + 1 :]
        return joint

    mediated_by(stages, respond)
    return MappingProxyType(found)


def _only_response(stages: Stages, state: Any, leader: int, action: Any) -> Joint:
    position = stages.legal(state)[leader].index(action)
    found: list[Joint] = []
    for joint in stages.after(state, leader, position):
        if stages.better_response(state, leader, joint) is None:
            found.append(joint)
        if len(found) > 1:
            break
    if len(found) == 1:
        return found[0]
    shown = " and ".join(str(stages.labels(state, joint)) for joint in found)
    raise UnsupportedGame(
        "naive_responses: needs one pure equilibrium of the followers in each step, but where "
        f"{stages.called(state, leader, action)} there is "
        f"{f'more than one: joint actions {shown}' if found else 'none'}. "
        "Publish what followers do: mediate(game, responses=...)."
    )
