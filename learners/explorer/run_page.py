"""``explore_runs(folder)``: what learners have done, as a page in the look of that of a game."""

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from gametheory_core.errors import InvalidArgument
from gametheory_core.formats.files import read_text
from learners.experiments.comparisons import (
    ASSESSED,
    SMALL_IS_GOOD,
    USUAL,
    LearningCurve,
    learning_curves,
    runs_by_label,
)
from learners.experiments.run_records import Run, read_run
from learners.findings import Finding, Standing
from learners.roshambo.tournaments.payoff_tables import PayoffTable
from solvers.explorer.page import HERE, ExplorerPage, page_of
from solvers.results.rendering import readable

SCRIPTS = (
    (HERE, "arithmetic.js"),
    (HERE, "elements.js"),
    ("learners.explorer", "charts.js"),
    ("learners.explorer", "run_page.js"),
)
MOST_POINTS = 500  # of a curve; of longer ones, as many that are spread evenly
TABLES = "payoffs.json"  # what tournaments leave


def explore_runs(folder: str | Path) -> ExplorerPage:
    """Make a page of the runs and the tournaments in a folder, and in folders below it.

    Args:
        folder: The ``output`` of experiments, or a folder in it; or that of a tournament.

    Returns:
        ``page.save("runs.html")`` writes it. Curves have Student's intervals over seeds; findings
        are exact where they are proved, with the command that verifies each certificate.

    Raises:
        InvalidArgument: If there is neither a run nor a table of a tournament; if a label stands
            for two experiments.
        MalformedFile: If a file is damaged.

    >>> import tempfile
    >>> from dataclasses import replace
    >>> from learners.experiments import read_config, sweep
    >>> config = read_config("docs/examples/configs/rock_paper_scissors_regret.toml")
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = sweep(replace(config, output=folder), jobs=1)
    ...     page = explore_runs(folder)
    >>> "regret matching+" in page.html
    True
    """
    root = Path(folder)
    by_folder: dict[Path, list[Run]] = {}
    for path in sorted(root.rglob("seed-*.jsonl")):
        by_folder.setdefault(path.parent.parent, []).append(read_run(path))
    tables = [
        _table_record(path, PayoffTable.from_json(read_text(path), name=str(path)))
        for path in sorted(root.rglob(TABLES))
    ]
    if not (by_folder or tables):
        raise InvalidArgument(
            needs="a folder with runs (seed-N.jsonl) or the table of a tournament (payoffs.json)",
            found="there is none",
            remedy="Train first: gametheory train CONFIG.",
            where=folder,
        )
    data = {
        "page": "runs",
        "games": [_game_record(place.name, runs, root) for place, runs in by_folder.items()],
        "tables": tables,
    }
    count = sum(map(len, by_folder.values()))
    sizes = [(count, "run"), (len(tables), "tournament")]
    return page_of(
        data,
        SCRIPTS,
        title=f"Runs in {root.resolve().name}",
        subtitle=", ".join(f"{n} {word}{'s' * (n != 1)}" for n, word in sizes if n),
        footer="Numbers that stand as proved have a certificate beside the run.",
        remedy="Give the folder of one game, or of one experiment.",
    )


def _game_record(name: str, runs: Sequence[Run], root: Path) -> dict[str, Any]:
    """Return all that is shown of one game: curves by measure, and what each run was judged.

    Measures that were judged on the way come first, of these the usual ones.
    """
    groups = runs_by_label(runs)
    named: dict[str, None] = {}
    for run in runs:
        for point in run.curve:
            named.update(dict.fromkeys(f"{ASSESSED}{own}" for own in point.assessed))
            named.update(dict.fromkeys(point.metrics))
    usual = {f"{ASSESSED}{own}" for own in USUAL}
    order = sorted(named, key=lambda own: (own not in usual, not own.startswith(ASSESSED)))
    measures = [{"name": own, "curves": _curves(groups, own)} for own in order]
    return {
        "name": name,
        "measures": [own for own in measures if own["curves"]],
        "runs": [_run_record(run, root) for run in runs],
    }


def _curves(groups: Mapping[str, Sequence[Run]], measure: str) -> list[dict[str, Any]]:
    """Return the curves of those experiments whose seeds all have a measure."""
    found: list[dict[str, Any]] = []
    for own in groups.values():
        try:
            found += [_curve_record(curve, measure) for curve in learning_curves(own, measure)]
        except InvalidArgument:  # another learner's measure
            continue
    return found


def _curve_record(curve: LearningCurve, measure: str) -> dict[str, Any]:
    """Return a curve; the band of what cannot be negative, as a gain, ends at 0."""
    floor = 0.0 if measure.removeprefix(ASSESSED).startswith(SMALL_IS_GOOD) else -math.inf
    step = -(-len(curve.iterations) // MOST_POINTS)
    kept = sorted({*range(0, len(curve.iterations), step), len(curve.iterations) - 1})
    return {
        "label": curve.label,
        "seeds": curve.seeds,
        "iterations": [curve.iterations[k] for k in kept],
        "mean": [curve.mean[k] for k in kept],
        "low": [max(floor, curve.low[k]) for k in kept],
        "high": [curve.high[k] for k in kept],
    }


def _run_record(run: Run, root: Path) -> dict[str, Any]:
    place = Path(run.path).parent.relative_to(root)
    return {
        "label": run.label,
        "seed": run.seed,
        "status": run.status.value,
        "iterations": run.iterations,
        "method": run.method,
        "message": run.message,
        "findings": list(map(_finding_record, run.findings)),
        "certificates": [(place / name).as_posix() for name in run.certificates],
    }


def _finding_record(finding: Finding) -> dict[str, Any]:
    is_sampled = finding.standing is Standing.SAMPLED
    return {
        "name": finding.name,
        "exact": "" if is_sampled else readable(finding.value),  # pyright: ignore[reportArgumentType]
        "decimal": float(finding.value),
        "standing": finding.standing.value,
        "error": finding.standard_error,
    }


def _table_record(path: Path, table: PayoffTable) -> dict[str, Any]:
    return {
        "name": path.parent.name,
        "agents": list(table.agents),
        "bots": list(table.bots),
        "matches": table.matches,
        "means": table.means.tolist(),
    }
