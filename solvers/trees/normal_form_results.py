"""What solvers for normal forms return, read as one equilibrium or as a set of them."""

from typing import TypeAlias, cast

from gametheory_core.certificates.equilibrium import NashCertificate
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.strategies.mixed import MixedProfile
from solvers.many_players.logit_homotopy import LogitBranch
from solvers.many_players.polynomial_supports import PolynomialEquilibria
from solvers.requirements import shown
from solvers.solution import EquilibriumSet, Solution

NormalSolution: TypeAlias = Solution[MixedProfile, NashCertificate]
NormalEquilibria: TypeAlias = EquilibriumSet[MixedProfile, NashCertificate]


def one_of(found: object, *, function: str, solver: object) -> NormalSolution:
    """Return the equilibrium found, the first of a set, or the limit of a branch.

    Raises:
        UnsupportedGame: If a complete set is empty.
        NotConverged: If a set is empty, and not complete.
        InvalidArgument: If the result is none of these.
    """
    solutions = solutions_in(found)
    if solutions is None:
        raise InvalidArgument(
            f"{function}: needs a solver that returns an equilibrium, a set of them or a branch "
            f"that leads to one, but {name_of(solver)} returned {_kind(found)}. Give a function "
            "such as lemke_howson, pure or logit_homotopy."
        )
    if solutions:
        return solutions[0]
    if cast("NormalEquilibria", _as_set(found)).is_complete:
        raise UnsupportedGame(
            f"{function}: needs an equilibrium that {name_of(solver)} looks for, but the reduced "
            "normal form has none. Try logit_homotopy."
        )
    raise NotConverged(
        f"{function}: needs an equilibrium, but {name_of(solver)} found none and left some "
        "possibilities open. Try logit_homotopy.",
        best=None,
    )


def all_of(found: object, *, function: str, solver: object) -> NormalEquilibria:
    """Return the set of equilibria found.

    Raises:
        InvalidArgument: If the result is no such set.
    """
    equilibria = _as_set(found)
    if equilibria is None or solutions_in(equilibria) is None:
        raise InvalidArgument(
            f"{function}: needs a solver that returns a set of equilibria, but {name_of(solver)} "
            f"returned {_kind(found)}. Give a function such as vertex_enumeration, pure or "
            "isolated_equilibria, or use one_through_normal_form."
        )
    return equilibria


def solutions_in(found: object) -> tuple[NormalSolution, ...] | None:
    """Return the mixed profiles that a result holds, the best first; None if it holds none."""
    equilibria = _as_set(found)
    solutions: tuple[object, ...] = (found,) if equilibria is None else equilibria.equilibria
    if isinstance(found, LogitBranch):
        solutions = (found.limit,)
    if all(_is_mixed(solution) for solution in solutions):
        return cast("tuple[NormalSolution, ...]", solutions)
    return None


def _as_set(found: object) -> NormalEquilibria | None:
    inner = found.found if isinstance(found, PolynomialEquilibria) else found
    return cast("NormalEquilibria", inner) if isinstance(inner, EquilibriumSet) else None


def _is_mixed(solution: object) -> bool:
    if not isinstance(solution, Solution):
        return False
    return isinstance(cast("Solution[object, object]", solution).profile, MixedProfile)


def name_of(solver: object) -> str:
    """Name a function for people."""
    return str(getattr(solver, "__name__", shown(solver)))


def _kind(found: object) -> str:
    name = type(found).__name__
    article = "an" if name[0] in "AEIO" else "a"
    return "nothing" if found is None else f"{article} {name}"
