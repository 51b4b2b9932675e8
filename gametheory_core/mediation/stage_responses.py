"""What leading does: naive responses of followers in a step, and the first-mover advantage.

``BR(s, i, a_i)`` is a joint action of the others such that none of them would rather do something
else in this step: a Nash equilibrium of the one-stage game that the leader's action leaves. It is
published: a function of state, leader and action that everybody knows.

First-mover advantage in mediated games: whether everybody would rather lead than follow.

*By rewards*: the worst that a player gets by leading is above the best that it gets by following,
in every state. *By values*: given what all do as leaders and whom the mediator picks later on, no
player would have more, at any node, if another one led there.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from itertools import product
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from gametheory_core.arguments import require_instance, require_member
from gametheory_core.conversions.tabular import markov_view
from gametheory_core.errors import (
    InvalidArgument,
    UnsupportedGame,
    named,
    refusing_as,
    refusing_function,
)
from gametheory_core.games.markov_view import MarkovView
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.games.rules import POSG
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.rules import mediated_game
from gametheory_core.mediation.values import (
    MediatorIncentives,
    leader_values,
    profile_nodes,
    transfers_of,
)

Joint: TypeAlias = tuple[int, ...]  # of each player's action, its position among the legal ones
Answer: TypeAlias = tuple[Any, ...]  # labels of what the others do, in the players' order
Respond: TypeAlias = Callable[[Any, int, Any], Joint | None]


class Deviation(NamedTuple):
    """A follower who would rather do something else.

    Attributes:
        position: Of the better action, among the player's legal ones.
        paid, better: What the player gets as it is, and by the better action.
    """

    player: int
    position: int
    paid: Fraction
    better: Fraction


@dataclass(frozen=True)
class Stages:
    """The stage games of a Markov game of finite length, asked by labels of states."""

    view: MarkovView

    @cached_property
    def state_index(self) -> dict[Any, int]:
        """Number of each state label."""
        return {label: k for k, label in enumerate(self.view.game.states)}

    def legal(self, state: Any) -> tuple[tuple[Any, ...], ...]:
        """Return the labels of each player's legal actions."""
        own = zip(self.view.game.actions, self.view.legal[self.state_index[state]], strict=True)
        return tuple(tuple(labels[a] for a in actions) for labels, actions in own)

    def row(self, state: Any, joint: Joint) -> int:
        """Return the row of the table of a joint action."""
        return int(self.view.stage_rows(self.state_index[state])[joint])

    def rewards(self, row: int) -> tuple[Fraction, ...]:
        """Return what a row pays each player, expected over the next state."""
        scaled = self.view.rewards
        return tuple(Fraction(n, scaled.denominator) for n in scaled.numerators[row].tolist())

    def law(self, row: int) -> dict[Any, Fraction]:
        """Return the chance of each next state."""
        return dict(self.view.game.transition_kernel.law(row, self.view.game.states))

    def labels(self, state: Any, joint: Joint) -> tuple[Any, ...]:
        """Return the labels of a joint action."""
        return tuple(own[k] for own, k in zip(self.legal(state), joint, strict=True))

    def better_response(self, state: Any, leader: int, joint: Joint) -> Deviation | None:
        """Return the follower who would gain most by another action; None if nobody would gain."""
        paid = self.rewards(self.row(state, joint))
        found: list[Deviation] = []
        for player, own in enumerate(self.legal(state)):
            for position in range(len(own)) if player != leader else ():
                other = (*joint[:player], position, *joint[player + 1 :])
                better = self.rewards(self.row(state, other))[player]
                if better > paid[player]:
                    found.append(Deviation(player, position, paid[player], better))
        return max(found, key=lambda gain: gain.better - gain.paid, default=None)

    def after(self, state: Any, leader: int, position: int) -> Iterator[Joint]:
        """Walk over the joint actions in which the leader does a certain thing."""
        choices = [range(len(own)) for own in self.legal(state)]
        choices[leader] = range(position, position + 1)
        yield from product(*choices)

    def called(self, state: Any, leader: int, action: Any) -> str:
        """Return a step in words, for messages."""
        name = self.view.game.players[leader]
        return f"player {name!r} leads with {action!r} in state {state!r}"


