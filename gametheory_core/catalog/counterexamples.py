"""Small games that show how POSGs and AEC games must be observed, paid and discounted.

Each is a counterexample to a simpler definition. The team in random order (``catalog.turn_orders``)
and the forgetful bit (``catalog.textbook_trees``) serve the same purpose.
"""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, point_mass, product, uniform
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import NULL, JointAction, JointObservation, Rewards
from gametheory_core.games.tree_table import CHANCE

SIDES = ("heads", "tails")
CHOOSING, LOCKED, GUESSING, OVER = "choosing", "locked", "guessing", "over"

Choice: TypeAlias = tuple[str, str]  # what was chosen, and what happens now


@dataclass(frozen=True)
class ListenWaitGuess:
    """One player, one hidden coin: observations depend on the action, not on the state alone.

    Listening reveals the coin, waiting does not; naming it pays 1 if right and costs 1 if wrong.
    In two steps the best return is 1, by listening first. If an observation could not depend on the
    action just played, as when silence follows every action, it would be 0.

    >>> ListenWaitGuess().observation(("listen",), "heads").items[0][0]
    ('heads',)
    """

    title: str = field(default="Listen, wait, guess", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1",), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=2, init=False, repr=False)

    def initial(self) -> Distribution[str]:
        """Toss the coin."""
        return uniform(SIDES)

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return point_mass((NULL,))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Listen, wait, or name a side."""
        return ("listen", "wait", *SIDES)

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Leave the coin as it is."""
        return point_mass(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show the coin to who listens."""
        return point_mass((state if joint_action == ("listen",) else "silence",))

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay 1 for the right side; the wrong one costs 1."""
        (action,) = joint_action
        if action not in SIDES:
            return (0,)
        return (1,) if action == state else (-1,)


@dataclass(frozen=True)
class SeenChoice:
    """Matching pennies in turns: who does not move must not observe.

    Player 1 chooses a side and confirms; then player 2 guesses it, for 1 from player 1. Player 2
    would see the choice while player 1 confirms, but an AEC game shows a state to its mover only:
    the value is 0. If non-movers observed each state, player 1 would get -1.

    >>> SeenChoice().observation(1, ("heads", "locked")).items[0][0]
    'heads'
    >>> SeenChoice().observation(1, ("heads", "guessing")).items[0][0]
    NULL
    """

    title: str = field(default="Seen choice", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)
    initial_state: Choice = field(default=("", CHOOSING), init=False, repr=False)

    def observation(self, player: int, state: Choice) -> Distribution[Any]:
        """Show that the choice is locked: to player 2, who is not asked then, even the choice."""
        if state[1] != LOCKED:
            return point_mass(NULL)
        return point_mass(LOCKED if player == 0 else state[0])

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Name a side, or confirm."""
        return ("confirm",) if observation == LOCKED else SIDES

    def is_terminal(self, state: Choice) -> bool:
        """Tell whether the guess is made."""
        return state[1] == OVER

    def move(self, player: int, state: Choice, action: str) -> Choice:
        """Choose, confirm, guess."""
        if state[1] == CHOOSING:
            return (action, LOCKED)
        return (state[0], GUESSING if state[1] == LOCKED else OVER)

    def chance(self, state: Choice) -> Distribution[Choice]:
        """Begin; nothing is random."""
        return point_mass(state)

    def reward(
        self, state: Choice, mover: int, action: Any, next_state: Choice
    ) -> Distribution[Rewards]:
        """Pay player 2 for the right guess, player 1 for a wrong one."""
        if next_state[1] != OVER:
            return point_mass((0, 0))
        return point_mass((-1, 1) if action == state[0] else (1, -1))

    def next_player(
        self, state: Choice, mover: int, action: Any, next_state: Choice
    ) -> Distribution[int]:
        """Let player 1 choose and confirm, then player 2 guess."""
        return point_mass(1 if next_state[1] == GUESSING else 0)


class CoinSight(Enum):
    """What two players see of fair coins."""

    PUBLIC = "one coin, seen by both"
    PRIVATE = "a coin each"


@dataclass(frozen=True)
class FairCoins:
    """Each of two players sees a fair coin, then names a side, for nothing.

    States, each player's observations and rewards have the same distributions whether the coin is
    public or private. If both name what they see, they name the same side with probability 1 or
    1/2: only the joint distribution of observations tells the games apart.

    >>> len(FairCoins(CoinSight.PUBLIC).initial_observation("tossed"))
    2
    """

    sight: CoinSight
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=1, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.sight, CoinSight):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(needs="a member of CoinSight", found=f"got {self.sight!r}")

    @property
    def title(self) -> str:
        """For people."""
        return f"Fair coins: {self.sight.value}"

    def initial(self) -> Distribution[str]:
        """Return the one state."""
        return point_mass("tossed")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show the coin, or the coins."""
        if self.sight is CoinSight.PRIVATE:
            return product([uniform(SIDES)] * 2)
        return uniform((side, side) for side in SIDES)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Name a side."""
        return SIDES

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Stay."""
        return point_mass(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show nothing more."""
        return point_mass((NULL, NULL))

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay nothing."""
        return (0, 0)


def listen_wait_guess() -> ListenWaitGuess:
    """One player who may listen before guessing: worth 1 if signals depend on actions, else 0."""
    return ListenWaitGuess()


def seen_choice() -> SeenChoice:
    """Matching pennies in turns, worth 0 to player 1, and -1 if those who wait could look."""
    return SeenChoice()


def public_coin() -> FairCoins:
    """A coin that two players see: naming what they see, they always agree."""
    return FairCoins(CoinSight.PUBLIC)


def private_coins() -> FairCoins:
    """A coin for each of two players: naming what they see, they agree half of the time."""
    return FairCoins(CoinSight.PRIVATE)


FAIR: Distribution[Rewards] = uniform(((1, -1), (-1, 1)))
SURE: Distribution[Rewards] = point_mass((1, -1))


@dataclass(frozen=True)
class Payment:
    """One move of player 1, which pays both players by a joint distribution, as an AEC game.

    Attributes:
        law: Over pairs of rewards. With ``FAIR`` either player pays 1 to the other: the rewards
            always add up to 0, but drawn independently, each from its own distribution, they would
            not with probability 1/2. With ``SURE`` player 2 pays player 1: the distribution has
            mass 1 on (1, -1), and the product over both players of the probability of player 1's
            entry has mass 0 everywhere.

    >>> Payment(FAIR).reward("open", 0, "pay", "over").items[1]
    ((-1, 1), Fraction(1, 2))
    """

    law: Distribution[Rewards]
    title: str = field(default="Payment", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)
    initial_state: str = field(default="start", init=False, repr=False)

    def observation(self, player: int, state: str) -> Distribution[Any]:
        """Show nothing."""
        return point_mass(NULL)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Have it paid."""
        return ("pay",)

    def is_terminal(self, state: str) -> bool:
        """Tell whether it is paid."""
        return state == "over"

    def move(self, player: int, state: str, action: str) -> str:
        """End play."""
        return "over"

    def chance(self, state: str) -> Distribution[str]:
        """Begin."""
        return point_mass("open")

    def reward(self, state: str, mover: int, action: Any, next_state: str) -> Distribution[Rewards]:
        """Pay on player 1's move."""
        return point_mass((0, 0)) if mover == CHANCE else self.law

    def next_player(
        self, state: str, mover: int, action: Any, next_state: str
    ) -> Distribution[int]:
        """Let player 1 move."""
        return point_mass(0)


@dataclass(frozen=True)
class SteadyPay:
    """Two players get 1 each step for two steps, discounted by 1/2 a step: a return of 3/2.

    Made an AEC game, a step takes a move of each player and one of chance. Discounted by 1/2 a
    move, counted from chance's first, the return would be 1/8 + 1/64 = 9/64; AEC games discount
    once a cycle.

    >>> SteadyPay().reward("paid", ("work", "work"), "paid")
    (1, 1)
    """

    title: str = field(default="Steady pay", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=Fraction(1, 2), init=False, repr=False)
    horizon: int | None = field(default=2, init=False, repr=False)

    def initial(self) -> Distribution[str]:
        """Return the one state."""
        return point_mass("paid")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return point_mass((NULL, NULL))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Work."""
        return ("work",)

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Stay."""
        return point_mass(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return point_mass((NULL, NULL))

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay both 1."""
        return (1, 1)


def fair_payment() -> Payment:
    """A fair coin says who pays 1 to whom: only a joint distribution keeps rewards at sum 0."""
    return Payment(FAIR)


def sure_payment() -> Payment:
    """Player 2 pays 1 to player 1: a sure reward that misread indices make impossible."""
    return Payment(SURE)


def steady_pay() -> SteadyPay:
    """Two steps of pay, discounted by half: 3/2 by the step, 9/64 if discounted by the move."""
    return SteadyPay()
