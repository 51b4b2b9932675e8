"""Trees of POSGs beside Gambit: equal values as rationals, by its own linear program."""

import io
from fractions import Fraction

import pytest

from gametheory_core import aec_to_extensive, posg_to_extensive, write_game
from gametheory_core.conversions import posg_to_aec, separate_chance
from gametheory_core.games import stop_posg
from solvers import sequence_form_lp
from tests.theorems.random_rules import RandomPOSG

pygambit = pytest.importorskip("pygambit")
pytestmark = pytest.mark.peer


@pytest.mark.parametrize("seed", range(4))
def test_values_are_those_of_gambit(seed, tmp_path):
    game = stop_posg(RandomPOSG(seed, zero_sum=True), steps=2)
    for conversion in (posg_to_extensive(game), aec_to_extensive(posg_to_aec(game).target)):
        file = tmp_path / "tree.efg"
        write_game(separate_chance(conversion.target).target, file)
        theirs = pygambit.read_efg(io.StringIO(file.read_text(encoding="utf-8")))
        (profile,) = pygambit.nash.lp_solve(theirs, rational=True).equilibria
        value = Fraction(str(profile.payoff("player 1")))
        assert value == sequence_form_lp(conversion.target).certificate.game_value
