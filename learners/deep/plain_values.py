"""Action values of features by plain layers, with gradients written out: many small steps a second.

A small network spends most of an update on keeping track of what is to be differentiated. Here
layers are arrays, the chain rule is one loop from the last layer to the first, and Adam moves all
weights at once; the numbers are those of ``ActionValues`` but for rounding.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from gametheory_core.errors import UnsupportedGame
from learners.deep.action_values import Head, MoveBy, NextValue, ValueLoss, ValueOptions
from learners.deep.networks import HIDDEN_SCALE, Activation, orthogonal
from learners.deep.optimization import Broken
from learners.deep.replay import Transitions
from learners.snapshots import Kept

FIRST_DECAY, SECOND_DECAY, LEAST_ROOT = 0.9, 0.999, 1e-8  # of Adam

Floats = NDArray[np.float32]


class PlainState(NamedTuple):
    """All that changes, (P,) float32 each: weights, their slower copy, and Adam's two moments."""

    weights: Floats
    slow: Floats
    first: Floats
    second: Floats


class PlainValues(Kept):
    """Values of actions as layers have them, the slower copy, and Adam.

    Args:
        num_features: That are read.
        options: Without a dueling head.
        rng: Draws the first weights, and nothing after.

    Attributes:
        updates (int): Steps made.

    Raises:
        InvalidArgument: If the options are none.
        UnsupportedGame: If the head is dueling.

    >>> from learners.deep import ValueOptions
    >>> one = PlainValues(2, num_actions=3, options=ValueOptions(), rng=np.random.default_rng(0))
    >>> one.values(np.zeros((5, 2))).shape
    (5, 3)
    """

    KEPT = ("_state", "updates")

    def __init__(
        self,
        num_features: int,
        *,
        num_actions: int,
        options: ValueOptions,
        rng: np.random.Generator,
    ) -> None:
        require_instance(options, ValueOptions, name="options")
        if options.head is not Head.PLAIN:
            raise UnsupportedGame(
                needs="a plain head", found="it is dueling", remedy="Take Head.PLAIN, or DQN."
            )
        self._options = options
        self._sizes = tuple(pairwise((num_features, *options.shape.hidden, num_actions)))
        number = sum((rows + 1) * columns for rows, columns in self._sizes)
        self._state = PlainState(*(np.zeros(number, dtype=np.float32) for _ in range(4)))
        self._gradient = np.zeros(number, dtype=np.float32)
        self._room = np.zeros(number, dtype=np.float32)
        self.updates = 0
        layers = self._layers(self._state.weights)
        for k, (matrix, _) in enumerate(layers):
            scale = HIDDEN_SCALE if k < len(layers) - 1 else 1.0
            matrix[...] = scale * orthogonal(matrix.shape[1], matrix.shape[0], rng).T
        self._state.slow[...] = self._state.weights

    def _layers(self, flat: Floats) -> list[tuple[Floats, Floats]]:
        """Return matrices (inputs, outputs) and biases (outputs,) of all layers, as views."""
        found: list[tuple[Floats, Floats]] = []
        at = 0
        for rows, columns in self._sizes:
            end = at + rows * columns
            found.append((flat[at:end].reshape(rows, columns), flat[end : end + columns]))
            at = end + columns
        return found

    def _read(self, flat: Floats, features: Floats) -> list[Floats]:
        """Return what goes into each layer, and what comes out of the last, (B, ...) each."""
        is_relu = self._options.shape.activation is Activation.RELU
        found = [features]
        layers = self._layers(flat)
        for k, (matrix, bias) in enumerate(layers):
            out = found[-1] @ matrix
            out += bias
            if k < len(layers) - 1:
                _ = np.maximum(out, 0, out=out) if is_relu else np.tanh(out, out=out)
            found.append(out)
        return found

    def values(self, features: NDArray[Any]) -> NDArray[np.float64]:
        """Return the values of all actions, (B, A), for features (B, F)."""
        return self._values(self._state.weights, features).astype(np.float64)

    def _values(self, flat: Floats, features: NDArray[Any]) -> Floats:
        return self._read(flat, np.asarray(features, dtype=np.float32))[-1]

    def next_values(self, features: NDArray[Any], legal: NDArray[np.bool_]) -> Floats:
        """Return what decisions are worth by the slower copy, (B,); ``legal`` is (B, A)."""
        slow = np.where(legal, self._values(self._state.slow, features), -np.inf)
        if self._options.next_value is NextValue.LARGEST:
            return slow.max(axis=1)
        liked = np.where(legal, self._values(self._state.weights, features), -np.inf)
        return slow[np.arange(len(slow)), liked.argmax(axis=1)]

    def update(self, transitions: Transitions) -> dict[str, float]:
        """Make one step of DQN: toward what was paid, and what follows by the slower copy."""
        continues = transitions.next_discounts > 0
        legal = transitions.next_legal | ~continues[:, None]
        later = self.next_values(transitions.next_observations, legal)
        targets = transitions.rewards + transitions.next_discounts * later
        return self.fit(transitions.observations, transitions.actions[:, None], targets[:, None])

    def fit(
        self, features: NDArray[Any], outputs: NDArray[np.int64], targets: NDArray[Any]
    ) -> dict[str, float]:
        """Make one step of some outputs (B, K) toward targets (B, K).

        Returns:
            "loss/value" and "gradient norm", before the step.

        Raises:
            Broken: If a number is not finite; names it.
        """
        state = self._state
        found = self._read(state.weights, np.asarray(features, dtype=np.float32))
        rows = np.arange(len(outputs))[:, None]
        errors = found[-1][rows, outputs] - np.asarray(targets, dtype=np.float32)
        if self._options.loss is ValueLoss.SQUARED:
            loss, slopes = float((errors * errors).mean()) / 2, errors
        else:
            slopes = np.clip(errors, -1, 1)
            loss = float((slopes * (errors - slopes / 2)).mean())
        _require_finite("loss/value", loss)
        downstream = np.zeros_like(found[-1])
        downstream[rows, outputs] = slopes / np.float32(errors.size)
        self._differentiate(found, downstream)
        norm = self._step()
        self.updates += 1
        self._follow()
        return {"loss/value": loss, "gradient norm": norm}

    def _differentiate(self, found: Sequence[Floats], downstream: Floats) -> None:
        """Write the gradient, by the chain rule from the last layer to the first."""
        is_relu = self._options.shape.activation is Activation.RELU
        own = list(zip(found[:-1], self._layers(self._gradient), strict=True))
        weights = self._layers(self._state.weights)
        for k in range(len(own) - 1, -1, -1):
            read, (matrix, bias) = own[k]
            np.matmul(read.T, downstream, out=matrix)
            np.sum(downstream, axis=0, out=bias)
            if k:
                downstream = downstream @ weights[k][0].T
                downstream *= read > 0 if is_relu else 1 - read * read

    def _step(self) -> float:
        """Let Adam move the weights, and return how long the gradient was."""
        state, gradient, room = self._state, self._gradient, self._room
        norm = float(np.sqrt(gradient @ gradient))
        _require_finite("gradient norm", norm)
        longest = self._options.max_gradient_norm
        if longest is not None and norm > longest:
            gradient *= np.float32(longest / (norm + 1e-6))
        made = self.updates + 1
        np.subtract(gradient, state.first, out=room)
        room *= np.float32(1 - FIRST_DECAY)
        np.add(state.first, room, out=state.first)
        np.multiply(gradient, gradient, out=room)
        room *= np.float32(1 - SECOND_DECAY)
        np.multiply(state.second, np.float32(SECOND_DECAY), out=state.second)
        np.add(state.second, room, out=state.second)
        np.sqrt(state.second, out=room)
        room /= np.float32((1 - SECOND_DECAY**made) ** 0.5)
        room += np.float32(LEAST_ROOT)
        np.divide(state.first, room, out=room)
        room *= np.float32(self._options.step_size / (1 - FIRST_DECAY**made))
        np.subtract(state.weights, room, out=state.weights)
        _require_finite("parameters/values", float(np.abs(state.weights).max()))
        return norm

    def _follow(self) -> None:
        rule, state = self._options.slow_copy, self._state
        if isinstance(rule, MoveBy):
            np.subtract(state.weights, state.slow, out=self._room)
            self._room *= np.float32(rule.share)
            np.add(state.slow, self._room, out=state.slow)
        elif self.updates % rule.updates == 0:
            state.slow[...] = state.weights


def _require_finite(quantity: str, number: float) -> None:
    if not abs(number) < float("inf"):
        raise Broken(quantity, number)
