"""Figure 5: who moves after whom, in games by turns."""

from collections.abc import Mapping
from typing import Any

from gametheory_core.conversions import aec_to_tabular, posg_to_aec
from gametheory_core.games.rule_properties import turn_shares
from gametheory_core.games.rules import AEC
from gametheory_core.loading import load_game
from learners.studies.files import csv_bytes, png_bytes
from learners.studies.registry import Files, Request

COLUMNS = ("game", "mover", "moves next", "share")


def shown_games() -> Mapping[str, AEC]:
    """Return a game in strict turns, as chess is, one of moves at once, and two of other orders."""
    battle: Any = load_game("repeated_battle_of_the_sexes")
    found: dict[str, Any] = {
        "in turns": load_game("take_away:piles=2,tokens=6"),
        "at once, as turns": posg_to_aec(battle).target,
        "turns that skip and reverse": load_game("reversing_order"),
        "drawn order": load_game("random_order_team"),
    }
    return found


def make_figure(request: Request) -> Files:
    """Make figure 5."""
    from gametheory_core.figures import draw_cycle  # noqa: PLC0415 matplotlib
    from learners.studies.panels import panels  # noqa: PLC0415 matplotlib

    del request
    games = shown_games()
    figure, axes = panels(len(games), columns=2, width=5.6, height=5.8)
    rows: list[tuple[Any, ...]] = []
    for (words, game), ax in zip(games.items(), axes, strict=True):
        draw_cycle(game, ax=ax)
        shares = turn_shares(aec_to_tabular(game).target)
        names = ("chance", *game.players)
        rows += [
            (words, mover, follower, shares[j, k])
            for j, mover in enumerate(names)
            for k, follower in enumerate(names)
            if shares[j, k]
        ]
    return {"figure-5.csv": csv_bytes(COLUMNS, rows), "figure-5.png": png_bytes(figure)}
