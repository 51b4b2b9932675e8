"""Correlation in trees: programs over plans beside the normal form, distances beside OpenSpiel.

The best coarse correlated equilibrium of the normal form is found over correlation plans, and by
our own program over the reduced normal form; both exact and certified. Distances are exact on our
side and floats on OpenSpiel's; four pure profiles are mixed.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import gametheory_core as gt
from gametheory_core.adapters import open_spiel_tree
from gametheory_core.certificates import CorrelatedKind
from gametheory_core.evaluation import ExtensiveCorrelation, distance_to
from gametheory_core.strategies import BehavioralMixture, behavioral_mixture
from solvers import correlated_equilibrium, extensive_form_correlated_equilibrium

sys.path.insert(0, str(Path(__file__).parents[2]))


from gametheory_core.games.tree_draft import Sketch
from tests.benchmarks.measure import Row, interleaved

SEED = 11
PEER = "OpenSpiel cce_dist, floats"
NORMAL_FORM = "reduced normal form, ours"
WEIGHTS = ("1/2", "1/4", "1/8", "1/8")


def half_seen_tree(depth: int) -> gt.ExtensiveFormGame:
    """Lay out a tree of binary moves in turn, of which the other sees those named "a" alone."""
    rng = np.random.default_rng(SEED)

    def grow(left: int, mover: int, known: tuple[tuple[str, ...], ...]) -> Sketch:
        if not left:
            return gt.Terminal(rng.integers(-9, 10, 2).tolist())
        children: dict[str, object] = {}
        for action in "abc"[: 2 + (left == depth)]:
            seen = action if action == "a" else "?"
            news = [(*known[i], action if i == mover else seen) for i in range(2)]
            children[action] = grow(left - 1, 1 - mover, tuple(news))
        return gt.Decision(mover, " ".join(known[mover]) or "start", children)

    return gt.from_sketch(grow(depth, 0, ((), ())), players=("A", "B"))


def over_plans(tree: gt.ExtensiveFormGame) -> float:
    """Return the best welfare over correlation plans; exact, then rounded."""
    return float(
        sum(
            extensive_form_correlated_equilibrium(
                tree, kind=ExtensiveCorrelation.NORMAL_FORM_COARSE
            ).payoffs
        )
    )


def over_normal_form(tree: gt.ExtensiveFormGame) -> float:
    """Return the same by the program over all profiles of reduced plans."""
    return float(
        sum(
            correlated_equilibrium(
                gt.extensive_to_normal(tree).target, kind=CorrelatedKind.COARSE
            ).payoffs
        )
    )


def extensive_form(tree: gt.ExtensiveFormGame) -> float:
    """Return the best welfare of extensive-form correlated equilibria, verified once more."""
    solution = extensive_form_correlated_equilibrium(tree)
    solution.certificate.verify()
    return float(sum(solution.payoffs))


def random_mixture(tree: gt.ExtensiveFormGame) -> BehavioralMixture:
    """Draw four pure profiles."""
    rng = np.random.default_rng(SEED)
    sizes = [len(s.actions) for s in tree.infosets[: tree.num_decision_infosets]]
    profiles = [gt.pure_behavior(tree, [int(rng.integers(n)) for n in sizes]) for _ in WEIGHTS]
    return behavioral_mixture(profiles, weights=WEIGHTS)


def peer_device(game: Any, tree: gt.ExtensiveFormGame, mixture: BehavioralMixture) -> Any:
    """Write a mixture for OpenSpiel."""
    import pyspiel

    actions: dict[str, list[int]] = {}
    stack = [game.new_initial_state()]
    while stack:
        state = stack.pop()
        if state.is_terminal():
            continue
        legal = state.legal_actions()
        if not state.is_chance_node():
            actions[state.information_state_string()] = legal
        stack += [state.child(action) for action in legal]
    device: list[tuple[float, Any]] = []
    infosets = tree.infosets[: tree.num_decision_infosets]
    for weight, profile in zip(mixture.weights, mixture.profiles, strict=True):
        policy = {
            infoset.label: list(zip(actions[infoset.label], map(float, vector), strict=True))
            for infoset, vector in zip(infosets, profile.probabilities, strict=True)
        }
        device.append((float(weight), pyspiel.TabularPolicy(policy)))
    return device


def coarse_distance(tree: gt.ExtensiveFormGame, mixture: BehavioralMixture) -> float:
    """Return the sum of all players' largest gains; exact, then rounded."""
    kind = ExtensiveCorrelation.NORMAL_FORM_COARSE
    return float(distance_to(tree, mixture, kind=kind).total)


def by_open_spiel(game: Any, device: Any) -> float:
    """Return the same in floats."""
    import pyspiel

    return float(
        sum(max(0.0, gain) for gain in pyspiel.cce_dist(game, device).deviation_incentives)
    )


def rows(
    *, depth: int = 5, games: tuple[str, ...] = ("kuhn_poker", "leduc_poker"), rounds: int = 3
) -> list[Row]:
    """Measure both."""
    import pyspiel

    tree = half_seen_tree(depth)
    best = interleaved(
        {
            "coarse": lambda: over_plans(tree),
            "extensive": lambda: extensive_form(tree),
            NORMAL_FORM: lambda: over_normal_form(tree),
        },
        rounds=rounds,
    )
    size = f"tree of {tree.num_nodes} nodes"
    theirs = best[NORMAL_FORM]
    found = [
        Row(f"best normal-form coarse equilibrium, {size}", best["coarse"], NORMAL_FORM, theirs),
        Row(
            f"best extensive-form equilibrium, verified, {size}",
            best["extensive"],
            f"{NORMAL_FORM}, coarse",
            theirs,
        ),
    ]
    for name in games:
        game, unfolded = pyspiel.load_game(name), open_spiel_tree(name)
        mixture = random_mixture(unfolded)
        device = peer_device(game, unfolded, mixture)
        seconds = interleaved(
            {
                "ours": lambda tree=unfolded, mixture=mixture: coarse_distance(tree, mixture),
                PEER: lambda game=game, device=device: by_open_spiel(game, device),
            },
            rounds=rounds,
        )
        found.append(Row(f"coarse distance, {name}", seconds["ours"], PEER, seconds[PEER]))
    return found
