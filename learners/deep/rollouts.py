"""Rollouts: actors play a batched environment, and what they met becomes what they learn from.

Sequences are own decisions in the order in which a network with a memory has to read them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import shown_players
from learners.batch import BatchedEnvironment, BatchTurn, Labeled
from learners.deep.actors import Actor, Decision, LegalActions
from learners.deep.agents import (
    Behavior,
    Inputs,
    Lanes,
    encode,
    lanes_of,
    others_actions,
    players_actions,
)
from learners.protocol import EpisodeTally
from learners.snapshots import Kept


@dataclass(frozen=True, eq=False)
class Experience:
    """What an agent met in ``T`` steps of ``R`` lanes.

    Attributes:
        observations (T + 1, R): The last row is the moment after the last step.
        previous (T, R): Own action before, as the networks saw it.
        legal (T, R, A)
        acts (T + 1, R)
        actions (T, R)
        log_shares (T, R): Log probability with which each was drawn.
        values (T + 1, R): What the value network expected, of meaning where the lane acts.
        beyond (T, R): What it expected to follow an episode that the horizon cut; zero unless asked
            for.
        rewards (T, R): What each step paid.
        is_over (T, R): Whether each step ended the episode.
        labels (T, R): What a ``Labeled`` environment says of each moment; zero of any other.
        policy_memory, value_memory: Before the first step.
    """

    observations: NDArray[Any]
    previous: NDArray[np.int64]
    legal: NDArray[np.bool_]
    acts: NDArray[np.bool_]
    actions: NDArray[np.int64]
    log_shares: NDArray[np.float64]
    values: NDArray[np.float64]
    beyond: NDArray[np.float64]
    rewards: NDArray[np.float64]
    is_over: NDArray[np.bool_]
    labels: NDArray[np.int64]
    policy_memory: torch.Tensor
    value_memory: torch.Tensor


class ActorGroup(Kept):
    """Actors, and players who do not learn, at play.

    Args:
        others: How each player plays who does not learn.
        looks_beyond: Whether episodes that the horizon cuts are taken to go on, for what the value
            network expects after them.
        rng: Draws all actions.
    """

    KEPT = ("environment", "_turn", "actors", "legality", "tally", "_rng")
    EPISODES = ("environment", "_turn", "tally", "_rng")

    def __init__(
        self,
        environment: BatchedEnvironment,
        actors: tuple[Actor, ...],
        others: Mapping[int, Behavior],
        *,
        looks_beyond: bool,
        rng: np.random.Generator,
    ) -> None:
        self.environment = environment
        self.actors = actors
        self.legality = LegalActions(environment)
        self.tally = EpisodeTally(shown_players(environment.players), environment.num_episodes)
        known: object = environment
        self._labeled = known if isinstance(known, Labeled) else None
        self._others = others
        self._looks_beyond = looks_beyond
        self._rng = rng
        self.begin()

    def begin(self) -> None:
        """Begin new episodes."""
        self._come_to(self.environment.reset())
        self.tally.begin()
        for actor in self.actors:
            actor.begin()

    def play(self, steps: int) -> tuple[Experience, ...]:
        """Play on for so many steps; return what each actor met."""
        logs = [_Log(actor) for actor in self.actors]
        for _ in range(steps):
            self._step(logs)
        return self._close(logs)

    def play_out(self, *, max_steps: int) -> tuple[Experience, ...]:
        """Play on until every episode has ended, or for so many steps.

        Episodes that end before others are followed by new ones; ``first_episodes`` tells.
        """
        logs = [_Log(actor) for actor in self.actors]
        open_ = np.ones(self.environment.num_episodes, dtype=np.bool_)
        while open_.any() and len(logs[0].moments) < max_steps:
            self._step(logs)
            open_ &= ~self._turn.is_over
        return self._close(logs)

    def _step(self, logs: list["_Log"]) -> None:
        turn = self._turn
        actions = others_actions(self._others, self.environment, turn, self._rng)
        labels = np.zeros_like(actions) if self._labeled is None else self._labeled.labels()
        for log, lanes in zip(logs, self._lanes, strict=True):
            agent = log.actor.agent
            log.labels.append(labels[:, list(agent.players)].ravel())
            decision = log.decide(lanes, self._rng)
            actions[:, list(agent.players)] = players_actions(agent, decision.actions)
        self._come_to(self.environment.step(actions))
        self.tally.add(self._turn)
        for log, after in zip(logs, self._lanes, strict=True):
            log.step(after, looks_beyond=self._looks_beyond)

    def _come_to(self, turn: BatchTurn) -> None:
        self._turn = turn
        self._lanes = tuple(lanes_of(actor.agent, turn) for actor in self.actors)
        self.legality.note(turn)

    def _close(self, logs: list["_Log"]) -> tuple[Experience, ...]:
        return tuple(log.closed(last) for log, last in zip(logs, self._lanes, strict=True))

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        super().restore(snapshot)
        self._come_to(self._turn)


def first_episodes(is_over: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Tell which steps (T, R) belong to the first episode of their lane."""
    ended_before = np.cumsum(is_over, axis=0) - is_over
    return ended_before == 0


