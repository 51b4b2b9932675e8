"""AEC games to trees: every move becomes a node, and everything random after it one chance node.

After a move, rewards, the next mover and what that mover sees may be random; they are drawn
together. Where nothing is random there is no chance node, and what was paid hangs on the next node.
An information set is a player's information state.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from gametheory_core.conversions.aec_unfolding import (
    MAX_NODES,
    Situation,
    children_of,
    count_aec_nodes,
    is_over,
    root,
)
from gametheory_core.conversions.conversion import Conversion, Preserved
from gametheory_core.conversions.tree_policies import TreePolicies
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.aec import AEC, stop_aec
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_states import (
    InformationState,
    information_state_text,
)
from gametheory_core.games.plays import AecPlay
from gametheory_core.games.sketch import Chance, Decision, Node, Terminal, lay_out
from gametheory_core.labels import distinct_texts
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.policies import PolicyProfile

AecToExtensive: TypeAlias = Conversion[AEC, ExtensiveFormGame, PolicyProfile, BehavioralProfile]


def aec_to_extensive(
    game: AEC,
    *,
    horizon: int | None = None,
    max_nodes: int = MAX_NODES,
    on_iteration: Callable[[int], None] | None = None,
) -> AecToExtensive:
    """Carry an AEC game to the tree of its plays.

    Args:
        game: With a horizon, or sure to end.
        horizon: Number of moves, chance's counted, after which play stops.
        max_nodes: The largest tree to build; nodes are counted first.
        on_iteration: Called with the number of nodes made, every 10,000 nodes.

    Returns:
        Its source is the game stopped at the horizon. Preserves everything.

    Raises:
        UnsupportedGame: If there would be more nodes than ``max_nodes``, or play does not end.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> aec_to_extensive(RandomOrderTeam()).target.num_nodes
    15
    """
    source = aec_to_unfold(game, horizon=horizon, max_nodes=max_nodes)
    rules = checked_aec(source, "aec_to_extensive")
    unfolded = AecTreeRules(rules)
    target = lay_out(  # breadth first, so that names taken twice go to the first
        unfolded.root,
        expand=unfolded.expand,
        players=source.players,
        title=source.title,
        on_iteration=on_iteration,
    )
    policies = unfolded.policies()
    return Conversion(source, target, AecPlays(source, target, policies), frozenset(Preserved))


def aec_to_unfold(game: AEC, *, horizon: int | None, max_nodes: int) -> AEC:
    """Return a game stopped at its horizon, where its tree is small enough.

    Cheap unless states remember the past: nodes are counted, not made.

    Raises:
        UnsupportedGame: If there would be more nodes than ``max_nodes``, or play does not end.
    """
    _ = checked_aec(game, "aec_to_extensive")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    rules = checked_aec(source, "aec_to_extensive")
    size = count_aec_nodes(rules, max_nodes=max_nodes)
    if size > max_nodes:
        raise UnsupportedGame(
            f"aec_to_extensive: needs at most max_nodes = {max_nodes:,} nodes, but "
            f"{game.title or game!r} has {size:,} or more. Give a horizon, a number of moves, or "
            "raise max_nodes."
        )
    return source


def aec_tree_rules(game: AEC, *, horizon: int | None = None) -> "AecTreeRules":
    """Read an AEC game as rules of its tree, to be sampled without being built.

    Args:
        game: Its plays need not be few, nor short.
        horizon: Number of moves, chance's counted, after which play stops.

    Returns:
        Its tree is that of ``aec_to_extensive``. It remembers the names of the information sets it
        has met, so that two of them never share one.

    Raises:
        UnsupportedGame: If it is no AEC game.
        InvalidGame: Later, where the rules answer something malformed.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> from gametheory_core.games.tree_layout import lay_out_rules
    >>> lay_out_rules(aec_tree_rules(RandomOrderTeam())).num_nodes
    15
    """
    _ = checked_aec(game, "aec_tree_rules")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    return AecTreeRules(checked_aec(source, "aec_tree_rules"))


@dataclass(frozen=True, eq=False)
class AecPlays:
    """Policies by information state, and plays as paths."""

    game: AEC
    target: ExtensiveFormGame
    policies: TreePolicies

    def to_target(self, profile: PolicyProfile) -> BehavioralProfile:
        """Ask each policy at each information set.

        Raises:
            InvalidStrategy: If a policy says nothing there, or plays an illegal action.
        """
        return self.policies.to_tree(self.game, profile)

    def to_source(self, profile: BehavioralProfile) -> PolicyProfile:
        """Return the tables of what the profile does at each information state.

        Raises:
            InvalidStrategy: If the profile does not fit the tree.
        """
        check_behavioral_profile(self.target, profile)
        return self.policies.from_tree(profile, len(self.game.players))

    def outcome_to_source(self, outcome: int) -> Distribution[AecPlay]:
        """Return the play that a terminal node stands for."""
        tree, node = self.target, int(outcome)
        path: list[int] = []
        while node > 0:
            parent = int(tree.parent[node])
            path.append(node - int(tree.first_child[parent]))
            node = parent
        position = root(self.game, remember=True)
        moves = position.moves
        while path:
            position = children_of(self.game, position)[path.pop()][2]
            moves = (*moves, *position.moves)
        return surely(AecPlay(moves, position.state))


@dataclass(frozen=True)
class _Known:
    """An information state as the key of an information set, with its name."""

    state: InformationState
    name: str = field(compare=False)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class AecTreeRules:
    """An AEC game as rules of its tree; see ``aec_tree_rules``."""

    game: AEC
    keys: tuple[dict[InformationState, tuple[Any, ...]], ...] = field(
        init=False, repr=False, compare=False
    )
    names: tuple[dict[str, InformationState], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "keys", tuple({} for _ in self.game.players))
        object.__setattr__(self, "names", tuple({} for _ in self.game.players))

    @property
    def title(self) -> str:
        """Title of the game."""
        return self.game.title

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players."""
        return self.game.players

    @property
    def root(self) -> Situation:
        """Where play stands once chance has begun."""
        return root(self.game, remember=True)

    def expand(self, here: Situation) -> Node[Situation]:
        """Say what happens at a node: a move, a lottery, or the end."""
        if is_over(self.game, here) and not here.lottery:
            return Terminal(here.paid)
        children = children_of(self.game, here)
        labels = distinct_texts([label for label, _, _ in children])
        paid = here.paid if any(here.paid) else ()
        if here.lottery:
            drawn = zip(labels, children, strict=True)
            return Chance({x: (odds, there) for x, (_, odds, there) in drawn}, paid)
        known = (*here.pasts[here.mover], here.seen)
        actions = tuple(action for action, _, _ in children)
        self.keys[here.mover].setdefault(known, actions)
        moved = zip(labels, children, strict=True)
        key = _Known(known, self._name(here.mover, known))
        return Decision(here.mover, key, {x: there for x, (_, _, there) in moved}, paid)

    def _name(self, player: int, known: InformationState) -> str:
        """Name an information state as people read it; as Python does if the name is taken."""
        name = information_state_text(known)
        owner = self.names[player].setdefault(name, known)
        return name if owner == known else repr(known)

    def policies(self) -> TreePolicies:
        """Return what each information set is called in the rules."""
        pairs = [
            ((player, known), actions)
            for player, own in enumerate(self.keys)
            for known, actions in own.items()
        ]
        return TreePolicies(tuple(key for key, _ in pairs), tuple(a for _, a in pairs))
