"""Games whose players leave early and join late: a truel in turns, and generations that overlap.

Who is not there sees ``AWAY``. A duelist who is hit has learned it by the next turn; the old leave
a gift game and the young join it, a step at a time.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass
from gametheory_core.games.rules import AWAY, IDLE, NULL, JointAction, Rewards
from gametheory_core.games.tree_table import CHANCE

AIR = "air"
DUELISTS = ("Ann", "Bob", "Cyd")
GIVE, KEEP, ACCEPT = "give", "keep", "accept"


class Aim(NamedTuple):
    """Who lives, whose turn it is or was, and whom they have aimed at."""

    alive: tuple[str, ...]
    turn: int
    target: str


@dataclass(frozen=True)
class Truel:
    """Three shoot in turns until one is left, who wins 1; each may also shoot into the air.

    Attributes:
        marksmanship: Each player's chance to hit.
        rounds: Play stops after so many, and nobody wins; None for no end.

    >>> Truel().legal_actions(0, ("Ann", "Bob", "Cyd"))
    ('air', 'Bob', 'Cyd')
    """

    marksmanship: tuple[Fraction, ...] = (Fraction(3, 10), Fraction(1, 2), ONE)
    rounds: int | None = 2
    title: str = field(default="Truel", init=False, repr=False)
    players: tuple[str, ...] = field(default=DUELISTS, init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    initial_state: Aim = field(default=Aim(DUELISTS, -1, AIR), init=False, repr=False)

    @property
    def horizon(self) -> int | None:
        """Each turn is a shot, and chance says whether it hits; chance moves first."""
        return None if self.rounds is None else 1 + 6 * self.rounds

    def observation(self, player: int, state: Aim) -> Distribution[Any]:
        """Show who lives to those who do."""
        return point_mass(state.alive if self.players[player] in state.alive else AWAY)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Aim at one of the others who live, or into the air."""
        if observation is AWAY:
            return (IDLE,)
        return (AIR, *(name for name in observation if name != self.players[player]))

    def is_terminal(self, state: Aim) -> bool:
        """Tell whether one is left."""
        return len(state.alive) == 1

    def move(self, player: int, state: Aim, action: Any) -> Aim:
        """Shoot."""
        return Aim(state.alive, player, AIR if action is IDLE else action)

    def chance(self, state: Aim) -> Distribution[Aim]:
        """Say whether the shot hits; then it is the next one's turn."""
        following = Aim(state.alive, (state.turn + 1) % 3, AIR)
        if state.target == AIR:
            return point_mass(following)
        hit = following._replace(alive=tuple(x for x in state.alive if x != state.target))
        odds = self.marksmanship[state.turn]
        return distribution({hit: odds, following: 1 - odds})

    def reward(self, state: Aim, mover: int, action: Any, next_state: Aim) -> Distribution[Rewards]:
        """Pay who is left."""
        over = self.is_terminal(next_state)
        return point_mass(tuple(int(over and name in next_state.alive) for name in self.players))

    def next_player(
        self, state: Aim, mover: int, action: Any, next_state: Aim
    ) -> Distribution[int]:
        """Let chance say what a shot does, and then the next one shoot."""
        return point_mass(next_state.turn if mover == CHANCE else CHANCE)


def truel(*, rounds: int = 2, first: int = 30, second: int = 50, third: int = 100) -> Truel:
    """Truel: three shoot in turns until one is left, and the worst of them had better miss.

    Args:
        first, second, third: Each player's chance to hit, in percent.

    Source: F. Mosteller, "Fifty Challenging Problems in Probability", Addison-Wesley, 1965,
    problem 20; D. M. Kilgour, "The sequential truel", International Journal of Game Theory 4, 1975.
    """
    require_integer(rounds, name="rounds", low=1, where="truel")
    percents = (first, second, third)
    for name, percent in zip(("first", "second", "third"), percents, strict=True):
        require_integer(percent, name=name, low=0, high=100, where="truel")
    return Truel(tuple(Fraction(percent, 100) for percent in percents), rounds)


@dataclass(frozen=True)
class OverlappingGenerations:
    """Each player is young for one step and old in the next, and then leaves.

    In each step the young one gives, which costs 1 and brings the old one 2, or keeps. The young
    one sees whether the old one gave when young. The first player is old at once, and the last one
    is never.

    Attributes:
        generations: Number of players, at least 2.

    >>> OverlappingGenerations(generations=3).reward(0, ("accept", "give", IDLE), 1)
    (2, -1, 0)
    """

    generations: int = 4
    title: str = field(default="Overlapping generations", init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        require_integer(self.generations, name="generations", low=2, where="OverlappingGenerations")

    @property
    def players(self) -> tuple[str, ...]:
        """Who is young in which step; the first one never is."""
        return tuple(f"generation {step}" for step in range(self.generations))

    def initial(self) -> Distribution[int]:
        """Begin with the first step; a state is its number."""
        return point_mass(0)

    def initial_observation(self, state: int) -> Distribution[tuple[Any, ...]]:
        """Show those who are there nothing."""
        return self._shown(state, NULL)

    def legal_actions(self, player: int, observation: Any) -> tuple[Any, ...]:
        """Give or keep when young, accept when old."""
        if observation is AWAY:
            return (IDLE,)
        return (ACCEPT,) if observation[0] == "old" else (KEEP, GIVE)

    def is_terminal(self, state: int) -> bool:
        """Tell whether the last player has been young."""
        return state == self.generations - 1

    def transition(self, state: int, joint_action: JointAction) -> Distribution[int]:
        """Let the old one leave, and the next one join."""
        return point_mass(state + 1)

    def observation(self, joint_action: JointAction, state: int) -> Distribution[tuple[Any, ...]]:
        """Show both what the old one did when young."""
        return self._shown(state, joint_action[state])

    def _shown(self, step: int, given: Any) -> Distribution[tuple[Any, ...]]:
        ages = {step: "old", step + 1: "young"}
        everybody = range(self.generations)
        return point_mass(tuple((ages[i], given) if i in ages else AWAY for i in everybody))

    def reward(self, state: int, joint_action: JointAction, next_state: int) -> Rewards:
        """Let a gift cost the young one 1, and bring the old one 2."""
        gift = int(joint_action[state + 1] == GIVE)
        paid = [0] * self.generations
        paid[state], paid[state + 1] = 2 * gift, -gift
        return tuple(paid)


def overlapping_generations(*, generations: int = 4) -> OverlappingGenerations:
    """Overlapping generations: the young may give to the old, and join for two steps each.

    Source: P. A. Samuelson, "An exact consumption-loan model of interest with or without the social
    contrivance of money", Journal of Political Economy 66, 1958, with a last generation.
    """
    return OverlappingGenerations(generations)
