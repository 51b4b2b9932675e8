"""Normal forms with fewer actions: the same game when some actions are out of the question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from gametheory_core.arguments import as_tuple, require_integer
from gametheory_core.arrays import ExactArray, NumberArray, freeze, is_exact
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

Restriction: TypeAlias = Conversion[NormalFormGame, NormalFormGame, MixedProfile, MixedProfile]


@dataclass(frozen=True)
class KeptActions:
    """Profiles travel by dropping the probability zero of other actions, or putting it back.

    Attributes:
        game, restricted: Before and after.
        kept: The actions of each player that are left.
    """

    game: NormalFormGame
    restricted: NormalFormGame
    kept: tuple[tuple[int, ...], ...]

    def to_target(self, profile: MixedProfile) -> MixedProfile:
        """Carry over a profile that plays only actions that are left.

        Raises:
            InvalidStrategy: If it plays another action; names it.
        """
        check_mixed_profile(self.game, profile)
        for player, (strategy, own) in enumerate(zip(profile.strategies, self.kept, strict=True)):
            lost = [a for a in np.flatnonzero(strategy).tolist() if a not in own]
            if lost:
                raise InvalidStrategy(
                    needs="a profile that plays only actions that are left",
                    found=f"player {self.game.players[player]!r} plays "
                    f"{self.game.actions[player][lost[0]]!r}",
                )
        return MixedProfile(
            tuple(s[list(own)] for s, own in zip(profile.strategies, self.kept, strict=True))
        )

    def to_source(self, profile: MixedProfile) -> MixedProfile:
        """Carry a profile back; actions that are gone get probability zero."""
        check_mixed_profile(self.restricted, profile)
        return MixedProfile(
            tuple(
                _spread(strategy, own, count)
                for strategy, own, count in zip(
                    profile.strategies, self.kept, self.game.num_actions, strict=True
                )
            )
        )

    def outcome_to_source(self, outcome: Sequence[int]) -> Distribution[tuple[int, ...]]:
        """Return the same joint action by its numbers in the source."""
        return point_mass(tuple(own[a] for own, a in zip(self.kept, outcome, strict=True)))


def restrict_actions(game: NormalFormGame, kept: Sequence[Sequence[int]]) -> Restriction:
    """Leave each player only some actions, labels kept.

    Args:
        game: Any number of players.
        kept: For each player the actions that stay, from 0, at least one, in ascending order.

    Returns:
        ``target`` is the smaller game; ``correspondence.to_source(profile)`` carries its profiles
        back.

    Raises:
        InvalidArgument: If a player keeps no action, or one that does not exist, or the order is
            not ascending.

    >>> from gametheory_core import load_game
    >>> restriction = restrict_actions(load_game("chicken"), [(0, 1), (1,)])
    >>> restriction.target.actions
    (('swerve', 'straight'), ('straight',))
    """
    require_normal_form(game)
    remedy = "Give the actions of each player: [(0, 1), (1,)]."
    sets = tuple(
        as_tuple(own, name="the actions of a player", remedy=remedy)
        for own in as_tuple(kept, name="kept", remedy=remedy)
    )
    for own in sets:
        for action in own:
            require_integer(action, name="each action", remedy=remedy)
    if len(sets) != game.num_players or not all(
        own and list(own) == sorted(set(own)) and own[0] >= 0 and own[-1] < count
        for own, count in zip(sets, game.num_actions, strict=True)
    ):
        raise InvalidArgument(
            needs="at least one existing action for each player, in ascending order",
            found=f"got {sets} for {game!r}",
        )
    restricted = NormalFormGame(
        players=game.players,
        actions=tuple(
            tuple(labels[a] for a in own) for labels, own in zip(game.actions, sets, strict=True)
        ),
        given_payoffs=freeze(game.given_payoffs[np.ix_(range(game.num_players), *sets)]),
        title=game.title,
    )
    preserves = frozenset({Preserved.PAYOFFS_TO_SOURCE, Preserved.OUTCOMES_TO_SOURCE})
    return Conversion(game, restricted, KeptActions(game, restricted, sets), preserves)


def _spread(strategy: NumberArray, own: tuple[int, ...], count: int) -> NumberArray:
    if not is_exact(strategy):
        floats = np.zeros(count)
        floats[list(own)] = strategy
        return floats
    exact: ExactArray = np.full(count, strategy[0] * 0, dtype=object)
    exact[list(own)] = strategy
    return freeze(exact)
