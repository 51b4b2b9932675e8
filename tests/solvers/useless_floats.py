"""Float solves that fail, or lie: exact answers do not rest on them."""

import sys
from contextlib import contextmanager

import numpy as np
import pytest

from solvers._programs.linear import FloatOutcome, FloatSolution, no_solution


def failing(program, **_limits):
    """End without a solution."""
    return no_solution(program, FloatOutcome.FAILED)


def lying(program, **_limits):
    """Call numbers optimal that have nothing to do with the program."""
    rng = np.random.default_rng([program.num_rows, program.num_columns])
    primal, dual = rng.random(program.num_columns), rng.random(program.num_rows)
    return FloatSolution(FloatOutcome.OPTIMAL, primal, dual, basis=None, pivots=1)


USELESS = pytest.mark.parametrize("useless", [failing, lying])


@contextmanager
def float_solves(useless):
    """Put this in the place of every float solve of a linear program."""
    with pytest.MonkeyPatch.context() as patch:
        for name, module in list(sys.modules.items()):
            if name.startswith("solvers.") and hasattr(module, "solve_float"):
                patch.setattr(module, "solve_float", useless)
        yield
