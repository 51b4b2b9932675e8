"""What solvers report while they work: counts with a unit that grow up to what the run says."""

import pytest

import solvers
from tests.solvers.test_bad_input import CALLS, parameters_of

REPORTING = [name for name in CALLS if "on_iteration" in parameters_of(name)]


@pytest.mark.parametrize("name", REPORTING)
def test_progress_counts_up_to_the_run(name):
    arguments, options = CALLS[name]
    seen = []
    found = getattr(solvers, name)(*arguments, **options, on_iteration=seen.append)
    done = [report.done for report in seen]
    assert done == sorted(done)
    assert all(report.unit for report in seen)
    assert all(report.total is None or report.done <= report.total for report in seen)
    run = getattr(found, "run", None) or getattr(getattr(found, "limit", None), "run", None)
    if seen and run is not None:
        assert 0 < done[-1] <= run.iterations
