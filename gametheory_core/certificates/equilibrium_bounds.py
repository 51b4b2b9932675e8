"""Bounds on all equilibria of a bimatrix game, proved by cases: which actions are played.

An action is unplayed or played, and then it is a best reply. A *proof by cases* is a binary tree of
such questions. In each of its leaves an inequality holds for every equilibrium that answers the
questions so: with ``z[i, j] = x[i] y[j]`` the probability that it plays ``(i, j)``,

    sum_j z[i, j] (A[i, j] - A[k, j]) >= 0   for all rows i, k,

with equality if ``k`` is played (either x[i] = 0, or row i is a best reply against y), and the same
for columns. So for any weights of these inequalities, of any sign for the equalities,

    E[f] <= max over (i, j) of f[i, j] + sum_k weight[i, k] (A[i, j] - A[k, j]) + ...,

the maximum over pairs of actions that are not unplayed. Nothing else is needed to check a leaf.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from gametheory_core.arrays import ScaledIntegers
from gametheory_core.certificates.wording import at_least, at_most
from gametheory_core.errors import CertificateRejected
from gametheory_core.games.normal_form import NormalFormGame


@dataclass(frozen=True)
class Label:
    """An action of a player, both counted from 0."""

    player: int
    action: int


@dataclass(frozen=True)
class IncentiveWeight:
    """Weighs ``player``'s incentive not to play ``instead`` of ``action``."""

    player: int
    action: int
    instead: int
    weight: Fraction


@dataclass(frozen=True)
class AbsenceWeight:
    """Weighs the probability of an action that is claimed to be 0; positive."""

    player: int
    action: int
    weight: Fraction


@dataclass(frozen=True)
class Leaf:
    """What proves a bound where all questions are answered.

    Attributes:
        absences: If there are any, the leaf shows that these actions are never played here; else it
            bounds an expectation.
    """

    incentives: tuple[IncentiveWeight, ...] = ()
    absences: tuple[AbsenceWeight, ...] = ()


@dataclass(frozen=True)
class Case:
    """The answers that lead to a leaf: for each player the unplayed and the played actions."""

    unplayed: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())
    played: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())

    def answered(self, label: Label, *, is_played: bool) -> "Case":
        """Return the case with one more answer."""
        sides = list(self.played if is_played else self.unplayed)
        sides[label.player] |= {label.action}
        pair = (sides[0], sides[1])
        return Case(self.unplayed, pair) if is_played else Case(pair, self.played)

    def possible(self, player: int, count: int) -> list[int]:
        """Return the actions of a player, out of ``count``, that are not unplayed."""
        return [action for action in range(count) if action not in self.unplayed[player]]


def case_without(labels: tuple[Label, ...]) -> Case:
    """Return the case in which these actions are unplayed, and nothing else is known."""
    case = Case()
    for label in labels:
        case = case.answered(label, is_played=False)
    return case


def cases_of(
    start: Case, questions: tuple[Label | None, ...], leaves: tuple[Leaf, ...]
) -> Iterator[tuple[Case, Leaf]]:
    """Walk a tree that is given in preorder, ``None`` for a leaf, and the unplayed side first.

    Args:
        start: What is answered before the first question.

    Raises:
        CertificateRejected: If questions and leaves are not those of one tree.
    """
    pending, remaining = [start], iter(leaves)
    for label in questions:
        if not pending:
            raise CertificateRejected(found="the proof goes on after its last leaf")
        case = pending.pop()
        if label is not None:
            pending.append(case.answered(label, is_played=True))
            pending.append(case.answered(label, is_played=False))
            continue
        leaf = next(remaining, None)
        if leaf is None:
            raise CertificateRejected(found="the proof lacks a leaf")
        yield case, leaf
    if pending or next(remaining, None) is not None:
        raise CertificateRejected(
            found=f"the proof leaves {len(pending)} cases open, or has more leaves than cases"
        )


def expectation_bound(
    game: NormalFormGame, case: Case, leaf: Leaf, table: ScaledIntegers
) -> Fraction | None:
    """Bound an expectation over all equilibria of a case; None if no pair of actions is possible.

    Args:
        table (m, n): What is expected, for each pair of actions.
    """
    for item in leaf.incentives:
        _check_sign(item, case)
    rows, columns = (case.possible(player, game.num_actions[player]) for player in range(2))
    if not rows or not columns:
        return None
    weights = [item.weight for item in (*leaf.incentives, *leaf.absences)]
    units = lcm(*(weight.denominator for weight in weights))
    payoffs = game.scaled_payoffs
    denominator = lcm(table.denominator, *(units * scaled.denominator for scaled in payoffs))
    total = table.numerators * (denominator // table.denominator)
    for player, scaled in enumerate(payoffs):
        own = scaled.numerators if player == 0 else scaled.numerators.T
        charged = total if player == 0 else total.T  # a view
        unit = denominator // (units * scaled.denominator)
        for item in leaf.incentives:
            if item.player == player:
                weight = _over(item.weight, units) * unit
                charged[item.action] += weight * (own[item.action] - own[item.instead])
    for item in leaf.absences:
        charged = total if item.player == 0 else total.T
        charged[item.action] += _over(item.weight, units) * (denominator // units)
    return Fraction(int(total[np.ix_(rows, columns)].max()), denominator)


def _over(weight: Fraction, denominator: int) -> int:
    return weight.numerator * (denominator // weight.denominator)


def absent_actions(game: NormalFormGame, case: Case, leaf: Leaf) -> set[Label]:
    """Return the actions that a leaf shows to be never played by an equilibrium of its case.

    Raises:
        CertificateRejected: If the weights do not show it.
    """
    nothing = ScaledIntegers(np.zeros(game.num_actions, dtype=object), 1)
    bound = expectation_bound(game, case, leaf, nothing)
    if bound is not None and bound > 0:
        raise CertificateRejected(
            found=f"weights that should show actions absent leave {at_least(bound)} to them"
        )
    return {Label(item.player, item.action) for item in leaf.absences}


def check_labels(game: NormalFormGame, labels: tuple[Label, ...]) -> None:
    """Reject labels that name no action of the game."""
    for label in labels:
        if label.player not in (0, 1) or not 0 <= label.action < game.num_actions[label.player]:
            raise CertificateRejected(found=f"{label} names no action of the game")


def check_proof(
    game: NormalFormGame, questions: tuple[Label | None, ...], leaves: tuple[Leaf, ...]
) -> None:
    """Reject a proof by cases that names no actions of the game, or weighs absences below 0."""
    check_labels(game, tuple(label for label in questions if label is not None))
    for leaf in leaves:
        for item in leaf.incentives:
            labels = (Label(item.player, item.action), Label(item.player, item.instead))
            check_labels(game, labels)
        for item in leaf.absences:
            check_labels(game, (Label(item.player, item.action),))
            if not item.weight > 0:
                raise CertificateRejected(
                    needs="positive weights of absences", found=f"one is {at_least(item.weight)}"
                )


def _check_sign(item: IncentiveWeight, case: Case) -> None:
    if item.weight < 0 and item.instead not in case.played[item.player]:
        raise CertificateRejected(
            found=f"the weight {at_most(item.weight)} is negative, but action {item.instead} of "
            f"player {item.player} is not known to be played"
        )
