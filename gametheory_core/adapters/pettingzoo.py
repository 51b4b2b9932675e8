"""POSGs and AEC games as PettingZoo's environments, and its environments as AEC rules.

``parallel_env`` and ``aec_env`` sample a game exactly by its distributions: in the first all agents
act in each step, in the second one at a time, chance moving in between. ``rules_from_pettingzoo``
reads an environment as a game that can be converted, solved and checked.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np

from gametheory_core.adapters.pettingzoo_rules import (
    Ending,
    EnvironmentRules,
    Position,
    rules_from_pettingzoo,
)
from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Interface,
    Masks,
    ObservationEncoding,
    interface,
    one_hot,
    shown_rewards,
)
from gametheory_core.adapters.views import ArrayLabel, View, label_of
from gametheory_core.conversions.tabular import MAX_STATES, aec_to_tabular, posg_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, MissingDependency, UnsupportedGame
from gametheory_core.games.presence import (
    Presence,
    Presences,
    all_paid,
    all_seeing,
    nobody_told,
    one_seeing,
)
from gametheory_core.games.rules import AEC, AWAY, IDLE, NULL, POSG, stop_aec, stop_posg
from gametheory_core.games.tree_table import CHANCE

try:
    from gymnasium.spaces import Discrete, Space
    from gymnasium.utils.seeding import np_random
    from pettingzoo import AECEnv, ParallelEnv
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "adapters.pettingzoo: needs pettingzoo. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error

__all__ = [
    "ArrayLabel",
    "Ending",
    "EnvironmentRules",
    "IllegalActions",
    "Masks",
    "ObservationEncoding",
    "PosgEnv",
    "Position",
    "RawStep",
    "RawTurn",
    "TurnsEnv",
    "View",
    "aec_env",
    "label_of",
    "one_hot",
    "parallel_env",
    "rules_from_pettingzoo",
]

MAX_CHANCE_MOVES = 100_000  # in a row; more are taken for a loop in which nobody ever acts
Raw = TypeVar("Raw", "RawStep", "RawTurn")


class _Played(Generic[Raw]):
    """What both kinds of environment are: agents with spaces, and a play that stands somewhere."""

    def _begin(
        self,
        game: POSG | AEC,
        agents: Interface,
        render_mode: str | None,
        *,
        is_parallelizable: bool,
    ) -> None:
        self.render_mode = render_mode
        self.metadata = {
            "name": type(game).__name__,
            "render_modes": ["ansi"],
            "is_parallelizable": is_parallelizable,
        }
        self.possible_agents = list(agents.agents)
        self.agents: list[str] = []
        self._interface = agents
        self._rng: np.random.Generator | None = None
        self._raw: Raw | None = None
        self._presences: Presences = ()
        self._left: set[str] = set()

    def _seeded(self, seed: int | None) -> np.random.Generator:
        if seed is not None or self._rng is None:
            self._rng, _ = np_random(seed)
        return self._rng

    def _there(self) -> list[str]:
        """Return the agents who are there now; remember who has left, and refuse their return."""
        late = self._interface.late
        stays = {Presence.THERE, Presence.BACK}
        there = [
            agent
            for i, (agent, own) in enumerate(
                zip(self.possible_agents, self._presences, strict=True)
            )
            if own in stays or (own is Presence.UNTOLD and i not in late)
        ]
        self._left.update(set(self.agents).difference(there))
        back = sorted(self._left.intersection(there))
        if back:
            raise UnsupportedGame(
                needs="agents who do not come back, as PettingZoo asks",
                found=f"{back[0]} sees AWAY first and joins then, or comes back",
                remedy="Leave out encoding or actions, so that the table tells who joins late; "
                "check_posg and check_aec show who comes back.",
            )
        return there

    def _pay(self, rewards: Sequence[Fraction | int]) -> None:
        """Take note of who is paid, and refuse to pay those who are away."""
        for agent, own, paid in zip(self.possible_agents, self._presences, rewards, strict=True):
            if paid and own.is_away:
                raise UnsupportedGame(
                    needs="rewards of those who are there",
                    found=f"{agent} {own.value} and is paid {paid}",
                    remedy="Pay in the step that leads to AWAY, or after the one that ends it.",
                )
        self._presences = all_paid(self._presences, rewards)

    def _shown(self, player: int, observation: Any, legal: Sequence[Any]) -> Any:
        """Return what an agent sees, which is ``NULL`` on leaving."""
        return self._interface.shown(player, NULL if observation is AWAY else observation, legal)

    @property
    def raw(self) -> Raw:
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

    def close(self) -> None:
        """Release nothing: there is nothing to release."""


def parallel_env(
    game: POSG,
    *,
    max_cycles: int | None = None,
    encoding: ObservationEncoding | None = None,
    actions: Sequence[Sequence[Any]] | None = None,
    masks: Masks = Masks.IN_INFOS,
    illegal_actions: IllegalActions = IllegalActions.REFUSE,
    render_mode: str | None = None,
    max_states: int = MAX_STATES,
) -> "PosgEnv":
    """Make a PettingZoo parallel environment of a POSG, sampled exactly by its distributions.

    Agents are ``player_0``, ``player_1``, ... Terminal states terminate all agents, the horizon
    truncates them. Rewards are those of each step, not discounted, as floats. Draws are made with
    integers, so every play has exactly the probability that the game gives it.

    Who sees ``AWAY`` is not among ``agents``: it terminates with the step that shows that, and who
    joins late is there from the step on that shows something else. So all can see who is there.

    Args:
        max_cycles: Play stops after so many steps, if the game does not stop it earlier.
        encoding: By default each observation that play can reach is a unit vector, ``NULL`` the
            first.
        actions: For each player, the action that each number stands for; by default those that play
            can reach, in the order met. With ``encoding``, this spares tabulating the game.
        masks: Where agents find which actions are legal. PettingZoo's ``api_test`` warns about
            observations that are not arrays, and its ``parallel_api_test`` finds masks in
            observations only.
        illegal_actions: PettingZoo's parallel tests of seeds and cycles ignore masks: games in
            which legal actions change pass them with ``FIRST_LEGAL``.
        render_mode: ``"ansi"`` makes ``render()`` return the true state as text.
        max_states: The largest number of pairs of state and joint observation to tabulate.

    Returns:
        ``.raw`` has the true state, observations and exact rewards.

    Raises:
        InvalidArgument: If an option has a value it cannot have.
        UnsupportedGame: If play may be over before anyone acts, which PettingZoo cannot say; or if
            the game is too large to tabulate.

    In a terminal state nobody acts, so agents see ``NULL`` there; after a truncation they see what
    the game shows, for those who bootstrap. PettingZoo's own ``parallel_to_aec`` makes the turns.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> env = parallel_env(RepeatedGame.of("matching_pennies"))
    >>> seen, infos = env.reset(seed=1)
    >>> env.step({"player_0": 0, "player_1": 0})[1]
    {'player_0': 1.0, 'player_1': -1.0}
    """
    _check_is_posg(game)
    stopped = game if max_cycles is None else stop_posg(game, steps=max_cycles)
    agents = interface(
        stopped,
        lambda: posg_to_tabular(stopped, max_states=max_states).target,
        encoding=encoding,
        actions=actions,
        masks=masks,
        illegal_actions=illegal_actions,
        render_mode=render_mode,
    )
    check_somebody_steps(stopped)
    return PosgEnv(stopped, agents, render_mode=render_mode)


@dataclass(frozen=True)
class RawStep:
    """Where a play of a POSG stands.

    Attributes:
        state (hashable): The true state, which no agent need know.
        observations: What each player sees, as the game says it.
        rewards: What the last step paid.
        steps: Steps made since the reset.
    """

    state: Any
    observations: tuple[Any, ...]
    rewards: tuple[Fraction, ...]
    steps: int


class PosgEnv(_Played[RawStep], ParallelEnv[str, Any, Any]):
    """A POSG as a PettingZoo parallel environment; see ``parallel_env``."""

    def __init__(self, game: POSG, agents: Interface, *, render_mode: str | None = None) -> None:
        self.game = game
        self._begin(game, agents, render_mode, is_parallelizable=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a play; without a seed, continue with the random numbers of the last one."""
        del options
        rng = self._seeded(seed)
        state = draw(self.game.initial(), rng)
        seen = draw(self.game.initial_observation(state), rng)
        zeros = (Fraction(0),) * len(self.possible_agents)
        self._raw = RawStep(state, seen, zeros, 0)
        self._presences = all_seeing(nobody_told(self.game), seen)
        self.agents = []
        self._left = set()
        self.agents = self._somebody()
        return self._views(self.agents, self.agents)

    def step(
        self, actions: dict[str, Any]
    ) -> tuple[
        dict[str, Any],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Let all agents act; return observations, rewards, terminations, truncations, infos."""
        rng, before = self._rng, self.raw
        if not isinstance(actions, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidArgument(
                needs=f"a mapping from each of the agents {self.agents} to its action",
                found=f"got {actions!r}",
            )
        if rng is None or not self.agents or set(actions) != set(self.agents):
            raise InvalidArgument(
                needs=f"an action of each of the agents {self.agents}",
                found=f"got them of {list(actions)}",
                remedy="Call reset() if play is over.",
            )
        joint = tuple(
            self._interface.chosen(i, actions[agent], self._legal(i, before.observations))
            if agent in actions
            else IDLE
            for i, agent in enumerate(self.possible_agents)
        )
        state = draw(self.game.transition(before.state, joint), rng)
        rewards = tuple(map(Fraction, self.game.reward(before.state, joint, state)))
        self._pay(rewards)
        terminal = bool(self.game.is_terminal(state))
        cut = not terminal and before.steps + 1 == self.game.horizon
        nothing = (NULL,) * len(joint)
        seen = nothing if terminal else draw(self.game.observation(joint, state), rng)
        self._raw = RawStep(state, seen, rewards, before.steps + 1)
        if not terminal:
            self._presences = all_seeing(self._presences, seen)
        played, there = self.agents, self._there() if terminal or cut else self._somebody()
        self.agents = [] if terminal or cut else there
        told = [agent for agent in self.possible_agents if agent in {*played, *self.agents}]
        observations, infos = self._views(told, self.agents)
        paid = {a: float(r) for a, r in zip(self.possible_agents, rewards, strict=True)}
        ended = {agent: terminal or agent not in there for agent in told}
        stopped = {agent: cut and not ended[agent] for agent in told}
        return observations, {agent: paid[agent] for agent in told}, ended, stopped, infos

    def _somebody(self) -> list[str]:
        """Return who is there, and refuse if nobody is: PettingZoo takes that for the end."""
        there = self._there()
        if not there:
            raise UnsupportedGame(
                needs="somebody there while play goes on",
                found=f"all players are AWAY in state {self.raw.state!r}",
                remedy="Let play end there.",
            )
        return there

    def _legal(self, player: int, observations: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.game.legal_actions(player, observations[player])

    def _views(
        self, agents: Sequence[str], acting: Sequence[str]
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        seen = self.raw.observations
        for agent in agents:
            player = self.possible_agents.index(agent)
            legal = self._legal(player, seen) if agent in acting else ()
            observations[agent] = self._shown(player, seen[player], legal)
            infos[agent] = self._interface.info(player, legal)
        return observations, infos

    def render(self) -> str | None:
        """Return the true state as text in mode ``"ansi"``, else nothing."""
        if self.render_mode is None:
            return None
        raw = self.raw
        return f"after step {raw.steps}: state {raw.state!r}, rewards {shown_rewards(raw.rewards)}"


def _check_is_posg(game: Any) -> None:
    if not hasattr(game, "transition"):
        raise InvalidArgument(
            needs="a POSG",
            found=f"{type(game).__name__} has no transition",
            remedy="Use aec_env for AEC games, or aec_to_posg(game).target.",
        )


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
    _check_is_aec(game)
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


class TurnsEnv(_Played[RawTurn], AECEnv[str, Any, Any]):
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
        chosen = self._interface.chosen(mover, action, legal)
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


def _check_is_aec(game: Any) -> None:
    if not hasattr(game, "next_player"):
        raise InvalidArgument(
            needs="an AEC game",
            found=f"{type(game).__name__} has no next_player",
            remedy="Use parallel_env for POSGs, or posg_to_aec(game).target.",
        )


def check_somebody_steps(game: POSG) -> None:
    """Refuse a POSG that may be over at its start."""
    over = [state for state, _ in game.initial() if game.is_terminal(state)]
    if over or game.horizon == 0:
        found = f"initial state {over[0]!r} is terminal" if over else "the horizon is 0"
        raise UnsupportedGame(
            needs="a step in every play",
            found=found,
            remedy="PettingZoo has no plays that are over at reset.",
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
