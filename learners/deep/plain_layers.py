"""Layers without memory on the processor: plain numpy, with gradients by the chain rule.

A small network spends most of an update on keeping track of what is to be differentiated. Here all
weights are one vector, layers are views into it, and the chain rule is one loop from the last layer
to the first.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from learners.deep.agents import Encoding, Inputs
from learners.deep.network_shapes import Activation, NetworkShape

Floats: TypeAlias = NDArray[np.float32]


class Trace(NamedTuple):
    """What went through the layers, to be differentiated.

    Attributes:
        inputs: What the first layer read.
        values: What each hidden layer passed on.
        which: Number of each moment among those read; None where each was read by itself.
    """

    inputs: Inputs
    values: list[Floats]
    which: NDArray[np.int64] | None


class PlainLayers:
    """Layers, their weights, and the gradient that was found last.

    Attributes:
        parameters, gradients: One vector (P,) each.
    """

    def __init__(
        self, encoding: Encoding, *, outputs: int, num_labels: int, shape: NetworkShape
    ) -> None:
        self._encoding = encoding
        self._is_relu = shape.activation is Activation.RELU
        self._hidden = [f"hidden{k}" for k in range(1, len(shape.hidden))]
        self._last = ["output"] * bool(shape.hidden) + ["labels"] * bool(num_labels)
        self._places = _places(encoding, outputs, num_labels, shape)
        number = sum(rows * columns for _, rows, columns in self._places)
        self.parameters = [np.zeros(number, dtype=np.float32)]
        self.gradients = [np.zeros(number, dtype=np.float32)]
        self._weights = self._views(self.parameters[0])
        self._slopes = self._views(self.gradients[0])
        self._outputs = outputs

    def _views(self, vector: Floats) -> dict[str, Floats]:
        """Return matrices (inputs, outputs) and biases (outputs,), as views, by name."""
        found: dict[str, Floats] = {}
        at = 0
        for name, rows, columns in self._places:
            view = vector[at : at + rows * columns]
            found[name] = view if name.endswith("bias") else view.reshape(rows, columns)
            at += rows * columns
        return found

    def named(self, vectors: Sequence[Floats]) -> dict[str, NDArray[Any]]:
        """Return what a vector says of each parameter, as copies named and laid out as torch's."""
        return {name: _as_torch(name, own).copy() for name, own in self._views(vectors[0]).items()}

    def put(self, vectors: Sequence[Floats], given: Mapping[str, NDArray[Any]]) -> None:
        """Write into a vector what ``named`` returned."""
        for name, own in self._views(vectors[0]).items():
            _as_torch(name, own)[...] = given[name]

    def read(self, inputs: Inputs) -> tuple[Floats, Trace]:
        """Return the last numbers, (N, outputs and labels), of moments (N, ...), and their trace.

        Numbered moments are often the same. If there are more than there can be different ones,
        each of these goes through the layers once.
        """
        encoding = self._encoding
        if encoding.num_features or encoding.num_moments >= len(inputs.rows):
            values = self._hidden_values(inputs)
            return self._last_values(values), Trace(inputs, values, None)
        which = encoding.moments_of(inputs.rows)
        every = Inputs(encoding.every_moment(), np.empty((encoding.num_moments, 0), np.float32))
        values = self._hidden_values(every)
        return self._last_values(values).take(which, axis=0), Trace(every, values, which)

    def _hidden_values(self, inputs: Inputs) -> list[Floats]:
        """Return what each hidden layer passes on; without one, what the first layer says."""
        own, rows = self._weights, inputs.rows
        out: Any = None
        if rows.shape[1]:
            found = own["rows.weight"].take(rows[:, 0] if rows.shape[1] == 1 else rows, axis=0)
            out = found if found.ndim == 2 else found.sum(axis=1)
        if inputs.features.shape[1]:
            product = inputs.features @ own["features.weight"]
            product += own["features.bias"]
            out = product if out is None else out + product
        values = [out]
        for name in self._hidden:
            values.append(_through(own, name, self._squash(values[-1])))
        if self._last:
            self._squash(values[-1])
        return values

    def _squash(self, values: Floats) -> Floats:
        return np.maximum(values, 0, out=values) if self._is_relu else np.tanh(values, out=values)

    def _last_values(self, values: list[Floats]) -> Floats:
        found = [_through(self._weights, name, values[-1]) for name in self._last]
        if len(found) == 1:
            return found[0]
        return np.concatenate(found, axis=1) if found else values[-1]

    def differentiate(self, trace: Trace, slopes: Floats) -> None:
        """Find the gradient, given slopes (N, outputs and labels) of the last numbers."""
        values, slopes_of = trace.values, self._slopes
        if trace.which is not None:
            slopes = _sums(trace.which, slopes, len(values[0]))
        downstream = slopes
        if self._last:
            downstream = self._layer_back("output", values[-1], slopes[:, : self._outputs])
        for name in self._last[1:]:
            downstream += self._layer_back(name, values[-1], slopes[:, self._outputs :])
        for k in range(len(self._hidden), 0, -1):
            downstream = self._squash_back(values[k], downstream)
            downstream = self._layer_back(self._hidden[k - 1], values[k - 1], downstream)
        if self._last:
            downstream = self._squash_back(values[0], downstream)
        inputs = trace.inputs
        if inputs.features.shape[1]:
            np.matmul(inputs.features.T, downstream, out=slopes_of["features.weight"])
            np.add.reduce(downstream, axis=0, out=slopes_of["features.bias"])
        if inputs.rows.shape[1]:
            _put_sums(slopes_of["rows.weight"], inputs.rows, downstream)

    def _layer_back(self, name: str, read: Floats, downstream: Floats) -> Floats:
        """Write a layer's gradient; return the slopes of what it read."""
        np.matmul(read.T, downstream, out=self._slopes[f"{name}.weight"])
        np.add.reduce(downstream, axis=0, out=self._slopes[f"{name}.bias"])
        return downstream @ self._weights[f"{name}.weight"].T

    def _squash_back(self, values: Floats, downstream: Floats) -> Floats:
        downstream *= values > 0 if self._is_relu else 1 - values * values
        return downstream


