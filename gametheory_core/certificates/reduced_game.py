"""A game without strictly dominated actions, and with one of each class of copies.

Both leave the equilibria what they are. A strictly dominated action is played in none (Luce and
Raiffa 1957), round by round. Actions are *copies* of each other if it matters to nobody which of
them is played: to no player's payoffs, but for terms that depend on what the others do alone and so
change no best reply. A profile is an equilibrium exactly if it is one when copies are merged.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from math import prod

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray, freeze
from gametheory_core.certificates.dominance import (
    ActionSets,
    Dominance,
    DominanceCertificate,
    DominatedBy,
    Elimination,
    certify_dominance,
)
from gametheory_core.conversions.simpler_forms import restrict_actions
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile


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

    @property
    def has_copies(self) -> bool:
        """Whether an action of the target stands for several."""
        return any(len(own) > 1 for classes in self.copies for own in classes)

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
        everybody = zip(
            profile.to_exact().strategies, self.copies, self.game.num_actions, strict=True
        )
        for own in product(*(list(spread(s, copies, count)) for s, copies, count in everybody)):
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


def spread(strategy: ExactArray, classes: ActionSets, count: int) -> Iterator[ExactArray]:
    """Play each class of actions that has a weight by one of them, in all ways.

    Args:
        strategy (num_classes,)
        classes: Each of some of ``count`` actions.
    """
    played = [(w, own) for w, own in zip(strategy.tolist(), classes, strict=True) if w]
    for actions in product(*(own for _, own in played)):
        vector = np.full(count, ZERO, dtype=object)
        for (weight, _), action in zip(played, actions, strict=True):
            vector[action] = weight
        yield freeze(vector)


def left_of(
    game: NormalFormGame,
    left: ActionSets,
    *,
    copies: tuple[ActionSets, ...] | None = None,
    eliminations: Sequence[Elimination] = (),
) -> Reduction:
    """Return what is left of a game with some actions of each player.

    Args:
        left: Of each player.
        copies: Those among them that are played by one; by default, each stands for itself.
        eliminations: Of the other actions.
    """
    if copies is None:
        copies = tuple(tuple((action,) for action in own) for own in left)
    kept = tuple(tuple(own[0] for own in classes) for classes in copies)
    is_all = tuple(map(len, kept)) == game.num_actions
    target = game if is_all else restrict_actions(game, kept).target
    return Reduction(game, target, tuple(eliminations), copies)


def checked_reduction(
    game: NormalFormGame, eliminations: Sequence[Elimination], *, merges_copies: bool
) -> Reduction:
    """Check eliminations of strictly dominated actions, and return what they leave.

    Args:
        eliminations: In order, rounds numbered from 1.
        merges_copies: Whether one of each class of copies is left.

    Raises:
        CertificateRejected: If an elimination is not right.
    """
    left = certify_dominance(
        game, dominance=Dominance.STRICT, dominated_by=DominatedBy.MIXED, eliminations=eliminations
    ).survivors
    copies = classes_of_copies(game, left) if merges_copies else None
    return left_of(game, left, copies=copies, eliminations=eliminations)


def classes_of_copies(game: NormalFormGame, left: ActionSets) -> tuple[ActionSets, ...]:
    """Sort the actions that are left into classes of copies, by their first actions.

    Payoffs that differ cheaply tell most actions apart: sums over what the others do.
    """
    cells = np.ix_(*left)
    tables = [scaled.numerators[cells] for scaled in game.scaled_payoffs]
    relative: list[ExactArray] = []
    classes: list[ActionSets] = []
    for player, own in enumerate(left):
        rows = np.moveaxis(tables[player], player, 0).reshape(len(own), -1)
        sums = rows.sum(axis=1).tolist()
        if len(set(sums)) == len(own):
            classes.append(tuple((action,) for action in own))
            continue
        relative = relative or [
            table - table.min(axis=k, keepdims=True) for k, table in enumerate(tables)
        ]
        found: dict[tuple[int, ...], list[int]] = {}
        for place, action in enumerate(own):
            key = np.concatenate([np.take(t, [place], axis=player).ravel() for t in relative])
            found.setdefault(tuple(key.tolist()), []).append(action)
        classes.append(tuple(map(tuple, found.values())))
    return tuple(classes)
