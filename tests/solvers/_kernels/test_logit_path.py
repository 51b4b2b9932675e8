"""The equations of the logit branch: derivatives as differences say, compiled as in plain numpy."""

import numpy as np
import pytest

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.evaluation import action_payoffs
from solvers._kernels import logit_path
from solvers._kernels.logit_path import NEEDS_ROOM, REACHED, SETTLED
from solvers.many_players.logit_branch import by_player, centroid, playable

SHAPES = [(3,), (2, 3), (3, 1, 2), (2, 3, 2, 2)]


def drawn(shape, seed=0):
    rng = np.random.default_rng(seed)
    return NormalFormGame.from_payoffs(rng.standard_normal((len(shape), *shape)))


def random_point(game, seed=1):
    rng = np.random.default_rng(seed)
    weights = [rng.dirichlet(np.ones(count)) for count in game.num_actions]
    return np.concatenate([*map(np.log, weights), [2.5]])


@pytest.mark.parametrize("shape", SHAPES)
def test_values_and_slopes_agree_with_the_definition(shape):
    game = drawn(shape)
    prepared = playable(game)
    probabilities = np.exp(random_point(game)[:-1])
    size = len(probabilities)
    values, slopes = np.zeros(size), np.zeros((size, size))
    logit_path.action_values(prepared.layout, probabilities, values, slopes)
    profile = MixedProfile(by_player(prepared.layout, probabilities))
    for player, own in enumerate(by_player(prepared.layout, values)):
        expected = action_payoffs(game, profile, player=player) - game.payoffs[player].min()
        np.testing.assert_allclose(own * float(prepared.span), expected, atol=1e-12)
    for j in range(size):
        step = np.zeros(size)
        step[j] = 1e-6
        ahead, behind = np.zeros(size), np.zeros(size)
        logit_path.action_values(prepared.layout, probabilities + step, ahead, slopes.copy())
        logit_path.action_values(prepared.layout, probabilities - step, behind, slopes.copy())
        np.testing.assert_allclose(slopes[:, j], (ahead - behind) / 2e-6, atol=1e-8)


@pytest.mark.parametrize("shape", SHAPES)
def test_derivatives_agree_with_differences(shape):
    game = drawn(shape)
    layout, point = playable(game).layout, random_point(game)
    size = len(point)
    residual, matrix = np.zeros(size), np.zeros((size, size))
    logit_path.linearize(layout, point, residual, matrix)
    for j in range(size):
        step = np.zeros(size)
        step[j] = 1e-6
        ahead, behind = np.zeros(size), np.zeros(size)
        logit_path.linearize(layout, point + step, ahead, matrix.copy())
        logit_path.linearize(layout, point - step, behind, matrix.copy())
        np.testing.assert_allclose(matrix[:-1, j], (ahead - behind)[:-1] / 2e-6, atol=1e-7)


@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_path_is_the_plain_one(shape):
    from solvers._kernels import compiled_twins as compiled_logit_path

    game = playable(drawn(shape)).layout
    plain, compiled = centroid(game), centroid(game)
    ends = [
        follow(game, branch, 1e6, 20.0, 100)
        for follow, branch in ((logit_path.follow, plain), (compiled_logit_path.follow, compiled))
    ]
    assert ends == [SETTLED, SETTLED]
    count = plain.counts[0]
    assert compiled.counts[0] == count > 3
    np.testing.assert_allclose(compiled.points[:count], plain.points[:count], rtol=1e-9, atol=1e-9)


def test_every_point_lies_on_the_branch():
    game = playable(drawn((3, 3, 3), seed=4)).layout
    branch = centroid(game)
    assert logit_path.follow(game, branch, 50.0, np.inf, 100) == REACHED
    points = branch.points[: branch.counts[0]]
    assert points[-1, -1] >= 50.0 > points[-2, -1]
    for point in points:
        residual, matrix = np.zeros(len(point)), np.zeros((len(point), len(point)))
        logit_path.linearize(game, point, residual, matrix)
        assert np.max(np.abs(residual)) < 1e-6 * (1 + np.max(np.abs(point)))


def test_path_stops_where_the_room_or_the_steps_end():
    game = playable(drawn((2, 2))).layout
    branch = centroid(game)
    assert logit_path.follow(game, branch, 1e6, np.inf, 3) == NEEDS_ROOM
    assert branch.counts[0] == 4
    full = centroid(game)._replace(points=centroid(game).points[:2].copy())
    assert logit_path.follow(game, full, 1e6, np.inf, 50) == NEEDS_ROOM
    assert full.counts[0] == 2


@pytest.mark.parametrize(
    ("growths", "expected"),
    [([0.1, -0.1], True), ([0.0, -20.0], True), ([0.0, -5.0], False), ([0.5, -20.0], False)],
)
def test_settled_means_clearly_played_or_clearly_not(growths, expected):
    rationality = 100.0
    tangent = np.array([growth / rationality for growth in growths] + [1.0])
    assert logit_path.is_settled(tangent, rationality) is expected
    assert not logit_path.is_settled(-tangent, rationality)
