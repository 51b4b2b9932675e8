"""Correlated certificates accept what is proved and reject every changed number."""

import json
from dataclasses import replace
from fractions import Fraction
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.certificates.correlated import CorrelatedOptimality, equilibrium_bound
from gametheory_core.certificates.incentives import objective_values
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from gametheory_core.testing import normal_form_games

HAIR = Fraction(1, 10**30)
THIRD, HALF = Fraction(1, 3), Fraction(1, 2)
# Aumann's game: (6,6) (2,7) / (7,2) (0,0). The best correlated welfare is 21/2, at
# (1/2, 1/4, 1/4, 0); a unit of either player's incentive to disobey "swerve" is worth 3/4.
CHICKEN = gt.NormalFormGame.symmetric([[6, 2], [7, 0]])
LIGHTS = gt.correlated_distribution([["1/2", "1/4"], ["1/4", 0]])
WELFARE = certificates.LinearObjective.welfare(CHICKEN)
PRICES = tuple(certificates.IncentivePrice(player, 0, 1, Fraction(3, 4)) for player in (0, 1))


def certificate():
    return gt.certify_correlated(CHICKEN, LIGHTS, objective=WELFARE, prices=PRICES)


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert claim.payoffs == (Fraction(21, 4),) * 2
    assert claim.epsilon == claim.optimality_gap == 0
    assert claim.statement.endswith(
        "; the sum of payoffs is 21/2, and no correlated equilibrium has more"
    )
    assert claim.answer == LIGHTS
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    claim = gt.certify_correlated(CHICKEN, LIGHTS, objective=WELFARE)
    assert claim.optimality_gap == 12 - Fraction(21, 2)
    claim.verify()


def test_epsilon_is_what_disobeying_gains():
    claim = gt.certify_correlated(CHICKEN, gt.correlated_distribution([[1, 0], [0, 0]]))
    assert (claim.epsilon, claim.optimality_gap) == (1, None)
    assert "an epsilon-correlated equilibrium" in claim.statement
    claim.verify()


def test_who_sees_the_recommendation_may_gain_what_others_cannot():
    """Player 1 would swap 0 for 1, but always playing 1 loses more elsewhere."""
    game = gt.NormalFormGame.symmetric([[0, 0, 0], [0, 2, -3], [0, -3, 2]])
    matched = gt.correlated_distribution([["1/3", 0, 0], [0, "1/3", 0], [0, 0, "1/3"]])
    swapped = gt.certify_correlated(game, matched)
    fixed = certificates.certify_coarse_correlated(game, matched)
    assert (swapped.epsilon, fixed.epsilon) == (0, 0)
    assert fixed.regrets < (0, 0)
    tempted = gt.correlated_distribution([["1/3", 0, 0], ["1/3", 0, 0], [0, 0, "1/3"]])
    assert (
        gt.certify_correlated(game, tempted).epsilon
        == gt.certify_correlated(game, tempted).regrets[1]
        == Fraction(2, 3)
    )
    assert certificates.certify_coarse_correlated(game, tempted).regrets == (0, Fraction(-2, 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"correlated_kind": certificates.CorrelatedKind.COARSE}, "needs no recommended action"),
        ({"distribution": gt.correlated_distribution([[1]])}, "needs joint actions of shape"),
        ({"floors": (certificates.PayoffFloor(2, Fraction(0)),)}, "needs a player from 0 to 1"),
        (
            {"floors": (certificates.PayoffFloor(0, Fraction(0), -HAIR),)},
            "needs prices of at least 0",
        ),
        ({"floors": (certificates.PayoffFloor(0, Fraction(6), HALF),)}, "claims upper bound"),
    ],
)
def test_changed_claims_are_rejected(change, message):
    with pytest.raises(gt.CertificateRejected, match=message):
        replace(certificate(), **change).verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"prices": PRICES[:1]}, "claims upper bound"),
        ({"prices": (replace(PRICES[0], price=-HAIR),)}, "needs prices of at least 0"),
        ({"prices": (replace(PRICES[0], player=2),)}, "needs players from 0 to 1"),
        ({"prices": (replace(PRICES[0], played=2),)}, "needs a recommended action, and actions"),
        ({"prices": (replace(PRICES[0], recommended=-1),)}, "needs a recommended action"),
        ({"prices": (replace(PRICES[0], recommended=None),)}, "needs a recommended action"),
        ({"objective": certificates.LinearObjective((Fraction(1),))}, "needs 2 payoff weights"),
        ({"objective": certificates.LinearObjective.payoff(CHICKEN, player=0)}, "claims value"),
    ],
)
def test_changed_optimality_is_rejected(change, message):
    claim = certificate()
    with pytest.raises(gt.CertificateRejected, match=message):
        replace(claim, optimality=replace(claim.optimality, **change)).verify()


