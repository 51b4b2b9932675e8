"""Is the weak Stackelberg value attained? A commitment that gets it, or obstacles to each.

A commitment attains the supremum ``V`` if all best answers to it pay the leader at least ``V``. In
the best-reply region of a class ``E``, start from a commitment where ``E`` pays ``V``. An answer
that is tied there and pays less is in the way. Either it is worse than ``E`` at some other
commitment where ``E`` pays ``V``, and the middle of both is free of it; or it is tied at all of
them, and has to pay ``V`` too: go on where it does, unless it never does. Both are linear programs,
whose multipliers are the obstacles of ``certificates.weak_stackelberg``.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from gametheory_core.arrays import ONE, ZERO, ExactArray, scaled_integers
from gametheory_core.certificates.weak_stackelberg import Obstacle
from solvers._programs.exact import ExactOptimum, solve_exactly
from solvers._programs.linear import solve_float
from solvers.solution import Meter
from solvers.stackelberg.best_reply_regions import RegionSearch, optimal_in_class, with_interior
from solvers.stackelberg.leader_problem import Commitment, LeaderProblem, bound_by
from solvers.zero_sum.certified_program import dense_program

HALF = Fraction(1, 2)


@dataclass(frozen=True, eq=False)
class Attainment:
    """What is known of a class.

    Attributes:
        strategy: Attains the supremum; None if obstacles stand against it.
    """

    strategy: ExactArray | None
    obstacles: tuple[Obstacle, ...]


@dataclass(eq=False)
class _Face:
    """Commitments at which the answers ``tied`` are best and pay at least the supremum."""

    problem: LeaderProblem
    value: Fraction
    members: tuple[int, ...]
    tied: list[int]
    meter: Meter

    @property
    def preference(self) -> ExactArray:
        """How much the follower prefers the class to each answer, in the units of ``others``."""
        others = self.problem.others
        return others[:, [self.members[0]]] - others

    @property
    def excess(self) -> ExactArray:
        """How much each answer pays above the supremum, over both their denominators."""
        value = self.value
        return self.problem.own * value.denominator - value.numerator * self.problem.own_scale

    def most(self, objective: ExactArray, *, also: Iterable[int] = ()) -> ExactOptimum:
        """Maximise over the face, where some more answers are tied; it must not be empty."""
        tied = {*self.tied, *also}
        num_actions, num_answers = self.problem.own.shape
        rivals = [a for a in range(num_answers) if a not in self.members]
        rows = [
            *(-self.preference[:, a] for a in rivals),
            *(-self.excess[:, b] for b in self.tied),
            np.full(num_actions, 1, dtype=object),
        ]
        is_equation = [a in tied for a in rivals] + [False] * len(self.tied) + [True]
        program = dense_program(
            np.array(rows, dtype=object),
            objective,
            is_equation=np.array(is_equation),
            is_free=np.zeros(num_actions, dtype=bool),
        )
        self.meter.require_more()
        basis = solve_float(program, time_limit=self.meter.seconds_left).basis
        self.meter.step()
        return solve_exactly(program, basis, tick=self.meter.require_time)

    def obstacle(self, optimum: ExactOptimum, answer: int, *, is_tied: bool) -> Obstacle:
        """Read the multipliers of a program, in payoff units."""
        num_answers = self.problem.own.shape[1]
        rivals = [a for a in range(num_answers) if a not in self.members]
        dual = optimum.dual.tolist()
        preferences = dict(zip(rivals, dual, strict=False))
        excesses = dict(zip(self.tied, dual[len(rivals) :], strict=False))
        paid = Fraction(self.problem.own_scale * self.value.denominator)
        liked = Fraction(self.problem.others_scale)
        if is_tied:  # the objective is a preference
            excesses = {b: weight * paid / liked for b, weight in excesses.items()}
        else:  # it is an excess
            preferences = {a: weight * liked / paid for a, weight in preferences.items()}
            excesses[answer] = ONE
        every = range(num_answers)
        return Obstacle(
            answer if is_tied else None,
            tuple(preferences.get(a, ZERO) for a in every),
            tuple(excesses.get(a, ZERO) for a in every),
        )


def attain(search: RegionSearch) -> tuple[tuple[Obstacle, ...], ...]:
    """Make the best commitment one that attains the supremum, or prove that there is none.

    Args:
        search: Finished; the value of its best commitment is the supremum.

    Returns:
        Obstacles for each class; nothing if the supremum is attained.

    Raises:
        BudgetOver: If the budget ends first.
    """
    value = search.best.value
    obstacles: dict[int, tuple[Obstacle, ...]] = {}
    for k, members in enumerate(search.classes):
        start = _where_worth(search, k, value)
        if start is None:
            continue
        attained = attainment(search, k, start.strategy, value)
        if attained.strategy is not None:
            earned = attained.strategy @ search.problem.own
            worst = min(members, key=earned.__getitem__)
            search.best = replace(start, strategy=attained.strategy, answer=worst)
            return ()
        obstacles[k] = attained.obstacles
    return tuple(obstacles.get(k, ()) for k in range(len(search.classes)))


def _where_worth(search: RegionSearch, k: int, value: Fraction) -> Commitment | None:
    """Return a commitment at which a class is best and pays the supremum; None after a proof."""
    problem, best = search.problem, search.best
    if best.answer in search.classes[k]:
        return best
    proof = search.proofs[k]
    if not proof.weights:
        return None
    first, *others = proof.weights
    if not others and bound_by(problem, first, proof.multipliers) < value:
        return None
    less = replace(best, value=value - 1)  # so that the outside option is worth less, too
    estimate = search.estimates.get(k)
    found = optimal_in_class(problem, search.meter, search.classes[k], estimate, less)
    if found.best.value == value:
        found = with_interior(problem, search.meter, search.classes[k], found, less)
    search.proofs[k] = found.proof
    return found.best if found.proof.weights and found.best.value == value else None


def attainment(search: RegionSearch, k: int, strategy: ExactArray, value: Fraction) -> Attainment:
    """Decide whether a commitment in the region of a class attains the supremum.

    Args:
        search: Finished.
        k: Which class.
        strategy: A commitment at which the class is best and pays the supremum.
        value: The supremum.

    Raises:
        BudgetOver: If the budget ends first.
    """
    members = search.classes[k]
    face = _Face(search.problem, value, members, list(members), search.meter)
    obstacles: list[Obstacle] = []
    while True:
        answer = _in_the_way(face, strategy)
        if answer is None:
            return Attainment(strategy, ())
        least = face.most(face.preference[:, answer])
        if least.value > 0:
            strategy = (strategy + least.primal) * HALF
            continue
        obstacles.append(face.obstacle(least, answer, is_tied=True))
        paid = face.most(face.excess[:, answer], also=[answer])
        face.tied.append(answer)
        if paid.value < 0:
            face.tied.pop()
            obstacles.append(face.obstacle(paid, answer, is_tied=False))
            return Attainment(None, tuple(obstacles))
        strategy = paid.primal


def _in_the_way(face: _Face, strategy: ExactArray) -> int | None:
    """Return an answer that is tied for best and pays less than the supremum."""
    weights = scaled_integers(strategy).numerators
    preferred = (weights @ face.preference).tolist()
    paid = (weights @ face.excess).tolist()
    pairs = enumerate(zip(preferred, paid, strict=True))
    return next((b for b, (liked, more) in pairs if not liked and more < 0), None)
