"""The same game in a simpler form: canonical trees, and normal forms with fewer actions.

Chance nodes with one possible outcome are contracted and impossible branches dropped; payoffs of
inner nodes move to the terminal histories; information sets and chance's branches get numbers for
names. Two trees that differ in nothing else have equal canonical forms.

Chance nodes with one distribution share an information set here, which saves memory and means
nothing; ``separate_chance`` gives each its own. Gambit reads shared sets as chance forgetting, and
then refuses to solve for want of perfect recall.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import as_tuple, require_integer
from gametheory_core.arrays import ONE, ExactArray, IntArray, NumberArray, freeze, is_exact
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal, lay_out
from gametheory_core.games.tree_table import CHANCE, InformationSet
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile

SeparateChance: TypeAlias = Conversion[
    ExtensiveFormGame, ExtensiveFormGame, BehavioralProfile, BehavioralProfile
]
PLAIN = frozenset(
    {
        Preserved.PAYOFFS_TO_TARGET,
        Preserved.PAYOFFS_TO_SOURCE,
        Preserved.OUTCOMES_TO_TARGET,
        Preserved.OUTCOMES_TO_SOURCE,
    }
)


def separate_chance(game: ExtensiveFormGame) -> SeparateChance:
    """Give every chance node an information set of its own, numbered in order of the nodes.

    Returns:
        Profiles, nodes and all that is computed from them stay as they are.

    >>> from gametheory_core import load_game
    >>> leduc = load_game("leduc_poker")
    >>> len(leduc.infosets), len(separate_chance(leduc).target.infosets)
    (958, 1093)
    """
    first = game.num_decision_infosets
    nodes = np.flatnonzero(game.node_player == CHANCE)
    drawn = [game.infosets[index] for index in game.node_infoset[nodes].tolist()]
    separate = tuple(
        InformationSet(CHANCE, number, "", infoset.actions, infoset.probabilities)
        for number, infoset in enumerate(drawn, start=1)
    )
    node_infoset = game.node_infoset.copy()
    node_infoset[nodes] = first + np.arange(len(nodes))
    target = ExtensiveFormGame(
        game.players,
        (*game.infosets[:first], *separate),
        node_infoset,
        game.outcomes,
        game.node_outcome,
        game.node_labels,
        game.title,
    )
    preserves = frozenset(Preserved) if has_perfect_recall(game) else PLAIN
    return Conversion(game, target, Identity(), preserves)


CanonicalTree: TypeAlias = Conversion[
    ExtensiveFormGame, ExtensiveFormGame, BehavioralProfile, BehavioralProfile
]


def canonical_tree(game: ExtensiveFormGame) -> CanonicalTree:
    """Carry a tree to its canonical form.

    Returns:
        With perfect recall it preserves everything; without, payoffs and outcomes.

    Information sets that only impossible branches reach disappear; coming back, play there is
    uniform.

    >>> from gametheory_core.games.tree_draft import from_sketch
    >>> chosen = Decision(0, "now", {"stop": Terminal([0]), "go": Terminal([1])})
    >>> tree = from_sketch(Chance({"sure": (1, chosen)}), players=("A",))
    >>> tree.num_nodes, canonical_tree(tree).target.num_nodes
    (4, 3)
    """
    layout = _Layout(game)
    laid_out = lay_out(0, expand=layout.expand, players=game.players, title=game.title)
    target = _numbered(laid_out)
    kept = np.array(layout.nodes, dtype=np.int32)
    origin = freeze(game.node_infoset[kept[_first_nodes(target)]])
    correspondence = ContractedNodes(game, target, freeze(kept), origin)
    preserves = frozenset(Preserved) if has_perfect_recall(game) else PLAIN
    return Conversion(game, target, correspondence, preserves)


@dataclass(frozen=True, eq=False)
class ContractedNodes:
    """Behavior at the information sets that are left.

    Attributes:
        nodes (target.num_nodes,): Which node of the tree each node of the canonical form is.
        infosets (target.num_decision_infosets,): Which information set of the tree each one is.
    """

    game: ExtensiveFormGame
    target: ExtensiveFormGame
    nodes: IntArray
    infosets: IntArray

    def to_target(self, profile: BehavioralProfile) -> BehavioralProfile:
        """Keep what is played at the information sets that are left.

        Raises:
            InvalidStrategy: If the profile does not fit the tree.
        """
        check_behavioral_profile(self.game, profile)
        return BehavioralProfile(tuple(profile.probabilities[s] for s in self.infosets.tolist()))

    def to_source(self, profile: BehavioralProfile) -> BehavioralProfile:
        """Play the same, and uniformly where the canonical form has no information set.

        Raises:
            InvalidStrategy: If the profile does not fit the canonical form.
        """
        check_behavioral_profile(self.target, profile)
        place = {s: k for k, s in enumerate(self.infosets.tolist())}
        vectors: list[Any] = []
        for s, infoset in enumerate(self.game.infosets[: self.game.num_decision_infosets]):
            if s in place:
                vectors.append(profile.probabilities[place[s]])
                continue
            size = len(infoset.actions)
            uniform = np.empty(size, dtype=object)
            uniform[:] = [ONE / size] * size
            vectors.append(uniform if profile.is_exact else uniform.astype(np.float64))
        return BehavioralProfile(tuple(vectors))

    def outcome_to_source(self, outcome: int) -> Distribution[int]:
        """Return the terminal node of the tree."""
        return point_mass(int(self.nodes[outcome]))


@dataclass
class _Layout:
    """Contracts while the tree is laid out; ``nodes`` lists the nodes kept, in order."""

    game: ExtensiveFormGame

    def __post_init__(self) -> None:
        game = self.game
        self.nodes: list[int] = []
        self.payoffs = dict(
            zip(game.terminals.tolist(), game.exact_terminal_payoffs.tolist(), strict=True)
        )

    def expand(self, node: int) -> Node[int]:
        """Say what happens at a node, for ``lay_out``."""
        branches = self._possible(node)
        while len(branches) == 1:
            node = branches[0][1]
            branches = self._possible(node)
        self.nodes.append(node)
        if self.game.node_infoset[node] < 0:
            return Terminal(self.payoffs[node])
        if branches:
            return Chance({str(k): branch for k, branch in enumerate(branches, start=1)})
        index = int(self.game.node_infoset[node])
        infoset = self.game.infosets[index]
        first = int(self.game.first_child[node])
        named = [label or f"#{k + 1}" for k, label in enumerate(infoset.actions)]
        return Decision(infoset.player, index, {label: first + k for k, label in enumerate(named)})

    def _possible(self, node: int) -> list[tuple[Any, int]]:
        """Return chance's branches of positive probability; none at other nodes."""
        if self.game.node_player[node] != CHANCE:
            return []
        infoset = self.game.infosets[self.game.node_infoset[node]]
        first = int(self.game.first_child[node])
        return [(w, first + k) for k, w in enumerate(infoset.probabilities or ()) if w]


def _first_nodes(game: ExtensiveFormGame) -> Any:
    """Return the first node of each information set of players."""
    met, first = np.unique(game.node_infoset, return_index=True)
    return first[met >= 0][: game.num_decision_infosets]


def _numbered(game: ExtensiveFormGame) -> ExtensiveFormGame:
    """Rename information sets by their order of first visit."""
    counts: dict[int, int] = {}
    infosets: list[Any] = []
    for infoset in game.infosets:
        number = counts[infoset.player] = counts.get(infoset.player, 0) + 1
        infosets.append(replace(infoset, number=number, label=str(number)))
    return ExtensiveFormGame(
        game.players,
        tuple(infosets),
        game.node_infoset,
        game.outcomes,
        game.node_outcome,
        title=game.title,
    )


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
