"""Distances from coarse and full correlation in trees, beside OpenSpiel's.

OpenSpiel measures a device of policies as a coarse correlated equilibrium of the normal form, and
one of pure policies as a correlated equilibrium told whole plans. There players also see what their
plans say where they themselves do not go; ours are told reduced plans, which is never more. Its
extensive-form distances have no Python door; ours are tested against mediated trees.
"""

from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import BehavioralProfile, pure_behavior
from gametheory_core.adapters import open_spiel_tree
from gametheory_core.evaluation import ExtensiveCorrelation, distance_to
from gametheory_core.games import player_infosets
from gametheory_core.strategies import behavioral_mixture

pytestmark = pytest.mark.peer
pyspiel = pytest.importorskip("pyspiel")

GAMES = ("kuhn_poker", "kuhn_poker(players=3)", "liars_dice(dice_sides=2)", "leduc_poker")
WEIGHTS = ("1/2", "1/4", "1/8", "1/8")  # floats hold them


def legal_actions(state, found):
    """Collect the actions of each information state."""
    if state.is_terminal():
        return found
    if state.is_chance_node():
        actions = [action for action, _ in state.chance_outcomes()]
    else:
        actions = state.legal_actions()
        found[state.information_state_string()] = actions
    for action in actions:
        legal_actions(state.child(action), found)
    return found


def device(name, tree, mixture):
    actions = legal_actions(pyspiel.load_game(name).new_initial_state(), {})
    out = []
    for weight, profile in zip(mixture.weights, mixture.profiles, strict=True):
        table = {
            infoset.label: list(zip(actions[infoset.label], map(float, vector), strict=True))
            for infoset, vector in zip(tree.infosets, profile.probabilities, strict=False)
        }
        out.append((float(weight), pyspiel.TabularPolicy(table)))
    return out


def random_mixture(tree, rng, *, pure):
    infosets = tree.infosets[: tree.num_decision_infosets]
    sizes = [len(infoset.actions) for infoset in infosets]
    if pure:
        profiles = [pure_behavior(tree, [int(rng.integers(n)) for n in sizes]) for _ in WEIGHTS]
    else:
        profiles = [
            BehavioralProfile(tuple(rng.dirichlet(np.ones(n)) for n in sizes)) for _ in WEIGHTS
        ]
    return behavioral_mixture(profiles, weights=WEIGHTS)


@pytest.mark.parametrize("pure", [True, False], ids=["pure", "mixed"])
@pytest.mark.parametrize("name", GAMES)
def test_coarse_distances_are_open_spiels(name, pure):
    tree = open_spiel_tree(name)
    mixture = random_mixture(tree, np.random.default_rng(3), pure=pure)
    theirs = pyspiel.cce_dist(pyspiel.load_game(name), device(name, tree, mixture))
    ours = distance_to(tree, mixture, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE)
    gains = [float(own.best_trigger.gain) for own in ours.players]
    assert theirs.deviation_incentives == pytest.approx(gains, abs=1e-9)
    assert theirs.on_policy_values == pytest.approx(list(map(float, ours.payoffs)), abs=1e-9)


def gain_told_full_plans(tree, mixture, player):
    """Add up the coarse gains of a player told the plan, unreachable parts too."""
    groups = {}
    for weight, profile in zip(mixture.weights, mixture.profiles, strict=True):
        told = tuple(tuple(profile.probabilities[s]) for s in player_infosets(tree, player))
        groups.setdefault(told, []).append((weight, profile))
    total = Fraction(0)
    for drawn in groups.values():
        share = sum(weight for weight, _ in drawn)
        known = behavioral_mixture(
            [profile for _, profile in drawn], weights=[weight / share for weight, _ in drawn]
        )
        found = distance_to(tree, known, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE)
        total += share * found.players[player].gain
    return total


def test_distances_told_whole_plans_are_open_spiels_but_for_what_players_never_see():
    name, differ = "kuhn_poker", 0
    tree = open_spiel_tree(name)
    for seed in range(5):
        mixture = random_mixture(tree, np.random.default_rng(seed), pure=True)
        theirs = pyspiel.ce_dist(pyspiel.load_game(name), device(name, tree, mixture))
        full = [gain_told_full_plans(tree, mixture, player) for player in range(2)]
        assert theirs.deviation_incentives == pytest.approx(list(map(float, full)), abs=1e-9)
        ours = distance_to(tree, mixture, kind=ExtensiveCorrelation.NORMAL_FORM)
        reduced = [own.gain for own in ours.players]
        assert all(own <= other for own, other in zip(reduced, full, strict=True))
        differ += reduced != full
    assert 0 < differ < 5
