"""Lemke-Howson in floats: the exact path's end, proved; wrong proposals never get through."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import InvalidArgument, NormalFormGame, NotConverged
from gametheory_core.testing import PayoffKind, normal_form_games
from solvers import UNLIMITED, Budget, lemke_howson
from solvers.bimatrix import pivoting as float_path_module
from solvers.bimatrix import pivoting as module
from solvers.bimatrix.pivoting import PathEnd, PathOutcome, float_path
from solvers.solution import Meter

SHAPES = [(1, 1), (1, 7), (7, 1), (8, 8), (5, 12), (20, 20)]
DRAWS = {
    "generic": lambda rng, shape: rng.random(shape),
    "ties": lambda rng, shape: rng.integers(-1, 2, shape),
    "all equal": lambda rng, shape: np.ones(shape, dtype=int),
    "huge, small differences": lambda rng, shape: 1e9 + rng.random(shape),
    "tiny": lambda rng, shape: 1e-9 * rng.random(shape),
    "of all magnitudes": lambda rng, shape: rng.random(shape) * 10.0 ** rng.integers(-9, 10, shape),
}


def of_meter():
    return Meter(UNLIMITED, "pivots")


@pytest.fixture
def floats_always(monkeypatch):
    monkeypatch.setattr(module, "MOST_INTEGER_CELLS", 0)


@pytest.fixture
def floats_never(monkeypatch):
    monkeypatch.setattr(module, "MOST_INTEGER_CELLS", 10**9)
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", 10**18)


def both_ways(game, label):
    end = float_path(game, initial_label=label, meter=of_meter())
    exact = module._by_integers(game, label, None, of_meter(), may_switch=False)
    return end, exact


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("kind", DRAWS)
def test_floats_end_where_exact_pivots_do(kind, shape):
    rng = np.random.default_rng(5)
    for _ in range(3):
        game = NormalFormGame.from_payoffs(DRAWS[kind](rng, (2, *shape)))
        label = int(rng.integers(0, sum(shape)))
        end, exact = both_ways(game, label)
        assert end.outcome is PathOutcome.ENDED
        assert module._on_supports(game, end.supports, end.replies) == exact.profile


@given(normal_form_games(num_players=(2, 2), max_actions=6, kinds=tuple(PayoffKind)), st.data())
def test_every_label_of_every_kind_of_game_is_solved(game, data):
    label = data.draw(st.integers(0, sum(game.num_actions) - 1))
    end, exact = both_ways(game, label)
    assert module._on_supports(game, end.supports, end.replies) == exact.profile


@pytest.mark.usefixtures("floats_always")
@pytest.mark.parametrize("size", [100, 300])
@pytest.mark.parametrize("kind", ["generic", "ties"])
def test_large_games_are_solved_exactly(kind, size):
    game = NormalFormGame.from_payoffs(DRAWS[kind](np.random.default_rng(1), (2, size, size)))
    solution = lemke_howson(game, initial_label=1)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


@pytest.mark.usefixtures("floats_always")
@pytest.mark.parametrize("kind", ["generic", "huge, small differences", "tiny"])
def test_tolerance_is_kept(kind):
    game = NormalFormGame.from_payoffs(DRAWS[kind](np.random.default_rng(3), (2, 30, 30)))
    span = float(game.payoffs.max() - game.payoffs.min())
    solution = lemke_howson(game, tolerance=1e-6 * span)
    solution.certificate.verify()
    assert solution.certificate.epsilon <= 1e-6 * span


@pytest.mark.usefixtures("floats_always")
def test_tolerance_that_floats_cannot_keep_is_kept_exactly():
    game = NormalFormGame.from_payoffs(np.random.default_rng(4).random((2, 12, 12)))
    loose, strict = (lemke_howson(game, tolerance=tolerance) for tolerance in (1e-6, 1e-300))
    assert loose.certificate.epsilon > 0
    assert strict.certificate.epsilon == 0


@pytest.mark.parametrize("tolerance", [0, -1e-9, float("inf"), float("nan")])
def test_bad_tolerance_is_refused(tolerance):
    game = NormalFormGame.symmetric([[1, 0], [0, 1]])
    with pytest.raises(InvalidArgument, match="lemke_howson: needs a finite tolerance above 0"):
        lemke_howson(game, tolerance=tolerance)


WRONG_ENDS = {
    "lost": lambda end: PathEnd(PathOutcome.LOST, end.weights, end.supports, end.replies),
    "supports of a vertex that is no equilibrium": lambda end: PathEnd(
        end.outcome, end.weights, ((0,), (0,)), ((0,), (0,))
    ),
    "no supports": lambda end: PathEnd(end.outcome, end.weights, ((), ()), ((), ())),
    "a singular system": lambda end: PathEnd(
        end.outcome, end.weights, ((0, 1), (0, 1)), ((2, 3), (2, 3))
    ),
    "weights of both signs": lambda end: PathEnd(
        end.outcome, end.weights, ((0, 1), (0, 1)), ((0, 1), (0, 2))
    ),
}


@pytest.mark.usefixtures("floats_always")
@pytest.mark.parametrize("wrong", WRONG_ENDS)
@pytest.mark.parametrize("tolerance", [None, 1e-9])
def test_wrong_proposals_are_replaced_by_exact_pivots(monkeypatch, wrong, tolerance):
    rows = [[5, 1, 0, 0], [1, 5, 0, 0], [6, 6, 1, 1], [0, 0, 1, 1]]
    game = NormalFormGame.bimatrix(rows, [[-v for v in row] for row in rows])
    right = module._by_integers(game, 0, None, of_meter(), may_switch=False)

    def misled(*arguments, **options):
        end = float_path(*arguments, **options)
        bad = WRONG_ENDS[wrong](end)
        nothing = tuple(np.ones(4) for _ in range(2))
        return PathEnd(bad.outcome, nothing, bad.supports, bad.replies)

    monkeypatch.setattr(float_path_module, "float_path", misled)
    solution = lemke_howson(game, tolerance=tolerance)
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0
    assert solution.profile == right.profile


@pytest.mark.usefixtures("floats_always")
@pytest.mark.parametrize("pivots", [0, 1, 5])
def test_budget_ends_a_path_in_floats_with_a_certified_point(pivots):
    game = NormalFormGame.from_payoffs(np.random.default_rng(2).random((2, 100, 100)))
    with pytest.raises(NotConverged, match=f"the budget ended after {pivots} pivots") as caught:
        lemke_howson(game, initial_label=3, budget=Budget(iterations=pivots))
    caught.value.best.certificate.verify()
    assert caught.value.best.certificate.epsilon > 0


def test_long_paths_change_from_integers_to_floats(monkeypatch):
    monkeypatch.setattr(module, "MOST_INTEGER_CELLS", 10**9)
    monkeypatch.setattr(module, "LONGEST_IN_INTEGERS", 0)
    game = NormalFormGame.from_payoffs(np.random.default_rng(3).random((2, 10, 10)))
    called = []

    def watched(*arguments, **options):
        called.append(arguments)
        return float_path(*arguments, **options)

    monkeypatch.setattr(float_path_module, "float_path", watched)
    solution = lemke_howson(game)
    assert solution.certificate.epsilon == 0
    assert len(called) == 1


@pytest.mark.usefixtures("floats_never")
def test_integers_alone_suffice():
    game = NormalFormGame.from_payoffs(np.random.default_rng(3).random((2, 12, 12)))
    assert lemke_howson(game, tolerance=1e-3).certificate.epsilon == 0


def test_path_that_never_ends_is_given_up(monkeypatch):
    monkeypatch.setattr(float_path_module, "MOST_PIVOTS", 2)
    monkeypatch.setattr(float_path_module, "BATCH", 1)
    game = NormalFormGame.from_payoffs(np.random.default_rng(2).random((2, 30, 30)))
    end = float_path(game, initial_label=0, meter=of_meter())
    assert end.outcome is PathOutcome.LOST


@pytest.mark.parametrize("sizes", [(1e-300,), (5e-324,), (1e300,), (5e-324, 1.0), (1e-300, 1e300)])
def test_paths_through_payoffs_of_any_size_warn_of_nothing(sizes):
    """Weights are relative to the least scale, so that none overflows."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        payoffs = rng.integers(-3, 4, (2, 9, 9)) * rng.choice(sizes, (2, 9, 9))
        with warnings.catch_warnings(), np.errstate(all="warn", under="ignore"):
            warnings.simplefilter("error")
            found = lemke_howson(NormalFormGame.from_payoffs(payoffs))
        found.certificate.verify()
        assert found.certificate.epsilon == 0
