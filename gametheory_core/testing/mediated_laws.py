"""The law of mediated games: what plays pay on average is what the recursion over nodes says."""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO
from gametheory_core.errors import LawBroken
from gametheory_core.evaluation.mediated_trajectories import mediated_trajectories
from gametheory_core.evaluation.mediated_values import mediated_returns
from gametheory_core.games.mediated import MediatedGame
from gametheory_core.strategies.mediated_policies import MediatedProfile, random_mediated_profile


def check_mediated(game: MediatedGame, *, rng: np.random.Generator, num_profiles: int = 3) -> None:
    """Check exactly, on random profiles, that returns of plays are those of the recursion.

    Raises:
        LawBroken: With the profile and both returns.
        UnsupportedGame: If the game has too many nodes or plays to list.

    >>> from gametheory_core.catalog.mediated import mediated_chicken
    >>> check_mediated(mediated_chicken(rounds=2), rng=np.random.default_rng(0))
    """
    for _ in range(num_profiles):
        profile = random_mediated_profile(game, rng=rng)
        paid, values = _returns_of_plays(game, profile), mediated_returns(game, profile)
        if paid != values:
            raise LawBroken(
                f"check_mediated: {game!r} must pay what its values say, but plays pay "
                f"({', '.join(map(str, paid))}) and values are ({', '.join(map(str, values))}). "
                f"The profile is {profile!r}."
            )


def _returns_of_plays(game: MediatedGame, profile: MediatedProfile) -> tuple[Fraction, ...]:
    totals = [ZERO] * game.num_players
    for play, weight in mediated_trajectories(game, profile):
        for t, step in enumerate(play.steps):
            share = weight * game.discount**t
            totals = [u + share * r for u, r in zip(totals, step.rewards, strict=True)]
    return tuple(totals)
