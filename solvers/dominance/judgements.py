"""One look at a player's actions: which of them are dominated in what is left of the game.

Most actions are settled without a linear program: a best response to a joint action of the others
stays, and an action that a single other one dominates goes. Both are read off the ranks of payoffs,
which is exact.
"""

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from gametheory_core.arrays import ONE, ExactArray, IntArray
from gametheory_core.certificates.dominance import (
    Dominance,
    DominatedBy,
    Elimination,
    Survival,
)
from solvers.dominance.programs import Clock, Proof, judge
from solvers.many_players.action_payoff_table import ActionPayoffTable

ActionSets: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Kind:
    """What is meant by dominance."""

    dominance: Dominance
    dominated_by: DominatedBy


@dataclass(frozen=True)
class Place:
    """Which actions are judged: those of one player, in what is left of the game.

    Attributes:
        left: Actions of each player that are left.
        player: Whose actions.
        round_number: For eliminations.
    """

    left: ActionSets
    player: int
    round_number: int


@dataclass(frozen=True, eq=False)
class FirstLook:
    """What ranks tell about the rows of a table.

    Attributes:
        proofs: For each row, None where a linear program must decide; nowhere if only pure
            strategies dominate.
        representatives: One row of each class of equal rows.
        classes (num_rows,): The class of each row.
    """

    proofs: list[Proof | None]
    representatives: IntArray
    classes: IntArray


def first_look(table: ActionPayoffTable, kind: Kind) -> FirstLook:
    """Settle by ranks what can be settled."""
    ranks = table.ranks
    _, first, classes = np.unique(ranks, axis=0, return_index=True, return_inverse=True)
    first, classes = first.astype(np.int32), classes.reshape(-1).astype(np.int32)
    best = ranks == ranks.max(axis=0)
    if kind.dominance is Dominance.WEAK:  # other than equal rows, no other may be as good
        best &= best[first].sum(axis=0) == 1
    strength = ranks[first].sum(axis=1, dtype=np.int64)
    proofs: list[Proof | None] = []
    for row, mine in enumerate(ranks):
        if best[row].any():
            proofs.append(_point(int(np.argmax(best[row])), is_dominated=False))
            continue
        if kind.dominance is Dominance.STRICT:
            above = (ranks[first] > mine).all(axis=1)
        else:
            above = (ranks[first] >= mine).all(axis=1)
            above[classes[row]] = False
        if above.any():
            dominator = first[np.argmax(np.where(above, strength, -1))]
            proofs.append(_point(int(dominator), is_dominated=True))
        elif kind.dominated_by is DominatedBy.PURE:
            proofs.append(_point(0, is_dominated=False))
        else:
            proofs.append(None)
    return FirstLook(proofs, first, classes)


def judged(table: ActionPayoffTable, look: FirstLook, row: int, kind: Kind, clock: Clock) -> Proof:
    """Return a proof for one row, by linear programs if it is not settled already."""
    settled = look.proofs[row]
    if settled is not None:
        return settled
    others = np.arange(len(look.representatives)) != look.classes[row]
    return judge(table, row, np.sort(look.representatives[others]), kind.dominance, clock)


def elimination_of(place: Place, row: int, proof: Proof) -> Elimination:
    """Word a proof that a row is dominated in actions of the game."""
    own = place.left[place.player]
    return Elimination(
        player=place.player,
        action=own[row],
        round_number=place.round_number,
        dominators=tuple(own[k] for k in proof.places.tolist()),
        weights=_probabilities(proof.weights),
    )


def survival_of(place: Place, row: int, proof: Proof, kind: Kind) -> Survival:
    """Word a proof that a row is not dominated in actions of the game."""
    action = place.left[place.player][row]
    if kind.dominated_by is DominatedBy.PURE:
        return Survival(place.player, action, (), ())
    others = [own for player, own in enumerate(place.left) if player != place.player]
    positions = np.unravel_index(proof.places, [len(own) for own in others]) if others else ()
    columns = [[own[k] for k in axis.tolist()] for own, axis in zip(others, positions, strict=True)]
    joint_actions = tuple(zip(*columns, strict=True)) if others else ((),)
    return Survival(place.player, action, joint_actions, _probabilities(proof.weights))


def still_protects(survival: Survival, left: ActionSets) -> bool:
    """Tell whether a belief is about actions that are all left, so that it goes on protecting.

    One that excludes nothing stays so when less is left, but may then need other weights: it too
    must be about actions that are left. Rivals that are gone do no harm.
    """
    others = [frozenset(own) for player, own in enumerate(left) if player != survival.player]
    return bool(survival.joint_actions) and all(
        action in own
        for joint_action in survival.joint_actions
        for action, own in zip(joint_action, others, strict=True)
    )


def _point(place: int, *, is_dominated: bool) -> Proof:
    weights: ExactArray = np.ones(1, dtype=object)
    places: IntArray = np.array([place], dtype=np.int32)
    return Proof(is_dominated, places, weights)


def _probabilities(weights: ExactArray) -> tuple[Fraction, ...]:
    values: list[int] = weights.tolist()
    if len(values) == 1:
        return (ONE,)
    total = sum(values)
    return tuple(Fraction(value, total) for value in values)
