"""Policies as behavioral strategies of a tree whose information sets are information states."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from gametheory_core.arrays import NumberArray
from gametheory_core.distributions import Distribution
from gametheory_core.games.information_states import InformationState
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import PolicyProfile, action_lottery


class _Rules(Protocol):
    @property
    def players(self) -> tuple[str, ...]: ...

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]: ...


@dataclass(frozen=True, eq=False)
class TreePolicies:
    """What each information set of a tree is called in the rules.

    Attributes:
        keys: For each information set of players, in the tree's order.
        actions: The rules' labels of its actions, in the order of the children.
    """

    keys: tuple[tuple[int, InformationState], ...]
    actions: tuple[tuple[Any, ...], ...]

    def to_tree(self, game: _Rules, profile: PolicyProfile) -> BehavioralProfile:
        """Ask each policy at each information set."""
        vectors: list[NumberArray] = []
        for (player, known), actions in zip(self.keys, self.actions, strict=True):
            law = action_lottery(game, player, profile[player], known)
            vector = np.empty(len(actions), dtype=object)
            vector[:] = [law[a] for a in actions]
            vectors.append(vector)
        return BehavioralProfile(tuple(vectors))

    def from_tree(self, profile: BehavioralProfile, num_players: int) -> PolicyProfile:
        """Return a table for each player: information state -> distribution over actions."""
        tables: tuple[dict[InformationState, Distribution[Any]], ...] = tuple(
            {} for _ in range(num_players)
        )
        exact = profile.to_exact().probabilities
        for (player, known), actions, vector in zip(self.keys, self.actions, exact, strict=True):
            entries = zip(actions, vector.tolist(), strict=True)
            tables[player][known] = Distribution(tuple((a, w) for a, w in entries if w))
        return tables
