"""Degeneracy of bimatrix games, against the labels of best-response polytopes."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given

from gametheory_core import MixedProfile, NormalFormGame, UnsupportedGame
from gametheory_core.evaluation import action_payoffs
from gametheory_core.games import is_degenerate
from gametheory_core.testing import PayoffKind, normal_form_games


def polytope_has_a_crowded_vertex(rows):
    """Whether a vertex of {x >= 0, x rows <= 1} has more tight constraints than coordinates.

    ``rows[a, b]``, shifted to be positive, is what response b gets against action a. The origin is
    no strategy and is left out. Every vertex is found from its tight constraints, in integers.
    """
    import flint

    rows = (rows - rows.min() + 1).tolist()
    m, n = len(rows), len(rows[0])
    normals = [[int(i == a) for a in range(m)] for i in range(m)]
    normals += [[int(rows[a][b]) for a in range(m)] for b in range(n)]
    bounds = [0] * m + [1] * n
    for tight in combinations(range(m + n), m):
        matrix = flint.fmpq_mat(m, m, [x for i in tight for x in normals[i]])
        if matrix.det() == 0:
            continue
        x = [v for (v,) in matrix.solve(flint.fmpq_mat(m, 1, [bounds[i] for i in tight])).tolist()]
        slack = [
            bound - sum(c * v for c, v in zip(normal, x, strict=True))
            for normal, bound in zip(normals, bounds, strict=True)
        ]
        feasible = all(v >= 0 for v in x) and all(s >= 0 for s in slack[m:])
        if feasible and any(x) and [v == 0 for v in x].count(True) + slack[m:].count(0) > m:
            return True
    return False


def is_degenerate_by_polytopes(game):
    first, second = (scaled.numerators for scaled in game.scaled_payoffs)
    return polytope_has_a_crowded_vertex(second) or polytope_has_a_crowded_vertex(first.T)


def require_true_witness(game, verdict):
    assert verdict.reason
    mixing, *responses = verdict.witness
    assert len(set(responses)) == len(responses) >= 2
    assert f"has {len(responses)} best responses" in verdict.reason
    shown = verdict.reason.split("{")[1].split("}")[0]
    weights = dict(item.split(": ") for item in shown.replace("'", "").split(", "))
    assert len(weights) < len(responses)
    strategy = [weights.get(label, 0) for label in game.actions[mixing]]
    other = [1] + [0] * (game.num_actions[1 - mixing] - 1)
    profile = MixedProfile((strategy, other) if mixing == 0 else (other, strategy))
    values = action_payoffs(game, profile, player=1 - mixing)
    assert np.flatnonzero(values == max(values)).tolist() == responses


@given(normal_form_games(num_players=(2, 2), max_actions=4))
def test_degeneracy_is_a_crowded_vertex(game):
    verdict = is_degenerate(game)
    assert bool(verdict) == is_degenerate_by_polytopes(game)
    if verdict:
        require_true_witness(game, verdict)


@given(normal_form_games(num_players=(2, 2), max_actions=4, kinds=(PayoffKind.GENERIC,)))
def test_degeneracy_is_a_crowded_vertex_in_mostly_nondegenerate_games(game):
    assert bool(is_degenerate(game)) == is_degenerate_by_polytopes(game)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ([[2, 0], [0, 1]], [[1, 0], [0, 2]]),
        ([[1, -1], [-1, 1]], [[-1, 1], [1, -1]]),
        ([[5]], [[7]]),
        ([[3, 0], [5, 1]], [[3, 5], [0, 1]]),
        # the mixed strategy (1/2, 1/2) ties the columns, and no third one joins them
        ([[1, 2], [2, 1]], [[4, 0], [0, 4]]),
    ],
)
def test_known_games_are_not_degenerate(first, second):
    verdict = is_degenerate(NormalFormGame.bimatrix(first, second))
    assert not verdict
    assert verdict.reason == ""


@pytest.mark.parametrize(
    ("first", "second", "witness"),
    [
        ([[0, 0], [0, 0]], [[0, 0], [0, 0]], (0, 0, 1)),
        ([[1, 0], [1, 0]], [[1, 0], [0, 1]], (1, 0, 1)),
        # von Stengel 2002: half, half ties three columns
        ([[1, 1, 1], [2, 2, 0]], [[2, 0, 1], [0, 2, 1]], (0, 0, 1, 2)),
    ],
)
def test_known_games_are_degenerate(first, second, witness):
    game = NormalFormGame.bimatrix(first, second)
    verdict = is_degenerate(game)
    assert verdict
    require_true_witness(game, verdict)
    assert is_degenerate_by_polytopes(game)
    if witness[0] == verdict.witness[0]:
        assert verdict.witness == witness


def test_a_tie_that_is_not_best_is_no_degeneracy():
    game = NormalFormGame.bimatrix([[1, 2, 3]], [[0, 0, 1]])
    assert not is_degenerate(game)


def test_three_players_are_refused():
    game = NormalFormGame.from_payoffs(np.zeros((3, 1, 1, 1)))
    with pytest.raises(UnsupportedGame, match=r"is_degenerate: needs two players, but .* has 3"):
        is_degenerate(game)


def test_large_games_are_refused_with_the_cost():
    game = NormalFormGame.zero_sum(np.arange(400.0).reshape(20, 20))
    with pytest.raises(UnsupportedGame, match=r"max_systems = 50,000 .* 137,846,528,819"):
        is_degenerate(game)
