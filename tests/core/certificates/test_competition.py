"""Proofs by strict competition: sound for any strategies, and refused for other games."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import (
    BoundProof,
    LinearObjective,
    certify_extensive_correlated,
    certify_extensive_correlated_commitment,
    certify_extensive_stackelberg,
)
from gametheory_core.certificates.extensive_correlated import DeviationPrice
from gametheory_core.certificates.extensive_stackelberg_bounds import SequenceTransfer
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games import exchange_of, is_strictly_competitive
from gametheory_core.strategies import BehavioralProfile, behavioral_mixture
from gametheory_core.testing import behavioral_profiles
from solvers import sequence_form_lp
from tests.solvers.trees.trees import with_payoffs
from tests.theorems.test_adler2009_strict_competition import opposed_trees

KIND = ExtensiveCorrelation.EXTENSIVE
KUHN = gt.load_game("kuhn_poker")


def joined(game, own, other, player):
    """One player's strategy of the first profile, with the rest of the second."""
    movers = game.infoset_player[: game.num_decision_infosets].tolist()
    pairs = zip(movers, own.probabilities, other.probabilities, strict=True)
    return BehavioralProfile(tuple(mine if i == player else theirs for i, mine, theirs in pairs))


def value_of(game):
    """The minimax payoffs, from the twin in which the second player pays the first."""
    paid = [(u, -u) for u in game.exact_terminal_payoffs[:, 0].tolist()]
    outcomes = np.full(game.num_nodes, -1)
    outcomes[game.terminals] = np.arange(len(paid))
    twin = gt.ExtensiveFormGame(
        game.players, game.infosets, game.node_infoset, tuple(map(gt.games.Outcome, paid)), outcomes
    )
    return sequence_form_lp(twin).certificate.game_value


@given(st.data(), opposed_trees(), st.sampled_from([0, 1]))
def test_any_commitment_and_best_reply_have_a_bound_that_holds(data, game, leader):
    profile = data.draw(behavioral_profiles(game))
    best = gt.best_response(game, profile, player=1 - leader).actions
    answer = iter(best)
    movers = game.infoset_player[: game.num_decision_infosets].tolist()
    reply = gt.pure_behavior(game, [next(answer) if i != leader else 0 for i in movers])
    both = joined(game, profile, reply, leader)
    certificate = certify_extensive_stackelberg(game, both, leader=leader, cases=())
    certificate.verify()
    terms, value = exchange_of(game), value_of(game)
    own = value if leader == 0 else terms.constant - terms.rate * value
    assert certificate.leader_payoff <= own <= certificate.upper_bound


@given(st.data(), opposed_trees(), st.fractions(-2, 2, max_denominator=3))
def test_any_mixture_has_a_bound_that_holds(data, game, weight):
    drawn = [data.draw(behavioral_profiles(game)) for _ in range(2)]
    mixture = behavioral_mixture(drawn, weights=["1/3", "2/3"])
    objective = LinearObjective((weight, Fraction(0)))
    for kind in (KIND, ExtensiveCorrelation.NORMAL_FORM_COARSE):
        certificate = certify_extensive_correlated(
            game, mixture, kind=kind, objective=objective, proof=BoundProof.COMPETITION
        )
        certificate.verify()
        assert certificate.optimality.upper_bound >= weight * value_of(game)


@given(st.data(), opposed_trees())
def test_a_bound_in_another_players_units_is_as_good(data, game):
    """The second player's payoff is the first one's in other units: the bounds agree."""
    mixture = behavioral_mixture([data.draw(behavioral_profiles(game))])
    assume(len({tuple(p) for p in game.exact_terminal_payoffs.tolist()}) > 1)
    found = [
        certify_extensive_correlated(
            game, mixture, kind=KIND, objective=objective, proof=BoundProof.COMPETITION
        ).optimality
        for objective in (
            LinearObjective.least_payoff(game, player=0),
            LinearObjective.payoff(game, player=1),
        )
    ]
    (low, high), (other, next_other) = sorted(
        {tuple(p) for p in game.exact_terminal_payoffs.tolist()}
    )[:2]
    rate = (high - next_other) / (other - low)
    assert found[1].gap == rate * found[0].gap


