"""One leader and several followers: a POSG of n players, of whom one commits first.

Once he has, the others play a game among themselves. Two parts of it are leader views of two
players, so that all that is known of those holds: all followers *merged* into one, who chooses for
all of them, and one follower *against* the leader, while the others play what is known.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from gametheory_core.arguments import require_instance, shown, shown_players
from gametheory_core.arrays import IntArray, freeze
from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.distributions import point_mass
from gametheory_core.errors import InvalidArgument, InvalidStrategy, UnsupportedGame, refusing_as
from gametheory_core.games.checked_rules import checked_posg
from gametheory_core.games.rules import POSG, stop_posg
from gametheory_core.games.tables import TabularPOSG
from gametheory_core.leaders.follower_tables import merged_table, remaining_table
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    StationaryFollower,
    check_actions,
    check_follower_policy,
)
from gametheory_core.leaders.view import LeaderView
from gametheory_core.strategies.policies import PolicyProfile, reactive


@dataclass(frozen=True)
class FollowersView:
    """A POSG with a horizon, in which one player commits first and all others follow.

    Attributes:
        game: At least two players, a horizon, and observations that are functions of the state.
        leader: Who commits.

    Raises:
        UnsupportedGame: If the game does not fit.
        InvalidArgument: If there is no such leader.

    Source: :cite:`gerstgrasser2023oracles`, section 3, for several followers.

    >>> from gametheory_core import NormalFormGame
    >>> from gametheory_core.conversions import normal_to_posg, posg_to_tabular
    >>> stage = NormalFormGame.from_payoffs([[[[0, 1], [2, 3]]] * 2] * 3)
    >>> view = FollowersView(posg_to_tabular(normal_to_posg(stage).target).target)
    >>> view.followers, len(view.merged.game.actions[1])
    ((1, 2), 4)
    """

    game: TabularPOSG
    leader: int = 0

    def __post_init__(self) -> None:
        require_instance(
            self.game, TabularPOSG, name="game", remedy="Call followers_view(game), which makes it."
        )
        count = len(self.game.players)
        if count < 2:  # a leader and a follower
            raise UnsupportedGame(
                needs="at least two players, a leader and his followers",
                found=f"{self.game!r} has {count}",
            )
        if type(self.leader) is not int or not 0 <= self.leader < count:
            raise InvalidArgument(
                needs=f"leader to be one of the {count} players, from 0 on",
                found=f"got {shown(self.leader)}",
            )
        _ = self.merged.leader_observation  # refuses what is no leader view

    @property
    def followers(self) -> tuple[int, ...]:
        """All players but the leader."""
        return tuple(i for i in range(len(self.game.players)) if i != self.leader)

    @cached_property
    def merged(self) -> LeaderView:
        """The leader and all followers as one player, who is paid what they get together."""
        return LeaderView(merged_table(self.game, self.leader, self.followers, self.followers))

    def paid_as(self, follower: int) -> LeaderView:
        """Return the merged view in which all followers choose for one of them alone."""
        self._require_follower(follower)
        return LeaderView(merged_table(self.game, self.leader, self.followers, (follower,)))

    @cached_property
    def seen(self) -> IntArray:
        """What each follower sees in each state, shape (followers, S); -1 where nobody acts."""
        joint = self.merged.follower_observation
        return freeze(np.where(joint >= 0, self.observed.T[:, joint], -1).astype(np.int32))

    def actions(self, follower: int, observation: int) -> tuple[int, ...]:
        """Return what a follower may do; nothing where she never acts on what she sees."""
        self._require_follower(follower)
        own = self.seen[self.followers.index(follower)]
        return self.game.legal[follower][observation] if np.any(own == observation) else ()

    def joint_code(self, actions: Any) -> Any:
        """Return the merged player's action for the followers' own, (followers, ...) to (...)."""
        code: Any = 0
        for follower, own in zip(self.followers, actions, strict=True):
            code = code * len(self.game.actions[follower]) + own
        return code

    def together(self, policies: Sequence[StationaryFollower]) -> StationaryFollower:
        """Return the merged player's policy for one of each follower.

        Raises:
            InvalidStrategy: If a policy does not fit.
        """
        self.check(policies)
        own = zip(policies, self.observed.T.tolist(), strict=True)
        code = self.joint_code(np.array([[one.actions[o] for o in seen] for one, seen in own]))
        return StationaryFollower(tuple(np.where(self._is_met, code, -1).tolist()))

    def apart(self, policy: StationaryFollower) -> tuple[StationaryFollower, ...]:
        """Return each follower's policy, of which the merged player's is made.

        Raises:
            InvalidStrategy: If there are none: what one does depends on what another sees.
        """
        check_follower_policy(self.merged, policy)
        codes = np.array(policy.actions)[self._is_met]
        counts = [len(self.game.actions[i]) for i in self.followers]
        found: list[StationaryFollower] = []
        for k, follower in enumerate(self.followers):
            own = np.full(len(self.game.observations[follower]), -1)
            seen = self.observed[self._is_met, k]
            own[seen] = np.unravel_index(codes, counts)[k] if codes.size else -1
            found.append(StationaryFollower(tuple(own.tolist())))
        if self.together(found) != policy:
            raise InvalidStrategy(
                needs="a policy in which no follower's action depends on what another one sees",
                found="one does",
                remedy="Make it of theirs: FollowersView.together(policies).",
            )
        return tuple(found)

    @cached_property
    def observed(self) -> IntArray:
        """What each follower sees where the merged one sees something, (observations, n)."""
        labels = self.merged.game.observations[1]
        index = [self.game.observation_index[i] for i in self.followers]
        rows = [[own[o] for own, o in zip(index, label, strict=True)] for label in labels]
        return freeze(np.array(rows, dtype=np.int32).reshape(len(labels), len(index)))

    @cached_property
    def _is_met(self) -> Any:
        met = self.merged.follower_observation
        return freeze(np.isin(np.arange(len(self.merged.game.observations[1])), met[met >= 0]))

    def profile(
        self, leader: DeterministicLeader, policies: Sequence[StationaryFollower]
    ) -> PolicyProfile:
        """Return everybody's policy, in the order of the game."""
        self.check(policies)
        own: list[tuple[int, ...]] = [policy.actions for policy in policies]
        own.insert(self.leader, leader.actions)
        names = zip(own, self.game.observations, self.game.actions, strict=True)
        return tuple(
            reactive(
                {
                    o: point_mass(labels[action])
                    for o, action in zip(seen, actions, strict=True)
                    if action >= 0
                }
            )
            for actions, seen, labels in names
        )

    def check(self, policies: Sequence[StationaryFollower]) -> None:
        """Refuse what is not a policy for each follower.

        Raises:
            InvalidStrategy: Names the follower, and the observation.
        """
        if len(policies) != len(self.followers):
            raise InvalidStrategy(
                needs=f"a policy for each of {len(self.followers)} followers",
                found=f"got {len(policies)}",
            )
        names = shown_players(self.game.players)
        for follower, policy in zip(self.followers, policies, strict=True):
            require_instance(policy, StationaryFollower, name=f"the policy of {names[follower]}")
            count = len(self.game.observations[follower])
            choices = [self.actions(follower, o) for o in range(count)]
            with refusing_as(f"policy of {names[follower]}"):
                check_actions(policy.actions, choices, "observation")

    def against(self, follower: int, policies: Sequence[StationaryFollower]) -> LeaderView:
        """Return the game of the leader and one follower, the others playing their policies.

        Args:
            follower: Hers is not looked at.
            policies: One for each follower, in their order.

        Raises:
            InvalidStrategy: If a policy does not fit.
        """
        self._require_follower(follower)
        self.check(policies)
        game = self.game
        joint = game.row_key % game.num_joint_actions
        acting = self.seen[0, game.row_state] >= 0
        for k, (other, policy) in enumerate(zip(self.followers, policies, strict=True)):
            if other != follower:
                does = joint // game.strides[other] % len(game.actions[other])
                acting &= does == np.array([*policy.actions, -1])[self.seen[k, game.row_state]]
        return LeaderView(remaining_table(game, (self.leader, follower), np.flatnonzero(acting)))

    def _require_follower(self, follower: int) -> None:
        if follower not in self.followers:
            raise InvalidArgument(
                needs=f"one of the followers {', '.join(map(str, self.followers))}",
                found=f"got {follower!r}",
            )


