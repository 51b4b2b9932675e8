"""Minimizers that play an environment: each sees what it was paid, observation by observation."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.errors import UnsupportedGame
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import Policy, PolicyProfile
from learners.batch import BatchedEnvironment, BatchTurn, Snapshot
from learners.draws import drawn_actions
from learners.policies import observed_policy
from learners.regret.bandit import Exp3
from learners.regret.regret_learner import Output
from learners.regret.states import State, Values, copied, rows_of, with_rows
from learners.streams import generator_state, restore_generator


class BanditLearner:
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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from learners.batched import batched
    >>> from learners.training import train
    >>> game = RepeatedGame.of("prisoners_dilemma")
    >>> play = batched(game, episodes=16, seed=1)
    >>> minimizer = Exp3(exploration=0.1, low=0, high=5)
    >>> learner = BanditLearner(play, minimizer=minimizer, rng=np.random.default_rng(1), steps=500)
    >>> learned = train(learner, iterations=2)
    >>> [float(dict(policy[((),)].items)["defect"]) > 0.7 for policy in learned.policies]
    [True, True]
    """

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        minimizer: Exp3,
        rng: np.random.Generator,
        steps: int = 100,
        output: Output = Output.AVERAGE,
    ) -> None:
        require_instance(minimizer, Exp3, name="minimizer")
        require_integer(steps, name="steps", low=1)
        require_member(output, Output, name="output")
        for player, label in enumerate(environment.players):
            if not environment.num_observations[player]:
                raise UnsupportedGame(
                    needs="numbered observations",
                    found=f"those of player {label!r} are features",
                    remedy="Take a learner of learners.deep.",
                )
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
        logs = np.log(np.where(strategies > 0, strategies, 1.0))
        entropies.append(float(-(strategies * logs).sum(axis=1).mean()))

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
        return tuple(self._policy(player) for player in self._players)

    def _policy(self, player: int) -> Policy:
        table = self.table(player)

        def last(seen: NDArray[Any]) -> Values:
            return table[seen[-1]]

        return observed_policy(self._environment, player, last)

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return {
            "states": {str(i): copied(state) for i, state in enumerate(self._states)},
            "sums": {str(i): own.copy() for i, own in enumerate(self._sums)},
            "rows": self._rows.copy(),
            "actions": self._actions.copy(),
            "owed": self._owed.copy(),
            "returns": self._returns.copy(),
            "lengths": self._lengths.copy(),
            "turn": None if self._turn is None else copied(vars(self._turn)),
            "rng": generator_state(self._rng),
            "environment": self._environment.snapshot(),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._states = [copied(snapshot["states"][str(i)]) for i in self._players]
        self._sums = [np.array(snapshot["sums"][str(i)]) for i in self._players]
        self._rows = np.array(snapshot["rows"])
        self._actions = np.array(snapshot["actions"])
        self._owed = np.array(snapshot["owed"])
        self._returns = np.array(snapshot["returns"])
        self._lengths = np.array(snapshot["lengths"])
        turn = snapshot["turn"]
        self._turn = None if turn is None else BatchTurn(**copied(turn))
        restore_generator(self._rng, snapshot["rng"])
        self._environment.restore(snapshot["environment"])
