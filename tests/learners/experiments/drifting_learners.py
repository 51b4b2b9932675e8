"""Learners to test experiments with: their tables drift at random, and they may break or dawdle."""

import time
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core import policy_from
from gametheory_core.games.rules import last_observation
from learners import BatchedEnvironment
from learners.policies import mixed_action, observed_policy
from learners.protocol import Plays, learner
from learners.streams import generator_state, restore_generator


class Pace(Enum):
    QUICK_STEP = "quick"
    SLOW = "slow"


@dataclass(frozen=True)
class Walk:
    """Go in small steps."""

    step: float = 0.1


@dataclass(frozen=True)
class Jump:
    """Go in leaps."""

    far: float
    often: int = 1


@learner(plays=Plays.RULES)
class DriftingLearner:
    """Probabilities of first actions that wander, one a player."""

    def __init__(
        self,
        game: Any,
        *,
        rng: np.random.Generator,
        way: Walk | Jump = Walk(),
        breaks_at: int | None = None,
        seconds: float = 0.0,
        pace: Pace = Pace.QUICK_STEP,
        shares: tuple[Fraction, ...] = (),
    ) -> None:
        del pace, shares
        self._game = game
        self._rng = rng
        self._way = way
        self._breaks_at = breaks_at
        self._seconds = seconds
        self._values = np.full(len(game.players), 0.5)
        self._made = 0

    @property
    def name(self) -> str:
        return "drifting"

    def improve(self):
        time.sleep(self._seconds)
        self._made += 1
        size = self._way.step if isinstance(self._way, Walk) else self._way.far
        steps = self._rng.normal(size=len(self._values)) * size
        self._values = np.clip(self._values + steps, 0.0, 1.0)
        loss = float("nan") if self._made == self._breaks_at else float(self._values[0])
        return {"loss/first": loss, "mean": float(self._values.mean())}

    def policies(self):
        return tuple(self._policy(i, share) for i, share in enumerate(self._values.tolist()))

    def _policy(self, player, share):
        def act(seen):
            legal = self._game.legal_actions(player, last_observation(seen))
            shares = np.zeros(len(legal))
            shares[0], shares[-1] = share, 1 - share
            return mixed_action(legal, shares)

        return policy_from(act)

    def snapshot(self):
        return {
            "values": self._values.copy(),
            "made": self._made,
            "rng": generator_state(self._rng),
        }

    def restore(self, snapshot):
        self._values = snapshot["values"].copy()
        self._made = snapshot["made"]
        restore_generator(self._rng, snapshot["rng"])


class PlayingLearner:
    """Plays uniformly in a batch, and learns nothing."""

    def __init__(self, environment: BatchedEnvironment, *, rng: np.random.Generator) -> None:
        self.environment = environment
        self._rng = rng
        self._turn = environment.reset()

    @property
    def name(self) -> str:
        return "playing"

    def improve(self):
        legal = self._turn.legal
        scores = np.where(legal, self._rng.random(legal.shape), -1)
        self._turn = self.environment.step(scores.argmax(axis=-1))
        return {"reward": float(self._turn.rewards.mean())}

    def policies(self):
        return tuple(
            observed_policy(
                self.environment,
                player,
                lambda seen, p=player: self.environment.legal[p][seen[-1]].astype(float),
            )
            for player in range(len(self.environment.players))
        )

    def snapshot(self):
        turn = {name: getattr(self._turn, name).copy() for name in self._turn.__dict__}
        return {
            "environment": self.environment.snapshot(),
            "turn": turn,
            "rng": generator_state(self._rng),
        }

    def restore(self, snapshot):
        self.environment.restore(snapshot["environment"])
        self._turn = type(self._turn)(**snapshot["turn"])
        restore_generator(self._rng, snapshot["rng"])
