"""The best equilibrium of a game of any number of players: all are listed, and none scores more.

An irrational equilibrium is known by a box, so its score is too: the objective is multilinear, and
on the box it lies between its values at the corners of simplices that hold it.
"""

from fractions import Fraction
from math import lcm, prod
from typing import ClassVar

import numpy as np

from gametheory_core.arguments import number_of
from gametheory_core.certificates.all_equilibria import certify_all_equilibria
from gametheory_core.certificates.claim import (
    answer_payoffs,
    claim,
    claim_answer,
    claimed,
    verify_claim,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.optimal_equilibrium import (
    NEGATIVE_OBJECTIVES,
    SUPPORT_OBJECTIVES,
    WELFARE_OBJECTIVES,
    EquilibriumObjective,
    best_sentence,
    value_of,
)
from gametheory_core.certificates.reduced_game import Reduction, checked_reduction
from gametheory_core.certificates.support_solutions import (
    SupportSolution,
    is_equilibrium,
    profile_of,
    region_of,
)
from gametheory_core.errors import CertificateRejected
from gametheory_core.evaluation.support_rows import DifferenceTables, at_corners
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
        CertificateRejected: If the list of equilibria has a gap, or the profile is not on it.

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
    proof = certify_all_equilibria(
        game, solutions, steps, eliminations=eliminations, merges_copies=merges_copies
    )
    if profile not in proof.profiles:
        raise CertificateRejected(
            needs="one of the equilibria on the list",
            found=f"the profile is none of the {number_of(len(proof.profiles), 'equilibrium')}",
        )
    reduction = checked_reduction(game, eliminations, merges_copies=merges_copies)
    tables = DifferenceTables(reduction.target)
    scores = {
        carried: _scores(reduction, solution, carried, objective, player)
        for solution in solutions
        if is_equilibrium(tables.rows(solution.supports), solution)
        for carried in reduction.expansions(profile_of(reduction.target, solution))
    }
    score, _ = scores[profile]
    bound = max(high for _, high in scores.values())
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
    )


@claim(KIND, measure=certify_best_of_all, proves=("best-nash",))
class BestOfAllCertificate:
    """The claim that an equilibrium has at least a score, and none scores above a bound.

    The *score* is what the objective makes large: the sum of payoffs, one player's payoff, the
    number of actions played by all; or minus that, where the objective makes it small.

    Attributes:
        game: Any number of players.
        profile: The equilibrium, or, if it is irrational, the middle of its box.
        player: Whose payoff, where the objective is about one player's; else 0.
        score: Of the equilibrium, at least.
        upper_bound: No equilibrium has a larger score.
        solutions, steps, eliminations, merges_copies: The proof that no equilibrium is missing;
            see ``AllEquilibriaCertificate``.
    """

    kind: ClassVar[str]
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
    verify = verify_claim
    answer = claim_answer
    payoffs = answer_payoffs

    @property
    def epsilon(self) -> Fraction:
        """How much better another equilibrium may be at most; 0 for a rational best one."""
        return self.upper_bound - self.score

    @property
    def value(self) -> Fraction:
        """What the objective is about: the sum of payoffs, the payoff, the number of actions."""
        return value_of(self)

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return best_sentence(self)


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
    game = reduction.game
    classes = [
        [copies[place] for place in own]
        for copies, own in zip(reduction.copies, solution.supports, strict=True)
    ]
    sign = -1 if objective in NEGATIVE_OBJECTIVES else 1
    if objective in SUPPORT_OBJECTIVES:
        least = sum(map(len, classes))
        most = sum(len(copies) for own in classes for copies in own)
        return Fraction(sign * least), Fraction(max(sign * least, sign * most))
    everybody = range(game.num_players)
    counted = everybody if objective in WELFARE_OBJECTIVES else (player,)
    denominator = lcm(*(game.scaled_payoffs[i].denominator for i in counted))
    index = np.ix_(
        *(
            [next(action for action in copies if strategy[action]) for copies in own]
            for own, strategy in zip(classes, profile.strategies, strict=True)
        )
    )
    table = sum(
        sign
        * game.scaled_payoffs[i].numerators[index]
        * (denominator // game.scaled_payoffs[i].denominator)
        for i in counted
    )
    region = region_of(solution)
    values = at_corners(np.array(table, dtype=object)[np.newaxis], region.matrices)
    scale = denominator * prod(region.denominators)
    return Fraction(values.min(), scale), Fraction(values.max(), scale)
