"""Runs write down what happens, go on bit for bit after whatever stopped them, and end once."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from gametheory_core import CertificateRejected, InvalidArgument, MalformedFile, UnsupportedGame
from gametheory_core.evaluation import policy_nash_conv
from gametheory_core.formats import parse_json, read_text, verified_certificates
from learners import assess_by_sampling, batched, load_snapshot, save_snapshot
from learners.experiments import Status, config_record, read_run, run, setup, trained_learner
from learners.experiments.config import GameConfig
from learners.experiments.run_files import read_lines
from learners.experiments.runs import files_of, recorded_run
from learners.experiments.setup import game_of


def lines(files):
    """Return the bytes of a run's file, but for the seconds, which differ."""
    text = files.lines.read_text()
    return [line.partition(', "seconds"')[0] for line in text.splitlines()]


def state(files):
    kept = load_snapshot(files.checkpoint)
    return repr({k: v for k, v in kept.items() if k != "seconds"})


def interrupted(config, table, *stops):
    """Stop a run of seed 3 in some iterations, going on in between."""
    left = set(stops)

    def interrupt(progress):
        if progress.done in left:
            left.remove(progress.done)
            raise KeyboardInterrupt("by the test")

    for _ in stops:
        with pytest.raises(KeyboardInterrupt, match="by the test"):
            run(config, 3, learners=table, on_iteration=interrupt)
        assert read_run(files_of(config, 3).lines).status is Status.UNFINISHED


def assert_never_stopped(config, table):
    """Compare what a run of seed 3 left with a run made in one go."""
    training = replace(config.training, seconds=None)
    whole = replace(config, output=f"{config.output}-whole", training=training)
    run(whole, 3, learners=table)
    assert lines(files_of(config, 3)) == lines(files_of(whole, 3))
    assert state(files_of(config, 3)) == state(files_of(whole, 3))


def test_run_writes_header_lines_assessment_and_end(experiment, table):
    config = experiment(training__log_every=3, training__assess_every=4)
    found = run(config, 7, learners=table)
    records = read_lines(Path(found.path))
    kinds = [record["kind"] for record in records]
    assert kinds == ["header", *["iteration"] * 6, "appraisal", "end"]
    assert [p.iteration for p in found.curve] == [3, 4, 6, 8, 9, 12]
    assert [bool(p.assessed) for p in found.curve] == [False, True, False, True, False, True]
    header = records[0]
    assert header["seed"] == 7
    assert header["experiment"]["learner"] == {"name": "DriftingLearner"}
    assert {"python", "numpy", "gametheory-core"} <= header["versions"].keys()
    assert (found.status, found.iterations, found.label) == (Status.FINISHED, 12, "DriftingLearner")


def test_assessment_is_that_of_the_last_policies(experiment, table):
    config = experiment()
    found = run(config, 1, learners=table)
    learner = trained_learner(config, 1, learners=table)
    exact = policy_nash_conv(game_of(config.game), learner.policies())
    assert {f.name: f.value for f in found.findings}["nash_conv"] == exact > 0


def test_certificates_lie_beside_and_verify(experiment, table):
    config = experiment(game={"name": "repeated_matching_pennies"})
    run(config, 1, learners=table)
    found = sorted(files_of(config, 1).folder.glob("*certificate*.json"))
    assert [path.name for path in found] == [
        "seed-1.certificate-1-nash.json",
        "seed-1.certificate-2-minimax.json",
    ]
    for path in found:
        assert len(verified_certificates(parse_json(read_text(path), name=path.name))) == 1


def test_seeds_differ_and_repeat(experiment, table, tmp_path):
    first = run(experiment(), 1, learners=table)
    again = run(experiment(output=str(tmp_path / "again")), 1, learners=table)
    other = run(experiment(), 2, learners=table)
    assert first.curve == again.curve != other.curve


@pytest.mark.parametrize("breaks_at", [None, 9])
def test_run_that_has_ended_is_not_made_again(experiment, table, monkeypatch, breaks_at):
    config = experiment(**({"learner__breaks_at": breaks_at} if breaks_at else {}))
    first = run(config, 1, learners=table)
    before = Path(first.path).read_bytes()
    monkeypatch.setattr("learners.experiments.runs.learner_of", None)  # to make it would fail
    assert run(config, 1, learners=table) == first
    assert Path(first.path).read_bytes() == before


