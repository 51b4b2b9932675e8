"""Games of hidden dice and hidden moves, as rules and laid out: liar's dice, blind noughts."""

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple, TypeAlias

from gametheory_core.arguments import numbered_players, require_integer
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal
from gametheory_core.games.tree_layout import lay_out_rules

MOST_SIDES = 100
MOST_DICE = 20


class LiarsDicePosition(NamedTuple):
    """A moment of liar's dice.

    Attributes:
        dice: Faces from 0, as far as rolled: the first player's, then the second's.
        bids: Bid ``b`` claims ``b // sides + 1`` dice of face ``b % sides``; the number after the
            highest bid is the call.
    """

    dice: tuple[int, ...] = ()
    bids: tuple[int, ...] = ()


@dataclass(frozen=True)
class LiarsDiceRules:
    """Liar's dice for two players with hidden dice; the highest face is wild.

    A bid claims that at least so many of all dice show a face; each bid tops the last one, in
    number of dice or else in face. Calling "liar" ends the game: the bidder wins 1 if the claim
    holds, the caller otherwise.

    Attributes:
        sides: Faces of a die, 1 to 100.
        dice: Dice of each player, 1 to 20; players know how often they rolled each face.

    Source: V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
        minimization for search in imperfect information games", AAMAS 2015, section 5.

    >>> rules = LiarsDiceRules(sides=2)
    >>> list(rules.expand(LiarsDicePosition((0, 1), (1,))).children)
    ['2x1', '2x2', 'liar']
    """

    sides: int = 4
    dice: int = 1
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer(self.sides, name="sides", low=1, high=MOST_SIDES, where="liars_dice")
        require_integer(self.dice, name="dice", low=1, high=MOST_DICE, where="liars_dice")
        number = "one die" if self.dice == 1 else f"{self.dice} dice"
        object.__setattr__(self, "title", f"Liar's dice, {number} of {self.sides} sides each")
        object.__setattr__(self, "players", numbered_players(2))

    @property
    def root(self) -> LiarsDicePosition:
        """Before the first die is rolled."""
        return LiarsDicePosition()

    def expand(self, position: LiarsDicePosition) -> Node[LiarsDicePosition]:
        """Roll a die, bid, or look at all dice."""
        dice, bids = position
        if len(dice) < 2 * self.dice:
            share = Fraction(1, self.sides)
            faces = range(self.sides)
            return Chance({str(f + 1): (share, LiarsDicePosition((*dice, f))) for f in faces})
        player, options, heard = _bidding(bids, self.sides, self.dice)
        if not options:
            return Terminal(_payoffs(dice, bids, self.sides))
        children = {label: LiarsDicePosition(dice, after) for label, after in options}
        return Decision(player, _hand(dice, player) + heard, children)

    def shape_key(self, position: LiarsDicePosition) -> tuple[object, ...]:
        """Return what fixes the shape of the tree below: the last bid, not the dice."""
        return len(position.dice), position.bids[-1:]


@lru_cache(maxsize=4096)
def _hand(dice: tuple[int, ...], player: int) -> str:
    """Return what a player knows of the dice: its own, sorted."""
    half = len(dice) // 2
    own = dice[:half] if player == 0 else dice[half:]
    return " ".join(str(face + 1) for face in sorted(own)) + ":"


class _Bidding(NamedTuple):
    """Who moves, what may follow (nothing after the call), and the bids heard."""

    player: int
    options: tuple[tuple[str, tuple[int, ...]], ...]
    heard: str


@lru_cache(maxsize=65_536)
def _bidding(bids: tuple[int, ...], sides: int, dice: int) -> _Bidding:
    """Return what the bids so far say, the same for all dice."""
    call = 2 * dice * sides
    if bids and bids[-1] == call:
        return _Bidding(0, (), "")
    lowest = bids[-1] + 1 if bids else 0
    options = [(_bid_text(bid, sides), (*bids, bid)) for bid in range(lowest, call)]
    if bids:
        options.append(("liar", (*bids, call)))
    heard = "".join(f" {_bid_text(bid, sides)}" for bid in bids)
    return _Bidding(len(bids) % 2, tuple(options), heard)


def _bid_text(bid: int, sides: int) -> str:
    return f"{bid // sides + 1}x{bid % sides + 1}"


def _payoffs(dice: tuple[int, ...], bids: tuple[int, ...], sides: int) -> tuple[int, int]:
    bid, bidder = bids[-2], len(bids) % 2  # the last is the call, which comes after the bid
    face, wild = bid % sides, sides - 1
    shown = dice.count(face) + (dice.count(wild) if face != wild else 0)
    holds = shown >= bid // sides + 1
    winner = bidder if holds else 1 - bidder
    return (1, -1) if winner == 0 else (-1, 1)


def liars_dice(*, sides: int = 4, dice: int = 1) -> ExtensiveFormGame:
    """Liar's dice for two players with hidden dice; the highest face is wild.

    A bid claims that at least so many of all dice show a face; each bid tops the last one, in
    number of dice or else in face. Calling "liar" ends the game: the bidder wins 1 if the claim
    holds, the caller otherwise. With one die of four sides each the value to the first player
    is 1/16.

    Args:
        sides: Faces of a die; each one more makes the tree about 6 times larger.
        dice: Dice of each player.

    Source: V. Lisy, M. Lanctot and M. Bowling, "Online Monte Carlo counterfactual regret
        minimization for search in imperfect information games", AAMAS 2015, section 5.
    """
    return lay_out_rules(LiarsDiceRules(sides, dice))


MOST_SIDE = 8
COLUMNS = "abcdefgh"
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
Cells: TypeAlias = int  # a set of cells, as bits


