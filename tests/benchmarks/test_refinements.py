"""The benchmark's functions run, and its contenders agree, on small games. Nothing is timed."""

import pytest

from tests.benchmarks.refinements import by_highs, losses, ours, rows, tree_of


@pytest.mark.parametrize("name", ["kuhn_poker", "liars_dice:sides=2", "one_card_poker"])
def test_contenders_find_nearly_the_same_value(name):
    game = tree_of(name)
    exact, plain = ours(game), by_highs(game, epsilon=0).value  # in units of the program
    scale = exact / plain if exact else 1
    assert by_highs(game, epsilon=1e-6).value * scale == pytest.approx(exact, abs=1e-4)


def test_losses_are_none_where_floats_are_good_enough():
    game = tree_of("guess_the_ace")
    assert losses(game, epsilon=1e-2) == [0, 0]
    assert max(losses(tree_of("kuhn_poker"), epsilon=1e-3)) < 1e-9


def test_rows_name_each_task_once():
    found = rows(games=("kuhn_poker", "one_card_poker"), rounds=1)
    assert len({row.task for row in found}) == len(found) == 4
    assert all(row.ours > 0 for row in found)
