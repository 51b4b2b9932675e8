"""Decision/Chance/Terminal notation: trees written nested, or unfolded from rules.

A *position* is anything that ``expand`` turns into a ``Decision``, ``Chance`` or ``Terminal``
whose children are again positions. A tree written by hand nests these records, and ``expand`` is
the identity; the rules of a card game make positions from histories. Either way one iterative
routine lays the table out, so depth is no limit.
"""

from array import array
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias, TypeVar, cast

import numpy as np

from gametheory_core.arguments import shown
from gametheory_core.errors import InvalidArgument, InvalidGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import TreeDraft, finished_game
from gametheory_core.games.tree_nodes import (
    Chance,
    Decision,
    Node,
    Terminal,
    require_chance,
)

Position = TypeVar("Position")
REPORT_EVERY = 10_000  # nodes
Sketch: TypeAlias = "Decision[object] | Chance[object] | Terminal"


def from_sketch(root: Sketch, *, players: Sequence[str], title: str = "") -> ExtensiveFormGame:
    """Lay out a tree written as nested records.

    Args:
        root: The tree, nested.
        players: Labels of the players.

    >>> matching_pennies = Decision(0, "", {
    ...     a: Decision(1, "", {b: Terminal([1, -1] if a == b else [-1, 1]) for b in "HT"})
    ...     for a in "HT"})
    >>> from_sketch(matching_pennies, players=("Row", "Column")).num_nodes
    7
    """
    _require_labels(players, function="from_sketch")
    return lay_out(cast("object", root), expand=_as_node, players=players, title=title)


def _as_node(position: object) -> Node[object]:
    if isinstance(position, Decision | Chance | Terminal):
        return cast("Node[object]", position)
    raise InvalidGame(
        "from_sketch: needs Decision, Chance and Terminal records, but found "
        f"{shown(position)} (type {type(position).__name__})."
    )


def _require_labels(players: object, *, function: str) -> None:
    if not isinstance(players, Iterable):
        raise InvalidArgument(
            f"{function}: needs the labels of the players, but got {shown(players)}. Give them as "
            "players=('Row', 'Column')."
        )


def lay_out(
    root: Position,
    *,
    expand: Callable[[Position], Node[Position]],
    players: Sequence[str],
    title: str = "",
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Unfold rules into an extensive-form game, breadth first.

    Args:
        root: Where play starts.
        expand: Says what happens at a position; called once for each node.
        players: Labels of the players.
        on_iteration: Called with the number of nodes laid out, every 10,000 nodes.

    Raises:
        InvalidGame: If nodes of one information set differ in their actions, a probability or
            payoff is malformed, or a payoff vector has the wrong length; names the information set
            or values.
        InvalidArgument: If ``players`` are no labels.

    Time and memory are linear in the number of nodes; only the positions that wait to be expanded
    are kept, which are never more than those of two neighbouring levels. ``lay_out_rules`` keeps
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
    _require_labels(players, function="lay_out")
    draft = TreeDraft(tuple(players))
    node_infoset, node_outcome = array("i"), array("i")
    waiting = deque([root])
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
        if on_iteration is not None and len(node_infoset) % REPORT_EVERY == 0:
            on_iteration(len(node_infoset))
    return finished_game(
        draft,
        node_infoset=np.frombuffer(node_infoset, dtype=np.intc),
        node_outcome=np.frombuffer(node_outcome, dtype=np.intc),
        title=title,
    )
