"""Snapshots of networks and optimizers: torch's state as plain data, bit for bit, and back."""

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from gametheory_core.errors import InvalidArgument
from learners.batch import BatchTurn

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


_TURN = (
    "observations",
    "legal",
    "acts",
    "rewards",
    "is_terminal",
    "is_truncated",
    "final_observations",
)


def turn_state(turn: BatchTurn) -> PlainState:
    """Return a moment of play as plain data."""
    return {name: np.array(getattr(turn, name), copy=True) for name in _TURN}


def restored_turn(state: Mapping[str, Any]) -> BatchTurn:
    """Return the moment of play that was written down."""
    return BatchTurn(**{name: np.array(state[name], copy=True) for name in _TURN})
