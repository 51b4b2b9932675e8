"""A leader with a network, who learns by DQN from his own episodes.

His episodes are an environment of one player, so that any learner can lead. An episode shows the
leader each observation he is asked about, then the game. If answers are memoized, he acts at
queries only: play repeats his answers. The network needs torch, the environment does not.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_integer, shown_players
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.rules import InformationState
from learners.batch import BatchTurn, Snapshot
from learners.leaders.encounters import Meeting
from learners.leaders.offers import (
    Answers,
    Floats,
    Ints,
    Offer,
    Queries,
    as_leader_actions,
    cumulative,
)
from learners.options import AtOnce, Count, CountFromZero, Positive, Share, checked
from learners.protocol import Learner
from learners.snapshots import Kept
from learners.streams import child_stream


@checked
class LeaderEnvironment(Kept):
    """A batch of the leader's episodes against a follower who asks about everything once.

    Args:
        meeting: Queries are visible; the follower takes the answers as they are given.
        episodes: At once.
        rng: All chance of the environment.

    Raises:
        UnsupportedGame: If queries are hidden or flagged, the follower learns anew for each leader,
            or the leader never acts.

    The discount is that of the game. A learner who discounts queries too scales all returns alike,
    as every policy is asked equally often.
    """

    KEPT = ("_is_begun", "_place", "_state", "_plans", "_strategies", "_rng")
    UNCHECKED = ("rng",)

    def __init__(self, meeting: Meeting, *, episodes: AtOnce, rng: np.random.Generator) -> None:
        if meeting.queries is not Queries.VISIBLE:
            raise UnsupportedGame(
                needs="visible queries, as they are steps of its episodes that look like play",
                found=f"they are {meeting.queries.value}",
                remedy="Take Queries.VISIBLE, or a leader with a table.",
            )
        if not meeting.follower.asks_once:
            raise UnsupportedGame(
                needs="a follower who asks about each observation once",
                found=f"{meeting.follower.name} does not",
                remedy="Take a contextual follower, or a leader with a table.",
            )
        self._meeting = meeting
        self._stage = meeting.stage
        self._rng = rng
        self._questions: Ints = np.flatnonzero(self._stage.leader_legal.any(axis=1))
        if not len(self._questions):
            raise UnsupportedGame(
                needs="a leader who acts",
                found="in no state there is anything to do",
                remedy="Take a leader with a table.",
            )
        observations = len(self._stage.leader_legal)
        view = self._stage.view
        self.players = (str(view.game.players[view.leader]),)  # the leader alone
        self.num_episodes = episodes
        self.num_observations = (observations,)
        self.num_actions = (self._stage.leader_legal.shape[1],)
        self.action_labels = (view.game.actions[view.leader],)
        self.discount = float(view.discount)
        self.num_queries = len(self._questions)
        self.num_steps = view.horizon  # of the game, at most
        self._is_begun = False
        self._place: Ints = np.zeros(episodes, dtype=np.int64)  # queries and steps so far
        self._state: Ints = np.zeros(episodes, dtype=np.int64)
        self._plans: Ints = np.full((episodes, observations), -1)
        self._strategies: Floats = np.zeros((episodes, *meeting.follower.situations.legal.shape))

    num_features = (0,)

    legal = ()

    horizon = None

    def reset(self) -> BatchTurn:
        """Begin new episodes, with the first query."""
        self._is_begun = True
        self._place[:] = 0
        self._plans[:] = -1
        still = np.zeros(self.num_episodes)
        seen = self._seen()
        return self._turn(still, still > 0, seen)

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Take an answer or an action in each episode; ``actions`` is (E, 1).

        Raises:
            InvalidArgument: If there was no reset, the shape is wrong, or an action is not legal
                where he acts.
        """
        legal = self._stage.leader_legal[self._seen()]
        actions = as_leader_actions(actions, legal, acts=self._decides(), is_begun=self._is_begun)
        asked, rewards = self._place < len(self._questions), np.zeros(self.num_episodes)
        told, playing = np.flatnonzero(asked), np.flatnonzero(~asked)
        self._plans[told, self._questions[self._place[told]]] = actions[told, 0]
        seen = self._stage.tables.seen[self._state[playing]]
        is_fresh = self._meeting.answers is Answers.FRESH
        chosen = actions[playing, 0] if is_fresh else self._plans[playing, seen]
        rewards[playing] = self._moved(playing, chosen)
        self._place += 1
        self._begin_play(np.flatnonzero(self._place == len(self._questions)))
        over = self._is_over()
        last = np.where(over, np.maximum(self._stage.tables.seen[self._state], 0), self._seen())
        self._place[over] = 0
        self._plans[over] = -1
        return self._turn(rewards, over, last)

    def observe(self, player: int, information_state: InformationState) -> NDArray[np.int64]:
        """Return the numbers of the observations of an information state.

        Raises:
            InvalidArgument: If the leader, the only player, never sees one of them.
        """
        require_integer(player, name="player", low=0, high=0)
        view = self._stage.view
        labels = view.game.observations[view.leader]
        missing = next((seen for seen in information_state[::2] if seen not in labels), None)
        if missing is not None:
            raise InvalidArgument(
                needs=f"observations of {self.players[0]!r}", found=f"{missing!r} is none"
            )
        return np.array([labels.index(seen) for seen in information_state[::2]], dtype=np.int64)

    def _begin_play(self, those: Ints) -> None:
        """Let the follower respond, and draw first states."""
        if not len(those):
            return
        shape = self._stage.leader_legal.shape
        offer = Offer(
            self._plans[those],
            np.zeros((1, *shape)),
            np.zeros(len(those), dtype=np.int64),
            self._meeting.answers,
            Queries.VISIBLE,
        )
        response = self._meeting.follower.respond(offer, self._rng)
        self._strategies[those] = cumulative(response.strategies)[response.rows]
        first = self._stage.tables.first
        self._state[those] = self._drawn(np.tile(first, (len(those), 1)))

    def _moved(self, those: Ints, chosen: Ints) -> Floats:
        """Make a step of the game; return what it pays the leader."""
        tables, state = self._stage.tables, self._state[those]
        step = self._place[those] - len(self._questions)
        situation = self._meeting.follower.situations.numbers[step, state]
        follower = self._drawn(self._strategies[those, situation])
        way = self._drawn(tables.moves[state, chosen, follower])
        self._state[those] = tables.successor[state, chosen, follower, way]
        paid: Floats = tables.rewards[state, chosen, follower, 0]
        return paid

    def _drawn(self, sums: Floats) -> Ints:
        drawn: Ints = (sums <= self._rng.random((len(sums), 1))).sum(axis=1)
        return drawn

    def _is_over(self) -> NDArray[np.bool_]:
        played = self._place - len(self._questions)
        is_idle = self._stage.tables.seen[self._state] < 0
        over: NDArray[np.bool_] = (played >= 0) & (is_idle | (played >= self._stage.view.horizon))
        return over

    def _seen(self) -> Ints:
        """Return what the leader is asked about, or sees."""
        count = len(self._questions)
        asked = self._questions[np.minimum(self._place, count - 1)]
        seen: Ints = np.where(self._place < count, asked, self._stage.tables.seen[self._state])
        return seen

    def _decides(self) -> NDArray[np.bool_]:
        """Return where it matters what the leader does."""
        is_asked: NDArray[np.bool_] = self._place < len(self._questions)
        return is_asked | (self._meeting.answers is Answers.FRESH)

    def _turn(self, rewards: Floats, over: NDArray[np.bool_], last: Ints) -> BatchTurn:
        seen = self._seen()
        decides = self._decides()
        return BatchTurn(
            observations=seen[:, None],
            legal=self._stage.leader_legal[seen][:, None, :],
            acts=decides[:, None],
            rewards=rewards[:, None],
            is_terminal=over,
            is_truncated=np.zeros_like(over),
            final_observations=np.where(over, last, seen)[:, None],
        )


