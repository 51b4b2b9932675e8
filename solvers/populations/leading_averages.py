"""The max-entropy Nash of every leading submatrix: a population that grows agent by agent.

An agent who loses against the mixture ``p`` of the others changes nothing. For ``p`` stays optimal;
and since ``p`` is optimal for the opponent, too, and pays the newcomer less than the value 0, no
optimal strategy plays the newcomer. So there are no more optimal strategies than before, and ``p``
is still the most entropic one. Only where a newcomer holds its own is a game solved: among those
who are played, the newcomer, and whom that brings back.
"""

from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import (
    ZERO,
    ExactArray,
    FloatArray,
    IntArray,
    NumberArray,
    as_exact,
    as_float,
    freeze,
)
from gametheory_core.errors import CertificateRejected, InvalidGame, NotConverged
from solvers.populations.averaging import NashAverage, antisymmetric, nash_averaging
from solvers.populations.win_rates import measured_array
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration
from solvers.solver import open_meter, solver

CLEARLY = 1e-9  # of the largest entry by which an agent loses surely, and not by rounding
_FIRST = freeze(np.zeros(1, dtype=np.int32))


@dataclass(frozen=True, eq=False)
class LeadingAverages:
    """Nash averages of the first 1, 2, ... agents.

    Attributes:
        evaluation (agents, agents): Antisymmetric.
        sizes: Where the mixture changes: ``averages[k]`` holds for ``sizes[k]`` agents and more, up
            to the next of them.
        members: Among whom each average was found; all others lose against it.
        averages: Certified, each for its members.
    """

    evaluation: NumberArray
    sizes: tuple[int, ...]
    members: tuple[IntArray, ...]
    averages: tuple[NashAverage, ...]

    def mixture(self, size: int) -> ExactArray:
        """Return the max-entropy Nash of the first agents, shape (size,).

        Raises:
            InvalidArgument: If there are not so many agents.
        """
        require_integer(size, name="size", low=1, high=len(self.evaluation))
        place = int(np.searchsorted(self.sizes, size, side="right")) - 1
        mixture = np.full(size, ZERO, dtype=object)
        mixture[self.members[place]] = self.averages[place].agent_mixture
        return freeze(mixture)

    def verify(self) -> None:
        """Check each average, and that all others lose against it, in rational arithmetic.

        Raises:
            CertificateRejected: Names the agent who does not; or if an average is none of the
                members' own, sizes do not grow from 1, or the matrix is not antisymmetric.
        """
        exact, sizes = as_exact(self.evaluation), self.sizes
        if (exact != -exact.T).any():
            raise CertificateRejected(needs="an antisymmetric matrix", found="it is none")
        is_growing = sizes[:1] == (1,) and [*sizes] == sorted({*sizes}) and sizes[-1] <= len(exact)
        if not is_growing or not len(sizes) == len(self.members) == len(self.averages):
            raise CertificateRejected(
                needs="an average for each of sizes that grow from 1", found=f"sizes are {sizes}"
            )
        ends = (*sizes[1:], len(exact) + 1)
        for size, members, average, end in zip(
            sizes, self.members, self.averages, ends, strict=True
        ):
            _require_own(exact[:size, :size], members, average)
            others = np.setdiff1d(np.arange(end - 1), members)
            played = np.flatnonzero(average.agent_mixture)
            earned = exact[np.ix_(others, members[played])] @ average.agent_mixture[played]
            for agent in others[earned >= 0].tolist():
                raise CertificateRejected(
                    needs=f"agents who lose against the mixture of {members.tolist()}",
                    found=f"agent {agent} does not",
                )


def _require_own(table: ExactArray, members: IntArray, average: NashAverage) -> None:
    """Refuse an average that is not proved for just these members.

    Raises:
        CertificateRejected: Names them.
    """
    proof = average.certificate
    proof.verify()
    agents = members.tolist()
    if sorted({*agents}.intersection(range(len(table)))) == agents:
        own = table[np.ix_(members, members)]
        is_own = np.array_equal(proof.game.exact_payoffs, [own, -own])
        if is_own and np.array_equal(average.agent_mixture, proof.profile.strategies[0]):
            return
    raise CertificateRejected(
        needs="averages of the members' own matches", found=f"that of {agents} is of others"
    )


@solver(unit="games", page="populations")
def leading_nash_averages(
    evaluation: object, *, budget: Budget = UNLIMITED, on_iteration: OnIteration | None = None
) -> LeadingAverages:
    """Find the max-entropy Nash of the first 1, 2, ... agents of a population.

    Args:
        evaluation (agents, agents): As for ``nash_averaging``; agents in the order in which they
            joined.
        budget: Iterations are the small games that are solved.
        on_iteration: Called after each.

    Returns:
        ``mixture(k)`` is that of the first ``k`` agents.

    Raises:
        InvalidGame: If the matrix is not square and antisymmetric; names the entries.
        NotConverged: If the budget ends first; ``best`` is about the first agents only. Or as for
            ``nash_averaging``.

    >>> rock_paper_scissors = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
    >>> found = leading_nash_averages(rock_paper_scissors)
    >>> [[str(p) for p in found.mixture(size)] for size in (1, 2, 3)]
    [['1'], ['0', '1'], ['1/3', '1/3', '1/3']]
    """
    table = measured_array(evaluation, where="leading_nash_averages: evaluation matrix")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:  # a matrix
        raise InvalidGame(
            needs="a square matrix, agents against agents", found=f"its shape is {table.shape}"
        )
    table = freeze(antisymmetric(table))
    floats = as_float(table)
    clearly = CLEARLY * float(abs(floats).max())
    meter = open_meter(budget, on_iteration)
    found = LeadingAverages(table[:1, :1], (1,), (_FIRST,), (nash_averaging(table[:1, :1]),))
    weights = np.ones(1)
    for agent in range(1, len(table)):
        members = found.members[-1]
        if floats[agent, members] @ weights < -clearly:
            continue
        around = np.append(members[weights > 0], agent).astype(np.int32)
        try:
            members, average = _solved(table, floats[: agent + 1], around, clearly, meter)
        except (BudgetOver, NotConverged) as error:
            raise NotConverged(
                needs=f"Nash averages of up to {len(table)} agents",
                found=f"the budget ended after {agent}",
                best=replace(found, evaluation=table[:agent, :agent]),
            ) from error
        found = LeadingAverages(
            table, (*found.sizes, agent + 1), (*found.members, members), (*found.averages, average)
        )
        weights = average.agent_mixture.astype(np.float64)
    return replace(found, evaluation=table)


def _solved(
    table: NumberArray, rows: FloatArray, members: IntArray, clearly: float, meter: Meter
) -> tuple[IntArray, NashAverage]:
    """Find the average among some agents; take in whose ``rows`` do not clearly lose against it."""
    while True:
        meter.require_more()
        limit = Budget(meter.seconds_left)
        average = nash_averaging(table[np.ix_(members, members)], budget=limit)
        meter.step()
        earned = rows[:, members] @ average.agent_mixture.astype(np.float64)
        earned[members] = -np.inf
        back = np.flatnonzero(earned >= -clearly)
        if not len(back):
            return members, average
        members = np.union1d(members, back).astype(np.int32)
