"""Normal forms as POSGs of one step: everyone acts once, sees nothing before, and is paid."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.conversions.extensive_normal import MAX_PROFILES, extensive_to_normal
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.games.information_states import NULL
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.rules import POSG, JointAction, PosgPlay, Rewards, from_inner
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.policies import PolicyProfile, action_lottery

NormalToPosg: TypeAlias = Conversion[NormalFormGame, POSG, MixedProfile, PolicyProfile]
NormalToExtensive: TypeAlias = Conversion[NormalFormGame, Any, MixedProfile, BehavioralProfile]


def normal_to_posg(game: NormalFormGame) -> NormalToPosg:
    """Carry a normal form to the POSG in which it is played once.

    Returns:
        Preserves everything.

    >>> from gametheory_core import load_game
    >>> posg = normal_to_posg(load_game("matching_pennies")).target
    >>> posg.reward("before", ("heads", "heads"), "after")
    (Fraction(1, 1), Fraction(-1, 1))
    """
    rules = OneShot(game)
    return Conversion(game, rules, OneShotCorrespondence(rules), frozenset(Preserved))


def normal_to_extensive(game: NormalFormGame) -> NormalToExtensive:
    """Carry a normal form to the tree in which players move in order, none seeing the others.

    Returns:
        Preserves everything.

    >>> from gametheory_core import load_game
    >>> normal_to_extensive(load_game("matching_pennies")).target.num_nodes
    7
    """
    first = normal_to_posg(game)
    return first.then(posg_to_extensive(first.target))


def posg_to_normal(
    game: POSG, *, horizon: int | None = None, max_profiles: int = MAX_PROFILES
) -> Conversion[POSG, NormalFormGame, PolicyProfile, MixedProfile]:
    """Carry a POSG to the normal form of the tree of its plays.

    Args:
        horizon: Number of steps; the game's own by default.
        max_profiles: The largest number of joint plans to build; they are counted first.

    Returns:
        Preserves everything.

    Raises:
        UnsupportedGame: If there are more joint plans.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> game = RepeatedGame.of("matching_pennies", rounds=1)
    >>> posg_to_normal(game).target.num_actions
    (2, 2)
    """
    first = posg_to_extensive(game, horizon=horizon)
    return first.then(extensive_to_normal(first.target, max_profiles=max_profiles))


@dataclass(frozen=True)
class OneShot:
    """A normal form as rules: states ``"before"`` and ``"after"``."""

    game: NormalFormGame
    title = from_inner("title")
    players = from_inner("players")

    @property
    def discount(self) -> Fraction:
        """One: there is one step."""
        return ONE

    @property
    def horizon(self) -> int | None:
        """One step."""
        return 1

    @cached_property
    def actions(self) -> tuple[tuple[Any, ...], ...]:
        """Labels of each player's actions; a position, from 1, for one without."""
        return tuple(
            tuple(label or k + 1 for k, label in enumerate(own)) for own in self.game.actions
        )

    def initial(self) -> Distribution[Any]:
        """Start before the game."""
        return point_mass("before")

    def initial_observation(self, state: Any) -> Distribution[tuple[Any, ...]]:
        """Show nothing."""
        return point_mass((NULL,) * self.game.num_players)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return the player's actions."""
        return self.actions[player]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the game has been played."""
        return state == "after"

    def transition(self, state: Any, joint_action: JointAction) -> Distribution[Any]:
        """End the game."""
        return point_mass("after")

    def observation(self, joint_action: JointAction, state: Any) -> Distribution[tuple[Any, ...]]:
        """Show nothing."""
        return point_mass((NULL,) * self.game.num_players)

    def reward(self, state: Any, joint_action: JointAction, next_state: Any) -> Rewards:
        """Pay the cell."""
        cell = tuple(own.index(a) for own, a in zip(self.actions, joint_action, strict=True))
        return tuple(self.game.exact_payoffs[(slice(None), *cell)].tolist())


@dataclass(frozen=True)
class OneShotCorrespondence:
    """Mixed strategies as what is played at the one information state."""

    rules: OneShot

    def to_target(self, profile: MixedProfile) -> PolicyProfile:
        """Play the mixed strategies.

        Raises:
            InvalidStrategy: If the profile does not fit the game.
        """
        check_mixed_profile(self.rules.game, profile)
        exact = profile.to_exact().strategies
        return tuple(
            {
                (NULL,): Distribution(
                    tuple((a, w) for a, w in zip(own, v.tolist(), strict=True) if w)
                )
            }
            for own, v in zip(self.rules.actions, exact, strict=True)
        )

    def to_source(self, profile: PolicyProfile) -> MixedProfile:
        """Read the mixed strategies.

        Raises:
            InvalidStrategy: If a policy says nothing at the start, or plays what is no action.
        """
        vectors: list[Any] = []
        for player, policy in enumerate(profile):
            law = action_lottery(self.rules, player, policy, (NULL,))
            vector = np.empty(len(self.rules.actions[player]), dtype=object)
            vector[:] = [law[a] for a in self.rules.actions[player]]
            vectors.append(vector)
        return MixedProfile(tuple(vectors))

    def outcome_to_source(self, outcome: PosgPlay) -> Distribution[tuple[int, ...]]:
        """Return the joint action, as positions."""
        joint = zip(self.rules.actions, outcome.steps[0].actions, strict=True)
        return point_mass(tuple(own.index(a) for own, a in joint))
