"""Matches of the study, played or read back: of agents against all bots, and of bots with bots.

Matches are in ``runs`` in the folder of the study, one JSON-lines file for each agent and seed, as
``evaluate_bot`` writes them, and for each seed a tournament of all bots. What was trained is there,
too. A larger amount goes on from what is there.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, cast

import numpy as np

from learners.options import KINDS
from learners.roshambo.tournaments.evaluation import evaluate_bot
from learners.roshambo.tournaments.makers import Maker
from learners.roshambo.tournaments.payoff_tables import PayoffTable
from learners.roshambo.tournaments.tournaments import tournament
from learners.studies.files import written_once
from learners.studies.parallel import in_parallel
from learners.studies.registry import Request
from learners.studies.rrps.agents import Trained
from learners.studies.rrps.settings import Row, population, seeds_of, settings

LEAST = 2  # matches of a pair, so that errors are known


def is_trained(row: Row) -> bool:
    """Return whether a row's agent learns from a seed before it is judged."""
    return isinstance(row.agent, tuple(KINDS[Trained]))


def seeded(name: str, seed: int) -> str:
    """Return how an agent with a seed is called in tables of payoffs.

    >>> seeded("RM, R = 0", 3)
    'RM, R = 0, seed 3'
    """
    return f"{name}, seed {seed}"


def played(rows: Iterable[Row], request: Request, *, matches: int | None = None) -> PayoffTable:
    """Let agents play all bots, but for matches that are there, and return what they are paid.

    Args:
        matches: With each bot, for each seed, at scale 1; by default those of the settings.

    Returns:
        A row for each agent and seed, called as ``seeded`` says.
    """
    seeds, bots = seeds_of(request), population()
    count = request.scaled(matches or settings().matches, least=LEAST)
    own = [row for row in rows if row.agent is not None]
    files = _trained(own, bots, request)
    returns: dict[str, Any] = {}
    for row in own:
        for seed in seeds:
            name = seeded(row.name, seed)
            request.on_progress(f"matches: {name}", len(returns), len(own) * len(seeds))
            file = files.get(name)
            record = runs_folder(request) / f"{slug(name if file is None else file.stem)}.jsonl"
            if file is None:
                maker = cast("Maker", row.agent)
                scores = evaluate_bot(
                    maker, bots, matches=count, seed=seed, jobs=request.jobs, file=record
                )
            else:
                scores = cast("Trained", row.agent).scores(
                    file,
                    bots,
                    matches=count,
                    seed=settings().judging_seed,
                    record=record,
                    jobs=request.jobs,
                )
            returns[name] = scores.returns
    return PayoffTable.from_returns(tuple(returns), tuple(bots), np.array(list(returns.values())))


def runs_folder(request: Request) -> Path:
    """Return where matches and what was trained are kept; it is made."""
    folder = request.folder / "runs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def slug(name: str) -> str:
    """Return a name as one of a file.

    >>> slug("QL (R = 1)")
    'QL_R_1_'
    """
    return re.sub(r"[^A-Za-z0-9+.-]+", "_", name)


def _trained(rows: Sequence[Row], bots: Mapping[str, Maker], request: Request) -> dict[str, Path]:
    """Train what is not there, and return the files by the names of agents with seeds."""
    files: dict[str, Path] = {}
    orders: list[tuple[Any, ...]] = []
    for row in filter(is_trained, rows):
        agent = cast("Trained", row.agent)
        episodes = request.scaled(agent.episodes)
        for seed in seeds_of(request):
            name = seeded(row.name, seed)
            file = runs_folder(request) / f"{slug(name)}_episodes_{episodes}{agent.suffix}"
            files[name] = file
            orders.append((agent, file, bots, episodes, seed))
    in_parallel(_train, orders, request, what="training")
    return files


def _train(agent: Trained, file: Path, bots: Mapping[str, Maker], episodes: int, seed: int) -> None:
    written_once(file, partial(agent.train, bots=bots, episodes=episodes, seed=seed))


def pairs(request: Request) -> PayoffTable:
    """Return what all bots are paid by each other, over the matches of all seeds."""
    bots = population()
    matches = request.scaled(settings().pair_matches, least=LEAST)
    returns: list[Any] = []
    for seed in seeds_of(request):
        found = tournament(
            bots,
            bots,
            episodes=matches,
            seed=seed,
            jobs=request.jobs,
            folder=runs_folder(request) / f"pairs_seed_{seed}",
            on_match=lambda done, total, words: request.on_progress(f"pairs: {words}", done, total),
        )
        returns.append(found.returns)
    return PayoffTable.from_returns(tuple(bots), tuple(bots), np.concatenate(returns, axis=2))


def record_played(request: Request) -> PayoffTable:
    """Return what the record agent is paid by each bot."""
    return played([record_row()], request)


def record_row() -> Row:
    """Return the record agent as a row."""
    record = settings().record
    return Row(record.name, record.agent)
