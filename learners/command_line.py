"""``gametheory train|evaluate|compare CONFIG``: learn, record, resume, certify, compare.

``gametheory rates CONFIG --seeds 0-199`` counts how often what was learned is a success;
``gametheory reproduce STUDY`` makes the figures and tables of a paper again.

Exit codes: 0 done, 1 a certificate was rejected, 2 refused (one line on stderr says why), 3
incomplete (a run diverged, was not judged, or its time was up; or figures of a study were left out,
since a library is not installed), 130 interrupted (the same command goes on).
"""

import argparse
import json
import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.markup import escape
from rich.table import Table

from gametheory_core.arguments import shown
from gametheory_core.command_line import EXIT_INTERRUPTED, Advance, note, one_line, page, progress
from gametheory_core.errors import InvalidArgument, MissingDependency, UnsupportedGame
from gametheory_core.interrupts import interrupts_found
from learners.experiments.comparisons import Comparison, compare
from learners.experiments.config import ExperimentConfig, read_config
from learners.experiments.rates import (
    RateProgress,
    SuccessRate,
    game_name,
    recorded_rate,
    success_rate,
)
from learners.experiments.registry import learner_class, options_of
from learners.experiments.run_records import Run, Status
from learners.experiments.runs import files_of, recorded_run, run, sweep, trained_learner
from learners.experiments.setup import appraisal_of
from learners.findings import Appraisal, Finding, Standing, appraisal_record, findings_record
from learners.protocol import LEARNERS
from learners.studies.files import OWNER, claim_folder
from learners.studies.registry import STUDIES, Request, reproduce, study_named
from learners.training import LearningProgress, OnLearning

EXIT_INCOMPLETE = 3
MOST_SEEDS = 100_000
MOST_NOTED = 10  # seeds named one by one
PATIENCE = 60.0  # seconds; what takes longer is said first
SPAN = re.compile(r"([0-9]+)(?:-([0-9]+))?")  # 3, or 0-9