@dataclass(frozen=True)
@checked
class LeaderDQNOptions:
    """Options of a leader who learns by DQN, and plays greedily in the end.

    Observations are the leader's alone, so that a query and a step that look alike have one value;
    targets over whole episodes (``span``) do without the values of what follows.

    Attributes:
        exploration: How likely an answer or action is drawn at random, in [0, 1].
        episodes: At once.
        steps, updates: Of each iteration: steps of all episodes, then updates of the network.
        span: Steps that targets look ahead; default queries and steps of a whole episode.
        warm_up: Transitions before the first update.
        capacity: Transitions kept.
    """

    step_size: Positive = 0.005
    exploration: Share = 0.2
    episodes: AtOnce = 20
    steps: Count = 15
    updates: Count = 10
    batch_size: Count = 128
    span: Count | None = None
    warm_up: Count = 600
    capacity: Count = 3000
    iterations: CountFromZero = 100


class NetworkLeader:
    """The leader of ``LeaderDQNOptions`` against the follower of one meeting."""

    def __init__(
        self, meeting: Meeting, options: LeaderDQNOptions, rng: np.random.Generator
    ) -> None:
        self._options = options
        self.iterations = options.iterations
        self._stage = meeting.stage
        own, environment = child_stream(rng), child_stream(rng)
        self._learner = _learner(
            LeaderEnvironment(meeting, episodes=options.episodes, rng=environment), options, own
        )

    name = "DQN"

    def improve(
        self, meeting: Meeting, rng: np.random.Generator
    ) -> tuple[Mapping[str, float], int]:
        """Play some steps of all episodes and make some updates."""
        del meeting, rng  # those it was made with
        found = dict(self._learner.improve())
        player = shown_players(self._stage.view.game.players)[self._stage.view.leader]
        found.pop("environment steps", None)
        if f"return/{player}" in found:
            found["return/leader"] = found.pop(f"return/{player}")
        return found, self._options.episodes * self._options.steps

    def probabilities(self) -> Floats:
        """Return the greedy policy, certain of each action."""
        view, legal = self._stage.view, self._stage.leader_legal
        labels = view.game.observations[view.leader]
        actions = view.game.actions[view.leader]
        (policy,) = self._learner.policies()
        table = np.zeros(legal.shape)
        for o in np.flatnonzero(legal.any(axis=1)).tolist():
            ((action, _),) = policy[(labels[o],)].items
            table[o, actions.index(action)] = 1.0
        return table

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        return self._learner.snapshot()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        self._learner.restore(snapshot)


def _learner(
    environment: LeaderEnvironment, options: LeaderDQNOptions, rng: np.random.Generator
) -> Learner:
    from learners.deep.action_values import ValueOptions  # noqa: PLC0415 loads torch
    from learners.deep.dqn import DQN  # noqa: PLC0415 loads torch
    from learners.deep.network_shapes import FirstWeights  # noqa: PLC0415 loads torch

    every = environment.num_queries + environment.num_steps
    span = every if options.span is None else options.span
    return cast(
        "Learner",
        DQN(
            environment,
            values=ValueOptions(first_weights=FirstWeights.ORTHOGONAL, step_size=options.step_size),
            span=span,
            exploration=options.exploration,
            steps=options.steps,
            updates=options.updates,
            batch_size=options.batch_size,
            warm_up=options.warm_up,
            capacity=options.capacity,
            rng=rng,
        ),
    )
