"""The fairest play of a mediated game, by exhaustion: what a mediator could reach at most."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import ZERO
from gametheory_core.evaluation.fairness import MINIMUM, Fairness, fairness_value
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.games.mediated_histories import (
    HistoryLayer,
    MediatedHistories,
    mediated_histories,
)
from solvers.mediated.fairness_scores import fairness_scores
from solvers.mediated.play_requirements import require_nothing_drawn

Integers: TypeAlias = NDArray[Any]


@dataclass(frozen=True)
class FairPlay:
    """The fairest play there is, if everybody did as told.

    Attributes:
        leaders, actions: Who leads, and what the leader does, step by step.
        fairness: No sequence of leaders and actions is fairer.
    """

    leaders: tuple[int, ...]
    actions: tuple[int, ...]
    returns: tuple[Fraction, ...]
    fairness: Fraction


def fair_optimum(game: MediatedGame, *, fairness: Fairness = MINIMUM) -> FairPlay:
    """Find the fairest sequence of leaders and actions, whatever anybody wants.

    Args:
        game: In which nothing is drawn.

    Raises:
        InvalidArgument: If the measure cannot judge some returns that are possible.
        UnsupportedGame: If states are drawn, or the histories are too many to list.

    Exhaustive over all sequences, merged where state and returns are the same.

    >>> from gametheory_core.catalog.mediated import mediated_prisoners_dilemma
    >>> found = fair_optimum(mediated_prisoners_dilemma())
    >>> str(found.fairness), found.leaders
    ('6', (0, 0, 1, 1))
    """
    require_nothing_drawn(game, fairness, function="fair_optimum")
    histories = mediated_histories(game)
    best = _best_scores(histories, fairness)
    node, leaders, actions = histories.start[0], list[int](), list[int]()
    returns = [ZERO] * game.num_players
    for t, layer in enumerate(histories.layers):
        if node < 0:
            break
        leader, action = divmod(int(best[t][node].argmax()), game.max_actions)
        leaders.append(leader)
        actions.append(action)
        step = game.rewards[layer.row[node, leader, action]].tolist()
        returns = [h + game.discount**t * r for h, r in zip(returns, step, strict=True)]
        node = int(layer.child[node, leader, action, 0])
    found = tuple(returns)
    return FairPlay(tuple(leaders), tuple(actions), found, fairness_value(fairness, found))


def _best_scores(histories: MediatedHistories, fairness: Fairness) -> list[Integers]:
    """Return the best score after each leader and action of each node, shape (n, N * A)."""
    game = histories.game
    found: list[Integers] = []
    after: Integers = np.zeros(0, dtype=object)
    for t in reversed(range(len(histories.layers))):
        layer = histories.layers[t]
        legal = layer.row >= 0
        ends = legal & (layer.child[..., 0] < 0)
        goes_on = layer.child[..., 0] >= 0
        scores = np.full(legal.shape, None, dtype=object)
        if ends.any():
            totals = _totals(game, layer, t)[ends]
            scores[ends] = fairness_scores(fairness, totals, denominator=histories.denominator)
        scores[goes_on] = after[layer.child[..., 0][goes_on]]
        lowest = min(scores[legal].tolist()) - 1
        scores[~legal] = lowest
        flat = scores.reshape(len(scores), -1)
        found.append(flat)
        after = flat.max(axis=1)
    return found[::-1]


def _totals(game: MediatedGame, layer: HistoryLayer, t: int) -> Integers:
    """Return the returns so far and of step ``t``, after each leader and action."""
    scale = game.discount.numerator**t * game.discount.denominator ** (game.horizon - 1 - t)
    rewards = game.scaled_rewards.numerators[layer.row] * scale
    return layer.returns.astype(object)[:, None, None, :] + rewards
