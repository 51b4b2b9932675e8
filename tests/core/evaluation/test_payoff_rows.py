"""Rows hold every payoff once, exactly, and data frames take them as they are."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import NormalFormGame, certify_nash, pure_profile
from gametheory_core.catalog import load
from gametheory_core.evaluation import payoff_rows
from gametheory_core.testing import PayoffKind, normal_form_games


@given(normal_form_games(kinds=tuple(PayoffKind)))
def test_rows_say_what_deviations_say(game):
    rows = iter(payoff_rows(game))
    for cell in np.ndindex(*game.num_actions):
        certificate = certify_nash(game, pure_profile(game, cell))
        for player, gain in enumerate(certificate.deviation_gains):
            row = next(rows)
            assert row.actions == tuple(own[a] for own, a in zip(game.actions, cell, strict=True))
            assert (row.player, row.action) == (game.players[player], row.actions[player])
            assert row.payoff == game.exact_payoffs[(player, *cell)]
            assert type(row.payoff) is Fraction
            assert row.is_best_response == (gain == 0)
            assert row.is_equilibrium == (certificate.epsilon == 0)
    assert next(rows, None) is None


def test_data_frame_takes_rows():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(payoff_rows(load("prisoners_dilemma")))
    assert list(frame.columns) == [
        "actions",
        "player",
        "action",
        "payoff",
        "is_best_response",
        "is_equilibrium",
    ]
    assert len(frame) == 8
    assert frame.payoff.astype(float).sum() == 18
    wide = frame.pivot_table(index="actions", columns="player", values="payoff", aggfunc="first")
    assert wide.loc[[("cooperate", "defect")], "2"].item() == 5
    assert set(frame[frame.is_equilibrium].actions) == {("defect", "defect")}


def test_rows_of_three_players():
    game = NormalFormGame.from_payoffs(np.arange(24.0).reshape(3, 2, 2, 2))
    rows = payoff_rows(game)
    assert [row.payoff for row in rows[:6]] == [0, 8, 16, 1, 9, 17]
    assert {row.player for row in rows} == {"1", "2", "3"}
