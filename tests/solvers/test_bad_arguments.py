"""Streams, ranges and arrays of games refuse in our own words whatever they cannot take."""

from dataclasses import fields, replace

import numpy as np
import pytest

from gametheory_core import InvalidArgument, load_game
from gametheory_core.catalog import KuhnRules, kuhn_poker_ranges
from solvers import Budget, bayesian_stackelberg, sequence_form_lp, solve_many
from solvers.counterfactual import (
    certified_average,
    monte_carlo_streams,
    range_counterfactual_regret,
)
from solvers.dynamics import hedge, play_streams
from solvers.workers import in_parts
from tests.wrong_values import WRONG, python_errors

CYCLE = load_game("shapley_cycle")
SMALL = [value for value in WRONG if not (type(value) is int and value > 5)]  # counts of steps


def rng():
    return np.random.default_rng(1)


def test_streams_of_play_check_their_arguments():
    options = {"steps": 8, "streams": 2, "rng": rng(), "jobs": None, "on_iteration": None}
    found = python_errors(play_streams, [CYCLE], options, wrong=SMALL)
    first, second = play_streams(CYCLE, steps=8, streams=2, rng=rng()).streams
    going_on = {"steps": 8, "streams": 2, "start": (first, second)}
    found += python_errors(
        play_streams, [CYCLE], {"steps": 8, "rng": rng(), "dynamics": hedge}, wrong=SMALL
    )
    found += python_errors(play_streams, [CYCLE], going_on, wrong=SMALL)
    for name in ("state", "generator"):

        def changed(value, name=name):
            return play_streams(
                CYCLE, steps=8, streams=2, start=(replace(first, **{name: value}), second)
            )

        found += python_errors(changed, [getattr(first, name)])
    assert found == []


def test_streams_of_sampling_check_their_arguments():
    options = {"iterations": 20, "streams": 2, "rng": rng(), "jobs": None, "on_iteration": None}
    found = python_errors(monte_carlo_streams, [KuhnRules()], options, wrong=SMALL)
    learned = monte_carlo_streams(KuhnRules(), iterations=20, streams=2, rng=rng())
    first, second = learned.states
    for field in fields(first):
        if field.name == "source":  # compared with the rules given, by whatever equality it has
            continue

        def changed(value, name=field.name):
            start = (replace(first, **{name: value}), second)
            return monte_carlo_streams(KuhnRules(), iterations=20, streams=2, start=start)

        found += python_errors(changed, [getattr(first, field.name)])
    found += python_errors(certified_average, [learned])
    assert found == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"streams": 10**9}, "streams to be an integer from 1 to 100000, but got 1000000000"),
        ({"jobs": 10**30}, "jobs to be an integer from -1 to 100000"),
    ],
)
def test_what_no_machine_could_hold_is_refused_before_it_is_begun(options, message):
    with pytest.raises(InvalidArgument, match=message):
        play_streams(CYCLE, steps=8, rng=rng(), **options)


def test_no_more_processes_are_started_than_there_are_parts(monkeypatch):
    import joblib

    asked = []
    whole = joblib.Parallel

    def watched(**options):
        asked.append(options["n_jobs"])
        return whole(**(options | {"n_jobs": 1}))

    monkeypatch.setattr(joblib, "Parallel", watched)
    assert in_parts(divmod, [(7, 2), (9, 4)], jobs=5_000) == [(3, 1), (2, 1)]
    assert in_parts(divmod, [(7, 2)], jobs=5_000) == [(3, 1)]
    assert asked == [2, 2]  # a lone part is done elsewhere all the same


def test_play_over_ranges_checks_its_arguments():
    game = kuhn_poker_ranges(cards=3)
    run = range_counterfactual_regret(game, steps=5)
    options = {"rule": None, "updates": None, "average": None, "steps": 5, "start": None}
    found = [
        *python_errors(range_counterfactual_regret, [game], options, wrong=SMALL),
        *python_errors(range_counterfactual_regret, [game], {"tolerance": 0.5}),
        *python_errors(run.behavior, [["bet"]]),
    ]
    assert found == []


def test_many_games_check_their_arguments():
    payoffs = np.random.default_rng(0).integers(-9, 10, (4, 2, 2, 2))
    options = {"initial_label": 0, "workers": 1, "budget": Budget(), "on_iteration": None}
    answers = solve_many(payoffs)
    few = [value for value in WRONG if type(value) is not int or value < 10**30]
    found = [
        *python_errors(solve_many, [payoffs, "nash"], options, wrong=few),
        *python_errors(solve_many, [payoffs, "stackelberg"], {"leader": 0}),
        *python_errors(lambda one: solve_many([one, payoffs[0]]), [payoffs[0]]),
        *python_errors(lambda matrices: solve_many(matrices, "minimax"), [payoffs[:, 0]]),
        *python_errors(answers.__getitem__, [0]),
        *python_errors(answers.game, [0]),
        *python_errors(answers.exact, [0]),
    ]
    assert found == []


def test_searches_and_likely_supports_check_their_options():
    found = [
        *python_errors(sequence_form_lp, [load_game("kuhn_poker")], {"tolerance": 0.1}),
        *python_errors(bayesian_stackelberg, [load_game("house_patrol")], {"jobs": None}),
        *python_errors(Budget, options={"seconds": None, "iterations": None, "memory": None}),
    ]
    assert found == []
