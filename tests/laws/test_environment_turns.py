"""Off turn agents are shown no secrets, draws do not look back, and agents come and go in time."""

from functools import partial

import pytest

pytest.importorskip("pettingzoo")

from gametheory_core.errors import LawBroken
from gametheory_core.testing import EnvironmentLaw, environment_thoughts
from tests.laws.planted.watches import Bug, Shown, Watches, WatchesEnv, read_observation
from tests.laws.seeded_check import check_environment

SECRET, LEAVING = EnvironmentLaw.SECRETS.value, EnvironmentLaw.LEAVING.value
DEPENDENT = EnvironmentLaw.INDEPENDENCE.value
FOUND = {
    Bug.LISTED_AT_RESET: (4, f"{LEAVING}.*player_2 is among the agents, but by the model is not"),
    Bug.LISTED_BEFORE_TURN: (12, f"{LEAVING}.*player_2 is among the agents"),
    Bug.LEAVES_AT_ONCE: (4, f"{LEAVING}.*left after . moves, but by the model leaves now"),
    Bug.FIRST_LEAVES_AT_ONCE: (4, f"{LEAVING}.*player_1 left after"),
    Bug.WIND_OFF_TURN: (120, f"{SECRET}.*off turn, the entry 1 of the label"),
    Bug.FIRST_OFF_TURN: (120, f"{SECRET}.*player_1 is shown after 0 moves"),
    Bug.OPPOSITE_OFF_TURN: (200, f"{SECRET}.*off turn"),
    Bug.AS_LAST_PLAY: (300, f"{DEPENDENT}.*it first is as there in the episode before"),
}


def check(bug=None, shown=Shown.NOW, **options):
    return check_environment(
        partial(WatchesEnv, bug, shown),
        Watches(),
        read_observation=read_observation,
        replays=2,
        **options,
    )


@pytest.mark.parametrize("bug", FOUND, ids=lambda bug: bug.name)
def test_bug_is_found(bug):
    episodes, says = FOUND[bug]
    with pytest.raises(LawBroken, match=rf"(?s){says}"):
        check(bug, episodes=episodes)


@pytest.mark.parametrize("shown", Shown, ids=lambda shown: shown.name)
def test_agents_may_be_shown_off_turn_what_they_know_or_will_know(shown):
    report = check(shown=shown, episodes=60)
    is_news = shown is not Shown.LAST
    assert (report.off_turn_shown > 120) == is_news
    assert (report.off_turn_compared > 90) == is_news


def test_report_says_that_no_glance_was_compared_where_too_much_is_possible(monkeypatch):
    monkeypatch.setattr(environment_thoughts, "MOST_HIDDEN", 0)
    report = check(episodes=10)
    assert report.off_turn_shown > 0
    assert report.off_turn_compared == 0
