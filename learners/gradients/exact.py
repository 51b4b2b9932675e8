"""The exact policy gradient of players without memory, in floats, within microseconds.

With ``x`` a player's probabilities and all other policies held fixed, the expected return ``J(x)``
has the partial derivatives

    sum over t, and over places k of observation o, of  gamma^t Pr(k at t) Q_t(k, a),

where ``Q_t(k, a)`` is what the player receives from step ``t`` on, in units of that step, after
``a`` there and by ``x`` from then on.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument, InvalidStrategy
from learners.gradients.places import PlaceTable
from learners.gradients.softmax import Table


@dataclass(frozen=True, eq=False)
class PolicyGradient:
    """How a player's expected return changes with the own policy.

    Attributes:
        value: The expected discounted return.
        partials (O, A): In the probabilities, all taken as independent variables; along lotteries
            only differences of the actions of one observation count.
        logits (O, A): In the logits of a softmax.
    """

    value: float
    partials: Table
    logits: Table


def exact_gradient(
    table: PlaceTable, policies: Sequence[Table], *, player: int = 0
) -> PolicyGradient:
    """Return the gradient of a player's expected return at memoryless policies.

    Args:
        table: From ``place_table(game)``.
        policies (O_i, A_i): One lottery an observation for each player; sampled afresh at each
            step.
        player: Whose return, and whose policy varies.

    Raises:
        InvalidStrategy: If the policies' shapes do not fit the game.
        InvalidArgument: If there is no such player.

    Time is linear in the horizon times the number of places, joint actions and successors.

    >>> from gametheory_core.catalog.iterated import iterated_prisoners_dilemma
    >>> from learners.gradients.places import place_table
    >>> table = place_table(iterated_prisoners_dilemma(rounds=10))
    >>> found = exact_gradient(table, [np.full((5, 2), 0.5)] * 2)
    >>> round(found.value, 9), found.logits[0].round(9).tolist()
    (-15.0, [-0.25, 0.25])
    """
    from learners._kernels.exact_gradient import PlaceArrays, partials  # noqa: PLC0415 loads numba

    stacked = _stacked(table, policies)
    if not 0 <= player < len(stacked):
        raise InvalidArgument(
            needs=f"a player from 0 to {len(stacked) - 1}", found=f"got {player!r}"
        )
    own = policies[player]
    found = np.empty((stacked.shape[1], stacked.shape[2]))
    arrays = PlaceArrays(
        table.first,
        table.observations,
        table.joint_start,
        table.joint_actions,
        table.joint_rewards,
        table.edge_start,
        table.edge_place,
        table.edge_chance,
    )
    value = partials(arrays, stacked, player, table.horizon, float(table.game.discount), found)
    kept = found[: own.shape[0], : own.shape[1]]
    mean = (own * kept).sum(axis=1, keepdims=True)
    return PolicyGradient(value, kept, own * (kept - mean))


def _stacked(table: PlaceTable, policies: Sequence[Table]) -> NDArray[np.float64]:
    """Return the policies as one array (N, O, A), padded with zeros, after checking shapes."""
    game = table.game
    shapes = [
        (len(seen), len(own)) for seen, own in zip(game.observations, game.actions, strict=True)
    ]
    given = [policy.shape for policy in policies]
    if given != shapes:
        raise InvalidStrategy(
            needs=f"policies of the shapes {shapes}, observations by actions", found=f"got {given}"
        )
    if all(shape == shapes[0] for shape in shapes):
        return np.array(policies, dtype=np.float64)
    stacked = np.zeros((len(shapes), *(max(sizes) for sizes in zip(*shapes, strict=True))))
    for i, (rows, columns) in enumerate(shapes):
        stacked[i, :rows, :columns] = policies[i]
    return stacked
