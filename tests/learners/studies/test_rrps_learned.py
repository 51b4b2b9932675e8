"""What the study has learned: trained in parts, judged by whom it never met, and kept."""

from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from gametheory_core.errors import InvalidArgument
from learners.roshambo import PopulationScores, embedded_population
from learners.roshambo.tournaments.entrants import POPULATIONS
from learners.studies import Request
from learners.studies.rrps import learned, population_learners
from learners.studies.rrps.learned import Learned
from learners.studies.rrps.population_learners import generalization, standard_error
from learners.studies.rrps.settings import LearnedRow, settings

EVERYBODY = embedded_population()
NAMES = ("cycle_up", "cycle_down", "beat", "yield", "copy", "uniform", "half_rock")
BOTS = {name: EVERYBODY[name] for name in NAMES}
TABLE = {"name": "ActorCritic", "discount": 0.5, "steps": 10, "network": {"hidden": []}}
MEMORY = {
    **settings().tables["population_learners"][3].agent.learner,
    "network": {"hidden": [4], "recurrence": "lstm", "memory_size": 4},
}


def agent_of(learner=MEMORY, **options):
    given = {"recall": 1, "episodes": 8, "self_play": 0.3, "at_once": 8, "throws": 50, **options}
    return Learned(learner, **given)


@pytest.fixture(autouse=True)
def few_iterations(monkeypatch):
    monkeypatch.setattr(learned, "KEEP_EVERY", 2)


def trained(agent, folder, episodes, *, seed=1, bots=BOTS):
    file = folder / "it.policy.zip"
    agent.train(file, bots=bots, episodes=episodes, seed=seed)
    return file.read_bytes()


# Trained, and gone on with


def test_one_that_was_stopped_learns_what_another_does(tmp_path, monkeypatch):
    pytest.importorskip("torch")
    agent = agent_of()
    whole, broken = (tmp_path / name for name in ("whole", "broken"))
    for folder in (whole, broken):
        folder.mkdir()
    expected = trained(agent, whole, 12)
    assert not (whole / "it.policy.zip.checkpoint").exists()
    calls = []

    def stop_after_two(learner, **options):
        calls.append(options)
        if len(calls) == 2:
            raise KeyboardInterrupt("stopped")
        return kept(learner, **options)

    kept = learned.train
    monkeypatch.setattr(learned, "train", stop_after_two)
    with pytest.raises(KeyboardInterrupt, match="stopped"):
        trained(agent, broken, 12)
    assert (broken / "it.policy.zip.checkpoint").exists()
    monkeypatch.setattr(learned, "train", kept)
    assert trained(agent, broken, 12) == expected


def test_amounts_are_matches_of_all_seats_that_learn_together(tmp_path):
    """Of 20 steps, 8 seats and 50 throws: 3.2 matches an iteration."""
    assert agent_of()._iterations(16) == 5
    assert agent_of(self_play=0.0)._iterations(16) == 5
    assert agent_of()._learner(BOTS, 1, at_once=8)[0].num_episodes == 4
    assert agent_of(self_play=0.0)._learner(BOTS, 1, at_once=8)[0].num_episodes == 8
    apart = agent_of({**MEMORY, "sharing": "separate"})
    assert apart._learner(BOTS, 1, at_once=8)[0].num_episodes == 8


def test_seeds_learn_other_things_and_scores_are_kept(tmp_path):
    agent = agent_of(TABLE, shows=learned.Shows.NUMBER, self_play=0.0)
    first = trained(agent, tmp_path, 40)
    file = tmp_path / "it.policy.zip"
    record = tmp_path / "record.jsonl"
    found = agent.scores(file, BOTS, matches=3, seed=5, record=record)
    assert found.returns.shape == (len(BOTS), 3)
    again = agent.scores(file, BOTS, matches=3, seed=5, record=record)
    assert (again.returns == found.returns).all()
    other = agent.scores(file, BOTS, matches=2, seed=5, record=record)
    assert other.returns.shape == (len(BOTS), 2)
    assert trained(agent, tmp_path, 40, seed=2) != first


def test_what_another_agent_learned_is_refused(tmp_path):
    agent = agent_of(TABLE, shows=learned.Shows.NUMBER)
    trained(agent, tmp_path, 2)
    file, record = tmp_path / "it.policy.zip", tmp_path / "record"
    agent.scores(file, BOTS, matches=2, seed=1, record=record)
    for changed in (replace(agent, recall=2), replace(agent, learner={**TABLE, "discount": 0.6})):
        with pytest.raises(InvalidArgument, match="learned by Learned.*Give another folder"):
            changed.scores(file, BOTS, matches=2, seed=1, record=record)


