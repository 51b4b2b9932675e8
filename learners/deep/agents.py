"""Agents: which players learn, which of them share one network, and what it reads.

An agent is a set of players with one network. In a batch of ``E`` episodes an agent of ``P``
players has ``R = E * P`` *lanes*, each one player's view of one episode: lane ``e * P + k`` is that
of the agent's player ``k`` in episode ``e``.

A numbered observation is a row to look up in the first layer, which is what multiplying by its
indicator vector comes to. So are the mark of the player, where several share a network, and the own
action before, where a network has a memory. Features are read as they are.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    require_function,
    require_instance,
    require_member,
    shown,
    shown_players,
)
from gametheory_core.errors import InvalidArgument, UnsupportedGame
from gametheory_core.probabilities import allowed_miss
from learners.batch import BatchedEnvironment, BatchTurn
from learners.policies import learning_players
from learners.streams import drawn_actions

NO_ACTION = -1  # before the first action of an episode


@dataclass(frozen=True)
class Encoding:
    """What a network reads of one moment of one player.

    Attributes:
        num_observations: Different observations; 0 where they are features.
        num_features: Features; 0 where observations are numbered.
        num_marks: Players to tell apart; 0 where nobody shares the network.
        num_previous: Own actions to remember, "none yet" included; 0 where they are not shown.
    """

    num_observations: int
    num_features: int
    num_marks: int = 0
    num_previous: int = 0

    @property
    def num_rows(self) -> int:
        """Rows that can be looked up."""
        return self.num_observations + self.num_marks + self.num_previous

    @property
    def lookup_sizes(self) -> tuple[int, ...]:
        """Among how many rows each of those looked up at a time is chosen."""
        return tuple(filter(None, (self.num_observations, self.num_marks, self.num_previous)))

    @property
    def num_moments(self) -> int:
        """Different moments, but for features."""
        return math.prod(self.lookup_sizes)

    def every_moment(self) -> NDArray[np.int64]:
        """Return the rows looked up at each different moment, (moments, K)."""
        grid = np.indices(self.lookup_sizes).reshape(len(self.lookup_sizes), -1)
        starts = np.cumsum([0, *self.lookup_sizes[:-1]])
        return (grid + starts[:, None]).T.copy()

    def moments_of(self, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return which of the different moments looks up these rows (..., K)."""
        number = np.zeros(rows.shape[:-1], dtype=np.int64)
        first = 0
        for column, size in enumerate(self.lookup_sizes):
            number = number * size + (rows[..., column] - first)
            first += size
        return number


@dataclass(frozen=True, eq=False)
class Inputs:
    """What a network reads.

    Attributes:
        rows (..., K): Rows of the first layer to look up; ``K`` may be 0.
        features (..., F): Numbers to multiply; ``F`` may be 0.
    """

    rows: NDArray[np.int64]
    features: NDArray[np.float32]

    def flat(self) -> "Inputs":
        """Return the same of all moments in one row, (N, K) and (N, F)."""
        count = math.prod(self.rows.shape[:-1])
        return Inputs(
            self.rows.reshape(count, self.rows.shape[-1]),
            self.features.reshape(count, self.features.shape[-1]),
        )


def encoding_of(
    environment: BatchedEnvironment, players: tuple[int, ...], *, remembers_actions: bool
) -> Encoding:
    """Return the encoding by which one network reads what some players see.

    Args:
        players: Who share the network.
        remembers_actions: Whether the own action before is shown, too.

    Raises:
        UnsupportedGame: If some of them see numbers and others features.
    """
    numbers = [environment.num_observations[player] for player in players]
    features = [environment.num_features[player] for player in players]
    if len({number > 0 for number in numbers}) > 1:
        labels = [environment.players[player] for player in players]
        raise UnsupportedGame(
            needs="players of one network to see numbers all, or features all",
            found=f"{labels!r} have {numbers} different observations and {features} features",
            remedy="Give each its own network (Sharing.SEPARATE).",
        )
    most = max(environment.num_actions[player] for player in players)
    return Encoding(
        num_observations=max(numbers),
        num_features=0 if numbers[0] else max(features),
        num_marks=len(players) if len(players) > 1 else 0,
        num_previous=most + 1 if remembers_actions else 0,
    )


