"""Cells of ``.csv`` files, each with its place: what separates them, quotes, and numbers.

Cells are separated by tabs, semicolons or commas: by the first of these that every line has. Beside
tabs and semicolons a comma in a number is a decimal comma. Excel's first line ``sep=;`` is heeded.
"""

import re
from fractions import Fraction
from typing import NamedTuple, NoReturn

from gametheory_core.errors import MalformedFile

SEPARATORS = ("\t", ";", ",")
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_LINE_END = re.compile(r"\r\n|\r|\n")
_NUMBER = re.compile(r"[+-]?(?:\d+/\d+|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?)", re.ASCII)
_PAIR = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"
_MINUS = "\N{MINUS SIGN}"
MOST_DIGITS = 3000  # Python refuses to print integers of more than 4300 digits


class Cell(NamedTuple):
    """A cell, and where it begins.

    Attributes:
        text: Without quotes; blanks around it are left out where it has none.
        line, column: Of its first character, counted from 1.
        row, place: Which row of the file it is in, and which cell of it, from 0.
    """

    text: str
    line: int
    column: int
    row: int
    place: int

    @property
    def name(self) -> str:
        """What spreadsheets call it, such as B2."""
        letters, number = "", self.place + 1
        while number:
            number, digit = divmod(number - 1, 26)
            letters = chr(ord("A") + digit) + letters
        return f"{letters}{self.row + 1}"


class Sheet(NamedTuple):
    """A file as rows of cells.

    Attributes:
        name: What messages call the file.
        separator: Of cells.
        rows: Empty cells at the end of a row are left out, and at the beginning of all rows.
    """

    name: str
    separator: str
    rows: list[list[Cell]]

    def fail(self, cell: Cell, needs: str, *, found: str = "", remedy: str = "") -> NoReturn:
        """Refuse what stands in a cell."""
        shown = repr(cell.text[:40]) if cell.text else "an empty cell"
        raise MalformedFile(
            needs=needs,
            found=found or f"found {shown}",
            remedy=remedy,
            line=cell.line,
            column=cell.column,
            where=f"{self.name}, line {cell.line}, column {cell.column} (cell {cell.name})",
        )

    def number(self, text: str) -> Fraction | None:
        """Return the number that a text is, exactly as it is written; None if it is none."""
        plain = text.strip().replace(_MINUS, "-")
        if self.separator != "," and plain.count(",") == 1 and "." not in plain:
            plain = plain.replace(",", ".")
        if not _NUMBER.fullmatch(plain) or len(plain) > MOST_DIGITS:
            return None
        try:
            return Fraction(plain)
        except ZeroDivisionError:
            return None

    def halves(self, text: str) -> tuple[str, str] | None:
        """Return the texts of the two numbers of a pair; None if a text has not two parts.

        They stand with a bar or a semicolon between them; or with a comma, where that cannot be a
        decimal comma: in files separated by commas, before a blank, and in brackets.
        """
        bracketed = _PAIR.fullmatch(text.strip())
        inside = bracketed[1] if bracketed else text.strip()
        comma = "," if bracketed or self.separator == "," else r",\s"
        for between in (r"\|", ";", comma):
            parts = re.split(between, inside)
            if len(parts) == 2:
                return parts[0], parts[1]
        return None

    def pair(self, text: str) -> tuple[Fraction, Fraction] | None:
        """Return the two numbers that a text is; None if it is no pair."""
        first, second = map(self.number, self.halves(text) or ("", ""))
        return None if first is None or second is None else (first, second)


def read_sheet(content: str, *, name: str) -> Sheet:
    r"""Split the text of a file into cells.

    Raises:
        MalformedFile: If a quote is not closed, or something follows one in its cell.

    >>> [[cell.text for cell in row] for row in read_sheet('a;"b;c"\n1,5;2;;', name="text").rows]
    [['a', 'b;c'], ['1,5', '2']]
    """
    content = content.removeprefix(BYTE_ORDER_MARK)
    said = re.match(r'"?sep=([;,\t])"?(?:\r\n|\r|\n)', content)
    separator = said[1] if said else _separator(content)
    sheet = Sheet(name, separator, [])
    cell = re.compile(rf'[ ]*(?P<quoted>"(?:[^"]|"")*")[ ]*|(?P<bare>[^{separator}\r\n]*)')
    at, start, line = (said.end(), said.end(), 2) if said else (0, 0, 1)
    row: list[Cell] = []
    while True:
        match = cell.match(content, at)
        quoted, bare = (match["quoted"], match["bare"]) if match else (None, "")
        text = (bare or "").strip() if quoted is None else quoted[1:-1].replace('""', '"')
        row.append(Cell(text, line, at - start + 1, len(sheet.rows), len(row)))
        if quoted is None and text.startswith('"'):
            sheet.fail(row[-1], "a closing quote", found="found none before the end of the file")
        for end in _LINE_END.finditer(content, at, match.end() if match else at):  # in quotes
            line, start = line + 1, end.end()
        at = match.end() if match else at
        if at < len(content) and content[at] == separator:
            at += 1
            continue
        sheet.rows.append(row)
        end = _LINE_END.match(content, at)
        if end is None and at < len(content):
            sheet.fail(row[-1], "nothing behind a closing quote", found=f"found {content[at]!r}")
        if end is None:
            return sheet._replace(rows=_trimmed(sheet.rows))
        at = start = end.end()
        line, row = line + 1, []


def _separator(content: str) -> str:
    """Return the first separator that every line has, if it has any cells."""
    lines = [line for line in _LINE_END.split(_QUOTED.sub("", content)) if line.strip(" ")]
    return next((mark for mark in SEPARATORS if lines and all(mark in x for x in lines)), ",")


def _trimmed(rows: list[list[Cell]]) -> list[list[Cell]]:
    """Leave out empty cells at the ends of rows, and columns at the beginning that are empty."""
    filled = [[cell.place for cell in row if cell.text] for row in rows]
    first = min((places[0] for places in filled if places), default=0)
    return [
        row[first : places[-1] + 1] if places else []
        for row, places in zip(rows, filled, strict=True)
    ]
