"""Quasi-perfect equilibria, exact and certified, beside a perturbed float program by HiGHS.

No peer finds quasi-perfect equilibria. The stand-in is what one would do without this package: the
same sequence-form program with lower bounds ``epsilon**length`` at epsilon = 1e-2, solved once in
floats by scipy's HiGHS. It proves nothing; at 1e-3 it fails on the random tree, and elsewhere plays
badly at some information sets, which ``losses`` counts: powers of epsilon are lost below the
solver's tolerance of 1e-7. Ours has both plans for all small epsilon, and the certificate. Both
build the sequence form out of the same tree.
"""

from dataclasses import dataclass

import numpy as np

from gametheory_core import BehavioralProfile, ExtensiveFormGame
from gametheory_core.catalog import load, random_tree
from gametheory_core.certificates import certify_sequential
from gametheory_core.errors import NumericalFailure
from gametheory_core.evaluation import counterfactual_reach, sequence_payoffs
from gametheory_core.strategies import sequence_form
from solvers import quasi_perfect
from solvers.trees.refinements import sequence_lengths
from solvers.trees.sequence_program import plan_program
from tests.benchmarks.measure import Row, interleaved

PEER = "scipy's HiGHS at epsilon 1e-2, floats"
EPSILON = 1e-2
GAMES = ("kuhn_poker:cards=12", "liars_dice:sides=4", "leduc_poker", "random tree")
SEED = 1


def tree_of(name: str) -> ExtensiveFormGame:
    """Build a game of the catalogue, or a random tree of some 400 sequences a player."""
    if name == "random tree":
        rng = np.random.default_rng(SEED)
        return random_tree(rng=rng, depth=12, max_actions=3, zero_sum=True)
    return load(name)


def ours(game: ExtensiveFormGame) -> float:
    """Return the value to player 0; exact, then rounded."""
    return float(quasi_perfect(game).payoffs[0])


def checked(game: ExtensiveFormGame) -> None:
    """Verify once more, and certify the assessment that the trembles give."""
    certificate = quasi_perfect(game).certificate
    certificate.verify()
    certify_sequential(game, certificate.trembles)


@dataclass(frozen=True)
class FloatPlans:
    """What the float solver says: the value in units of the program, and each player's plan."""

    value: float
    plans: tuple[np.ndarray, np.ndarray]


def by_highs(game: ExtensiveFormGame, *, epsilon: float = EPSILON) -> FloatPlans:
    """Solve the perturbed game at a number, in floats."""
    from scipy.optimize import linprog
    from scipy.sparse import csr_array

    form = sequence_form(game)
    program = plan_program(form)
    first, second = (epsilon ** np.array(sequence_lengths(own), float) for own in form.players)
    shape = (program.num_rows, program.num_columns)
    places = (program.rows, program.columns)
    matrix = csr_array((program.values.astype(float), places), shape=shape)
    costs = program.objective.astype(float) - matrix[: len(second)].T @ second
    free = [(None, None)] * (program.num_columns - len(first))
    bounds = program.bounds.astype(float)
    found = linprog(
        -costs,
        A_ub=matrix[~program.is_equation],
        b_ub=bounds[~program.is_equation],
        A_eq=matrix[program.is_equation],
        b_eq=bounds[program.is_equation],
        bounds=[*((low, None) for low in first), *free],
        method="highs-ds",
    )
    if not found.success:
        raise NumericalFailure(f"HiGHS at epsilon {epsilon}: {found.message}")
    return FloatPlans(-found.fun, (found.x[: len(first)], second - found.ineqlin.marginals))


def losses(game: ExtensiveFormGame, *, epsilon: float) -> list[float]:
    """Return what actions with a share above 1/10 lose at each information set, if play is there.

    Measured against the other's float plan, best own play after it, payoff units.
    """
    form, found = sequence_form(game), by_highs(game, epsilon=epsilon)
    profile = BehavioralProfile(
        tuple(
            _shares(plan[start:stop])
            for own, plan in zip(form.players, found.plans, strict=True)
            for start, stop in zip(own.first_sequence[:-1], own.first_sequence[1:], strict=True)
        )
    )
    lost: list[float] = []
    for player, own in enumerate(form.players):
        values = sequence_payoffs(game, profile, player=player)
        reach = counterfactual_reach(game, profile, player=player)
        for k in reversed(range(len(own.infosets))):
            local = values[own.first_sequence[k] : own.first_sequence[k + 1]]
            shares = profile.probabilities[own.infosets[k]]
            here = reach[game.node_infoset == own.infosets[k]].sum()
            behind = np.where(shares > 0.1, shares * (local.max() - local), 0).sum()
            lost.append(float(behind / here) if here > 0 else 0.0)
            values[own.parent_sequence[k]] += local.max()
    return lost


def _shares(weights: np.ndarray) -> np.ndarray:
    weights = np.maximum(weights, 0)
    total = weights.sum()
    return weights / total if total > 0 else np.full(len(weights), 1 / len(weights))


def rows(*, games: tuple[str, ...] = GAMES, rounds: int = 3) -> list[Row]:
    """Measure each game."""
    found: list[Row] = []
    for name in games:
        game = tree_of(name)
        count = max(own.num_sequences for own in sequence_form(game).players)
        best = interleaved(
            {
                "quasi-perfect": lambda game=game: ours(game),
                "verified again, and sequential": lambda game=game: checked(game),
                PEER: lambda game=game: by_highs(game),
            },
            rounds=rounds,
        )
        theirs = best.pop(PEER)
        found += [
            Row(f"{task}: {name}, {count} sequences", seconds, PEER, theirs)
            for task, seconds in best.items()
        ]
    return found
