"""Kreps and Wilson 1982: sequential equilibria are subgame perfect, and not conversely.

On generated trees, exactly, without tolerance: of two players with information sets, and of perfect
information with any number of players. Twins: Selten's horse has a
subgame-perfect equilibrium that no trembles make sequential; in beer-quiche beliefs decide; and
without consistency an assessment may be rational though no trembles explain it.

Why it matters (trees): It places two refinements in order, and shows by example what beliefs add to
subgames.
"""

from fractions import Fraction

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core import certificates
from gametheory_core.catalog import load
from gametheory_core.strategies import chance_excludes_no_infoset, trembling_profile
from gametheory_core.testing import PayoffKind, extensive_form_games
from solvers import sequential_equilibrium
from tests.core.naive_refinements import bayes_beliefs, profile_at, sequential_gains

theorem = pytest.mark.theorem(
    source="Kreps and Wilson 1982",
    statement="Every sequential equilibrium is an equilibrium in every subgame.",
)

KINDS = (PayoffKind.DEGENERATE, PayoffKind.RATIONAL)


def trees():
    return st.one_of(
        extensive_form_games(num_players=(2, 2), kinds=KINDS),
        extensive_form_games(perfect_information=True, kinds=KINDS),
    )


@theorem
@given(trees())
def test_sequential_equilibria_are_subgame_perfect(tree):
    assume(chance_excludes_no_infoset(tree))
    solution = sequential_equilibrium(tree)
    solution.certificate.verify()
    certificate = certificates.certify_subgame_perfect(tree, solution.profile)
    certificate.verify()
    assert certificate.epsilon == 0


@theorem
@given(trees())
def test_the_definition_holds_by_brute_force(tree):
    """Beliefs are limits of Bayes' rule, and no pure way of going on gains anywhere."""
    assume(chance_excludes_no_infoset(tree))
    certificate = sequential_equilibrium(tree).certificate
    assert not any(sequential_gains(tree, certificate.profile, certificate.beliefs))
    near = profile_at(tree, certificate.trembles, Fraction(1, 2**60))
    pairs = [
        *zip(certificate.beliefs, bayes_beliefs(tree, near), strict=True),
        *zip(certificate.profile.probabilities, near.probabilities, strict=True),
    ]
    for limits, values in pairs:
        for limit, value in zip(limits, values, strict=True):
            assert abs(limit - value) < Fraction(1, 2**20)


@theorem
@given(st.lists(st.integers(1, 6), min_size=6, max_size=6), st.integers(1, 3))
def test_no_trembles_make_the_horses_bad_equilibrium_sequential(numbers, order):
    """(D, c, L) is an equilibrium in every subgame, the only one being the whole game.

    Player 2, asked at last, would pass the move down: the third player's L pays 4 rather than 1.
    """
    horse = load("selten_horse")
    bad = gt.pure_behavior(horse, (0, 1, 0))
    assert gt.certify_nash(horse, bad).epsilon == 0
    assert certificates.certify_subgame_perfect(horse, bad).epsilon == 0
    shares = [Fraction(a, b) for a, b in zip(numbers[:3], numbers[3:], strict=True)]
    small = [(*[0] * order, share) for share in shares]
    large = [(1, *[0] * (order - 1), -share) for share in shares]
    behavior = [[large[0], small[0]], [small[1], large[1]], [large[2], small[2]]]
    match = "at information set 'passed on' of player 2 action 'd', .* gains 3 over"
    with pytest.raises(gt.CertificateRejected, match=match):
        certificates.certify_sequential(horse, trembling_profile(horse, behavior))


@theorem
def test_the_horses_good_equilibrium_is_sequential():
    horse = load("selten_horse")
    mostly, rarely = [1, -1], [0, 1]
    rather, else_ = ["1/4"], ["3/4"]
    # player 3 believes in D with probability 1/3: 1/3 * 2 = 2/3, so L and R are equally good
    behavior = [[rarely, mostly], [[0, 2], [1, -2]], [rather, else_]]
    certificate = certificates.certify_sequential(horse, trembling_profile(horse, behavior))
    certificate.verify()
    assert certificate.beliefs[2] == (Fraction(1, 3), Fraction(2, 3))
    assert certificate.payoffs == (1, 1, 1)


