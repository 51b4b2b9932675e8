"""Correlated distributions: one lottery over joint actions, as a mediator would draw them."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np

from gametheory_core.arguments import require_instance, shown
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    NumberArray,
    as_exact,
    freeze,
    is_rational,
    number_array,
    rational_text,
)
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from gametheory_core.strategies.probabilities import exact_probabilities, probability_vector

JointAction = tuple[int, ...]


@dataclass(frozen=True)
class CorrelatedDistribution:
    """A rational lottery over the joint actions of a normal form, by its support.

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
        _check_probabilities(self.joint_actions, self.probabilities)

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
    try:
        table = number_array(probabilities, where="correlated distribution")
    except InvalidGame as error:
        raise InvalidStrategy(str(error)) from None
    if table.ndim < 1 or not table.size:
        raise InvalidStrategy(
            "correlated_distribution: needs a tensor with one axis for each player, but its shape "
            f"is {table.shape}."
        )
    flat = probability_vector(table.ravel(), owner="correlated distribution")
    return _from_vector(table.shape, exact_probabilities(flat))


def product_distribution(profile: MixedProfile) -> CorrelatedDistribution:
    """Return the distribution of joint actions when players draw independently.

    Args:
        profile: A float profile counts as the rational profile it means.

    >>> from gametheory_core import load_game, uniform_profile
    >>> product_distribution(uniform_profile(load_game("matching_pennies"))).probabilities[0]
    Fraction(1, 4)
    """
    name = "product_distribution"
    require_instance(profile, MixedProfile, function=name, name="profile")
    strategies = profile.to_exact().strategies
    product: NumberArray = np.array([ONE], dtype=object)
    for own in strategies:
        product = np.multiply.outer(product, own).ravel()
    return _from_vector(tuple(map(len, strategies)), product)


def check_correlated_distribution(
    game: NormalFormGame, distribution: CorrelatedDistribution
) -> None:
    """Refuse a distribution that is not over the joint actions of the game.

    Raises:
        InvalidStrategy: If the numbers of actions differ.
    """
    require_instance(
        distribution,
        CorrelatedDistribution,
        function="correlated distribution",
        name="a distribution",
        remedy="Give correlated_distribution(probabilities), or product_distribution(profile).",
    )
    if distribution.num_actions != game.num_actions:
        raise InvalidStrategy(
            f"correlated distribution: needs joint actions of shape {game.num_actions} for "
            f"{game!r}, but has shape {distribution.num_actions}."
        )


def correlated_payoffs(
    game: NormalFormGame, distribution: CorrelatedDistribution
) -> tuple[Fraction, ...]:
    """Return each player's expected payoff under a correlated distribution, exactly.

    Args:
        distribution: Over the joint actions of the game.

    Raises:
        InvalidStrategy: If the distribution does not fit the game.

    >>> from gametheory_core import load_game
    >>> game = load_game("battle_of_the_sexes")
    >>> coin = correlated_distribution([["1/2", 0], [0, "1/2"]])
    >>> [str(payoff) for payoff in correlated_payoffs(game, coin)]
    ['5/2', '5/2']
    """
    require_normal_form(game, function="correlated_payoffs")
    check_correlated_distribution(game, distribution)
    places = tuple(np.array(distribution.joint_actions, dtype=np.intp).T)
    weights = np.array(distribution.probabilities, dtype=object)
    return tuple(cast("Fraction", as_exact(own[places]) @ weights) for own in game.given_payoffs)


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
                "CorrelatedDistribution: needs integers as numbers of actions and as actions, but "
                f"{row!r} holds others. Convert them by int."
            )
    if not num_actions or min(num_actions) < 1:
        raise InvalidStrategy(
            "CorrelatedDistribution: needs at least one action for each player, but num_actions is "
            f"{num_actions}."
        )
    for joint_action in joint_actions:
        if len(joint_action) != len(num_actions) or not all(
            0 <= action < count for action, count in zip(joint_action, num_actions, strict=True)
        ):
            raise InvalidStrategy(
                "CorrelatedDistribution: needs joint actions with an index below "
                f"{num_actions} for each player, but got {joint_action}."
            )
    for before, after in pairwise(joint_actions):
        if before >= after:
            raise InvalidStrategy(
                "CorrelatedDistribution: needs joint actions in lexicographic order, each once, "
                f"but {before} comes before {after}."
            )


def _check_probabilities(
    joint_actions: tuple[JointAction, ...], probabilities: tuple[Fraction, ...]
) -> None:
    if len(joint_actions) != len(probabilities):
        raise InvalidStrategy(
            "CorrelatedDistribution: needs one probability for each joint action, but has "
            f"{len(probabilities)} for {len(joint_actions)}."
        )
    for joint_action, probability in zip(joint_actions, probabilities, strict=True):
        if not is_rational(probability) or not probability > 0:
            raise InvalidStrategy(
                "CorrelatedDistribution: needs positive Fractions as probabilities, but joint "
                f"action {joint_action} has {shown(probability)}."
            )
    if sum(probabilities) != 1:
        raise InvalidStrategy(
            "CorrelatedDistribution: needs probabilities that sum to 1, but they sum to "
            f"{rational_text(sum(probabilities, ZERO))}."
        )
