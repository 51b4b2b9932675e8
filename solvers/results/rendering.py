"""Tables of answers as plain text, Markdown, LaTeX, HTML, comma-separated values and data frames.

Numbers are written exactly, and beside them as decimals where they are probabilities.
"""

import csv
import html
import io
import sys
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from gametheory_core.errors import not_installed
from gametheory_core.formats.checked_json import rational_text
from gametheory_core.formats.latex import latex_text
from solvers.results.tables import AnswerTable, Cell

LONGEST_FRACTION = 30  # characters
LONGEST_LABEL = 40
DECIMAL = "decimal"
_ASCII = str.maketrans(
    {
        "\N{MINUS SIGN}": "-",
        "\N{EN DASH}": "-",
        "\N{EM DASH}": "-",
        "\N{HORIZONTAL ELLIPSIS}": "...",
        "\N{MULTIPLICATION SIGN}": "x",
        "\N{GREATER-THAN OR EQUAL TO}": ">=",
        "\N{LESS-THAN OR EQUAL TO}": "<=",
    }
)


def readable(value: Fraction, *, longest: int = LONGEST_FRACTION) -> str:
    """Write a rational as ``p/q``, or say how long it is where nobody would read it.

    >>> readable(Fraction(1, 3)), readable(Fraction(1, 3**100))
    ('1/3', '(a fraction of 49 digits)')
    """
    text = rational_text(value)
    if len(text) <= longest:
        return text
    kind = "an integer" if value.denominator == 1 else "a fraction"
    return f"({kind} of {sum(map(str.isdigit, text))} digits)"


def decimal(value: Fraction) -> str:
    """Write a rational to six digits.

    >>> decimal(Fraction(2, 3)), decimal(Fraction(10) ** 400)
    ('0.666667', 'too large')
    """
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return "too large"


def ascii_for(text: str, encoding: str | None = None) -> str:
    r"""Replace signs that an output cannot encode.

    Args:
        encoding: Of the output; default that of ``sys.stdout``.

    >>> ascii_for("at least \N{GREATER-THAN OR EQUAL TO} 1 \N{SNOWMAN}", "cp1252")
    'at least >= 1 ?'
    """
    own = encoding or getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(own)
    except UnicodeEncodeError:
        return text.translate(_ASCII).encode(own, errors="replace").decode(own)
    return text


def left_out(table: AnswerTable) -> tuple[str, ...]:
    """Say in words what is not in a table.

    >>> left_out(AnswerTable(("action", "probability"), (), left_out=2, cut=1))
    ('1 more row is not shown.', '2 more actions are not played.')
    """
    found: list[str] = []
    if table.cut:
        found.append(_counted(table.cut, "row", "shown"))
    if table.left_out:
        found.append(_counted(table.left_out, table.unit, "played"))
    return tuple(found)


def _counted(count: int, unit: str, what: str) -> str:
    return (
        f"1 more {unit} is not {what}." if count == 1 else f"{count:,} more {unit}s are not {what}."
    )


def _headed(table: AnswerTable) -> tuple[list[str], list[list[str]]]:
    """Return headings and cells as texts, a column of decimals added to probabilities."""
    columns = [*table.columns, *([DECIMAL] if table.is_lottery else [])]
    rows = [[*map(_cell, row), *_decimals(table, row)] for row in table.rows]
    return columns, rows


def _decimals(table: AnswerTable, row: Sequence[Cell]) -> list[str]:
    """Return the cell of the column of decimals, where there is one."""
    last = row[-1]
    return [decimal(last)] if table.is_lottery and isinstance(last, Fraction) else []


def _cell(cell: Cell) -> str:
    """Write a cell on one line."""
    return readable(cell) if isinstance(cell, Fraction) else " ".join(cell.splitlines())


def _folded(table: AnswerTable, rows: Sequence[Sequence[str]]) -> list[list[str]]:
    """Leave out what stands at the head of a row and is the same as in the row before."""
    heads = len(table.columns) - (2 if table.is_lottery else 1)
    found: list[list[str]] = []
    last: Sequence[str] = ()
    for row in rows:
        known = next((k for k in range(heads) if list(row[: k + 1]) != list(last[: k + 1])), heads)
        found.append(["" if k < known else text for k, text in enumerate(row)])
        last = row
    return found


