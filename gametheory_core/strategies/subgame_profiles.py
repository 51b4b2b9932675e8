"""Profiles in subgames: what a profile says about a subgame, and back into the whole tree."""

import numpy as np

from gametheory_core.games.subgames import Subgame
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile


def restricted_profile(part: Subgame, profile: BehavioralProfile) -> BehavioralProfile:
    """Return what a profile of the whole tree plays in a subgame.

    Args:
        profile: Of ``part.source``; exact or float.

    Raises:
        InvalidStrategy: If the profile does not fit the whole tree.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.games.subgames import subgame
    >>> centipede = load_game("centipede:rounds=3")
    >>> part = subgame(centipede, 4)
    >>> restricted_profile(part, uniform_behavior(centipede)) == uniform_behavior(part.game)
    True
    """
    check_behavioral_profile(part.source, profile)
    own = part.infosets[: part.game.num_decision_infosets].tolist()
    return BehavioralProfile(tuple(profile.probabilities[s] for s in own))


def replaced_in_subgame(
    part: Subgame, profile: BehavioralProfile, *, by: BehavioralProfile
) -> BehavioralProfile:
    """Return a profile of the whole tree that plays differently in a subgame.

    Args:
        profile: Of ``part.source``: what is played elsewhere.
        by: Of ``part.game``: what is played there. Both exact, or both float.

    Raises:
        InvalidStrategy: If a profile does not fit its tree.

    >>> from gametheory_core import load_game, pure_behavior, uniform_behavior
    >>> from gametheory_core.games.subgames import subgame
    >>> centipede = load_game("centipede:rounds=3")
    >>> part = subgame(centipede, 4)
    >>> last = pure_behavior(part.game, (0,))
    >>> changed = replaced_in_subgame(part, uniform_behavior(centipede), by=last)
    >>> [str(p) for p in changed.probabilities[part.infosets[0]]]
    ['1', '0']
    """
    check_behavioral_profile(part.source, profile)
    check_behavioral_profile(part.game, by)
    vectors = list(profile.probabilities)
    own = part.infosets[: part.game.num_decision_infosets]
    for s, vector in zip(np.asarray(own).tolist(), by.probabilities, strict=True):
        vectors[s] = vector
    return BehavioralProfile(tuple(vectors))
