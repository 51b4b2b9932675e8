"""Recorded steps of a run are those that were played, also where every second one was dropped."""

import numpy as np

from gametheory_core import Decision, Terminal, from_sketch, load_game
from solvers import counterfactual_regret
from solvers.counterfactual import UpdateOrder
from solvers.local_rules import Hedge


def restless():
    """Return a general-sum tree whose play never settles: Shapley's cycle."""
    pays = {(0, 0): (2, 0), (0, 1): (0, 1), (1, 1): (1, 0), (1, 2): (0, 1), (2, 2): (1, 0)}
    pays[2, 0] = (0, 2)  # uneven, so that play does not start at rest
    second = [
        Decision(1, "unseen", {str(b): Terminal(pays.get((a, b), (0, 0))) for b in range(3)})
        for a in range(3)
    ]
    first = Decision(0, "first", {str(a): second[a] for a in range(3)})
    return from_sketch(first, players=("Row", "Column"))


def test_each_recorded_step_is_what_was_played_then():
    tree = restless()
    options = {"rule": Hedge(0.3), "updates": UpdateOrder.SIMULTANEOUS}
    run = counterfactual_regret(tree, steps=1_000, **options)
    steps = run.state.iterate_steps
    stride = steps[0]
    assert stride > 1  # some have been dropped
    assert set(np.diff(steps)) == {stride}
    played = [recorded.tobytes() for recorded in run.state.iterates]
    assert len(set(played)) > len(played) // 2
    for index in (1, 2, 5, 40, len(steps) - 1):
        before = counterfactual_regret(tree, steps=int(steps[index]) - 1, **options)
        assert before.state.behavior.tobytes() == played[index]


def test_recorded_steps_are_few_and_reach_the_end():
    run = counterfactual_regret(load_game("selten_horse"), steps=1_000)
    steps = run.state.iterate_steps
    assert 128 <= len(steps) <= 256
    assert steps[-1] + steps[0] > 1_000
