"""Trees from their rules, and being laid out: sets and outcomes get numbers as they are met.

A draft keeps each information set, list of actions and outcome once. Nodes may be met in any
order: ``finished_game`` numbers information sets by their first node, breadth first.

Trees are written nested, or unfolded from rules. A *position* is anything that ``expand`` turns
into a ``Decision``, ``Chance`` or ``Terminal`` whose children are again positions. A tree written
by hand nests these records, and ``expand`` is the identity; the rules of a card game make positions
from histories. Either way one iterative routine lays the table out, so depth is no limit.

Rules of a tree: where play starts, and what happens at a position.

A *position* is all that has happened, as the rules see it; positions are hashable. Rules are for
trees that are laid out (``lay_out_rules``), sampled without being built, or only counted. What
happens at a position is a player's move, a draw of chance, or the end.
"""

from array import array
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar, cast, runtime_checkable

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.arrays import IntArray, reading_floats, to_fraction
from gametheory_core.errors import InvalidArgument, InvalidGame, refusing_as
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_table import (
    CHANCE,
    NO_OUTCOME,
    InformationSet,
    Outcome,
    canonical_order,
)
from gametheory_core.memory import LOOK_EVERY, growth_limit
from gametheory_core.probabilities import exact_weights

Position = TypeVar("Position")
Position_co = TypeVar("Position_co", covariant=True)


@dataclass(frozen=True)
class Decision(Generic[Position_co]):
    """A player's move.

    Attributes:
        player: Who moves, from 0.
        infoset: What the mover knows: nodes with equal ``player`` and ``infoset`` cannot be told
            apart. Its ``str`` becomes the label.
        children: Action label -> position reached.
        payoffs: Paid on reaching this node, on top of what follows; empty for nothing.
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
    """A terminal history: one payoff for each player."""

    payoffs: Sequence[object]


Node: TypeAlias = Decision[Position] | Chance[Position] | Terminal


def decision_children(node: Decision[Position]) -> list[Position]:
    """Return the positions that a player can choose."""
    try:
        return list(node.children.values())
    except AttributeError:
        raise wrong_children(node) from None


def require_chance(node: object, position: object) -> None:
    """Refuse what rules made of a position, if it is no distribution either."""
    if not isinstance(node, Chance):
        raise InvalidGame(
            needs="to return a Decision, Chance or Terminal for each position",
            found=f"for {shown(position)} it returned {shown(node)} (type {type(node).__name__})",
            remedy="Return one of them on every path.",
            where="expand",
        )


def wrong_lottery(children: object) -> InvalidGame:
    """Return the complaint about children of a chance node that are no distribution."""
    return InvalidGame(
        needs="children {label: (probability, position)}",
        where="Chance",
        found=f"got {shown(children)}",
        remedy="Give each label a pair of a number and a position.",
    )


def wrong_children(node: Decision[object]) -> InvalidGame:
    """Return the complaint about children of a decision that are no mapping."""
    return InvalidGame(
        needs="children {action: position}",
        found=f"got {shown(node.children)}",
        remedy="Give each position the label of the action that leads there.",
        where=f"information set {shown(node.infoset)}",
    )


NEEDED = ("title", "players", "root", "expand")


class TreeRules(Protocol, Generic[Position]):
    """A game tree given by its rules; a frozen dataclass is also hashable and has a repr."""

    @property
    def title(self) -> str:
        """For people."""
        ...

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the players 0, 1, ..."""
        ...

    @property
    def root(self) -> Position:
        """Where play starts."""
        ...

    def expand(self, position: Position) -> Node[Position]:
        """Return the ``Decision``, ``Chance`` or ``Terminal`` at a position."""
        ...


@runtime_checkable
class ShapedRules(TreeRules[Position], Protocol[Position]):
    """Rules that also say which positions have trees of the same shape below them.

    With it, large trees are counted, and refused, in no time.
    """

    def shape_key(self, position: Position) -> Hashable:
        """Return a key; positions of one depth with equal keys have equally many nodes below."""
        ...


def require_rules(
    rules: object,
    *,
    needed: Sequence[str] = NEEDED,
    remedy: str = "Give TreeRules such as KuhnRules(); load_game reads games that are laid out by "
    "name.",
) -> None:
    """Refuse what cannot be rules, before any position is expanded."""
    if isinstance(rules, type):
        problem = "a class, not its instance"
    elif missing := [name for name in needed if not hasattr(rules, name)]:
        problem = f"without {' and '.join(missing)}"
    elif not isinstance(title := getattr(rules, "title", None), str):
        problem = f"whose title is {shown(title)}"
    elif not isinstance(players := getattr(rules, "players", None), Iterable):
        problem = f"whose players are {shown(players)}"
    elif not callable(expand := getattr(rules, "expand", None)):
        problem = f"whose expand is {shown(expand)}"
    else:
        return
    raise InvalidArgument(
        needs=f"rules with {', '.join(needed[:-1])} and {needed[-1]} (a method)",
        found=f"got {shown(rules)} (type {type(rules).__name__}), {problem}",
        remedy=remedy,
    )


Actions: TypeAlias = tuple[str, ...]


