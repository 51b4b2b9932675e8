"""Trees laid out from their rules, after a look at how large they will be.

Play is followed depth first, so that only the positions beside one path are kept, and the numbers
of each depth are written to an array of their own. Nodes of one depth are met from left to right
either way: put one after another, these arrays are the tree breadth first.

Sizes are counted, or estimated from random plays, and compared with the cap on memory.
"""

from array import array
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from gametheory_core.arguments import require_instance, require_integer, shown
from gametheory_core.arrays import IntArray, reading_floats
from gametheory_core.errors import InvalidGame, UnsupportedGame, named
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import (
    REPORT_EVERY,
    Decision,
    Node,
    ShapedRules,
    Terminal,
    TreeDraft,
    TreeRules,
    decision_children,
    finished_game,
    require_chance,
    require_rules,
    wrong_lottery,
)
from gametheory_core.games.tree_table import NO_OUTCOME
from gametheory_core.memory import LOOK_EVERY, MORE, growth_limit, memory_cap

Position = TypeVar("Position")

MANY_SHAPES = 2_000  # of a level: when to look whether a part of them is too much already
CHEAP_SHAPES = 20_000  # of all levels: below it the whole number is counted, to be named
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

    >>> from gametheory_core.catalog import GoofspielRules
    >>> count_nodes(GoofspielRules(cards=13)).nodes
    72519337953305867859
    """
    require_rules(rules)
    if max_nodes is not None:
        require_integer(max_nodes, name="max_nodes", low=1)
    level: Level[Position] = {None: (rules.root, 1)}
    levels, total, looked_at, is_sampled = [1], 1, 0, False
    while level:
        if max_nodes is not None and len(level) > MANY_SHAPES and not is_sampled:
            is_sampled = True  # a part is enough to see that there are too many
            reached = total + _nodes_below_some(rules, level, enough=max_nodes - total + 1)
            if reached > max_nodes:
                return TreeSize(reached, is_exact=False, levels=tuple(levels))
        enough = None
        if max_nodes is not None and looked_at >= CHEAP_SHAPES:
            enough = max_nodes - total + 1
        looked_at += len(level)
        number, level, is_whole = _next_level(rules, level, enough=enough)
        total += number
        if not is_whole:
            return TreeSize(total, is_exact=False, levels=tuple(levels))
        levels.append(number)
    return TreeSize(total, is_exact=True, levels=tuple(levels[:-1]))


class _Below(NamedTuple):
    """The nodes one level below, one position of each shape, and whether all were looked at."""

    number: int
    level: Level[Any]
    is_whole: bool


def _next_level(
    rules: TreeRules[Position], level: Level[Position], *, enough: int | None
) -> _Below:
    """Count the next level, until there are enough, and gather its shapes."""
    key = rules.shape_key if isinstance(rules, ShapedRules) else _itself
    following: Level[Position] = {}
    total = 0
    for position, number in level.values():
        if enough is not None and total >= enough:
            return _Below(total, following, is_whole=False)
        children = _children(rules.expand(position), position)
        total += number * len(children)
        for child in children:
            shape = key(child)
            try:
                known = following.get(shape)
            except TypeError:
                raise InvalidGame(
                    needs="positions and shape keys that are hashable",
                    found=f"found {shown(shape)} (type {type(shape).__name__})",
                    remedy="Make them tuples or frozen dataclasses.",
                ) from None
            following[shape] = (child, number + (0 if known is None else known[1]))
    return _Below(total, following, is_whole=True)


def _nodes_below_some(rules: TreeRules[Position], level: Level[Position], *, enough: int) -> int:
    """Return no more nodes than there are below a level, following few of its shapes."""
    total = 0
    while level and total < enough:
        heaviest = nlargest(MANY_SHAPES, level.items(), key=lambda entry: entry[1][1])
        number, level, _ = _next_level(rules, dict(heaviest), enough=enough - total)
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

    Source: :cite:`knuth1975estimating`.

    >>> from gametheory_core.catalog import GoofspielRules
    >>> probe_nodes(GoofspielRules(4), rng=np.random.default_rng(1))
    SizeEstimate(nodes=1077.0, standard_error=0.0, probes=1000)
    """
    require_rules(rules)
    require_integer(probes, name="probes", low=2)
    remedy = "Give numpy.random.default_rng(seed)."
    require_instance(rng, np.random.Generator, name="rng", remedy=remedy)
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


Levels: TypeAlias = "list[array[int]]"

MAX_NODES = 10_000_000
BYTES_PER_NODE = 400  # at most, while a tree is laid out: every move an information set of its own
NOTHING = ()  # the one empty tuple: most nodes pay nothing, and need no look-up


