"""Dominance certificates: replayed exactly; no elimination and no survival passes unproved."""

from dataclasses import replace
from fractions import Fraction

import pytest

from gametheory_core import CertificateRejected, NormalFormGame, certificates
from gametheory_core.certificates.dominance import Elimination, Survival

HALF = Fraction(1, 2)
ONE = Fraction(1)
STRICT_MIXED = {
    "dominance": certificates.Dominance.STRICT,
    "dominated_by": certificates.DominatedBy.MIXED,
}
WEAK_MIXED = {
    "dominance": certificates.Dominance.WEAK,
    "dominated_by": certificates.DominatedBy.MIXED,
}

# Row 2 is dominated by half of row 0 and half of row 1; then column 1 by column 0.
GAME = NormalFormGame.bimatrix(
    [[4, 0], [0, 4], [1, 1]],
    [[2, 1], [2, 1], [0, 3]],
    actions=(("top", "middle", "bottom"), ("left", "right")),
)
FIRST = Elimination(0, 2, 1, (0, 1), (HALF, HALF))
SECOND = Elimination(1, 1, 2, (0,), (ONE,))
THIRD = Elimination(0, 1, 3, (0,), (ONE,))
STAYS = (Survival(0, 0, ((0,),), (ONE,)), Survival(1, 0, ((0,),), (ONE,)))


def whole():
    return certificates.certify_dominance(
        GAME, **STRICT_MIXED, eliminations=(FIRST, SECOND, THIRD), survivals=STAYS
    )


def test_three_rounds_leave_one_joint_action():
    certificate = whole()
    assert certificate.survivors == ((0,), (0,))
    assert certificate.is_complete
    assert certificate.statement == (
        "strict dominance by mixed strategies leaves 1 x 1 of 3 x 2 actions; nothing more can be "
        "eliminated"
    )
    certificate.verify()


def test_claim_without_reasons_is_not_complete():
    certificate = certificates.certify_dominance(GAME, **STRICT_MIXED, eliminations=(FIRST,))
    certificate.verify()
    assert not certificate.is_complete
    assert certificate.statement.endswith("; 0 of them are proved undominated")
    with pytest.raises(CertificateRejected, match="gives no reason for some"):
        replace(certificate, is_complete=True).verify()


def test_survivors_are_recomputed():
    with pytest.raises(CertificateRejected, match="claims survivors"):
        replace(whole(), survivors=((0,), (0, 1))).verify()


def forged(*eliminations, game=GAME, **kind):
    return certificates.certify_dominance(game, **(kind or STRICT_MIXED), eliminations=eliminations)


@pytest.mark.parametrize(
    ("elimination", "problem"),
    [
        (replace(FIRST, weights=(Fraction(3, 4), Fraction(1, 4))), "not strictly dominated by"),
        (replace(FIRST, weights=(HALF, Fraction(1, 3))), "positive rationals that sum to 1"),
        (replace(FIRST, weights=(0.5, 0.5)), "positive rationals that sum to 1"),
        (replace(FIRST, weights=(Fraction(3, 2), -HALF)), "positive rationals that sum to 1"),
        (replace(FIRST, weights=(ONE,)), "positive rationals that sum to 1"),
        (replace(FIRST, dominators=(0, 0)), "needs different outcomes"),
        (replace(FIRST, dominators=(0, 3)), "dominated by actions that are not there"),
        (replace(FIRST, dominators=(-3, 1)), "dominated by actions that are not there"),
        (replace(FIRST, dominators=(), weights=()), "positive rationals that sum to 1"),
        (replace(FIRST, action=3), "action 3 of player 0 .* is not in"),
        (replace(FIRST, action=-1), "action -1 of player 0 .* is not in"),
        (replace(FIRST, player=-2), "action 2 of player -2 .* is not in"),
        (replace(FIRST, round_number=2), "round 2 stands where 1 should"),
        (replace(FIRST, action=0, dominators=(0,), weights=(ONE,)), "'top' .* is not strictly"),
    ],
)
def test_forged_elimination_is_rejected(elimination, problem):
    with pytest.raises(CertificateRejected, match=problem):
        forged(elimination)


