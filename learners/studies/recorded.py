"""Self-play that keeps what a study looks at: the live policy after each update, and its matches.

A match is kept as the live policy saw it: for each round the joint action, own action first, as one
number ``own * actions + other``. The live learner plays through ``WatchedPlay``, which passes all
on and writes down what the window shows.
"""

from collections.abc import Mapping
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arrays import FloatArray
from gametheory_core.errors import UnsupportedGame
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, BatchTurn, Snapshot
from learners.frozen import frozen
from learners.options import Count, checked
from learners.protocol import LEARNERS, Learner
from learners.self_play.live_learner import made_live
from learners.self_play.live_play import LivePlay
from learners.self_play.schemes import SelfPlayScheme
from learners.self_play.self_play import SelfPlay
from learners.snapshots import Kept

RECORDED = {**LEARNERS, "RecordedSelfPlay": f"{__name__}:RecordedSelfPlay"}  # as ``run`` takes them


class WatchedPlay(Kept):
    """The environment of a live policy, with its matches written down.

    Args:
        play: Of a match that is the same from both seats.

    Attributes:
        matches (K, rounds): Joint actions of the matches that are over, uint8.
    """

    KEPT = ("play", "matches", "_begun", "_played")

    def __init__(self, play: LivePlay) -> None:
        form = play.views.form if play.views is not None else None
        if form is None or not form.recall:
            raise UnsupportedGame(
                needs="a match that is the same from both seats and shows its last round",
                found="got another game",
                remedy="Take RirRPS.",
            )
        self.play = play
        self.players = play.players
        self.num_episodes = play.num_episodes
        self.num_observations = play.num_observations
        self.num_features = play.num_features
        self.num_actions = play.num_actions
        self.action_labels = play.action_labels
        self.discount = play.discount
        self.horizon = play.horizon
        self.legal = play.legal
        self._shows = np.array([codes[-1] if codes else 0 for codes in form.codes], dtype=np.uint8)
        self._begun = np.zeros((play.num_episodes, form.rounds), dtype=np.uint8)
        self._played = np.zeros(play.num_episodes, dtype=np.int64)
        self.matches: NDArray[np.uint8] = np.zeros((0, form.rounds), dtype=np.uint8)

    def reset(self) -> BatchTurn:
        """Begin new matches."""
        self._played[:] = 0
        return self.play.reset()

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all act, and write down what they did."""
        turn = self.play.step(actions)
        lanes = np.arange(self.num_episodes)
        self._begun[lanes, self._played] = self._shows[turn.final_observations[:, 0]]
        self._played += 1
        over = turn.is_over
        if over.any():
            self.matches = np.concatenate([self.matches, self._begun[over]])
            self._played[over] = 0
        return turn

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return how each observation of an information state would be shown."""
        return self.play.observe(player, information_state)


@checked
class RecordedSelfPlay(Kept):
    """Self-play whose live policy is kept after each iteration, and whose matches are kept.

    Args:
        environment: RirRPS, or another match that is the same from both seats.
        scheme, every: As for ``SelfPlay``.
        live: A table of a learner's name and options.
        rng: All chance.

    Attributes:
        self_play (SelfPlay)

    Metrics: those of ``SelfPlay``.
    """

    KEPT = ("self_play", "_tables")

    name = "recorded self-play"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        scheme: SelfPlayScheme,
        live: Mapping[str, Any],
        every: Count = 1,
        rng: np.random.Generator,
    ) -> None:
        watched: list[WatchedPlay] = []

        def made(play: LivePlay, *, rng: np.random.Generator) -> Learner:
            watched.append(WatchedPlay(play))
            return made_live(live, watched[0], rng)

        self.self_play = SelfPlay(environment, scheme=scheme, live=made, every=every, rng=rng)
        self._watched = watched[0]
        first = self.self_play.menagerie[0]
        self._tables: list[FloatArray] = [first] if isinstance(first, np.ndarray) else []

    @property
    def tables(self) -> tuple[FloatArray, ...]:
        """The live policy at first and after each iteration; none of a network that remembers."""
        return tuple(self._tables)

    @property
    def matches(self) -> NDArray[np.uint8]:
        """Joint actions of the matches that were played, shape (matches, rounds)."""
        return self._watched.matches

    def improve(self) -> Mapping[str, float]:
        """Let the live learner make an iteration, and keep its policy."""
        metrics = self.self_play.improve()
        if self._tables:
            live, play = self.self_play.live, self.self_play.play
            self._tables.append(cast("FloatArray", frozen(live, play)))
        return metrics

    def policies(self) -> PolicyProfile:
        """Return the live policy, one policy for each seat, exact."""
        return self.self_play.policies()

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of what was made with the same options."""
        super().restore(snapshot)
        self._tables = [np.array(table) for table in snapshot["tables"]]