@pytest.mark.parametrize(
    ("objective", "said"),
    [
        (WELFARE, "the sum of payoffs is 21/2, and no correlated equilibrium has more than 12"),
        (
            certificates.LinearObjective.payoff(CHICKEN, player=1),
            "the payoff of player '2' is 21/4, and no correlated equilibrium has more than 7",
        ),
        (
            certificates.LinearObjective.least_payoff(CHICKEN, player=0),
            "the payoff of player '1' is 21/4, and no correlated equilibrium has less than 0",
        ),
        (
            certificates.LinearObjective((Fraction(2), Fraction(1))),
            "its objective is 63/4, and no correlated equilibrium has more than 18",
        ),
        (
            certificates.LinearObjective.of_outcomes(CHICKEN, [[0, -1], [0, 0]]),
            "its objective is -1/4, and no correlated equilibrium has more than 0",
        ),
    ],
)
def test_statement_names_the_objective(objective, said):
    claim = gt.certify_correlated(CHICKEN, LIGHTS, objective=objective)  # no prices: a weak bound
    assert claim.statement.endswith(f"; {said}")


def test_long_optimum_is_rounded_to_the_safe_side():
    long = Fraction(10**60 + 1, 3 * 10**60)
    least = certificates.LinearObjective.least_payoff(CHICKEN, player=0)
    claim = replace(certificate(), optimality=CorrelatedOptimality(least, -long, -long, ()))
    assert claim.statement.endswith(
        "; the payoff of player '1' is at most 0.33333333333333334 (known exactly, rounded up "
        "here), and no correlated equilibrium has less"
    )


def test_floors_are_part_of_the_bound():
    """Player 0 gets at least 6: then only welfare up to that of equilibria near (6, 6) is left."""
    floors = (certificates.PayoffFloor(0, Fraction(6), Fraction(1)),)
    claim = gt.certify_correlated(CHICKEN, LIGHTS, objective=WELFARE, prices=PRICES, floors=floors)
    assert claim.shortfall == Fraction(3, 4)
    assert "the payoff floors are missed by at most 3/4" in claim.statement
    assert claim.optimality.upper_bound == equilibrium_bound(
        CHICKEN, certificates.CorrelatedKind.CORRELATED, WELFARE, PRICES, floors
    )
    claim.verify()


@pytest.mark.parametrize(
    "claim",
    [
        certificate(),
        certificates.certify_coarse_correlated(CHICKEN, LIGHTS),
        certificates.certify_coarse_correlated(
            CHICKEN,
            LIGHTS,
            objective=certificates.LinearObjective.of_outcomes(CHICKEN, [[1, 0], ["1/3", -2]]),
            prices=(certificates.IncentivePrice(0, None, 1, THIRD),),
            floors=(certificates.PayoffFloor(1, Fraction(2), THIRD),),
        ),
    ],
    ids=["optimal", "no objective", "coarse with a floor"],
)
def test_json_round_trip(claim):
    text = json.dumps(certificate_record(claim))
    again = certificate_from(parse_json(text, name="answer.json"))
    assert again == claim
    again.verify()


def test_objectives_are_exact_functions_of_joint_actions():
    values = objective_values(
        CHICKEN, certificates.LinearObjective((Fraction(1, 3), Fraction(-1, 2)))
    )
    assert Fraction(values.numerators[0, 1], values.denominator) == Fraction(2, 3) - Fraction(7, 2)
    least = objective_values(CHICKEN, certificates.LinearObjective.least_payoff(CHICKEN, player=1))
    assert Fraction(least.numerators[1, 0], least.denominator) == -2


@given(normal_form_games(), st.data())
def test_objectives_weigh_payoffs_and_outcomes_of_any_number_of_players(game, data):
    number = st.fractions(-2, 2, max_denominator=3)
    weights = data.draw(st.tuples(*[number] * game.num_players))
    outcomes = data.draw(st.tuples(*[number] * prod(game.num_actions)) | st.just(()))
    values = objective_values(game, certificates.LinearObjective(weights, outcomes))
    for k, joint in enumerate(np.ndindex(game.num_actions)):
        wanted = sum(w * own[joint] for w, own in zip(weights, game.exact_payoffs, strict=True))
        wanted += outcomes[k] if outcomes else 0
        assert Fraction(values.numerators[joint], values.denominator) == wanted


@pytest.mark.parametrize(
    "constructor", [certificates.LinearObjective.payoff, certificates.LinearObjective.least_payoff]
)
def test_objective_of_nobody_is_refused(constructor):
    with pytest.raises(gt.InvalidArgument, match="needs player to be an integer from 0"):
        constructor(CHICKEN, player=2)


def test_objective_of_another_shape_is_refused():
    with pytest.raises(
        gt.InvalidArgument, match=r"needs weights of shape \(2, 2\), but got \(2,\)"
    ):
        certificates.LinearObjective.of_outcomes(CHICKEN, [1, 2])


def test_distribution_of_another_game_is_refused():
    with pytest.raises(gt.InvalidStrategy, match="needs joint actions of shape"):
        gt.certify_correlated(CHICKEN, gt.correlated_distribution([[1]]))


def test_optimality_gap_is_what_is_missing():
    found = CorrelatedOptimality(WELFARE, Fraction(1), Fraction(3), ())
    assert found.gap == 2
