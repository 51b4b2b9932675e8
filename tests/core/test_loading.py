"""Games by name: matrices and trees; rules are refused until they are converted."""

import pytest

from gametheory_core.catalog.matrix import chicken
from gametheory_core.errors import UnsupportedGame
from gametheory_core.loading import load_game


def test_matrix_of_the_catalogue_is_loaded():
    assert load_game("chicken") == chicken()


@pytest.mark.parametrize("name", ["rir_rps", "random_order_team"])
def test_rules_are_refused_by_their_title(name):
    with pytest.raises(UnsupportedGame, match=rf"{name!r} gives the rules .* \([A-Z].*\)"):
        load_game(name)
