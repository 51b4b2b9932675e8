"""Trees laid out from their rules."""

from collections.abc import Callable
from typing import TypeVar

from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.sketch import lay_out
from gametheory_core.games.tree_rules import TreeRules

Position = TypeVar("Position")


def lay_out_rules(
    rules: TreeRules[Position], *, on_iteration: Callable[[int], None] | None = None
) -> ExtensiveFormGame:
    """Lay out the tree of some rules.

    Parameters
    ----------
    rules : TreeRules
        Their positions are expanded once for each node.
    on_iteration : function, optional
        Called with the number of nodes laid out, every 10,000 nodes.

    Examples
    --------
    >>> from gametheory_core.catalog.kuhn import KuhnRules
    >>> lay_out_rules(KuhnRules(cards=4, num_players=3)).num_nodes
    601
    """
    return lay_out(
        rules.root,
        expand=rules.expand,
        players=rules.players,
        title=rules.title,
        on_iteration=on_iteration,
    )
