"""Games on small grids: pursuit of an evader, and soccer.

Each cycle the pursuers move in turn, then the evader moves, which is chance's move. The evader is
surrounded if each cell beside it lies off the grid or holds a pursuer, which takes a corner and
both pursuers; each then gets 5. If rewards wait for the evader's move, an evader who was caught may
slip away unpaid for: part of the reward is then chance's doing, and an AEC game says which part.

Soccer on a small grid: two players, one ball, and moves carried out in random order.

A player who would step onto the other's cell does not move, and loses the ball if it had it. Who
carries the ball off their own goal edge scores; then both go back and the ball is given at random.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import JointAction, JointObservation, Rewards
from gametheory_core.games.table_content import check_discount
from gametheory_core.games.tree_table import CHANCE

STEPS = {"stay": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
NUM_PURSUERS = 2
CAPTURE = 5
MAX_SIDE = 20
MAX_CYCLES = 1000

Cell: TypeAlias = tuple[int, int]


class RewardTime(Enum):
    """When the pursuers are paid for surrounding the evader."""

    BEFORE_EVADER = "before the evader moves"
    AFTER_EVADER = "after the evader has moved"


@dataclass(frozen=True)
class Grid:
    """Who is where, row and column: the pursuers, the evader (None before the start).

    ``cycle`` counts the evader's moves.
    """

    pursuers: tuple[Cell, ...]
    evader: Cell | None
    cycle: int


@dataclass(frozen=True)
class Pursuit:
    """Two pursuers and a random evader on a square grid, as an AEC game.

    The pursuers start in opposite corners; chance first puts the evader on any cell. Everything is
    seen, the second pursuer sees where the first has gone, and cells can be shared. The last
    pursuer's move pays for the evader being surrounded. With ``AFTER_EVADER`` chance's move pays
    the difference that the evader's move makes, so that a cycle pays for what is true at its end;
    without chance's rewards, that is the game with ``BEFORE_EVADER``.

    Attributes:
        side: Cells on a side of the grid, 2 to 20.
        cycles: Moves of the evader until play ends, at least 1.

    Source: J. K. Gupta, M. Egorov and M. Kochenderfer, "Cooperative multi-agent control using deep
        reinforcement learning", AAMAS 2017; the order of rewards as in J. K. Terry et al.,
        "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS 2021, section 4.1.

    >>> game = Pursuit(RewardTime.BEFORE_EVADER)
    >>> cornered = Grid(((0, 1), (1, 0)), (0, 0), 0)
    >>> game.reward(Grid(((0, 1), (1, 1)), (0, 0), 0), 1, "left", cornered).items[0][0]
    (5, 5)
    """

    reward_time: RewardTime
    side: int = 3
    cycles: int = 2
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.reward_time, RewardTime):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(needs="a member of RewardTime", found=f"got {self.reward_time!r}")
        require_integer(self.side, name="side", low=2, high=MAX_SIDE, where="Pursuit")
        require_integer(self.cycles, name="cycles", low=1, high=MAX_CYCLES, where="Pursuit")

    @property
    def title(self) -> str:
        """For people."""
        return f"Pursuit on {self.side} x {self.side} cells, paid {self.reward_time.value}"

    @property
    def initial_state(self) -> Grid:
        """The pursuers in opposite corners, the evader not yet on the grid."""
        return Grid(((0, 0), (self.side - 1, self.side - 1)), None, 0)

    def observation(self, player: int, state: Grid) -> Distribution[Any]:
        """Show everything."""
        return point_mass(state)

    def legal_actions(self, player: int, observation: Grid) -> tuple[str, ...]:
        """Stay, or go to a cell beside their own one."""
        return tuple(
            step for step in STEPS if self._inside(_after(observation.pursuers[player], step))
        )

    def is_terminal(self, state: Grid) -> bool:
        """Tell whether the evader has made all its moves."""
        return state.cycle == self.cycles

    def move(self, player: int, state: Grid, action: str) -> Grid:
        """Move a pursuer."""
        here = state.pursuers[player]
        others = state.pursuers
        moved = (*others[:player], _after(here, action), *others[player + 1 :])
        return replace(state, pursuers=moved)

    def chance(self, state: Grid) -> Distribution[Grid]:
        """Put the evader on any cell; later move it to its own cell or one beside it."""
        if state.evader is None:
            cells = [(row, column) for row in range(self.side) for column in range(self.side)]
            return uniform(replace(state, evader=cell) for cell in cells)
        around = [_after(state.evader, step) for step in STEPS]
        return uniform(
            Grid(state.pursuers, cell, state.cycle + 1) for cell in around if self._inside(cell)
        )

    def reward(
        self, state: Grid, mover: int, action: Any, next_state: Grid
    ) -> Distribution[Rewards]:
        """Pay for surrounding on the last pursuer's move; on chance's, maybe what it changed."""
        if mover == NUM_PURSUERS - 1:
            return point_mass(self.surrounding(next_state))
        if mover != CHANCE or state.evader is None or self.reward_time is RewardTime.BEFORE_EVADER:
            return point_mass((0,) * NUM_PURSUERS)
        pairs = zip(self.surrounding(next_state), self.surrounding(state), strict=True)
        return point_mass(tuple(now - earlier for now, earlier in pairs))

    def next_player(
        self, state: Grid, mover: int, action: Any, next_state: Grid
    ) -> Distribution[int]:
        """Let the pursuers move in turn, then the evader."""
        return point_mass(CHANCE if mover == NUM_PURSUERS - 1 else mover + 1)

    def surrounding(self, state: Grid) -> tuple[int, ...]:
        """Return what the pursuers deserve: 5 each if the evader is surrounded.

        >>> Pursuit(RewardTime.AFTER_EVADER).surrounding(Grid(((0, 1), (2, 2)), (0, 0), 1))
        (0, 0)
        """
        if state.evader is None:
            return (0,) * NUM_PURSUERS
        beside = {_after(state.evader, step) for step in STEPS if step != "stay"}
        caught = all(cell in state.pursuers or not self._inside(cell) for cell in beside)
        return (CAPTURE if caught else 0,) * NUM_PURSUERS

    def _inside(self, cell: Cell) -> bool:
        return all(0 <= place < self.side for place in cell)


def _after(cell: Cell, step: str) -> Cell:
    down, right = STEPS[step]
    return (cell[0] + down, cell[1] + right)


def pursuit_paid_before(*, side: int = 3, cycles: int = 2) -> Pursuit:
    """Two pursuers surround an evader and are paid before it moves: no luck in the reward.

    Args:
        side, cycles: 2 to 20 cells on a side; the evader's moves, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, section 4.1.
    """
    return Pursuit(RewardTime.BEFORE_EVADER, side, cycles)


def pursuit_paid_after(*, side: int = 3, cycles: int = 2) -> Pursuit:
    """Two pursuers surround an evader and are paid after it moves: chance takes part of the reward.

    Args:
        side, cycles: 2 to 20 cells on a side; the evader's moves, at least 1.

    Source: J. K. Terry et al., "PettingZoo: Gym for multi-agent reinforcement learning", NeurIPS
        2021, section 4.1.
    """
    return Pursuit(RewardTime.AFTER_EVADER, side, cycles)


MOVES = {"stand": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
TOWARDS_GOAL = ("left", "right")  # of players 1 and 2
MAX_FIELD_SIDE = 12


@dataclass(frozen=True)
class Field:
    """Where the two players stand, row and column, and who has the ball, 0 or 1."""

    cells: tuple[Cell, Cell]
    holder: int


@dataclass(frozen=True)
class Soccer:
    """Littman's soccer as a POSG in which both see everything; a goal pays 1, at the other's cost.

    Player 1 scores at the left edge, player 2 at the right one, through the middle rows. At the
    start, and after each goal, the players stand where a half turn of the field exchanges them, so
    that the value is 0.

    Attributes:
        rows, columns: 2 to 12 and 4 to 12.
        discount: In [0, 1].

    Source: :cite:`littman1994markov`, section 5.

    >>> Soccer().initial().items[0][0]
    Field(cells=((1, 3), (2, 1)), holder=0)
    """

    rows: int = 4
    columns: int = 5
    discount: Fraction = Fraction(9, 10)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        require_integer(self.rows, name="rows", low=2, high=MAX_FIELD_SIDE, where="Soccer")
        require_integer(self.columns, name="columns", low=4, high=MAX_FIELD_SIDE, where="Soccer")
        object.__setattr__(self, "discount", check_discount(self.discount))

    @property
    def title(self) -> str:
        """For people."""
        return f"Soccer on {self.rows} x {self.columns} cells"

    @property
    def goal_rows(self) -> tuple[int, ...]:
        """The middle rows: two of an even number, one of an odd number."""
        middle = (self.rows - 1) // 2
        return (middle, middle + 1) if self.rows % 2 == 0 else (middle,)

    @property
    def _start(self) -> tuple[Cell, Cell]:
        row = (self.rows - 1) // 2
        return (row, self.columns - 2), (self.rows - 1 - row, 1)

    def initial(self) -> Distribution[Field]:
        """Put the players in place and give one of them the ball."""
        return distribution({Field(self._start, holder): Fraction(1, 2) for holder in (0, 1)})

    def initial_observation(self, state: Field) -> Distribution[JointObservation]:
        """Show everything."""
        return point_mass((state, state))

    def observation(
        self, joint_action: JointAction, state: Field
    ) -> Distribution[JointObservation]:
        """Show everything."""
        return point_mass((state, state))

    def legal_actions(self, player: int, observation: Field) -> tuple[str, ...]:
        """Stand, or try to go to a cell beside; who would leave the field stands."""
        return tuple(MOVES)

    def is_terminal(self, state: Field) -> bool:
        """Go on for ever."""
        return False

    def transition(self, state: Field, joint_action: JointAction) -> Distribution[Field]:
        """Carry out both moves, in an order drawn at random; after a goal, begin again."""
        weights: dict[Field, Fraction] = {}
        for order in ((0, 1), (1, 0)):
            after = self._played(state, joint_action, order)
            law = self.initial() if after is None else point_mass(after)
            for following, weight in law:
                weights[following] = weights.get(following, Fraction(0)) + weight / 2
        return distribution(weights)

    def reward(self, state: Field, joint_action: JointAction, next_state: Field) -> Rewards:
        """Pay for a goal; who can score is too far from the start to go back in one step."""
        scores = self._scores(state.cells[state.holder], state.holder, joint_action[state.holder])
        if not scores or next_state.cells != self._start:
            return (0, 0)
        return (1, -1) if state.holder == 0 else (-1, 1)

    def _played(self, state: Field, joint: JointAction, order: tuple[int, int]) -> Field | None:
        """Return the field after both moves; None after a goal."""
        cells, holder = list(state.cells), state.holder
        for mover in order:
            if mover == holder and self._scores(cells[mover], mover, joint[mover]):
                return None
            down, right = MOVES[joint[mover]]
            target = (cells[mover][0] + down, cells[mover][1] + right)
            if target == cells[1 - mover]:
                holder = 1 - mover
            elif 0 <= target[0] < self.rows and 0 <= target[1] < self.columns:
                cells[mover] = target
        return Field((cells[0], cells[1]), holder)

    def _scores(self, cell: Cell, player: int, action: Any) -> bool:
        edge = 0 if player == 0 else self.columns - 1
        return cell[0] in self.goal_rows and cell[1] == edge and action == TOWARDS_GOAL[player]


def soccer(*, rows: int = 4, columns: int = 5, discount_percent: int = 90) -> Soccer:
    """Littman's soccer: two players and a ball on a grid, zero-sum, all is seen.

    Args:
        rows, columns: 2 to 12, and 4 to 12.
        discount_percent: The factor on rewards for each step, 0 to 100 percent.

    Source: M. L. Littman, "Markov games as a framework for multi-agent reinforcement learning",
        ICML 1994, section 5.
    """
    require_integer(discount_percent, name="discount_percent", low=0, high=100, where="soccer")
    return Soccer(rows, columns, ONE * discount_percent / 100)
