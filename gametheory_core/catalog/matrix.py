"""Games of one move from the textbooks: matrix games and security games.

Von Stengel's games have very many equilibria: both best-response polytopes of the game are dual
cyclic: their 2d facets come from points on the moment curve (t, t^2, ..., t^d), and by Gale's
evenness condition their vertices are known. The second polytope carries the labels 2, 1, 4, 3, ...
in place of 1, 2, 3, 4, ....

Security games: how to guard a few of many places.

A defender commits to guards or patrols; an attacker looks on first.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import permutations

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.bayesian import BayesianGame, SecurityGame
from gametheory_core.games.normal_form import NormalFormGame

MAX_SIZE = 1000


def matching_pennies() -> NormalFormGame:
    """Matching pennies: the row player wants equal sides up, the column player different ones.

    Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, 1944, 14.7.2.
    """
    sides = ("heads", "tails")
    return NormalFormGame.zero_sum(
        [[1, -1], [-1, 1]],
        players=("Even", "Odd"),
        actions=(sides, sides),
        title="Matching pennies",
    )


def rock_paper_scissors() -> NormalFormGame:
    """Rock-paper-scissors: each beats one and loses to one; a win pays one.

    Source: J. von Neumann and O. Morgenstern, Theory of Games and Economic Behavior, 1944, 14.7.3.
    """
    throws = ("rock", "paper", "scissors")
    return NormalFormGame.zero_sum(
        [[0, -1, 1], [1, 0, -1], [-1, 1, 0]], actions=(throws, throws), title="Rock-paper-scissors"
    )


def prisoners_dilemma() -> NormalFormGame:
    """Prisoner's dilemma: defection dominates, yet both would rather both cooperate.

    Source: A. W. Tucker, "A two-person dilemma", 1950; payoffs as in R. Axelrod, The Evolution of
        Cooperation, 1984, ch. 1.
    """
    return NormalFormGame.symmetric(
        [[3, 0], [5, 1]], actions=("cooperate", "defect"), title="Prisoner's dilemma"
    )


def travelers_dilemma(*, highest: int = 100, reward: int = 2) -> NormalFormGame:
    """Traveler's dilemma: the lower of two claims is paid to both, but for a reward for making it.

    Each claim but the lowest is worth undercutting, and so strictly dominated once all higher ones
    are gone, by a mixture of lower ones.

    Args:
        highest: Claims are 2 to this, 3 to 1001.
        reward: For the lower claim, and what the higher one pays; 2 to 1000.

    Source: K. Basu, "The traveler's dilemma: paradoxes of rationality in game theory", American
        Economic Review 84, 1994, pp. 391-395.
    """
    require_integer(highest, name="highest", low=3, high=MAX_SIZE + 1, where="travelers_dilemma")
    require_integer(reward, name="reward", low=2, high=MAX_SIZE, where="travelers_dilemma")
    claims = range(2, highest + 1)
    return NormalFormGame.symmetric(
        [
            [min(own, other) + reward * ((own < other) - (own > other)) for other in claims]
            for own in claims
        ],
        actions=tuple(map(str, claims)),
        title=f"Traveler's dilemma, claims from 2 to {highest}",
    )


def battle_of_the_sexes() -> NormalFormGame:
    """Battle of the sexes: both want to meet, each prefers another place.

    Source: R. D. Luce and H. Raiffa, Games and Decisions, 1957, 5.3.
    """
    return NormalFormGame.bimatrix(
        [[3, 0], [0, 2]],
        [[2, 0], [0, 3]],
        players=("She", "He"),
        actions=(("ballet", "fight"), ("ballet", "fight")),
        title="Battle of the sexes",
    )


def chicken() -> NormalFormGame:
    """Chicken: to yield to a driver who goes straight is to lose face; both straight is a crash.

    Source: A. Rapoport and A. M. Chammah, "The game of chicken", American Behavioral Scientist 10,
        1966.
    """
    return NormalFormGame.symmetric(
        [[0, -1], [1, -10]], actions=("swerve", "straight"), title="Chicken"
    )


def stag_hunt() -> NormalFormGame:
    """Stag hunt: the stag needs both hunters, a hare only one.

    Source: B. Skyrms, The Stag Hunt and the Evolution of Social Structure, 2004.
    """
    return NormalFormGame.symmetric([[4, 0], [3, 3]], actions=("stag", "hare"), title="Stag hunt")


def coordination(*, size: int = 3) -> NormalFormGame:
    """Pure coordination: both get one for the same action, else nothing; 2^size - 1 equilibria.

    Args:
        size: Actions of each player, 1 to 1000.

    Source: T. Quint and M. Shubik, "A theorem on the number of Nash equilibria in a bimatrix game",
        International Journal of Game Theory 26, 1997.
    """
    require_integer(size, name="size", low=1, high=MAX_SIZE, where="coordination")
    rows = [[int(i == j) for j in range(size)] for i in range(size)]
    return NormalFormGame.bimatrix(rows, rows, title=f"Coordination of {size} actions")


def indifference(*, size: int = 2) -> NormalFormGame:
    """Nothing matters: all payoffs are zero; every profile is an equilibrium, size^2 extreme ones.

    Args:
        size: Actions of each player, 1 to 1000.
    """
    require_integer(size, name="size", low=1, high=MAX_SIZE, where="indifference")
    return NormalFormGame.zero_sum([[0] * size] * size, title=f"Indifference, {size} actions")


def shapley_cycle() -> NormalFormGame:
    """Shapley's 3x3 game, on which fictitious play cycles; the uniform profile is the equilibrium.

    Source: L. S. Shapley, "Some topics in two-person games", Annals of Mathematics Studies 52,
        1964.
    """
    return NormalFormGame.bimatrix(
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0, 1, 0], [0, 0, 1], [1, 0, 0]],
        title="Shapley's cycle",
    )


def shapley_lemke_howson() -> NormalFormGame:
    """A symmetric 3x3 game with three equilibria, of which Lemke-Howson paths find one.

    All six paths from the artificial equilibrium end at the same equilibrium, so that restarting
    from the labels misses the other two.

    Source: L. S. Shapley, "A note on the Lemke-Howson algorithm", Mathematical Programming Study 1,
        1974, pp. 175-189.
    """
    return NormalFormGame.symmetric(
        [[0, 3, 0], [2, 2, 0], [3, 0, 1]], title="Shapley's Lemke-Howson example"
    )


def degenerate() -> NormalFormGame:
    """A degenerate 3x3 game: pure strategies with two best replies; seven extreme equilibria.

    Infinitely many equilibria are convex combinations of these seven.
    """
    return NormalFormGame.bimatrix(
        [[2, 1, 0], [2, 0, 1], [0, 1, 1]], [[2, 2, 0], [1, 0, 1], [0, 1, 1]], title="Degenerate 3x3"
    )


def commitment_example() -> NormalFormGame:
    """A leader who commits gains: the unique equilibrium pays the row player 2, commitment 7/2.

    The row player's first action is dominated, yet committing to mix it half and half makes the
    column player choose the second reply.

    Source: V. Conitzer and T. Sandholm, "Computing the optimal strategy to commit to", EC 2006,
        section 1.
    """
    return NormalFormGame.bimatrix(
        [[1, 3], [2, 4]],
        [[0, 1], [1, 0]],
        players=("Leader", "Follower"),
        actions=(("up", "down"), ("left", "right")),
        title="Commitment example",
    )


def nine_equilibria() -> NormalFormGame:
    """Three players, two actions each, nine equilibria: four pure, three partly mixed, two mixed.

    No game of this size has more regular equilibria. All nine are rational.

    Source: R. D. McKelvey and A. McLennan, "Computation of equilibria in finite games", Handbook of
        Computational Economics 1, 1996, pp. 87-142.
    """
    return _from_cells(
        {(0, 0, 0): (9, 8, 12), (1, 1, 0): (9, 8, 2), (0, 1, 1): (3, 4, 6), (1, 0, 1): (3, 4, 4)},
        title="Nine equilibria",
    )


def irrational_equilibrium() -> NormalFormGame:
    """Three players, two actions each, one equilibrium, in which all mix in irrational proportions.

    Player 2 plays the first action with probability (sqrt(601) - 13) / 24.

    Source: R. Nau, S. Gomez Canovas and P. Hansen, "On the geometry of Nash equilibria and
        correlated equilibria", International Journal of Game Theory 32, 2004, pp. 443-453.
    """
    return _from_cells(
        {
            (0, 0, 0): (3, 0, 2),
            (0, 1, 0): (0, 2, 0),
            (1, 0, 0): (0, 1, 0),
            (1, 1, 0): (1, 0, 0),
            (0, 0, 1): (1, 0, 0),
            (0, 1, 1): (0, 1, 0),
            (1, 0, 1): (0, 3, 0),
            (1, 1, 1): (2, 0, 3),
        },
        title="Irrational equilibrium",
    )


def _from_cells(
    cells: dict[tuple[int, int, int], tuple[int, int, int]], *, title: str
) -> NormalFormGame:
    payoffs = np.zeros((3, 2, 2, 2), dtype=np.int64)
    for (a, b, c), paid in cells.items():
        payoffs[:, a, b, c] = paid
    return NormalFormGame.from_payoffs(payoffs, title=title)


MAX_CYCLIC_SIZE = 30


def von_stengel(*, size: int = 6) -> NormalFormGame:
    """A dual cyclic polytope game: at 6 x 6 it has 75 equilibria, where coordination has 63.

    Args:
        size: Actions of each player; even, 2 to 30.

    Source: B. von Stengel, "New maximal numbers of equilibria in bimatrix games", Discrete and
        Computational Geometry 21, 1999, pp. 557-568.
    """
    require_integer(size, name="size", low=2, high=MAX_CYCLIC_SIZE, where="von_stengel")
    if size % 2:
        raise InvalidArgument(needs="an even size", found=f"got {size}")
    place = [k + 1 if k % 2 == 0 else k - 1 for k in range(2 * size)]  # of a label, in the second
    rows, columns = range(size), range(size, 2 * size)
    of_column_player = _replies(rows, columns, size)
    of_row_player = _replies([place[k] for k in columns], [place[k] for k in rows], size)
    return NormalFormGame.bimatrix(
        of_row_player,
        [list(column) for column in zip(*of_column_player, strict=True)],
        title=f"Von Stengel's {size} x {size} game",
    )


def _replies(own: Sequence[int], replies: Sequence[int], size: int) -> list[list[Fraction]]:
    """Return M such that the dual cyclic polytope is ``{x >= 0 : M x <= 1}``.

    The facets ``c_k v <= 1`` with k in ``own`` meet in a vertex; their slacks are the new
    coordinates x, in which the slack of another facet is ``q + w x`` with ``w = c C^-1``.
    """
    facets = _moment_curve(size)
    inverse = _inverse([facets[k] for k in own])
    matrix: list[list[Fraction]] = []
    for k in replies:
        weights = [
            sum((c * row[j] for c, row in zip(facets[k], inverse, strict=True)), Fraction(0))
            for j in range(size)
        ]
        offset = 1 - sum(weights)
        matrix.append([-weight / offset for weight in weights])
    return matrix


def _moment_curve(size: int) -> list[list[Fraction]]:
    """Return 2 * size points of the moment curve, with their mean moved to the origin."""
    points = [[Fraction(t**power) for power in range(1, size + 1)] for t in range(2 * size)]
    mean = [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]
    return [[x - m for x, m in zip(point, mean, strict=True)] for point in points]


def _inverse(matrix: list[list[Fraction]]) -> list[list[Fraction]]:
    """Invert by Gauss and Jordan; points of the moment curve are in general position."""
    size = len(matrix)
    work = [[*row, *(Fraction(int(i == j)) for j in range(size))] for i, row in enumerate(matrix)]
    for column in range(size):
        pivot = next(i for i in range(column, size) if work[i][column])
        work[column], work[pivot] = work[pivot], work[column]
        work[column] = [entry / work[column][column] for entry in work[column]]
        for i in range(size):
            factor = work[i][column]
            if i != column and factor:
                work[i] = [a - factor * b for a, b in zip(work[i], work[column], strict=True)]
    return [row[size:] for row in work]


MAX_TARGETS = 10_000
MAX_TYPES = 12


def guarded_targets(*, targets: int = 6, resources: int = 2, types: int = 1) -> SecurityGame:
    """Guarded targets: some gates can be guarded, the attacker sees how often and picks one.

    Gate ``i`` is worth ``1 + (7 i mod 10)`` to the attacker; type ``q`` starts counting ``3 q``
    gates later. The defender loses the worth to the first type. A guard costs the attacker half of
    the worth and saves the defender from all loss. The rules are those of the source, the numbers
    our own.

    Args:
        targets, resources, types: 1 to 10000 gates, 0 to ``targets`` guards, 1 to 12 types of
            attackers, equally likely.

    Source: C. Kiekintveld, M. Jain, J. Tsai, J. Pita, F. Ordonez and M. Tambe, "Computing optimal
        randomized resource allocations for massive security games", AAMAS 2009.
    """
    require_integer(targets, name="targets", low=1, high=MAX_TARGETS, where="guarded_targets")
    require_integer(resources, name="resources", low=0, high=targets, where="guarded_targets")
    require_integer(types, name="types", low=1, high=MAX_TYPES, where="guarded_targets")
    worth = [[1 + 7 * (i + 3 * q) % 10 for i in range(1, targets + 1)] for q in range(types)]
    return SecurityGame.from_payoffs(
        resources=resources,
        defender_covered=[0] * targets,
        defender_uncovered=[-value for value in worth[0]],
        attacker_covered=[[f"-{value}/2" for value in row] for row in worth],
        attacker_uncovered=worth,
        targets=[f"gate {i + 1}" for i in range(targets)],
        types=[f"attacker {q + 1}" for q in range(types)],
        title=f"Guarded targets, {targets} gates, {resources} guards",
    )


MAX_HOUSES = 6


def house_patrol(*, houses: int = 3, length: int = 2, types: int = 2) -> BayesianGame:
    """House patrol: an officer picks a route past houses, robbers of several types pick a house.

    House ``h`` is worth ``h`` to its owners, robber ``q`` values the houses in an order of its own.
    On the ``k``-th house of the route a robber is caught with probability ``1/k``. A catch pays the
    officer 1 and costs the robber 1. Types are equally likely. The rules are those of the source,
    the numbers our own.

    Args:
        houses, length, types: 2 to 6 houses, 1 to ``houses`` of them on a route, 1 to 12 types of
            robbers.

    Source: P. Paruchuri, J. P. Pearce, M. Tambe, F. Ordonez and S. Kraus, "An efficient heuristic
        approach for security against multiple adversaries", AAMAS 2007.
    """
    require_integer(houses, name="houses", low=2, high=MAX_HOUSES, where="house_patrol")
    require_integer(length, name="length", low=1, high=houses, where="house_patrol")
    require_integer(types, name="types", low=1, high=MAX_TYPES, where="house_patrol")
    routes = tuple(permutations(range(houses), length))
    own: list[list[list[Fraction]]] = []
    others: list[list[list[Fraction]]] = []
    for q in range(types):
        caught = [[_caught(route, h) for h in range(houses)] for route in routes]
        value = [1 + (h * (1 + q // houses) + q) % houses for h in range(houses)]
        own.append([[p - (1 - p) * (h + 1) for h, p in enumerate(row)] for row in caught])
        others.append([[(1 - p) * value[h] - p for h, p in enumerate(row)] for row in caught])
    names = [f"house {h + 1}" for h in range(houses)]
    return BayesianGame.from_payoffs(
        own,
        others,
        prior=[Fraction(1, types)] * types,
        players=("Officer", "Robber"),
        types=[f"robber {q + 1}" for q in range(types)],
        leader_actions=["-".join(str(h + 1) for h in route) for route in routes],
        follower_actions=[names] * types,
        title=f"House patrol, {houses} houses, {types} types of robbers",
    )


def _caught(route: tuple[int, ...], house: int) -> Fraction:
    return Fraction(1, 1 + route.index(house)) if house in route else Fraction(0)
