"""Decision/Chance/Terminal notation: trees written nested, or unfolded from rules.

A *position* is anything that ``expand`` turns into a ``Decision``, ``Chance`` or ``Terminal``
whose children are again positions. A tree written by hand nests these records, and ``expand`` is
the identity; the rules of a card game make positions from histories. Either way one iterative
routine lays the table out, so depth is no limit.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar, cast

import numpy as np

from gametheory_core.arrays import to_fraction
from gametheory_core.errors import InvalidGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.information_sets import CHANCE, NO_OUTCOME, InformationSet, Outcome

Position = TypeVar("Position")
Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True)
class Decision(Generic[Position_co]):
    """A player's move.

    Attributes
    ----------
    player : int
        Who moves, from 0.
    infoset : hashable
        What the mover knows: nodes with equal ``player`` and ``infoset`` cannot be told apart.
        Its ``str`` becomes the label.
    children : mapping
        Action label -> position reached.
    payoffs : sequence of numbers
        Paid on reaching this node, on top of what follows; empty for nothing.
    """

    player: int
    infoset: Hashable
    children: Mapping[str, Position_co]
    payoffs: Sequence[object] = ()


@dataclass(frozen=True)
class Chance(Generic[Position_co]):
    """Nature's move: label -> (probability, position reached)."""

    children: Mapping[str, tuple[object, Position_co]]
    payoffs: Sequence[object] = ()


@dataclass(frozen=True)
class Terminal:
    """The end of play: one payoff for each player."""

    payoffs: Sequence[object]


Node: TypeAlias = Decision[Position] | Chance[Position] | Terminal
Sketch: TypeAlias = "Decision[object] | Chance[object] | Terminal"


def from_sketch(root: Sketch, *, players: Sequence[str], title: str = "") -> ExtensiveFormGame:
    """Lay out a tree written as nested records.

    Parameters
    ----------
    root : Decision, Chance or Terminal
        The tree, nested.
    players : sequence of str
        Labels of the players.

    Examples
    --------
    >>> matching_pennies = Decision(0, "", {
    ...     a: Decision(1, "", {b: Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
    ...     for a in "HT"})
    >>> from_sketch(matching_pennies, players=("Row", "Column")).num_nodes
    7
    """
    return lay_out(cast("object", root), expand=_as_node, players=players, title=title)


def _as_node(position: object) -> Node[object]:
    if isinstance(position, Decision | Chance | Terminal):
        return cast("Node[object]", position)
    raise InvalidGame(
        "from_sketch: needs Decision, Chance and Terminal records, but found "
        f"{position!r} (type {type(position).__name__})."
    )


@dataclass
class _Layout:
    """The table under construction."""

    players: tuple[str, ...]
    infosets: list[InformationSet] = field(default_factory=list[InformationSet])
    infoset_index: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    counts: dict[int, int] = field(default_factory=dict[int, int])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    outcome_index: dict[tuple[object, ...], int] = field(
        default_factory=dict[tuple[object, ...], int]
    )
    node_infoset: list[int] = field(default_factory=list[int])
    node_outcome: list[int] = field(default_factory=list[int])


def lay_out(
    root: Position,
    *,
    expand: Callable[[Position], Node[Position]],
    players: Sequence[str],
    title: str = "",
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Unfold rules into an extensive-form game, breadth first.

    Parameters
    ----------
    root : position
        Where play starts.
    expand : function
        Says what happens at a position; called once for each node.
    players : sequence of str
        Labels of the players.
    on_iteration : function, optional
        Called with the number of nodes laid out, every 10,000 nodes.

    Raises
    ------
    InvalidGame
        If nodes of one information set differ in their actions, a probability or payoff is
        malformed, or a payoff vector has the wrong length; names the information set or values.

    Notes
    -----
    Time and memory are linear in the number of nodes; only one level of positions is kept.

    Examples
    --------
    >>> def expand(stones):  # take one or two of the stones; who takes the last one wins
    ...     left, mover = stones
    ...     if not left:
    ...         return Terminal([-1, 1] if mover == 0 else [1, -1])
    ...     moves = {str(n): (left - n, 1 - mover) for n in (1, 2) if n <= left}
    ...     return Decision(mover, f"{left} left, player {mover + 1}", moves)
    >>> lay_out((3, 0), expand=expand, players=("First", "Second")).num_nodes
    7
    """
    layout = _Layout(tuple(players))
    level: list[Position] = [root]
    while level:
        following: list[Position] = []
        for position in level:
            node = expand(position)
            layout.node_outcome.append(_outcome(layout, node.payoffs))
            if isinstance(node, Terminal):
                layout.node_infoset.append(-1)
            elif isinstance(node, Decision):
                layout.node_infoset.append(_decision(layout, node))
                following.extend(node.children.values())
            else:
                layout.node_infoset.append(_chance(layout, node))
                following.extend(child for _, child in node.children.values())
            if on_iteration is not None and len(layout.node_infoset) % 10_000 == 0:
                on_iteration(len(layout.node_infoset))
        level = following
    return ExtensiveFormGame(
        players=layout.players,
        infosets=tuple(layout.infosets),
        node_infoset=np.array(layout.node_infoset, dtype=np.int32),
        outcomes=tuple(layout.outcomes),
        node_outcome=np.array(layout.node_outcome, dtype=np.int32),
        title=title,
    )


def _outcome(layout: _Layout, payoffs: Sequence[object]) -> int:
    if not payoffs:
        return NO_OUTCOME
    key = tuple(payoffs)
    index = layout.outcome_index.get(key)
    if index is None:
        if len(key) != len(layout.players):
            raise InvalidGame(
                f"payoffs {key}: need one number for each of {len(layout.players)} players, but "
                f"there are {len(key)}."
            )
        exact = tuple(to_fraction(p, where=f"payoffs {key}") for p in key)
        index = layout.outcome_index[key] = len(layout.outcomes)
        layout.outcomes.append(Outcome(exact))
    return index


def _decision(layout: _Layout, node: Decision[Position]) -> int:
    key = (node.player, node.infoset)
    index = layout.infoset_index.get(key)
    actions = tuple(node.children)
    if index is None:
        if not 0 <= node.player < len(layout.players):
            raise InvalidGame(
                f"information set {node.infoset!r}: needs a player in 0.."
                f"{len(layout.players) - 1}, but has {node.player!r}."
            )
        return _new_infoset(layout, key, node.player, str(node.infoset), actions, None)
    known = layout.infosets[index]
    if known.actions != actions:
        raise InvalidGame(
            f"information set {node.infoset!r} of player {node.player + 1}: needs the same actions "
            f"at all its nodes, but one node has {known.actions} and another {actions}. "
            "Give nodes with different actions different information sets."
        )
    return index


def _chance(layout: _Layout, node: Chance[Position]) -> int:
    actions = tuple(node.children)
    given = tuple(probability for probability, _ in node.children.values())
    key = (CHANCE, actions, given)
    index = layout.infoset_index.get(key)
    if index is None:
        where = f"probabilities of {actions}"  # once: the text is as long as the node is wide
        exact = tuple(to_fraction(p, where=where) for p in given)
        index = _new_infoset(layout, key, CHANCE, "", actions, exact)
    return index


def _new_infoset(
    layout: _Layout,
    key: Hashable,
    player: int,
    label: str,
    actions: tuple[str, ...],
    probabilities: tuple[Fraction, ...] | None,
) -> int:
    number = layout.counts[player] = layout.counts.get(player, 0) + 1
    index = layout.infoset_index[key] = len(layout.infosets)
    layout.infosets.append(InformationSet(player, number, label, actions, probabilities))
    return index
