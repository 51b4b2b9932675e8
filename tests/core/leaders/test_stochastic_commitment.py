"""Certificates of stochastic commitment: sound against forged prices, policies and numbers."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, leaders
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.leaders.deviation_prices import (
    DeviationPrices,
    DeviationRate,
    GuaranteeLottery,
    PriceNode,
    price_bound,
)
from gametheory_core.leaders.stochastic_commitment import BOUND

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
COOPERATE, DEFECT, EVEN = (ONE, ZERO), (ZERO, ONE), (HALF, HALF)
OPTIMUM = leaders.StochasticLeader((DEFECT, EVEN, DEFECT, EVEN, DEFECT))


def dilemma(rounds=2):
    return leaders.leader_view(iterated_prisoners_dilemma(rounds=rounds))


def hand_made():
    """Two rounds of the dilemma, priced by hand; the follower defends herself by defecting.

    In the last round she defects for sure: 3 units of not cooperating cost 0 of defecting. In the
    first one cooperating is weighed against defecting at 1/2.
    """
    last, now = dilemma().num_states, range(1, dilemma().num_states)
    guarantees = [GuaranteeLottery(1, state, DEFECT) for state in now]
    guarantees.append(GuaranteeLottery(0, 0, DEFECT))
    against = (DeviationRate(0, 1, Fraction(3)),)
    nodes = [PriceNode(1, state, price, against) for state in now for price in (ZERO, HALF)]
    nodes.append(PriceNode(0, 0, ZERO, (DeviationRate(0, 1, HALF),)))
    assert last == 5
    return DeviationPrices(tuple(guarantees), tuple(nodes))


def test_prices_by_hand_prove_the_optimum():
    certificate = leaders.certify_stochastic_commitment(dilemma(), OPTIMUM, prices=hand_made())
    certificate.verify()
    assert certificate.leader_payoff == certificate.upper_bound == Fraction(-5, 2)
    assert certificate.follower_payoff == -4
    assert certificate.payoffs == (Fraction(-5, 2), -4)
    assert replace(certificate, leader=1).payoffs == (-4, Fraction(-5, 2))


@given(st.data())
def test_no_prices_whatever_bound_less_than_a_leader_earns(data):
    """Soundness: any lotteries and any rates prove true bounds."""
    view = data.draw(leaders.leader_games(max_states=3, max_horizon=3))
    prices = drawn_prices(data.draw, view)
    policy = data.draw(leaders.stochastic_leaders(view))
    bound = price_bound(view, prices, kind=BOUND)
    assert leaders.follower_response(view, policy).returns[0] <= bound
    leaders.CommitmentBoundCertificate(view.game, view.leader, bound, prices).verify()


def drawn_prices(draw, view):
    guarantees, nodes = [], []
    level = {(s, ZERO) for s, _ in view.initial if view.leader_observation[s] >= 0}
    for time in range(view.horizon):
        after = set()
        for state in sorted({s for s, _ in level}):
            theirs = view.follower_actions(int(view.follower_observation[state]))
            lottery = [ZERO] * len(view.game.actions[view.follower])
            lottery[draw(st.sampled_from(theirs))] += HALF
            lottery[draw(st.sampled_from(theirs))] += HALF
            guarantees.append(GuaranteeLottery(time, state, tuple(lottery)))
        for state, price in sorted(level):
            mine = view.leader_actions(int(view.leader_observation[state]))
            theirs = view.follower_actions(int(view.follower_observation[state]))
            rates = [
                DeviationRate(draw(st.sampled_from(theirs)), draw(st.sampled_from(theirs)), rate)
                for rate in draw(st.lists(st.sampled_from([HALF, ONE]), max_size=2))
            ]
            nodes.append(PriceNode(time, state, price, tuple(rates)))
            for b in theirs:
                later = price + sum((r.rate for r in rates if r.answer == b), ZERO)
                after |= {
                    (s, later)
                    for a in mine
                    for s, _ in view.step(state, a, b).next
                    if view.leader_observation[s] >= 0
                }
        level = after
    return DeviationPrices(tuple(guarantees), tuple(nodes))


def test_negative_rates_twin():
    """With negative rates the dilemma would be bounded below what its leader earns."""
    prices = hand_made()
    root = replace(prices.nodes[-1], rates=(DeviationRate(0, 1, -ONE),))
    forged = replace(prices, nodes=(*prices.nodes[:-1], root))
    with pytest.raises(CertificateRejected, match="needs rates of at least 0 on legal actions"):
        price_bound(dilemma(), forged, kind=BOUND)


@pytest.mark.parametrize(("answer", "deviation"), [(0, 2), (2, 0), (0, -1), (-1, 0)])
def test_rates_on_actions_that_are_none_are_rejected(answer, deviation):
    prices = hand_made()
    root = replace(prices.nodes[-1], rates=(DeviationRate(answer, deviation, HALF),))
    forged = replace(prices, nodes=(*prices.nodes[:-1], root))
    with pytest.raises(CertificateRejected, match="needs rates of at least 0 on legal actions"):
        price_bound(dilemma(), forged, kind=BOUND)


def test_unpaid_price_twin():
    """A node at a price that its rates do not lead to proves nothing."""
    prices = hand_made()
    forged = replace(prices, nodes=tuple(n for n in prices.nodes if n.price != HALF))
    with pytest.raises(
        CertificateRejected, match="needs a bound at step 1 in state . at price 1/2"
    ):
        price_bound(dilemma(), forged, kind=BOUND)


def test_negative_price_is_rejected():
    prices = hand_made()
    forged = replace(prices, nodes=(PriceNode(1, 1, -ONE), *prices.nodes))
    with pytest.raises(CertificateRejected, match="needs prices of at least 0, each once"):
        price_bound(dilemma(), forged, kind=BOUND)


def test_repeated_node_is_rejected():
    prices = hand_made()
    forged = replace(prices, nodes=(*prices.nodes, prices.nodes[-1]))
    with pytest.raises(CertificateRejected, match="needs prices of at least 0, each once"):
        price_bound(dilemma(), forged, kind=BOUND)


@pytest.mark.parametrize(
    "lottery", [(ONE, ONE), (Fraction(2), -ONE), (ONE,), (ZERO, ZERO), (HALF, HALF, ZERO)]
)
def test_guarantee_that_is_no_lottery_is_rejected(lottery):
    prices = hand_made()
    forged = replace(prices, guarantees=(*prices.guarantees[:-1], GuaranteeLottery(0, 0, lottery)))
    with pytest.raises(
        CertificateRejected, match="needs one distribution over the follower's legal"
    ):
        price_bound(dilemma(), forged, kind=BOUND)


def test_second_guarantee_of_a_state_is_rejected():
    prices = hand_made()
    forged = replace(prices, guarantees=(*prices.guarantees, GuaranteeLottery(1, 1, EVEN)))
    with pytest.raises(
        CertificateRejected, match="needs one distribution over the follower's legal"
    ):
        price_bound(dilemma(), forged, kind=BOUND)


def test_missing_guarantee_is_rejected():
    prices = hand_made()
    forged = replace(prices, guarantees=prices.guarantees[-1:])
    with pytest.raises(
        CertificateRejected, match="needs a mixed action that guarantees the follower"
    ):
        price_bound(dilemma(), forged, kind=BOUND)


@pytest.mark.parametrize(("time", "state"), [(2, 0), (-1, 0), (0, 5), (0, -1)])
def test_place_that_is_none_is_rejected(time, state):
    forged = replace(hand_made(), nodes=(PriceNode(time, state, ZERO),))
    with pytest.raises(
        CertificateRejected, match="needs steps 0 to 1 and states where play continues"
    ):
        price_bound(dilemma(), forged, kind=BOUND)


def test_stationary_follower_takes_no_rates():
    with pytest.raises(CertificateRejected, match="needs prices without rates for a stationary"):
        leaders.certify_stochastic_commitment(
            dilemma(), OPTIMUM, follower_class=leaders.FollowerClass.STATIONARY, prices=hand_made()
        )


def test_stationary_follower_twin():
    """She cannot defect in the last round only: -13/2, proved of who remembers, is exceeded."""
    third = (Fraction(2, 3), Fraction(1, 3))
    policy = leaders.StochasticLeader((DEFECT, third, DEFECT, EVEN, DEFECT))
    response = leaders.follower_response(
        dilemma(rounds=10), policy, follower_class=leaders.FollowerClass.STATIONARY
    )
    assert response.returns[0] > Fraction(-13, 2)


def test_game_without_horizon_is_rejected():
    certificate = leaders.certify_stochastic_commitment(dilemma(), OPTIMUM, prices=hand_made())
    endless = replace(certificate.game, horizon=None)
    with pytest.raises(CertificateRejected, match="needs a game with a horizon"):
        replace(certificate, game=endless).verify()


def test_lottery_that_is_none_is_rejected():
    bad = leaders.StochasticLeader(((ONE, ONE), EVEN, DEFECT, EVEN, DEFECT))
    with pytest.raises(CertificateRejected, match="needs mixed actions of weights of at least 0"):
        leaders.certify_stochastic_commitment(dilemma(), bad, prices=hand_made())


def test_policy_of_another_length_is_rejected():
    bad = leaders.StochasticLeader((EVEN,))
    with pytest.raises(CertificateRejected, match="needs a tuple of 5 mixed actions"):
        leaders.certify_stochastic_commitment(dilemma(), bad, prices=hand_made())


def test_statement_says_how_far_the_bound_is():
    loose = DeviationPrices((), tuple(PriceNode(t, s, ZERO) for t, s in places()))
    certificate = leaders.certify_stochastic_commitment(dilemma(), OPTIMUM, prices=loose)
    assert certificate.epsilon == Fraction(5, 2)
    assert certificate.statement.endswith(
        "no mixed actions by step and state get more than 0, nor any commitment from a follower "
        "who remembers all that she saw and did"
    )


def test_statements_say_whom_the_bound_is_about():
    """Who forgets may give more to leaders who remember; who is stationary, to any leader."""
    loose = DeviationPrices((), tuple(PriceNode(t, s, ZERO) for t, s in places()))
    stationary = leaders.certify_stochastic_commitment(
        dilemma(), OPTIMUM, follower_class=leaders.FollowerClass.STATIONARY, prices=loose
    )
    assert stationary.statement.endswith("however both play, the leader gets no more than 0")
    game = dilemma()
    bound = leaders.CommitmentBoundCertificate(game.game, game.leader, Fraction(-5, 2), hand_made())
    bound.verify()
    assert bound.statement.endswith(
        "earns more than -5/2 from a best-responding follower who remembers all that she saw and "
        "did, states included"
    )


def places():
    return [(0, 0), *((1, s) for s in range(1, 5))]
