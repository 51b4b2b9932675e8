"""Fairness: what a vector of returns, one for each player, is worth to a mediator.

Three measures are known. The *minimum* looks at who has least. The *generalized Gini* measure
weighs the returns in ascending order by weights that do not increase, so that more for the worse
off counts more. The *Nash* measure multiplies what the players have above a point of disagreement.

Whoever leads the last step of a mediated game has no future to lose. A mediator may therefore move
payoffs among the agents after that step. Transfers sum to zero, enter what the agents maximize and
nothing else: fairness is that of the returns which the game itself pays.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, require_member
from gametheory_core.arrays import ONE, ZERO, rational_text, to_fraction
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.table_content import spread
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.probabilities import normalized


class FairnessKind(Enum):
    """Measures of fairness."""

    MINIMUM = "minimum"
    GINI = "Gini"
    NASH = "Nash"


@dataclass(frozen=True)
class Fairness:
    """A measure of fairness, with its numbers.

    Attributes:
        weights: Of the Gini measure, for the lowest return first: they do not increase, are not
            negative, and sum to 1. Empty for the other kinds.
        disagreement: Of the Nash measure: what each player has if nothing is agreed; the product is
            of what is above it. Empty for the other kinds, and for zero to everybody.

    Raises:
        InvalidArgument: If a number does not fit the kind; names it.

    >>> Fairness(FairnessKind.GINI, weights=(Fraction(2, 3), Fraction(1, 3))).kind.value
    'Gini'
    """

    kind: FairnessKind
    weights: tuple[Fraction, ...] = ()
    disagreement: tuple[Fraction, ...] = ()

    def __post_init__(self) -> None:
        require_member(self.kind, FairnessKind, name="kind")
        for name, kind in (("weights", FairnessKind.GINI), ("disagreement", FairnessKind.NASH)):
            given = as_tuple(getattr(self, name), name=name)
            if given and self.kind is not kind:
                raise InvalidArgument(
                    needs=f"{name} for {kind} only",
                    found=f"they are given for {self.kind}",
                    remedy="Leave them out.",
                )
            exact = tuple(to_fraction(number, where=f"Fairness: {name}") for number in given)
            if name == "weights":
                exact = normalized(exact, given=given) or exact  # floats miss 1 by rounding
            object.__setattr__(self, name, exact)
        if self.kind is FairnessKind.GINI:
            _check_weights(self.weights)


MINIMUM = Fairness(FairnessKind.MINIMUM)


def _check_weights(weights: tuple[Fraction, ...]) -> None:
    remedy = "Give one for each player, the largest for the lowest return."
    if not weights or weights[-1] < 0 or sum(weights, ZERO) != ONE:
        raise InvalidArgument(
            needs="Gini weights of at least 0 that sum to 1",
            found=f"they are ({', '.join(map(rational_text, weights))}), with sum "
            f"{rational_text(sum(weights, ZERO))}",
            remedy=remedy,
        )
    for k in range(1, len(weights)):
        if weights[k] > weights[k - 1]:
            raise InvalidArgument(
                needs="Gini weights that do not increase",
                found=f"weight {k + 1} is {rational_text(weights[k])} after "
                f"{rational_text(weights[k - 1])}",
                remedy=remedy,
            )


def fairness_value(fairness: Fairness, returns: Sequence[Fraction | int]) -> Fraction:
    """Return the fairness of returns, exactly.

    Args:
        returns: One for each player, at least one; integers are read as such, floats are refused.

    Raises:
        InvalidArgument: If there are no returns, or not as many as weights or disagreement payoffs;
            if the measure is Nash and somebody has less than at disagreement: a product of two
            losses is positive, so (-2, -3) would beat (1, 1). The message names the player by
            position.

    Source: :cite:`weymark1981generalized`, for the Gini measure; :cite:`nash1950bargaining`, for
        the product.

    >>> fairness_value(MINIMUM, (Fraction(5), Fraction(1)))
    Fraction(1, 1)
    >>> gini = Fairness(FairnessKind.GINI, weights=(Fraction(2, 3), Fraction(1, 3)))
    >>> fairness_value(gini, (Fraction(5), Fraction(1)))
    Fraction(7, 3)
    >>> fairness_value(Fairness(FairnessKind.NASH), (Fraction(5), Fraction(1)))
    Fraction(5, 1)
    """
    require_instance(fairness, Fairness, name="fairness")
    exact = _exact_returns(returns)
    if fairness.kind is FairnessKind.MINIMUM:
        return min(exact)
    if fairness.kind is FairnessKind.GINI:
        check_fairness(fairness, len(exact))
        return sum(
            (w * u for w, u in zip(fairness.weights, sorted(exact), strict=True)), start=ZERO
        )
    return _nash(fairness, exact)


def check_fairness(fairness: Fairness, num_players: int) -> None:
    """Refuse a measure with numbers for another number of players.

    Raises:
        InvalidArgument: Names the numbers and how many there are.

    >>> check_fairness(MINIMUM, 7)
    >>> check_fairness(Fairness(FairnessKind.GINI, weights=("2/3", "1/3")), 2)
    """
    require_instance(fairness, Fairness, name="fairness")
    for name in ("weights", "disagreement"):
        given = getattr(fairness, name)
        if given and len(given) != num_players:
            raise InvalidArgument(
                needs=f"{name} for each of {num_players} players",
                found=f"has {len(given)} ({', '.join(map(str, given))})",
            )


def _nash(fairness: Fairness, returns: tuple[Fraction, ...]) -> Fraction:
    check_fairness(fairness, len(returns))
    least = fairness.disagreement or (ZERO,) * len(returns)
    gains = [u - d for u, d in zip(returns, least, strict=True)]
    for i, gain in enumerate(gains):
        if gain < 0:
            raise InvalidArgument(
                needs="returns of at least what is had at disagreement for the Nash measure",
                found=f"player {i + 1} has {returns[i]}, below {least[i]}",
                remedy="Give a lower disagreement point, Fairness(FairnessKind.NASH, "
                "disagreement=(...)), or another measure.",
            )
    return math.prod(gains, start=ONE)


def _exact_returns(returns: Any) -> tuple[Fraction, ...]:
    given = as_tuple(returns, name="returns")
    if not given:
        raise InvalidArgument(needs="at least one return", found="got none")
    for u in given:
        if type(u) not in (int, Fraction):
            raise InvalidArgument(
                needs="returns that are Fractions or integers",
                found=f"got {u!r} (type {type(u).__name__})",
                remedy="Read floats exactly with Fraction(...).",
            )
    return tuple(map(Fraction, cast("tuple[Fraction, ...]", given)))


Vector: TypeAlias = tuple[Fraction, ...]


class MediatorStage(Enum):
    """How much of the mediator's three parts is in use."""

    NAIVE = "fair leaders"
    PRE_FINAL = "fair leaders, returns so far"
    FULL = "fair leaders, returns so far, transfers at the end"


