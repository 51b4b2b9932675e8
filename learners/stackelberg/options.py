"""What can be chosen about queries, answers, and followers who have learned."""

from enum import Enum


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
    """

    VISIBLE = "visible"
    HIDDEN = "hidden"


class Deployment(Enum):
    """What a follower who has learned plays.

    GREEDY: her best action, the first of several.
    SAMPLED: draws by her lottery.
    """

    GREEDY = "greedy"
    SAMPLED = "sampled"
