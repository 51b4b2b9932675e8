"""A deep turn game as a stress test: too many states to list, thousands of moves to play.

With the default size there are up to 24 moves a turn, 800 turns a play, and 10^16 positions; yet
who wins is known, so that long plays can be checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arrays import ONE
from gametheory_core.catalog.arguments import require_between
from gametheory_core.distributions import Distribution, surely
from gametheory_core.games.information_sets import CHANCE
from gametheory_core.games.posg import Rewards

MAX_PILES = 1000
MAX_TOKENS = 1_000_000

Piles: TypeAlias = tuple[int, ...]
Taking: TypeAlias = tuple[int, int]


@dataclass(frozen=True)
class TakeAway:
    """Piles of tokens from which two players take in turn; who takes the last token wins 1.

    A move takes 1 to ``most`` tokens from one pile. Everything is seen and nothing is random:
    chance only begins.

    Attributes:
        piles: Number of piles, at least 1.
        tokens: Tokens on each pile at the start, at least 1.
        most: Most tokens in a move, at least 1.

    Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways for your Mathematical Plays,
        1982, ch. 4.

    >>> TakeAway(piles=2, tokens=5).move(0, (5, 5), (1, 3))
    (5, 2)
    """

    piles: int = 8
    tokens: int = 100
    most: int = 3
    title: str = field(default="Take-away", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        require_between(self.piles, 1, MAX_PILES, game="TakeAway", name="piles")
        require_between(self.tokens, 1, MAX_TOKENS, game="TakeAway", name="tokens")
        require_between(self.most, 1, MAX_TOKENS, game="TakeAway", name="most")

    @property
    def initial_state(self) -> Piles:
        """All piles are full."""
        return (self.tokens,) * self.piles

    def observation(self, player: int, state: Piles) -> Distribution[Any]:
        """Show the piles."""
        return surely(state)

    def legal_actions(self, player: int, observation: Piles) -> tuple[Taking, ...]:
        """Choose a pile, by its place, and how many tokens to take from it."""
        return tuple(
            (pile, taken)
            for pile, left in enumerate(observation)
            for taken in range(1, min(left, self.most) + 1)
        )

    def is_terminal(self, state: Piles) -> bool:
        """Tell whether all tokens are taken."""
        return not any(state)

    def move(self, player: int, state: Piles, action: Taking) -> Piles:
        """Take tokens from a pile."""
        pile, taken = action
        return (*state[:pile], state[pile] - taken, *state[pile + 1 :])

    def chance(self, state: Piles) -> Distribution[Piles]:
        """Begin; nothing is random."""
        return surely(state)

    def reward(
        self, state: Piles, mover: int, action: Any, next_state: Piles
    ) -> Distribution[Rewards]:
        """Pay who took the last token 1, at the other's cost."""
        if any(next_state):
            return surely((0, 0))
        return surely((1, -1) if mover == 0 else (-1, 1))

    def next_player(
        self, state: Piles, mover: int, action: Any, next_state: Piles
    ) -> Distribution[int]:
        """Let player 1 begin, then alternate."""
        return surely(0 if mover == CHANCE else 1 - mover)


def winning_takings(piles: Sequence[int], *, most: int) -> tuple[Taking, ...]:
    """Return the moves after which the other player cannot win against best play.

    A pile counts as a Nim heap of its tokens modulo ``most + 1``; a position is lost for the mover
    if the exclusive or of all heaps is zero.

    Args:
        piles: Tokens left on each pile.
        most: Most tokens in a move.

    Returns:
        Empty in a lost position.

    >>> winning_takings((5, 2), most=3)
    ((0, 3), (1, 1))
    """
    total = 0
    for left in piles:
        total ^= left % (most + 1)
    found: list[Taking] = []
    for pile, left in enumerate(piles):
        rest = total ^ (left % (most + 1))
        found.extend(
            (pile, taken)
            for taken in range(1, min(left, most) + 1)
            if (left - taken) % (most + 1) == rest
        )
    return tuple(found)


def take_away(*, piles: int = 8, tokens: int = 100, most: int = 3) -> TakeAway:
    """Piles of tokens, taken in turn: a deep game of known outcome, far too large for a tree.

    Args:
        piles, tokens, most: Number of piles; tokens on each at the start; most tokens in a move. At
            least 1.

    Source: E. R. Berlekamp, J. H. Conway and R. K. Guy, Winning Ways for your Mathematical Plays,
        1982, ch. 4.
    """
    return TakeAway(piles, tokens, most)