class _Log:
    """What one actor meets while a group plays."""

    def __init__(self, actor: Actor) -> None:
        self.actor = actor
        actor.stand_still()
        self.moments: list[tuple[Lanes, Decision]] = []
        self.labels: list[NDArray[np.int64]] = []
        self._outcomes: list[tuple[Lanes, NDArray[np.float32]]] = []
        self._memories = (actor.policy_memory, actor.value_memory)

    def decide(self, lanes: Lanes, rng: np.random.Generator) -> Decision:
        decision = self.actor.decide(lanes, rng)
        self.moments.append((lanes, decision))
        return decision

    def step(self, after: Lanes, *, looks_beyond: bool) -> None:
        beyond = np.zeros(len(after.acts), dtype=np.float32)
        cut = after.is_truncated & ~after.is_terminal
        if looks_beyond and cut.any():
            beyond = np.where(cut, self.actor.expect(after.final_observations), beyond)
        self._outcomes.append((after, beyond))
        self.actor.forget(after.is_terminal | after.is_truncated)

    def closed(self, last: Lanes) -> Experience:
        lanes = [lanes for lanes, _ in self.moments]
        made = [decision for _, decision in self.moments]
        after = [lanes for lanes, _ in self._outcomes]
        values = [*(each.values for each in made), self.actor.expect(last.observations)]
        self.actor.move_on()
        return Experience(
            observations=np.stack([each.observations for each in (*lanes, last)]),
            previous=np.stack([each.previous for each in made]),
            legal=np.stack([each.legal for each in lanes]),
            acts=np.stack([each.acts for each in (*lanes, last)]),
            actions=np.stack([each.actions for each in made]),
            log_shares=np.stack([each.log_shares for each in made]).astype(np.float64),
            values=np.stack(values).astype(np.float64),
            beyond=np.stack([beyond for _, beyond in self._outcomes]).astype(np.float64),
            rewards=np.stack([each.rewards for each in after]),
            is_over=np.stack([each.is_terminal | each.is_truncated for each in after]),
            labels=np.stack(self.labels),
            policy_memory=self._memories[0],
            value_memory=self._memories[1],
        )


@dataclass(frozen=True, eq=False)
class Sequences:
    """``S`` sequences of at most ``L`` decisions each, shorter ones padded at the end.

    Attributes:
        step, lane (L, S): Where each decision was made; zeros in the padding.
        is_real (L, S): False in the padding.
        continues (S,): Whether the sequence goes on with an episode from before the first step.
    """

    step: NDArray[np.int64]
    lane: NDArray[np.int64]
    is_real: NDArray[np.bool_]
    continues: NDArray[np.bool_]


def single_decisions(counts: NDArray[np.bool_]) -> Sequences:
    """Return each decision that counts, (T, R), as a sequence by itself."""
    step, lane = np.nonzero(counts)
    return Sequences(
        step=step[None],
        lane=lane[None],
        is_real=np.ones((1, len(step)), dtype=np.bool_),
        continues=np.zeros(len(step), dtype=np.bool_),
    )


def episode_sequences(counts: NDArray[np.bool_], is_over: NDArray[np.bool_]) -> Sequences:
    """Return the decisions that count as one sequence for each lane and episode.

    Args:
        counts (T, R): Decisions; those of a lane that count come before those that do not.
        is_over (T, R): Whether each step ended the episode.
    """
    lane, step = np.nonzero(counts.T)
    episode = (np.cumsum(is_over, axis=0) - is_over)[step, lane]
    starts = np.ones(len(lane), dtype=np.bool_)
    starts[1:] = (np.diff(lane) != 0) | (np.diff(episode) != 0)
    sequence = np.cumsum(starts) - 1
    first = np.flatnonzero(starts)
    position = np.arange(len(lane)) - first[sequence]
    shape = (int(position.max(initial=-1)) + 1, len(first))
    padded = [np.zeros(shape, dtype=np.int64) for _ in range(2)]
    is_real = np.zeros(shape, dtype=np.bool_)
    padded[0][position, sequence] = step
    padded[1][position, sequence] = lane
    is_real[position, sequence] = True
    return Sequences(step=padded[0], lane=padded[1], is_real=is_real, continues=episode[first] == 0)


