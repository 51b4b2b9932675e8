"""Actors: the networks of an agent at play, what they remember, and their exact policies.

Networks without memory that stand still while nobody learns are tables. Which actions were legal
where is kept while playing, and asked when what was learned is written out: it depends on the own
last observation alone, so what was seen once holds for good.
"""

import copy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.distributions import Distribution
from gametheory_core.games.rules import InformationState
from gametheory_core.strategies.policies import Policy, PolicyProfile, policy_from
from learners.batch import BatchedEnvironment, BatchTurn
from learners.deep.agents import (
    NO_ACTION,
    Agent,
    Behavior,
    Inputs,
    Lanes,
    draw_actions,
    encode,
    marks_of,
)
from learners.deep.losses import Numbers, log_probabilities
from learners.deep.networks import CPU, Network
from learners.deep.torch_layers import array_of
from learners.policies import mixed_action, observed_policy


@dataclass(frozen=True, eq=False)
class Decision:
    """What an actor did at one moment, in ``R`` lanes; of meaning where the lane acts.

    Attributes:
        actions (R,)
        log_shares (R,): Log probability of the action.
        values (R,): What the value network expects; zero without one.
        previous (R,): Own action before, as shown to the networks.
    """

    actions: NDArray[np.int64]
    log_shares: NDArray[np.floating[Any]]
    values: NDArray[np.float32]
    previous: NDArray[np.int64]


def drawn(
    outputs: Numbers, legal: NDArray[np.bool_], rng: np.random.Generator
) -> tuple[NDArray[np.int64], Numbers]:
    """Draw an action in each lane by a policy network's outputs (R, A); and its log probability."""
    with np.errstate(all="ignore"):
        log_shares = log_probabilities(outputs, legal)
        shares = np.exp(log_shares, dtype=np.float64)
    actions = draw_actions(drawable(shares, legal), rng)
    return actions, log_shares[np.arange(len(actions)), actions]