def stages_of(game: POSG, *, horizon: int | None) -> Stages:
    """View a POSG as its stage games.

    Raises:
        UnsupportedGame: If a player does not see the state, or play has no end.
    """
    with refusing_as(refusing_function()):
        view = markov_view(game, horizon=horizon)
    if view.game.horizon is None or view.game.horizon < 1:
        raise UnsupportedGame(
            needs="a game of a known number of steps, at least 1",
            found=f"{view.game!r} has horizon {view.game.horizon}",
            remedy=f"Give {named('horizon=...')}",
        )
    first = [state for state, _ in view.game.initial()]
    if all(map(view.game.is_terminal, first)):
        raise UnsupportedGame(
            needs="a game in which somebody moves",
            found=f"play of {view.game!r} begins, and ends, in state {first[0]!r}",
        )
    return Stages(view)


def mediated_by(stages: Stages, respond: Respond) -> MediatedGame:
    """Build the mediated game in which the others respond so.

    Args:
        respond: (state, leader, action) -> the joint action, as positions, or None where the player
            cannot lead with the action. Asked once.

    Raises:
        UnsupportedGame: If nobody can lead in some state.
    """
    table = stages.view.game
    joints: dict[tuple[Any, int, Any], Joint] = {}

    def actions(state: Any, leader: int) -> tuple[Any, ...]:
        if leader == 0:
            _ask_all(stages, respond, state, joints)
        return tuple(a for a in stages.legal(state)[leader] if (state, leader, a) in joints)

    def play(state: Any, leader: int, action: Any) -> tuple[Any, Any]:
        row = stages.row(state, joints[state, leader, action])
        return stages.rewards(row), table.transition_kernel.law(row, table.states)

    return mediated_game(
        players=table.players,
        horizon=table.horizon or 1,
        initial=table.initial(),
        actions=actions,
        play=play,
        is_terminal=table.is_terminal,
        discount=table.discount,
        title=f"{table.title} with a mediator",
    )


def _ask_all(
    stages: Stages, respond: Respond, state: Any, joints: dict[tuple[Any, int, Any], Joint]
) -> None:
    """Store the joint action of everything with which somebody can lead in a state."""
    before = len(joints)
    for leader, own in enumerate(stages.legal(state)):
        for action in own:
            joint = respond(state, leader, action)
            if joint is not None:
                joints[state, leader, action] = joint
    if len(joints) == before:
        raise UnsupportedGame(
            needs="somebody who can lead wherever play continues",
            found=f"in state {state!r} there is no response to anybody's action",
            remedy="Add responses, or end play there.",
        )


Key: TypeAlias = tuple[Any, int, Any]  # state, leader, action


def naive_responses(game: POSG, *, horizon: int | None = None) -> Mapping[Key, Answer]:
    """Compute the followers' naive responses, where there is exactly one.

    Looked at are deterministic responses, in states that leaders and naive followers can reach.

    Args:
        game: Everybody sees the state.
        horizon: Stop after so many steps; needed if the game has no horizon.

    Returns:
        (state, leader, action) -> joint action of the others, in the players' order. In a
        dictionary of your own, leave out keys for what a player cannot lead with.

    Raises:
        UnsupportedGame: If followers have no pure equilibrium after some action, or several: names
            two. Publish the one that is meant: ``mediate(game, responses=...)``. Also if a player
            does not see the state, or play has no end.

    >>> from gametheory_core.catalog import RepeatedGame
    >>> responses = naive_responses(RepeatedGame.of("battle_of_the_sexes"))
    >>> responses[(), 0, "ballet"], responses[(), 1, "fight"]
    (('ballet',), ('fight',))
    """
    stages = stages_of(game, horizon=horizon)
    found: dict[Key, Answer] = {}

    def respond(state: Any, leader: int, action: Any) -> Joint:
        joint = _only_response(stages, state, leader, action)
        labels = stages.labels(state, joint)
        found[state, leader, action] = labels[:leader] + labels[leader + 1 :]
        return joint

    mediated_by(stages, respond)
    return MappingProxyType(found)


def _only_response(stages: Stages, state: Any, leader: int, action: Any) -> Joint:
    position = stages.legal(state)[leader].index(action)
    found: list[Joint] = []
    for joint in stages.after(state, leader, position):
        if stages.better_response(state, leader, joint) is None:
            found.append(joint)
        if len(found) > 1:
            break
    if len(found) == 1:
        return found[0]
    shown = " and ".join(str(stages.labels(state, joint)) for joint in found)
    raise UnsupportedGame(
        needs="one pure equilibrium of the followers in each step",
        found=f"where {stages.called(state, leader, action)} there is "
        f"{f'more than one: joint actions {shown}' if found else 'none'}",
        remedy="Publish what followers do: mediate(game, responses=...).",
    )


