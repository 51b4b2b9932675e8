"""Matrix games of three players whose mixed equilibria are known."""

import numpy as np

from gametheory_core.games.normal_form import NormalFormGame


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
