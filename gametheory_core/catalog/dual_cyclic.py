"""Von Stengel's games with very many equilibria, from dual cyclic polytopes.

Both best-response polytopes of the game are dual cyclic: their 2d facets come from points on the
moment curve (t, t^2, ..., t^d), and by Gale's evenness condition their vertices are known. The
second polytope carries the labels 2, 1, 4, 3, ... in place of 1, 2, 3, 4, ....
"""

from collections.abc import Sequence
from fractions import Fraction

from gametheory_core.catalog.arguments import require_between
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.normal_form import NormalFormGame

MAX_SIZE = 30


def von_stengel(*, size: int = 6) -> NormalFormGame:
    """A dual cyclic polytope game: at 6 x 6 it has 75 equilibria, where coordination has 63.

    Args:
        size: Actions of each player; even, 2 to 30.

    Source: B. von Stengel, "New maximal numbers of equilibria in bimatrix games", Discrete and
        Computational Geometry 21, 1999, pp. 557-568.
    """
    require_between(size, 2, MAX_SIZE, game="von_stengel", name="size")
    if size % 2:
        raise InvalidArgument(f"von_stengel: needs an even size, but got {size}.")
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
