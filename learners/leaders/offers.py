"""Leaders about to play, as followers get to know them: by the answers to queries.

What can be chosen about queries, answers, and followers who have learned.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from learners.batch import as_actions


class Answers(Enum):
    """Where the leader's actions come from, at queries and in play.

    MEMOIZED: at each observation one is drawn, once an episode, and held. What the follower was
    told is what is played, so that no leader earns more than the best commitment.
    FRESH: each use draws anew, as printed. The leader may earn more than any commitment: the
    follower responds to answers that have nothing to do with what is played.
    """

    MEMOIZED = "memoized"
    FRESH = "fresh"


class Queries(Enum):
    """Whether the leader knows of queries.

    VISIBLE: they are steps of the leader's episode, and answering well is learned.
    HIDDEN: the leader's policy is read, and the leader learns from play alone.
    FLAGGED: they are steps, and marked as queries, so that the leader may answer one thing and do
    another: what is learned is no commitment.
    """

    VISIBLE = "visible"
    HIDDEN = "hidden"
    FLAGGED = "flagged"


class Deployment(Enum):
    """What a follower who has learned plays.

    GREEDY: her best action, the first of several.
    SAMPLED: draws by her mixed action.
    """

    GREEDY = "greedy"
    SAMPLED = "sampled"


Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Offer:
    """Leaders who are about to play an episode each.

    Attributes:
        plans (E, O): What each would answer; -1 where a leader never acts.
        probabilities (C, O, A): The policies they come from.
        which (E,): From which policy each comes.
        answers: Whether the plans are what is played.
    """

    plans: Ints
    probabilities: Floats
    which: Ints
    answers: Answers
    queries: Queries


def known_plans(plans: Ints, shape: tuple[int, ...]) -> Offer:
    """Return the offer of leaders who play plans; ``shape`` is (O, A)."""
    probabilities = np.zeros((1, *shape))
    which = np.zeros(len(plans), dtype=np.int64)
    return Offer(plans, probabilities, which, Answers.MEMOIZED, Queries.HIDDEN)


def asked_once(offer: Offer) -> Ints:
    """Return the queries of a follower who asks about every observation once; (E, O, A)."""
    asked: Ints = (offer.plans[:, :, None] == np.arange(offer.probabilities.shape[2])).astype(
        np.int64
    )
    return asked


def query_steps(offer: Offer, asked: Ints) -> int:
    """Return how many environment steps queries before play are: none if the policy is read."""
    return 0 if offer.queries is Queries.HIDDEN else int(asked.sum())


def drawn_plans(
    probabilities: Floats, which: Ints, legal: NDArray[np.bool_], rng: np.random.Generator
) -> Ints:
    """Draw a plan by ``probabilities[which[e]]`` for each ``e``; -1 where nobody acts."""
    numbers = rng.random((len(which), probabilities.shape[1], 1))
    plans = (cumulative(probabilities)[which] <= numbers).sum(axis=2)
    drawn: Ints = np.where(legal.any(axis=1), plans, -1)
    return drawn


def cumulative(probabilities: NDArray[np.floating[Any]]) -> Floats:
    """Return sums along the last axis; exactly 1 from the last positive entry on.

    Rows of zeros, of what never arises, stay zero.

    >>> cumulative(np.array([[0.25, 0.75, 0.0], [0.0, 0.0, 0.0]])).tolist()
    [[0.25, 1.0, 1.0], [0.0, 0.0, 0.0]]
    """
    sums = np.cumsum(probabilities, axis=-1, dtype=np.float64)
    total = sums[..., -1:]
    return sums / np.where(total > 0, total, 1.0)


def as_leader_actions(
    actions: Any, legal: NDArray[np.bool_], *, acts: NDArray[np.bool_], is_begun: bool
) -> Ints:
    """Return what a leader, the only player, is to do as integers (E, 1).

    Raises:
        InvalidArgument: If episodes have not begun, the shape is wrong, or an action is not
            ``legal`` (E, A) where he ``acts`` (E,).
    """
    chosen = as_actions(actions, shape=(len(legal), 1), is_begun=is_begun)
    inside = np.clip(chosen, 0, legal.shape[1] - 1)
    is_bad = (inside != chosen) | ~np.take_along_axis(legal, inside, axis=1)
    bad = np.flatnonzero(is_bad[:, 0] & acts)
    if bad.size:
        raise InvalidArgument(
            needs="legal actions",
            found=f"row {bad[0]} gives {int(chosen[bad[0], 0])}",
            remedy=f"Legal are {np.flatnonzero(legal[bad[0]]).tolist()}.",
        )
    return inside
