"""Bayesian commitment: DOBSS beside multiple linear programs and beside the Harsanyi transform.

All of ours are exact, certificate included. The peers are our own other ways, and OpenSpiel's
``stackelberg_lp`` on the Harsanyi transform, in floats, one linear program for each plan of the
follower, with the transform built beforehand.
"""

from fractions import Fraction
from typing import Any, cast

import numpy as np

from gametheory_core import BayesianGame
from gametheory_core.catalog import load
from gametheory_core.conversions import harsanyi_transform
from solvers import bayesian_stackelberg, strong_stackelberg
from solvers.stackelberg import BayesianMethod
from tests.benchmarks.measure import Row, interleaved

SEED = 5
MOST_PLANS = 1000  # of a Harsanyi transform; its certificate holds the square of that
PEER = "OpenSpiel stackelberg_lp on the Harsanyi transform, floats"


def random_game(types: int, actions: int) -> BayesianGame:
    """Draw integer payoffs from -100 to 100; types are equally likely."""
    own, others = np.random.default_rng(SEED).integers(-100, 101, (2, types, actions, actions))
    return BayesianGame.from_payoffs(
        own.tolist(), others.tolist(), prior=[Fraction(1, types)] * types
    )


def patrol_game(name: str) -> BayesianGame:
    """Load a patrol of the catalogue, whose types have much in common."""
    return cast("BayesianGame", load(name))


def by_dobss(game: BayesianGame) -> float:
    """Return the leader's payoff."""
    return float(bayesian_stackelberg(game, method=BayesianMethod.DOBSS).payoffs[0])


def by_multiple_programs(game: BayesianGame) -> float:
    """Return the leader's payoff."""
    method = BayesianMethod.MULTIPLE_LINEAR_PROGRAMS
    return float(bayesian_stackelberg(game, method=method).payoffs[0])


def by_harsanyi(game: BayesianGame) -> float:
    """Transform and solve, both counted."""
    return float(strong_stackelberg(harsanyi_transform(game).target).payoffs[0])


def peer_game(game: BayesianGame) -> Any:
    """Build the Harsanyi transform for OpenSpiel."""
    import pyspiel

    return pyspiel.create_matrix_game(*harsanyi_transform(game).target.payoffs.tolist())


def by_open_spiel(game: Any) -> float:
    """Return the leader's payoff in floats."""
    from open_spiel.python.algorithms import stackelberg_lp

    return float(stackelberg_lp.solve_stackelberg(game)[2])


def rows(
    *,
    sizes: tuple[tuple[int, int], ...] = ((3, 5), (6, 5), (10, 5)),
    patrol: str = "house_patrol:houses=4,types=12",
    small: tuple[int, int] = (3, 4),
    rounds: int = 3,
) -> list[Row]:
    """Measure random games (types, actions), a patrol, and OpenSpiel on a small game."""
    found: list[Row] = []
    for types, actions in sizes:
        game = random_game(types, actions)
        contenders = {
            "multiple linear programs": lambda game=game: by_multiple_programs(game),
            "DOBSS": lambda game=game: by_dobss(game),
        }
        if actions**types <= MOST_PLANS:
            contenders["Harsanyi transform, strong_stackelberg"] = lambda game=game: by_harsanyi(
                game
            )
        best = interleaved(contenders, rounds=rounds)
        ours = best.pop("multiple linear programs")
        found += [
            Row(
                f"Bayesian commitment by multiple programs, {types} types, {actions} x {actions}",
                ours,
                f"ours: {name}",
                seconds,
            )
            for name, seconds in best.items()
        ]
    game = patrol_game(patrol)
    best = interleaved(
        {"DOBSS": lambda: by_dobss(game), "programs": lambda: by_multiple_programs(game)},
        rounds=rounds,
    )
    name = "ours: multiple linear programs"
    found.append(
        Row(f"Bayesian commitment by DOBSS, {patrol}", best["DOBSS"], name, best["programs"])
    )
    types, actions = small
    game = random_game(types, actions)
    peer = peer_game(game)
    best = interleaved(
        {
            "multiple programs": lambda: by_multiple_programs(game),
            "DOBSS": lambda: by_dobss(game),
            PEER: lambda: by_open_spiel(peer),
        },
        rounds=rounds,
    )
    theirs = best.pop(PEER)
    found += [
        Row(f"Bayesian commitment by {name}, {types} types, {actions} x {actions}", s, PEER, theirs)
        for name, s in best.items()
    ]
    return found
