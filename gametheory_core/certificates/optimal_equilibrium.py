"""Certificates of the best equilibrium, or of none, each with a proof by cases."""

from enum import Enum
from fractions import Fraction
from math import lcm
from typing import Any

import numpy as np

from gametheory_core.arrays import ZERO, ScaledIntegers, freeze
from gametheory_core.certificates.claim import (
    Checkable,
    CheckableFact,
    answer_payoffs,
    claim,
    claimed,
)
from gametheory_core.certificates.declared_types import require_declared_arguments
from gametheory_core.certificates.dominance import Elimination
from gametheory_core.certificates.equilibrium import NashCertificate, certify_nash
from gametheory_core.certificates.equilibrium_bounds import (
    Case,
    Label,
    Leaf,
    absent_actions,
    case_without,
    cases_of,
    check_labels,
    check_proof,
    expectation_bound,
)
from gametheory_core.certificates.reduced_game import checked_reduction
from gametheory_core.certificates.wording import (
    at_least,
    at_most,
    at_most_roughly,
    attained,
    exactly,
    written,
)
from gametheory_core.errors import CertificateRejected, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.strategies.behavioral import Game, Profile
from gametheory_core.strategies.mixed import MixedProfile, supports


class EquilibriumObjective(Enum):
    """By what equilibria are compared."""

    LARGEST_WELFARE = "largest-welfare"
    LEAST_WELFARE = "least-welfare"
    LARGEST_PAYOFF = "largest-payoff"
    LEAST_PAYOFF = "least-payoff"
    SMALLEST_SUPPORT = "smallest-support"
    LARGEST_SUPPORT = "largest-support"


SUPPORT_OBJECTIVES = (EquilibriumObjective.SMALLEST_SUPPORT, EquilibriumObjective.LARGEST_SUPPORT)
WELFARE_OBJECTIVES = (EquilibriumObjective.LARGEST_WELFARE, EquilibriumObjective.LEAST_WELFARE)
NEGATIVE_OBJECTIVES = (
    EquilibriumObjective.LEAST_WELFARE,
    EquilibriumObjective.LEAST_PAYOFF,
    EquilibriumObjective.SMALLEST_SUPPORT,
)


def certify_optimal_equilibrium(
    game: NormalFormGame,
    profile: MixedProfile,
    *,
    objective: EquilibriumObjective,
    player: int = 0,
    unplayed: tuple[Label, ...] = (),
    questions: tuple[Label | None, ...] = (None,),
    leaves: tuple[Leaf, ...] = (Leaf(),),
    eliminations: tuple[Elimination, ...] = (),
) -> "OptimalEquilibriumCertificate":
    """Measure an equilibrium and the bound that a proof by cases gives, and state both.

    Without a proof, the bound is the trivial one.

    Args:
        game: Two players.
        profile: Exact; an equilibrium of the game.
        player: Whose payoff, where the objective is about one player's.
        unplayed: Actions that are ruled out.
        questions, leaves, eliminations: As in ``OptimalEquilibriumCertificate``.

    Raises:
        CertificateRejected: If the profile is no equilibrium, or the proof has a gap.
        UnsupportedGame: If the game has not two players.

    >>> from gametheory_core import pure_profile
    >>> game = NormalFormGame.bimatrix([[3, 0], [0, 2]], [[2, 0], [0, 3]])
    >>> welfare = EquilibriumObjective.LARGEST_WELFARE
    >>> certify_optimal_equilibrium(game, pure_profile(game, (0, 0)), objective=welfare).epsilon
    Fraction(0, 1)
    """
    require_declared_arguments(OptimalEquilibriumCertificate, **locals())
    if game.num_players != 2:
        raise UnsupportedGame(needs="two players", found=f"{game!r} has {game.num_players}")
    if player not in (0, 1):
        raise CertificateRejected(needs="player 0 or 1", found=f"has {player!r}")
    check_labels(game, unplayed)
    check_proof(game, questions, leaves)
    certify_equilibrium(game, profile)
    played = supports(profile)
    for label in unplayed:
        if label.action in played[label.player]:
            raise CertificateRejected(
                found=f"{label} is ruled out, but played", remedy="Do not use this answer."
            )
    scores = scaled_scores(game, objective=objective, player=player)
    bounds = [
        leaf_bound(game, case, leaf, objective=objective, scores=scores)
        for case, leaf in cases_of(first_case(game, unplayed, eliminations), questions, leaves)
    ]
    reached = [bound for bound in bounds if bound is not None]
    score = score_of(game, profile, objective=objective, player=player)
    return OptimalEquilibriumCertificate(
        game=game,
        profile=profile,
        objective=objective,
        player=player,
        unplayed=unplayed,
        score=score,
        upper_bound=max([score, *reached]),
        questions=questions,
        leaves=leaves,
        eliminations=eliminations,
    )


