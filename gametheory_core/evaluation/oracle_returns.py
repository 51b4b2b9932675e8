"""What a query oracle makes of a leader's policy, and what the pair returns."""

from fractions import Fraction

from gametheory_core.arguments import require_instance
from gametheory_core.arrays import ONE, ZERO
from gametheory_core.distributions import Distribution
from gametheory_core.errors import InvalidGame, InvalidStrategy
from gametheory_core.evaluation.follower_responses import leader_returns
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.query_oracle import (
    MAX_ORACLE_STATES,
    MAX_QUERIES,
    QueryOracle,
    checked_oracle,
    halting_states,
)
from gametheory_core.strategies.leader_policies import (
    DeterministicLeader,
    MemoizedLeader,
    SimpleFollower,
    check_leader_policy,
)


def oracle_response(
    view: LeaderView,
    oracle: QueryOracle,
    policy: DeterministicLeader,
    *,
    max_queries: int = MAX_QUERIES,
    max_states: int = MAX_ORACLE_STATES,
) -> Distribution[SimpleFollower]:
    """Return ``E(pi)``: the law of the follower policy that an oracle finds for a leader's policy.

    Args:
        policy: Answers every query as it plays. A policy that draws has no one answer to a query.
        max_queries: The most queries to answer.
        max_states: The most states of the oracle to meet; they multiply where they are drawn.

    Raises:
        InvalidGame: If the oracle asks about an observation after which the leader never acts.
        UnsupportedGame: If the oracle goes on after ``max_queries`` queries, or meets more states.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> from gametheory_core.distributions import surely
    >>> from gametheory_core.games.query_oracle import HALT
    >>> from gametheory_core.strategies.leader_policies import StationaryFollower
    >>> class Stubborn:
    ...     def start(self):
    ...         return surely("")
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
    require_instance(view, LeaderView, function=name, name="view", remedy="Call leader_view(game).")
    require_instance(
        policy,
        DeterministicLeader,
        function=name,
        name="policy",
        remedy="Queries to a policy that draws have no one answer; ask about each plan.",
    )
    check_leader_policy(view, policy)
    seen, labels = view.game.observations[view.leader], view.game.actions[view.leader]
    plan = {o: labels[a] for o, a in zip(seen, policy.actions, strict=True) if a >= 0}

    def answer(asked: object) -> object:
        if asked not in plan:
            raise InvalidGame(
                f"{name}: needs queries about observations after which the leader acts, but the "
                f"oracle asks about {asked!r}. Those are {', '.join(map(repr, plan))}."
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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> from gametheory_core.distributions import surely
    >>> from gametheory_core.games.query_oracle import HALT
    >>> from gametheory_core.strategies.leader_policies import StationaryFollower
    >>> class Stubborn:
    ...     def start(self):
    ...         return surely("")
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
            "oracle_returns: needs a DeterministicLeader or a MemoizedLeader, but got "
            f"{policy!r}. A policy that draws afresh has no one answer to a query; take "
            "leader_problem, or follower_response for a follower who knows the lotteries."
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