def test_more_iterations_go_on_from_a_finished_run(experiment, table):
    run(experiment(), 3, learners=table)
    longer = experiment(training__iterations=20)
    assert run(longer, 3, learners=table).iterations == 20
    assert_never_stopped(longer, table)


def test_run_without_its_checkpoint_is_not_started_over_in_silence(experiment, table):
    run(experiment(), 1, learners=table)
    files = files_of(experiment(), 1)
    files.checkpoint.unlink()
    before = files.lines.read_bytes()
    longer = experiment(training__iterations=20)
    message = r"seed-1.checkpoint.zip: needs the checkpoint .* delete .*seed-1.jsonl to start that"
    with pytest.raises(InvalidArgument, match=message):
        run(longer, 1, learners=table)
    assert files.lines.read_bytes() == before
    assert run(experiment(), 1, learners=table).status is Status.FINISHED
    files.lines.unlink()
    assert run(longer, 1, learners=table).iterations == 20


def test_game_too_large_to_number_is_refused_by_the_keys_of_files(experiment, table):
    config = experiment(
        game__parameters={"rounds": 30},
        learner={"name": "PlayingLearner"},
        environment={"sees": "history"},
    )
    with pytest.raises(UnsupportedGame, match=r"environment.sees = \"last\" .* game.horizon stops"):
        run(config, 1, learners=table)


def test_fewer_iterations_than_made_are_refused(experiment, table):
    run(experiment(), 1, learners=table)
    with pytest.raises(InvalidArgument, match="at least 12, which it has made, but 5 are asked"):
        run(experiment(training__iterations=5), 1, learners=table)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"training__checkpoint_every": 6}, "training.checkpoint_every was 5 and is 6"),
        ({"learner__way": {"kind": "Walk", "step": 1}}, "learner.way was None and is"),
        ({"game__parameters": {"rounds": 2}}, "game.parameters.rounds was 1 and is 2"),
        ({"assessment": {"max_nodes": 5}}, "assessment.max_nodes was 200000 and is 5"),
    ],
)
def test_run_of_another_experiment_is_refused(experiment, table, change, message):
    run(experiment(), 1, learners=table)
    for call in (run, trained_learner):
        with pytest.raises(InvalidArgument, match=message):
            call(experiment(**change), 1, learners=table)


def test_interrupted_run_goes_on_bit_for_bit(experiment, table):
    config = experiment(training__assess_every=4)
    interrupted(config, table, 3, 8, 11)
    assert run(config, 3, learners=table).status is Status.FINISHED
    assert_never_stopped(config, table)


def test_playing_learner_goes_on_with_its_environment(experiment, table):
    config = experiment(learner={"name": "PlayingLearner"}, environment={"episodes": 3})
    interrupted(config, table, 8)
    run(config, 3, learners=table)
    assert_never_stopped(config, table)
    assert len({line for line in lines(files_of(config, 3)) if "iteration" in line}) > 5


@pytest.mark.parametrize("cut", [1, 20, 200])
def test_half_written_lines_are_mended(experiment, table, cut):
    config = experiment()
    interrupted(config, table, 9)
    files = files_of(config, 3)
    os.truncate(files.lines, files.lines.stat().st_size - cut)  # checkpoint 5 has four lines less
    assert read_run(files.lines).status is Status.UNFINISHED
    run(config, 3, learners=table)
    assert_never_stopped(config, table)


def test_half_written_header_is_begun_anew(experiment, table):
    config = experiment()
    files = files_of(config, 3)
    files.folder.mkdir(parents=True)
    files.lines.write_text('{"kind": "hea')
    assert run(config, 3, learners=table).status is Status.FINISHED


def test_run_killed_before_its_first_checkpoint_begins_anew(experiment, table):
    config = experiment()
    run(config, 3, learners=table)
    files = files_of(config, 3)
    before = lines(files)
    files.checkpoint.unlink()
    files.lines.write_text(before[0] + "\n")
    run(config, 3, learners=table)
    assert lines(files) == before


