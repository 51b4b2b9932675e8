"""From numbers a learner holds to exact policies: what floats learned, rationals then judge."""

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import Policy, policy_from
from learners.batch import BatchedEnvironment
from solvers.rounding import dyadic_distribution


def mixed_action(
    labels: tuple[Hashable, ...], probabilities: NDArray[np.floating[Any]]
) -> Distribution[Any]:
    """Return float probabilities of labelled actions as an exact mixed action, without zeros.

    Args:
        labels: The actions.
        probabilities (A,): Rounded to multiples of 2^-50; need not sum to one.

    Raises:
        InvalidStrategy: If a probability is negative, infinite or no number, or all are zero.

    >>> mixed_action(("left", "right"), np.array([0.25, 0.75])).items
    (('left', Fraction(1, 4)), ('right', Fraction(3, 4)))
    """
    values = np.asarray(probabilities, dtype=np.float64)
    if not np.isfinite(values).all() or (values < 0).any() or not values.any():
        raise InvalidStrategy(
            needs="finite probabilities of at least 0, not all 0",
            found=f"got {values.tolist()} for the actions {labels!r}",
            remedy="The learner may have diverged.",
        )
    weights = dyadic_distribution(values).tolist()
    return distribution({label: w for label, w in zip(labels, weights, strict=True) if w})


def observed_policy(
    environment: BatchedEnvironment,
    player: int,
    probabilities: Callable[[NDArray[Any]], NDArray[np.floating[Any]]],
) -> Policy:
    """Make an exact policy of a function of what the environment shows a player.

    Args:
        environment: Shows information states as ``environment.observe`` says.
        probabilities: All observations so far, in order -> float probabilities over the player's
            actions, zero where an action is not legal.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners import batched
    >>> play = batched(RepeatedGame.of("matching_pennies", rounds=2), episodes=1, seed=1)
    >>> mostly_heads = observed_policy(play, 0, lambda seen: np.array([0.75, 0.25]))
    >>> mostly_heads[(),].items
    (('heads', Fraction(3, 4)), ('tails', Fraction(1, 4)))
    """
    labels = environment.action_labels[player]

    def act(information_state: InformationState) -> Distribution[Any]:
        seen = environment.observe(player, information_state)
        return mixed_action(labels, probabilities(seen))

    return policy_from(act)
