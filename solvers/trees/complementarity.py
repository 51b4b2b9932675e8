"""General-sum trees of two players by Lemke's method on the sequence form.

From a prior, the belief about how each player plays, the path of ``lemke_tableau`` lets best
replies take over until the prior has no weight left. It is followed in Python integers as long as
that is quick, then in floats; what floats find is solved again exactly and certified, and if it is
no equilibrium, Python integers go on from where they stood.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, cast

import numpy as np

from gametheory_core import ExtensiveFormGame, NashCertificate, certify_nash
from gametheory_core.arrays import ONE, ZERO, NumberArray, freeze, is_exact
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import InvalidStrategy, NotConverged, refusing_function
from gametheory_core.memory import require_memory
from gametheory_core.strategies import RealizationPlan, realization_plan, uniform_behavior
from gametheory_core.strategies.behavioral import BehavioralProfile, check_behavioral_profile
from gametheory_core.strategies.sequences import SequenceForm, behavioral_profile, sequence_form
from solvers.concepts import Concept
from solvers.requirements import a_tree, perfect_recall, require_instance, two_players
from solvers.rounding import rational_distribution
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver
from solvers.trees.lemke_path import ExactPath, FloatEnd, exact_path, float_path, plans_on, step
from solvers.trees.lemke_tableau import Start, start_of

LONGEST_IN_INTEGERS = 400_000  # coefficients updated on one path: some 50 milliseconds
BYTES_PER_ENTRY = 8  # of the float tableau

TreeSolution = Solution[BehavioralProfile, NashCertificate]
Plans = tuple[RealizationPlan, RealizationPlan]


@solver(
    Answers(Concept.NASH, rank=45),
    takes=(a_tree, two_players, perfect_recall),
    unit="pivots",
    because="two players: a path of pivots over sequences ends at an equilibrium, proved exactly",
    page="trees",
)
def sequence_form_lcp(
    game: ExtensiveFormGame,
    *,
    prior: BehavioralProfile | None = None,
    tolerance: float | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> Solution[BehavioralProfile, NashCertificate]:
    """Find one equilibrium of a two-player tree, exactly unless a tolerance is given.

    Args:
        game: Two players, perfect recall; any payoffs, with chance.
        prior: What players are believed to do where the path starts. Different priors may lead to
            different equilibria. Default: all actions equally likely everywhere.
        tolerance: Largest deviation gain accepted, in payoff units; the answer may still be exact.
            Default: an exact equilibrium.
        on_iteration: Called after each pivot, or batch of pivots.

    Returns:
        The certificate's epsilon is 0, or at most the tolerance. Behavior that the player's own
        strategy rules out is uniform.

    Raises:
        UnsupportedGame: If the tree has more than 12,000 sequences.
        InvalidArgument, InvalidStrategy: If the prior is not one, or of another tree.
        NotConverged: If the budget ends first; ``best`` is the point reached on the path, and its
            certificate says how far from equilibrium it is.

    Ties are broken as if payoffs and plans were perturbed by infinitesimals, so that the path ends
    in every tree, degenerate ones included. The number of pivots can be exponential in the size of
    the tree; a pivot costs up to the square of the number of sequences. Where the prior gives every
    action a chance, the equilibrium is normal-form perfect: nobody uses a weakly dominated
    strategy (van den Elzen and Talman 1991, von Stengel, van den Elzen and Talman 2002). The
    certificate proves that it is an equilibrium, not that it is perfect.

    Sources: :cite:`koller1996efficient`, :cite:`stengel2002normal`.

    >>> from gametheory_core import load_game
    >>> solution = sequence_form_lcp(load_game("beer_quiche"))
    >>> [str(payoff) for payoff in solution.payoffs]
    ['29/10', '9/10']
    """
    belief = uniform_behavior(game) if prior is None else _checked(game, prior)
    meter = open_meter(budget, on_iteration)
    form = sequence_form(game)
    _require_size(form)
    plans = (realization_plan(form, belief, player=0), realization_plan(form, belief, player=1))
    if meter.is_exhausted:
        raise _not_converged(_certified(game, belief, meter), meter)
    start = start_of(form, plans)
    walk = _Walk(form, plans, start, exact_path(start), tolerance, meter)
    meter.step()
    return _followed(walk)


def _checked(game: ExtensiveFormGame, prior: object) -> BehavioralProfile:
    remedy = "Give BehavioralProfile(probabilities), uniform_behavior(game) or leave it out."
    require_instance(prior, BehavioralProfile, name="prior", remedy=remedy)
    belief = cast("BehavioralProfile", prior)
    try:
        check_behavioral_profile(game, belief)
    except InvalidStrategy as error:
        raise error.changed(where=f"{refusing_function()}: prior") from None
    return belief.to_exact()


def _require_size(form: SequenceForm) -> None:
    counts = [own.num_sequences for own in form.players]
    require_memory(
        BYTES_PER_ENTRY * sum(counts) ** 2,
        what=f"the tableau of the {counts[0]:,} and {counts[1]:,} sequences of {form.game!r}",
        remedy="Use sequence_form_lp if the tree is zero-sum, or counterfactual regret for an "
        "epsilon.",
    )


@dataclass(frozen=True, eq=False)
class _Walk:
    """A path, where it leads from, and how far it may go."""

    form: SequenceForm
    prior: Plans
    start: Start
    path: ExactPath
    tolerance: float | None
    meter: Meter


def _followed(walk: _Walk) -> TreeSolution:
    """Follow the path in Python integers, and once in floats if it turns out long."""
    path, meter, may_switch = walk.path, walk.meter, True
    while not path.is_done and not meter.is_exhausted:
        if may_switch and path.words > LONGEST_IN_INTEGERS:
            may_switch = False
            found = _by_floats(walk)
            if found:
                return found
        step(path)
        meter.step()
    weights = np.full(path.size, ZERO, dtype=object)
    for v, value in path.values.items():
        if v < path.size:
            weights[v] = value
    point = _point(walk.form, walk.prior, weights, path.weight)
    reached = _certified(walk.form.game, point, meter)
    if not path.is_done:
        raise _not_converged(reached, meter)
    return reached


def _by_floats(walk: _Walk) -> TreeSolution | None:
    """Follow the rest of the path in floats; None if what comes out is not proved good enough."""
    form, tolerance, meter = walk.form, walk.tolerance, walk.meter
    try:
        reached = float_path(walk.path, walk.start, meter)
    except OverflowError:
        return None
    if tolerance is not None or reached.end is FloatEnd.BUDGET_ENDED:
        point = _point(form, walk.prior, reached.weights, reached.weight)
        rounded = _certified(form.game, point, meter)
        if tolerance is not None and rounded.certificate.epsilon <= Fraction(tolerance):
            return rounded
        if reached.end is FloatEnd.BUDGET_ENDED:
            raise _not_converged(rounded, meter)
    plans = plans_on(form, reached.basic) if reached.end is FloatEnd.DONE else None
    if plans is None:
        return None
    solution = _certified(form.game, behavioral_profile(form, plans), meter)
    return None if solution.certificate.epsilon else solution


def _point(
    form: SequenceForm, prior: Plans, weights: NumberArray, weight: Fraction | float
) -> BehavioralProfile:
    """Return the plans of a point of the path, what is left of the prior added."""
    first = form.players[0].num_sequences - 1
    plans: list[RealizationPlan] = []
    for i, own in enumerate((weights[:first], weights[first:])):
        plan = np.empty(len(own) + 1, dtype=own.dtype)
        believed = prior[i].weights if is_exact(own) else prior[i].weights.astype(np.float64)
        plan[0] = ONE
        plan[1:] = own + cast("Any", weight) * believed[1:]
        plans.append(RealizationPlan(i, freeze(plan)))
    if is_exact(weights):
        return behavioral_profile(form, (plans[0], plans[1]))
    return BehavioralProfile(
        tuple(
            rational_distribution(plan.weights[start:stop])
            for own, plan in zip(form.players, plans, strict=True)
            for start, stop in pairwise(own.first_sequence)
        )
    )


def _certified(game: ExtensiveFormGame, profile: BehavioralProfile, meter: Meter) -> TreeSolution:
    certificate = certify_nash(game, profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())


def _not_converged(best: TreeSolution, meter: Meter) -> NotConverged:
    return NotConverged(
        needs="the prior's weight to fall to 0",
        found=f"the budget ended after {meter.iterations} pivots with epsilon "
        f"{at_most(best.certificate.epsilon)}",
        remedy="Give a larger budget, another prior, or use the exception's best, the point of the "
        "path where it ended.",
        best=best,
    )
