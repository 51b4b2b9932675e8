"""What own sequences earn against trembling opponents: polynomials as rows of integers.

Multiplying all by one positive number changes no comparison, so coefficients are integers, and
rows compare as words do: the first difference decides for all small epsilon > 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from math import lcm
from typing import TypeAlias

from gametheory_core.arrays import scaled_integers
from gametheory_core.strategies.polynomials import Polynomial
from gametheory_core.strategies.sequence_form import SequenceForm
from gametheory_core.strategies.trembles import TremblingProfile

Coefficients: TypeAlias = list[int]  # from the constant on


@dataclass(frozen=True)
class TremblingPayoffs:
    """One player's prospects where the others tremble.

    Attributes:
        player: Whose.
        collected: For each own sequence: what plays that end with it pay, weighted by the reach of
            all others, up to the common factor ``scale``; rows of one length.
        scale: Positive; ``collected`` is that many times what others' plans give in payoff units.
    """

    player: int
    collected: list[Coefficients]
    scale: int


def trembling_payoffs(
    form: SequenceForm, trembles: TremblingProfile, *, player: int
) -> TremblingPayoffs:
    """Collect a player's payoffs under each own sequence, against the others' polynomial plans.

    Args:
        trembles: Fits the game (trusted here).
        player: Who earns, from 0.
    """
    game = form.game
    payoffs = scaled_integers(game.exact_terminal_payoffs[:, player])
    chance = scaled_integers(form.chance_weight)
    others = [own for own in range(game.num_players) if own != player]
    plans, factors = zip(*map(_integer_plan, trembles.weights), strict=True)
    merged: dict[tuple[int, ...], int] = {}
    paid = (payoffs.numerators * chance.numerators).tolist()
    places = form.terminal_sequences[[player, *others]].T.tolist()
    for place, amount in zip(map(tuple, places), paid, strict=True):
        merged[place] = merged.get(place, 0) + amount
    width = 1 + sum(max(len(weight) for weight in plans[other]) - 1 for other in others)
    collected = [[0] * width for _ in range(form.players[player].num_sequences)]
    for (own, *ends), amount in merged.items():
        if amount:
            row = collected[own]
            weights = [plans[other][end] for other, end in zip(others, ends, strict=True)]
            for order, coefficient in enumerate(reduce(_product, weights, [amount])):
                row[order] += coefficient
    scale = payoffs.denominator * chance.denominator
    for other in others:
        scale *= factors[other]
    return TremblingPayoffs(player, collected, scale)


def _integer_plan(weights: Sequence[Polynomial]) -> tuple[list[Coefficients], int]:
    """Multiply a plan by the common denominator of its coefficients."""
    factor = lcm(*{c.denominator for weight in weights for c in weight})
    plan = [[c.numerator * (factor // c.denominator) for c in weight] for weight in weights]
    return plan, factor


def _product(first: Coefficients, second: Coefficients) -> Coefficients:
    if len(first) == 1:
        return [first[0] * b for b in second]
    product = [0] * (len(first) + len(second) - 1)
    for i, a in enumerate(first):
        for j, b in enumerate(second):
            product[i + j] += a * b
    return product
