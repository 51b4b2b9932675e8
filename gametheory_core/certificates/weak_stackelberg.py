"""Weak Stackelberg certificates: what commitments earn when ties break against the leader.

The value is a supremum that may not be attained. Follower's actions with equal columns of ``F``
(notation of ``commitment_bounds``) form a *class* ``E``: the follower is never made to prefer one
of them. A class counts only if some commitment makes it strictly better than all other actions, for
then commitments near the border of its best-reply region keep the follower inside the class (von
Stengel and Zamir 2010). With weights ``w`` on ``E`` that sum to one, ``sum_b w_b L[:, b]`` takes
the place of ``L[:, b]`` in the bound by multipliers.

That a class does *not* count is shown by multipliers ``y >= 0``, not all zero, of other actions
with ``sum_c y_c (F[a, E] - F[a, c]) <= 0`` for all ``a``: were ``E`` strictly better at ``x``, the
average of that sum over ``x`` would be positive. By a theorem of Ville (1938) one of the two holds.

No commitment attains the supremum ``V`` if none in the best-reply region of a class ``E`` does, for
each class that counts. In such a region let ``S`` be the class at first. Commitments there that
attain ``V`` have all of ``S`` tied for best and paying at least ``V``; an *obstacle* is a
combination of these inequalities. Either it proves that one more answer is tied at all of them, and
so has to pay ``V`` as well: it joins ``S``. Or, in the end, it proves that there are none (Farkas).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import NoReturn, TypeAlias

from gametheory_core.arrays import ONE, ZERO, ExactArray
from gametheory_core.certificates.claim import (
    Checkable,
    answer_payoffs,
    claim,
    claimed,
    commitment_gap,
    rivals_bound,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.stackelberg import (
    CommitmentTables,
    Rows,
    best_replies,
    commitment_tables,
    integers,
    multiplier_bound,
    require_best_reply,
    require_rows,
)
from gametheory_core.certificates.wording import at_least, attained, rationals, written
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile, supports

WEAK = "weak-stackelberg"


@dataclass(frozen=True)
class Obstacle:
    """Multipliers of what holds of commitments that attain the supremum in the region of a class.

    Attributes:
        tied: The answer proved to be tied for best at all of them; None: there are none.
        preferences: For each answer, of how much the class is preferred to it; negative only where
            the answer is known to be tied.
        excesses: For each answer, of how much it pays above the supremum; zero but where the answer
            is known to be tied.
    """

    tied: int | None
    preferences: tuple[Fraction, ...]
    excesses: tuple[Fraction, ...]


Obstacles: TypeAlias = tuple[tuple[Obstacle, ...], ...]


def certify_weak_stackelberg(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    leader: int,
    interior: tuple[Fraction, ...],
    weights: Rows,
    multipliers: Rows,
    obstacles: Obstacles = (),
) -> "WeakStackelbergCertificate":
    """Measure the limit of commitments and the bound that the rows prove, and state both.

    Parameters are the fields of ``WeakStackelbergCertificate``.

    Raises:
        CertificateRejected: If a row proves nothing, the response is not the worst of its class,
            the class is not strictly best at ``interior``, obstacles leave a commitment that may
            attain the supremum, or something does not fit the game.
    """
    require_declared_arguments(WeakStackelbergCertificate, **locals())
    tables = commitment_tables(game, profile, leader, kind=WEAK)
    classes = response_classes(game, leader=leader)
    require_rows(weights, len(classes), tables, name="weights")
    require_rows(multipliers, len(classes), tables, name="multipliers")
    response = supports(profile)[1 - leader]
    members = next((members for members in classes if set(response) <= set(members)), ())
    if len(response) != 1:
        raise CertificateRejected(needs="a pure response", found="it is mixed")
    replies = best_replies(tables)
    require_best_reply(tables, response[0], replies)
    worst = tables.leader_values[response[0]]
    if worst > min(tables.leader_values[b] for b in members):
        raise CertificateRejected(
            needs="the response that is worst for the leader in its class",
            found=f"{tables.answers[response[0]]!r} is not",
        )
    _require_strictly_best(tables, interior, members)
    bounds = [
        _class_bound(tables, members, w, y)
        for members, w, y in zip(classes, weights, multipliers, strict=True)
    ]
    payoffs = rationals(expected_payoffs(game, profile))
    if obstacles:
        _require_unattained(tables, classes, bounds, payoffs[leader], obstacles)
    return WeakStackelbergCertificate(
        game=game,
        leader=leader,
        profile=profile,
        leader_payoff=payoffs[leader],
        upper_bound=max(bound for bound in bounds if bound is not None),
        interior=interior,
        is_attained=all(tables.leader_values[b] >= worst for b in replies),
        is_unattained=bool(obstacles),
        weights=weights,
        multipliers=multipliers,
        obstacles=obstacles,
    )


@claim(WEAK, measure=certify_weak_stackelberg, proves=("stackelberg",))
class WeakStackelbergCertificate(Checkable):
    """The claim that commitments approach ``leader_payoff``, and none exceeds ``upper_bound``.

    Ties of the follower break against the leader. For ``0 < t <= 1`` the commitment
    ``(1 - t) x + t interior``, with ``x`` the leader's strategy in ``profile``, keeps the follower
    in the class of the response in ``profile``, and its payoff tends to ``leader_payoff`` with
    ``t`` to 0.

    Attributes:
        profile: Rational: the limit ``x`` of the commitments, and the worst action, for the leader,
            in the class of best responses that they induce.
        leader_payoff: What the leader gets in the limit; payoff units.
        upper_bound: No commitment gets more; equals ``leader_payoff`` in an optimal solution.
        interior: A commitment to which the class is the strictly best response.
        is_attained: Whether ``x`` itself gets ``leader_payoff``, whatever best response the
            follower picks.
        is_unattained: Whether the obstacles prove that no commitment gets ``leader_payoff``.
        weights, multipliers: A row for each class, as ``response_classes`` lists them, with an
            entry for each follower's action. Weights of a class sum to one where its bound is
            stated, and are all zero where the class does not count.
        obstacles: For each class why commitments in its region do not attain the supremum; nothing
            where its bound says so. Empty if nothing is claimed, as in files of version 0.1.
    """

    game: NormalFormGame
    leader: int
    profile: MixedProfile
    leader_payoff: Fraction = claimed()
    upper_bound: Fraction = claimed()
    interior: tuple[Fraction, ...]
    is_attained: bool = claimed()
    weights: Rows
    multipliers: Rows
    obstacles: Obstacles = ()
    is_unattained: bool = claimed(default=False)
    payoffs = answer_payoffs
    epsilon = commitment_gap

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        got = (
            f"gets {attained(self.leader_payoff)}"
            if self.is_attained
            else f"gets as close as wanted to {at_least(self.leader_payoff)}"
            + (", which no commitment attains" if self.is_unattained else "")
        )
        earned = (
            f"player {self.game.players[self.leader]!r} commits and {got}, whatever best response "
            "is picked"
        )
        return f"{earned}; {rivals_bound(self, ties='')}"


def response_classes(game: NormalFormGame, *, leader: int) -> tuple[tuple[int, ...], ...]:
    """Group the follower's actions by equal columns of the follower's payoffs.

    Classes are in the order of their first actions.
    """
    follower = 1 - leader
    payoffs = game.exact_payoffs[follower]
    columns = (payoffs.T if leader == 0 else payoffs).tolist()
    groups: dict[tuple[object, ...], list[int]] = {}
    for b, column in enumerate(columns):
        groups.setdefault(tuple(column), []).append(b)
    return tuple(map(tuple, groups.values()))


def _class_bound(
    tables: CommitmentTables,
    members: tuple[int, ...],
    weights: tuple[Fraction, ...],
    multipliers: tuple[Fraction, ...],
) -> Fraction | None:
    """Return the bound of a class, or None after checking the proof that it does not count."""
    label = tables.answers[members[0]]
    used = {b: w for b, w in enumerate(weights) if w}
    if used and (not used.keys() <= set(members) or sum(used.values()) != ONE):
        raise CertificateRejected(
            needs=f"weights on the class of {label!r} alone that sum to 1",
            found=f"they sum to {written(sum(used.values()))} on actions {sorted(used)}",
        )
    bound = multiplier_bound(tables, used, multipliers, members[0])
    if used:
        return bound
    if bound > ZERO or not any(y for c, y in enumerate(multipliers) if c not in members):
        raise CertificateRejected(
            needs=f"a bound for the class of {label!r}, or multipliers that prove it nowhere "
            "strictly best",
            found="has neither",
        )
    return None


def _require_strictly_best(
    tables: CommitmentTables, interior: tuple[Fraction, ...], members: tuple[int, ...]
) -> None:
    fits = len(interior) == len(tables.leader)
    if not fits or min(interior) < 0 or sum(interior) != ONE:
        raise CertificateRejected(
            needs=f"an interior commitment of {len(tables.leader)} probabilities",
            found=f"has {len(interior)} numbers that sum to {written(sum(interior))}",
        )
    values = (integers(list(interior))[0] @ tables.follower).tolist()
    rivals = [value for b, value in enumerate(values) if b not in members]
    if rivals and max(rivals) >= values[members[0]]:
        raise CertificateRejected(
            needs=f"the class of {tables.answers[members[0]]!r} strictly best against the interior "
            "commitment",
            found="another action does as well",
        )


def _require_unattained(
    tables: CommitmentTables,
    classes: Sequence[tuple[int, ...]],
    bounds: Sequence[Fraction | None],
    value: Fraction,
    obstacles: Obstacles,
) -> None:
    """Check that no commitment in the region of any class attains a payoff."""
    if max(bound for bound in bounds if bound is not None) > value:
        _reject_obstacles("a supremum that is proved", "a larger payoff is not ruled out")
    if len(obstacles) != len(classes):
        _reject_obstacles(f"obstacles of {len(classes)} classes", f"there are {len(obstacles)}")

    def excess(answer: int) -> ExactArray:
        return tables.leader[:, answer] * Fraction(1, tables.leader_scale) - value

    for members, bound, chain in zip(classes, bounds, obstacles, strict=True):
        if bound is None or bound < value:
            continue
        label = tables.answers[members[0]]
        preference = partial(_preference, tables, members[0])
        known = set(members)
        width = len(tables.answers)
        if any(len(o.preferences) != width or len(o.excesses) != width for o in chain):
            _reject_obstacles(f"obstacles with {width} multipliers of a kind", "they have others")
        for obstacle in chain[:-1]:
            if obstacle.tied is None or not 0 <= obstacle.tied < len(tables.answers):
                _reject_obstacles(f"an answer tied with {label!r}", f"it is {obstacle.tied!r}")
            total = _combined(obstacle, known, preference, excess) + preference(obstacle.tied)
            if max(total) > ZERO:
                answer = tables.answers[obstacle.tied]
                _reject_obstacles(f"{answer!r} tied with {label!r}", "it may be worse")
            known.add(obstacle.tied)
        if (
            not chain
            or chain[-1].tied is not None
            or max(_combined(chain[-1], known, preference, excess)) >= ZERO
        ):
            _reject_obstacles(
                "a proof that no commitment attains the supremum",
                f"one that is answered by {label!r} may",
            )


def _preference(tables: CommitmentTables, best: int, answer: int) -> ExactArray:
    """How much the follower prefers one answer to another, for each action of the leader."""
    more = tables.follower[:, best] - tables.follower[:, answer]
    return more * Fraction(1, tables.follower_scale)


def _combined(
    obstacle: Obstacle,
    known: set[int],
    preference: Callable[[int], ExactArray],
    excess: Callable[[int], ExactArray],
) -> ExactArray:
    """Return, for each action of the leader, at least 0 on average if the supremum is attained."""
    total = preference(0) * ZERO
    for a, (liked, paid) in enumerate(zip(obstacle.preferences, obstacle.excesses, strict=True)):
        if ((liked < 0 or paid) and a not in known) or paid < 0:
            _reject_obstacles("multipliers of inequalities that hold", "one is of none")
        if liked:
            total = total + liked * preference(a)
        if paid:
            total = total + paid * excess(a)
    return total


def _reject_obstacles(needs: str, found: str) -> NoReturn:
    raise CertificateRejected(needs=needs, found=found, where=f"{WEAK} certificate")
