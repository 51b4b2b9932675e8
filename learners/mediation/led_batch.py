"""Games under a mediator, many episodes at once, with what is seen as features.

A decision is one of two kinds: somebody is to be picked, or everybody acts, one of them as the
leader. Matrix games and the grid of resources are both played this way, so that one learner with
networks learns both.

What somebody who does not explore comes to, by playing.

Options that all learners of mediated games share, and what they refuse.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.schedules import Exponential
from solvers.requirements import (
    require_generator,
    require_instance,
    require_integer,
    require_number,
)


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


def greedy_returns(deciding: Deciding, batch: LedBatch) -> NDArray[np.float64]:
    """Play every episode of a batch once without exploring, and return everybody's returns.

    Args:
        deciding: A ``DeepJamQLearning``, for one.
        batch: Of the game that was learned, but not the one that the learner plays on.

    Returns:
        (E, N): Without transfers and bonus.
    """
    turn = batch.reset()
    while not turn.is_over.all():
        due = np.flatnonzero(turn.picks)
        if len(due):
            leaders = np.full(len(turn.picks), -1, dtype=np.int64)
            leaders[due] = deciding.pick(turn.mediator[due], turn.past[due])
            turn = batch.pick(leaders)
        turn = batch.step(_actions(deciding, turn))
    return turn.past


def _actions(deciding: Deciding, turn: LedTurn) -> NDArray[np.int64]:
    episodes, players = turn.past.shape
    actions = np.zeros((episodes, players), dtype=np.int64)
    may = np.asarray(turn.legal.any(axis=2))
    for agent in range(players):
        for leads in (True, False):
            rows = np.flatnonzero(may[:, agent] & (np.equal(turn.leader, agent) == leads))
            if len(rows):
                seen, legal = turn.agents[rows, agent], turn.legal[rows, agent]
                actions[rows, agent] = deciding.act(agent, seen, legal, leads=leads)
    return actions


ANNEALED = Exponential(0.5, 0.01, steps=20_000)  # the rates of the paper, by episodes


def require_learning_options(game: object, step_size: Any, block: Any, rng: object) -> None:
    """Refuse options that make no sense.

    Raises:
        InvalidArgument: Names the option.
    """
    require_instance(game, MediatedGame, name="game")
    require_number(step_size, name="step_size", above=0, high=1)
    require_integer(block, name="block", low=1)
    require_rng(rng)


def require_rng(rng: object) -> None:
    """Refuse anything but a generator of random numbers.

    Raises:
        InvalidArgument: Says how to make one.
    """
    if rng is None:
        raise InvalidArgument(
            needs="rng", found="got None", remedy="Give rng=numpy.random.default_rng(seed)."
        )
    require_generator(rng)