class FirstMoverAdvantage(Enum):
    """What a leader has more of than a follower."""

    REWARDS = "rewards of the step, whatever leaders do"
    VALUES = "returns from the step on, under a profile"


def is_first_mover_advantage(
    game: MediatedGame,
    *,
    kind: FirstMoverAdvantage,
    profile: MediatedProfile | None = None,
    incentives: MediatorIncentives | None = None,
) -> Verdict:
    """Decide whether leading is better than following, for every player, wherever play continues.

    Args:
        kind: ``REWARDS``: in every state, ``min_a r_i(s, i, a) > max_{j != i, a} r_i(s, j, a)``.
            ``VALUES``: at every node ``(t, s, h)`` of the mediator,
            ``U_i(t, s, h | i leads) >= U_i(t, s, h | j leads)`` for all ``j != i``, with ``U`` what
            a player gets from there on under the profile.
        profile: For ``VALUES``, and only there.
        incentives: For ``VALUES``: whose transfers to count. Default: the game's own rewards alone.

    Returns:
        The witness is, for ``REWARDS``, two rows of the game in which a player leads and follows;
        for ``VALUES`` a step, a node, the player, and the leader whom it would rather follow.

    Raises:
        InvalidArgument: If there is no profile where one is needed, or one where none is.
        InvalidStrategy: If the profile does not fit the game.

    >>> from gametheory_core.mediation import mediated_chicken
    >>> is_first_mover_advantage(mediated_chicken(), kind=FirstMoverAdvantage.REWARDS).reason
    "in state 'round', 'Player 1' gets 2 by leading with 'swerve' and 7 where 'Player 2' leads \
with 'swerve'"
    """
    require_instance(game, MediatedGame, name="game")
    require_member(kind, FirstMoverAdvantage, name="kind")
    if (kind is FirstMoverAdvantage.VALUES) != (profile is not None):
        need = "a" if profile is None else "no"
        raise InvalidArgument(
            needs=f"{need} profile for {kind}",
            found=f"got {profile!r}",
            remedy="Values are those of a profile; rewards are the game's.",
        )
    if profile is None:
        return next(_by_rewards(game), HOLDS)
    return next(_by_values(game, profile, incentives), HOLDS)


def _by_rewards(game: MediatedGame) -> Iterator[Verdict]:
    """Walk over what breaks the advantage in a state, player by player."""
    for state in np.unique(game.row_state).tolist():
        rows = np.flatnonzero(game.row_state == state)
        for player, label in enumerate(game.players):
            leads = game.row_leader[rows] == player
            if leads.all():
                continue
            # the worst that leading pays has to beat the best that following does
            own = game.rewards[rows, player]
            leading = int(rows[leads][np.argmin(own[leads])])
            following = int(rows[~leads][np.argmax(own[~leads])])
            if game.rewards[leading, player] <= game.rewards[following, player]:
                other = game.players[game.row_leader[following]]
                reason = (
                    f"in state {game.states[state]!r}, {label!r} gets "
                    f"{game.rewards[leading, player]} by leading with {_done(game, leading)!r} and "
                    f"{game.rewards[following, player]} where {other!r} leads with "
                    f"{_done(game, following)!r}"
                )
                yield Verdict(False, reason, (leading, following))


def _done(game: MediatedGame, row: int) -> object:
    return game.actions[game.row_leader[row]][game.row_action[row]]


def _by_values(
    game: MediatedGame, profile: MediatedProfile, incentives: MediatorIncentives | None
) -> Iterator[Verdict]:
    """Walk over what breaks the advantage at a node."""
    nodes = profile_nodes(game, profile)
    everybody = range(game.num_players)
    values = leader_values(nodes, transfers_of(nodes, incentives))
    for step, layer in enumerate(values):
        for node, by_leader in enumerate(layer):
            for player in everybody:
                leader = max(everybody, key=lambda j: by_leader[j][player])
                own, other = by_leader[player][player], by_leader[leader][player]
                if own < other:
                    reason = (
                        f"at {nodes.histories.name(step, node)}, {game.players[player]!r} gets "
                        f"{own} from there on by leading and {other} where "
                        f"{game.players[leader]!r} leads"
                    )
                    yield Verdict(False, reason, (step, node, player, leader))
