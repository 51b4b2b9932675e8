"""Planted bugs are alive, and right environments are right, by means that know no checker.

Not covered: that a bug in chance breaks the very law it names (a frequency that differs is
confirmed, whichever it is), and that nothing else is wrong with an environment that has a bug.
"""

import hashlib
import os
import subprocess
import sys
import warnings
from collections import Counter
from functools import cache, partial
from pathlib import Path

import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test

from tests.laws.planted import probes
from tests.laws.planted.bugs import GAMES, PLANTED_BUGS
from tests.laws.planted.chances import SURE, difference
from tests.laws.planted.forward import Situated, calibration, forecasts
from tests.laws.planted.plays import ALONE, trace
from tests.laws.planted.records import BugClass, Kind
from tests.laws.planted.right import LIBRARIES, OWN, OWN_VARIED, RIGHT_ENVS, UNUSUAL

ROOT = Path(__file__).parents[3]
GAME = {game.name: game for game in GAMES}
HASHED = [bug for bug in PLANTED_BUGS if "HASH" in bug.bug.name]
CHANCE = [bug for bug in PLANTED_BUGS if bug.class_ is BugClass.CHANCE]
RAISING = [bug for bug in PLANTED_BUGS if bug.raises]
OTHERS = [bug for bug in PLANTED_BUGS if bug not in [*CHANCE, *HASHED, *RAISING]]
WITH_MODEL = [right for right in RIGHT_ENVS if right.model is not None]


def named(records):
    return [pytest.param(record, id=record.name) for record in records]


def test_there_are_bugs_of_each_class_and_kind():
    assert len({bug.name for bug in PLANTED_BUGS}) == len(PLANTED_BUGS) >= 150
    assert min(Counter(bug.class_ for bug in PLANTED_BUGS).values()) >= 15
    assert set(BugClass) == {bug.class_ for bug in PLANTED_BUGS}
    assert set(Kind) == {bug.kind for bug in PLANTED_BUGS}
    for game in GAMES:  # two members of one value would be one bug
        assert len(game.bugs) == len(game.bugs.__members__)


def test_there_are_many_right_environments():
    assert len({right.name for right in RIGHT_ENVS}) == len(RIGHT_ENVS)
    assert len([right for right in RIGHT_ENVS if not right.faults]) >= 60


@cache
def right_answer(game, probe):
    return probe(GAME[game].environment, GAME[game].kind)


@pytest.mark.parametrize("bug", named(OTHERS))
def test_bug_is_alive(bug):
    """A probe for its class answers otherwise than for the right environment."""
    trace(bug.make_env(), bug.kind, seed=0)
    asked = [probe for probe, classes in probes.PROBES.items() if bug.class_ in classes]
    assert any(probe(bug.make_env, bug.kind) != right_answer(bug.game, probe) for probe in asked)


@pytest.mark.parametrize("bug", named(RAISING))
def test_plain_play_fails_as_meant(bug):
    def plain_play():
        for seed in range(20):
            bug.make_env().reset(seed=seed, options={})
            trace(bug.make_env(), bug.kind, seed=seed, play=seed)

    with pytest.raises(bug.raises, match="."):
        plain_play()


def digest(make, kind):
    plays = [trace(make(), kind, seed=seed, play=seed) for seed in range(8)]
    return hashlib.sha256(repr(plays).encode()).hexdigest()


def digests():
    """One line for each bug about hashes, then one for each of their games."""
    made = [(bug.make_env, bug.kind) for bug in HASHED]
    made += [(GAME[bug.game].environment, bug.kind) for bug in HASHED]
    return [digest(make, kind) for make, kind in made]


def test_bugs_about_hashes_are_alive():
    """Their plays depend on PYTHONHASHSEED, those of the right environments do not."""
    command = "from tests.laws.planted.test_planted import digests; print(chr(10).join(digests()))"
    seen = []
    for seed in "1234":
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", command],
            capture_output=True, check=True, cwd=ROOT, env=environment, text=True,
        )  # fmt: skip
        seen.append(done.stdout.split()[-2 * len(HASHED) :])
    same = [len(set(each)) == 1 for each in zip(*seen, strict=True)]
    assert same == [False] * len(HASHED) + [True] * len(HASHED)
    assert len(HASHED) >= 3


@pytest.mark.slow
@pytest.mark.parametrize("bug", named(CHANCE))
def test_chance_is_another(bug):
    """A frequency that differs in one half of the plays differs in the other as much."""
    found = [0.0]
    for plays in (50, 200, 800, 2000):
        found.append(difference(GAME[bug.game], bug.bug, plays=plays))
        if found[-1] > SURE:
            break
    assert found[-1] > SURE


@pytest.mark.slow
@pytest.mark.parametrize("game", named(GAMES))
def test_chance_of_right_environment_is_its_own(game):
    assert abs(difference(game, None, plays=100)) < SURE - 1


@pytest.mark.slow
@pytest.mark.parametrize("right", named(WITH_MODEL))
def test_right_environment_obeys_its_model(right):
    """All that is seen is possible, and as likely as the model says."""
    env = right.make_env()
    agents = (ALONE,) if right.kind is Kind.GYMNASIUM else tuple(env.possible_agents)
    game = Situated(right.model, right.kind, agents, right.read_observation, right.write_action)
    made = [forecast for seed in range(30) for forecast in forecasts(env, game, seed=seed)]
    assert abs(calibration(made)) < 4.5


@pytest.mark.slow
@pytest.mark.parametrize("right", named(r for r in RIGHT_ENVS if r.model is None))
def test_right_environment_without_a_model_plays(right):
    env = right.make_env()
    assert trace(env, right.kind, seed=1) == trace(right.make_env(), right.kind, seed=1)


@pytest.mark.slow
@pytest.mark.parametrize("right", named([*OWN, *OWN_VARIED, *UNUSUAL, *LIBRARIES]))
def test_right_environment_passes_published_tests(right, capsys):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # advice about masks and names
        if right.kind is Kind.AEC:
            api_test(right.make_env(), num_cycles=50)
        elif right.kind is Kind.GYMNASIUM:
            check_env(right.make_env().unwrapped, skip_render_check=True)
        else:
            parallel_api_test(right.make_env(), num_cycles=50)


@pytest.mark.slow
@pytest.mark.parametrize("right", named([*OWN, *OWN_VARIED, *UNUSUAL]))
def test_right_environment_answers_probes(right, monkeypatch):
    monkeypatch.setattr(probes, "SEEDS", range(3))
    ask = partial(partial, make=right.make_env, kind=right.kind)
    assert all(ask(probes.reseeded)())
    assert not any(ask(probes.unseeded)())
    assert all(ask(probes.spaces)())
    assert "refused" not in ask(probes.calls)()
    assert right.kind is not Kind.AEC or False not in ask(probes.observing)()
    for probe in (
        probes.global_generators,
        probes.sampling,
        probes.clocks,
        probes.interleaved,
        probes.kept_data,
        probes.written_data,
        probes.callers_actions,
        probes.counts,
    ):
        assert ask(probe)()
