"""Entropy on a face: the first-order conditions hold, also where inequalities bind."""

import numpy as np
import pytest

from solvers._programs.entropy_face import correction, face_equations, most_entropic_point


def steps():
    return None


def solved(table, tight, start):
    return most_entropic_point(
        np.array(table, dtype=float), np.array(tight, dtype=np.int32), np.array(start), tick=steps
    )


def test_without_equations_the_uniform_point_is_found():
    point = solved([[0, 0]] * 5, [0, 1], [0.6, 0.1, 0.1, 0.1, 0.1])
    assert point.strategy == pytest.approx([0.2] * 5, abs=1e-14)
    assert point.prices == pytest.approx([0, 0], abs=1e-13)
    assert point.equations is point.face


def test_a_single_point_is_kept():
    point = solved([[1, 0], [0, 3]], [0, 1], [0.74, 0.26])
    assert point.strategy == pytest.approx([0.75, 0.25], abs=1e-15)
    assert point.equations.directions.shape == (2, 0)


def test_an_equation_tilts_exponentially():
    """Three actions that pay 0, 1, 3 against column 1, of which the mean must be 1."""
    point = solved([[1, 0], [1, 1], [1, 3]], [0, 1], [0.5, 0.25, 0.25])
    ratio = point.strategy[1] / point.strategy[0]
    assert point.strategy @ [0, 1, 3] == pytest.approx(1.0, abs=1e-14)
    assert point.strategy[2] / point.strategy[0] == pytest.approx(ratio**3)
    assert np.log(ratio) == pytest.approx(point.prices[1])
    assert point.prices.sum() == pytest.approx(0, abs=1e-12)


def test_an_inequality_binds_where_the_uniform_point_breaks_it():
    """The mean of 0, 1, 3 must be at least 2."""
    point = solved([[2, 0], [2, 1], [2, 3]], [0], [0.1, 0.1, 0.8])
    assert point.strategy @ [0, 1, 3] == pytest.approx(2.0, abs=1e-14)
    assert point.prices[1] > 0.1
    assert np.log(point.strategy) - point.prices[1] * np.array([0, 1, 3]) == pytest.approx(
        np.log(point.strategy[0]), abs=1e-12
    )
    assert len(point.equations.columns) == 2
    assert len(point.face.columns) == 1
    assert point.inside @ [0, 1, 3] > 2.01


def test_an_inequality_that_holds_anyway_has_no_price():
    point = solved([[1, 0], [1, 1], [1, 3]], [0], [0.1, 0.1, 0.8])
    assert point.strategy == pytest.approx([1 / 3] * 3, abs=1e-14)
    assert point.prices == pytest.approx([0, 0], abs=1e-13)


@pytest.mark.parametrize("seed", range(30))
def test_first_order_conditions_hold_on_random_faces(seed):
    rng = np.random.default_rng(seed)
    size, num_tight, num_others = 12, int(rng.integers(1, 6)), int(rng.integers(0, 12))
    inside = rng.dirichlet(np.full(size, 0.3)) + 1e-3
    inside /= inside.sum()
    table = rng.standard_normal((size, num_tight + num_others))
    table -= inside @ table  # every column pays 0 there
    table[:, num_tight:] += 0.02 * rng.random(num_others)
    table /= np.abs(table).max()
    tight = np.arange(num_tight, dtype=np.int32)
    point = most_entropic_point(table, tight, inside, tick=steps)
    paid = point.strategy @ table
    assert point.strategy.sum() == pytest.approx(1.0, abs=1e-14)
    assert np.abs(paid[:num_tight] - paid[0]).max() < 1e-13
    assert (paid - paid[0]).min() > -1e-12
    assert point.prices[num_tight:].min(initial=0) >= 0
    assert np.abs(point.prices[num_tight:] * (paid[num_tight:] - paid[0])).max(initial=0) < 1e-11
    tilt = np.log(point.strategy) - table @ point.prices
    assert np.ptp(tilt) < 1e-9


def test_dependent_equations_are_dropped_and_residuals_corrected():
    table = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [0.0, 1.0, 0.0]])  # columns 0 and 2 agree
    equations = face_equations(table, np.arange(3, dtype=np.int32))
    assert len(equations.pivots) == 2
    off = np.array([0.4, 0.3, 0.2])
    paid = off @ table
    change = correction(equations, np.append(paid[1:] - paid[0], off.sum() - 1))
    assert off + change == pytest.approx([0.5, 0.3, 0.2])
