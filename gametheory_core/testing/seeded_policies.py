"""Random policies that remember everything, each told by one number."""

import hashlib
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.arrays import ONE
from gametheory_core.distributions import Distribution
from gametheory_core.games.information_states import InformationState, last_observation
from gametheory_core.games.rules import Rules
from gametheory_core.strategies.policies import PolicyProfile

LARGEST_SEED = 2**31 - 1


@dataclass(frozen=True)
class SeededPolicy:
    """A policy drawn by hashing the seed with the information state.

    Seed 0 plays the first legal action always. With another seed, about every third information
    state has a pure choice, and the others weights in quarters, thirds and the like; what is
    played depends on all that the player has seen and done. The same on every machine, if labels
    have a repr that is.

    Attributes:
        game: Says what is legal.
        seed: At least 0.
    """

    game: Rules = field(repr=False)
    player: int
    seed: int

    def __getitem__(self, information_state: InformationState, /) -> Distribution[Any]:
        """Return the law of the next action."""
        legal = self.game.legal_actions(self.player, last_observation(information_state))
        if self.seed == 0:
            return Distribution(((legal[0], ONE),))
        text = repr((self.seed, self.player, information_state)).encode()
        drawn = list(hashlib.shake_128(text).digest(2 + len(legal)))
        pure, chosen = drawn[0] % 3 == 0, drawn[1] % len(legal)
        weights = [0 if pure else byte % 3 for byte in drawn[2:]]
        weights[chosen] += 1  # so the sum is positive
        total = sum(weights)
        return Distribution(
            tuple((a, Fraction(w, total)) for a, w in zip(legal, weights, strict=True) if w)
        )


def random_policies(game: Rules, *, rng: np.random.Generator) -> PolicyProfile:
    """Draw a policy for each player of a POSG or an AEC game: exact, history-dependent.

    >>> from gametheory_core import load_game
    >>> game = load_game("random_order_team")
    >>> profile = random_policies(game, rng=np.random.default_rng(0))
    >>> len(profile)
    2
    """
    return tuple(
        SeededPolicy(game, player, int(rng.integers(1, LARGEST_SEED)))
        for player in range(len(game.players))
    )
