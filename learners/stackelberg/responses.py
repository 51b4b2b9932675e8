"""How followers meet leaders: a batch of leaders is offered, and met by lotteries."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.batch import Snapshot
from learners.stackelberg.offers import Floats, Ints, Offer
from learners.stackelberg.stage import Situations


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
