"""Mirrors: found where players may change places, and nowhere else; one plan is enough there."""

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.catalog import (
    GoofspielRules,
    Prizes,
    goofspiel,
    goofspiel_points,
    kuhn_poker,
    liars_dice,
)
from gametheory_core.games import lay_out_rules
from gametheory_core.strategies import sequence_form
from solvers import sequence_form_lp
from solvers.solution import UNLIMITED, Meter
from solvers.trees import likely_supports, linear_program
from solvers.trees.mirrors import mirror_of
from solvers.trees.sequence_program import sequence_program
from tests.solvers.trees.trees import with_payoffs

ALL_ORDERS = lay_out_rules(GoofspielRules(3, Prizes.RANDOM))
SYMMETRIC = pytest.mark.parametrize(
    "game", [goofspiel(cards=3), goofspiel_points(cards=4), ALL_ORDERS], ids=str
)


def mirrored(game):
    form = sequence_form(game)
    return form, sequence_program(form), mirror_of(form, sequence_program(form))


@SYMMETRIC
def test_mirror_exchanges_information_sets_and_payoffs(game):
    form, program, mirror = mirrored(game)
    first, second = form.players
    assert sorted(mirror) == list(range(second.num_sequences))
    back = np.argsort(mirror)
    exact = program.exact
    paid = (exact.rows < program.num_opponent) & (exact.columns < program.num_own)
    triples = zip(exact.columns[paid], exact.rows[paid], exact.values[paid], strict=True)
    losses = {(s, t): value for s, t, value in triples}
    assert {(back[t], mirror[s]): -value for (s, t), value in losses.items()} == losses
    at = np.repeat(
        second.infosets, np.diff(second.first_sequence)
    )  # of sequences but the empty one
    for k, s in enumerate(first.infosets):
        image = at[mirror[first.first_sequence[k]] - 1]
        assert game.infosets[image].label == game.infosets[s].label


@pytest.mark.parametrize("game", [kuhn_poker(), liars_dice()], ids=str)
def test_games_in_which_one_moves_first_have_none(game):
    assert mirrored(game)[2] is None


def test_one_payoff_that_differs_breaks_the_mirror():
    game = goofspiel(cards=3)
    paid = game.exact_terminal_payoffs.tolist()
    paid[0] = [paid[0][0] + 1, paid[0][1] - 1]
    assert mirrored(with_payoffs(game, paid))[2] is None


def test_labels_alone_make_no_mirror():
    """The same labels, but the second 'b' comes after 'y' here and after 'x' there."""

    def asked(player, after):
        more = gt.Decision(player, "b", {a: gt.Terminal([0, 0]) for a in "pq"})
        ends = {a: more if a == after else gt.Terminal([0, 0]) for a in "xy"}
        return gt.Decision(player, "a", ends)

    tree = gt.Chance({"1": ("1/2", asked(0, "x")), "2": ("1/2", asked(1, "y"))})
    game = gt.from_sketch(tree, players=("Ann", "Bob"))
    assert mirrored(game)[2] is None


@SYMMETRIC
@pytest.mark.parametrize("tolerance", [None, 1e-6])
def test_one_program_is_enough_for_both_plans(game, tolerance, monkeypatch):
    monkeypatch.setattr(linear_program, "LARGE", -1)
    monkeypatch.setattr(linear_program, "FEW_CLASSES", 0)
    monkeypatch.setattr(linear_program, "solve_certified", None)  # would fail if called
    players = []
    part = likely_supports._part
    monkeypatch.setattr(
        likely_supports, "_part", lambda play, k, own: players.append(k) or part(play, k, own)
    )
    certificate = sequence_form_lp(game, tolerance=tolerance).certificate
    certificate.verify()
    assert certificate.epsilon <= (tolerance or 0)
    assert set(players) == {0}


def test_replies_of_the_mirrored_player_are_added(monkeypatch):
    """Started from one likely sequence a set, replies find what is missing."""
    monkeypatch.setattr(likely_supports, "TRIALS", ((1, 2.0), *[(0, 2.0)] * 40))
    game = goofspiel(cards=3)
    form = sequence_form(game)
    play = likely_supports.likely_play(form, sequence_program(form))
    meter = Meter(UNLIMITED, "pivots")
    plans = likely_supports.likely_minimax_plans(play, meter, exactly=True)
    assert gt.certify_minimax(game, linear_program.plan_profile(form, *plans)).epsilon == 0
