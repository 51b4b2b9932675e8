"""A leader's game against a follower who responds best, at once, to how the leader now plays.

When an episode begins, the follower is told the leader's policy of that episode, exploration
included, and plays an exact best response. The leader never sees that the follower was told: the
queries are hidden. What a leader learns this way is the subject of theorem 2 of [1]_.

Draws from exact mixed actions, many at once.
"""

from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_function, require_instance, require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from gametheory_core.games.table_content import Kernel
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
)
from gametheory_core.leaders.policies import StochasticLeader, TimedFollower
from gametheory_core.leaders.view import LeaderView
from learners.batch import BatchTurn, Snapshot
from learners.leaders.offers import as_leader_actions
from learners.options import AtOnce, checked
from learners.snapshots import Kept
from learners.streams import streams_under
from solvers.rounding import dyadic_distribution


class KernelDraws:
    """Draws entries of rows of a kernel, each probability right to 1e-16 times the rows."""

    def __init__(self, kernel: Kernel) -> None:
        self._start = kernel.start.astype(np.int64)
        self._sums = np.cumsum(kernel.weight.astype(np.float64))  # row r begins at about r

    def draw(self, rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return one entry for each row."""
        found = np.searchsorted(self._sums, rows + rng.random(len(rows)), side="right")
        return np.clip(found, self._start[rows], self._start[rows + 1] - 1)


Played = Callable[[], NDArray[np.float64]]

MOST_KEPT = 256  # responses; each is a table of steps and states


@checked
class RespondingFollower(Kept):
    """A batch of one-player episodes: the leader plays, the follower responds to how.

    An episode whose first state is terminal shows one turn in which nobody acts.

    Call ``respond_to(learner.played)`` before the first step: the follower asks it, when episodes
    begin, how each is played. The responses to the policies met last are kept.

    Args:
        episodes: Played at once.
        rng: What chance in the game is drawn from.

    Raises:
        InvalidArgument: If an option makes no sense.

    Source: :cite:`gerstgrasser2023oracles`.

    >>> from gametheory_core.catalog import iterated_modified_prisoners_dilemma
    >>> from gametheory_core.leaders import leader_view
    >>> from learners.tabular import QLearning
    >>> view = leader_view(iterated_modified_prisoners_dilemma(rounds=10))
    >>> play = RespondingFollower(view, episodes=1, rng=np.random.default_rng(1))
    >>> leader = QLearning(play, rng=np.random.default_rng(1))
    >>> play.respond_to(leader.played)
    >>> sorted(leader.improve())
    ['error/Leader', 'exploration', 'length', 'return/Leader', 'step size']
    """

    KEPT = ("_states", "_times", "_is_new", "_told", "_rng")

    def __init__(
        self,
        view: LeaderView,
        *,
        episodes: AtOnce,
        rng: np.random.Generator,
        follower_class: FollowerClass = FollowerClass.TIME_AWARE,
        ties: FollowerTies = FollowerTies.STRONG,
    ) -> None:
        require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
        game, leader = view.game, view.leader
        self.players = (game.players[leader],)  # the leader alone
        self.num_episodes = episodes
        self.num_observations = (len(game.observations[leader]),)
        self.num_actions = (len(game.actions[leader]),)
        self.action_labels = (game.actions[leader],)
        self.discount = float(view.discount)
        self.horizon = view.horizon
        self._view = view
        self._class = follower_class
        self._ties = ties
        (self._rng,) = streams_under(rng, "episodes")
        self._played: Played | None = None
        self._known: dict[bytes, NDArray[np.int64]] = {}
        self._first = KernelDraws(view.game.initial_kernel)
        self._next = KernelDraws(view.game.transition_kernel)
        self._states = np.full(episodes, -1, dtype=np.int64)
        self._times = np.zeros(episodes, dtype=np.int64)
        self._is_new = np.ones(episodes, dtype=np.bool_)
        shape = (episodes, self.num_observations[0], self.num_actions[0])
        self._told = np.zeros(shape)

    def respond_to(self, played: Played) -> None:
        """Say whom to ask for the leader's policy in each episode, shape (E, O, A)."""
        require_function(played, name="played")
        self._played = played

    # What is played

    num_features = (0,)

    @property
    def legal(self) -> tuple[NDArray[np.bool_], ...]:
        """What the leader may do after each observation, (observations, actions)."""
        return self._legal  # checkers of types take no cached one for what a protocol asks

    @cached_property
    def _legal(self) -> tuple[NDArray[np.bool_], ...]:
        table = np.zeros((self.num_observations[0], self.num_actions[0]), dtype=np.bool_)
        for seen, own in enumerate(self._view.game.legal[self._view.leader]):
            table[seen, list(own)] = True
        return (table,)

    # Play

    def reset(self) -> BatchTurn:
        """Begin new episodes."""
        everybody = np.ones(self.num_episodes, dtype=np.bool_)
        self._begin(everybody)
        nobody = ~everybody
        return self._turn(np.zeros(self.num_episodes), nobody, nobody, self._seen())

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let the leader act, and the follower by her response; ``actions`` is (E, 1).

        Raises:
            InvalidArgument: If there was no reset, nobody to respond to, or an action is not legal.
        """
        seen = self._seen()
        is_begun = bool(self._states[0] >= 0)
        actions = as_leader_actions(actions, self.legal[0][seen], acts=seen >= 0, is_begun=is_begun)
        self._tell()
        view = self._view
        rewards = self._moved(np.flatnonzero(~view.game.terminal[self._states]), actions[:, 0])
        self._times += 1
        is_terminal = view.game.terminal[self._states]
        is_truncated = ~is_terminal & (self._times == view.horizon)
        final = self._seen()
        if (is_over := is_terminal | is_truncated).any():
            self._begin(is_over)
        return self._turn(rewards, is_terminal, is_truncated, final)

    def _moved(self, those: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Make a step where play goes on; return what it pays, 0 where it began in its end."""
        rewards = np.zeros(self.num_episodes)
        if those.size:
            view, states = self._view, self._states[those]
            strides = view.game.strides
            replies = self._replies[those, self._times[those], states]
            joint = actions[those] * strides[view.leader] + replies * strides[view.follower]
            entries = self._next.draw(view.game.find_transitions(states, joint), self._rng)
            self._states[those] = view.game.transition_kernel.outcome[entries]
            rewards[those] = self._rewards[view.game.entry_reward[entries]]
        return rewards

    def _begin(self, is_over: NDArray[np.bool_]) -> None:
        new = np.flatnonzero(is_over)
        entries = self._first.draw(np.zeros(len(new), dtype=np.int64), self._rng)
        self._states[new] = self._view.game.initial_kernel.outcome[entries]
        self._times[new] = 0
        self._is_new[new] = True

    def _seen(self) -> NDArray[np.int64]:
        return self._view.leader_observation[self._states].astype(np.int64)

    def _turn(
        self,
        rewards: NDArray[np.float64],
        is_terminal: NDArray[np.bool_],
        is_truncated: NDArray[np.bool_],
        final: NDArray[np.int64],
    ) -> BatchTurn:
        seen = self._seen()
        acts = (seen >= 0)[:, None]
        return BatchTurn(
            observations=np.maximum(seen, 0)[:, None],
            legal=self.legal[0][seen][:, None, :] & acts[:, :, None],
            acts=acts,
            rewards=rewards[:, None],
            is_terminal=is_terminal,
            is_truncated=is_truncated,
            final_observations=np.maximum(final, 0)[:, None],
        )

    @cached_property
    def _rewards(self) -> NDArray[np.float64]:
        return self._view.game.reward_vectors[:, self._view.leader].astype(np.float64)

    # The follower

    def _tell(self) -> None:
        """Ask how the episodes that have just begun are played, and respond."""
        if not self._is_new.any():
            return
        if self._played is None:
            raise InvalidArgument(
                needs="to know whom to respond to",
                found="was not told",
                remedy="Call respond_to(learner.played) first.",
            )
        new = np.flatnonzero(self._is_new)
        self._told[new] = self._played()[new]
        self._is_new[:] = False
        self._respond()

    def _respond(self) -> None:
        self._replies = np.stack([self._response(own) for own in self._told])

    def _response(self, probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the response to a policy, kept for the policies met last."""
        key = probabilities.tobytes()
        found = self._known.pop(key, None)
        if found is None:
            found = self._best(probabilities)
        self._known[key] = found  # now the last one met
        if len(self._known) > max(MOST_KEPT, self.num_episodes):
            del self._known[next(iter(self._known))]
        return found

    def _best(self, probabilities: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return the follower's actions by time and state."""
        view = self._view
        exact = tuple(
            cast("tuple[Fraction, ...]", tuple(dyadic_distribution(row)))
            if view.leader_actions(seen)
            else ()
            for seen, row in enumerate(probabilities)
        )
        policy = follower_response(
            view, StochasticLeader(exact), follower_class=self._class, ties=self._ties
        ).policy
        if isinstance(policy, TimedFollower):
            return np.maximum(np.array(policy.actions, dtype=np.int64), 0)
        own = np.array([*cast("Any", policy).actions, -1])[view.follower_observation]
        return np.maximum(np.broadcast_to(own, (view.horizon, view.num_states)), 0)

    # Policies, and going on later

    def observe(self, player: int, information_state: InformationState) -> NDArray[np.int64]:
        """Return the number of each observation of an information state, in order."""
        require_integer(player, name="player", low=0, high=0)
        seen = information_state[::2]
        missing = next((label for label in seen if label not in self._numbers), None)
        if missing is not None:
            raise InvalidArgument(
                needs=f"observations of {self.players[0]!r}", found=f"{missing!r} is none"
            )
        return np.array([self._numbers[label] for label in seen], dtype=np.int64)

    @cached_property
    def _numbers(self) -> dict[Hashable, int]:
        labels = self._view.game.observations[self._view.leader]
        return {label: k for k, label in enumerate(labels)}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of the same game and size."""
        super().restore(snapshot)
        if not self._is_new.all():  # responses follow from what the follower was told
            self._respond()
