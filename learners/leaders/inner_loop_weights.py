"""A follower who knows the game, and learns anew by multiplicative weights against each leader.

In each round she asks the leader for everything, computes what each of her stationary policies
would have returned against the answers, and multiplies its weight by ``exp(rate * gain)``, gains
in units of the span of all returns. Then she plays the heaviest policy.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from gametheory_core.arguments import (
    counted,
    require_integer,
    require_member,
    require_number,
)
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_problems import (
    fold_back,
    played,
    problems_of_deterministic,
)
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    actions_by_state,
    num_stationary_followers,
    only_action,
    stationary_maps,
)
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.leaders.followers import Response, follower_of
from learners.leaders.offers import (
    Answers,
    Deployment,
    Floats,
    Ints,
    Offer,
    asked_once,
    cumulative,
    drawn_plans,
    query_steps,
)
from learners.leaders.stage import Situations, Stage, situations_of
from learners.snapshots import Kept
from solvers.rounding import float_ratios

MAX_POLICIES = 4096


@dataclass(frozen=True)
class InnerLoopWeightsOptions:
    """Options of a follower who weighs her stationary policies anew for each leader.

    Attributes:
        rounds: In each she asks about everything.
        rate: Above 0; of gains in units of the span of all returns.
        deployment: SAMPLED: one policy is drawn by the weights; GREEDY: the heaviest, the first of
            several.
    """

    rounds: int = 30
    rate: float = 1.0
    deployment: Deployment = Deployment.SAMPLED

    def __post_init__(self) -> None:
        require_integer(self.rounds, name="rounds", low=1)
        require_number(self.rate, name="rate", above=0)
        require_member(self.deployment, Deployment, name="deployment")


class InnerLoopWeightsFollower(Kept):
    """The follower of ``InnerLoopWeightsOptions``; she keeps nothing between leaders."""

    KEPT = ()
    UNCHECKED = ()

    def __init__(self, stage: Stage, options: InnerLoopWeightsOptions) -> None:
        self._stage = stage
        self._options = options
        self._situations = situations_of(stage, FollowerClass.STATIONARY)
        _require_few(stage)
        self._maps: Ints = stationary_maps(stage.view, MAX_POLICIES)
        self._returns: dict[int, Floats] = {}  # by plan, as they are needed
        self._span = _span(stage)

    name = "inner-loop multiplicative weights"

    @property
    def situations(self) -> Situations:
        """What her actions may depend on."""
        return self._situations

    asks_once = False

    pretraining = 0

    def prepare(self, rng: np.random.Generator) -> tuple[Mapping[str, float], int]:
        """Do nothing."""
        del rng
        return {}, 0

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Ask each leader, round by round, and weigh."""
        count, rounds = len(offer.plans), self._options.rounds
        asked = rounds * asked_once(offer)
        if offer.answers is Answers.FRESH:
            which = np.repeat(offer.which, rounds)
            plans = drawn_plans(offer.probabilities, which, self._stage.leader_legal, rng)
            asked = asked_once(replace(offer, plans=plans))
            asked = asked.reshape(count, rounds, *asked.shape[1:]).sum(axis=1)
            gains = self._gains(plans).reshape(count, rounds, -1).sum(axis=1)
        else:
            gains = rounds * self._gains(offer.plans)
        if self._options.deployment is Deployment.GREEDY:
            chosen = gains.argmax(axis=1)
        else:
            weights = np.exp(self._options.rate * (gains - gains.max(axis=1, keepdims=True)))
            chosen = (cumulative(weights) <= rng.random((count, 1))).sum(axis=1)
        legal = self._situations.legal
        strategies = (self._maps[chosen][:, :, None] == np.arange(legal.shape[1])) * 1.0
        return Response(strategies, np.arange(count), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return the policy that becomes the heaviest against a leader."""
        actions = self._maps[int(self._gains(np.array([leader.actions]))[0].argmax())]
        return follower_of(self._stage, self._situations, FollowerClass.STATIONARY, actions)

    def _gains(self, plans: Ints) -> Floats:
        """Return what each policy earns against each plan beyond the worst one; (E, M).

        In units of the span; without any, all earn alike.
        """
        numbers = [self._stage.contexts.number(plan) for plan in plans.tolist()]
        for number, plan in dict(zip(numbers, plans, strict=True)).items():
            if number not in self._returns:
                self._returns[number] = _returns_against(self._stage, plan, self._maps)
        gains = np.stack([self._returns[number] for number in numbers])
        gains -= gains.min(axis=1, keepdims=True)
        return gains / self._span if self._span > 0 else np.zeros_like(gains)


def _require_few(stage: Stage) -> None:
    count = num_stationary_followers(stage.view)
    if count > MAX_POLICIES:
        player = stage.view.game.players[stage.view.follower]
        raise UnsupportedGame(
            needs=f"at most {MAX_POLICIES:,} stationary policies to weigh",
            found=f"{player!r} has {counted(count)}",
            remedy="Take InnerLoopQOptions.",
            where="InnerLoopWeights",
        )


def _returns_against(stage: Stage, plan: Ints, maps: Ints) -> Floats:
    """Return what each stationary policy of the follower returns her against a plan."""
    view = stage.view
    posed = problems_of_deterministic(view, np.repeat(plan[None], len(maps), axis=0))
    found = fold_back(view, played(posed, actions_by_state(view, maps)), only_action)
    return float_ratios(found.numerators[:, 1], found.denominator)


def _span(stage: Stage) -> float:
    """Return the most by which her returns can differ."""
    view, tables = stage.view, stage.view.tables
    legal = tables.leader_legal[:, :, None] & tables.follower_legal[:, None, :]
    rewards = stage.tables.rewards[..., 1][legal]
    ends_early = bool(((view.first_step < view.horizon) & (view.leader_observation < 0)).any())
    among = np.append(rewards, 0.0) if ends_early else rewards
    weights = float(view.discount) ** np.arange(view.horizon)
    return float((among.max() - among.min()) * weights.sum())
