"""Gradient steps: clipped, and refused where a number is infinite or none.

Devices: where networks live and are multiplied.

Snapshots of networks and optimizers: torch's state as plain data, bit for bit, and back.
"""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gametheory_core.arguments import require_member
from gametheory_core.errors import InvalidArgument
from learners.deep.networks import Network


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
    networks: Mapping[str, Network],
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


PlainState: TypeAlias = dict[str, Any]


def array_of(tensor: torch.Tensor) -> NDArray[Any]:
    """Return a copy of a tensor as an array of the same numbers."""
    return np.array(tensor.detach().cpu().numpy(), copy=True)


def module_state(parts: nn.Module) -> PlainState:
    """Return all parameters of a network by name, as arrays."""
    return {name: array_of(tensor) for name, tensor in parts.state_dict().items()}


def restore_module(parts: nn.Module, state: Mapping[str, Any]) -> None:
    """Give a network the parameters of another of the same shape.

    Raises:
        InvalidArgument: If a parameter is missing, or has another shape; names it.
    """
    own = {name: tuple(tensor.shape) for name, tensor in parts.state_dict().items()}
    given = {name: tuple(np.shape(value)) for name, value in state.items()}
    for name in sorted(own.keys() | given.keys()):
        if own.get(name) != given.get(name):
            raise InvalidArgument(
                needs=f"{name!r} of shape {own.get(name)}",
                found=f"the snapshot has {given.get(name)}",
                remedy="Make the learner with the options it had.",
                where="restore",
            )
    parts.load_state_dict(
        {name: torch.from_numpy(np.array(value)) for name, value in state.items()}
    )


def optimizer_state(optimizer: torch.optim.Optimizer) -> PlainState:
    """Return what an optimizer remembers of each parameter, and its step sizes."""
    state: dict[int, dict[str, Any]] = optimizer.state_dict()["state"]
    return {
        "moments": {
            str(number): {
                name: array_of(value) if isinstance(value, torch.Tensor) else value
                for name, value in moments.items()
            }
            for number, moments in state.items()
        },
        "step_sizes": [float(group["lr"]) for group in optimizer.param_groups],
    }


def restore_optimizer(optimizer: torch.optim.Optimizer, state: Mapping[str, Any]) -> None:
    """Let an optimizer of the same kind and network go on where another stood."""
    whole = optimizer.state_dict()
    whole["state"] = {
        int(number): {
            name: torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray) else value
            for name, value in moments.items()
        }
        for number, moments in state["moments"].items()
    }
    for group, step_size in zip(whole["param_groups"], state["step_sizes"], strict=True):
        group["lr"] = step_size
    optimizer.load_state_dict(whole)
