"""Numbers in spreadsheets that can be read in two ways: they are refused, not guessed.

`10,000` may be ten thousand, ten, or the pair of ten and nothing, and `10.000` beside semicolons
ten or ten thousand. What no cell of a file settles is refused.
"""

import re
from collections.abc import Sequence

from gametheory_core.formats.sheets import Cell, Sheet

_PAIR = re.compile(r"[(\[]?[+\-\N{MINUS SIGN}]?[1-9]\d{0,2},\d{3}[)\]]?", re.ASCII)
_THOUSAND = re.compile(r"[+\-\N{MINUS SIGN}]?[1-9]\d{0,2}[.,]\d{3}", re.ASCII)
_OF_PAIRS = "Write pairs as '10|0' or '10, 0', and thousands without separators."
_OF_NUMBERS = "Write thousands without separators; one decimal such as '{}0' settles it."


def refuse_two_readings(sheet: Sheet, cells: Sequence[Cell]) -> None:
    r"""Refuse payoffs whose commas and points can be read in two ways.

    Args:
        cells: Of all payoffs in the file.

    Raises:
        MalformedFile: If every cell may be a pair or a number with a thousands separator; or if,
            beside semicolons or tabs, both commas and points stand in numbers, or all may separate
            thousands.

    >>> from gametheory_core.formats import parse_csv
    >>> parse_csv(";l;r\nu;1,000|2;0,5|4").exact_payoffs[0, 0, 0]  # 0,5 settles it
    Fraction(1, 1)
    """
    pairs = [cell for cell in cells if sheet.halves(cell.text)]
    if pairs and all(_PAIR.fullmatch(cell.text.strip()) for cell in cells):
        digits = pairs[0].text.strip("()[] ")
        first, second = digits.split(",")
        sheet.fail(
            pairs[0],
            "payoffs that can be read in one way only",
            found=f"{digits!r} may be {first}{second} or the pair of {first} and {int(second)}, as "
            "may every cell of the file",
            remedy=_OF_PAIRS,
        )
    if sheet.separator == ",":
        return
    texts = [(cell, text.strip()) for cell in cells for text in _numbers(sheet, cell)]
    commas, points = ([(cell, text) for cell, text in texts if mark in text] for mark in ",.")
    if commas and points:
        cell, text = points[0]
        other, comma = commas[0]
        sheet.fail(
            cell,
            "decimal commas or decimal points, not both",
            found=f"found {text!r}, and {comma!r} in cell {other.name}",
            remedy="Write all decimals alike, and thousands without separators.",
        )
    if texts := commas or points:
        cell, text = texts[0]
        if all(_THOUSAND.fullmatch(text) for _, text in texts):
            whole, digits = re.split(r"[.,]", text)
            sheet.fail(
                cell,
                "numbers that can be read in one way only",
                found=f"{text!r} may be {whole}{digits} or {_decimal(whole, digits)}, as no number "
                "of the file settles it",
                remedy=_OF_NUMBERS.format(text),
            )


def _numbers(sheet: Sheet, cell: Cell) -> list[str]:
    """Return the texts of a cell that are numbers: of a pair, both."""
    parts = sheet.halves(cell.text) or (cell.text,)
    return [text for text in parts if sheet.number(text) is not None]


def _decimal(whole: str, digits: str) -> str:
    rest = digits.rstrip("0")
    return f"{whole}.{rest}" if rest else whole
