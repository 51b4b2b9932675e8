"""Normal forms and trees as rules: POSGs of one step, and AEC games whose states are nodes.

Trees as AEC games: nodes are states, and the mover sees the name of the information set.

Agents of an AEC game remember what they saw and did, so this takes perfect recall: a player who
forgets in the tree would remember in the AEC game, and could do better there.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, ZERO, object_array
from gametheory_core.conversions.conversion import Conversion, Preserved, TreePolicies
from gametheory_core.conversions.extensive_normal import MAX_PROFILES, extensive_to_normal
from gametheory_core.conversions.posg_extensive import posg_to_extensive
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.games import AEC, NO_OUTCOME, NULL, POSG, AecPlay, ExtensiveFormGame, PosgPlay
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import require_perfect_recall
from gametheory_core.games.rules import (
    InformationState,
    JointAction,
    Rewards,
    from_inner,
    written_as,
)
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.policies import PolicyProfile, action_lottery
from gametheory_core.strategies.sequences import chance_reach

NormalToPosg: TypeAlias = Conversion[NormalFormGame, POSG, MixedProfile, PolicyProfile]
NormalToExtensive: TypeAlias = Conversion[
    NormalFormGame, ExtensiveFormGame, MixedProfile, BehavioralProfile
]


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

    >>> from gametheory_core.catalog import RepeatedGame
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
    __repr__ = written_as("normal_to_posg({0.game!r}).target")
    title = from_inner("title")
    players = from_inner("players")
    discount = ONE
    horizon = 1

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
        """Play the mixed strategies."""
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
        """Read the mixed strategies."""
        vectors: list[Any] = []
        for player, policy in enumerate(profile):
            law = action_lottery(self.rules, player, policy, (NULL,))
            vectors.append(object_array([law[a] for a in self.rules.actions[player]]))
        return MixedProfile(tuple(vectors))

    def outcome_to_source(self, outcome: PosgPlay) -> Distribution[tuple[int, ...]]:
        """Return the joint action, as positions."""
        joint = zip(self.rules.actions, outcome.steps[0].actions, strict=True)
        return point_mass(tuple(own.index(a) for own, a in joint))


START = "start"  # the state before the root, because the environment moves first

ExtensiveToAec: TypeAlias = Conversion[ExtensiveFormGame, AEC, BehavioralProfile, PolicyProfile]


def extensive_to_aec(game: ExtensiveFormGame) -> ExtensiveToAec:
    """Carry a tree to the AEC game that walks it.

    Args:
        game: With perfect recall.

    Returns:
        Preserves everything.

    Raises:
        UnsupportedGame: If a player forgets; the message has the witness.

    >>> from gametheory_core import load_game
    >>> aec = extensive_to_aec(load_game("kuhn_poker")).target
    >>> aec.initial_state, len(aec.chance(0))
    ('start', 6)
    """
    require_perfect_recall(
        game, remedy="Agents of an AEC game remember, so the game would be another one."
    )
    rules = TreeWalk(game)
    return Conversion(game, rules, WalkCorrespondence(rules), frozenset(Preserved))


@dataclass(frozen=True)
class TreeWalk:
    """The AEC game whose states are the nodes of a tree, and ``START``."""

    game: ExtensiveFormGame
    __repr__ = written_as("extensive_to_aec({0.game!r}).target")
    title = from_inner("title")
    players = from_inner("players")
    discount = ONE
    horizon = None
    initial_state = START

    def observation(self, player: int, state: int) -> Distribution[Any]:
        """Show the name of the information set."""
        return point_mass(self._names[self.game.node_infoset[state]])

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Return the actions of an information set."""
        return self._actions[player, observation]

    def is_terminal(self, state: Any) -> bool:
        """Tell whether the node ends the game."""
        return state != START and int(self.game.node_infoset[state]) < 0

    def move(self, player: int, state: int, action: Any) -> int:
        """Return the child to which an action leads."""
        actions = self._actions[player, self._names[self.game.node_infoset[state]]]
        return int(self.game.first_child[state]) + actions.index(action)

    def chance(self, state: Any) -> Distribution[Any]:
        """Draw a child; from ``START``, go to the root."""
        if state == START:
            return point_mass(0)
        weights = self.game.infosets[self.game.node_infoset[state]].probabilities or ()
        first = int(self.game.first_child[state])
        return Distribution(tuple((first + k, w) for k, w in enumerate(weights) if w))

    def reward(self, state: Any, mover: int, action: Any, next_state: int) -> Distribution[Rewards]:
        """Pay the outcome on entering a node."""
        outcome = int(self.game.node_outcome[next_state])
        if outcome == NO_OUTCOME:
            return point_mass((ZERO,) * len(self.players))
        return point_mass(self.game.outcomes[outcome].payoffs)

    def next_player(
        self, state: Any, mover: int, action: Any, next_state: int
    ) -> Distribution[int]:
        """Let the mover of the next node move."""
        return point_mass(int(self.game.node_player[next_state]))

    @cached_property
    def _names(self) -> tuple[Any, ...]:
        """Name of each information set: its label, or its number if it has none."""
        return tuple(infoset.label or infoset.number for infoset in self.game.infosets)

    @cached_property
    def _actions(self) -> dict[tuple[int, Any], tuple[Any, ...]]:
        """Labels of each information set's actions; a position, from 1, for one without."""
        named = zip(self.game.infosets, self._names, strict=True)
        return {
            (s.player, name): tuple(label or k + 1 for k, label in enumerate(s.actions))
            for s, name in named
        }

    @cached_property
    def policies(self) -> TreePolicies:
        """The information state at each information set, the same at all its nodes."""
        game = self.game
        count = game.num_decision_infosets
        first_node = np.unique(game.node_infoset, return_index=True)[1][-len(game.infosets) :]
        possible = set(game.node_infoset[np.flatnonzero(chance_reach(game))].tolist())
        keys: list[tuple[int, InformationState]] = []
        actions: list[tuple[Any, ...]] = []
        for infoset, node in enumerate(first_node[:count].tolist()):
            player = game.infosets[infoset].player
            name = self._names[infoset]
            keys.append((player, (*self._past(player, node, keys, actions), name)))
            actions.append(self._actions[player, name])
        return TreePolicies(tuple(keys), tuple(actions), frozenset(range(count)) - possible)

    def _past(
        self,
        player: int,
        node: int,
        keys: list[tuple[int, InformationState]],
        actions: list[tuple[Any, ...]],
    ) -> tuple[Any, ...]:
        """Return what a player saw and did above a node: the last own turn says all before it."""
        game = self.game
        while node > 0:
            parent = int(game.parent[node])
            if game.node_player[parent] == player:
                infoset = int(game.node_infoset[parent])
                return (*keys[infoset][1], actions[infoset][node - int(game.first_child[parent])])
            node = parent
        return ()


@dataclass(frozen=True)
class WalkCorrespondence:
    """Behavioral strategies as policies, and plays by the node where they end."""

    rules: TreeWalk

    def to_target(self, profile: BehavioralProfile) -> PolicyProfile:
        """Return the tables of what the profile does at each information state."""
        check_behavioral_profile(self.rules.game, profile)
        return self.rules.policies.from_tree(profile, len(self.rules.players))

    def to_source(self, profile: PolicyProfile) -> BehavioralProfile:
        """Ask each policy at each information set; play uniformly where chance never leads.

        What a table says there is played; policies of the AEC game need not say anything.
        """
        return self.rules.policies.to_tree(self.rules, profile)

    def outcome_to_source(self, outcome: AecPlay) -> Distribution[int]:
        """Return the terminal node in which the play stopped."""
        return point_mass(int(outcome.final_state))
