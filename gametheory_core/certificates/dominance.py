"""Dominance certificates: which actions were eliminated by what, and why the others stay.

An action is *strictly* dominated by a (mixed) strategy of its player that earns more against every
joint action of the others, *weakly* if it never earns less and somewhere more. An action for which
there is a belief about the others, correlated if there are several, to which it is a best response
is not strictly dominated by any mixed strategy. If it is the only best response, or the belief
excludes nothing, it is not weakly dominated either (Pearce 1984, lemmas 3 and 4).

Checks of single eliminations and of single reasons to stay, exactly.

Eliminations of dominated actions, and reasons why actions stay: what a certificate lists.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from itertools import groupby
from typing import Any, TypeAlias, cast

import numpy as np

from gametheory_core.arguments import label_or_number
from gametheory_core.arrays import ExactArray, exact_array, scaled_integers
from gametheory_core.certificates.claim import CheckableFact, claim, claimed
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame


class Dominance(Enum):
    """How much better a dominating strategy is; the value says it in words."""

    STRICT = "strict"
    WEAK = "weak"


class DominatedBy(Enum):
    """Which strategies may dominate; the value says it in words."""

    PURE = "pure strategies"
    MIXED = "mixed strategies"


@dataclass(frozen=True)
class Elimination:
    """An action with the strategy that dominates it.

    Attributes:
        player, action: Who loses which action.
        round_number: From 1; all eliminations of one round are judged in the game that the round
            begins with.
        dominators: Actions of the same player that the dominating strategy mixes.
        weights: Their probabilities.
    """

    player: int
    action: int
    round_number: int
    dominators: tuple[int, ...]
    weights: tuple[Fraction, ...]


@dataclass(frozen=True)
class Survival:
    """An action with a belief under which it stands.

    Attributes:
        player, action: Whose action stays.
        joint_actions: What the other players, in their order, may do; empty if only pure strategies
            may dominate: then all pairs of actions are compared.
        probabilities: How likely each is thought to be.
    """

    player: int
    action: int
    joint_actions: tuple[tuple[int, ...], ...]
    probabilities: tuple[Fraction, ...]


ActionSets: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class _Meaning:
    """What is meant by dominance, in which game."""

    game: NormalFormGame
    dominance: Dominance
    dominated_by: DominatedBy

    def reject(self, player: int, action: int, problem: str) -> CertificateRejected:
        """Word a rejection."""
        name = label_or_number(self.game.actions[player][action], action + 1)
        owner = label_or_number(self.game.players[player], player + 1)
        return CertificateRejected(
            found=f"action {name} of player {owner} {problem}", remedy="Do not use this answer."
        )


def after_round(claim: _Meaning, actions: ActionSets, group: list[Elimination]) -> ActionSets:
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


def _require_present(claim: _Meaning, actions: ActionSets, player: int, action: int) -> None:
    if not (0 <= player < len(actions) and action in actions[player]):
        raise CertificateRejected(
            needs="actions that are still there",
            found=f"action {action!r} of player {player!r} (both from 0) is not in {claim.game!r}",
        )


def _table(game: NormalFormGame, actions: ActionSets, player: int) -> ExactArray:
    """Return own payoffs as integers, shape (own actions left, joint actions of the others left).

    Joint actions are in the order of ``itertools.product``.
    """
    numerators = game.scaled_payoffs[player].numerators[np.ix_(*actions)]
    return np.moveaxis(numerators, player, 0).reshape(len(actions[player]), -1)


def _require_dominated(
    claim: _Meaning, own: tuple[int, ...], table: ExactArray, elimination: Elimination
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
    claim: _Meaning,
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


def explained(claim: _Meaning, actions: ActionSets, survivals: Iterable[Survival]) -> int:
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
    claim: _Meaning, own: tuple[int, ...], table: ExactArray, survival: Survival
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
    claim: _Meaning, actions: ActionSets, table: ExactArray, survival: Survival
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


__all__ = [
    "ActionSets",
    "Dominance",
    "DominanceCertificate",
    "DominatedBy",
    "Elimination",
    "Survival",
    "certify_dominance",
]


def certify_dominance(
    game: NormalFormGame,
    *,
    dominance: Dominance,
    dominated_by: DominatedBy,
    eliminations: Sequence[Elimination],
    survivals: Sequence[Survival] = (),
) -> "DominanceCertificate":
    """Check eliminations and reasons to stay, and state what they prove.

    Args:
        game: Any number of players.
        dominance: Strict or weak.
        dominated_by: Pure or mixed strategies.
        eliminations: In order, rounds numbered from 1.
        survivals: About the game that is left; each action at most once.

    Raises:
        CertificateRejected: If a strategy does not dominate, or a belief does not protect.

    >>> from fractions import Fraction
    >>> dilemma = NormalFormGame.symmetric([[3, 0], [5, 1]])
    >>> certify_dominance(
    ...     dilemma,
    ...     dominance=Dominance.STRICT,
    ...     dominated_by=DominatedBy.PURE,
    ...     eliminations=[Elimination(0, 0, 1, (1,), (Fraction(1),))],
    ... ).survivors
    ((1,), (0, 1))
    """
    claim = _Meaning(game, dominance, dominated_by)
    _require_kinds(dominance, dominated_by)
    actions: ActionSets = tuple(tuple(range(count)) for count in game.num_actions)
    for number, group in enumerate(_rounds(eliminations), start=1):
        if group[0].round_number != number:
            raise CertificateRejected(
                needs="rounds numbered from 1 in order",
                found=f"round {group[0].round_number!r} stands where {number} should",
            )
        actions = after_round(claim, actions, group)
    num_explained = explained(claim, actions, survivals)
    return DominanceCertificate(
        game=game,
        dominance=dominance,
        dominated_by=dominated_by,
        eliminations=tuple(eliminations),
        survivors=actions,
        survivals=tuple(survivals),
        is_complete=num_explained == sum(map(len, actions)),
    )


def _only(strength: Dominance) -> Callable[[Any], str]:
    def refuse(certificate: Any) -> str:
        found = certificate.dominance
        return "" if found is strength else f"this is about {found.value} dominance"

    return refuse


def _not_proved(claims_all: bool, proves_all: bool) -> str:  # noqa: FBT001
    """Say that reasons are missing; a proof of more than is claimed will do."""
    return "True, but gives no reason for some of the actions that are left" * (
        claims_all and not proves_all
    )


@claim(
    "dominance",
    measure=certify_dominance,
    answer="survivors",
    proves_if={"dominance": _only(Dominance.STRICT), "weak-dominance": _only(Dominance.WEAK)},
)
class DominanceCertificate(CheckableFact):
    """The claim that eliminations were right and that the listed actions cannot be eliminated.

    Attributes:
        game: Any number of players.
        dominance: Strict or weak.
        dominated_by: Pure or mixed strategies.
        eliminations: In order.
        survivors: The actions of each player that are left.
        survivals: Actions that are undominated in what is left, with their reasons.
        is_complete: Whether every action that is left is among them: nothing more can be
            eliminated.
    """

    game: NormalFormGame
    dominance: Dominance
    dominated_by: DominatedBy
    eliminations: tuple[Elimination, ...]
    survivors: ActionSets = claimed()
    survivals: tuple[Survival, ...]
    is_complete: bool = claimed(fault=_not_proved)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        before, after = (
            " x ".join(map(str, counts))
            for counts in (self.game.num_actions, map(len, self.survivors))
        )
        rest = (
            "; nothing more can be eliminated"
            if self.is_complete
            else f"; {len(self.survivals)} of them are proved undominated"
        )
        return (
            f"{self.dominance.value} dominance by {self.dominated_by.value} leaves {after} of "
            f"{before} actions{rest}"
        )


def _require_kinds(dominance: object, dominated_by: object) -> None:
    if not (isinstance(dominance, Dominance) and isinstance(dominated_by, DominatedBy)):
        raise CertificateRejected(
            needs="members of Dominance and DominatedBy",
            found=f"says {dominance!r} and {dominated_by!r}",
        )


def _rounds(eliminations: Sequence[Elimination]) -> list[list[Elimination]]:
    return [list(group) for _, group in groupby(eliminations, key=lambda e: e.round_number)]