def certify_equilibrium(game: Game, profile: Profile) -> NashCertificate:
    """Measure an exact equilibrium, and reject other profiles."""
    nash = certify_nash(game, profile)
    if nash.epsilon:
        raise CertificateRejected(
            needs="an equilibrium", found=f"somebody gains {written(nash.epsilon)} by deviating"
        )
    return nash


def first_case(
    game: NormalFormGame, unplayed: tuple[Label, ...], eliminations: tuple[Elimination, ...]
) -> Case:
    """Return the case without what is ruled out, and what no equilibrium plays, checked."""
    if not eliminations:
        return case_without(unplayed)
    checked_reduction(game, eliminations, merges_copies=False)
    return case_without((*unplayed, *(Label(each.player, each.action) for each in eliminations)))


@property
def score_gap(certificate: Any) -> Fraction:
    """How much better another equilibrium may be at most; 0 for a best one."""
    return certificate.upper_bound - certificate.score


@property
def objective_value(certificate: Any) -> Fraction:
    """What the objective is about: the sum of payoffs, the payoff, the number of actions."""
    is_small = certificate.objective in NEGATIVE_OBJECTIVES
    return -certificate.score if is_small else certificate.score


@claim("optimal-equilibrium", measure=certify_optimal_equilibrium, proves=("best-nash",))
class OptimalEquilibriumCertificate(Checkable):
    """The claim that a profile is an equilibrium, has this score, and none scores above a bound.

    Where some actions are ruled out, the claim is about the equilibria that do not play them.

    The *score* is what the objective makes large: a sum of payoffs, one player's payoff, a number
    of actions played by both; or minus that, where the objective makes it small.

    Attributes:
        game: Two players.
        profile: Rational; an exact equilibrium.
        player: Whose payoff, where the objective is about one player's; else 0.
        unplayed: Actions that are ruled out.
        score: Of the profile.
        upper_bound: No equilibrium has a larger score; equals ``score`` for a best equilibrium.
        questions: The proof by cases, in preorder: an action that is unplayed (first) or played;
            None for a leaf.
        leaves: In the order of the ``None`` entries.
        eliminations: Strictly dominated actions, in order, rounds numbered from 1; they are
            unplayed before the first question.
    """

    game: NormalFormGame
    profile: MixedProfile
    objective: EquilibriumObjective
    player: int
    unplayed: tuple[Label, ...]
    score: Fraction = claimed()
    upper_bound: Fraction = claimed()
    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]
    eliminations: tuple[Elimination, ...] = ()
    payoffs = answer_payoffs
    epsilon = score_gap
    value = objective_value

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return best_sentence(self, ruled_out=_ruled_out(self))


def best_sentence(certificate: Any, *, ruled_out: str = "", radius: Fraction = ZERO) -> str:
    """Say what an equilibrium has of its objective, and that no other has more (or less)."""
    is_small = certificate.objective in NEGATIVE_OBJECTIVES
    near = (
        f" near the profile (within {at_most_roughly(radius)} in all probabilities but each "
        "player's first)"
    )
    what = f"a Nash equilibrium{near if radius else ''} with {_described(certificate)}"
    others = f"no equilibrium{ruled_out} has {'less' if is_small else 'more'}"
    if not certificate.epsilon:
        return f"{what} {exactly(certificate.value, is_small=is_small)}; {others}"
    bound = at_least(-certificate.upper_bound) if is_small else at_most(certificate.upper_bound)
    return f"{what} {attained(certificate.value, is_small=is_small)}; {others} than {bound}"


def score_of(
    game: NormalFormGame, profile: MixedProfile, *, objective: EquilibriumObjective, player: int
) -> Fraction:
    """Return the score of an exact profile."""
    if objective in SUPPORT_OBJECTIVES:
        count = Fraction(sum(map(len, supports(profile))))
        return -count if objective in NEGATIVE_OBJECTIVES else count
    x, y = profile.strategies
    scores = scaled_scores(game, objective=objective, player=player)
    return Fraction(x @ scores.numerators @ y) / scores.denominator


