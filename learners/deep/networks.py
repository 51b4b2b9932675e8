"""Networks: layers with or without a memory, and what they say about legal actions.

A network is made of torch's modules. Weights are drawn from a numpy generator, so that one
generator is all the chance of a learner; torch's global one is never touched.
"""

import copy
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gametheory_core.arguments import as_tuple, counted, require_instance, require_integer
from gametheory_core.errors import InvalidArgument
from learners.deep.agents import Encoding, Inputs
from learners.options import Count, checked

HIDDEN_SCALE = 2.0**0.5
MOST_WEIGHTS = 2**28  # a gibibyte; an optimizer keeps three times that


class Activation(Enum):
    """What is applied to each number between layers."""

    TANH = "tanh"
    RELU = "relu"


class Recurrence(Enum):
    """What a network remembers between own turns of an episode.

    Attributes:
        NONE: Nothing: it sees the last observation.
        GRU: A gated recurrent unit: one vector.
        LSTM: A long short-term memory: two vectors.
    """

    NONE = "none"
    GRU = "gru"
    LSTM = "lstm"


@dataclass(frozen=True)
@checked
class NetworkShape:
    """How large a network is.

    Attributes:
        hidden: Size of each hidden layer, from input to output. Without any, numbered observations
            have a row of outputs each: a table.
        activation: After each hidden layer.
        recurrence: Memory behind the hidden layers; needs at least one of them.
        memory_size: Size of a memory's vector, if there is one.

    >>> NetworkShape(hidden=(32,), recurrence=Recurrence.GRU).is_recurrent
    True
    """

    hidden: tuple[int, ...] = (64, 64)
    activation: Activation = Activation.TANH
    recurrence: Recurrence = Recurrence.NONE
    memory_size: Count = 64

    def __post_init__(self) -> None:
        hidden = as_tuple(self.hidden, name="hidden")
        for size in hidden:
            require_integer(size, name="each hidden size", low=1)
        if self.is_recurrent and not hidden:
            raise InvalidArgument(
                needs="a hidden layer before a memory",
                found="hidden is empty",
                remedy="Give hidden=(64,), for one.",
            )
        object.__setattr__(self, "hidden", hidden)
        _refuse_too_many(self, inputs=1, outputs=1)

    @property
    def is_recurrent(self) -> bool:
        """Whether the network has a memory."""
        return self.recurrence is not Recurrence.NONE


@dataclass(frozen=True, eq=False)
class Reading:
    """What a network says.

    Attributes:
        outputs: At each of ``L`` moments of ``S`` sequences.
        memory: After the last moment.
        labels: Weights of labels at each moment, of the exponential kind.
    """

    outputs: torch.Tensor
    memory: torch.Tensor
    labels: torch.Tensor


