"""Policies in and out: how players who do not learn act, and what a learner's numbers say.

What floats learned becomes exact, so that rationals judge it.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, described, require_instance, require_integer, shown
from gametheory_core.array_likes import plain
from gametheory_core.distributions import Distribution, distribution
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame
from gametheory_core.games.rules import InformationState
from gametheory_core.probabilities import ROUNDING, allowed_miss
from gametheory_core.strategies.policies import Policy, policy_from
from learners.batch import BatchedEnvironment
from solvers.rounding import dyadic_distribution

Others: TypeAlias = Mapping[int, NDArray[np.float64]]  # player -> probabilities (O, A)

NO_NUMBERS = "USVcmM"  # kinds of arrays: text, bytes, records, complex numbers, times


def learning_players(
    environment: BatchedEnvironment, learns: Iterable[int] | None
) -> tuple[int, ...]:
    """Return the players who learn, in the order given; all, where nothing is.

    Raises:
        InvalidArgument: If it is nobody, or names somebody twice or who does not play; or if the
            environment is no environment.
    """
    require_environment(environment)
    players = environment.players
    chosen = as_tuple(range(len(players)) if learns is None else learns, name="learns")
    for player in chosen:
        require_integer(player, name="learns", low=0, high=len(players) - 1)
    if not chosen or len(set(chosen)) != len(chosen):
        raise InvalidArgument(
            needs="in learns the number of at least one player, each named once",
            found=f"got {chosen}",
            remedy=f"Players are {', '.join(map(repr, players))}.",
        )
    return chosen


def require_environment(environment: object) -> None:
    """Refuse a game where an environment of many episodes is needed."""
    if not hasattr(environment, "num_observations"):
        raise InvalidArgument(
            needs="an environment that plays many episodes at once",
            found=f"got {shown(environment)}",
            remedy="Give batched(game, episodes=100, seed=0).",
        )


def require_numbers(environment: BatchedEnvironment) -> None:
    """Refuse an environment whose observations are features.

    Raises:
        UnsupportedGame: Names the player.
    """
    require_environment(environment)
    for player, label in enumerate(environment.players):
        if not environment.num_observations[player]:
            raise UnsupportedGame(
                needs="numbered observations",
                found=f"those of player {label!r} are features",
                remedy="Take a learner of learners.deep.",
            )


def as_probabilities(table: Any, *, name: str) -> NDArray[np.float64]:
    """Return a read-only copy of probabilities by observation and action, after checking them.

    Raises:
        InvalidArgument: If an entry is negative or no number, or a row does not sum to one.
    """
    kept = as_doubles(table, name=name)
    if kept.ndim != 2 or not np.isfinite(kept).all() or (kept < 0).any():  # a table
        raise InvalidArgument(
            needs=f"{name} of at least 0, one row an observation",
            found=f"got shape {kept.shape} with entries from {kept.min(initial=0)} to "
            f"{kept.max(initial=0)}",
        )
    bad = np.flatnonzero(np.abs(kept.sum(axis=1) - 1) > ROUNDING)
    if bad.size:
        raise InvalidArgument(
            needs=f"rows of {name} that sum to 1", found=f"row {bad[0]} is {kept[bad[0]].tolist()}"
        )
    kept.flags.writeable = False
    return kept


def as_doubles(table: Any, *, name: str = "policies") -> NDArray[np.float64]:
    """Copy a table; rows of shorter floats that miss a sum of one by their rounding are scaled.

    Raises:
        InvalidArgument: If entries are text, complex, or no numbers at all.

    >>> as_doubles(np.array([[0.1, 0.9]], dtype=np.float32)).sum().item()
    1.0
    """
    try:
        given: Any = np.asarray(plain(table, where=name))
        if given.dtype.kind in NO_NUMBERS:
            raise TypeError(given.dtype)
        kept = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):  # or rows of several lengths
        raise InvalidArgument(
            needs=f"{name} to be a table of numbers", found=f"got {described(table)}"
        ) from None
    if kept.ndim == 2 and given.dtype in (np.float16, np.float32):
        sums = kept.sum(axis=1, keepdims=True)
        allowed = allowed_miss(given.dtype, kept.shape[1])
        kept /= np.where(abs(sums - 1) <= allowed, sums, 1.0)
    return kept


def checked_others(
    environment: BatchedEnvironment, others: Others, learns: tuple[int, ...]
) -> Others:
    """Return how players play who do not learn, after checking it.

    Raises:
        InvalidArgument: If somebody learns, does not play, or the probabilities make no sense.
    """
    require_instance(others, Mapping, name="others", remedy="Give {player: probabilities}.")
    kept: dict[int, NDArray[np.float64]] = {}
    for player, table in others.items():
        require_integer(player, name="others", low=0, high=len(environment.players) - 1)
        if player in learns:
            raise InvalidArgument(
                needs="in others players who do not learn",
                found=f"player {player} does",
                remedy="Leave it out of learns or of others.",
            )
        name = f"others[{player}]"
        kept[player] = as_probabilities(table, name=name)
        shape = (environment.num_observations[player], environment.num_actions[player])
        if kept[player].shape != shape:
            raise InvalidArgument(
                needs=f"{name} of shape {shape}, observations by actions",
                found=f"its shape is {kept[player].shape}",
            )
    return kept


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

    >>> from gametheory_core.catalog import RepeatedGame
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


def table_policy(
    environment: BatchedEnvironment, player: int, table: NDArray[np.floating[Any]]
) -> Policy:
    """Make an exact policy of probabilities (O, A) by the last numbered observation."""
    return observed_policy(environment, player, lambda seen: table[int(seen[-1])])


def entropies(policy: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the entropy of each mixed action, in nats.

    Args:
        policy (O, A)

    >>> entropies(np.array([[1.0, 0.0], [0.5, 0.5]])).round(4).tolist()
    [0.0, 0.6931]
    """
    logs = np.log(np.where(policy > 0, policy, 1.0))
    return np.maximum(-(policy * logs).sum(axis=-1), 0.0)  # no -0.0
