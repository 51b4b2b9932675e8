"""The best equilibrium of a game of any number of players: those not listed score no more.

Rows of supports show where no equilibrium is, or none that is not listed (``all_equilibria``), or
none above the bound: of a continuum, its ends are listed, which score most.

An irrational equilibrium is known by a box, so its score is too: the objective is multilinear, and
on the box it lies between its values at the corners of simplices that hold it.
"""

from fractions import Fraction
from math import lcm, prod

import numpy as np

from gametheory_core.arguments import number_of
from gametheory_core.arrays import ZERO
from gametheory_core.certificates.all_equilibria import equilibria_among, require_none_missing
from gametheory_core.certificates.claim import Checkable, answer_payoffs, claim, claimed
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.optimal_equilibrium import (
    NEGATIVE_OBJECTIVES,
    SUPPORT_OBJECTIVES,
    WELFARE_OBJECTIVES,
    EquilibriumObjective,
    best_sentence,
    objective_value,
    score_gap,
)
from gametheory_core.certificates.reduced_game import Reduction, checked_reduction
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    is_equilibrium,
    profile_of,
    region_of,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.support_rows import DifferenceTables, Integers, Supports, at_corners
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.mixed import MixedProfile

KIND = "best-of-all-equilibria"


def certify_best_of_all(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    objective: EquilibriumObjective,
    player: int = 0,
    solutions: tuple[SupportSolution, ...],
    steps: tuple[tuple[int, ...], ...],
    eliminations: tuple[Elimination, ...] = (),
    merges_copies: bool = False,
) -> "BestOfAllCertificate":
    """Measure an equilibrium and all others by an objective, and state both.

    Args:
        game: Any number of players.
        profile: One of the equilibria.
        objective: By what equilibria are compared.
        player: Whose payoff, where the objective is about one player's.
        solutions, steps, eliminations, merges_copies: As in ``AllEquilibriaCertificate``.

    Raises:
        CertificateRejected: If an equilibrium that is not listed may score more, or the profile is
            not listed.

    In the prisoner's dilemma each player's first action is worse, and one profile is left.

    >>> from gametheory_core import load_game, pure_profile
    >>> from gametheory_core.certificates.all_equilibria import DROP
    >>> from gametheory_core.certificates.support_cells import ALONE
    >>> game = load_game("prisoners_dilemma")
    >>> both = SupportSolution(((1,), (1,)), ((Fraction(1),), (Fraction(1),)), Fraction(0), ())
    >>> found = certify_best_of_all(
    ...     game,
    ...     pure_profile(game, (1, 1)),
    ...     objective=EquilibriumObjective.LARGEST_WELFARE,
    ...     solutions=(both,),
    ...     steps=((DROP, 0, 0, 1), (DROP, 1, 0, 1), (ALONE, 0)),
    ... )
    >>> found.epsilon
    Fraction(0, 1)
    """
    require_declared_arguments(BestOfAllCertificate, objective=objective, player=player)
    reduction = checked_reduction(game, eliminations, merges_copies=merges_copies)
    profiles = equilibria_among(reduction, solutions)
    if profile not in profiles:
        raise CertificateRejected(
            needs="one of the equilibria on the list",
            found=f"the profile is none of the {number_of(len(profiles), 'equilibrium')}",
        )
    scores = _all_scores(reduction, solutions, objective, player)
    score, _, radius = scores[profile]
    bound = max(high for _, high, _ in scores.values())
    require_none_missing(
        reduction,
        solutions,
        steps,
        lambda own: excess_over(bound, reduction, own, objective=objective, player=player),
    )
    return BestOfAllCertificate(
        game,
        profile,
        objective,
        player,
        score,
        bound,
        solutions,
        steps,
        eliminations,
        merges_copies,
        radius,
    )


@claim(KIND, measure=certify_best_of_all, proves=("best-nash",))
class BestOfAllCertificate(Checkable):
    """The claim that an equilibrium has at least a score, and none scores above a bound.

    The *score* is what the objective makes large: the sum of payoffs, one player's payoff, the
    number of actions played by all; or minus that, where the objective makes it small.

    Attributes:
        game: Any number of players.
        profile: The equilibrium, or, if it is irrational, the middle of its box.
        player: Whose payoff, where the objective is about one player's; else 0.
        score: Of the equilibrium, at least.
        upper_bound: No equilibrium has a larger score.
        solutions, steps, eliminations, merges_copies: The proof that no equilibrium above the
            bound is missing; see ``AllEquilibriaCertificate``. The weights of an excluded cell may
            end with one, above 0, of what strategies score above the bound.
        radius: How far the equilibrium may be from the profile, in all probabilities but each
            player's first; 0 if it is rational.
    """

    game: NormalFormGame
    profile: MixedProfile
    objective: EquilibriumObjective
    player: int
    score: Fraction = claimed()
    upper_bound: Fraction = claimed()
    solutions: tuple[SupportSolution, ...]
    steps: tuple[tuple[int, ...], ...]
    eliminations: tuple[Elimination, ...] = ()
    merges_copies: bool = False
    radius: Fraction = claimed(default=ZERO)
    payoffs = answer_payoffs
    epsilon = score_gap
    value = objective_value

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return best_sentence(self, radius=self.radius)


