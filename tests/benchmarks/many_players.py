"""Several players: pure equilibria, the logit homotopy and all equilibria, beside Gambit.

Contenders get the same random games in turn, in one run; CPU seconds, the minimum over the rounds,
the mean over the games. Ours includes the exact certificate of every answer; the peer's game is
built beforehand. Gambit's ``enumpoly`` may miss equilibria, so that row compares a complete list
with what it finds. Ours is measured with numba loaded, and without.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from gametheory_core import NormalFormGame, UnsupportedGame
from solvers import logit_homotopy, polynomial_support_enumeration, pure
from solvers.many_players import two_mixing
from solvers.many_players.logit_branch import Engine
from tests.benchmarks.measure import Row, interleaved

SEED = 12
MANY = 10  # times more games where few of them take long
PURE_SHAPES = ((10,) * 5, (1000, 1000))
LOGIT_SHAPES = ((3,) * 3, (4,) * 3, (5,) * 3, (6,) * 3)
ALL_SHAPES = ((2,) * 3, (2,) * 4, (3,) * 3)


def games_of(shape: tuple[int, ...], count: int, *, exact: bool = False) -> list[NormalFormGame]:
    """Draw games: normal floats, or integers read as rationals."""
    rng = np.random.default_rng(SEED)
    size = (len(shape), *shape)
    return [
        NormalFormGame.from_payoffs(
            rng.integers(-(10**6), 10**6, size) if exact else rng.standard_normal(size)
        )
        for _ in range(count)
    ]


def peer_game(game: NormalFormGame) -> Any:
    """Build the game for Gambit."""
    import pygambit

    return pygambit.Game.from_arrays(*game.payoffs)


def by_gambit(method: str, game: Any) -> int:
    """Return the number of equilibria that one of Gambit's methods finds, in floats."""
    import pygambit

    if method == "ipa":
        solved = pygambit.nash.ipa_solve(game)
    elif method == "gnm":
        solved = pygambit.nash.gnm_solve(game)
    elif method == "logit":
        solved = pygambit.nash.logit_solve(game)
    elif method == "enumpoly":
        solved = pygambit.nash.enumpoly_solve(game)
    else:
        solved = pygambit.nash.enumpure_solve(game)
    return len(solved.equilibria)


def compiled(game: NormalFormGame) -> float:
    """Return the certified epsilon at the limit, with the kernel loaded."""
    return float(logit_homotopy(game, engine=Engine.COMPILED).solution.certificate.epsilon)


def uncompiled(game: NormalFormGame) -> float:
    """Return the same in plain numpy."""
    return float(logit_homotopy(game, engine=Engine.NUMPY).solution.certificate.epsilon)


def all_equilibria(game: NormalFormGame) -> int:
    """Return the number of equilibria of a complete list."""
    return len(polynomial_support_enumeration(game).found.equilibria)


def small_first(game: NormalFormGame) -> float:
    """Return the certified epsilon of one equilibrium, small supports tried first."""
    found = pure(game).equilibria
    if found:
        return float(found[0].certificate.epsilon)
    try:
        return float(two_mixing(game).certificate.epsilon)
    except UnsupportedGame:
        return compiled(game)


def number_of_pure(game: NormalFormGame) -> int:
    """Return the number of pure equilibria, with their certificates."""
    return len(pure(game).equilibria)


def _each(function: Callable[[Any], object], games: list[Any]) -> Callable[[], object]:
    return lambda: [function(game) for game in games]


def _rows(
    task: str,
    games: list[NormalFormGame],
    ours: dict[str, Callable[[NormalFormGame], object]],
    methods: list[str],
    rounds: int,
) -> list[Row]:
    peers = list(map(peer_game, games))
    contenders = {name: _each(function, games) for name, function in ours.items()}
    for method in methods:
        contenders[method] = _each(lambda game, method=method: by_gambit(method, game), peers)
    best = {name: s / len(games) for name, s in interleaved(contenders, rounds=rounds).items()}
    return [
        Row(f"{name}, {task}", best[name], f"Gambit {method}", best[method])
        for name in ours
        for method in methods
    ]


def rows(
    *,
    pure_shapes: tuple[tuple[int, ...], ...] = PURE_SHAPES,
    logit_shapes: tuple[tuple[int, ...], ...] = LOGIT_SHAPES,
    all_shapes: tuple[tuple[int, ...], ...] = ALL_SHAPES,
    count: int = 10,
    rounds: int = 3,
) -> list[Row]:
    """Measure each function on random games."""
    found: list[Row] = []
    for shape in pure_shapes:
        size = " x ".join(map(str, shape))
        for exact in (False, True):
            task = f"{size}, {'rationals' if exact else 'floats'}"
            games = games_of(shape, 1, exact=exact)
            found += _rows(task, games, {"pure": number_of_pure}, ["enumpure"], rounds)
    routes = {"logit homotopy": compiled, "logit homotopy without numba": uncompiled}
    for shape in logit_shapes:
        size = " x ".join(map(str, shape))
        games = games_of(shape, MANY * count)
        found += _rows(size, games, {"small supports first": small_first}, ["ipa"], rounds)
        found += _rows(size, games_of(shape, count), routes, ["logit", "ipa"], rounds)
    for shape in all_shapes:
        size = " x ".join(map(str, shape))
        every = {"all equilibria": all_equilibria}
        found += _rows(size, games_of(shape, count), every, ["enumpoly"], rounds)
    return found
