"""Learners with neural networks; needs torch."""

from importlib.util import find_spec

from gametheory_core.errors import MissingDependency

if find_spec("torch") is None:
    raise MissingDependency(
        "learners.deep: needs torch, but it is not installed. "
        "Run pip install 'gametheory-core[deep]'."
    )

__all__: list[str] = []
