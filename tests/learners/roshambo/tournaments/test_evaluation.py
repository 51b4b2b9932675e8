"""Scores of an agent against a population, and files of results that grow."""

import json
import math
from functools import partial

import numpy as np
import pytest

from gametheory_core import InvalidArgument, MalformedFile
from learners.roshambo import PopulationScores, evaluate_bot
from learners.roshambo.tournaments.evaluation import match_seeds
from tests.learners.roshambo.simple_bots import Drawn, Scripted

POPULATION = {"rock": partial(Scripted, [0]), "drawn": Drawn, "cycle": partial(Scripted, [0, 1, 2])}


def evaluated(agent=Drawn, population=POPULATION, **options):
    return evaluate_bot(agent, population, **({"matches": 4, "seed": 3, "throws": 40} | options))


def test_scores_are_the_published_formulas():
    scores = PopulationScores(("a", "b"), np.array([[10, 20, 30, 40], [-3, 5, -7, 1]]))
    assert scores.means.tolist() == [25, -1]
    assert scores.population_return == 12
    assert scores.nemesis == "b"
    assert scores.within_population_exploitability == 1
    assert scores.aggregate_score == 11
    # b is the nemesis by even matches, which it won by 5 on average, and by odd ones
    assert scores.cross_fitted_exploitability == -(3 + -5) / 2
    errors = [math.sqrt(500 / 3 / 4), math.sqrt(80 / 3 / 4)]
    assert scores.standard_errors == pytest.approx(errors)
    assert scores.population_return_error == pytest.approx(math.hypot(*errors) / 2)


@pytest.mark.parametrize(
    ("bots", "returns", "needs"),
    [
        (("a",), [[0.5, 1.9]], "whole numbers below 2.53, but one is 0.5"),
        (("a",), [[math.nan, 1]], "whole numbers"),
        (("a",), [[math.inf, 1]], "whole numbers"),
        (("a",), [[2**70, 1]], "whole numbers"),
        (("a",), [[-(2**63), 1]], "whole numbers"),
        (("a",), [["x", "y"]], "whole numbers"),
        (("a", "a"), [[1, 2], [3, 4]], "'a' stands twice"),
        ((), np.zeros((0, 2)), "somebody in bots"),
        ("a", [[1, 2]], "bots to be a sequence"),
    ],
)
def test_what_are_no_scores_is_refused(bots, returns, needs):
    with pytest.raises(InvalidArgument, match=needs):
        PopulationScores(bots, returns)


def test_nothing_lost_is_no_negative_zero():
    scores = PopulationScores(("a",), [[0, 0]])
    assert math.copysign(1, scores.within_population_exploitability) == 1


def test_cross_fitting_is_without_bias_where_the_maximum_is_biased():
    rng = np.random.default_rng(5)
    found = [
        PopulationScores(tuple("abcdefgh"), np.rint(rng.normal(0, 26, size=(8, 10))))
        for _ in range(400)
    ]
    published = [scores.within_population_exploitability for scores in found]
    fitted = [scores.cross_fitted_exploitability for scores in found]
    assert np.mean(published) > 10
    assert abs(np.mean(fitted)) < 4 * np.std(fitted) / 20


def test_results_are_the_same_by_the_seed_alone():
    first = evaluated().returns
    assert (evaluated().returns == first).all()
    assert (evaluated(jobs=2).returns == first).all()
    assert (evaluated(matches=2).returns == first[:, :2]).all()
    assert (evaluated(seed=4).returns != first).any()


def test_an_evaluation_goes_on_from_its_file(tmp_path):
    file = tmp_path / "results.jsonl"
    whole = evaluated(matches=6).returns
    evaluated(matches=2, file=file)
    content = file.read_text()
    file.write_text(content + content.splitlines()[-1][:9])  # a line that is half there

    class Once(Drawn):
        made = 0

        def __init__(self):
            Once.made += 1

    Once.__qualname__ = Drawn.__qualname__
    assert (evaluated(Once, matches=6, file=file).returns == whole).all()
    assert Once.made == 4 * 3
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert lines[0] == {
        "schema": "gametheory-core/roshambo/2",
        "agent": "Drawn",
        "bots": ["rock", "drawn", "cycle"],
        "sources": ["Scripted((0))", "Drawn", "Scripted((0, 1, 2))"],
        "seed": 3,
        "throws": 40,
    }
    assert len(lines) == 1 + 18
    assert (evaluated(matches=3, file=file).returns == whole[:, :3]).all()


