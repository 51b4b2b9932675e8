"""EXP3: regret minimization when only the own action's payoff is seen (Auer et al. 2002).

What the other actions would have paid is estimated: the payoff of the action drawn divided by its
probability, and zero for all others, is right on average. Probabilities are kept from vanishing by
mixing in the uniform mixed action, so that estimates stay bounded.

Minimizers that play an environment: each sees what it was paid, observation by observation.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    require_instance,
    require_integer,
    require_number,
    shown_players,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, BatchTurn
from learners.options import Count, Finite, Positive, Share, checked
from learners.policies import entropies as entropies_of
from learners.policies import require_numbers, table_policy
from learners.regret.minimizer import State, Values, require_sizes, rows_of, with_rows
from learners.snapshots import Kept
from learners.streams import drawn_actions


@dataclass(frozen=True)
@checked
class Exp3:
    """Exponential weights of estimated payoffs, mixed with the uniform mixed action.

    With ``n`` actions, payoffs in [0, 1] and ``rate = exploration / n``, the expected regret after
    ``T`` steps is at most ``(e - 1) exploration G + n ln n / exploration``, where ``G <= T`` is
    what the best action earned, on every sequence of payoffs that is chosen in advance.

    Attributes:
        exploration: The share of the uniform mixed action, in [0, 1].
        rate: What a unit of estimated payoff adds to the exponent; None for ``exploration / n``.
        low, high: The least and the largest payoff.

    Source: :cite:`auer2002nonstochastic`, theorem 3.1.

    >>> minimizer = Exp3(exploration=0.5)
    >>> state = minimizer.start(batch=1, actions=2)
    >>> state = minimizer.observe_own(state, np.array([1]), np.array([1.0]))
    >>> minimizer.strategies(state).round(3).tolist()  # the exponents are 0 and 1/2
    [[0.439, 0.561]]
    """

    exploration: Share
    rate: Positive | None = None
    low: Finite = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        require_number(self.high, name="high", above=self.low)

    name = "Exp3"

    def start(self, batch: int, actions: int) -> State:
        """Return the state before the first step."""
        require_sizes(batch, actions)
        return {"exponents": np.zeros((batch, actions))}

    def strategies(self, state: State) -> Values:
        """Return the mixed actions from which actions must be drawn."""
        exponents = state["exponents"]
        weights = np.exp(exponents - exponents.max(axis=1, keepdims=True))
        shares = weights / weights.sum(axis=1, keepdims=True)
        return (1 - self.exploration) * shares + self.exploration / exponents.shape[1]

    def observe_own(
        self, state: State, actions: NDArray[np.int64], received: NDArray[np.float64]
    ) -> State:
        """Return the state after the actions drawn paid what was received, both (batch,)."""
        scaled = (received - self.low) / (self.high - self.low)
        if not ((scaled >= 0) & (scaled <= 1)).all():
            row = int(np.flatnonzero(~((scaled >= 0) & (scaled <= 1)))[0])
            raise InvalidArgument(
                needs=f"payoffs from {self.low} to {self.high}",
                found=f"decision maker {row} received {received[row]}",
                remedy="Give low and high.",
            )
        exponents = state["exponents"].copy()
        rows = np.arange(len(exponents))
        rate = self.exploration / exponents.shape[1] if self.rate is None else self.rate
        exponents[rows, actions] += rate * scaled / self.strategies(state)[rows, actions]
        return {"exponents": exponents}


def exp3_for(steps: int, actions: int, *, low: float = 0.0, high: float = 1.0) -> Exp3:
    """Return the minimizer whose bound is smallest after a known number of steps.

    Its expected regret is at most ``2 sqrt(e - 1) sqrt(T n ln n)`` times the payoff span.

    Args:
        steps, actions: ``T`` and ``n``.
        low, high: The least and the largest payoff.

    Source: :cite:`auer2002nonstochastic`, corollary 3.2.

    >>> round(exp3_for(1000, 3).exploration, 4)
    0.0438
    """
    require_integer(steps, name="steps", low=1)
    require_integer(actions, name="actions", low=1)
    best = math.sqrt(actions * math.log(actions) / ((math.e - 1) * steps))
    return Exp3(exploration=min(1.0, best), low=low, high=high)


class Output(Enum):
    """Which strategies a learner returns; the value says it in words."""

    AVERAGE = "averages over all steps so far"
    LAST = "what would be played next"


@checked
class BanditLearner(Kept):
    """EXP3 for each observation of each player, in any environment with numbered observations.

    Observations are contexts: what a player sees decides which minimizer acts. Each episode of the
    batch has minimizers of its own, so that a batch is so many independent runs. A minimizer is
    paid what the player receives until the player acts again, or the episode ends: it looks no
    further ahead, which suits repeated games and no others.

    Args:
        environment: With numbered observations, after all of which all actions are legal.
        minimizer: Its ``low`` and ``high`` bound what is paid between two own turns.
        rng: Draws actions.
        steps: Of the environment in one iteration.
        output: What ``policies`` returns, means over all episodes' minimizers.

    Raises:
        InvalidArgument: If an option makes no sense, or a payment is out of bounds.
        UnsupportedGame: If observations are not numbered, or an action is not legal.

    Metrics: "return/<player>" and "length", means over the episodes that ended in the iteration;
    "entropy/<player>", mean entropy in nats of what was played.

    Source: :cite:`auer2002nonstochastic`.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners.batches import batched
    >>> from learners import train
    >>> game = RepeatedGame.of("prisoners_dilemma")
    >>> play = batched(game, episodes=16, seed=1)
    >>> minimizer = Exp3(exploration=0.1, low=0, high=5)
    >>> learner = BanditLearner(play, minimizer=minimizer, rng=np.random.default_rng(1), steps=500)
    >>> learned = train(learner, iterations=2)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.7 for policy in learned.policies]
    [True, True]
    """

    EPISODES = (
        "_rows", "_actions", "_owed", "_returns", "_lengths", "_turn", "_rng", "_environment",
    )  # fmt: skip
    KEPT = ("_states", "_sums", *EPISODES)

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        minimizer: Exp3,
        rng: np.random.Generator,
        steps: Count = 100,
        output: Output = Output.AVERAGE,
    ) -> None:
        require_instance(minimizer, Exp3, name="minimizer")
        require_numbers(environment)
        self._environment, self._minimizer, self._rng = environment, minimizer, rng
        self._steps, self._output = steps, output
        self._players = range(len(environment.players))
        self._turn: BatchTurn | None = None
        sizes = list(zip(environment.num_observations, environment.num_actions, strict=True))
        episodes = environment.num_episodes
        self._states: list[State] = [minimizer.start(episodes * seen, own) for seen, own in sizes]
        self._sums = [np.zeros((seen, own)) for seen, own in sizes]
        shape = (episodes, len(sizes))
        self._rows = np.full(shape, -1, dtype=np.int64)  # who acted last, -1 once that is paid
        self._actions = np.zeros(shape, dtype=np.int64)
        self._owed = np.zeros(shape)
        self._returns, self._lengths = np.zeros(shape), np.zeros(episodes)

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return self._minimizer.name

    def improve(self) -> Mapping[str, float]:
        """Play some steps; see the notes for what it returns."""
        ended: list[NDArray[np.float64]] = []
        lengths: list[NDArray[np.float64]] = []
        entropies: list[list[float]] = [[] for _ in self._players]
        for _ in range(self._steps):
            turn = self._environment.reset() if self._turn is None else self._turn
            for player in self._players:
                self._act(turn, player, entropies[player])
            turn = self._turn = self._environment.step(self._actions)
            self._returns += turn.rewards
            self._lengths += 1
            self._owed += turn.rewards
            for player in self._players:
                self._pay(player, turn.is_over | turn.acts[:, player])
            over = turn.is_over
            ended.append(self._returns[over].copy())
            lengths.append(self._lengths[over].copy())
            self._returns[over], self._lengths[over] = 0.0, 0.0
        return self._metrics(np.concatenate(ended), np.concatenate(lengths), entropies)

    def _act(self, turn: BatchTurn, player: int, entropies: list[float]) -> None:
        acting = np.flatnonzero(turn.acts[:, player])
        if not len(acting):
            return
        count = self._environment.num_actions[player]
        if not turn.legal[acting, player, :count].all():
            label = self._environment.players[player]
            raise UnsupportedGame(
                needs="all actions to be legal",
                found=f"{label!r} may not play some",
                remedy="Take REINFORCE, which masks them.",
            )
        seen = turn.observations[acting, player]
        rows = acting * self._environment.num_observations[player] + seen
        strategies = self._minimizer.strategies(rows_of(self._states[player], rows))
        np.add.at(self._sums[player], seen, strategies)
        self._actions[acting, player] = drawn_actions(strategies, self._rng.random(len(acting)))
        self._rows[acting, player] = rows
        self._owed[acting, player] = 0.0
        entropies.append(float(entropies_of(strategies).mean()))

    def _pay(self, player: int, is_due: NDArray[np.bool_]) -> None:
        due = np.flatnonzero(is_due & (self._rows[:, player] >= 0))
        if len(due):
            rows = self._rows[due, player]
            part = rows_of(self._states[player], rows)
            after = self._minimizer.observe_own(
                part, self._actions[due, player], self._owed[due, player]
            )
            self._states[player] = with_rows(self._states[player], rows, after)
            self._rows[due, player] = -1

    def _metrics(
        self,
        returns: NDArray[np.float64],
        lengths: NDArray[np.float64],
        entropies: list[list[float]],
    ) -> dict[str, float]:
        metrics: dict[str, float] = {}
        if len(lengths):
            metrics["length"] = float(lengths.mean())
        for player, label in enumerate(shown_players(self._environment.players)):
            if len(lengths):
                metrics[f"return/{label}"] = float(returns[:, player].mean())
            if entropies[player]:
                metrics[f"entropy/{label}"] = float(np.mean(entropies[player]))
        return metrics

    def table(self, player: int = 0) -> Values:
        """Return how a player plays, the mean over episodes' minimizers, (O, A)."""
        sums = self._sums[player]
        following = self._minimizer.strategies(self._states[player])
        last: Values = following.reshape(-1, *sums.shape).mean(axis=0)
        if self._output is Output.LAST:
            return last
        whole = sums.sum(axis=1, keepdims=True)
        return np.where(whole > 0, sums / np.where(whole > 0, whole, 1.0), last)

    def policies(self) -> PolicyProfile:
        """Return policies that look at the last observation, exact."""
        return tuple(
            table_policy(self._environment, player, self.table(player)) for player in self._players
        )
