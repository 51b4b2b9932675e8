"""Self-play that was stopped goes on bit for bit, however many snapshots there were."""

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from gametheory_core.catalog import RirRPS, fish_war, kuhn_poker
from learners import batched
from learners.batch import features
from learners.experiments import Status, config_from, read_run, run
from learners.experiments.runs import files_of
from learners.self_play import (
    BinomialTest,
    EloKernel,
    RollingWindow,
    SelfPlay,
    SelfPlayScheme,
    delta_limit_uniform,
    delta_uniform,
    fictitious,
    naive,
    present_and_past,
    prioritized,
    psro,
)
from learners.self_play.gates import Append
from learners.snapshots import load_snapshot
from tests.learners.continuing import assert_continues

SCHEMES = {
    "naive": naive(),
    "uniform": delta_uniform("1/3"),
    "limit": delta_limit_uniform(),
    "past": fictitious(),
    "prioritized": prioritized(),
    "present": present_and_past(),
    "psro": psro(RollingWindow("1/8", 8)),
    "psro, tested": psro(BinomialTest("9/10", 4)),
    "elo": SelfPlayScheme(EloKernel(), Append()),
}
SMALL = {"hidden": [5]}
LIVES = {
    "PPO": {"name": "PPO", "steps": 5, "network": SMALL},
    "GRU": {
        "name": "PPO", "steps": 5,
        "network": {"hidden": [5], "recurrence": "gru", "memory_size": 4},
    },
    "DQN": {"name": "DQN", "values": {"shape": SMALL}, "warm_up": 10, "capacity": 500},
    "QLearning": {"name": "QLearning"},
    "WolfPHC": {"name": "WolfPHC"},
    "TabularReinforce": {"name": "TabularReinforce"},
}  # fmt: skip


def made(scheme="uniform", live="TabularReinforce", *, environment=None, seed=1, **options):
    return SelfPlay(
        batched(RirRPS(2, 1), episodes=6, seed=3) if environment is None else environment,
        scheme=SCHEMES[scheme],
        live=LIVES[live],
        rng=np.random.default_rng(seed),
        **options,
    )


@pytest.mark.parametrize("scheme", SCHEMES)
def test_every_scheme_goes_on_bit_for_bit(scheme, tmp_path):
    assert_continues(lambda: made(scheme, seat=None, remembers=9), tmp_path, before=3)


@pytest.mark.parametrize("live", LIVES)
@pytest.mark.parametrize("scheme", ["uniform", "prioritized"])
def test_every_learner_goes_on_bit_for_bit(live, scheme, tmp_path):
    def fresh():
        return made(scheme, live, environment=batched(kuhn_poker(), episodes=6, seed=3))

    assert_continues(fresh, tmp_path, before=3, after=2)


@pytest.mark.parametrize("live", ["PPO", "GRU", "DQN"])
def test_networks_of_features_go_on_bit_for_bit(live, tmp_path):
    def fresh():
        environment = features(batched(fish_war(), episodes=4, seed=3))
        return made("uniform", live, environment=environment)

    assert_continues(fresh, tmp_path, before=2, after=2)


@pytest.mark.parametrize("live", ["TabularReinforce", "GRU"])
@pytest.mark.parametrize("made_already", [0, 1, 7])
def test_menageries_of_other_sizes_take_a_snapshot(live, made_already):
    whole, other = (
        made("uniform", live, environment=batched(kuhn_poker(), episodes=6, seed=3))
        for _ in range(2)
    )
    for _ in range(3):
        whole.improve()
    for _ in range(made_already):
        other.improve()
    kept = whole.snapshot()
    other.restore(kept)
    assert len(other.menagerie) == 4
    for _ in range(3):
        assert dict(other.improve()) == dict(whole.improve())
    assert repr(other.snapshot()) == repr(whole.snapshot())


def test_tables_on_disk_take_a_snapshot_from_memory():
    in_memory, on_disk = made(), made(most_bytes=1)
    for _ in range(3):
        in_memory.improve()
    on_disk.restore(in_memory.snapshot())
    assert dict(on_disk.improve()) == dict(in_memory.improve())
    assert on_disk._opponents.lies_on_disk


def test_results_before_a_snapshot_count_at_the_gate_after_it():
    def fresh():
        return SelfPlay(
            batched(RirRPS(2, 1), episodes=6, seed=3),
            scheme=psro(RollingWindow(1, 1000)),
            live=LIVES["TabularReinforce"],
            rng=np.random.default_rng(1),
        )

    whole, other = fresh(), fresh()
    for _ in range(3):
        whole.improve()
    other.restore(whole.snapshot())
    assert other._outcomes.tolist() == whole._outcomes.tolist()
    assert len(other._outcomes) >= 18