def encode(
    encoding: Encoding,
    observations: NDArray[Any],
    marks: NDArray[np.int64],
    previous: NDArray[np.int64],
) -> Inputs:
    """Return what a network reads of many moments, of any shape ``(...)``.

    Args:
        observations (...)
        marks (...): Which of the players that share the network; read where they are told apart.
        previous (...): Own action before, ``NO_ACTION`` at the first; read where it is shown.
    """
    columns: list[NDArray[np.int64]] = []
    first = 0
    for count, values in (
        (encoding.num_observations, observations),
        (encoding.num_marks, marks),
        (encoding.num_previous, previous + 1),
    ):
        if count:
            columns.append(values.astype(np.int64) + first)
        first += count
    shape = marks.shape
    rows = np.stack(columns, axis=-1) if columns else np.empty((*shape, 0), np.int64)
    features = (
        np.ascontiguousarray(observations[..., : encoding.num_features], dtype=np.float32)
        if encoding.num_features
        else np.empty((*shape, 0), np.float32)
    )
    return Inputs(rows=rows, features=features)


# Observations (E,) or (E, F), legal actions (E, A) -> probabilities (E, A).
Behavior: TypeAlias = Callable[[NDArray[Any], NDArray[np.bool_]], NDArray[np.float64]]


class Sharing(Enum):
    """Who has a network of the own.

    Attributes:
        SEPARATE: Each learning player.
        SHARED: All learning players have one, which is told whose turn it is.
    """

    SEPARATE = "separate"
    SHARED = "shared"


@dataclass(frozen=True)
class Agent:
    """Players with one network.

    Attributes:
        name: The players' labels.
        num_actions: The most that one of them has.
        encoding: How what they see is read.
    """

    players: tuple[int, ...]
    name: str
    num_actions: int
    encoding: Encoding


@dataclass(frozen=True, eq=False)
class Lanes:
    """One moment as the players of an agent see it; ``R`` lanes.

    Attributes:
        observations, final_observations (R,)
        legal (R, A): All actions where the player does not act.
        acts (R,)
        rewards (R,)
        is_terminal, is_truncated (R,)
    """

    observations: NDArray[Any]
    final_observations: NDArray[Any]
    legal: NDArray[np.bool_]
    acts: NDArray[np.bool_]
    rewards: NDArray[np.float64]
    is_terminal: NDArray[np.bool_]
    is_truncated: NDArray[np.bool_]


def agents_of(
    environment: BatchedEnvironment,
    *,
    learns: Iterable[int] | None,
    sharing: Sharing,
    remembers_actions: bool,
) -> tuple[Agent, ...]:
    """Return the agents of the players who learn.

    Args:
        learns: Players who learn; None for all.
        remembers_actions: Whether networks are shown the own action before.

    Raises:
        InvalidArgument: If ``learns`` is empty, or names nobody or somebody twice.
        UnsupportedGame: If players who share a network see different kinds of things.
    """
    require_member(sharing, Sharing, name="sharing")
    players = learning_players(environment, learns)
    groups = [players] if sharing is Sharing.SHARED else [(player,) for player in players]
    return tuple(
        Agent(
            players=group,
            name="+".join(shown_players(environment.players)[player] for player in group),
            num_actions=max(environment.num_actions[player] for player in group),
            encoding=encoding_of(environment, group, remembers_actions=remembers_actions),
        )
        for group in groups
    )


def lanes_of(agent: Agent, turn: BatchTurn) -> Lanes:
    """Return a moment as the players of an agent see it."""
    count = len(agent.players)

    def own(values: NDArray[Any]) -> NDArray[Any]:
        if count == 1:
            return values[:, agent.players[0]]
        chosen = values[:, list(agent.players)]
        return chosen.reshape(len(values) * count, *chosen.shape[2:])

    acts = own(turn.acts)
    return Lanes(
        observations=own(turn.observations),
        final_observations=own(turn.final_observations),
        legal=own(turn.legal)[:, : agent.num_actions] | ~acts[:, None],
        acts=acts,
        rewards=own(turn.rewards),
        is_terminal=np.repeat(turn.is_terminal, count),
        is_truncated=np.repeat(turn.is_truncated, count),
    )