def _places(
    encoding: Encoding, outputs: int, num_labels: int, shape: NetworkShape
) -> list[tuple[str, int, int]]:
    """Return names and sizes (inputs, outputs) of all parameters, in torch's order."""
    sizes = (*shape.hidden, outputs)
    found: list[tuple[str, int, int]] = []
    if encoding.num_rows:
        found.append(("rows.weight", encoding.num_rows, sizes[0]))
    layers = [("features", encoding.num_features, sizes[0])] * bool(encoding.num_features)
    for k, (before, after) in enumerate(pairwise(sizes), start=1):
        layers.append((f"hidden{k}" if k < len(shape.hidden) else "output", before, after))
    if num_labels:
        layers.append(("labels", sizes[-2], num_labels))
    for name, before, after in layers:
        found += [(f"{name}.weight", before, after), (f"{name}.bias", 1, after)]
    return found


def _as_torch(name: str, values: Floats) -> Floats:
    """Return a view in torch's layout: matrices (outputs, inputs), but for rows."""
    return values if name == "rows.weight" else values.T


def _through(weights: Mapping[str, Floats], name: str, values: Floats) -> Floats:
    out = values @ weights[f"{name}.weight"]
    out += weights[f"{name}.bias"]
    return out


def _sums(rows: NDArray[np.int64], values: Floats, count: int) -> Floats:
    """Return the sum of the values (N, H) of each of so many rows, (count, H)."""
    width = values.shape[1]
    places = (rows[:, None] * width + np.arange(width)).ravel()
    total = np.bincount(places, weights=values.ravel(), minlength=count * width)
    return total.reshape(count, width).astype(np.float32)


def _put_sums(matrix: Floats, rows: NDArray[np.int64], values: Floats) -> None:
    """Write into each row of a matrix the sum of the values (N, H) that read it, by rows (N, K)."""
    read, which = np.unique(rows, return_inverse=True)
    matrix[...] = 0.0
    width = rows.shape[1]
    matrix[read] = _sums(which.ravel(), values.repeat(width, axis=0), len(read))
