"""Where play goes: reach probabilities of nodes, and the law of outcomes.

Exact profiles give exact answers, float profiles float ones; the code is the same.
"""

import numpy as np

from gametheory_core.arrays import ONE, NumberArray, freeze
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.own_histories import history_weights, own_histories
from gametheory_core.strategies.sequence_form import chance_reach


def reach_probabilities(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    """Return the probability that play visits each node, shape (num_nodes,).

    Args:
        profile: Exact or float.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> [str(p) for p in reach_probabilities(kuhn, uniform_behavior(kuhn))[:3]]
    ['1', '1/6', '1/6']
    """
    check_behavioral_profile(game, profile)
    reach = _chance_part(game, profile)
    for player in range(game.num_players):
        reach = reach * player_reach(game, profile, player=player)
    return freeze(reach)


def counterfactual_reach(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the reach of each node with the player's own probabilities left out."""
    check_behavioral_profile(game, profile)
    reach = _chance_part(game, profile)
    for other in range(game.num_players):
        if other != player:
            reach = reach * player_reach(game, profile, player=other)
    return freeze(reach)


def player_reach(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the product of one player's own probabilities on the way to each node."""
    histories = own_histories(game, player)
    return freeze(history_weights(histories, profile.flat)[histories.node_history])


def outcome_distribution(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    """Return the probability of each terminal node, in the order of ``game.terminals``.

    Args:
        profile: Exact or float.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> str(sum(outcome_distribution(kuhn, uniform_behavior(kuhn))))
    '1'
    """
    return freeze(reach_probabilities(game, profile)[game.terminals])


def _chance_part(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    if not np.any(game.node_player == CHANCE):
        start = np.empty(game.num_nodes, dtype=object if profile.is_exact else np.float64)
        start[:] = ONE if profile.is_exact else 1.0
        return start
    reach = chance_reach(game)
    return reach if profile.is_exact else reach.astype(np.float64)
