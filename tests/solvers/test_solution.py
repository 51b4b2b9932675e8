"""Budgets are checked where they are made."""

import pytest

from gametheory_core.errors import InvalidArgument
from solvers.solution import Budget


@pytest.mark.parametrize("value", [-1, float("nan"), "a", True, [1]])
@pytest.mark.parametrize("name", ["seconds", "iterations"])
def test_impossible_limit_is_refused_by_name_and_value(name, value):
    with pytest.raises(InvalidArgument, match=f"needs {name} of at least 0, or None for no limit"):
        Budget(**{name: value})


def test_limits_may_be_zero_or_absent():
    assert Budget(seconds=0.0, iterations=None).seconds == 0.0
