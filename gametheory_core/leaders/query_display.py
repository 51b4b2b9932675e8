"""What a leader is shown beside the own observation while a follower asks and plays."""

from enum import Enum


class QueryDisplay(Enum):
    """How much the leader can tell queries from play; the value says it in words.

    Only ``AS_PLAY`` makes every memoryless deterministic policy *invariant*: it plays as it
    answered. With the others the leader may promise one thing and do another.
    """

    AS_PLAY = "a query is the observation alone, as in play"
    FLAGGED = "observations come as (is it a query?, observation)"
    COUNTED = "observations come as (number of steps before, observation)"
