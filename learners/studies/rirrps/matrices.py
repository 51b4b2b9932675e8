"""Figure 3: exact win rates of each scheme's checkpoints, and who is played in equilibrium.

The matrices are those of the first seed; what they say of growth is measured for all seeds.
"""

from dataclasses import asdict, fields

import numpy as np

from gametheory_core.arrays import FloatArray
from learners.experiments.comparisons import mean_interval
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.measures import Growth, growth, rates_between
from learners.studies.rirrps.runs import trained
from learners.studies.rirrps.settings import settings
from solvers.populations.leading_averages import leading_nash_averages
from solvers.populations.win_rates import evaluation_matrix

MEASURES = tuple(field.name for field in fields(Growth))


def supports(rates: FloatArray) -> FloatArray:
    """Return the max-entropy Nash of the first 1, 2, ... checkpoints, (checkpoints, checkpoints).

    >>> supports(np.array([[0.5, 0.4], [0.6, 0.5]])).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    found = leading_nash_averages(evaluation_matrix(rates))
    table = np.zeros(rates.shape)
    for size in range(1, len(rates) + 1):
        table[size - 1, :size] = found.mixture(size).astype(np.float64)
    return table


def make_figure(request: Request) -> Files:
    """Make figure 3."""
    from learners.studies.rirrps.pictures import draw_matrices  # noqa: PLC0415 matplotlib

    runs = trained(request)
    shown: dict[str, tuple[FloatArray, FloatArray]] = {}
    measured: dict[str, list[Growth]] = {}
    for number, (scheme, trainings) in enumerate(runs.items()):
        request.on_progress(f"figure 3: {scheme}", number, len(runs))
        first = rates_between(trainings[0], settings().matrices.checkpoints)
        shown[scheme] = (first, supports(first))
        fewer = settings().exploitation.checkpoints
        measured[scheme] = [growth(rates_between(own, fewer)) for own in trainings]
    return {
        "figure-3-win-rates.csv": _matrix_rows(shown, 0),
        "figure-3-nash.csv": _matrix_rows(shown, 1),
        "figure-3-growth.csv": _growth_rows(measured),
        "figure-3.png": png_bytes(draw_matrices(shown)),
    }


def _matrix_rows(shown: dict[str, tuple[FloatArray, FloatArray]], which: int) -> bytes:
    """Return matrices row by row, as thousandths."""
    size = len(next(iter(shown.values()))[which])
    rows = [
        (scheme, number, *np.rint(1000 * row).astype(int).tolist())
        for scheme, tables in shown.items()
        for number, row in enumerate(tables[which])
    ]
    return csv_bytes(("scheme", "checkpoint", *map(str, range(size))), rows)


def _growth_rows(measured: dict[str, list[Growth]]) -> bytes:
    rows = [
        (scheme, measure, len(found), band.mean, band.low, band.high)
        for scheme, found in measured.items()
        for measure in MEASURES
        for band in [mean_interval([asdict(own)[measure] for own in found])]
    ]
    return csv_bytes(("scheme", "measure", "seeds", "mean", "low", "high"), rows)
