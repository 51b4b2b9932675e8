"""Bilateral trade of bullets in Space Invaders: one seat of a real game, in batches.

Bullets come to the seller at random frames. The leader names a price, or the highest one that she
pays, which answers the follower's query; the follower sees it and answers. A trade is paid at the
seller's price and moves the bullet. In between both play: by script, or the learner's seat chooses
every few frames.

Source: :cite:`gerstgrasser2023oracles`, section 4.1 and appendix G.
"""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.catalog.trade import BilateralTrade, is_trade
from gametheory_core.errors import InvalidArgument
from learners.adapters.invaders_gunner import gunner_move
from learners.adapters.replays import ReplayedRow
from learners.adapters.space_invaders import FIRE, MOVE_LABELS, MOVES, NOTHING, Battle, Console
from learners.options import Count, checked
from learners.rows import Frame, Moment, RowBatch

SELLER, BUYER = 0, 1
OFFER = (0, True)  # where the game says what may be named
WARMING_UP = 126  # frames before the first shot can leave
PERCENT = 100


class Gunner(Enum):
    """Who moves the ship of the seat that learns."""

    SCRIPTED = "scripted"
    LEARNED = "learned"


@dataclass(frozen=True)
@checked
class InvadersOptions:
    """How an episode goes.

    Attributes:
        mode: Of the machine, 33 to 64.
        gunner: Whether the learner decides trades only, and sees numbers; or moves its ship too,
            and sees the machine's memory as features.
        least_gap, most_gap: Frames from one bullet to the next, all numbers equally likely.
        tail: Frames to play after the last bullet was fired.
        most_frames: After which an episode is cut.
        skip: Frames for which a learned move is held.
    """

    mode: Count = 33
    gunner: Gunner = Gunner.SCRIPTED
    least_gap: Count = 90
    most_gap: Count = 150
    tail: Count = 75
    most_frames: Count = 2500
    skip: Count = 4

    def __post_init__(self) -> None:
        if self.least_gap > self.most_gap:
            raise InvalidArgument(
                needs="least_gap of at most most_gap",
                found=f"got {self.least_gap} and {self.most_gap}",
                argument="least_gap",
                where="InvadersOptions",
            )


class Decider(Protocol):
    """Who decides for the seat that does not learn."""

    @property
    def moves(self) -> bool:
        """Whether its ship too, or a script does."""
        ...

    def choose(self, observation: Any, legal: NDArray[np.bool_], rng: np.random.Generator) -> int:
        """Return an action's number."""
        ...


@dataclass(frozen=True)
class AnyAnswer:
    """Decides trades at random, all answers equally likely."""

    moves: bool = False

    def choose(self, observation: Any, legal: NDArray[np.bool_], rng: np.random.Generator) -> int:
        """Return an action's number."""
        del observation
        return int(rng.choice(np.flatnonzero(legal)))