@pytest.mark.parametrize("name", ["name", "steps"])
def test_a_learner_without_a_name_or_steps_is_refused(name):
    with pytest.raises(InvalidArgument, match=f"needs the {name} of the learner"):
        agent_of({key: own for key, own in TABLE.items() if key != name})


# Judged by those that were held out


@dataclass
class Watched:
    """An agent that notes whom it is trained against, and who judges it; each pays its place."""

    episodes: int = 90
    met: list = field(default_factory=list)

    def train_on(self, checkpoint, file, bots, episodes, seed):
        self.met.append(("trained", tuple(bots), episodes, checkpoint.name))
        file.write_text("learned")

    def scores(self, file, bots, *, matches, seed, record):
        self.met.append(("judged", tuple(bots), file.name, record.name))
        return PopulationScores(
            tuple(bots), np.array([[NAMES.index(name)] * matches for name in bots])
        )


@pytest.fixture
def population(monkeypatch):
    monkeypatch.setitem(POPULATIONS, "open_spiel", lambda _: BOTS)


@pytest.mark.usefixtures("population")
def test_nobody_who_judges_was_trained_against(tmp_path):
    splits, parts = set(), settings().figure_6.parts
    for seed in range(6):
        agent = Watched()
        paid = generalization(LearnedRow("it", agent), seed, Request(tmp_path / str(seed)))
        trainings = [own for own in agent.met if own[0] == "trained"]
        assert [own[2] for own in trainings] == [round(90 * k / parts) for k in range(1, parts + 1)]
        assert len({own[1] for own in trainings}) == len({own[3] for own in trainings}) == 1
        known = set(trainings[0][1])
        away = set(NAMES) - known
        assert len(away) == round(settings().figure_6.held_out * len(NAMES)) == 2
        judges = [set(own[1]) for own in agent.met if own[0] == "judged"]
        assert judges == [known, away] * parts
        records = [own[3] for own in agent.met if own[0] == "judged"]
        assert len(set(records)) == 2 * parts
        for bots, returns in zip((known, away), paid, strict=True):
            assert returns.tolist() == [np.mean([NAMES.index(name) for name in bots])] * parts
        splits.add(frozenset(away))
        again = Watched()
        generalization(LearnedRow("it", again), seed, Request(tmp_path / str(seed)))
        assert not [own for own in again.met if own[0] == "trained"]
    assert len(splits) > 2


@pytest.mark.usefixtures("population")
@pytest.mark.parametrize("share", [0.0, 1.0])
def test_a_split_of_nobody_is_refused_before_training(share, tmp_path, monkeypatch):
    changed = replace(settings(), figure_6=replace(settings().figure_6, held_out=share))
    monkeypatch.setattr(population_learners, "settings", lambda: changed)
    agent = Watched()
    with pytest.raises(InvalidArgument, match="held_out"):
        generalization(LearnedRow("it", agent), 1, Request(tmp_path))
    assert agent.met == []


# Declared


def test_what_the_paper_printed_of_long_pasts_stands_in_the_settings():
    printed = {
        ("DQN", 100): (316_300, -653.59),
        ("BDQN", 100): (306_770, -15.50),
        ("A2C", 100): (161_660, -13.9),
        ("DQN", 1000): (65_520, -1143.5),
        ("BDQN", 1000): (75_840, 7.60),
        ("A2C", 1000): (17_170, -78.45),
    }
    found = {
        (row.name.partition(",")[0], row.agent.recall): (row.episodes, row.score)
        for row in settings().table_4.rows
    }
    assert found == printed
    for row in settings().table_4.rows:
        assert row.name.endswith(f"R = {row.agent.recall}")
        assert row.agent.self_play == 1
        assert ("temperature" in row.agent.learner) == row.name.startswith("BDQN")


def test_names_of_settings_of_poprl_say_what_they_are():
    for row in settings().tables["population_learners"]:
        told = row.agent.learner.get("auxiliary_weight", 0)
        assert row.name == f"rho = {told:g}, p = {row.agent.self_play:g}"


def test_errors_of_means_need_two():
    assert standard_error([2.0]) is None
    assert standard_error([1.0, 2.0, 6.0]) == pytest.approx(np.std([1, 2, 6], ddof=1) / 3**0.5)
