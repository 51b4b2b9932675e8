r"""Normal forms of two players in spreadsheets: ``.csv`` files, as people and Excel write them.

    Ann,left,right          two matrices, a blank line between; in the corner whose payoffs they
    up,3,0                  are, the row player's actions down the side, the column player's on top
    down,5,1/3

    Bob,left,right
    up,3,5
    down,0,1/3

    Ann \ Bob,left,right     or one matrix with a pair in each cell, the row player's payoff first
    up,"3,3","0,5"
    down,"5,0","1,1"

Labels may be left out: then the first cell is a number or a pair. A second matrix with the same
labels in another order is aligned by label. A corner may be empty, or hold a title beside pairs.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from gametheory_core.arguments import numbered_labels
from gametheory_core.array_likes import Axis
from gametheory_core.arrays import object_array
from gametheory_core.errors import InvalidArgument, InvalidGame, MalformedFile, UnsupportedGame
from gametheory_core.formats.sheets import BYTE_ORDER_MARK, SEPARATORS, Cell, Sheet, read_sheet
from gametheory_core.formats.two_readings import refuse_two_readings
from gametheory_core.games.labelled_payoffs import LabelledMatrix, aligned
from gametheory_core.games.normal_form import NormalFormGame

OWN = "payoffs of "  # in a corner before a name: it is a corner, whatever name and labels look like
BETWEEN = "\\"  # the names of two players in the corner of a matrix of pairs
DECIMAL_DIGITS = 15  # up to which a number that has a decimal is written so
AMBIGUOUS = "Write 'payoffs of ' before it if these are labels; else give rows and columns labels."
NO_CORNER = "Write the payoff that is missing; or, if these are labels, 'payoffs of ...' there."
MATRICES_ONLY = "Only matrices may stand in the file: leave out titles, comments and totals."
ONE_MATRIX = (
    "Write pairs such as '3|2' (row player's first), or a second matrix below a blank line. In "
    "Python NormalFormGame.zero_sum and .symmetric take one matrix, as pandas.read_csv gives it."
)


class _Block(NamedTuple):
    """A matrix of cells, without its labels.

    Attributes:
        corner: The first cell.
        says: What the corner says; "" for nothing.
        labels: Of rows and of columns; None if there are none.
        entries: The cells of payoffs, in rows of one length.
    """

    corner: Cell
    says: str
    labels: tuple[tuple[str, ...], tuple[str, ...]] | None
    entries: list[list[Cell]]

    def matrix(self, numbers: Sequence[Fraction]) -> LabelledMatrix:
        """Return the matrix of numbers, one for each entry."""
        rows, columns = self.labels or (None, None)
        shaped = object_array(numbers).reshape(len(self.entries), -1)
        return LabelledMatrix(shaped, (Axis(rows, ""), Axis(columns, "")))


def parse_csv(content: str, *, name: str = "text") -> NormalFormGame:
    r"""Read a two-player game from the text of a ``.csv`` file.

    Args:
        name: What messages call the file.

    Raises:
        MalformedFile: With line and column, what was required and what was found.

    >>> parse_csv(',left,right\nup,"3,3","0,5"\ndown,"5,0","1,1"').exact_payoffs[1, 0, 1]
    Fraction(5, 1)
    """
    sheet = read_sheet(content, name=name)
    blocks = [_block(sheet, rows) for rows in _parts(sheet)]
    refuse_two_readings(sheet, [x for block in blocks for cells in block.entries for x in cells])
    if len(blocks) == 1:
        return _game_of_pairs(sheet, blocks[0])
    first, second = (block.matrix(_numbers(sheet, block)) for block in blocks)
    corner = blocks[1].corner
    if first.numbers.shape != second.numbers.shape:
        sizes = [" x ".join(map(str, matrix.numbers.shape)) for matrix in (first, second)]
        found = f"found one of {sizes[1]}"
        sheet.fail(corner, f"a second matrix of {sizes[0]}, as the first", found=found)
    try:
        first, second = aligned(first, second, None)
    except InvalidGame as error:
        sheet.fail(corner, error.needs, found=error.found, remedy="Use the same labels.")
    pairs = zip(blocks, numbered_labels(2), strict=True)
    return _game(sheet, first, second, [block.says or number for block, number in pairs], "")


def _parts(sheet: Sheet) -> list[list[list[Cell]]]:
    """Return the rows of each matrix; refuse all but one or two."""
    parts: list[list[list[Cell]]] = [[]]
    for row in sheet.rows:
        if row:
            parts[-1].append(row)
        elif parts[-1]:
            parts.append([])
    found = list(filter(None, parts))
    if not found:
        sheet.fail(Cell("", 1, 1, 0, 0), "a matrix of payoffs", found="the file has no cells")
    for cells, *_ in found:
        if len(cells) == 1 and not _is_entry(sheet, cells[0].text):
            alone = f"{cells[0].text[:40]!r} stands alone in its row"
            sheet.fail(cells[0], "a matrix of payoffs", found=alone, remedy=MATRICES_ONLY)
    if len(found) > 2:
        needs, remedy = "the end of the file", "Blank lines stand between two matrices only."
        sheet.fail(found[2][0][0], needs, found="found a third matrix", remedy=remedy)
    return found


def _is_entry(sheet: Sheet, text: str) -> bool:
    return sheet.number(text) is not None or sheet.pair(text) is not None


def _block(sheet: Sheet, rows: list[list[Cell]]) -> _Block:
    """Tell labels from payoffs."""
    corner = rows[0][0]
    widths = [cells[0].place + len(cells) for cells in rows]
    for cells, width in zip(rows, widths, strict=True):
        if width != widths[0]:
            found = f"it has {width} and the first row of the matrix {widths[0]}"
            needs = "rows of one number of cells"
            sheet.fail(cells[-1], needs, found=found, remedy=MATRICES_ONLY)
    if _is_entry(sheet, corner.text):
        return _Block(corner, "", None, rows)
    top, side = rows[0][1:], [cells[0] for cells in rows[1:]]
    if not top or not side:
        sheet.fail(corner, "payoffs beside the labels", found="there are none")
    is_clear = not corner.text or corner.text.startswith(OWN)
    for cells in () if is_clear else (top, side):
        if all(_is_entry(sheet, cell.text) for cell in cells):
            sheet.fail(
                cells[0],
                f"a label that is no number, since the corner is {corner.text[:40]!r}",
                remedy=AMBIGUOUS,
            )
    reads = (sheet.number, sheet.pair)
    if not corner.text and any(
        all(read(cell.text) is not None for cells in rows for cell in cells if cell is not corner)
        for read in reads
    ):
        needs = "a payoff, or labels that are none"
        found = "the corner is empty and all other cells could be payoffs"
        sheet.fail(corner, needs, found=found, remedy=NO_CORNER)
    for cells in (top, side):
        met: set[str] = set()
        for cell in cells:
            if not cell.text:
                sheet.fail(cell, "a label")
            if cell.text in met:
                sheet.fail(cell, "labels that differ", found=f"{cell.text!r} stands there twice")
            met.add(cell.text)
    labels = tuple(cell.text for cell in side), tuple(cell.text for cell in top)
    return _Block(corner, corner.text.removeprefix(OWN), labels, [cells[1:] for cells in rows[1:]])


def _numbers(sheet: Sheet, block: _Block) -> list[Fraction]:
    found: list[Fraction] = []
    for cell in (cell for cells in block.entries for cell in cells):
        number = sheet.number(cell.text)
        if number is None:
            sheet.fail(cell, "a number", remedy="Give an integer, a decimal, or 1/3 as text.")
        found.append(number)
    return found


def _game_of_pairs(sheet: Sheet, block: _Block) -> NormalFormGame:
    found: list[tuple[Fraction, Fraction]] = []
    for cell in (cell for cells in block.entries for cell in cells):
        pair = sheet.pair(cell.text)
        if pair is None:
            sheet.fail(
                cell, "a pair of payoffs in each cell of a file of one matrix", remedy=ONE_MATRIX
            )
        found.append(pair)
    first, second = (block.matrix([pair[k] for pair in found]) for k in range(2))
    names = [part.strip() for part in block.says.split(BETWEEN)]
    if len(names) == 2:
        return _game(sheet, first, second, names, "")
    return _game(sheet, first, second, numbered_labels(2), block.says)


def _game(
    sheet: Sheet, first: LabelledMatrix, second: LabelledMatrix, players: Sequence[str], title: str
) -> NormalFormGame:
    actions = [
        axis.labels or numbered_labels(count)
        for axis, count in zip(first.axes, first.numbers.shape, strict=True)
    ]
    try:
        return NormalFormGame.bimatrix(
            first.numbers, second.numbers, players=players, actions=actions, title=title
        )
    except InvalidGame as error:
        where = ": ".join(filter(None, (sheet.name, error.where)))
        raise error.changed(MalformedFile, where=where) from None


def format_csv(game: NormalFormGame, *, separator: str = ",") -> str:
    r"""Write a game of two players as the text of a ``.csv`` file: two matrices with labels.

    Args:
        separator: Of cells: a comma; or a semicolon or tab, for spreadsheets with decimal commas.

    Raises:
        UnsupportedGame: If there are not two players, or one of them or an action has no name.
        InvalidArgument: If the separator is another one.

    >>> from gametheory_core import load_game
    >>> print(format_csv(load_game("matching_pennies")).partition("\n\n")[0])
    Even,heads,tails
    heads,1,-1
    tails,-1,1
    """
    if separator not in SEPARATORS:
        raise InvalidArgument(
            needs="a comma, a semicolon or a tab as separator", found=f"got {separator!r}"
        )
    if game.num_players != 2:
        raise UnsupportedGame(
            needs="two players for a .csv file",
            found=f"{game!r} has {game.num_players}",
            remedy="Use the suffix .nfg.",
        )
    unnamed = [label for labels in (game.players, *game.actions) for label in labels if not label]
    if unnamed:
        raise UnsupportedGame(
            needs="a name of each player and action for a .csv file",
            found=f"one of {game!r} has none",
            remedy="Name them, or use the suffix .nfg.",
        )
    corners = _corners(game, separator)
    parts: list[str] = []
    for corner, payoffs in zip(corners, game.exact_payoffs.tolist(), strict=True):
        rows = [[corner, *game.actions[1]]]
        for label, own in zip(game.actions[0], payoffs, strict=True):
            rows.append([label, *(_number_text(number, separator) for number in own)])
        parts.append(
            "".join(separator.join(_quoted(x, separator) for x in row) + "\n" for row in rows)
        )
    return "\n".join(parts)


def _corners(game: NormalFormGame, separator: str) -> tuple[str, str]:
    """Return whose payoffs each matrix has, written so that it is read back."""
    first, second = game.players
    sheet = Sheet("", separator, [])
    all_entries = any(all(_is_entry(sheet, label) for label in own) for own in game.actions)
    if (first, second) == numbered_labels(2) and not all_entries:
        return "", ""

    def corner(name: str) -> str:
        is_plain = not (all_entries or name.startswith(OWN) or _is_entry(sheet, name))
        return name if is_plain else f"{OWN}{name}"

    return corner(first), corner(second)


def _number_text(number: Fraction, separator: str) -> str:
    """Write a number exactly: as a decimal if it is one of few digits, else as a fraction."""
    rest, twos, fives = number.denominator, 0, 0
    while rest % 2 == 0:
        rest, twos = rest // 2, twos + 1
    while rest % 5 == 0:
        rest, fives = rest // 5, fives + 1
    places = max(twos, fives)
    if places == 3 and separator != ",":
        places = 4  # three digits behind a comma may be thousands
    if rest != 1 or not 0 < places <= DECIMAL_DIGITS:
        return str(number)
    digits = f"{abs(number.numerator) * 10**places // number.denominator:0{places + 1}d}"
    mark = "." if separator == "," else ","
    return f"{'-' * (number < 0)}{digits[:-places]}{mark}{digits[-places:]}"


def _quoted(text: str, separator: str) -> str:
    """Write a cell, in quotes where it would be read as another text without."""
    looked_for = SEPARATORS[: SEPARATORS.index(separator) + 1]
    needs = any(mark in text for mark in (*looked_for, '"', "\r", "\n", BYTE_ORDER_MARK))
    return '"' + text.replace('"', '""') + '"' if needs or text != text.strip() else text
