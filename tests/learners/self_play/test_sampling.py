"""Policy sampling distributions: laws of sum one, closed forms, and what makes no sense."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument
from gametheory_core.testing import rationals
from learners.experiments.typed_values import read_record
from learners.options import KINDS, kind_of
from learners.self_play import (
    Append,
    DeltaLimitUniform,
    DeltaUniform,
    EloKernel,
    Menagerie,
    MetaGame,
    MetaStrategy,
    PastUniform,
    PresentAndPast,
    Prioritized,
    Priority,
    Record,
    SelfPlayScheme,
)
from learners.self_play.sampling import Independent, LooksAt, PolicySampling
from tests.sample_sizes import examples

SLOW = MetaGame(MetaStrategy.PROJECTED_REPLICATOR)
SAMPLINGS = (
    *(kind() for kind in KINDS[PolicySampling] if issubclass(kind, Independent)),
    DeltaUniform("1/2"),
    DeltaLimitUniform(0.3),
    Prioritized(Priority.EVEN, 1),
    Prioritized(power=0.5),
    *(sampling for solver in MetaStrategy if (sampling := MetaGame(solver)) != SLOW),
)


@st.composite
def menageries(draw, *, most=5):
    """Draw snapshots with win rates, records and ratings."""
    size = draw(st.integers(1, most))
    rates = np.full((size, size), Fraction(1, 2), dtype=object)
    for i in range(size):
        for j in range(i):
            rates[i, j] = Fraction(draw(st.integers(0, 6)), 6)
            rates[j, i] = 1 - rates[i, j]
    records = []
    for _ in range(size):
        matches = draw(st.integers(0, 20))
        records.append(Record(Fraction(draw(st.integers(0, 2 * matches)), 2), matches))
    ratings = draw(st.lists(st.floats(0, 3000), min_size=size + 1, max_size=size + 1))
    return Menagerie(
        tuple(range(size)), win_rates=rates, records=tuple(records), ratings=tuple(ratings)
    )


HALF = Fraction(1, 2)
CYCLE = [["1/2", "1", "0"], ["0", "1/2", "1"], ["1", "0", "1/2"]]


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=repr)
@examples(20)
@given(menagerie=menageries())
def test_shares_are_exact_not_negative_and_sum_to_one(sampling, menagerie):
    weights = sampling.weights(menagerie)
    assert len(weights) == len(menagerie) + 1
    assert all(type(w) is Fraction and w >= 0 for w in weights)
    assert sum(weights) == 1


@pytest.mark.parametrize("sampling", SAMPLINGS, ids=repr)
@examples(10)
@given(menagerie=menageries(most=3))
def test_opponents_are_independent_and_may_be_met_twice_at_once(sampling, menagerie):
    weights = sampling.weights(menagerie)
    law = dict(sampling.law(menagerie, 2).items)
    expected = {
        (i, j): v * w for i, v in enumerate(weights) for j, w in enumerate(weights) if v * w
    }
    assert {pair: w for pair, w in law.items() if w} == expected
    assert {(i,): w for i, w in enumerate(weights) if w} == {
        one: w for one, w in sampling.law(menagerie).items if w
    }


def test_shares_of_the_past_and_of_the_present():
    third = Fraction(1, 3)
    assert PastUniform().weights(Menagerie(tuple("abcde"))) == (*[Fraction(1, 5)] * 5, 0)
    assert PresentAndPast("1/3").weights(Menagerie(("a", "b"))) == (third, third, third)


def test_a_class_of_ones_own_is_known_to_files_by_being_declared(monkeypatch):
    monkeypatch.setitem(KINDS, PolicySampling, [*KINDS[PolicySampling]])

    @kind_of(PolicySampling)
    class Oldest(Independent):
        looks_at = LooksAt.NOTHING
        count: int = 1

        def _weights(self, menagerie):
            oldest = min(self.count, len(menagerie))
            return (*[Fraction(1, oldest)] * oldest, *[Fraction(0)] * (len(menagerie) + 1 - oldest))

    table = {"sampling": {"kind": "Oldest", "count": 2}, "gate": {"kind": "Append"}}
    scheme = read_record(table, SelfPlayScheme, path="test.toml")
    assert scheme == SelfPlayScheme(Oldest(2), Append())
    assert scheme.sampling.weights(tuple("abc")) == (HALF, HALF, 0, 0)
    with pytest.raises(InvalidArgument, match="kind: needs one of Naive, .*, Oldest, but"):
        read_record({**table, "sampling": {"kind": "Old"}}, SelfPlayScheme, path="test.toml")


def test_a_second_class_of_a_name_is_refused_unless_it_is_the_same_one_again(monkeypatch):
    monkeypatch.setitem(KINDS, PolicySampling, [*KINDS[PolicySampling]])
    count = len(KINDS[PolicySampling])
    with pytest.raises(InvalidArgument, match=r"another name than Naive, .*by_age.Naive. Rename"):
        kind_of(PolicySampling)(type("Naive", (Independent,), {}))
    assert len(KINDS[PolicySampling]) == count
    made = [kind_of(PolicySampling)(type("Again", (Independent,), {})) for _ in range(2)]
    assert KINDS[PolicySampling][count:] == made[1:]


def test_who_wins_seldom_comes_first_or_who_is_level():
    records = (Record(Fraction(7), 8), Record(Fraction(4), 8), Record(Fraction(0), 8))
    met = Menagerie(tuple("abc"), records=records)
    assert [r.win_rate for r in records] == [Fraction(4, 5), HALF, Fraction(1, 10)]
    losses = [Fraction(1, 5), HALF, Fraction(9, 10)]
    squares = [w * w for w in losses]
    assert Prioritized().weights(met) == (*[w / sum(squares) for w in squares], 0)
    level = [w * (1 - w) for w in losses]
    assert Prioritized(Priority.EVEN, 1).weights(met) == (*[w / sum(level) for w in level], 0)
    roots = np.sqrt([float(w) for w in losses])
    found = [float(w) for w in Prioritized(power=0.5).weights(met)]
    assert found == pytest.approx([*roots / roots.sum(), 0])
    assert Prioritized(power=0).weights(met) == PastUniform().weights(met)
    assert Prioritized().weights(Menagerie(tuple("abc"))) == PastUniform().weights(met)


def test_meta_games_are_solved_as_asked():
    third = Fraction(1, 3)
    cycle = Menagerie(tuple("rps"), win_rates=CYCLE)
    for solver in MetaStrategy:
        found = [float(w) for w in MetaGame(solver).weights(cycle)]
        assert found == pytest.approx([third, third, third, 0], abs=1e-6)
    ladder = Menagerie(tuple("ab"), win_rates=[["1/2", "1/4"], ["3/4", "1/2"]])
    for solver in (MetaStrategy.MAX_ENTROPY, MetaStrategy.MINIMAX, MetaStrategy.ALPHA_RANK):
        assert MetaGame(solver).weights(ladder) == (0, 1, 0)
    assert MetaGame(MetaStrategy.UNIFORM).weights(ladder) == (HALF, HALF, 0)
    explored = MetaGame(MetaStrategy.PROJECTED_REPLICATOR).weights(ladder)
    assert 0 < explored[0] < HALF < explored[1]
    even = Menagerie(tuple("ab"), win_rates=[["1/2"] * 2] * 2)
    assert MetaGame().weights(even) == (HALF, HALF, 0)
    assert MetaGame().weights(Menagerie(tuple("a"))) == (1, 0)


@pytest.mark.parametrize("width", [1 / 6, 0.5, 1e-3])
def test_nearly_equal_ratings_come_first(width):
    ratings = (1400.0, 1500.0, 1700.0, 1450.0)  # the live policy last
    found = [float(w) for w in EloKernel(width).weights(Menagerie(tuple("abc"), ratings=ratings))]
    scores = [1 / (1 + 10 ** ((r - 1450) / 400)) for r in ratings[:3]]
    logs = np.array([-((e - 0.5) ** 2) / (2 * width**2) for e in scores])
    shares = np.exp(logs - logs.max())
    assert found == pytest.approx([*shares / shares.sum(), 0], abs=1e-12)
    assert EloKernel(width).weights(Menagerie(tuple("abc"))) == PastUniform().weights(
        Menagerie(tuple("abc"))
    )


def test_ratings_may_be_as_far_apart_as_floats_go():
    far = Menagerie(tuple("ab"), ratings=(0.0, 1e308, -1e308))
    assert EloKernel().weights(far) == (HALF, HALF, 0)  # both win for certain


@given(rationals(low=0, high=1))
def test_shares_are_read_exactly_from_texts_and_floats(share):
    assert DeltaUniform(str(share)).delta == DeltaUniform(share).delta == share
    assert DeltaUniform(float(share)).delta == Fraction(repr(float(share)))
    assert DeltaUniform(np.float64(share)).delta == Fraction(repr(float(share)))


def test_short_floats_are_read_as_they_are_written():
    assert DeltaUniform(np.float32(0.1)).delta == DeltaUniform(np.float16(0.1)).delta
    assert DeltaUniform(np.float32(0.1)).delta == Fraction(1, 10)


@pytest.mark.parametrize(
    "share",
    ["half", "", "nan", "inf", "1/0", "-1/2", "3/2", "2", "1e-999999999", "1e999999999", -0.1,
     1.0001, math.nan, math.inf, True, None, [0.5], Fraction(-1, 2), Fraction(3, 2), 2],
)  # fmt: skip
@pytest.mark.parametrize(
    ("kind", "name"),
    [(DeltaUniform, "delta"), (DeltaLimitUniform, "delta"), (PresentAndPast, "present")],
)
def test_what_is_no_share_is_refused_by_name(kind, name, share):
    with pytest.raises(InvalidArgument, match=rf"{name}"):
        kind(share)


@pytest.mark.parametrize(
    ("make", "match"),
    [
        (lambda: Prioritized("hard"), "priority"),
        (lambda: Prioritized(power=-1), "power"),
        (lambda: Prioritized(power=math.nan), "power"),
        (lambda: EloKernel(0), "width"),
        (lambda: EloKernel(math.inf), "width"),
        (lambda: MetaGame("nash"), "MetaGame: needs a member of MetaStrategy as solver"),
    ],
)
def test_options_that_make_no_sense_are_refused_by_name(make, match):
    with pytest.raises(InvalidArgument, match=match):
        make()


def test_laws_are_of_menageries_with_somebody_in_them():
    with pytest.raises(InvalidArgument, match="needs at least one snapshot, but got an empty mena"):
        DeltaUniform().law([])
    with pytest.raises(InvalidArgument, match="needs a menagerie, but got"):
        DeltaUniform().law("abc")
    with pytest.raises(InvalidArgument, match="opponents"):
        DeltaUniform().law(["a"], 0)
    for sampling in SAMPLINGS:
        with pytest.raises(InvalidArgument, match="needs a menagerie, but got 5"):
            sampling.weights(5)
    with pytest.raises(InvalidArgument, match="MetaGame: needs a menagerie with win rates"):
        MetaGame().weights(Menagerie(tuple("ab")))