def marks_of(agent: Agent, lanes: int) -> NDArray[np.int64]:
    """Return which of the agent's players each lane belongs to, (R,)."""
    return np.arange(lanes) % len(agent.players)


def players_actions(agent: Agent, actions: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return actions of lanes (R,) by episode and player of the agent, (E, P)."""
    return actions.reshape(-1, len(agent.players))


def checked_others(
    environment: BatchedEnvironment,
    agents: tuple[Agent, ...],
    others: Mapping[int, Behavior] | None,
) -> dict[int, Behavior]:
    """Return how each player plays who does not learn; uniformly, unless said otherwise.

    Raises:
        InvalidArgument: If ``others`` speaks of a player who learns, or of nobody, or gives no
            function.
    """
    learning = {player for agent in agents for player in agent.players}
    resting = [k for k in range(len(environment.players)) if k not in learning]
    given: Any = {} if others is None else others
    require_instance(given, Mapping, name="others", remedy="Give {player: function}.")
    for player, behavior in given.items():
        require_function(behavior, name=f"others[{player!r}]")
        if player not in resting:
            raise InvalidArgument(
                needs=f"others to speak of players who do not learn, {resting!r}",
                found=f"it speaks of {player!r}",
                remedy="Leave that one out.",
            )
    return {player: given.get(player, uniform_behavior) for player in resting}


def uniform_behavior(
    observations: NDArray[Any],  # noqa: ARG001
    legal: NDArray[np.bool_],
) -> NDArray[np.float64]:
    """Play all legal actions equally often; a ``Behavior``."""
    return legal / legal.sum(axis=-1, keepdims=True)


def others_actions(
    others: Mapping[int, Behavior],
    environment: BatchedEnvironment,
    turn: BatchTurn,
    rng: np.random.Generator,
) -> NDArray[np.int64]:
    """Draw what players do who do not learn, (E, N); 0 for those who do, or who do not act."""
    actions = np.zeros(turn.acts.shape, dtype=np.int64)
    for player, behavior in others.items():
        acts = turn.acts[:, player]
        if acts.any():
            count = environment.num_actions[player]
            legal = turn.legal[acts, player, :count]
            shares = behavior(turn.observations[acts, player], legal)
            _refuse_bad_shares(shares, legal, environment.players[player])
            actions[acts, player] = draw_actions(shares, rng)
    return actions


def _refuse_bad_shares(shares: Any, legal: NDArray[np.bool_], player: str) -> None:
    given = np.shape(shares)
    if given != legal.shape:
        raise InvalidArgument(
            needs=f"probabilities of shape {legal.shape} of how {player!r} plays",
            found=f"the function returns shape {given}",
            remedy="Return a row for each observation.",
            where="others",
        )
    if not np.isfinite(shares).all() or (shares < 0).any() or (shares[~legal] > 0).any():
        raise InvalidArgument(
            needs=f"finite probabilities of at least 0, and 0 where not legal, of how {player!r} "
            "plays",
            found=f"the function returns {shown(shares.tolist())}",
            where="others",
        )
    sums: NDArray[np.float64] = np.asarray(shares, dtype=np.float64).sum(axis=-1)
    off = np.flatnonzero(abs(sums - 1) > allowed_miss(np.float32, legal.shape[-1]))
    if off.size:
        raise InvalidArgument(
            needs=f"probabilities that sum to 1 of how {player!r} plays",
            found=f"those in row {off[0]} sum to {sums[off[0]]}",
            remedy="Divide each row by its sum.",
            where="others",
        )


def draw_actions(shares: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw an action for each row of probabilities (R, A); never one of probability zero."""
    return drawn_actions(shares, rng.random(len(shares)))
