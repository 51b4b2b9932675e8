"""Certificates of the best equilibrium: true claims pass, and no forged one does."""

import json
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.arrays import exact_array
from gametheory_core.certificates.equilibrium_bounds import (
    Case,
    Leaf,
    absent_actions,
    expectation_bound,
)
from gametheory_core.certificates.optimal_equilibrium import leaf_bound, scaled_scores, score_of
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from gametheory_core.strategies import supports
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import mixed_integer, vertex_enumeration

BY = certificates.EquilibriumObjective
BATTLE = gt.NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
ROW, COLUMN = certificates.Label(0, 0), certificates.Label(1, 0)
# the other two equilibria pay 5 and 5: the mixed one, by row in 3/5 and column in 2/5, pays 12/5
WORST = gt.MixedProfile((exact_array(["3/5", "2/5"]), exact_array(["2/5", "3/5"])))


def proved():
    return mixed_integer(BATTLE, objective=BY.LEAST_WELFARE).certificate


def games():
    return normal_form_games(num_players=(2, 2), max_actions=4, kinds=tuple(PayoffKind))


@given(games(), st.sampled_from(list(BY)), st.integers(0, 1))
def test_certificate_survives_a_file(game, objective, player):
    own = player if "payoff" in objective.value else None
    certificate = mixed_integer(game, objective=objective, player=own).certificate
    text = json.dumps(certificate_record(certificate))
    again = certificate_from(parse_json(text, name="answer.json"))
    assert again == certificate
    again.verify()


@st.composite
def leaves(draw, game, case):
    """Weights of any kind, as long as the checker admits them."""
    incentives = []
    for _ in range(draw(st.integers(0, 4))):
        player = draw(st.integers(0, 1))
        actions = st.integers(0, game.num_actions[player] - 1)
        action, instead = draw(actions), draw(actions)
        low = -4 if instead in case.played[player] else 0
        weight = Fraction(draw(st.integers(low, 4)), draw(st.integers(1, 3)))
        incentives.append(certificates.IncentiveWeight(player, action, instead, weight))
    return Leaf(tuple(incentives))


@given(games(), st.data())
def test_no_weights_prove_less_than_an_equilibrium_scores(game, data):
    """Soundness: whatever the leaf, every equilibrium of its case stays below its bound."""
    solution = data.draw(st.sampled_from(vertex_enumeration(game).equilibria))
    played = supports(solution.profile)
    unplayed = tuple(
        frozenset(a for a in range(count) if a not in own)
        for own, count in zip(played, game.num_actions, strict=True)
    )
    case = Case(
        tuple(frozenset(a for a in side if data.draw(st.booleans())) for side in unplayed),
        tuple(frozenset(a for a in side if data.draw(st.booleans())) for side in played),
    )
    leaf = data.draw(leaves(game, case))
    for objective in BY:
        scores = scaled_scores(game, objective=objective, player=1)
        bound = leaf_bound(game, case, leaf, objective=objective, scores=scores)
        score = score_of(game, solution.profile, objective=objective, player=1)
        assert bound is not None
        assert bound >= score


@given(games(), st.data())
def test_no_weights_show_a_played_action_absent(game, data):
    solution = data.draw(st.sampled_from(vertex_enumeration(game).equilibria))
    played = supports(solution.profile)
    case = Case(played=tuple(map(frozenset, played)))
    leaf = data.draw(leaves(game, case))
    absences = tuple(
        certificates.AbsenceWeight(player, action, Fraction(1))
        for player in range(2)
        for action in range(game.num_actions[player])
        if data.draw(st.booleans())
    )
    try:
        absent = absent_actions(game, case, replace(leaf, absences=absences))
    except gt.CertificateRejected:
        return
    assert all(label.action not in played[label.player] for label in absent)


def test_absent_actions_are_shown_so():
    """The first row is strictly dominated: one incentive proves that it is never played."""
    game = gt.NormalFormGame.bimatrix([[0, 0], [1, 2]], [[1, 2], [3, 0]])
    leaf = Leaf(
        (certificates.IncentiveWeight(0, 0, 1, Fraction(1)),),
        (certificates.AbsenceWeight(0, 0, Fraction(1)),),
    )
    assert absent_actions(game, Case(), leaf) == {ROW}
    with pytest.raises(gt.CertificateRejected, match="weights that should show actions absent"):
        absent_actions(game, Case(), Leaf((), leaf.absences))


def test_bound_without_weights_is_the_best_pair_of_actions():
    table = scaled_scores(BATTLE, objective=BY.LARGEST_WELFARE, player=0)
    assert expectation_bound(BATTLE, Case(), Leaf(), table) == 5
    nothing = Case(unplayed=(frozenset({0, 1}), frozenset()))
    assert expectation_bound(BATTLE, nothing, Leaf(), table) is None


@pytest.mark.parametrize(
    ("objective", "value"),
    [
        (BY.LARGEST_WELFARE, 5),
        (BY.LEAST_WELFARE, Fraction(12, 5)),
        (BY.LARGEST_PAYOFF, 3),
        (BY.LEAST_PAYOFF, Fraction(6, 5)),
        (BY.SMALLEST_SUPPORT, 2),
        (BY.LARGEST_SUPPORT, 4),
    ],
)
def test_statement_names_the_value(objective, value):
    certificate = mixed_integer(BATTLE, objective=objective).certificate
    assert certificate.value == value
    more = "less" if objective.value.startswith(("least", "smallest")) else "more"
    assert certificate.statement.endswith(f" {value}, exactly; no equilibrium has {more}")


