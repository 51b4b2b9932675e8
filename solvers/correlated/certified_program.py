"""From incentives to a certified correlated equilibrium: floats first, then proof."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import count
from typing import Any, cast

import numpy as np

from gametheory_core import CorrelatedCertificate, InvalidArgument, InvalidGame, NormalFormGame
from gametheory_core.arrays import ZERO, NumberArray, ScaledIntegers, to_fraction
from gametheory_core.certificates import Evenness, LinearObjective, PayoffFloor, certify_correlated
from gametheory_core.certificates.correlated import certify_coarse_correlated
from gametheory_core.certificates.incentives import (
    CorrelatedKind,
    IncentivePrice,
    added,
    objective_values,
    require_objective,
)
from gametheory_core.certificates.reduced_game import Reduction
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import InfeasibleProgram, NotConverged
from gametheory_core.strategies import CorrelatedDistribution, correlated_distribution
from solvers._programs.exact import ExactOptimum
from solvers._programs.linear import Basis, FloatOutcome, FloatSolution
from solvers._programs.refinement import TwofoldProgram, refine, solve_model
from solvers.concepts import Objective, objective_for
from solvers.correlated.dominated_actions import (
    distribution_in_game,
    prices_in_game,
    reduced_for,
    restricted,
)
from solvers.correlated.incentive_program import (
    IncentiveRows,
    demand_unit,
    exact_multipliers,
    incentive_prices,
    incentive_rows,
    shortfall_program,
    twofold_program,
)
from solvers.requirements import require_instance, require_player
from solvers.rounding import rational_distribution
from solvers.solution import BudgetOver, Meter, Solution

Answer = Solution[CorrelatedDistribution, CorrelatedCertificate]
STEPS_AT_ONCE = 3  # rounds of refinement and exact pivots, before dominated actions are looked for


@dataclass(frozen=True, eq=False)
class CorrelatedTask:
    """A game, the equilibria looked for, and what is best among them.

    Attributes:
        rows: Of what is left of the game without dominated actions.
        objective, floors: What is wanted, in the game as given.
    """

    rows: IncentiveRows
    objective: LinearObjective
    floors: tuple[PayoffFloor, ...]
    reduction: Reduction

    @property
    def left(self) -> NormalFormGame:
        """What is solved."""
        return self.rows.game

    @property
    def game(self) -> NormalFormGame:
        """What it was asked about."""
        return self.reduction.game

    @cached_property
    def values(self) -> ScaledIntegers:
        """The objective at joint actions of what is left."""
        return restricted(self.reduction, objective_values(self.game, self.objective))


def correlated_task(
    game: NormalFormGame,
    kind: CorrelatedKind,
    objective: Objective | LinearObjective,
    player: int | None,
    payoff_floors: Mapping[int, Any] | None,
    meter: Meter,
    *,
    is_long: bool = False,
) -> CorrelatedTask:
    """Check objective and floors, and prepare the rows of the program.

    Args:
        is_long: Whether several programs will be solved.
    """
    wanted = linear_objective(game, objective, player)
    floors = _floors(game, {} if payoff_floors is None else payoff_floors)
    require_objective(game, wanted, game.given_payoffs[0].size)
    reduction = reduced_for(game, kind, meter, is_long=is_long or bool(floors))
    return CorrelatedTask(incentive_rows(reduction.target, kind), wanted, floors, reduction)


def linear_objective(
    game: NormalFormGame, objective: Objective | LinearObjective, player: int | None
) -> LinearObjective:
    """Read an objective from words, or refuse what is none.

    Raises:
        InvalidArgument: If it is not linear, or a player is given where none is asked for.
    """
    wanted = objective_for(LinearObjective, objective, player, num_players=game.num_players)
    if isinstance(wanted, LinearObjective):
        return wanted
    raise InvalidArgument(
        needs="a LinearObjective, such as LinearObjective.welfare(game)", found=f"got {wanted!r}"
    )


def solve_task(task: CorrelatedTask, *, tolerance: float | None, meter: Meter) -> Answer:
    """Solve exactly, or to a tolerance in payoff units if one is given.

    Raises:
        InfeasibleProgram: If no equilibrium meets the floors.
        NotConverged: If the budget ends first.
    """
    candidate = None
    try:
        if task.floors:
            _require_reachable(task, meter)
        program = _program_of(task)
        estimate = _estimated(program, meter)
        if estimate.outcome is FloatOutcome.OPTIMAL:
            distribution = rational_tensor(task.left, estimate.primal)
            multipliers = exact_multipliers(
                estimate.dual, program.row_spans, program.objective_span
            )
            candidate = _from_multipliers(task, distribution, multipliers, meter)
            if tolerance is not None and worst_error(candidate) <= Fraction(tolerance):
                return candidate
        if not task.reduction.is_trivial:
            return _exact_answer(task, _refined(program, estimate, meter), meter)
        try:
            return _exact_answer(task, _refined(program, estimate, meter, at_once=True), meter)
        except _NotAtOnce:
            pass
        reduction = reduced_for(task.game, task.rows.kind, meter, is_long=True)
        if reduction.is_trivial:
            return _exact_answer(task, _refined(program, estimate, meter), meter)
        rows = incentive_rows(reduction.target, task.rows.kind)
        task = replace(task, rows=rows, reduction=reduction)
        return _exact_answer(task, exact_optimum(_program_of(task), meter), meter)
    except BudgetOver:
        pass
    if candidate is None:
        uniform = rational_tensor(task.left, np.ones(task.rows.num_joint))
        candidate = _answered(task, uniform, (), task.floors, meter)
    return within(candidate, tolerance, meter)


def within(best: Answer, tolerance: float | None, meter: Meter) -> Answer:
    """Return an answer that is exact, or good enough, when the budget is over.

    Raises:
        NotConverged: If it is not; ``best`` is the answer.
    """
    if worst_error(best) <= (ZERO if tolerance is None else Fraction(tolerance)):
        return best
    raise NotConverged(
        needs="an exact solution" if tolerance is None else f"errors of at most {tolerance}",
        found=f"the budget ended after {meter.iterations} pivots with epsilon "
        f"{at_most(best.certificate.epsilon)} and an objective within "
        f"{at_most(best.certificate.optimality_gap or ZERO)} of the best",
        remedy="Give a larger budget, or use the exception's best.",
        best=best,
    )


def solve_exact_task(task: CorrelatedTask, meter: Meter) -> Answer:
    """Solve a task without floors exactly; raises ``BudgetOver``."""
    optimum = exact_optimum(twofold_program(task.rows, task.values), meter)
    meter.require_time()
    return _exact_answer(task, optimum, meter)


def worst_error(answer: Answer) -> Fraction:
    """Return the largest of epsilon, shortfall, and distance from the best objective."""
    certificate = answer.certificate
    gap = certificate.optimality_gap or ZERO
    return max(certificate.epsilon, certificate.shortfall, abs(gap))


def _estimated(program: TwofoldProgram, meter: Meter) -> FloatSolution:
    meter.require_more()
    left = meter.left
    estimate = solve_model(program, time_limit=left.seconds, pivot_limit=left.iterations)
    meter.step(estimate.pivots)
    if estimate.outcome is FloatOutcome.LIMIT_REACHED:
        raise BudgetOver
    return estimate


def exact_optimum(program: TwofoldProgram, meter: Meter) -> ExactOptimum:
    """Solve in floats, then in rationals, within the budget; raises ``BudgetOver``."""
    return _refined(program, _estimated(program, meter), meter)


def _refined(
    program: TwofoldProgram, estimate: FloatSolution, meter: Meter, *, at_once: bool = False
) -> ExactOptimum:
    """Find an exact optimum from a float one; raises ``_NotAtOnce`` where that takes long."""
    anywhere = Basis((0,), (program.floats.num_rows - 1,))
    steps = count()

    def tick() -> None:
        if at_once and next(steps) >= STEPS_AT_ONCE:
            raise _NotAtOnce
        meter.tick()

    return refine(
        program, estimate.basis or anywhere, time_limit=lambda: meter.seconds_left, tick=tick
    )


class _NotAtOnce(Exception):
    """An exact optimum takes more than a few steps."""


def _program_of(task: CorrelatedTask) -> TwofoldProgram:
    return twofold_program(task.rows, task.values, task.floors)


def rational_tensor(task_game: NormalFormGame, weights: NumberArray) -> CorrelatedDistribution:
    """Return the distribution that float weights stand for, rounded so that it stays short."""
    shares = rational_distribution(np.asarray(weights).ravel())
    return correlated_distribution(shares.reshape(task_game.num_actions))


def _from_multipliers(
    task: CorrelatedTask,
    distribution: CorrelatedDistribution,
    multipliers: list[Fraction],
    meter: Meter,
) -> Answer:
    """State an answer whose multipliers belong to exact rows."""
    one = task.values.denominator
    prices = incentive_prices(task.rows, multipliers, one)
    charges = multipliers[task.rows.first[-1] : -1]
    floors = tuple(
        replace(floor, price=charge * Fraction(demand_unit(task.rows, floor), one))
        for floor, charge in zip(task.floors, charges, strict=True)
    )
    return _answered(task, distribution, prices, floors, meter)


def _answered(
    task: CorrelatedTask,
    distribution: CorrelatedDistribution,
    prices: Sequence[IncentivePrice],
    floors: Sequence[PayoffFloor],
    meter: Meter,
) -> Answer:
    """State an answer about the game as given."""
    if task.reduction.is_trivial:
        return certified(task.rows, distribution, task.objective, prices, floors, meter=meter)
    values = objective_values(task.game, task.objective)
    for floor in floors:
        values = added(values, task.game.scaled_payoffs[floor.player], factor=floor.price)
    certificate = certify_correlated(
        task.game,
        distribution_in_game(task.reduction, distribution),
        objective=task.objective,
        prices=prices_in_game(task.reduction, prices, values),
        floors=floors,
    )
    return Solution(certificate.distribution, certificate.payoffs, certificate, meter.record())


def _exact_answer(task: CorrelatedTask, optimum: ExactOptimum, meter: Meter) -> Answer:
    distribution = correlated_distribution(optimum.primal.reshape(task.left.num_actions))
    return _from_multipliers(task, distribution, optimum.dual.tolist(), meter)


def certified(
    rows: IncentiveRows,
    distribution: CorrelatedDistribution,
    objective: LinearObjective | Evenness,
    prices: Sequence[IncentivePrice] = (),
    floors: Sequence[PayoffFloor] = (),
    *,
    meter: Meter,
) -> Answer:
    """Measure a distribution and report it."""
    coarse = rows.kind is CorrelatedKind.COARSE
    certify = certify_coarse_correlated if coarse else certify_correlated
    certificate = certify(
        rows.game, distribution, objective=objective, prices=prices, floors=floors
    )
    return Solution(distribution, certificate.payoffs, certificate, meter.record())


def _floors(game: NormalFormGame, demanded: Mapping[int, Any]) -> tuple[PayoffFloor, ...]:
    remedy = "Give the least payoff of some players: {0: 3}."
    require_instance(demanded, Mapping, name="payoff_floors", remedy=remedy)
    for player in demanded:
        require_player(player, game, name="each key of payoff_floors")
    try:
        return tuple(
            PayoffFloor(player, to_fraction(demanded[player], where=f"payoff_floors[{player}]"))
            for player in sorted(demanded)
        )
    except InvalidGame as error:
        raise error.changed(InvalidArgument) from None


def _require_reachable(task: CorrelatedTask, meter: Meter) -> None:
    """Refuse floors that no equilibrium meets.

    The least shortfall is found exactly; if it is positive, the multipliers of the floors weigh
    payoffs so that no equilibrium is worth what the floors demand.
    """
    optimum = exact_optimum(shortfall_program(task.rows, task.floors), meter)
    if not optimum.value:
        return
    multipliers = cast("list[Fraction]", optimum.dual.tolist())
    charges = multipliers[task.rows.first[-1] : -1]
    whole = sum(charges, ZERO)
    weights = {
        floor.player: charge / whole
        for floor, charge in zip(task.floors, charges, strict=True)
        if charge
    }
    players = range(task.game.num_players)
    objective = LinearObjective(tuple(weights.get(player, ZERO) for player in players))
    weighted = replace(task, objective=objective, floors=())
    witness = solve_exact_task(weighted, meter).certificate
    demanded = sum((weights.get(own.player, ZERO) * own.least for own in task.floors), ZERO)
    most = cast("Any", witness.optimality).upper_bound
    shown = " + ".join(
        f"{weight} x {task.game.players[player]!r}" for player, weight in weights.items()
    )
    raise InfeasibleProgram(
        needs="an equilibrium that meets the payoff floors",
        found=f"they demand {demanded} of {shown}, and no {task.rows.kind.value} equilibrium pays "
        f"more than {most}",
        remedy="Lower the floors; the exception's witness is the proof.",
        witness=witness,
    )
