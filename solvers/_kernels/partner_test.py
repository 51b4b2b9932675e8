"""Whether a vertex of one best-response polytope may be part of an equilibrium.

It is if the labels that are not tight at it are tight at a vertex of the other polytope, which then
solves ``A y = 1`` for a square system ``A``. That there is none follows from a row ``u`` with
``u A`` near a unit row, or near a row of payoffs: ``u @ 1`` is then near an entry of ``y``, which
must not be negative, or near what a reply earns, which must not be above 1.
"""

from solvers._kernels.compile import compiled
from solvers._kernels.vertex_in_floats import SAFE, TINY, UNIT, Search

_SINGULAR = 1e-12


@compiled
def may_have_partner(search: Search, size: int) -> bool:
    """Tell whether the labels that are not tight may be those of a vertex of the other polytope."""
    places, rows = search.places, search.rows
    if not _factorize(search, size):
        return True
    lowest, least = 0, 0.0
    _solve(search, size)
    for b in range(size):
        if rows[0, b] < least:
            lowest, least = b, rows[0, b]
    limit = 0.0
    if least < 0.0:
        for b in range(size):
            rows[1, b] = 0.0
        rows[1, lowest] = 1.0
    else:
        best, most = -1, 1.0
        for i in range(search.other.shape[0]):
            value = 0.0
            for b in range(size):
                value += search.other[i, places[3, b]] * rows[0, b]
            if value > most:
                best, most = i, value
        if best < 0:
            return True
        limit = -1.0
        for b in range(size):
            rows[1, b] = -search.other[best, places[3, b]]
    return not _is_below(search, size, limit)


@compiled
def _factorize(search: Search, size: int) -> bool:
    """Factorize the system ``A`` of the partner in place, rows permuted; False if singular."""
    system, places = search.system, search.places
    for a in range(size):
        places[5, a] = a
        for b in range(size):
            system[a, b] = search.other[places[1, a], places[3, b]]
    for p in range(size):
        top = p
        for a in range(p + 1, size):
            if abs(system[a, p]) > abs(system[top, p]):
                top = a
        if abs(system[top, p]) < _SINGULAR:
            return False
        if top != p:
            places[5, p], places[5, top] = places[5, top], places[5, p]
            for b in range(size):
                system[p, b], system[top, b] = system[top, b], system[p, b]
        inverse = 1.0 / system[p, p]
        for a in range(p + 1, size):
            factor = system[a, p] * inverse
            system[a, p] = factor
            for b in range(p + 1, size):
                system[a, b] -= factor * system[p, b]
    return True


@compiled
def _solve(search: Search, size: int) -> None:
    """Write the solution of ``A y = 1`` to ``rows[0]``."""
    system, rows = search.system, search.rows
    for a in range(size):
        value = 1.0
        for b in range(a):
            value -= system[a, b] * rows[0, b]
        rows[0, a] = value
    for a in range(size - 1, -1, -1):
        value = rows[0, a]
        for b in range(a + 1, size):
            value -= system[a, b] * rows[0, b]
        rows[0, a] = value / system[a, a]


@compiled
def _is_below(search: Search, size: int, limit: float) -> bool:
    """Prove that ``target @ y``, with the target in ``rows[1]``, is below a limit.

    With ``u A = target + error``, it is ``u @ 1 - error @ y``, and entries of ``y`` are at most 1.
    """
    system, places, rows = search.system, search.places, search.rows
    for b in range(size):
        value = rows[1, b]
        for a in range(b):
            value -= system[a, b] * rows[2, a]
        rows[2, b] = value / system[b, b]
    for b in range(size - 1, -1, -1):
        value = rows[2, b]
        for a in range(b + 1, size):
            value -= system[a, b] * rows[2, a]
        rows[2, b] = value
    total, sizes = 0.0, 0.0
    for a in range(size):
        total += rows[2, a]
        sizes += abs(rows[2, a])
    errors = 0.0
    for b in range(size):
        value = -rows[1, b]
        for a in range(size):
            value += rows[2, a] * search.other[places[1, places[5, a]], places[3, b]]
        errors += abs(value)
    rounding = (size + 8) * UNIT
    errors += (size + 1) * rounding * (sizes + 1.0) + TINY
    return total + errors * SAFE < limit