def quiche(pooled, *, careless):
    """Trembles to pooling on a breakfast; who of strong and weak slips more easily."""
    game = load("beer_quiche")
    rare = {"strong": [0, 0, 1], "weak": [0, 0, 1], careless: [0, 1]}
    often = {kind: [1, *(-c for c in slip[1:])] for kind, slip in rare.items()}
    meals = [
        [often[kind], rare[kind]] if pooled == "beer" else [rare[kind], often[kind]]
        for kind in ("strong", "weak")
    ]
    spare, duel = [[0, 1], [1, -1]], [[1, -1], [0, 1]]
    answers = [spare, duel] if pooled == "beer" else [duel, spare]
    return game, trembling_profile(game, [*meals, *answers])


@theorem
@pytest.mark.parametrize(("pooled", "paid"), [("beer", "29/10"), ("quiche", "21/10")])
def test_both_pooling_equilibria_of_beer_quiche_are_sequential(pooled, paid):
    certificate = certificates.certify_sequential(*quiche(pooled, careless="weak"))
    certificate.verify()
    other = 3 if pooled == "beer" else 2
    assert certificate.beliefs[other] == (0, 1)
    assert certificate.payoffs == (Fraction(paid), Fraction(9, 10))


@theorem
def test_rationality_fails_under_other_beliefs():
    """Where the strong slip more easily, a duel with who had the other breakfast is a mistake."""
    with pytest.raises(
        gt.CertificateRejected, match="at information set 'quiche' of player 2 action"
    ):
        certificates.certify_sequential(*quiche("beer", careless="strong"))


def two_guessers():
    """Ann stays out, or goes left or right, which neither Bob nor Carl sees.

    She is worse off only if Bob says left and Carl right. Right guesses pay: Bob 1 for left and 2
    for right, Carl 1 for each.
    """

    def carl(way, said):
        paid = {
            guess: [
                -1 if (said, guess) == ("left", "right") else 1,
                {"left": 1, "right": 2}[said] if said == way else 0,
                int(guess == way),
            ]
            for guess in ("left", "right")
        }
        return gt.Decision(
            2, "Carl", {guess: gt.Terminal(payoffs) for guess, payoffs in paid.items()}
        )

    ways = {
        way: gt.Decision(1, "Bob", {said: carl(way, said) for said in ("left", "right")})
        for way in ("left", "right")
    }
    root = gt.Decision(0, "start", {"out": gt.Terminal([0, 0, 0]), **ways})
    return gt.from_sketch(root, players=("Ann", "Bob", "Carl"))


@theorem
@given(
    st.tuples(st.integers(1, 9), st.integers(1, 9)), st.tuples(st.integers(1, 3), st.integers(1, 3))
)
def test_without_consistency_an_assessment_proves_nothing(numbers, orders):
    """Bob must believe in left, Carl in right; they know the same, so no trembles explain it."""
    tree = two_guessers()
    profile = gt.pure_behavior(tree, (0, 0, 1))
    assert gt.certify_nash(tree, profile).epsilon == 0
    sure, never = Fraction(1), Fraction(0)
    torn = ((sure,), (sure, never), (never, never, sure, never))
    assert not any(sequential_gains(tree, profile, torn))
    slips = [[*[0] * order, Fraction(n, 20)] for n, order in zip(numbers, orders, strict=True)]
    stay = [1, *(-sum(slip[k] for slip in slips if k < len(slip)) for k in range(1, 4))]
    rare, often = [0, 1], [1, -1]
    trembles = trembling_profile(tree, [[stay, *slips], [often, rare], [rare, often]])
    with pytest.raises(gt.CertificateRejected, match="at information set '(Bob|Carl)' of player"):
        certificates.certify_sequential(tree, trembles)
    forged = certificates.SequentialCertificate(
        tree, profile, torn, (never, never, never), trembles
    )
    with pytest.raises(gt.CertificateRejected, match="needs no gain"):
        forged.verify()