def drawable(shares: NDArray[np.float64], legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the shares; even ones of a broken network, so that its loss can say what broke."""
    if np.isfinite(shares).all():
        return shares
    return np.asarray(legal / legal.sum(axis=-1, keepdims=True), dtype=np.float64)


class StillNetworks:
    """Networks without memory, read at every numbered moment, as long as they stand still."""

    def __init__(self, policy: Network, value: Network | None) -> None:
        self._encoding = policy.encoding
        count = policy.encoding.num_moments
        rows = policy.encoding.every_moment()[None]
        moments = Inputs(rows=rows, features=np.empty((1, count, 0), np.float32))
        memory = policy.blank_memory(count)
        self._outputs = policy(moments, memory).outputs[0].astype(np.float64)
        values = np.zeros((1, count, 1), np.float32)
        self._values = (values if value is None else value(moments, memory).outputs)[0, :, 0]

    def decide(
        self,
        lanes: Lanes,
        marks: NDArray[np.int64],
        previous: NDArray[np.int64],
        rng: np.random.Generator,
    ) -> Decision:
        """Draw an action in each lane."""
        which = self._encoding.moments_of(
            encode(self._encoding, lanes.observations, marks, previous).rows
        )
        actions, log_shares = drawn(self._outputs[which], lanes.legal, rng)
        return Decision(
            actions=actions, log_shares=log_shares, values=self._values[which], previous=previous
        )

    def expect(
        self, observations: NDArray[Any], marks: NDArray[np.int64], previous: NDArray[np.int64]
    ) -> NDArray[np.float32]:
        """Return what the value network expects."""
        rows = encode(self._encoding, observations, marks, previous).rows
        return self._values[self._encoding.moments_of(rows)]


_FEW_A_LANE = 4  # moments read beforehand for each lane


class Actor:
    """The networks of an agent at play in many lanes.

    Args:
        policy: One output an action.
        value: One output.
        episodes: Played at once.

    Attributes:
        previous (R,): Last own action of the episode.
        policy_memory, value_memory (float tensor (R, M))
    """

    EPISODES = ("previous", "policy_memory", "value_memory")

    def __init__(
        self, agent: Agent, *, policy: Network, value: Network | None, episodes: int
    ) -> None:
        self.agent = agent
        self.policy = policy
        self.value = value
        self.marks = marks_of(agent, episodes * len(agent.players))
        self._still: StillNetworks | None = None
        self.begin()

    def begin(self) -> None:
        """Forget everything, as at the beginning of episodes."""
        lanes = len(self.marks)
        self.previous = np.full(lanes, NO_ACTION, dtype=np.int64)
        self.policy_memory = self.policy.blank_memory(lanes)
        self.value_memory = (self.value or self.policy).blank_memory(lanes)

    def stand_still(self) -> None:
        """Read all moments beforehand if they are few; true until ``move_on``."""
        encoding = self.agent.encoding
        few = encoding.num_moments <= _FEW_A_LANE * len(self.marks)
        if few and not encoding.num_features and not self.policy.memory_width:
            self._still = StillNetworks(self.policy, self.value)

    def move_on(self) -> None:
        """Read moments as they come; the networks may change."""
        self._still = None

    @property
    def networks(self) -> dict[str, Network]:
        """The networks by name, "policy" and perhaps "value"."""
        networks = {"policy": self.policy}
        if self.value is not None:
            networks["value"] = self.value
        return networks

    def decide(self, lanes: Lanes, rng: np.random.Generator) -> Decision:
        """Draw an action in each lane, and remember the moment where the lane acts."""
        previous = self.previous
        if self._still is not None:
            decision = self._still.decide(lanes, self.marks, previous, rng)
            self.previous = np.where(lanes.acts, decision.actions, previous)
            return decision
        inputs = self._inputs(lanes.observations)
        reading = self.policy(inputs, self.policy_memory)
        self.policy_memory = _remembered(lanes.acts, reading.memory, self.policy_memory)
        actions, log_shares = drawn(reading.outputs[0], lanes.legal, rng)
        values = np.zeros(len(actions), dtype=np.float32)
        if self.value is not None:
            expected = self.value(inputs, self.value_memory)
            values = expected.outputs[0, :, 0]
            self.value_memory = _remembered(lanes.acts, expected.memory, self.value_memory)
        self.previous = np.where(lanes.acts, actions, previous)
        return Decision(actions=actions, log_shares=log_shares, values=values, previous=previous)

    def expect(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Return what the value network expects after more observations, (R,); nothing changes."""
        if self.value is None:
            return np.zeros(len(self.marks), dtype=np.float32)
        if self._still is not None:
            return self._still.expect(observations, self.marks, self.previous)
        return self.value(self._inputs(observations), self.value_memory).outputs[0, :, 0]

    def forget(self, is_over: NDArray[np.bool_]) -> None:
        """Begin anew in the lanes whose episode is over."""
        if is_over.any():
            self.previous = np.where(is_over, NO_ACTION, self.previous)
            for name in ("policy_memory", "value_memory"):
                kept = getattr(self, name)
                setattr(self, name, _remembered(~is_over, kept, torch.zeros_like(kept)))

    def _inputs(self, observations: NDArray[Any]) -> Inputs:
        return encode(
            self.agent.encoding, observations[None], self.marks[None], self.previous[None]
        )

    def snapshot(self) -> dict[str, Any]:
        """Return networks and memories as plain data."""
        return {
            "networks": {name: each.snapshot() for name, each in self.networks.items()},
            "previous": self.previous.copy(),
            "policy_memory": array_of(self.policy_memory),
            "value_memory": array_of(self.value_memory),
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot."""
        for name, network in self.networks.items():
            network.restore(snapshot["networks"][name])
        self.previous = np.array(snapshot["previous"], dtype=np.int64)
        device = self.policy.device
        self.policy_memory = torch.from_numpy(np.array(snapshot["policy_memory"])).to(device)
        self.value_memory = torch.from_numpy(np.array(snapshot["value_memory"])).to(device)


def _remembered(is_new: NDArray[np.bool_], new: torch.Tensor, old: torch.Tensor) -> torch.Tensor:
    """Return memories (R, M), new in some lanes."""
    if not old.shape[1]:
        return old
    return torch.where(torch.from_numpy(is_new).to(old.device)[:, None], new, old)


class LegalActions:
    """Legal actions of each player after each observation met so far; all where none was met."""

    def __init__(self, environment: BatchedEnvironment) -> None:
        self._counts = environment.num_actions
        # Games that were tabulated know it beforehand.
        known = environment.legal
        self._is_known = bool(known)
        sizes = zip(environment.num_observations, environment.num_actions, strict=True)
        self._tables = [
            np.array(known[player]) if known and numbers else np.ones((numbers, actions), np.bool_)
            for player, (numbers, actions) in enumerate(sizes)
        ]
        # Features have no numbers: what restricts actions is kept by its bytes.
        self._widths = environment.num_features
        self._restricted: list[dict[bytes, NDArray[np.bool_]]] = [{} for _ in self._counts]

    def copy(self) -> "LegalActions":
        """Return what is known now, for good."""
        twin = copy.copy(self)
        twin.restore(self.snapshot())
        return twin

    def note(self, turn: BatchTurn) -> None:
        """Keep what a moment shows."""
        if self._is_known:
            return
        for player, count in enumerate(self._counts):
            acts = turn.acts[:, player]
            legal = turn.legal[acts, player, :count]
            if self._widths[player] and legal.all():
                continue
            seen = turn.observations[acts, player]
            if not self._widths[player]:
                self._tables[player][seen] = legal
                continue
            for row in np.flatnonzero(~legal.all(axis=-1)):
                self._restricted[player][self._key(player, seen[row])] = legal[row].copy()

    def after(self, player: int, observation: Any) -> NDArray[np.bool_]:
        """Return what a player may do after an observation, as ``environment.observe`` shows it."""
        if not self._widths[player]:
            return self._tables[player][int(observation)]
        key = self._key(player, np.asarray(observation))
        return self._restricted[player].get(key, np.ones(self._counts[player], dtype=np.bool_))

    def _key(self, player: int, features: NDArray[Any]) -> bytes:
        return np.ascontiguousarray(features[: self._widths[player]], dtype=np.float64).tobytes()

    def snapshot(self) -> dict[str, Any]:
        """Return all that was kept."""
        return {
            "tables": [table.copy() for table in self._tables],
            "restricted": [
                {
                    "features": np.array([np.frombuffer(key) for key in own]),
                    "legal": np.array(list(own.values())),
                }
                for own in self._restricted
            ],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Know again what a snapshot knew."""
        self._tables = [np.array(table, dtype=np.bool_) for table in snapshot["tables"]]
        self._restricted = [
            {
                np.asarray(key, dtype=np.float64).tobytes(): np.array(legal, dtype=np.bool_)
                for key, legal in zip(own["features"], own["legal"], strict=True)
            }
            for own in snapshot["restricted"]
        ]


# A network's outputs (A,) and the legal actions (A,) -> probabilities (A,).
Choice: TypeAlias = Callable[[Numbers, NDArray[np.bool_]], NDArray[np.float64]]


def softmax_choice(outputs: Numbers, legal: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Play as a policy network says; a ``Choice``."""
    return np.exp(log_probabilities(outputs.astype(np.float64), legal))


def learned_policies(
    environment: BatchedEnvironment,
    networks: Mapping[Agent, Network],
    others: Mapping[int, Behavior],
    legality: LegalActions,
    *,
    choice: Choice = softmax_choice,
) -> PolicyProfile:
    """Return a policy for each player, exact: of those who learn, and of the others.

    Args:
        networks: Agent -> its policy network; copied.
        others: How each player plays who does not learn.
        legality: What was legal where; copied.
        choice: What a network's outputs mean.
    """
    known = legality.copy()
    policies: dict[int, Policy] = {}
    for agent, network in networks.items():
        kept = network.copy(device=CPU)  # moments will be asked one by one
        for player in agent.players:
            policies[player] = _network_policy(environment, agent, player, kept, known, choice)
    for player, behavior in others.items():
        policies[player] = _behavior_policy(environment, player, behavior, known)
    return tuple(policies[player] for player in range(len(environment.players)))


def _network_policy(
    environment: BatchedEnvironment,
    agent: Agent,
    player: int,
    network: Network,
    legality: LegalActions,
    choice: Choice,
) -> Policy:
    labels = environment.action_labels[player]
    numbers = {label: number for number, label in enumerate(labels)}
    mark = agent.players.index(player)

    def act(information_state: InformationState) -> Distribution[Any]:
        seen = environment.observe(player, information_state)
        done = [NO_ACTION, *(numbers[action] for action in information_state[1::2])]
        if not network.memory_width:
            done = done[-1:]
        past = seen[-len(done) :]
        inputs = encode(
            agent.encoding, past[:, None], np.full((len(done), 1), mark), np.array(done)[:, None]
        )
        outputs = network(inputs, network.blank_memory(1)).outputs[-1, 0]
        return mixed_action(
            labels, choice(outputs[: len(labels)], legality.after(player, seen[-1]))
        )

    return policy_from(act)


def _behavior_policy(
    environment: BatchedEnvironment, player: int, behavior: Behavior, legality: LegalActions
) -> Policy:
    def shares(seen: NDArray[Any]) -> NDArray[np.float64]:
        return behavior(seen[-1:], legality.after(player, seen[-1])[None])[0]

    return observed_policy(environment, player, shares)
