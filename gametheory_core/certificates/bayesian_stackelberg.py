"""Bayesian Stackelberg certificates: what a commitment earns, and that no commitment earns more.

With prior ``p``, the leader's payoffs ``L_t`` and the follower's ``F_t`` (leader's actions x
actions of type ``t``), and any multipliers ``y_t[b, c] >= 0``: type ``t`` answers ``b`` to a
commitment ``x`` only if ``x.F_t[:, b] >= x.F_t[:, c]`` for all ``c``, so the leader gets at most

    max over a of  sum_t p_t  max over b of  L_t[a, b] + sum_c y_t[b, c] (F_t[a, b] - F_t[a, c]),

where ``b`` runs over the answers that type ``t`` may give. A tree makes the bound tight: a branch
splits on the answer of one type, and each leaf bounds the commitments answered as on the way to
it. Every commitment is answered as on the way to some leaf, so the largest bound of a leaf holds.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import cast

import numpy as np

from gametheory_core.arrays import ExactArray, ScaledIntegers, scaled_integers
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.wording import exactly, require_exact_profile, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import bayesian_payoffs
from gametheory_core.games.bayesian import BayesianGame
from gametheory_core.strategies.mixed import MixedProfile, supports

KIND = "bayesian-stackelberg"
LEAF = -1
OPEN = -1


@dataclass(frozen=True)
class ResponseMultiplier:
    """How much the preference of a type for ``answer`` over ``rival`` weighs in a bound.

    Attributes:
        type_index, answer, rival: A type, and two of its actions.
        weight: At least 0; the leader's payoff units per unit of the type's.
    """

    type_index: int
    answer: int
    rival: int
    weight: Fraction


@dataclass(frozen=True)
class BoundNode:
    """A node of the tree that bounds what commitments earn.

    Attributes:
        branching: The type whose answer is split on, one child for each of its actions; -1 at a
            leaf.
        multipliers: Of a leaf; those left out are 0.
    """

    branching: int
    multipliers: tuple[ResponseMultiplier, ...] = ()


def certify_bayesian_stackelberg(
    game: BayesianGame, profile: MixedProfile, *, nodes: tuple[BoundNode, ...]
) -> "BayesianStackelbergCertificate":
    """Measure a commitment and the bound that a tree of multipliers proves, and state both.

    Args:
        profile: Rational: commitment, then the response of each type.
        nodes: The tree: each branch before its children, and these in the order of actions.

    Raises:
        CertificateRejected: If a response is not the leader's favorite among the best ones, or
            something does not fit the game.

    >>> from gametheory_core import MixedProfile
    >>> game = BayesianGame.from_payoffs([[[2, 4], [1, 3]]], [[[1, 0], [0, 1]]], prior=[1])
    >>> profile = MixedProfile(([1, 0], [1, 0]))
    >>> certify_bayesian_stackelberg(game, profile, nodes=(BoundNode(LEAF),)).epsilon
    Fraction(2, 1)
    """
    require_declared_arguments(BayesianStackelbergCertificate, nodes=nodes)
    require_exact_profile(game, profile, kind=KIND)
    _require_favorite_responses(game, profile)
    tables = _tables(game)
    bounds = [_bound(tables, fixed, leaf) for fixed, leaf in _leaves(game, nodes)]
    payoff = bayesian_payoffs(game, profile)[0]
    return BayesianStackelbergCertificate(game, profile, payoff, max(bounds), nodes)


@claim(KIND, measure=certify_bayesian_stackelberg, proves=("stackelberg",))
class BayesianStackelbergCertificate(Checkable):
    """The claim that a commitment earns ``leader_payoff``, and none more than ``upper_bound``.

    Ties of each type of the follower break for the leader.

    Attributes:
        profile: Rational: the commitment, then each type's best response to it.
        leader_payoff: What the leader gets, averaged over the prior; payoff units.
        upper_bound: No commitment gets more; equals ``leader_payoff`` in an optimal solution.
        nodes: The tree: each branch before its children, and these in the order of actions.
    """

    game: BayesianGame
    profile: MixedProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    nodes: tuple[BoundNode, ...]
    payoffs = answer_payoffs
    epsilon = commitment_gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        name = self.game.players[0]
        earned = f"player {name!r} commits and gets {exactly(self.leader_payoff)}"
        ties = " (every type's ties break for the leader)"
        return f"{earned}; {rivals_bound(self, ties=ties)}"


def _require_favorite_responses(game: BayesianGame, profile: MixedProfile) -> None:
    """Reject a type's action that is not best, or not the leader's favorite among the best."""
    leader = cast("ExactArray", profile.strategies[0])
    for t, (one, played) in enumerate(zip(game.games, supports(profile)[1:], strict=True)):
        own, others = (leader @ one.exact_payoffs).tolist()
        best = max(others)
        favorite = max(a for a, b in zip(own, others, strict=True) if b == best)
        for action in played:
            label = f"{one.actions[1][action]!r} of type {game.types[t]!r}"
            if others[action] != best:
                raise CertificateRejected(
                    needs="best responses to the commitment",
                    found=f"{label} gives the follower {others[action]} and another action {best}",
                )
            if own[action] != favorite:
                raise CertificateRejected(
                    needs="the leader's favorite among best responses",
                    found=f"{label} gives the leader less than another one",
                )


def _leaves(
    game: BayesianGame, nodes: tuple[BoundNode, ...]
) -> Iterator[tuple[tuple[int, ...], BoundNode]]:
    """Walk over the tree and yield each leaf with the answers fixed on the way, -1 for open ones.

    Raises:
        CertificateRejected: If nodes are missing or left over, or a branch makes no sense.
    """
    waiting = [(OPEN,) * game.num_types]
    for node in nodes:
        if not waiting:
            raise CertificateRejected(
                needs="a tree", found=f"its {len(nodes)} nodes go on after the end"
            )
        fixed = waiting.pop()
        t = node.branching
        if t == LEAF:
            yield fixed, node
        elif not 0 <= t < game.num_types or fixed[t] != OPEN:
            raise CertificateRejected(
                needs=f"branches on types 0 to {game.num_types - 1}, each at most once on a way",
                found=f"one is on {t}",
            )
        else:
            count = game.num_actions[1 + t]
            children = [(*fixed[:t], answer, *fixed[t + 1 :]) for answer in range(count)]
            waiting += reversed(children)
    if waiting:
        raise CertificateRejected(
            needs="a whole tree",
            found=f"{len(waiting)} branches have no end: the answers there are not bounded",
        )


@dataclass(frozen=True)
class _Tables:
    """Integer payoffs for each type; the leader's weighed by the prior.

    ``prior`` is kept because multipliers are stated before weighing.
    """

    game: BayesianGame
    own: list[ScaledIntegers]
    others: list[ScaledIntegers]


def _tables(game: BayesianGame) -> _Tables:
    pairs = list(zip(game.prior, game.games, strict=True))
    return _Tables(
        game,
        [scaled_integers(one.exact_payoffs[0] * p) for p, one in pairs],
        [scaled_integers(one.exact_payoffs[1]) for _, one in pairs],
    )


def _bound(tables: _Tables, fixed: tuple[int, ...], leaf: BoundNode) -> Fraction:
    """Return the bound that a leaf proves for commitments answered as fixed."""
    weights = _weights(tables.game, leaf)
    parts = [
        _best_column(tables, t, range(count) if fixed[t] == OPEN else [fixed[t]], weights)
        for t, count in enumerate(tables.game.num_actions[1:])
    ]
    common = lcm(*(scale for _, scale in parts))
    total = sum(column * (common // scale) for column, scale in parts)
    return Fraction(max(cast("ExactArray", total).tolist()), common)


def _best_column(
    tables: _Tables,
    t: int,
    answers: range | list[int],
    weights: dict[tuple[int, int], dict[int, Fraction]],
) -> tuple[ExactArray, int]:
    """Return what one type adds to the bound of each of the leader's actions, and its scale."""
    own, others = tables.own[t], tables.others[t]
    rows = {b: weights[t, b] for b in answers if (t, b) in weights}
    unit = lcm(*(w.denominator for row in rows.values() for w in row.values()))
    prior = tables.game.prior[t]
    scale = own.denominator * others.denominator * unit * prior.denominator if rows else 0
    if not rows:
        return own.numerators[:, list(answers)].max(axis=1), own.denominator
    columns: list[ExactArray] = []
    for b in answers:
        column = own.numerators[:, b] * (scale // own.denominator)
        for c, weight in rows.get(b, {}).items():
            gain = others.numerators[:, b] - others.numerators[:, c]
            factor = weight * prior * (scale // others.denominator)
            column = column + gain * factor.numerator
        columns.append(column)
    return np.max(np.array(columns, dtype=object), axis=0), scale


def _weights(game: BayesianGame, leaf: BoundNode) -> dict[tuple[int, int], dict[int, Fraction]]:
    """Sort a leaf's multipliers by type and answer.

    Raises:
        CertificateRejected: If one is negative, stands twice, or is about no action of the game.
    """
    found: dict[tuple[int, int], dict[int, Fraction]] = {}
    for entry in leaf.multipliers:
        t = entry.type_index
        count = game.num_actions[1 + t] if 0 <= t < game.num_types else 0
        if not (0 <= entry.answer < count and 0 <= entry.rival < count):
            raise CertificateRejected(
                needs="multipliers for actions of the types",
                found=f"one is for type {t}, actions {entry.answer} and {entry.rival}",
            )
        row = found.setdefault((t, entry.answer), {})
        if entry.weight < 0 or entry.rival in row:
            raise CertificateRejected(
                needs="multipliers of at least 0, each once",
                found=f"type {t}, actions {entry.answer} and {entry.rival}, has "
                f"{written(entry.weight)}",
            )
        row[entry.rival] = entry.weight
    return found
