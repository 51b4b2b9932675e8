"""What this room adds to the command line, a picture of a leader's policies, and its claims."""

from importlib import import_module
from typing import Any

from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.errors import UnsupportedGame
from gametheory_core.extensions import Picture, add_picture
from gametheory_core.leaders import (
    markov_stackelberg,
    markov_stackelberg_optima,
    stochastic_commitment,
    stochastic_stackelberg,
)
from gametheory_core.leaders.policies import num_leader_policies
from gametheory_core.leaders.view import leader_view

CLAIMS = (
    markov_stackelberg,
    markov_stackelberg_optima,
    stochastic_commitment,
    stochastic_stackelberg,
)


def _first_leaders_policies(game: Any, max_states: int) -> Any:
    if len(game.players) != 2 or game.horizon is None:  # a leader and a follower
        return None
    figures = import_module("gametheory_core.leaders.figures")
    try:
        view = leader_view(posg_to_tabular(game, max_states=max_states).target)
    except UnsupportedGame:
        return None
    if num_leader_policies(view) > figures.MAX_POLICIES:
        return None
    return figures.draw_leader_policies(view)


add_picture(
    Picture(
        kind="posg",
        words="Policies of a leader are drawn (draw_leader_policies) for two players, a horizon, "
        "what is seen a function of the state, and at most 64 policies",
        draw=_first_leaders_policies,
    )
)
