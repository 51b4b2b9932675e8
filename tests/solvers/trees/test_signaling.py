"""Signaling games: complete lists, checked by another method, by brute force and by hand."""

import numpy as np
import pytest

import gametheory_core as gt
from gametheory_core import CertificateRejected, certificates
from gametheory_core.catalog import load
from gametheory_core.strategies import trembling_profile
from solvers import Budget, sequential_equilibrium, solve
from solvers.trees import signaling_equilibria
from tests.solvers.trees.signaling_trees import pure_sequential, random_signaling, spence

SIZES = [(2, 2, 2), (2, 2, 3), (2, 3, 2), (3, 2, 2), (3, 2, 3), (1, 3, 3)]


def drawn(seed):
    types, signals, answers = SIZES[seed % len(SIZES)]
    rng = np.random.default_rng(seed)
    return random_signaling(rng, types=types, signals=signals, answers=answers)


def taken():
    return [tree for tree in map(drawn, range(60)) if gt.strategies.is_signaling(tree)]


def outcomes(found):
    return {solution.payoffs for solution in found.equilibria}


def behavior(solution):
    return [[str(share) for share in vector] for vector in solution.profile.probabilities]


def test_the_core_lists_the_same_equilibria_by_another_method():
    sizes = set()
    for tree in taken():
        found = signaling_equilibria(tree)
        assert found.is_complete
        found.completeness.verify()
        for solution in found.equilibria:
            solution.certificate.verify()
            assert gt.certify_nash(tree, solution.profile).epsilon == 0
        sizes.add((len(found.equilibria), len(found.completeness.isolated)))
    assert max(sizes)[0] > 8
    assert {0, 1, 2} <= {isolated for _, isolated in sizes}


def test_all_pure_sequential_equilibria_are_listed():
    seen = 0
    for seed in range(40):
        tree = random_signaling(np.random.default_rng(seed), answers=2 + seed % 2)
        if not gt.strategies.is_signaling(tree):
            continue
        listed = [s.profile for s in signaling_equilibria(tree).equilibria]
        pure = pure_sequential(tree)
        seen += len(pure)
        is_pure = [p for p in listed if all(share in (0, 1) for share in p.flat)]
        assert set(pure) == set(is_pure)
    assert seen > 40


def test_an_equilibrium_found_otherwise_mixes_extreme_ones():
    """Each player's behavior mixes listed ones, so that one of these plays no other actions."""
    for tree in taken():
        profile = sequential_equilibrium(tree).profile
        played = [share > 0 for share in profile.flat]
        listed = signaling_equilibria(tree).equilibria
        assert any(
            all(mine or not share for mine, share in zip(played, s.profile.flat, strict=True))
            for s in listed
        )


def test_beer_quiche_has_two_outcomes_and_no_isolated_equilibrium():
    """Cho and Kreps 1987: both types have beer, or both have quiche; a duel deters the other."""
    found = signaling_equilibria(load("beer_quiche"))
    plays = {tuple(map(tuple, behavior(s)[:2])) for s in found.equilibria}
    assert plays == {(("1", "0"), ("1", "0")), (("0", "1"), ("0", "1"))}
    assert [list(map(str, payoffs)) for payoffs in sorted(outcomes(found))] == [
        ["21/10", "9/10"],
        ["29/10", "9/10"],
    ]
    assert len(found.equilibria) == 4  # the duel for sure, or half the time
    assert found.completeness.isolated == ()


def test_spence_s_workers_separate_or_pool():
    """The able type alone goes to school; or nobody does, whatever is believed of who would."""
    found = signaling_equilibria(spence())
    schooling = {tuple(tuple(row) for row in behavior(s)[:2]) for s in found.equilibria}
    assert (("1", "0"), ("0", "1")) in schooling
    assert (("1", "0"), ("1", "0")) in schooling
    assert all(weak == ("1", "0") for weak, _ in schooling)  # costs more than any wage differs
    separating = [s for s in found.equilibria if behavior(s)[1] == ["0", "1"]]
    assert [list(map(str, s.payoffs)) for s in separating] == [["1/2", "0"]]
    assert separating[0].profile in found.completeness.isolated


def test_a_threat_that_no_belief_explains_is_no_sequential_equilibrium():
    """Without a rational fight, staying out is an equilibrium but not sequential."""
    answer = {"fight": gt.Terminal([-1, -1]), "yield": gt.Terminal([2, 1])}
    enter = {"weakly": gt.Decision(1, "entry", answer), "boldly": gt.Decision(1, "entry", answer)}
    tree = gt.from_sketch(
        gt.Decision(0, "door", {"out": gt.Terminal([0, 2]), **enter}), players=("Ann", "Bob")
    )
    out = gt.pure_behavior(tree, (0, 0))
    assert gt.certify_nash(tree, out).epsilon == 0
    found = signaling_equilibria(tree)
    assert out not in [s.profile for s in found.equilibria]
    assert len(found.equilibria) == 2  # enter either way; their mixtures are equilibria too
    assert found.completeness.isolated == ()
    for slips in ([0, 1], [0, 2]), ([0, 0, 1], [0, 1]):
        stay = [1, *(-a - b for a, b in zip([*slips[0], 0], [*slips[1], 0], strict=False))][:1]
        rest = [-sum(c[d] for c in slips if d < len(c)) for d in (1, 2)]
        trembles = trembling_profile(tree, [[[*stay, *rest], *slips], [[1, -1], [0, 1]]])
        with pytest.raises(CertificateRejected, match="action 'yield', .* gains 2 over"):
            certificates.certify_sequential(tree, trembles)


def test_solve_answers_the_concept_and_refuses_what_is_no_signaling_game():
    answer = solve(load("beer_quiche"), "all-sequential")
    assert answer.algorithm == "signaling_equilibria"
    assert len(answer.solutions) == 4
    with pytest.raises(gt.UnsupportedGame, match=r"needs a signaling game.*moves twice in a play"):
        solve(load("centipede"), "all-sequential")


def test_what_was_found_before_the_budget_ended_is_kept():
    tree = load("beer_quiche")
    for supports in (0, 5, 15):
        with pytest.raises(gt.NotConverged, match=f"ended after {supports} supports") as caught:
            signaling_equilibria(tree, budget=Budget(iterations=supports))
        best = caught.value.best
        assert not best.is_complete
        assert best.completeness is None
    assert 0 < len(best.equilibria) < 4  # the last supports are the receiver's mixtures
