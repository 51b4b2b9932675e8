"""Nash equilibria of trees of several players: play without regret, then exact indifference.

Where average play comes near an equilibrium, as it does in poker for three, its probabilities show
who plays what. The equations of indifference on these supports then say the rest, exactly; and the
certificate measures what comes out, however it was found.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise
from typing import cast

import numpy as np

from gametheory_core import BehavioralProfile, ExtensiveFormGame, NashCertificate, certify_nash
from gametheory_core.arrays import as_float, object_array
from gametheory_core.certificates.wording import at_most
from gametheory_core.errors import NotConverged, UnsupportedGame
from gametheory_core.strategies.sequences import SequenceForm, sequence_form
from solvers.concepts import Concept
from solvers.counterfactual.full_width import counterfactual_regret
from solvers.counterfactual.indifference import Numbers, indifference, solution_near
from solvers.counterfactual.regret_rules import UpdateOrder
from solvers.counterfactual.regret_run import RegretRun
from solvers.requirements import a_tree, perfect_recall, require_integer
from solvers.solution import UNLIMITED, Budget, Meter, OnIteration, Solution
from solvers.solver import Answers, open_meter, solver

STEPS = 20_000
SHARE = 1e-12  # of the payoff span
LEASTS = (0.1, 0.03, 0.01, 0.003, 0.001, 1e-4)  # probabilities that count as zero below
MOST_UNKNOWNS = 200  # probabilities in one system of equations
MOST_NODES = 200_000
GRAINS = (2, 3, 4, 6, 12, 60, 1000, 10**6)  # denominators of what equations leave open

TreeSolution = Solution[BehavioralProfile, NashCertificate]


@solver(
    Answers(Concept.NASH, rank=80),
    takes=(a_tree, perfect_recall),
    unit="profiles",
    because="any number of players: play without regret, and indifference solved on its supports",
    page="many-players",
)
def regret_equilibrium(
    game: ExtensiveFormGame,
    *,
    steps: int = STEPS,
    tolerance: float | Fraction | None = None,
    budget: Budget = UNLIMITED,
    on_iteration: OnIteration | None = None,
) -> TreeSolution:
    """Find a Nash equilibrium of a tree near to where play without regret leads, exactly if it can.

    Args:
        game: Perfect recall; any number of players, and chance.
        steps: Of counterfactual regret minimization, each player in turn.
        tolerance: Largest gain of a deviation accepted, in payoff units. Default: 1e-12 times the
            payoff span.
        budget: Iterations are profiles that are tried.

    Returns:
        ``certificate.epsilon`` is 0 where the probabilities are fractions that floats and their
        corrections tell; else a rational, at most the tolerance.

    Raises:
        UnsupportedGame: If the tree has more than 200,000 nodes.
        NotConverged: If nothing within the tolerance was found. With three players and more, or
            general sums, play without regret need not come near any equilibrium. ``best`` is the
            best profile, certified.

    Supports are guessed from average play, for several sizes of what counts as zero. On each,
    Newton's method solves the equations of indifference; what they leave open, as in families of
    equilibria, is put at simple fractions.

    Sources:
        :cite:`zinkevich2007regret`.
        :cite:`szafron2013parameterized`, whose game this solves.

    >>> from gametheory_core import load_game
    >>> found = regret_equilibrium(load_game("kuhn_poker:players=3,cards=4"))
    >>> str(found.certificate.epsilon)
    '0'
    """
    require_integer(steps, name="steps", low=1)
    if game.num_nodes > MOST_NODES:
        raise UnsupportedGame(
            needs=f"a tree of at most {MOST_NODES:,} nodes",
            found=f"{game!r} has {game.num_nodes:,}",
            remedy="Ask counterfactual_regret for a coarse correlated equilibrium.",
        )
    meter = open_meter(budget, on_iteration)
    enough = _enough(game, tolerance)
    form = sequence_form(game)
    profile = _average(game, steps, meter)
    best = _certified(game, profile, meter)
    candidates = _candidates(form, _by_sequence(form, profile))
    while best.certificate.epsilon > enough and not meter.is_exhausted:
        candidate = next(candidates, None)
        if candidate is None:
            break
        meter.step()
        found = _certified(game, candidate, meter)
        if found.certificate.epsilon < best.certificate.epsilon:
            best = found
    best = Solution(best.profile, best.payoffs, best.certificate, meter.record())
    if best.certificate.epsilon <= enough:
        return best
    raise NotConverged(
        needs=f"an epsilon of at most {at_most(enough)}",
        found=f"the best of {meter.iterations} profiles near average play has "
        f"{at_most(best.certificate.epsilon)}",
        remedy="Give more steps, a larger budget or a larger tolerance.",
        best=best,
    )


def _enough(game: ExtensiveFormGame, tolerance: float | Fraction | None) -> Fraction:
    if tolerance is not None:
        return Fraction(tolerance)
    return Fraction(SHARE) * Fraction(float(np.ptp(game.terminal_payoffs)))


def _average(game: ExtensiveFormGame, steps: int, meter: Meter) -> BehavioralProfile:
    """Play, and return the average, or as much of it as time allows."""
    seconds = None if meter.seconds_left is None else meter.seconds_left / 2
    try:
        run = counterfactual_regret(
            game, steps=steps, updates=UpdateOrder.ALTERNATING, budget=Budget(seconds)
        )
    except NotConverged as error:
        return cast("RegretRun", error.best).average
    return run.average


def _candidates(form: SequenceForm, profile: list[Numbers]) -> Iterator[BehavioralProfile]:
    """Go over solutions of indifference near a profile, each once, simple fractions first."""
    seen = set[BehavioralProfile]()
    guessed = [indifference(form, profile, least=least) for least in LEASTS]
    systems = [equations for equations in guessed if len(equations.unknowns) <= MOST_UNKNOWNS]
    for grain in GRAINS:
        for equations in systems:
            behavior = solution_near(equations, profile, grain=grain)
            found = None if behavior is None else _profile(form, behavior)
            if found is not None and found not in seen:
                seen.add(found)
                yield found


def _by_sequence(form: SequenceForm, profile: BehavioralProfile) -> list[Numbers]:
    """Write a profile as floats for each player's sequences; 1 for the empty one."""
    return [
        np.concatenate([[1.0], *(as_float(profile.probabilities[s]) for s in own.infosets)])
        for own in form.players
    ]


def _profile(form: SequenceForm, behavior: list[Numbers]) -> BehavioralProfile:
    return BehavioralProfile(
        tuple(
            object_array([Fraction(p) for p in behavior[own.player][start:stop].tolist()])
            for own in form.players
            for start, stop in pairwise(own.first_sequence.tolist())
        )
    )


def _certified(game: ExtensiveFormGame, profile: BehavioralProfile, meter: Meter) -> TreeSolution:
    certificate = certify_nash(game, profile)
    return Solution(profile, certificate.payoffs, certificate, meter.record())
