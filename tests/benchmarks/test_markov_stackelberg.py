"""The benchmark's contenders agree, on small sizes. Nothing is timed."""

from gametheory_core.leaders.follower_responses import FollowerClass, FollowerTies
from gametheory_core.leaders.policies import leader_policies, num_leader_policies
from gametheory_core.leaders.view import leader_view
from solvers.leaders.deterministic import markov_stackelberg
from tests.benchmarks.markov_stackelberg import (
    all_leaders,
    enumerate_all,
    enumerate_leaders,
    iterated_games,
    random_game,
    remembering,
    rows,
    solve_all,
)

CONVENTION = (FollowerClass.TIME_AWARE, FollowerTies.STRONG)


def test_contenders_agree_on_iterated_games():
    games = iterated_games()[-3:]
    assert solve_all(games) == enumerate_all([leader_view(game) for game in games])


def test_contenders_agree_on_a_random_game():
    game = random_game(states=7, observations=6, actions=3, horizon=3)
    view = leader_view(game)
    value = enumerate_leaders(view, *CONVENTION, count=num_leader_policies(view))
    assert markov_stackelberg(game).certificate.leader_value == value


def test_all_leaders_are_tried():
    view = leader_view(random_game(states=5, observations=4, actions=3, horizon=2))
    tried = all_leaders(view, num_leader_policies(view)).tolist()
    assert tried == [list(policy.actions) for policy in leader_policies(view)]


def test_two_rounds_seen_are_two_million_leaders():
    assert num_leader_policies(leader_view(remembering("chicken"))) == 2**21


def test_rows_name_each_task_once():
    found = rows(rounds=1, large=False)
    assert len({row.task for row in found}) == len(found) == 2
    assert all(row.ours > 0 for row in found)