def test_changed_lines_are_refused(experiment, table):
    config = experiment(training__iterations=10)
    run(config, 3, learners=table)
    files = files_of(config, 3)
    text = files.lines.read_text()
    whole = text.rpartition('{"kind": "end"')[0]  # the end has a check sum of its own
    files.lines.write_text(whole.replace('"mean": 0.', '"mean": 1.', 1))
    longer = experiment(training__iterations=11)
    with pytest.raises(MalformedFile, match="they have been changed. Delete both files"):
        run(longer, 3, learners=table)
    files.lines.unlink()
    with pytest.raises(MalformedFile, match="they have been changed. Delete both files"):
        run(longer, 3, learners=table)


def test_damaged_checkpoint_is_refused(experiment, table):
    config = experiment(training__iterations=10)
    run(config, 3, learners=table)
    files = files_of(config, 3)
    longer = experiment(training__iterations=11)
    save_snapshot(files.checkpoint, {"something": 1})
    with pytest.raises(MalformedFile, match="needs the checkpoint of a run, but it is another"):
        run(longer, 3, learners=table)
    files.checkpoint.write_bytes(b"PK")
    over = r"needs a snapshot, but it is .* delete it and .*seed-\d.jsonl to start that seed over"
    with pytest.raises(MalformedFile, match=over):
        run(longer, 3, learners=table)
    files.checkpoint.unlink()
    files.checkpoint.mkdir()
    over = r"zip: needs a file that can be read, but: .*delete it and .*seed-\d.jsonl to start"
    with pytest.raises(MalformedFile, match=over) as found:
        run(longer, 3, learners=table)
    assert "InvalidArgument" not in str(found.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("[1]", r"seed-3\.jsonl, line 2: needs a record of a run"),
        ('{"kind": "iteration"}', r"line 2: needs the key 'iteration'"),
        ('{"kind": "iteration", "iteration": 1, "metrics": {"a": "b"}}', "a finite number"),
        ('{"kind": "iteration", "iteration": 1, "metrics": [1]}', "numbers by name"),
        ('{"kind": "end", "iterations": 1, "status": "odd"}', "line 2 at status: needs one of"),
        ("[" * 100_000, "line 2: needs a record of a run"),
        ('{"kind": "iteration", "iteration": 1, "metrics": {"a": 1' + 400 * "0" + "}}", "a finite"),
        ('{"kind": "iteration", "iteration": 1, "metrics": {"a": NaN}}', "line 2: needs a record"),
        ('{"kind": "header", "schema": "x"}', "line 2: needs no header after a line of kind"),
        ('{"kind": "note"}', "line 2 at kind: needs one of 'header', 'iteration'"),
        ('{"kind": "iteration", "iteration": 0, "metrics": {}}', "needs an iteration after 0"),
    ],
)
def test_foreign_lines_are_refused(experiment, table, line, message):
    config = experiment()
    run(config, 3, learners=table)
    path = files_of(config, 3).lines
    path.write_text(path.read_text().splitlines()[0] + "\n" + line + "\n")
    with pytest.raises(MalformedFile, match=message):
        read_run(path)


def test_fewer_iterations_than_an_interrupted_run_has_kept_are_refused(experiment, table):
    interrupted(experiment(), table, 11)  # its checkpoint is at 10
    with pytest.raises(InvalidArgument, match="at least 10, which it has made, but 7 are asked"):
        run(experiment(training__iterations=7), 3, learners=table)
    assert run(experiment(training__iterations=10), 3, learners=table).iterations == 10


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"iterations": 10**9}, r"checkpoint.zip: needs as many iterations as .* is 9 or a few"),
        ({"iterations": -7}, "but it has -7"),
        ({"iterations": 8}, "but it has 8"),
        ({"iterations": 12}, "but it has 12"),
        ({"seconds": float("nan")}, "in nan seconds"),
        ({"bytes": -1}, "they have been changed"),
        ({"bytes": 0, "check": 0}, "they have been changed"),
        ({"snapshot": {}}, r"checkpoint.zip: needs a snapshot of drifting.*KeyError: 'values'"),
        ({"snapshot": 3}, r"checkpoint.zip: needs a snapshot of drifting.*TypeError"),
    ],
)
def test_forged_checkpoints_are_refused(experiment, table, change, message):
    config = experiment(training__log_every=3)
    interrupted(config, table, 11)
    files = files_of(config, 3)
    before = files.lines.read_bytes()
    kept = load_snapshot(files.checkpoint)
    save_snapshot(files.checkpoint, {**kept, **change})
    for call in (run, trained_learner):
        with pytest.raises(MalformedFile, match=message):
            call(config, 3, learners=table)
    assert files.lines.read_bytes() == before
    save_snapshot(files.checkpoint, kept)
    assert run(config, 3, learners=table).status is Status.FINISHED


