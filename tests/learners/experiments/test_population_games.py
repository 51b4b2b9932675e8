"""Files put learners against populations of bots, and what they learned enters tournaments."""

import json

import pytest

from gametheory_core import InvalidArgument, MalformedFile, UnsupportedGame
from learners import load_snapshot, save_snapshot
from learners.experiments import Status, config_from, read_config, run
from learners.experiments.setup import appraisal_of, learner_of
from learners.experiments.trained_bots import trained_bot
from learners.roshambo import agents_named, population_named, tournament

POPULATION = "embedded_training"
BOTS = ["cycle_up", "cycle_down", "beat"]


def table(**changes):
    record = {
        "label": "pupil",
        "game": {
            "population": {
                "name": POPULATION,
                "bots": BOTS,
                "recall": 1,
                "shows": "number",
                "throws": 50,
            }
        },
        "environment": {"episodes": 8},
        "learner": {"name": "QLearning", "discount": 0.5, "at_horizon": "continues"},
        "training": {"iterations": 10, "checkpoint_every": 5},
        "assessment": {"method": "sampled", "episodes": 30},
    }
    for key, value in changes.items():
        name, _, inner = key.partition("__")
        if not inner:
            record[name] = value
        elif name == "population":
            record["game"]["population"][inner] = value
        else:
            record[name][inner] = value
    return record


def made(tmp_path, **changes):
    return config_from({**table(**changes), "output": str(tmp_path)}, path="it")


RECURRENT = {"hidden": [8], "recurrence": "lstm", "memory_size": 4}
LEARNERS = {
    "table": {"name": "QLearning", "discount": 0.5, "at_horizon": "continues"},
    "climber": {"name": "TabularPPO"},
    "values": {"name": "DQN", "temperature": 0.5},
    "memory": {"name": "ActorCritic", "steps": 10, "lag": 1, "network": RECURRENT},
}
TELLS = {**LEARNERS["memory"], "auxiliary_weight": 0.5}


@pytest.mark.parametrize("learner", LEARNERS)
def test_what_a_run_learned_plays_tournaments(learner, tmp_path):
    if learner in ("values", "memory"):
        pytest.importorskip("torch")
    config = made(tmp_path, learner=LEARNERS[learner])
    found = run(config, 3)
    assert found.status is Status.FINISHED
    (finding,) = found.findings
    assert finding.name == "return/learner"
    assert -50 <= finding.value <= 50
    assert finding.standard_error >= 0
    population = population_named("embedded_training")
    agents = agents_named([f"run:{tmp_path}/{POPULATION}/pupil/seed-3"], population)
    assert list(agents) == ["pupil/seed-3"]
    bots = {name: population[name] for name in BOTS}
    played = tournament(agents, bots, episodes=2, seed=1, throws=50, jobs=2)
    assert played.forfeits == ()
    if learner == "table":
        assert played.table.means_of("pupil/seed-3")["cycle_up"] > 40
        assert finding.value > 20


def test_who_meets_itself_and_tells_whom_it_meets_plays_tournaments(tmp_path):
    """The whole of PopRL, stopped on the way and gone on with."""
    pytest.importorskip("torch")
    for name, iterations in (("whole", 6), ("half", 3), ("half", 6)):
        changes = {"learner": {**TELLS, "sharing": "shared"}, "population__self_play": 0.3}
        changes |= {"label": name, "population__shows": "bits"}
        training = {"iterations": iterations, "checkpoint_every": 3}
        run(made(tmp_path, training=training, **changes), 0)
    for name in ("whole", "half"):  # but for the seconds that it took
        learned = load_snapshot(tmp_path / POPULATION / name / "seed-0.checkpoint.zip")["snapshot"]
        save_snapshot(tmp_path / f"learned-{name}", learned)
    whole, half = (tmp_path / f"learned-{name}" for name in ("whole", "half"))
    assert whole.read_bytes() == half.read_bytes()
    population = population_named("embedded_training")
    agents = agents_named([f"run:{tmp_path}/{POPULATION}/whole/seed-0"], population)
    bots = {name: population[name] for name in BOTS}
    assert tournament(agents, bots, episodes=2, seed=1, throws=50).forfeits == ()


def test_a_run_is_found_by_its_folder_and_by_its_files(tmp_path):
    run(made(tmp_path), 0)
    folder = tmp_path / POPULATION / "pupil"
    names = ("", "seed-0", "seed-0.jsonl", "seed-0.checkpoint.zip")
    makers = [trained_bot(str(folder / name)) for name in names]
    assert len({maker.path for maker in makers}) == 1
    moved = folder.rename(tmp_path / "moved")
    assert trained_bot(str(moved)).source == makers[0].source
    run(made(tmp_path), 0)
    run(made(tmp_path), 1)
    with pytest.raises(InvalidArgument, match=r"the folder of one run, but it has seed-0, seed-1"):
        trained_bot(str(folder))


def test_a_run_that_learned_more_is_another_agent(tmp_path):
    run(made(tmp_path), 0)
    before = trained_bot(str(tmp_path / POPULATION / "pupil"))
    run(made(tmp_path, training__iterations=20), 0)
    assert trained_bot(str(tmp_path / POPULATION / "pupil")).source != before.source


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(InvalidArgument, match="checkpoint of a run that was trained.*there is no"):
        agents_named([f"run:{tmp_path}/nothing/seed-0"], {})
    with pytest.raises(InvalidArgument, match="the folder of one run, but it has none"):
        trained_bot(str(tmp_path))
    run(made(tmp_path), 0)
    (tmp_path / POPULATION / "pupil" / "seed-0.checkpoint.zip").write_bytes(b"not a checkpoint")
    with pytest.raises(MalformedFile, match="snapshot"):
        trained_bot(str(tmp_path / POPULATION / "pupil"))


