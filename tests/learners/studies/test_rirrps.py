"""The study of RirRPS at a tiny scale: every figure and table, equal files, resumption."""

import csv
import shutil
import sys

import numpy as np
import pytest

from gametheory_core.catalog import RirRPS
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from learners import batched
from learners.matches import match_reply
from learners.self_play import RollingWindow, SelfPlay, delta_uniform
from learners.studies import Kind, Request, reproduce, study_named
from learners.studies.recorded import RecordedSelfPlay, WatchedPlay
from learners.studies.rirrps.hyperparameters import ours
from learners.studies.rirrps.measures import cyclic_share, cyclic_triples, growth
from learners.studies.rirrps.mixture_replies import mixture_reply
from learners.studies.rirrps.performance import sizes_of
from learners.studies.rirrps.settings import scheme_named, settings
from learners.studies.rirrps.trajectories import (
    evenly_spread,
    fixed_matches,
    laid_out,
    median_path,
    one_hot,
    window_bounds,
)

STUDY = study_named("rirrps")
SCALE = 0.02
CURVES = [p for p in STUDY.pieces if p.kind is Kind.FIGURE and p.number in {3, 4, 5}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    pytest.importorskip("torch")
    pytest.importorskip("matplotlib")
    found = tmp_path_factory.mktemp("rirrps")
    made = reproduce(CURVES, Request(found, scale=SCALE, seeds=(0,)))
    assert set(made) == {"figure 3", "figure 4", "figure 5"}
    return found


def rows(path):
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def outputs(folder):
    return {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file()}


def test_pictures_stand_beside_their_data(folder):
    names = set(outputs(folder))
    assert {"figure-3.png", "figure-4.png", "figure-5.png"} <= names
    assert {"figure-3-win-rates.csv", "figure-3-nash.csv", "figure-3-growth.csv"} <= names
    assert {"figure-4.csv", "figure-5.csv"} <= names


def test_win_rates_of_a_pair_sum_to_one_and_nash_to_one(folder):
    found = rows(folder / "figure-3-win-rates.csv")
    assert len(found) == 12
    for scheme in settings().schemes:
        own = [r for r in found if r["scheme"] == scheme]
        table = np.array([[int(r[str(k)]) for k in range(2)] for r in own])
        assert (abs(table + table.T - 1000) <= 1).all()
    for row in rows(folder / "figure-3-nash.csv"):
        assert abs(int(row["0"]) + int(row["1"]) - 1000) <= 1


def test_all_pairs_of_schemes_are_compared(folder):
    found = rows(folder / "figure-4.csv")
    assert len({(r["first"], r["second"]) for r in found}) == 15
    assert all(abs(float(r["mean"])) <= 0.5 for r in found)


def test_bounds_of_mixtures_are_in_order(folder):
    found = rows(folder / "figure-5.csv")
    assert {r["scheme"] for r in found} == set(settings().schemes)
    low, high = (
        [float(r["mean"]) for r in found if r["quantity"] == f"Nash mixture, at {word}"]
        for word in ("least", "most")
    )
    assert len(low) == len(high) > 0
    assert all(0 <= a <= b + 1e-6 for a, b in zip(low, high, strict=True))


def test_an_interrupted_study_goes_on_bit_for_bit(folder, tmp_path):
    """A smaller scale stops after half of the updates; the larger goes on from there."""
    reproduce(CURVES[:1], Request(tmp_path, scale=SCALE / 2, seeds=(0,)))
    reproduce(CURVES, Request(tmp_path, scale=SCALE, seeds=(0,)))
    assert outputs(tmp_path) == outputs(folder)


def test_finished_runs_are_not_made_again(folder):
    before = {p: p.stat().st_mtime_ns for p in (folder / "runs").rglob("*.jsonl")}
    assert len(before) == 6
    reproduce(CURVES[:1], Request(folder, scale=SCALE, seeds=(0,)))
    assert {p: p.stat().st_mtime_ns for p in (folder / "runs").rglob("*.jsonl")} == before


def test_a_run_whose_checkpoint_is_gone_says_so(folder, tmp_path):
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True)
    (checkpoint, *_) = sorted((tmp_path / "runs").rglob("*.zip"))
    checkpoint.unlink()
    with pytest.raises(InvalidArgument, match="the file is gone, though .* or delete .* and make"):
        reproduce(CURVES[:1], Request(tmp_path, scale=SCALE, seeds=(0,)))


