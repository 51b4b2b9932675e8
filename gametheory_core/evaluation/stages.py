"""Stage games of Markov games: what joint actions pay, now and by the values of what comes after.

    Q_i(s, a) = r_i(s, a) + gamma sum_s' P(s' | s, a) v_i(s')

Values are 0 where nobody acts. All is exact: integers over a common denominator, or ``Fraction``
objects where that denominator would be long.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple

import numpy as np

from gametheory_core.arrays import ExactArray, freeze, object_array, scaled_integers
from gametheory_core.games import MarkovView, NormalFormGame
from gametheory_core.strategies.correlated import CorrelatedDistribution
from gametheory_core.strategies.markov import Lottery

LONG_DENOMINATOR = 1024  # bits


@dataclass(frozen=True, eq=False)
class StagePayoffs:
    """What each row of a game's transitions pays one player.

    Attributes:
        numerators (num_rows,): Payoff = numerator / denominator.
        denominator: Positive.
    """

    numerators: ExactArray
    denominator: int


class ActionPayoffs(NamedTuple):
    """What a player's legal actions in a state pay against the others' distributions.

    Attributes:
        each: In the order of ``view.legal[state][player]``.
        own: What the player's own distribution pays.
    """

    each: tuple[Fraction, ...]
    own: Fraction


def stage_payoffs(view: MarkovView, values: ExactArray) -> tuple[StagePayoffs, ...]:
    """Return what joint actions pay each player, if what comes after has these values.

    Args:
        values (num_states, N): 0 where play is over.

    >>> from gametheory_core.arrays import exact_array
    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.conversions import markov_view
    >>> view = markov_view(RepeatedGame.of("matching_pennies"))
    >>> payoffs = stage_payoffs(view, exact_array([[0, 0]] * view.num_states))
    >>> payoffs[0].numerators[view.stage_rows(0)].tolist()
    [[1, -1], [-1, 1]]
    """
    rewards = view.rewards
    return tuple(
        _one_player(view, rewards.numerators[:, player], values[:, player])
        for player in range(view.num_players)
    )


def _one_player(view: MarkovView, rewards: ExactArray, values: ExactArray) -> StagePayoffs:
    kernel, discount, scale = (
        view.game.transition_kernel,
        view.game.discount,
        view.rewards.denominator,
    )
    if not discount or not any(values.tolist()):
        return StagePayoffs(rewards, scale)
    long = lcm(*{value.denominator for value in values.tolist()}).bit_length() > LONG_DENOMINATOR
    numerators, over = (values, 1) if long else _integers(values)
    after = np.add.reduceat(
        kernel.scaled.numerators * numerators[kernel.outcome], kernel.start[:-1]
    )
    down = discount.denominator * kernel.scaled.denominator * over
    total = rewards * down + after * (discount.numerator * scale)
    return StagePayoffs(freeze(total), scale * down)


def _integers(values: ExactArray) -> tuple[ExactArray, int]:
    scaled = scaled_integers(values)
    return scaled.numerators, scaled.denominator


def action_payoffs(
    view: MarkovView, state: int, player: int, lotteries: tuple[Lottery, ...], paid: StagePayoffs
) -> ActionPayoffs:
    """Return what a player's actions in a state pay, when the others draw from their distributions.

    Args:
        lotteries: Of all players in the state.
        paid: Of the player.
    """
    table: Any = paid.numerators[view.stage_rows(state)]
    down = paid.denominator
    weights: list[tuple[Any, int]] = []
    for own, legal in zip(lotteries, view.legal[state], strict=True):
        weights.append(_integers(object_array([own[a] for a in legal])))
    for other in reversed(range(view.num_players)):
        if other > player:
            table = table @ weights[other][0]
            down *= weights[other][1]
    for other in reversed(range(player)):
        table = np.tensordot(weights[other][0], table, axes=([0], [other]))
        down *= weights[other][1]
    each = tuple(Fraction(value, down) for value in table.tolist())
    own = Fraction(sum((weights[player][0] * table).tolist()), down * weights[player][1])
    return ActionPayoffs(each, own)


class Obedience(NamedTuple):
    """What a player gets from a mediator's recommendations in a state.

    Attributes:
        own: By following them.
        best: At most, by the best answer to each recommendation.
    """

    own: Fraction
    best: Fraction


def obedience(
    view: MarkovView, state: int, player: int, law: CorrelatedDistribution, paid: StagePayoffs
) -> Obedience:
    """Return what a player gets in a state by obeying a mediator, and by disobeying at best."""
    legal = view.legal[state]
    table: Any = paid.numerators[view.stage_rows(state)]
    scaled = scaled_integers(object_array(law.probabilities))
    weights: Any = np.zeros(table.shape, dtype=object)
    for joint, weight in zip(law.joint_actions, scaled.numerators.tolist(), strict=True):
        weights[tuple(own.index(a) for own, a in zip(legal, joint, strict=True))] = weight
    count = len(legal[player])
    weights = np.moveaxis(weights, player, 0).reshape(count, -1)
    table = np.moveaxis(table, player, 0).reshape(count, -1)
    answers = (weights @ table.T).tolist()  # recommended action x own answer
    down = scaled.denominator * paid.denominator
    own = sum(row[k] for k, row in enumerate(answers))
    return Obedience(Fraction(own) / down, Fraction(sum(map(max, answers))) / down)


def stage_game(view: MarkovView, state: int, paid: tuple[StagePayoffs, ...]) -> NormalFormGame:
    """Return the stage game of a state as a normal form over the legal actions.

    Args:
        paid: Of each player: ``stage_payoffs(view, values)``.
    """
    rows = view.stage_rows(state)
    tables = np.empty((view.num_players, *rows.shape), dtype=object)
    for player, own in enumerate(paid):
        numbers = own.numerators[rows].ravel().tolist()
        values = object_array([Fraction(x) / own.denominator for x in numbers])
        tables[player] = values.reshape(rows.shape)
    return NormalFormGame.from_payoffs(freeze(tables), players=view.game.players)
