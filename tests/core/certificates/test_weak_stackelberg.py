"""Weak Stackelberg certificates accept what is proved and reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import CertificateRejected, MixedProfile, NormalFormGame
from gametheory_core.certificates.weak_stackelberg import certify_weak_stackelberg, response_classes

ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)
HAIR = Fraction(1, 10**30)
# The first two columns are one class: the leader gets at most 0 against it, for the follower may
# pick either. The third is best at the second row alone, where it ties with the fourth; the fourth
# is best strictly there against no one else, and the third is nowhere strictly best.
GAME = NormalFormGame.bimatrix([[1, -1, 9, 0], [-1, 1, 9, -5]], [[2, 2, 0, 0], [0, 0, 1, 2]])
PROFILE = MixedProfile(([HALF, HALF], [ONE, ZERO, ZERO, ZERO]))
WEIGHTS = ((HALF, HALF, ZERO, ZERO), (ZERO,) * 4, (ZERO, ZERO, ZERO, ONE))
# for the follower the third column is at most half the first and half the fourth: 0 < 1, 1 <= 1
MULTIPLIERS = ((ZERO,) * 4, (HALF, ZERO, ZERO, HALF), (ZERO,) * 4)
INTERIOR = (Fraction(3, 4), Fraction(1, 4))


def certificate():
    return certify_weak_stackelberg(
        GAME, PROFILE, leader=0, interior=INTERIOR, weights=WEIGHTS, multipliers=MULTIPLIERS
    )


def test_classes_are_equal_columns():
    assert response_classes(GAME, leader=0) == ((0, 1), (2,), (3,))
    assert response_classes(GAME, leader=1) == ((0,), (1,))


def test_proved_supremum_is_accepted():
    claim = certificate()
    assert (claim.leader_payoff, claim.upper_bound, claim.epsilon) == (0, 0, 0)
    assert not claim.is_attained  # at half and half the fourth column is as good, and pays -5/2
    assert "as close as wanted to 0" in claim.statement
    claim.verify()


def test_attained_supremum_says_so():
    claim = certify_weak_stackelberg(
        NormalFormGame.bimatrix([[2, 0]], [[1, 1]]),
        MixedProfile(([ONE], [ZERO, ONE])),
        leader=0,
        interior=(ONE,),
        weights=((ZERO, ONE),),
        multipliers=((ZERO, ZERO),),
    )
    assert claim.is_attained
    assert "commits and gets 0" in claim.statement
    claim.verify()


def test_bound_that_is_not_tight_is_stated():
    loose = ((ONE, ZERO, ZERO, ZERO), *WEIGHTS[1:])
    claim = replace(certificate(), weights=loose, upper_bound=ONE)
    claim.verify()
    assert claim.epsilon == 1
    assert "more than 1" in claim.statement


def row(values, index, *, of):
    return (*of[:index], values, *of[index + 1 :])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"interior": (HALF, HALF)}, "strictly best against the interior"),
        ({"interior": (HALF - HAIR, HALF + HAIR)}, "strictly best against the interior"),
        ({"interior": (Fraction(3, 4), Fraction(1, 4) + HAIR)}, "interior commitment of 2"),
        ({"interior": (ONE + HAIR, -HAIR)}, "interior commitment of 2"),
        ({"interior": (ONE,)}, "interior commitment of 2"),
        (
            {"weights": row((HALF + HAIR, HALF - HAIR, ZERO, ZERO), 0, of=WEIGHTS)},
            "claims upper bound",
        ),
        ({"weights": row((HALF, HALF + HAIR, ZERO, ZERO), 0, of=WEIGHTS)}, "sum to 1"),
        ({"weights": row((HALF, ZERO, ZERO, HALF), 0, of=WEIGHTS)}, "on the class of '1' alone"),
        ({"weights": row((ZERO,) * 4, 0, of=WEIGHTS)}, "bound for the class of '1', or multip"),
        ({"weights": row((ZERO, ZERO, ONE, ZERO), 1, of=WEIGHTS)}, "claims upper bound"),
        ({"weights": WEIGHTS[:2]}, "needs weights in 3 rows of 4"),
        (
            {"multipliers": row((HALF, ZERO, ZERO, HALF - HAIR), 1, of=MULTIPLIERS)},
            "nowhere strictly",
        ),
        (
            {"profile": MixedProfile((np.array([0.5, 0.5]), np.array([1.0, 0.0, 0.0, 0.0])))},
            "holds floats",
        ),
        ({"multipliers": row((ZERO, ZERO, ONE, ZERO), 1, of=MULTIPLIERS)}, "nowhere strictly"),
        ({"multipliers": row((ONE, ZERO, ZERO, ZERO), 1, of=MULTIPLIERS)}, "nowhere strictly"),
        ({"multipliers": row((-HAIR, ZERO, ZERO, ONE), 1, of=MULTIPLIERS)}, "at least 0"),
        ({"multipliers": row((ZERO, ZERO, ZERO, HAIR), 0, of=MULTIPLIERS)}, "claims upper bound"),
        (
            {"profile": MixedProfile(([HALF, HALF], [HALF, HALF, ZERO, ZERO]))},
            "needs a pure response",
        ),
        (
            {"profile": MixedProfile(([HALF + HAIR, HALF - HAIR], [ONE, ZERO, ZERO, ZERO]))},
            "worst for the leader in its class",
        ),
        (
            {"profile": MixedProfile(([HALF - HAIR, HALF + HAIR], [ONE, ZERO, ZERO, ZERO]))},
            "needs a best response",
        ),
        ({"leader": 1}, "rows of|needs a best response"),
        ({"leader": 5}, "leader from 0 to 1"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate(), **change).verify()
