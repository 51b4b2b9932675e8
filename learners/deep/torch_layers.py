"""Layers with a memory, or on a graphics card: torch's modules, which torch differentiates."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gametheory_core.errors import InvalidArgument
from learners.deep.agents import Encoding, Inputs
from learners.deep.network_shapes import Activation, NetworkShape, Recurrence


class TorchLayers:
    """Layers, their weights, and the gradient that was found last.

    Attributes:
        parts (torch.nn.ModuleDict): The layers, with all parameters.
        parameters (list of torch.nn.Parameter): All of them, in a fixed order.
    """

    def __init__(
        self,
        encoding: Encoding,
        *,
        outputs: int,
        num_labels: int,
        shape: NetworkShape,
        device: torch.device,
    ) -> None:
        self._encoding = encoding
        self._shape = shape
        self._device = device
        self.parts = _layers(encoding, outputs, num_labels, shape).to_empty(device=device)
        self.parameters = list(self.parts.parameters())

    @property
    def gradients(self) -> list[torch.Tensor]:
        """Of each parameter."""
        return gradients_of(self.parameters)

    def named(self, vectors: Sequence[torch.Tensor]) -> dict[str, NDArray[Any]]:
        """Return what tensors say of each parameter, as copies by name."""
        names = (name for name, _ in self.parts.named_parameters())
        return {name: array_of(own) for name, own in zip(names, vectors, strict=True)}

    def put(self, vectors: Sequence[torch.Tensor], given: Mapping[str, NDArray[Any]]) -> None:
        """Write into tensors what ``named`` returned."""
        names = (name for name, _ in self.parts.named_parameters())
        put_arrays(dict(zip(names, vectors, strict=True)), given)
        lay_out(self.parts)

    def read(
        self, inputs: Inputs, memory: torch.Tensor, *, is_tracked: bool
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the last numbers, (L, S, outputs and labels), and the memory after them.

        Args:
            inputs: Of shape (L, S, ...).
            memory: Before the first moment.
            is_tracked: Whether the numbers are to be differentiated.
        """
        with torch.set_grad_enabled(is_tracked):
            values = self._without_memory(inputs)
            if self._shape.is_recurrent:
                values, memory = self._remember(values, memory)
                values = self._last(values)
        return values, memory.detach()

    def differentiate(self, values: torch.Tensor, slopes: NDArray[np.float32]) -> None:
        """Find the gradient, given slopes of what ``read`` returned."""
        for each in self.parameters:
            each.grad = None
        torch.autograd.backward(values, self._here(slopes))

    def _here(self, values: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(values).to(self._device)

    def _without_memory(self, inputs: Inputs) -> torch.Tensor:
        """Return what comes before the memory; all outputs if there is none.

        Numbered moments are often the same. If there are more than there can be different ones,
        each of these goes through the layers once.
        """
        encoding = self._encoding
        if encoding.num_features or encoding.num_moments >= inputs.rows[..., 0].size:
            return self._through_layers(self._here(inputs.rows), self._here(inputs.features))
        every = self._here(encoding.every_moment())
        table = self._through_layers(every, torch.empty(len(every), 0, device=self._device))
        return nn.functional.embedding(self._here(encoding.moments_of(inputs.rows)), table)

    def _through_layers(self, rows: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        squash = torch.tanh if self._shape.activation is Activation.TANH else torch.relu
        values = self._first(rows, features)
        if not self._shape.hidden:
            return values
        values = squash(values)
        for k in range(1, len(self._shape.hidden)):
            values = squash(self.parts[f"hidden{k}"](values))
        return values if self._shape.is_recurrent else self._last(values)

    def _last(self, values: torch.Tensor) -> torch.Tensor:
        """Return the outputs, and behind them the labels' weights."""
        outputs = self.parts["output"](values)
        if "labels" not in self.parts:
            return outputs
        return torch.cat([outputs, self.parts["labels"](values)], dim=-1)

    def _first(self, rows: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        """Return the first layer's numbers: rows looked up, plus features multiplied."""
        total: torch.Tensor | None = None
        if rows.shape[-1]:
            found = self.parts["rows"](rows)
            total = found[..., 0, :] if rows.shape[-1] == 1 else found.sum(dim=-2)
        if features.shape[-1]:
            product = self.parts["features"](features)
            total = product if total is None else total + product
        return cast("torch.Tensor", total)

    def _remember(
        self, values: torch.Tensor, memory: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        unit = self.parts["memory"]
        if self._shape.recurrence is Recurrence.GRU:
            said, kept = unit(values, memory.unsqueeze(0).contiguous())
            return said, kept[0]
        size = self._shape.memory_size
        halves = (memory[None, :, :size].contiguous(), memory[None, :, size:].contiguous())
        said, (short, long) = unit(values, halves)
        return said, torch.cat([short[0], long[0]], dim=-1)


def _layers(
    encoding: Encoding, outputs: int, num_labels: int, shape: NetworkShape
) -> nn.ModuleDict:
    """Return the layers without weights, so that nothing is drawn from torch's own generator."""
    sizes = (*shape.hidden, outputs)
    parts = nn.ModuleDict()
    if encoding.num_rows:
        parts["rows"] = nn.Embedding(encoding.num_rows, sizes[0], device="meta")
    if encoding.num_features:
        parts["features"] = nn.Linear(encoding.num_features, sizes[0], device="meta")
    for k in range(1, len(shape.hidden)):
        parts[f"hidden{k}"] = nn.Linear(sizes[k - 1], sizes[k], device="meta")
    if shape.hidden:
        width = shape.memory_size if shape.is_recurrent else sizes[-2]
        if shape.is_recurrent:
            kind = nn.GRU if shape.recurrence is Recurrence.GRU else nn.LSTM
            parts["memory"] = kind(sizes[-2], shape.memory_size, device="meta")
        parts["output"] = nn.Linear(width, outputs, device="meta")
        if num_labels:
            parts["labels"] = nn.Linear(width, num_labels, device="meta")
    return parts


def gradients_of(parameters: Sequence[torch.Tensor]) -> list[torch.Tensor]:
    """Return the gradient of each tensor that was differentiated."""
    return [cast("torch.Tensor", each.grad) for each in parameters]


@torch.no_grad()
def put_arrays(tensors: Mapping[str, torch.Tensor], given: Mapping[str, NDArray[Any]]) -> None:
    """Write arrays into the tensors of the same names."""
    for name, own in tensors.items():
        own.copy_(torch.from_numpy(np.array(given[name])))


def lay_out(parts: nn.Module) -> None:
    """Lay memories out in one piece, as graphics cards need them; elsewhere, nothing."""
    for part in parts.modules():
        if isinstance(part, nn.RNNBase):
            part.flatten_parameters()


def array_of(tensor: torch.Tensor) -> NDArray[Any]:
    """Return a copy of a tensor as an array of the same numbers."""
    return np.array(tensor.detach().cpu().numpy(), copy=True)


def require_shapes(own: Mapping[str, NDArray[Any]], given: Mapping[str, Any]) -> None:
    """Refuse parameters of other names or shapes.

    Raises:
        InvalidArgument: If a parameter is missing, or has another shape; names it.
    """
    known = {name: tuple(np.shape(value)) for name, value in own.items()}
    found = {name: tuple(np.shape(value)) for name, value in given.items()}
    for name in sorted(known.keys() | found.keys()):
        if known.get(name) != found.get(name):
            raise InvalidArgument(
                needs=f"{name!r} of shape {known.get(name)}",
                found=f"the snapshot has {found.get(name)}",
                remedy="Make the learner with the options it had.",
                where="restore",
            )
