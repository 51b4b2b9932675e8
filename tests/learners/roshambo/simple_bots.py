"""Bots with a strategy of one line."""

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass
class Scripted:
    """Throws what a list says, again and again."""

    script: Any

    def reset(self, seed):
        pass

    def throw(self, own, other):
        return int(self.script[len(own) % len(self.script)])


class Drawn:
    """Throws at random."""

    def reset(self, seed):
        self.rng = np.random.default_rng(seed)

    def throw(self, own, other):
        return int(self.rng.integers(3))


class Copying:
    """Throws what the other threw last."""

    def reset(self, seed):
        pass

    def throw(self, own, other):
        return int(other[-1]) if len(other) else 0
