"""Repeated rock-paper-scissors against a population, and perhaps against itself.

In each episode, a match, the learner meets a bot that is drawn anew. All episodes of a batch are at
the same throw. What is seen does not say whom one meets.

With *self-play* there are two seats. In a share of the episodes they play each other; in the others
each has a match of its own against a bot of its own. A learner that gives both seats one network
meets itself as it is, one that gives each its own meets another that learns beside it; a share of 1
is learning against a copy alone. Source: :cite:`lanctot2023population`, algorithm 1.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    number_of,
    require_instance,
    require_integer,
    require_number,
    shown,
)
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.rules import InformationState
from learners.batch import BatchTurn, Snapshot, as_actions
from learners.roshambo.learning.opponents import Maker, PopulationAtPlay
from learners.roshambo.matches.matches import NUM_THROWS
from learners.roshambo.matches.recall import Recall, Shows
from learners.snapshots import Kept, require_fitting
from learners.streams import named_stream

NOT_BEGUN = -1
MOST_SEED = 2**32  # seeds of bots are below, as those of OpenSpiel's are


class PopulationPlay(Kept):
    """Matches of a learner against bots; satisfies ``BatchedEnvironment`` and ``Labeled``.

    Args:
        population: Makes the bots, by name; for example ``embedded_population()``.
        episodes: Matches played at once.
        seed: Of who is met, and of all that is random in the bots.
        recall: What the learner sees.
        throws: Of a match. After the last it is cut: whatever a learner is told of its
            ``at_horizon`` decides whether anything follows.
        weights: How likely bots are to be met, in proportion; those not named are not met. Default:
            all equally likely.
        self_play: Chance that an episode is a match of two learners; above 0 there are two seats.

    The label of an episode is the place of the bot in the population, or behind the last for the
    other seat.

    Raises:
        InvalidArgument: If an option makes no sense; by ``step``, if an action or a bot's throw is
            not 0, 1 or 2.

    Each throw won pays 1, lost -1. Bots that are compiled play in one loop, others one by one
    (``learners.roshambo.learning.opponents``); a run that is resumed brings the latter to where
    they were by asking them again, exact unless they draw from a stream that others draw from too.

    >>> from learners.roshambo import embedded_population
    >>> rotation = {"cycle_up": embedded_population()["cycle_up"]}
    >>> play = PopulationPlay(rotation, episodes=2, seed=1, throws=9)
    >>> play.reset().observations.shape
    (2, 1, 18)
    >>> play.step(np.array([[1], [2]])).rewards.tolist()
    [[1.0], [-1.0]]
    """

    KEPT = ("opponents", "_rng", "_histories", "_made")
    SEATS = ("learner", "copy")
    discount = 1.0

    def __init__(
        self,
        population: Mapping[str, Maker],
        *,
        episodes: int,
        seed: int,
        recall: Recall | None = None,
        throws: int = 1000,
        weights: Mapping[str, float] | None = None,
        self_play: float = 0.0,
    ) -> None:
        require_number(self_play, name="self_play", low=0, high=1)
        for name, value in (("episodes", episodes), ("throws", throws)):
            require_integer(value, name=name, low=1)
        require_instance(population, Mapping, name="population", remedy="Give makers by name.")
        own = Recall() if recall is None else recall
        require_instance(own, Recall, name="recall", remedy="Give Recall(3), for one.")
        self.recall = own
        self._self_play = self_play
        self.players = self.SEATS if self_play else self.SEATS[:1]
        seats = len(self.players)
        lanes = episodes * seats
        self.opponents = PopulationAtPlay(population, matches=lanes)
        self._shares = _shares(self.opponents.names, weights)
        self.num_episodes = episodes
        self.num_actions = (NUM_THROWS,) * seats
        self.action_labels = (tuple(range(NUM_THROWS)),) * seats
        self.num_observations = (own.num_observations,) * seats
        self.num_features = (own.num_features,) * seats
        self.num_labels = self.opponents.nobody + (seats - 1)
        self.horizon = throws
        self.legal: tuple[NDArray[np.bool_], ...] = ()
        if own.shows is Shows.NUMBER:
            self.legal = (np.ones((own.num_observations, NUM_THROWS), dtype=np.bool_),) * seats
        self._rng = named_stream(seed, "population play")
        self._shape = (episodes, seats)
        self._histories = np.zeros((2, lanes, throws), dtype=np.int64)
        self._made = NOT_BEGUN

    def reset(self) -> BatchTurn:
        """Begin new matches against bots drawn anew."""
        return self.reset_against(self._drawn())

    def reset_against(self, places: NDArray[np.int64]) -> BatchTurn:
        """Begin new matches against some bots, by their places in the population.

        Args:
            places (E,), or (E, N) where there are two seats: Both ``opponents.nobody`` where they
                play each other.
        """
        self._begin(places)
        seen = self._seen()
        return self._turn(seen, seen, np.zeros(len(seen)), is_over=False)

    def labels(self) -> NDArray[np.int64]:
        """Return whom each seat meets in the match under way, (E, N)."""
        return self.opponents.places.reshape(self._shape).copy()

    def step(self, actions: NDArray[np.int64]) -> BatchTurn:
        """Let all throw; ``actions`` is (E, N)."""
        given = as_actions(actions, shape=self._shape, is_begun=self._made != NOT_BEGUN)
        own = given.ravel()
        if own.min() < 0 or own.max() >= NUM_THROWS:
            found = f"got {shown(sorted(set(own.tolist())))}"
            raise InvalidArgument(needs="throws of 0, 1 and 2", found=found)
        mine, theirs = self._histories
        t = self._made
        bots = self.opponents.throws(theirs, mine, t)
        is_seat = self.opponents.places == self.opponents.nobody
        other = np.where(is_seat, given[:, ::-1].ravel(), bots)
        mine[:, t], theirs[:, t] = own, other
        self._made += 1
        final = seen = self._seen()
        is_over = self._made == self.horizon
        if is_over:
            self._begin(self._drawn())
            seen = self._seen()
        paid = ((own - other + 1) % 3 - 1).astype(np.float64)
        return self._turn(seen, final, paid, is_over=is_over)

    def _drawn(self) -> NDArray[np.int64]:
        places = self._rng.choice(len(self._shares), size=self._shape, p=self._shares)
        if self._self_play:
            places[self._rng.random(len(places)) < self._self_play] = self.opponents.nobody
        return places

    def _begin(self, places: NDArray[np.int64]) -> None:
        self.opponents.begin(places.ravel(), self._rng.integers(1, MOST_SEED, size=places.size))
        self._made = 0

    def _seen(self) -> NDArray[Any]:
        return self.recall.seen(self._histories[:, :, : self._made])

    def _turn(
        self, seen: NDArray[Any], final: NDArray[Any], paid: NDArray[np.float64], *, is_over: bool
    ) -> BatchTurn:
        shape = self._shape
        return BatchTurn(
            observations=seen.reshape(*shape, *seen.shape[1:]),
            legal=np.ones((*shape, NUM_THROWS), dtype=np.bool_),
            acts=np.ones(shape, dtype=np.bool_),
            rewards=paid.reshape(shape),
            is_terminal=np.zeros(shape[0], dtype=np.bool_),
            is_truncated=np.full(shape[0], is_over),
            final_observations=final.reshape(*shape, *final.shape[1:]),
        )

    def observe(self, player: int, information_state: InformationState) -> NDArray[Any]:
        """Return the observations of an information state: numbers, or tuples of bits."""
        del player
        return np.array(information_state[::2])

    def snapshot(self) -> dict[str, Any]:
        """Return where all matches stand, and whom they are against."""
        return {**super().snapshot(), "population": list(self.opponents.names)}

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot.

        Raises:
            InvalidArgument: If it is of play against another population, of other lengths, or of
                another game.
        """
        whole = self.snapshot()
        if list(snapshot.get("population", ())) != whole["population"]:
            raise InvalidArgument(
                needs=f"a snapshot of play against {number_of(len(whole['population']), 'bot')}",
                found="it is of another population, or of another game",
                remedy="Make the environment with the population it had.",
            )
        require_fitting(snapshot, whole, ignored=("rng",))
        super().restore(snapshot)
        mine, theirs = self._histories
        self.opponents.take_up(theirs, mine, max(0, self._made))


def _shares(names: tuple[str, ...], weights: Mapping[str, float] | None) -> NDArray[np.float64]:
    """Return how likely each bot is to be met, after checking what was said of it."""
    if weights is None or not len(weights):
        return np.full(len(names), 1 / len(names))
    for name, weight in weights.items():
        if name not in names:
            raise InvalidArgument(
                needs="in weights names of bots of the population", found=f"got {shown(name)}"
            )
        require_number(weight, name=f"weights[{name!r}]", low=0)
    shares = np.array([float(weights.get(name, 0.0)) for name in names])
    if not shares.sum() > 0:
        raise InvalidArgument(needs="a weight above 0", found="got none", where="weights")
    return shares / shares.sum()
