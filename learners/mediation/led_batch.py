"""Games under a mediator, many episodes at once, with what is seen as features.

A decision is one of two kinds: somebody is to be picked, or everybody acts, one of them as the
leader. Matrix games, whose features are step, state and returns, and the grid of resources are both
played this way, so that one learner with networks learns both.
"""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.fairness import Fairness, FairnessKind, MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.batch import Snapshot
from learners.mediation.turns import profile_policies
from learners.options import AtOnce, checked
from learners.schedules import Exponential
from learners.snapshots import Kept
from solvers.requirements import require_instance


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

    def reset(self, *, astray: float = 0.0) -> LedTurn:
        """Begin all episodes anew; each, with probability ``astray``, where play need not lead."""
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

    def anew(
        self,
        *,
        episodes: int | None = None,
        stage: MediatorStage | None = None,
        rng: np.random.Generator | None = None,
    ) -> "LedBatch":
        """Return other episodes of the same game; by default as many, at the same stage.

        Without ``rng`` they share the chance of these, which are not to be played any more.
        """
        ...

    def snapshot(self) -> Snapshot:
        """Return all that is needed to go on exactly from here."""
        ...

    def restore(self, snapshot: Snapshot) -> None:
        """Go back to a snapshot."""
        ...


def fairness_of_floats(fairness: Fairness, vectors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return how fair vectors (..., N) are; below disagreement, by Nash, what the worst off lacks.

    >>> from gametheory_core.mediation import MINIMUM
    >>> fairness_of_floats(MINIMUM, np.array([[5.0, 1.0], [4.0, 4.0]])).tolist()
    [1.0, 4.0]
    """
    if fairness.kind is FairnessKind.MINIMUM:
        return vectors.min(axis=-1)
    if fairness.kind is FairnessKind.GINI:
        weights = np.array([float(weight) for weight in fairness.weights])
        return (np.sort(vectors, axis=-1) * weights).sum(axis=-1)
    least = np.array([float(own) for own in fairness.disagreement or (0,) * vectors.shape[-1]])
    gains = vectors - least
    lowest = gains.min(axis=-1)
    return np.where(lowest < 0, lowest, gains.prod(axis=-1))


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


@checked
class MediatedBatch(Kept):
    """Episodes of a mediated game without a discount; a ``LedBatch``.

    Agents and mediator see which step it is, the state, and the returns so far (own first) over the
    largest that there can be; at stage ``NAIVE``, no returns.

    Args:
        incentives: Of the mediator; says what moves among the agents at the end.
        episodes: Played at once.

    Raises:
        InvalidArgument: If an option makes no sense, or the game has a discount.
        UnsupportedGame: If the nodes are too many, or transfers are wanted and nobody knows which
            step is the last.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> chicken = MediatedBatch(mediated_chicken(), episodes=2, rng=np.random.default_rng(0))
    >>> turn = chicken.reset()
    >>> turn = chicken.pick(np.array([0, 1]))
    >>> chicken.step(np.zeros((2, 2), dtype=np.int64)).rewards.tolist()
    [[7.0, 2.0], [2.0, 7.0]]
    """

    KEPT = ("_node", "_leader", "_returns", "_rng")
    UNCHECKED = ("rng",)

    def __init__(
        self,
        game: MediatedGame,
        *,
        incentives: MediatorIncentives | None = None,
        episodes: AtOnce,
        rng: np.random.Generator,
    ) -> None:
        from learners.mediation.led_play import led_game  # noqa: PLC0415 loads numba

        require_instance(game, MediatedGame, name="game")
        if game.discount != 1:
            raise InvalidArgument(
                needs="a game without a discount",
                found=f"it is {game.discount}",
                remedy="Use JamQLearning.",
            )
        self.incentives = incentives or MediatorIncentives()
        self.game = game
        self.players = game.players
        self.num_episodes = episodes
        self.num_actions = game.max_actions
        self._led = led_game(game, self.incentives, memory=Memory.HISTORY)
        self._rng = rng
        self._node = np.full(episodes, -1, dtype=np.int64)
        self._leader = np.full(episodes, -1, dtype=np.int64)
        self._returns = np.zeros((episodes, len(self.players)))
        self._shown_agents, self._shown_mediator = self._features()
        self.num_features = (self._shown_agents.shape[2], self._shown_mediator.shape[1])

    def _features(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return what agents and mediator see at each node, and last, at the end: zeros."""
        led, players = self._led, len(self.players)
        nodes, steps = led.first[-1], len(led.histories.layers)
        shown = np.zeros((nodes + 1, steps + self.game.num_states))
        for step, (start, end) in enumerate(pairwise(led.first)):
            shown[start:end, step] = 1.0
            states = led.histories.layers[step].states
            shown[np.arange(start, end), steps + states] = 1.0
        past = np.zeros((nodes + 1, players))
        past[:-1] = led.table.past
        past /= max(1.0, float(np.abs(past).max()))
        order = (np.arange(players)[:, None] + np.arange(players)) % players
        agents = np.concatenate(
            [np.repeat(shown[:, None], players, axis=1), past[:, order]], axis=2
        )
        return agents, np.concatenate([shown, past], axis=1)

    # Play

    def reset(self, *, astray: float = 0.0) -> LedTurn:
        """Begin all episodes; those that go astray are at any node."""
        table = self._led.table
        places = self._outcomes(table.start_chance[None].repeat(self.num_episodes, axis=0))
        self._node = table.start[places]
        self._leader[:] = -1
        self._returns[:] = 0.0
        if astray > 0:
            rows = np.flatnonzero(self._rng.random(self.num_episodes) < astray)
            self._node[rows] = self._rng.integers(len(table.past), size=len(rows))
            self._returns[rows] = table.past[self._node[rows]]
        return self._turn()

    def pick(self, leaders: NDArray[np.int64]) -> LedTurn:
        """Let players lead, where picks are due."""
        due = (self._leader < 0) & (self._node >= 0)
        self._leader[due] = leaders[due]
        return self._turn()

    def step(self, actions: NDArray[np.int64]) -> LedTurn:
        """Let the leaders act where there are some."""
        table = self._led.table
        rewards = np.zeros((self.num_episodes, len(self.players)))
        transfers = np.zeros_like(rewards)
        acts = np.flatnonzero((self._leader >= 0) & (self._node >= 0))
        where = (self._node[acts], self._leader[acts], actions[acts, self._leader[acts]])
        rewards[acts] = table.rewards[where]
        transfers[acts] = table.transfers[where]
        drawn = self._outcomes(table.chance[where])
        self._returns += rewards
        self._node[acts] = table.child[(*where, drawn)]
        self._leader[acts] = -1
        return self._turn(rewards, transfers)

    def _outcomes(self, cumulative: NDArray[np.float64]) -> NDArray[np.int64]:
        numbers = self._rng.random(len(cumulative))
        passed = (numbers[:, None] >= cumulative).sum(axis=1)
        return np.minimum(passed, cumulative.shape[1] - 1)

    def _turn(
        self,
        rewards: NDArray[np.float64] | None = None,
        transfers: NDArray[np.float64] | None = None,
    ) -> LedTurn:
        is_over = self._node < 0
        leads = (self._leader[:, None] == np.arange(len(self.players))) & ~is_over[:, None]
        nothing = np.zeros((self.num_episodes, len(self.players)))
        return LedTurn(
            agents=self._shown_agents[self._node],
            mediator=self._shown_mediator[self._node],
            past=self._returns.copy(),
            picks=(self._leader < 0) & ~is_over,
            leader=self._leader.copy(),
            legal=self._led.table.legal[self._node] & leads[:, :, None],
            rewards=nothing if rewards is None else rewards,
            transfers=nothing if transfers is None else transfers,
            bonus=nothing,
            is_over=is_over,
        )

    def anew(
        self,
        *,
        episodes: int | None = None,
        stage: MediatorStage | None = None,
        rng: np.random.Generator | None = None,
    ) -> "MediatedBatch":
        """Return other episodes of the same game."""
        return MediatedBatch(
            self.game,
            incentives=replace(self.incentives, stage=stage or self.incentives.stage),
            episodes=episodes or self.num_episodes,
            rng=rng or self._rng,
        )

    # What was learned, exactly

    def profile(self, deciding: Deciding) -> MediatedProfile:
        """Return what somebody does at every node, for the core to judge."""
        led, table = self._led, self._led.table
        is_naive = self.incentives.stage is MediatorStage.NAIVE
        known = Memory.STEP if is_naive else Memory.HISTORY
        shown = self._shown_agents[:-1]
        actions = np.stack(
            [
                deciding.act(agent, shown[:, agent], table.legal[:, agent], leads=True)
                for agent in range(len(self.players))
            ],
            axis=1,
        )
        leaders = deciding.pick(self._shown_mediator[:-1], table.past)
        return MediatedProfile(
            tuple(tuple(map(tuple, actions[a:b].tolist())) for a, b in pairwise(led.first)),
            tuple(tuple(leaders[a:b].tolist()) for a, b in pairwise(led.first)),
            known,
            known,
        )

    def policies(self, deciding: Deciding) -> PolicyProfile:
        """Return the same as policies of ``MediatedTurns(game)``, the mediator's last."""
        return profile_policies(self.game, self.profile(deciding))
