"""Games under a mediator, many episodes at once, with what is seen as features.

A decision is one of two kinds: somebody is to be picked, or everybody acts, one of them as the
leader. Matrix games and the grid of resources are both played this way, so that one learner with
networks learns both.
"""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.mediation.recursion import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot


@dataclass(frozen=True, eq=False)
class LedTurn:
    """One moment of ``E`` episodes of ``N`` agents; arrays are copies.

    Attributes:
        agents (E, N, F): What each agent sees.
        mediator (E, G): What the mediator sees.
        past (E, N): What everybody has been paid so far, transfers and bonus left out.
        picks (E,): Whether a leader is to be picked, before anybody acts.
        leader (E,): Who leads, -1 where nobody does.
        legal (E, N, A): What agents may do; nothing where they need not act.
        rewards, transfers, bonus (E, N): What the step just made paid; what moved among the agents
            after it; what is paid besides for helping the leader. The mediator counts rewards
            alone.
        is_over (E,): Episodes that have ended; nothing happens in them until all begin anew.
    """

    agents: NDArray[np.float64]
    mediator: NDArray[np.float64]
    past: NDArray[np.float64]
    picks: NDArray[np.bool_]
    leader: NDArray[np.int64]
    legal: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    transfers: NDArray[np.float64]
    bonus: NDArray[np.float64]
    is_over: NDArray[np.bool_]


class Deciding(Protocol):
    """Who acts and picks without exploring, given features."""

    def act(
        self, agent: int, shown: NDArray[np.float64], legal: NDArray[np.bool_], *, leads: bool
    ) -> NDArray[np.int64]:
        """Return what an agent does, (B,), where it sees (B, F) and may do (B, A)."""
        ...

    def pick(self, shown: NDArray[np.float64], past: NDArray[np.float64]) -> NDArray[np.int64]:
        """Return whom the mediator picks, (B,), where it sees (B, G) after returns (B, N)."""
        ...


class LedBatch(Protocol):
    """Episodes that begin together, and wait for the last of them to end."""

    @property
    def players(self) -> tuple[str, ...]:
        """Labels of the agents."""
        ...

    @property
    def incentives(self) -> MediatorIncentives:
        """What the mediator is after, and how; at stage ``NAIVE`` features hide the returns."""
        ...

    @property
    def num_episodes(self) -> int:
        """Episodes played at once."""
        ...

    @property
    def num_actions(self) -> int:
        """The most actions of an agent."""
        ...

    @property
    def num_features(self) -> tuple[int, int]:
        """Features of an agent's observation, and of the mediator's."""
        ...

    def reset(self) -> LedTurn:
        """Begin all episodes anew."""
        ...

    def pick(self, leaders: NDArray[np.int64]) -> LedTurn:
        """Let players (E,) lead, where picks are due."""
        ...

    def step(self, actions: NDArray[np.int64]) -> LedTurn:
        """Let agents act, (E, N); ignored where there is nothing to do."""
        ...

    def policies(self, deciding: Deciding) -> PolicyProfile:
        """Return what somebody does as exact policies of the rules, the mediator's last."""
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...