def test_a_run_of_another_game_is_refused(tmp_path):
    record = {
        "game": {"name": "matching_pennies"},
        "learner": {"name": "QLearning"},
        "training": {"iterations": 1},
        "output": str(tmp_path),
    }
    run(config_from(record, path="it"), 0)
    with pytest.raises(InvalidArgument, match="run against a population.*it is of 'matching_pen"):
        trained_bot(str(tmp_path / "matching_pennies" / "QLearning"))


def test_learners_are_judged_by_other_matches_each_time(tmp_path):
    config = made(tmp_path, population__bots=["uniform"], population__weights={})
    learner = learner_of(config, 0)
    asked = [(0, None), (1, None), (0, 1), (0, 2), (0, None)]
    found = [
        appraisal_of(config, learner, seed=seed, iteration=iteration)["return/learner"]
        for seed, iteration in asked
    ]
    assert found[0] == found[-1]
    assert len(set(found)) > 2


def test_users_have_populations_of_their_own(tmp_path):
    file = tmp_path / "rocks.py"
    file.write_text(
        "class Rock:\n"
        "    def reset(self, seed): pass\n"
        "    def throw(self, own, other): return 0\n"
        "BOTS = [Rock]\n"
    )
    population = {"name": f"{file}:BOTS", "recall": 1, "shows": "number", "throws": 50}
    found = run(made(tmp_path, game={"population": population}), 0)
    assert found.findings[0].value > 40


def test_weights_say_who_is_met(tmp_path):
    config = made(tmp_path, population__weights={"beat": 1})
    learner = learner_of(config, 0)
    learner.improve()
    assert set(learner._environment.opponents.snapshot()["places"].tolist()) == {2}


def test_the_record_of_a_run_makes_the_same_experiment(tmp_path):
    run(made(tmp_path, population__weights={"beat": 1.5}), 0)
    first = json.loads(
        (tmp_path / POPULATION / "pupil" / "seed-0.jsonl").read_text().splitlines()[0]
    )
    assert first["experiment"]["game"]["population"]["weights"] == {"beat": 1.5}
    again = run(made(tmp_path, population__weights={"beat": 1.5}), 0)
    assert again.status is Status.FINISHED
    with pytest.raises(InvalidArgument, match=r"game\.population\.recall was 1 and is 2"):
        run(made(tmp_path, population__weights={"beat": 1.5}, population__recall=2), 0)


NAIVE = {"sampling": {"kind": "Naive"}, "gate": {"kind": "Append"}}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"population__name": "nobody"}, "no population 'nobody'"),
        ({"population__bots": ["nobody"]}, r"bots of the population .*got 'nobody'"),
        ({"population__weights": {"nobody": 1.0}}, "weights names of bots.*got 'nobody'"),
        ({"population__recall": 0}, "recall"),
        ({"population__recall": 20}, "7 throws at most"),
        ({"population__throws": 0}, "throws"),
        (
            {"population__bots": ["beat", "copy", "beat"]},
            r"population\.bots: .* 'beat' stands twice",
        ),
        ({"population__self_play": 1.1}, "self_play of at least 0 and at most 1"),
        ({"population__self_play": -0.1}, "self_play of at least 0 and at most 1"),
        ({"learner": {**TELLS, "auxiliary_weight": 2}}, "auxiliary_weight: .*at most 1"),
        ({"learner": TELLS, "population__bots": ["beat"]}, r"auxiliary_weight: .*but it has 1\."),
        ({"population__shows": "words"}, "'bits', 'number'"),
        ({"game__name": "matching_pennies"}, "one of a name .*got 2 of them"),
        ({"game": {}}, "one of a name .*got none of them"),
        ({"game__horizon": 3}, r"population\.throws to say"),
        (
            {"learner": {"name": "SelfPlay", "live": {}, "scheme": NAIVE}},
            "SelfPlay plays all seats",
        ),
        ({"learner": {"name": "DeepJamQLearning"}}, "plays batches of its own kind"),
        ({"assessment": {"method": "exact"}}, r'method: needs "sampled" or "not"'),
        ({"assessment": {}}, r'method: needs "sampled" or "not"'),
        ({"environment__sees": "history"}, r"game\.population\.recall to say what is seen"),
    ],
)
def test_what_does_not_fit_is_refused(changes, said, tmp_path):
    with pytest.raises(InvalidArgument, match=said):
        run(made(tmp_path, **changes), 0)


def test_a_table_that_is_shown_bits_asks_for_numbers(tmp_path):
    with pytest.raises(UnsupportedGame, match='game.population.shows = "number"'):
        run(made(tmp_path, population__shows="bits"), 0)


def test_the_command_line_trains_and_judges(tmp_path, capsys):
    from learners.__main__ import main

    path = tmp_path / "it.toml"
    path.write_text(
        '[game.population]\nname = "embedded"\nbots = ["cycle_up"]\nrecall = 1\nthrows = 20\n'
        'shows = "number"\n[learner]\nname = "Sarsa"\n[training]\niterations = 2\n'
        '[assessment]\nmethod = "sampled"\nepisodes = 4\n'
    )
    assert main(["train", str(path), "--out", str(tmp_path)]) == 0
    assert "return/learner" in capsys.readouterr().out
    assert main(["evaluate", str(path), "--out", str(tmp_path)]) == 0
    assert read_config(path).game.population.window.num_observations == 10
    path.write_text(path.read_text().replace('["cycle_up"]', "[]"))
    with pytest.raises(InvalidArgument, match=r"it.toml: game\.population: needs a bot or more"):
        read_config(path)
