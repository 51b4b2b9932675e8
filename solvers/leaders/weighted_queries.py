"""A follower that learns by multiplicative weights over its plans, as a query oracle.

In each round the oracle asks for the leader's whole policy, computes what every stationary policy
of the follower would have returned against it, and multiplies its weight by ``1 + rate * gain``,
gains scaled to [0, 1]. Weights are rationals and part of the state.
"""

from collections.abc import Hashable
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, NamedTuple

from gametheory_core.arguments import require_instance, require_integer, require_member
from gametheory_core.arrays import ONE, ZERO, to_fraction
from gametheory_core.distributions import Distribution, surely
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.evaluation.follower_responses import leader_returns
from gametheory_core.games.leader_view import LeaderView
from gametheory_core.games.query_oracle import HALT
from gametheory_core.strategies.leader_policies import StationaryFollower
from solvers.leaders.contextual_queries import acting_observations, answered_plan

MAX_EXPERTS = 1000


class DeployedPolicy(Enum):
    """What the follower plays after the last round."""

    DRAW = "a policy drawn by the weights, once"
    HEAVIEST = "the policy of the largest weight, the first of several"


class Round(NamedTuple):
    """Where learning stands.

    Attributes:
        number: Rounds finished.
        weights: Of the follower's policies; they sum to one.
        answers: Of this round.
    """

    number: int
    weights: tuple[Fraction, ...]
    answers: tuple[Hashable, ...]


@dataclass(frozen=True)
class WeightedQueries:
    """A query oracle whose states are rounds; see ``multiplicative_weights_queries``."""

    view: LeaderView
    rounds: int
    rate: Fraction
    deployment: DeployedPolicy

    @cached_property
    def experts(self) -> tuple[StationaryFollower, ...]:
        """All stationary policies of the follower."""
        return tuple(map(StationaryFollower, product(*_choices(self.view))))

    @cached_property
    def observations(self) -> tuple[Hashable, ...]:
        """What is asked about in each round."""
        return acting_observations(self.view)

    def start(self) -> Distribution[Round]:
        """Return equal weights."""
        even = Fraction(1, len(self.experts))
        return surely(Round(0, (even,) * len(self.experts), ()))

    def query(self, state: Round, /) -> Any:
        """Ask about the next observation of the round."""
        if state.number == self.rounds:
            return HALT
        return self.observations[len(state.answers)]

    def answer(self, state: Round, action: Any, /) -> Distribution[Round]:
        """Note the answer; after the last of a round, learn."""
        answers = (*state.answers, action)
        if len(answers) < len(self.observations):
            return surely(state._replace(answers=answers))
        known = tuple(zip(self.observations, answers, strict=True))
        plan = answered_plan(self.view, known)
        gains = (leader_returns(self.view, plan, expert)[1] for expert in self.experts)
        low, span = self._range
        weights = [
            weight * (1 + self.rate * (gain - low) / span)
            for weight, gain in zip(state.weights, gains, strict=True)
        ]
        total = sum(weights, ZERO)
        return surely(Round(state.number + 1, tuple(weight / total for weight in weights), ()))

    def follower_policy(self, state: Round, /) -> Distribution[StationaryFollower]:
        """Return the law of the policy that is played."""
        if self.deployment is DeployedPolicy.HEAVIEST:
            return surely(self.experts[state.weights.index(max(state.weights))])
        return Distribution(tuple(zip(self.experts, state.weights, strict=True)))

    @cached_property
    def _range(self) -> tuple[Fraction, Fraction]:
        """Return a lower bound of the follower's returns, and the width to an upper bound."""
        paid = self.view.game.reward_vectors[:, self.view.follower].tolist()
        low, high = min([*paid, ZERO]), max([*paid, ZERO])
        steps = sum((self.view.discount**t for t in range(self.view.horizon)), ZERO)
        return low * steps, (high - low) * steps or ONE


def multiplicative_weights_queries(
    view: LeaderView,
    *,
    rounds: int,
    rate: object = Fraction(1, 2),
    deployment: DeployedPolicy = DeployedPolicy.HEAVIEST,
) -> WeightedQueries:
    """Make an oracle that learns by multiplicative weights against the leader's answers.

    Args:
        rounds: Each asks once about every observation.
        rate (number): Above 0; read exactly.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        UnsupportedGame: If the follower has more than ``MAX_EXPERTS`` stationary policies, or
            nobody ever acts.

    A query oracle that meets condition 2 of Lemma 1. With ``HEAVIEST`` and at least one round it
    also meets condition 1 for deterministic leaders, within stationary followers: the order of the
    weights is that of the returns. With ``DRAW`` the follower comes near a best response as rounds
    go on, and the value of the leader's problem is the return against that mixture.

    Source: :cite:`gerstgrasser2023oracles`, appendix A.

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> from gametheory_core.conversions.leader_view import leader_view
    >>> from gametheory_core.evaluation.oracle_returns import oracle_response
    >>> from gametheory_core.strategies.leader_policies import DeterministicLeader
    >>> view = leader_view(RepeatedGame.of("chicken"))
    >>> oracle = multiplicative_weights_queries(view, rounds=2, deployment=DeployedPolicy.DRAW)
    >>> firm = DeterministicLeader((1, -1, -1, -1, -1))
    >>> [str(weight) for _, weight in oracle_response(view, oracle, firm)]
    ['961/1445', '484/1445']
    """
    name = "multiplicative_weights_queries"
    require_instance(view, LeaderView, function=name, name="view", remedy="Call leader_view(game).")
    require_integer(rounds, function=name, name="rounds", low=0)
    require_member(deployment, DeployedPolicy, function=name, name="deployment")
    exact = to_fraction(rate, where=f"{name}: rate")
    if exact <= 0:
        raise InvalidArgument(f"{name}: needs a rate above 0, but got {exact}.")
    count = prod(map(len, _choices(view)))
    if count > MAX_EXPERTS:
        raise UnsupportedGame(
            f"{name}: needs a follower of at most {MAX_EXPERTS:,} stationary policies, but there "
            f"are {count:,}. Take q_learning_queries, which keeps a table instead."
        )
    if rounds and not acting_observations(view):
        state, _ = view.initial[0]
        raise UnsupportedGame(
            f"{name}: needs a game with something to ask about, but play is over at its start, in "
            f"{view.game.states[state]!r}. Give rounds = 0, or a game in which somebody acts."
        )
    return WeightedQueries(view, rounds, exact, deployment)


def _choices(view: LeaderView) -> list[tuple[int, ...]]:
    """Return the follower's legal actions by observation; -1 where the follower never acts."""
    count = len(view.game.observations[view.follower])
    return [view.follower_actions(o) or (-1,) for o in range(count)]
