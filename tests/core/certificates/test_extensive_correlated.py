"""Certificates of correlated equilibria in trees: what holds, what is rejected, what is said."""

from dataclasses import replace
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core.certificates import BoundProof, LinearObjective, certify_extensive_correlated
from gametheory_core.certificates.extensive_correlated import (
    ActionFlow,
    ConsistencyMultiplier,
    DeviationPrice,
    ExtensiveOptimality,
)
from gametheory_core.certificates.incentives import is_to_be_small, objective_name
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.strategies import behavioral_mixture
from solvers import extensive_form_correlated_equilibrium

SCHOOL = gt.load_game("school_signalling")
CENTIPEDE = gt.load_game("centipede:rounds=3")
EXTENSIVE = ExtensiveCorrelation.EXTENSIVE
SOLVERS = (
    extensive_form_correlated_equilibrium,
    partial(extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.EXTENSIVE_COARSE),
    partial(extensive_form_correlated_equilibrium, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE),
)


def test_the_password_of_the_school_is_an_equilibrium_by_hand():
    # the good student gets the word that is accepted, the bad one a guess
    words = [(good, bad, int(good == 1), int(good == 0)) for good in (0, 1) for bad in (0, 1)]
    mixture = behavioral_mixture([gt.pure_behavior(SCHOOL, plan) for plan in words])
    certificate = certify_extensive_correlated(SCHOOL, mixture, kind=EXTENSIVE)
    certificate.verify()
    assert certificate.epsilon == 0
    assert certificate.payoffs == (Fraction(7, 2), Fraction(13, 2))
    told_all = certify_extensive_correlated(SCHOOL, mixture, kind=ExtensiveCorrelation.NORMAL_FORM)
    assert told_all.epsilon == Fraction(3, 2)  # a bad student who knows the password always enters
    assert "an epsilon-normal-form correlated equilibrium" in told_all.statement


@pytest.mark.parametrize("solver", SOLVERS, ids=["efce", "efcce", "nfcce"])
@pytest.mark.parametrize("game", [SCHOOL, CENTIPEDE], ids=["by profiles", "by consistency"])
def test_no_changed_number_passes(game, solver):
    certificate = solver(game).certificate
    certificate.verify()
    assert certificate.optimality_gap == 0
    third = Fraction(1, 3)
    best = certificate.optimality
    forgeries = [
        replace(certificate, payoffs=(third, third)),
        replace(certificate, gains=(third, Fraction(0))),
        replace(certificate, optimality=replace(best, value=best.value + third)),
        replace(certificate, optimality=replace(best, upper_bound=best.upper_bound - third)),
    ]
    if best.prices:
        forgeries.append(replace(certificate, optimality=replace(best, prices=())))
    if best.multipliers:
        forgeries.append(replace(certificate, optimality=replace(best, multipliers=())))
    uniform = behavioral_mixture([gt.uniform_behavior(game)])
    forgeries.append(replace(certificate, mixture=uniform))
    for forged in forgeries:
        with pytest.raises(gt.CertificateRejected, match="claims"):
            forged.verify()


def test_an_equilibrium_of_one_kind_is_none_of_another_for_free():
    coarse = extensive_form_correlated_equilibrium(
        CENTIPEDE, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
    ).certificate
    claimed = replace(coarse, correlation=EXTENSIVE, optimality=None)
    with pytest.raises(gt.CertificateRejected, match="claims gains"):
        claimed.verify()


def price(**changes):
    flow = ActionFlow(0, 0, Fraction(1))
    return replace(DeviationPrice(0, 0, 1, Fraction(1), (flow,)), **changes)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"player": 2}, "players 0 and 1, but got 2"),
        ({"price": Fraction(-1)}, "prices of at least 0, but got -1"),
        ({"infoset": None}, "triggers of the kind"),
        ({"recommended": None}, "triggers of the kind"),
        ({"infoset": 3}, "information sets of the player, but got index 3"),
        ({"recommended": 2}, "actions from 0 to 1, but got 2"),
        ({"recommended": -1}, "actions from 0 to 1, but got -1"),
        ({"flows": ()}, "do not sum to 1"),
        ({"flows": (ActionFlow(0, 0, Fraction(2)),)}, "do not sum to 1"),
        (
            {"flows": (ActionFlow(0, 0, Fraction(2)), ActionFlow(0, 1, Fraction(-1)))},
            "weights of at least 0",
        ),
        ({"flows": (ActionFlow(1, 0, Fraction(1)),)}, "at and below the trigger"),
        ({"flows": (ActionFlow(0, 2, Fraction(1)),)}, "at and below the trigger"),
        ({"player": 10**5000}, "players 0 and 1, but got int with a number of thousands of digits"),
        ({"infoset": 10**5000}, "index int with a number of thousands of digits"),
        ({"price": -Fraction(1, 10**5000)}, "prices of at least 0, but got about"),
        ({"flows": (ActionFlow(10**5000, 0, Fraction(1)),)}, "thousands of digits"),
        ({"flows": (ActionFlow(0, 0, Fraction(1, 10**5000)),)}, "do not sum to 1"),
    ],
)
def test_prices_that_are_none_are_rejected(changes, message):
    mixture = behavioral_mixture([gt.uniform_behavior(SCHOOL)])
    with pytest.raises(gt.CertificateRejected, match=message):
        certify_extensive_correlated(
            SCHOOL,
            mixture,
            kind=EXTENSIVE,
            objective=LinearObjective.welfare(SCHOOL),
            prices=[price(**changes)],
        )


