"""Lemke's path where plans are bounded below by powers of epsilon: quasi-perfect, any payoffs.

With ``l[s] = epsilon**(number of own actions in s)`` write each plan of the problem in
``lemke_tableau`` as what exceeds its bounds,

    x + s z = x' + l (1 - z) + s z,     x' >= 0,   x'r = 0.

Only the column of ``1 - z`` changes. Where the path ends, ``x' + l`` are plans in which actions
that are no best replies have no more than their bounds, at every information set; as epsilon
vanishes, they tend to a quasi-perfect equilibrium (Miltersen and Sorensen 2010).

The path is followed in integers at one tiny number, ``epsilon = 2**-bits``. Its last basis
determines polynomials, whose limit is then checked for *all* small epsilon; ``bits`` is doubled
until it passes. That ends: below the least positive root of the finitely many polynomials that
bases have, nothing changes any more.
"""

from contextlib import suppress

from gametheory_core.certificates.refinements import certify_quasi_perfect
from gametheory_core.errors import CertificateRejected, InvalidStrategy
from gametheory_core.strategies import realization_plan, uniform_behavior
from gametheory_core.strategies.sequences import SequenceForm
from gametheory_core.strategies.trembles import TremblingProfile, trimmed
from solvers.solution import Meter
from solvers.trees.lemke_path import exact_path, step, weights_on
from solvers.trees.lemke_tableau import Row, Start, start_of

FIRST_BITS = 32


def follow_perturbed_path(
    form: SequenceForm, floors: list[list[int]], *, meter: Meter
) -> TremblingProfile:
    """Find trembles of two players whose limit is quasi-perfect.

    Args:
        form: With perfect recall, payoffs of any sum.
        floors: Of each player, the number of own actions in each sequence.

    Raises:
        BudgetOver: If the budget ends first.
    """
    belief, bits = uniform_behavior(form.game), FIRST_BITS
    plans = (realization_plan(form, belief, player=0), realization_plan(form, belief, player=1))
    start = start_of(form, plans)
    orders = [order for own in floors for order in own[1:]]
    while True:
        meter.require_more()
        path = exact_path(bounded_below(start, orders, bits))
        meter.step()
        while not path.is_done:
            meter.require_more()
            step(path)
            meter.step()
        found = weights_on(form, path.basic, floors)
        if found is not None:
            weights = (tuple(map(trimmed, zip(*rows, strict=True))) for rows in found)
            trembles = TremblingProfile(tuple(weights))
            with suppress(CertificateRejected, InvalidStrategy):  # the number was not small enough
                return certify_quasi_perfect(form.game, trembles).trembles
        bits *= 2


def bounded_below(start: Start, orders: list[int], bits: int) -> Start:
    """Bound sequences below by ``2**-bits`` to the power of their orders, times ``1 - z``."""
    deepest = max(orders, default=0)
    rows: list[Row] = []
    for row in start.rows:
        changed = {v: value << bits * deepest for v, value in row.items()}
        moved = changed.get(start.weight, 0) + sum(
            value << bits * (deepest - orders[v]) for v, value in row.items() if 0 <= v < start.size
        )
        changed.pop(start.weight, None)
        if moved:
            changed[start.weight] = moved
        rows.append(changed)
    return Start(rows, start.basic, start.size, start.order, start.units)