TOML = {
    "game": {"name": "rir_rps", "parameters": {"repetitions": 2, "recall": 1}},
    "learner": {
        "name": "SelfPlay",
        "every": 2,
        "scheme": {
            "sampling": {"kind": "MetaGame", "solver": "max-entropy"},
            "gate": {"kind": "RollingWindow", "share": "1/8", "matches": 8},
        },
        "live": {"name": "QLearning", "step_size": 0.2},
    },
    "environment": {"episodes": 4},
    "training": {"iterations": 9, "checkpoint_every": 2, "log_every": 1},
    "assessment": {"method": "not"},
}


def lines(files):
    """Return a run's file without seconds, which differ."""
    text = files.lines.read_text().splitlines()
    return [line.partition(', "seconds"')[0] for line in text]


def test_runs_that_are_interrupted_go_on_as_if_they_had_not_been(tmp_path):
    def experiment(name):
        return config_from({**TOML, "output": str(tmp_path / name)}, path="test.toml")

    def stop(at):
        def interrupt(progress):
            if progress.done == at:
                raise KeyboardInterrupt("by the test")

        return interrupt

    config = experiment("stopped")
    for at in (3, 6):
        with pytest.raises(KeyboardInterrupt, match="by the test"):
            run(config, 3, on_iteration=stop(at))
        assert read_run(files_of(config, 3).lines).status is Status.UNFINISHED
    stopped = run(config, 3)
    whole = run(experiment("whole"), 3)
    assert stopped.status is whole.status is Status.FINISHED
    assert whole.curve[-1].metrics["menagerie"] > 2
    assert stopped.curve == whole.curve
    assert lines(files_of(config, 3))[1:] == lines(files_of(experiment("whole"), 3))[1:]
    last, same = (
        {k: v for k, v in load_snapshot(files_of(own, 3).checkpoint).items() if k != "seconds"}
        for own in (config, experiment("whole"))
    )
    assert repr(last) == repr(same)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda s: {}, "everything has the parts"),
        (lambda s: None, "everything is no mapping"),
        (lambda s: {**s, "snapshots": []}, "'snapshots' has 0 entries, not 1"),
        (lambda s: {**s, "snapshots": 3}, "'snapshots' is no sequence"),
        (lambda s: {**s, "snapshots": [np.zeros((3, 3))] * 4}, "'snapshots/0' is of shape"),
        (lambda s: {**s, "points": np.zeros(3)}, r"'points' is of shape \(3,\), not \(4,\)"),
        (lambda s: {**s, "ratings": np.zeros(4)}, "'ratings' is of shape"),
        (lambda s: {**s, "matches": [0] * 4}, "'matches' is no array"),
        (lambda s: {**s, "win_rates": np.zeros((3, 3))}, "'win_rates' is of shape"),
        (lambda s: {**s, "streams": [1]}, "'streams' has 1 entries, not 2"),
    ],
)
def test_what_is_no_snapshot_is_refused_and_changes_nothing(change, match):
    whole, other = made(), made()
    for _ in range(3):
        whole.improve()
    other.improve()
    before = repr(other.snapshot())
    with pytest.raises(InvalidArgument, match=f"restore: needs a snapshot of .*{match}"):
        other.restore(change(whole.snapshot()))
    assert repr(other.snapshot()) == before


@pytest.mark.parametrize(
    ("change", "match"),
    [
        (lambda s: {**s, "win_rates": None}, "'win_rates' is no array"),
        (
            lambda s: {**s, "win_rates": s["win_rates"] * 3},
            "win_rates: needs win rates from 0 to 1",
        ),
        (lambda s: {**s, "outcomes": "x"}, "'outcomes' is no array"),
        (lambda s: {**s, "outcomes": np.zeros((2, 2))}, "'outcomes' is of shape"),
        (lambda s: {**s, "snapshots": [own * 2 for own in s["snapshots"]]}, r"snapshots\[0\]"),
        (lambda s: {**s, "live": {}}, "everything has the parts"),
    ],
)
def test_what_a_meta_game_does_not_take_is_refused_and_changes_nothing(change, match):
    learner = made("psro")
    while len(learner.menagerie) < 3:
        learner.improve()
    kept = learner.snapshot()
    learner.improve()
    before = learner.snapshot()
    with pytest.raises(InvalidArgument, match=match):
        learner.restore(change(kept))
    assert repr(learner.snapshot()) == repr(before)
    metrics = [learner.improve() for _ in range(2)]
    again = made("psro")
    again.restore(before)
    assert [again.improve() for _ in range(2)] == metrics


def test_snapshots_of_other_games_learners_and_batches_are_refused():
    kept = made().snapshot()
    kuhn = batched(kuhn_poker(), episodes=6, seed=3)
    for other in (
        made(environment=kuhn),
        made(environment=batched(RirRPS(3, 1), episodes=6, seed=3)),
        made(environment=batched(RirRPS(2, 1), episodes=7, seed=3)),
        made(environment=batched(RirRPS(2, 1), episodes=6, seed=4)),
        made(environment=features(batched(RirRPS(2, 1), episodes=6, seed=3)), live="PPO"),
        made(live="QLearning"),
    ):
        with pytest.raises(InvalidArgument, match="a snapshot of"):
            other.restore(kept)
        other.improve()
