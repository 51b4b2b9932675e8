"""The benchmark's functions run on few episodes; that loops equal plain Python is tested elsewhere.

``tests/learners/mediation/test_jam_q_learning.py`` compares all values, on the same numbers.
"""

from tests.benchmarks.jam_q_learning import rows


def test_rows_name_each_task_once():
    found = rows(episodes=200, rounds=1)
    assert len({row.task for row in found}) == len(found) == 3
    assert all(row.ours > 0 and row.peer > 0 for row in found)
