"""What players could gain by deviating: deviation gains, NashConv, exploitability.

The reference evaluation: simple, exact on exact profiles, no kernels. In a tree only the responding
player needs perfect recall: the others' strategies are fixed and act like chance. Sweeping the
    player's information sets from the last to the first,

    value(I) = max over a of  g[I a] + sum of value(J) over own J with parent(J) = I a,

where ``g[s]`` is the payoff collected at terminal nodes with own sequence ``s``, weighted by
the others' reach.

Best-response correspondences of 2 x 2 games are rectangles in the unit square.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE, ZERO, NumberArray, freeze, object_array
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.collected_payoffs import Collected, collected_payoffs
from gametheory_core.evaluation.payoffs import (
    action_payoffs,
    counterfactual_reach,
    expected_payoffs,
)
from gametheory_core.games import ExtensiveFormGame, NormalFormGame
from gametheory_core.games.kinds import require_matrix_or_tree, require_normal_form
from gametheory_core.games.properties import require_perfect_recall, require_two_player_constant_sum
from gametheory_core.strategies.behavioral import BehavioralProfile, Game, Profile, check_profile
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.sequences import PlayerSequences, player_sequences


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

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If the responding player of a tree lacks perfect recall.
        InvalidArgument: If there is no such player.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> best_response(dilemma, pure_profile(dilemma, (0, 0)), player=0)
    BestResponse(player=0, value=Fraction(5, 1), actions=(1,))
    """
    require_matrix_or_tree(game)
    require_integer(player, name="player", low=0, high=game.num_players - 1)
    check_profile(game, profile)
    if isinstance(game, NormalFormGame):
        values = action_payoffs(game, cast("MixedProfile", profile), player=player)
        action = int(np.argmax(values))
        return BestResponse(player, cast("Fraction | float", values[action]), (action,))
    return _tree_best_response(game, cast("BehavioralProfile", profile), player)


def _tree_best_response(
    game: ExtensiveFormGame, profile: BehavioralProfile, player: int
) -> BestResponse:
    require_perfect_recall(
        game,
        player=player,
        whose=" of the responding player",
        remedy="Use extensive_to_normal(game).target and its pure strategies instead.",
    )
    own = player_sequences(game, player)
    collected = _collected(game, profile, player, own)
    values = collected.numerators
    actions = sweep(own, values)
    value = values[0] / (Fraction(collected.denominator) if profile.is_exact else 1.0)
    return BestResponse(player, value, tuple(actions))


def sweep(own: PlayerSequences, values: list[Any]) -> list[int]:
    """Return the best action at each own information set, the first on ties.

    Args:
        values: What is collected under each sequence; becomes what is earned from there on at best.
    """
    bounds = own.first_sequence.tolist()
    actions = [0] * len(own.infosets)
    for k, parent in reversed(list(enumerate(own.parent_sequence.tolist()))):
        best = max(range(bounds[k], bounds[k + 1]), key=values.__getitem__)
        actions[k] = best - bounds[k]
        values[parent] += values[best]
    return actions


