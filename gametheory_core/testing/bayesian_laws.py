"""The law of Bayesian games: the Harsanyi transform pays what the game pays, both ways."""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, exact_array
from gametheory_core.certificates.certificate import rationals
from gametheory_core.conversions.bayesian_normal import harsanyi_transform
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.bayesian import bayesian_payoffs
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

MAX_WEIGHT = 4


def check_bayesian(
    game: BayesianGame,
    *,
    rng: np.random.Generator,
    num_profiles: int = 5,
    max_profiles: int = 20_000,
) -> None:
    """Check on random exact profiles that a Bayesian game and its Harsanyi transform pay the same.

    The follower of the normal form gets what the types get, averaged over the prior.

    Args:
        num_profiles: Random profiles of each of the two games.
        max_profiles: The largest normal form to build, in joint actions.

    Raises:
        LawBroken: Shows the payoffs that differ.
        UnsupportedGame: If the normal form would be too large.
    """
    conversion = harsanyi_transform(game, max_profiles=max_profiles)
    carry = conversion.correspondence
    for _ in range(num_profiles):
        own = _random_profile(game.num_actions, rng)
        _compare(game, conversion.target, own, carry.to_target(own))
        planned = _random_profile(conversion.target.num_actions, rng)
        _compare(game, conversion.target, carry.to_source(planned), planned)


def _compare(
    game: BayesianGame, target: NormalFormGame, own: MixedProfile, planned: MixedProfile
) -> None:
    leader, *types = bayesian_payoffs(game, own)
    weighed = zip(game.prior, types, strict=True)
    expected = (leader, sum((p * payoff for p, payoff in weighed), ZERO))
    found = rationals(expected_payoffs(target, planned))
    if found != expected:
        raise LawBroken(
            f"{game!r}: must pay leader and follower {tuple(map(str, expected))}, but its normal "
            f"form pays {tuple(map(str, found))} for the profile {planned}."
        )


def _random_profile(counts: tuple[int, ...], rng: np.random.Generator) -> MixedProfile:
    strategies: list[ExactArray] = []
    for count in counts:
        weights = rng.integers(0, MAX_WEIGHT, count)
        weights[int(rng.integers(count))] += 1
        strategies.append(exact_array([Fraction(int(w), int(weights.sum())) for w in weights]))
    return MixedProfile(tuple(strategies))
