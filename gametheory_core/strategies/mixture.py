"""Mixtures of behavioral profiles: one lottery over profiles, as a mediator would draw them.

The mediator draws a profile, and then, for each information set and independently, the action that
it recommends there. With pure profiles this is any correlated distribution over plans.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, shown
from gametheory_core.arrays import is_rational, rational_text
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.probabilities import exact_probabilities, probability_vector


@dataclass(frozen=True)
class BehavioralMixture:
    """A rational lottery over rational behavioral profiles of one tree.

    Attributes:
        weights: Positive, one for each profile; they sum to 1.
        profiles: Within each, players and information sets draw independently.
    """

    weights: tuple[Fraction, ...]
    profiles: tuple[BehavioralProfile, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "weights", tuple(self.weights))
        object.__setattr__(self, "profiles", tuple(self.profiles))
        if len(self.weights) != len(self.profiles) or not self.weights:
            raise InvalidStrategy(
                "BehavioralMixture: needs a weight for each of one or more profiles, but has "
                f"{len(self.weights)} weights for {len(self.profiles)} profiles."
            )
        _check_weights(self.weights)
        for place, profile in enumerate(self.profiles):
            _check_profile(place, profile, self.profiles[0])

    @property
    def is_pure(self) -> bool:
        """Whether each profile plays one action surely at each information set."""
        return all(set(profile.flat.tolist()) <= {0, 1} for profile in self.profiles)


def behavioral_mixture(
    profiles: Iterable[BehavioralProfile], *, weights: object = None
) -> BehavioralMixture:
    """Build a mixture from profiles and weights, exact or float.

    Args:
        profiles: Float ones count as the rational profiles they mean.
        weights (vector of numbers): One for each profile; floats mean their dyadic values divided
            by the exact sum, and profiles of weight 0 are left out. Default: all profiles are
            equally likely.

    Raises:
        InvalidStrategy: If weights are negative or do not sum to one, their number is not that of
            the profiles, or there is no profile.

    >>> from gametheory_core import load_game, pure_behavior
    >>> poker = load_game("one_card_poker")
    >>> coin = behavioral_mixture([pure_behavior(poker, p) for p in ((0, 0, 0), (0, 1, 1))])
    >>> [str(weight) for weight in coin.weights]
    ['1/2', '1/2']
    """
    name = "behavioral_mixture"
    given = as_tuple(profiles, function=name, name="profiles")
    for profile in given:
        require_instance(profile, BehavioralProfile, function=name, name="each of profiles")
    if not given:
        raise InvalidStrategy(
            f"{name}: needs one or more profiles, but got none. Give those that the mediator draws."
        )
    if weights is None:
        shares = [Fraction(1, len(given))] * len(given)
    else:
        exact = exact_probabilities(probability_vector(weights, owner="weights of a mixture"))
        shares = cast("list[Fraction]", exact.tolist())
    if len(shares) != len(given):
        raise InvalidStrategy(
            f"{name}: needs a weight for each profile, but got {len(shares)} weights for "
            f"{len(given)} profiles."
        )
    drawn = [(share, profile) for share, profile in zip(shares, given, strict=True) if share]
    return BehavioralMixture(
        tuple(share for share, _ in drawn), tuple(profile.to_exact() for _, profile in drawn)
    )


def check_mixture(game: ExtensiveFormGame, mixture: BehavioralMixture) -> None:
    """Refuse a mixture that does not fit the game.

    Raises:
        InvalidStrategy: If an information set lacks a vector, or has one of the wrong length.
    """
    check_behavioral_profile(game, mixture.profiles[0])  # the others have its shape


def draw_recommendations(
    mixture: BehavioralMixture, *, rng: np.random.Generator
) -> tuple[int, ...]:
    """Draw what the mediator recommends: an action for each information set of players.

    A player is told the entry of an information set only when play comes there (or as early as the
    kind of equilibrium says).

    Args:
        rng: Source of chance.

    >>> from gametheory_core import load_game, pure_behavior
    >>> poker = load_game("one_card_poker")
    >>> sure = behavioral_mixture([pure_behavior(poker, (0, 1, 0))])
    >>> draw_recommendations(sure, rng=np.random.default_rng(1))
    (0, 1, 0)
    """
    name = "draw_recommendations"
    require_instance(mixture, BehavioralMixture, function=name, name="mixture")
    place = _drawn(mixture.weights, rng)
    lotteries = mixture.profiles[place].probabilities
    return tuple(_drawn(lottery.tolist(), rng) for lottery in lotteries)


def _drawn(probabilities: Iterable[Fraction], rng: np.random.Generator) -> int:
    """Draw an index; only positive probabilities have a share of the unit interval."""
    shares = np.array([float(p) for p in probabilities])
    place = np.searchsorted(np.cumsum(shares), rng.random() * shares.sum(), side="right")
    return int(min(place, np.flatnonzero(shares)[-1]))  # the sum may be rounded up


def _check_weights(weights: tuple[Fraction, ...]) -> None:
    for place, weight in enumerate(weights):
        if not is_rational(weight) or not weight > 0:
            raise InvalidStrategy(
                f"BehavioralMixture: needs positive Fractions as weights, but entry {place} is "
                f"{shown(weight)}. Use behavioral_mixture, which reads other numbers."
            )
    total = Fraction(sum(weights))
    if total != 1:
        raise InvalidStrategy(
            "BehavioralMixture: needs weights that sum to 1, but they sum to "
            f"{rational_text(total)}."
        )


def _check_profile(place: int, profile: BehavioralProfile, first: BehavioralProfile) -> None:
    if type(profile) is not BehavioralProfile or not profile.is_exact:
        raise InvalidStrategy(
            f"BehavioralMixture: needs rational behavioral profiles, but entry {place} is none. "
            "Use behavioral_mixture, which reads float ones."
        )
    if list(map(len, profile.probabilities)) != list(map(len, first.probabilities)):
        raise InvalidStrategy(
            "BehavioralMixture: needs profiles of one game, but entries 0 and "
            f"{place} have different information sets."
        )
