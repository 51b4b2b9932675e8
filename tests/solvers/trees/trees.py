"""Random trees of perfect information, and backward induction by plain recursion, as an oracle."""

from fractions import Fraction
from itertools import count

import numpy as np
from hypothesis import strategies as st

from gametheory_core import Chance, Decision, ExtensiveFormGame, Terminal, from_sketch
from gametheory_core.games import Outcome

NUMBERS = st.one_of(st.sampled_from([-1, 0, 1]), st.fractions(-5, 5, max_denominator=4))


@st.composite
def sketches(draw, num_players=3, depth=4):
    """Nested records, with payoffs on inner nodes too and many ties."""
    payoffs = st.lists(NUMBERS, min_size=num_players, max_size=num_players)
    names = count()

    def subtree(levels):
        kind = draw(st.sampled_from(["decision", "decision", "chance", "end"]))
        if levels == 0 or (kind == "end" and levels < depth):
            return Terminal(draw(payoffs))
        paid = draw(st.one_of(st.just(()), payoffs))
        labels = "abc"[: draw(st.integers(1, 3))]
        children = {label: subtree(levels - 1) for label in labels}
        if kind == "chance":
            weights = draw(st.lists(st.integers(0, 3), min_size=len(labels), max_size=len(labels)))
            weights = [weight + (not any(weights)) for weight in weights]
            return Chance(
                {
                    label: (Fraction(weight, sum(weights)), child)
                    for (label, child), weight in zip(children.items(), weights, strict=True)
                },
                payoffs=paid,
            )
        player = draw(st.integers(0, num_players - 1))
        return Decision(player, next(names), children, payoffs=paid)

    return subtree(depth)


def with_payoffs(tree, paid):
    """The same tree with other payoffs, one list for each end."""
    node_outcome = np.full(tree.num_nodes, -1)
    node_outcome[tree.terminals] = np.arange(len(tree.terminals))
    outcomes = tuple(Outcome(tuple(payoffs)) for payoffs in paid)
    return ExtensiveFormGame(tree.players, tree.infosets, tree.node_infoset, outcomes, node_outcome)


def tree_of(sketch, num_players=3):
    """Lay a sketch out."""
    return from_sketch(sketch, players=("Ann", "Bob", "Cat")[:num_players])


def recursive_payoffs(sketch, num_players=3):
    """Payoffs of backward induction, ties to the first action."""
    paid = [Fraction(p) for p in sketch.payoffs] or [Fraction(0)] * num_players
    if isinstance(sketch, Terminal):
        return tuple(paid)
    if isinstance(sketch, Chance):
        branches = [(p, recursive_payoffs(s, num_players)) for p, s in sketch.children.values()]
        below = [sum(p * values[i] for p, values in branches) for i in range(num_players)]
    else:
        options = [recursive_payoffs(s, num_players) for s in sketch.children.values()]
        below = max(options, key=lambda values: values[sketch.player])
    return tuple(a + b for a, b in zip(paid, below, strict=True))
