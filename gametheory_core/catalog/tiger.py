"""A tiger behind one of two doors, and two players who listen each with their own ears.

Hearing is right 17 times in 20 and private; it works only if both listen. Once a door is opened
the tiger is put behind one of the doors anew. Both receive the same reward, so that the difficulty
is to agree without a word.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gametheory_core.arrays import ONE
from gametheory_core.catalog.arguments import exact_discount, require_between
from gametheory_core.distributions import Distribution, distribution, point_mass, product, uniform
from gametheory_core.games.information_states import NULL
from gametheory_core.games.rules import JointAction, JointObservation, Rewards

LISTEN, OPEN_LEFT, OPEN_RIGHT = "listen", "open left", "open right"
SIDES = ("left", "right")
ACCURACY = Fraction(17, 20)
MAX_HORIZON = 1000


@dataclass(frozen=True)
class Tiger:
    """Two players before two doors, one hiding a tiger and one a treasure, as a POSG.

    Attributes:
        horizon: Steps of play, at least 1.
        discount: The factor on rewards for each step, in [0, 1].

    Source: R. Nair et al., "Taming decentralized POMDPs: towards efficient policy computation for
        multiagent settings", IJCAI 2003.

    >>> Tiger().reward("left", ("open right", "open right"), "left")
    (20, 20)
    """

    horizon: int = 3
    discount: Fraction = ONE
    title: str = field(default="Two players and a tiger", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)

    def __post_init__(self) -> None:
        require_between(self.horizon, 1, MAX_HORIZON, game="Tiger", name="horizon")
        object.__setattr__(self, "discount", exact_discount(self.discount, game="Tiger"))

    def initial(self) -> Distribution[str]:
        """Put the tiger behind either door."""
        return uniform(SIDES)

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show nothing."""
        return point_mass((NULL, NULL))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Listen, or open a door."""
        return (LISTEN, OPEN_LEFT, OPEN_RIGHT)

    def is_terminal(self, state: str) -> bool:
        """Only the horizon ends play."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Leave the tiger where it is while both listen, else put it behind either door."""
        return point_mass(state) if _both_listen(joint_action) else uniform(SIDES)

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Let each hear a side; the tiger's more often if both listened."""
        if not _both_listen(joint_action):
            return product([uniform(SIDES)] * 2)
        other = SIDES[1 - SIDES.index(state)]
        return product([distribution({state: ACCURACY, other: 1 - ACCURACY})] * 2)

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay both alike: little for listening, much for the treasure, more against the tiger."""
        doors = [action for action in joint_action if action != LISTEN]
        attacked = f"open {state}" in doors
        if not doors:
            common = -2
        elif len(doors) == 1:
            common = -101 if attacked else 9
        elif doors[0] != doors[1]:
            common = -100
        else:
            common = -50 if attacked else 20
        return (common, common)


def _both_listen(joint_action: JointAction) -> bool:
    return all(action == LISTEN for action in joint_action)


def tiger(*, horizon: int = 3) -> Tiger:
    """Two players with one interest listen privately for the tiger, and open the other door.

    Args:
        horizon: Steps of play, at least 1.

    Source: R. Nair et al., "Taming decentralized POMDPs: towards efficient policy computation for
        multiagent settings", IJCAI 2003.
    """
    return Tiger(horizon)
