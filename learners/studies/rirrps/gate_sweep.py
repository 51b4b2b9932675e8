"""Table II: how the gate of PSRO decides how large the menagerie grows.

Beside each gate stands how likely it opens to a policy that wins half of its matches, in one full
window: with hundreds of windows in a run, a gate that opens by luck fills the menagerie. The honest
gate, a test whose error holds for the whole run, stands at the end.

How long it takes to solve meta-games, and to look at newcomers, is measured afterwards: all that
was solved and looked at in training is solved and looked at again, under a clock. Seconds are in a
file of their own, since they are never the same twice.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from gametheory_core.catalog.repeated import RirRPS
from learners.experiments.comparisons import mean_interval
from learners.experiments.run_files import read_lines
from learners.matches.exact_outcomes import win_rates
from learners.self_play.gates import BinomialTest, RollingWindow
from learners.self_play.meta_strategies import MetaStrategy, meta_strategy
from learners.studies.files import csv_bytes
from learners.studies.registry import Files, Request
from learners.studies.rirrps.runs import Training, made
from learners.studies.rirrps.settings import experiment, settings

COLUMNS = ("gate", "matches", "chance in a window", "seeds", "menagerie", "low", "high")
SECONDS = ("gate", "matches", "seconds a run", "solving meta-games", "win rates of newcomers")


@dataclass(frozen=True)
class SweptGate:
    """A gate of the sweep.

    Attributes:
        name: Its label.
        words: The share to be won, or what is tested.
        chance: How likely it opens to a policy that wins half of its matches: in one window, or,
            for the test, ever.
        scheme: As tables.
    """

    name: str
    words: str
    matches: int
    chance: Fraction
    scheme: dict[str, Any]


def swept_gates() -> tuple[SweptGate, ...]:
    """Return the gates of the settings.

    >>> gate = swept_gates()[0]
    >>> gate.name, round(float(gate.chance), 6)
    ('window-60-30', 0.180797)
    """
    gates = settings().gates
    found = [
        SweptGate(
            f"window-{round(100 * Fraction(share))}-{matches}",
            f"{round(100 * Fraction(share))} %",
            matches,
            RollingWindow(share, matches).chance(),
            _scheme("RollingWindow", share=share, matches=matches),
        )
        for share, matches in gates.windows
    ]
    return (
        *found,
        *(
            SweptGate(
                f"test-{round(100 * Fraction(error))}-{matches}",
                f"binomial test, error {round(100 * Fraction(error))} %",
                matches,
                Fraction(BinomialTest(error, matches).error),
                _scheme("BinomialTest", error=error, matches=matches),
            )
            for error, matches in gates.tests
        ),
    )


def _scheme(kind: str, **options: Any) -> dict[str, Any]:
    return {"sampling": {"kind": "MetaGame"}, "gate": {"kind": kind, **options}}


def make_table(request: Request) -> Files:
    """Make table II."""
    gates = settings().gates
    seeds = request.seeds or tuple(range(gates.seeds))
    swept = swept_gates()
    configs = {
        own.name: experiment(
            own.name,
            own.scheme,
            request,
            seeds=seeds,
            updates=gates.updates,
            episodes=gates.episodes,
            minibatches=gates.minibatches,
        )
        for own in swept
    }
    runs = made(configs, request, what="table 2")
    rows: list[tuple[Any, ...]] = []
    seconds: list[tuple[Any, ...]] = []
    for number, own in enumerate(swept):
        request.on_progress(f"table 2: {own.name}", number, len(swept))
        sizes = mean_interval([float(len(run.menagerie)) for run in runs[own.name]])
        chance = float(own.chance)
        rows.append((own.words, own.matches, chance, len(seeds), sizes.mean, sizes.low, sizes.high))
        clocked = np.array([clock(run) for run in runs[own.name]]).mean(axis=0).tolist()
        seconds.append((own.words, own.matches, *clocked))
    return {
        "table-2.csv": csv_bytes(COLUMNS, rows),
        "table-2-seconds.csv": csv_bytes(SECONDS, seconds),
    }


def clock(training: Training) -> tuple[float, float, float]:
    """Return the seconds of a run, those that meta-games take, and those that win rates take."""
    tables, rates = training.menagerie.snapshots, training.menagerie.win_rates
    whole = float(read_lines(Path(training.run.path))[-1]["seconds"])
    start = time.perf_counter()
    for size in range(2, len(tables) + 1):
        meta_strategy(rates[:size, :size], MetaStrategy.MAX_ENTROPY)  # type: ignore[index]
    solved = time.perf_counter()
    for size in range(1, len(tables)):
        win_rates(RirRPS(), tables[size : size + 1], tables[:size])
    return whole, solved - start, time.perf_counter() - solved
