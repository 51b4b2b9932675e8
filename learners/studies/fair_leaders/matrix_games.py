"""Figures 3, 4 and 6: how fair leaders become in the dilemma and in Chicken.

Tables 2 and 3: what a round of these games pays.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from gametheory_core.mediation.catalog import mediated_chicken, mediated_prisoners_dilemma
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.game import MediatedGame
from learners.experiments.setup import game_of
from learners.studies.curves import (
    CurveFigure,
    End,
    Level,
    curve_files,
    curves_of,
    end_files,
    ends_of,
    experiment,
)
from learners.studies.fair_leaders.settings import settings
from learners.studies.files import csv_bytes
from learners.studies.registry import Files, Request
from solvers.mediation import fair_optimum, jam_value_iteration

PAYOFFS = ("leader plays", "leader", "follower")


def by_players(figure: CurveFigure, request: Request) -> list[CurveFigure]:
    """Return a figure for each number of players, in which all of them lead in turn."""
    groups: dict[int, dict[str, Any]] = defaultdict(dict)
    for game, table in figure.games.items():
        groups[mediated(figure, game, request).num_players][game] = table
    name = settings().in_turn
    found: list[CurveFigure] = []
    for players, games in groups.items():
        learners = dict(figure.learners)
        if name in learners:
            options = {**learners[name].learner, "order": list(range(players))}
            learners[name] = replace(learners[name], learner=options)
        found.append(replace(figure, games=games, learners=learners))
    return found


def mediated(figure: CurveFigure, game: str, request: Request) -> MediatedGame:
    """Return a game of a figure."""
    return game_of(experiment(figure, game, next(iter(figure.learners)), request).game)


def optima(figure: CurveFigure, request: Request) -> list[Level]:
    """Return what the fairest play of each game is worth, exactly."""
    return [
        Level(game, "exact optimum", float(fair_optimum(mediated(figure, game, request)).fairness))
        for game in figure.games
    ]


def rounds(figure: CurveFigure, request: Request) -> list[End]:
    """Return what exact rounds of agents and mediator reach."""
    return [
        End(
            game,
            f"{stage.name.lower().replace('_', '-')}, exact",
            (float(jam_value_iteration(mediated(figure, game, request), stage=stage).fairness),),
        )
        for game in figure.games
        for stage in MediatorStage
    ]


def _sorted(ends: Iterable[End], figure: CurveFigure) -> list[End]:
    games = list(figure.games)
    return sorted(ends, key=lambda own: games.index(own.game))


def make_figure_3(request: Request) -> Files:
    """Make figure 3."""
    own = settings().matrix
    found = [end for part in by_players(own, request) for end in ends_of(part, "fairness", request)]
    ends = _sorted([*found, *rounds(own, request)], own)
    return end_files("figure-3", ends, own.axes.y_label, levels=optima(own, request))


def _curves(name: str, figure: CurveFigure, request: Request) -> Files:
    curves = [one for part in by_players(figure, request) for one in curves_of(part, request)]
    return curve_files(name, curves, figure.axes, levels=optima(figure, request))


def make_figure_4(request: Request) -> Files:
    """Make figure 4."""
    return _curves("figure-4", settings().matrix, request)


def make_figure_6(request: Request) -> Files:
    """Make figure 6."""
    return _curves("figure-6", settings().updates, request)


def _payoffs(name: str, game: MediatedGame) -> Files:
    state = game.state_index[game.states[0]]
    rows: list[tuple[Any, ...]] = []
    for action in game.legal(state, 0):
        leader, follower = game.rewards[game.row(state, 0, action)].tolist()
        rows.append((game.actions[0][action], leader, follower))
    return {f"{name}.csv": csv_bytes(PAYOFFS, rows)}


def make_table_2(request: Request) -> Files:
    """Make table 2."""
    del request
    return _payoffs("table-2", mediated_prisoners_dilemma())


def make_table_3(request: Request) -> Files:
    """Make table 3."""
    del request
    return _payoffs("table-3", mediated_chicken())
