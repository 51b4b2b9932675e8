"""What an environment shows at one moment, copied before anything can change it."""

import copy
from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

from gametheory_core.testing.environment_content import Lent, Prints, fingerprint
from gametheory_core.testing.environment_contract import allowed_by
from gametheory_core.testing.environment_forecast import End
from gametheory_core.testing.environment_laws import Story


@dataclass(frozen=True)
class Look:
    """What an environment shows at one moment.

    Attributes:
        movers: Players who act now; none at the end.
        observations: A copy of what each mover was given.
        prints: The exact content of each: types, shapes and bytes; with whether agents are
            listed in their order, and in PettingZoo with that of its info.
        allowed: Indices that each mover's action mask allows; None without a mask.
        rewards: What the move before paid each player.
        notes: A copy of the info of each mover.
        listed: Players among the agents.
        left: Players who ended with this moment, how, and the content of their last observation.
        last: A copy of each of these.
        lent: What was handed out, and is to stay as it was.
    """

    movers: tuple[int, ...]
    observations: tuple[Any, ...]
    prints: tuple[tuple[Prints, Prints, Prints], ...]
    allowed: tuple[tuple[int, ...] | None, ...]
    rewards: tuple[float, ...]
    notes: tuple[Any, ...]
    listed: frozenset[int]
    left: tuple[tuple[int, End, Prints], ...]
    last: tuple[Any, ...]
    lent: tuple[Lent, ...]

    @property
    def content(self) -> Hashable:
        """All that may not differ between two plays of one episode."""
        notes = tuple(map(fingerprint, self.notes))
        return (self.movers, self.prints, notes, self.allowed, self.rewards, self.listed, self.left)


class Table(Protocol):
    """An environment ready to be played.

    Attributes:
        takes_back: Whether the actions handed in are taken back, that is overwritten, afterwards.
    """

    env: Any
    agents: tuple[str, ...]
    story: Story
    takes_back: bool

    def reset(self, seed: int | None, **options: None) -> Look:
        """Start the episode of a seed; without one, another episode."""
        ...

    def step(self, actions: tuple[Any, ...]) -> Look:
        """Play the movers' actions, as the environment wants them."""
        ...

    def ask(self) -> None:
        """Ask for everything that may be asked for between two moves, twice."""
        ...

    def glance(self) -> dict[int, Any]:
        """Return a copy of what players see who are there and not on turn, if they may ask."""
        ...


def look_of(
    table: Table,
    movers: tuple[int, ...],
    given: tuple[Any, ...],
    infos: tuple[Any, ...],
    rewards: tuple[float, ...],
    left: list[tuple[int, End, Any]],
    lent: tuple[Lent, ...],
    order: Hashable = (),
) -> Look:
    """Copy what an environment shows."""
    is_of_many = hasattr(table.env, "possible_agents")
    return Look(
        movers,
        tuple(copy.deepcopy(x) for x in given),
        tuple(  # what Gymnasium's info tells need not be what the agent may know
            (fingerprint(x), fingerprint(info) if is_of_many else None, order)
            for x, info in zip(given, infos, strict=True)
        ),
        tuple(
            allowed_by(table, table.agents[player], x, info)
            for player, x, info in zip(movers, given, infos, strict=True)
        ),
        rewards,
        tuple(copy.deepcopy(x) for x in infos),
        frozenset(map(table.agents.index, table.env.agents) if is_of_many else movers),
        tuple((player, end, fingerprint(x)) for player, end, x in left),
        tuple(copy.deepcopy(x) for _, _, x in left),
        lent,
    )