def test_run_that_is_being_made_is_refused_and_left_as_it_is(experiment, table):
    config = experiment()

    def again(progress):
        if progress.done == 8:
            before = files_of(config, 3).lines.read_bytes()
            with pytest.raises(InvalidArgument, match="that nobody else is making, but another"):
                run(config, 3, learners=table)
            assert files_of(config, 3).lines.read_bytes() == before
            run(config, 4, learners=table)  # another run of the experiment is free

    assert run(config, 3, learners=table, on_iteration=again).status is Status.FINISHED
    assert run(replace(config, training=replace(config.training, iterations=13)), 3, learners=table)


def edited(files, old, new):
    """Change the lines of a run, and its check sum with them."""
    *before, end = files.lines.read_text().replace(old, new).splitlines(keepends=True)
    record = json.loads(end)
    record["check"] = zlib.crc32("".join(before).encode())
    files.lines.write_text("".join(before) + json.dumps(record) + "\n")


def test_edited_findings_are_rejected_whatever_the_check_sum(experiment, table):
    config = experiment()
    value = next(f.value for f in run(config, 3, learners=table).findings if f.name == "nash_conv")
    files = files_of(config, 3)
    edited(files, f'"value": "{value}"', '"value": "0"')
    assert read_run(files.lines).status is Status.FINISHED
    for call in (lambda: run(config, 3, learners=table), lambda: recorded_run(config, 3)):
        with pytest.raises(CertificateRejected, match=r"seed-3.jsonl: .* stands as proved"):
            call()


def test_certificates_about_another_game_are_refused(experiment, table):
    """A shorter game's run, certificates and all, put in the place of a longer one's."""
    shorter = experiment()
    longer = {"name": "repeated_prisoners_dilemma", "parameters": {"rounds": 2}}
    config = replace(experiment(game=longer), output=f"{shorter.output}-long")
    run(config, 3, learners=table)
    run(shorter, 3, learners=table)
    files, theirs = files_of(config, 3), files_of(shorter, 3)
    assert recorded_run(config, 3, learners=table).findings
    for name in read_run(files.lines).certificates:
        files.lines.with_name(name).write_bytes(theirs.lines.with_name(name).read_bytes())
    own, other = files.lines.read_text().splitlines(), theirs.lines.read_text().splitlines()
    own[-2] = other[-2]  # the appraisal
    files.lines.write_text("\n".join(own) + "\n")
    last = own[-1]
    edited(files, last, last)  # its check sum is mended
    for call in (run, recorded_run):
        with pytest.raises(CertificateRejected, match=r"seed-3.jsonl: .* certificates about"):
            call(config, 3, learners=table)


def test_certificates_elsewhere_or_gone_are_refused(experiment, table):
    config = experiment()
    run(config, 3, learners=table)
    files = files_of(config, 3)
    certificate = files.certificate(0, "nash")
    certificate.rename(certificate.with_name("away.json"))
    gone = r"nash.json: needs a file that can be read, .* Put it back, or delete .*seed-3.jsonl"
    with pytest.raises(InvalidArgument, match=gone):
        recorded_run(config, 3)
    edited(files, certificate.name, "../away.json")
    with pytest.raises(MalformedFile, match="needs certificates in the folder of the run"):
        recorded_run(config, 3)


def test_edited_metrics_are_refused_by_the_check_sum(experiment, table):
    config = experiment()
    path = Path(run(config, 3, learners=table).path)
    path.write_text(path.read_text().replace('"mean": 0.', '"mean": 1.', 1))
    with pytest.raises(MalformedFile, match="needs the check sum .* they have been changed"):
        read_run(path)