def test_what_has_no_name_is_rejected_by_its_number():
    unnamed = replace(
        GAME, players=("", "Column"), actions=(("", "middle", "bottom"), ("", "right"))
    )
    top = replace(FIRST, action=0, dominators=(1,), weights=(ONE,))
    left = replace(SECOND, action=0, dominators=(1,), round_number=1)
    with pytest.raises(CertificateRejected, match="action #1 of player #1 is not strictly"):
        forged(top, game=unnamed)
    with pytest.raises(CertificateRejected, match="action #1 of player 'Column' is not strictly"):
        forged(left, game=unnamed)


def test_elimination_is_judged_in_the_game_its_round_begins_with():
    """Right is dominated once bottom is gone, not before."""
    with pytest.raises(CertificateRejected, match="'right' .* is not strictly dominated"):
        forged(FIRST, replace(SECOND, round_number=1))
    with pytest.raises(CertificateRejected, match="'right' .* is not strictly dominated"):
        forged(replace(SECOND, round_number=1))


def test_order_of_rounds_and_repetitions_are_rejected():
    with pytest.raises(CertificateRejected, match="round 3 stands where 2 should"):
        forged(FIRST, THIRD, SECOND)
    with pytest.raises(CertificateRejected, match="'bottom' .* is eliminated twice"):
        forged(FIRST, FIRST)
    with pytest.raises(CertificateRejected, match="action 2 of player 0"):
        forged(FIRST, replace(FIRST, round_number=2))


def test_action_that_is_gone_dominates_no_more():
    last = Elimination(0, 1, 2, (2,), (ONE,))
    with pytest.raises(CertificateRejected, match="dominated by actions that are not there"):
        forged(FIRST, last)


def test_mixture_is_no_pure_strategy():
    with pytest.raises(CertificateRejected, match="by a mixture, not by a pure strategy"):
        forged(
            FIRST,
            dominance=certificates.Dominance.STRICT,
            dominated_by=certificates.DominatedBy.PURE,
        )


TIES = NormalFormGame.bimatrix([[1, 0], [1, 0], [1, -1]], [[0, 0], [0, 0], [0, 0]])


def test_equal_action_does_not_dominate():
    equal, weaker = (Elimination(0, a, 1, (0,), (ONE,)) for a in (1, 2))
    with pytest.raises(CertificateRejected, match="'2' .* is not weakly dominated"):
        forged(equal, game=TIES, **WEAK_MIXED)
    with pytest.raises(CertificateRejected, match="'3' .* is not strictly dominated"):
        forged(weaker, game=TIES)
    assert forged(weaker, game=TIES, **WEAK_MIXED).survivors == ((0, 1), (0, 1))


def explained(survival, game=GAME, **kind):
    return certificates.certify_dominance(
        game, **(kind or STRICT_MIXED), eliminations=(), survivals=(survival,)
    )


@pytest.mark.parametrize(
    ("survival", "problem"),
    [
        (Survival(0, 0, ((1,),), (ONE,)), "'top' .* is no best response to the belief"),
        (Survival(0, 2, ((0,), (1,)), (HALF, HALF)), "'bottom' .* is no best response"),
        (Survival(0, 0, ((0,),), (HALF,)), "positive rationals that sum to 1"),
        (Survival(0, 0, ((0,), (1,)), (ONE, Fraction(0))), "positive rationals that sum to 1"),
        (Survival(0, 0, ((0,), (0,)), (HALF, HALF)), "needs different outcomes"),
        (Survival(0, 0, (), ()), "positive rationals that sum to 1"),
        (Survival(0, 0, ((2,),), (ONE,)), r"a belief in \(2,\), not in the game"),
        (Survival(0, 0, ((-2,),), (ONE,)), r"a belief in \(-2,\), not in the game"),
        (Survival(0, 0, ((0, 0),), (ONE,)), r"a belief in \(0, 0\), not in the game"),
        (Survival(0, 5, ((0,),), (ONE,)), "action 5 of player 0"),
        (Survival(2, 0, ((0,),), (ONE,)), "action 0 of player 2"),
    ],
)
def test_forged_survival_is_rejected(survival, problem):
    with pytest.raises(CertificateRejected, match=problem):
        explained(survival)


