"""The check finds nearly all planted bugs, and nothing in right environments.

Bugs and right environments were written without the check in view.
"""

import pytest

pytest.importorskip("pettingzoo")

from tests.laws.planted.bugs import PLANTED_BUGS
from tests.laws.planted.rates import complaint
from tests.laws.planted.records import BugClass
from tests.laws.planted.right import OWN, RIGHT_ENVS, UNUSUAL

PLAIN = [bug for bug in PLANTED_BUGS if not bug.disputable]
SOME = [bug for bug in PLAIN if bug.class_ is not BugClass.CHANCE][::16]  # chance takes longer


def test_most_of_some_bugs_are_found_in_few_episodes():
    missed = [bug.name for bug in SOME if not complaint(bug, episodes=80)]
    assert len(SOME) >= 15
    assert len(missed) <= len(SOME) / 4


@pytest.mark.slow
def test_nine_in_ten_bugs_are_found():
    missed = [bug.name for bug in PLAIN if not complaint(bug, episodes=1000)]
    assert len(missed) <= len(PLAIN) / 10


@pytest.mark.parametrize("right", [*OWN, *UNUSUAL], ids=lambda right: right.name)
def test_right_environment_passes(right):
    assert complaint(right, episodes=40) == ""


@pytest.mark.slow
@pytest.mark.parametrize(
    "right",
    [right for right in RIGHT_ENVS if not right.faults and right not in [*OWN, *UNUSUAL]],
    ids=lambda right: right.name,
)
def test_any_right_environment_passes(right):
    assert complaint(right, episodes=4 if right.model is None else 300) == ""
