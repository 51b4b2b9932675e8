"""Comparisons order learners by what they were judged, with intervals that cover as promised."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from gametheory_core import InvalidArgument
from learners import Standing
from learners.experiments import Status, compare, learning_curves
from learners.experiments.comparisons import difference_interval, mean_interval
from learners.experiments.run_records import CurvePoint, Run
from learners.findings import Finding


def judged(label, seed, value, name="nash_conv", standing=Standing.PROVED):
    value = Fraction(value) if standing is not Standing.SAMPLED else float(value)
    return Run(
        label,
        seed,
        "path",
        Status.FINISHED,
        10,
        (CurvePoint(1, {"loss": float(value)}, {}), CurvePoint(2, {"loss": 2.0}, {name: 1.0})),
        findings=(Finding(name, value, standing),),
    )


A = [judged("A", seed, value) for seed, value in enumerate(["1/2", "3/4", 1])]
B = [judged("B", seed, value) for seed, value in enumerate([5, 6, "11/2"])]
C = [judged("C", seed, value) for seed, value in enumerate([5, 5, 7])]


def test_smallest_nash_conv_comes_first():
    found = compare([*B, *A, *C])
    assert (found.quantity, found.small_is_good) == ("nash_conv", True)
    assert [own.label for own in found.learners] == ["A", "B", "C"]
    assert [own.rank for own in found.learners] == [1, 2, 3]
    assert [own.beats_next for own in found.learners] == [True, False, False]
    assert (found.learners[0].least, found.learners[0].most) == (0.5, 1.0)
    assert found.rows()[0]["standing"] == "proved"


@pytest.mark.parametrize("name", ["leader_value", "fairness", "return/row"])
def test_largest_value_comes_first(name):
    runs = [judged("low", s, 1 + s, name) for s in range(3)]
    runs += [judged("high", s, 9 + s, name) for s in range(3)]
    found = compare(runs, quantity=name)
    assert [own.label for own in found.learners] == ["high", "low"]
    assert found.learners[0].beats_next
    assert not found.small_is_good


def test_intervals_are_those_of_scipy():
    values = [0.5, 0.75, 1.0, 4.0]
    others = [1.0, 7.0, 9.0]
    ours, theirs = mean_interval(values), stats.ttest_1samp(values, 0).confidence_interval()
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))
    ours = difference_interval(values, others, confidence=0.9)
    theirs = stats.ttest_ind(values, others, equal_var=False).confidence_interval(0.9)
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high))


def test_interval_covers_as_often_as_it_promises():
    # 2000 intervals at 90%: 5 standard errors are 0.034, passed over with chance below 1e-6
    rng = np.random.default_rng(0)
    found = [mean_interval(row, confidence=0.9) for row in rng.normal(3, 2, size=(2000, 5))]
    share = np.mean([own.low <= 3 <= own.high for own in found])
    assert abs(share - 0.9) < 0.034


def test_one_seed_has_no_interval_and_equal_seeds_a_point():
    one = compare([A[0], B[0]]).learners
    assert (one[0].low, one[0].high, one[0].beats_next) == (-math.inf, math.inf, False)
    same = [judged("same", s, 1) for s in range(3)]
    more = [judged("more", s, 2) for s in range(3)]
    first = compare([*same, *more]).learners[0]
    assert (first.low, first.high, first.beats_next) == (1.0, 1.0, True)


def test_failed_runs_are_counted_and_left_out():
    failed = replace(A[0], seed=9, status=Status.DIVERGED, findings=())
    first = compare([*A, failed]).learners[0]
    assert (first.seeds, first.failed) == (3, 1)


def test_runs_that_were_stopped_and_judged_count():
    stopped = replace(A[0], seed=9, status=Status.STOPPED)
    first = compare([*A, stopped]).learners[0]
    assert (first.seeds, first.failed) == (4, 0)
    assert first.mean == (0.5 + 0.75 + 1 + 0.5) / 4


def test_weakest_standing_is_told():
    mixed = [A[0], judged("A", 5, 1, standing=Standing.SAMPLED)]
    assert compare(mixed).learners[0].standing is Standing.SAMPLED


@pytest.mark.parametrize(
    ("runs", "options", "message"),
    [
        ([], {}, "there is no experiment has none"),
        ([replace(A[0], findings=())], {}, "of each experiment, but 'A' has none"),
        (A, {"quantity": "nash_cov"}, r"not 'nash_cov'\. Did you mean nash_conv"),
        ([judged("A", 0, 1, "other")], {}, "needs a quantity, since the runs share none"),
        ([*A, judged("B", 0, 1, "other")], {}, "They share nothing"),
        ([*A, A[1]], {}, "needs each run once, but seed 1 of 'A' is there twice"),
        (
            [A[0], replace(A[1], experiment={"game": {"name": "chicken"}})],
            {},
            "needs one experiment under each label, but of the runs called 'A' one has game None",
        ),
        (A, {"confidence": 1.5}, "confidence above 0 and below 1"),
    ],
)
def test_what_cannot_be_compared_is_refused(runs, options, message):
    with pytest.raises(InvalidArgument, match=message):
        compare(runs, **options)


def test_curves_have_the_mean_and_band_of_all_seeds():
    (curve,) = learning_curves(A, "loss")
    assert (curve.label, curve.seeds, curve.iterations) == ("A", 3, (1, 2))
    wanted = mean_interval([0.5, 0.75, 1.0])
    assert (curve.mean[0], curve.low[0], curve.high[0]) == (wanted.mean, wanted.low, wanted.high)
    assert (curve.low[1], curve.mean[1], curve.high[1]) == (2.0, 2.0, 2.0)


def test_curves_of_what_was_judged_on_the_way():
    curves = learning_curves([*A, *B], "assessed/nash_conv")
    assert [(c.label, c.iterations, c.mean) for c in curves] == [
        ("A", (2,), (1.0,)),
        ("B", (2,), (1.0,)),
    ]


def test_curves_keep_the_iterations_that_all_seeds_have():
    points = [CurvePoint(i, {"loss": float(i)}, {}) for i in range(5)]
    runs = [
        replace(run, curve=tuple(points[i] for i in own))
        for run, own in zip(A, [(0, 1, 2, 4), (1, 2, 3, 4), (0, 2, 3, 4)], strict=True)
    ]
    (curve,) = learning_curves(runs, "loss")
    assert (curve.iterations, curve.mean) == ((2, 4), (2.0, 4.0))


def test_curve_of_one_seed_has_no_band():
    (curve,) = learning_curves(A[:1], "loss")
    assert curve.low == curve.mean == curve.high


def test_curve_of_the_same_run_twice_is_refused():
    with pytest.raises(InvalidArgument, match="needs each run once, but seed 0"):
        learning_curves([*A, A[0]], "loss")


def test_curve_of_an_unknown_metric_is_refused():
    with pytest.raises(InvalidArgument, match=r"not 'los'\. Did you mean loss"):
        learning_curves(A, "los")