def test_belief_about_what_is_gone_is_rejected():
    """Against bottom, right was best; bottom is gone."""
    survival = Survival(1, 1, ((2,),), (ONE,))
    assert explained(survival).survivals == (survival,)
    with pytest.raises(CertificateRejected, match=r"a belief in \(2,\), not in the game"):
        certificates.certify_dominance(
            GAME, **STRICT_MIXED, eliminations=(FIRST,), survivals=(survival,)
        )


def test_reason_given_twice_does_not_count_for_another():
    with pytest.raises(CertificateRejected, match="'top' .* is said to stay twice"):
        certificates.certify_dominance(
            GAME, **STRICT_MIXED, eliminations=(FIRST, SECOND, THIRD), survivals=STAYS[:1] * 2
        )


def test_weak_survival_needs_full_or_unique_beliefs():
    """Left makes rows 1 to 3 of TIES equally good, but row 3 is weakly dominated."""
    for action in range(3):
        belief = Survival(0, action, ((0,),), (ONE,))
        explained(belief, game=TIES)  # enough against strict dominance
        with pytest.raises(CertificateRejected, match="not the only best response"):
            explained(belief, game=TIES, **WEAK_MIXED)
    full = Survival(0, 0, ((0,), (1,)), (HALF, HALF))
    explained(full, game=TIES, **WEAK_MIXED)
    unique = Survival(0, 1, ((1,),), (ONE,))  # but for row 1, which pays the same everywhere
    explained(unique, game=TIES, **WEAK_MIXED)
    with pytest.raises(CertificateRejected, match="'3' .* is no best response"):
        explained(replace(full, action=2), game=TIES, **WEAK_MIXED)


def test_pure_survival_is_checked_against_every_pair():
    pure = {
        "dominance": certificates.Dominance.STRICT,
        "dominated_by": certificates.DominatedBy.PURE,
    }
    explained(Survival(0, 2, (), ()), **pure)  # only a mixture dominates it
    weak = {**pure, "dominance": certificates.Dominance.WEAK}
    for action in (0, 1):
        explained(Survival(0, action, (), ()), game=TIES, **weak)
    with pytest.raises(CertificateRejected, match="'3' .* is dominated by '1'"):
        explained(Survival(0, 2, (), ()), game=TIES, **weak)
    explained(Survival(0, 2, (), ()), game=TIES, **pure)


def test_three_players_have_correlated_beliefs():
    """The others' joint actions come in the order of the players."""
    payoffs = [[[[0] * 3] * 2] * 2] * 3
    game = NormalFormGame.from_payoffs(payoffs)
    raised = game.given_payoffs.copy()
    raised[1, 1, 0, 2] = 1  # player 1's first action is alone best when 0 plays 1 and 2 plays 2
    game = NormalFormGame.from_payoffs(raised)
    belief = Survival(1, 0, ((1, 2),), (ONE,))
    explained(belief, game=game, **WEAK_MIXED)
    with pytest.raises(CertificateRejected, match="'2' of player '2' is no best response"):
        explained(replace(belief, action=1), game=game, **WEAK_MIXED)


def test_one_player_keeps_the_best_actions():
    game = NormalFormGame.from_payoffs([[1, 2, 2]])
    certificate = certificates.certify_dominance(
        game,
        **WEAK_MIXED,
        eliminations=[Elimination(0, 0, 1, (2,), (ONE,))],
        survivals=[Survival(0, a, ((),), (ONE,)) for a in (1, 2)],
    )
    assert certificate.is_complete
    certificate.verify()


@pytest.mark.parametrize("forgery", [{"dominance": "strict"}, {"dominated_by": None}])
def test_unknown_kinds_of_dominance_are_rejected(forgery):
    with pytest.raises(CertificateRejected, match="needs a member of Domina.* as domina"):
        replace(whole(), **forgery).verify()


def test_certificate_is_compared_by_content():
    again = whole()
    assert isinstance(again, certificates.DominanceCertificate)
    assert again == whole()
    assert again != replace(whole(), survivals=())
