"""Commitment to several followers, who answer by a pure equilibrium among themselves; exactly.

By one linear program for each joint action of the followers: the leader's best mixed strategy to
which no follower gains by changing alone. Ties break for the leader.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import floor
from typing import NoReturn, cast

import numpy as np

from gametheory_core import MixedProfile, NormalFormGame
from gametheory_core.arrays import ZERO, ExactArray, scaled_integers
from gametheory_core.certificates import certify_pure_followers
from gametheory_core.certificates.pure_followers import ChangeMultiplier, PureFollowersCertificate
from gametheory_core.errors import InfeasibleProgram, NotConverged
from solvers._programs.exact import solve_exactly
from solvers._programs.linear import FloatOutcome, solve_float
from solvers.concepts import Concept
from solvers.requirements import a_normal_form
from solvers.solution import UNLIMITED, Budget, BudgetOver, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.stackelberg.leader_problem import (
    HalfSpaceProblem,
    half_space_bound,
    half_space_program,
    proved,
    pure_strategy,
    rounded_weights,
)

MARGIN_BITS = 10  # the floor lies a thousandth of the span below the best value: slack for rounding


@solver(
    Answers(Concept.STACKELBERG, rank=30),
    takes=(a_normal_form,),
    unit="linear programs",
    because="several followers: one linear program for each pure equilibrium worth inducing",
    page="commitment",
)
def pure_followers_stackelberg(
    game: NormalFormGame,
    *,
    leader: int = 0,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[MixedProfile, PureFollowersCertificate]:
    """Find an optimal commitment when all others answer by a pure equilibrium, exactly.

    The others see the leader's mixed strategy and play a pure Nash equilibrium of the game that it
    leaves them; of several, the leader's favorite.

    Args:
        game: Any number of players; with two, this is ``strong_stackelberg``.
        leader: Who commits, from 0.

    Returns:
        The leader's commitment and the followers' pure actions.

    Raises:
        InfeasibleProgram: If no commitment leaves the followers a pure equilibrium; proved exactly.
        NotConverged: If the budget ends before optimality is proved; ``best`` holds the best
            commitment found, with a bound on what is missing, or None if none was found.

    At most one program for each joint action of the followers: as many as the game has columns,
    seen from the leader.

    Source: :cite:`conitzer2006commit`.

    >>> game = NormalFormGame.from_payoffs(
    ...     [[[[4, 0], [0, 1]], [[0, 2], [2, 3]]], [[[1, 0], [0, 0]], [[0, 0], [0, 1]]],
    ...      [[[1, 0], [0, 0]], [[0, 0], [0, 1]]]]
    ... )
    >>> pure_followers_stackelberg(game).payoffs
    (Fraction(4, 1), Fraction(1, 1), Fraction(1, 1))
    """
    meter = open_meter(budget, on_iteration)
    search = _searched(_Followers.of(game, leader), meter)
    if search.best is None:
        _refuse(search, meter)
    return _answer(search, search.best, meter)


@dataclass(frozen=True, eq=False)
class _Followers:
    """A game seen from the leader, in integers; the leader's actions are the first axis.

    ``own`` and each follower's table have shape (leader's actions, followers' actions ...).
    """

    game: NormalFormGame
    leader: int
    players: tuple[int, ...]
    own: ExactArray
    others: tuple[ExactArray, ...]

    @staticmethod
    def of(game: NormalFormGame, leader: int) -> "_Followers":
        players = tuple(i for i in range(game.num_players) if i != leader)
        tables = [np.moveaxis(scaled.numerators, leader, 0) for scaled in game.scaled_payoffs]
        return _Followers(game, leader, players, tables[leader], tuple(tables[i] for i in players))

    @property
    def own_scale(self) -> int:
        return self.game.scaled_payoffs[self.leader].denominator

    def changes(self, joint: tuple[int, ...]) -> list[tuple[int, int]]:
        """List (place of a follower, another action) for all changes of one action."""
        counts = self.own.shape[1:]
        return [(k, c) for k, n in enumerate(counts) for c in range(n) if c != joint[k]]

    def problem(self, joint: tuple[int, ...]) -> HalfSpaceProblem:
        """Write the commitments to which no follower gains by a change."""
        size = len(self.own)
        changes = self.changes(joint)
        normals = np.zeros((len(changes), size), dtype=object)
        for row, (k, c) in enumerate(changes):
            changed = (*joint[:k], c, *joint[k + 1 :])
            table = self.others[k]
            normals[row] = table[(slice(None), *changed)] - table[(slice(None), *joint)]
        return HalfSpaceProblem(self.own[(slice(None), *joint)], normals)


@dataclass(frozen=True, eq=False)
class _Commitment:
    """A commitment, what it earns in integer units, and what the followers play."""

    value: Fraction
    strategy: ExactArray
    joint: tuple[int, ...]


@dataclass
class _Search:
    """The search under way; ``floor`` is what a commitment must beat, in integer units."""

    followers: _Followers
    meter: Meter
    best: _Commitment | None
    floor: Fraction
    proofs: dict[tuple[int, ...], list[Fraction]]
    is_complete: bool = True


def _searched(followers: _Followers, meter: Meter) -> _Search:
    """Look at the joint actions in the order of what they could earn at most."""
    nothing, count = Fraction(int(followers.own.min()) - 1), len(followers.own)
    search = _Search(followers, meter, None, nothing, {})
    pure = [_favorite(followers, pure_strategy(a, count)) for a in range(count)]
    for commitment in pure:
        if commitment is not None and commitment.value > search.floor:
            search.best, search.floor = commitment, commitment.value
    caps = np.asarray(followers.own.max(axis=0), dtype=object)
    joints = sorted(np.ndindex(caps.shape), key=lambda joint: -caps[joint])
    for joint in joints:
        search.proofs[joint] = _looked(search, joint)
    return search


def _looked(search: _Search, joint: tuple[int, ...]) -> list[Fraction]:
    """Prove that a joint action earns no more than the best one known, or improve on that."""
    problem, meter = search.followers.problem(joint), search.meter
    plain = [ZERO] * len(problem.normals)
    if half_space_bound(problem, plain) <= search.floor:
        return plain
    if meter.is_exhausted:
        search.is_complete = False
        return plain
    span = int(search.followers.own.max()) - int(search.followers.own.min()) + 1
    best = floor(search.floor)
    program = half_space_program(problem, floor=best - (span >> MARGIN_BITS) - 1)
    estimate = solve_float(program, time_limit=meter.seconds_left)
    meter.step()
    if estimate.outcome is FloatOutcome.OPTIMAL:
        rounded = rounded_weights(problem, estimate.dual)
        bound = half_space_bound(problem, rounded)
        plain = rounded if bound < half_space_bound(problem, plain) else plain
        if bound <= search.floor:
            return rounded
    try:
        exact = half_space_program(problem, floor=best)
        optimum = solve_exactly(exact, estimate.basis, tick=meter.require_time)
    except BudgetOver:
        search.is_complete = False
        return plain
    meter.step()
    if optimum.value > search.floor:
        found = _favorite(search.followers, optimum.primal[: len(search.followers.own)])
        if found is not None:
            search.best, search.floor = found, found.value
    return cast("list[Fraction]", optimum.dual[:-1].tolist())


def _favorite(followers: _Followers, strategy: ExactArray) -> _Commitment | None:
    """Answer a commitment with the leader's favorite among the pure equilibria, if there is any."""
    scaled = scaled_integers(strategy)
    weights = scaled.numerators
    is_stable = np.ones(followers.own.shape[1:], dtype=bool)
    for k, table in enumerate(followers.others):
        values = np.tensordot(weights, table, 1)
        is_stable &= values == values.max(axis=k, keepdims=True)
    if not is_stable.any():
        return None
    values = np.tensordot(weights, followers.own, 1)
    joints = [tuple(place) for place in np.argwhere(is_stable).tolist()]
    joint = max(joints, key=values.__getitem__)
    return _Commitment(Fraction(int(values[joint]), scaled.denominator), strategy, joint)


