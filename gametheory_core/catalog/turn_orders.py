"""Games whose turn order is drawn or turned around, as AEC games.

``TakeAway`` is a deep turn game as a stress test. With the default size there are up to 24 moves a
turn, 800 turns a play, and 10^16 positions; yet who wins is known, so that long plays can be
checked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeAlias

from gametheory_core.arguments import require_integer
from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution, distribution, point_mass, product, uniform
from gametheory_core.games.rules import NULL, Rewards
from gametheory_core.games.tree_table import CHANCE

PLAIN, SKIP, REVERSE = "plain", "skip", "reverse"
HANDS = ((PLAIN, SKIP), (PLAIN, REVERSE), (SKIP, REVERSE))
ASLEEP = Fraction(1, 4)

Hand: TypeAlias = tuple[str, ...]


@dataclass(frozen=True)
class RandomOrderTeam:
    """A team of two that moves in random order, blindly, as nobody has a clock.

    Each plays A or B once and sees nothing, not even whether the other has moved. Both get 1 if who
    moves first plays A and who moves second plays B. The best the team can do is 1/2: one always
    plays A, the other always B. With a clock it would get 1.

    >>> team = RandomOrderTeam()
    >>> team.reward("A", 1, "B", "over").items[0][0]
    (1, 1)
    """

    title: str = field(default="Team in random order", init=False, repr=False)
    players: tuple[str, ...] = field(default=("1", "2"), init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)
    initial_state: str = field(default="start", init=False, repr=False)

    def observation(self, player: int, state: str) -> Distribution[Any]:
        """Show nothing."""
        return point_mass(NULL)

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """A or B."""
        return ("A", "B")

    def is_terminal(self, state: str) -> bool:
        """Tell whether both have moved."""
        return state == "over"

    def move(self, player: int, state: str, action: str) -> str:
        """Remember what was played first; end after the second move."""
        return action if state == "ready" else "over"

    def chance(self, state: str) -> Distribution[str]:
        """Begin; who moves first is drawn as the next player."""
        return point_mass("ready")

    def reward(self, state: str, mover: int, action: str, next_state: str) -> Distribution[Rewards]:
        """Pay both 1 for A first and B second."""
        success = int(next_state == "over" and (state, action) == ("A", "B"))
        return point_mass((success, success))

    def next_player(
        self, state: str, mover: int, action: str, next_state: str
    ) -> Distribution[int]:
        """Draw who begins; then it is the other's turn."""
        return uniform((0, 1)) if mover == CHANCE else point_mass(1 - mover)


@dataclass(frozen=True)
class Table:
    """What lies on the table: each player's cards, and the direction of play, 1 or -1."""

    hands: tuple[Hand, ...]
    direction: int


@dataclass(frozen=True)
class ReversingOrder:
    """A card game whose cards pass the turn on, skip a player, or turn the order around.

    Each is dealt two different cards of three kinds, and sees their own cards, how many the others
    have, and the direction of play. A plain card passes the turn on, but the next player is asleep
    and passed over with probability 1/4; a skip passes over the next player surely; a reverse turns
    the direction around and passes the turn on. Who is first out of cards wins 1 from all players.

    Attributes:
        seats: Number of players, 2 to 4.

    >>> game = ReversingOrder(seats=3)
    >>> table = Table((("plain", "reverse"),) * 3, 1)
    >>> turned = game.move(0, table, "reverse")
    >>> game.next_player(table, 0, "reverse", turned).items
    ((2, Fraction(1, 1)),)
    """

    seats: int = 3
    title: str = field(default="Reversing order", init=False, repr=False)
    discount: Fraction = field(default=ONE, init=False, repr=False)
    horizon: int | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        require_integer(self.seats, name="seats", low=2, high=4, where="ReversingOrder")

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the seats."""
        return tuple(str(seat + 1) for seat in range(self.seats))

    @property
    def initial_state(self) -> Table:
        """Nobody has cards yet."""
        return Table(((),) * self.seats, 1)

    def observation(self, player: int, state: Table) -> Distribution[Any]:
        """Show their own cards, how many each player has, and the direction."""
        return point_mass((state.hands[player], tuple(map(len, state.hands)), state.direction))

    def legal_actions(self, player: int, observation: Any) -> tuple[str, ...]:
        """Play any of their own cards."""
        return observation[0]

    def is_terminal(self, state: Table) -> bool:
        """Tell whether somebody is out of cards; before the deal each player is."""
        return () in state.hands and any(state.hands)

    def move(self, player: int, state: Table, action: str) -> Table:
        """Lay down a card; a reverse turns the direction around."""
        left = tuple(card for card in state.hands[player] if card != action)
        hands = (*state.hands[:player], left, *state.hands[player + 1 :])
        return Table(hands, -state.direction if action == REVERSE else state.direction)

    def chance(self, state: Table) -> Distribution[Table]:
        """Deal each player two different cards."""
        deals = product([uniform(HANDS)] * self.seats)
        return Distribution(tuple((Table(hands, 1), weight) for hands, weight in deals))

    def reward(
        self, state: Table, mover: int, action: Any, next_state: Table
    ) -> Distribution[Rewards]:
        """Pay the player who gets rid of the last card 1 from each other player."""
        if not self.is_terminal(next_state):
            return point_mass((0,) * self.seats)
        return point_mass(
            tuple(self.seats - 1 if seat == mover else -1 for seat in range(self.seats))
        )

    def next_player(
        self, state: Table, mover: int, action: Any, next_state: Table
    ) -> Distribution[int]:
        """Begin with the first seat; then follow the card just played."""
        if mover == CHANCE:
            return point_mass(0)
        following = (mover + next_state.direction) % self.seats
        skipped = (mover + 2 * next_state.direction) % self.seats
        if action == PLAIN:
            return distribution({following: 1 - ASLEEP, skipped: ASLEEP})
        return point_mass(skipped if action == SKIP else following)


def random_order_team() -> RandomOrderTeam:
    """A blind team in random order gets 1/2 as it moves by turns, and 1 if each player has a clock.

    Source: S. K. Jakobsen, T. B. Sorensen and V. Conitzer, "Timeability of extensive-form games",
        Innovations in Theoretical Computer Science 2016, for games that no clock can order.
    """
    return RandomOrderTeam()


def reversing_order(*, seats: int = 3) -> ReversingOrder:
    """Cards that pass the turn on, skip a player or turn the order around; first out wins.

    Args:
        seats: Number of players, 2 to 4.
    """
    return ReversingOrder(seats)


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
        require_integer(self.piles, name="piles", low=1, high=MAX_PILES, where="TakeAway")
        require_integer(self.tokens, name="tokens", low=1, high=MAX_TOKENS, where="TakeAway")
        require_integer(self.most, name="most", low=1, high=MAX_TOKENS, where="TakeAway")

    @property
    def initial_state(self) -> Piles:
        """All piles are full."""
        return (self.tokens,) * self.piles

    def observation(self, player: int, state: Piles) -> Distribution[Any]:
        """Show the piles."""
        return point_mass(state)

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
        return point_mass(state)

    def reward(
        self, state: Piles, mover: int, action: Any, next_state: Piles
    ) -> Distribution[Rewards]:
        """Pay who took the last token 1, at the other's cost."""
        if any(next_state):
            return point_mass((0, 0))
        return point_mass((1, -1) if mover == 0 else (-1, 1))

    def next_player(
        self, state: Piles, mover: int, action: Any, next_state: Piles
    ) -> Distribution[int]:
        """Let player 1 begin, then alternate."""
        return point_mass(0 if mover == CHANCE else 1 - mover)


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
