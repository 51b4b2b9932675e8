"""Small games that show who must observe what in POSGs and AEC games, and who must not.

Each is a counterexample to a simpler definition. The games of ``catalog.payments``, the team in
random order (``catalog.turn_orders``) and the forgetful bit (``catalog.textbook_trees``) serve the
same purpose.
"""

from dataclasses import dataclass, field
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, evenly, independently, surely
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.information_states import NULL
from gametheory_core.games.posg import JointAction, JointObservation, Rewards

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
        return evenly(SIDES)

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return surely((NULL,))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Listen, wait, or name a side."""
        return ("listen", "wait", *SIDES)

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Leave the coin as it is."""
        return surely(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show the coin to who listens."""
        return surely((state if joint_action == ("listen",) else "silence",))

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
            return surely(NULL)
        return surely(LOCKED if player == 0 else state[0])

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
        return surely(state)

    def reward(
        self, state: Choice, mover: int, action: Any, next_state: Choice
    ) -> Distribution[Rewards]:
        """Pay player 2 for the right guess, player 1 for a wrong one."""
        if next_state[1] != OVER:
            return surely((0, 0))
        return surely((-1, 1) if action == state[0] else (1, -1))

    def next_player(
        self, state: Choice, mover: int, action: Any, next_state: Choice
    ) -> Distribution[int]:
        """Let player 1 choose and confirm, then player 2 guess."""
        return surely(1 if next_state[1] == GUESSING else 0)


class CoinSight(Enum):
    """What two players see of fair coins."""

    PUBLIC = "one coin, seen by both"
    PRIVATE = "a coin each"


@dataclass(frozen=True)
class FairCoins:
    """Each of two players sees a fair coin, then names a side, for nothing.

    States, each player's observations and rewards have the same laws whether the coin is public or
    private. If both name what they see, they name the same side with probability 1 or 1/2: only the
    joint law of observations tells the games apart.

    >>> len(FairCoins(CoinSight.PUBLIC).initial_observation("tossed"))
    2
    """

    sight: CoinSight
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=1, init=False, repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.sight, CoinSight):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                f"FairCoins: needs a member of CoinSight, but got {self.sight!r}."
            )

    @property
    def title(self) -> str:
        """For people."""
        return f"Fair coins: {self.sight.value}"

    def initial(self) -> Distribution[str]:
        """Return the one state."""
        return surely("tossed")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show the coin, or the coins."""
        if self.sight is CoinSight.PRIVATE:
            return independently([evenly(SIDES)] * 2)
        return evenly((side, side) for side in SIDES)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Name a side."""
        return SIDES

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Stay."""
        return surely(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show nothing more."""
        return surely((NULL, NULL))

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
