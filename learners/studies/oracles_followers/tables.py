"""Tables 1 to 4: payoffs, approaches, and options."""

from collections.abc import Sequence
from typing import Any

from gametheory_core.catalog import ordinal
from gametheory_core.games.normal_form import NormalFormGame
from learners import leaders
from learners.studies.files import csv_bytes
from learners.studies.oracles_followers.settings import settings, stage_games
from learners.studies.registry import Files, Request
from solvers.many_players import pure
from solvers.stackelberg import strong_stackelberg

PAYOFFS = (
    "game",
    "leader plays",
    "follower plays",
    "leader",
    "follower",
    "is a Nash equilibrium",
    "is the best commitment",
)
APPROACHES = ("follower oracle", "leader learns by", "in the paper", "here")
OPTIONS = ("options", "option", "paper", "default here")


def _cells(games: Sequence[NormalFormGame]) -> list[tuple[Any, ...]]:
    """Return a row for each outcome: what is paid, and whether it is what solvers find."""
    rows: list[tuple[Any, ...]] = []
    for game in games:
        equilibria = [own.profile.strategies for own in pure(game).equilibria]
        committed = strong_stackelberg(game).profile.strategies
        for i, own in enumerate(game.actions[0]):
            for j, other in enumerate(game.actions[1]):
                is_equilibrium = any(row[i] == column[j] == 1 for row, column in equilibria)
                is_committed = bool(committed[0][i] == committed[1][j] == 1)
                paid = [int(side[i, j]) for side in game.payoffs]
                rows.append((game.title, own, other, *paid, is_equilibrium, is_committed))
    return rows


def make_table_1(request: Request) -> Files:
    """Make table 1: the battle of the sexes, its pure equilibria, and the best commitment."""
    del request
    return {"table-1.csv": csv_bytes(PAYOFFS, _cells([ordinal.small_battle_of_the_sexes()]))}


def make_table_2(request: Request) -> Files:
    """Make table 2: approaches, and what stands for each of them here."""
    del request
    rows = [
        (own.oracle, own.leader, own.paper, ", ".join(own.here)) for own in settings().approaches
    ]
    return {"table-2.csv": csv_bytes(APPROACHES, rows)}


def make_table_3(request: Request) -> Files:
    """Make table 3: payoffs of all games, from the catalogue."""
    del request
    games = [getattr(ordinal, name)() for name in stage_games()]
    games += [ordinal.small_battle_of_the_sexes(), ordinal.modified_prisoners_dilemma()]
    return {"table-3.csv": csv_bytes(PAYOFFS, _cells(games))}


def make_table_4(request: Request) -> Files:
    """Make table 4: options of the paper, and defaults here."""
    del request
    rows = [
        (own.of, option, value, getattr(getattr(leaders, f"{own.of}Options"), option))
        for own in settings().hyperparameters
        for option, value in own.paper.items()
    ]
    return {"table-4.csv": csv_bytes(OPTIONS, rows)}
