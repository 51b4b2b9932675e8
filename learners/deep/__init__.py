"""Learners with neural networks; needs torch."""

from gametheory_core.errors import MissingDependency

try:
    import torch as _torch
except ImportError as error:
    raise MissingDependency(
        "learners.deep: needs torch, but it is not installed. "
        "Run pip install 'gametheory-core[deep]'."
    ) from error

__all__: list[str] = []
del _torch
