"""AEC games to trees: every move becomes a node, and everything random after it one chance node.

After a move, rewards, the next mover and what that mover sees may be random; they are drawn
together. Where nothing is random there is no chance node, and what was paid hangs on the next node.
An information set is a player's information state.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from gametheory_core.arguments import distinct_texts
from gametheory_core.conversions.aec_situations import (
    Situation,
    child_at,
    children_of,
    is_over,
    root,
)
from gametheory_core.conversions.aec_spots import Spots, count_nodes_at
from gametheory_core.conversions.aec_unrolling import Knowledge, unroll
from gametheory_core.conversions.conversion import Conversion, Preserved, TreeOfPlays, TreePolicies
from gametheory_core.errors import UnsupportedGame, named
from gametheory_core.games import AEC, AecPlay, ExtensiveFormGame, stop_aec
from gametheory_core.games.checked_rules import checked_aec
from gametheory_core.games.extensive_form import choices_to
from gametheory_core.games.rules import InformationState, from_inner, information_state_text
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.policies import PolicyProfile

MAX_NODES = 2_000_000


def count_aec_nodes(game: AEC, *, max_nodes: int = MAX_NODES) -> int:
    """Count the nodes of the tree without building it; stops counting well above ``max_nodes``.

    Nodes that differ in the past only are counted together, so this is cheap unless states
    themselves remember the past.

    >>> from gametheory_core import load_game
    >>> count_aec_nodes(load_game("take_away:piles=1,tokens=4"))
    15
    """
    return count_nodes_at(Spots(game), max_nodes=max_nodes)


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
        on_iteration: Called with the number of nodes counted so far, in the end with all of them,
            before they are made.

    Returns:
        Its source is the game stopped at the horizon. Preserves everything.

    Raises:
        UnsupportedGame: If there would be more nodes than ``max_nodes``, or play does not end.

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> aec_to_extensive(RandomOrderTeam()).target.num_nodes
    15
    """
    source, spots, size = _counted(game, horizon, max_nodes, on_iteration)
    target, known = unroll(spots, size=size)
    plays = TreeOfPlays(
        source, target, lambda: _policies(known), lambda node: _replay(source, target, node)
    )
    return Conversion(source, target, plays, frozenset(Preserved))


def _policies(known: tuple[Knowledge, ...]) -> TreePolicies:
    """Return what each information set is called in the rules."""
    places = [(own, number) for own in known for number in range(1, len(own.names))]
    return TreePolicies(
        tuple((own.player, own.state(number)) for own, number in places),
        tuple(own.actions[own.view[number]] for own, number in places),
    )


def _replay(game: AEC, tree: ExtensiveFormGame, node: int) -> AecPlay:
    position = root(game, remember=True)
    moves = position.moves
    for _, child in choices_to(tree, node):
        position = child_at(game, position, child)
        moves = (*moves, *position.moves)
    return AecPlay(moves, position.state)


def aec_to_unfold(game: AEC, *, horizon: int | None, max_nodes: int) -> AEC:
    """Return a game stopped at its horizon, where its tree is small enough.

    Cheap unless states remember the past: nodes are counted, not made.
    """
    return _counted(game, horizon, max_nodes)[0]


def _counted(
    game: AEC,
    horizon: int | None,
    max_nodes: int,
    on_iteration: Callable[[int], None] | None = None,
) -> tuple[AEC, Spots, int]:
    """Return the game stopped at its horizon, its spots, and how many nodes stand at them."""
    _ = checked_aec(game, "aec_to_extensive")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    spots = Spots(checked_aec(source, "aec_to_extensive"))
    size = count_nodes_at(spots, max_nodes=max_nodes, on_iteration=on_iteration)
    if size > max_nodes:
        raise UnsupportedGame(
            needs=f"at most {named('max_nodes')} = {max_nodes:,} nodes",
            found=f"{game.title or game!r} has {size:,} or more",
            remedy=f"Give {named('a horizon')}, a number of moves, or raise {named('max_nodes')}.",
        )
    if on_iteration is not None:
        on_iteration(size)
    return source, spots, size


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
    """
    _ = checked_aec(game, "aec_tree_rules")  # refuses what is no AEC game
    source = game if horizon is None else stop_aec(game, moves=horizon)
    return AecTreeRules(checked_aec(source, "aec_tree_rules"))


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
    names: tuple[dict[str, InformationState], ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "names", tuple({} for _ in self.game.players))

    title = from_inner("title")
    players = from_inner("players")

    @property
    def root(self) -> Situation:
        """Where play stands once chance has begun."""
        return root(self.game, remember=True)

    def expand(self, here: Situation) -> Node[Situation]:
        """Say what happens at a node: a move, a distribution, or the end."""
        if is_over(self.game, here) and not here.lottery:
            return Terminal(here.paid)
        children = children_of(self.game, here)
        labels = distinct_texts([label for label, _, _ in children])
        paid = here.paid if any(here.paid) else ()
        if here.lottery:
            drawn = zip(labels, children, strict=True)
            return Chance({x: (odds, there) for x, (_, odds, there) in drawn}, paid)
        known = (*here.pasts[here.mover], here.seen)
        moved = zip(labels, children, strict=True)
        key = _Known(known, self._name(here.mover, known))
        return Decision(here.mover, key, {x: there for x, (_, _, there) in moved}, paid)

    def _name(self, player: int, known: InformationState) -> str:
        """Name an information state as people read it; as Python does if the name is taken."""
        name = information_state_text(known)
        owner = self.names[player].setdefault(name, known)
        return name if owner == known else repr(known)
