"""Gradient steps: clipped, and refused where a number is infinite or none.

Devices: where networks live and are multiplied.

An optimizer whose state comes as plain data, bit for bit, and back.
"""

from collections.abc import Mapping
from enum import Enum
from functools import reduce
from typing import Any, Protocol, cast

import numpy as np
import torch
from torch.nn.utils import clip_grads_with_norm_, get_total_norm
from torch.optim.adam import adam

from gametheory_core.arguments import require_member
from gametheory_core.errors import InvalidArgument
from learners.deep.networks import array_of


class Parameterized(Protocol):
    """What gradients move."""

    @property
    def parameters(self) -> list[torch.nn.Parameter]:
        """All of them, in a fixed order."""
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


def require_finite(quantity: str, value: torch.Tensor) -> float:
    """Return the number, or the sum of the numbers, in a tensor.

    Raises:
        Broken: If it is infinite or no number; names the quantity.
    """
    number = float(value.detach().sum())
    if not abs(number) < float("inf"):
        raise Broken(quantity, number)
    return number


def gradient_step(
    optimizer: "Adam",
    networks: Mapping[str, Parameterized],
    losses: Mapping[str, torch.Tensor],
    *,
    weights: Mapping[str, float] | None = None,
    max_gradient_norm: float | None,
) -> dict[str, float]:
    """Step downhill on a weighted sum of losses.

    Args:
        optimizer: Of the networks' parameters.
        networks: Name, such as "policy" -> network.
        losses: Name of a quantity, such as "loss/value" -> number with a gradient.
        weights: Factor on each loss; 1 where not listed.
        max_gradient_norm: The gradient of all networks together is scaled down to this length; None
            leaves it.

    Returns:
        The losses, and "gradient norm" before scaling.

    Raises:
        Broken: If a loss, or the length of the gradient or of a network's parameters after the
            step, is not finite.
    """
    factors = weights or {}
    metrics = {name: require_finite(name, loss) for name, loss in losses.items()}
    weighted = [
        factors[name] * loss if name in factors else loss
        for name, loss in losses.items()
        if factors.get(name) != 0
    ]
    parameters = [each for network in networks.values() for each in network.parameters]
    for each in parameters:
        each.grad = None
    reduce(torch.add, weighted).backward()
    norm = get_total_norm([each.grad for each in parameters if each.grad is not None])
    metrics["gradient norm"] = require_finite("gradient norm", norm)
    if max_gradient_norm is not None and metrics["gradient norm"] > max_gradient_norm:
        clip_grads_with_norm_(parameters, max_gradient_norm, norm)
    optimizer.step()
    for name, network in networks.items():
        require_finite(f"parameters/{name}", get_total_norm(network.parameters))
    return metrics


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
        floor: Added to the root of the second moment.

    Source: :cite:`kingma2015adam`.
    """

    def __init__(
        self, parameters: list[torch.nn.Parameter], *, step_size: float, floor: float = 1e-8
    ) -> None:
        self.step_size = step_size
        self.memory = (0.9, 0.999)  # of the first moment and the second
        self._floor = floor
        self._parameters = parameters
        self._first = [torch.zeros_like(each) for each in parameters]
        self._second = [torch.zeros_like(each) for each in parameters]
        self._counts = [torch.zeros((), device=each.device) for each in parameters]

    @torch.no_grad()
    def step(self) -> None:
        """Move the parameters that have a gradient."""
        held = zip(self._parameters, self._first, self._second, self._counts, strict=True)
        moving = [own for own in held if own[0].grad is not None]
        adam(
            [each for each, *_ in moving],
            [cast("torch.Tensor", each.grad) for each, *_ in moving],
            [first for _, first, _, _ in moving],
            [second for _, _, second, _ in moving],
            [],
            [count for *_, count in moving],
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
        kept = {"first": self._first, "second": self._second, "counts": self._counts}
        moments = {name: [array_of(each) for each in own] for name, own in kept.items()}
        return {**moments, "step_size": self.step_size}

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on where an optimizer of the same network stood."""
        kept = {"first": self._first, "second": self._second, "counts": self._counts}
        for name, own in kept.items():
            for tensor, given in zip(own, snapshot[name], strict=True):
                tensor.copy_(torch.from_numpy(np.array(given)))
        self.step_size = float(snapshot["step_size"])
