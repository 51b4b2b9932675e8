"""The same game in a simpler form: canonical trees, fewer actions, texts as labels.

Chance nodes with one possible outcome are contracted and impossible branches dropped; payoffs of
inner nodes move to the terminal histories; information sets and chance's branches get numbers for
names. Two trees that differ in nothing else have equal canonical forms.

Chance nodes with one distribution share an information set here, which saves memory and means
nothing; ``separate_chance`` gives each its own. Gambit reads shared sets as chance forgetting, and
then refuses to solve for want of perfect recall.

Tables whose labels a file cannot hold, with texts instead: the same game under other names.

*Plain* labels are those that a file can hold without loss; every other one gets a text.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import as_tuple, require_integer, text_of
from gametheory_core.arrays import ONE, IntArray, NumberArray, as_float, freeze, object_array
from gametheory_core.conversions.conversion import Conversion, Identity, Preserved
from gametheory_core.distributions import Distribution, point_mass, push_forward
from gametheory_core.errors import InvalidArgument, InvalidStrategy
from gametheory_core.games import ExtensiveFormGame, NormalFormGame, has_perfect_recall
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.rules import NULL, AecPlay, Blank, InformationState, PosgPlay
from gametheory_core.games.tables import TabularAEC, TabularPOSG
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal, lay_out
from gametheory_core.games.tree_table import CHANCE, InformationSet
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.mixed import MixedProfile, check_mixed_profile
from gametheory_core.strategies.policies import Policy, PolicyFromFunction, PolicyProfile

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

    >>> from gametheory_core import from_sketch
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
        """Keep what is played at the information sets that are left."""
        check_behavioral_profile(self.game, profile)
        return BehavioralProfile(tuple(profile.probabilities[s] for s in self.infosets.tolist()))

    def to_source(self, profile: BehavioralProfile) -> BehavioralProfile:
        """Play the same, and uniformly where the canonical form has no information set."""
        check_behavioral_profile(self.target, profile)
        place = {s: k for k, s in enumerate(self.infosets.tolist())}
        vectors: list[Any] = []
        for s, infoset in enumerate(self.game.infosets[: self.game.num_decision_infosets]):
            if s in place:
                vectors.append(profile.probabilities[place[s]])
                continue
            size = len(infoset.actions)
            uniform = object_array([ONE / size] * size)
            vectors.append(uniform if profile.is_exact else as_float(uniform))
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
    met, first = np.unique(game.node_infoset, return_index=True)
    return first[met >= 0][: game.num_decision_infosets]


def _numbered(game: ExtensiveFormGame) -> ExtensiveFormGame:
    counts: dict[int, int] = {}
    infosets: list[Any] = []
    for infoset in game.infosets:
        number = counts[infoset.player] = counts.get(infoset.player, 0) + 1
        infosets.append(replace(infoset, number=number, label=str(number)))
    return replace(game, infosets=tuple(infosets), node_labels=())


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
    whole = np.full(count, strategy[0] * 0, dtype=strategy.dtype)
    whole[list(own)] = strategy
    return whole


DEEPEST = 100  # tuples in tuples; readers refuse deeper ones, which would exhaust the stack
_PLAIN = (str, int, bool, type(None), Fraction, Blank)


def strange_part(label: Hashable, *, depth: int = 0) -> Any:
    """Return the first part of a label that is not plain, in a tuple of one; ``()`` if none.

    Plain are text, integers, truth values, None, rationals, blanks (``NULL``) and tuples of these,
    but no subclasses: a named tuple would read back as a tuple.

    >>> strange_part(("H", 1)), strange_part(("H", (0.5, 1)))
    ((), (0.5,))
    """
    if type(label) is tuple and depth < DEEPEST:
        parts = cast("tuple[Hashable, ...]", label)
        found = (strange_part(part, depth=depth + 1) for part in parts)
        return next((strange for strange in found if strange), ())
    return () if type(label) in _PLAIN else (label,)


def plain_texts(labels: tuple[Hashable, ...]) -> tuple[str, ...]:
    """Return a text for each label, all different; equal texts are numbered.

    Records read as tuples and sets in sorted order, so the texts do not change from run to run.

    >>> plain_texts((("H", 1), frozenset({"b", "a"}), "(H, 1)"))
    ('(H, 1)', '{a, b}', '(H, 1) #2')
    """
    taken: set[str] = set()
    counts: dict[str, int] = {}
    texts: list[str] = []
    for label in labels:
        text = unique = _text(label)
        while unique in taken:
            counts[text] = counts.get(text, 1) + 1
            unique = f"{text} #{counts[text]}"
        taken.add(unique)
        texts.append(unique)
    return tuple(texts)


def _text(label: Any) -> str:
    if isinstance(label, tuple):
        return "(" + ", ".join(map(_text, cast("tuple[Any, ...]", label))) + ")"
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(_text, cast("frozenset[Any]", label)))) + "}"
    if is_dataclass(label) and not isinstance(label, type):
        return "(" + ", ".join(_text(getattr(label, field.name)) for field in fields(label)) + ")"
    return text_of(label) if isinstance(label, Enum) else str(label)


Table: TypeAlias = TabularPOSG | TabularAEC
ToText: TypeAlias = Conversion[Table, Table, PolicyProfile, PolicyProfile]
Labels: TypeAlias = tuple[Hashable, ...]
Names: TypeAlias = dict[Any, Any]


def label_by_text(game: Table) -> ToText:
    """Name by texts what has labels that a file cannot hold: states, or a player's actions, ...

    Args:
        game: If one state has such a label, all states get texts; likewise the actions, and the
            observations, of each player. The others keep their labels.

    Returns:
        Preserves everything; policies are renamed, by the information states too.

    >>> from gametheory_core.catalog import ReversingOrder
    >>> from gametheory_core.conversions import aec_to_tabular
    >>> table = aec_to_tabular(ReversingOrder()).target
    >>> label_by_text(table).target.states[1]
    '(((plain, skip), (plain, skip), (plain, skip)), 1)'
    """
    states = _texts(game.states)
    actions = tuple(map(_texts, game.actions))
    observations = tuple(map(_texts, game.observations))
    target = replace(game, states=states, actions=actions, observations=observations)
    return Conversion(game, target, Renaming(game, target), frozenset(Preserved))


def _texts(labels: Labels) -> Labels:
    return plain_texts(labels) if any(map(strange_part, labels)) else labels


@dataclass(frozen=True, eq=False)
class Renaming:
    """Two tables that differ in labels only."""

    source: Table
    target: Table

    def to_target(self, profile: PolicyProfile) -> PolicyProfile:
        """Rename what policies see and do."""
        return _renamed(profile, self.target, self.source)

    def to_source(self, profile: PolicyProfile) -> PolicyProfile:
        """Rename what policies see and do, back."""
        return _renamed(profile, self.source, self.target)

    def outcome_to_source(self, outcome: Any) -> Distribution[Any]:
        """Rename what happened in a play of the target."""
        states = _names(self.target.states, self.source.states)
        acts = _each(self.target.actions, self.source.actions)
        sights = _each(self.target.observations, self.source.observations)
        final = states[outcome.final_state]
        if isinstance(outcome, AecPlay):
            for names in (acts, sights):
                names.append({NULL: NULL})  # of chance, mover -1
            moves = tuple(
                move._replace(
                    state=states[move.state],
                    observation=sights[move.mover][move.observation],
                    action=acts[move.mover][move.action],
                )
                for move in outcome.moves
            )
            return point_mass(AecPlay(moves, final))
        steps = tuple(
            step._replace(
                state=states[step.state],
                observations=_tuple(sights, step.observations),
                actions=_tuple(acts, step.actions),
            )
            for step in outcome.steps
        )
        return point_mass(PosgPlay(steps, final))


def _names(given: Labels, wanted: Labels) -> Names:
    return dict(zip(given, wanted, strict=True))


def _each(given: tuple[Labels, ...], wanted: tuple[Labels, ...]) -> list[Names]:
    return [_names(*pair) for pair in zip(given, wanted, strict=True)]


def _tuple(names: list[Names], labels: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(own[label] for own, label in zip(names, labels, strict=True))


def _renamed(profile: PolicyProfile, new: Table, old: Table) -> PolicyProfile:
    sights, acts = _each(new.observations, old.observations), _each(new.actions, old.actions)
    after = _each(old.actions, new.actions)
    ways = zip(profile, sights, acts, after, strict=True)
    return tuple(_renamed_policy(*way) for way in ways)


def _renamed_policy(policy: Policy, sights: Names, acts: Names, after: Names) -> Policy:
    def act(seen: InformationState) -> Distribution[Any]:
        names = (acts, sights)  # entries are observation, action, ..., observation
        known = tuple(names[k % 2 == 0][entry] for k, entry in enumerate(seen))
        return push_forward(policy[known], after.__getitem__)

    return PolicyFromFunction(act)
