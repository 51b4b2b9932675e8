"""Gerstgrasser and Parkes 2023, appendices B and C.2: leaders must answer as they play.

If the leader can tell queries from play, by a flag, by a step counter or by remembering how many
observations there were, it may promise one policy and play another; then the POMDP's optimum may
exceed every commitment. The ten-round prisoner's dilemma with ordinal payoffs is the paper's
example. Exact.

Why it matters (followers): A leader who knows that he is asked can lie, so that training would
reward promises that are not kept.
"""

import pytest

from gametheory_core import expected_returns, leaders
from gametheory_core.catalog import iterated_prisoners_dilemma
from gametheory_core.distributions import point_mass
from gametheory_core.evaluation import memoryless_returns, return_gains
from solvers.leaders import TreeQueries, contextual_queries
from tests.theorems.leader_problem_values import maximizers, problem_values, reactive_table

SOURCE = "Gerstgrasser and Parkes 2023"
invariant = pytest.mark.theorem(
    source=SOURCE, statement="Leaders that answer as they play earn no more than a commitment."
)
FIRM = leaders.DeterministicLeader((1, 0, 1, 0, 1))  # defect first, then tit-for-tat
DEFECT = leaders.DeterministicLeader((1, 1, 1, 1, 1))


def dilemma(rounds, **options):
    view = leaders.leader_view(iterated_prisoners_dilemma(rounds=rounds))
    return view, contextual_queries(view, **options)


@invariant
def test_leader_that_is_shown_observations_alone_earns_what_it_commits_to():
    view, oracle = dilemma(10, follower_class=leaders.FollowerClass.STATIONARY)
    values = problem_values(leaders.leader_problem(view, oracle).target)
    assert max(values.values()) == -9
    assert maximizers(values) == {FIRM}


@invariant
@pytest.mark.parametrize("ties", leaders.FollowerTies)
def test_flag_twin(ties):
    """Answer with tit-for-tat, then defect: the highest payoff of all, however ties are broken."""
    view, oracle = dilemma(10, follower_class=leaders.FollowerClass.STATIONARY, ties=ties)
    problem = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.FLAGGED).target
    answers, plays = (reactive_table(view, pi) for pi in (FIRM, DEFECT))
    table = {(True, o): law for o, law in answers.items()}
    table |= {(False, o): law for o, law in plays.items()}
    assert memoryless_returns(problem, [table])[0] == 0
    honest = table | {(False, o): law for o, law in answers.items()}
    assert memoryless_returns(problem, [honest])[0] == -9


@invariant
def test_step_counter_twin():
    """A counter tells the five queries from the ten rounds."""
    view, oracle = dilemma(10)
    problem = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.COUNTED).target
    answers, plays = (reactive_table(view, pi) for pi in (FIRM, DEFECT))
    table = {(step, o): (answers if step < 5 else plays)[o] for step in range(15) for o in answers}
    assert memoryless_returns(problem, [table])[0] == -2
    honest = {(step, o): answers[o] for step, o in table}
    assert memoryless_returns(problem, [honest])[0] == -11


@invariant
@pytest.mark.parametrize("kept", range(1, 10))
def test_step_counter_tells_rounds_apart_twin(kept):
    """Keep the promise for some rounds, then defect: 0 first, then -1 each, and -2 at last."""
    view, oracle = dilemma(10)
    problem = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.COUNTED).target
    answers, plays = (reactive_table(view, pi) for pi in (FIRM, DEFECT))
    table = {
        (step, o): (answers if step < 5 + kept else plays)[o] for step in range(15) for o in answers
    }
    assert memoryless_returns(problem, [table])[0] == -(kept - 1) - 2


def best_promise(view, oracle):
    """What a leader gets who promises one policy and then responds best to the follower."""
    found = []
    for promise in leaders.leader_policies(view):
        ((follower, _),) = leaders.oracle_response(view, oracle, promise)
        problem = leaders.leader_problem(view, TreeQueries(follower))
        carried = problem.correspondence.to_target(promise)
        value = expected_returns(problem.target, carried)[0]
        found.append(value + return_gains(problem.target, carried)[0])
    return max(found)


@invariant
def test_memory_twin():
    """Nothing is shown but observations; remembering them is enough to tell where one is."""
    view, oracle = dilemma(3, follower_class=leaders.FollowerClass.STATIONARY)
    conversion = leaders.leader_problem(view, oracle)
    values = problem_values(conversion.target)
    best = next(iter(maximizers(values)))
    assert values[best] == -3
    gain = return_gains(conversion.target, conversion.correspondence.to_target(best))[0]
    assert values[best] + gain == best_promise(view, oracle) > -3


def test_labels_of_flagged_observations():
    view, oracle = dilemma(2)
    problem = leaders.leader_problem(view, oracle, display=leaders.QueryDisplay.FLAGGED).target
    (state,) = (state for state, _ in problem.initial())
    assert problem.initial_observation(state) == point_mass(((True, ()),))
