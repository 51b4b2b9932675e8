"""Checks of single eliminations and of single reasons to stay, exactly."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias, cast

import numpy as np

from gametheory_core.arrays import ExactArray, exact_array, scaled_integers
from gametheory_core.certificates.dominance_steps import (
    Dominance,
    DominatedBy,
    Elimination,
    Survival,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.labels import label_or_number

KIND = "dominance"

ActionSets: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Claim:
    """What is meant by dominance, in which game."""

    game: NormalFormGame
    dominance: Dominance
    dominated_by: DominatedBy

    def reject(self, player: int, action: int, problem: str) -> CertificateRejected:
        """Word a rejection."""
        name = label_or_number(self.game.actions[player][action], action + 1)
        owner = label_or_number(self.game.players[player], player + 1)
        return CertificateRejected(
            f"{KIND} certificate: action {name} of player {owner} {problem}. "
            "Do not use this answer."
        )


def after_round(claim: Claim, actions: ActionSets, group: list[Elimination]) -> ActionSets:
    """Check all eliminations of a round in the game it begins with, and carry them out."""
    gone: set[tuple[int, int]] = set()
    tables: dict[int, ExactArray] = {}
    for elimination in group:
        player, action = elimination.player, elimination.action
        _require_present(claim, actions, player, action)
        if (player, action) in gone:
            raise claim.reject(player, action, "is eliminated twice")
        if player not in tables:
            tables[player] = _table(claim.game, actions, player)
        _require_dominated(claim, actions[player], tables[player], elimination)
        gone.add((player, action))
    return tuple(
        tuple(a for a in own if (player, a) not in gone) for player, own in enumerate(actions)
    )


def _require_present(claim: Claim, actions: ActionSets, player: int, action: int) -> None:
    if not (0 <= player < len(actions) and action in actions[player]):
        raise CertificateRejected(
            needs="actions that are still there",
            found=f"action {action!r} of player {player!r} (both from 0) is not in {claim.game!r}",
            remedy="Do not use this answer.",
            where=f"{KIND} certificate",
        )


def _table(game: NormalFormGame, actions: ActionSets, player: int) -> ExactArray:
    """Return own payoffs as integers, shape (own actions left, joint actions of the others left).

    Joint actions are in the order of ``itertools.product``.
    """
    numerators = game.scaled_payoffs[player].numerators[np.ix_(*actions)]
    return np.moveaxis(numerators, player, 0).reshape(len(actions[player]), -1)


def _require_dominated(
    claim: Claim, own: tuple[int, ...], table: ExactArray, elimination: Elimination
) -> None:
    player, action = elimination.player, elimination.action
    dominators = elimination.dominators
    _require_lottery(claim, player, action, dominators, elimination.weights)
    if not set(dominators) <= set(own):
        raise claim.reject(player, action, "is dominated by actions that are not there")
    if claim.dominated_by is DominatedBy.PURE and len(dominators) != 1:
        raise claim.reject(player, action, "is dominated by a mixture, not by a pure strategy")
    weights = scaled_integers(exact_array(list(elimination.weights)))
    mixture = weights.numerators @ table[[own.index(a) for a in dominators]]
    gains = mixture - weights.denominator * table[own.index(action)]
    strict = claim.dominance is Dominance.STRICT
    if min(gains) < int(strict) or not max(gains):
        raise claim.reject(
            player, action, f"is not {claim.dominance.value}ly dominated by the strategy given"
        )


def _require_lottery(
    claim: Claim,
    player: int,
    action: int,
    outcomes: Sequence[object],
    probabilities: Sequence[object],
) -> None:
    """Reject anything but positive rationals that sum to 1, for different outcomes."""
    if (
        len(outcomes) != len(probabilities)
        or len(set(outcomes)) != len(outcomes)
        or not all(isinstance(p, Fraction) and p > 0 for p in probabilities)
        or sum(cast("Sequence[Fraction]", probabilities)) != 1
    ):
        raise claim.reject(
            player, action, "needs different outcomes with positive rationals that sum to 1"
        )


def explained(claim: Claim, actions: ActionSets, survivals: Iterable[Survival]) -> int:
    """Check all reasons to stay; return for how many actions."""
    done: set[tuple[int, int]] = set()
    tables: dict[int, ExactArray] = {}
    for survival in survivals:
        player, action = survival.player, survival.action
        _require_present(claim, actions, player, action)
        if (player, action) in done:
            raise claim.reject(player, action, "is said to stay twice")
        if player not in tables:
            tables[player] = _table(claim.game, actions, player)
        if claim.dominated_by is DominatedBy.PURE:
            _require_undominated_by_pure(claim, actions[player], tables[player], survival)
        else:
            _require_protecting_belief(claim, actions, tables[player], survival)
        done.add((player, action))
    return len(done)


def _require_undominated_by_pure(
    claim: Claim, own: tuple[int, ...], table: ExactArray, survival: Survival
) -> None:
    mine = table[own.index(survival.action)]
    if claim.dominance is Dominance.STRICT:
        dominating = (table > mine).all(axis=1)
    else:
        dominating = (table >= mine).all(axis=1) & (table > mine).any(axis=1)
    if dominating.any():
        better = claim.game.actions[survival.player][own[int(np.argmax(dominating))]]
        raise claim.reject(survival.player, survival.action, f"is dominated by {better!r}")


def _require_protecting_belief(
    claim: Claim, actions: ActionSets, table: ExactArray, survival: Survival
) -> None:
    player, action = survival.player, survival.action
    others = [own for other, own in enumerate(actions) if other != player]
    _require_lottery(claim, player, action, survival.joint_actions, survival.probabilities)
    for joint_action in survival.joint_actions:
        if len(joint_action) != len(others) or not all(
            a in own for a, own in zip(joint_action, others, strict=True)
        ):
            raise claim.reject(player, action, f"has a belief in {joint_action}, not in the game")
    columns = [_column(joint_action, others) for joint_action in survival.joint_actions]
    weights = scaled_integers(exact_array(list(survival.probabilities))).numerators
    values = table[:, columns] @ weights
    position = actions[player].index(action)
    if values[position] != max(values):
        raise claim.reject(player, action, "is no best response to the belief given")
    if claim.dominance is Dominance.WEAK and len(columns) < table.shape[1]:
        equals = table[values == values[position]]
        if (equals != table[position]).any():
            raise claim.reject(
                player,
                action,
                "is not the only best response to the belief given, which excludes something",
            )


def _column(joint_action: Sequence[int], others: Sequence[tuple[int, ...]]) -> int:
    column = 0
    for action, own in zip(joint_action, others, strict=True):
        column = column * len(own) + own.index(action)
    return column
