"""What a conversion is: a game, its other form, and the way profiles and outcomes travel.

Where a tree's information sets are information states, policies are its behavioral strategies.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any, Generic, Protocol, TypeVar

from gametheory_core.arrays import ZERO, NumberArray, object_array
from gametheory_core.distributions import Distribution, point_mass, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.rules import AskedRules, InformationState
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.policies import PolicyProfile, action_lottery

Source = TypeVar("Source")
Target = TypeVar("Target")
Further = TypeVar("Further")
SourceProfile = TypeVar("SourceProfile")
TargetProfile = TypeVar("TargetProfile")
FurtherProfile = TypeVar("FurtherProfile")


class Preserved(Enum):
    """What a conversion keeps; the value is the claim in words, and a distribution tests it."""

    PAYOFFS_TO_TARGET = "every source profile pays what its image in the target pays"
    PAYOFFS_TO_SOURCE = "every target profile pays what its image in the source pays"
    OUTCOMES_TO_TARGET = "a source profile and its image reach terminal histories equally often"
    OUTCOMES_TO_SOURCE = "a target profile and its image reach terminal histories equally often"
    BEST_RESPONSES = "deviation gains of a profile and of its image are equal, both ways"
    NASH = "equilibria go to equilibria, and nothing else does, both ways"


class Correspondence(Protocol[SourceProfile, TargetProfile]):
    """How profiles travel with a conversion; what does not fit is refused."""

    def to_target(self, profile: SourceProfile) -> TargetProfile:
        """Carry a source profile to the target."""
        ...

    def to_source(self, profile: TargetProfile) -> SourceProfile:
        """Carry a target profile to the source."""
        ...

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Return the distribution of source outcomes that an outcome of the target stands for."""
        ...


@dataclass(frozen=True, eq=False)
class Conversion(Generic[Source, Target, SourceProfile, TargetProfile]):
    """A game carried to another form.

    Attributes:
        source, target: The game as it was, and as it is now.
        correspondence: Carries profiles both ways, and outcomes back.
        preserves: What is true of every profile; ``gametheory_core.testing.laws.check_conversion``
            tests it.
    """

    source: Source
    target: Target
    correspondence: Correspondence[SourceProfile, TargetProfile]
    preserves: frozenset[Preserved]

    def then(
        self, following: "Conversion[Target, Further, TargetProfile, FurtherProfile]"
    ) -> "Conversion[Source, Further, SourceProfile, FurtherProfile]":
        """Compose with a conversion that starts at this one's target.

        Raises:
            InvalidArgument: If it starts at another game.
        """
        if self.target != following.source:
            raise InvalidArgument(
                needs=f"a conversion of {self.target!r}", found=f"got one of {following.source!r}"
            )
        return Conversion(
            self.source,
            following.target,
            Composed(self.correspondence, following.correspondence),
            self.preserves & following.preserves,
        )


@dataclass(frozen=True, eq=False)
class Composed(Generic[SourceProfile, TargetProfile, FurtherProfile]):
    """Two correspondences, one after the other."""

    first: Correspondence[SourceProfile, TargetProfile]
    second: Correspondence[TargetProfile, FurtherProfile]

    def to_target(self, profile: SourceProfile) -> FurtherProfile:
        """Carry a profile over both steps."""
        return self.second.to_target(self.first.to_target(profile))

    def to_source(self, profile: FurtherProfile) -> SourceProfile:
        """Carry a profile back over both steps."""
        return self.first.to_source(self.second.to_source(profile))

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Return the distribution of first outcomes, averaged over the outcomes between."""
        weights: dict[Any, Fraction] = {}
        for between, share in self.second.outcome_to_source(outcome):
            for origin, weight in self.first.outcome_to_source(between):
                weights[origin] = weights.get(origin, ZERO) + share * weight
        return Distribution(tuple(weights.items()))


def _itself(outcome: Any) -> Any:
    return outcome


@dataclass(frozen=True)
class Identity:
    """The correspondence of games whose policies are the same things.

    Attributes:
        source_play: Returns the play of the source that a play of the target is.
    """

    source_play: Callable[[Any], Any] = _itself

    def to_target(self, profile: Any) -> Any:
        """Return the profile."""
        return profile

    def to_source(self, profile: Any) -> Any:
        """Return the profile."""
        return profile

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Return the play of the source."""
        return point_mass(self.source_play(outcome))


@dataclass(frozen=True, eq=False)
class TreePolicies:
    """What each information set of a tree is called in the rules.

    Attributes:
        keys: For each information set of players, in the tree's order.
        actions: The rules' labels of its actions, in the order of the children.
        impossible: Information sets to which chance never leads, so that play of the rules does not
            know them.
    """

    keys: tuple[tuple[int, InformationState], ...]
    actions: tuple[tuple[Any, ...], ...]
    impossible: frozenset[int] = frozenset()

    def to_tree(self, game: AskedRules, profile: PolicyProfile) -> BehavioralProfile:
        """Ask each policy at each information set.

        Where chance never leads, only tables are asked; what they do not say is uniform.
        """
        vectors: list[NumberArray] = []
        for k, ((player, known), actions) in enumerate(zip(self.keys, self.actions, strict=True)):
            policy = profile[player]
            is_told = isinstance(policy, Mapping) and known in policy
            if k in self.impossible and not is_told:
                law = uniform(actions)
            else:
                law = action_lottery(game, player, policy, known)
            vectors.append(object_array([law[a] for a in actions]))
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


@dataclass(frozen=True, eq=False)
class TreeOfPlays:
    """Policies by information state, and plays as paths to terminal nodes.

    Attributes:
        rules, tree: The game, and the tree of its plays.
        name: Returns what each information set is called in the rules; called once.
        replay: Returns the play that ends at a node.
    """

    rules: AskedRules
    tree: ExtensiveFormGame
    name: Callable[[], TreePolicies]
    replay: Callable[[int], Any]

    @cached_property
    def policies(self) -> TreePolicies:
        """What each information set is called in the rules."""
        return self.name()

    def to_target(self, profile: PolicyProfile) -> BehavioralProfile:
        """Ask each policy at each information set."""
        return self.policies.to_tree(self.rules, profile)

    def to_source(self, profile: BehavioralProfile) -> PolicyProfile:
        """Return the tables of what the profile does at each information state."""
        check_behavioral_profile(self.tree, profile)
        return self.policies.from_tree(profile, len(self.rules.players))

    def outcome_to_source(self, outcome: int) -> Distribution[Any]:
        """Return the play that a terminal node stands for."""
        return point_mass(self.replay(int(outcome)))