def table_text(table: AnswerTable) -> str:
    """Write a table as aligned columns, and below it what is not in it.

    >>> print(table_text(AnswerTable(("action", "probability"), (("up", Fraction(2, 3)),))))
    action  probability   decimal
    up              2/3  0.666667
    """
    columns, rows = _headed(table)
    shown = [[*map(_shortened, row)] for row in _folded(table, rows)]
    widths = [max(map(len, column)) for column in zip(columns, *shown, strict=True)]
    words = len(columns) - 2 * table.is_lottery
    lines = [
        "  ".join(
            text.rjust(width) if k >= words else text.ljust(width)
            for k, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in (columns, *shown)
    ]
    return "\n".join([*lines, *left_out(table)])


def _shortened(text: str) -> str:
    """Cut a long label in its middle, so that labels that differ at an end stay apart."""
    if len(text) <= LONGEST_LABEL:
        return text
    half = (LONGEST_LABEL - 3) // 2
    return f"{text[: LONGEST_LABEL - 3 - half]}...{text[-half:]}"


def table_markdown(table: AnswerTable) -> str:
    r"""Write a table in Markdown.

    >>> print(table_markdown(AnswerTable(("action", "probability"), (("a|b", Fraction(1)),))))
    | action | probability | decimal |
    |---|--:|--:|
    | a\|b | 1 | 1 |
    """
    columns, rows = _headed(table)
    sides = [
        "--:" if table.is_lottery and k >= len(columns) - 2 else "---" for k in range(len(columns))
    ]
    lines = [columns, sides, *(map(_marked, row) for row in rows)]
    head, rule, *body = (f"| {' | '.join(line)} |" for line in lines)
    return "\n".join([head, rule.replace(" ", ""), *body, *_notes(table)])


def _marked(text: str) -> str:
    """Write a text so that Markdown takes it as it is."""
    return "".join({"|": "\\|", "<": "&lt;", "&": "&amp;"}.get(sign, sign) for sign in text)


def _notes(table: AnswerTable) -> list[str]:
    found = left_out(table)
    return ["", " ".join(found)] if found else []


def table_latex(table: AnswerTable) -> str:
    r"""Write a table in LaTeX, for ``booktabs``.

    >>> print(table_latex(AnswerTable(("action", "probability"), (("up", Fraction(1, 2)),))))
    \begin{tabular}{lrr}
    \toprule
    action & probability & decimal \\
    \midrule
    up & $1/2$ & $0.5$ \\
    \bottomrule
    \end{tabular}
    """
    columns, rows = _headed(table)
    numbers = 2 if table.is_lottery else 0
    sides = "l" * (len(columns) - numbers) + "r" * numbers
    body = [
        [
            *map(latex_text, row[: len(row) - numbers]),
            *(f"${own}$" for own in row[len(row) - numbers :]),
        ]
        for row in _folded(table, rows)
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{sides}}}",
            r"\toprule",
            f"{' & '.join(map(latex_text, columns))} \\\\",
            r"\midrule",
            *(f"{' & '.join(row)} \\\\" for row in body),
            r"\bottomrule",
            r"\end{tabular}",
            *(f"% {line}" for line in left_out(table)),
        ]
    )


def table_html(table: AnswerTable) -> str:
    """Write a table in HTML.

    >>> table_html(AnswerTable(("action",), (("<up>",),)))
    '<table><thead><tr><th>action</th></tr></thead><tbody><tr><td>&lt;up&gt;</td></tr></tbody></table>'
    """
    columns, rows = _headed(table)
    head = "".join(f"<th>{html.escape(own)}</th>" for own in columns)
    body = "".join(
        f"<tr>{''.join(f'<td>{html.escape(own)}</td>' for own in row)}</tr>"
        for row in _folded(table, rows)
    )
    notes = "".join(f"<p>{html.escape(line)}</p>" for line in left_out(table))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{notes}"


def table_csv(table: AnswerTable) -> str:
    """Write a table as comma-separated values, in full.

    >>> table_csv(AnswerTable(("action", "probability"), (("up", Fraction(1, 2)),))).splitlines()
    ['action,probability,decimal', 'up,1/2,0.5']
    """
    columns = [*table.columns, *([DECIMAL] if table.is_lottery else [])]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    for row in table.rows:
        exact = [rational_text(cell) if isinstance(cell, Fraction) else cell for cell in row]
        writer.writerow([*exact, *_decimals(table, row)])
    return text.getvalue()


def table_frame(table: AnswerTable) -> Any:
    """Return a table as a pandas ``DataFrame``; probabilities are ``Fraction``.

    Raises:
        not_installed: If pandas is not installed.
    """
    try:
        import pandas as pd  # noqa: PLC0415 - optional, and slow to load
    except ImportError:
        raise not_installed("to_frame", "pandas", extra="frames") from None
    return pd.DataFrame([list(row) for row in table.rows], columns=list(table.columns))


FORMATS: Mapping[str, Callable[[AnswerTable], str]] = {
    "text": table_text,
    "csv": table_csv,
    "latex": table_latex,
    "markdown": table_markdown,
}
