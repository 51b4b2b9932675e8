"""Action values by a network, learned from transitions toward targets of a slower copy.

Knows nothing of environments: whoever has transitions can learn from them, by targets of the own
making or those of DQN.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from gametheory_core.errors import UnsupportedGame
from learners.deep.agents import Encoding, Inputs, encode
from learners.deep.losses import Numbers, huber_error, squared_error
from learners.deep.network_shapes import Activation, FirstWeights, NetworkShape
from learners.deep.networks import CPU, Network
from learners.deep.optimization import Adam, gradient_step
from learners.deep.replay import Transitions
from learners.options import Count, Positive, PositiveShare, Range, checked
from learners.snapshots import Kept

MOST_STEP_SIZE = 1e30  # Adam divides it by less than 1; torch then needs it to be a 32-bit float


class Head(Enum):
    """How a network's last numbers become action values.

    Attributes:
        PLAIN: They are the values.
        DUELING: The last is the value of being there, the others what each action has over their
            mean.
    """

    PLAIN = "plain"
    DUELING = "dueling"


class NextValue(Enum):
    """What the next decision is worth, in targets.

    Attributes:
        LARGEST: The slow copy's largest value of a legal action.
        DOUBLE: The slow copy's value of the legal action that the network likes best.
    """

    LARGEST = "largest"
    DOUBLE = "double"


class ValueLoss(Enum):
    """What is made small: the mean, over a batch, of this function of the error ``d``.

    Attributes:
        SQUARED: ``d**2 / 2``, so that values are means.
        HUBER: ``d**2 / 2`` up to 1, then ``|d| - 1/2``: gradients of at most 1. Where chance or
            other players move targets by more than 1, values are no means, and the best action may
            be missed.
    """

    SQUARED = "squared"
    HUBER = "huber"


@dataclass(frozen=True)
@checked
class CopyEvery:
    """The slow copy becomes the network after so many updates."""

    updates: Count


@dataclass(frozen=True)
@checked
class MoveBy:
    """The slow copy moves by this share of the way to the network after each update."""

    share: PositiveShare


SlowCopy: TypeAlias = CopyEvery | MoveBy


@dataclass(frozen=True)
@checked
class ValueOptions:
    """How action values are held and learned.

    Attributes:
        shape: Without a memory.
        first_weights: Of the network.
        step_size: Of Adam.
    """

    shape: NetworkShape = field(
        default_factory=lambda: NetworkShape((64, 64), activation=Activation.RELU)
    )
    first_weights: FirstWeights = FirstWeights.UNIFORM
    head: Head = Head.PLAIN
    next_value: NextValue = NextValue.DOUBLE
    loss: ValueLoss = ValueLoss.SQUARED
    slow_copy: SlowCopy = field(default_factory=lambda: CopyEvery(100))
    step_size: Annotated[float, Range(above=0, high=MOST_STEP_SIZE)] = 1e-3
    max_gradient_norm: Positive | None = 10.0

    def __post_init__(self) -> None:
        require_instance(self.shape, NetworkShape, name="shape")
        require_instance(self.slow_copy, (CopyEvery, MoveBy), name="slow_copy")
        if self.shape.is_recurrent:
            raise UnsupportedGame(
                needs="a network without a memory",
                found=f"shape has a {self.shape.recurrence}",
                remedy="Values are learned from transitions in any order; let the environment show "
                "what should be remembered.",
            )


class ActionValues(Kept):
    """A network of action values, its slow copy and its optimizer.

    Args:
        encoding: What is read: ``Encoding(num_observations=n, num_features=0)`` for numbers below
            ``n``, ``Encoding(num_observations=0, num_features=k)`` for features.
        rng: Draws the first weights, and nothing after.
    """

    KEPT = ("_network", "_copy", "_optimizer")

    def __init__(
        self,
        encoding: Encoding,
        *,
        num_actions: int,
        rng: np.random.Generator,
        options: ValueOptions | None = None,
        device: torch.device | None = None,
    ) -> None:
        self._options = ValueOptions() if options is None else options
        require_instance(self._options, ValueOptions, name="options")
        self._encoding = encoding
        self._network = Network(
            encoding,
            outputs=num_actions + (self._options.head is Head.DUELING),
            shape=self._options.shape,
            first_weights=self._options.first_weights,
            output_scale=1.0,
            rng=rng,
            device=CPU if device is None else device,
        )
        self._copy = self._network.copy()
        self._optimizer = Adam([self._network.layers], step_size=self._options.step_size)
        self._blank = self._network.blank_memory(0)

    @property
    def network(self) -> Network:
        """The network; the greedy action is that of the largest of its first outputs."""
        return self._network

    def values(self, observations: NDArray[Any]) -> NDArray[np.float64]:
        """Return the values of all actions, (B, A), for observations (B,) or (B, F)."""
        return self._values(self._network, self._inputs(observations)).astype(np.float64)

    def next_values(self, observations: NDArray[Any], legal: NDArray[np.bool_]) -> Numbers:
        """Return what decisions are worth by the slow copy, (B,); ``legal`` is (B, A)."""
        inputs = self._inputs(observations)
        slow = np.where(legal, self._values(self._copy, inputs), -np.inf)
        if self._options.next_value is NextValue.LARGEST:
            return slow.max(axis=-1)
        liked = np.where(legal, self._values(self._network, inputs), -np.inf)
        return slow[np.arange(len(slow)), liked.argmax(axis=-1)]

    def targets(self, transitions: Transitions) -> Numbers:
        """Return DQN's targets: what was paid, and what follows by the slow copy, discounted."""
        continues = transitions.next_discounts > 0
        legal = transitions.next_legal | ~continues[:, None]
        later = self.next_values(transitions.next_observations, legal)
        return transitions.rewards + transitions.next_discounts * later

    def fit(
        self,
        observations: NDArray[Any],
        actions: NDArray[np.int64],
        targets: NDArray[np.floating[Any]],
    ) -> dict[str, float]:
        """Make one step of the values of actions (B,) toward targets (B,).

        There may be several actions of each observation, (B, K).

        Returns:
            "loss/value", "gradient norm", and "value", the mean of the values before the step.

        Raises:
            Broken: If a number is not finite; names it.
        """
        reading = self._network(self._inputs(observations), self._blank, is_tracked=True)
        values = _by_head(self._options.head, reading.outputs)
        places = np.arange(len(values)).reshape(-1, *(1,) * (actions.ndim - 1)), actions
        chosen = values[places]
        error = huber_error if self._options.loss is ValueLoss.HUBER else squared_error
        with np.errstate(all="ignore"):
            missed = error(chosen, targets.astype(np.float32))
            losses = {"loss/value": float(missed.value.mean())}
        slopes = np.zeros_like(values)
        slopes[places] = missed.slope / np.float32(chosen.size)
        self._network.differentiate(reading, _slopes_by_head(self._options.head, slopes))
        metrics = gradient_step(
            self._optimizer,
            {"values": self._network.layers},
            losses,
            max_gradient_norm=self._options.max_gradient_norm,
        )
        self._follow()
        return metrics | {"value": float(chosen.mean())}

    def update(self, transitions: Transitions) -> dict[str, float]:
        """Make one step of DQN: ``fit`` to ``targets``."""
        return self.fit(transitions.observations, transitions.actions, self.targets(transitions))

    def _follow(self) -> None:
        rule = self._options.slow_copy
        if isinstance(rule, CopyEvery) and self._optimizer.made % rule.updates:
            return
        share = rule.share if isinstance(rule, MoveBy) else 1.0
        self._copy.move_to(self._network, share=share)

    def _inputs(self, observations: NDArray[Any]) -> Inputs:
        blank = np.zeros(len(observations), dtype=np.int64)
        found = encode(self._encoding, observations, blank, blank)
        return Inputs(found.rows[None], found.features[None])

    def _values(self, network: Network, inputs: Inputs) -> NDArray[np.float32]:
        return _by_head(self._options.head, network(inputs, self._blank).outputs)


def _by_head(head: Head, outputs: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the values (B, A) that outputs (1, B, ...) stand for."""
    found = outputs[0]
    if head is Head.PLAIN:
        return found
    advantages = found[:, :-1]
    return found[:, -1:] + advantages - advantages.mean(axis=-1, keepdims=True)


def _slopes_by_head(head: Head, slopes: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return slopes in the outputs, (1, B, ...), given those in the values, (B, A)."""
    if head is Head.PLAIN:
        return slopes[None]
    mean = slopes.mean(axis=-1, keepdims=True)
    return np.concatenate([slopes - mean, slopes.sum(axis=-1, keepdims=True)], axis=-1)[None]
