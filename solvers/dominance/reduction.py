"""What is left of a game without strictly dominated actions and copies, before it is solved.

See ``gametheory_core.certificates.reduced_game`` for what that is, and why no equilibrium is lost.
"""

import numpy as np

from gametheory_core.arguments import require_member
from gametheory_core.certificates.dominance import Dominance, DominatedBy
from gametheory_core.certificates.reduced_game import Reduction, classes_of_copies, left_of
from gametheory_core.errors import InvalidGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from solvers.dominance.search import Kind, Pace, Search, eliminate
from solvers.solution import UNLIMITED, Budget, Meter

MOST_COMPARED = 1_000_000  # pairs of payoffs, in a millisecond


def unreduced(game: NormalFormGame) -> Reduction:
    """Take nothing away."""
    return left_of(game, tuple(tuple(range(count)) for count in game.num_actions))


def reduce_game(
    game: NormalFormGame, *, dominated_by: DominatedBy = DominatedBy.MIXED
) -> Reduction:
    """Eliminate strictly dominated actions until there are none, then merge copies.

    Args:
        game: Any number of players.
        dominated_by: Pure strategies are cheap to compare; mixed ones take linear programs.

    Raises:
        InvalidArgument: If the option is no member of its enumeration.
        UnsupportedGame: If the game is a tree.

    >>> reduction = reduce_game(NormalFormGame.symmetric([[3, 0, 0], [5, 1, 1], [5, 1, 1]]))
    >>> reduction.target.actions, reduction.copies
    ((('2',), ('2',)), (((1, 2),), ((1, 2),)))
    """
    require_normal_form(game)
    require_member(dominated_by, DominatedBy, name="dominated_by")
    return reduce_in_time(game, UNLIMITED, dominated_by=dominated_by)


def reduce_in_time(
    game: NormalFormGame, budget: Budget, *, dominated_by: DominatedBy = DominatedBy.MIXED
) -> Reduction:
    """Do the same as far as a budget goes; its iterations are actions judged."""
    if _has_nothing(game, dominated_by):
        return unreduced(game)
    found = _without_dominated(game, budget, dominated_by)
    left = tuple(tuple(own[0] for own in classes) for classes in found.copies)
    copies = classes_of_copies(game, left)
    return left_of(game, left, copies=copies, eliminations=found.eliminations)


def without_dominated(
    game: NormalFormGame, budget: Budget, *, largest_unless_seen: int = 0
) -> Reduction:
    """Only eliminate, as far as a budget goes; copies may differ in what they pay others.

    Args:
        largest_unless_seen: Games of at most so many joint actions, where programs for mixed
            strategies may take longer than they save, are left alone unless some action never
            earns more than another one, which is quickly seen.
    """
    is_small = game.given_payoffs[0].size <= largest_unless_seen
    if _has_nothing(game, DominatedBy.PURE if is_small else DominatedBy.MIXED):
        return unreduced(game)
    return _without_dominated(game, budget, DominatedBy.MIXED)


def _without_dominated(
    game: NormalFormGame, budget: Budget, dominated_by: DominatedBy
) -> Reduction:
    everything = tuple(tuple(range(count)) for count in game.num_actions)
    kind = Kind(Dominance.STRICT, dominated_by)
    search = Search(game, kind, Meter(budget, "actions"), everything)
    eliminate(search, Pace.ALL_AT_ONCE, tuple(range(game.num_players)))
    gone = {(e.player, e.action) for e in search.eliminations}
    left = tuple(
        tuple(a for a in own if (player, a) not in gone) for player, own in enumerate(everything)
    )
    return left_of(game, left, eliminations=search.eliminations)


def _has_nothing(game: NormalFormGame, dominated_by: DominatedBy) -> bool:
    """Tell quickly that there is nothing to take away, if that is easily seen.

    Where no action pays its player as much as another does, whatever the others do, there are no
    copies, and no single action dominates another. Where each action is the only best reply to
    something, no mixture does. Rounding keeps the order of numbers, so that floats may be compared.
    """
    try:
        payoffs = game.payoffs
    except InvalidGame:  # too large for floats
        return False
    for player, count in enumerate(game.num_actions):
        rows = np.moveaxis(payoffs[player], player, 0).reshape(count, -1)
        if dominated_by is DominatedBy.MIXED:
            best = rows == rows.max(axis=0)
            is_plain = best[:, best.sum(axis=0) == 1].any(axis=1).all()
        else:
            is_plain = rows.size * count <= MOST_COMPARED and (
                np.count_nonzero((rows[:, None] >= rows).all(axis=2)) == count
            )
        if not is_plain:
            return False
    return True


def told_of(reduction: Reduction) -> str:
    """Say what is left of a game, where something was taken away, before what was done with it."""
    if reduction.is_trivial:
        return ""
    sizes = " x ".join(map(str, reduction.target.num_actions))
    return f"without strictly dominated actions and copies {sizes} are left; "
