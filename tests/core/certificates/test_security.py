"""Security certificates accept what is proved and reject every changed number."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, SecurityGame
from gametheory_core.certificates import certify_security
from gametheory_core.strategies import CoverageLottery
from tests.sample_sizes import examples
from tests.solvers.stackelberg.leader_games import security_games

HAIR = Fraction(1, 10**30)
GAME = SecurityGame.from_payoffs(
    resources=1,
    defender_covered=[0, 0],
    defender_uncovered=[-5, -2],
    attacker_covered=[-1, -1],
    attacker_uncovered=[5, 2],
    targets=("bank", "shop"),
)
# Held down to 1: the bank is covered 4/6 of the time, the shop 1/3.
LOTTERY = CoverageLottery(((0,), (1,)), (2, 1))


def certificate():
    return certify_security(GAME, LOTTERY, target=1, attacker_value=Fraction(1))


def test_proved_optimum_is_accepted():
    claim = certificate()
    assert (claim.defender_payoff, claim.attacker_payoff) == (Fraction(-4, 3), 1)
    assert (claim.upper_bound, claim.epsilon) == (Fraction(-4, 3), 0)
    assert "leads the attacker to 'shop'" in claim.statement
    claim.verify()


def test_lower_value_proves_a_weaker_bound():
    claim = certify_security(GAME, LOTTERY, target=1, attacker_value=Fraction(1, 2))
    assert claim.epsilon > 0
    claim.verify()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"attacker_value": 1 + HAIR}, "1 resources suffice for that"),
        ({"attacker_value": 1 - HAIR}, "claims upper bound"),
        ({"attacker_value": Fraction(6)}, "resources suffice for that"),
        ({"target": 0}, "favorite among best targets, but 'shop'"),
        ({"target": 2}, "target from 0 to 1, but got 2"),
        ({"target": -1}, "but got -1"),
        ({"lottery": CoverageLottery(((0,), (1,)), (3, 1))}, "claims"),
        ({"lottery": CoverageLottery(((0,), (1,)), (1, 1))}, "best target for the attacker, but"),
        ({"lottery": CoverageLottery(((0, 1),), (1,))}, "at most 1 of 2 targets at once"),
        ({"lottery": CoverageLottery(((2,),), (1,))}, "at most 1 of 2 targets"),
        ({"game": replace(GAME, resources=2)}, "2 resources suffice for that"),
        ({"game": replace(GAME, resources=0)}, "at most 0 of 2 targets"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    with pytest.raises(CertificateRejected, match=message):
        replace(certificate(), **change).verify()


def test_value_that_no_target_pays_is_rejected():
    game = replace(GAME, resources=0)
    nothing = CoverageLottery(((),), (1,))
    certify_security(game, nothing, target=0, attacker_value=Fraction(5)).verify()
    with pytest.raises(CertificateRejected, match="no target pays that much"):
        certify_security(game, nothing, target=0, attacker_value=Fraction(6))


def test_several_types_are_rejected():
    rows = {"attacker_uncovered": [[5], [6]], "attacker_covered": [0]}
    game = SecurityGame.from_payoffs(
        resources=1, defender_covered=[0], defender_uncovered=[0], **rows
    )
    with pytest.raises(CertificateRejected, match="one type of attacker"):
        certify_security(game, CoverageLottery(((),), (1,)), target=0, attacker_value=Fraction(0))


@examples(200)
@given(security_games(), st.data())
def test_no_value_bounds_below_what_some_lottery_earns(game, data):
    """Soundness: a value is rejected, or every lottery stays below what it proves."""
    sets = st.sets(st.integers(0, game.num_targets - 1), max_size=game.resources)
    drawn = data.draw(st.lists(st.tuples(sets, st.integers(1, 5)), min_size=1, max_size=4))
    lottery = CoverageLottery(
        tuple(tuple(sorted(own)) for own, _ in drawn), tuple(weight for _, weight in drawn)
    )
    share = [Fraction(cover, lottery.total) for cover in lottery.cover(game.num_targets)]
    defender, attacker = (
        [u + c * s for u, c, s in zip(free, held - free, share, strict=True)]
        for free, held in game.exact_payoffs[0]
    )
    target = max(range(game.num_targets), key=lambda i: (attacker[i], defender[i]))
    value = data.draw(st.fractions(-3, 5, max_denominator=6))
    try:
        claim = certify_security(game, lottery, target=target, attacker_value=value)
    except CertificateRejected:
        return
    claim.verify()
    assert claim.attacker_payoff == attacker[target] >= value
    assert claim.defender_payoff == defender[target] <= claim.upper_bound


def test_spare_cover_counts_where_the_attacker_does_not_mind_it():
    """The attacker of the first target does not mind the guard, who may always stand there."""
    game = SecurityGame.from_payoffs(
        resources=1,
        defender_covered=[8, 0],
        defender_uncovered=[-4, -9],
        attacker_covered=[3, 1],
        attacker_uncovered=[3, 2],
    )
    always_first = CoverageLottery(((0,),), (1,))
    claim = certify_security(game, always_first, target=0, attacker_value=Fraction(3))
    assert (claim.defender_payoff, claim.upper_bound) == (8, 8)
    tempting = SecurityGame.from_payoffs(
        resources=1,
        defender_covered=[8, 0],
        defender_uncovered=[-4, -9],
        attacker_covered=[3, 1],
        attacker_uncovered=[3, 4],
    )
    shared = CoverageLottery(
        ((0,), (1,)), (2, 1)
    )  # a third of the guard must deter from the second
    claim = certify_security(tempting, shared, target=0, attacker_value=Fraction(3))
    assert (claim.defender_payoff, claim.upper_bound) == (4, 4)


def test_target_that_the_others_leave_no_cover_for_does_not_count():
    """The attacker never settles for 0 there: one guard cannot hold both others down to 0."""
    game = SecurityGame.from_payoffs(
        resources=1,
        defender_covered=[100, 0, 0],
        defender_uncovered=[100, -5, -5],
        attacker_covered=[0, -1, -1],
        attacker_uncovered=[0, 5, 5],
    )
    turns = CoverageLottery(((1,), (2,)), (1, 1))
    claim = certify_security(game, turns, target=1, attacker_value=Fraction(0))
    assert (claim.defender_payoff, claim.upper_bound) == (Fraction(-5, 2), Fraction(-5, 6))
