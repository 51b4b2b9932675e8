"""Agents: which players learn, which of them share one network, and what the others play.

A agent is a set of players with one network. In a batch of ``E`` episodes a agent of ``P`` players
has ``R = E * P`` *lanes*, each one player's view of one episode: lane ``e * P + k`` is that of the
agent's player ``k`` in episode ``e``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gametheory_core.arguments import (
    require_function,
    require_member,
    shown,
    shown_players,
)
from gametheory_core.errors import InvalidArgument
from learners.batch import BatchedEnvironment, BatchTurn
from learners.deep.encoding import Encoding, encoding_of
from learners.seats import learning_players
from learners.streams import drawn_actions

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
    """One moment as the players of a agent see it; ``R`` lanes.

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
        function: On whose behalf, for messages.

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
    """Return a moment as the players of a agent see it."""
    players = list(agent.players)
    episodes = len(turn.acts)
    acts = turn.acts[:, players].reshape(-1)
    legal = turn.legal[:, players, : agent.num_actions].reshape(-1, agent.num_actions)

    def seen(observations: NDArray[Any]) -> NDArray[Any]:
        chosen = observations[:, players]
        return chosen.reshape(episodes * len(players), *chosen.shape[2:])

    return Lanes(
        observations=seen(turn.observations),
        final_observations=seen(turn.final_observations),
        legal=legal | ~acts[:, None],
        acts=acts,
        rewards=turn.rewards[:, players].reshape(-1),
        is_terminal=np.repeat(turn.is_terminal, len(players)),
        is_truncated=np.repeat(turn.is_truncated, len(players)),
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
    given = dict(others or {})
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


def draw_actions(shares: NDArray[np.float64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw an action for each row of probabilities (R, A); never one of probability zero."""
    return drawn_actions(shares, rng.random(len(shares)))
