"""Mixed strategies: a distribution over actions for each player, or over targets to cover.

Floats rarely sum to exactly one. A float vector is accepted when its sum is one but for rounding
(``gametheory_core.probabilities``), and *means* the rational vector of its dyadic entries divided
by their exact sum. Floats in a list, and those of fewer than 64 bits, are divided by it at once.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from typing import Any, Protocol, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_instance, require_integer
from gametheory_core.array_likes import plain, refuse_labels
from gametheory_core.arrays import (
    ONE,
    ZERO,
    ExactArray,
    NumberArray,
    as_exact,
    as_float,
    exact_sum,
    freeze,
    is_exact,
    number_array,
    object_array,
)
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.games import SecurityGame
from gametheory_core.games.kinds import require_mixed
from gametheory_core.probabilities import ROUNDING, normalized, wrong_sum
from gametheory_core.strategies.labels import Chances, Labelled, actions_of_seats, named, seats


class MixedGame(Protocol):
    """A game of which a profile is one mixed strategy for each player, or for each type."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels."""
        ...

    @property
    def num_actions(self) -> tuple[int, ...]:
        """Number of actions of each."""
        ...


BY_LABEL = "Give mixed_profile(game, strategies), which reads labels, or values.to_numpy()."
MOST_SIZES = 6  # in the summary of a profile
MOST_WRITTEN = 40  # probabilities of a profile that prints as code


def probability_vector(values: object, *, owner: str) -> NumberArray:
    """Copy a probability vector, exact or float, after checking it.

    Raises:
        InvalidStrategy: If it is no vector of finite numbers, an entry is negative, the sum is not
            one, or it has labels, which nobody could look up.
    """
    refuse_labels(values, kind=InvalidStrategy, remedy=BY_LABEL, where=owner)
    try:
        given = plain(values, where=owner)
        vector = number_array(given, where=owner)
    except InvalidGame as error:
        raise InvalidStrategy(str(error)) from None
    if vector.ndim != 1 or not len(vector):
        raise InvalidStrategy(
            needs="a vector of probabilities", found=f"its shape is {vector.shape}", where=owner
        )
    whole = 1  # what all parts are over: whole numbers are quicker to compare and to add
    parts = vector.tolist()
    if is_exact(vector):
        ratios = [entry.as_integer_ratio() for entry in cast("list[Fraction]", parts)]
        whole = math.lcm(*[denominator for _, denominator in ratios])
        parts = [numerator * (whole // denominator) for numerator, denominator in ratios]
    if min(parts) < 0:
        lowest = parts.index(min(parts))
        raise InvalidStrategy(
            needs="probabilities of at least 0",
            found=f"entry {lowest} is {vector[lowest]}",
            where=owner,
        )
    total = sum(parts)
    if total == whole or (not is_exact(vector) and abs(total - 1.0) <= ROUNDING):
        return vector
    return _scaled(vector, given, owner)


def _scaled(vector: NumberArray, given: object, owner: str) -> NumberArray:
    """Divide probabilities by their sum, if it misses 1 by what their kind of floats explains."""
    exact = cast("list[Fraction]", as_exact(vector).tolist())
    found = normalized(exact, given=given)
    if found is None:
        needs = "probabilities that sum to 1"
        raise wrong_sum(exact, given=given, kind=InvalidStrategy, owner=owner, needs=needs)
    scaled = object_array(found)
    return scaled if is_exact(vector) else as_float(scaled)


def probability_vectors(
    given: Iterable[object], owner: str, *, first: int
) -> tuple[NumberArray, ...]:
    """Copy probability vectors, all exact or all float; ``owner`` has a place for each number.

    What is given several times is looked at once.
    """
    known: dict[int, NumberArray] = {}
    kept = list(given)  # so that no two of them share an address
    for k, vector in enumerate(kept, first):
        if id(vector) not in known:
            known[id(vector)] = probability_vector(vector, owner=owner.format(k))
    vectors = tuple(known[id(vector)] for vector in kept)
    if len(set(map(is_exact, vectors))) > 1:
        raise InvalidStrategy(
            needs="strategies that are all exact or all float",
            found="they are mixed",
            remedy="Convert one side with as_exact or as_float.",
        )
    return vectors


def exact_probabilities(vector: NumberArray) -> ExactArray:
    """Return the rational vector a probability vector means: itself, or normalised dyadics."""
    exact = as_exact(vector)
    total = exact_sum(exact.tolist())
    return exact if total == ONE else freeze(exact / total)


@dataclass(frozen=True, eq=False, repr=False)
class MixedProfile(Labelled):
    """One mixed strategy for each player.

    Attributes:
        strategies: ``strategies[i][a]`` is the probability that player ``i`` plays action ``a``.
            All float64 or all exact; read-only.

    >>> from gametheory_core import load_game
    >>> chicken = load_game("chicken")
    >>> profile = pure_profile(chicken, (0, 1)).of(chicken)
    >>> profile["player 1"]["swerve"], profile.support["player 2"]
    (Fraction(1, 1), ('straight',))
    """

    strategies: tuple[NumberArray, ...]

    def __post_init__(self) -> None:
        vectors = probability_vectors(self.strategies, "mixed strategy of player {}", first=1)
        if not vectors:
            raise InvalidStrategy(needs="a strategy for each player", found="got none")
        object.__setattr__(self, "strategies", vectors)

    @property
    def is_exact(self) -> bool:
        """Whether probabilities are rationals rather than floats."""
        return is_exact(self.strategies[0])

    def to_exact(self) -> "MixedProfile":
        """Return the rational profile this one means (floats are normalised exactly)."""
        if self.is_exact:
            return self
        exact = MixedProfile(tuple(map(exact_probabilities, self.strategies)))
        return exact.known_to_be_of(self.game)

    def to_float(self) -> "MixedProfile":
        """Return the nearest float64 profile."""
        return MixedProfile(tuple(map(as_float, self.strategies))).known_to_be_of(self.game)

    def require_fitting(self, game: MixedGame) -> None:
        """Refuse a game that it is no profile of."""
        require_mixed(game)
        check_mixed_profile(game, self)

    def named_parts(self) -> dict[str, Chances]:
        """Return by name of a player how likely its actions are."""
        vectors = [vector.tolist() for vector in self.strategies]
        if self.game is None:
            players = [f"player {i + 1}" for i in range(len(vectors))]
            actions = [named([""] * len(own)) for own in vectors]
        else:
            players, actions = list(seats(self.game)), list(actions_of_seats(self.game))
        return {
            player: Chances(player, own, vector)
            for player, own, vector in zip(players, actions, vectors, strict=True)
        }

    def __reduce__(self) -> tuple[Any, ...]:
        return (_read_back, (self.strategies, self.game))

    def __repr__(self) -> str:
        if sum(map(len, self.strategies)) <= MOST_WRITTEN:
            return f"MixedProfile(strategies={self.strategies!r})"
        sizes = " x ".join(str(len(vector)) for vector in self.strategies[:MOST_SIZES])
        more = " x ..." if len(self.strategies) > MOST_SIZES else ""
        return f"MixedProfile({sizes}{more} actions, {'exact' if self.is_exact else 'float'})"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, MixedProfile)
            and len(self.strategies) == len(other.strategies)
            and all(map(np.array_equal, self.strategies, other.strategies))
        )

    def __hash__(self) -> int:
        return hash(tuple(tuple(vector.tolist()) for vector in self.strategies))


