"""Deviations by information set: who gains, where, and how much.

At an information set ``I`` of player ``i``, with ``r`` the others' reach of its nodes
summed, ``o`` the player's own reach, ``V`` the counterfactual value under the profile, ``V(a)``
that of an action, and ``B`` that of the best play from there on, gains come in three weightings:

    counterfactual:   max V(a) - V                and   B - V
    if reached:       these divided by r          (nothing, not 0/0, where r is 0)
    expected:         these times o               (how much the player's expected payoff grows)

For a best response ``b``, the terms ``V(b(I)) - V`` over the information sets that ``b`` itself
comes to, the others willing, add up to the whole deviation gain: they say where it arises.

With ``r(v)`` the others' reach of node ``v``, and ``u(v)`` the player's expected payoff from
``v`` on,

    value(I) = sum over v in I of r(v) u(v),    value(I, a) = sum over v in I of r(v) u(v a),

and the regret of an action is ``value(I, a) - value(I)``.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np

from gametheory_core.arguments import label_or_number, require_integer
from gametheory_core.arrays import ZERO, NumberArray, freeze
from gametheory_core.evaluation.deviations import sequence_payoffs, sweep
from gametheory_core.evaluation.payoffs import counterfactual_reach, node_payoffs, player_reach
from gametheory_core.games.extensive_form import ExtensiveFormGame, player_infosets
from gametheory_core.games.kinds import require_tree
from gametheory_core.games.properties import require_perfect_recall
from gametheory_core.strategies import BehavioralProfile, player_sequences
from gametheory_core.strategies.behavioral import check_behavioral_profile, check_profile
from gametheory_core.strategies.sequences import PlayerSequences


@dataclass(frozen=True, eq=False)
class CounterfactualValues:
    """One player's counterfactual values; payoff units, weighted by the others' reach.

    Attributes:
        infosets: Indices of the player's information sets in the game.
        values (num_own_infosets,): Of each own information set under the profile.
        action_values: Of each action at each own information set.
    """

    player: int
    infosets: range
    values: NumberArray
    action_values: tuple[NumberArray, ...]

    @property
    def regrets(self) -> tuple[NumberArray, ...]:
        """Value of each action less that of its information set (counterfactual regrets)."""
        return tuple(
            freeze(actions - value)
            for actions, value in zip(self.action_values, self.values, strict=True)
        )


def counterfactual_values(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int
) -> CounterfactualValues:
    """Compute a player's counterfactual values at all own information sets.

    Exact on exact profiles, float64 on float ones.

    Raises:
        InvalidStrategy: If the profile does not fit the game.

    Source: Zinkevich, Johanson, Bowling and Piccione, "Regret minimization in games with incomplete
        information" (2007), section 3.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> poker = load_game("one_card_poker")
    >>> counterfactual_values(poker, uniform_behavior(poker), player=1).values
    array([Fraction(-1, 4)], dtype=object)
    """
    check_behavioral_profile(game, profile)
    onward = node_payoffs(game, profile, player=player)[:, 0]
    reach = counterfactual_reach(game, profile, player=player)
    infosets = player_infosets(game, player)
    values = _no_values(len(game.infosets), profile)
    nodes = np.flatnonzero(game.node_player == player)
    np.add.at(values, game.node_infoset[nodes], reach[nodes] * onward[nodes])
    by_action = _no_values(int(game.action_offset[-1]), profile)
    children = 1 + np.flatnonzero(game.node_player[game.parent[1:]] == player)
    # the step into a child is the player's own, so the child has its parent's reach
    np.add.at(by_action, game.node_action[children], reach[children] * onward[children])
    offset = game.action_offset
    return CounterfactualValues(
        player=player,
        infosets=infosets,
        values=freeze(values[infosets.start : infosets.stop]),
        action_values=tuple(freeze(by_action[offset[s] : offset[s + 1]].copy()) for s in infosets),
    )


def _no_values(count: int, profile: BehavioralProfile) -> NumberArray:
    out = np.empty(count, dtype=object if profile.is_exact else np.float64)
    out[:] = ZERO if profile.is_exact else 0.0
    return out


Amount: TypeAlias = Fraction | float


class ReachStatus(Enum):
    """Whether play comes to an information set."""

    PLAYED = "play comes here"
    AVOIDED = "only the mover's own choices keep play away"
    UNREACHED = "the others or chance never let play come here"


@dataclass(frozen=True)
class InfosetDeviation:
    """What one player could gain at one own information set.

    Amounts are in payoff units; exact for exact profiles. Properties that are conditional on play
    coming here are None where the others or chance never let it.

    Attributes:
        player, infoset: Whose, and the index in ``game.infosets``.
        player_name, label: The same in words; an unnamed information set has its number.
        own_reach, others_reach: The mover's part of the probability that play comes here, and
            the others' and chance's.
        counterfactual_value: Expected payoff from here under the profile, weighted by the others'
            reach.
        best_action: The best action to choose here once, the profile followed after it.
        counterfactual_action_gain, counterfactual_gain: What that action gains, and what the best
            play from here on gains; weighted by the others' reach, at least 0.
        contribution: What the action of the best response here adds to its gain, if the best
            response comes here (else 0); a player's contributions sum to the deviation gain. A move
            that only prepares later gains may have a negative one.
    """

    player: int
    infoset: int
    player_name: str
    label: str
    own_reach: Amount
    others_reach: Amount
    counterfactual_value: Amount
    best_action: str
    counterfactual_action_gain: Amount
    counterfactual_gain: Amount
    contribution: Amount

    @property
    def status(self) -> ReachStatus:
        """Whether play comes here."""
        if not self.others_reach:
            return ReachStatus.UNREACHED
        return ReachStatus.PLAYED if self.own_reach else ReachStatus.AVOIDED

    @property
    def reach(self) -> Amount:
        """Probability that play comes here."""
        return self.own_reach * self.others_reach

    @property
    def value_if_reached(self) -> Amount | None:
        """Expected payoff, given that play comes here."""
        return self._if_reached(self.counterfactual_value)

    @property
    def action_gain_if_reached(self) -> Amount | None:
        """What the best action gains here, given that play comes here."""
        return self._if_reached(self.counterfactual_action_gain)

    @property
    def gain_if_reached(self) -> Amount | None:
        """What the best play from here on gains, given that play comes here."""
        return self._if_reached(self.counterfactual_gain)

    @property
    def expected_action_gain(self) -> Amount:
        """What the player's expected payoff grows by with the best action here and nothing else."""
        return self.own_reach * self.counterfactual_action_gain

    @property
    def expected_gain(self) -> Amount:
        """What the player's expected payoff grows by with the best play from here on."""
        return self.own_reach * self.counterfactual_gain

    def _if_reached(self, amount: Amount) -> Amount | None:
        return amount / self.others_reach if self.others_reach else None


