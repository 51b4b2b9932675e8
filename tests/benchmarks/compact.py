"""Compact games of many players, beside HiGHS in floats and Gambit on the normal form.

Contenders get the same random games in turn, in one run; CPU seconds, the minimum over the rounds.
Ours includes the exact certificate. HiGHS solves the linear program of zero-sum polymatrix games as
it is handed over, without a proof. Gambit knows no polymatrix games, and gets the normal form of a
small one, built beforehand.
"""

from functools import partial

from gametheory_core.compact import PolymatrixGame, compact_to_normal
from solvers._programs.linear import solve_float
from solvers.compact import compact_pure, polymatrix_lcp, zero_sum_polymatrix
from solvers.compact.polymatrix_program import program_of
from tests.benchmarks.measure import Row, interleaved
from tests.solvers.compact.compact_cases import random_polymatrix

SEED = 1
SIZES = ((100, 2, 5), (100, 3, 20), (100, 3, 99), (100, 5, 10))
SMALL = (6, 3, 5)


def words_for(size: tuple[int, int, int]) -> str:
    """Say how large a game is."""
    players, actions, neighbors = size
    return f"{players} players, {actions} actions, {neighbors} neighbors"


def rows(
    sizes: tuple[tuple[int, int, int], ...] = SIZES,
    small: tuple[int, int, int] = SMALL,
    rounds: int = 3,
) -> list[Row]:
    """Measure linear programs and paths, and a small game as its normal form."""
    found: list[Row] = []
    for size in sizes:
        game = random_polymatrix(*size, seed=SEED, zero_sum=True)
        times = interleaved(
            {
                "ours": partial(zero_sum_polymatrix, game),
                "path": partial(polymatrix_lcp, game),
                "floats": partial(in_floats, game),
            },
            rounds=rounds,
        )
        task = f"zero-sum polymatrix, {words_for(size)}"
        found += [
            Row(task, times["ours"], "HiGHS, floats only", times["floats"]),
            Row(task, times["ours"], "our path", times["path"]),
        ]
        general = random_polymatrix(*size, seed=SEED)
        path = interleaved({"ours": partial(polymatrix_lcp, general)}, rounds=rounds)["ours"]
        found.append(
            Row(f"polymatrix of any payoffs, {words_for(size)}", path, "the program", times["ours"])
        )
    return [*found, *normal_form_rows(small, rounds=rounds)]


def in_floats(game: PolymatrixGame) -> float:
    """Return the optimum of the linear program, in floats."""
    return float(solve_float(program_of(game)).primal.sum())


def normal_form_rows(size: tuple[int, int, int], *, rounds: int) -> list[Row]:
    """Measure one equilibrium and all pure ones of a small game beside Gambit on its table."""
    from tests.benchmarks.many_players import by_gambit, peer_game

    game = random_polymatrix(*size, seed=SEED)
    peer = peer_game(compact_to_normal(game))
    times = interleaved(
        {
            "path": partial(polymatrix_lcp, game),
            "gnm": partial(by_gambit, "gnm", peer),
            "ipa": partial(by_gambit, "ipa", peer),
            "pure": partial(compact_pure, game),
            "enumpure": partial(by_gambit, "pure", peer),
        },
        rounds=rounds,
    )
    task = f"polymatrix, {words_for(size)}"
    return [
        Row(f"{task}: one equilibrium", times["path"], "Gambit `gnm`, all it meets", times["gnm"]),
        Row(f"{task}: one equilibrium", times["path"], "Gambit `ipa`", times["ipa"]),
        Row(f"{task}: all pure ones", times["pure"], "Gambit `enumpure`", times["enumpure"]),
    ]
