"""Rates count what was judged, once a seed; they go on, say what they rest on, and refuse early."""

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from gametheory_core.errors import GameTheoryError, InvalidArgument, MalformedFile, UnsupportedGame
from learners.experiments import binomial_interval, recorded_rate, success_rate
from learners.experiments.config import LearnerConfig
from learners.experiments.rates import game_name, rate_files
from learners.experiments.setup import appraisal_of, learner_of
from learners.experiments.success import RELATIONS, Condition, conditions_of
from learners.protocol import Plays, learner
from learners.training import train
from tests.learners.experiments.drifting_learners import DriftingLearner

SEEDS = tuple(range(12))
BOUND = 2
GOOD = {"nash_conv": f"<= {BOUND}"}


@learner(plays=Plays.RULES)
class BrokenLearner(DriftingLearner):
    """Some seeds of it do not fit the game."""

    def __init__(self, game, *, rng: np.random.Generator):
        super().__init__(game, rng=rng)
        self._is_broken = rng.random() < 0.5

    def improve(self):
        if self._is_broken:
            raise UnsupportedGame(needs="another game", where="BrokenLearner")
        return super().improve()


@pytest.fixture
def rated(experiment):
    def make(**changes):
        return experiment(**({"training__seeds": list(SEEDS), "success": GOOD} | changes))

    return make


def by_hand(config, table):
    """Return the seeds of which the exact judgment is within the bound."""
    good = []
    for seed in config.training.seeds:
        drifting = learner_of(config, seed, learners=table)
        train(drifting, iterations=config.training.iterations)
        if appraisal_of(config, drifting, seed=seed)["nash_conv"] <= BOUND:
            good.append(seed)
    return tuple(good)


def lines_of(config):
    return rate_files(config).lines.read_text().splitlines()


def test_a_rate_counts_the_runs_whose_judgment_is_within_the_bound(rated, table):
    config = rated()
    found = success_rate(config, jobs=1, learners=table)
    good = by_hand(config, table)
    assert 0 < len(good) < len(SEEDS)  # else the test shows nothing
    assert tuple(seed for seed in found.runs if seed not in found.failed) == good
    assert found.successes == len(good)
    assert found.is_complete
    assert found.interval == binomial_interval(len(good), len(SEEDS))


def test_all_conditions_must_hold(rated, table):
    config = rated(success={**GOOD, "return/player 1": "> 1000"})
    assert success_rate(config, jobs=1, learners=table).successes == 0


def test_a_rate_goes_on_and_makes_no_run_twice(rated, table):
    config = rated()
    whole = success_rate(config, jobs=1, learners=table)
    before = Path(whole.path).read_bytes()
    told = []
    again = success_rate(config, jobs=1, learners=table, on_run=told.append)
    assert (again, told, Path(whole.path).read_bytes()) == (whole, [], before)
    more = success_rate(config, seeds=range(14), jobs=1, learners=table, on_run=told.append)
    assert [(own.done, own.total) for own in told] == [(1, 2), (2, 2)]
    assert more.runs[:12] == whole.runs
    assert Path(whole.path).read_bytes().startswith(before)


@pytest.mark.parametrize("cut", [1, 40])
def test_a_line_that_is_half_there_is_made_again(rated, table, cut):
    config = rated()
    whole = success_rate(config, jobs=1, learners=table)
    path = Path(whole.path)
    content = path.read_bytes()
    path.write_bytes(content[:-cut])
    assert recorded_rate(config).runs == SEEDS[:-1]
    told = []
    assert success_rate(config, jobs=1, learners=table, on_run=told.append) == whole
    assert len(told) == 1
    assert path.read_bytes() == content


def test_an_interrupted_rate_keeps_what_it_has(rated, table):
    config = rated()

    def stop(progress):
        if progress.done == 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="^$"):
        success_rate(config, jobs=1, learners=table, on_run=stop)
    partial = recorded_rate(config)
    assert partial.runs == SEEDS[:5]
    assert not partial.is_complete
    whole = success_rate(config, jobs=1, learners=table)
    assert set(partial.failed) <= set(whole.failed)
    assert whole.is_complete


def test_processes_count_the_same(rated, table, tmp_path):
    alone = success_rate(rated(output=str(tmp_path / "one")), jobs=1, learners=table)
    both = success_rate(rated(output=str(tmp_path / "two")), jobs=2, learners=table)
    assert (both.runs, both.failed) == (alone.runs, alone.failed)


def test_a_run_that_diverges_is_a_failure(rated, table):
    breaking = {"name": "DriftingLearner", "breaks_at": 3}
    found = success_rate(rated(learner=breaking), seeds=(0, 1), jobs=1, learners=table)
    assert (found.runs, found.failed) == ((0, 1), (0, 1))


