"""Commitment to several followers in pure equilibrium: what it earns, and that none earns more.

The leader commits to a mixed strategy ``x``; the others see it and play a pure Nash equilibrium
among themselves, if there are several the leader's favorite. Followers play the joint action ``b``
only if no follower ``j`` gains by another action ``c``: ``x.(F_j[:, b] - F_j[:, (c, b)]) >= 0``,
with ``(c, b)`` for ``b`` after the change. So for any *multipliers* ``y >= 0``, one for each
follower and change,

    x.L[:, b]  <=  max over a of  L[a, b] + sum y_jc (F_j[a, b] - F_j[a, (c, b)]).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import lcm
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ExactArray, scaled_integers
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import exactly, rationals, require_exact_profile, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

KIND = "pure-followers"
JointAction: TypeAlias = tuple[int, ...]


@dataclass(frozen=True)
class ChangeMultiplier:
    """How much a follower's preference for its action over another weighs in a bound.

    Attributes:
        player: A follower.
        action: What the follower could play instead.
        weight: At least 0; the leader's payoff units per unit of the follower's.
    """

    player: int
    action: int
    weight: Fraction


def certify_pure_followers(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    leader: int,
    multipliers: tuple[tuple[ChangeMultiplier, ...], ...],
) -> "PureFollowersCertificate":
    """Measure a commitment and the bound that multipliers prove, and state both.

    Args:
        profile: Rational: the commitment, and a pure action of each follower.
        leader: Who commits, from 0.
        multipliers: For each joint action of the followers, the last follower's action fastest.

    Raises:
        CertificateRejected: If the followers' actions are not the leader's favorite pure
            equilibrium, or something does not fit the game.

    >>> from gametheory_core import pure_profile
    >>> game = NormalFormGame.bimatrix([[2, 4], [1, 3]], [[1, 0], [0, 1]])
    >>> certify_pure_followers(
    ...     game, pure_profile(game, (0, 0)), leader=0, multipliers=((), ())
    ... ).epsilon
    Fraction(2, 1)
    """
    require_declared_arguments(PureFollowersCertificate, leader=leader, multipliers=multipliers)
    if leader not in range(game.num_players):
        raise CertificateRejected(
            needs=f"a leader from 0 to {game.num_players - 1}", found=f"got {leader!r}"
        )
    require_exact_profile(game, profile, kind=KIND)
    tables = _Tables(game, leader)
    if len(multipliers) != len(tables.joint_actions):
        raise CertificateRejected(
            needs=f"multipliers for each of {len(tables.joint_actions)} joint actions of the "
            "followers",
            found=f"has them for {len(multipliers)}",
        )
    _require_favorite_equilibrium(tables, profile)
    bounds = [
        _bound(tables, joint, row)
        for joint, row in zip(tables.joint_actions, multipliers, strict=True)
    ]
    payoffs = rationals(expected_payoffs(game, profile))
    return PureFollowersCertificate(
        game, leader, profile, payoffs[leader], max(bounds), multipliers
    )


@claim(KIND, measure=certify_pure_followers, proves=("stackelberg",))
class PureFollowersCertificate(Checkable):
    """The claim that a commitment earns ``leader_payoff``, and none more than ``upper_bound``.

    Attributes:
        game: Any number of players.
        leader: Who commits, from 0.
        profile: Rational: the commitment, and a pure equilibrium of the followers.
        leader_payoff: What the leader gets; payoff units.
        upper_bound: No commitment gets more; equals ``leader_payoff`` in an optimal solution.
        multipliers: For each joint action of the followers, the last follower's action fastest.
    """

    game: NormalFormGame
    leader: int
    profile: MixedProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    multipliers: tuple[tuple[ChangeMultiplier, ...], ...]
    payoffs = answer_payoffs
    epsilon = commitment_gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[self.leader]
        earned = (
            f"player {name!r} commits, the others play a pure equilibrium, and {name!r} gets "
            f"{exactly(self.leader_payoff)}"
        )
        return f"{earned}; {rivals_bound(self)}"


@dataclass(frozen=True)
class _Tables:
    """Payoffs seen from the leader: the leader's actions first, then the followers'."""

    game: NormalFormGame
    leader: int

    @cached_property
    def followers(self) -> tuple[int, ...]:
        return tuple(i for i in range(self.game.num_players) if i != self.leader)

    @cached_property
    def joint_actions(self) -> tuple[JointAction, ...]:
        """All joint actions of the followers, the last one's action fastest."""
        return tuple(product(*(range(self.game.num_actions[j]) for j in self.followers)))

    @cached_property
    def payoffs(self) -> dict[int, tuple[ExactArray, int]]:
        """Each player's payoffs as integers, and their denominator."""
        return {
            i: (np.moveaxis(scaled.numerators, self.leader, 0), scaled.denominator)
            for i, scaled in enumerate(self.game.scaled_payoffs)
        }

    def column(self, player: int, joint: JointAction) -> ExactArray:
        """Return what a player gets for each of the leader's actions, times the denominator."""
        return self.payoffs[player][0][(slice(None), *joint)]

    def changed(self, joint: JointAction, player: int, action: int) -> JointAction:
        """Return the joint action with one follower's action changed."""
        place = self.followers.index(player)
        return (*joint[:place], action, *joint[place + 1 :])


