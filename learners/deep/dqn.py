"""Deep Q-networks: action values by a network, learned from replayed transitions (DQN).

A player who learns action values: how it chooses, what it keeps, and when it updates.
"""

from collections.abc import Iterable, Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import shown, shown_players
from gametheory_core.errors import InvalidArgument
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import AtHorizon, BatchedEnvironment, BatchTurn, Snapshot
from learners.deep.action_values import ActionValues, ValueOptions
from learners.deep.actors import LegalActions, learned_policies
from learners.deep.agents import (
    Agent,
    Behavior,
    Lanes,
    Sharing,
    agents_of,
    checked_others,
    draw_actions,
    lanes_of,
    others_actions,
)
from learners.deep.frozen import FrozenNetwork, frozen_network
from learners.deep.losses import Numbers
from learners.deep.optimization import Broken, Device, torch_device
from learners.deep.replay import MAX_REPLAY_BYTES, DecisionSteps, Replay
from learners.options import Count, Positive, Share, checked
from learners.policies import require_environment
from learners.protocol import EpisodeTally
from learners.schedules import Schedule, as_schedule
from learners.snapshots import Kept
from learners.streams import child_stream


class ValueSeat(Kept):
    """One player who learns: values, replay, and transitions not yet completed."""

    KEPT = ("values", "replay", "_decisions")
    EPISODES = ("_decisions",)

    def __init__(
        self, agent: Agent, *, values: ActionValues, replay: Replay, decisions: DecisionSteps
    ) -> None:
        self.agent = agent
        self.player = agent.players[0]
        self.values = values
        self.replay = replay
        self._decisions = decisions

    def act(
        self, lanes: Lanes, exploration: float, temperature: float | None, rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Choose in all lanes, and open the transitions of those that act."""
        is_even = exploration == 1.0  # whatever the values
        values = np.zeros(lanes.legal.shape) if is_even else self.values.values(lanes.observations)
        shares = exploring_shares(values, lanes.legal, exploration, temperature)
        actions = draw_actions(shares, rng)
        self.replay.add(
            self._decisions.decide(
                observations=lanes.observations, legal=lanes.legal, actions=actions, acts=lanes.acts
            )
        )
        return actions

    def see(self, lanes: Lanes, legality: LegalActions, at_horizon: AtHorizon) -> None:
        """Add what a step paid, and keep what the ends of episodes complete."""
        ends = lanes.is_terminal | lanes.is_truncated
        if not ends.any():
            self._decisions.earn(lanes.rewards)
            return
        is_worthless = ends if at_horizon is AtHorizon.ENDS else lanes.is_terminal
        legal = np.ones_like(lanes.legal)
        for lane in np.flatnonzero(ends & ~is_worthless):
            legal[lane] = legality.after(self.player, lanes.final_observations[lane])
        self.replay.add(
            self._decisions.pay(
                rewards=lanes.rewards,
                ends=ends,
                is_worthless=is_worthless,
                final_observations=lanes.final_observations,
                final_legal=legal,
            )
        )

    def learn(self, updates: int, batch_size: int) -> dict[str, float]:
        """Make updates; return the means of what they report."""
        seen = [self.values.update(self.replay.sample(batch_size)) for _ in range(updates)]
        return {name: float(np.mean([each[name] for each in seen])) for name in seen[0]}


def exploring_shares(
    values: NDArray[np.float64],
    legal: NDArray[np.bool_],
    exploration: float,
    temperature: float | None = None,
) -> NDArray[np.float64]:
    """Return probabilities (R, A) of a chosen action that is replaced by an even draw now and then.

    Without a temperature the greedy action is chosen, the first of equal ones; with one, each in
    proportion to ``exp(value / temperature)``. Actions that are not legal have probability 0.
    """
    shares = exploration * legal / legal.sum(axis=-1, keepdims=True)
    above_illegal = np.maximum(values, np.finfo(np.float64).min)  # even where values are -inf
    known = np.where(legal, above_illegal, -np.inf)
    if temperature is not None:
        with np.errstate(over="ignore"):  # what is so far below has weight 0
            weights = np.exp((known - known.max(axis=-1, keepdims=True)) / temperature)
        return shares + (1 - exploration) * weights / weights.sum(axis=-1, keepdims=True)
    best = known.argmax(axis=-1)
    shares[np.arange(len(best)), best] += 1 - exploration
    return shares


def value_choice(
    outputs: Numbers, legal: NDArray[np.bool_], temperature: float | None = None
) -> NDArray[np.float64]:
    """Play the first of the best legal actions, or softly; how a value network's outputs are read.

    Both arguments may have rows in front.
    """
    values = np.atleast_2d(outputs.astype(np.float64))
    shares = exploring_shares(values, np.atleast_2d(legal), 0.0, temperature)
    return shares.reshape(outputs.shape)


@checked
class DQN(Kept):
    """Deep Q-learning, each player for itself.

    Each iteration plays ``steps`` steps of all episodes, choosing greedily or, with a small
    probability, evenly among legal actions; keeps the transitions; and makes ``updates`` steps on
    batches drawn from all that was kept.

    Args:
        learns, others, discount, at_horizon, device, rng: As for ``PPO``; nobody shares a network.
        values: Network, head, targets, loss, slow copy and step size.
        span: Own decisions from a transition's first to its last: 1 for classic targets, ``n`` for
            ``n``-step returns.
        exploration: Probability of an even draw; schedules, such as ``learners.Linear``, are asked
            by the steps made so far.
        temperature: Boltzmann exploration, in units of values: else actions are drawn in proportion
            to ``exp(value / temperature)``, and so are those of the policy that is learned. None
            for the greedy action.
        steps, updates: Of an iteration.
        batch_size: Transitions an update; at most ``capacity``.
        warm_up: Transitions to keep before the first update.
        capacity: Transitions to keep at most, the oldest making room.
        max_bytes: The most memory they may take; and those not yet completed, which grow with
            ``span``.

    Raises:
        InvalidArgument: If an option makes no sense, or the replay would be larger than
            ``max_bytes``.

    Metrics: "return/<player>" and "length" of the episodes finished in the iteration;
    "exploration"; "environment steps" so far, all episodes counted; and, once warm, the means over
    the iteration's updates of "loss/value", "value" (of the actions drawn) and "gradient norm".
    If several players learn, these end in "/<player>".

    ``policies()`` are greedy, the first of equal actions, or soft with a temperature.

    Sources:
        :cite:`mnih2015human`.
        :cite:`vanhasselt2016deep`.
        :cite:`wang2016dueling`.
        :cite:`cui2021approximately`, Boltzmann policies.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> from learners import batched
    >>> batch = batched(RepeatedGame.of("prisoners_dilemma", rounds=1), episodes=4, seed=1)
    >>> learner = DQN(batch, rng=np.random.default_rng(1))
    >>> learner.improve()["environment steps"]  # four steps of each episode
    16.0
    """

    KEPT = ("_environment", "_turn", "_seats", "_legality", "_tally", "_made", "_rng")
    EPISODES = ("_environment", "_turn", "_tally", "_rng")

    name = "DQN"

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        others: Mapping[int, Behavior] | None = None,
        values: ValueOptions | None = None,
        discount: Share | None = None,
        span: Count = 1,
        exploration: float | Schedule = 0.1,
        temperature: Positive | None = None,
        steps: Count = 4,
        updates: Count = 1,
        batch_size: Count = 32,
        warm_up: Count = 100,
        capacity: int = 50_000,
        max_bytes: int = MAX_REPLAY_BYTES,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        if warm_up > capacity:
            raise InvalidArgument(
                needs="warm_up within capacity",
                found=f"{warm_up} transitions are to be kept before learning and only {capacity} "
                "can be",
                remedy="Learn earlier or keep more.",
            )
        if batch_size > capacity:
            raise InvalidArgument(
                needs="batch_size within capacity",
                found=f"{shown(batch_size)} transitions are to be drawn from at most "
                f"{shown(capacity)}",
                remedy="Draw fewer or keep more.",
            )
        require_environment(environment)
        factor = environment.discount if discount is None else discount
        self._environment = environment
        self._exploration = as_schedule(exploration, name="exploration", low=0, high=1)
        self._temperature = None if temperature is None else float(temperature)
        self._steps, self._updates = steps, updates
        self._batch_size, self._warm_up = batch_size, warm_up
        self._at_horizon = at_horizon
        self._rng = rng
        agents = agents_of(
            environment, learns=learns, sharing=Sharing.SEPARATE, remembers_actions=False
        )
        self._others = checked_others(environment, agents, others)
        on = torch_device(device)
        self._seats = tuple(
            ValueSeat(
                agent,
                values=ActionValues(
                    agent.encoding,
                    num_actions=agent.num_actions,
                    rng=rng,
                    options=values,
                    device=on,
                ),
                replay=Replay(
                    capacity=capacity,
                    num_features=agent.encoding.num_features,
                    num_actions=agent.num_actions,
                    rng=child_stream(rng),
                    max_bytes=max_bytes,
                ),
                decisions=DecisionSteps(
                    num_episodes=environment.num_episodes,
                    num_features=agent.encoding.num_features,
                    steps=span,
                    discount=float(factor),
                    max_bytes=max_bytes,
                ),
            )
            for agent in agents
        )
        self._legality = LegalActions(environment)
        self._tally = EpisodeTally(shown_players(environment.players), environment.num_episodes)
        self._come_to(environment.reset())
        self._made = 0

    def improve(self) -> Mapping[str, float]:
        """Play some steps and make some updates."""
        metrics = {"exploration": self._exploration.at(self._made)}
        for _ in range(self._steps):
            self._step()
            if not np.isfinite(self._turn.rewards).all():
                return self._broken_reward()
        metrics |= self._tally.metrics()
        metrics["environment steps"] = float(self._made * self._environment.num_episodes)
        for seat in self._seats:
            if len(seat.replay) >= self._warm_up:
                ending = f"/{seat.agent.name}" if len(self._seats) > 1 else ""
                try:
                    own = seat.learn(self._updates, self._batch_size)
                except Broken as broken:
                    return {f"{broken.quantity}{ending}": broken.value}
                metrics |= {f"{name}{ending}": value for name, value in own.items()}
        return metrics

    def _step(self) -> None:
        exploration = self._exploration.at(self._made)
        actions = others_actions(self._others, self._environment, self._turn, self._rng)
        for seat, lanes in zip(self._seats, self._lanes, strict=True):
            actions[:, seat.player] = seat.act(lanes, exploration, self._temperature, self._rng)
        self._come_to(self._environment.step(actions))
        self._tally.add(self._turn)
        for seat, lanes in zip(self._seats, self._lanes, strict=True):
            seat.see(lanes, self._legality, self._at_horizon)
        self._made += 1

    def _come_to(self, turn: BatchTurn) -> None:
        self._turn = turn
        self._lanes = tuple(lanes_of(seat.agent, turn) for seat in self._seats)
        self._legality.note(turn)

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        super().restore(snapshot)
        self._come_to(self._turn)

    def _broken_reward(self) -> dict[str, float]:
        totals = self._turn.rewards.sum(axis=0)
        broken = int(np.argmin(np.isfinite(totals)))
        return {f"reward/{shown_players(self._environment.players)[broken]}": float(totals[broken])}

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact: greedy for those who learn."""
        return learned_policies(
            self._environment,
            {seat.agent: seat.values.network for seat in self._seats},
            self._others,
            self._legality,
            choice=partial(value_choice, temperature=self._temperature),
        )

    def frozen(self) -> NDArray[np.float64] | FrozenNetwork:
        """Return how the first player plays now, without even draws and for good."""
        seat = self._seats[0]
        choices = partial(value_choice, temperature=self._temperature)
        return frozen_network(seat.agent, seat.values.network, self._legality, choices)