def test_foreign_header_is_refused(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"kind": "header", "schema": "other/1"}\n')
    with pytest.raises(MalformedFile, match=r"line 1: needs a header with schema .* Delete it and"):
        read_run(tmp_path / "a.jsonl")
    (tmp_path / "a.jsonl").write_text("")
    with pytest.raises(MalformedFile, match="needs the header of a run, but found none"):
        read_run(tmp_path / "a.jsonl")


def test_diverged_run_keeps_its_last_good_checkpoint(experiment, table, tmp_path):
    config = experiment(learner__breaks_at=9)
    found = run(config, 3, learners=table)
    assert (found.status, found.quantity) == (Status.DIVERGED, "loss/first")
    assert "'loss/first' became nan in iteration 9" in found.message
    assert not found.findings
    good = experiment(learner__breaks_at=9, training__iterations=5, output=str(tmp_path / "good"))
    run(good, 3, learners=table)
    kept, wanted = (load_snapshot(files_of(c, 3).checkpoint) for c in (config, good))
    assert kept["iterations"] == 5
    assert np.array_equal(kept["snapshot"]["values"], wanted["snapshot"]["values"])


def test_run_that_diverges_at_once_keeps_its_start(experiment, table):
    config = experiment(learner__breaks_at=1)
    assert run(config, 3, learners=table).iterations == 0
    assert load_snapshot(files_of(config, 3).checkpoint)["snapshot"]["made"] == 0


def test_time_limit_stops_and_the_next_call_goes_on(experiment, table):
    config = experiment(learner__seconds=0.02, training__seconds=0.1)
    found = run(config, 3, learners=table)
    assert found.status is Status.STOPPED
    assert 0 < found.iterations < 12
    assert found.findings
    while found.status is Status.STOPPED:
        found = run(config, 3, learners=table)
    assert_never_stopped(config, table)


def sampled_on_the_way(experiment, table, seed):
    found = run(
        experiment(
            game={"name": "repeated_matching_pennies"},
            learner__way={"kind": "Walk", "step": 0},
            training__assess_every=6,
            assessment={"method": "sampled", "episodes": 50},
        ),
        seed,
        learners=table,
    )
    own = [point.assessed[found.findings[0].name] for point in found.curve if point.assessed]
    return [*own, found.findings[0].value]


def test_sampled_appraisals_are_independent_over_seeds_and_iterations(experiment, table):
    # the learner stands still, so that only the chance of the appraisals differs
    found = [value for seed in range(4) for value in sampled_on_the_way(experiment, table, seed)]
    assert len(found) == 12
    assert len(set(found)) > 8


def test_sampled_appraisal_shares_no_chance_with_training(experiment, table, monkeypatch):
    seeds = []

    def sampling(game, policies, **options):
        seeds.append(options["seed"])
        return assess_by_sampling(game, policies, **options)

    monkeypatch.setattr(setup, "assess_by_sampling", sampling)
    monkeypatch.setattr(
        setup, "batched", lambda *a, **o: seeds.append(o["seed"]) or batched(*a, **o)
    )
    changes = {"learner": {"name": "PlayingLearner"}, "assessment": {"method": "sampled"}}
    config = experiment(**changes, environment={"sees": "history"}, training__assess_every=6)
    run(config, 3, learners=table)
    assert len(seeds) == len(set(seeds)) == 4


def test_game_too_large_to_judge_is_refused_before_training(experiment, table):
    config = experiment(game__parameters={"rounds": 30})  # 2^60 plays
    with pytest.raises(UnsupportedGame, match=r"max_nodes = 200,000 .* assessment.max_nodes"):
        run(config, 3, learners=table)
    assert not files_of(config, 3).folder.exists()


@pytest.mark.parametrize(
    "assessment",
    [
        {"acts_on": "last-observation"},
        {"method": "sampled", "episodes": 10},
        {"method": "not"},
        {"max_nodes": 2_000_000},
    ],
)
def test_what_helps_with_a_game_too_large_to_judge_is_taken(experiment, table, assessment):
    rounds = 5 if "max_nodes" in assessment else 30
    config = experiment(
        game__parameters={"rounds": rounds},
        learner={"name": "PlayingLearner"},
        training__iterations=1,
        assessment=assessment,
        environment={"sees": "last"},
    )
    found = run(config, 3, learners=table)
    assert (found.status, found.message) == (Status.FINISHED, "")
    assert bool(found.findings) is (assessment != {"method": "not"})