def add_train(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Train all seeds of a TOML file. Stopped, it goes on where it was."
    parser.epilog = (
        "Learners: gametheory list learners. "
        "Example: gametheory train docs/examples/configs/matching_pennies_q.toml"
    )
    parser.add_argument("config", metavar="CONFIG", help="a TOML file")
    _add_running(parser)
    _add_shared(parser)
    parser.set_defaults(run=_train)


def add_evaluate(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = "Judge the last checkpoints anew, and verify what is proved of them."
    parser.add_argument("config", metavar="CONFIG", help="a TOML file")
    _add_shared(parser)
    parser.set_defaults(run=_evaluate)


def add_compare(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("config", metavar="CONFIG", nargs="+", help="TOML files")
    parser.add_argument("--quantity", metavar="NAME", help="a finding (default: nash_conv ...)")
    parser.add_argument(
        "--confidence", type=float, default=0.95, metavar="P", help="of the intervals (0.95)"
    )
    _add_shared(parser)
    parser.set_defaults(run=_compare)


def add_rates(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Train each seed, judge it by the file's [success], and print how many succeed, with an "
        "interval. Stopped, it goes on where it was."
    )
    parser.add_argument("config", metavar="CONFIG", help="a TOML file with a table [success]")
    parser.add_argument(
        "--game",
        action="append",
        default=[],
        metavar="NAME",
        help="of the catalog, instead of the config's; several times for several rates",
    )
    _add_running(parser)
    _add_shared(parser)
    parser.set_defaults(run=_rates)


def add_reproduce(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("study", nargs="?", metavar="STUDY", help="its name; --list lists them")
    parser.add_argument(
        "--list", action="store_true", help="list figures and tables, of all studies or this one"
    )
    for kind in ("figure", "table"):
        parser.add_argument(
            f"--{kind}",
            action="append",
            type=int,
            default=[],
            metavar="N",
            help=f"this {kind} only",
        )
    parser.add_argument(
        "--scale", type=float, default=1.0, metavar="S", help="of the study's default amount (1)"
    )
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="runs at once; -1 for all processors (1)"
    )
    parser.add_argument(
        "--model",
        action="append",
        type=Path,
        default=[],
        metavar="FOLDER",
        help="a language model of transformers, for a study that reads some",
    )
    parser.add_argument("--quiet", action="store_true", help="no progress and no table")
    _add_shared(parser)
    parser.set_defaults(run=_reproduce, words={"study": sorted(STUDIES)})


def _add_running(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--iterations", type=int, metavar="N", help="instead of the config's")
    parser.add_argument(
        "--jobs", type=int, default=1, metavar="N", help="runs at once; -1 for all processors (1)"
    )
    parser.add_argument("--quiet", action="store_true", help="no progress and no table")


def _add_shared(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--seeds", metavar="S,S,...", help="instead of the config's: 0,1,2 or 0-9")
    parser.add_argument(
        "--out", type=_folder, metavar="FOLDER", help="where runs are, instead of the config's"
    )
    parser.add_argument(
        "--format", choices=["text", "json"], default="text", help="what to print (text)"
    )


def _folder(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(f"needs the name of a folder, but got {text!r}")
    return text


def show_learners() -> int:
    """List the learners, and what may be chosen about each."""
    with page() as console:
        for name in sorted(LEARNERS):
            try:
                options = options_of(learner_class(name))
            except MissingDependency as error:
                console.print(f"[bold]{name}[/bold]: {escape(one_line(str(error)))}")
                continue
            table = Table("option", "takes", "default", title=name, title_justify="left")
            for option in options:
                table.add_row(option.name, escape(option.accepts), escape(option.default))
            console.print(table)
    return 0


def show_studies(*names: str) -> int:
    """List the figures and tables of some studies, or of all."""
    studies = [study_named(name) for name in names or sorted(STUDIES)]
    with page() as console:
        for study in studies:
            console.print(f"[bold]{escape(study.name)}[/bold]: {escape(study.title)}")
            console.print(f"{escape(study.source)}; all of it takes {escape(study.takes)}")
            table = Table("piece", "shows")
            for piece in study.pieces:
                table.add_row(piece.name, escape(piece.words))
            for absent, why in study.absent.items():
                table.add_row(f"[dim]{absent}[/dim]", f"[dim]not made: {escape(why)}[/dim]")
            console.print(table)
    return 0


def _reproduce(options: argparse.Namespace) -> int:
    if options.list:
        return show_studies(*filter(None, [options.study]))
    if options.study is None:
        raise InvalidArgument(
            needs="the name of a study",
            found="got none",
            remedy=f"Studies are {', '.join(sorted(STUDIES))}.",
            where="reproduce",
        )
    study = study_named(options.study)
    pieces = study.chosen(options.figure, options.table)
    if options.model and not study.reads_models:
        raise InvalidArgument(
            needs="a study that reads language models",
            found=f"{study.name} reads none",
            where="--model",
        )
    folder = Path(options.out or f"studies/{study.name}")
    missing: dict[str, MissingDependency] = {}
    with progress(study.name, 1, quiet=options.quiet) as advance:
        request = Request(
            folder,
            scale=options.scale,
            seeds=None if options.seeds is None else _seeds(options.seeds),
            jobs=_jobs(options.jobs),
            on_progress=lambda what, done, total: advance(done, what, total),
            models=tuple(options.model),
        )
        claim_folder(folder, study.name)
        try:
            with interrupts_found():
                made = reproduce(
                    pieces, request, on_missing=lambda piece, why: missing.update({piece.name: why})
                )
        except KeyboardInterrupt:
            return _interrupted(folder)
    for why in () if made else missing.values():
        raise why
    if options.format == "json":
        files = {name: [str(path) for path in paths] for name, paths in made.items()}
        left = {name: str(why) for name, why in missing.items()}
        _print_json({"study": study.name, "folder": str(folder), "files": files, "left_out": left})
    elif not options.quiet:
        table = Table("piece", "shows", "files")
        for piece in pieces:
            names = ", ".join(path.name for path in made.get(piece.name, ()))
            table.add_row(piece.name, escape(piece.words), escape(names or "left out"))
        with page() as console:
            console.print(f"[bold]{escape(study.title)}[/bold], in {escape(str(folder))}")
            console.print(table)
    for name, why in missing.items():
        note(f"{name} was left out: {one_line(str(why))}")
    return EXIT_INCOMPLETE if missing else 0


def _config(path: str, options: argparse.Namespace) -> ExperimentConfig:
    """Read a config, and put in what the command line says instead."""
    config = read_config(path)
    training = config.training
    if options.seeds is not None:
        training = replace(training, seeds=_seeds(options.seeds))
    if getattr(options, "iterations", None) is not None:
        training = replace(training, iterations=options.iterations)
    output = config.output if options.out is None else options.out
    return replace(config, training=training, output=output)


def _seeds(text: str) -> tuple[int, ...]:
    parts = [SPAN.fullmatch(part.strip()) for part in text.split(",")]
    spans = [range(int(part[1]), int(part[2] or part[1]) + 1) for part in parts if part]
    if len(spans) < len(parts) or not all(spans):
        raise InvalidArgument(
            needs="numbers, such as 0,1,2 or 0-9", found=f"got {shown(text)}", where="--seeds"
        )
    if sum(max(0, span.stop - span.start) for span in spans) > MOST_SEEDS:  # len() may overflow
        raise InvalidArgument(
            needs=f"at most {MOST_SEEDS:,} numbers",
            found=f"got {shown(text)}",
            remedy="Train fewer at once.",
            where="--seeds",
        )
    return tuple(seed for span in spans for seed in span)


def _train(options: argparse.Namespace) -> int:
    config = _config(options.config, options)
    try:
        with interrupts_found():
            runs = _trained(config, options)
    except KeyboardInterrupt:
        return _interrupted(Path(config.output))
    except (InvalidArgument, UnsupportedGame) as error:
        raise type(error)(f"{options.config}: {error}") from error
    if options.format == "json":
        _print_json([_run_record(own) for own in runs])
    elif not options.quiet:
        _show_runs(runs)
    failed = [own for own in runs if own.status is not Status.FINISHED or own.message]
    for own in failed:
        why = own.message or "its time was up; the same command goes on."
        note(f"seed {own.seed}: {own.status.value} after {own.iterations} iterations: {why}")
    return EXIT_INCOMPLETE if failed else 0


def _trained(config: ExperimentConfig, options: argparse.Namespace) -> tuple[Run, ...]:
    seeds = config.training.seeds
    if _jobs(options.jobs) != 1:
        with progress("runs", len(seeds), quiet=options.quiet) as advance:
            done: list[Run] = []

            def on_run(found: Run) -> None:
                done.append(found)
                advance(len(done), f"seed {found.seed} {found.status.value}")

            return sweep(config, jobs=options.jobs, on_run=on_run)
    found: list[Run] = []
    total = config.training.iterations
    for seed in seeds:
        with progress(f"seed {seed}", total, quiet=options.quiet) as advance:
            found.append(run(config, seed, on_iteration=_watcher(advance, seed)))
    return tuple(found)


def _rates(options: argparse.Namespace) -> int:
    config = _config(options.config, options)
    configs = [replace(config, game=config.game.replaced(name)) for name in options.game]
    jobs = _jobs(options.jobs)
    rates: list[SuccessRate] = []
    is_interrupted = False
    for own in configs or [config]:
        try:
            count = len(own.training.seeds)
            with (
                interrupts_found(),
                progress(game_name(own), count, quiet=options.quiet) as advance,
            ):
                rates.append(success_rate(own, jobs=jobs, on_run=_run_watcher(advance, jobs)))
        except KeyboardInterrupt:
            rates.append(recorded_rate(own))
            is_interrupted = True
            break
        except (InvalidArgument, UnsupportedGame) as error:
            raise type(error)(f"{options.config}: {error}") from error
    if options.format == "json":
        records = [_rate_record(own) for own in rates]
        _print_json(records if len(configs) > 1 else records[0])
    elif not options.quiet:
        _show_rates(rates)
    for own in rates:
        for seed, why in own.broken.items():
            note(f"seed {seed} of {own.game} broke: {why}")
        if not own.is_complete:
            note(f"{own.game}: the rate rests on {len(own.runs)} of {len(own.seeds)} seeds.")
    if is_interrupted:
        return _interrupted(Path(config.output))
    return 0 if all(own.is_complete for own in rates) else EXIT_INCOMPLETE


def _run_watcher(advance: Advance, jobs: int) -> Callable[[RateProgress], None]:
    """Show progress; as soon as the first run shows how long all will take, say so."""
    at_once = jobs if jobs > 0 else (os.cpu_count() or 1)
    ends: list[float] = [0.0]

    def watch(found: RateProgress) -> None:
        ends.append(found.seconds)
        to_go = found.total - found.done
        left = to_go / at_once * (ends[-1] - ends[-2])
        # the first run of a process also compiles, so that the second tells more; if runs are
        # short, that is, or come one by one
        tells = 2 if at_once == 1 and ends[1] < PATIENCE else 1
        if found.done == tells and left > PATIENCE:
            note(
                f"{to_go} more runs take about {_in_words(left)}; interrupted, the same command "
                "goes on."
            )
        advance(found.done, f"{found.done} of {found.total} runs")

    return watch


def _in_words(seconds: float) -> str:
    hours, minutes = divmod(round(seconds / 60), 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _show_rates(rates: Sequence[SuccessRate]) -> None:
    table = Table("game", "runs", "successes", "95 % (Clopper-Pearson)", "failed seeds")
    for own in rates:
        found = own.interval
        table.add_row(
            escape(own.game),
            str(len(own.runs)),
            str(own.successes),
            f"{found.low:.2%} to {found.high:.2%}",
            _few(own.failed),
        )
    with page() as console:
        console.print(table)


def _few(seeds: Sequence[int]) -> str:
    shown_seeds = ", ".join(map(str, seeds[:MOST_NOTED]))
    return f"{shown_seeds}, ..." if len(seeds) > MOST_NOTED else shown_seeds


def _rate_record(own: SuccessRate) -> dict[str, Any]:
    found = own.interval
    return {
        "game": own.game,
        "seeds": _spans(own.runs),
        "runs": len(own.runs),
        "successes": own.successes,
        "interval": [found.low, found.high],
        "failed": list(own.failed),
        "steps": own.steps,
    }


def _spans(seeds: Sequence[int]) -> str:
    """Write seeds as ``--seeds`` reads them, those in a row as a span."""
    ordered = sorted(seeds)
    starts = [s for s in ordered if s - 1 not in seeds]
    ends = [s for s in ordered if s + 1 not in seeds]
    pairs = zip(starts, ends, strict=True)
    return ",".join(f"{low}-{high}" if low < high else str(low) for low, high in pairs)


def _jobs(asked: int) -> int:
    if asked == 0 or asked < -1:
        raise InvalidArgument(
            needs="at least one run at once, or -1 for as many as there are processors",
            found=f"got {asked}",
            where="--jobs",
        )
    return asked


def _interrupted(folder: Path) -> int:
    """Say how to go on after an interruption, and what is left."""
    is_kept = any(path.is_file() and path.name != OWNER for path in folder.rglob("*"))
    kept = f"runs are kept in {folder}. The same command goes on from there."
    note(f"interrupted: {kept if is_kept else 'nothing was written yet.'}")
    return EXIT_INTERRUPTED


def _watcher(advance: Advance, seed: int) -> OnLearning:
    def watch(progress: LearningProgress) -> None:
        words = [f"{name} {value:.4g}" for name, value in list(progress.metrics.items())[:3]]
        advance(progress.done, f"seed {seed}  {'  '.join(words)}")

    return watch


def _evaluate(options: argparse.Namespace) -> int:
    config = _config(options.config, options)
    judged: dict[int, Appraisal] = {}
    for seed in config.training.seeds:
        learner = trained_learner(config, seed)
        judged[seed] = appraisal_of(config, learner, seed=seed)
        judged[seed].verify()
    if options.format == "json":
        _print_json([{"seed": s, **appraisal_record(found)} for s, found in judged.items()])
        return 0
    with page() as console:
        for seed, found in judged.items():
            console.print(f"[bold]{escape(config.title)}, seed {seed}[/bold]")
            console.print(f"{escape(found.game)}: {escape(one_line(found.method))}")
            console.print(_findings_table(found.findings))
            for certificate in found.certificates:
                console.print(f"[green]verified[/green]: {escape(one_line(certificate.statement))}")
    return 0


def _compare(options: argparse.Namespace) -> int:
    runs: list[Run] = []
    for path in options.config:
        config = _config(path, options)
        for seed in config.training.seeds:
            lines = files_of(config, seed).lines
            if not lines.exists():
                raise InvalidArgument(
                    needs=f"a run of seed {seed} to compare",
                    found=f"there is none in {lines.parent}",
                    remedy=f"Train it first: gametheory train {path}",
                    where=path,
                )
            runs.append(recorded_run(config, seed))
    found = compare(runs, quantity=options.quantity, confidence=options.confidence)
    if options.format == "json":
        rows = [{key: _finite(value) for key, value in row.items()} for row in found.rows()]
        _print_json({"quantity": found.quantity, "confidence": found.confidence, "learners": rows})
    else:
        _show_comparison(found)
    return 0


def _show_comparison(found: Comparison) -> None:
    order = "smallest" if found.small_is_good else "largest"
    interval = f"{found.confidence:.0%} interval over seeds (Student)"
    table = Table(
        "",
        "learner",
        "seeds",
        "mean",
        interval,
        "range",
        "stands as",
        "surely beats next",
        title=f"{found.quantity}, {order} first",
    )
    for own in found.learners:
        seeds = str(own.seeds) + (f" ({own.failed} failed)" if own.failed else "")
        table.add_row(
            str(own.rank),
            escape(own.label),
            seeds,
            f"{own.mean:.6g}",
            f"{own.low:.6g} to {own.high:.6g}" if own.seeds > 1 else "none: one seed",
            f"{own.least:.6g} to {own.most:.6g}",
            own.standing.value,
            "yes" if own.beats_next else "",
        )
    with page() as console:
        console.print(table)


def _show_runs(runs: Sequence[Run]) -> None:
    with page() as console:
        for own in runs:
            console.print(f"[bold]{escape(own.label)}, seed {own.seed}[/bold]: {own.status.value}")
            if own.findings:
                console.print(escape(one_line(own.method)))
                console.print(_findings_table(own.findings))
            console.print(f"[dim]{escape(own.path)}[/dim]")


def _findings_table(findings: Sequence[Finding]) -> Table:
    table = Table("finding", "value", "exact", "stands as")
    for own in findings:
        exact = "" if own.standing is Standing.SAMPLED else str(own.value)
        error = "" if own.standard_error is None else f" +- {own.standard_error:.2g}"
        table.add_row(
            escape(own.name),
            f"{float(own.value):.6g}{error}",
            exact if len(exact) <= 40 else "(long)",  # characters
            own.standing.value,
        )
    return table


def _run_record(own: Run) -> dict[str, Any]:
    found = Appraisal("", own.method, own.findings)
    return {
        "label": own.label,
        "seed": own.seed,
        "status": own.status.value,
        "iterations": own.iterations,
        "path": own.path,
        "message": own.message,
        "quantity": own.quantity,
        "findings": findings_record(found)["findings"],
    }


def _finite(value: Any) -> Any:
    """Leave out bounds that are infinite: JSON has no word for them."""
    return None if isinstance(value, float) and not math.isfinite(value) else value


def _print_json(record: object) -> None:
    print(json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False))