def followers_view(
    game: POSG | FollowersView, *, leader: int = 0, horizon: int | None = None
) -> FollowersView:
    """View a POSG as a Markov game with a leader and any number of followers.

    Args:
        game: Each player observes a function of the state.
        leader: Who commits first.
        horizon: Stop after so many steps; needed if the game does not stop by itself.

    Raises:
        UnsupportedGame: If the game does not fit, or is too large for a table.
        InvalidArgument: If there is no such leader or horizon.

    >>> from gametheory_core import load_game
    >>> followers_view(load_game("iterated_chicken:rounds=3")).followers
    (1,)
    """
    if isinstance(game, FollowersView):
        if horizon is None and leader == game.leader:
            return game
        game = game.game
    rules = checked_posg(game, "followers_view")
    with refusing_as("followers_view"):
        stopped = rules if horizon is None else stop_posg(rules, steps=horizon)
        return FollowersView(posg_to_tabular(stopped).target, leader)


def met_leader(view: LeaderView, leader: DeterministicLeader) -> DeterministicLeader:
    """Return a leader in a view in which less is met: -1 for what he never sees there."""
    met = (bool(view.leader_actions(o)) for o in range(len(leader.actions)))
    return DeterministicLeader(_where(leader.actions, met))


def met_follower(view: LeaderView, policy: StationaryFollower) -> StationaryFollower:
    """Return a follower's policy likewise."""
    met = (bool(view.follower_actions(o)) for o in range(len(policy.actions)))
    return StationaryFollower(_where(policy.actions, met))


def _where(actions: tuple[int, ...], met: Any) -> tuple[int, ...]:
    return tuple(action if is_met else -1 for action, is_met in zip(actions, met, strict=True))
