"""Behavioral profiles of extensive-form games: a distribution at each information set of players.

A profile can be restricted to a subgame, and put back into the whole tree.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import (
    ONE,
    IntArray,
    NumberArray,
    as_float,
    freeze,
    is_exact,
    object_array,
)
from gametheory_core.errors import InvalidStrategy
from gametheory_core.games import ExtensiveFormGame, NormalFormGame
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.subgames import Subgame
from gametheory_core.games.tree_table import describe_infoset
from gametheory_core.strategies.labels import Chances, Labelled, named, seats
from gametheory_core.strategies.mixed import (
    MOST_WRITTEN,
    MixedProfile,
    check_mixed_profile,
    chosen_actions,
    exact_probabilities,
    probability_vectors,
    pure_vector,
)


@dataclass(frozen=True, eq=False, repr=False)
class BehavioralProfile(Labelled):
    """Probabilities of the actions at every information set of players.

    Attributes:
        probabilities: ``probabilities[s][k]`` belongs to action ``k`` of ``game.infosets[s]``, for
            the first ``game.num_decision_infosets`` sets (chance's come after). All float64 or all
            exact.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> profile = uniform_behavior(load_game("one_card_poker"))
    >>> profile["Player 1"]["red"]["raise"], list(profile["Player 2"])
    (Fraction(1, 2), ['raised'])
    """

    probabilities: tuple[NumberArray, ...]

    def __post_init__(self) -> None:
        owner = "behavioral strategy at information set index {}"
        vectors = probability_vectors(self.probabilities, owner, first=0)
        object.__setattr__(self, "probabilities", vectors)

    @property
    def is_exact(self) -> bool:
        """Whether probabilities are rationals rather than floats (a profile of no one is exact)."""
        return not self.probabilities or is_exact(self.probabilities[0])

    @cached_property
    def flat(self) -> NumberArray:
        """All probabilities in one vector, in the game's flat action order (chance left out)."""
        if not self.probabilities:
            return freeze(np.zeros(0, dtype=object))
        return freeze(np.concatenate(self.probabilities))

    @cached_property
    def offset(self) -> IntArray:
        """Where each vector starts in ``flat``, and the length of that, (num_vectors + 1,)."""
        lengths = [len(vector) for vector in self.probabilities]
        return freeze(np.cumsum([0, *lengths], dtype=np.int32))

    def to_exact(self) -> "BehavioralProfile":
        """Return the rational profile this one means (floats are normalised exactly)."""
        if self.is_exact:
            return self
        exact = BehavioralProfile(tuple(map(exact_probabilities, self.probabilities)))
        return exact.known_to_be_of(self.game)

    def to_float(self) -> "BehavioralProfile":
        """Return the nearest float64 profile."""
        found = BehavioralProfile(tuple(map(as_float, self.probabilities)))
        return found.known_to_be_of(self.game)

    def require_fitting(self, game: ExtensiveFormGame) -> None:
        """Refuse a game that it is no profile of."""
        require_tree(game)
        check_behavioral_profile(game, self)

    def named_parts(self) -> dict[str, dict[str, Chances]]:
        """Return by name of a player, and of an information set, how likely actions are."""
        if self.game is None:
            raise InvalidStrategy(
                needs="to know the game, for the names of players",
                found="nobody said which it is",
                remedy="Call profile.of(game).",
            )
        players = seats(self.game)
        infosets = self.game.infosets[: self.game.num_decision_infosets]
        found: dict[str, dict[str, Chances]] = {player: {} for player in players}
        own = {i: named([s.label for s in infosets if s.player == i]) for i in range(len(players))}
        count = dict.fromkeys(own, 0)
        for infoset, vector in zip(infosets, self.probabilities, strict=True):
            place = own[infoset.player][count[infoset.player]]
            count[infoset.player] += 1
            found[players[infoset.player]][place] = Chances(
                place, named(infoset.actions), vector.tolist()
            )
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return (_read_back, (self.probabilities, self.game))

    def __str__(self) -> str:
        return repr(self) if self.game is None else super().__str__()

    def __repr__(self) -> str:
        if sum(map(len, self.probabilities)) <= MOST_WRITTEN:
            return f"BehavioralProfile(probabilities={self.probabilities!r})"
        sets = len(self.probabilities)
        return (
            f"BehavioralProfile({sets} information set{'s' * (sets != 1)}, "
            f"{'exact' if self.is_exact else 'float'})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, BehavioralProfile) and (
            [v.tolist() for v in self.probabilities] == [v.tolist() for v in other.probabilities]
        )

    def __hash__(self) -> int:
        return hash(tuple(self.flat.tolist()))


def _read_back(probabilities: tuple[NumberArray, ...], game: Any) -> BehavioralProfile:
    return BehavioralProfile(probabilities).known_to_be_of(game)


def uniform_behavior(game: ExtensiveFormGame) -> BehavioralProfile:
    """Return the exact profile that plays all actions equally often everywhere.

    >>> from gametheory_core import load_game
    >>> uniform_behavior(load_game("one_card_poker")).probabilities[0].tolist()
    [Fraction(1, 2), Fraction(1, 2)]
    """
    require_tree(game)
    counts = [len(s.actions) for s in game.infosets[: game.num_decision_infosets]]
    even = {n: object_array([ONE / n] * n) for n in set(counts)}
    own = BehavioralProfile(tuple(even[n] for n in counts))
    return own.known_to_be_of(game)


def pure_behavior(game: ExtensiveFormGame, actions: Iterable[int]) -> BehavioralProfile:
    """Return the exact profile that surely plays ``actions[s]`` at information set ``s``.

    Args:
        actions: One action for each information set of players, in the game's order.

    >>> from gametheory_core import load_game
    >>> pure_behavior(load_game("one_card_poker"), (0, 1, 0)).probabilities[1].tolist()
    [Fraction(0, 1), Fraction(1, 1)]
    """
    require_tree(game)
    remedy = "Give one action for each information set, from 0 in the order of its actions."
    infosets = game.infosets[: game.num_decision_infosets]
    chosen = chosen_actions(actions, len(infosets), of="information sets", remedy=remedy)
    for infoset, action in zip(infosets, chosen, strict=True):
        if not 0 <= action < len(infoset.actions):
            raise InvalidStrategy(
                found=f"{describe_infoset(infoset)} has actions 0..{len(infoset.actions) - 1}, but "
                f"got {action}",
                where="pure_behavior",
            )
    counts = [len(infoset.actions) for infoset in infosets]
    own = BehavioralProfile(tuple(map(pure_vector, chosen, counts)))
    return own.known_to_be_of(game)


def check_behavioral_profile(game: ExtensiveFormGame, profile: BehavioralProfile) -> None:
    """Refuse a profile that does not fit the game."""
    remedy = profile_remedy(
        profile, "Give a BehavioralProfile, uniform_behavior(game) or pure_behavior(game, actions)."
    )
    require_instance(profile, BehavioralProfile, where="profile", name="a profile", remedy=remedy)
    if np.array_equal(profile.offset, game.action_offset[: game.num_decision_infosets + 1]):
        return
    infosets = game.infosets[: game.num_decision_infosets]
    if len(profile.probabilities) != len(infosets):
        raise InvalidStrategy(
            needs=f"probabilities at each of {len(infosets)} information sets of {game!r}",
            found=f"has them at {len(profile.probabilities)}",
            where="profile",
        )
    for infoset, vector in zip(infosets, profile.probabilities, strict=True):
        if len(vector) != len(infoset.actions):
            raise InvalidStrategy(
                needs=f"{len(infoset.actions)} probabilities at {describe_infoset(infoset)}",
                found=f"has {len(vector)}",
                where="profile",
            )


def profile_remedy(given: object, remedy: str) -> str:
    """Return what to do about a wrong profile: a solver's answer holds the right one."""
    held = getattr(given, "profile", None)
    return "Give solution.profile." if isinstance(held, BehavioralProfile) else remedy


Game: TypeAlias = NormalFormGame | ExtensiveFormGame
Profile: TypeAlias = MixedProfile | BehavioralProfile


def check_profile(game: Game, profile: Profile) -> None:
    """Refuse a profile that is not one of the game."""
    if isinstance(game, NormalFormGame) and isinstance(profile, MixedProfile):
        check_mixed_profile(game, profile)
    elif isinstance(game, ExtensiveFormGame) and isinstance(profile, BehavioralProfile):
        check_behavioral_profile(game, profile)
    else:
        raise InvalidStrategy(
            needs="a MixedProfile for a normal form or a BehavioralProfile for a tree",
            found=f"got {type(profile).__name__} for {game!r}",
            remedy=profile_remedy(profile, "Give the profile itself."),
            where="profile",
        )


def restricted_profile(part: Subgame, profile: BehavioralProfile) -> BehavioralProfile:
    """Return what a profile of the whole tree plays in a subgame.

    Args:
        profile: Of ``part.source``; exact or float.

    Raises:
        InvalidStrategy: If the profile does not fit the whole tree.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> from gametheory_core.games import subgame
    >>> centipede = load_game("centipede:rounds=3")
    >>> part = subgame(centipede, 4)
    >>> restricted_profile(part, uniform_behavior(centipede)) == uniform_behavior(part.game)
    True
    """
    check_behavioral_profile(part.source, profile)
    own = part.infosets[: part.game.num_decision_infosets].tolist()
    return BehavioralProfile(tuple(profile.probabilities[s] for s in own))