def _read_back(strategies: tuple[NumberArray, ...], game: Any) -> MixedProfile:
    return MixedProfile(strategies).known_to_be_of(game)


def uniform_profile(game: MixedGame) -> MixedProfile:
    """Return the exact profile in which each player plays all actions equally often.

    >>> from gametheory_core import load_game
    >>> uniform_profile(load_game("matching_pennies")).strategies[0].tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """
    require_mixed(game)
    own = MixedProfile(tuple(object_array([ONE / n] * n) for n in game.num_actions))
    return own.known_to_be_of(game)


def pure_profile(game: MixedGame, actions: Iterable[int]) -> MixedProfile:
    """Return the exact profile in which player ``i`` surely plays ``actions[i]``.

    Args:
        actions: One action for each player, from 0.

    >>> from gametheory_core import load_game
    >>> pure_profile(load_game("matching_pennies"), (0, 1)).strategies[1].tolist()
    [Fraction(0, 1), Fraction(1, 1)]
    """
    require_mixed(game)
    remedy = "Give one action for each player, from 0."
    chosen = chosen_actions(actions, len(game.num_actions), of="players", remedy=remedy)
    for count, action in zip(game.num_actions, chosen, strict=True):
        if not 0 <= action < count:
            raise InvalidStrategy(
                needs=f"an action in 0..{count - 1}", found=f"got {action}", remedy=remedy
            )
    own = MixedProfile(tuple(map(pure_vector, chosen, game.num_actions)))
    return own.known_to_be_of(game)


