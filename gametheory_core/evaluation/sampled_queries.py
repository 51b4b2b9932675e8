"""What a stochastic leader earns if answers to queries and actions in play are drawn separately.

The follower asks once what the leader does after each observation, and best responds to the
answers, ``w`` with chance ``P(w)``. If every use of a lottery draws afresh, play has nothing to do
with the answers, and the leader gets

    sum over w of  P(w) r_L(theta, E(w)),

which may exceed every Stackelberg value: the follower responds to what the leader may never do.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.strategies.leader_policies import (
    DeterministicLeader,
    FollowerPolicy,
    StochasticLeader,
    check_leader_policy,
)

MAX_ANSWERS = 100_000


def sampled_query_returns(
    view: LeaderView,
    policy: StochasticLeader,
    *,
    follower_class: FollowerClass = FollowerClass.TIME_AWARE,
    ties: FollowerTies = FollowerTies.STRONG,
    max_answers: int = MAX_ANSWERS,
) -> tuple[Fraction, Fraction]:
    """Return what both get if queries are answered by draws of their own, the leader first.

    Args:
        ties: By what the follower's choice would earn a leader who plays as answered.
        max_answers: The largest number of ways in which the queries may be answered.

    Raises:
        InvalidStrategy: If the policy does not fit.
        UnsupportedGame: If there are more than ``max_answers`` ways, or too many stationary
            followers.

    Two dynamic programs for each way to answer.

    Source: :cite:`gerstgrasser2023oracles`, section 4.

    With certain answers nothing is left to deceive:

    >>> from gametheory_core.catalog.iterated import iterated_prisoners_dilemma
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> view = leader_view(iterated_prisoners_dilemma(rounds=10))
    >>> cooperate, defect = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    >>> policy = StochasticLeader((defect, cooperate, defect, cooperate, defect))
    >>> sampled_query_returns(view, policy)
    (Fraction(-11, 1), Fraction(-11, 1))
    """
    name = "sampled_query_returns"
    require_instance(view, LeaderView, function=name, name="view", remedy="Call leader_view(game).")
    require_instance(
        policy,
        StochasticLeader,
        function=name,
        name="policy",
        remedy="Others answer as they play: see follower_response.",
    )
    require_member(follower_class, FollowerClass, function=name, name="follower_class")
    require_member(ties, FollowerTies, function=name, name="ties")
    require_integer(max_answers, function=name, name="max_answers", low=1)
    check_leader_policy(view, policy)
    number = prod(sum(1 for weight in own if weight) for own in policy.lotteries if own)
    if number > max_answers:
        raise UnsupportedGame(
            f"{name}: needs at most max_answers = {max_answers:,} ways to answer the queries, but "
            f"the policy has {number:,}. Raise it, or let fewer lotteries be mixed."
        )
    chances: dict[FollowerPolicy, Fraction] = {}
    for answers, chance in _answers(policy):
        found = follower_response(view, answers, follower_class=follower_class, ties=ties)
        chances[found.policy] = chances.get(found.policy, ZERO) + chance
    paid = [
        (chance, leader_returns(view, policy, response)) for response, chance in chances.items()
    ]
    own, other = (sum((chance * both[i] for chance, both in paid), ZERO) for i in (0, 1))
    return own, other


def _answers(policy: StochasticLeader) -> Iterator[tuple[DeterministicLeader, Fraction]]:
    """Yield each way to answer all queries with its chance."""
    choices = [
        [(action, weight) for action, weight in enumerate(own) if weight] or [(-1, ONE)]
        for own in policy.lotteries
    ]
    for drawn in product(*choices):
        actions = tuple(action for action, _ in drawn)
        yield DeterministicLeader(actions), prod((weight for _, weight in drawn), start=ONE)
