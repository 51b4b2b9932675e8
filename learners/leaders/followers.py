"""How followers meet leaders: a batch of leaders is offered, and met by mixed actions.

From a follower's table to what she plays: mixed actions, and policies the core can judge.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.leaders.follower_responses import FollowerClass
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    SimpleFollower,
    StationaryFollower,
    TimedFollower,
)
from learners.batch import Snapshot
from learners.leaders.offers import Floats, Ints, Offer
from learners.leaders.stage import Situations, Stage


@dataclass(frozen=True, eq=False)
class Response:
    """How a follower meets the leaders of an offer.

    Attributes:
        strategies (R, situations, B): Lotteries.
        rows (E,): By which of them each leader is met.
        asked (E, O, A): How often each leader answered what before play: the queries.
        steps: Environment steps that finding the response took, queries included if visible.
    """

    strategies: Floats
    rows: Ints
    asked: Ints
    steps: int


class Follower(Protocol):
    """Somebody who responds to leaders; state inside."""

    @property
    def name(self) -> str:
        """Of the algorithm."""
        ...

    @property
    def situations(self) -> Situations:
        """What her actions may depend on."""
        ...

    @property
    def asks_once(self) -> bool:
        """Whether she asks about each observation once, and needs nothing else to respond."""
        ...

    @property
    def pretraining(self) -> int:
        """Iterations of learning before any leader learns."""
        ...

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Make one such iteration; return what is worth watching, and environment steps."""
        ...

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Meet a batch of leaders."""
        ...

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her deterministic policy against one leader; changes nothing."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that was learned."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...


def greedy_actions(values: Floats, legal: NDArray[np.bool_]) -> Ints:
    """Return the first of the best legal actions in each situation; (..., Z, B) to (..., Z)."""
    best: Ints = np.where(legal, values, -np.inf).argmax(axis=-1)
    return best


def greedy_probabilities(values: Floats, legal: NDArray[np.bool_]) -> Floats:
    """Return point masses on the first of the best legal actions; (..., Z, B)."""
    return (greedy_actions(values, legal)[..., None] == np.arange(legal.shape[-1])) * 1.0


def follower_of(
    stage: Stage, situations: Situations, follower_class: FollowerClass, actions: Ints
) -> SimpleFollower:
    """Return actions by situation as a follower's policy, -1 where nobody acts."""
    view = stage.view
    if follower_class is FollowerClass.STATIONARY:
        acts = stage.follower_legal.any(axis=-1)
        return StationaryFollower(tuple(np.where(acts, actions, -1).tolist()))
    numbers = situations.numbers[: view.horizon]
    by_state = np.where(numbers >= 0, actions[numbers], -1)
    return TimedFollower(tuple(map(tuple, by_state.tolist())))
