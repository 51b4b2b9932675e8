"""How games look to PettingZoo's agents: names, spaces, arrays for observations, action masks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray

from gametheory_core.arguments import as_tuple, require_instance, require_integer, require_member
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.presence import late_players
from gametheory_core.games.rules import AEC, AWAY, NULL, POSG
from gametheory_core.games.tables import TabularAEC, TabularPOSG

Encode: TypeAlias = Callable[[int, Any], NDArray[Any]]
Mask: TypeAlias = NDArray[np.int8]


class Masks(Enum):
    """Where agents find which actions are legal; the value says it in words."""

    IN_INFOS = "infos[agent]['action_mask'], beside plain arrays as observations"
    IN_OBSERVATIONS = "observations are {'observation': array, 'action_mask': mask}"


class IllegalActions(Enum):
    """What an action means that is not legal; the value says it in words."""

    REFUSE = "InvalidArgument is raised, and the play stands where it was"
    FIRST_LEGAL = "the first legal action is played instead"


@dataclass(frozen=True, eq=False)
class ObservationEncoding:
    """Observations as arrays.

    Attributes:
        space: What the arrays are in, the same for all players.
        encode: (player, observation) -> array in ``space``. The observation ``NULL`` must have an
            array too: it is what players see before their first turn, on leaving, and after the
            end.
    """

    space: Box
    encode: Encode


def one_hot(observations: Iterable[Any]) -> ObservationEncoding:
    """Encode each of finitely many observations as a unit vector, ``NULL`` as the first.

    Args:
        observations: Hashable labels; repetitions count once. All players share them, so that
            players who see alike may share a network.

    >>> one_hot(["red", "green"]).encode(0, "green").tolist()
    [0.0, 0.0, 1.0]
    """
    index = {label: k for k, label in enumerate(dict.fromkeys((NULL, *observations)))}
    size = max(2, len(index))  # an array of one number is no one-hot vector
    return ObservationEncoding(Box(0, 1, (size,), np.float32), _UnitVectors(index, size))


@dataclass(frozen=True)
class _UnitVectors:
    """A function that can be pickled, as environments are when they go to other processes."""

    index: dict[Any, int]
    size: int

    def __call__(self, player: int, observation: Any) -> NDArray[Any]:
        place = self.index.get(observation)
        if place is None:
            raise InvalidArgument(
                needs=f"an observation among the {len(self.index)} listed",
                found=f"player {player} sees {observation!r}",
                remedy="List it, or give an encoding of your own.",
                where="one_hot",
            )
        array = np.zeros(self.size, dtype=np.float32)
        array[place] = 1
        return array


@dataclass(frozen=True, eq=False)
class Interface:
    """What agents are called, see and may do.

    Attributes:
        agents: ``player_0``, ``player_1``, ...
        actions: For each player, the action that each number stands for.
        observation_spaces, action_spaces: For each agent; made once, because seeding a space must
            last.
        late: Players who are no agents before they see something, as they may join late.
    """

    agents: tuple[str, ...]
    actions: tuple[tuple[Any, ...], ...]
    encoding: ObservationEncoding
    masks: Masks
    illegal_actions: IllegalActions
    observation_spaces: dict[str, Space[Any]]
    action_spaces: dict[str, Discrete]
    late: frozenset[int]

    def mask(self, player: int, legal: Sequence[Any]) -> Mask:
        """Return a new array with 1 for each legal action."""
        actions = self.actions[player]
        unknown = [action for action in legal if action not in actions]
        if unknown:
            raise InvalidArgument(
                needs=f"legal actions among those listed, {actions!r}",
                found=f"{unknown[0]!r} is legal",
                remedy="List it in actions.",
                where=f"action_mask of {self.agents[player]!r}",
            )
        chosen = [action in legal for action in actions]
        return np.array(chosen or [False], dtype=np.int8)  # a player may have no action ever

    def shown(self, player: int, observation: Any, legal: Sequence[Any]) -> Any:
        """Return an observation as the agent gets it, in new arrays."""
        array = np.array(self.encoding.encode(player, observation))
        if not self.encoding.space.contains(array):
            raise InvalidArgument(
                needs=f"an array in {self.encoding.space}",
                found=f"is {array!r} of {array.dtype}",
                remedy="Fix encode, or widen the space.",
                where=f"encoding of {observation!r}",
            )
        if self.masks is Masks.IN_INFOS:
            return array
        return {"observation": array, "action_mask": self.mask(player, legal)}

    def info(self, player: int, legal: Sequence[Any]) -> dict[str, Any]:
        """Return what goes beside the observation."""
        if self.masks is Masks.IN_OBSERVATIONS:
            return {}
        return {"action_mask": self.mask(player, legal)}

    def as_action(self, player: int, number: Any, legal: Sequence[Any]) -> Any:
        """Return the action that an agent's number stands for, after checking it."""
        actions, agent = self.actions[player], self.agents[player]
        index = whole_number(number)
        if index is None or not 0 <= index < len(actions):
            raise InvalidArgument(
                needs=f"a whole number in 0..{len(actions) - 1} as action of {agent!r}",
                found=f"got {number!r}",
                remedy=f"They stand for {actions!r}.",
            )
        if actions[index] in legal:
            return actions[index]
        if self.illegal_actions is IllegalActions.FIRST_LEGAL:
            return legal[0]
        raise InvalidArgument(
            needs=f"a legal action of {agent!r}, one of {tuple(legal)!r}",
            found=f"got {index}, which is {actions[index]!r}",
            remedy="Look at the action mask, or ask for IllegalActions.FIRST_LEGAL.",
        )


