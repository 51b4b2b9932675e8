"""Normal forms as HTML tables, for notebooks: best responses underlined, equilibria framed."""

from collections.abc import Sequence
from html import escape

import numpy as np

from gametheory_core.arrays import NumberArray
from gametheory_core.games.best_replies import BoolArray, best_replies
from gametheory_core.games.payoff_text import payoff_text
from gametheory_core.labels import shown_players

MOST_ACTIONS = 20  # of a player, in a table
LONGEST_LABEL = 24  # characters
CELL = "text-align:center;padding:0.3em 0.8em"
FRAMED = "outline:2px solid currentColor;outline-offset:-3px"
NOTE = "underlined: best response; framed: equilibrium"


def html_table(
    payoffs: NumberArray,
    *,
    title: str,
    players: Sequence[str],
    actions: Sequence[Sequence[str]],
) -> str:
    """Return a game of one or two players as a table, and of more, or a large one, as a sentence.

    Args:
        payoffs (num_players, *num_actions): Exact or float.
        title: Shown above the table; may be empty.
        players: Labels of the players.
        actions: Labels of their actions.

    Returns:
        HTML in which all labels are escaped; at most 20 x 20 cells.

    >>> table = html_table(np.array([[1.0, 2.0]]), title="", players=["A"], actions=[["<", ">"]])
    >>> "&lt;" in table, table.count("<u>")
    (True, 1)
    """
    if len(players) > 2 or max(payoffs.shape[1:]) > MOST_ACTIONS:
        return _sentence(title, players, actions)
    names = shown_players(players)
    rows = payoffs.reshape(len(players), payoffs.shape[1], -1)
    marks = best_replies(payoffs).reshape(rows.shape)
    if len(players) == 2:
        labels = "".join(_head(label, scope="col") for label in _named(actions[1]))
        top = (
            f"<tr><td></td>{_head(names[1], scope='colgroup', span=len(actions[1]))}</tr>"
            f"<tr>{_head(names[0], scope='col')}{labels}</tr>"
        )
    else:
        top = f"<tr>{_head(names[0], scope='col')}<td></td></tr>"
    body = "".join(
        f"<tr>{_head(label, scope='row')}{_cells(rows[:, a], marks[:, a])}</tr>"
        for a, label in enumerate(_named(actions[0]))
    )
    caption = f"<caption>{_shown(title)}</caption>" if title else ""
    return f"<table>{caption}<thead>{top}</thead><tbody>{body}</tbody></table><small>{NOTE}</small>"


def _cells(payoffs: NumberArray, marks: BoolArray) -> str:
    """Return the cells of one row; ``payoffs[player, column]``."""
    cells: list[str] = []
    for column in range(payoffs.shape[1]):
        texts = [
            f"<u>{payoff_text(payoff)}</u>" if is_best else payoff_text(payoff)
            for payoff, is_best in zip(
                payoffs[:, column].tolist(), marks[:, column].tolist(), strict=True
            )
        ]
        frame = f";{FRAMED}" if np.all(marks[:, column]) else ""
        cells.append(f'<td style="{CELL}{frame}">{", ".join(texts)}</td>')
    return "".join(cells)


def _head(label: str, *, scope: str, span: int = 1) -> str:
    across = f' colspan="{span}"' if span > 1 else ""
    return f'<th scope="{scope}"{across} style="{CELL}">{_shown(label)}</th>'


def _named(labels: Sequence[str]) -> list[str]:
    """Number the unnamed."""
    return [label or f"#{number}" for number, label in enumerate(labels, start=1)]


def _sentence(title: str, players: Sequence[str], actions: Sequence[Sequence[str]]) -> str:
    """Say how large the game is."""
    named = [
        f"{_shown(player)} ({len(own):,} action{'' if len(own) == 1 else 's'})"
        for player, own in zip(shown_players(players), actions, strict=True)
    ]
    if len(named) > MOST_ACTIONS:
        named[MOST_ACTIONS:] = [f"and {len(named) - MOST_ACTIONS} more players"]
    return f"<p><b>{_shown(title or 'Normal-form game')}</b>: {', '.join(named)}</p>"


def _shown(label: str) -> str:
    line = " ".join(label.split())
    if len(line) > LONGEST_LABEL:
        line = line[: LONGEST_LABEL - 1] + "\N{HORIZONTAL ELLIPSIS}"
    return escape(line)
