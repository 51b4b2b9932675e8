"""Signaling games: random ones, Spence's, and pure equilibria by brute force, as an oracle."""

from fractions import Fraction
from itertools import product

import gametheory_core as gt


def random_signaling(rng, *, types=2, signals=2, answers=2, high=2):
    """Types equally likely or not, every signal open to all, an end now and then; many ties."""

    def end():
        return gt.Terminal([int(v) for v in rng.integers(-high, high + 1, 2)])

    def after(signal):
        if rng.random() < 0.15:
            return end()
        return gt.Decision(1, f"saw {signal}", {f"a{a}": end() for a in range(answers)})

    weights = rng.integers(1, 4, types).tolist()
    return gt.from_sketch(
        gt.Chance(
            {
                f"t{t}": (
                    Fraction(weights[t], sum(weights)),
                    gt.Decision(0, f"type {t}", {f"m{m}": after(m) for m in range(signals)}),
                )
                for t in range(types)
            }
        ),
        players=("Sender", "Receiver"),
    )


def spence(*, costs=(3, 1), worth=(0, 2), schooling=(0, 1)):
    """A worker of two types goes to school or not; an employer pays 0, 1 or 2, near the worth.

    A year of school costs the weak type more. Spence, "Job market signaling", QJE 87, 1973.
    """
    wages = (0, 1, 2)

    def hired(t, years):
        return gt.Decision(
            1,
            f"{years} years",
            {
                str(wage): gt.Terminal([wage - costs[t] * years, -((wage - worth[t]) ** 2)])
                for wage in wages
            },
        )

    return gt.from_sketch(
        gt.Chance(
            {
                name: ("1/2", gt.Decision(0, name, {str(y): hired(t, y) for y in schooling}))
                for t, name in enumerate(("weak", "able"))
            }
        ),
        players=("Worker", "Employer"),
    )


def pure_sequential(tree):
    """All pure sequential equilibria of a signaling game of two types; beliefs by crossing points.

    Player 0 sends. An answer is best for some belief over two nodes if it is so for a sure one, or
    where two answers earn the same.
    """
    infosets = tree.infosets[: tree.num_decision_infosets]
    found = []
    for actions in product(*(range(len(infoset.actions)) for infoset in infosets)):
        profile = gt.pure_behavior(tree, actions)
        if gt.certify_nash(tree, profile).epsilon:
            continue
        if all(
            _is_best(tree, s, actions[s]) or _is_reached(tree, s, actions)
            for s, infoset in enumerate(infosets)
            if infoset.player == 1
        ):
            found.append(profile)
    return found


def _is_reached(tree, infoset, actions):
    nodes = [v for v in range(tree.num_nodes) if tree.node_infoset[v] == infoset]
    above = [tree.parent[v] for v in nodes]
    return any(
        actions[tree.node_infoset[u]] == v - tree.first_child[u]
        for u, v in zip(above, nodes, strict=True)
    )


def _is_best(tree, infoset, action):
    """Whether an answer is best for some belief over at most two nodes."""
    paid = dict(zip(tree.terminals.tolist(), tree.exact_terminal_payoffs[:, 1], strict=True))
    nodes = [v for v in range(tree.num_nodes) if tree.node_infoset[v] == infoset]
    rows = [[paid[tree.first_child[v] + a] for a in range(tree.num_children[v])] for v in nodes]
    if len(rows) == 1:
        return rows[0][action] == max(rows[0])
    first, second = rows
    beliefs = [Fraction(0), Fraction(1)]
    for a, b in product(range(len(first)), repeat=2):
        slope = (first[a] - second[a]) - (first[b] - second[b])
        if slope:
            beliefs.append((second[b] - second[a]) / slope)
    return any(
        (earned := [p * u + (1 - p) * w for u, w in zip(first, second, strict=True)])[action]
        == max(earned)
        for p in beliefs
        if 0 <= p <= 1
    )
