"""The study of PettingZoo: turns, races, and pursuers judged exactly."""

import csv
import io

import pytest

from gametheory_core import expected_returns, uniform_policies
from gametheory_core.catalog import Cleanup, Pursuit, Resolution, RewardTime
from learners.studies import Request, study_named
from learners.studies.pettingzoo.pursuit import judged, learned, optimum
from learners.studies.pettingzoo.races import paid

STUDY = study_named("pettingzoo")


def test_figure_5_says_who_moves_after_whom(tmp_path):
    (piece,) = STUDY.chosen(figures=[5])
    files = piece.make(Request(tmp_path))
    rows = list(csv.DictReader(io.StringIO(files["figure-5.csv"].decode())))
    turns = {
        (row["mover"], row["moves next"]): row["share"] for row in rows if row["game"] == "in turns"
    }
    assert set(turns.values()) == {"1"}
    drawn = [row["share"] for row in rows if row["game"] == "drawn order"]
    assert "1/2" in drawn


def test_figure_9_fixed_orders_pay_numbers_and_others_pay_places():
    assert [paid(Cleanup(Resolution.FIXED), own) for own in ((0, 1), (1, 0))] == [(1, 1), (1, 0)]
    for resolution in (Resolution.RANDOM, Resolution.SIMULTANEOUS):
        first, second = (paid(Cleanup(resolution), own) for own in ((0, 1), (1, 0)))
        assert first == second[::-1]


@pytest.mark.parametrize("reward_time", RewardTime)
def test_pursuers_are_judged_as_the_core_does(reward_time):
    game = Pursuit(reward_time, 2, 1)
    policies = uniform_policies(game)
    assert judged(game, policies) == pytest.approx(float(expected_returns(game, policies)[0]))


def test_no_policy_beats_the_best_team():
    game = Pursuit(RewardTime.BEFORE_EVADER, 3, 1)
    assert judged(game, uniform_policies(game)) < optimum(game) < 5


def test_pursuers_learn(monkeypatch):
    monkeypatch.setattr("learners.studies.pettingzoo.pursuit.CYCLES", 1)
    monkeypatch.setattr("learners.studies.pettingzoo.pursuit.LOOKS", 2)
    found = learned(RewardTime.BEFORE_EVADER, updates=20, seed=1)
    best = optimum(Pursuit(RewardTime.BEFORE_EVADER, 3, 1))
    assert len(found) == 2
    assert best / 2 < found[-1] <= best + 1e-9
