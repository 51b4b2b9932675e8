"""Devices: where networks live and are multiplied."""

from enum import Enum

import torch

from gametheory_core.arguments import require_member
from gametheory_core.errors import InvalidArgument


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