def certified(game, **options):
    mixture = behavioral_mixture([gt.uniform_behavior(game)])
    objective = LinearObjective.welfare(game)
    return certify_extensive_correlated(
        game, mixture, **{"kind": EXTENSIVE, "objective": objective, **options}
    )


def test_bounds_without_prices_are_loose_but_hold():
    certificate = certified(SCHOOL, proof=BoundProof.ENUMERATION)
    certificate.verify()
    assert certificate.optimality.upper_bound == 10  # the most that any profile has
    assert "than 10" in certificate.statement
    assert certified(SCHOOL, prices=[price()]).optimality.upper_bound >= 10


def test_bounds_need_what_they_are_made_of():
    equation = ConsistencyMultiplier(0, 5, 0, Fraction(1))
    with pytest.raises(gt.CertificateRejected, match="equations of the game"):
        certified(SCHOOL, multipliers=[equation])
    mixture = behavioral_mixture([gt.pure_behavior(SCHOOL, (0, 0, 0, 0))])
    with pytest.raises(gt.CertificateRejected, match="not that of whole plans"):
        certify_extensive_correlated(
            SCHOOL,
            mixture,
            kind=ExtensiveCorrelation.NORMAL_FORM,
            objective=LinearObjective.welfare(SCHOOL),
            prices=[price()],
        )
    with pytest.raises(gt.CertificateRejected, match="at most 20000 pure profiles to look at"):
        certified(gt.load_game("leduc_poker"), proof=BoundProof.ENUMERATION)
    with pytest.raises(gt.UnsupportedGame, match="needs two players"):
        certified(gt.load_game("selten_horse"))
    with pytest.raises(gt.InvalidArgument, match="2 payoff weights"):
        certified(SCHOOL, objective=LinearObjective((Fraction(1),)))
    with pytest.raises(gt.CertificateRejected, match="as mixture"):
        certify_extensive_correlated(SCHOOL, gt.uniform_behavior(SCHOOL), kind=EXTENSIVE)
    forged = replace(
        certified(SCHOOL), optimality=ExtensiveOptimality(LinearObjective(()), 0, 0, (), ())
    )
    with pytest.raises(gt.CertificateRejected, match="optimality"):
        forged.verify()


def test_a_mixture_of_another_game_is_rejected():
    other = behavioral_mixture([gt.uniform_behavior(CENTIPEDE)])
    with pytest.raises(gt.InvalidStrategy, match="information sets"):
        certify_extensive_correlated(SCHOOL, other, kind=EXTENSIVE)
    claimed = replace(certified(SCHOOL), mixture=other)
    with pytest.raises(gt.CertificateRejected, match="extensive-correlated certificate"):
        claimed.verify()


def test_objectives_of_plays_are_expected_exactly():
    weights = [Fraction(1, 7)] * len(SCHOOL.terminals)
    objective = LinearObjective.of_outcomes(SCHOOL, weights)
    certificate = certified(SCHOOL, objective=objective, proof=BoundProof.ENUMERATION)
    assert certificate.optimality.value == certificate.optimality.upper_bound == Fraction(1, 7)
    assert objective_name(SCHOOL, objective) == "its objective"
    least = LinearObjective.least_payoff(SCHOOL, player=1)
    assert is_to_be_small(SCHOOL, least)
    assert "'Professor' is" in certified(SCHOOL, objective=least).statement
    with pytest.raises(gt.InvalidArgument, match=r"weights of shape \(8,\)"):
        LinearObjective.of_outcomes(SCHOOL, [1, 2])
    with pytest.raises(gt.InvalidArgument, match="player"):
        LinearObjective.payoff(SCHOOL, player=2)
    with pytest.raises(gt.InvalidGame, match="finite"):
        LinearObjective.of_outcomes(SCHOOL, np.full(8, np.nan))