def test_runs_longer_than_asked_for_are_refused(folder):
    with pytest.raises(InvalidArgument, match="needs a --scale of at least that of the runs"):
        reproduce(CURVES[:1], Request(folder, scale=SCALE / 2, seeds=(0,)))


@pytest.mark.slow
def test_jobs_change_nothing(folder, tmp_path):
    reproduce(CURVES[:1], Request(tmp_path, scale=SCALE, seeds=(0,), jobs=2))
    assert {**outputs(folder), **outputs(tmp_path)} == outputs(folder)


@pytest.mark.slow
def test_the_sweep_of_gates_is_a_table_with_exact_chances(folder):
    found = reproduce(STUDY.chosen(tables=[2]), Request(folder, scale=SCALE, seeds=(0,)))
    assert [p.name for p in found["table 2"]] == ["table-2.csv", "table-2-seconds.csv"]
    table = rows(folder / "table-2.csv")
    assert len(table) == 11
    assert all(float(row["menagerie"]) >= 1 for row in table)
    assert all(float(row["seconds a run"]) > 0 for row in rows(folder / "table-2-seconds.csv"))


@pytest.mark.slow
def test_matches_of_all_trainings_are_laid_out_at_once(folder):
    pytest.importorskip("sklearn")
    found = reproduce(STUDY.chosen(figures=[2]), Request(folder, scale=SCALE, seeds=(0,)))
    assert [p.suffix for p in found["figure 2"]] == [".csv", ".csv", ".png"]
    points = rows(folder / "figure-2-points.csv")
    assert len({row["training"] for row in points}) == 6 + 3 + 3
    paths = rows(folder / "figure-2-windows.csv")
    assert len(paths) == 9 * settings().trajectories.windows


def test_without_scikit_learn_nothing_is_trained_and_what_installs_it_is_named(
    tmp_path, capsys, monkeypatch
):
    from learners.__main__ import main

    monkeypatch.setitem(sys.modules, "sklearn.manifold", None)
    command = ["reproduce", "rirrps", "--figure", "2", "--scale", str(SCALE), "--seeds", "0"]
    assert main([*command, "--out", str(tmp_path)]) == 2
    assert "pip install 'gametheory-core[study]'" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["study.txt"]


# Parts of it


def test_windows_partition_matches_in_order():
    for count in (1, 7, 20, 61, 400):
        bounds = window_bounds(count, 20)
        assert bounds[0] == 0
        assert bounds[-1] == count
        assert len(bounds) == min(count, 20) + 1
        sizes = np.diff(bounds)
        assert sizes.min() >= 1
        assert sizes.max() - sizes.min() <= 1


def test_a_path_is_the_median_of_each_coordinate():
    points = np.random.default_rng(0).normal(size=(60, 2))
    path = median_path(points, 20)
    assert path.shape == (20, 2)
    for k in range(20):
        x, y = np.sort(points[3 * k : 3 * k + 3], axis=0)[1]
        assert path[k].tolist() == [x, y]


def test_matches_are_chosen_evenly_and_in_order():
    for total, count in ((10, 3), (5, 5), (3, 9), (12_800, 600)):
        chosen = evenly_spread(total, count)
        assert len(chosen) == min(total, count)
        assert (np.diff(chosen) > 0).all()
        assert chosen.max() < total


def test_fixed_agents_are_told_apart_by_their_own_throws():
    for throw in range(3):
        found = one_hot(fixed_matches(throw, 50, np.random.default_rng(throw)))
        assert found.shape == (50, 60)
        assert (found.sum(axis=1) == 20).all()
        assert found[:, throw::6].all()


