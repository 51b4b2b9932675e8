"""A mediated game in batches of episodes, with step, state and returns as features."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import require_instance, require_integer
from gametheory_core.errors import InvalidArgument
from gametheory_core.mediation.fairness import MediatorStage
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.histories import Memory
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.values import MediatorIncentives
from gametheory_core.strategies.policies import PolicyProfile
from learners.mediation.led_batch import Deciding, LedTurn, require_rng
from learners.mediation.turns import profile_policies
from learners.snapshots import Kept

NAME = "MediatedBatch"


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

    >>> from gametheory_core.mediation.catalog import mediated_chicken
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
        episodes: int,
        rng: np.random.Generator,
    ) -> None:
        from learners.mediation.led_play import led_game  # noqa: PLC0415 loads numba

        require_instance(game, MediatedGame, name="game")
        require_integer(episodes, name="episodes", low=1)
        require_rng(rng)
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

    def reset(self) -> LedTurn:
        """Begin all episodes."""
        table = self._led.table
        places = self._outcomes(table.start_chance[None].repeat(self.num_episodes, axis=0))
        self._node = table.start[places]
        self._leader[:] = -1
        self._returns[:] = 0.0
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
