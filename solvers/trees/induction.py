"""Backward induction: from the last decision to the first, everyone picks the best action.

On a tree of perfect information this finds an equilibrium of every subgame (Zermelo 1913; Kuhn
1953). Levels are swept from the deepest up, and all nodes of a level are decided at once.

Comparisons are exact: each player's payoffs are integers over a common denominator, which only
chance moves turn into fractions.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core import BehavioralProfile, certify_nash, pure_behavior
from gametheory_core.arrays import scaled_integers
from gametheory_core.certificates import SubgamePerfectCertificate, certify_subgame_perfect
from gametheory_core.errors import NotConverged
from gametheory_core.games import CHANCE, ExtensiveFormGame
from solvers.concepts import Concept
from solvers.requirements import a_tree, perfect_information
from solvers.solution import UNLIMITED, Budget, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

Values: TypeAlias = NDArray[Any]  # (num_nodes, num_players): int64, or integers and Fractions


@solver(
    Answers(Concept.SUBGAME_PERFECT, rank=10),
    Answers(Concept.NASH, rank=10),
    takes=(a_tree, perfect_information),
    unit="levels",
    because="perfect information: the best action at each node, from the end",
    page="first-steps",
)
def backward_induction(
    game: ExtensiveFormGame, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> Solution[BehavioralProfile, SubgamePerfectCertificate]:
    """Find a subgame-perfect equilibrium of a tree of perfect information, exactly.

    Args:
        game: Perfect information; any number of players, and chance.

    Returns:
        A pure profile. Among equally good actions the first is played.

    Raises:
        NotConverged: If the budget ends before the root is reached; ``best`` takes the first action
            at nodes not reached, and its ``NashCertificate`` says how far from equilibrium that is.

    Time and memory are linear in the number of nodes; depth is no limit.

    Source: :cite:`kuhn1953extensive`.

    >>> from gametheory_core import Decision, Terminal, from_sketch
    >>> fight_or_share = Decision(1, "entered", {"fight": Terminal([-1, 0]),
    ...                                          "share": Terminal([1, 1])})
    >>> entry = Decision(0, "start", {"out": Terminal([0, 2]), "in": fight_or_share})
    >>> game = from_sketch(entry, players=("Entrant", "Incumbent"))
    >>> backward_induction(game).payoffs
    (Fraction(1, 1), Fraction(1, 1))
    """
    meter = open_meter(budget, on_iteration, total=len(game.level_offset) - 1)
    values = _terminal_values(game)
    actions = np.zeros(game.num_decision_infosets, dtype=np.int64)
    for level in reversed(range(len(game.level_offset) - 1)):
        if meter.is_exhausted:
            so_far = pure_behavior(game, actions.tolist())
            measured = certify_nash(game, so_far)
            raise NotConverged(
                needs=f"all {meter.total} levels of the tree",
                found=f"the budget ended after {meter.iterations}",
                remedy="Give a larger budget, or use the exception's best, with first actions at "
                "the nodes not reached.",
                best=Solution(so_far, measured.payoffs, measured, meter.record()),
            )
        _decide_level(game, level, values, actions)
        meter.step()
    profile = pure_behavior(game, actions.tolist())
    certificate = certify_subgame_perfect(game, profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())


def _terminal_values(game: ExtensiveFormGame) -> Values:
    """Return a table with each player's payoffs at the end of play, as integers.

    Each player has a denominator of its own: only one player's payoffs are ever compared.
    """
    columns = [
        scaled_integers(game.exact_terminal_payoffs[:, i]).numerators
        for i in range(game.num_players)
    ]
    integers = np.stack(columns, axis=1) if columns else game.exact_terminal_payoffs
    has_chance = bool(np.any(game.node_player == CHANCE))
    largest = max((abs(value) for value in integers.ravel().tolist()), default=0)
    dtype = object if has_chance or largest >= 2**63 else np.int64
    values = np.zeros((game.num_nodes, game.num_players), dtype=dtype)
    values[game.terminals] = integers
    return values


def _decide_level(
    game: ExtensiveFormGame, level: int, values: Values, actions: NDArray[np.int64]
) -> None:
    """Value the nodes of a level and choose actions at its decisions; both modified in place."""
    start, stop = game.level_offset[level], game.level_offset[level + 1]
    inner = start + np.flatnonzero(game.node_infoset[start:stop] >= 0)
    if not inner.size:
        return
    first = game.first_child[inner]
    counts = game.num_children[inner]
    below = np.arange(first[0], first[-1] + counts[-1])
    mover = game.node_player[inner]
    is_chance = mover == CHANCE
    offsets = first - first[0]
    own = values[below, np.repeat(np.where(is_chance, 0, mover), counts)]
    best = np.maximum.reduceat(own, offsets)
    hits = np.flatnonzero(own == np.repeat(best, counts))
    _, earliest = np.unique(np.repeat(np.arange(len(inner)), counts)[hits], return_index=True)
    chosen = below[hits[earliest]]
    values[inner] = values[chosen]
    decisions = ~is_chance
    actions[game.node_infoset[inner[decisions]]] = (chosen - first)[decisions]
    if is_chance.any():
        weighted = values[below] * game.exact_chance_probabilities[game.node_action[below], None]
        values[inner[is_chance]] = np.add.reduceat(weighted, offsets, axis=0)[is_chance]
