"""Payoff matrices of any size, generic and degenerate, by name."""

import numpy as np

GENERIC = ("uniform", "normal", "antisymmetric", "wide", "tall", "tiny")


def matrix_families(size, seed):
    generator = np.random.default_rng(seed)
    uniform, ratings = generator.random((size, size)), generator.normal(size=size)
    signs, plane = np.sign(generator.normal(size=(size, size))), generator.normal(size=(size, 2))
    return {
        "uniform": uniform,
        "normal": generator.normal(size=(size, size)),
        "ties": np.rint(3 * uniform),
        "thirtieths": np.rint(30 * uniform) / 30,
        "antisymmetric": uniform - uniform.T,
        "antisymmetric signs": np.triu(signs, 1) - np.triu(signs, 1).T,
        "duplicate rows": np.vstack([uniform, uniform]),
        "duplicate columns": np.hstack([uniform, uniform[:, :1]]),
        "dominated rows": np.vstack([uniform, uniform - 0.1]),
        "transitive": np.tanh(np.subtract.outer(ratings, ratings)),
        "strict order": np.sign(np.subtract.outer(ratings, ratings)),
        "cyclic plane": plane @ np.array([[0.0, 1.0], [-1.0, 0.0]]) @ plane.T,
        "saddle point": np.add.outer(ratings, ratings),
        "identity": np.eye(size),
        "all equal": np.full((size, size + 1), 3.0),
        "wide": generator.random((3, 20 * size)),
        "tall": generator.random((20 * size, 3)),
        "many sizes": 10.0 ** generator.uniform(-12, 0, (size, size)),
        "tiny": uniform * 1e-300,
        "denormal": np.rint(100 * uniform) * 5e-324,
        "huge": (2 * uniform - 1) * 1e308,
        "far from zero": uniform + 1e6,
    }


FAMILIES = tuple(matrix_families(2, 0))


def half_span(payoffs):
    return payoffs.max() / 2 - payoffs.min() / 2


def rounding(payoffs):
    """Bound what evaluating payoffs in floats may be off."""
    smallest = np.finfo(float).smallest_subnormal
    return 1e-14 * np.abs(payoffs).max() + sum(payoffs.shape) * smallest


def gap(payoffs, x, y):
    """What two strategies guarantee apart from each other."""
    return (payoffs @ y).max() - (x @ payoffs).min()