def test_run_that_turns_out_too_large_to_judge_is_finished_and_says_so(
    experiment, table, monkeypatch
):
    monkeypatch.setattr("learners.experiments.runs.refuse_unjudgeable", lambda *_: None)
    config = experiment(assessment={"max_nodes": 2}, training__assess_every=6)
    found = run(config, 3, learners=table)
    assert (found.status, found.iterations, found.findings) == (Status.FINISHED, 12, ())
    assert "not judged: posg_to_extensive: needs at most max_nodes = 2" in found.message
    assert run(config, 3, learners=table) == found


def test_wrong_seed_and_missing_run_are_refused(experiment, table):
    with pytest.raises(InvalidArgument, match="seed"):
        run(experiment(), -1, learners=table)
    with pytest.raises(InvalidArgument, match="needs a run to evaluate, but there is none"):
        trained_learner(experiment(), 1, learners=table)


def test_folder_that_cannot_be_made_is_refused(experiment, table, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidArgument, match="needs a file that can be written"):
        run(experiment(output=str(tmp_path / "file")), 1, learners=table)


def test_labels_that_come_to_the_same_folder_are_told_apart(experiment, table):
    run(experiment(label="by lot"), 1, learners=table)
    with pytest.raises(InvalidArgument, match="label was 'by lot' and is 'by-lot'"):
        run(experiment(label="by-lot"), 1, learners=table)


def test_labels_become_names_of_folders(experiment):
    config = replace(experiment(), label="../a b/c: d")
    assert files_of(config, 1).folder.parts[-1] == "a-b-c-d"


def test_folders_carry_the_name_of_the_game(experiment, table):
    """So that one file runs on several games, with one label and one output."""
    other = experiment(game={"name": "repeated_battle_of_the_sexes"})
    for config in (experiment(), other):
        run(config, 1, learners=table)
        folder = Path(config.output) / config.game.name / "DriftingLearner"
        assert files_of(config, 1).folder == folder
        assert (folder / "seed-1.jsonl").is_file()
    from_file = replace(other, game=GameConfig(file="docs/examples/games/patrol.json"))
    assert files_of(from_file, 1).folder.parent.name == "patrol"


SCRIPT = """
import json, sys
from learners.experiments.config import config_from
from learners.experiments.runs import run
table = {"DriftingLearner": "drifting_learners:DriftingLearner"}
config = config_from(json.loads(sys.argv[1]), path="test", learners=table)
print("begin", flush=True)
run(config, 3, learners=table)
"""


@pytest.mark.parametrize("kind", [signal.SIGKILL, signal.SIGINT])
def test_killed_process_goes_on_bit_for_bit(experiment, table, kind):
    config = experiment(learner__seconds=0.03, training__checkpoint_every=3)
    files = files_of(config, 3)
    for moment in (2, 7):
        process = subprocess.Popen(
            [sys.executable, "-c", textwrap.dedent(SCRIPT), json.dumps(config_record(config))],
            stderr=subprocess.DEVNULL,
        )
        while not files.lines.exists() or len(files.lines.read_bytes().split(b"\n")) < moment + 2:
            assert process.poll() is None
            time.sleep(0.005)
        process.send_signal(kind)
        assert process.wait(timeout=20) != 0
        assert read_run(files.lines).status is Status.UNFINISHED
    found = run(config, 3, learners=table)
    assert found.status is Status.FINISHED
    assert_never_stopped(config, table)


def test_horizon_stops_games_of_rules_and_is_refused_for_others(experiment):
    config = experiment(game={"name": "chicken", "horizon": 3})
    with pytest.raises(InvalidArgument, match=r"game\.horizon: needs a game of rules"):
        setup.game_of(config.game)
    for name in ("iterated_chicken", "random_order_team"):
        assert game_of(experiment(game={"name": name, "horizon": 2}).game).horizon == 2
