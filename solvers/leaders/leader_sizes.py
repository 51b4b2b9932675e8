"""Games whose every bound would take too long are refused, with the bound that costs nothing."""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_responses import FollowerClass
from gametheory_core.evaluation.stationary_followers import num_stationary_followers
from gametheory_core.games.leader_view import LeaderView

MOST_WORK = 50_000_000  # multiplications of numbers of 64 bits, for one exact bound
MOST_FOLLOWERS = 1 << 22  # stationary policies, among which a response is searched
WORD = 64


def refuse_large_problem(view: LeaderView, follower_class: FollowerClass, *, function: str) -> None:
    """Refuse a game of which a single dynamic program, in exact numbers, is out of reach.

    Raises
    ------
    UnsupportedGame
        Names the size, and what any leader earns at most; or the number of stationary policies.
    """
    if follower_class is FollowerClass.STATIONARY:
        _refuse_many_followers(view, function)
    tables = view.tables
    scale = tables.weight_denominator * view.discount.denominator
    words = 1 + (scale.bit_length() * view.horizon) // WORD
    cells = tables.successor.size * view.horizon
    if cells * words > MOST_WORK:
        raise UnsupportedGame(
            f"{function}: needs at most {MOST_WORK:,} multiplications of {WORD}-bit numbers for "
            f"one bound, but {view.game!r} has {cells:,} cells of state, actions, next state and "
            f"step, with numbers of about {words} words. No leader gets more than "
            f"{highest_return(view)}, the largest reward in every step. Stop the game earlier, by "
            "stop_posg(game, steps=...)."
        )


def _refuse_many_followers(view: LeaderView, function: str) -> None:
    count = num_stationary_followers(view)
    if count > MOST_FOLLOWERS:
        raise UnsupportedGame(
            f"{function}: needs at most {MOST_FOLLOWERS:,} stationary policies of the follower, "
            f"but {view.game.players[view.follower]!r} has {count:,} in {view.game!r}. No leader "
            f"gets more than {highest_return(view)}, the largest reward in every step. Take "
            "FollowerClass.TIME_AWARE, for whom the number of policies does not matter."
        )


def highest_return(view: LeaderView) -> Fraction:
    """Return what the leader would get if every step paid the largest reward, or 0 after the end.

    Examples
    --------
    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> highest_return(leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3)))
    Fraction(15, 1)
    """
    rewards = view.tables.rewards[..., 0]
    largest = Fraction(int(np.max(rewards, initial=0)), view.tables.reward_denominator)
    if view.discount == 1:
        return largest * view.horizon
    total = (1 - view.discount**view.horizon) / (1 - view.discount)
    return max(largest * total, ZERO)
