"""From a correlation plan to a lottery over pairs of pure plans, by peeling.

A pure profile is *supported* by a plan if every relevant pair of its sequences has weight. Take one
away, with the least weight of its pairs: what is left satisfies the same equations, and has one
zero more. So at most as many profiles as pairs are drawn. That a supported profile always exists is
the theorem of von Stengel and Forges (2008) without chance moves, and of Farina and Sandholm (2020)
for triangle-free games; here it is found, or not, by looking.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gametheory_core import UnsupportedGame, pure_behavior
from gametheory_core.arrays import ExactArray, scaled_integers
from gametheory_core.strategies import BehavioralMixture
from gametheory_core.strategies.correlation_plans import SequencePairs

MOST_STEPS = 200_000  # of the search for one profile; games that qualify need few

Place = tuple[int, int]  # player, own information set


@dataclass(frozen=True, eq=False)
class _Tables:
    """What the search looks up.

    Attributes:
        first: As in ``PlayerSequences``.
        children: Own information sets that follow each own sequence.
        partners: Own sequence -> other's relevant sequence -> index of the pair.
        before: The first comes before the second on some path.
    """

    first: tuple[list[int], ...]
    children: tuple[list[list[int]], ...]
    partners: tuple[list[dict[int, int]], ...]
    before: frozenset[tuple[Place, Place]]


def lottery_of_plan(
    pairs: SequencePairs, weights: ExactArray, *, tick: Callable[[], None]
) -> BehavioralMixture:
    """Draw pure profiles whose correlation plan is the given one, exactly.

    Args:
        weights (num_pairs,): Consistent.
        tick: Called before each profile; may raise to stop.

    Raises:
        UnsupportedGame: If no profile is supported by what is left; only with chance moves.
    """
    scaled = scaled_integers(weights)
    left: list[int] = scaled.numerators.tolist()
    tables = _tables(pairs)
    game = pairs.form.game
    drawn: list[tuple[Fraction, tuple[int, ...]]] = []
    while left[0]:
        tick()
        chosen = _Search(tables, left).profile()
        if chosen is None:
            raise UnsupportedGame(
                needs="a plan that is a lottery over pure profiles",
                found=f"none is supported by the last {Fraction(left[0], scaled.denominator)} of "
                "it",
                remedy="Solve extensive_to_normal(game).target by correlated_equilibrium instead.",
            )
        used = _pairs_of(tables, chosen)
        least = min(left[pair] for pair in used)
        for pair in used:
            left[pair] -= least
        drawn.append((Fraction(least, scaled.denominator), _actions(tables, chosen)))
    return BehavioralMixture(
        tuple(weight for weight, _ in drawn),
        tuple(pure_behavior(game, actions) for _, actions in drawn),
    )


Chosen = tuple[set[int], set[int]]  # sequences of both players, the empty ones included


class _Search:
    """Depth-first search for a supported profile, looking ahead at what is still to be chosen."""

    def __init__(self, tables: _Tables, left: list[int]) -> None:
        self.tables = tables
        self.left = left
        self.steps = 0

    def profile(self) -> Chosen | None:
        """Return the sequences of a supported profile, or None."""
        chosen: Chosen = ({0}, {0})
        waiting = [(i, k) for i in range(2) for k in self.tables.children[i][0]]
        return chosen if self._completed(chosen, waiting) else None

    def _completed(self, chosen: Chosen, waiting: list[Place]) -> bool:
        trail: list[tuple[Place, list[int], list[Place]]] = []
        while waiting:
            place = self._next(waiting)
            trail.append((place, self._options(chosen, place), waiting))
            waiting = self._advanced(chosen, trail)
            if not trail:
                return False
        return True

    def _advanced(
        self, chosen: Chosen, trail: list[tuple[Place, list[int], list[Place]]]
    ) -> list[Place]:
        """Choose at the last place, or go back to one where something else is left to choose."""
        while trail:
            (player, k), options, waiting = trail[-1]
            start, stop = self.tables.first[player][k], self.tables.first[player][k + 1]
            chosen[player].difference_update(range(start, stop))
            if not options:
                trail.pop()
                continue
            self.steps += 1
            if self.steps > MOST_STEPS:
                trail.clear()
                break
            sequence = options.pop()
            chosen[player].add(sequence)
            rest = [place for place in waiting if place != (player, k)]
            rest += [(player, below) for below in self.tables.children[player][sequence]]
            if all(self._options(chosen, place) for place in rest if place[0] != player):
                return rest
        return []

    def _next(self, waiting: list[Place]) -> Place:
        """Return a place that none of the others comes before, if there is one."""
        for place in waiting:
            if not any((other, place) in self.tables.before for other in waiting):
                return place
        return waiting[0]

    def _options(self, chosen: Chosen, place: Place) -> list[int]:
        """Return the sequences that fit what is chosen, the heaviest last."""
        player, k = place
        found: list[tuple[int, int]] = []
        for sequence in range(self.tables.first[player][k], self.tables.first[player][k + 1]):
            partners = self.tables.partners[player][sequence]
            weights = [self.left[partners[t]] for t in chosen[1 - player] if t in partners]
            if min(weights):
                found.append((min(weights), sequence))
        return [sequence for _, sequence in sorted(found)]


def _pairs_of(tables: _Tables, chosen: Chosen) -> list[int]:
    return [
        pair
        for sequence in chosen[0]
        for partner, pair in tables.partners[0][sequence].items()
        if partner in chosen[1]
    ]


def _actions(tables: _Tables, chosen: Chosen) -> tuple[int, ...]:
    """Return an action for each information set; the first where the plan does not come."""
    actions: list[int] = []
    for player in range(2):
        first = tables.first[player]
        for k in range(len(first) - 1):
            here = [s - first[k] for s in range(first[k], first[k + 1]) if s in chosen[player]]
            actions.append(here[0] if here else 0)
    return tuple(actions)


def _tables(pairs: SequencePairs) -> _Tables:
    players = pairs.form.players
    children = tuple([list[int]() for _ in range(own.num_sequences)] for own in players)
    partners = tuple([dict[int, int]() for _ in range(own.num_sequences)] for own in players)
    for own in players:
        for k, parent in enumerate(own.parent_sequence.tolist()):
            children[own.player][parent].append(k)
    ends = zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)
    for pair, (first, second) in enumerate(ends):
        partners[0][first][second] = pair
        partners[1][second][first] = pair
    return _Tables(
        first=tuple(own.first_sequence.tolist() for own in players),
        children=children,
        partners=partners,
        before=_precedence(pairs),
    )


def _precedence(pairs: SequencePairs) -> frozenset[tuple[Place, Place]]:
    """List pairs of places of different players, the first before the second on some path."""
    game = pairs.form.game
    starts = [own.infosets.start for own in pairs.form.players]
    nodes = np.flatnonzero(game.node_player >= 0)
    above = game.parent[nodes]
    found: set[tuple[Place, Place]] = set()
    while True:
        inside = above >= 0
        nodes, above = nodes[inside], above[inside]
        if not len(nodes):
            return frozenset(found)
        meets = (game.node_player[above] >= 0) & (
            game.node_player[above] != game.node_player[nodes]
        )
        rows = np.unique(game.node_infoset[np.stack([above[meets], nodes[meets]], axis=1)], axis=0)
        for early, late in rows.tolist():
            first, second = (int(game.infoset_player[s]) for s in (early, late))
            found.add(((first, early - starts[first]), (second, late - starts[second])))
        above = game.parent[above]
