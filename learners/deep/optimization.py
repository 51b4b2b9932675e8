"""Gradient steps: clipped, and refused where a number is infinite or none.

Devices: where networks live and are multiplied.

An optimizer whose state comes as plain data, bit for bit, and back.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, Protocol

import numpy as np
import torch

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
    optimizer: torch.optim.Optimizer,
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
        Broken: If a loss, the gradient, or a parameter after the step is not finite.
    """
    factors = weights or {}
    metrics = {name: require_finite(name, loss) for name, loss in losses.items()}
    total = sum(
        (factors.get(name, 1.0) * loss for name, loss in losses.items()), start=torch.zeros(())
    )
    optimizer.zero_grad(set_to_none=True)
    total.backward()
    parameters = [each for network in networks.values() for each in network.parameters]
    longest = float("inf") if max_gradient_norm is None else max_gradient_norm
    norm = torch.nn.utils.clip_grad_norm_(parameters, longest)
    metrics["gradient norm"] = require_finite("gradient norm", norm)
    optimizer.step()
    for name, network in networks.items():
        require_finite(f"parameters/{name}", _largest(network.parameters))
    return metrics


def _largest(parameters: Iterable[torch.Tensor]) -> torch.Tensor:
    return torch.stack([each.detach().abs().max() for each in parameters]).max()


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


class Adam(torch.optim.Adam):
    """An optimizer that can be stopped and continued exactly."""

    def snapshot(self) -> dict[str, Any]:
        """Return what is remembered of each parameter, and the step sizes."""
        state: dict[int, dict[str, Any]] = self.state_dict()["state"]
        return {
            "moments": {
                str(number): {
                    name: array_of(value) if isinstance(value, torch.Tensor) else value
                    for name, value in moments.items()
                }
                for number, moments in state.items()
            },
            "step_sizes": [float(group["lr"]) for group in self.param_groups],
        }

    def restore(self, snapshot: Mapping[str, Any]) -> None:
        """Go on where an optimizer of the same network stood."""
        whole = self.state_dict()
        whole["state"] = {
            int(number): {
                name: torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray) else value
                for name, value in moments.items()
            }
            for number, moments in snapshot["moments"].items()
        }
        for group, step_size in zip(whole["param_groups"], snapshot["step_sizes"], strict=True):
            group["lr"] = step_size
        self.load_state_dict(whole)