def infoset_deviations(
    game: ExtensiveFormGame, profile: BehavioralProfile, *, player: int | None = None
) -> tuple[InfosetDeviation, ...]:
    """Report what players could gain at each of their information sets.

    Args:
        game: Players reported on need perfect recall.
        player: Report on one player only. Default: all.

    Returns:
        One for each information set, the largest contribution to a deviation gain first; equal ones
        in the game's order.

    Raises:
        InvalidStrategy: If the profile does not fit the game.
        UnsupportedGame: If it is no tree, or a player reported on lacks perfect recall; carries the
            witness.
        InvalidArgument: If there is no such player.

    Time is linear in the number of nodes, for each player.

    Source: :cite:`zinkevich2007regret`, section 3, for counterfactual values.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> first = infoset_deviations(kuhn, uniform_behavior(kuhn))[0]
    >>> first.player_name, first.best_action, str(first.contribution)
    ('Player 1', 'call', '1/4')
    """
    require_tree(game)
    if player is not None:
        require_integer(player, name="player", low=0, high=game.num_players - 1)
    check_profile(game, profile)
    found: list[InfosetDeviation] = []
    for mover in range(game.num_players) if player is None else (player,):
        require_perfect_recall(
            game,
            player=mover,
            whose=" of players reported on",
            remedy="Report on another player, or use extensive_to_normal(game).target and "
            "deviation_gains.",
        )
        found += _of_player(game, profile, mover)
    return tuple(sorted(found, key=lambda deviation: -deviation.contribution))


def deviation_rows(deviations: Sequence[InfosetDeviation]) -> list[dict[str, Any]]:
    """Write deviations as plain rows, for a table or ``pandas.DataFrame(rows)``.

    Returns:
        One a deviation, in order: headings to texts and numbers, None where play cannot come.

    >>> from gametheory_core import load_game, uniform_behavior
    >>> kuhn = load_game("kuhn_poker")
    >>> row = deviation_rows(infoset_deviations(kuhn, uniform_behavior(kuhn)))[0]
    >>> row["player"], row["best action"], str(row["gain if reached"])
    ('Player 1', 'call', '3/2')
    """
    return [
        {
            "player": deviation.player_name,
            "information set": deviation.label,
            "status": deviation.status.value,
            "reach": deviation.reach,
            "others' reach": deviation.others_reach,
            "value if reached": deviation.value_if_reached,
            "best action": deviation.best_action,
            "action gain if reached": deviation.action_gain_if_reached,
            "gain if reached": deviation.gain_if_reached,
            "expected action gain": deviation.expected_action_gain,
            "expected gain": deviation.expected_gain,
            "contribution": deviation.contribution,
        }
        for deviation in deviations
    ]


def _of_player(
    game: ExtensiveFormGame, profile: BehavioralProfile, player: int
) -> list[InfosetDeviation]:
    own = player_sequences(game, player)
    current = counterfactual_values(game, profile, player=player)
    nodes = np.flatnonzero(game.node_player == player)
    slots = game.node_infoset[nodes] - own.infosets.start
    own_reach, others_reach = (_no_values(len(own.infosets), profile) for _ in range(2))
    own_reach[slots] = player_reach(game, profile, player=player)[nodes]
    np.add.at(others_reach, slots, counterfactual_reach(game, profile, player=player)[nodes])
    collected = sequence_payoffs(game, profile, player=player).tolist()
    response = sweep(own, collected)
    comes = _comes_to(own, response)
    first = own.first_sequence.tolist()
    found: list[InfosetDeviation] = []
    for k, index in enumerate(own.infosets):
        infoset, actions = game.infosets[index], current.action_values[k]
        best = int(np.argmax(actions))
        found.append(
            InfosetDeviation(
                player=player,
                infoset=index,
                player_name=game.players[player],
                label=label_or_number(infoset.label, infoset.number),
                own_reach=own_reach[k],
                others_reach=others_reach[k],
                counterfactual_value=current.values[k],
                best_action=infoset.actions[best],
                counterfactual_action_gain=actions[best] - current.values[k],
                counterfactual_gain=collected[first[k] + response[k]] - current.values[k],
                contribution=(actions[response[k]] - current.values[k]) * int(comes[k]),
            )
        )
    return found


def _comes_to(own: PlayerSequences, actions: Sequence[int]) -> list[bool]:
    """Tell to which own information sets a pure strategy comes, the others willing."""
    chosen = {0}
    comes: list[bool] = []
    for k, action in enumerate(actions):
        comes.append(int(own.parent_sequence[k]) in chosen)
        if comes[k]:
            chosen.add(int(own.first_sequence[k]) + action)
    return comes
