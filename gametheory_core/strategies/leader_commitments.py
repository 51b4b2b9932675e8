"""Commitments in Markov games: a leader's policy, and the follower's answer to it."""

from dataclasses import dataclass

from gametheory_core.strategies.leader_policies import (
    DeterministicLeader,
    StationaryFollower,
    TimedFollower,
)


@dataclass(frozen=True)
class LeaderCommitment:
    """A deterministic leader and the follower's response.

    Attributes:
        leader_policy: Known to the follower before play.
        follower_policy: What she answers.
    """

    leader_policy: DeterministicLeader
    follower_policy: TimedFollower | StationaryFollower