def test_a_rate_rests_on_the_runs_that_did_not_break(rated):
    table = {"BrokenLearner": f"{__name__}:BrokenLearner"}
    config = rated()
    config = replace(config, learner=LearnerConfig("BrokenLearner"))
    found = success_rate(config, jobs=1, learners=table)
    assert 0 < len(found.broken) < len(SEEDS)
    assert sorted((*found.runs, *found.broken)) == list(SEEDS)
    assert not found.is_complete
    assert all("needs another game" in why for why in found.broken.values())
    assert recorded_rate(config).runs == found.runs  # what broke will be made again
    only = tuple(found.broken)
    with pytest.raises(GameTheoryError, match="all runs broke"):
        success_rate(config, seeds=only, jobs=1, learners=table)


def test_another_experiment_is_refused(rated, table):
    success_rate(rated(), seeds=(0,), jobs=1, learners=table)
    for changes, key in (
        ({"success": {"nash_conv": "<= 5"}}, "success.nash_conv"),
        ({"training__iterations": 13}, "training.iterations"),
        ({"learner": {"name": "DriftingLearner", "pace": "slow"}}, "learner.pace"),
    ):
        with pytest.raises(InvalidArgument, match=rf"{key} was"):
            success_rate(rated(**changes), seeds=(0,), jobs=1, learners=table)


def test_each_game_has_a_file(rated):
    names = {rate_files(rated(game={"name": "chicken"})).lines, rate_files(rated()).lines}
    assert len(names) == 2
    assert game_name(rated()) == "repeated_prisoners_dilemma:rounds=1"


def test_damaged_files_are_refused(rated, table):
    config = rated()
    path = Path(success_rate(config, seeds=(0, 1), jobs=1, learners=table).path)
    header, first, _ = path.read_text().splitlines()
    for line, why in (
        ("no JSON", "a record of a run"),
        (json.dumps({"kind": "end"}), "line 3"),
        (json.dumps({**json.loads(first), "success": 1}), "line 3"),
    ):
        path.write_text(f"{header}\n{first}\n{line}\n")
        with pytest.raises(MalformedFile, match=why):
            success_rate(config, seeds=(0, 1), jobs=1, learners=table)


def test_what_is_not_judged_is_refused_before_anything_is_learned(rated, table):
    def refused(match, **changes):
        config = rated(**changes)
        with pytest.raises(InvalidArgument, match=match):
            success_rate(config, jobs=1, learners=table)
        assert not rate_files(config).lines.exists()

    refused(r"no 'nash_con'\. Did you mean nash_conv\? Exact are ", success={"nash_con": 0})
    refused("says what counts", success={})
    refused("does not depend on the machine", training__seconds=3.0)
    sampled = {"assessment": {"method": "sampled"}, "success": {"return/player 1": 3}}
    refused("'return/player 1' is sampled. Nothing is judged exactly here", **sampled)


@pytest.mark.parametrize("entry", ["<= x", "", "~ 3", "nan", True, [1]])
def test_conditions_are_numbers_or_comparisons(experiment, entry):
    with pytest.raises(InvalidArgument, match=r"nash_conv"):
        experiment(success={"nash_conv": entry})


def test_decimals_are_read_as_they_are_written():
    found = conditions_of({"a": 0.1, "b": ">= 0.30000000000000000001", "c": "<1/3", "d": "= -2"})
    assert found == (
        Condition("a", "=", Fraction(1, 10)),
        Condition("b", ">=", Fraction("0.30000000000000000001")),
        Condition("c", "<", Fraction(1, 3)),
        Condition("d", "=", Fraction(-2)),
    )


@given(st.fractions(), st.fractions())
def test_conditions_hold_as_numbers_compare(value, bound):
    holds = {own: Condition("x", own, bound).holds(value) for own in RELATIONS}
    assert holds == {
        "<": value < bound,
        "<=": value <= bound,
        "=": value == bound,
        ">=": value >= bound,
        ">": value > bound,
    }


@given(st.integers(0, 60), st.integers(0, 60), st.sampled_from((0.5, 0.9, 0.95, 0.999)))
def test_each_end_is_where_so_many_successes_are_as_unlikely_as_asked(
    successes, failures, confidence
):
    runs, tail = successes + failures, (1 - confidence) / 2
    found = binomial_interval(successes, runs, confidence=confidence)
    assert np.isclose(binom.sf(successes - 1, runs, found.low), tail if successes else 1)
    assert np.isclose(binom.cdf(successes, runs, found.high), tail if failures else 1)


def test_the_interval_covers_any_chance_with_at_least_its_confidence():
    """The twin of Clopper and Pearson is the normal interval, which covers 1/100 too seldom."""
    for chance in (0.01, 0.1, 0.5):
        covered = normal = 0.0
        for successes in range(31):
            found, weight = binomial_interval(successes, 30), binom.pmf(successes, 30, chance)
            covered += weight * (found.low <= chance <= found.high)
            share = successes / 30
            normal += weight * (abs(share - chance) <= 1.96 * (share * (1 - share) / 30) ** 0.5)
        assert covered >= 0.95
        if chance == 0.01:
            assert normal < 0.5


def test_impossible_counts_are_refused():
    for successes, runs in ((3, 2), (-1, 2), (0, -1)):
        with pytest.raises(InvalidArgument, match="to be an integer"):
            binomial_interval(successes, runs)
