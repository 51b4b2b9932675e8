"""AEC games as PettingZoo's AEC environments: one agent at a time, chance moving in between."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from gametheory_core.adapters.pettingzoo_plays import Played
from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Interface,
    Masks,
    ObservationEncoding,
    interface,
    shown_rewards,
)
from gametheory_core.conversions.tabular import MAX_STATES, aec_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.checked_rules import require_aec_members
from gametheory_core.games.presence import Presence, nobody_told, one_seeing
from gametheory_core.games.rules import AEC, AWAY, IDLE, NULL, stop_aec
from gametheory_core.games.tree_table import CHANCE

MAX_CHANCE_MOVES = 100_000  # in a row; more are taken for a loop in which nobody ever acts


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

    Turns in which a player sees ``AWAY`` pass by themselves. An agent with the first such turn
    terminates and has its dead step; who joins late is an agent from the first turn on that shows
    something else. Whoever can join late is no agent before, all others are from the start.

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

    >>> from gametheory_core.catalog import RandomOrderTeam
    >>> env = aec_env(RandomOrderTeam())
    >>> env.reset(seed=0)
    >>> env.agent_selection in ("player_0", "player_1")
    True
    """
    require_aec_members(game, "aec_env", of_posgs="parallel_env")
    stopped = game if max_moves is None else stop_aec(game, moves=max_moves)
    agents = interface(
        stopped,
        lambda: aec_to_tabular(stopped, max_states=max_states).target,
        encoding=encoding,
        actions=actions,
        masks=masks,
        illegal_actions=illegal_actions,
        render_mode=render_mode,
    )
    check_somebody_has_a_turn(stopped)
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


class TurnsEnv(Played[RawTurn], AECEnv[str, Any, Any]):
    """An AEC game as a PettingZoo AEC environment; see ``aec_env``."""

    def __init__(self, game: AEC, agents: Interface, *, render_mode: str | None = None) -> None:
        self.game = game
        self._begin(game, agents, render_mode, is_parallelizable=False)

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a play; without a seed, continue with the random numbers of the last one."""
        del options
        rng = self._seeded(seed)
        start = self.game.initial_state
        zeros = (Fraction(0),) * len(self.possible_agents)
        begun = RawTurn(start, CHANCE, (NULL,) * len(zeros), zeros, 0)
        self._presences = nobody_told(self.game)
        self._raw = self._until_turn(begun, rng)
        if self._raw.mover == CHANCE:
            refuse_without_a_turn(self._raw.state)
        self.agents = []
        self._left = set()
        there = self._there()
        self.agents = [
            agent
            for agent, own in zip(self.possible_agents, self._presences, strict=True)
            if agent in there or own is Presence.GONE  # is paid, and ends, with the first step
        ]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._owed = self._raw.rewards
        self.agent_selection = self.possible_agents[self._raw.mover]
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
        chosen = self._interface.as_action(mover, action, legal)
        after = self.game.move(mover, before.state, chosen)
        turn = self._until_turn(self._moved(before, chosen, after, self._owed, rng), rng)
        self._raw, self._owed = turn, (Fraction(0),) * len(self.possible_agents)
        self._cumulative_rewards[agent] = 0.0
        self._come_and_go(turn)
        paid = dict(zip(self.possible_agents, map(float, turn.rewards), strict=True))
        self.rewards = {agent: paid[agent] for agent in self.agents}
        self._accumulate_rewards()
        self._deads_step_first()
        self._inform()

    def _come_and_go(self, turn: RawTurn) -> None:
        """Let agents join, and end those who have left, or all if play is over."""
        there = self._there()
        present = {*self.agents, *there}
        self.agents = [agent for agent in self.possible_agents if agent in present]
        over = turn.mover == CHANCE
        ended = over and bool(self.game.is_terminal(turn.state))
        self.terminations = {agent: ended or agent not in there for agent in self.agents}
        self.truncations = {a: over and not gone for a, gone in self.terminations.items()}
        self._cumulative_rewards = {
            agent: self._cumulative_rewards.get(agent, 0.0) for agent in self.agents
        }
        if not over:
            self.agent_selection = self.possible_agents[turn.mover]

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
        self._pay(paid)
        rewards = tuple(a + Fraction(b) for a, b in zip(owed, paid, strict=True))
        mover = CHANCE
        if not self._is_over(after, turn.moves + 1):
            mover = draw(self.game.next_player(turn.state, turn.mover, action, after), rng)
        return RawTurn(after, mover, turn.observations, rewards, turn.moves + 1)

    def _until_turn(self, turn: RawTurn, rng: np.random.Generator) -> RawTurn:
        """Let chance move, and those who are away idle, until the turn of a player who is there."""
        for _ in range(MAX_CHANCE_MOVES):
            if self._is_over(turn.state, turn.moves):
                nothing = (NULL,) * len(self.possible_agents)
                return RawTurn(turn.state, CHANCE, nothing, turn.rewards, turn.moves)
            if turn.mover == CHANCE:
                after = draw(self.game.chance(turn.state), rng)
                turn = self._moved(turn, NULL, after, turn.rewards, rng)
                continue
            seen = draw(self.game.observation(turn.mover, turn.state), rng)
            self._presences = one_seeing(self._presences, turn.mover, seen)
            observed = (
                *turn.observations[: turn.mover],
                seen,
                *turn.observations[turn.mover + 1 :],
            )
            turn = replace(turn, observations=observed)
            if seen is not AWAY:
                return turn
            after = self.game.move(turn.mover, turn.state, IDLE)
            turn = self._moved(turn, IDLE, after, turn.rewards, rng)
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
            if agent in self.agents
        }

    def observe(self, agent: str) -> Any:
        """Return what an agent saw at its own last turn, in new arrays."""
        player = self.possible_agents.index(agent)
        return self._shown(player, self.raw.observations[player], self._legal(player))

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


def check_somebody_has_a_turn(game: AEC) -> None:
    """Follow chance alone, as far as states are new, and refuse if play may end so."""
    seen: set[Any] = set()
    frontier: list[Any] = [game.initial_state]
    moves = 0
    while frontier and len(seen) < MAX_CHANCE_MOVES:
        for state in frontier:
            if game.is_terminal(state) or moves == game.horizon:
                refuse_without_a_turn(state)
        seen.update(frontier)
        following = {
            after: None
            for state in frontier
            for after, _ in game.chance(state)
            if after not in seen
            and (
                game.is_terminal(after)
                or moves + 1 == game.horizon
                or game.next_player(state, CHANCE, NULL, after)[CHANCE]
            )
        }
        frontier, moves = list(following), moves + 1


def refuse_without_a_turn(state: Any) -> None:
    """Say that play may be over in a state before anyone acts."""
    raise UnsupportedGame(
        needs="a turn in every play",
        found=f"play may be over in state {state!r} before anyone acts",
        remedy="PettingZoo has no plays that are over at reset.",
    )
