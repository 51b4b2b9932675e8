"""POSGs as PettingZoo's parallel environments, in which all agents act in each step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pettingzoo import ParallelEnv

from gametheory_core.adapters.pettingzoo_plays import Played
from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Interface,
    Masks,
    ObservationEncoding,
    interface,
    shown_rewards,
)
from gametheory_core.conversions.tabular import MAX_STATES, posg_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.checked_rules import require_posg_members
from gametheory_core.games.presence import all_seeing, nobody_told
from gametheory_core.games.rules import IDLE, NULL, POSG, stop_posg


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
    require_posg_members(game, "parallel_env", of_aecs="aec_env")
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


class PosgEnv(Played[RawStep], ParallelEnv[str, Any, Any]):
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
            self._interface.as_action(i, actions[agent], self._legal(i, before.observations))
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
