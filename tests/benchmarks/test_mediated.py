"""The benchmark's functions run, and its contenders agree, on small games. Nothing is timed."""

from tests.benchmarks.mediated import by_recursion, eight_games, ours, ours_verified, rows


def test_contenders_find_the_same_fairness():
    games = eight_games(players=(2,))
    assert ours(games) == by_recursion(games) == [6, 24, 8, 8]
    ours_verified(games)


def test_rows_name_each_task_once():
    found = rows(players=(2,), rounds=1)
    assert len({row.task for row in found}) == len(found) == 6
    assert all(row.ours > 0 for row in found)