def _require_favorite_equilibrium(tables: _Tables, profile: MixedProfile) -> None:
    game, leader = tables.game, tables.leader
    played = supports(profile)
    joint = tuple(played[j][0] for j in tables.followers)
    if any(len(played[j]) > 1 for j in tables.followers):
        raise CertificateRejected(needs="followers who play pure actions", found="one mixes")
    weights = scaled_integers(cast("ExactArray", profile.strategies[leader])).numerators
    values = {i: np.tensordot(weights, table, 1) for i, (table, _) in tables.payoffs.items()}
    is_stable = np.ones(values[leader].shape, dtype=bool)
    for place, j in enumerate(tables.followers):
        is_stable &= values[j] == values[j].max(axis=place, keepdims=True)
        best = values[j][(*joint[:place], slice(None), *joint[place + 1 :])]
        if values[j][joint] != max(best):
            better = game.actions[j][int(np.argmax(best))]
            raise CertificateRejected(
                needs="an equilibrium of the followers",
                found=f"player {game.players[j]!r} gains by changing "
                f"{game.actions[j][joint[place]]!r} to {better!r}",
            )
    if values[leader][joint] < max(values[leader][is_stable]):
        raise CertificateRejected(
            needs="the leader's favorite among the followers' pure equilibria",
            found="another one gives the leader more",
        )


def _bound(
    tables: _Tables, joint: JointAction, multipliers: tuple[ChangeMultiplier, ...]
) -> Fraction:
    """Return what multipliers prove of the commitments to which followers play ``joint``."""
    unit = lcm(*(entry.weight.denominator for entry in multipliers))
    scale = lcm(*(denominator for _, denominator in tables.payoffs.values()))
    total = tables.column(tables.leader, joint) * (
        unit * (scale // tables.payoffs[tables.leader][1])
    )
    for entry in multipliers:
        _require_multiplier(tables, entry)
        other = tables.changed(joint, entry.player, entry.action)
        gain = tables.column(entry.player, joint) - tables.column(entry.player, other)
        factor = entry.weight * unit * (scale // tables.payoffs[entry.player][1])
        total = total + gain * factor.numerator
    return Fraction(max(total.tolist()), scale * unit)


def _require_multiplier(tables: _Tables, entry: ChangeMultiplier) -> None:
    if entry.weight < 0:
        raise CertificateRejected(
            needs="multipliers of at least 0", found=f"one is {written(entry.weight)}"
        )
    counts = tables.game.num_actions
    if entry.player not in tables.followers or entry.action not in range(counts[entry.player]):
        raise CertificateRejected(
            needs="multipliers for actions of followers",
            found=f"one is for player {entry.player}, action {entry.action}",
        )
