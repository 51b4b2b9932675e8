"""The order in which dominated actions go: all at once, by turns, or one by one."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum

from gametheory_core.certificates.dominance import (
    ActionSets,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dominance.judgements import (
    Kind,
    Place,
    elimination_of,
    first_look,
    judged,
    still_protects,
    survival_of,
)
from solvers.dominance.programs import Clock
from solvers.many_players.action_payoff_table import (
    RankedPayoffs,
    action_payoff_table,
    ranked_payoffs,
)
from solvers.solution import BudgetOver, Meter


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
    clock = Clock(lambda: search.meter.seconds_left, lambda: _stop_at_the_end(search.meter))
    found = 0
    for action in open_actions:
        _stop_at_the_end(search.meter)
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


def _stop_at_the_end(meter: Meter) -> None:
    if meter.is_exhausted:
        raise BudgetOver
