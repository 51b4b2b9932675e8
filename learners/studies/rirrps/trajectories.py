"""Figure 2: where in the space of matches training has been.

A match is 60 numbers: of each round, the own and the other's throw, one-hot. Matches of all
trainings, and of fixed agents who throw rock, paper or scissors against a random one, are laid out
in the plane at once by t-SNE, so that they can be compared. A training's matches, in the order of
time, are cut into equal windows; the median of each, coordinate by coordinate, is its path.
"""

from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.catalog.repeated import THROWS
from gametheory_core.errors import not_installed
from learners.streams import named_stream
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.runs import made
from learners.studies.rirrps.settings import experiment, seeds_of, settings

ROUNDS = 10
FIXED = "always"  # the label of a fixed agent begins with it


@dataclass(frozen=True, eq=False)
class Laid:
    """Matches of one training, or of one fixed agent, in the plane.

    Attributes:
        points (matches, 2): In the order of time.
        path (windows, 2): Medians; empty for fixed agents.
    """

    label: str
    points: FloatArray
    path: FloatArray


def one_hot(matches: NDArray[np.uint8]) -> FloatArray:
    """Return matches as throws, own before the other's, (matches, 6 rounds).

    Args:
        matches (matches, rounds): Joint actions, own * 3 + the other's.

    >>> one_hot(np.array([[5]], dtype=np.uint8)).tolist()
    [[0.0, 1.0, 0.0, 0.0, 0.0, 1.0]]
    """
    count = len(THROWS)
    both = np.stack([matches // count, matches % count], axis=-1)
    return np.eye(count)[both].reshape(len(matches), -1)


def evenly_spread(total: int, count: int) -> NDArray[np.int64]:
    """Return so many of the numbers below a total, at most, evenly spread and in order.

    >>> evenly_spread(10, 3).tolist()
    [0, 3, 6]
    """
    count = min(total, count)
    return np.arange(count) * total // max(count, 1)


def window_bounds(count: int, windows: int) -> NDArray[np.int64]:
    """Return where windows begin and the last ends: equal in length, but for one.

    >>> window_bounds(10, 4).tolist()
    [0, 2, 5, 7, 10]
    """
    windows = min(windows, count)
    return np.arange(windows + 1) * count // max(windows, 1)


def median_path(points: FloatArray, windows: int) -> FloatArray:
    """Return the coordinate-wise median of each window of points in order.

    >>> median_path(np.array([[0.0, 0], [2, 2], [4, 0], [6, 8]]), 2).tolist()
    [[1.0, 1.0], [5.0, 4.0]]
    """
    bounds = window_bounds(len(points), windows)
    parts = [points[a:b] for a, b in pairwise(bounds.tolist())]
    return np.array([np.median(part, axis=0) for part in parts]).reshape(len(parts), 2)


def fixed_matches(throw: int, count: int, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Return matches of an agent who always throws the same against a random one."""
    others = rng.integers(len(THROWS), size=(count, ROUNDS))
    return (throw * len(THROWS) + others).astype(np.uint8)


def sklearn_manifold() -> Any:
    """Import what lays points out.

    Raises:
        not_installed: If scikit-learn is not installed.
    """
    try:
        return import_module("sklearn.manifold")
    except ImportError:
        raise not_installed("learners.studies", "scikit-learn for t-SNE", extra="study") from None


def laid_out(matches: FloatArray) -> FloatArray:
    """Lay matches out in the plane by t-SNE.

    Raises:
        not_installed: If scikit-learn is not installed.
    """
    manifold = sklearn_manifold()
    options = settings().trajectories
    embedding = manifold.TSNE(
        n_components=2,
        perplexity=min(options.perplexity, (len(matches) - 1) / 3),
        init="pca",
        random_state=options.random_state,
        n_jobs=1,
    )
    return np.array(embedding.fit_transform(matches), dtype=np.float64)


def gathered(request: Request) -> dict[str, NDArray[np.uint8]]:
    """Return matches by label: of all trainings of the first seed, and of fixed agents."""
    options = settings().trajectories
    first = seeds_of(request)[:1]
    configs = {
        name: experiment(name, scheme, request, seeds=first)
        for name, scheme in settings().schemes.items()
    }
    for name in options.recurrent:
        scheme = settings().schemes[name]
        label = f"{name}-recurrent"
        configs[label] = experiment(
            label, scheme, request, seeds=first, network=dict(options.network)
        )
    count = request.scaled(options.embedded, least=options.windows)
    runs = made(configs, request, what="figure 2")
    found: dict[str, NDArray[np.uint8]] = {}
    for name, (run,) in runs.items():
        found[name] = run.matches[evenly_spread(len(run.matches), count)]
    for number, throw in enumerate(THROWS):
        stream = named_stream(first[0], "fixed agents", throw)
        basis = request.scaled(options.basis, least=options.windows)
        found[f"{FIXED} {throw}"] = fixed_matches(number, basis, stream)
    return found


def make_figure(request: Request) -> Files:
    """Make figure 2."""
    from learners.studies.rirrps.pictures import draw_trajectories  # noqa: PLC0415 matplotlib

    sklearn_manifold()  # refuses before anything is trained
    windows = settings().trajectories.windows
    matches = gathered(request)
    request.on_progress("figure 2: t-SNE", len(matches), len(matches))
    plane = laid_out(np.concatenate([one_hot(own) for own in matches.values()]))
    ends = np.cumsum([len(own) for own in matches.values()])
    parts = dict(zip(matches, np.split(plane, ends[:-1]), strict=True))
    laid = [
        Laid(
            name,
            points,
            np.zeros((0, 2)) if name.startswith(FIXED) else median_path(points, windows),
        )
        for name, points in parts.items()
    ]
    return {
        "figure-2-points.csv": _rows(laid, "match", [own.points for own in laid]),
        "figure-2-windows.csv": _rows(laid, "window", [own.path for own in laid]),
        "figure-2.png": png_bytes(draw_trajectories(laid)),
    }


def _rows(laid: list[Laid], what: str, arrays: list[FloatArray]) -> bytes:
    rows = [
        (own.label, number, round(x, 3), round(y, 3))
        for own, array in zip(laid, arrays, strict=True)
        for number, (x, y) in enumerate(array.tolist())
    ]
    return csv_bytes(("training", what, "x", "y"), rows)