class Account:
    """What was traded, fired and earned since last asked."""

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget everything."""
        self.episodes: list[tuple[float, float]] = []  # returns of those that ended
        self.offers = 0
        self.prices: list[float] = []  # of the bullets that were sold
        self.shots, self.hits = [0, 0], [0, 0]

    def metrics(self) -> dict[str, float]:
        """Return shares and means; those of which something happened."""
        return {name: float(np.mean(own)) for name, own in self.samples().items()}

    def samples(self) -> dict[str, list[float]]:
        """Return what means and shares are of."""
        sold = len(self.prices)
        found = {
            "return/seller": [own for own, _ in self.episodes],
            "return/buyer": [own for _, own in self.episodes],
            "trade rate": [1.0] * sold + [0.0] * (self.offers - sold),
            "price": self.prices,
        }
        for name, shots, hits in zip(("seller", "buyer"), self.shots, self.hits, strict=True):
            found[f"hit rate/{name}"] = [1.0] * hits + [0.0] * (shots - hits)
        return {name: own for name, own in found.items() if own}


@dataclass(frozen=True, eq=False)
class Seat:
    """Who learns, on which side, and against whom.

    Attributes:
        game: Prices, number of bullets, what hits pay, and how often shots go astray.
        player: 0 for the seller, 1 for the buyer.
        leader: The same; who names first.
        other: Decides for the other player.
        account: Kept over all rows.
    """

    game: BilateralTrade
    player: int
    leader: int
    other: Decider
    options: InvadersOptions
    account: Account

    @property
    def is_scripted(self) -> bool:
        """Whether only trades are decided."""
        return self.options.gunner is Gunner.SCRIPTED

    def answers(self, player: int) -> tuple[str, ...]:
        """What a player may say about a bullet."""
        return self.game.legal_actions(player, OFFER)

    @property
    def first_answer(self) -> int:
        """The number of the first action that is about a trade."""
        return 0 if self.is_scripted else len(MOVES)

    def actions(self, player: int) -> tuple[Hashable, ...]:
        """All that a player may do."""
        return self.answers(player) if self.is_scripted else MOVE_LABELS + self.answers(player)

    def num_seen(self, player: int) -> int:
        """How many answers of the leader a player may see."""
        return 1 if player == self.leader else len(self.answers(self.leader))


class TradePlay:
    """One episode at a time."""

    def __init__(self, seat: Seat, console: Console) -> None:
        self._seat = seat
        self._battle = Battle(console)

    def begin(self, seed: int) -> Moment:
        """Begin a game, and play until the seat is to decide."""
        options, count = self._seat.options, self._seat.game.bullets
        self._rng = np.random.Generator(np.random.PCG64(seed))
        gaps = self._rng.integers(options.least_gap, options.most_gap, size=count, endpoint=True)
        self._due = (WARMING_UP + np.cumsum(gaps)).tolist()
        self._battle.begin()
        self._frame = self._quiet = 0
        self._said: list[str] = []  # of the bullet that is offered
        self._is_offered = False
        self._moves = [NOTHING, NOTHING]
        self._slips = [False, False]
        self._paid = np.zeros(2)
        self._total = np.zeros(2)
        return self._until_turn()

    def act(self, actions: NDArray[np.int64]) -> Moment:
        """Let the seat do as it chose."""
        action = int(actions[0])
        self._do(self._seat.player, action)
        if action < self._seat.first_answer:
            self._play_frames()
        return self._until_turn()

    def _do(self, player: int, action: int) -> None:
        number = action - self._seat.first_answer
        if number < 0:
            self._moves[player] = MOVES[action]
            return
        self._said.append(self._seat.answers(player)[number])
        if len(self._said) == len((SELLER, BUYER)):
            self._settle()

    def _settle(self) -> None:
        """Let the bullet go to whom it was agreed, and be paid."""
        seat, account = self._seat, self._seat.account
        named, answer = self._said if seat.leader == SELLER else self._said[::-1]
        owner, price = SELLER, 0.0
        if is_trade(named, answer):
            owner, price = BUYER, float(Fraction(named))
            account.prices.append(price)
        account.offers += 1
        self._pay(price, -price)
        self._battle.bullets[owner] += 1
        self._slips[owner] = bool(self._rng.random() * PERCENT >= seat.game.hits)
        self._said, self._is_offered = [], False

    def _pay(self, seller: float, buyer: float) -> None:
        self._paid += (seller, buyer)
        self._total += (seller, buyer)

    def _until_turn(self) -> Moment:
        """Play until the seat is to decide, or the episode is over."""
        seat = self._seat
        while not self._is_over:
            if self._is_offered:
                mover = seat.leader if not self._said else 1 - seat.leader
                if mover == seat.player:
                    return self._moment(moves=False)
                self._do(mover, self._others_choice(mover, moves=False))
            elif self._due and self._frame >= self._due[0]:
                del self._due[0]
                self._is_offered = True
            elif seat.is_scripted:
                self._play_frame()
            else:
                return self._moment(moves=True)
        seat.account.episodes.append((float(self._total[0]), float(self._total[1])))
        return self._moment(moves=False)

    @property
    def _is_over(self) -> bool:
        is_used = not self._due and not self._is_offered and not any(self._battle.bullets)
        is_done = is_used and self._quiet >= self._seat.options.tail
        return is_done or self._battle.is_over or self._is_cut

    @property
    def _is_cut(self) -> bool:
        return self._frame >= self._seat.options.most_frames

    def _play_frames(self) -> None:
        """Hold a learned move, until a bullet comes."""
        other = 1 - self._seat.player
        if self._seat.other.moves:
            self._moves[other] = MOVES[self._others_choice(other, moves=True)]
        for _ in range(self._seat.options.skip):
            if self._is_over or (self._due and self._frame >= self._due[0]):
                return
            self._play_frame()

    def _play_frame(self) -> None:
        battle, seat = self._battle, self._seat
        moves = list(self._moves)
        for player in (SELLER, BUYER):
            is_learned = player == seat.player or seat.other.moves
            if seat.is_scripted or not is_learned:
                moves[player] = gunner_move(
                    battle.memory,
                    player,
                    has_bullet=battle.bullets[player] > 0,
                    slips=self._slips[player],
                    holds_fire=self._moves[player] == FIRE,
                )
        self._moves = moves
        outcome = battle.frame(moves)
        self._frame += 1
        self._quiet = 0 if any(battle.bullets) or self._due else self._quiet + 1
        worth = (seat.game.seller / PERCENT, seat.game.buyer / PERCENT)
        self._pay(*(w * hit for w, hit in zip(worth, outcome.hits, strict=True)))
        for player in (SELLER, BUYER):
            seat.account.shots[player] += outcome.fired[player]
            seat.account.hits[player] += outcome.hits[player]
            if outcome.fired[player]:
                self._slips[player] = False

    # What is shown

    def _others_choice(self, player: int, *, moves: bool) -> int:
        seen, legal = self._seen(player), self._legal(player, moves=moves)
        return self._seat.other.choose(seen, legal, self._rng)

    def _legal(self, player: int, *, moves: bool) -> NDArray[np.bool_]:
        legal = np.zeros(len(self._seat.actions(player)), dtype=np.bool_)
        first = self._seat.first_answer
        legal[:first] = moves
        legal[first:] = not moves
        return legal

    def _seen(self, player: int) -> Any:
        """Return the leader's answer by its number; or features, the machine's memory last."""
        seat = self._seat
        number = 0
        if self._said:  # the leader's turn is over
            number = seat.answers(seat.leader).index(self._said[0])
        if seat.is_scripted:
            return number
        answer = np.zeros(seat.num_seen(player))
        answer[number] = self._is_offered
        own = (self._battle.bullets[player] / seat.game.bullets, float(self._is_offered))
        return np.concatenate([own, answer, self._battle.memory / 255]).astype(np.float32)

    def _moment(self, *, moves: bool) -> Moment:
        player = self._seat.player
        paid, self._paid = self._paid, np.zeros(2)
        return Moment(
            observations=(self._seen(player),),
            legal=(self._legal(player, moves=moves),),
            acts=(not self._is_over,),
            rewards=(float(paid[player]),),
            is_terminal=self._is_over and not self._is_cut,
            is_truncated=self._is_over and self._is_cut,
        )


def invaders_trade(
    seat: Seat, *, episodes: int, seed: int, console: Callable[[], Console]
) -> RowBatch:
    """Play one seat of bilateral trade in Space Invaders, many episodes side by side.

    Args:
        episodes: Machines side by side.
        seed: Episode ``k`` follows from this, ``k`` and the seat's actions alone.
        console: Makes a machine, such as ``AtariConsole``.

    Returns:
        Satisfies ``BatchedEnvironment``, of one player. With a scripted gunner observations are
        numbers, and actions what may be said about a bullet; else the moves of the joystick stand
        before these, and the features are the share of bullets in hand, whether one is offered, the
        leader's answer (to the follower), and the 128 bytes of memory over 255.
    """
    own, none = seat.player, (0,)
    features = (2 + seat.num_seen(own) + 128,)
    frame = Frame(
        players=(seat.game.players[own],),
        num_observations=(seat.num_seen(own),) if seat.is_scripted else none,
        num_features=none if seat.is_scripted else features,
        action_labels=(seat.actions(own),),
        discount=1.0,
        horizon=None,
    )
    rows = [
        ReplayedRow(
            lambda: TradePlay(seat, console()),
            seed=seed,
            first=e,
            stride=episodes,
            name="Space Invaders",
        )
        for e in range(episodes)
    ]
    return RowBatch(frame, rows, lambda _, state: np.array(state[::2]))
