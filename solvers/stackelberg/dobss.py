"""DOBSS (Paruchuri et al. 2008): a mixed-integer program that finds the best response function.

Binary ``q_tb`` says that type ``t`` answers ``b``; the leader's strategy is split into ``z_tb``,
all of it on the answer chosen: ``sum of z_tb = q_tb``. That an answer is best is said, as in the
tight relaxation of ``bayesian_problem``, by ``z_tb.(F_t[:, c] - F_t[:, b]) <= 0``, which needs no
big constant (Casorran et al. 2019). The solver works in floats, so its answer is a proposal.
"""

import numpy as np

from gametheory_core.arrays import ExactArray
from solvers._programs.linear import LinearProgram
from solvers._programs.mixed_integer import MixedIntegerProgram, solve_mixed_integer
from solvers.solution import Meter
from solvers.stackelberg.bayesian_problem import (
    OPEN,
    BayesianProblem,
    Relaxation,
    Responses,
    TypedCommitment,
    response_program,
)

OBJECTIVE_BITS = 512  # a float holds twice that; a proposal needs no more


def proposed_responses(
    problem: BayesianProblem, best: TypedCommitment, *, meter: Meter
) -> Responses | None:
    """Return an action for each type that promises more than the best commitment known.

    None if the solver finds none in time.
    """
    if meter.is_exhausted:
        return None
    program = _mixed_integer_program(problem, best)
    left = meter.seconds_left
    half = None if left is None else left / 2  # the other half is for the proof
    solution = solve_mixed_integer(program, time_limit=half)
    meter.step()
    if solution.primal is None or solution.primal[problem.num_actions] > 0.5:
        return None  # the outside option: nothing better than what is known
    chosen = solution.primal[program.is_binary]
    ends = np.cumsum(problem.counts)
    return tuple(int(np.argmax(part)) for part in np.split(chosen, ends[:-1]))


def _mixed_integer_program(problem: BayesianProblem, best: TypedCommitment) -> MixedIntegerProgram:
    """Add to the tight relaxation, for each type, binary columns and the rows that tie them.

    The outside option, paid what the best commitment earns, stands beside the answers of a type.
    """
    scaled = best.value * problem.own_scale
    floor = scaled.numerator // scaled.denominator
    size = problem.num_actions
    types = range(len(problem.own))
    inner = response_program(problem, (OPEN,) * len(types), Relaxation.TIGHT, floor=floor).program
    pairs = [(t, b) for t in types for b in range(problem.counts[t])]
    width, height = inner.num_columns, inner.num_rows
    rows, columns, values = list(inner.rows), list(inner.columns), list(inner.values)
    for k in range(len(pairs)):  # the parts of a split stand in the order of the pairs
        split = range(size + 1 + k * size, size + 1 + (k + 1) * size)
        rows += [height + k] * (size + 1)
        columns += [*split, width + k]
        values += [1] * size + [-1]
    for t in types:
        chosen = [width + k for k, pair in enumerate(pairs) if pair[0] == t]
        rows += [height + len(pairs) + t] * (1 + len(chosen))
        columns += [size, *chosen]
        values += [1] * (1 + len(chosen))
    total = height + len(pairs) + len(types)
    excess = max(0, max(abs(value).bit_length() for value in inner.objective) - OBJECTIVE_BITS)
    relaxation = LinearProgram(
        objective=np.concatenate([inner.objective >> excess, _integers([0] * len(pairs))]),
        rows=np.array(rows, dtype=np.int32),
        columns=np.array(columns, dtype=np.int32),
        values=_integers(values),
        bounds=np.concatenate([inner.bounds, _integers([0] * len(pairs) + [1] * len(types))]),
        is_equation=np.concatenate([inner.is_equation, np.ones(total - height, dtype=bool)]),
        is_free=np.zeros(width + len(pairs), dtype=bool),
    )
    return MixedIntegerProgram(relaxation, np.arange(width + len(pairs)) >= width)


def _integers(values: list[int]) -> ExactArray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array
