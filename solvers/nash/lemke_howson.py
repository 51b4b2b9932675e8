"""Lemke-Howson: follow a path of almost fully labelled vertices to one equilibrium.

Start at the artificial pair (0, 0), which has all labels, and drop one label. Each pivot on one
polytope picks up a label; while it is a duplicate, drop it on the other polytope. The path ends
where the label dropped first is picked up again.
"""

from gametheory_core.certificates.nash import NashCertificate, certify_nash
from gametheory_core.errors import InvalidArgument, NotConverged
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.nash.best_response_polytopes import (
    BestResponsePolytope,
    best_response_polytopes,
    strategy_of,
)
from solvers.nash.lexicographic_pivoting import (
    Tableau,
    basic_weights,
    leaving_row,
    origin,
    pivot,
)
from solvers.requirements import require_normal_form, require_two_players
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution


def lemke_howson(
    game: NormalFormGame,
    *,
    initial_label: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, NashCertificate]:
    """Find one equilibrium of a bimatrix game, exactly, on a path that never loops.

    Parameters
    ----------
    game : NormalFormGame
        Two players; degenerate games too.
    initial_label : int
        Which label is dropped first: a row player's action ``0 .. m-1``, or ``m`` plus a column
        player's action. Different labels may lead to different equilibria.
    budget : Budget
        Iterations are pivots.
    on_iteration : function, optional
        Called after each pivot.

    Returns
    -------
    Solution[MixedProfile, NashCertificate]
        The certificate's epsilon is 0.

    Raises
    ------
    UnsupportedGame
        If the game has not two players, or is a tree.
    InvalidArgument
        If there is no such label.
    NotConverged
        If the budget ends first; ``best`` is the point reached on the path, and its certificate
        says how far from equilibrium it is.

    Notes
    -----
    Pivots are integral and exact, ties broken lexicographically, as if the game were perturbed by
    infinitesimals. The number of pivots can be exponential in the number of actions.

    References
    ----------
    .. [1] Lemke, Howson, "Equilibrium points of bimatrix games", SIAM J. 12 (1964).
    .. [2] von Stengel, "Computing equilibria for two-person games", Handbook of Game Theory 3
       (2002), section 2.

    Examples
    --------
    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> lemke_howson(game, initial_label=1).payoffs
    (Fraction(2, 1), Fraction(3, 1))
    """
    require_normal_form(game, function="lemke_howson")
    require_two_players(game, function="lemke_howson")
    num_labels = sum(game.num_actions)
    if not 0 <= initial_label < num_labels:
        raise InvalidArgument(
            f"lemke_howson: needs initial_label in 0..{num_labels - 1}, one for each action of "
            f"{game!r}, but got {initial_label!r}."
        )
    meter = Meter(budget, "pivots", on_iteration)
    polytopes = best_response_polytopes(game)
    tableaus = [origin(polytope) for polytope in polytopes]
    label = initial_label
    side = 0 if label in polytopes[0].own_labels else 1
    while True:
        if meter.is_exhausted:
            raise NotConverged(
                f"lemke_howson: needs to pick up label {initial_label} again, but the budget ended "
                f"after {meter.iterations} pivots. Give a larger budget, another initial_label, or "
                "use the exception's best, the point of the path where it ended.",
                best=_certified(game, tableaus, polytopes, meter),
            )
        tableaus[side], label = _drop(tableaus[side], label)
        meter.step()
        if label == initial_label:
            break
        side = 1 - side
    return _certified(game, tableaus, polytopes, meter)


def _certified(
    game: NormalFormGame,
    tableaus: list[Tableau],
    polytopes: tuple[BestResponsePolytope, BestResponsePolytope],
    meter: Meter,
) -> Solution[MixedProfile, NashCertificate]:
    """Certify the pair of vertices; the origin, where a path starts, counts as uniform play."""
    weights = [
        basic_weights(tableau, polytope.own_labels)
        for tableau, polytope in zip(tableaus, polytopes, strict=True)
    ]
    profile = MixedProfile(
        tuple(strategy_of(own if any(own) else [1] * len(own)) for own in weights)
    )
    certificate = certify_nash(game, profile)
    run = meter.record("lemke_howson")
    return Solution(profile, certificate.payoffs, certificate, run)


def _drop(tableau: Tableau, label: int) -> tuple[Tableau, int]:
    """Move along the edge on which a label is not tight; return the vertex and the label met."""
    column = tableau.nonbasic.index(label)
    row = leaving_row(tableau, column=column)
    return pivot(tableau, row=row, column=column), tableau.basic[row]
