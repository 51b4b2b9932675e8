"""Correlation by brute force: lotteries over all profiles of reduced plans, from the definitions.

A deviation maps a player's recommended plan to the plan that is played instead. Plays are walked
from the root, so nothing of the library's evaluation is used.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

import numpy as np

from gametheory_core import Chance, Decision, Terminal, from_sketch
from gametheory_core.certificates import LinearObjective
from gametheory_core.conversions import player_plans
from gametheory_core.evaluation import ExtensiveCorrelation
from gametheory_core.games import CHANCE, player_infosets
from gametheory_core.strategies import sequence_pairs
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import LinearProgram, solve_float
from solvers.correlated.extensive_form_program import correlation_program

NOWHERE = -1


@dataclass(frozen=True)
class Deviation:
    """Obey until the trigger, then play ``instead`` at the information sets it names.

    Attributes
    ----------
    player : int
    needs : tuple of (int, int)
        Actions that the plan has to recommend for the trigger to be met.
    instead : tuple of (int, int)
        Information sets and actions that replace the plan's.
    """

    player: int
    needs: tuple
    instead: tuple

    def applied(self, actions):
        if any(actions[s] != a for s, a in self.needs):
            return actions
        changed = list(actions)
        for s, a in self.instead:
            changed[s] = a
        return tuple(changed)


def profiles(game):
    """List all profiles of reduced plans as one action an information set; -1 where ruled out."""
    plans = [player_plans(game, i).actions.tolist() for i in range(game.num_players)]
    return [tuple(a for plan in choice for a in plan) for choice in product(*plans)]


def payoffs(game, actions):
    """Walk all plays of a pure profile and add up what they pay."""
    total = [Fraction(0)] * game.num_players
    stack = [(0, Fraction(1))]
    while stack:
        node, weight = stack.pop()
        if game.node_outcome[node] >= 0:
            paid = game.outcomes[game.node_outcome[node]].payoffs
            total = [t + weight * p for t, p in zip(total, paid, strict=True)]
        if game.node_infoset[node] < 0:
            continue
        infoset = game.infosets[game.node_infoset[node]]
        child = int(game.first_child[node])
        if infoset.player == CHANCE:
            stack += [(child + a, weight * p) for a, p in enumerate(infoset.probabilities) if p]
        else:
            stack.append((child + max(0, actions[game.node_infoset[node]]), weight))
    return total


def own_pasts(game, player):
    """Return the own choices before each own information set."""
    pasts = {}
    for node in range(game.num_nodes):
        if game.node_player[node] == player:
            steps, at = [], node
            while at > 0:
                above = int(game.parent[at])
                if game.node_player[above] == player:
                    action = at - int(game.first_child[above])
                    steps.append((int(game.node_infoset[above]), action))
                at = above
            pasts[int(game.node_infoset[node])] = tuple(reversed(steps))
    return pasts


def deviations(game, kind):
    """List all deviations of a kind with one trigger."""
    return [d for i in range(game.num_players) for d in _player_deviations(game, i, kind)]


def _player_deviations(game, player, kind):
    pasts = own_pasts(game, player)
    everything = list(player_infosets(game, player))
    if kind is ExtensiveCorrelation.NORMAL_FORM_COARSE:
        return [Deviation(player, (), c) for c in _continuations(game, everything)]
    if kind is ExtensiveCorrelation.NORMAL_FORM:
        plans = player_plans(game, player).actions.tolist()
        return [
            Deviation(player, tuple(zip(everything, plan, strict=True)), c)
            for plan in plans
            for c in _continuations(game, everything)
        ]
    found = []
    for s in everything:
        below = [t for t in everything if t == s or any(step[0] == s for step in pasts[t])]
        told = (
            [((s, a),) for a in range(len(game.infosets[s].actions))]
            if kind is ExtensiveCorrelation.EXTENSIVE
            else [()]
        )
        found += [
            Deviation(player, pasts[s] + seen, c)
            for seen in told
            for c in _continuations(game, below)
        ]
    return found


def _continuations(game, infosets):
    choices = [range(len(game.infosets[s].actions)) for s in infosets]
    return [tuple(zip(infosets, c, strict=True)) for c in product(*choices)]


def gain_rows(game, kind):
    """Return profiles, their payoffs, and the distinct gains of all deviations, exact."""
    every = profiles(game)
    paid = {actions: payoffs(game, actions) for actions in every}
    known = dict(paid)
    rows = set()
    for deviation in deviations(game, kind):
        row = []
        for actions in every:
            changed = deviation.applied(actions)
            if changed not in known:
                known[changed] = payoffs(game, changed)
            i = deviation.player
            row.append(known[changed][i] - paid[actions][i])
        rows.add(tuple(row))
    return every, [paid[actions] for actions in every], sorted(rows)


def best_welfare(game, kind, weights=None):
    """Return the largest weighted sum of payoffs in equilibrium, exactly."""
    every, paid, rows = gain_rows(game, kind)
    weights = [1] * game.num_players if weights is None else weights
    worth = [sum(w * p for w, p in zip(weights, row, strict=True)) for row in paid]
    table = [*rows, (Fraction(1),) * len(every)]
    whole = [_integers(row) for row in table]
    scale = _integers([*worth, Fraction(1)])
    entries = [(i, j, v) for i, row in enumerate(whole) for j, v in enumerate(row) if v]
    program = LinearProgram(
        objective=_objects(scale[:-1]),
        rows=np.array([i for i, _, _ in entries], dtype=np.int32),
        columns=np.array([j for _, j, _ in entries], dtype=np.int32),
        values=_objects([v for _, _, v in entries]),
        bounds=_objects([0] * len(rows) + [1]),
        is_equation=np.arange(len(table)) == len(rows),
        is_free=np.zeros(len(every), dtype=bool),
    )
    found = solve_exactly(program, solve_float(program).basis)
    return found.value / scale[-1]


def game_of_bits():
    """Win 1 each if named bits agree, but differ where both players saw "r" (Clauser et al. 1969).

    Their interests are one, so that every plan is a correlated equilibrium of its own.
    """

    def guesses(x, y):
        def won(a, b):
            wins = int((a != b) == (x == y == "r"))
            return Terminal([wins, wins])

        return Decision(0, x, {a: Decision(1, y, {b: won(a, b) for b in "01"}) for a in "01"})

    root = Chance({x + y: ("1/4", guesses(x, y)) for x in "lr" for y in "lr"})
    return from_sketch(root, players=("A", "B"))


def program_value(tree, kind, *, by_profiles):
    """Return the best welfare over plans that add up, or over lotteries."""
    pairs = sequence_pairs(tree)
    written = correlation_program(
        pairs, kind, LinearObjective.welfare(tree), by_profiles=by_profiles
    )
    found = solve_exactly(written.program, solve_float(written.program).basis)
    return found.value / written.objective_unit


def _integers(row):
    unit = np.lcm.reduce([1, *(Fraction(v).denominator for v in row)])
    return [int(v * int(unit)) for v in row]


def _objects(values):
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out
