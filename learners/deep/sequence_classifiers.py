"""Recurrent networks that name the next symbol of sequences: long short-term memories, then layers.

All is given and returned as numpy arrays, so that other rooms need no torch.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gametheory_core.arguments import as_tuple, counted, require_instance, require_integer
from gametheory_core.arrays import FloatArray
from gametheory_core.errors import InvalidArgument
from learners.deep.network_shapes import HIDDEN_SCALE, orthogonal
from learners.deep.network_shapes import MOST_WEIGHTS as MOST
from learners.deep.optimization import Adam, Device, gradient_step, torch_device
from learners.deep.torch_layers import array_of, gradients_of, lay_out, put_arrays, require_shapes
from learners.options import Count, Positive, checked

OUTPUT_SCALE = 0.01  # of the last weights: classes are about equally likely at first
GATES = 4  # of a long short-term memory: input, forget, candidate, output


@dataclass(frozen=True)
@checked
class RecurrentShape:
    """How large such a network is.

    Attributes:
        memories: Size of each long short-term memory, from input to output.
        layers: Size of each hidden layer behind them, with rectifiers.

    >>> RecurrentShape().num_parameters(inputs=6, classes=3)
    57539
    """

    memories: tuple[int, ...] = (64, 64)
    layers: tuple[int, ...] = (64, 32)

    def __post_init__(self) -> None:
        for name in ("memories", "layers"):
            sizes = as_tuple(getattr(self, name), name=name)
            for size in sizes:
                require_integer(size, name=f"each size of {name}", low=1)
            object.__setattr__(self, name, tuple(int(size) for size in sizes))
        if not self.memories:
            raise InvalidArgument(needs="a memory or more", found="memories is empty")
        found = self.num_parameters(inputs=1, classes=1)
        if found > MOST:
            raise InvalidArgument(
                needs=f"at most {MOST:,} parameters", found=f"there are {counted(found)}"
            )

    def num_parameters(self, *, inputs: int, classes: int) -> int:
        """Return how many numbers are learned."""
        kept = sum(
            GATES * size * (before + size + 1)
            for before, size in pairwise((inputs, *self.memories))
        )
        sizes = (self.memories[-1], *self.layers, classes)
        return kept + sum((before + 1) * size for before, size in pairwise(sizes))


@dataclass(frozen=True, eq=False)
class ClassReading:
    """What a network says about ``L`` moments of ``S`` sequences.

    Attributes:
        probabilities (L, S, classes): Of what comes next.
        memory (S, M): After the last moment.
    """

    probabilities: FloatArray
    memory: NDArray[np.float32]


@checked
class SequenceClassifier:
    """Learns to name what comes next in sequences, by the likelihood of what came.

    Args:
        inputs: Numbers seen at each moment.
        classes: What may come next.
        shape: Of the network.
        step_size: Of Adam.
        max_gradient_norm: Longer gradients are scaled down to it.
        device: Where it computes.
        rng: Draws the first weights: orthogonal; biases are 0, those of forget gates 1.

    >>> rng = np.random.default_rng(1)
    >>> shape = RecurrentShape(memories=(4,), layers=())
    >>> learner = SequenceClassifier(inputs=1, classes=2, shape=shape, step_size=0.1, rng=rng)
    >>> ones = np.ones((3, 5, 1)), np.ones((3, 5), dtype=int)
    >>> first = learner.learn(*ones)["loss/cross entropy"]
    >>> learner.learn(*ones)["loss/cross entropy"] < first
    True
    """

    def __init__(
        self,
        *,
        inputs: Count,
        classes: Count,
        shape: RecurrentShape,
        step_size: Positive = 1e-3,
        max_gradient_norm: Positive = 1.0,
        device: Device = Device.CPU,
        rng: np.random.Generator,
    ) -> None:
        require_instance(shape, RecurrentShape, name="shape")
        self.shape = shape
        self.num_inputs = inputs
        self.device = torch_device(device)
        self.parts = _modules(inputs, classes, shape).to_empty(device=self.device)
        _draw(self.parts, rng)
        lay_out(self.parts)
        # torch adds two biases in each gate, of which one is enough.
        learned = [each for each in self.parts.named_parameters() if each[1].requires_grad]
        self._names = [name for name, _ in learned]
        self.parameters = [own for _, own in learned]
        self.optimizer = Adam([self], step_size=step_size)
        self._max_gradient_norm = max_gradient_norm

    def learn(self, inputs: NDArray[Any], classes: NDArray[Any]) -> dict[str, float]:
        """Step uphill on the likelihood of what came; memories begin empty.

        Args:
            inputs (L, S, inputs): What is seen at each moment, numbers of any type.
            classes (L, S): What came next.

        Returns:
            "loss/cross entropy", in nats a moment; "accuracy" before the step; "gradient norm".

        Raises:
            Broken: If a quantity becomes infinite or no number.
        """
        seen, came = self._tensor(inputs, torch.float32), self._tensor(classes, torch.int64)
        outputs, _ = self._outputs(seen, self.blank_memory(seen.shape[1]))
        loss = nn.functional.cross_entropy(outputs.flatten(0, 1), came.flatten())
        for each in self.parameters:
            each.grad = None
        loss.backward()
        metrics = gradient_step(
            self.optimizer,
            {"classifier": self},
            {"loss/cross entropy": float(loss.detach())},
            max_gradient_norm=self._max_gradient_norm,
        )
        right = (outputs.detach().argmax(dim=-1) == came).float().mean()
        return {**metrics, "accuracy": float(right)}

    @torch.no_grad()
    def read(self, inputs: NDArray[Any], memory: NDArray[np.float32] | None = None) -> ClassReading:
        """Say how likely each class is next, at ``L`` moments of ``S`` sequences.

        Args:
            inputs (L, S, inputs): What is seen at each moment.
            memory (S, M): Before the first moment; None if nothing was seen.
        """
        seen = self._tensor(inputs, torch.float32)
        before = self.blank_memory(seen.shape[1])
        if memory is not None:
            before = self._tensor(memory, torch.float32)
        outputs, after = self._outputs(seen, before)
        shares = torch.softmax(outputs.double(), dim=-1)
        return ClassReading(array_of(shares), array_of(after))

    def blank_memory(self, sequences: int) -> torch.Tensor:
        """Return what is remembered before the first moment: zeros, (sequences, M)."""
        return torch.zeros(sequences, 2 * sum(self.shape.memories), device=self.device)

    @property
    def gradients(self) -> list[torch.Tensor]:
        """Of each parameter."""
        return gradients_of(self.parameters)

    def named(self, vectors: Sequence[torch.Tensor]) -> dict[str, NDArray[Any]]:
        """Return what tensors say of each parameter, as copies by name."""
        return {name: array_of(own) for name, own in zip(self._names, vectors, strict=True)}

    def put(self, vectors: Sequence[torch.Tensor], given: Mapping[str, NDArray[Any]]) -> None:
        """Write into tensors what ``named`` returned."""
        put_arrays(dict(zip(self._names, vectors, strict=True)), given)
        lay_out(self.parts)

    def snapshot(self) -> dict[str, Any]:
        """Return all that is needed to continue exactly, as copies."""
        return {"parts": self.named(self.parameters), "optimizer": self.optimizer.snapshot()}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go back to a snapshot of one of the same shape.

        Raises:
            InvalidArgument: If it is of another shape.
        """
        require_shapes(self.named(self.parameters), snapshot["parts"])
        self.put(self.parameters, snapshot["parts"])
        self.optimizer.restore(snapshot["optimizer"])

    def _outputs(
        self, values: torch.Tensor, memory: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return what the last layer says, (L, S, classes), and memory after the last moment."""
        after: list[torch.Tensor] = []
        start = 0
        for number, size in enumerate(self.shape.memories):
            halves = memory[None, :, start : start + 2 * size].split(size, dim=-1)
            start += 2 * size
            values, (short, long) = self.parts[f"memory{number}"](
                values, tuple(half.contiguous() for half in halves)
            )
            after += [short[0], long[0]]
        for number in range(len(self.shape.layers)):
            values = torch.relu(self.parts[f"layer{number}"](values))
        return self.parts["output"](values), torch.cat(after, dim=-1)

    def _tensor(self, values: NDArray[Any], dtype: torch.dtype) -> torch.Tensor:
        return torch.from_numpy(np.array(values)).to(device=self.device, dtype=dtype)


def _modules(inputs: int, classes: int, shape: RecurrentShape) -> nn.ModuleDict:
    """Return the layers without weights, so that nothing is drawn from torch's own generator."""
    parts = nn.ModuleDict()
    for number, (before, size) in enumerate(pairwise((inputs, *shape.memories))):
        parts[f"memory{number}"] = nn.LSTM(before, size, device="meta")
    sizes = (shape.memories[-1], *shape.layers)
    for number, (before, size) in enumerate(pairwise(sizes)):
        parts[f"layer{number}"] = nn.Linear(before, size, device="meta")
    parts["output"] = nn.Linear(sizes[-1], classes, device="meta")
    return parts


@torch.no_grad()
def _draw(parts: nn.ModuleDict, rng: np.random.Generator) -> None:
    for name, part in parts.items():
        for kind, parameter in part.named_parameters():
            if kind.startswith("bias"):
                parameter.zero_()
                if kind.startswith("bias_hh"):
                    parameter.requires_grad = False
                elif kind.startswith("bias_ih"):  # input, forget, candidate, output
                    parameter.chunk(GATES)[1].fill_(1.0)
                continue
            blocks = parameter.chunk(GATES) if isinstance(part, nn.LSTM) else (parameter,)
            scale = 1.0 if isinstance(part, nn.LSTM) else HIDDEN_SCALE
            for block in blocks:
                rows, columns = block.shape
                drawn = orthogonal(rows, columns, rng)
                block.copy_(torch.from_numpy((OUTPUT_SCALE if name == "output" else scale) * drawn))
