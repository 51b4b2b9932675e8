"""POSGs as PettingZoo parallel environments: all agents act in each step."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from gametheory_core.adapters.pettingzoo_spaces import (
    IllegalActions,
    Interface,
    Masks,
    ObservationEncoding,
    check_options,
    interface,
    one_hot,
)
from gametheory_core.adapters.pettingzoo_starts import check_somebody_steps
from gametheory_core.conversions.tabular import MAX_STATES, posg_to_tabular
from gametheory_core.distributions import draw
from gametheory_core.errors import InvalidArgument, MissingDependency
from gametheory_core.games.rules import NULL, POSG, stop_posg

try:
    from gymnasium.spaces import Discrete, Space
    from gymnasium.utils.seeding import np_random
    from pettingzoo import ParallelEnv
except ImportError as error:  # pragma: no cover - the test suite has it
    message = "adapters.pettingzoo: needs pettingzoo. Run: pip install 'gametheory-core[interop]'"
    raise MissingDependency(message) from error


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

    >>> from gametheory_core.catalog.repeated import RepeatedGame
    >>> env = parallel_env(RepeatedGame.of("matching_pennies"))
    >>> seen, infos = env.reset(seed=1)
    >>> env.step({"player_0": 0, "player_1": 0})[1]
    {'player_0': 1.0, 'player_1': -1.0}
    """
    _check_is_posg(game)
    check_options(
        masks=masks, illegal_actions=illegal_actions, encoding=encoding, render_mode=render_mode
    )
    stopped = game if max_cycles is None else stop_posg(game, steps=max_cycles)
    if encoding is None or actions is None:
        table = posg_to_tabular(stopped, max_states=max_states).target
        encoding = encoding or one_hot(seen for own in table.observations for seen in own)
        actions = table.actions if actions is None else actions
    check_somebody_steps(stopped)
    agents = interface(
        len(game.players),
        actions=actions,
        encoding=encoding,
        masks=masks,
        illegal_actions=illegal_actions,
    )
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


class PosgEnv(ParallelEnv[str, Any, Any]):
    """A POSG as a PettingZoo parallel environment; see ``parallel_env``."""

    def __init__(self, game: POSG, agents: Interface, *, render_mode: str | None = None) -> None:
        self.game = game
        self.render_mode = render_mode
        self.metadata = {
            "name": type(game).__name__,
            "render_modes": ["ansi"],
            "is_parallelizable": True,
        }
        self.possible_agents = list(agents.agents)
        self.agents = []
        self._interface = agents
        self._rng: np.random.Generator | None = None
        self._raw: RawStep | None = None

    @property
    def raw(self) -> RawStep:
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

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        """Begin a play; without a seed, continue with the random numbers of the last one."""
        del options
        if seed is not None or self._rng is None:
            self._rng, _ = np_random(seed)
        state = draw(self.game.initial(), self._rng)
        seen = draw(self.game.initial_observation(state), self._rng)
        zeros = (Fraction(0),) * len(self.possible_agents)
        self._raw = RawStep(state, seen, zeros, 0)
        self.agents = self.possible_agents[:]
        return self._views(over=False)

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
            for i, agent in enumerate(self.possible_agents)
        )
        state = draw(self.game.transition(before.state, joint), rng)
        rewards = tuple(map(Fraction, self.game.reward(before.state, joint, state)))
        terminal = bool(self.game.is_terminal(state))
        cut = not terminal and before.steps + 1 == self.game.horizon
        nothing = (NULL,) * len(joint)
        seen = nothing if terminal else draw(self.game.observation(joint, state), rng)
        self._raw = RawStep(state, seen, rewards, before.steps + 1)
        observations, infos = self._views(over=terminal or cut)
        paid = dict(zip(self.possible_agents, map(float, rewards), strict=True))
        ended = dict.fromkeys(self.possible_agents, terminal)
        stopped = dict.fromkeys(self.possible_agents, cut)
        if terminal or cut:
            self.agents = []
        return observations, paid, ended, stopped, infos

    def _legal(self, player: int, observations: tuple[Any, ...]) -> tuple[Any, ...]:
        return self.game.legal_actions(player, observations[player])

    def _views(self, *, over: bool) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        observations: dict[str, Any] = {}
        infos: dict[str, dict[str, Any]] = {}
        seen = self.raw.observations
        for i, agent in enumerate(self.possible_agents):
            legal = () if over else self._legal(i, seen)
            observations[agent] = self._interface.shown(i, seen[i], legal)
            infos[agent] = self._interface.info(i, legal)
        return observations, infos

    def render(self) -> str | None:
        """Return the true state as text in mode ``"ansi"``, else nothing."""
        if self.render_mode is None:
            return None
        raw = self.raw
        return f"after step {raw.steps}: state {raw.state!r}, rewards {shown_rewards(raw.rewards)}"

    def close(self) -> None:
        """Release nothing: there is nothing to release."""


def shown_rewards(rewards: Sequence[Fraction]) -> str:
    """Return rewards as people write them."""
    return "(" + ", ".join(map(str, rewards)) + ")"


def _check_is_posg(game: Any) -> None:
    if not hasattr(game, "transition"):
        raise InvalidArgument(
            needs="a POSG",
            found=f"{type(game).__name__} has no transition",
            remedy="Use aec_env for AEC games, or aec_to_posg(game).target.",
        )
