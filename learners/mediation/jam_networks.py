"""JAM-Q-learning with networks: agents and mediator learn from replayed transitions."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

import learners
from gametheory_core.arguments import shown_players
from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.strategies.policies import PolicyProfile
from learners.mediation.jam_q_learning import Updates
from learners.mediation.led_batch import LedBatch, LedTurn, fairness_of_floats, greedy_returns
from learners.mediation.led_games import BY_PLAY, GivenLeaders, Leaders, led_batch
from learners.options import Count, Share, checked
from learners.protocol import learner
from learners.schedules import Exponential, Schedule, as_schedule
from learners.snapshots import Kept

EXPLORING = Exponential(1.0, 0.1, steps=16_000)  # by episodes


class Disturbed(Enum):
    """What becomes of decisions after which somebody else explores."""

    LEFT_OUT = "nobody learns from them"
    KEPT = "they are learned from like all others"


class Leading(Enum):
    """Whose values agents lead by."""

    OWN = "each agent has a network"
    SHARED = "all agents, who are alike, have one network"


class Starts(Enum):
    """Where episodes begin that are learned from."""

    GIVEN = "where the game begins"
    EXPLORED = "as often as somebody explores, where play need not lead"


@learner(batch=led_batch, judge=BY_PLAY)
@checked
class DeepJamQLearning(Kept):
    """Agents and a mediator with networks, on any ``LedBatch``.

    Agents have networks for what they do as leaders: what one is paid from there until it leads
    again, transfers included, then what it expects there. All agents share one for what they do as
    followers, who naively want the bonus alone, until the leader changes or play ends. The
    mediator's has a number for each leader and player: what the player is still to get.

    Args:
        leaders: Who picks. Without a mediator agents lead for themselves, at stage ``NAIVE``.
        stage: Of the mediator, if there is one; by default that of the batch.
        updates: ``SEQUENTIAL``: one agent, or the mediator, learns in an iteration; followers
            always do.
        exploration: Rate of random choices of all, by the number of episodes played.
        disturbed: What becomes of a decision after which somebody else explores before the same
            one decides again. ``LEFT_OUT``: values are those of play in which nobody else explores,
            so that all can explore a lot until the end. ``KEPT``: for long walks, in which next to
            nothing would be left.
        leading: ``SHARED`` where agents are alike and see things from where they are, as on the
            grid: each learns from what all have done.
        starts: ``EXPLORED``: with the probability of ``exploration`` an episode begins at any node
            of a game in tables, and on the grid with green alone, or without green; see the batch's
            ``reset``. So values are known of what is not worth while as long as others play badly.
        leading_discount, following_discount: For each step of a leader's and of a follower's time.
            The mediator discounts nothing.
        values: Networks and their updates. Default: two hidden layers of 64, ReLU, Adam with steps
            of 1e-3, squared errors, targets by a copy of every 100 updates.
        batch_size: Transitions of an update.
        updates_per_step: Of whoever learns, after each step of all episodes.
        capacity: Transitions that each network keeps.

    Raises:
        InvalidArgument: If an option makes no sense.
        MissingDependency: If torch is not installed.

    An iteration plays all episodes of the batch once. Metrics: ``return/<player>`` (without
    transfers and bonus), ``fairness`` (mean over episodes), ``bonus`` (mean of all agents' sums),
    ``exploration``, ``length`` in steps of the batch, and ``loss/<who>`` of whoever learned,
    "leaders" where they share one network. Episodes that began elsewhere are counted, too.

    Source: :cite:`dodwadmath2025fair`, sections 4.1 and 14.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> rng = np.random.default_rng(1)
    >>> batch = led_batch(mediated_chicken(rounds=1), episodes=4, rng=rng)
    >>> DeepJamQLearning(batch, rng=rng).improve()["length"]
    1.0
    """

    KEPT = ("batch", "_leading", "_following", "_picking", "_rng", "_episodes", "_iterations")

    def __init__(
        self,
        batch: LedBatch,
        *,
        leaders: Leaders = Leaders.MEDIATED,
        stage: MediatorStage | None = None,
        updates: Updates = Updates.SIMULTANEOUS,
        exploration: float | Schedule = EXPLORING,
        disturbed: Disturbed = Disturbed.LEFT_OUT,
        leading: Leading = Leading.OWN,
        starts: Starts = Starts.GIVEN,
        leading_discount: Share = 1.0,
        following_discount: Share = 0.9,
        values: "learners.deep.ValueOptions | None" = None,
        batch_size: Count = 128,
        updates_per_step: Count = 4,
        capacity: Count = 4000,
        rng: np.random.Generator,
    ) -> None:
        from learners.mediation import value_networks  # noqa: PLC0415 loads torch
        from learners.mediation.value_networks import ActingNetwork, PickingNetwork  # noqa: PLC0415 loads torch

        players, streams = len(batch.players), rng.spawn(len(batch.players) + 2)
        self.batch = batch = _led(batch, leaders, stage, rng)
        self._updates = updates
        self._explores_starts = starts is Starts.EXPLORED
        self._leaves_out = disturbed is Disturbed.LEFT_OUT
        self._exploration = as_schedule(exploration, name="exploration", low=0, high=1)
        self._batch_size = batch_size
        self._updates_per_step = updates_per_step
        self._rng = rng
        self._episodes = self._iterations = 0
        features, seen = batch.num_features
        options = values or value_networks.default_options()

        def acting(places: int, discount: float, stream: np.random.Generator) -> ActingNetwork:
            return ActingNetwork(
                episodes=batch.num_episodes,
                num_features=features,
                num_actions=batch.num_actions,
                places=places,
                discount=float(discount),
                options=options,
                capacity=capacity,
                rng=stream,
            )

        shared = leading is Leading.SHARED
        places, own = (players, streams[:1]) if shared else (1, streams[:players])
        self._leading = [acting(places, leading_discount, stream) for stream in own]
        self._following = acting(players, following_discount, streams[players])
        self._picking = PickingNetwork(
            episodes=batch.num_episodes,
            num_features=seen,
            players=players,
            incentives=batch.incentives,
            options=options,
            capacity=capacity,
            rng=streams[players + 1],
        )

    name = "DeepJamQLearning"

    def greedy_returns(self, *, episodes: int, rng: np.random.Generator) -> NDArray[np.float64]:
        """Play other episodes without exploring; return everybody's returns, (episodes, N)."""
        return greedy_returns(self, self.batch.anew(episodes=episodes, rng=rng))

    def improve(self) -> dict[str, float]:
        """Play every episode of the batch once, and learn at each step."""
        from learners.deep.optimization import Broken  # noqa: PLC0415 loads torch

        try:
            return self._episode()
        except Broken as broken:
            return {broken.quantity: broken.value}

    def _episode(self) -> dict[str, float]:
        rate = self._exploration.at(self._episodes)
        turn = self.batch.reset(astray=rate if self._explores_starts else 0.0)
        bonus, length = 0.0, 0
        losses: dict[str, list[float]] = {}
        while not turn.is_over.all():
            if turn.picks.any():
                turn = self._pick(turn, rate)
            turn = self._step(turn, rate)
            bonus += float(turn.bonus.sum())
            length += 1
            for _ in range(self._updates_per_step):
                for who, loss in self._learn().items():
                    losses.setdefault(f"loss/{who}", []).append(loss)
        self._iterations += 1
        self._episodes += self.batch.num_episodes
        metrics = self._said(turn) | {"bonus": bonus / self.batch.num_episodes}
        metrics |= {"exploration": rate, "length": float(length)}
        return metrics | {name: float(np.mean(own)) for name, own in losses.items()}

    def _said(self, turn: LedTurn) -> dict[str, float]:
        fairness = fairness_of_floats(self.batch.incentives.fairness, turn.past)
        named = zip(shown_players(self.batch.players), turn.past.mean(axis=0).tolist(), strict=True)
        return {f"return/{name}": own for name, own in named} | {"fairness": float(fairness.mean())}

    # A step

    def _leads(self, agent: int) -> tuple[int, int]:
        """Return by which network an agent leads, and its place there."""
        return (0, agent) if len(self._leading) < len(self.batch.players) else (agent, 0)

    def _pick(self, turn: LedTurn, rate: float) -> LedTurn:
        rows = np.flatnonzero(turn.picks)
        shown, past = turn.mediator[rows], turn.past[rows]
        self._picking.close(rows, shown, past, ended=False)
        chosen = self._picking.best(self._picking.values(shown), past)
        tries = self._rng.random(len(rows)) < rate
        drawn = self._rng.integers(len(self.batch.players), size=len(rows))
        leaders = np.full(len(turn.picks), -1, dtype=np.int64)
        leaders[rows] = np.where(tries, drawn, chosen)
        self._picking.decide(rows, shown, leaders[rows])
        if self._leaves_out:
            for waiting in (own for network in self._leading for own in network.waiting):
                waiting.disturb(rows[leaders[rows] != chosen])
        return self.batch.pick(leaders)

    def _step(self, turn: LedTurn, rate: float) -> LedTurn:
        actions = np.zeros(turn.legal.shape[:2], dtype=np.int64)
        may: NDArray[np.bool_] = np.asarray(turn.legal.any(axis=2))
        for agent in range(len(self.batch.players)):
            leads: NDArray[np.bool_] = np.equal(turn.leader, agent)
            own, seat = self._leads(agent)
            for network, place, which in (
                (self._leading[own], seat, may[:, agent] & leads),
                (self._following, agent, may[:, agent] & ~leads),
            ):
                rows = np.flatnonzero(which)
                if not len(rows):
                    continue
                shown, legal = turn.agents[rows, agent], turn.legal[rows, agent]
                network.close(place, rows, shown, legal, ended=False)
                best = network.best(shown, legal)
                chosen = self._explored(best, legal, rate)
                network.waiting[place].decide(rows, shown, chosen)
                actions[rows, agent] = chosen
                if self._leaves_out and network is not self._following:
                    self._disturb(agent, rows[chosen != best])
        after = self.batch.step(actions)
        self._gather(after, np.flatnonzero(after.leader != turn.leader))
        return after

    def _disturb(self, leader: int, rows: NDArray[np.int64]) -> None:
        """Note for everybody else where a leader explores."""
        self._picking.disturb(rows)
        for agent in range(len(self.batch.players)):
            own, seat = self._leads(agent)
            if agent != leader:
                self._leading[own].waiting[seat].disturb(rows)

    def _explored(
        self, chosen: NDArray[np.int64], legal: NDArray[np.bool_], rate: float
    ) -> NDArray[np.int64]:
        tries = self._rng.random(len(chosen)) < rate
        drawn = np.where(legal, self._rng.random(legal.shape), -1.0).argmax(axis=1)
        return np.where(tries, drawn, chosen)

    def _gather(self, turn: LedTurn, left: NDArray[np.int64]) -> None:
        """Count what a step paid, and close what has ended with it, or with a leader who left."""
        over = np.flatnonzero(turn.is_over)
        left = np.union1d(left, over)
        self._picking.gather(turn.rewards)
        self._picking.close(over, turn.mediator[over], turn.past[over], ended=True)
        for agent in range(len(self.batch.players)):
            own, seat = self._leads(agent)
            network = self._leading[own]
            network.waiting[seat].gather((turn.rewards + turn.transfers)[:, agent])
            seen, legal = turn.agents[:, agent], turn.legal[:, agent]
            network.close(seat, over, seen[over], legal[over], ended=True)
            self._following.waiting[agent].gather(turn.bonus[:, agent])
            self._following.close(agent, left, seen[left], legal[left], ended=True)

    def _learn(self) -> dict[str, float]:
        names = self.batch.players if len(self._leading) > 1 else ("leaders",)
        learner = self._iterations % (len(names) + 1)
        whole = self._updates is Updates.SIMULTANEOUS
        networks = {"followers": self._following} | {
            name: own
            for k, (name, own) in enumerate(
                zip((*names, "mediator"), (*self._leading, self._picking), strict=True)
            )
            if whole or k == learner
        }
        found = {name: network.learn(self._batch_size) for name, network in networks.items()}
        return {name: own["loss/value"] for name, own in found.items() if own}

    # What was learned

    def act(
        self, agent: int, shown: NDArray[np.float64], legal: NDArray[np.bool_], *, leads: bool
    ) -> NDArray[np.int64]:
        """Return what an agent does without exploring, (B,), where it sees (B, F)."""
        network = self._leading[self._leads(agent)[0]] if leads else self._following
        return network.best(shown, legal)

    def pick(self, shown: NDArray[np.float64], past: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return whom the mediator picks without exploring, (B,)."""
        return self._picking.best(self._picking.values(shown), past)

    def policies(self) -> PolicyProfile:
        """Return what was learned as policies of the batch's rules, the mediator's last."""
        return self.batch.policies(self)


def _led(
    batch: LedBatch, leaders: Leaders, stage: MediatorStage | None, rng: np.random.Generator
) -> LedBatch:
    """Return a batch at a stage, with leaders by a rule if there is no mediator."""
    if leaders is Leaders.MEDIATED:
        return batch if stage is None else batch.anew(stage=stage)
    if stage not in (None, MediatorStage.NAIVE):
        raise InvalidArgument(
            needs="no stage where there is no mediator",
            found=f"got stage={stage.name.lower()} and leaders={leaders.name.lower()}",
            remedy="Leave stage out, or leaders.",
            where="DeepJamQLearning",
        )
    return GivenLeaders(batch.anew(stage=MediatorStage.NAIVE), leaders, rng=rng.spawn(1)[0])