def scaled_scores(
    game: NormalFormGame, *, objective: EquilibriumObjective, player: int
) -> ScaledIntegers:
    """Return the score of each pair of actions; zero for objectives about supports."""
    shape = game.num_actions
    total, denominator = np.zeros(shape, dtype=object), 1
    if objective not in SUPPORT_OBJECTIVES:
        counted = (0, 1) if objective in WELFARE_OBJECTIVES else (player,)
        tables = [game.scaled_payoffs[i] for i in counted]
        denominator = lcm(*(table.denominator for table in tables))
        for table in tables:
            total = total + table.numerators * (denominator // table.denominator)
    sign = -1 if objective in NEGATIVE_OBJECTIVES else 1
    return ScaledIntegers(freeze(sign * total), denominator)


def leaf_bound(
    game: NormalFormGame,
    case: Case,
    leaf: Leaf,
    *,
    objective: EquilibriumObjective,
    scores: ScaledIntegers,
) -> Fraction | None:
    """Bound the score of all equilibria of a case; None if there are none.

    Args:
        scores (m, n): From ``scaled_scores``.

    Raises:
        CertificateRejected: If the leaf does not prove what it should.
    """
    absent = absent_actions(game, case, leaf) if leaf.absences else set[Label]()
    if any(label.action in case.played[label.player] for label in absent):
        return None
    if objective not in SUPPORT_OBJECTIVES:
        if absent:
            raise CertificateRejected(found="absences bound no payoff")
        return expectation_bound(game, case, leaf, scores)
    possible = [
        sum(Label(p, a) not in absent for a in case.possible(p, game.num_actions[p]))
        for p in range(2)
    ]
    if not all(possible):
        return None
    if objective is EquilibriumObjective.SMALLEST_SUPPORT:
        return -Fraction(sum(max(1, len(played)) for played in case.played))
    return Fraction(sum(possible))


def _described(certificate: Any) -> str:
    if certificate.objective in WELFARE_OBJECTIVES:
        return "a sum of payoffs of"
    if certificate.objective in SUPPORT_OBJECTIVES:
        return "a number of actions played of"
    return f"a payoff of player {certificate.game.players[certificate.player]!r} of"


def _ruled_out(certificate: OptimalEquilibriumCertificate) -> str:
    if not certificate.unplayed:
        return ""
    return " without " + named(certificate.game, certificate.unplayed)


def named(game: NormalFormGame, labels: tuple[Label, ...]) -> str:
    """Name actions and their players."""
    return " and ".join(
        f"{game.actions[label.player][label.action]!r} of player {game.players[label.player]!r}"
        for label in labels
    )


def certify_absent_equilibrium(
    game: NormalFormGame,
    unplayed: tuple[Label, ...],
    questions: tuple[Label | None, ...],
    leaves: tuple[Leaf, ...],
    eliminations: tuple[Elimination, ...] = (),
) -> "AbsentEquilibriumCertificate":
    """Check that every case is empty, and state that no equilibrium avoids some actions.

    Raises:
        CertificateRejected: If a case may have an equilibrium, or the proof has a gap.
    """
    if game.num_players != 2:
        raise CertificateRejected(needs="two players")
    check_labels(game, unplayed)
    check_proof(game, questions, leaves)
    for case, leaf in cases_of(first_case(game, unplayed, eliminations), questions, leaves):
        if not _is_empty(game, case, leaf):
            raise CertificateRejected(
                found="nothing shows that there is no equilibrium where "
                f"{_named(game, case.unplayed)} unplayed and {_named(game, case.played)} played"
            )
    return AbsentEquilibriumCertificate(game, unplayed, questions, leaves, eliminations)


@claim("absent-equilibrium", measure=certify_absent_equilibrium)
class AbsentEquilibriumCertificate(CheckableFact):
    """The claim that every equilibrium of the game plays one of some actions.

    Attributes:
        game: Two players.
        unplayed: No equilibrium leaves all of these unplayed.
        questions: The proof by cases, in preorder: an action that is unplayed (first) or played;
            None for a leaf.
        leaves: In the order of the ``None`` entries; each shows that its case has no equilibrium.
        eliminations: Strictly dominated actions, in order, as in ``OptimalEquilibriumCertificate``.
    """

    game: NormalFormGame
    unplayed: tuple[Label, ...]
    questions: tuple[Label | None, ...]
    leaves: tuple[Leaf, ...]
    eliminations: tuple[Elimination, ...] = ()

    @property
    def statement(self) -> str:
        """The claim in one sentence."""
        return f"there is no Nash equilibrium without {named(self.game, self.unplayed)}"


def _is_empty(game: NormalFormGame, case: Case, leaf: Leaf) -> bool:
    """Tell whether a played action, or all actions of a player, are never played."""
    absent = absent_actions(game, case, leaf)
    if any(label.action in case.played[label.player] for label in absent):
        return True
    return not all(
        any(Label(player, action) not in absent for action in case.possible(player, count))
        for player, count in enumerate(game.num_actions)
    )


def _named(game: NormalFormGame, actions: tuple[frozenset[int], frozenset[int]]) -> str:
    labels = tuple(Label(player, a) for player in range(2) for a in sorted(actions[player]))
    return f"{named(game, labels)} are" if labels else "nothing is"