def shown_rewards(rewards: Sequence[Fraction]) -> str:
    """Return rewards as people write them."""
    return "(" + ", ".join(map(str, rewards)) + ")"


def whole_number(number: Any) -> int | None:
    """Return an action's number as an integer; None if it is no whole number."""
    try:
        return None if isinstance(number, bool | np.bool_) else number.__index__()
    except (AttributeError, TypeError):
        return None


def as_seed(seed: Any) -> int | None:
    """Return what ``reset`` is given as a seed, after checking it."""
    if seed is None:
        return None
    require_integer(seed, name="seed", low=0, remedy="Give None for other random numbers.")
    return int(seed)


def interface(
    game: POSG | AEC,
    tabulated: Callable[[], TabularPOSG | TabularAEC],
    *,
    encoding: ObservationEncoding | None,
    actions: Sequence[Sequence[Any]] | None,
    masks: Masks,
    illegal_actions: IllegalActions,
    render_mode: str | None,
) -> Interface:
    """Return the agents' side of a game, options checked and spaces made.

    The game is tabulated only if the encoding or the actions are not given.
    """
    require_member(masks, Masks, name="masks")
    require_member(illegal_actions, IllegalActions, name="illegal_actions")
    if encoding is not None:
        require_instance(encoding, ObservationEncoding, name="encoding")
    if render_mode not in {None, "ansi"}:
        raise InvalidArgument(
            needs="None or 'ansi'", found=f"is {render_mode!r}", where="render_mode"
        )
    count, late = len(game.players), frozenset[int]()
    if actions is not None:
        remedy = "Give a sequence of actions for each player."
        actions = as_tuple(actions, name="actions", remedy=remedy)
        actions = tuple(as_tuple(x, name="each of actions", remedy=remedy) for x in actions)
        if len(actions) != count:
            raise InvalidArgument(
                needs=f"the actions of each of {count} players",
                found=f"lists {len(actions)}",
                remedy=remedy,
            )
    if encoding is None or actions is None:
        table = tabulated()
        views = [[seen for seen in own if seen is not AWAY] for own in table.observations]
        encoding = encoding or one_hot(seen for own in views for seen in own)
        actions = _done_when_there(table) if actions is None else actions
        if any(AWAY in own for own in table.observations):
            late = late_players(table)
    agents = tuple(f"player_{i}" for i in range(count))
    numbers = [max(1, len(own)) for own in actions]
    seen: list[Space[Any]] = [_seen(encoding.space, count, masks) for count in numbers]
    return Interface(
        agents=agents,
        actions=tuple(map(tuple, actions)),
        encoding=encoding,
        masks=masks,
        illegal_actions=illegal_actions,
        observation_spaces=dict(zip(agents, seen, strict=True)),
        action_spaces=dict(zip(agents, map(Discrete, numbers), strict=True)),
        late=late,
    )


def _done_when_there(table: TabularPOSG | TabularAEC) -> list[tuple[Any, ...]]:
    """Return each player's actions, but those of being away alone."""
    found: list[tuple[Any, ...]] = []
    for player, (actions, seen) in enumerate(zip(table.actions, table.observations, strict=True)):
        views = [view for view in seen if view is not AWAY]
        done = {action for view in views for action in table.legal_actions(player, view)}
        all_there = len(views) == len(seen)
        found.append(tuple(action for action in actions if all_there or action in done))
    return found


def _seen(space: Box, num_actions: int, masks: Masks) -> Space[Any]:
    own = Box(space.low, space.high, dtype=space.dtype.type)  # each agent seeds its own
    if masks is Masks.IN_INFOS:
        return own
    return Dict({"observation": own, "action_mask": Box(0, 1, (num_actions,), np.int8)})