def lay_out_rules(
    rules: TreeRules[Position],
    *,
    max_nodes: int = MAX_NODES,
    max_bytes: int | None = None,
    decimals: bool = False,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Lay out the tree of some rules, unless it is too large.

    Args:
        rules: Each position is expanded once for each node. With a ``shape_key`` (``ShapedRules``)
            nodes are counted before anything is built; without, while the tree is built.
        max_nodes: Refuse larger trees.
        max_bytes: Refuse trees that may need more memory, at 400 bytes a node; default the cap
            (``memory_limit``), a quarter of the machine's memory.
        decimals: As in ``from_sketch``.
        on_iteration: Called with the number of nodes laid out, every 10,000 nodes or a little
            later.

    Raises:
        UnsupportedGame: If the tree is too large; says how large it is, or how many nodes were
            counted.
        InvalidGame: If the rules say something malformed, as for ``lay_out``.
        InvalidArgument: If they are no rules; names what is missing.

    Time is linear in the number of nodes. A laid-out tree takes 8 bytes a node and about 200 bytes
    an information set, and all the arrays derived from it another 40 bytes a node.

    >>> from gametheory_core.catalog import KuhnRules
    >>> lay_out_rules(KuhnRules(cards=4, num_players=3)).num_nodes
    601
    """
    require_rules(rules)
    limit = _limit(max_nodes, max_bytes)

    def refuse(size: TreeSize) -> UnsupportedGame:
        return _refusal(rules.title, size, limit, max_nodes)

    if isinstance(rules, ShapedRules):
        size = count_nodes(rules, max_nodes=limit)
        if size.nodes > limit:
            raise refuse(size)
    with reading_floats(decimals=decimals):
        return lay_out_at_most(limit, rules, refuse=refuse, on_iteration=on_iteration)


def lay_out_at_most(
    limit: int,
    rules: TreeRules[Position],
    *,
    refuse: Callable[[TreeSize], Exception],
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Lay out a tree of at most ``limit`` nodes, depth first; raise ``refuse(size)`` beyond."""
    draft = TreeDraft(tuple(rules.players))
    infosets, outcomes = _walk(rules, draft, limit, refuse, on_iteration)
    return finished_game(
        draft, node_infoset=_joined(infosets), node_outcome=_joined(outcomes), title=rules.title
    )


def _walk(
    rules: TreeRules[Position],
    draft: TreeDraft,
    limit: int,
    refuse: Callable[[TreeSize], Exception],
    on_iteration: Callable[[int], None] | None,
) -> tuple[Levels, Levels]:
    """Expand all positions; return the information set and outcome of each node, by depth."""
    expand, decision, chance, outcome = rules.expand, draft.decision, draft.chance, draft.outcome
    infosets: Levels = []
    outcomes: Levels = []
    waiting: list[Iterator[Position]] = [iter((rules.root,))]  # siblings at each depth of one path
    require_room = growth_limit(what=f"the tree of {rules.title!r}")
    known, expanded = 1, 0
    while waiting:
        depth = len(waiting) - 1
        if depth == len(infosets):
            infosets.append(array("i"))
            outcomes.append(array("i"))
        add_infoset, add_outcome = infosets[depth].append, outcomes[depth].append
        for position in waiting[depth]:
            node = expand(position)
            below: Iterator[Position] | None = None
            if isinstance(node, Terminal):
                add_infoset(-1)
            elif isinstance(node, Decision):
                add_infoset(decision(node))
                below = iter(node.children.values())
                known += len(node.children)
            else:
                require_chance(node, position)
                add_infoset(chance(node))
                below = (child for _, child in node.children.values())
                known += len(node.children)
            if known > limit:
                raise refuse(TreeSize(known, is_exact=False))
            payoffs = node.payoffs
            add_outcome(NO_OUTCOME if payoffs is NOTHING else outcome(payoffs))
            expanded += 1
            if not expanded % LOOK_EVERY:
                require_room()
                if on_iteration is not None and not expanded % REPORT_EVERY:
                    on_iteration(expanded)
            if below is not None:
                waiting.append(below)
                break
        else:
            waiting.pop()
    return infosets, outcomes


def _joined(levels: Levels) -> IntArray:
    whole = np.concatenate([np.frombuffer(level, dtype=np.intc) for level in levels])
    levels.clear()
    return whole


def _limit(max_nodes: int, max_bytes: int | None) -> int:
    require_integer(max_nodes, name="max_nodes", low=1)
    if max_bytes is None:
        max_bytes = memory_cap()
    require_integer(max_bytes, name="max_bytes", low=1)
    return min(max_nodes, max_bytes // BYTES_PER_NODE)


def _refusal(title: str, size: TreeSize, limit: int, max_nodes: int) -> UnsupportedGame:
    if limit == max_nodes:
        needs, more = f"at most {named('max_nodes')} = {max_nodes:,} nodes", named("max_nodes")
    else:
        memory = f"memory for {limit:,} nodes at {BYTES_PER_NODE} bytes each"
        needs, more = f"a tree that fits into {memory}", f"max_bytes or the cap ({named(MORE)})"
    return UnsupportedGame(
        needs=needs,
        found=f"{title!r} has {size}",
        remedy=f"Choose smaller parameters, raise {more}, or leave the tree unbuilt and sample the "
        "rules (Monte-Carlo counterfactual regret; with Sampling.OUTCOME where a player "
        "moves many times in one play).",
    )