def certified(game, **changes):
    mixture = behavioral_mixture([gt.uniform_behavior(game)])
    given_fields = {
        "kind": KIND,
        "objective": LinearObjective.welfare(game),
        "proof": BoundProof.COMPETITION,
    }
    return certify_extensive_correlated(game, mixture, **{**given_fields, **changes})


def test_uniform_play_bounds_welfare_exactly_and_payoffs_by_gains():
    assert certified(KUHN).optimality.gap == 0
    own = certified(KUHN, objective=LinearObjective.payoff(KUHN, player=0))
    assert own.optimality.gap == own.gains[0] > 0
    least = certified(KUHN, objective=LinearObjective.least_payoff(KUHN, player=0))
    assert least.optimality.gap == own.gains[1] > 0


def test_the_second_player_s_gains_count_in_units_of_the_first():
    paid = [(u, -3 * u) for u in KUHN.exact_terminal_payoffs[:, 0].tolist()]
    game = with_payoffs(KUHN, paid)
    least = certified(game, objective=LinearObjective.least_payoff(game, player=0))
    assert least.gains[1] == 3 * certified(KUHN).gains[1]
    assert least.optimality.gap == least.gains[1] / 3


@pytest.mark.parametrize("name", ["centipede", "school_signalling"])
def test_other_games_need_another_proof(name):
    game = gt.load_game(name)
    assert not is_strictly_competitive(game)
    uniform = gt.uniform_behavior(game)
    with pytest.raises(gt.CertificateRejected, match="needs a strictly competitive game"):
        certified(game)
    best = gt.best_response(game, uniform, player=1).actions
    movers = game.infoset_player[: game.num_decision_infosets].tolist()
    answer = iter(best)
    reply = gt.pure_behavior(game, [next(answer) if i else 0 for i in movers])
    profile = joined(game, uniform, reply, 0)
    with pytest.raises(gt.CertificateRejected, match="needs a strictly competitive game"):
        certify_extensive_stackelberg(game, profile, leader=0, cases=())


def test_three_players_need_another_proof():
    with pytest.raises(gt.CertificateRejected, match="has 3 players"):
        certified(gt.load_game("kuhn_poker:players=3,cards=4"))


def test_prices_and_objectives_of_outcomes_have_no_place_in_it():
    price = DeviationPrice(0, 0, 0, Fraction(1), ())
    with pytest.raises(gt.CertificateRejected, match="no prices and no multipliers"):
        certified(KUHN, prices=(price,))
    outcomes = LinearObjective.of_outcomes(KUHN, [1] * len(KUHN.terminals))
    with pytest.raises(gt.CertificateRejected, match="an objective of payoffs alone"):
        certified(KUHN, objective=outcomes)
    with pytest.raises(gt.InvalidArgument, match="2 payoff weights"):
        certified(KUHN, objective=LinearObjective((Fraction(1),)))


def test_transfers_have_no_place_in_it_either():
    solved = behavioral_mixture([sequence_form_lp(KUHN).profile])
    transfer = SequenceTransfer(0, 0, Fraction(1))
    for proof, transfers in ((BoundProof.COMPETITION, (transfer,)), (BoundProof.ENUMERATION, ())):
        with pytest.raises(gt.CertificateRejected, match="or strict competition and none of them"):
            certify_extensive_correlated_commitment(
                KUHN, solved, leader=0, deviations=(), transfers=transfers, proof=proof
            )
    certificate = certify_extensive_correlated_commitment(
        KUHN, solved, leader=0, deviations=(), transfers=(), proof=BoundProof.COMPETITION
    )
    assert certificate.upper_bound == certificate.leader_payoff == Fraction(-1, 18)


def test_a_commitment_that_proves_itself_says_that_ties_do_not_matter():
    profile = sequence_form_lp(KUHN).profile
    certificate = certify_extensive_stackelberg(KUHN, profile, leader=1, cases=())
    assert certificate.statement == (
        "player 'Player 2' commits and gets 1/18, exactly; no commitment gets more, however ties "
        "break"
    )
