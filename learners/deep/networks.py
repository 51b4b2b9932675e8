"""Networks: from what a player sees to numbers, with gradients, wherever they are computed.

Without a memory and on the processor layers are ``PlainLayers``; else they are ``TorchLayers``.
What goes in and comes out is numpy's, so that losses are written once. Weights are drawn from a
numpy generator, so that one generator is all the chance of a learner; torch's global one is never
touched.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance
from learners.deep.agents import Encoding, Inputs
from learners.deep.network_shapes import (
    FirstWeights,
    NetworkShape,
    Recurrence,
    drawn_weights,
    refuse_too_many,
)
from learners.deep.plain_layers import PlainLayers, Trace
from learners.deep.torch_layers import TorchLayers, require_shapes

Layers: TypeAlias = PlainLayers | TorchLayers

CPU = torch.device("cpu")


@dataclass(frozen=True, eq=False)
class Reading:
    """What a network says.

    Attributes:
        outputs (L, S, ...): At each of ``L`` moments of ``S`` sequences.
        labels (L, S, ...): Weights of labels at each moment, of the exponential kind.
        memory: After the last moment.
        trace: By what it came about, for ``differentiate``.
    """

    outputs: NDArray[np.float32]
    labels: NDArray[np.float32]
    memory: torch.Tensor
    trace: Trace | torch.Tensor


class Network:
    """Layers from what a player sees to numbers, for sequences of moments.

    Args:
        encoding: What it reads.
        outputs: Numbers it returns for each moment.
        num_labels: Labels it tells apart by a second last layer, which begins at zero: all alike.
        output_scale: Size of the last layer's first weights, if they are orthogonal; small for
            policies that begin nearly uniform.
        rng: Draws the first weights.

    Attributes:
        layers: With all parameters.
    """

    def __init__(
        self,
        encoding: Encoding,
        *,
        outputs: int,
        num_labels: int = 0,
        shape: NetworkShape,
        first_weights: FirstWeights = FirstWeights.ORTHOGONAL,
        output_scale: float,
        rng: np.random.Generator,
        device: torch.device,
    ) -> None:
        require_instance(shape, NetworkShape, name="shape")
        inputs = encoding.num_rows + encoding.num_features
        refuse_too_many(shape, inputs=inputs, outputs=outputs + num_labels)
        self.encoding = encoding
        self.shape = shape
        self._sizes = {"outputs": outputs, "num_labels": num_labels}
        self.layers = self._layers_on(device)
        self.restore(
            drawn_weights(
                {name: own.shape for name, own in self.snapshot().items()},
                shape,
                kind=first_weights,
                output_scale=output_scale,
                rng=rng,
            )
        )

    def _layers_on(self, device: torch.device) -> Layers:
        self.device = device
        if device.type == "cpu" and not self.shape.is_recurrent:
            return PlainLayers(self.encoding, shape=self.shape, **self._sizes)
        return TorchLayers(self.encoding, shape=self.shape, device=device, **self._sizes)

    def __call__(
        self, inputs: Inputs, memory: torch.Tensor, *, is_tracked: bool = False
    ) -> Reading:
        """Read ``L`` moments of ``S`` sequences, in order.

        Args:
            inputs: Of shape (L, S, ...).
            memory: Before the first moment, ``M = memory_width``.
            is_tracked: Whether the reading will be differentiated.
        """
        size = inputs.rows.shape[:-1]
        with np.errstate(all="ignore"):  # learners name what breaks
            if isinstance(self.layers, PlainLayers):
                values, trace = self.layers.read(inputs.flat())
                values = values.reshape(*size, values.shape[-1])
            else:
                trace, memory = self.layers.read(inputs, memory, is_tracked=is_tracked)
                values = trace.detach().cpu().numpy()
        count = self._sizes["outputs"]
        return Reading(values[..., :count], values[..., count:], memory, trace)

    def differentiate(self, reading: Reading, slopes: NDArray[np.float32]) -> None:
        """Find the gradient of a number, of which slopes (L, S, outputs and labels) are given."""
        layers, trace = self.layers, reading.trace
        with np.errstate(all="ignore"):
            if isinstance(layers, PlainLayers) and isinstance(trace, Trace):
                layers.differentiate(trace, slopes.reshape(-1, slopes.shape[-1]))
            elif isinstance(layers, TorchLayers) and isinstance(trace, torch.Tensor):
                layers.differentiate(trace, slopes)

    @property
    def memory_width(self) -> int:
        """Numbers remembered for each sequence; 0 without a memory."""
        vectors = {Recurrence.NONE: 0, Recurrence.GRU: 1, Recurrence.LSTM: 2}
        return vectors[self.shape.recurrence] * self.shape.memory_size

    def copy(self, *, device: torch.device | None = None) -> "Network":
        """Return a network with parameters of its own, equal now; by default on the same device."""
        twin = copy.copy(self)
        twin.layers = twin._layers_on(self.device if device is None else device)  # noqa: SLF001
        twin.restore(self.snapshot())
        return twin

    def move_to(self, other: "Network", *, share: float) -> None:
        """Move all parameters by a share of the way to those of another network of this shape."""
        with torch.no_grad():
            own: Any
            for own, theirs in zip(self.layers.parameters, other.layers.parameters, strict=True):
                own[...] = theirs if share == 1.0 else own + share * (theirs - own)

    def blank_memory(self, sequences: int) -> torch.Tensor:
        """Return what is remembered at the beginning of episodes: zeros, (sequences, M)."""
        return torch.zeros(sequences, self.memory_width, device=self.device)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return all parameters by name, as copies."""
        layers: Any = self.layers
        return layers.named(layers.parameters)

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take the parameters of another network of the same shape.

        Raises:
            InvalidArgument: If a parameter is missing, or has another shape; names it.
        """
        layers: Any = self.layers
        require_shapes(layers.named(layers.parameters), snapshot)
        layers.put(layers.parameters, snapshot)
