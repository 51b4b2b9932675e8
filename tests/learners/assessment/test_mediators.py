"""Learned mediation is proved fair where nobody gains, and else told who does."""

from fractions import Fraction

import numpy as np

from gametheory_core import mediation
from learners import Standing
from learners.mediation import assess_mediated
from solvers.mediation import jam_value_iteration

GAME = mediation.mediated_chicken(rounds=2)
INCENTIVES = mediation.MediatorIncentives()


def test_equilibrium_is_proved():
    solution = jam_value_iteration(GAME).solution
    found = assess_mediated(GAME, solution.profile, incentives=solution.certificate.incentives)
    found.verify()
    assert found["fairness"] == solution.certificate.fairness
    assert found["nash_conv"] == 0
    standings = {finding.name: finding.standing for finding in found.findings}
    assert standings["fairness"] is Standing.PROVED


def test_gains_of_random_profiles_are_those_of_all_plans_of_one_agent():
    rng = np.random.default_rng(3)
    game = mediation.mediated_chicken(rounds=1)
    for _ in range(5):
        profile = mediation.random_mediated_profile(game, rng=rng)
        found = assess_mediated(game, profile, incentives=INCENTIVES)
        paid = mediation.mediated_returns(game, profile, incentives=INCENTIVES)
        for agent, player in enumerate(game.players):
            own = []
            for action in game.legal(0, agent):
                actions = list(profile.actions[0][0])
                actions[agent] = action
                other = mediation.MediatedProfile(((tuple(actions),),), profile.leaders)
                own.append(mediation.mediated_returns(game, other, incentives=INCENTIVES)[agent])
            assert found[f"gain/{player}"] == max(own) - paid[agent]


def test_profile_from_which_somebody_gains_has_no_certificate():
    rng = np.random.default_rng(0)
    profile = mediation.random_mediated_profile(GAME, rng=rng)
    found = assess_mediated(GAME, profile, incentives=INCENTIVES)
    assert not found.certificates
    assert "no equilibrium" in found.method
    assert {finding.standing for finding in found.findings} == {Standing.EXACT}
    assert isinstance(found["fairness"], Fraction)
