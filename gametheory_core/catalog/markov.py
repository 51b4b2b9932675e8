"""Small Markov games, in which each player sees the state, and one behind two doors: the tiger.

A tiger behind one of two doors, and two players who listen each with their own ears.

Hearing is right 17 times in 20 and private; it works only if both listen. Once a door is opened
the tiger is put behind one of the doors anew. Both receive the same reward, so that the difficulty
is to agree without a word.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, product, uniform
from gametheory_core.games.rules import NULL, JointAction, JointObservation, Rewards
from gametheory_core.games.table_content import check_discount

MAX_FISHERS = 4
MAX_STOCK = 60
MAX_ROUNDS = 1000


@dataclass(frozen=True)
class BigMatch:
    """Until player 1 says "left" and so stops the match, both saying "right" pays 1 a round.

    Each round both say "left" or "right". Player 1's "left" ends the match: from then on each round
    pays 1 if both said "left", and nothing otherwise. Payments to player 1 are at player 2's cost.

    Attributes:
        discount: In [0, 1].

    Source: D. Gillette, "Stochastic games with zero stop probabilities", Contributions to the
        Theory of Games III, Annals of Mathematics Studies 39, 1957, 179-187.

    >>> BigMatch().transition("open", ("left", "left")).items[0][0]
    'won'
    """

    discount: Fraction = Fraction(9, 10)
    title: str = field(default="Big Match", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "discount", check_discount(self.discount))

    def initial(self) -> Distribution[str]:
        """Begin with an open match."""
        return point_mass("open")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def legal_actions(self, player: int, observation: str) -> tuple[str, ...]:
        """Say either while the match is open; then there is nothing to choose."""
        return ("left", "right") if observation == "open" else ("left",)

    def is_terminal(self, state: str) -> bool:
        """Go on for ever."""
        return False

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """End the match if player 1 says so."""
        if state != "open" or joint_action[0] == "right":
            return point_mass(state)
        return point_mass("won" if joint_action[1] == "left" else "lost")

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay for a match that is won, and for "right" and "right" in an open one."""
        pays = next_state == "won" or (state == "open" and joint_action == ("right", "right"))
        return (1, -1) if pays else (0, 0)


def big_match(*, discount_percent: int = 90) -> BigMatch:
    """The Big Match, discounted: a zero-sum game that one player can stop for good.

    With a discount ``g < 1`` the value is ``1 / (2 (1 - g))``.

    Args:
        discount_percent: The factor on rewards for each step, 0 to 100 percent.

    Source: D. Gillette, "Stochastic games with zero stop probabilities", Contributions to the
        Theory of Games III, Annals of Mathematics Studies 39, 1957, 179-187.
    """
    require_integer(discount_percent, name="discount_percent", low=0, high=100, where="big_match")
    return BigMatch(Fraction(discount_percent, 100))


