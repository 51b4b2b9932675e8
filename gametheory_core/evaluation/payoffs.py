"""Expected payoffs of a profile, and of each action against the others' strategies.

Exact profiles give ``Fraction``, float profiles float64. Exact tensors are contracted as integers
over a common denominator, which spares a greatest common divisor in every product.

In trees they follow from the reach probabilities of nodes; in Bayesian games there is one for the
leader and one for each type of the follower. ``payoff_rows`` is ready for data frames.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import mul
from typing import cast

import numpy as np

from gametheory_core.arrays import (
    ONE,
    ZERO,
    NumberArray,
    ScaledIntegers,
    as_exact,
    freeze,
    object_array,
    scaled_integers,
)
from gametheory_core.evaluation.collected_payoffs import (
    exact_product,
    expected_payoff,
    history_weights,
    own_histories,
)
from gametheory_core.games import CHANCE, BayesianGame, ExtensiveFormGame, NormalFormGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.payoff_text import best_replies
from gametheory_core.strategies import BehavioralProfile, MixedProfile, check_mixed_profile
from gametheory_core.strategies.behavioral import check_behavioral_profile, check_profile
from gametheory_core.strategies.sequences import chance_reach


def reach_probabilities(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    """Return the probability that play visits each node, shape (num_nodes,).

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> [str(p) for p in reach_probabilities(kuhn, uniform_behavior(kuhn))[:3]]
    ['1', '1/6', '1/6']
    """
    return counterfactual_reach(game, profile, player=CHANCE)


def counterfactual_reach(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the reach of each node with the player's own probabilities left out.

    Chance's are always in, so that with ``CHANCE`` nobody's are left out.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> [str(reach) for reach in counterfactual_reach(poker, uniform_behavior(poker), player=0)]
    ['1', '1/2', '1/2', '1/2', '1/2', '1/2', '1/2', '1/4', '1/4', '1/4', '1/4']
    """
    check_behavioral_profile(game, profile)
    reach = _chance_part(game, profile)
    for other in range(game.num_players):
        if other != player:
            reach = reach * player_reach(game, profile, player=other)
    return freeze(reach)


