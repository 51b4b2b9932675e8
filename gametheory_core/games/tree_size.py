"""How large a tree will be, before it is built: counted, or estimated from random plays."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any, TypeAlias, TypeVar

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.errors import InvalidGame
from gametheory_core.games.tree_nodes import (
    Decision,
    Node,
    Terminal,
    decision_children,
    require_chance,
    wrong_lottery,
)
from gametheory_core.games.tree_rules import ShapedRules, TreeRules, require_rules

Position = TypeVar("Position")
MANY_SHAPES = 2_000  # of a level: when to look whether a part of them is too much already
Level: TypeAlias = dict[Hashable, tuple[Position, int]]  # shape -> one position of it, and number


@dataclass(frozen=True)
class TreeSize:
    """A number of nodes; its text is for messages.

    Attributes:
        nodes: The size of the tree, or of a part of it.
        is_exact: Whether the whole tree was counted; else there are at least so many.
        levels: Nodes at each depth that was counted in full.
    """

    nodes: int
    is_exact: bool
    levels: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.nodes:,} nodes" if self.is_exact else f"at least {self.nodes:,} nodes"


@dataclass(frozen=True)
class SizeEstimate:
    """A number of nodes estimated from random plays.

    Attributes:
        nodes: Its expectation is the number of nodes.
        standard_error: Of ``nodes``; of little use where few plays reach most of the tree.
        probes: How many plays were drawn.
    """

    nodes: float
    standard_error: float
    probes: int


def has_shapes(rules: TreeRules[Any]) -> bool:
    """Tell whether rules say which positions have trees of the same shape below them."""
    return isinstance(rules, ShapedRules)


def count_nodes(rules: TreeRules[Position], *, max_nodes: int | None = None) -> TreeSize:
    """Count the nodes of a tree without building it.

    Positions of one depth that have the same shape below them are counted together: those with
    equal ``shape_key``, or, for rules that have none, equal positions.

    Args:
        rules: Counting takes as long as there are different shapes. Payoffs, probabilities and
            players are not looked at: rules that can be counted may still be refused by
            ``lay_out_rules``.
        max_nodes: Stop once it is sure that there are more, which a part of the tree may show; by
            default everything is counted.

    >>> from gametheory_core.catalog.goofspiel import GoofspielRules
    >>> count_nodes(GoofspielRules(cards=13)).nodes
    72519337953305867859
    """
    require_rules(rules, function="count_nodes")
    if max_nodes is not None:
        require_integer(max_nodes, function="count_nodes", name="max_nodes", low=1)
    level: Level[Position] = {None: (rules.root, 1)}
    levels, total, is_sampled = [1], 1, False
    while level:
        if max_nodes is not None and len(level) > MANY_SHAPES and not is_sampled:
            is_sampled = True  # a part is enough to see that there are too many
            reached = total + _nodes_below_some(rules, level, enough=max_nodes - total + 1)
            if reached > max_nodes:
                return TreeSize(reached, is_exact=False, levels=tuple(levels))
        number, level = _next_level(rules, level)
        levels.append(number)
        total += number
        if max_nodes is not None and total > max_nodes and len(level) > MANY_SHAPES:
            return TreeSize(total, is_exact=False, levels=tuple(levels))
    return TreeSize(total, is_exact=True, levels=tuple(levels[:-1]))


def _next_level(rules: TreeRules[Position], level: Level[Position]) -> tuple[int, Level[Position]]:
    """Return how many nodes the next level has, and one of each shape with their number."""
    key = rules.shape_key if isinstance(rules, ShapedRules) else _itself
    following: Level[Position] = {}
    total = 0
    for position, number in level.values():
        children = _children(rules.expand(position), position)
        total += number * len(children)
        for child in children:
            shape = key(child)
            try:
                known = following.get(shape)
            except TypeError:
                raise InvalidGame(
                    f"count_nodes: needs positions and shape keys that are hashable, but found "
                    f"{shown(shape)} (type {type(shape).__name__}). Make them tuples or frozen "
                    "dataclasses."
                ) from None
            following[shape] = (child, number + (0 if known is None else known[1]))
    return total, following


def _nodes_below_some(rules: TreeRules[Position], level: Level[Position], *, enough: int) -> int:
    """Return no more nodes than there are below a level, following few of its shapes."""
    total = 0
    while level and total < enough:
        heaviest = nlargest(MANY_SHAPES, level.items(), key=lambda entry: entry[1][1])
        number, level = _next_level(rules, dict(heaviest))
        total += number
    return total


def probe_nodes(
    rules: TreeRules[Any], *, probes: int = 1_000, rng: np.random.Generator
) -> SizeEstimate:
    """Estimate the number of nodes from plays in which every child is equally likely.

    A play is worth ``1 + b1 + b1 b2 + ...`` nodes if it meets ``b1, b2, ...`` children; the mean
    over plays is unbiased. For trees whose shape varies much, few plays carry most of the weight:
    mistrust an estimate whose standard error is not much smaller.

    Args:
        rules: Of any size. Payoffs, probabilities and players are not looked at.
        probes: Plays to draw, at least 2.
        rng: Draws the plays.

    Source: :cite:`knuth1975estimating`.

    >>> from gametheory_core.catalog.goofspiel import GoofspielRules
    >>> probe_nodes(GoofspielRules(4), rng=np.random.default_rng(1))
    SizeEstimate(nodes=1077.0, standard_error=0.0, probes=1000)
    """
    require_rules(rules, function="probe_nodes")
    require_integer(probes, function="probe_nodes", name="probes", low=2)
    remedy = "Give numpy.random.default_rng(seed)."
    require_instance(rng, np.random.Generator, function="probe_nodes", name="rng", remedy=remedy)
    found = np.array([_probe(rules, rng) for _ in range(probes)])
    error = float(found.std(ddof=1)) / probes**0.5
    return SizeEstimate(float(found.mean()), error, probes)


def _probe(rules: TreeRules[Any], rng: np.random.Generator) -> float:
    position, width, nodes = rules.root, 1.0, 1.0
    while children := _children(rules.expand(position), position):
        width *= len(children)
        nodes += width
        position = children[int(rng.integers(len(children)))]
    return nodes


def _children(node: Node[Position], position: object) -> Sequence[Position]:
    if isinstance(node, Terminal):
        return ()
    if isinstance(node, Decision):
        return decision_children(node)
    require_chance(node, position)
    try:
        return [child for _, child in node.children.values()]
    except (AttributeError, TypeError, ValueError):
        raise wrong_lottery(node.children) from None


def _itself(position: object) -> Hashable:
    return position
