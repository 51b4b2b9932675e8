"""Whether a weak Stackelberg value is attained is decided exactly, and proved either way."""

import json
from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame
from gametheory_core.certificates.weak_stackelberg import Obstacle
from gametheory_core.formats import certificate_from, certificate_record, parse_json
from solvers import Budget, weak_stackelberg
from tests.sample_sizes import many
from tests.solvers.stackelberg.region_vertices import (
    bimatrix_games,
    from_the_leaders_side,
    polytope_vertices,
    worst_payoff,
)

LEADERS = st.sampled_from([0, 1])
TEXTBOOK = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
# Row 3 pays 2 whatever is answered; at row 2 the other column, as good, pays 1.
TWO_WAYS = NormalFormGame.bimatrix([[1, 0], [2, 1], [2, 2]], [[1, 0], [1, 1], [1, 1]])


def an_attaining_commitment(own, others, value):
    """Search the commitments where some answers are tied for best and pay enough, all sets."""
    for size in range(1, own.shape[1] + 1):
        for tied in combinations(range(own.shape[1]), size):
            first = others[:, tied[0]]
            spaces = [first - column for column in others.T]
            spaces += [others[:, b] - first for b in tied] + [own[:, b] - value for b in tied]
            vertices = polytope_vertices(spaces, len(own))
            middle = sum(vertices) / Fraction(len(vertices)) if vertices else None
            if middle is not None and worst_payoff(own, others, middle) >= value:
                return middle
    return None


@many
@given(bimatrix_games(), LEADERS)
def test_attainment_equals_search_over_all_sets_of_tied_answers(game, leader):
    certificate = weak_stackelberg(game, leader=leader).certificate
    certificate.verify()
    found = an_attaining_commitment(*from_the_leaders_side(game, leader), certificate.leader_payoff)
    assert certificate.is_attained == (found is not None)
    assert certificate.is_unattained == (found is None)


def test_a_commitment_that_attains_the_value_is_returned_where_another_only_comes_close():
    solution = weak_stackelberg(TWO_WAYS)
    assert solution.profile.strategies[0].tolist() == [0, 0, 1]
    assert solution.certificate.is_attained
    assert "commits and gets 2" in solution.certificate.statement


def test_a_supremum_that_is_not_attained_is_proved_and_survives_a_file():
    certificate = weak_stackelberg(TEXTBOOK).certificate
    assert "7/2, which no commitment attains" in certificate.statement
    written = json.dumps(certificate_record(certificate))
    assert certificate_from(parse_json(written, name="file")) == certificate


@pytest.mark.parametrize("scale", [Fraction(1, 10**15), 10**15 + 1])
def test_attainment_does_not_depend_on_scales(scale):
    for game, attained in ((TWO_WAYS, True), (TEXTBOOK, False)):
        own, others = game.exact_payoffs
        scaled = NormalFormGame.bimatrix(own * scale + 7, others / Fraction(scale) - 3)
        assert weak_stackelberg(scaled).certificate.is_attained == attained


NUMBERS = st.fractions(-2, 2, max_denominator=3)


@st.composite
def claims_of_no_attainment(draw):
    """An attained value, and obstacles that say that it is not: zero, random, or of another."""
    game = draw(bimatrix_games(largest=3))
    certificate = weak_stackelberg(game).certificate
    assume(certificate.is_attained)
    width = game.num_actions[1]
    row = st.tuples(*[NUMBERS] * width)
    known = weak_stackelberg(TEXTBOOK).certificate.obstacles[1][0]
    obstacles = st.builds(
        replace, st.just(known), tied=st.integers(0, width - 1), preferences=row, excesses=row
    )
    last = st.builds(replace, obstacles, tied=st.none())
    chains = st.builds(lambda chain, end: (*chain, end), st.lists(obstacles, max_size=2), last)
    count = len(certificate.weights)
    return certificate, tuple(draw(chains | st.just(())) for _ in range(count))


@many
@given(claims_of_no_attainment())
def test_no_obstacles_prove_an_attained_value_unattained(claim):
    certificate, obstacles = claim
    with pytest.raises(CertificateRejected, match=r"^weak-stackelberg|needs"):
        replace(certificate, obstacles=obstacles, is_unattained=True).verify()


HAIR = Fraction(1, 10**30)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda chain: chain[:-1], "a proof that no commitment attains"),
        (lambda chain: chain[1:], "one is of none"),
        (lambda chain: (*chain[:-1], replace(chain[-1], tied=0)), "a proof that no commitment"),
        (lambda chain: (replace(chain[0], tied=None), *chain[1:]), "an answer tied with"),
        (lambda chain: (replace(chain[0], tied=2), *chain[1:]), "an answer tied with"),
        (lambda chain: (replace(chain[0], tied=-1), *chain[1:]), "an answer tied with"),
        (lambda chain: (chain[0], replace(chain[1], excesses=(-HAIR, 1 + HAIR))), "one is of none"),
        (
            lambda chain: (replace(chain[0], excesses=(Fraction(0), 2 - HAIR)), *chain[1:]),
            "it may be worse",
        ),
        (lambda chain: (replace(chain[0], excesses=(Fraction(0),)), *chain[1:]), "2 multipliers"),
    ],
)
def test_changed_obstacles_are_rejected(change, message):
    certificate = weak_stackelberg(TEXTBOOK).certificate
    changed = tuple(change(chain) if chain else chain for chain in certificate.obstacles)
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate, obstacles=changed).verify()


def test_a_preference_for_what_is_not_tied_is_no_equation():
    certificate = weak_stackelberg(NormalFormGame.bimatrix([[1, 0]], [[1, 0]])).certificate
    assert certificate.is_attained
    false = Obstacle(None, (Fraction(0), Fraction(-1)), (Fraction(0), Fraction(0)))
    with pytest.raises(CertificateRejected, match="one is of none"):
        replace(certificate, obstacles=((false,), ()), is_unattained=True).verify()


def test_obstacles_for_other_classes_and_open_suprema_are_rejected():
    certificate = weak_stackelberg(TEXTBOOK).certificate
    with pytest.raises(CertificateRejected, match="obstacles of 2 classes"):
        replace(certificate, obstacles=certificate.obstacles[:1]).verify()
    loose = tuple((Fraction(0),) * 2 for _ in certificate.multipliers)
    with pytest.raises(CertificateRejected, match="a supremum that is proved"):
        replace(certificate, multipliers=loose).verify()


def test_a_budget_that_ends_before_attainment_is_decided_claims_neither():
    game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    needed = weak_stackelberg(game).run.iterations
    certificate = weak_stackelberg(game, budget=Budget(iterations=needed - 1)).certificate
    assert certificate.epsilon == 0
    assert not certificate.is_unattained
    certificate.verify()
    assert np.all(certificate.profile.strategies[0] >= 0)
