"""Trees of splits on observations, grown by a search and written down depth first."""

from dataclasses import dataclass, field
from typing import Any

LEAF = -1


@dataclass
class SplitTree:
    """A tree under construction; nodes are numbered in the order in which they were made.

    Attributes:
        patterns: What is fixed at each node.
        bounds: What is known about each node.
        splits: The observation that a node is split on, or ``LEAF``.
    """

    patterns: list[Any] = field(default_factory=list[Any])
    bounds: list[float] = field(default_factory=list[float])
    splits: list[int] = field(default_factory=list[int])
    children: list[range] = field(default_factory=list[range])

    def add(self, pattern: Any, bound: float) -> int:
        """Append a leaf and return its number."""
        self.patterns.append(pattern)
        self.bounds.append(bound)
        self.splits.append(LEAF)
        self.children.append(range(0))
        return len(self.splits) - 1

    def split(self, node: int, observation: int, patterns: Any, bounds: Any) -> range:
        """Split a leaf on an observation and return its children."""
        first = len(self.splits)
        for pattern, bound in zip(patterns, bounds, strict=True):
            self.add(pattern, float(bound))
        self.splits[node] = observation
        self.children[node] = range(first, len(self.splits))
        return self.children[node]

    def order(self) -> list[int]:
        """Return all nodes depth first, children in order."""
        waiting, found = [0], list[int]()
        while waiting:
            node = waiting.pop()
            found.append(node)
            waiting += reversed(self.children[node])
        return found

    def written(self) -> tuple[int, ...]:
        """Return the splits depth first, as certificates hold them."""
        return tuple(self.splits[node] for node in self.order())

    def leaves(self) -> list[int]:
        """Return the leaves depth first."""
        return [node for node in self.order() if self.splits[node] == LEAF]
