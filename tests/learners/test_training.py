import math
import pickle

import numpy as np
import pytest

from gametheory_core import InvalidArgument
from learners import Diverged, train
from learners.streams import generator_state, restore_generator
from solvers import Budget


class Walk:
    """A learner whose whole state is a position and a generator; steps get longer and longer."""

    name = "walk"

    def __init__(self, *, breaks_at: int | None = None):
        self.position = 0.0
        self.made = 0
        self.rng = np.random.default_rng(3)
        self.breaks_at = breaks_at

    def improve(self):
        self.made += 1
        self.position += self.rng.normal()
        if self.made == self.breaks_at:
            self.position = math.inf
        return {"position": self.position, "made": float(self.made)}

    def policies(self):
        return ()

    def snapshot(self):
        return {"position": self.position, "made": self.made, "rng": generator_state(self.rng)}

    def restore(self, snapshot):
        self.position = snapshot["position"]
        self.made = snapshot["made"]
        restore_generator(self.rng, snapshot["rng"])


def test_training_makes_as_many_iterations_as_asked_and_reports_each():
    seen = []
    learned = train(Walk(), iterations=7, on_iteration=seen.append)
    assert learned.iterations == 7 == len(learned.metrics)
    assert [step.done for step in seen] == list(range(1, 8))
    assert [step.metrics for step in seen] == list(learned.metrics)
    assert all(step.total == 7 for step in seen)


def test_training_that_is_continued_ends_as_if_never_stopped():
    whole = train(Walk(), iterations=20)
    half = train(Walk(), iterations=9)
    rest = train(Walk(), iterations=20, start=half)
    assert rest.metrics == whole.metrics
    assert rest.snapshot == whole.snapshot
    assert rest.iterations == 20


def test_training_with_enough_iterations_behind_it_makes_none():
    half = train(Walk(), iterations=9)
    again = train(Walk(), iterations=5, start=half)
    assert again.iterations == 9
    assert again.snapshot == half.snapshot


def test_a_budget_ends_training_early():
    learned = train(Walk(), iterations=50, budget=Budget(iterations=4))
    assert learned.iterations == 4
    assert train(Walk(), iterations=50, budget=Budget(seconds=0)).iterations == 0


def test_snapshots_are_kept_at_the_interval_asked():
    kept = []
    train(Walk(), iterations=7, keep_every=3, on_keep=lambda s, m: kept.append((s["made"], len(m))))
    assert kept == [(3, 3), (6, 6)]


def test_a_diverging_run_names_the_quantity_and_keeps_the_last_good_snapshot():
    learner = Walk(breaks_at=8)
    with pytest.raises(
        Diverged, match=r"walk: needs finite numbers, but 'position' .* iteration 8"
    ) as caught:
        train(learner, iterations=20, keep_every=3)
    assert caught.value.quantity == "position"
    assert caught.value.best.iterations == 6 == len(caught.value.best.metrics)
    assert learner.made == 6
    assert learner.position == train(Walk(), iterations=6).snapshot["position"]


def test_divergence_survives_the_way_between_processes():
    with pytest.raises(Diverged, match="position") as caught:
        train(Walk(breaks_at=2), iterations=3)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.quantity, again.best.iterations) == ("position", 0)
    assert str(again) == str(caught.value)


def test_an_interruption_carries_the_last_kept_state():
    def interrupt(step):
        if step.done == 8:
            raise KeyboardInterrupt("enough")

    with pytest.raises(KeyboardInterrupt, match="enough") as caught:
        train(Walk(), iterations=20, keep_every=5, on_iteration=interrupt)
    best = caught.value.best
    assert best.iterations == 5
    assert train(Walk(), iterations=20, start=best).metrics == train(Walk(), iterations=20).metrics


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"iterations": -1}, "iterations"),
        ({"iterations": 2.5}, "iterations"),
        ({"iterations": 5, "keep_every": 0}, "keep_every"),
    ],
)
def test_training_refuses_senseless_options_by_name(options, message):
    with pytest.raises(InvalidArgument, match=f"train: needs .*{message}"):
        train(Walk(), **options)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (3, "train: needs a learner, but got 3, which lacks name, improve, .* QLearning"),
        (Walk, "train: needs a learner, but got the class Walk"),
    ],
)
def test_what_is_no_learner_is_refused(wrong, message):
    with pytest.raises(InvalidArgument, match=message):
        train(wrong, iterations=2)
