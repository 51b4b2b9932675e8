"""AEC games as PettingZoo AEC environments: one agent acts at a time, chance moves in between."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.adapters.pettingzoo_parallel import shown_rewards
from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Interface,
    Masks,
    ObservationEncoding,
    check_options,
    interface,
    one_hot,
)
from gametheory_core.adapters.pettingzoo_starts import (
    MAX_CHANCE_MOVES,
    check_somebody_has_a_turn,
    refuse_without_a_turn,
)
from gametheory_core.conversions.tabular import MAX_STATES, aec_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, MissingDependency, UnsupportedGame
from gametheory_core.games.rules import AEC, NULL, stop_aec
from gametheory_core.games.tree_table import CHANCE

try:
    from gymnasium.spaces import Discrete, Space
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "adapters.pettingzoo: needs pettingzoo. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error


def aec_env(
    game: AEC,
    *,
    max_moves: int | None = None,
    encoding: ObservationEncoding | None = None,
    actions: Sequence[Sequence[Any]] | None = None,
    masks: Masks = Masks.IN_INFOS,
    illegal_actions: IllegalActions = IllegalActions.REFUSE,
    render_mode: str | None = None,
    max_states: int = MAX_STATES,
) -> "TurnsEnv":
    """Make a PettingZoo AEC environment of an AEC game, sampled exactly by its distributions.

    Agents are ``player_0``, ``player_1``, ... Chance moves by itself between turns, and what it
    pays is part of the turn before. Terminal states terminate all agents, the horizon truncates
    them; each then has one dead step. Rewards are floats, not discounted.

    Args:
        game: Of a POSG, take ``posg_to_aec(game).target``, or ``parallel_env`` and PettingZoo's own
            ``parallel_to_aec``.
        max_moves: Play stops after so many moves, chance's counted, if the game does not stop it
            earlier.
        encoding, actions, masks, illegal_actions, render_mode: As for ``parallel_env``.
        max_states: The largest number of pairs of state and mover to tabulate.

    Returns:
        ``.raw`` has the true state, the mover, observations and exact rewards.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        UnsupportedGame: If play may be over before anyone acts, which PettingZoo cannot say; if the
            game is too large to tabulate; on reset or step, if chance moves for ever.

    Only the mover observes. ``observe`` of another agent gives what it saw at its own last turn,
    ``NULL`` before the first, and its mask is all zeros. When play is over, agents see ``NULL``.
    Rewards paid before the first turn come with the first step, for PettingZoo asks that the first
    ``last()`` have none.

    >>> from gametheory_core.catalog.turn_orders import RandomOrderTeam
    >>> env = aec_env(RandomOrderTeam())
    >>> env.reset(seed=0)
    >>> env.agent_selection in ("player_0", "player_1")
    True
    """
    _check_is_aec(game)
    check_options(
        masks=masks, illegal_actions=illegal_actions, encoding=encoding, render_mode=render_mode
    )
    stopped = game if max_moves is None else stop_aec(game, moves=max_moves)
    if encoding is None or actions is None:
        table = aec_to_tabular(stopped, max_states=max_states).target
        encoding = encoding or one_hot(seen for own in table.observations for seen in own)
        actions = table.actions if actions is None else actions
    check_somebody_has_a_turn(stopped)
    agents = interface(
        len(game.players),
        actions=actions,
        encoding=encoding,
        masks=masks,
        illegal_actions=illegal_actions,
    )
    return TurnsEnv(stopped, agents, render_mode=render_mode)


@dataclass(frozen=True)
class RawTurn:
    """Where a play of an AEC game stands.

    Attributes:
        state (hashable): The true state, which no agent need know.
        mover: Whose turn it is; ``CHANCE`` when play is over.
        observations: What each player saw at its own last turn, as the game says it; ``NULL``
            before the first.
        rewards: What the moves paid since the turn before.
        moves: Moves made since the reset, chance's counted.
    """

    state: Any
    mover: int
    observations: tuple[Any, ...]
    rewards: tuple[Fraction, ...]
    moves: int


class TurnsEnv(AECEnv[str, Any, Any]):
    """An AEC game as a PettingZoo AEC environment; see ``aec_env``."""

    def __init__(self, game: AEC, agents: Interface, *, render_mode: str | None = None) -> None:
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": type(game).__name__,
            "render_modes": ["ansi"],
            "is_parallelizable": False,  # the order of turns is the game's, not a fixed cycle
        }
        self.possible_agents = list(agents.agents)
        self.agents = []
        self._interface = agents
        self._rng: np.random.Generator | None = None
        self._raw: RawTurn | None = None

    @property
    def raw(self) -> RawTurn:
        """Where the play stands, in the game's own words."""
        if self._raw is None:
            raise InvalidArgument(needs="a play", found="has none", remedy="Call reset() first.")
        return self._raw

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the agent's space of observations, the same object each time."""
        return self._interface.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the agent's space of actions, the same object each time."""
        return self._interface.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play; without a seed, continue with the random numbers of the last one."""
        del options
        if seed is not None or self._rng is None:
            self._rng, _ = np_random(seed)
        agents = self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(agents, 0.0)
        self.terminations = dict.fromkeys(agents, False)
        self.truncations = dict.fromkeys(agents, False)
        start = self.game.initial_state
        zeros = (Fraction(0),) * len(agents)
        begun = RawTurn(start, CHANCE, (NULL,) * len(agents), zeros, 0)
        self._raw = self._until_turn(begun, self._rng)
        if self._raw.mover == CHANCE:
            refuse_without_a_turn(self._raw.state)
        self._owed = self._raw.rewards
        self.agent_selection = agents[self._raw.mover]
        self._inform()

    def step(self, action: Any) -> None:
        """Let the selected agent act, then chance until the next turn or the end."""
        rng, before = self._rng, self.raw
        if rng is None or not self.agents:
            raise InvalidArgument(
                needs="a live agent", found="play is over", remedy="Call reset()."
            )
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        mover, legal = before.mover, self._legal(before.mover)
        chosen = self._interface.chosen(mover, action, legal)
        after = self.game.move(mover, before.state, chosen)
        turn = self._until_turn(self._moved(before, chosen, after, self._owed, rng), rng)
        self._raw, self._owed = turn, (Fraction(0),) * len(self.possible_agents)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.possible_agents, map(float, turn.rewards), strict=True))
        self._accumulate_rewards()
        if turn.mover == CHANCE:
            terminal = bool(self.game.is_terminal(turn.state))
            self.terminations = dict.fromkeys(self.agents, terminal)
            self.truncations = dict.fromkeys(self.agents, not terminal)
            self._deads_step_first()
        else:
            self.agent_selection = self.possible_agents[turn.mover]
        self._inform()

    def _moved(
        self,
        turn: RawTurn,
        action: Any,
        after: Any,
        owed: tuple[Fraction, ...],
        rng: np.random.Generator,
    ) -> RawTurn:
        """Return where play stands after a move; the mover is ``CHANCE`` if play is over."""
        paid = draw(self.game.reward(turn.state, turn.mover, action, after), rng)
        rewards = tuple(a + Fraction(b) for a, b in zip(owed, paid, strict=True))
        mover = CHANCE
        if not self._is_over(after, turn.moves + 1):
            mover = draw(self.game.next_player(turn.state, turn.mover, action, after), rng)
        return RawTurn(after, mover, turn.observations, rewards, turn.moves + 1)

    def _until_turn(self, turn: RawTurn, rng: np.random.Generator) -> RawTurn:
        """Let chance move until it is a player's turn, who then observes, or play is over."""
        for _ in range(MAX_CHANCE_MOVES):
            if self._is_over(turn.state, turn.moves):
                nothing = (NULL,) * len(self.possible_agents)
                return RawTurn(turn.state, CHANCE, nothing, turn.rewards, turn.moves)
            if turn.mover != CHANCE:
                observed = list(turn.observations)
                observed[turn.mover] = draw(self.game.observation(turn.mover, turn.state), rng)
                return RawTurn(turn.state, turn.mover, tuple(observed), turn.rewards, turn.moves)
            after = draw(self.game.chance(turn.state), rng)
            turn = self._moved(turn, NULL, after, turn.rewards, rng)
        raise UnsupportedGame(
            needs="a player's turn",
            found=f"chance moved {MAX_CHANCE_MOVES:,} times in a row, up to state {turn.state!r}",
            remedy="Fix next_player, or give max_moves.",
        )

    def _is_over(self, state: Any, moves: int) -> bool:
        return bool(self.game.is_terminal(state)) or moves == self.game.horizon

    def _legal(self, player: int) -> tuple[Any, ...]:
        """Return what a player may do now: nothing if it is not their own turn."""
        raw = self.raw
        if raw.mover != player:
            return ()
        return self.game.legal_actions(player, raw.observations[player])

    def _inform(self) -> None:
        self.infos = {
            agent: self._interface.info(i, self._legal(i))
            for i, agent in enumerate(self.possible_agents)
        }

    def observe(self, agent: str) -> Any:
        """Return what an agent saw at its own last turn, in new arrays."""
        player = self.possible_agents.index(agent)
        return self._interface.shown(player, self.raw.observations[player], self._legal(player))

    def render(self) -> str | None:
        """Return the true state as text in mode ``"ansi"``, else nothing."""
        if self.render_mode is None:
            return None
        raw = self.raw
        turn = (
            "play is over" if raw.mover == CHANCE else f"{self.possible_agents[raw.mover]} to move"
        )
        return (
            f"after move {raw.moves}: state {raw.state!r}, {turn}, "
            f"rewards {shown_rewards(raw.rewards)}"
        )

    def close(self) -> None:
        """Release nothing: there is nothing to release."""


def _check_is_aec(game: Any) -> None:
    if not hasattr(game, "next_player"):
        raise InvalidArgument(
            needs="an AEC game",
            found=f"{type(game).__name__} has no next_player",
            remedy="Use parallel_env for POSGs, or posg_to_aec(game).target.",
        )
