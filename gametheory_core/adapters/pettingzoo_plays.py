"""What environments made of games are: agents with spaces, and a play that stands somewhere."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Generic, TypeVar

import numpy as np
from gymnasium.spaces import Discrete, Space
from gymnasium.utils.seeding import np_random

from gametheory_core.adapters.pettingzoo_spaces import Interface, as_seed
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.games.presence import Presence, Presences, all_paid
from gametheory_core.games.rules import AEC, AWAY, NULL, POSG

Raw = TypeVar("Raw")


class Played(Generic[Raw]):
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
            self._rng, _ = np_random(as_seed(seed))
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
            raise InvalidArgument(
                needs="a play",
                found="there is none",
                remedy="Call reset() first.",
                where=type(self).__name__,
            )
        return self._raw

    def observation_space(self, agent: str) -> Space[Any]:
        """Return the agent's space of observations, the same object each time."""
        return self._interface.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        """Return the agent's space of actions, the same object each time."""
        return self._interface.action_spaces[agent]

    def close(self) -> None:
        """Release nothing: there is nothing to release."""
