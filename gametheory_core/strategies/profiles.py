"""Profiles of either kind: whether one fits a game."""

from typing import TypeAlias

from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import (
    BehavioralProfile,
    check_behavioral_profile,
    profile_remedy,
)
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

Game: TypeAlias = NormalFormGame | ExtensiveFormGame
Profile: TypeAlias = MixedProfile | BehavioralProfile


def check_profile(game: Game, profile: Profile) -> None:
    """Refuse a profile that is not one of the game.

    Raises:
        InvalidStrategy: If the kind is wrong (normal forms take mixed profiles, trees behavioral
            ones), or the number of strategies or probabilities.
    """
    if isinstance(game, NormalFormGame) and isinstance(profile, MixedProfile):
        check_mixed_profile(game, profile)
    elif isinstance(game, ExtensiveFormGame) and isinstance(profile, BehavioralProfile):
        check_behavioral_profile(game, profile)
    else:
        raise InvalidStrategy(
            "profile: needs a MixedProfile for a normal form or a BehavioralProfile for a tree, "
            f"but got {type(profile).__name__} for {game!r}. "
            f"{profile_remedy(profile, 'Give the profile itself.')}"
        )