def test_a_circle_is_all_cyclic_and_a_ladder_is_not():
    circle = np.array([[0.5, 0, 1], [1, 0.5, 0], [0, 1, 0.5]])
    ladder = np.where(np.tri(5, k=-1) > 0, 0.9, 0.1)
    np.fill_diagonal(ladder, 0.5)
    assert cyclic_share(circle) == cyclic_triples(circle) == 1
    assert cyclic_triples(ladder) == 0
    assert cyclic_share(ladder) < 0.2
    assert growth(ladder).lost_to == 0
    assert growth(ladder).beats_older == growth(ladder).beats_previous == pytest.approx(0.9)
    assert growth(ladder.T).lost_to == 1


def test_sizes_of_populations_end_with_the_whole():
    for count, points in ((1, 5), (3, 10), (50, 10), (100, 7)):
        found = sizes_of(count, points)
        assert found[-1] == count
        assert found[0] >= 1
        assert len(found) <= points


def test_a_mixture_of_equal_tables_is_answered_as_one_table(tables):
    one = tables[0]
    found = mixture_reply(RirRPS(), [one, one, one], np.array([0.2, 0.3, 0.5]))
    best = float(match_reply(RirRPS(), one).win_rate)
    assert found.low == pytest.approx(best, abs=1e-12)
    assert found.high == pytest.approx(best, abs=1e-12)


def test_more_passes_answer_a_mixture_no_worse(tables):
    weights = np.array([0.4, 0.3, 0.3])
    found = [mixture_reply(RirRPS(), tables, weights, passes=k) for k in range(4)]
    assert (np.diff([own.low for own in found]) >= -1e-12).all()
    assert found[0].low < found[-1].low < found[-1].high
    assert len({own.high for own in found}) == 1


def test_throws_that_cancel_out_are_told_apart_by_their_first_throw():
    """Rock, paper and scissors alike: after one round the responder knows whom it met."""
    pure = [np.tile(row, (820, 1)) for row in np.eye(3)]
    found = mixture_reply(RirRPS(), pure, np.ones(3) / 3)
    assert found.high == pytest.approx(1)
    assert found.low == pytest.approx(1)


@pytest.fixture
def tables():
    return list(np.random.default_rng(4).dirichlet(np.full(3, 0.3), (3, 820)))


def test_recording_changes_nothing_of_self_play_and_keeps_all_matches():
    options = {"name": "TabularReinforce"}
    play = batched(RirRPS(repetitions=4, recall=1), episodes=8, seed=1)
    plain = SelfPlay(
        play.anew(episodes=8, seed=1),
        scheme=delta_uniform(),
        live=options,
        rng=np.random.default_rng(5),
    )
    kept = RecordedSelfPlay(
        play.anew(episodes=8, seed=1),
        scheme=delta_uniform(),
        live=options,
        rng=np.random.default_rng(5),
    )
    for _ in range(3):
        metrics = kept.improve()
        assert metrics == plain.improve()
    assert len(kept.tables) == 4
    for table, own in zip(kept.tables[1:], plain.menagerie[1:], strict=True):
        assert (table == own).all()
    assert kept.matches.shape == (metrics["episodes"], 4)
    assert len(kept.matches) >= 24
    assert (kept.matches < 9).all()


def test_only_matches_can_be_watched():
    play = batched(RirRPS(repetitions=3, recall=0), episodes=4, seed=1)
    with pytest.raises(UnsupportedGame, match="shows its last round"):
        RecordedSelfPlay(
            play, scheme=delta_uniform(), live={"name": "QLearning"}, rng=np.random.default_rng(1)
        )
    assert WatchedPlay.KEPT


def test_the_sixth_scheme_is_the_papers_psro():
    assert scheme_named("psro").gate == RollingWindow("18/25", 50)


def test_every_hyperparameter_of_the_paper_has_one_here():
    assert {row.name for row in settings().paper.hyperparameters} == set(ours())


def test_like_matches_lie_near_each_other():
    pytest.importorskip("sklearn")
    rng = np.random.default_rng(1)
    matches = np.concatenate([one_hot(fixed_matches(throw, 40, rng)) for throw in (0, 2)])
    points = laid_out(matches)
    assert points.shape == (80, 2)
    middles = points[:40].mean(axis=0), points[40:].mean(axis=0)
    nearer = np.linalg.norm(points[:, None] - middles, axis=2).argmin(axis=1)
    assert (nearer == np.repeat([0, 1], 40)).mean() > 0.9
