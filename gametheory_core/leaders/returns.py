"""What a query oracle makes of a leader's policy, and what the pair returns.

If answers to queries and actions in play are drawn separately, the follower asks once what the
leader does after each observation, and best responds to the answers, ``w`` with chance ``P(w)``. If
every use of a mixed action draws afresh, play has nothing to do with the answers, and the leader
gets

    sum over w of  P(w) r_L(theta, E(w)),

which may exceed every Stackelberg value: the follower responds to what the leader may never do.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import prod

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame, InvalidStrategy, UnsupportedGame
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    follower_response,
    leader_returns,
)
from gametheory_core.leaders.policies import (
    DeterministicLeader,
    FollowerPolicy,
    MemoizedLeader,
    SimpleFollower,
    StochasticLeader,
    check_leader_policy,
)
from gametheory_core.leaders.query_oracle import (
    MAX_ORACLE_STATES,
    MAX_QUERIES,
    QueryOracle,
    checked_oracle,
    halting_states,
)
from gametheory_core.leaders.view import LeaderView


def oracle_response(
    view: LeaderView,
    oracle: QueryOracle,
    policy: DeterministicLeader,
    *,
    max_queries: int = MAX_QUERIES,
    max_states: int = MAX_ORACLE_STATES,
) -> Distribution[SimpleFollower]:
    """Return ``E(pi)``: the distribution of the follower policy that an oracle finds for a leader.

    Args:
        policy: Answers every query as it plays. A policy that draws has no one answer to a query.
        max_queries: The most queries to answer.
        max_states: The most states of the oracle to meet; they multiply where they are drawn.

    Raises:
        InvalidGame: If the oracle asks about an observation after which the leader never acts.
        UnsupportedGame: If the oracle continues after ``max_queries`` queries, or meets more
            states.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> from gametheory_core.distributions import point_mass
    >>> from gametheory_core.leaders import HALT, StationaryFollower
    >>> class Stubborn:
    ...     def start(self):
    ...         return point_mass("")
    ...     def query(self, state):
    ...         return HALT
    ...     def follower_policy(self, state):
    ...         return StationaryFollower((1, -1, -1, -1, -1))
    ...     answer = None
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> gives_way = DeterministicLeader((0, -1, -1, -1, -1))
    >>> oracle_response(view, Stubborn(), gives_way).items[0][0].actions[0]
    1
    """
    name = "oracle_response"
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_instance(
        policy,
        DeterministicLeader,
        name="policy",
        remedy="Queries to a policy that draws have no one answer; ask about each plan.",
    )
    check_leader_policy(view, policy)
    seen, labels = view.game.observations[view.leader], view.game.actions[view.leader]
    plan = {o: labels[a] for o, a in zip(seen, policy.actions, strict=True) if a >= 0}

    def answer(asked: object) -> object:
        if asked not in plan:
            raise InvalidGame(
                needs="queries about observations after which the leader acts",
                found=f"the oracle asks about {asked!r}",
                remedy=f"Those are {', '.join(map(repr, plan))}.",
            )
        return plan[asked]

    checked = checked_oracle(oracle, name)
    weights: dict[SimpleFollower, Fraction] = {}
    for state, weight in halting_states(
        checked, answer, max_queries=max_queries, max_states=max_states
    ):
        for response, share in checked.follower_policy(state):
            weights[response] = weights.get(response, ZERO) + weight * share
    return Distribution(tuple(weights.items()))


def oracle_returns(
    view: LeaderView,
    oracle: QueryOracle,
    policy: DeterministicLeader | MemoizedLeader,
    *,
    max_queries: int = MAX_QUERIES,
    max_states: int = MAX_ORACLE_STATES,
) -> tuple[Fraction, Fraction]:
    """Return ``r(pi, E(pi))``, the leader's first: what a policy earns against an oracle's answer.

    Args:
        policy: Of a memoized one each plan is answered by itself.
        max_queries: The most queries to answer for each plan.
        max_states: The most states of the oracle to meet for each plan.

    Raises:
        InvalidStrategy: If the policy is of another kind.
        UnsupportedGame: If the oracle asks or meets more.

    The leader's value in ``leader_problem`` is the same number, found another way.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from gametheory_core.leaders import leader_view
    >>> from gametheory_core.distributions import point_mass
    >>> from gametheory_core.leaders import HALT, StationaryFollower
    >>> class Stubborn:
    ...     def start(self):
    ...         return point_mass("")
    ...     def query(self, state):
    ...         return HALT
    ...     def follower_policy(self, state):
    ...         return StationaryFollower((1, -1, -1, -1, -1))
    ...     answer = None
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> oracle_returns(view, Stubborn(), DeterministicLeader((0, -1, -1, -1, -1)))
    (Fraction(-1, 1), Fraction(1, 1))
    """
    if isinstance(policy, MemoizedLeader):
        check_leader_policy(view, policy)
        plans = tuple(zip(policy.plans, policy.weights, strict=True))
    elif isinstance(policy, DeterministicLeader):  # pyright: ignore[reportUnnecessaryIsInstance]
        plans = ((policy, ONE),)
    else:
        raise InvalidStrategy(
            needs="a DeterministicLeader or a MemoizedLeader",
            found=f"got {policy!r}",
            remedy="A policy that draws afresh has no one answer to a query; take leader_problem, "
            "or "
            "follower_response for a follower who knows the mixed actions.",
        )
    own, other = ZERO, ZERO
    for plan, weight in plans:
        for response, share in oracle_response(
            view, oracle, plan, max_queries=max_queries, max_states=max_states
        ):
            paid = leader_returns(view, plan, response)
            own += weight * share * paid[0]
            other += weight * share * paid[1]
    return own, other


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

    >>> from gametheory_core.catalog import iterated_prisoners_dilemma
    >>> from gametheory_core.leaders import leader_view
    >>> view = leader_view(iterated_prisoners_dilemma(rounds=10))
    >>> cooperate, defect = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    >>> policy = StochasticLeader((defect, cooperate, defect, cooperate, defect))
    >>> sampled_query_returns(view, policy)
    (Fraction(-11, 1), Fraction(-11, 1))
    """
    require_instance(view, LeaderView, name="view", remedy="Call leader_view(game).")
    require_instance(
        policy,
        StochasticLeader,
        name="policy",
        remedy="Others answer as they play: see follower_response.",
    )
    require_member(follower_class, FollowerClass, name="follower_class")
    require_member(ties, FollowerTies, name="ties")
    require_integer(max_answers, name="max_answers", low=1)
    check_leader_policy(view, policy)
    number = prod(sum(1 for weight in own if weight) for own in policy.lotteries if own)
    if number > max_answers:
        raise UnsupportedGame(
            needs=f"at most max_answers = {max_answers:,} ways to answer the queries",
            found=f"the policy has {number:,}",
            remedy="Raise it, or let fewer mixed actions be mixed.",
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
