"""Correlated Markov certificates: disobedience by every plan, and forged claims."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.catalog import RepeatedGame
from gametheory_core.certificates import certify_markov_correlated
from gametheory_core.conversions import markov_view
from gametheory_core.strategies import MarkovCorrelation
from gametheory_core.testing import markov_games

ZERO, ONE = Fraction(0), Fraction(1)


@st.composite
def correlations(draw, view):
    """One or two equally likely joint actions at each time and state."""
    rows = []
    for layer in view.layers:
        row = [None] * view.num_states
        for state in layer.tolist():
            cells = list(product(*view.legal[state]))
            chosen = sorted(draw(st.sets(st.sampled_from(cells), min_size=1, max_size=2)))
            shape = tuple(map(len, view.game.actions))
            weights = (Fraction(1, len(chosen)),) * len(chosen)
            row[state] = gt.CorrelatedDistribution(shape, tuple(chosen), weights)
        rows.append(tuple(row))
    return MarkovCorrelation(tuple(rows))


def returns(view, profile, player, answers):
    """What play pays if a player answers by a plan: (time, state, recommendation) -> action."""
    total, weights = ZERO, dict(view.initial)
    for time, layer in enumerate(view.layers):
        following = {}
        for state in layer.tolist():
            law = profile.distributions[time][state]
            for joint, share in zip(law.joint_actions, law.probabilities, strict=True):
                played = list(joint)
                played[player] = answers.get((time, state, joint[player]), joint[player])
                code = sum(a * w for a, w in zip(played, view.game.strides, strict=True))
                row = int(view.game.find_transitions(state, code))
                weight = weights.get(state, ZERO) * share * view.game.discount
                paid = Fraction(view.rewards.numerators[row, player], view.rewards.denominator)
                total += weights.get(state, ZERO) * share * paid * view.game.discount**time
                entries = view.game.transition_kernel.row(row)
                for after, odds in zip(
                    view.game.transition_kernel.outcome[entries].tolist(),
                    view.game.transition_kernel.weight[entries].tolist(),
                    strict=True,
                ):
                    own = weights.get(state, ZERO) * share * odds
                    following[after] = following.get(after, ZERO) + own
                assert weight >= 0
        weights = following
    return total


def plans(view, profile, player):
    """Every plan of answers to recommendations."""
    asked = [
        (time, state, told)
        for time, layer in enumerate(view.layers)
        for state in layer.tolist()
        for told in sorted({j[player] for j in profile.distributions[time][state].joint_actions})
    ]
    for answers in product(*(view.legal[state][player] for _, state, _ in asked)):
        yield dict(zip(asked, answers, strict=True))


@given(st.data())
def test_no_plan_of_disobedience_gains_more_than_epsilon(data):
    view = data.draw(markov_games(num_players=(2, 2), max_states=2, max_horizon=2))
    profile = data.draw(correlations(view))
    certificate = certify_markov_correlated(view, profile, tolerance=None)
    certificate.verify()
    gains = []
    for player in range(2):
        own = returns(view, profile, player, {})
        assert own == certificate.payoffs[player]
        gains.append(
            max(returns(view, profile, player, p) for p in plans(view, profile, player)) - own
        )
    assert max(gains) <= certificate.epsilon
    if len(view.layers) == 1 and len(view.initial) == 1:
        assert max(gains) == certificate.epsilon


def lights():
    """Traffic lights in chicken, once."""
    view = markov_view(RepeatedGame.of("chicken", recall=0))
    law = gt.correlated_distribution([["1/3", "1/3"], ["1/3", 0]])
    return view, MarkovCorrelation(((law,),))


def test_who_gains_is_named():
    view = markov_view(RepeatedGame.of("prisoners_dilemma", recall=0))
    law = gt.correlated_distribution([[1, 0], [0, 0]])
    with pytest.raises(
        gt.CertificateRejected, match="from time 0 in state .* on player .* gains 2"
    ):
        certify_markov_correlated(view, MarkovCorrelation(((law,),)))


def test_endless_games_are_refused():
    view = markov_view(RepeatedGame.of("chicken", rounds=None, discount=Fraction(1, 2)))
    with pytest.raises(gt.UnsupportedGame, match="needs a horizon"):
        certify_markov_correlated(view, MarkovCorrelation(()))


def test_bad_questions_are_refused():
    view, profile = lights()
    with pytest.raises(gt.InvalidArgument, match="a tolerance of at least 0 as a Fraction"):
        certify_markov_correlated(view, profile, tolerance=0.1)
    with pytest.raises(gt.CertificateRejected, match="needs a MarkovCorrelation as profile"):
        certify_markov_correlated(view, None)


def test_each_recommendation_has_an_answer_of_its_own():
    """Told what the other plays too, Odd gains 2 by doing the opposite, 1 by a fixed action."""
    view = markov_view(RepeatedGame.of("matching_pennies", recall=0))
    law = gt.correlated_distribution([["1/2", 0], [0, "1/2"]])
    certificate = certify_markov_correlated(view, MarkovCorrelation(((law,),)), tolerance=None)
    assert certificate.payoffs == (1, -1)
    assert certificate.epsilon == 2
