"""How the follower of a search responds to one leader, and which policies she has in any case."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, cast

import numpy as np

from gametheory_core.leaders.commitments import LeaderCommitment
from gametheory_core.leaders.follower_responses import (
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    StationaryFollower,
    TimedFollower,
)
from solvers.leaders.relaxed_leaders import SearchProblem
from solvers.leaders.stationary_responses import stationary_response

MOST_WITNESSES = 64  # with so few policies, bounds use all of them


@dataclass(frozen=True)
class Incumbent:
    """A leader with the follower's response and what they pay, the leader first."""

    commitment: LeaderCommitment
    returns: tuple[Fraction, Fraction]


def first_witnesses(problem: SearchProblem) -> Any:
    """Return stationary policies of the follower to start with: all, if they are few."""
    own = [legal or (-1,) for legal in problem.legal[problem.num_leader :]]
    if not problem.is_stationary:
        return np.zeros((0, len(own)), dtype=np.int32)
    if prod(map(len, own)) <= MOST_WITNESSES:
        return np.array(list(product(*own)), dtype=np.int32)
    return np.array([[legal[0] for legal in own]], dtype=np.int32)


def respond(problem: SearchProblem, leader: Any, witnesses: Any) -> Incumbent:
    """Return the follower's response to a full policy, and what both get, exactly.

    A stationary response is best up to rounding; ``witnesses`` are policies to start from.
    """
    policy = DeterministicLeader(tuple(int(a) for a in leader))
    if not problem.is_stationary:
        found = follower_response(problem.view, policy, ties=problem.ties)
        follower = cast("TimedFollower", found.policy)
        return Incumbent(LeaderCommitment(policy, follower), found.returns)
    row, _ = stationary_response(problem, leader, witnesses)
    return commit(problem, policy, StationaryFollower(tuple(int(b) for b in row)))


def commit(
    problem: SearchProblem, leader: DeterministicLeader, follower: StationaryFollower
) -> Incumbent:
    """Return a pair of policies with what it pays, exactly."""
    returns = leader_returns(problem.view, leader, follower)
    return Incumbent(LeaderCommitment(leader, follower), returns)
