"""Small files that claim much about long or wide games are rejected in words, and at once."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

import pytest

from gametheory_core import (
    CertificateRejected,
    NormalFormGame,
    UnsupportedGame,
    certify_nash,
    leaders,
    uniform_profile,
)
from gametheory_core.catalog import RepeatedGame, iterated_prisoners_dilemma
from gametheory_core.certificates import certify_markov_perfect
from gametheory_core.conversions import markov_view, posg_from_tables
from gametheory_core.leaders import markov_stackelberg_bounds
from gametheory_core.leaders import view as leader_tables
from gametheory_core.leaders.deviation_prices import DeviationPrices, PriceNode
from gametheory_core.mediation import Memory, mediated_chicken, mediated_histories
from gametheory_core.strategies import uniform_markov_profile
from solvers import markov
from solvers.leaders import (
    markov_stackelberg,
    markov_stackelberg_optima,
    stochastic_markov_stackelberg,
)
from solvers.mediation import jam_value_iteration

BILLION = 10**9
HUGE = 10**4000  # more than anybody could print with others
BIG = NormalFormGame.bimatrix([[10**900, 0], [0, 1]], [[1, 10**900], [0, 1]])
TIT_FOR_TAT = leaders.DeterministicLeader((0, 0, 1, 0, 1))


@cache
def truths():
    """Return a true certificate of each kind that a long horizon might keep busy."""
    dilemma = iterated_prisoners_dilemma(rounds=2)
    stages = RepeatedGame.of("prisoners_dilemma", rounds=2, recall=0)
    uniform = uniform_markov_profile(markov_view(stages))
    stationary = leaders.FollowerClass.STATIONARY
    return {
        "timed": markov_stackelberg(dilemma).certificate,
        "stationary": markov_stackelberg(dilemma, follower_class=stationary).certificate,
        "optima": markov_stackelberg_optima(dilemma).certificate,
        "nash": markov.stage_nash_induction(stages).certificate,
        "uniform": certify_markov_perfect(stages, uniform, tolerance=None),
        "cells": stochastic_markov_stackelberg(dilemma).certificate,
        "stackelberg": markov.stage_stackelberg_induction(stages).certificate,
        "correlated": markov.stage_correlated_induction(stages).certificate,
        "mediated": jam_value_iteration(mediated_chicken(rounds=2)).solution.certificate,
    }


NAMES = [
    "timed",
    "stationary",
    "optima",
    "cells",
    "nash",
    "uniform",
    "stackelberg",
    "correlated",
    "mediated",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("horizon", [BILLION, HUGE], ids=["billion", "huge"])
@pytest.mark.parametrize("discount", [Fraction(1), Fraction(9, 10)], ids=str)
def test_long_horizons_are_rejected_at_once(name, horizon, discount):
    truth = truths()[name]
    truth.verify()
    long = replace(truth.game, horizon=horizon, discount=discount)
    with pytest.raises(CertificateRejected, match="certificate: "):
        replace(truth, game=long).verify()


def one_step_game(**changes):
    """Return a game that is surely over after its first step, whatever the horizon."""
    return posg_from_tables(
        **{
            "players": ("Ann", "Bob"),
            "actions": [("l", "r"), ("x",)],
            "initial": {"s": 1},
            "transitions": {("s", (a, "x")): {"end": 1} for a in "lr"},
            "rewards": {("s", ("l", "x"), "end"): (1, 2)},
            "terminal": ["end"],
            "horizon": 1,
            **changes,
        }
    )


def test_prices_of_a_play_that_ends_do_not_hide_a_long_horizon():
    view = leaders.leader_view(one_step_game())
    policy = leaders.StochasticLeader(((Fraction(1), Fraction(0)),))
    prices = DeviationPrices((), (PriceNode(0, 0, Fraction(0)),))
    truth = leaders.StochasticCommitmentCertificate(
        view.game,
        0,
        policy,
        leaders.FollowerClass.TIME_AWARE,
        leaders.FollowerTies.STRONG,
        *(Fraction(1), Fraction(2), Fraction(1)),
        prices,
    )
    truth.verify()
    long = replace(truth, game=replace(view.game, horizon=BILLION))
    with pytest.raises(CertificateRejected, match=r"1,000,000,000 steps over .* Shorten the hori"):
        long.verify()


@pytest.mark.parametrize("name", ["timed", "stationary", "optima"])
def test_tables_that_are_refused_make_certificates_rejected(name, monkeypatch):
    monkeypatch.setattr(leader_tables, "MAX_CELLS", 39)
    truth = truths()[name]
    with pytest.raises(CertificateRejected, match=r"certificate: LeaderView.tables: .* at most 39"):
        replace(truth, game=replace(truth.game)).verify()


@pytest.mark.parametrize("name", ["timed", "optima"])
def test_many_multipliers_are_rejected_before_they_fill_the_memory(name):
    truth = truths()[name]
    many = tuple(Fraction(k) for k in range(300_000))
    with pytest.raises(CertificateRejected, match=r"300,000 multipliers and 0 witnesses, on 40 ce"):
        replace(truth, multipliers=many).verify()


def test_the_size_of_a_leaf_is_what_is_limited(monkeypatch):
    truth = truths()["timed"]
    needed = (len(truth.multipliers) + 1) * 40
    monkeypatch.setattr(markov_stackelberg_bounds, "MOST_LEAF_CELLS", needed)
    truth.verify()
    monkeypatch.setattr(markov_stackelberg_bounds, "MOST_LEAF_CELLS", needed - 1)
    with pytest.raises(CertificateRejected, match=f"needs at most {needed - 1} cells for a leaf"):
        truth.verify()


def test_thousands_of_steps_with_short_numbers_still_work():
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=5_000))
    found = leaders.follower_response(view, TIT_FOR_TAT)
    assert found.returns[1] == max(
        leaders.leader_returns(view, TIT_FOR_TAT, found.policy)[1],
        leaders.leader_returns(view, TIT_FOR_TAT, leaders.StationaryFollower((0,) * 5))[1],
    )
    dilemma = RepeatedGame.of("prisoners_dilemma", rounds=2_000, recall=0)
    assert markov.stage_nash_induction(dilemma).certificate.payoffs == (2_000, 2_000)


def test_long_games_are_refused_at_once():
    base = leaders.leader_view(iterated_prisoners_dilemma(rounds=2)).game
    for horizon in (BILLION, HUGE):
        game = replace(base, horizon=horizon)
        with pytest.raises(UnsupportedGame, match="Shorten the horizon"):
            leaders.follower_response(leaders.leader_view(game), TIT_FOR_TAT)
        with pytest.raises(UnsupportedGame, match=r"pairs of a time and a state, but .* Shorten"):
            _ = markov_view(game).layers
        for memory in Memory:
            with pytest.raises(UnsupportedGame, match=r"at most 20,000 layers .* Shorten the hor"):
                mediated_histories(replace(mediated_chicken(), horizon=horizon), memory=memory)


def test_reprs_are_short_however_long_the_numbers_are():
    certificate = certify_nash(BIG, uniform_profile(BIG))
    assert max(certificate.deviation_gains) > 10**899
    assert len(repr(certificate)) < 2000
    assert "deviation_gains=" in repr(certificate)