def sequence_payoffs(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the payoff collected under each own sequence, weighted by the others' reach.

    Shape (num_sequences,). The player needs perfect recall (trusted here).

    >>> from gametheory_core import load_game, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> [str(payoff) for payoff in sequence_payoffs(poker, uniform_behavior(poker), player=0)]
    ['0', '3/4', '1/2', '-1/4', '-1/2']
    """
    collected = _collected(game, profile, player, player_sequences(game, player))
    if not profile.is_exact:
        return np.array(collected.numerators)
    return object_array([ONE * value / collected.denominator for value in collected.numerators])


def _collected(
    game: ExtensiveFormGame, profile: BehavioralProfile, player: int, own: PlayerSequences
) -> Collected:
    """Collect payoffs under sequences: as integers if the profile is exact, else as floats."""
    if profile.is_exact:
        return collected_payoffs(
            game, profile, player=player, node_label=own.node_sequence, num_labels=own.num_sequences
        )
    reach = counterfactual_reach(game, profile, player=player)[game.terminals]
    live = np.flatnonzero(reach != 0)
    sequences = own.node_sequence[game.terminals[live]]
    paid = reach[live] * game.terminal_payoffs[live, player]
    return Collected(np.bincount(sequences, paid, own.num_sequences).tolist(), 1)


def deviation_gains(game: Game, profile: Profile) -> NumberArray:
    """Return, for each player, best-response value minus own value; payoff units, at least 0.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If a player of a tree lacks perfect recall.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> deviation_gains(dilemma, pure_profile(dilemma, (0, 0))).tolist()
    [Fraction(2, 1), Fraction(2, 1)]
    """
    values = expected_payoffs(game, profile)
    responses = [best_response(game, profile, player=i).value for i in range(game.num_players)]
    best = np.array(responses, dtype=values.dtype)
    return freeze(best - values)


def epsilon(game: Game, profile: Profile) -> Fraction | float:
    """Return the largest deviation gain: the profile is an epsilon-Nash equilibrium.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> str(epsilon(dilemma, pure_profile(dilemma, (1, 1))))
    '0'
    """
    return cast("Fraction | float", max(deviation_gains(game, profile)))


def nash_conv(game: Game, profile: Profile) -> Fraction | float:
    """Return the sum of all deviation gains.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> str(nash_conv(dilemma, pure_profile(dilemma, (0, 0))))
    '4'
    """
    return cast("Fraction | float", sum(deviation_gains(game, profile).tolist()))


def exploitability(game: Game, profile: Profile) -> Fraction | float:
    """Return NashConv divided by two, for two-player constant-sum games.

    Raises:
        UnsupportedGame: If the game has not two players, or is not constant-sum.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> str(exploitability(kuhn, uniform_behavior(kuhn)))
    '11/24'
    """
    require_two_player_constant_sum(game, remedy="Use nash_conv.")
    return nash_conv(game, profile) / 2


@dataclass(frozen=True)
class ReplyPiece:
    """Where the other's strategy lies, and which of their own are then best responses.

    Attributes:
        start, end: The other plays the first action with a probability from ``start`` to ``end``.
        low, high: Then playing the first action with any probability from ``low`` to ``high``
            is best.
    """

    start: Fraction
    end: Fraction
    low: Fraction
    high: Fraction


def reply_correspondence(game: NormalFormGame, *, player: int) -> tuple[ReplyPiece, ...]:
    """Return a player's best responses to every mixed strategy of the other, exactly.

    Args:
        game: Two players with two actions each.
        player: Whose best responses: 0 or 1.

    Returns:
        Closed pieces in the order of the other's probability, each beginning where the last ends. A
        piece of no width is the strategy to which everything is best.
    """
    require_normal_form(game)
    if game.num_actions != (2, 2):
        raise UnsupportedGame(needs="two players with two actions each", found=f"got {game!r}")
    require_integer(player, name="player", low=0, high=1)
    own = game.exact_payoffs[player] if player == 0 else game.exact_payoffs[player].T
    at_one, at_zero = (cast("Fraction", own[0, b] - own[1, b]) for b in (0, 1))
    before, after = _best(at_zero), _best(at_one)
    if at_one == at_zero or (before == after and at_one and at_zero):
        return (ReplyPiece(ZERO, ONE, *after),)
    turn = at_zero / (at_zero - at_one)  # where the first action is as good as the second
    everything = ReplyPiece(turn, turn, ZERO, ONE)
    left, right = ReplyPiece(ZERO, turn, *before), ReplyPiece(turn, ONE, *after)
    return (*([left] if turn > 0 else []), everything, *([right] if turn < 1 else []))


def _best(advantage: Fraction) -> tuple[Fraction, Fraction]:
    """Return which probabilities of the first action are best, given its advantage."""
    return (ONE if advantage > 0 else ZERO, ONE if advantage >= 0 else ZERO)