def chosen_actions(actions: object, count: int, *, of: str, remedy: str) -> tuple[int, ...]:
    """Return integers, after checking that there are as many as players or information sets."""
    chosen = as_tuple(actions, name="actions", remedy=remedy)
    for action in chosen:
        require_integer(action, name="each action", remedy=remedy)
    if len(chosen) != count:
        raise InvalidStrategy(
            needs=f"an action for each of {count} {of}", found=f"got {len(chosen)}"
        )
    return chosen


def pure_vector(action: int, count: int) -> ExactArray:
    """Return the exact distribution over ``count`` actions that plays one."""
    return object_array([ONE if a == action else ZERO for a in range(count)])


def supports(profile: MixedProfile) -> tuple[tuple[int, ...], ...]:
    """Return each player's actions of positive probability.

    >>> from gametheory_core import load_game
    >>> supports(pure_profile(load_game("matching_pennies"), (0, 1)))
    ((0,), (1,))
    """
    require_instance(profile, MixedProfile, name="profile")
    return tuple(tuple(np.flatnonzero(vector > 0).tolist()) for vector in profile.strategies)


def check_mixed_profile(game: MixedGame, profile: MixedProfile) -> None:
    """Refuse a profile that does not fit the game.

    A profile of a Bayesian game has the leader's strategy, then one for each type.

    Raises:
        InvalidStrategy: If the number of strategies, or of probabilities in one of them, is wrong.

    >>> from gametheory_core import load_game
    >>> chicken = load_game("chicken")
    >>> check_mixed_profile(chicken, uniform_profile(chicken))
    """
    remedy = "Give MixedProfile(strategies), uniform_profile(game) or pure_profile(game, actions)."
    require_instance(profile, MixedProfile, where="profile", name="a profile", remedy=remedy)
    counts = tuple(len(vector) for vector in profile.strategies)
    if counts != game.num_actions:
        raise InvalidStrategy(
            needs=f"strategies over {game.num_actions} actions for {game!r}",
            found=f"they have {counts} probabilities",
            where="profile",
        )


@dataclass(frozen=True)
class CoverageLottery:
    """A rational distribution over sets of covered targets.

    Attributes:
        coverages: Sets of targets, each in increasing order.
        weights: Positive; the probability of a set is its weight divided by the sum of all. Whole
            numbers, because fractions of a thousand targets share huge denominators.
    """

    coverages: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]

    def __post_init__(self) -> None:
        for row in (self.weights, *self.coverages):
            if not set(map(type, row)) <= {int}:
                raise InvalidStrategy(
                    needs="integers as weights and as targets",
                    found=f"{row!r} holds others",
                    remedy="Convert them by int.",
                )
        if len(self.coverages) != len(self.weights) or not self.weights or min(self.weights) < 1:
            raise InvalidStrategy(
                needs="a positive weight for each of at least one set of targets",
                found=f"has {len(self.weights)} weights for {len(self.coverages)} sets",
            )
        for coverage in self.coverages:
            if list(coverage) != sorted(set(coverage)) or (coverage and coverage[0] < 0):
                raise InvalidStrategy(
                    needs="sets of targets in increasing order, each once", found=f"got {coverage}"
                )

    @cached_property
    def total(self) -> int:
        """The sum of all weights."""
        return sum(self.weights)

    @property
    def probabilities(self) -> tuple[Fraction, ...]:
        """How likely each set is."""
        return tuple(Fraction(weight, self.total) for weight in self.weights)

    def cover(self, num_targets: int) -> list[int]:
        """Return how often each target is covered, as whole numbers to be divided by ``total``.

        Only changes from one set to the next are summed, so that similar neighbors cost little.
        """
        before = [0, *accumulate(self.weights)]
        covered = [0] * num_targets
        present: set[int] = set()
        for position, coverage in enumerate((*self.coverages, ())):
            now = set(coverage)
            for target in now - present:
                covered[target] -= before[position]
            for target in present - now:
                covered[target] += before[position]
            present = now
        return covered


def check_coverage(game: SecurityGame, lottery: CoverageLottery) -> None:
    """Refuse a distribution that covers unknown targets, or more than there are resources."""
    for coverage in lottery.coverages:
        if len(coverage) > game.resources or (coverage and coverage[-1] >= game.num_targets):
            raise InvalidStrategy(
                needs=f"at most {game.resources} of {game.num_targets} targets at once for "
                f"{game!r}",
                found=f"a set is {coverage}",
                where="coverage",
            )
