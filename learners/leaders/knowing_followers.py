"""Followers who know the game: one best responds, the other learns anew against each leader.

Where queries are hidden and answers are drawn afresh, the exact follower reads the leader's mixed
actions, and responds to these: the follower of those who have leaders learn against immediate best
responses. Otherwise she responds to the answers.

Multiplicative weights: in each round she asks the leader for everything, computes what each of her
stationary policies would have returned against the answers, and multiplies its weight by
``exp(rate * gain)``, gains in units of the span of all returns. Then she plays the heaviest policy.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, cast

import numpy as np

from gametheory_core.arguments import counted
from gametheory_core.errors import UnsupportedGame
from gametheory_core.leaders.follower_problems import fold_back, played, problems_of_deterministic
from gametheory_core.leaders.follower_responses import (
    FollowerClass,
    FollowerTies,
    actions_by_state,
    follower_response,
    num_stationary_followers,
    only_action,
    stationary_maps,
)
from gametheory_core.leaders.policies import DeterministicLeader, SimpleFollower
from learners.leaders.encounters import Response, Untrained, follower_of
from learners.leaders.offers import (
    Answers,
    Deployment,
    Floats,
    Ints,
    Offer,
    Queries,
    asked_once,
    cumulative,
    drawn_plans,
    query_steps,
)
from learners.leaders.stage import Situations, Stage, situations_of
from learners.options import Count, Positive, checked
from solvers.leaders.float_returns import (
    FloatGame,
    best_actions,
    float_game,
    follower_actions,
    stationary_actions,
)
from solvers.rounding import float_ratios


@dataclass(frozen=True)
@checked
class ExactResponseOptions:
    """Options of a follower who best responds.

    Attributes:
        follower_class: Whether she knows time and state, or her observation alone.
        ties: Whose favor she breaks ties in.
    """

    follower_class: FollowerClass = FollowerClass.TIME_AWARE
    ties: FollowerTies = FollowerTies.STRONG


class ExactFollower(Untrained):
    """The follower of ``ExactResponseOptions`` on one stage.

    Responses to mixed actions are computed in floats: what differs by less than 1e-11 of the span
    of returns is a tie.
    """

    def __init__(self, stage: Stage, options: ExactResponseOptions) -> None:
        self._stage = stage
        self._options = options
        self._known: dict[int, Ints] = {}  # by plan, actions (h, S)
        self.situations = _every_state_and_step(stage)

    name = "exact response"

    asks_once = True

    def respond(self, offer: Offer, rng: np.random.Generator) -> Response:
        """Best respond to answers, or to mixed actions that are read."""
        del rng  # nothing is drawn
        if offer.queries is Queries.HIDDEN and offer.answers is Answers.FRESH:
            actions = np.stack([self._read(policy) for policy in offer.probabilities])
            asked = np.zeros_like(asked_once(offer))
            return Response(self._strategies(actions), offer.which, asked, 0)
        plans, rows = np.unique(offer.plans, axis=0, return_inverse=True)
        actions = np.stack([self._told(tuple(plan)) for plan in plans.tolist()])
        asked, rows = asked_once(offer), rows.reshape(-1).astype(np.int64)
        return Response(self._strategies(actions), rows, asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return her best response."""
        found = follower_response(
            self._stage.view,
            leader,
            follower_class=self._options.follower_class,
            ties=self._options.ties,
        )
        return cast("SimpleFollower", found.policy)

    def _told(self, plan: tuple[int, ...]) -> Ints:
        number = self._stage.contexts.number(plan)
        if number not in self._known:
            policy = self.policy(DeterministicLeader(plan))
            self._known[number] = follower_actions(self._stage.view, [policy])[:, 0]
        return self._known[number]

    def _read(self, probabilities: Floats) -> Ints:
        found: Ints = best_actions(
            self._game,
            probabilities,
            follower_class=self._options.follower_class,
            ties=self._options.ties,
            stationary=self._stationary,
        )[:, 0]
        return found

    def _strategies(self, actions: Ints) -> Floats:
        """Return mixed actions by situation for actions (R, h, S)."""
        width = self.situations.legal.shape[1]
        return (actions.reshape(len(actions), -1)[:, :, None] == np.arange(width)) * 1.0

    @cached_property
    def _game(self) -> FloatGame:
        return float_game(self._stage.view)

    @cached_property
    def _stationary(self) -> Any:
        is_stationary = self._options.follower_class is FollowerClass.STATIONARY
        return stationary_actions(self._stage.view) if is_stationary else None


def _every_state_and_step(stage: Stage) -> Situations:
    view = stage.view
    acts = view.follower_observation >= 0
    steps, states = view.horizon, view.num_states
    numbers = np.arange((steps + 1) * states).reshape(steps + 1, states)
    numbers = np.where(acts, numbers, -1)
    numbers[steps] = -1
    return Situations(numbers, np.tile(view.tables.follower_legal, (steps, 1)))


MAX_POLICIES = 4096


@dataclass(frozen=True)
@checked
class InnerLoopWeightsOptions:
    """Options of a follower who weighs her stationary policies anew for each leader.

    Attributes:
        rounds: In each she asks about everything.
        rate: Above 0; of gains in units of the span of all returns.
        deployment: SAMPLED: one policy is drawn by the weights; GREEDY: the heaviest, the first of
            several.
    """

    rounds: Count = 30
    rate: Positive = 1.0
    deployment: Deployment = Deployment.SAMPLED


class InnerLoopWeightsFollower(Untrained):
    """The follower of ``InnerLoopWeightsOptions``; she keeps nothing between leaders."""

    def __init__(self, stage: Stage, options: InnerLoopWeightsOptions) -> None:
        self._stage = stage
        self._options = options
        self.situations = situations_of(stage, FollowerClass.STATIONARY)
        _require_few(stage)
        self._maps: Ints = stationary_maps(stage.view, MAX_POLICIES)
        self._returns: dict[int, Floats] = {}  # by plan, as they are needed
        self._span = _span(stage)

    name = "inner-loop multiplicative weights"

    asks_once = False

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
        legal = self.situations.legal
        strategies = (self._maps[chosen][:, :, None] == np.arange(legal.shape[1])) * 1.0
        return Response(strategies, np.arange(count), asked, query_steps(offer, asked))

    def policy(self, leader: DeterministicLeader) -> SimpleFollower:
        """Return the policy that becomes the heaviest against a leader."""
        actions = self._maps[int(self._gains(np.array([leader.actions]))[0].argmax())]
        return follower_of(self._stage, self.situations, FollowerClass.STATIONARY, actions)

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