def largest_score(
    reduction: Reduction,
    solutions: tuple[SupportSolution, ...],
    *,
    objective: EquilibriumObjective,
    player: int,
) -> Fraction:
    """Return what no equilibrium among some solutions, checked before, scores above."""
    return max(high for _, high, _ in _all_scores(reduction, solutions, objective, player).values())


def _all_scores(
    reduction: Reduction,
    solutions: tuple[SupportSolution, ...],
    objective: EquilibriumObjective,
    player: int,
) -> dict[MixedProfile, tuple[Fraction, Fraction, Fraction]]:
    """Bound the score of each equilibrium, and say how far it may be from its profile."""
    tables = DifferenceTables(reduction.target)
    return {
        carried: (*_scores(reduction, solution, carried, objective, player), solution.radius)
        for solution in solutions
        if is_equilibrium(tables.rows(solution.supports), solution)
        for carried in reduction.expansions(profile_of(reduction.target, solution))
    }


def _scores(
    reduction: Reduction,
    solution: SupportSolution,
    profile: MixedProfile,
    objective: EquilibriumObjective,
    player: int,
) -> tuple[Fraction, Fraction]:
    """Bound the score of an equilibrium of the game from below and above.

    Those that spread weight over copies score no more than the best of those that play one of each,
    as payoffs are linear in each player's strategy; but they may play more actions.

    Args:
        solution: What the equilibrium is when copies are merged.
        profile: The middle of its box, carried back to the game.
    """
    classes = _classes(reduction, solution.supports)
    if objective in SUPPORT_OBJECTIVES:
        return _counts(classes, objective)
    table, denominator = _table(reduction.game, objective, player)
    index = np.ix_(
        *(
            [next(action for action in copies if strategy[action]) for copies in own]
            for own, strategy in zip(classes, profile.strategies, strict=True)
        )
    )
    region = region_of(solution)
    values = at_corners(table[index][np.newaxis], region.matrices)
    scale = denominator * prod(region.denominators)
    return Fraction(values.min(), scale), Fraction(values.max(), scale)


def excess_over(
    bound: Fraction,
    reduction: Reduction,
    supports: Supports,
    *,
    objective: EquilibriumObjective,
    player: int,
) -> Integers:
    """Return what joint actions of supports score above a bound, times a positive number.

    Of copies, the one that scores most counts at each joint action.
    """
    classes = _classes(reduction, supports)
    if objective in SUPPORT_OBJECTIVES:
        above = _counts(classes, objective)[1] - bound
        return np.full(tuple(map(len, supports)), above.numerator, dtype=object)
    table, denominator = _table(reduction.game, objective, player)
    for axis, own in enumerate(classes):
        table = np.stack([table.take(copies, axis=axis).max(axis=axis) for copies in own], axis)
    return table * bound.denominator - bound.numerator * denominator


def _classes(reduction: Reduction, supports: Supports) -> list[list[tuple[int, ...]]]:
    """Return for each supported action its copies in the game."""
    return [
        [copies[place] for place in own]
        for copies, own in zip(reduction.copies, supports, strict=True)
    ]


def _counts(
    classes: list[list[tuple[int, ...]]], objective: EquilibriumObjective
) -> tuple[Fraction, Fraction]:
    """Bound the score where it is the number of actions."""
    sign = -1 if objective in NEGATIVE_OBJECTIVES else 1
    least = sum(map(len, classes))
    most = sum(len(copies) for own in classes for copies in own)
    return Fraction(sign * least), Fraction(max(sign * least, sign * most))


def _table(
    game: NormalFormGame, objective: EquilibriumObjective, player: int
) -> tuple[Integers, int]:
    """Return scores of joint actions where they are payoffs: integers, and their denominator."""
    sign = -1 if objective in NEGATIVE_OBJECTIVES else 1
    counted = range(game.num_players) if objective in WELFARE_OBJECTIVES else (player,)
    given = [game.scaled_payoffs[i] for i in counted]
    denominator = lcm(*(own.denominator for own in given))
    table = sum(sign * own.numerators * (denominator // own.denominator) for own in given)
    return np.array(table, dtype=object), denominator