class DraftInfoset(NamedTuple):
    """An information set that has no number yet."""

    player: int
    label: str
    actions: Actions
    probabilities: tuple[Fraction, ...] | None


@dataclass
class TreeDraft:
    """The information sets and outcomes met so far.

    Attributes:
        players: Labels of the players.
        infosets, outcomes: In the order in which they were met.
    """

    players: tuple[str, ...]
    infosets: list[DraftInfoset] = field(default_factory=list[DraftInfoset])
    outcomes: list[Outcome] = field(default_factory=list[Outcome])
    _infoset_index: dict[Hashable, int] = field(default_factory=dict[Hashable, int])
    _outcome_index: dict[tuple[object, ...], int] = field(default_factory=lambda: {(): NO_OUTCOME})
    _actions: dict[Actions, Actions] = field(default_factory=dict[Actions, Actions])

    def outcome(self, payoffs: Sequence[object]) -> int:
        """Return the index of the outcome that pays this, ``NO_OUTCOME`` for nothing."""
        try:
            key = tuple(payoffs)
            index = self._outcome_index.get(key)
        except TypeError:
            raise _wrong_payoffs(payoffs, len(self.players)) from None
        return self._new_outcome(payoffs, key) if index is None else index

    def decision(self, node: Decision[Any]) -> int:
        """Return the index of the information set at which a player moves."""
        key = (node.player, node.infoset)
        try:
            index = self._infoset_index.get(key)
        except TypeError:
            raise InvalidGame(
                needs="a label and a player that are hashable",
                remedy="Give a text, a number or a tuple of them as infoset, and a number from 0 "
                "as player.",
                where=f"information set {shown(node.infoset)} of player {shown(node.player)}",
            ) from None
        if index is None:
            return self._new_decision(key, node)
        try:
            actions = tuple(node.children.keys())
        except AttributeError:
            raise wrong_children(node) from None
        known = self.infosets[index]
        if known.actions != actions:
            raise InvalidGame(
                needs="the same actions at all its nodes",
                found=f"one node has {known.actions} and another {actions}",
                remedy="Give nodes with different actions different information sets.",
                where=f"information set {node.infoset!r} of player {node.player + 1}",
            )
        return index

    def chance(self, node: Chance[Any]) -> int:
        """Return the index of chance's information set with this distribution."""
        try:
            actions = tuple(node.children)
            given = tuple(probability for probability, _ in node.children.values())
            key = (CHANCE, actions, given)
            index = self._infoset_index.get(key)
        except (AttributeError, TypeError, ValueError):
            raise wrong_lottery(node.children) from None
        if index is None:
            owner = f"probabilities of {shown(actions)}"
            exact = exact_weights(actions, given, owner=owner) if actions else ()
            return self._add(key, DraftInfoset(CHANCE, "", actions, exact))
        return index

    def _new_outcome(self, payoffs: object, key: tuple[object, ...]) -> int:
        if isinstance(payoffs, str | bytes | Mapping | AbstractSet):
            raise _wrong_payoffs(payoffs, len(self.players))
        if len(key) != len(self.players):
            raise InvalidGame(
                needs=f"one number for each of {len(self.players)} players",
                found=f"there are {len(key)}",
                where=f"payoffs {key}",
            )
        exact = tuple(to_fraction(p, where=f"payoffs {key}") for p in key)
        index = self._outcome_index[key] = len(self.outcomes)
        self.outcomes.append(Outcome(exact))
        return index

    def _new_decision(self, key: Hashable, node: Decision[Any]) -> int:
        player: Any = node.player
        is_number = isinstance(player, int | np.integer) and not isinstance(player, bool)
        if not is_number or not 0 <= player < len(self.players):
            raise InvalidGame(
                needs=f"a player in 0..{len(self.players) - 1}",
                found=f"has {shown(player)}",
                remedy=f"Give the player's number, counted from 0 in {shown(self.players)}.",
                where=f"information set {node.infoset!r}",
            )
        if not isinstance(node.children, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise wrong_children(node)
        actions = tuple(node.children)
        return self._add(key, DraftInfoset(node.player, str(node.infoset), actions, None))

    def _add(self, key: Hashable, infoset: DraftInfoset) -> int:
        index = self._infoset_index[key] = len(self.infosets)
        shared = self._actions.setdefault(infoset.actions, infoset.actions)
        self.infosets.append(infoset._replace(actions=shared))
        return index

    def forget_keys(self) -> None:
        """Drop what is only needed to recognize information sets and outcomes again."""
        self._infoset_index.clear()
        self._outcome_index.clear()


def _wrong_payoffs(payoffs: object, num_players: int) -> InvalidGame:
    return InvalidGame(
        f"payoffs {shown(payoffs)} (type {type(payoffs).__name__}): need to be a sequence of "
        f"numbers, one for each of {num_players} players, in their order. Give a list such as "
        f"{shown([0] * num_players)}."
    )


def finished_game(
    draft: TreeDraft, *, node_infoset: IntArray, node_outcome: IntArray, title: str
) -> ExtensiveFormGame:
    """Number the information sets and check the table.

    Args:
        draft: Used up.
        node_infoset, node_outcome (num_nodes,): Indices into the draft's lists, of nodes in
            breadth-first order.
    """
    draft.forget_keys()
    players = np.array([infoset.player for infoset in draft.infosets], dtype=np.int32)
    counts: dict[int, int] = {}
    numbers = [0] * len(draft.infosets)
    for index in canonical_order(players, node_infoset).tolist():
        player = draft.infosets[index].player
        counts[player] = numbers[index] = counts.get(player, 0) + 1
    numbered = tuple(
        InformationSet(
            infoset.player, number, infoset.label, infoset.actions, infoset.probabilities
        )
        for number, infoset in zip(numbers, draft.infosets, strict=True)
    )
    return ExtensiveFormGame(
        players=draft.players,
        infosets=numbered,
        node_infoset=node_infoset,
        outcomes=tuple(draft.outcomes),
        node_outcome=node_outcome,
        title=title,
    )


REPORT_EVERY = 10_000  # nodes
Sketch: TypeAlias = Decision[object] | Chance[object] | Terminal


def from_sketch(
    root: Sketch, *, players: Sequence[str], title: str = "", decimals: bool = False
) -> ExtensiveFormGame:
    """Lay out a tree written as nested records.

    Args:
        decimals: Whether a float means the shortest decimal that is read as it (0.1 as 1/10), and
            not the dyadic number that it is.

    >>> matching_pennies = Decision(0, "", {
    ...     a: Decision(1, "", {b: Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
    ...     for a in "HT"})
    >>> from_sketch(matching_pennies, players=("Row", "Column")).num_nodes
    7
    """
    require_labels(players)
    with refusing_as("from_sketch"):
        start = cast("object", root)
        return lay_out(start, expand=_as_node, players=players, title=title, decimals=decimals)


def _as_node(position: object) -> Node[object]:
    if isinstance(position, Decision | Chance | Terminal):
        return cast("Node[object]", position)
    raise InvalidGame(
        needs="Decision, Chance and Terminal records",
        found=f"found {shown(position)} (type {type(position).__name__})",
    )


def require_labels(players: object) -> None:
    """Refuse what is no list of labels: a text is a list of its letters."""
    if not isinstance(players, Iterable) or isinstance(players, str):
        raise InvalidArgument(
            needs="the labels of the players",
            found=f"got {shown(players)}",
            remedy="Give them as players=('Row', 'Column').",
        )


def lay_out(
    root: Position,
    *,
    expand: Callable[[Position], Node[Position]],
    players: Sequence[str],
    title: str = "",
    decimals: bool = False,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Unfold rules into an extensive-form game, breadth first.

    Args:
        root: Where play starts.
        expand: Says what happens at a position; called once for each node.
        decimals: As in ``from_sketch``.
        on_iteration: Called with the number of nodes laid out, every 10,000 nodes.

    Raises:
        InvalidGame: If nodes of one information set differ in their actions, a probability or
            payoff is malformed, or a payoff vector has the wrong length; names the information set
            or values.
        InvalidArgument: If ``players`` are no labels.

    Time and memory are linear in the number of nodes; only the positions that wait to be expanded
    are kept, which are never more than those of two neighboring levels. ``lay_out_rules`` keeps
    fewer.

    >>> def expand(stones):  # take one or two of the stones; who takes the last one wins
    ...     left, mover = stones
    ...     if not left:
    ...         return Terminal([-1, 1] if mover == 0 else [1, -1])
    ...     moves = {str(n): (left - n, 1 - mover) for n in (1, 2) if n <= left}
    ...     return Decision(mover, f"{left} left, player {mover + 1}", moves)
    >>> lay_out((3, 0), expand=expand, players=("First", "Second")).num_nodes
    7
    """
    require_labels(players)
    with reading_floats(decimals=decimals):
        return _laid_out(root, expand, TreeDraft(tuple(players)), title, on_iteration)


def _laid_out(
    root: Position,
    expand: Callable[[Position], Node[Position]],
    draft: TreeDraft,
    title: str,
    on_iteration: Callable[[int], None] | None,
) -> ExtensiveFormGame:
    node_infoset, node_outcome = array("i"), array("i")
    waiting = deque([root])
    require_room = growth_limit(what=f"the tree of {title!r}")
    while waiting:
        position = waiting.popleft()
        node = expand(position)
        if isinstance(node, Terminal):
            node_infoset.append(-1)
        elif isinstance(node, Decision):
            node_infoset.append(draft.decision(node))
            waiting.extend(node.children.values())
        else:
            require_chance(node, position)
            node_infoset.append(draft.chance(node))
            waiting.extend(child for _, child in node.children.values())
        node_outcome.append(draft.outcome(node.payoffs))
        if len(node_infoset) % LOOK_EVERY == 0:
            require_room()
            if on_iteration is not None and len(node_infoset) % REPORT_EVERY == 0:
                on_iteration(len(node_infoset))
    return finished_game(
        draft,
        node_infoset=np.frombuffer(node_infoset, dtype=np.intc),
        node_outcome=np.frombuffer(node_outcome, dtype=np.intc),
        title=title,
    )
