"""Payoffs as people read them: exact where that is short, else rounded and marked as such.

Notebooks show normal forms as HTML tables: best responses underlined, equilibria framed.
"""

from collections.abc import Sequence
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from html import escape
from itertools import product
from math import prod
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shortened_labels, shortened_text, shown_players
from gametheory_core.arrays import NumberArray

BoolArray: TypeAlias = NDArray[np.bool_]


def best_replies(payoffs: NumberArray) -> BoolArray:
    """Mark the cells in which a player's action is a best response to the others' actions.

    Args:
        payoffs (num_players, *num_actions): Exact or float; compared as they are, without
            tolerance.

    Returns:
        Entry ``[i, a_0, ..., a_{n-1}]``: whether player ``i`` gains nothing by changing ``a_i``.
        Where it holds for all players, the cell is a pure equilibrium.
    """
    marks = np.empty(payoffs.shape, dtype=bool)
    for player, own in enumerate(payoffs):
        marks[player] = own >= own.max(axis=player, keepdims=True)
    return marks


LONGEST = 7  # characters of an exact number
DIGITS = 4  # of a rounded one
LEAST_EXPONENT, MOST_EXPONENT = -3, 6  # powers of ten that are written out
MINUS, ABOUT = "\N{MINUS SIGN}", "\N{ALMOST EQUAL TO}"


def payoff_text(payoff: Fraction | float, *, digits: int = DIGITS) -> str:
    """Return a payoff as a short text, with a true minus sign.

    Rationals of up to 7 characters, and floats of up to 4 digits, are shown as they are; others are
    rounded to 4 digits, or as many as asked for, with a sign that says so. Numbers from 0.001 to
    a million are written out, with all digits before the point; others have a power of ten.

    >>> payoff_text(Fraction(1, 3)), payoff_text(0.5), payoff_text(2 / 3)
    ('1/3', '0.5', '≈0.6667')
    >>> payoff_text(890.0), payoff_text(1000.3), payoff_text(3e9)
    ('890', '≈1000', '3e9')
    """
    exact = Fraction(payoff)
    is_short = max(map(int.bit_length, exact.as_integer_ratio())) <= LONGEST * 4
    text = str(exact) if isinstance(payoff, Fraction) and is_short else ""
    if not 0 < len(text.removeprefix("-")) <= LONGEST:
        rounded = _rounded(exact, digits)
        if digits <= rounded.adjusted() < MOST_EXPONENT:
            rounded = _rounded(exact, rounded.adjusted() + 1)  # 33333, not 33330
        text = _decimal_text(rounded)
        is_meant = isinstance(payoff, float) and float(rounded) == payoff
        if Fraction(rounded) != exact and not is_meant:
            text = ABOUT + text
    return text.replace("-", MINUS, 1) if exact < 0 else text


def _rounded(exact: Fraction, digits: int) -> Decimal:
    with localcontext(Context(prec=digits, Emax=10**6, Emin=-(10**6))):
        return Decimal(exact.numerator) / Decimal(exact.denominator)


def _decimal_text(number: Decimal) -> str:
    if not number or LEAST_EXPONENT <= number.adjusted() < MOST_EXPONENT:
        text = f"{number:f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{number.normalize():e}".replace("e+", "e")


MOST_ACTIONS = 20  # of a player, in a table
MOST_TABLES = 12  # joint actions of all players but two
LONGEST_LABEL = 24  # characters
CELL = "text-align:center;padding:0.3em 0.8em"
FRAMED = "outline:2px solid currentColor;outline-offset:-3px"
NOTE = "underlined: best response; framed: equilibrium"


def html_table(
    payoffs: NumberArray, *, title: str, players: Sequence[str], actions: Sequence[Sequence[str]]
) -> str:
    """Return a game as a table, of more than two players as one for each joint action of the rest.

    Args:
        payoffs (num_players, *num_actions): Exact or float.

    Returns:
        HTML in which all labels are escaped; at most 20 x 20 cells and 12 tables, else a sentence.
    """
    rest = payoffs.shape[3:]
    if max(payoffs.shape[1:]) > MOST_ACTIONS or prod(rest) > MOST_TABLES:
        return _sentence(title, players, actions)
    names, marks = shown_players(players), best_replies(payoffs)
    tables: list[str] = []
    for others in product(*map(range, rest)):
        pairs = zip(names[2:], actions[2:], others, strict=True)
        words = [title, *(f"{name}: {_named(own)[a]}" for name, own, a in pairs)]
        caption = ", ".join(_shown(word) for word in words if word)
        at = (..., *others)
        tables.append(_table(payoffs[at], marks[at], names, actions, caption))
    return f"{''.join(tables)}<small>{NOTE}</small>"


def _table(
    payoffs: NumberArray,
    marks: BoolArray,
    names: Sequence[str],
    actions: Sequence[Sequence[str]],
    caption: str,
) -> str:
    """Return one table; ``payoffs[player, row, column]``, without columns for one player."""
    rows = payoffs.reshape(len(names), payoffs.shape[1], -1)
    marks = marks.reshape(rows.shape)
    if len(names) > 1:
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
    above = f"<caption>{caption}</caption>" if caption else ""
    return f"<table>{above}<thead>{top}</thead><tbody>{body}</tbody></table>"


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
    named = [label or f"#{number}" for number, label in enumerate(labels, start=1)]
    return shortened_labels(named, most=LONGEST_LABEL)


def _sentence(title: str, players: Sequence[str], actions: Sequence[Sequence[str]]) -> str:
    named = [
        f"{_shown(player)} ({len(own):,} action{'' if len(own) == 1 else 's'})"
        for player, own in zip(shown_players(players), actions, strict=True)
    ]
    if len(named) > MOST_ACTIONS:
        named[MOST_ACTIONS:] = [f"and {len(named) - MOST_ACTIONS} more players"]
    return f"<p><b>{_shown(title or 'Normal-form game')}</b>: {', '.join(named)}</p>"


def _shown(label: str) -> str:
    return escape(shortened_text(label, most=LONGEST_LABEL))
