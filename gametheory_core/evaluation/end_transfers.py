"""Transfers at the end of play, by which a mediator threatens the last leader.

Whoever leads the last step of a mediated game has no future to lose. A mediator may therefore move
payoffs among the agents after that step. Transfers sum to zero, enter what the agents maximize and
nothing else: fairness is that of the returns which the game itself pays.
"""

from collections.abc import Sequence
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.fairness import Fairness, fairness_value
from gametheory_core.games.kernels import spread
from gametheory_core.games.mediated import MediatedGame

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

    Actions after which play goes on move nothing, and are not compared with.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> from gametheory_core.evaluation.fairness import MINIMUM
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


def require_known_ends(game: MediatedGame, *, rule: EndRule, function: str) -> None:
    """Refuse games in which nobody knows whether a step is the last, or a rule cannot be priced.

    Raises:
        UnsupportedGame: Names the step.
    """
    if rule is EndRule.EQUALIZE_CUMULATIVE and not game.discount and game.horizon > 1:
        raise UnsupportedGame(
            f"{function}: needs a discount above 0 to equalize returns at the end, but it is 0: "
            "what is paid later counts for nothing. Use another end rule."
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
            f"{function}: needs steps that surely end play or surely do not, for transfers at the "
            f"end, but after {leader!r} leads with action {int(game.row_action[row])} in state "
            f"{game.states[int(game.row_state[row])]!r} play may end or go on. Use "
            "stage=MediatorStage.PRE_FINAL, which needs no transfers."
        )
