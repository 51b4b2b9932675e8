"""Zero-sum trees by their subgames: solved from the last to the first, and likes once.

A subgame may be replaced by its value: the value of the tree stays what it was, and optimal
strategies of both parts are together one of the whole (Kuhn 1953). So a tree falls into *pieces*,
each a small game of its own. Pieces are *likes* if they differ by labels and by a positive affine
change of payoffs; one of them is solved for all, which makes as many of a large tree as there are
states in play, not ways of getting there.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core import MinimaxCertificate, NormalFormGame, pure_behavior, uniform_behavior
from gametheory_core.arrays import ZERO, IntArray, NumberArray, exact_array
from gametheory_core.evaluation import best_response
from gametheory_core.games import CHANCE, ExtensiveFormGame
from gametheory_core.games.properties import play_payoffs
from gametheory_core.strategies import BehavioralProfile
from solvers.solution import Meter, Solution
from solvers.trees.pieces import Pieces, piece_of
from solvers.zero_sum.matrix_games import minimax

Codes: TypeAlias = NDArray[np.int64]
Indices: TypeAlias = NDArray[np.int64]
SolveTree: TypeAlias = Callable[
    [ExtensiveFormGame, float | None, Meter], Solution[BehavioralProfile, MinimaxCertificate]
]
IS_END, IS_CHANCE, IS_CHOICE = 0, 1, 2  # what a code says of a node, modulo 3
KINDS = 3
MOST_PARTS = 2**50  # of a payoff unit, where worths are rounded; more for small tolerances


@dataclass(frozen=True, eq=False)
class _Answer:
    """How a piece is played.

    Attributes:
        worth: To player 0.
        vectors: By the place in the piece at which an information set is first met.
    """

    worth: Fraction
    vectors: dict[int, NumberArray]


@dataclass(frozen=True, eq=False)
class SubgameSearch:
    """What is played and what subgames are worth so far; modified in place.

    Attributes:
        game: Two players, constant-sum, perfect recall.
        pieces: All of them.
        height (num_pieces,): The most subgames one below the other in each, itself left out.
        solve: Solves a piece in which both choose, and which is no matrix, to a tolerance.
        meter: Asked for time before each piece.
        share: Of the tolerance, for each piece on a way down the tree; None if worths are wanted
            exactly.
        vectors (num_decision_infosets,): What is played; uniform where nothing is solved.
    """

    game: ExtensiveFormGame
    pieces: Pieces
    height: Indices
    solve: SolveTree
    meter: Meter
    share: Fraction | None
    vectors: NDArray[Any]
    _nodes: "_Nodes"
    _worths: list[Fraction]
    _numbers: dict[Fraction, int]  # of worths
    _known: dict[tuple[object, ...], _Answer] = field(default_factory=dict[Any, _Answer])

    @property
    def profile(self) -> BehavioralProfile:
        """What is played."""
        return BehavioralProfile(tuple(self.vectors.tolist()))

    def run(self) -> None:
        """Solve all pieces.

        Raises:
            BudgetOver: If time is up.
        """
        order = np.lexsort((self.pieces.sizes, self.height))
        keys = np.stack([self.height, self.pieces.sizes])[:, order]
        starts = np.flatnonzero(np.diff(keys, axis=1).any(axis=0)) + 1
        for group in np.split(order, starts):
            self._solve_alike(group)
            self.meter.step(0)

    def _solve_alike(self, group: Indices) -> None:
        """Solve pieces of one size, below which everything is solved."""
        nodes = self.pieces.alike(group)
        codes = self._nodes.codes(nodes)
        for members in _likes(codes):
            self.meter.require_time()
            first = members[0]
            answer = self._answer(nodes[first], codes[first])
            number = self._numbers.setdefault(answer.worth, len(self._worths))
            if number == len(self._worths):
                self._worths.append(answer.worth)
            self._nodes.worth[nodes[members, 0]] = number
            for place, vector in answer.vectors.items():
                box = np.empty(1, dtype=object)
                box[0] = vector
                self.vectors[self.game.node_infoset[nodes[members, place]]] = box

    def _answer(self, nodes: IntArray, codes: Codes) -> _Answer:
        is_end = codes % KINDS == IS_END
        numbers = (codes[is_end] // KINDS).tolist()
        paid = {number: self._worths[number] for number in set(numbers)}
        kind = codes[0] % KINDS
        if kind == IS_END:  # the tree is one end of play
            return _Answer(paid[numbers[0]], {})
        if kind == IS_CHANCE and len(numbers) == len(nodes) - 1:
            shares = self.game.infosets[self.game.node_infoset[nodes[0]]].probabilities or ()
            worth = sum((p * paid[own] for p, own in zip(shares, numbers, strict=True)), ZERO)
            return _Answer(self._rounded(worth), {})
        middle = (min(paid.values()) + max(paid.values())) / 2  # what is symmetric stays so
        whole = math.lcm(middle.denominator, *(own.denominator for own in paid.values()))
        above = {number: int((own - middle) * whole) for number, own in paid.items()}
        factor = math.gcd(*above.values()) or 1
        plain = [above[number] // factor for number in numbers]
        unit = Fraction(factor, whole)
        tolerance = None if self.share is None else float(min(self.share / unit, MOST_PARTS))
        key = (np.where(is_end, -1, codes).tobytes(), tuple(plain), tolerance)
        if key not in self._known:
            self._known[key] = self._solved(nodes, plain, tolerance)
        found = self._known[key]
        return _Answer(self._rounded(middle + found.worth * unit), found.vectors)

    def _rounded(self, worth: Fraction) -> Fraction:
        """Round to a multiple of a power of two, as exact worths may have thousands of digits."""
        if self.share is None:
            return worth
        parts = max(MOST_PARTS, 2 ** math.ceil(1 / self.share).bit_length())
        return Fraction(round(worth * parts), parts)

    def _solved(self, nodes: IntArray, paid: list[int], tolerance: float | None) -> _Answer:
        game = self.game
        mover = int(game.node_player[nodes[0]])
        count = int(game.num_children[nodes[0]])
        if mover != CHANCE and len(nodes) == 1 + count:
            best = max if mover == 0 else min
            action = paid.index(best(paid))
            vector = exact_array([int(a == action) for a in range(count)])
            return _Answer(Fraction(paid[action]), {0: vector})
        if _is_matrix(game, nodes, mover, count):
            table = np.array(paid, dtype=object).reshape(count, -1)
            matrix = NormalFormGame.zero_sum(table if mover == 0 else table.T)
            found = minimax(matrix, tolerance=tolerance, budget=self.meter.left)
            strategies = found.profile.strategies
            return _Answer(
                found.certificate.game_value, {0: strategies[mover], 1: strategies[1 - mover]}
            )
        return self._solved_as_tree(nodes, paid, tolerance)

    def _solved_as_tree(self, nodes: IntArray, paid: list[int], tolerance: float | None) -> _Answer:
        payoffs = {own: (Fraction(own), Fraction(-own)) for own in set(paid)}
        piece = piece_of(self.game, nodes, [payoffs[own] for own in paid])
        if piece.game.num_players == 2:
            solution = self.solve(piece.game, tolerance, self.meter)
            profile, worth = solution.profile, solution.certificate.game_value
        else:
            response = best_response(piece.game, uniform_behavior(piece.game), player=0)
            profile = pure_behavior(piece.game, response.actions)
            worth = piece.worth(profile)[0]
        places = np.searchsorted(nodes, self._nodes.first_node[list(piece.infosets)])
        return _Answer(worth, dict(zip(places.tolist(), profile.probabilities, strict=True)))


def subgame_search(
    game: ExtensiveFormGame,
    pieces: Pieces,
    *,
    tolerance: float | None,
    meter: Meter,
    solve: SolveTree,
) -> SubgameSearch:
    """Begin, with nothing solved.

    Args:
        tolerance: Largest width of the interval around the value of the tree; payoff units.
    """
    height = _heights(game, pieces)
    share = None if not tolerance else Fraction(tolerance) / (2 + 2 * int(height[0]))
    paid = play_payoffs(game, player=0)
    amounts, places = np.unique(paid.numerators, return_inverse=True)
    worths = [Fraction(amount, paid.denominator) for amount in amounts.tolist()]
    vectors = np.empty(game.num_decision_infosets, dtype=object)
    vectors[:] = uniform_behavior(game).probabilities
    nodes = _nodes(game, pieces)
    nodes.worth[game.terminals] = places
    numbers = {worth: number for number, worth in enumerate(worths)}
    return SubgameSearch(game, pieces, height, solve, meter, share, vectors, nodes, worths, numbers)


@dataclass(frozen=True, eq=False)
class _Nodes:
    """What tells pieces apart.

    Attributes:
        inside (num_nodes,): The code of a node within its piece; -1 where play ends.
        worth (num_nodes,): The number of what a subgame, or an end, is worth; modified in place.
        first_node (num_infosets,): Of each information set.
    """

    inside: Codes
    worth: Codes
    first_node: IntArray

    def codes(self, nodes: IntArray) -> Codes:
        """Return the codes of the nodes of pieces, (pieces, size)."""
        ends = KINDS * self.worth[nodes] + IS_END
        return np.where(self.worth[nodes] >= 0, ends, self.inside[nodes])


def _nodes(game: ExtensiveFormGame, pieces: Pieces) -> _Nodes:
    """Code moves: of chance by the distribution, of players by mover, size and information set."""
    place = np.zeros(game.num_nodes, dtype=np.int64)
    sizes = np.diff(pieces.first)
    place[pieces.below] = 1 + np.arange(len(pieces.below)) - np.repeat(pieces.first[:-1], sizes)
    place[pieces.roots] = 0
    moves = np.flatnonzero(game.node_infoset >= 0)
    infosets = game.node_infoset[moves]
    first_node = np.zeros(len(game.infosets), dtype=np.int32)
    first_node[infosets[::-1]] = moves[::-1]
    mover = game.node_player[moves]
    widest = 1 + int(game.num_children.max())
    choice = (place[first_node[infosets]] * widest + game.num_children[moves]) * 2 + mover
    known: dict[object, int] = {}
    distribution = np.array(
        [known.setdefault(own.probabilities, len(known)) for own in game.infosets], dtype=np.int64
    )
    inside = np.full(game.num_nodes, -1, dtype=np.int64)
    inside[moves] = np.where(
        mover == CHANCE, KINDS * distribution[infosets] + IS_CHANCE, KINDS * choice + IS_CHOICE
    )
    return _Nodes(inside, np.full(game.num_nodes, -1, dtype=np.int64), first_node)


def _heights(game: ExtensiveFormGame, pieces: Pieces) -> Indices:
    """Return the most subgames one below the other in each, itself left out."""
    height = np.zeros(len(pieces), dtype=np.int64)
    level = np.searchsorted(pieces.roots, game.level_offset)
    for start, stop in reversed(list(pairwise(level.tolist()))):
        if start:
            np.maximum.at(height, pieces.above[start:stop], 1 + height[start:stop])
    return height


def _likes(codes: Codes) -> Sequence[Indices]:
    """Return the rows of each class of equal ones."""
    if len(codes) == 1:
        return [np.zeros(1, dtype=np.int64)]
    whole = np.ascontiguousarray(codes).view(np.dtype((np.void, codes.itemsize * codes.shape[1])))
    _, inverse, counts = np.unique(whole.ravel(), return_inverse=True, return_counts=True)
    return np.split(np.argsort(inverse, kind="stable"), np.cumsum(counts)[:-1])


def _is_matrix(game: ExtensiveFormGame, nodes: IntArray, mover: int, count: int) -> bool:
    """Tell whether both players choose once, neither knowing what the other does."""
    if mover == CHANCE:
        return False
    second = nodes[1 : 1 + count]
    answers = int(game.num_children[second[0]])
    return (
        len(nodes) == 1 + count + count * answers
        and int(game.node_player[second[0]]) == 1 - mover
        and bool((game.node_infoset[second] == game.node_infoset[second[0]]).all())
    )