@dataclass(frozen=True)
class StoppingPennies:
    """Matching pennies that continues, half the time, after two heads, and ends otherwise.

    A match pays player 1 one unit, at player 2's cost. The value solves ``v^2 / 2 + 3 v / 2 = 1``:
    it is ``(sqrt(17) - 3) / 2``, though all numbers of the game are rational.

    Source: L. S. Shapley, "Stochastic games", Proceedings of the National Academy of Sciences 39,
        1953, 1095-1100: games with stop probabilities.

    >>> [str(weight) for _, weight in StoppingPennies().transition("open", ("heads", "heads"))]
    ['1/2', '1/2']
    """

    title: str = field(default="Stopping pennies", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def initial(self) -> Distribution[str]:
        """Begin."""
        return point_mass("open")

    def initial_observation(self, state: str) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def observation(self, joint_action: JointAction, state: str) -> Distribution[JointObservation]:
        """Show the state."""
        return point_mass((state, state))

    def legal_actions(self, player: int, observation: str) -> tuple[str, ...]:
        """Show a side."""
        return ("heads", "tails")

    def is_terminal(self, state: str) -> bool:
        """Tell whether play is over."""
        return state == "over"

    def transition(self, state: str, joint_action: JointAction) -> Distribution[str]:
        """Go on half the time after two heads."""
        if joint_action == ("heads", "heads"):
            return uniform(("open", "over"))
        return point_mass("over")

    def reward(self, state: str, joint_action: JointAction, next_state: str) -> Rewards:
        """Pay for a match."""
        return (1, -1) if joint_action[0] == joint_action[1] else (0, 0)


def stopping_pennies() -> StoppingPennies:
    """Matching pennies that may continue after two heads: a stochastic game of irrational value.

    Source: L. S. Shapley, "Stochastic games", Proceedings of the National Academy of Sciences 39,
        1953, 1095-1100: games with stop probabilities.
    """
    return StoppingPennies()


@dataclass(frozen=True)
class FishWar:
    """Fishers share a stock; what they leave doubles, up to a limit. All see the stock.

    Each takes up to an equal share of the stock, at once, and is paid what it takes. Play ends when
    no fish is left, or after some rounds.

    Attributes:
        fishers: Number of players, 2 to 4.
        stock: Fish at the start, and most that there can be, from ``fishers`` to 60.
        rounds: At least 1; None if play continues until the stock is empty.
        discount: In [0, 1].

    Source: D. Levhari and L. J. Mirman, "The great fish war: an example using a dynamic
        Cournot-Nash solution", Bell Journal of Economics 11, 1980, 322-334.

    >>> FishWar(fishers=3, stock=7).legal_actions(0, 7)
    (0, 1, 2)
    >>> FishWar(fishers=3, stock=7).transition(7, (1, 1, 2)).items[0][0]
    6
    """

    fishers: int = 3
    stock: int = 6
    rounds: int | None = 3
    discount: Fraction = ONE

    def __post_init__(self) -> None:
        require_integer(self.fishers, name="fishers", low=2, high=MAX_FISHERS, where="FishWar")
        require_integer(self.stock, name="stock", low=self.fishers, high=MAX_STOCK, where="FishWar")
        if self.rounds is not None:
            require_integer(self.rounds, name="rounds", low=1, high=MAX_ROUNDS, where="FishWar")
        object.__setattr__(self, "discount", check_discount(self.discount))

    title: str = field(default="Fish war", init=False, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """Numbered from 1."""
        return tuple(str(i + 1) for i in range(self.fishers))

    @property
    def horizon(self) -> int | None:
        """One step a round."""
        return self.rounds

    def initial(self) -> Distribution[int]:
        """Begin with a full stock."""
        return point_mass(self.stock)

    def initial_observation(self, state: int) -> Distribution[JointObservation]:
        """Show the stock."""
        return point_mass((state,) * self.fishers)

    def observation(self, joint_action: JointAction, state: int) -> Distribution[JointObservation]:
        """Show the stock."""
        return point_mass((state,) * self.fishers)

    def legal_actions(self, player: int, observation: int) -> tuple[int, ...]:
        """Take at most an equal share, rounded down."""
        return tuple(range(observation // self.fishers + 1))

    def is_terminal(self, state: int) -> bool:
        """End when there is no fish for each."""
        return state < self.fishers

    def transition(self, state: int, joint_action: JointAction) -> Distribution[int]:
        """Double what is left, up to the limit."""
        return point_mass(min(self.stock, 2 * (state - sum(joint_action))))

    def reward(self, state: int, joint_action: JointAction, next_state: int) -> Rewards:
        """Pay what each takes."""
        return tuple(joint_action)


def fish_war(*, fishers: int = 3, stock: int = 6, rounds: int = 3) -> FishWar:
    """Fishers who share a stock that doubles what is left: a Markov game of several players.

    Args:
        fishers, stock, rounds: Players, 2 to 4; fish at the start and at most; rounds of play, at
            least 1.

    Source: D. Levhari and L. J. Mirman, "The great fish war: an example using a dynamic
        Cournot-Nash solution", Bell Journal of Economics 11, 1980, 322-334.
    """
    return FishWar(fishers, stock, rounds)


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
        require_integer(self.horizon, name="horizon", low=1, high=MAX_HORIZON, where="Tiger")
        object.__setattr__(self, "discount", check_discount(self.discount))

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
