"""Figures of learning: points, bands, ends, and runs that say too little."""

import csv
import io

import pytest

from gametheory_core.errors import NotConverged
from learners.experiments.run_records import CurvePoint, Run, Status
from learners.studies.curves import Axes, Curve, End, Level, curve, curve_files, end_files
from learners.studies.panels import draw_banded, panels


def run_of(points, seed=0):
    found = tuple(CurvePoint(k, metrics, {}) for k, metrics in enumerate(points, start=1))
    return Run("learner", seed, "nowhere", Status.FINISHED, len(found), found)


def rows_of(content):
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_at_a_point_counts_the_last_number_before_it():
    run = run_of([{"steps": 0, "paid": 1}, {"steps": 10, "paid": 2}, {"steps": 30, "paid": 3}])
    found = curve("game", "learner", [run], Axes(y="paid", x="steps", points=4))
    assert found.at == (0, 10, 20, 30)
    assert [band.mean for band in found.bands] == [1, 2, 2, 3]


def test_bands_are_over_seeds_where_all_have_numbers():
    runs = [
        run_of([{"paid": 1.0}, {"paid": 3.0}, {"paid": 5.0}]),
        run_of([{"other": 0.0}, {"paid": 5.0}, {"paid": 7.0}], seed=1),
    ]
    found = curve("game", "learner", runs, Axes(y="paid", times=10, points=2))
    assert found.at == (20, 30)
    assert [band.mean for band in found.bands] == [4, 6]
    assert found.bands[0].low < 4 < found.bands[0].high
    assert found.seeds == 2


def test_points_without_a_metric_are_left_out_and_the_axis_may_end_before_the_runs():
    points = [{"paid": 9.0}] + [{"paid": float(k), "leads": 1.0} for k in range(1, 5)]
    axes = Axes(y="paid", only_with="leads", most=4, points=3)
    found = curve("game", "learner", [run_of(points)], axes)
    assert found.at == (2, 3, 4)
    assert [band.mean for band in found.bands] == [1, 2, 3]


def test_runs_that_never_report_are_refused_by_name():
    with pytest.raises(NotConverged, match="report 'paid'.*seed 3 of learner.*--scale"):
        curve("game", "learner", [run_of([{"other": 1.0}], seed=3)], Axes(y="paid"))


def test_data_hold_curves_and_levels_and_no_bounds_of_single_seeds():
    run = run_of([{"paid": 1.0}, {"paid": 3.0}])
    axes = Axes(y="paid", points=2)
    made = curve_files(
        "figure-1", [curve("g", "l", [run], axes)], axes, levels=[Level("g", "w", 2)]
    )
    assert made["figure-1.png"].startswith(b"\x89PNG")
    rows = rows_of(made["figure-1.csv"])
    assert [(own["learner"], own["at"], own["mean"], own["low"]) for own in rows] == [
        ("l", "1", "1", ""),
        ("l", "2", "3", ""),
        ("w", "", "2", ""),
    ]


def test_ends_have_means_bounds_and_extremes():
    made = end_files("figure-3", [End("g", "l", (1.0, 3.0))], "paid", levels=[Level("g", "w", 4)])
    own, level = rows_of(made["figure-3.csv"])
    assert (own["seeds"], own["mean"], own["least"], own["most"]) == ("2", "2", "1", "3")
    assert float(own["low"]) < 2 < float(own["high"])
    assert (level["learner"], level["mean"]) == ("w", "4")
    assert made["figure-3.png"].startswith(b"\x89PNG")


def test_a_band_is_drawn_only_where_it_is_known():
    axes = Axes(y="paid", points=2)
    one = curve("g", "l", [run_of([{"paid": 1.0}, {"paid": 2.0}])], axes)
    two = curve("g", "l", [run_of([{"paid": v}, {"paid": v}]) for v in (1.0, 2.0)], axes)
    _, (left, right) = panels(2)
    for ax, own in ((left, one), (right, two)):
        assert isinstance(own, Curve)
        draw_banded(ax, 0, own.at, own.bands, own.learner)
    assert (len(left.collections), len(right.collections)) == (0, 1)