def test_files_of_something_else_are_refused(tmp_path):
    file = tmp_path / "results.jsonl"
    evaluated(file=file)
    for change in ({"seed": 4}, {"throws": 50}, {"population": {"rock": POPULATION["rock"]}}):
        with pytest.raises(InvalidArgument, match="results of the same evaluation"):
            evaluated(file=file, **change)
    with pytest.raises(InvalidArgument, match="can be written"):
        evaluated(file=tmp_path / "nowhere" / "results.jsonl")


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ("", "line 14: needs JSON"),
        ("{}", "line 14: needs the key 'bot'"),
        ("nonsense", "line 14: needs JSON"),
        ('{"bot": "rock", "match": "x", "return": 1}', "line 14 at match: needs an integer"),
        ('{"bot": "rock", "match": 0.7, "return": 1}', "line 14 at match: needs an integer"),
        ('{"bot": "rock", "match": -1, "return": 1}', "line 14 at match: needs an integer of at"),
        ('{"bot": "rock", "match": 9, "return": 41}', "line 14 at return: needs an integer of at"),
        ('{"bot": "rock", "match": 9, "return": 1e400}', "line 14 at return: needs an integer"),
        ('{"bot": "other", "match": 9, "return": 1}', "line 14 at bot: needs one of 'rock'"),
        ('{"bot": "rock", "match": 0, "return": 40}', "line 14 at return: needs .* a line before"),
    ],
)
def test_lines_that_are_no_result_are_refused(tmp_path, line, fault):
    file = tmp_path / "wrong.jsonl"
    evaluated(file=file)
    file.write_text(f"{file.read_text()}{line}\n")
    with pytest.raises(MalformedFile, match=fault):
        evaluated(file=file)


def test_a_changed_agent_or_bot_of_the_same_name_is_refused(tmp_path):
    file = tmp_path / "results.jsonl"
    agent = partial(Scripted, [1])
    won = evaluated(agent, file=file).returns
    assert (evaluated(partial(Scripted, [1]), file=file).returns == won).all()
    changed = POPULATION | {"rock": partial(Scripted, [2])}
    for options in ({"agent": partial(Scripted, [2])}, {"agent": agent, "population": changed}):
        with pytest.raises(InvalidArgument, match="results of the same evaluation"):
            evaluated(file=file, **options)


def test_what_is_no_evaluation_is_refused():
    with pytest.raises(InvalidArgument, match="agent to be a function"):
        evaluated(agent=Drawn())
    with pytest.raises(InvalidArgument, match="population"):
        evaluated(population={"rock": Scripted([0])})
    with pytest.raises(InvalidArgument, match="it is empty"):
        evaluated(population={})
    for wrong in (None, [Drawn], 5):
        with pytest.raises(InvalidArgument, match="population to be of type Mapping"):
            evaluated(population=wrong)
    jobs = [("jobs", value) for value in (0, -2, "x", None)]
    for option, value in (("matches", 1), ("seed", -1), ("throws", 0), *jobs):
        with pytest.raises(InvalidArgument, match=option.removesuffix("s")):
            evaluated(**{option: value})
    with pytest.raises(InvalidArgument, match="a row of two returns"):
        PopulationScores(("a",), np.zeros((2, 3)))


def test_each_match_has_seeds_of_its_own():
    found = {match_seeds(s, b, m) for s in range(3) for b in range(20) for m in range(20)}
    assert len(found) == 1200
    assert all(1 <= own < 2**32 and 1 <= other < 2**32 for own, other in found)
