"""Lists of pure equilibria: the whole list is accepted, every other one rejected by name."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import CertificateRejected, NormalFormGame, pure_profile, uniform_profile
from gametheory_core.catalog import load
from gametheory_core.certificates import PureCompletenessCertificate
from solvers import pure

GAME = load("coordination:size=2")
BOTH = (pure_profile(GAME, (0, 0)), pure_profile(GAME, (1, 1)))


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("matching_pennies", "the game has no pure equilibrium"),
        ("prisoners_dilemma", "the profile is the only pure equilibrium of the game"),
        ("coordination:size=2", "the 2 profiles are all pure equilibria of the game"),
    ],
)
def test_statement_counts_the_profiles(name, said):
    assert pure(load(name)).completeness.statement == f"complete: {said}"


@given(data=st.data(), shape=st.lists(st.integers(1, 3), min_size=1, max_size=3))
def test_the_solver_s_list_is_complete(data, shape):
    size = len(shape)
    for count in shape:
        size *= count
    flat = iter(data.draw(st.lists(st.integers(-1, 1), min_size=size, max_size=size)))

    def tensor(dimensions):
        if not dimensions:
            return next(flat)
        return [tensor(dimensions[1:]) for _ in range(dimensions[0])]

    game = NormalFormGame.from_payoffs(tensor([len(shape), *shape]))
    found = pure(game)
    found.completeness.verify()
    profiles = found.completeness.profiles
    if profiles:
        with pytest.raises(CertificateRejected, match="is missing"):
            PureCompletenessCertificate(game, profiles[1:]).verify()


@pytest.mark.parametrize(
    ("profiles", "problem"),
    [
        ((), r"\(1, 0\) x \(1, 0\), which is missing"),
        ((*BOTH, BOTH[0]), "listed twice"),
        ((*BOTH, pure_profile(GAME, (0, 1))), r"\(1, 0\) x \(0, 1\), which is not one"),
        ((*BOTH, uniform_profile(GAME)), "which is not one of the 2"),
        ((*BOTH[:1], BOTH[1].to_float()), "needs a rational profile"),
    ],
)
def test_other_lists_are_rejected(profiles, problem):
    PureCompletenessCertificate(GAME, BOTH).verify()
    with pytest.raises(CertificateRejected, match=problem):
        PureCompletenessCertificate(GAME, profiles).verify()
