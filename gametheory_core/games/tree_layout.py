"""Trees laid out from their rules, after a look at how large they will be.

Play is followed depth first, so that only the positions beside one path are kept, and the numbers
of each depth are written to an array of their own. Nodes of one depth are met from left to right
either way: put one after another, these arrays are the tree breadth first.
"""

from array import array
from collections.abc import Callable
from typing import TypeAlias, TypeVar

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import IntArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.free_memory import free_memory
from gametheory_core.games.information_sets import NO_OUTCOME
from gametheory_core.games.sketch import REPORT_EVERY
from gametheory_core.games.tree_draft import TreeDraft, finished_game
from gametheory_core.games.tree_nodes import Decision, Terminal, require_chance
from gametheory_core.games.tree_rules import TreeRules, require_rules
from gametheory_core.games.tree_size import TreeSize, count_nodes, has_shapes

Position = TypeVar("Position")
Family: TypeAlias = tuple[int, list[Position]]  # depth, and the positions of siblings
Levels: TypeAlias = "list[array[int]]"

MAX_NODES = 10_000_000
BYTES_PER_NODE = 400  # at most, while a tree is laid out: every move an information set of its own
USED_MEMORY = 0.75  # of what is free
NOTHING = ()  # the one empty tuple: most nodes pay nothing, and need no look-up


def lay_out_rules(
    rules: TreeRules[Position],
    *,
    max_nodes: int = MAX_NODES,
    max_bytes: int | None = None,
    on_iteration: Callable[[int], None] | None = None,
) -> ExtensiveFormGame:
    """Lay out the tree of some rules, unless it is too large.

    Args:
        rules: Each position is expanded once for each node. With a ``shape_key`` (``ShapedRules``)
            nodes are counted before anything is built; without, while the tree is built.
        max_nodes: Refuse larger trees.
        max_bytes: Refuse trees that may need more memory, at 400 bytes a node; default three
            quarters of the memory that is free.
        on_iteration: Called with the number of nodes laid out, every 10,000 nodes or a little
            later.

    Raises:
        UnsupportedGame: If the tree is too large; says how large it is, or how many nodes were
            counted.
        InvalidGame: If the rules say something malformed, as for ``lay_out``.
        InvalidArgument: If they are no rules; names what is missing.

    Time is linear in the number of nodes. A laid-out tree takes 8 bytes a node and about 200 bytes
    an information set, and all the arrays derived from it another 40 bytes a node.

    >>> from gametheory_core.catalog.kuhn import KuhnRules
    >>> lay_out_rules(KuhnRules(cards=4, num_players=3)).num_nodes
    601
    """
    require_rules(rules, function="lay_out_rules")
    limit = _limit(max_nodes, max_bytes)

    def refuse(size: TreeSize) -> UnsupportedGame:
        return _refusal(rules.title, size, limit, max_nodes)

    if has_shapes(rules):
        size = count_nodes(rules, max_nodes=limit)
        if size.nodes > limit:
            raise refuse(size)
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
    waiting: list[Family[Position]] = [(0, [rules.root])]
    made, report = 0, REPORT_EVERY
    while waiting:
        depth, family = waiting.pop()
        if depth == len(infosets):
            infosets.append(array("i"))
            outcomes.append(array("i"))
        add_infoset, add_outcome = infosets[depth].append, outcomes[depth].append
        nested: list[Family[Position]] = []
        for position in family:
            node = expand(position)
            if isinstance(node, Terminal):
                add_infoset(-1)
            elif isinstance(node, Decision):
                add_infoset(decision(node))
                nested.append((depth + 1, list(node.children.values())))
            else:
                require_chance(node, position)
                add_infoset(chance(node))
                nested.append((depth + 1, [child for _, child in node.children.values()]))
            payoffs = node.payoffs
            add_outcome(NO_OUTCOME if payoffs is NOTHING else outcome(payoffs))
        waiting.extend(reversed(nested))
        made += len(family)
        if made > limit:
            raise refuse(TreeSize(made, is_exact=False))
        if made >= report:
            report = made - made % REPORT_EVERY + REPORT_EVERY
            if on_iteration is not None:
                on_iteration(made)
    return infosets, outcomes


def _joined(levels: Levels) -> IntArray:
    """Return the levels one after another, and forget them."""
    whole = np.concatenate([np.frombuffer(level, dtype=np.intc) for level in levels])
    levels.clear()
    return whole


def _limit(max_nodes: int, max_bytes: int | None) -> int:
    require_integer(max_nodes, function="lay_out_rules", name="max_nodes", low=1)
    if max_bytes is None:
        max_bytes = int(USED_MEMORY * free_memory())
    require_integer(max_bytes, function="lay_out_rules", name="max_bytes", low=1)
    return min(max_nodes, max_bytes // BYTES_PER_NODE)


def _refusal(title: str, size: TreeSize, limit: int, max_nodes: int) -> UnsupportedGame:
    if limit == max_nodes:
        needs, more = f"at most max_nodes = {max_nodes:,} nodes", "max_nodes"
    else:
        memory = f"memory for {limit:,} nodes at {BYTES_PER_NODE} bytes each"
        needs, more = f"a tree that fits into {memory}", "max_bytes"
    return UnsupportedGame(
        f"lay_out_rules: needs {needs}, but {title!r} has {size}. Choose smaller parameters, raise "
        f"{more}, or leave the tree unbuilt and sample the rules (Monte-Carlo counterfactual "
        "regret; with Sampling.OUTCOME where a player moves many times in one play)."
    )
