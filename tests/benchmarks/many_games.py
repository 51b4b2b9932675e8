"""Many small games at once, exactly, beside QuantEcon one by one, in floats and without a proof.

Payoffs are normal floats of 53 bits, whose exact answers have hundreds of bits; or integers from
-100 to 100. Everything is compiled and called once before. Our time has all in it: reading the
array, exact weights, floats, and for each game the proof that the loop makes of it. ``verify`` is
the independent check of all answers from the definition.
"""

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from solvers import solve_many
from tests.benchmarks.measure import Row, interleaved

SEED = 29
LARGEST = 100  # of integers


def rows(count: int = 20_000, peers: int = 500, rounds: int = 5) -> list[Row]:
    """Compare the time a game of five concepts; the peers solve fewer games."""
    return [
        *concept_rows("minimax", 3, count, rounds, partial(minmax_rows, peers)),
        *concept_rows("nash", 5, count, rounds, partial(path_rows, peers)),
        *concept_rows("all-nash", 3, count, rounds, partial(support_rows, peers)),
        *single_rows("stackelberg", 3, count, rounds),
        *single_rows("correlated", 3, count, rounds),
        *single_rows("dominance", 3, count, rounds),
    ]


def draw(kind: str, concept: str, size: int, count: int) -> NDArray[np.float64 | np.int64]:
    """Draw payoffs of so many games: of the row player alone for ``minimax``."""
    rng = np.random.default_rng(SEED)
    shape = (count, size, size) if concept == "minimax" else (count, 2, size, size)
    if kind == "integers":
        return rng.integers(-LARGEST, LARGEST + 1, shape)
    return rng.standard_normal(shape)


def concept_rows(
    concept: str, size: int, count: int, rounds: int, peer: Callable[..., tuple[str, object, int]]
) -> list[Row]:
    """Compare ours, with and without the independent check, with a peer."""
    found: list[Row] = []
    for kind in ("floats", "integers"):
        payoffs = draw(kind, concept, size, count)
        answers = solve_many(payoffs[:50_000], concept)
        name, call, games = peer(draw(kind, concept, size, count))
        best = interleaved(
            {
                "ours": partial(solve_many, payoffs, concept),
                "checked": answers.verify if concept != "all-nash" else list,
                name: call,
            },
            rounds=rounds,
        )
        each = best["ours"] / count
        task = f"{concept} of {size} x {size}, {kind}, a game"
        found.append(Row(task, each, name, best[name] / games))
        if concept != "all-nash":
            checked = each + best["checked"] / len(answers)
            found.append(Row(f"{task}, checked again", checked, name, best[name] / games))
    return found


def single_rows(concept: str, size: int, count: int, rounds: int) -> list[Row]:
    """Compare ours with our solver of one game."""
    import solvers

    found: list[Row] = []
    for kind in ("floats", "integers"):
        payoffs = draw(kind, concept, size, count)
        few = solve_many(payoffs[:50], concept)
        single = getattr(solvers, few.algorithm)
        games = [few.game(index) for index in range(len(few))]
        best = interleaved(
            {
                "ours": partial(solve_many, payoffs, concept),
                "one by one": lambda games=games, single=single: [single(game) for game in games],
            },
            rounds=rounds,
        )
        task = f"{concept} of {size} x {size}, {kind}, a game"
        name = f"our `{few.algorithm}`"
        found.append(Row(task, best["ours"] / count, name, best["one by one"] / len(games)))
    return found


def minmax_rows(most: int, payoffs: NDArray[np.float64]) -> tuple[str, object, int]:
    """Return QuantEcon's compiled minmax solver of float matrices."""
    from quantecon.game_theory import NormalFormGame, Player  # noqa: F401
    from quantecon.optimize import minmax

    games = [np.ascontiguousarray(own, dtype=float) for own in payoffs[:most]]
    return "QuantEcon `minmax`, floats", partial(_each, minmax, games), len(games)


def path_rows(most: int, payoffs: NDArray[np.float64]) -> tuple[str, object, int]:
    """Return QuantEcon's compiled Lemke-Howson."""
    from quantecon.game_theory import lemke_howson

    games = peer_games(payoffs[:most])
    return "QuantEcon `lemke_howson`, floats", partial(_each, lemke_howson, games), len(games)


def support_rows(most: int, payoffs: NDArray[np.float64]) -> tuple[str, object, int]:
    """Return QuantEcon's compiled support enumeration."""
    from quantecon.game_theory import support_enumeration

    games = peer_games(payoffs[:most])
    return (
        "QuantEcon `support_enumeration`, floats",
        partial(_each, support_enumeration, games),
        len(games),
    )


def peer_games(payoffs: NDArray[np.float64]) -> list[object]:
    """Build the games for QuantEcon."""
    from quantecon.game_theory import NormalFormGame, Player

    return [
        NormalFormGame([Player(a.astype(float)), Player(np.ascontiguousarray(b.T, dtype=float))])
        for a, b in payoffs
    ]


def _each(solver: Callable[[object], object], games: list[object]) -> list[object]:
    return [solver(game) for game in games]
