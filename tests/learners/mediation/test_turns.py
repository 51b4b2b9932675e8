"""Mediated games as AEC games: lawful rules, and the same returns for every profile."""

import numpy as np
import pytest

from gametheory_core import expected_returns
from gametheory_core.mediation import mediated_returns, random_mediated_profile
from gametheory_core.testing import check_aec
from learners.mediation import MediatedTurns
from learners.mediation.turns import profile_policies
from tests.learners.mediation.games import CHICKEN, TWO_COLORS, drawn_game


@pytest.mark.parametrize(
    "game", [CHICKEN, TWO_COLORS, drawn_game()], ids=["chicken", "colors", "drawn"]
)
def test_rules_are_lawful(game):
    check_aec(MediatedTurns(game), rng=np.random.default_rng(0))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "game", [TWO_COLORS, drawn_game(), drawn_game("1")], ids=["colors", "drawn", "undiscounted"]
)
def test_every_profile_earns_the_same(game, seed):
    profile = random_mediated_profile(game, rng=np.random.default_rng(seed))
    found = expected_returns(MediatedTurns(game), profile_policies(game, profile))
    assert tuple(found) == (*mediated_returns(game, profile), 0)


@pytest.mark.parametrize("seed", range(2))
def test_an_end_of_play_may_be_labelled_none(seed):
    """As what stands for the state before chance has drawn one."""
    game, twin = drawn_game(over=None), drawn_game()
    check_aec(MediatedTurns(game), rng=np.random.default_rng(0))
    profile = random_mediated_profile(game, rng=np.random.default_rng(seed))
    found = expected_returns(MediatedTurns(game), profile_policies(game, profile))
    assert tuple(found) == (*mediated_returns(game, profile), 0)
    assert mediated_returns(game, profile) == mediated_returns(twin, profile)