class PhantomPosition(NamedTuple):
    """A moment of phantom tic-tac-toe; sets of cells are numbers, bit ``row * columns + column``.

    Attributes:
        marks: Cells marked by each player.
        tried: Cells each player has tried, with success or not.
        known: What each player did and was told, in turn.
        mover: Who moves.
    """

    marks: tuple[Cells, Cells] = (0, 0)
    tried: tuple[Cells, Cells] = (0, 0)
    known: tuple[str, str] = ("", "")
    mover: int = 0


@dataclass(frozen=True)
class PhantomTicTacToeRules:
    """Phantom tic-tac-toe: players do not see the other's marks.

    Who tries a cell that is taken is told so, and tries another; the other player does not learn
    of it. Several marks in a row win 1; a full board is a draw.

    Attributes:
        rows, columns: Of the board, 1 to 8.
        in_a_row: Marks needed, 1 to 8.

    Source: M. Lanctot et al., "No-regret learning in extensive-form games with imperfect recall",
        ICML 2012, section 5.

    >>> rules = PhantomTicTacToeRules()
    >>> corner = rules.expand(rules.root).children["a1"]
    >>> again = rules.expand(corner).children["a1"]
    >>> again.mover, rules.expand(again).infoset
    (1, 'a1!')
    """

    rows: int = 3
    columns: int = 3
    in_a_row: int = 3
    title: str = field(init=False, repr=False, compare=False)
    players: tuple[str, ...] = field(default=("X", "O"), init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        require_integer(self.rows, name="rows", low=1, high=MOST_SIDE, where="phantom_tic_tac_toe")
        require_integer(
            self.columns, name="columns", low=1, high=MOST_SIDE, where="phantom_tic_tac_toe"
        )
        require_integer(
            self.in_a_row, name="in_a_row", low=1, high=MOST_SIDE, where="phantom_tic_tac_toe"
        )
        size = f"{self.rows} x {self.columns}, {self.in_a_row} in a row"
        object.__setattr__(self, "title", f"Phantom tic-tac-toe, {size}")

    @property
    def root(self) -> PhantomPosition:
        """The empty board."""
        return PhantomPosition()

    def expand(self, position: PhantomPosition) -> Node[PhantomPosition]:
        """Try a cell, or see who won."""
        marks, tried, known, mover = position
        if self._has_row(marks[1 - mover]):
            return Terminal((1, -1) if mover == 1 else (-1, 1))
        if marks[0] | marks[1] == (1 << self.rows * self.columns) - 1:
            return Terminal((0, 0))
        children = {
            name: _after(position, cell, name)
            for cell, name in _cells(self.rows, self.columns)
            if not tried[mover] & cell
        }
        return Decision(mover, known[mover] or "start", children)

    def shape_key(self, position: PhantomPosition) -> tuple[object, ...]:
        """Return what fixes the shape of the tree below: the board and what was tried."""
        return position.marks, position.tried, position.mover

    def _has_row(self, marks: Cells) -> bool:
        return any(marks & line == line for line in _lines(self.rows, self.columns, self.in_a_row))


def _after(position: PhantomPosition, cell: Cells, name: str) -> PhantomPosition:
    """Return the position after the mover tries a cell."""
    marks, tried, known, mover = position
    taken = marks[1 - mover] & cell
    told = f"{known[mover]} {name}{'!' if taken else ''}".lstrip()
    if mover == 0:
        tried, known = (tried[0] | cell, tried[1]), (told, known[1])
        return PhantomPosition(
            marks if taken else (marks[0] | cell, marks[1]), tried, known, int(not taken)
        )
    tried, known = (tried[0], tried[1] | cell), (known[0], told)
    return PhantomPosition(
        marks if taken else (marks[0], marks[1] | cell), tried, known, int(bool(taken))
    )


@lru_cache(maxsize=64)
def _cells(rows: int, columns: int) -> tuple[tuple[Cells, str], ...]:
    """Return each cell, row by row, and its name."""
    return tuple(
        (1 << row * columns + column, f"{COLUMNS[column]}{row + 1}")
        for row in range(rows)
        for column in range(columns)
    )


@lru_cache(maxsize=64)
def _lines(rows: int, columns: int, length: int) -> tuple[Cells, ...]:
    """Return the lines of the board of a length, in all four directions."""
    lines: set[Cells] = set()
    for row in range(rows):
        for column in range(columns):
            for down, right in DIRECTIONS:
                cells = [(row + step * down, column + step * right) for step in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in cells):
                    lines.add(sum(1 << r * columns + c for r, c in cells))
    return tuple(sorted(lines))


def phantom_tic_tac_toe(*, rows: int = 2, columns: int = 2, in_a_row: int = 0) -> ExtensiveFormGame:
    """Phantom tic-tac-toe on a small board: players do not see the other's marks.

    Who tries a cell that is taken is told so, and tries another; the other player does not learn
    of it. Several marks in a row win 1; a full board is a draw. The usual game, 3 x 3 with 3 in a
    row, is refused: it has rules that can be sampled (``PhantomTicTacToeRules``) but a tree too
    large to lay out.

    Args:
        rows, columns: Of the board.
        in_a_row: Marks needed; 0 for as many as the shorter side of the board has.

    Source: M. Lanctot et al., "No-regret learning in extensive-form games with imperfect recall",
        ICML 2012, section 5.
    """
    for name, value, low in (("rows", rows, 1), ("columns", columns, 1), ("in_a_row", in_a_row, 0)):
        require_integer(value, name=name, low=low, high=MOST_SIDE, where="phantom_tic_tac_toe")
    return lay_out_rules(PhantomTicTacToeRules(rows, columns, in_a_row or min(rows, columns)))
