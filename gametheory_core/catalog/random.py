"""Random games with prescribed properties; the generator of random numbers is a parameter."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np

from gametheory_core.errors import InvalidArgument
from gametheory_core.games.extensive_form import ExtensiveFormGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_draft import Chance, Decision, Node, Terminal, lay_out
from gametheory_core.games.tree_table import CHANCE

FEW_VALUES = (-1, 1)
MANY_VALUES = (-1_000_000, 1_000_000)
MAX_CHANCE_WEIGHT = 4


def random_game(
    num_actions: Sequence[int],
    *,
    rng: np.random.Generator,
    payoff_range: tuple[int, int] = MANY_VALUES,
) -> NormalFormGame:
    """Draw a game of any number of players, all payoffs independent.

    Args:
        num_actions: Actions of each player, each at least 1.
        rng: Where the payoffs come from.
        payoff_range: Payoffs are integers, uniform from the first to the second, both included. The
            default range is wide, so that ties are rare, but nondegeneracy is not guaranteed.

    Returns:
        Integer payoffs in the range.

    Raises:
        InvalidArgument: If a player has no action, or the range is empty.

    >>> random_game((2, 3), rng=np.random.default_rng(1)).num_actions
    (2, 3)
    """
    sizes = tuple(num_actions)
    if not sizes or min(sizes) < 1:
        raise InvalidArgument(needs="at least 1 action for each player", found=f"got {sizes}")
    payoffs = _draw(rng, (len(sizes), *sizes), payoff_range)
    return NormalFormGame.from_payoffs(payoffs, title="Random game")


def random_degenerate_game(
    num_actions: Sequence[int], *, rng: np.random.Generator
) -> NormalFormGame:
    """Draw a game with all payoffs in {-1, 0, 1}, where ties abound.

    Most such games are degenerate; no single one is guaranteed to be.

    >>> game = random_degenerate_game((3, 3), rng=np.random.default_rng(1))
    >>> set(game.exact_payoffs.ravel().tolist()) <= {-1, 0, 1}
    True
    """
    return random_game(num_actions, rng=rng, payoff_range=FEW_VALUES)


def random_zero_sum_game(
    rows: int,
    columns: int,
    *,
    rng: np.random.Generator,
    payoff_range: tuple[int, int] = MANY_VALUES,
) -> NormalFormGame:
    """Draw a two-player game whose payoffs sum to exactly zero; the row player's are independent.

    >>> random_zero_sum_game(2, 3, rng=np.random.default_rng(1)).num_actions
    (2, 3)
    """
    if min(rows, columns) < 1:
        raise InvalidArgument(needs="at least 1 row and 1 column", found=f"got {rows} x {columns}")
    payoffs = _draw(rng, (rows, columns), payoff_range)
    return NormalFormGame.zero_sum(payoffs, title="Random zero-sum game")


def random_symmetric_game(
    size: int, *, rng: np.random.Generator, payoff_range: tuple[int, int] = MANY_VALUES
) -> NormalFormGame:
    """Draw a symmetric two-player game: the column player's matrix is the row player's transposed.

    >>> random_symmetric_game(3, rng=np.random.default_rng(1)).num_actions
    (3, 3)
    """
    if size < 1:
        raise InvalidArgument(needs="at least 1 action", found=f"got {size}")
    payoffs = _draw(rng, (size, size), payoff_range)
    return NormalFormGame.symmetric(payoffs, title="Random symmetric game")


def random_tree(
    *,
    rng: np.random.Generator,
    depth: int = 4,
    max_actions: int = 3,
    zero_sum: bool = False,
    payoff_range: tuple[int, int] = (-10, 10),
) -> ExtensiveFormGame:
    """Draw a two-player tree with chance moves and hidden moves, of perfect recall.

    At each node chance or a player moves, with rational probabilities if chance. Whether the
    others see the move is drawn for each of them. An information set is what its player has seen
    and done, in order, so nobody ever forgets.

    Args:
        rng: Where everything comes from.
        depth: Most moves in a play, at least 0.
        max_actions: Most actions at a node, at least 1.
        zero_sum: Whether payoffs sum to zero at every terminal history.
        payoff_range: Payoffs are integers from the first to the second, both included (player 0's
            if zero-sum).

    Returns:
        Perfect recall; zero-sum if asked for. Sizes differ from draw to draw.

    Raises:
        InvalidArgument: If a bound is too small, or the range is empty.

    >>> random_tree(rng=np.random.default_rng(1), depth=2).num_players
    2
    """
    if depth < 0 or max_actions < 1:
        raise InvalidArgument(
            needs="depth at least 0 and max_actions at least 1",
            found=f"got depth={depth} and max_actions={max_actions}",
        )
    rules = _RandomRules(rng, depth, max_actions, zero_sum, payoff_range)
    return lay_out(
        _Position(), expand=rules.expand, players=("Player 1", "Player 2"), title="Random tree"
    )


@dataclass(frozen=True)
class _Position:
    """Number of moves made, and what each player has seen and done."""

    moves: int = 0
    known: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


@dataclass(frozen=True)
class _RandomRules:
    """Rules made up on the way; ``num_actions`` keeps what each information set offers."""

    rng: np.random.Generator
    depth: int
    max_actions: int
    zero_sum: bool
    payoff_range: tuple[int, int]
    num_actions: dict[tuple[int, tuple[str, ...]], int] = field(
        default_factory=dict[tuple[int, tuple[str, ...]], int]
    )

    def expand(self, position: _Position) -> Node[_Position]:
        # a play continues past the root in four cases of five, until it is as deep as allowed
        ends = position.moves > 0 and int(self.rng.integers(5)) == 0
        if position.moves == self.depth or ends:
            return Terminal(self._payoffs())
        mover = int(self.rng.integers(CHANCE, 2))
        if mover == CHANCE:
            return self._lottery(position)
        known = position.known[mover]
        count = self.num_actions.setdefault((mover, known), self._count())
        children = self._children(position, mover, count)
        return Decision(mover, " ".join(known) or "start", children)

    def _lottery(self, position: _Position) -> Chance[_Position]:
        count = self._count()
        weights = self.rng.integers(1, MAX_CHANCE_WEIGHT, size=count, endpoint=True).tolist()
        children = self._children(position, CHANCE, count)
        return Chance(
            {
                label: (Fraction(weight, sum(weights)), child)
                for weight, (label, child) in zip(weights, children.items(), strict=True)
            }
        )

    def _children(self, position: _Position, mover: int, count: int) -> dict[str, _Position]:
        """Make the next positions; each onlooker sees the move, or nothing of it."""
        sees = [player == mover or bool(self.rng.integers(2)) for player in range(2)]
        name = "chance" if mover == CHANCE else f"player{mover + 1}"
        children: dict[str, _Position] = {}
        for label in map(str, range(1, count + 1)):
            event = f"{name}:{label}"
            first, second = (
                (*known, event) if seen else known
                for known, seen in zip(position.known, sees, strict=True)
            )
            children[label] = _Position(position.moves + 1, (first, second))
        return children

    def _count(self) -> int:
        return int(self.rng.integers(1, self.max_actions, endpoint=True))

    def _payoffs(self) -> tuple[int, int]:
        first, second = _draw(self.rng, (2,), self.payoff_range).tolist()
        return (first, -first) if self.zero_sum else (first, second)


def _draw(
    rng: np.random.Generator, shape: tuple[int, ...], payoff_range: tuple[int, int]
) -> "np.ndarray[tuple[int, ...], np.dtype[np.int64]]":
    low, high = payoff_range
    if low > high:
        raise InvalidArgument(needs="a payoff range from low to high", found=f"got {payoff_range}")
    return rng.integers(low, high, size=shape, endpoint=True)
