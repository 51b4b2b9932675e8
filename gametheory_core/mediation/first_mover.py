"""First-mover advantage in mediated games: whether everybody would rather lead than follow.

*By rewards*: the worst that a player gets by leading is above the best that it gets by following,
in every state. *By values*: given what all do as leaders and whom the mediator picks later on, no
player would have more, at any node, if another one led there.
"""

from collections.abc import Iterator
from enum import Enum

import numpy as np

from gametheory_core.arguments import require_instance, require_member
from gametheory_core.errors import InvalidArgument
from gametheory_core.games.properties import HOLDS, Verdict
from gametheory_core.mediation.game import MediatedGame
from gametheory_core.mediation.policies import MediatedProfile
from gametheory_core.mediation.recursion import (
    MediatorIncentives,
    leader_values,
    profile_nodes,
    transfers_of,
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

    >>> from gametheory_core.mediation.catalog import mediated_chicken
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
