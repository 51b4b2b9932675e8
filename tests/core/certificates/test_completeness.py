"""Completeness certificates: exactly the extreme equilibria, no more, no fewer."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import gametheory_core as gt
from gametheory_core.certificates import CompletenessCertificate, certify_completeness
from gametheory_core.certificates.extreme_equilibria import _vertices
from tests.sample_sizes import examples

BATTLE = gt.NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
ALL_EQUAL = gt.NormalFormGame.bimatrix(np.zeros((2, 3), dtype=int), np.zeros((2, 3), dtype=int))


def exact_profile(*strategies):
    return gt.MixedProfile(
        tuple(np.array(list(map(Fraction, s)), dtype=object) for s in strategies)
    )


MIXED = exact_profile(("3/5", "2/5"), ("2/5", "3/5"))


def test_battle_of_the_sexes_has_the_textbook_three():
    expected = {gt.pure_profile(BATTLE, (0, 0)), gt.pure_profile(BATTLE, (1, 1)), MIXED}
    certificate = certify_completeness(BATTLE)
    assert set(certificate.profiles) == expected
    assert len(certificate.profiles) == 3
    certificate.verify()
    CompletenessCertificate(BATTLE, tuple(expected)).verify()


def test_degenerate_game_has_its_pure_profiles():
    expected = {gt.pure_profile(ALL_EQUAL, (i, j)) for i in range(2) for j in range(3)}
    assert set(certify_completeness(ALL_EQUAL).profiles) == expected


def test_missing_profile_is_named():
    pure = (gt.pure_profile(BATTLE, (0, 0)), gt.pure_profile(BATTLE, (1, 1)))
    with pytest.raises(
        gt.CertificateRejected, match=r"\(3/5, 2/5\) x \(2/5, 3/5\), which is missing"
    ):
        CompletenessCertificate(BATTLE, pure).verify()


def test_empty_list_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="which is missing"):
        CompletenessCertificate(BATTLE, ()).verify()


def test_profile_that_is_no_equilibrium_is_named():
    claimed = (*certify_completeness(BATTLE).profiles, gt.uniform_profile(BATTLE))
    with pytest.raises(gt.CertificateRejected, match=r"x \(1/2, 1/2\), which is not one of the 3"):
        CompletenessCertificate(BATTLE, claimed).verify()


def test_equilibrium_that_is_not_extreme_is_named():
    claimed = (*certify_completeness(ALL_EQUAL).profiles, gt.uniform_profile(ALL_EQUAL))
    with pytest.raises(
        gt.CertificateRejected, match=r"\(1/2, 1/2\) x .*, which is not one of the 6"
    ):
        CompletenessCertificate(ALL_EQUAL, claimed).verify()


def test_profile_listed_twice_is_named():
    with pytest.raises(gt.CertificateRejected, match=r"\(3/5, 2/5\) x \(2/5, 3/5\) listed twice"):
        CompletenessCertificate(BATTLE, (MIXED, MIXED)).verify()


def test_float_profile_is_rejected():
    with pytest.raises(gt.CertificateRejected, match="needs a rational profile"):
        CompletenessCertificate(BATTLE, (MIXED.to_float(),)).verify()


def test_three_players_are_refused():
    game = gt.load_game("nine_equilibria")
    refusal = "certify_completeness: needs two players with a choice, but .* leaves 2 x 2 x 2"
    with pytest.raises(gt.UnsupportedGame, match=refusal):
        certify_completeness(game)
    with pytest.raises(
        gt.CertificateRejected, match="completeness certificate: certify_completeness"
    ):
        CompletenessCertificate(game, ()).verify()


def test_statement_counts_the_profiles():
    assert "the 3 profiles are all extreme equilibria" in certify_completeness(BATTLE).statement
    single = gt.NormalFormGame.zero_sum([[1]])
    assert certify_completeness(single).statement == (
        "complete: the profile is the only equilibrium of the game"
    )


@examples(100)
@given(
    st.integers(1, 4).flatmap(
        lambda n: st.lists(
            st.lists(st.integers(1, 4), min_size=n, max_size=n), min_size=1, max_size=4
        )
    )
)
@example([[4, 0, 0], [4, 0, 0], [0, 4, 0], [0, 0, 4], [0, 3, 3]])  # a face that counts twice
def test_vertices_are_those_of_the_definition(payoffs):
    """A vertex: feasible, and the only point where its tight inequalities are tight."""
    n = len(payoffs[0])
    normals = [[int(i == j) for j in range(n)] + [0] for i in range(n)]
    normals += [[*row, 1] for row in payoffs]
    expected = set()
    for chosen in combinations(normals, n):
        point = solved([list(map(Fraction, row)) for row in chosen])
        if (
            point is not None
            and min(point) >= 0
            and any(point)
            and all(sum(a * z for a, z in zip(row, point, strict=True)) <= 1 for row in payoffs)
        ):
            expected.add(tuple(z / sum(point) for z in point))
    found = _vertices(payoffs)
    assert {tuple(Fraction(z, sum(ray)) for z in ray) for ray in found} == expected
    assert len(found) == len(expected)


def solved(system):
    """Solve ``[A | b]`` in rationals by elimination; None if singular."""
    for k in range(len(system)):
        row = next((i for i in range(k, len(system)) if system[i][k]), None)
        if row is None:
            return None
        system[k], system[row] = system[row], system[k]
        system[k] = [value / system[k][k] for value in system[k]]
        for i in range(len(system)):
            if i != k:
                factor = system[i][k]
                system[i] = [a - factor * b for a, b in zip(system[i], system[k], strict=True)]
    return [row[-1] for row in system]
