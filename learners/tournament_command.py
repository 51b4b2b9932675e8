"""``gametheory tournament AGENT ...``: agents against a population, ranked.

Exit codes are those of ``gametheory``.
"""

import argparse
import csv
import io
import json
import signal
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

from rich.markup import escape
from rich.table import Table

from gametheory_core.arguments import number_of, require_integer, require_number
from gametheory_core.command_line import note, one_line, page, progress, write_out
from gametheory_core.errors import InvalidArgument, MissingDependency, naming
from gametheory_core.formats.files import write_bytes
from gametheory_core.interrupts import interrupts_found
from gametheory_core.memory import MORE
from learners.roshambo.tournaments.entrants import (
    AGENTS,
    POPULATIONS,
    agents_named,
    population_named,
)
from learners.roshambo.tournaments.makers import Maker
from learners.roshambo.tournaments.payoff_tables import PayoffTable, Standing
from learners.roshambo.tournaments.tournaments import SECONDS, Tournament, count_matches, tournament

INSTEAD = "embedded"  # the population where OpenSpiel is not installed
ERROR = 0.05  # of a claim that one dominates another surely
MOST_NOTED = 5  # agents whose forfeits are told one by one

WORDS = {"throws": "--throws", "episodes": "--episodes", MORE: "memory_limit(...) in Python"}


def add_tournament(parser: argparse.ArgumentParser) -> None:
    """Add the options of the command."""
    parser.description = (
        "Let agents play repeated rock-paper-scissors against each bot of a population. An agent "
        f"is {', '.join(sorted(AGENTS))}, a bot of the population, file.py:NAME, a class with "
        "reset(seed) and throw(own, other), run:FOLDER/seed-N, what a run learned, or mine.zip of "
        "a predictor."
    )
    parser.add_argument("agents", metavar="AGENT", nargs="*", help="who plays; several are ranked")
    parser.add_argument("--all", action="store_true", help="all bots of the population, as agents")
    parser.add_argument(
        "--population",
        default="open_spiel",
        metavar="NAME",
        help=f"{', '.join(sorted(POPULATIONS))}, or file.py:NAME, a list or mapping (open_spiel)",
    )
    whole: dict[str, tuple[int, str]] = {
        "episodes": (20, "matches of each pair (20)"),
        "seed": (0, "of all that is random (0)"),
        "throws": (1000, "in a match (1000)"),
        "jobs": (1, "processes; -1 for all processors (1)"),
    }
    for name, (default, words) in whole.items():
        parser.add_argument(f"--{name}", type=int, default=default, metavar="N", help=words)
    parser.add_argument(
        "--seconds-per-match",
        type=float,
        default=SECONDS,
        metavar="S",
        help=f"that a bot may take; who takes longer forfeits the match ({SECONDS:g})",
    )
    parser.add_argument("--out", metavar="FOLDER", help="where matches are kept, and tables made")
    parser.add_argument("--quiet", action="store_true", help="no progress and no table")
    parser.add_argument(
        "--format", choices=["text", "json"], default="text", help="what to print (text)"
    )
    parser.set_defaults(run=_tournament, words={"agents": sorted(AGENTS)})


def _tournament(options: argparse.Namespace) -> int:
    _check(options)
    asked = options.population
    options.population, population = _population(asked, options.throws)
    agents = _agents(options, population, is_instead=options.population != asked)
    if options.all:
        agents |= {name: maker for name, maker in population.items() if name not in agents}
    if not agents:
        raise InvalidArgument(
            needs="somebody to play",
            found="there is no AGENT",
            remedy=f"Name one, such as {min(AGENTS)}, or give --all.",
            where="tournament",
        )
    try:
        with interrupts_found(), _ended_by_sigterm(), naming(WORDS):
            played = _played(options, agents, population)
    except KeyboardInterrupt:
        kept = f"matches are kept in {options.out}. The same command goes on from there."
        note(f"interrupted: {kept if options.out else 'nothing is kept without --out.'}")
        return 130
    table = played.table
    record = _record(options, played, table)
    if options.out:
        _write(Path(options.out), record, table)
    if options.format == "json":
        write_out(_json(record))
    elif not options.quiet:
        _show(options, played, table)
    _tell_forfeits(played)
    return 0


def _played(
    options: argparse.Namespace, agents: Mapping[str, Maker], population: Mapping[str, Maker]
) -> Tournament:
    total = count_matches(agents, population, options.episodes)
    with progress("matches", total, quiet=options.quiet) as advance:
        return tournament(
            agents,
            population,
            episodes=options.episodes,
            seed=options.seed,
            throws=options.throws,
            seconds=options.seconds_per_match,
            jobs=options.jobs,
            folder=options.out,
            on_match=lambda done, _, words: advance(done, words),
        )


