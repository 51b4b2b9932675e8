"""Best responses, the reference evaluation: simple, exact on exact profiles, no kernels.

In a tree only the responding player needs perfect recall: the others' strategies are fixed and
act like chance. Sweeping the player's information sets from the last to the first,

    value(I) = max over a of  g[I a] + sum of value(J) over own J with parent(J) = I a,

where ``g[s]`` is the payoff collected at terminal nodes with own sequence ``s``, weighted by
everybody else's reach.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, NumberArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.collected_payoffs import Collected, collected_payoffs
from gametheory_core.evaluation.outcomes import counterfactual_reach
from gametheory_core.evaluation.payoffs import action_payoffs
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_matrix_or_tree
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.profiles import check_profile
from gametheory_core.strategies.sequence_form import PlayerSequences, player_sequences


@dataclass(frozen=True)
class BestResponse:
    """A pure best response and its value.

    Attributes:
        player: Who responds.
        value: Expected payoff of the response, in payoff units.
        actions: Normal form: the one action. Tree: an action at each own information set, in order.
            Ties go to the first action.
    """

    player: int
    value: Fraction | float
    actions: tuple[int, ...]


def best_response(
    game: NormalFormGame | ExtensiveFormGame,
    profile: MixedProfile | BehavioralProfile,
    *,
    player: int,
) -> BestResponse:
    """Find a pure best response of one player to the others' strategies.

    Args:
        profile: Exact or float; of the game. Only the other players' strategies matter.
        player: Who responds, from 0.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the responding player of a tree lacks perfect recall.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> best_response(dilemma, pure_profile(dilemma, (0, 0)), player=0)
    BestResponse(player=0, value=Fraction(5, 1), actions=(1,))
    """
    require_matrix_or_tree(game, function="best_response")
    require_integer(
        player, function="best_response", name="player", low=0, high=game.num_players - 1
    )
    check_profile(game, profile)
    if isinstance(game, NormalFormGame):
        values = action_payoffs(game, cast("MixedProfile", profile), player=player)
        action = int(np.argmax(values))
        return BestResponse(player, cast("Fraction | float", values[action]), (action,))
    return _tree_best_response(game, cast("BehavioralProfile", profile), player)


def _tree_best_response(
    game: ExtensiveFormGame, profile: BehavioralProfile, player: int
) -> BestResponse:
    recall = has_perfect_recall(game, player=player)
    if not recall:
        raise UnsupportedGame(
            f"best_response: needs perfect recall of the responding player, but {recall.reason}. "
            "Use extensive_to_normal(game).target and its pure strategies instead."
        )
    own = player_sequences(game, player)
    collected = _collected(game, profile, player, own)
    values = collected.numerators
    bounds = own.first_sequence.tolist()
    actions = [0] * len(own.infosets)
    for k, parent in reversed(list(enumerate(own.parent_sequence.tolist()))):
        best = max(range(bounds[k], bounds[k + 1]), key=values.__getitem__)  # the first on ties
        actions[k] = best - bounds[k]
        values[parent] += values[best]
    value = values[0] / (Fraction(collected.denominator) if profile.is_exact else 1.0)
    return BestResponse(player, value, tuple(actions))


def sequence_payoffs(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the payoff collected under each own sequence, weighted by everybody else's reach.

    Shape (num_sequences,). The player needs perfect recall (trusted here).
    """
    collected = _collected(game, profile, player, player_sequences(game, player))
    if not profile.is_exact:
        return np.array(collected.numerators)
    payoffs = np.empty(len(collected.numerators), dtype=object)
    payoffs[:] = [ONE * value / collected.denominator for value in collected.numerators]
    return payoffs


def _collected(
    game: ExtensiveFormGame, profile: BehavioralProfile, player: int, own: PlayerSequences
) -> Collected:
    """Collect payoffs under sequences: as integers if the profile is exact, else as floats."""
    if profile.is_exact:
        return collected_payoffs(
            game,
            profile,
            player=player,
            node_label=own.node_sequence,
            num_labels=own.num_sequences,
        )
    reach = counterfactual_reach(game, profile, player=player)[game.terminals]
    live = np.flatnonzero(reach != 0)
    sequences = own.node_sequence[game.terminals[live]]
    paid = reach[live] * game.terminal_payoffs[live, player]
    return Collected(np.bincount(sequences, paid, own.num_sequences).tolist(), 1)