class EndRule(Enum):
    """When, and how much, the last leader pays to the others.

    By the first two rules a last action is *ideal* if none of the leader's would be fairer. After
    any other, the leader pays the largest difference between two rewards of this step, in equal
    shares to the others.
    """

    STEP_IDEAL = "unless the rewards of the last step are as fair as can be"
    HISTORY_IDEAL = "unless the returns of all steps are as fair as can be"
    EQUALIZE_CUMULATIVE = "until everybody has the same return"


def end_transfers(
    game: MediatedGame,
    *,
    fairness: Fairness,
    rule: EndRule,
    step: int,
    state: int,
    returns: Sequence[Fraction],
    leader: int,
) -> dict[int, Vector]:
    """Return what each player receives after each action of a leader, in payoffs of that step.

    Args:
        fairness: What an ideal action maximizes.
        step, state: Where the leader acts.
        returns: What each player has collected before, discounted to step 0.

    Actions after which play continues move nothing, and are not compared with.

    >>> from gametheory_core.mediation import MINIMUM, mediated_chicken
    >>> game, rule = mediated_chicken(rounds=1), EndRule.HISTORY_IDEAL
    >>> moved = end_transfers(
    ...     game, fairness=MINIMUM, rule=rule, step=0, state=0, returns=(0, 0), leader=0
    ... )
    >>> {game.actions[0][a]: tuple(map(str, own)) for a, own in moved.items()}
    {'straight': ('-5', '5'), 'swerve': ('-5', '5'), 'brake': ('0', '0')}
    """
    weight = game.discount**step
    rewards: dict[int, Vector] = {}
    for action in game.legal(state, leader):
        row = game.row(state, leader, action)
        if ends_play(game, step, row):
            rewards[action] = tuple(game.rewards[row].tolist())
    totals = {a: _total(returns, weight, r) for a, r in rewards.items()}
    nothing = (ZERO,) * game.num_players
    moved = dict.fromkeys(game.legal(state, leader), nothing)
    if rule is EndRule.EQUALIZE_CUMULATIVE:
        return moved | {a: _equalizing(total, weight) for a, total in totals.items()}
    compared = rewards if rule is EndRule.STEP_IDEAL else totals
    values = {a: fairness_value(fairness, vector) for a, vector in compared.items()}
    fined = {
        a: _fine(rewards[a], leader) for a, value in values.items() if value < max(values.values())
    }
    return moved | fined


