"""``explore(game)``: the game, its certified solutions, and room to try profiles, as one page.

The page holds the records that files hold, with rationals as texts: the game once, and each answer
as ``solve`` writes it. So whatever is saved from the page can be verified without it.
"""

import json
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, cast

from gametheory_core.arguments import require_instance
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.formats.checked_json import rational_text
from gametheory_core.formats.game_records import game_record
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import has_perfect_recall
from gametheory_core.loading import load_game
from gametheory_core.strategies.behavioral import BehavioralProfile
from gametheory_core.strategies.correlated import CorrelatedDistribution
from gametheory_core.strategies.mixed import MixedProfile
from solvers.answer import Answer
from solvers.explorer.answers import Given, answer_from, answers_to
from solvers.explorer.page import HERE, MOST_BYTES, ExplorerPage, file_name, page_of
from solvers.results.presented import solution_table
from solvers.solution import Budget

MOST_NODES = 40_000  # of a tree that rules are unfolded to
TIMES = " \N{MULTIPLICATION SIGN} "
USUAL = Budget(seconds=20)
SCRIPTS = tuple(
    (HERE, f"{name}.js")
    for name in (
        "arithmetic",
        "elements",
        "matrix_game",
        "tree_game",
        "profiles",
        "matrix_view",
        "tree_layout",
        "tree_view",
        "profile_view",
        "plots",
        "solutions_view",
        "game_page",
    )
)
_DRAWN = (MixedProfile, BehavioralProfile, CorrelatedDistribution)  # the page shows them itself
_SMALLER = (
    "Give a smaller game: iterated_dominance(game) removes actions, and a subgame is a tree of "
    "its own. gametheory solve answers about games of any size."
)
_SHORTER = (
    "Give a game with an earlier end: stop_posg(game, steps=N), or gametheory "
    "convert GAME short.efg --horizon N, and explore that."
)


def explore(
    game: Any,
    *,
    solutions: Given | Sequence[Given] = (),
    concepts: Sequence[str] | None = None,
    budget: Budget = USUAL,
) -> ExplorerPage:
    """Make a page in which a person looks at a game and at its solutions.

    Args:
        game: A normal form or a tree; rules with an end are unfolded to a tree of at most 40,000
            nodes, and Bayesian and security games become normal forms. A text is the name of a file
            or of a game of the catalogue.
        solutions: Of this game, as solvers return them: an ``Answer``, ``Solution`` or
            ``SolutionSet``, or several.
        concepts: What is solved for besides. Default: all Nash equilibria where that is feasible,
            else one, and what else fits the game; nothing if solutions are given.
        budget: For all that is solved for together. What is not found in it, the page says.

    Returns:
        ``page.save("game.html")`` writes it; it is less than 5 MB and loads nothing.

    Raises:
        UnsupportedGame: If the game has no end, or is too large for a page, or cannot be solved for
            one of the concepts that are named.
        InvalidArgument: If a solution is one of another game, or there is no such concept.

    >>> page = explore("prisoners_dilemma")
    >>> page.name, page.html.startswith("<!DOCTYPE html>")
    ('prisoner-s-dilemma', True)
    """
    require_instance(budget, Budget, name="budget")
    table = _table(load_game(game) if isinstance(game, str | Path) else game)
    several = solutions if isinstance(solutions, list | tuple) else (solutions,)
    given = [answer_from(table, own) for own in cast("Sequence[Given]", several)]
    record = game_record(table)
    room = MOST_BYTES - len(json.dumps(record))
    if room <= 0:
        raise UnsupportedGame(
            needs=f"a game of at most {MOST_BYTES:,} bytes, written as JSON",
            found=f"{table!r} has {MOST_BYTES - room:,}",
            remedy=_SMALLER,
        )
    found, notes = answers_to(
        table, None if concepts is None and not given else concepts or (), budget
    )
    return _page(table, record, (*given, *found), notes)


def _table(game: Any) -> NormalFormGame | ExtensiveFormGame:
    """Return the game as a matrix or a tree."""
    if isinstance(game, NormalFormGame | ExtensiveFormGame):
        return game
    from gametheory_core.commands.arguments import KINDS, RULES, kind_of  # noqa: PLC0415 loads rich
    from gametheory_core.commands.convert import MAX_PROFILES, MAX_STATES, Limits, converted  # noqa: PLC0415 loads rich

    if isinstance(game, type) or not hasattr(game, "players"):
        raise InvalidArgument(
            needs="a game",
            found=f"got {game!r} (type {type(game).__name__})",
            remedy="load_game reads one from a file or by name.",
            where="explore",
        )
    kind = kind_of(game)
    limits = Limits(MOST_NODES, MAX_STATES, MAX_PROFILES)
    if kind not in KINDS:
        raise UnsupportedGame(
            needs="a game that is a matrix or a tree, or becomes one",
            found=f"got {game!r}",
            remedy="Solve it: solve(game, concept), or gametheory solve GAME.",
            where="explore",
        )
    try:
        return converted(game, "efg" if kind in RULES else "nfg", limits)
    except UnsupportedGame as error:
        raise error.changed(remedy=_SHORTER if kind in RULES else _SMALLER) from error


def _page(
    game: NormalFormGame | ExtensiveFormGame,
    record: dict[str, Any],
    answers: Sequence[Answer],
    notes: Sequence[str],
) -> ExplorerPage:
    """Put in all answers for which there is room."""
    title = game.title or "Untitled game"
    data: dict[str, Any] = {
        "page": "game",
        "slug": file_name(title),
        "game": record,
        "perfect_recall": isinstance(game, NormalFormGame) or bool(has_perfect_recall(game)),
        "answers": [],
        "notes": list(notes),
    }
    room = MOST_BYTES * 0.95 - len(json.dumps(record))
    for answer in answers:
        written = _written(game, answer)
        room -= len(json.dumps(written))
        if room < 0:
            words = (
                f"The answer to {answer.concept} is left out, because the page would be too large."
            )
            data["notes"].append(words)
            room += len(json.dumps(written))
        else:
            data["answers"].append(written)
    return page_of(
        data,
        SCRIPTS,
        title=title,
        subtitle=_sizes(game),
        footer=f"Game {game.digest}",
        remedy=_SMALLER,
        notes=tuple(data["notes"]),
    )


def _written(game: Any, answer: Answer) -> dict[str, Any]:
    """Return an answer as its file has it, without the game, which stands in the page once.

    Answers that are no profile get a table to be shown.
    """
    record = answer.to_record()
    del record["game"]["record"]
    for own, solution in zip(record["solutions"], answer.solutions, strict=True):
        if not isinstance(solution.profile, _DRAWN):
            table = solution_table(game, solution, full=False)
            own["table"] = {
                "columns": list(table.columns),
                "rows": [[_cell(cell) for cell in row] for row in table.rows],
            }
    return record


def _cell(cell: Any) -> str:
    return rational_text(cell) if isinstance(cell, Fraction) else str(cell)


def _sizes(game: NormalFormGame | ExtensiveFormGame) -> str:
    players = f"{game.num_players} player{'s' * (game.num_players != 1)}"
    if isinstance(game, NormalFormGame):
        return f"Normal form, {players}, {TIMES.join(map(str, game.num_actions))} actions"
    sets = game.num_decision_infosets
    return f"Tree, {players}, {game.num_nodes:,} nodes, {sets:,} information set{'s' * (sets != 1)}"
