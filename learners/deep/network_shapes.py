"""How large networks are, what they remember, and with which weights they begin."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, counted, require_integer
from gametheory_core.errors import InvalidArgument
from learners.options import Count, checked

HIDDEN_SCALE = 2.0**0.5
MOST_WEIGHTS = 2**28  # a gibibyte; an optimizer keeps three times that


class Activation(Enum):
    """What is applied to each number between layers."""

    TANH = "tanh"
    RELU = "relu"


class FirstWeights(Enum):
    """With which weights a network begins.

    Attributes:
        ORTHOGONAL: Orthonormal rows or columns, scaled; biases of 0. What policies begin with.
        UNIFORM: Weights and biases even between plus and minus one over the root of the layer's
            inputs. What action values begin with.
    """

    ORTHOGONAL = "orthogonal"
    UNIFORM = "uniform"


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
        refuse_too_many(self, inputs=1, outputs=1)

    @property
    def is_recurrent(self) -> bool:
        """Whether the network has a memory."""
        return self.recurrence is not Recurrence.NONE


def refuse_too_many(shape: NetworkShape, *, inputs: int, outputs: int) -> None:
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


def drawn_weights(
    shapes: Mapping[str, tuple[int, ...]],
    shape: NetworkShape,
    *,
    kind: FirstWeights,
    output_scale: float,
    rng: np.random.Generator,
) -> dict[str, NDArray[Any]]:
    """Draw the first weights of a network; those of labels are zeros, so that all are alike.

    Args:
        shapes: Name, as torch has it -> shape; matrices are (outputs, inputs), but for
            "rows.weight", which is (rows, outputs).
        output_scale: Size of the last layer's orthogonal weights.
    """
    first = sum(
        shapes[name][axis]
        for name, axis in (("rows.weight", 0), ("features.weight", 1))
        if name in shapes
    )
    found: dict[str, NDArray[Any]] = {}
    inputs = first
    for name, size in shapes.items():
        part = name.split(".")[0]
        if part not in {"rows", "features"} and len(size) == 2:
            inputs = size[1]
        if part == "labels":
            found[name] = np.zeros(size)
        elif kind is FirstWeights.UNIFORM:
            found[name] = rng.uniform(-1, 1, size) / inputs**0.5
        elif len(size) == 1:
            found[name] = np.zeros(size)
        elif part == "memory":  # the gates' matrices stand one upon another
            blocks = size[0] // shape.memory_size
            found[name] = np.concatenate(
                [orthogonal(shape.memory_size, size[1], rng) for _ in range(blocks)]
            )
        else:
            is_last = part == "output" or not shape.hidden
            found[name] = (output_scale if is_last else HIDDEN_SCALE) * orthogonal(
                size[0], size[1], rng
            )
    return found


def orthogonal(rows: int, columns: int, rng: np.random.Generator) -> "np.ndarray":
    """Return a matrix whose rows, or columns if fewer, are orthonormal; uniformly drawn."""
    drawn = rng.standard_normal((max(rows, columns), min(rows, columns)))
    basis, triangle = np.linalg.qr(drawn)
    basis = basis * np.sign(np.diag(triangle))
    return basis if rows >= columns else basis.T
