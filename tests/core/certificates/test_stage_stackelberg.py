"""Stage Stackelberg certificates: each stage's bound is checked, and forged claims are rejected."""

from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import CertificateRejected, UnsupportedGame
from gametheory_core.catalog import RepeatedGame, fish_war
from gametheory_core.certificates import certify_stage_stackelberg
from gametheory_core.conversions import markov_view
from gametheory_core.distributions import point_mass
from gametheory_core.strategies import markov_profile, uniform_markov_profile
from solvers.markov import stage_stackelberg_induction

ONE = Fraction(1)


def dilemma(rounds=2):
    return markov_view(RepeatedGame.of("prisoners_dilemma", rounds=rounds, recall=0))


def played(view, *pairs):
    """One pair of labels for each time."""
    return markov_profile(view, [[{(): point_mass(a)} for a in pair] for pair in pairs])


def zeros(view):
    return tuple(((((0 * ONE,) * 2,) * 2),) for _ in view.layers)


def test_a_response_that_is_not_best_is_rejected_with_time_and_state():
    view = dilemma()
    profile = played(view, ("defect", "defect"), ("defect", "cooperate"))
    with pytest.raises(CertificateRejected, match=r"at time 1 in state \(\): .* best response"):
        certify_stage_stackelberg(view, profile, leader=0, multipliers=zeros(view))


def test_without_multipliers_the_bound_is_loose_and_says_so():
    view = dilemma()
    profile = played(view, *[("defect", "defect")] * 2)
    loose = certify_stage_stackelberg(view, profile, leader=0, multipliers=zeros(view))
    loose.verify()
    assert loose.epsilon == 4
    assert "nearly best, within 4," in loose.statement


def test_multipliers_where_nobody_acts_are_rejected():
    view = markov_view(RepeatedGame.of("prisoners_dilemma", rounds=2))
    truth = stage_stackelberg_induction(view).certificate
    truth.verify()
    idle = next(state for state, rows in enumerate(truth.multipliers[0]) if not rows)
    stray = truth.multipliers[1][idle]
    first = (*truth.multipliers[0][:idle], stray, *truth.multipliers[0][idle + 1 :])
    with pytest.raises(CertificateRejected, match="where nobody acts, but has some at time 0 in"):
        replace(truth, multipliers=(first, *truth.multipliers[1:])).verify()


def test_other_numbers_of_players_are_refused():
    view = markov_view(fish_war(fishers=3))
    with pytest.raises(UnsupportedGame, match="needs two players, but"):
        certify_stage_stackelberg(view, uniform_markov_profile(view), leader=0, multipliers=())


def test_epsilon_is_that_of_the_worst_stage():
    view = dilemma()
    tight = stage_stackelberg_induction(view).certificate
    mixed = (tight.multipliers[0], zeros(view)[1])
    found = certify_stage_stackelberg(view, tight.profile, leader=0, multipliers=mixed)
    assert found.epsilon == 4