class Network:
    """Layers from what a player sees to numbers, for sequences of moments.

    Args:
        encoding: What it reads.
        outputs: Numbers it returns for each moment.
        num_labels: Labels it tells apart by a second last layer, which begins at zero: all alike.
        output_scale: Size of the last layer's first weights; small for policies that begin nearly
            uniform.
        rng: Draws the first weights: orthogonal, biases zero.

    Attributes:
        parts (torch.nn.ModuleDict): The layers, with all parameters.
        parameters (list of torch.nn.Parameter): All of them, in a fixed order.
    """

    def __init__(
        self,
        encoding: Encoding,
        *,
        outputs: int,
        num_labels: int = 0,
        shape: NetworkShape,
        output_scale: float,
        rng: np.random.Generator,
        device: torch.device,
    ) -> None:
        require_instance(shape, NetworkShape, name="shape")
        inputs = encoding.num_rows + encoding.num_features
        _refuse_too_many(shape, inputs=inputs, outputs=outputs + num_labels)
        self.encoding = encoding
        self.shape = shape
        self._outputs = outputs
        self.parts = _layers(encoding, outputs, num_labels, shape).to_empty(device=device)
        self.parameters = list(self.parts.parameters())
        _draw_weights(self.parts, shape, output_scale, rng)

    def __call__(self, inputs: Inputs, memory: torch.Tensor) -> Reading:
        """Read ``L`` moments of ``S`` sequences, in order.

        Args:
            inputs: Of shape (L, S, ...).
            memory: Before the first moment, ``M = memory_width``.
        """
        values = self._without_memory(inputs)
        if self.shape.is_recurrent:
            values, memory = self._remember(values, memory)
            values = self._last(values)
        count = self._outputs
        labels = values[..., count:]
        outputs = values[..., :count] if labels.shape[-1] else values
        return Reading(outputs=outputs, memory=memory, labels=labels)

    def _without_memory(self, inputs: Inputs) -> torch.Tensor:
        """Return what comes before the memory; all outputs if there is none.

        Numbered moments are often the same. If there are more than there can be different ones,
        each of these goes through the layers once.
        """
        encoding, rows = self.encoding, inputs.rows
        if encoding.num_features or encoding.num_moments >= rows[..., 0].numel():
            return self._through_layers(inputs)
        which = torch.zeros((), dtype=torch.int64, device=rows.device)
        first = 0
        for column, size in enumerate(encoding.lookup_sizes):
            which = which * size + (rows[..., column] - first)
            first += size
        every = encoding.every_moment(device=rows.device)
        table = self._through_layers(Inputs(every, inputs.features.new_empty(len(every), 0)))
        return nn.functional.embedding(which, table)

    def _through_layers(self, inputs: Inputs) -> torch.Tensor:
        squash = torch.tanh if self.shape.activation is Activation.TANH else torch.relu
        values = self._first(inputs)
        if not self.shape.hidden:
            return values
        values = squash(values)
        for k in range(1, len(self.shape.hidden)):
            values = squash(self.parts[f"hidden{k}"](values))
        return values if self.shape.is_recurrent else self._last(values)

    def _last(self, values: torch.Tensor) -> torch.Tensor:
        """Return the outputs, and behind them the labels' weights."""
        outputs = self.parts["output"](values)
        if "labels" not in self.parts:
            return outputs
        return torch.cat([outputs, self.parts["labels"](values)], dim=-1)

    def _first(self, inputs: Inputs) -> torch.Tensor:
        """Return the first layer's numbers: rows looked up, plus features multiplied."""
        total: torch.Tensor | None = None
        if inputs.rows.shape[-1]:
            found = self.parts["rows"](inputs.rows)
            total = found[..., 0, :] if inputs.rows.shape[-1] == 1 else found.sum(dim=-2)
        if inputs.features.shape[-1]:
            product = self.parts["features"](inputs.features)
            total = product if total is None else total + product
        return cast("torch.Tensor", total)

    def _remember(
        self, values: torch.Tensor, memory: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        unit = self.parts["memory"]
        if self.shape.recurrence is Recurrence.GRU:
            said, kept = unit(values, memory.unsqueeze(0).contiguous())
            return said, kept[0]
        size = self.shape.memory_size
        halves = (memory[None, :, :size].contiguous(), memory[None, :, size:].contiguous())
        said, (short, long) = unit(values, halves)
        return said, torch.cat([short[0], long[0]], dim=-1)

    @property
    def memory_width(self) -> int:
        """Numbers remembered for each sequence; 0 without a memory."""
        vectors = {Recurrence.NONE: 0, Recurrence.GRU: 1, Recurrence.LSTM: 2}
        return vectors[self.shape.recurrence] * self.shape.memory_size

    @property
    def device(self) -> torch.device:
        """Where the parameters are."""
        return self.parameters[0].device

    def copy(self) -> "Network":
        """Return a network with parameters of its own, equal now."""
        twin = copy.copy(self)
        twin.parts = copy.deepcopy(self.parts)
        twin.parameters = list(twin.parts.parameters())
        return twin

    def blank_memory(self, sequences: int) -> torch.Tensor:
        """Return what is remembered at the beginning of episodes: zeros, (sequences, M)."""
        return torch.zeros(sequences, self.memory_width, device=self.device)

    def snapshot(self) -> dict[str, NDArray[Any]]:
        """Return all parameters by name, as copies."""
        return {name: array_of(tensor) for name, tensor in self.parts.state_dict().items()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Take the parameters of another network of the same shape.

        Raises:
            InvalidArgument: If a parameter is missing, or has another shape; names it.
        """
        put_parameters(self.parts, snapshot)


def put_parameters(parts: nn.Module, snapshot: Mapping[str, Any]) -> None:
    """Give modules the parameters of others of the same shapes, by name.

    Raises:
        InvalidArgument: If a parameter is missing, or has another shape; names it.
    """
    own = {name: tuple(tensor.shape) for name, tensor in parts.state_dict().items()}
    given = {name: tuple(np.shape(value)) for name, value in snapshot.items()}
    for name in sorted(own.keys() | given.keys()):
        if own.get(name) != given.get(name):
            raise InvalidArgument(
                needs=f"{name!r} of shape {own.get(name)}",
                found=f"the snapshot has {given.get(name)}",
                remedy="Make the learner with the options it had.",
                where="restore",
            )
    parts.load_state_dict(
        {name: torch.from_numpy(np.array(value)) for name, value in snapshot.items()}
    )


def array_of(tensor: torch.Tensor) -> NDArray[Any]:
    """Return a copy of a tensor as an array of the same numbers."""
    return np.array(tensor.detach().cpu().numpy(), copy=True)


def _refuse_too_many(shape: NetworkShape, *, inputs: int, outputs: int) -> None:
    """Refuse a network that would not fit into memory, before anything is made."""
    sizes = [inputs, *shape.hidden]
    if shape.is_recurrent:
        gates = {Recurrence.GRU: 3, Recurrence.LSTM: 4}[shape.recurrence]
        own = gates * shape.memory_size * (sizes[-1] + shape.memory_size)
        weights = sum(a * b for a, b in pairwise(sizes)) + own + shape.memory_size * outputs
    else:
        weights = sum(a * b for a, b in pairwise([*sizes, outputs]))
    if weights > MOST_WEIGHTS:
        raise InvalidArgument(
            needs=f"at most {MOST_WEIGHTS:,} weights",
            found=f"layers of {', '.join(map(counted, shape.hidden)) or 'no'} numbers between "
            f"{counted(inputs)} inputs and {counted(outputs)} outputs have {counted(weights)}",
            remedy="Make them smaller.",
        )


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


@torch.no_grad()
def _draw_weights(
    parts: nn.ModuleDict, shape: NetworkShape, output_scale: float, rng: np.random.Generator
) -> None:
    for name, part in parts.items():
        is_last = name == "output" or not shape.hidden
        for kind, parameter in part.named_parameters():
            if kind.startswith("bias") or name == "labels":
                parameter.zero_()
                continue
            scale = output_scale if is_last else 1.0 if name == "memory" else HIDDEN_SCALE
            rows, columns = parameter.shape
            if name == "memory":  # the gates' matrices stand one upon another
                size = shape.memory_size
                blocks = [orthogonal(size, columns, rng) for _ in range(rows // size)]
                weights = np.concatenate(blocks)
            else:
                weights = orthogonal(rows, columns, rng)
            parameter.copy_(torch.from_numpy(scale * weights))


def orthogonal(rows: int, columns: int, rng: np.random.Generator) -> "np.ndarray":
    """Return a matrix whose rows, or columns if fewer, are orthonormal; uniformly drawn."""
    drawn = rng.standard_normal((max(rows, columns), min(rows, columns)))
    basis, triangle = np.linalg.qr(drawn)
    basis = basis * np.sign(np.diag(triangle))
    return basis if rows >= columns else basis.T


def log_probabilities(outputs: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """Return log probabilities of actions, (..., A): minus infinity where not legal.

    Illegal actions have probability zero exactly, and no gradient.

    Args:
        outputs: A network's numbers, whatever they are for illegal actions.
        legal: At least one action is legal everywhere.
    """
    return torch.log_softmax(outputs.masked_fill(~legal, -torch.inf), dim=-1)


def entropy(log_shares: torch.Tensor) -> torch.Tensor:
    """Return entropies in nats, (...), of mixed actions given by log probabilities (..., A)."""
    known = log_shares.masked_fill(log_shares == -torch.inf, 0.0)
    return -(log_shares.exp() * known).sum(dim=-1)
