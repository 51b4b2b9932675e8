"""Counterfactual regret minimization beside OpenSpiel's: the same steps, the same averages."""

import numpy as np
import pytest

from solvers import counterfactual_regret
from solvers.counterfactual import Averaging, DiscountedRegretMatching, UpdateOrder
from solvers.local_rules import RegretMatching, RegretMatchingPlus

pyspiel = pytest.importorskip("pyspiel")
pytestmark = pytest.mark.peer

GAMES = ["kuhn_poker", "leduc_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=3)"]


def run_of(name, **options):
    from gametheory_core.adapters import open_spiel_tree

    return counterfactual_regret(open_spiel_tree(name), **options)


def differences(run, policy):
    """Return our average probabilities less theirs, where own play reaches the information set."""
    found = []
    for infoset, ours in zip(run.game.infosets, run.average.probabilities, strict=False):
        theirs = policy.get_state_policy_as_parallel_vectors(infoset.label)[1]
        found.append(ours.astype(np.float64) - np.array(theirs))
    return np.concatenate(found)


@pytest.mark.parametrize("name", GAMES)
def test_averages_of_regret_matching_agree(name):
    solver = pyspiel.CFRSolver(pyspiel.load_game(name))
    for _ in range(7):
        solver.evaluate_and_update_policy()
    run = run_of(name, rule=RegretMatching(), steps=7, updates=UpdateOrder.ALTERNATING)
    gaps = differences(run, solver.tabular_average_policy())
    assert len(gaps) > 0
    assert np.max(np.abs(gaps)) < 1e-12


@pytest.mark.parametrize("name", GAMES)
def test_averages_of_regret_matching_plus_agree(name):
    solver = pyspiel.CFRPlusSolver(pyspiel.load_game(name))
    for _ in range(7):
        solver.evaluate_and_update_policy()
    run = run_of(name, rule=RegretMatchingPlus(), steps=7, updates=UpdateOrder.ALTERNATING)
    gaps = differences(run, solver.tabular_average_policy())
    assert np.max(np.abs(gaps)) < 1e-12


@pytest.mark.parametrize(
    ("solver_name", "rule"),
    [
        ("DCFRSolver", DiscountedRegretMatching(1.5, 0)),
        ("LCFRSolver", DiscountedRegretMatching(1, 1)),
    ],
)
def test_averages_with_discounts_agree(solver_name, rule):
    discounted_cfr = pytest.importorskip("open_spiel.python.algorithms.discounted_cfr")
    game = pyspiel.load_game("kuhn_poker")
    solver = getattr(discounted_cfr, solver_name)(game)
    for _ in range(7):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    run = run_of("kuhn_poker", rule=rule, steps=7)
    for infoset, ours in zip(run.game.infosets, run.average.probabilities, strict=False):
        theirs = policy.policy_for_key(infoset.label)
        legal = np.array(theirs)[: len(ours)]
        assert ours.astype(np.float64) == pytest.approx(legal, abs=1e-12)


@pytest.mark.parametrize("updates", UpdateOrder)
def test_simultaneous_and_alternating_updates_are_open_spiels(updates):
    cfr = pytest.importorskip("open_spiel.python.algorithms.cfr")
    game = pyspiel.load_game("kuhn_poker")
    solver = cfr._CFRSolver(
        game,
        alternating_updates=updates is UpdateOrder.ALTERNATING,
        linear_averaging=True,
        regret_matching_plus=True,
    )
    for _ in range(9):
        solver.evaluate_and_update_policy()
    run = run_of("kuhn_poker", steps=9, updates=updates, average=Averaging.LINEAR)
    policy = solver.average_policy()
    for infoset, ours in zip(run.game.infosets, run.average.probabilities, strict=False):
        theirs = np.array(policy.policy_for_key(infoset.label))
        assert ours.astype(np.float64) == pytest.approx(theirs, abs=1e-12)
