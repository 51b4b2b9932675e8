"""Correlated distributions: one distribution over joint actions, as a mediator would draw them.

In a tree the mediator draws a profile from a mixture, and then, for each information set and
independently, the action that it recommends there. With pure profiles this is any correlated
distribution over plans.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, shown
from gametheory_core.array_likes import plain, refuse_labels
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    NumberArray,
    as_exact,
    exact_sum,
    freeze,
    is_exact,
    is_rational,
    number_array,
    rational_text,
    scaled_integers,
)
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games import ExtensiveFormGame, NormalFormGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.table_content import keep
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, exact_probabilities, probability_vector

BY_POSITION = (
    "Bring them into the order of the game's actions: frame.loc[rows, columns].to_numpy()."
)

JointAction = tuple[int, ...]


@dataclass(frozen=True)
class CorrelatedDistribution:
    """A rational distribution over the joint actions of a normal form, by its support.

    Attributes:
        num_actions: Number of actions of each player.
        joint_actions: Those with positive probability, in lexicographic order, as indices from 0.
        probabilities: Positive, one for each of ``joint_actions``; they sum to 1.
    """

    num_actions: tuple[int, ...]
    joint_actions: tuple[JointAction, ...]
    probabilities: tuple[Fraction, ...]

    def __post_init__(self) -> None:
        _check_entries(self.num_actions, self.joint_actions)
        _check_rationals(self.probabilities, of=self.joint_actions)

    @property
    def tensor(self) -> ExactArray:
        """Probabilities of all joint actions, shape ``num_actions``; read-only."""
        table = np.full(self.num_actions, ZERO, dtype=object)
        for joint_action, probability in zip(self.joint_actions, self.probabilities, strict=True):
            table[joint_action] = probability
        return freeze(table)

    @property
    def marginals(self) -> MixedProfile:
        """How often each player plays each action, as a profile: the correlation is lost."""
        shares = [[ZERO] * count for count in self.num_actions]
        for joint_action, probability in zip(self.joint_actions, self.probabilities, strict=True):
            for own, action in zip(shares, joint_action, strict=True):
                own[action] += probability
        return MixedProfile(tuple(as_exact(np.array(own, dtype=object)) for own in shares))


def correlated_distribution(probabilities: object) -> CorrelatedDistribution:
    """Build a correlated distribution from the tensor of its probabilities.

    Args:
        probabilities (actions of player 1, actions of player 2, ...): Exact, or float: floats mean
            their dyadic values divided by the exact sum.

    Raises:
        InvalidStrategy: If an entry is negative or the sum is not one.

    >>> correlated_distribution([["1/2", 0], [0, "1/2"]]).joint_actions
    ((0, 0), (1, 1))
    """
    owner = "correlated distribution"
    refuse_labels(probabilities, kind=InvalidStrategy, remedy=BY_POSITION, where=owner)
    try:
        given = plain(probabilities, where=owner)
        table = number_array(given, where=owner)
    except InvalidGame as error:
        raise error.changed(InvalidStrategy) from None
    if table.ndim < 1 or not table.size:
        raise InvalidStrategy(
            needs="a tensor with one axis for each player", found=f"its shape is {table.shape}"
        )
    entries = np.array(given, dtype=object) if is_exact(table) else np.asarray(given)
    flat = probability_vector(entries.ravel(), owner=owner)  # as given: floats may miss a sum of 1
    return _from_vector(table.shape, exact_probabilities(flat))


def product_distribution(profile: MixedProfile) -> CorrelatedDistribution:
    """Return the distribution of joint actions when players draw independently.

    Args:
        profile: A float profile counts as the rational profile it means.

    >>> from gametheory_core import load_game, uniform_profile
    >>> product_distribution(uniform_profile(load_game("matching_pennies"))).probabilities[0]
    Fraction(1, 4)
    """
    require_instance(profile, MixedProfile, name="profile")
    strategies = profile.to_exact().strategies
    product: NumberArray = np.array([ONE], dtype=object)
    for own in strategies:
        product = np.multiply.outer(product, own).ravel()
    return _from_vector(tuple(map(len, strategies)), product)


def check_correlated_distribution(
    game: NormalFormGame, distribution: CorrelatedDistribution
) -> None:
    """Refuse a distribution that is not over the joint actions of the game."""
    require_instance(
        distribution,
        CorrelatedDistribution,
        where="correlated distribution",
        name="a distribution",
        remedy="Give correlated_distribution(probabilities), or product_distribution(profile).",
    )
    if distribution.num_actions != game.num_actions:
        raise InvalidStrategy(
            needs=f"joint actions of shape {game.num_actions} for {game!r}",
            found=f"has shape {distribution.num_actions}",
            where="correlated distribution",
        )


def correlated_payoffs(
    game: NormalFormGame, distribution: CorrelatedDistribution
) -> tuple[Fraction, ...]:
    """Return each player's expected payoff under a correlated distribution, exactly.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.

    >>> from gametheory_core import load_game
    >>> game = load_game("battle_of_the_sexes")
    >>> coin = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> [str(payoff) for payoff in correlated_payoffs(game, coin)]
    ['5/2', '5/2']
    """
    require_normal_form(game)
    check_correlated_distribution(game, distribution)
    places = tuple(np.array(distribution.joint_actions, dtype=np.intp).T)
    weights = scaled_integers(np.array(distribution.probabilities, dtype=object))
    return tuple(
        Fraction(
            int(own.numerators[places] @ weights.numerators), own.denominator * weights.denominator
        )
        for own in game.scaled_payoffs
    )


def _from_vector(shape: tuple[int, ...], flat: NumberArray) -> CorrelatedDistribution:
    support = np.flatnonzero(flat)
    places = zip(*(axis.tolist() for axis in np.unravel_index(support, shape)), strict=True)
    return CorrelatedDistribution(
        tuple(map(int, shape)), tuple(places), tuple(flat[support].tolist())
    )


def _check_entries(num_actions: tuple[int, ...], joint_actions: tuple[JointAction, ...]) -> None:
    for row in (num_actions, *joint_actions):
        if not set(map(type, row)) <= {int}:
            raise InvalidStrategy(
                needs="integers as numbers of actions and as actions",
                found=f"{row!r} holds others",
                remedy="Convert them by int.",
            )
    if not num_actions or min(num_actions) < 1:
        raise InvalidStrategy(
            needs="at least one action for each player", found=f"num_actions is {num_actions}"
        )
    for joint_action in joint_actions:
        if len(joint_action) != len(num_actions) or not all(
            0 <= action < count for action, count in zip(joint_action, num_actions, strict=True)
        ):
            raise InvalidStrategy(
                needs=f"joint actions with an index below {num_actions} for each player",
                found=f"got {joint_action}",
            )
    for before, after in pairwise(joint_actions):
        if before >= after:
            raise InvalidStrategy(
                needs="joint actions in lexicographic order, each once",
                found=f"{before} comes before {after}",
            )


def _check_rationals(values: Sequence[Fraction], *, of: Sequence[object], remedy: str = "") -> None:
    """Refuse probabilities that are not one positive rational for each thing, summing to one."""
    if len(values) != len(of):
        raise InvalidStrategy(
            needs=f"one probability for each of {len(of)}", found=f"has {len(values)}"
        )
    for thing, value in zip(of, values, strict=True):
        if not is_rational(value) or not value > 0:
            found = f"that of {thing} is {shown(value)}"
            raise InvalidStrategy(
                needs="positive Fractions as probabilities", found=found, remedy=remedy
            )
    total = exact_sum(values)
    if total != 1:
        raise InvalidStrategy(
            needs="probabilities that sum to 1", found=f"they sum to {rational_text(total)}"
        )


@dataclass(frozen=True)
class BehavioralMixture:
    """A rational distribution over rational behavioral profiles of one tree.

    Attributes:
        weights: Positive, one for each profile; they sum to 1.
        profiles: Within each, players and information sets draw independently.
    """

    weights: tuple[Fraction, ...]
    profiles: tuple[BehavioralProfile, ...]

    def __post_init__(self) -> None:
        keep(self, weights=tuple(self.weights), profiles=tuple(self.profiles))
        entries = [f"entry {place}" for place in range(len(self.profiles))]
        remedy = "Use behavioral_mixture, which reads other numbers."
        _check_rationals(self.weights, of=entries, remedy=remedy)
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
    given = as_tuple(profiles, name="profiles")
    for profile in given:
        require_instance(profile, BehavioralProfile, name="each of profiles")
    if not given:
        raise InvalidStrategy(
            needs="one or more profiles",
            found="got none",
            remedy="Give those that the mediator draws.",
        )
    if weights is None:
        shares = [Fraction(1, len(given))] * len(given)
    else:
        exact = exact_probabilities(probability_vector(weights, owner="weights of a mixture"))
        shares = cast("list[Fraction]", exact.tolist())
    if len(shares) != len(given):
        raise InvalidStrategy(
            needs="a weight for each profile",
            found=f"got {len(shares)} weights for {len(given)} profiles",
        )
    drawn = [(share, profile) for share, profile in zip(shares, given, strict=True) if share]
    return BehavioralMixture(
        tuple(share for share, _ in drawn), tuple(profile.to_exact() for _, profile in drawn)
    )


def check_mixture(game: ExtensiveFormGame, mixture: BehavioralMixture) -> None:
    """Refuse a mixture that does not fit the game."""
    check_behavioral_profile(game, mixture.profiles[0])  # the others have its shape


def draw_recommendations(
    mixture: BehavioralMixture, *, rng: np.random.Generator
) -> tuple[int, ...]:
    """Draw what the mediator recommends: an action for each information set of players.

    A player is told the entry of an information set only when play comes there (or as early as the
    kind of equilibrium says).

    >>> from gametheory_core import load_game, pure_behavior
    >>> poker = load_game("one_card_poker")
    >>> sure = behavioral_mixture([pure_behavior(poker, (0, 1, 0))])
    >>> draw_recommendations(sure, rng=np.random.default_rng(1))
    (0, 1, 0)
    """
    require_instance(mixture, BehavioralMixture, name="mixture")
    place = _drawn(mixture.weights, rng)
    lotteries = mixture.profiles[place].probabilities
    return tuple(_drawn(lottery.tolist(), rng) for lottery in lotteries)


def _drawn(probabilities: Iterable[Fraction], rng: np.random.Generator) -> int:
    """Draw an index; only positive probabilities have a share of the unit interval."""
    shares = np.array([float(p) for p in probabilities])
    place = np.searchsorted(np.cumsum(shares), rng.random() * shares.sum(), side="right")
    return int(min(place, np.flatnonzero(shares)[-1]))  # the sum may be rounded up


def _check_profile(place: int, profile: BehavioralProfile, first: BehavioralProfile) -> None:
    if type(profile) is not BehavioralProfile or not profile.is_exact:
        raise InvalidStrategy(
            needs="rational behavioral profiles",
            found=f"entry {place} is not one",
            remedy="Use behavioral_mixture, which reads float ones.",
        )
    if list(map(len, profile.probabilities)) != list(map(len, first.probabilities)):
        raise InvalidStrategy(
            needs="profiles of one game",
            found=f"entries 0 and {place} have different information sets",
        )