@contextmanager
def _ended_by_sigterm() -> Generator[None]:
    """Let SIGTERM do inside what Ctrl-C does: matches are kept, and processes ended."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _check(options: argparse.Namespace) -> None:
    for name, low in (("episodes", 1), ("seed", 0), ("throws", 1), ("jobs", -1)):
        value = getattr(options, name)
        require_integer(value, name=f"--{name}", low=low, where="tournament")
    require_number(
        options.seconds_per_match, name="--seconds-per-match", above=0, where="tournament"
    )
    if not options.jobs:
        raise InvalidArgument(needs="at least one process, or -1", found="got --jobs 0")


def _population(name: str, throws: int) -> tuple[str, Mapping[str, Any]]:
    try:
        return name, population_named(name, throws=throws)
    except MissingDependency as absent:
        if name == INSTEAD:
            raise
        note(f"{absent} The population {INSTEAD} plays instead.")
        return INSTEAD, population_named(INSTEAD, throws=throws)


def _agents(
    options: argparse.Namespace, population: Mapping[str, Any], *, is_instead: bool
) -> dict[str, Any]:
    chosen: list[str] = options.agents
    try:
        return agents_named(chosen, population)
    except InvalidArgument as refusal:
        if not is_instead or refusal.where != "AGENT":
            raise
        why = "If it is a bot of OpenSpiel's, install OpenSpiel, as is said above."
        raise refusal.changed(remedy=f"{why} {refusal.remedy}") from None


def _record(options: argparse.Namespace, played: Tournament, table: PayoffTable) -> dict[str, Any]:
    """Return what is printed and written as JSON, agents in the order of the ranking."""
    return {
        "agents": [_agent_record(own, played, table) for own in table.ranking()],
        "population": options.population,
        "episodes": options.episodes,
        "throws": options.throws,
        "seed": options.seed,
        "seconds_per_match": options.seconds_per_match,
        "forfeits": [vars(own) for own in played.forfeits],
    }


def _agent_record(own: Standing, played: Tournament, table: PayoffTable) -> dict[str, Any]:
    errors = table.standard_errors
    row = table.agents.index(own.agent)
    record: dict[str, Any] = {
        "name": own.agent,
        "mean": own.population_return,
        "standard_error": own.standard_error,
        "by_bot": table.means_of(own.agent),
        "within_population_exploitability": own.exploitability,
        "exploitability_bias": own.bias,
        "cross_fitted_exploitability": own.cross_fitted,
        "aggregate_score": own.aggregate_score,
        "nemesis": own.nemesis,
        "dominates": list(table.dominated(own.agent)),
        "forfeits": _forfeits_of(own.agent, played),
    }
    if errors is not None:
        record["standard_errors"] = dict(zip(table.bots, errors[row].tolist(), strict=True))
        record["dominates_surely"] = list(table.dominated(own.agent, error=ERROR))
    return record


def _forfeits_of(agent: str, played: Tournament) -> int:
    return sum(own.agent == agent and own.side == "agent" for own in played.forfeits)


def _json(record: Mapping[str, Any]) -> str:
    return json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def _write(folder: Path, record: Mapping[str, Any], table: PayoffTable) -> None:
    files = {
        "results.json": _json(record),
        "payoffs.json": table.to_json(),
        "payoffs.csv": table.to_csv(),
        "ranking.csv": _ranking_csv(cast("list[dict[str, Any]]", record["agents"])),
    }
    for name, text in files.items():
        write_bytes(text.encode(), folder / name)
    try:
        from learners.figures import payoff_table_png  # noqa: PLC0415 loads matplotlib
    except MissingDependency as absent:
        note(f"no picture is drawn: {absent}")
        return
    write_bytes(payoff_table_png(table), folder / "payoffs.png")


def _ranking_csv(agents: list[dict[str, Any]]) -> str:
    text = io.StringIO()
    columns = [key for key, value in agents[0].items() if not isinstance(value, dict | list)]
    writer = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    writer.writeheader()
    writer.writerows(agents)
    return text.getvalue()


def _show(options: argparse.Namespace, played: Tournament, table: PayoffTable) -> None:
    bots, episodes = number_of(len(table.bots), "bot"), number_of(table.matches, "episode")
    shown = Table(
        "",
        "agent",
        "population return",
        "exploitability",
        "its bias, at most",
        "cross-fitted",
        "aggregate score",
        "nemesis",
        "dominates",
        "forfeits",
        title=f"{escape(options.population)}: {bots}, {episodes} of {options.throws:,} throws each",
    )
    for rank, own in enumerate(table.ranking(), start=1):
        error = "" if own.standard_error is None else f" +- {own.standard_error:.1f}"
        below = len(table.dominated(own.agent))
        surely = 0
        if below and table.standard_errors is not None:
            surely = len(table.dominated(own.agent, error=ERROR))
        shown.add_row(
            str(rank),
            escape(own.agent),
            f"{own.population_return:.1f}{error}",
            f"{own.exploitability:.1f}",
            "" if own.bias is None else f"{own.bias:.1f}",
            "" if own.cross_fitted is None else f"{own.cross_fitted:.1f}",
            f"{own.aggregate_score:.1f}",
            escape(own.nemesis),
            f"{below} ({surely} surely)" if below else "",
            str(_forfeits_of(own.agent, played) or ""),
        )
    with page() as console:
        console.print(shown)
        if options.out:
            console.print(f"[dim]{escape(str(options.out))}[/dim]")


def _tell_forfeits(played: Tournament) -> None:
    """Say on stderr who forfeited how often, and how the first match went."""
    by_loser: dict[str, list[Any]] = {}
    for own in played.forfeits:
        loser = f"the {own.side} {own.loser}" if own.side else "nobody"
        by_loser.setdefault(loser, []).append(own)
    for loser, all_own in list(by_loser.items())[:MOST_NOTED]:
        first = all_own[0]
        note(
            f"{loser} forfeits, times {len(all_own)}; the first, {first.agent} - {first.bot}, "
            f"match {first.match}: {one_line(first.why)}"
        )
    if len(by_loser) > MOST_NOTED:
        note(f"{len(by_loser) - MOST_NOTED} more forfeit matches")
