"""What the strategies of a Bayesian game pay: to the leader, and to each type of the follower."""

from fractions import Fraction
from typing import cast

from gametheory_core.arrays import ZERO, as_exact
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile


def bayesian_payoffs(game: BayesianGame, profile: MixedProfile) -> tuple[Fraction, ...]:
    """Return what the leader gets, and each type of the follower, exactly.

    Args:
        profile: The leader's strategy, then one for each type; floats count as the rationals they
            mean.

    Returns:
        The leader's payoff averaged over the prior; a type's payoff is what that type gets.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core import load_game, uniform_profile
    >>> game = load_game("house_patrol:houses=2,length=1,types=1")
    >>> [str(payoff) for payoff in bayesian_payoffs(game, uniform_profile(game))]
    ['-1/4', '1/4']
    """
    check_mixed_profile(game, profile)
    leader, *types = (as_exact(strategy) for strategy in profile.to_exact().strategies)
    earned = [
        cast("list[Fraction]", (leader @ one.exact_payoffs @ strategy).tolist())
        for one, strategy in zip(game.games, types, strict=True)
    ]
    own = sum((p * pair[0] for p, pair in zip(game.prior, earned, strict=True)), ZERO)
    return (own, *(pair[1] for pair in earned))
