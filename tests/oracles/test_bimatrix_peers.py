"""Bimatrix games: the same sets of equilibria as Gambit and lrsnash, in rationals."""

import re
import shutil
import subprocess
from fractions import Fraction

import numpy as np
import pytest

from gametheory_core import NormalFormGame
from solvers import vertex_enumeration

pytestmark = pytest.mark.peer

rng = np.random.default_rng(20)
GAMES = [
    NormalFormGame.from_payoffs(rng.integers(-spread, spread + 1, (2, m, n)))
    for spread in (1, 2, 40)
    for m, n in [(2, 2), (2, 4), (3, 3), (4, 3), (4, 4), (5, 5)]
]
IDENTIFIERS = [f"{game.num_actions}-{i}" for i, game in enumerate(GAMES)]


def strategies(solution):
    return tuple(tuple(vector.tolist()) for vector in solution.profile.strategies)


def ours(game):
    found = vertex_enumeration(game)
    assert found.is_complete
    return {strategies(solution) for solution in found.equilibria}


def by_gambit(game):
    pygambit = pytest.importorskip("pygambit")
    rows, columns = game.exact_payoffs.astype(object)
    peer = pygambit.Game.from_arrays(
        np.vectorize(pygambit.Rational, otypes=[object])(rows.astype(int)),
        np.vectorize(pygambit.Rational, otypes=[object])(columns.astype(int)),
    )
    result = pygambit.nash.enummixed_solve(peer, rational=True)
    return {
        tuple(
            tuple(Fraction(str(profile[strategy])) for strategy in player.strategies)
            for player in peer.players
        )
        for profile in result.equilibria
    }


def by_lrsnash(game, folder):
    if shutil.which("lrsnash") is None:
        pytest.skip("lrsnash is not installed")
    path = folder / "game"
    rows, columns = game.exact_payoffs
    tables = "\n\n".join(
        "\n".join(" ".join(map(str, row)) for row in table.tolist()) for table in (rows, columns)
    )
    path.write_text(f"{' '.join(map(str, game.num_actions))}\n\n{tables}\n")
    text = subprocess.run(["lrsnash", str(path)], capture_output=True, text=True, check=True).stdout
    return read_lrsnash(text, game.num_actions)


def read_lrsnash(text, counts):
    """Pair each block of the second player's vertices with the first player's that follows it."""
    found, pending = set(), []
    for line in text.splitlines():
        words = line.split()
        if words[:1] == ["2"] and re.match(r"2\s", line):
            pending.append(tuple(map(Fraction, words[1 : 1 + counts[1]])))
        elif words[:1] == ["1"] and re.match(r"1\s", line):
            row = tuple(map(Fraction, words[1 : 1 + counts[0]]))
            found |= {(row, column) for column in pending}
        elif not words:
            pending = []
    return found


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_same_equilibria_as_gambit(game):
    assert ours(game) == by_gambit(game)


@pytest.mark.parametrize("game", GAMES, ids=IDENTIFIERS)
def test_same_equilibria_as_lrsnash(game, tmp_path):
    assert ours(game) == by_lrsnash(game, tmp_path)
