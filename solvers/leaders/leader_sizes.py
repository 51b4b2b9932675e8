"""Games whose every bound would take too long are refused, with the bound that costs nothing."""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.certificates.certificate import at_most_roughly
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_problems import require_short_work
from gametheory_core.evaluation.follower_responses import FollowerClass
from gametheory_core.evaluation.stationary_followers import num_stationary_followers
from gametheory_core.games.leader_view import LeaderView

MOST_WORK = 50_000_000  # multiplications of numbers of 64 bits, for one exact bound
MOST_FOLLOWERS = 1 << 22  # stationary policies, among which a response is searched
MOST_SUMS = 15_000_000  # the same for a bound in fractions, each of which costs more
FRACTION_WORDS = 150  # as many words take as long as what a fraction costs beside its words
MOST_STEPS_SUMMED = 10_000  # up to which discounts are summed exactly
MOST_CELLS = 1 << 19  # of state, joint action and next state; certificates take 16 such tables
WORD = 64


def refuse_large_problem(view: LeaderView, follower_class: FollowerClass, *, function: str) -> None:
    """Refuse a game of which a single dynamic program, in exact numbers, is out of reach.

    Raises:
        UnsupportedGame: Names the size, and what any leader earns at most; or the number of
            stationary policies.
    """
    if follower_class is FollowerClass.STATIONARY:
        _refuse_many_followers(view, function)
    size = view.tables.successor.size
    if size > MOST_CELLS:
        raise UnsupportedGame(
            f"{function}: needs at most {MOST_CELLS:,} cells of state, joint action, legal or not, "
            f"and next state, but {view.game!r} has {size:,}. No leader gets more "
            f"than {_highest(view)}, the largest reward in every step. Number the legal "
            "actions of each state from 0 on, so that states share them."
        )
    cells, words = problem_size(view)
    _refuse(view, cells * words, MOST_WORK, function)
    require_short_work(view, cells=size, function=function)


def refuse_long_sums(view: LeaderView, *, function: str) -> None:
    """Refuse a game of which a bound in fractions, as certificates compute it, is out of reach.

    Raises:
        UnsupportedGame: Names the size, and what any leader earns at most.
    """
    cells, words = problem_size(view)
    _refuse(view, cells * (words + FRACTION_WORDS), MOST_SUMS, function)


def problem_size(view: LeaderView) -> tuple[int, int]:
    """Return the cells of state, actions, next state and step, and the words of their numbers."""
    tables = view.tables
    scale = tables.weight_denominator * view.discount.denominator
    bits = (scale - 1).bit_length() * view.horizon
    return tables.successor.size * view.horizon, 1 + bits // WORD


def _refuse(view: LeaderView, work: int, most: int, function: str) -> None:
    if work > most:
        cells, words = problem_size(view)
        raise UnsupportedGame(
            f"{function}: needs work of at most {most:,} for one exact bound, in multiplications "
            f"of {WORD}-bit numbers, but it would be {work:,}: {view.game!r} has {cells:,} cells "
            "of state, actions, next state and step, with numbers of about "
            f"{words:,} words. No leader gets more than {_highest(view)}, the largest reward in "
            "every step. Stop the game earlier, by stop_posg(game, steps=...)."
        )


def _refuse_many_followers(view: LeaderView, function: str) -> None:
    count = num_stationary_followers(view)
    if count > MOST_FOLLOWERS:
        raise UnsupportedGame(
            f"{function}: needs at most {MOST_FOLLOWERS:,} stationary policies of the follower, "
            f"but {view.game.players[view.follower]!r} has {count:,} in {view.game!r}. No leader "
            f"gets more than {_highest(view)}, the largest reward in every step. Take "
            "FollowerClass.TIME_AWARE, for whom the number of policies does not matter."
        )


def _highest(view: LeaderView) -> str:
    return at_most_roughly(highest_return(view))


def highest_return(view: LeaderView) -> Fraction:
    """Return what the leader would get if every step paid the largest reward, or 0 after the end.

    After very many steps, what endless ones would pay is returned, which is hardly more.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> highest_return(leader_view(RepeatedGame.of("prisoners_dilemma", rounds=3)))
    Fraction(15, 1)
    """
    rewards = view.tables.rewards[..., 0]
    largest = Fraction(int(np.max(rewards, initial=0)), view.tables.reward_denominator)
    if view.discount == 1:
        return largest * view.horizon
    steps = view.horizon
    left = view.discount**steps if steps <= MOST_STEPS_SUMMED else ZERO
    total = (1 - left) / (1 - view.discount)
    return max(largest * total, ZERO)
