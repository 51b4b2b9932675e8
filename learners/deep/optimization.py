"""Gradient steps: clipped, and refused where a number is infinite or none.

Devices: where networks live and are multiplied.

An optimizer whose state comes as plain data, bit for bit, and back.
"""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Any, Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.utils import get_total_norm
from torch.optim.adam import adam

from gametheory_core.arguments import require_member
from gametheory_core.errors import InvalidArgument

_NOT_ZERO = 1e-6  # added to lengths that are divided by


class Parameterized(Protocol):
    """What gradients move: numpy's vectors, or torch's tensors."""

    @property
    def parameters(self) -> Sequence[Any]:
        """All of them, in a fixed order."""
        ...

    @property
    def gradients(self) -> Sequence[Any]:
        """Of each of them, as found last."""
        ...

    def named(self, vectors: Sequence[Any]) -> dict[str, NDArray[Any]]:
        """Return what vectors like the parameters say of each, as copies by name."""
        ...

    def put(self, vectors: Sequence[Any], given: Mapping[str, NDArray[Any]]) -> None:
        """Write into such vectors what ``named`` returned."""
        ...


class Broken(ArithmeticError):
    """A quantity of an update became infinite or no number.

    Learners hand it on as their metrics, so that ``train`` stops and names it.

    Attributes:
        quantity: Which, as metrics are named: "loss/value", "gradient norm", "parameters/policy".
        value: What it became.
    """

    def __init__(self, quantity: str, value: float) -> None:
        super().__init__(f"{quantity} became {value}")
        self.quantity = quantity
        self.value = value


def require_finite(quantity: str, number: float) -> None:
    """Refuse a number that is infinite, or none.

    Raises:
        Broken: Names the quantity.
    """
    if not abs(number) < float("inf"):
        raise Broken(quantity, number)


@np.errstate(all="ignore")  # what breaks is named
def gradient_step(
    optimizer: "Adam",
    moved: Mapping[str, Parameterized],
    losses: Mapping[str, float],
    *,
    max_gradient_norm: float | None,
) -> dict[str, float]:
    """Step downhill along the gradients that were found.

    Args:
        optimizer: Of all that is moved.
        moved: Name, such as "policy" -> layers.
        losses: Name of a quantity, such as "loss/value" -> what it was.
        max_gradient_norm: The gradient of all together is scaled down to this length; None leaves
            it.

    Returns:
        The losses, and "gradient norm" before scaling.

    Raises:
        Broken: If a loss, or the length of the gradient or of parameters after the step, is not
            finite.
    """
    for name, loss in losses.items():
        require_finite(name, loss)
    gradients = [each for layers in moved.values() for each in layers.gradients]
    norm = _length(gradients)
    require_finite("gradient norm", norm)
    if max_gradient_norm is not None and norm > max_gradient_norm:
        for k in range(len(gradients)):
            gradients[k] *= max_gradient_norm / (norm + _NOT_ZERO)
    optimizer.step()
    for name, layers in moved.items():
        require_finite(f"parameters/{name}", _length(layers.parameters))
    return {**losses, "gradient norm": norm}


def _length(vectors: Sequence[Any]) -> float:
    if isinstance(vectors[0], torch.Tensor):
        with torch.no_grad():
            return float(get_total_norm(vectors))
    return float(np.sqrt(sum(each @ each for each in vectors)))


class Device(Enum):
    """On what a learner computes.

    Attributes:
        CPU: The processor; the same numbers every time on one thread.
        CUDA: A graphics card.
        AUTO: A graphics card where there is one, else the processor.
    """

    CPU = "cpu"
    CUDA = "cuda"
    AUTO = "auto"


def torch_device(device: Device) -> torch.device:
    """Return what torch calls a device.

    Raises:
        InvalidArgument: If it is no ``Device``, or there is no graphics card and one is asked for.
    """
    require_member(device, Device, name="device")
    found = torch.cuda.is_available()
    if device is Device.CUDA and not found:
        raise InvalidArgument(
            needs="a graphics card for Device.CUDA",
            found="torch sees none",
            remedy="Take Device.AUTO, which uses one where there is one.",
        )
    return torch.device("cpu" if device is Device.CPU or not found else "cuda")


class Adam:
    """Steps downhill by moments of gradients; can be stopped and continued exactly.

    Args:
        moved: All that it moves, of one kind.
        floor: Added to the root of the second moment.

    Attributes:
        step_size (float)
        memory: Of the first moment and the second.
        made (int): Steps made.

    Source: :cite:`kingma2015adam`.
    """

    def __init__(
        self, moved: Iterable[Parameterized], *, step_size: float, floor: float = 1e-8
    ) -> None:
        self.step_size = step_size
        self.memory = (0.9, 0.999)
        self.made = 0
        self._floor = floor
        self._moved = tuple(moved)
        self._first, self._second = self._zeros(), self._zeros()

    def _zeros(self) -> list[list[Any]]:
        return [
            [
                torch.zeros_like(each) if isinstance(each, torch.Tensor) else np.zeros_like(each)
                for each in own.parameters
            ]
            for own in self._moved
        ]

    def step(self) -> None:
        """Move the parameters by their gradients."""
        self.made += 1
        for own, firsts, seconds in zip(self._moved, self._first, self._second, strict=True):
            step = self._torch_step if isinstance(firsts[0], torch.Tensor) else self._plain_step
            step(own.parameters, own.gradients, firsts, seconds)

    def _plain_step(
        self,
        parameters: Sequence[Any],
        gradients: Sequence[Any],
        firsts: Sequence[Any],
        seconds: Sequence[Any],
    ) -> None:
        decay, second_decay = self.memory
        root = (1 - second_decay**self.made) ** 0.5
        size = self.step_size / (1 - decay**self.made)
        for weights, gradient, first, second in zip(
            parameters, gradients, firsts, seconds, strict=True
        ):
            room = gradient - first
            room *= 1 - decay
            np.add(first, room, out=first)
            np.multiply(gradient, gradient, out=room)
            room *= 1 - second_decay
            np.multiply(second, second_decay, out=second)
            np.add(second, room, out=second)
            np.sqrt(second, out=room)
            room /= root
            room += self._floor
            np.divide(first, room, out=room)
            room *= size
            np.subtract(weights, room, out=weights)

    @torch.no_grad()
    def _torch_step(
        self,
        parameters: Sequence[Any],
        gradients: Sequence[Any],
        firsts: Sequence[Any],
        seconds: Sequence[Any],
    ) -> None:
        before = torch.full((len(parameters),), self.made - 1.0, device=parameters[0].device)
        adam(
            list(parameters),
            list(gradients),
            list(firsts),
            list(seconds),
            [],
            list(before.unbind()),
            foreach=False,
            fused=True,
            amsgrad=False,
            beta1=self.memory[0],
            beta2=self.memory[1],
            lr=self.step_size,
            weight_decay=0.0,
            eps=self._floor,
            maximize=False,
        )

    def snapshot(self) -> dict[str, Any]:
        """Return what is remembered of each parameter, and the step size."""
        kept = {
            name: [own.named(each) for own, each in zip(self._moved, moments, strict=True)]
            for name, moments in (("first", self._first), ("second", self._second))
        }
        return {**kept, "made": self.made, "step_size": self.step_size}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on where an optimizer of the same network stood."""
        for name, moments in (("first", self._first), ("second", self._second)):
            for own, each, given in zip(self._moved, moments, snapshot[name], strict=True):
                own.put(each, given)
        self.made = int(snapshot["made"])
        self.step_size = float(snapshot["step_size"])
