"""Subgame-perfect certificates see every deviation, also where play never comes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core.certificates.subgame_perfect import certify_subgame_perfect
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.sketch import Chance, Decision, Terminal, from_sketch
from gametheory_core.strategies.behavioral import BehavioralProfile, pure_behavior

HAIR = Fraction(1, 10**30)


def entry(fighting=-1, lump=0):
    """An entrant stays out or comes in; an incumbent fights or shares. Payments add up."""
    answer = Decision(1, "entered", {"fight": Terminal([-1, fighting]), "share": Terminal([1, 1])})
    weather = Chance(
        {"sun": ("1/3", answer), "rain": ("2/3", Terminal([1, "5/2"]))}, payoffs=[lump, 0]
    )
    tree = Decision(0, "start", {"out": Terminal([0, 2]), "in": weather})
    return from_sketch(tree, players=("Entrant", "Incumbent"))


def test_equilibrium_of_every_subgame_is_accepted():
    game = entry()
    claim = certify_subgame_perfect(game, pure_behavior(game, (1, 1)))
    assert claim.payoffs == (1, 2)
    assert claim.epsilon == 0
    assert "at any node" in claim.statement
    claim.verify()


def test_payments_on_the_way_count():
    game = entry(lump=-1)
    claim = certify_subgame_perfect(game, pure_behavior(game, (0, 1)))
    assert claim.payoffs == (0, 2)
    game = entry(lump="-1/2")
    assert certify_subgame_perfect(game, pure_behavior(game, (1, 1))).payoffs[0] == Fraction(1, 2)


def test_mixing_among_equals_is_accepted():
    game = entry(fighting=1)
    profile = BehavioralProfile(([Fraction(0), Fraction(1)], [Fraction(1, 4), Fraction(3, 4)]))
    claim = certify_subgame_perfect(game, profile)
    assert claim.payoffs == (Fraction(5, 6), 2)
    claim.verify()


def test_tree_without_decisions_is_accepted():
    game = from_sketch(Terminal([1, "2/3"]), players=("Ann", "Bob"))
    claim = certify_subgame_perfect(game, BehavioralProfile(()))
    assert claim.payoffs == (1, Fraction(2, 3))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"payoffs": (1 + HAIR, Fraction(2))}, "claims payoffs"),
        ({"payoffs": (Fraction(1), 2 - HAIR)}, "claims payoffs"),
        (
            {"profile": BehavioralProfile(([HAIR, 1 - HAIR], [Fraction(0), Fraction(1)]))},
            "at information set 'start' of player 1 action 'in' pays 1",
        ),
        (
            {"profile": BehavioralProfile(([Fraction(0), Fraction(1)], [HAIR, 1 - HAIR]))},
            "at information set 'entered' of player 2 action 'share' pays 1",
        ),
        ({"profile": BehavioralProfile((np.array([0.0, 1.0]),) * 2)}, "holds floats"),
        ({"profile": BehavioralProfile(([Fraction(1)],))}, "at each of 2 information sets"),
        ({"game": entry(fighting=1 + HAIR)}, "action 'fight' pays"),
        ({"game": entry(lump=HAIR)}, "claims payoffs"),
    ],
)
def test_changed_certificate_is_rejected(change, message):
    game = entry()
    claim = certify_subgame_perfect(game, pure_behavior(game, (1, 1)))
    with pytest.raises(CertificateRejected, match=message):
        replace(claim, **change).verify()


def test_imperfect_information_is_rejected():
    answer = {a: Decision(1, "blind", {"x": Terminal([0, 0])}) for a in "ab"}
    game = from_sketch(Decision(0, "start", answer), players=("Ann", "Bob"))
    with pytest.raises(CertificateRejected, match="needs perfect information, but .* cannot tell"):
        certify_subgame_perfect(game, pure_behavior(game, (0, 0)))
