"""Values of zero-sum trees beside Gambit's and OpenSpiel's programs over the sequence form."""

import io
from fractions import Fraction

import pytest
from hypothesis import assume, given

from gametheory_core import UnsupportedGame, extensive_to_normal
from gametheory_core.catalog import forgetful_bit, goofspiel, kuhn_poker, leduc_poker, liars_dice
from gametheory_core.conversions import separate_chance
from gametheory_core.formats import format_efg
from gametheory_core.testing import extensive_form_games
from solvers import minimax, sequence_form_lp

pytestmark = pytest.mark.peer


@pytest.fixture
def spiel_value(monkeypatch):
    """OpenSpiel's program, which asks for a solver that few have, solved by HiGHS instead."""
    cvxpy = pytest.importorskip("cvxpy")
    pytest.importorskip("pyspiel")
    program = pytest.importorskip("open_spiel.python.algorithms.sequence_form_lp")
    solve = cvxpy.Problem.solve

    def by_highs(problem, *_arguments, **_options):
        return solve(problem, solver="HIGHS")

    monkeypatch.setattr(cvxpy.Problem, "solve", by_highs)
    return lambda game: program.solve_zero_sum_game(game)[0]


GOOFSPIEL = "goofspiel(imp_info=True,num_cards=4,points_order=descending)"


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("kuhn_poker", kuhn_poker),
        ("leduc_poker", leduc_poker),
        ("liars_dice(numdice=1,dice_sides=3)", lambda: liars_dice(sides=3)),
        ("liars_dice(numdice=1,dice_sides=4)", liars_dice),
        (f"turn_based_simultaneous_game(game={GOOFSPIEL})", goofspiel),
    ],
)
def test_value_is_open_spiels(name, build, spiel_value):
    pyspiel = pytest.importorskip("pyspiel")
    ours = sequence_form_lp(build()).certificate
    ours.verify()
    assert ours.epsilon == 0
    assert spiel_value(pyspiel.load_game(name)) == pytest.approx(float(ours.game_value), abs=1e-8)


def test_a_forgetful_player_is_refused_where_open_spiel_promises_one(spiel_value, tmp_path):
    """The value is 1/2: who has forgotten a fair bit guesses it half of the time."""
    pyspiel = pytest.importorskip("pyspiel")
    file = tmp_path / "bit.efg"
    file.write_text(format_efg(forgetful_bit()), encoding="utf-8")
    theirs = pyspiel.load_game(f"efg_game(filename={file})")
    assert spiel_value(theirs) == pytest.approx(1.0, abs=1e-8)
    with pytest.raises(UnsupportedGame, match="'Forgetful' forgets at information set 'forgotten'"):
        sequence_form_lp(forgetful_bit())
    possible = minimax(extensive_to_normal(forgetful_bit()).target).certificate
    possible.verify()
    assert possible.game_value == Fraction(1, 2)


@given(extensive_form_games(zero_sum=True))
def test_value_is_gambits(tree):
    """Where each decision is a real one and each draw possible: elsewhere their program errs.

    It plays a single action never if it costs, and found 0 where chance surely leads to -1; draws
    of probability 0 are checked in the normal form instead.
    """
    pygambit = pytest.importorskip("pygambit")
    decisions = tree.infosets[: tree.num_decision_infosets]
    assume(decisions and all(len(infoset.actions) > 1 for infoset in decisions))
    if all(tree.exact_chance_probabilities[tree.action_offset[len(decisions)] :]):
        text = format_efg(separate_chance(tree).target)
        theirs = pygambit.read_efg(io.StringIO(text))
        (profile,) = pygambit.nash.lp_solve(theirs, rational=True).equilibria
        value = Fraction(str(profile.payoff(next(iter(theirs.players)))))
    else:
        value = minimax(extensive_to_normal(tree).target).certificate.game_value
    assert value == sequence_form_lp(tree).certificate.game_value
