"""What a run has used is a budget that suffices for it, and one iteration less does not."""

import inspect

import pytest

from gametheory_core import NotConverged, UnsupportedGame
from solvers import Budget
from solvers.solver import declarations
from tests.solvers.sample_games import FIRST, call_of, first_lack, games

SPARED = {  # the last iterations only prove, or are spared where the budget is about to end
    "best_of_all_equilibria",
    "correlated_commitment",
    "extensive_best_nash",
    "extensive_correlated_commitment",
    "extensive_stackelberg",
    "jam_value_iteration",
    "max_entropy_correlated_equilibrium",
    "logit_homotopy",
    "mixed_integer",
    "polynomial_support_enumeration",
    "pure_followers_stackelberg",
    "security_stackelberg",
    "stochastic_markov_commitment",
    "weak_stackelberg",
}
MORE = {"markov_stackelberg_optima", "quasi_perfect", "sequential_equilibrium"}  # to see its end
UNCOUNTED = {  # reports nothing of what it counts; splits nothing in these games
    "commitment_upper_bound",
    "stochastic_markov_stackelberg",
}
BUDGETED = [
    declared
    for declared in declarations()
    if "budget" in inspect.signature(declared.function).parameters
    and declared.name not in {*FIRST, *UNCOUNTED}
]


def finishes(declared, game, budget):
    """How many iterations a run takes; None if the budget ends first, or nothing is counted."""
    try:
        found = declared.function(game, **call_of(declared)[1], budget=budget)
    except (NotConverged, UnsupportedGame):
        return None
    found = getattr(found, "found", getattr(found, "solution", found))
    run = getattr(found, "run", None)
    return None if run is None or getattr(found, "is_complete", True) is False else run.iterations


@pytest.mark.parametrize("declared", BUDGETED, ids=lambda declared: declared.name)
def test_what_a_run_has_used_suffices_and_less_does_not(declared):
    besides = declared.answers[0].takes if declared.answers else ()
    needed, tried = (*declared.takes, *besides), 0
    for game in games():
        if getattr(game, "num_nodes", 0) > 100 or first_lack(needed, game):
            continue
        used = finishes(declared, game, Budget(iterations=300))
        if not used:
            continue
        tried += 1
        again = finishes(declared, game, Budget(iterations=used))
        assert declared.name in MORE or again == used
        if declared.name not in SPARED:
            assert finishes(declared, game, Budget(iterations=used - 1)) is None
        if tried == 3:
            return
    assert tried