def _refuse(search: _Search, meter: Meter) -> NoReturn:
    """Say that there is no pure equilibrium to lead to, or that none was found in time."""
    if search.is_complete:
        raise InfeasibleProgram(
            needs="a commitment that leaves the followers a pure equilibrium",
            found=f"there is none: exact programs for all {len(search.proofs)} joint actions of "
            "the followers say so",
            remedy="Try correlated_commitment, which always has a solution.",
        )
    raise NotConverged(
        needs="an optimal commitment",
        found=f"the budget ended after {meter.iterations} linear programs, before any was found",
    )


def _answer(
    search: _Search, best: _Commitment, meter: Meter
) -> Solution[MixedProfile, PureFollowersCertificate]:
    followers = search.followers
    game = followers.game
    strategies: list[ExactArray] = [best.strategy] * game.num_players
    for player, action in zip(followers.players, best.joint, strict=True):
        strategies[player] = pure_strategy(action, game.num_actions[player])
    profile = MixedProfile(tuple(strategies))
    certificate = certify_pure_followers(
        game, profile, leader=followers.leader, multipliers=_multipliers(search)
    )
    return proved(certificate, meter)


def _multipliers(search: _Search) -> tuple[tuple[ChangeMultiplier, ...], ...]:
    """State the proofs in payoff units, joint actions in lexicographic order."""
    followers = search.followers
    scales = [followers.game.scaled_payoffs[j].denominator for j in followers.players]
    stated: list[tuple[ChangeMultiplier, ...]] = []
    for joint in product(*map(range, followers.own.shape[1:])):
        weighed = zip(followers.changes(joint), search.proofs[joint], strict=True)
        stated.append(
            tuple(
                ChangeMultiplier(followers.players[k], c, weight * scales[k] / followers.own_scale)
                for (k, c), weight in weighed
                if weight
            )
        )
    return tuple(stated)
