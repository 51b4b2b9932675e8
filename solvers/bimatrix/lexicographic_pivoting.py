"""Exact pivoting on a best-response polytope, with a lexicographic rule that breaks every tie.

A tableau writes the inequalities ``M z <= 1`` with slack variables, solved for the *basic* ones:

    determinant * basic[i] + sum_j rows[i][j] * nonbasic[j] = rows[i][-1].

A variable is named by the label that is tight where it is zero. All numbers are Python integers:
pivoting multiplies across and divides by the last determinant, which leaves no remainder (Edmonds
1967). Degenerate vertices are told apart as if the right-hand sides were ``1 + e^1, 1 + e^2, ...``
with ``e`` infinitesimal (Charnes 1952); the polytope so shifted is simple, its graph is connected,
and each vertex of the polytope is the limit of at least one of its vertices.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from solvers.bimatrix.best_response_polytopes import BestResponsePolytope


@dataclass(frozen=True)
class Tableau:
    """A basis of the inequalities.

    Attributes:
        rows: Coefficients of the nonbasic variables, and the right-hand side last. Never modified.
        determinant: Positive.
        basic, nonbasic: The label of each row's, and of each column's, variable.
        slacks: Labels of the slack variables, in the order of their infinitesimals.
    """

    rows: list[list[int]]
    determinant: int
    basic: tuple[int, ...]
    nonbasic: tuple[int, ...]
    slacks: range


def origin(polytope: BestResponsePolytope) -> Tableau:
    """Return the tableau of the vertex 0, where all own labels are tight."""
    return Tableau(
        rows=[[*row, 1] for row in polytope.matrix.tolist()],
        determinant=1,
        basic=tuple(polytope.reply_labels),
        nonbasic=tuple(polytope.own_labels),
        slacks=polytope.reply_labels,
    )


def pivot(tableau: Tableau, *, row: int, column: int) -> Tableau:
    """Exchange the basic variable of a row with the nonbasic one of a column.

    The entry at (row, column) must be positive.
    """
    determinant = tableau.determinant
    pivot_row = tableau.rows[row]
    element = pivot_row[column]
    rows: list[list[int]] = []
    for i, old in enumerate(tableau.rows):
        factor = old[column]
        if i == row:
            new = old.copy()
            new[column] = determinant
        else:
            new = [
                (element * a - factor * b) // determinant
                for a, b in zip(old, pivot_row, strict=True)
            ]
            new[column] = -factor
        rows.append(new)
    basic, nonbasic = list(tableau.basic), list(tableau.nonbasic)
    basic[row], nonbasic[column] = nonbasic[column], basic[row]
    return Tableau(rows, element, tuple(basic), tuple(nonbasic), tableau.slacks)


def leaving_row(tableau: Tableau, *, column: int) -> int:
    """Return the one row whose variable first falls to zero as the column's variable grows.

    The least ratio of right-hand side to coefficient; ties go to the least ratio of the
    infinitesimals' coefficients, which the slack columns hold. Rows of a nonsingular matrix are
    never proportional, so exactly one row is left in the end.
    """
    rows = tableau.rows
    entering = {i: row[column] for i, row in enumerate(rows) if row[column] > 0}
    tied = _least_ratio({i: rows[i][-1] for i in entering}, entering)
    for label in tableau.slacks:
        if len(tied) == 1:
            break
        tied = _least_ratio(_coefficients(tableau, label, tied), entering)
    return tied[0]


def _coefficients(tableau: Tableau, label: int, tied: Sequence[int]) -> dict[int, int]:
    if label in tableau.nonbasic:
        position = tableau.nonbasic.index(label)
        return {i: tableau.rows[i][position] for i in tied}
    return {i: tableau.determinant if tableau.basic[i] == label else 0 for i in tied}


def _least_ratio(numerators: dict[int, int], denominators: dict[int, int]) -> list[int]:
    best: list[int] = []
    for i, numerator in numerators.items():
        if not best:
            best = [i]
            continue
        difference = numerator * denominators[best[0]] - numerators[best[0]] * denominators[i]
        if difference < 0:
            best = [i]
        elif not difference:
            best.append(i)
    return best


def tight_labels(tableau: Tableau) -> int:
    """Return the bit set of labels whose variables are zero, basic or not."""
    labels = sum(1 << label for label in tableau.nonbasic)
    for label, row in zip(tableau.basic, tableau.rows, strict=True):
        if not row[-1]:
            labels |= 1 << label
    return labels


def basic_weights(tableau: Tableau, labels: range) -> list[int]:
    """Return ``determinant`` times the value of each of the variables."""
    values = dict(zip(tableau.basic, (row[-1] for row in tableau.rows), strict=True))
    return [values.get(label, 0) for label in labels]
