"""Values of leader policies in the leader's problem, by its rules alone."""

import pytest

from gametheory_core.distributions import Distribution, point_mass
from gametheory_core.evaluation import memoryless_returns
from gametheory_core.leaders import DeterministicLeader, QueryDisplay, leader_policies

LEMMA = pytest.mark.theorem(
    source="Gerstgrasser and Parkes 2023",
    statement="An optimum of the leader's problem and its best response form a Stackelberg pair.",
)


def reactive_table(view, policy):
    """The lottery of a deterministic or stochastic leader after each observation, by labels."""
    labels = view.game.actions[view.leader]
    if isinstance(policy, DeterministicLeader):
        rows = [(a >= 0 and point_mass(labels[a])) for a in policy.actions]
    else:
        rows = [
            own and Distribution(tuple((a, w) for a, w in zip(labels, own, strict=True) if w))
            for own in policy.lotteries
        ]
    seen = view.game.observations[view.leader]
    return {o: row for o, row in zip(seen, rows, strict=True) if row}


def problem_value(problem, policy):
    """What a memoryless leader gets in the problem, queries and all."""
    assert problem.display is QueryDisplay.AS_PLAY
    return memoryless_returns(problem, [reactive_table(problem.view, policy)])[0]


def problem_values(problem):
    """The value of every deterministic leader policy."""
    return {pi: problem_value(problem, pi) for pi in leader_policies(problem.view)}


def maximizers(values):
    """The policies of highest value."""
    best = max(values.values())
    return {pi for pi, value in values.items() if value == best}
