"""Figure 1: what is expected is known in closed form, and draws agree."""

from fractions import Fraction

import numpy as np
import pytest

from learners.self_play import DeltaLimitUniform, DeltaUniform, Naive
from learners.studies import Request, reproduce, study_named
from learners.studies.rirrps.sample_rates import sample_rates


def harmonic(number):
    return sum((Fraction(1, k) for k in range(1, number + 1)), Fraction(0))


def expected_rates(sampling, episodes):
    """How often each policy is expected to be met."""
    return pytest.approx(sample_rates("", sampling, episodes=episodes, seeds=()).expected)


def test_uniform_expectations_are_differences_of_harmonic_numbers():
    episodes = 40
    closed = [float(harmonic(episodes) - harmonic(policy)) for policy in range(episodes)]
    assert closed == expected_rates(DeltaUniform(0), episodes)


@pytest.mark.parametrize(
    "sampling", [Naive(), DeltaUniform("1/2"), DeltaLimitUniform(0), DeltaLimitUniform("1/2")]
)
def test_all_policies_together_are_met_once_an_episode(sampling):
    found = sample_rates("", sampling, episodes=15, seeds=())
    assert found.expected.sum() == pytest.approx(15)


def test_naive_self_play_meets_each_policy_once():
    assert expected_rates(Naive(), 5) == [1] * 5


def test_draws_follow_the_law():
    found = sample_rates("uniform", DeltaUniform(0), episodes=30, seeds=tuple(range(200)))
    assert (found.met.sum(axis=1) == 30).all()
    errors = np.sqrt(found.met.var(axis=0) / 200) + 1e-9
    assert (abs(found.met.mean(axis=0) - found.expected) < 5 * errors + 0.02).all()


def test_seeds_give_equal_files_twice(tmp_path):
    pytest.importorskip("matplotlib")
    pieces = study_named("rirrps").chosen(figures=[1])
    contents = []
    for name in ("one", "two"):
        request = Request(tmp_path / name, scale=0.04, seeds=(3, 4))
        paths = reproduce(pieces, request)["figure 1"]
        contents.append({path.name: path.read_bytes() for path in paths})
    assert contents[0] == contents[1]
    assert set(contents[0]) == {"figure-1.csv", "figure-1.png"}
    assert contents[0]["figure-1.png"].startswith(b"\x89PNG")
