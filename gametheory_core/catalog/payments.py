"""Small games that show how rewards are drawn and discounted in POSGs and AEC games.

Each is a counterexample to a simpler definition; see also ``catalog.counterexamples``.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, evenly, surely
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.information_states import NULL
from gametheory_core.games.posg import JointAction, JointObservation, Rewards

FAIR: Distribution[Rewards] = evenly(((1, -1), (-1, 1)))
SURE: Distribution[Rewards] = surely((1, -1))


@dataclass(frozen=True)
class Payment:
    """One move of player 1, which pays both players by a joint lottery, as an AEC game.

    Attributes:
        law: Over pairs of rewards. With ``FAIR`` either player pays 1 to the other: the rewards
            always add up to 0, but drawn independently, each from its own law, they would not with
            probability 1/2. With ``SURE`` player 2 pays player 1: the law has mass 1 on (1, -1),
            and the product over both players of the probability of player 1's entry has mass 0
            everywhere.

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
        return surely(NULL)

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
        return surely("open")

    def reward(self, state: str, mover: int, action: Any, next_state: str) -> Distribution[Rewards]:
        """Pay on player 1's move."""
        return surely((0, 0)) if mover == CHANCE else self.law

    def next_player(
        self, state: str, mover: int, action: Any, next_state: str
    ) -> Distribution[int]:
        """Let player 1 move."""
        return surely(0)


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
        return surely("paid")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return surely((NULL, NULL))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Work."""
        return ("work",)

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Stay."""
        return surely(state)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return surely((NULL, NULL))

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay both 1."""
        return (1, 1)


def fair_payment() -> Payment:
    """A fair coin says who pays 1 to whom: rewards that only a joint law keeps at sum 0."""
    return Payment(FAIR)


def sure_payment() -> Payment:
    """Player 2 pays 1 to player 1: a sure reward that misread indices make impossible."""
    return Payment(SURE)


def steady_pay() -> SteadyPay:
    """Two steps of pay, discounted by half: 3/2 by the step, 9/64 if discounted by the move."""
    return SteadyPay()
