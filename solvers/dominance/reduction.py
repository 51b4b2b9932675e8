"""What is left of a game without strictly dominated actions and copies, before it is solved.

Both leave the equilibria what they are. A strictly dominated action is played in none, round by
round. Actions are *copies* of each other if it matters to nobody which of them is played: to no
player's payoffs, but for terms that depend on what the others do alone and so change no best reply.
A profile is an equilibrium exactly if it is one when copies are merged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from gametheory_core.arguments import require_member
from gametheory_core.arrays import ZERO, ExactArray, NumberArray, freeze
from gametheory_core.certificates.dominance import (
    ActionSets,
    Dominance,
    DominanceCertificate,
    DominatedBy,
    Elimination,
    certify_dominance,
)
from gametheory_core.conversions.simpler_forms import restrict_actions
from gametheory_core.errors import InvalidGame
from gametheory_core.games.kinds import require_normal_form
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.dominance.search import Kind, Pace, Search, eliminate
from solvers.solution import UNLIMITED, Budget, Meter

MOST_COMPARED = 1_000_000  # pairs of payoffs, in a millisecond


@dataclass(frozen=True, eq=False)
class Reduction:
    """A game, and what is left of it.

    Attributes:
        game: As given.
        target: Without dominated actions, and with one of each class of copies.
        eliminations: Of the dominated actions, in order.
        copies: For each player and each action of the target, the actions of the game that it
            stands for.
    """

    game: NormalFormGame
    target: NormalFormGame
    eliminations: tuple[Elimination, ...]
    copies: tuple[ActionSets, ...]

    @property
    def is_trivial(self) -> bool:
        """Whether nothing was found."""
        return self.target is self.game

    @cached_property
    def certificate(self) -> DominanceCertificate:
        """That the eliminations are right."""
        return certify_dominance(
            self.game,
            dominance=Dominance.STRICT,
            dominated_by=DominatedBy.MIXED,
            eliminations=self.eliminations,
        )

    def carry_back(self, profile: MixedProfile) -> MixedProfile:
        """Play a profile of the target in the game, each class by its first action."""
        return next(self.expansions(profile))

    def expansions(self, profile: MixedProfile) -> Iterator[MixedProfile]:
        """Play each class that has a weight by one of its actions, in all ways.

        All equilibria of the game that merge into a profile are mixtures of these.
        """
        if self.is_trivial:
            yield profile
            return
        strategies = profile.to_exact().strategies
        for own in product(*(list(self._spread(k, v)) for k, v in enumerate(strategies))):
            yield MixedProfile(own)

    def num_expansions(self, profile: MixedProfile) -> int:
        """Count them."""
        if self.is_trivial:
            return 1
        return prod(
            len(own)
            for copies, strategy in zip(self.copies, profile.strategies, strict=True)
            for own, weight in zip(copies, strategy.tolist(), strict=True)
            if weight
        )

    def _spread(self, player: int, strategy: ExactArray) -> Iterator[ExactArray]:
        played = [
            (weight, own)
            for weight, own in zip(strategy.tolist(), self.copies[player], strict=True)
            if weight
        ]
        for actions in product(*(own for _, own in played)):
            vector = np.full(self.game.num_actions[player], ZERO, dtype=object)
            for (weight, _), action in zip(played, actions, strict=True):
                vector[action] = weight
            yield freeze(vector)


def unreduced(game: NormalFormGame) -> Reduction:
    """Take nothing away."""
    copies = tuple(tuple((action,) for action in range(count)) for count in game.num_actions)
    return Reduction(game, game, (), copies)


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
    meter = Meter(budget, "actions")
    if dominated_by is DominatedBy.PURE and _no_action_is_as_good(game):
        return unreduced(game)
    everything = tuple(tuple(range(count)) for count in game.num_actions)
    search = Search(game, Kind(Dominance.STRICT, dominated_by), meter, everything)
    eliminate(search, Pace.ALL_AT_ONCE, tuple(range(game.num_players)))
    gone = {(e.player, e.action) for e in search.eliminations}
    left = tuple(
        tuple(a for a in own if (player, a) not in gone) for player, own in enumerate(everything)
    )
    copies = _copies(game, left)
    kept = tuple(tuple(own[0] for own in classes) for classes in copies)
    target = game if kept == everything else restrict_actions(game, kept).target
    return Reduction(game, target, tuple(search.eliminations), copies)


def _no_action_is_as_good(game: NormalFormGame) -> bool:
    """Tell whether no action pays its player as much as another does, whatever the others do.

    Then there are no copies, and no single action dominates another. Rounding keeps the order of
    numbers, so that floats are compared where payoffs fit them.
    """
    for player, count in enumerate(game.num_actions):
        rows = np.moveaxis(_ordered_like(game)[player], player, 0).reshape(count, -1)
        if rows.size * count > MOST_COMPARED:
            return False
        if np.count_nonzero((rows[:, None] >= rows).all(axis=2)) > count:
            return False
    return True


def _ordered_like(game: NormalFormGame) -> NumberArray:
    try:
        return game.payoffs
    except InvalidGame:  # too large for floats
        return game.exact_payoffs


def _copies(game: NormalFormGame, left: ActionSets) -> tuple[ActionSets, ...]:
    """Sort the actions that are left into classes of copies.

    Payoffs that differ cheaply tell most actions apart: sums over what the others do.
    """
    cells = np.ix_(*left)
    tables = [scaled.numerators[cells] for scaled in game.scaled_payoffs]
    classes: list[ActionSets] = []
    for player, own in enumerate(left):
        rows = np.moveaxis(tables[player], player, 0).reshape(len(own), -1)
        sums = rows.sum(axis=1).tolist()
        if len(set(sums)) == len(own):
            classes.append(tuple((action,) for action in own))
            continue
        relative = [table - table.min(axis=k, keepdims=True) for k, table in enumerate(tables)]
        found: dict[tuple[int, ...], list[int]] = {}
        for place, action in enumerate(own):
            key = np.concatenate([np.take(t, place, axis=player).ravel() for t in relative])
            found.setdefault(tuple(key.tolist()), []).append(action)
        classes.append(tuple(map(tuple, found.values())))
    return tuple(classes)