def decision_order(
    actor: Actor, counts: NDArray[np.bool_], is_over: NDArray[np.bool_]
) -> Sequences:
    """Return the order in which ``rollout_buffer`` lists decisions."""
    if actor.policy.memory_width:
        return episode_sequences(counts, is_over)
    return single_decisions(counts)


@dataclass(frozen=True, eq=False)
class RolloutBuffer:
    """Own decisions in ``S`` sequences of at most ``L``; without a memory ``L`` is 1.

    Attributes:
        rows, features: What the networks read.
        log_shares, values: As they were when the decision was made.
        weights: How much each decision counts.
        is_real: False in the padding.
        policy_memory, value_memory: Before each sequence.
    """

    rows: NDArray[np.int64]
    features: NDArray[np.float32]
    legal: NDArray[np.bool_]
    actions: NDArray[np.int64]
    log_shares: NDArray[np.float32]
    values: NDArray[np.float32]
    advantages: NDArray[np.float32]
    returns: NDArray[np.float32]
    weights: NDArray[np.float32]
    is_real: NDArray[np.bool_]
    policy_memory: torch.Tensor
    value_memory: torch.Tensor

    @property
    def inputs(self) -> Inputs:
        """What the networks read."""
        return Inputs(rows=self.rows, features=self.features)

    @property
    def num_sequences(self) -> int:
        """Sequences, which minibatches are made of."""
        return self.actions.shape[1]

    def of(self, sequences: NDArray[np.int64]) -> "RolloutBuffer":
        """Return some of the sequences, each at most once; all of them in their own order."""
        if len(sequences) == self.num_sequences:
            return self
        chosen: dict[str, Any] = {}
        for field in fields(self):
            whole: Any = getattr(self, field.name)
            if field.name.endswith("memory"):
                chosen[field.name] = whole[torch.from_numpy(sequences).to(whole.device)]
            else:
                chosen[field.name] = whole.take(sequences, axis=1)
        return RolloutBuffer(**chosen)


def rollout_buffer(
    actor: Actor,
    met: Experience,
    *,
    advantages: NDArray[np.float64],
    counts: NDArray[np.bool_],
    weights: NDArray[np.float64] | None = None,
) -> RolloutBuffer:
    """Return what an actor met as buffer.

    Args:
        met: Of ``T`` steps in ``R`` lanes.
        advantages (T, R): What decisions are credited with; returns are these plus the values
            expected.
        counts (T, R): Decisions to learn from; in each lane they come before the others.
        weights (T, R): How much each counts; 1 by default.
    """
    way = decision_order(actor, counts, met.is_over)
    at = (way.step, way.lane)
    inputs = encode(
        actor.agent.encoding, met.observations[at], actor.marks[way.lane], met.previous[at]
    )

    def numbers(values: NDArray[np.float64]) -> NDArray[np.float32]:
        return values[at].astype(np.float32)

    return RolloutBuffer(
        rows=inputs.rows,
        features=inputs.features,
        legal=met.legal[at],
        actions=met.actions[at],
        log_shares=numbers(met.log_shares),
        values=numbers(met.values[:-1]),
        advantages=numbers(advantages),
        returns=numbers(advantages + met.values[:-1]),
        weights=numbers(np.ones(advantages.shape) if weights is None else weights),
        is_real=way.is_real,
        policy_memory=_before(met.policy_memory, way),
        value_memory=_before(met.value_memory, way),
    )


def _before(memory: torch.Tensor, way: Sequences) -> torch.Tensor:
    """Return what was remembered before each sequence: nothing where an episode begins."""
    if not memory.shape[1]:
        return memory.new_zeros(len(way.continues), 0)
    lane = torch.from_numpy(way.lane[0]).to(memory.device)
    continues = torch.from_numpy(way.continues).to(memory.device)
    return torch.where(continues[:, None], memory[lane], 0.0)
