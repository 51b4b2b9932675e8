"""Who learns a seat of a game with trade, by Q-learning or PPO, and who plays what was learned."""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from learners.batch import BatchedEnvironment
from learners.frozen import FrozenPolicy
from learners.options import AtOnce, Count, CountFromZero, NotNegative, Positive, Share, kind_of
from learners.protocol import Learner
from learners.streams import drawn_actions
from learners.tabular.exploration import EpsilonGreedy
from learners.tabular.rules import Episodes
from learners.tabular.temporal_difference import QLearning


class TradeLearner(Protocol):
    """How one of the two learns."""

    @property
    def iterations(self) -> int:
        """How many are made."""
        ...

    def on(self, environment: BatchedEnvironment, rng: np.random.Generator) -> Learner:
        """Return the learner on a seat."""
        ...


@kind_of(TradeLearner)
class TradeQ:
    """Q-learning in a table, for trades alone.

    Attributes:
        iterations, episodes: ``iterations`` of so many episodes.
        step_size: In (0, 1].
        exploration: How likely an answer is drawn at random.
        discount: Of rewards after the next bullet has come; with 0 each bullet counts for itself.
    """

    iterations: CountFromZero = 40
    episodes: AtOnce = 10
    step_size: Share = 0.02
    exploration: Share = 0.5
    discount: Share = 0.0

    def on(self, environment: BatchedEnvironment, rng: np.random.Generator) -> QLearning:
        """Return the learner on a seat."""
        return QLearning(
            environment,
            rng=rng,
            step_size=self.step_size,
            exploration=EpsilonGreedy(self.exploration),
            discount=self.discount,
            iteration=Episodes(self.episodes),
        )


@kind_of(TradeLearner)
class TradePPO:
    """PPO with networks, for trades and moves; the paper's table 4 by default.

    Attributes:
        iterations, steps: ``iterations`` of so many steps on each machine.
        step_size: Of Adam.
        hidden: Sizes of hidden layers.
        discount, trace, clip, entropy_weight, epochs, minibatches: As for ``PPO``.
    """

    iterations: CountFromZero = 1000
    steps: Count = 100
    step_size: Positive = 1e-3
    hidden: tuple[int, ...] = (256, 256)
    discount: Share = 0.99
    trace: Share = 0.95
    clip: Positive = 0.1
    entropy_weight: NotNegative = 0.01
    epochs: Count = 10
    minibatches: Count = 50

    def on(self, environment: BatchedEnvironment, rng: np.random.Generator) -> Learner:
        """Return the learner on a seat."""
        from learners.deep import PPO, NetworkShape  # noqa: PLC0415 needs torch

        return PPO(
            environment,
            rng=rng,
            network=NetworkShape(hidden=self.hidden),
            steps=self.steps,
            step_size=self.step_size,
            discount=self.discount,
            trace=self.trace,
            clip=self.clip,
            entropy_weight=self.entropy_weight,
            epochs=self.epochs,
            minibatches=self.minibatches,
        )


@dataclass(eq=False)
class FrozenSeat:
    """Decides as a policy that was learned.

    Attributes:
        moves: Whether it moves its ship too.
        policy: A table, or networks without a memory; exchanged when something else is learned.
    """

    moves: bool
    policy: FrozenPolicy

    def choose(self, observation: Any, legal: NDArray[np.bool_], rng: np.random.Generator) -> int:
        """Draw an action's number."""
        if isinstance(self.policy, np.ndarray):
            shares = self.policy[[int(observation)]]
        else:
            blank = np.zeros((1, self.policy.memory_width), dtype=np.float32)
            shares, _ = self.policy.shares(observation[None], np.full(1, -1), legal[None], blank)
        return int(drawn_actions(shares, rng.random(1))[0])