def test_statement_says_the_gap():
    certificate = certificates.certify_optimal_equilibrium(
        BATTLE, WORST, objective=BY.LARGEST_WELFARE
    )
    assert certificate.epsilon == Fraction(13, 5)
    assert certificate.statement == (
        "a Nash equilibrium with a sum of payoffs of 12/5; no equilibrium has more than 5"
    )


FORGERIES = {
    "score": (lambda c: replace(c, score=c.score + 1), "claims score"),
    "bound below": (lambda c: replace(c, upper_bound=c.score - 1), "claims upper bound"),
    "better objective": (lambda c: replace(c, objective=BY.LARGEST_WELFARE), "claims score"),
    "another player": (
        lambda c: replace(c, objective=BY.LEAST_PAYOFF, player=5),
        "player from 0 to 1",
    ),
    "no equilibrium": (lambda c: replace(c, profile=gt.uniform_profile(BATTLE)), "somebody gains"),
    "worse equilibrium": (
        lambda c: replace(c, profile=gt.pure_profile(BATTLE, (0, 0))),
        "claims score -12/5, but the exact value is -5",
    ),
    "floats": (lambda c: replace(c, profile=c.profile.to_float()), "needs a rational profile"),
    "played although ruled out": (
        lambda c: replace(c, unplayed=(ROW,)),
        "is ruled out, but played",
    ),
    "no such action ruled out": (
        lambda c: replace(c, unplayed=(certificates.Label(1, 2),)),
        "names no action of the game",
    ),
    "no proof": (
        lambda c: replace(c, questions=(None,), leaves=(Leaf(),)),
        "claims upper bound -12/5, but the exact value is 0",
    ),
    "open case": (
        lambda c: replace(c, questions=(ROW, None), leaves=c.leaves[:1]),
        "leaves 1 cases open",
    ),
    "no question": (lambda c: replace(c, questions=(), leaves=()), "leaves 1 cases open"),
    "lacking leaf": (lambda c: replace(c, questions=(None,), leaves=()), "lacks a leaf"),
    "more leaves": (
        lambda c: replace(c, questions=(None,), leaves=(Leaf(), Leaf())),
        "more leaves than cases",
    ),
    "goes on": (
        lambda c: replace(c, questions=(None, None), leaves=(Leaf(), Leaf())),
        "goes on after its last leaf",
    ),
    "negative weight": (
        lambda c: replace(
            c,
            questions=(None,),
            leaves=(Leaf((certificates.IncentiveWeight(0, 0, 1, Fraction(-1)),)),),
        ),
        "is negative, but action 1 of player . is not known to be played",
    ),
    "no such action": (
        lambda c: replace(
            c,
            questions=(None,),
            leaves=(Leaf((certificates.IncentiveWeight(0, 0, 2, Fraction(1)),)),),
        ),
        "names no action of the game",
    ),
    "absence without weight": (
        lambda c: replace(
            c,
            questions=(None,),
            leaves=(Leaf((), (certificates.AbsenceWeight(0, 0, Fraction(0)),)),),
        ),
        "positive weights of absences, but one is 0",
    ),
    "absent action of nobody": (
        lambda c: replace(
            c,
            questions=(None,),
            leaves=(Leaf((), (certificates.AbsenceWeight(2, 0, Fraction(1)),)),),
        ),
        "names no action of the game",
    ),
    "asserted absence": (
        lambda c: replace(
            c,
            questions=(None,),
            leaves=(Leaf((), (certificates.AbsenceWeight(0, 0, Fraction(1)),)),),
        ),
        "weights that should show actions absent leave 1",
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_forged_certificate_is_rejected(name):
    forge, words = FORGERIES[name]
    forged = forge(proved())
    with pytest.raises(gt.CertificateRejected, match=words):
        forged.verify()


def test_leaves_without_their_weights_do_not_prove_the_bound():
    payoffs = np.random.default_rng(1).integers(-100, 101, (2, 8, 8))
    game = gt.NormalFormGame.from_payoffs(payoffs)
    certificate = mixed_integer(game, objective=BY.LEAST_WELFARE).certificate
    assert len(certificate.leaves) > 1
    forged = replace(certificate, leaves=tuple(Leaf() for _ in certificate.leaves))
    with pytest.raises(gt.CertificateRejected, match="claims upper bound"):
        forged.verify()


def test_absences_bound_no_payoff():
    game = gt.NormalFormGame.bimatrix([[0, 0], [1, 2]], [[1, 2], [3, 0]])
    leaf = Leaf(
        (certificates.IncentiveWeight(0, 0, 1, Fraction(1)),),
        (certificates.AbsenceWeight(0, 0, Fraction(1)),),
    )
    scores = scaled_scores(game, objective=BY.LARGEST_WELFARE, player=0)
    options = {"objective": BY.LARGEST_WELFARE, "scores": scores}
    with pytest.raises(gt.CertificateRejected, match="absences bound no payoff"):
        leaf_bound(game, Case(), leaf, **options)
    case = Case().answered(ROW, is_played=True)
    assert leaf_bound(game, case, leaf, **options) is None


def test_three_players_are_refused():
    game = gt.NormalFormGame.from_payoffs(np.zeros((3, 2, 2, 2), dtype=int))
    profile = gt.pure_profile(game, (0, 0, 0))
    with pytest.raises(gt.UnsupportedGame, match="needs two players"):
        certificates.certify_optimal_equilibrium(game, profile, objective=BY.LARGEST_WELFARE)
    forged = replace(proved(), game=game, profile=profile)
    with pytest.raises(gt.CertificateRejected, match="needs two players"):
        forged.verify()
