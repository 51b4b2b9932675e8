"""The stage on which leader and follower meet: a leader view in floats, and play on it.

What a leader answers to all queries, as one number.

A deterministic leader is his answers. They are written with the last observation changing fastest,
so that contexts are numbered as ``leader_policies`` lists leaders; observations after which the
leader never acts are not asked about.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import ceil, log, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import counted, require_instance
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.several_followers import FollowersView
from gametheory_core.leaders.view import LeaderView
from learners._kernels.arrays import (
    LEARNING_DRAWS,
    PLAY_DRAWS,
    SEAT_DRAWS,
    START_DRAWS,
    Episodes,
    FollowerSeats,
    LeadersAtPlay,
    LearningRule,
    LedTables,
)
from learners.leaders.offers import Answers, Floats, Ints, Offer, cumulative
from solvers.rounding import float_exponent, float_ratios

MAX_CELLS = 20_000_000  # of a table, 160 MB in floats


@dataclass(frozen=True)
class Contexts:
    """The numbering of all answers a leader can give.

    Attributes:
        choices: The leader's legal actions after each observation; nothing where he never acts.

    >>> contexts = Contexts(((0, 1), (), (0, 1, 2)))
    >>> contexts.count, contexts.num_queries
    (6, 2)
    >>> contexts.plan(4), contexts.numbers(np.array([[1, -1, 1]])).tolist()
    ((1, -1, 1), [4])
    """

    choices: tuple[tuple[int, ...], ...]

    @property
    def count(self) -> int:
        """Number of deterministic leaders; a Python integer, which may be large."""
        return prod(len(own) for own in self.choices if own)

    @property
    def num_queries(self) -> int:
        """Number of observations asked about."""
        return sum(1 for own in self.choices if own)

    def plan(self, number: int) -> tuple[int, ...]:
        """Return the leader's actions, -1 where he never acts."""
        actions: list[int] = []
        for own in reversed(self.choices):
            number, digit = divmod(number, len(own)) if own else (number, 0)
            actions.append(own[digit] if own else -1)
        return tuple(reversed(actions))

    def number(self, plan: Sequence[int]) -> int:
        """Return the number of one leader's actions; a Python integer, which may be large."""
        number = 0
        for own, action in zip(self.choices, plan, strict=True):
            number = number * len(own) + own.index(action) if own else number
        return number

    def numbers(self, plans: NDArray[np.integer[Any]]) -> NDArray[np.int64]:
        """Return the number of each row of actions, (E, O) to (E,), if all numbers are short."""
        digits, strides = self._coding
        rows = np.arange(len(self.choices))
        number: NDArray[np.int64] = digits[rows, plans] @ strides
        return number

    def uniform_plans(self, count: int, rng: np.random.Generator) -> NDArray[np.int64]:
        """Draw leaders, all equally likely; shape (count, O)."""
        plans = np.full((count, len(self.choices)), -1)
        for column, own in enumerate(self.choices):
            if own:
                plans[:, column] = np.array(own)[rng.integers(len(own), size=count)]
        return plans

    @cached_property
    def _coding(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        most = 1 + max((a for own in self.choices for a in own), default=0)
        digits = np.zeros((len(self.choices), most), dtype=np.int64)
        strides = np.ones(len(self.choices), dtype=np.int64)
        for o, own in enumerate(self.choices):
            digits[o, list(own)] = np.arange(len(own))
        for o in range(len(self.choices) - 2, -1, -1):
            strides[o] = strides[o + 1] * max(1, len(self.choices[o + 1]))
        return digits, strides


def require_table(contexts: Contexts, view: LeaderView, *, row: int) -> None:
    """Refuse a table over all answers with ``row`` numbers each that would not fit.

    Raises:
        UnsupportedGame: With the number of leaders.
    """
    if contexts.count * row > MAX_CELLS:
        player = view.game.players[view.leader]
        raise UnsupportedGame(
            needs=f"a table of at most {MAX_CELLS:,} numbers",
            found=f"{player!r} may answer {contexts.num_queries} queries in "
            f"{counted(contexts.count)} ways, with {row:,} numbers each",
            remedy="Let the leader observe less. A single follower may also have a network "
            "(ContextualNetworkOptions) or learn anew for each leader (InnerLoopQOptions).",
        )


MAX_EXPONENT = 1000  # of two
NEGLIGIBLE = 1e-9  # the discount on steps that are not counted any more


@dataclass(frozen=True)
class Stage:
    """A leader view made ready for play by thousands of episodes.

    Attributes:
        shared: Of several followers, whose merged view ``view`` is.

    Raises:
        UnsupportedGame: If rewards are no finite floats, or the table is too large.
    """

    view: LeaderView
    shared: FollowersView | None = None

    def __post_init__(self) -> None:
        require_instance(self.view, LeaderView, name="view", remedy="Call leader_view(game).")
        exact = self.view.tables
        if float_exponent(exact.rewards, exact.reward_denominator) > MAX_EXPONENT:
            raise UnsupportedGame(
                needs=f"rewards below 2^{MAX_EXPONENT}, so that sums are finite floats",
                found=f"{self.view.game!r} has larger ones",
                remedy="Rescale them: rescale_rewards.",
            )

    @cached_property
    def contexts(self) -> Contexts:
        """What the leader may answer."""
        seen = range(len(self.view.game.observations[self.view.leader]))
        return Contexts(tuple(self.view.leader_actions(o) for o in seen))

    @cached_property
    def leader_legal(self) -> NDArray[np.bool_]:
        """What the leader may do after each observation, shape (O, A)."""
        return _legal(self.contexts.choices, len(self.view.game.actions[self.view.leader]))

    @cached_property
    def follower_legal(self) -> NDArray[np.bool_]:
        """What the follower may do after each observation, shape (her observations, B)."""
        seen = range(len(self.view.game.observations[self.view.follower]))
        choices = tuple(self.view.follower_actions(o) for o in seen)
        return _legal(choices, len(self.view.game.actions[self.view.follower]))

    @cached_property
    def tables(self) -> LedTables:
        """The game in arrays, for compiled code."""
        exact = self.view.tables
        weights = float_ratios(exact.weight, exact.weight_denominator)
        weights[~(weights.sum(axis=-1) > 0), 0] = 1.0  # illegal or over: never drawn from
        first = float_ratios(exact.initial_weight, exact.initial_denominator)
        return LedTables(
            rewards=float_ratios(exact.rewards, exact.reward_denominator),
            successor=exact.successor.astype(np.int64),
            moves=cumulative(weights),
            first=cumulative(first),
            seen=self.view.leader_observation.astype(np.int64),
            horizon=self.view.horizon,
        )

    @cached_property
    def is_deterministic(self) -> bool:
        """Whether actions alone decide what comes next."""
        return bool((np.count_nonzero(self.view.tables.weight, axis=-1) <= 1).all())

    @cached_property
    def rewards_of_all(self) -> Floats:
        """What the leader and each follower are paid, (S, A, B, 1 + n)."""
        if self.shared is None:
            return self.tables.rewards
        paid = [self.shared.paid_as(i).tables for i in self.shared.followers]
        own = [float_ratios(x.rewards[..., 1], x.reward_denominator) for x in paid]
        return np.stack([self.tables.rewards[..., 0], *own], axis=-1)

    def _reward_ends(self, follower: int) -> tuple[float, float]:
        """The smallest and largest reward of one of the followers."""
        seen = self.view.leader_observation
        legal = (
            self.leader_legal[seen][:, :, None]
            & self.follower_legal[self.view.follower_observation][:, None, :]
        )
        rewards = self.rewards_of_all[..., 1 + follower][legal & (seen >= 0)[:, None, None]]
        return (float(rewards.min()), float(rewards.max())) if rewards.size else (0.0, 0.0)

    @property
    def reward_span(self) -> float:
        """By how much the follower's rewards differ at most."""
        low, high = self._reward_ends(0)
        return high - low

    def middle_values(
        self, situations: "Situations", discount: float, *, follower: int = 0
    ) -> Floats:
        """Return what it is worth to a follower to earn the middle of her rewards from there on.

        Args:
            discount: 1 counts up to the horizon, also where she does not know time.
            follower: Which of several.

        Returns:
            Shape (situations,). Taken off values, they are those of *centered* rewards, which lie
            evenly around 0.
        """
        steps = self._steps_left(situations, discount)
        return np.asarray(sum(self._reward_ends(follower)) / 2 * steps, dtype=np.float64)

    def _steps_left(self, situations: "Situations", discount: float) -> Floats:
        """Return how many steps are to come in each situation, discounted; (situations,).

        Where play ends by itself, that is what uniform play comes to in the mean.
        """
        view, horizon = self.view, self.view.horizon
        knows_time = bool((situations.numbers[horizon] < 0).all())
        if ((view.first_step <= horizon) & (view.leader_observation < 0)).any():
            return self._mean_steps(situations, discount, knows_time=knows_time)
        left = np.full(len(situations.legal), float(horizon))
        if knows_time:
            left = horizon - np.arange(len(left)) // len(self.follower_legal) * 1.0
        elif discount < 1:
            left[:] = np.inf  # as if play went on
        found = left if discount == 1 else (1 - discount**left) / (1 - discount)
        return np.asarray(found, dtype=np.float64)

    def _mean_steps(self, situations: "Situations", discount: float, *, knows_time: bool) -> Floats:
        view, tables = self.view, self.tables
        acts = view.leader_observation >= 0
        legal = (
            self.leader_legal[view.leader_observation][:, :, None]
            & self.follower_legal[view.follower_observation][:, None, :]
        )
        even = legal / np.maximum(legal.sum(axis=(1, 2), keepdims=True), 1)
        moves = np.diff(tables.moves, axis=-1, prepend=0.0) * even[..., None]
        sums, visits = np.zeros(len(situations.legal)), np.zeros(len(situations.legal))
        left = np.zeros(view.num_states)
        endless = discount < 1 and not knows_time
        rounds = ceil(log(NEGLIGIBLE) / log(discount)) if endless and discount else view.horizon
        for back in range(1, rounds + 1):
            left = acts * (1 + discount * (moves * left[tables.successor]).sum(axis=(1, 2, 3)))
            if knows_time or back == rounds:
                step = view.horizon - back if knows_time else view.horizon
                met = acts & (view.first_step <= step)
                numbers = situations.numbers[step if knows_time else 0, met]
                np.add.at(sums, numbers, left[met])
                np.add.at(visits, numbers, 1)
        found: Floats = sums / np.maximum(visits, 1.0)
        return found

    def leaders(self, offer: Offer) -> LeadersAtPlay:
        """Return the leaders of an offer as compiled code takes them."""
        is_fresh = offer.answers is Answers.FRESH
        probabilities = cumulative(offer.probabilities) if is_fresh else offer.probabilities[:0]
        return LeadersAtPlay(offer.plans, is_fresh, probabilities, offer.which)

    def learn(
        self,
        leaders: LeadersAtPlay,
        situations: "Situations",
        values: Floats,
        rows: Ints,
        rule: LearningRule,
        rng: np.random.Generator,
    ) -> "Learning":
        """Let the follower learn values by Q-learning, one episode for each of ``rows``.

        Args:
            leaders: One for each episode.
            values (R, situations, B): Modified in place.
            rows (E,): Which of them each episode learns.
        """
        alone = np.ones(1, dtype=np.int64)
        seats = FollowerSeats(situations.numbers[None], situations.legal[None], alone)
        nobody_else = np.zeros(len(rows), dtype=np.int64)
        return self.learn_all(leaders, seats, values[:, None], rows, nobody_else, rule, rng)

    def learn_all(
        self,
        leaders: LeadersAtPlay,
        seats: FollowerSeats,
        values: Floats,
        rows: Ints,
        learning: Ints,
        rule: LearningRule,
        rng: np.random.Generator,
    ) -> "Learning":
        """Let followers learn values, one of them in each episode while the others are greedy.

        Args:
            values (R, n, situations, B): Modified in place.
            rows, learning (E,): Whose row, and which follower, each episode learns.
        """
        from learners._kernels.led_play import learn_values  # noqa: PLC0415 loads numba

        count = len(seats.strides)
        asked = np.zeros((len(values), *self.leader_legal.shape), dtype=np.int64)
        returns = np.zeros((len(rows), 1 + count))
        a_step = LEARNING_DRAWS + SEAT_DRAWS * count
        draws = rng.random((len(rows), START_DRAWS + a_step * self.view.horizon))
        tables = self.tables._replace(rewards=self.rewards_of_all)
        steps = learn_values(
            tables, leaders, seats, values, rows, learning, rule, draws, asked, returns
        )
        return Learning(returns, asked, steps)

    def play(
        self,
        leaders: LeadersAtPlay,
        situations: "Situations",
        strategies: Floats,
        rows: Ints,
        rng: np.random.Generator,
    ) -> Episodes:
        """Play one episode for each of ``rows``.

        Args:
            strategies (R, situations, B): Lotteries of the follower.
            rows (E,): Which of them each episode meets.
        """
        from learners._kernels.led_play import play  # noqa: PLC0415 loads numba

        count, steps = len(rows), self.view.horizon
        seen, led, followed = (np.zeros((count, steps), dtype=np.int64) for _ in "123")
        situation = np.zeros((count, steps + 1), dtype=np.int64)
        episodes = Episodes(seen, led, situation, followed, np.zeros((count, steps, 2)))
        draws = rng.random((count, START_DRAWS + PLAY_DRAWS * steps))
        numbers = situations.numbers
        play(self.tables, leaders, numbers, cumulative(strategies), rows, draws, episodes)
        return episodes


@dataclass(frozen=True, eq=False)
class Learning:
    """What happened while a follower learned values.

    Attributes:
        returns (E, 1 + n): Of each episode, undiscounted, the leader's first.
        asked (R, O, A): How often the leader did what, by table.
        steps: Environment steps.
    """

    returns: Floats
    asked: Ints
    steps: int


@dataclass(frozen=True, eq=False)
class Situations:
    """What a follower's action may depend on, numbered.

    Attributes:
        numbers (h + 1, S): By step and state; -1 where nobody acts. The last row is what is
            expected beyond the horizon, as if play went on; all -1 if time is known.
        legal (situations, B)
    """

    numbers: Ints
    legal: NDArray[np.bool_]


def situations_of(stage: Stage, follower_class: FollowerClass) -> Situations:
    """Number what a follower without memory tells apart: her observation, with or without time."""
    seen = stage.view.follower_observation.astype(np.int64)
    steps = stage.view.horizon
    if follower_class is FollowerClass.STATIONARY:
        return Situations(np.tile(seen, (steps + 1, 1)), stage.follower_legal)
    count = len(stage.follower_legal)
    numbers = np.where(seen >= 0, seen + count * np.arange(steps + 1)[:, None], -1)
    numbers[steps] = -1
    return Situations(numbers, np.tile(stage.follower_legal, (steps, 1)))


def _legal(choices: tuple[tuple[int, ...], ...], actions: int) -> NDArray[np.bool_]:
    legal = np.zeros((len(choices), actions), dtype=bool)
    for o, own in enumerate(choices):
        legal[o, list(own)] = True
    return legal
