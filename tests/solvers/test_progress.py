"""What solvers report while they work: counts with a unit that grow up to what the run says."""

import pytest

from tests.solvers.test_refusals import DECLARED, OTHERS, arguments_of, parameters_of, solver

REPORTING = [name for name in (*DECLARED, *OTHERS) if "on_iteration" in parameters_of(name)]


@pytest.mark.parametrize("name", REPORTING)
def test_progress_counts_up_to_the_run(name):
    arguments, options = arguments_of(name)
    seen = []
    found = solver(name)(*arguments, **options, on_iteration=seen.append)
    done = [report.done for report in seen]
    assert done == sorted(done)
    assert all(report.unit for report in seen)
    assert all(report.total is None or report.done <= report.total for report in seen)
    run = getattr(found, "run", None) or getattr(getattr(found, "limit", None), "run", None)
    if seen and run is not None:
        assert 0 < done[-1] <= run.iterations
