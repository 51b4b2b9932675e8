"""Soccer on a small grid: two players, one ball, and moves carried out in random order.

A player who would step onto the other's cell does not move, and loses the ball if it had it. Who
carries the ball off the own goal edge scores; then both go back and the ball is given at random.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ONE
from gametheory_core.catalog.arguments import exact_discount, require_between
from gametheory_core.distributions import Distribution, distribution, point_mass
from gametheory_core.games.rules import JointAction, JointObservation, Rewards

STEPS = {"stand": (0, 0), "up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1)}
TOWARDS_GOAL = ("left", "right")  # of players 1 and 2
MAX_SIDE = 12

Cell: TypeAlias = tuple[int, int]


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
        require_between(self.rows, 2, MAX_SIDE, game="Soccer", name="rows")
        require_between(self.columns, 4, MAX_SIDE, game="Soccer", name="columns")
        object.__setattr__(self, "discount", exact_discount(self.discount, game="Soccer"))

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
        return tuple(STEPS)

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
            down, right = STEPS[joint[mover]]
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
    require_between(discount_percent, 0, 100, game="soccer", name="discount_percent")
    return Soccer(rows, columns, ONE * discount_percent / 100)