def player_reach(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> NumberArray:
    """Return the product of one player's own probabilities on the way to each node.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> [str(reach) for reach in player_reach(poker, uniform_behavior(poker), player=0)]
    ['1', '1', '1', '1/2', '1/2', '1/2', '1/2', '1/2', '1/2', '1/2', '1/2']
    """
    histories = own_histories(game, player)
    return freeze(history_weights(histories, profile.flat)[histories.node_history])


def outcome_distribution(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    """Return the probability of each terminal node, in the order of ``game.terminals``.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> str(sum(outcome_distribution(kuhn, uniform_behavior(kuhn))))
    '1'
    """
    return freeze(reach_probabilities(game, profile)[game.terminals])


def node_payoffs(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int | None = None
) -> NumberArray:
    """Return the expected payoffs from each node on, (num_nodes, num_players) or (num_nodes, 1).

    What inner outcomes paid on the way counts too: it is part of every play below.

    Args:
        profile: Of the game (trusted).
    """
    paid: NumberArray = game.exact_terminal_payoffs if profile.is_exact else game.terminal_payoffs
    paid = paid if player is None else paid[:, player : player + 1]
    weights: NumberArray = game.exact_chance_probabilities.astype(paid.dtype)
    weights[: len(profile.flat)] = profile.flat
    is_sure = weights == 1
    values: NumberArray = np.empty((game.num_nodes, paid.shape[1]), dtype=paid.dtype)
    values[game.terminals] = paid
    for start, stop in list(pairwise(game.level_offset.tolist()))[::-1]:
        inner = start + np.flatnonzero(game.node_infoset[start:stop] >= 0)
        if not inner.size:
            continue
        first = game.first_child[inner]
        children = slice(int(first[0]), int(first[-1] + game.num_children[inner[-1]]))
        actions = game.node_action[children]
        shares = values[children].copy()
        unsure = np.flatnonzero(~is_sure[actions])
        shares[unsure] *= weights[actions[unsure], None]
        values[inner] = np.add.reduceat(shares, first - first[0], axis=0)
    return values


def _chance_part(game: ExtensiveFormGame, profile: BehavioralProfile) -> NumberArray:
    if not np.any(game.node_player == CHANCE):
        start = np.empty(game.num_nodes, dtype=object if profile.is_exact else np.float64)
        start[:] = ONE if profile.is_exact else 1.0
        return start
    reach = chance_reach(game)
    return reach if profile.is_exact else reach.astype(np.float64)


WORTH_CUTTING = 800  # payoffs; below, Python integers are quicker than digits


def expected_payoffs(
    game: NormalFormGame | ExtensiveFormGame, profile: MixedProfile | BehavioralProfile
) -> NumberArray:
    """Return each player's expected payoff, shape (num_players,).

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> expected_payoffs(dilemma, pure_profile(dilemma, (0, 1))).tolist()
    [Fraction(0, 1), Fraction(5, 1)]
    """
    check_profile(game, profile)
    if isinstance(game, ExtensiveFormGame):
        behavior = cast("BehavioralProfile", profile)
        if not behavior.is_exact:
            return freeze(outcome_distribution(game, behavior) @ game.terminal_payoffs)
        players = range(game.num_players)
        return object_array([expected_payoff(game, behavior, player=i) for i in players])
    mixed = cast("MixedProfile", profile)
    if mixed.is_exact:
        exact = [
            expected_value(scaled_action_payoffs(game, mixed, player=i), own)
            for i, own in enumerate(mixed.strategies)
        ]
        return object_array(exact)
    floats = [action_payoffs(game, mixed, player=i) @ own for i, own in enumerate(mixed.strategies)]
    return freeze(np.array(floats))


def action_payoffs(game: NormalFormGame, profile: MixedProfile, *, player: int) -> NumberArray:
    """Return what each of a player's actions earns against the others, shape (num_actions,).

    Args:
        profile: Only the other players' strategies matter.

    >>> from gametheory_core import load_game, pure_profile
    >>> dilemma = load_game("prisoners_dilemma")
    >>> action_payoffs(dilemma, pure_profile(dilemma, (0, 0)), player=0).tolist()
    [Fraction(3, 1), Fraction(5, 1)]
    """
    check_mixed_profile(game, profile)
    if not profile.is_exact:
        others = list(profile.strategies)
        return freeze(_contract(game.payoffs[player], others, player))
    scaled = scaled_action_payoffs(game, profile, player=player)
    return object_array([Fraction(n, scaled.denominator) for n in scaled.numerators.tolist()])


def scaled_action_payoffs(
    game: NormalFormGame, profile: MixedProfile, *, player: int
) -> ScaledIntegers:
    """Return the same of an exact profile as integers over a common denominator.

    Comparing and adding them needs no greatest common divisors.

    Args:
        profile: Exact, and of the game (trusted).
    """
    others = {
        other: scaled_integers(strategy)
        for other, strategy in enumerate(profile.strategies)
        if other != player
    }
    if game.num_players == 2 and game.given_payoffs.size >= WORTH_CUTTING:
        floats = game.scaled_floats[player]
        if floats is not None:
            own_first = floats.numerators if player == 0 else floats.numerators.T
            product = exact_product(own_first, others[1 - player])
            return ScaledIntegers(product.numerators, product.denominator * floats.denominator)
    return _contract_in_integers(scaled_payoffs(game, player), others)


def expected_value(values: ScaledIntegers, strategy: NumberArray) -> Fraction:
    """Average the values of actions, with one greatest common divisor in all."""
    weights = scaled_integers(strategy)
    total = sum(map(mul, weights.numerators.tolist(), values.numerators.tolist()))
    return Fraction(total, weights.denominator * values.denominator)


def largest_value(values: ScaledIntegers) -> Fraction:
    """Return the value of the best action."""
    return Fraction(max(values.numerators.tolist()), values.denominator)


def _contract_in_integers(
    tensor: ScaledIntegers, others: dict[int, ScaledIntegers]
) -> ScaledIntegers:
    denominator, total = tensor.denominator, tensor.numerators
    supports = {axis: np.flatnonzero(weights.numerators) for axis, weights in others.items()}
    for axis, support in supports.items():  # only they matter, and they are often small
        total = total.take(support, axis=axis)
    for axis in sorted(others, reverse=True):  # from the back, so axes keep their numbers
        total = np.moveaxis(total, axis, -1) @ others[axis].numerators[supports[axis]]
        denominator *= others[axis].denominator
    return ScaledIntegers(freeze(total), denominator)


def scaled_payoffs(game: NormalFormGame, player: int) -> ScaledIntegers:
    """Return one player's exact payoffs as integers over a common denominator."""
    return game.scaled_payoffs[player]


def _contract(tensor: NumberArray, strategies: list[NumberArray], player: int) -> NumberArray:
    for axis in reversed(range(len(strategies))):  # from the back, so axes keep their numbers
        if axis != player:
            tensor = np.moveaxis(tensor, axis, -1) @ strategies[axis]
    return tensor


@dataclass(frozen=True)
class PayoffRow:
    """What one player gets for one joint action.

    Attributes:
        actions: Labels of the joint action.
        player: Label of the player.
        action: Label of the player's own action.
        payoff: Exact; ``frame.payoff.astype(float)`` for floats.
        is_best_response: Whether the player gains nothing by changing their own action.
        is_equilibrium: Whether nobody does.
    """

    actions: tuple[str, ...]
    player: str
    action: str
    payoff: Fraction
    is_best_response: bool
    is_equilibrium: bool


def payoff_rows(game: NormalFormGame) -> tuple[PayoffRow, ...]:
    """Return the payoffs of a game in long form, as ``pandas.DataFrame(rows)`` takes them.

    Returns:
        Joint actions in order, the last player's action changing fastest; the players of each in
        order.

    >>> from gametheory_core import load_game
    >>> row = payoff_rows(load_game("prisoners_dilemma"))[3]
    >>> row.actions, row.player, str(row.payoff), row.is_best_response
    (('cooperate', 'defect'), '2', '5', True)
    """
    require_normal_form(game)
    marks = best_replies(game.given_payoffs)
    stable = np.asarray(marks.all(axis=0))
    rows: list[PayoffRow] = []
    for cell in np.ndindex(*game.num_actions):
        actions = tuple(own[a] for own, a in zip(game.actions, cell, strict=True))
        for player, label in enumerate(game.players):
            rows.append(
                PayoffRow(
                    actions=actions,
                    player=label,
                    action=actions[player],
                    payoff=cast("Fraction", game.exact_payoffs[(player, *cell)]),
                    is_best_response=bool(marks[(player, *cell)]),
                    is_equilibrium=bool(stable[cell]),
                )
            )
    return tuple(rows)


def bayesian_payoffs(game: BayesianGame, profile: MixedProfile) -> tuple[Fraction, ...]:
    """Return what the leader gets, and each type of the follower, exactly.

    Args:
        profile: The leader's strategy, then one for each type; floats count as the rationals they
            mean.

    Returns:
        The leader's payoff averaged over the prior; a type's payoff is what that type gets.
    """
    check_mixed_profile(game, profile)
    leader, *types = (as_exact(strategy) for strategy in profile.to_exact().strategies)
    earned = [
        cast("list[Fraction]", (leader @ one.exact_payoffs @ strategy).tolist())
        for one, strategy in zip(game.games, types, strict=True)
    ]
    own = sum((p * pair[0] for p, pair in zip(game.prior, earned, strict=True)), ZERO)
    return (own, *(pair[1] for pair in earned))
