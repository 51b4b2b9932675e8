"""The order in which dominated actions go: all at once, by turns, or one by one.

Most actions are settled without a linear program: a best response to a joint action of the others,
or to a mixture of two, stays, and an action that a single other one dominates goes. The first and
the last are read off the ranks of payoffs, which is exact.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ExactArray, IntArray
from gametheory_core.certificates.dominance import (
    ActionSets,
    Dominance,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dominance.programs import (
    ActionPayoffTable,
    Clock,
    Proof,
    RankedPayoffs,
    action_payoff_table,
    judge,
    ranked_payoffs,
)
from solvers.solution import BudgetOver, Meter

MOST_PAIRED = 64  # joint actions of the others, all pairs of which are looked at


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
    is_many = sum(proof is None for proof in proofs) > 1
    if is_many and kind.dominance is Dominance.STRICT and len(ranks.T) <= MOST_PAIRED:
        found = _best_to_two(table)
        proofs = [found.get(row) if own is None else own for row, own in enumerate(proofs)]
    return FirstLook(proofs, first, classes)


def _best_to_two(table: ActionPayoffTable) -> dict[int, Proof]:
    """Find best responses to mixtures of two joint actions, each scaled to count as much."""
    one, two = np.triu_indices(table.floats.shape[1], 1)
    winners = (table.floats[:, one] + table.floats[:, two]).argmax(axis=0)
    proofs: dict[int, Proof] = {}
    for row, pair in zip(*np.unique(winners, return_index=True), strict=True):
        places = np.array([one[pair], two[pair]], dtype=np.int32)
        exponents = table.exponents[places]
        units: ExactArray = np.array(
            [1 << int(exponents.max() - own) for own in exponents], dtype=object
        )
        earned = table.exact[:, places] @ units
        if earned[row] == earned.max():  # exactly, too
            proofs[int(row)] = Proof(is_dominated=False, places=places, weights=units)
    return proofs


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
    total = sum(values)
    return tuple(Fraction(value, total) for value in values)


class Pace(Enum):
    """What one round of elimination takes away; the value says it in words."""

    ALL_AT_ONCE = "all dominated actions of all players"
    PLAYER_BY_PLAYER = "all dominated actions of one player, players taking turns"
    ONE_BY_ONE = "one action, the first dominated one of the first player who has any"


@dataclass
class Search:
    """Where elimination stands; changes, and lives inside one call.

    Attributes:
        kind: What is meant by dominance.
        meter: Counts actions judged.
        left: Actions of each player at the start of the round.
        eliminations: Those of the round under way included.
        survivals: (player, action) -> why the action is undominated in what is left.
        payoffs: player -> payoffs, once they are needed.
        round_number: The round under way.
    """

    game: NormalFormGame
    kind: Kind
    meter: Meter
    left: ActionSets
    eliminations: list[Elimination] = field(default_factory=list[Elimination])
    survivals: dict[tuple[int, int], Survival] = field(
        default_factory=dict[tuple[int, int], Survival]
    )
    payoffs: dict[int, RankedPayoffs] = field(default_factory=dict[int, RankedPayoffs])
    round_number: int = 1


def eliminate(search: Search, pace: Pace, players: tuple[int, ...]) -> bool:
    """Eliminate until nothing is dominated; return False if the budget ends first.

    ``search`` is modified in place. If the budget ends, the eliminations of the unfinished round
    are kept, since each is right by itself, and reasons to stay are not.
    """
    try:
        while _eliminate_once(search, pace, players):
            pass
    except BudgetOver:
        search.survivals.clear()
        return False
    return True


def judge_actions(search: Search, player: int, actions: Iterable[int], *, most: int = 0) -> None:
    """Judge actions of a player in what is left, until ``most`` are dominated (0: all of them).

    ``search`` is modified in place.
    """
    open_actions = [a for a in actions if (player, a) not in search.survivals]
    if not open_actions:
        return
    if player not in search.payoffs:
        search.payoffs[player] = ranked_payoffs(search.game, player)
    place = Place(search.left, player, search.round_number)
    table = action_payoff_table(search.payoffs[player], search.left, player)
    look = first_look(table, search.kind)
    clock = Clock(lambda: search.meter.seconds_left, search.meter.require_more)
    found = 0
    for action in open_actions:
        search.meter.require_more()
        row = search.left[player].index(action)
        proof = judged(table, look, row, search.kind, clock)
        search.meter.step()
        if not proof.is_dominated:
            search.survivals[player, action] = survival_of(place, row, proof, search.kind)
            continue
        search.eliminations.append(elimination_of(place, row, proof))
        found += 1
        if found == most:
            return


def _eliminate_once(search: Search, pace: Pace, players: tuple[int, ...]) -> bool:
    """Go through the players; return whether anything was eliminated."""
    before = len(search.eliminations)
    for player in players:
        one = pace is Pace.ONE_BY_ONE
        judge_actions(search, player, search.left[player], most=int(one))
        if pace is not Pace.ALL_AT_ONCE:
            _carry_out(search)
        if one and len(search.eliminations) > before:
            return True
    _carry_out(search)
    return len(search.eliminations) > before


def _carry_out(search: Search) -> None:
    """End the round: take away what was eliminated, and forget beliefs about it."""
    gone = {(e.player, e.action) for e in search.eliminations}
    left = tuple(
        tuple(a for a in own if (player, a) not in gone) for player, own in enumerate(search.left)
    )
    if left == search.left:
        return
    search.left = left
    search.round_number += 1
    search.survivals = {
        key: survival
        for key, survival in search.survivals.items()
        if search.kind.dominated_by is DominatedBy.MIXED and still_protects(survival, left)
    }
