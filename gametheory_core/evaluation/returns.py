"""Returns of policies in POSGs and AEC games, and what a player could gain by another policy.

Everything is asked of the rules directly and computed in rationals, without a conversion, so that
conversions can be judged by it.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import cast

from gametheory_core.arrays import ZERO, ExactArray, exact_array, freeze
from gametheory_core.evaluation.policy_best_response import best_response_returns
from gametheory_core.evaluation.trajectories import (
    MAX_PLAYS,
    aec_trajectories,
    posg_trajectories,
)
from gametheory_core.games.aec import AEC
from gametheory_core.games.checked_rules import checked_rules
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.plays import AecPlay, PosgPlay
from gametheory_core.games.rules import Rules, is_posg
from gametheory_core.strategies.policies import PolicyProfile


def discounted_return(play: PosgPlay | AecPlay, discount: Fraction) -> tuple[Fraction, ...]:
    """Return what a play pays each player, discounted by steps or by completed chance moves.

    >>> from gametheory_core.games.plays import Step
    >>> steps = tuple(Step("s", (None,), ("a",), (Fraction(1),)) for _ in range(3))
    >>> str(discounted_return(PosgPlay(steps, "s"), Fraction(1, 2))[0])
    '7/4'
    """
    if isinstance(play, PosgPlay):
        paid = [(t, step.rewards) for t, step in enumerate(play.steps)]
    else:
        paid = list(zip(_completed(play), (move.rewards for move in play.moves), strict=True))
    if not paid:
        return ()
    weights = [discount**t for t, _ in paid]
    columns = zip(*(rewards for _, rewards in paid), strict=True)
    return tuple(sum((w * r for w, r in zip(weights, c, strict=True)), ZERO) for c in columns)


def _completed(play: AecPlay) -> Iterator[int]:
    chances = -1
    for move in play.moves:
        yield max(0, chances)
        chances += move.mover == CHANCE


def expected_returns(
    game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> ExactArray:
    """Return each player's expected discounted return, shape (num_players,), exact.

    Args:
        max_plays: The largest number of plays to follow.

    Raises:
        InvalidStrategy: If a policy says nothing where it is asked, or plays an illegal action.
        UnsupportedGame: If there are too many plays, or play does not end.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> game = RandomOrderTeam()
    >>> str(expected_returns(game, uniform_policies(game))[0])
    '1/4'
    """
    game = checked_rules(game, "expected_returns")
    law = (
        posg_trajectories(game, profile, max_plays=max_plays)
        if is_posg(game)
        else aec_trajectories(cast("AEC", game), profile, max_plays=max_plays)
    )
    total = [ZERO] * len(game.players)
    for play, weight in law:
        for i, value in enumerate(discounted_return(play, game.discount)):
            total[i] += weight * value
    return exact_array(total)


def return_gains(game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS) -> ExactArray:
    """Return each player's deviation gain: best-response return minus own return.

    Args:
        max_plays: As for ``expected_returns``.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> game = RandomOrderTeam()
    >>> str(return_gains(game, uniform_policies(game))[0])
    '0'
    """
    best = best_response_returns(game, profile, max_plays=max_plays)
    return freeze(best - expected_returns(game, profile, max_plays=max_plays))


def policy_nash_conv(
    game: Rules, profile: PolicyProfile, *, max_plays: int = MAX_PLAYS
) -> Fraction:
    """Return the sum of the players' deviation gains, ``NashConv``; zero for an equilibrium.

    Args:
        max_plays: As for ``expected_returns``.

    >>> from gametheory_core import uniform_policies
    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies")
    >>> policy_nash_conv(game, uniform_policies(game))
    Fraction(0, 1)
    """
    return sum(return_gains(game, profile, max_plays=max_plays).tolist(), ZERO)
