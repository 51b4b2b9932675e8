r"""Gambit's ``.nfg`` files: normal-form games, with payoffs cell by cell or by outcomes.

    NFG 1 R "title" { "P1" "P2" } { { "a" "b" } { "c" "d" } } "comment"
    { { "outcome 1" 3 0 } { "outcome 2" 1/2 0.25 } ... }     (outcome version only)
    numbers: all players' payoffs of each cell; or the outcome of each cell, 0 for nothing

The first player's action varies fastest.
"""

from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ZERO, ExactArray
from gametheory_core.formats.gambit_text import DuplicateLabels, Reader, quoted
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import numbered_labels

MOST_PLAYERS = 63  # numpy arrays have at most 64 axes


def parse_nfg(
    content: str,
    *,
    name: str = "text",
    duplicates: DuplicateLabels = DuplicateLabels.REFUSE,
) -> NormalFormGame:
    """Read a game from the text of a ``.nfg`` file.

    Args:
        name: What messages call the file.
        duplicates: What to do when two things share a label.

    Raises:
        MalformedFile: With line and column, what was expected and what was found.

    >>> parse_nfg('NFG 1 R "" { "A" "B" } { 1 2 } 1/3 0 0 0.1').exact_payoffs[1, 0, 1]
    Fraction(1, 10)
    """
    reader = Reader(content, name=name, duplicates=duplicates)
    title, players = reader.header("NFG", version="1")
    if len(players) > MOST_PLAYERS:
        reader.fail(f"at most {MOST_PLAYERS} players before", found=f"{len(players)}")
    actions = _actions(reader, len(players))
    if reader.at_text:
        reader.text("a comment")
    shape = tuple(len(labels) for labels in actions)
    num_cells = int(np.prod(shape, dtype=object))
    if reader.at_brace("{"):
        cells = _cells_by_outcome(reader, num_cells, len(players))
    else:
        cells = [
            [
                reader.number(f"payoff of player {i + 1} in cell {cell + 1} of {num_cells}")
                for i in range(len(players))
            ]
            for cell in range(num_cells)
        ]
    reader.finish()
    flat = np.empty((num_cells, len(players)), dtype=object)
    for cell, payoffs in enumerate(cells):
        flat[cell] = payoffs
    payoffs = flat.reshape((*shape[::-1], len(players))).T
    return NormalFormGame(players, actions, payoffs, title)


def _actions(reader: Reader, num_players: int) -> tuple[tuple[str, ...], ...]:
    reader.brace("{", "before the strategies")
    actions: list[tuple[str, ...]] = []
    for player in range(num_players):
        owner = f"player {player + 1}"
        if reader.at_brace("{"):
            labels = reader.texts(f"strategies of {owner}")
            if not labels:
                reader.fail(f"at least one strategy of {owner}")
            actions.append(reader.labels(labels, kind="strategy", owner=owner))
        else:
            what = f"the number of strategies of {owner}, no more than there are numbers to come"
            count = reader.integer(what, least=1, most=max(1, reader.words_left))
            actions.append(numbered_labels(count))
    reader.brace("}", f"after the strategies of {num_players} players")
    return tuple(actions)


def _cells_by_outcome(reader: Reader, num_cells: int, num_players: int) -> list[list[Fraction]]:
    outcomes: list[list[Fraction]] = [[ZERO] * num_players]
    reader.brace("{", "before the outcomes")
    while not reader.at_brace("}"):
        reader.brace("{", f"before outcome {len(outcomes)}, or '}}' after the last")
        if reader.at_text:
            reader.text("the name of the outcome")
        outcomes.append(
            [
                reader.number(f"payoff of player {i + 1} in outcome {len(outcomes)}")
                for i in range(num_players)
            ]
        )
        reader.brace("}", f"after {num_players} payoffs")
    reader.brace("}", "after the outcomes")
    return [
        outcomes[
            reader.integer(
                f"the outcome of cell {cell + 1} of {num_cells}", least=0, most=len(outcomes) - 1
            )
        ]
        for cell in range(num_cells)
    ]


def format_nfg(game: NormalFormGame) -> str:
    """Write a game as the text of a ``.nfg`` file, payoff version, numbers as rationals."""
    players = " ".join(map(quoted, game.players))
    actions = " ".join("{ " + " ".join(map(quoted, own)) + " }" for own in game.actions)
    cells: ExactArray = game.exact_payoffs.T.reshape(-1, game.num_players)
    rows = "\n".join(" ".join(map(str, cell)) for cell in cells)
    return f"NFG 1 R {quoted(game.title)} {{ {players} }}\n\n{{ {actions} }}\n\n{rows}\n"
