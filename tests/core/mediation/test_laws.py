"""The law of mediated games holds for all that are drawn, and is broken by wrong values."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core.errors import LawBroken
from gametheory_core.mediation import mediated_chicken, mediated_games, paid_leadership
from gametheory_core.mediation import values as mediated_laws
from gametheory_core.mediation.values import check_mediated
from tests.sample_sizes import examples


@examples(30)
@given(mediated_games(max_horizon=3), st.integers(0, 2**32))
def test_law_holds_for_games_drawn(game, seed):
    check_mediated(game, rng=np.random.default_rng(seed), num_profiles=1)


@pytest.mark.parametrize("game", [mediated_chicken(players=4), paid_leadership()], ids=repr)
def test_law_holds_in_the_catalogue(game):
    check_mediated(game, rng=np.random.default_rng(0))


def test_wrong_values_break_the_law(monkeypatch):
    monkeypatch.setattr(mediated_laws, "mediated_returns", lambda *_: (0, 0))
    with pytest.raises(LawBroken, match=r"plays pay \(.*\) and values are \(0, 0\)"):
        check_mediated(mediated_chicken(), rng=np.random.default_rng(0))