def _total(returns: Sequence[Fraction], weight: Fraction, rewards: Vector) -> Vector:
    return tuple(h + weight * r for h, r in zip(returns, rewards, strict=True))


def _equalizing(total: Vector, weight: Fraction) -> Vector:
    mean = sum(total, ZERO) / len(total)
    return tuple((mean - own) / weight for own in total)


def _fine(rewards: Vector, leader: int) -> Vector:
    spread_of_rewards = max(rewards) - min(rewards)
    others = max(1, len(rewards) - 1)
    return tuple(
        -spread_of_rewards if j == leader else spread_of_rewards / others
        for j in range(len(rewards))
    )


def ends_play(game: MediatedGame, step: int, row: int) -> bool:
    """Tell whether play surely ends with a step: the last one, or one into terminal states."""
    if step == game.horizon - 1:
        return True
    after = game.transition_kernel.outcome[game.transition_kernel.row(row)].tolist()
    return all(game.is_terminal(state) for state in after)


def require_known_ends(game: MediatedGame, *, rule: EndRule) -> None:
    """Refuse games in which nobody knows whether a step is the last, or a rule cannot be priced.

    Raises:
        UnsupportedGame: Names the step.
    """
    if rule is EndRule.EQUALIZE_CUMULATIVE and not game.discount and game.horizon > 1:
        raise UnsupportedGame(
            needs="a discount above 0 to equalize returns at the end",
            found="it is 0: what is paid later counts for nothing",
            remedy="Use another end rule.",
        )
    kernel = game.transition_kernel
    entry_row, _ = spread(kernel.sizes)
    ends = np.array([game.is_terminal(state) for state in kernel.outcome.tolist()], dtype=bool)
    counts = np.bincount(entry_row, weights=ends, minlength=kernel.num_rows)
    unsure = np.flatnonzero((counts > 0) & (counts < kernel.sizes))
    if game.horizon > 1 and unsure.size:
        row = int(unsure[0])
        leader = game.players[int(game.row_leader[row])]
        raise UnsupportedGame(
            needs="steps that surely end play or surely do not, for transfers at the end",
            found=f"after {leader!r} leads with action {int(game.row_action[row])} in state "
            f"{game.states[int(game.row_state[row])]!r} play may end or go on",
            remedy="Use stage=MediatorStage.PRE_FINAL, which needs no transfers.",
        )
