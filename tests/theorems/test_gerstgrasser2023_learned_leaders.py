"""Gerstgrasser and Parkes 2023, theorem 2 and appendix C.1, with the library's learners who lead.

In the dilemma of theorem 2 the follower best responds exactly, with a clock. If queries are hidden
and the leader draws afresh, she responds to his lotteries, and policy gradient from one half
everywhere ends in mutual defection, worth -20; if queries are visible the same learner reaches -2,
the best there is. Evolution strategies weigh whole episodes only, so hiding does them no harm -
provided that perturbations are wide enough to reach the small region where retaliation pays (the
twin: narrow ones fail). All is seeded, hence deterministic.

What policy gradient does is a rate: of 200 seeds that no option was chosen on, 200 learn to
retaliate if they see queries, and none if they do not, recorded by ``python -m learners rates``.
Of evolution 200, 199 and 15 do, with wide perturbations and seen queries, hidden ones, and narrow
perturbations. Thirty others (slow) must all agree; were the chance of an exception 1.83 %, the most
that the records allow, they would do so with chance 57 %, and were it 10 %, with 4 %.

Why it matters (followers): The theory predicts which learners find the optimum; here the library's
own learners do as predicted, with rates over seeds.
"""

import json
from pathlib import Path

import numpy as np
import pytest

from gametheory_core.catalog import iterated_modified_prisoners_dilemma
from gametheory_core.leaders import leader_view
from learners import leaders, train

SOURCE = "Gerstgrasser and Parkes 2023"
DATA = Path(__file__).parents[2] / "docs" / "examples" / "data" / "meta-rl"
AFTER_C, AFTER_D = 1, 2
GRADIENT = leaders.LeaderPolicyGradientOptions(step_size=0.05, iterations=240)
WIDE = leaders.LeaderEvolutionOptions(spread=3.0, iterations=60)

hiding = pytest.mark.theorem(
    source=SOURCE, statement="Hidden queries keep policy gradient from learning to lead."
)
episodes = pytest.mark.theorem(
    source=SOURCE, statement="Learners who weigh whole episodes lead as well with hidden queries."
)


def led(leader, queries, seed):
    """Learn to lead the dilemma; return the last metrics and the chances of defection."""
    learner = leaders.MetaStackelberg(
        leader_view(iterated_modified_prisoners_dilemma(rounds=10)),
        follower=leaders.ExactResponseOptions(),
        leader=leader,
        answers=leaders.Answers.FRESH,
        queries=queries,
        rng=np.random.default_rng(seed),
    )
    last = train(learner, iterations=learner.iterations).metrics[-1]
    return last["greedy return/leader"], learner.probabilities()[:, 1]


@hiding
@pytest.mark.parametrize("seed", range(2))
def test_policy_gradient_unlearns_retaliation_if_queries_are_hidden(seed):
    value, defects = led(GRADIENT, leaders.Queries.HIDDEN, seed)
    assert value == -20
    assert defects[AFTER_D] < 0.05
    assert 0.45 < defects[AFTER_C] < 0.55  # never met: the follower defects throughout


@hiding
@pytest.mark.parametrize("seed", range(2))
def test_policy_gradient_learns_to_retaliate_if_queries_are_visible(seed):
    value, defects = led(GRADIENT, leaders.Queries.VISIBLE, seed)
    assert value == -2
    assert defects[AFTER_D] > 0.95
    assert defects[AFTER_C] < 0.05


@hiding
def test_the_recorded_rates_are_all_and_none():
    found = {
        own: json.loads((DATA / f"{own}_queries.json").read_text()) for own in ("visible", "hidden")
    }
    assert all(own["runs"] == 200 for own in found.values())
    assert [own["successes"] for own in found.values()] == [200, 0]


@episodes
def test_the_recorded_rates_of_evolution_are_all_with_wide_perturbations_and_few_with_narrow_ones():
    names = ("wide_evolution_visible", "wide_evolution_hidden", "narrow_evolution_hidden")
    found = [json.loads((DATA / f"{name}.json").read_text()) for name in names]
    assert [(own["runs"], own["successes"]) for own in found] == [(200, 200), (200, 199), (200, 15)]


@hiding
@pytest.mark.slow
@pytest.mark.parametrize(("queries", "value"), [("VISIBLE", -2), ("HIDDEN", -20)])
def test_thirty_unseen_seeds_all_retaliate_or_none_does(queries, value):
    found = [led(GRADIENT, leaders.Queries[queries], seed)[0] for seed in range(5_000, 5_030)]
    assert found == [value] * 30


@episodes
@pytest.mark.parametrize("queries", [leaders.Queries.VISIBLE, leaders.Queries.HIDDEN])
@pytest.mark.parametrize("seed", range(2))
def test_wide_evolution_learns_to_retaliate_either_way(queries, seed):
    assert led(WIDE, queries, seed)[0] == -2


@episodes
@pytest.mark.parametrize("seed", range(2))
def test_narrow_evolution_twin_fails_if_queries_are_hidden(seed):
    narrow = leaders.LeaderEvolutionOptions(spread=1.0, iterations=60)
    value, defects = led(narrow, leaders.Queries.HIDDEN, seed)
    assert value == -20
    assert defects[AFTER_D] < 0.1
