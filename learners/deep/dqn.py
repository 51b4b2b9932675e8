"""Deep Q-networks: action values by a network, learned from replayed transitions (DQN)."""

from collections.abc import Iterable, Mapping

import numpy as np

from gametheory_core.arguments import (
    require_instance,
    require_integer,
    require_member,
    require_number,
    shown,
)
from gametheory_core.errors import InvalidArgument
from gametheory_core.labels import shown_players
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import BatchedEnvironment, Snapshot
from learners.deep.action_values import ActionValues, ValueOptions
from learners.deep.decision_steps import DecisionSteps
from learners.deep.devices import Device, torch_device
from learners.deep.episode_tally import EpisodeTally
from learners.deep.gradient_step import Broken
from learners.deep.legality import LegalActions
from learners.deep.neural_policies import learned_policies
from learners.deep.replay import MAX_REPLAY_BYTES, Replay
from learners.deep.roles import (
    Behavior,
    Sharing,
    checked_others,
    lanes_of,
    others_actions,
    roles_of,
)
from learners.deep.snapshots import restored_turn, turn_state
from learners.deep.value_seats import ValueSeat, greedy_choice
from learners.horizon import AtHorizon
from learners.schedules import Schedule, as_schedule
from learners.streams import child_stream, generator_state, restore_generator

NAME = "DQN"


class DQN:
    """Deep Q-learning, each player for itself.

    Each iteration plays ``steps`` steps of all episodes, choosing greedily or, with a small
    probability, evenly among legal actions; keeps the transitions; and makes ``updates`` steps on
    batches drawn from all that was kept.

    Args:
        learns: Players who learn; by default all, each with a network of the own.
        others: Player who does not learn -> function of observations and legal actions, as arrays,
            that returns probabilities; by default uniform.
        values: Network, head, targets, loss, slow copy and step size.
        discount: Factor a step; by default the environment's.
        span: Own decisions from a transition's first to its last: 1 for classic targets, ``n`` for
            ``n``-step returns.
        exploration: Probability of an even draw; schedules, such as ``learners.Linear``, are asked
            by the steps made so far.
        steps, updates: Of an iteration.
        batch_size: Transitions an update; at most ``capacity``.
        warm_up: Transitions to keep before the first update.
        capacity: Transitions to keep at most, the oldest making room.
        max_bytes: The most memory they may take; and those not yet completed, which grow with
            ``span``.
        at_horizon: Whether something follows where the horizon cuts an episode.
        rng: All chance of the learner.

    Raises:
        InvalidArgument: If an option makes no sense, or the replay would be larger than
            ``max_bytes``.

    Metrics: "return/<player>" and "length" of the episodes finished in the iteration;
    "exploration"; "environment steps" so far, all episodes counted; and, once warm, the means over
    the iteration's updates of "loss/value", "value" (of the actions drawn) and "gradient norm".
    If several players learn, these end in "/<player>".

    ``policies()`` are greedy, the first of equal actions.

    Sources:
        :cite:`mnih2015human`.
        :cite:`vanhasselt2016deep`.
        :cite:`wang2016dueling`.
    """

    name = NAME

    def __init__(
        self,
        environment: BatchedEnvironment,
        *,
        learns: Iterable[int] | None = None,
        others: Mapping[int, Behavior] | None = None,
        values: ValueOptions | None = None,
        discount: float | None = None,
        span: int = 1,
        exploration: float | Schedule = 0.1,
        steps: int = 4,
        updates: int = 1,
        batch_size: int = 32,
        warm_up: int = 100,
        capacity: int = 50_000,
        max_bytes: int = MAX_REPLAY_BYTES,
        at_horizon: AtHorizon = AtHorizon.ENDS,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        for name, count in (
            ("span", span),
            ("steps", steps),
            ("updates", updates),
            ("batch_size", batch_size),
            ("warm_up", warm_up),
        ):
            require_integer(count, name=name, low=1)
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
        require_member(at_horizon, AtHorizon, name="at_horizon")
        require_instance(rng, np.random.Generator, name="rng")
        factor = environment.discount if discount is None else discount
        require_number(factor, name="discount", low=0, high=1)
        self._environment = environment
        self._exploration = as_schedule(exploration, name="exploration", low=0, high=1)
        self._steps, self._updates = steps, updates
        self._batch_size, self._warm_up = batch_size, warm_up
        self._at_horizon = at_horizon
        self._rng = rng
        roles = roles_of(
            environment,
            learns=learns,
            sharing=Sharing.SEPARATE,
            remembers_actions=False,
        )
        self._others = checked_others(environment, roles, others)
        on = torch_device(device)
        self._seats = tuple(
            ValueSeat(
                role,
                values=ActionValues(
                    role.encoding, num_actions=role.num_actions, rng=rng, options=values, device=on
                ),
                replay=Replay(
                    capacity=capacity,
                    num_features=role.encoding.num_features,
                    num_actions=role.num_actions,
                    rng=child_stream(rng),
                    max_bytes=max_bytes,
                ),
                decisions=DecisionSteps(
                    num_episodes=environment.num_episodes,
                    num_features=role.encoding.num_features,
                    steps=span,
                    discount=float(factor),
                    max_bytes=max_bytes,
                ),
            )
            for role in roles
        )
        self._legality = LegalActions(environment)
        self._tally = EpisodeTally(shown_players(environment.players), environment.num_episodes)
        self._turn = environment.reset()
        self._legality.note(self._turn)
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
                ending = f"/{seat.role.name}" if len(self._seats) > 1 else ""
                try:
                    own = seat.learn(self._updates, self._batch_size)
                except Broken as broken:
                    return {f"{broken.quantity}{ending}": broken.value}
                metrics |= {f"{name}{ending}": value for name, value in own.items()}
        return metrics

    def _step(self) -> None:
        turn = self._turn
        exploration = self._exploration.at(self._made)
        actions = others_actions(self._others, self._environment, turn, self._rng)
        for seat in self._seats:
            actions[:, seat.player] = seat.act(lanes_of(seat.role, turn), exploration, self._rng)
        self._turn = self._environment.step(actions)
        self._legality.note(self._turn)
        self._tally.add(self._turn)
        for seat in self._seats:
            seat.see(lanes_of(seat.role, self._turn), self._legality, self._at_horizon)
        self._made += 1

    def _broken_reward(self) -> dict[str, float]:
        totals = self._turn.rewards.sum(axis=0)
        broken = int(np.argmin(np.isfinite(totals)))
        return {f"reward/{shown_players(self._environment.players)[broken]}": float(totals[broken])}

    def policies(self) -> PolicyProfile:
        """Return what was learned, one policy a player, exact: greedy for those who learn."""
        return learned_policies(
            self._environment,
            {seat.role: seat.values.network for seat in self._seats},
            self._others,
            self._legality,
            choice=greedy_choice,
        )

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here, replay included."""
        return {
            "environment": self._environment.snapshot(),
            "turn": turn_state(self._turn),
            "seats": [seat.snapshot() for seat in self._seats],
            "legality": self._legality.snapshot(),
            "tally": self._tally.snapshot(),
            "made": self._made,
            "rng": generator_state(self._rng),
        }

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot of a learner made with the same options."""
        self._environment.restore(snapshot["environment"])
        self._turn = restored_turn(snapshot["turn"])
        for seat, state in zip(self._seats, snapshot["seats"], strict=True):
            seat.restore(state)
        self._legality.restore(snapshot["legality"])
        self._tally.restore(snapshot["tally"])
        self._made = int(snapshot["made"])
        restore_generator(self._rng, dict(snapshot["rng"]))
