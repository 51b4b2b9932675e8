"""Counterfactual values and regrets: what each own choice is worth where others let play come.

With ``r(v)`` everybody else's reach of node ``v``, and ``u(v)`` the player's expected payoff from
``v`` on,

    value(I) = sum over v in I of r(v) u(v),    value(I, a) = sum over v in I of r(v) u(v a),

and the regret of an action is ``value(I, a) - value(I)``.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gametheory_core.arrays import ZERO, NumberArray, freeze
from gametheory_core.evaluation.outcomes import counterfactual_reach
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile


@dataclass(frozen=True, eq=False)
class CounterfactualValues:
    """One player's counterfactual values; payoff units, weighted by everybody else's reach.

    Attributes:
        player: Whose.
        infosets: Indices of the player's information sets in the game.
        values (num_own_infosets,): Of each own information set under the profile.
        action_values: Of each action at each own information set.
    """

    player: int
    infosets: range
    values: NumberArray
    action_values: tuple[NumberArray, ...]

    @property
    def regrets(self) -> tuple[NumberArray, ...]:
        """Value of each action less that of its information set (counterfactual regrets)."""
        return tuple(
            freeze(actions - value)
            for actions, value in zip(self.action_values, self.values, strict=True)
        )


def counterfactual_values(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> CounterfactualValues:
    """Compute a player's counterfactual values at all own information sets.

    Exact on exact profiles, float64 on float ones.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    Source: Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete
        information" (2007), section 3.
    """
    onward = node_payoffs(game, profile, player=player)
    reach = counterfactual_reach(game, profile, player=player)
    infosets = player_infosets(game, player)
    values = _zeros(len(game.infosets), profile)
    nodes = np.flatnonzero(game.node_player == player)
    np.add.at(values, game.node_infoset[nodes], reach[nodes] * onward[nodes])
    by_action = _zeros(int(game.action_offset[-1]), profile)
    children = 1 + np.flatnonzero(game.node_player[game.parent[1:]] == player)
    # the step into a child is the player's own, so the child has its parent's reach
    np.add.at(by_action, game.node_action[children], reach[children] * onward[children])
    offset = game.action_offset
    return CounterfactualValues(
        player=player,
        infosets=infosets,
        values=freeze(values[infosets.start : infosets.stop]),
        action_values=tuple(freeze(by_action[offset[s] : offset[s + 1]].copy()) for s in infosets),
    )


def node_payoffs(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the player's expected payoff from each node on, shape (num_nodes,).

    What inner outcomes paid on the way to the node counts too: it is part of every play below.
    """
    check_behavioral_profile(game, profile)
    table = game.exact_terminal_payoffs if profile.is_exact else game.terminal_payoffs
    weights = game.exact_chance_probabilities.copy()
    if not profile.is_exact:
        weights = weights.astype(np.float64)
    weights[: len(profile.flat)] = profile.flat
    values = _zeros(game.num_nodes, profile)
    values[game.terminals] = table[:, player]
    bounds = game.level_offset.tolist()
    for start, stop in list(pairwise(bounds[1:]))[::-1]:
        paid = weights[game.node_action[start:stop]] * values[start:stop]
        np.add.at(values, game.parent[start:stop], paid)
    return freeze(values)


def _zeros(count: int, profile: BehavioralProfile) -> NumberArray:
    out = np.empty(count, dtype=object if profile.is_exact else np.float64)
    out[:] = ZERO if profile.is_exact else 0.0
    return out
