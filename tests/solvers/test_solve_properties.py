"""``solve`` on generated games: certified exact answers, or one sentence that says what is lacking.

Which games must be answered is stated here once more, from the properties of the game alone.
"""

import math
import re
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gametheory_core import NormalFormGame, NotConverged, UnsupportedGame, testing
from gametheory_core.errors import InfeasibleProgram
from gametheory_core.games import has_perfect_information, has_perfect_recall, is_constant_sum
from gametheory_core.strategies import chance_excludes_no_infoset, is_signaling
from solvers import Concept, solve
from solvers.solver import routes

SMALL = {"max_depth": 3, "max_moves": 5}
GAMES = st.one_of(
    testing.normal_form_games(),
    testing.zero_sum_games(),
    testing.extensive_form_games(**SMALL),
    testing.extensive_form_games(**SMALL, zero_sum=True),
    testing.extensive_form_games(**SMALL, perfect_information=True),
    testing.forgetful_games(**SMALL),
)


def must_answer(game, concept):
    """Whether the library promises an answer for this game."""
    is_matrix = isinstance(game, NormalFormGame)
    is_perfect = not is_matrix and bool(has_perfect_information(game))
    has_recall = is_matrix or bool(has_perfect_recall(game))
    is_pair = game.num_players == 2
    is_bimatrix = is_matrix and is_pair
    is_rivalry = is_pair and has_recall and bool(is_constant_sum(game))
    is_duel = is_pair and has_recall  # a matrix, or a tree in which nobody forgets
    is_possible = not is_matrix and bool(chance_excludes_no_infoset(game))
    return {
        Concept.NASH: is_perfect or has_recall,
        Concept.ALL_NASH: has_recall,
        Concept.STACKELBERG: is_matrix or is_duel,
        Concept.CORRELATED_COMMITMENT: is_matrix or is_duel,
        Concept.COARSE_CORRELATED: has_recall,
        Concept.EXTENSIVE_CORRELATED: is_duel and not is_matrix,
        Concept.EXTENSIVE_COARSE_CORRELATED: is_duel and not is_matrix,
        Concept.SEQUENTIAL: is_possible and has_recall,
        Concept.ALL_SEQUENTIAL: is_possible and bool(is_signaling(game)),
        Concept.QUASI_PERFECT: is_possible and is_duel,
        Concept.PURE_NASH: has_recall,
        Concept.BEST_NASH: is_duel or (is_matrix and game.num_players > 1),
        Concept.NASH_COMPONENTS: is_bimatrix,
        Concept.MINIMAX: is_rivalry,
        Concept.MAX_ENTROPY: is_rivalry and is_matrix,
        Concept.SUBGAME_PERFECT: not is_matrix and has_recall,
        Concept.CORRELATED_PAYOFFS: is_matrix and game.num_players > 1,
        Concept.MARKOV_STACKELBERG: False,
        Concept.MARKOV_COMMITMENT: False,
        Concept.MARKOV_PERFECT: False,
        Concept.MARKOV_CORRELATED: False,
        Concept.STAGE_STACKELBERG: False,
        Concept.PRICE_OF_ANARCHY: False,
        Concept.SYMMETRIC_NASH: False,
        Concept.MEDIATED: False,
    }.get(concept, is_matrix)


def check(answer, game, concept):
    assert answer.game == game
    assert answer.concept == concept
    assert answer.reason
    for solution in answer.solutions:
        assert solution.certificate.game == game
        assert solution.certificate.answer == solution.profile
        assert solution.certificate.payoffs == solution.payoffs
        assert (getattr(solution.certificate, "epsilon", 0) or 0) <= allowed(answer)
        solution.certificate.verify()
    if answer.algorithm == "polynomial_support_enumeration":
        assert answer.evidence  # degenerate games may leave boxes undecided
    elif concept in {Concept.ALL_NASH, Concept.ALL_SEQUENTIAL, Concept.PURE_NASH}:
        assert answer.is_complete
        answer.completeness.verify()
    else:
        assert answer.is_complete is None
    assert answer.solutions or concept is Concept.PURE_NASH or answer.is_complete is False


IRRATIONAL = {
    "best_of_all_equilibria",
    "logit_homotopy",
    "max_entropy",
    "max_entropy_correlated_equilibrium",
    "polynomial_support_enumeration",
    "subgame_perfect",
}
LEARNED = {"regret_matching", "counterfactual_regret"}


def allowed(answer):
    """Everything is exact, but for irrational limits, and for play that goes on for ever."""
    is_matrix = isinstance(answer.game, NormalFormGame)
    payoffs = answer.game.payoffs if is_matrix else answer.game.terminal_payoffs
    span = Fraction(float(np.ptp(payoffs)))
    if answer.algorithm == "quantal_response":
        return math.inf  # no equilibrium, and not meant to be
    if answer.algorithm in LEARNED:
        return Fraction(1, 1000) * (span or 1)
    return Fraction(1, 10**9) * (span + 100) if answer.algorithm in IRRATIONAL else 0


@pytest.mark.parametrize("concept", Concept, ids=lambda concept: concept.value)
@given(GAMES)
def test_every_game_is_answered_exactly_or_refused_in_a_sentence(concept, game):
    if must_answer(game, concept):
        try:
            answer = solve(game, concept)
        except InfeasibleProgram:
            assert concept is Concept.STACKELBERG
            assert game.num_players > 2
        except (NotConverged, UnsupportedGame):
            if not is_hard(game, concept):
                raise
        else:
            check(answer, game, concept)
        return
    with pytest.raises(UnsupportedGame, match=r"(?s)^\w+: .*\bneeds a?.*[.]$") as caught:
        solve(game, concept)
    problem = str(caught.value)
    assert "\n" not in problem
    assert re.search(
        f"no algorithm for {concept.value} takes|needs a pure equilibrium|chance does not exclude",
        problem,
    )


def is_hard(game, concept):
    """Whether an answer is promised for most games, but not for all.

    Chance moves of a tree may hide from two players what they learn: NP-hard then. And the
    equilibria of three players may be a continuum.
    """
    if concept is Concept.BEST_NASH:
        return game.num_players > 2
    return (
        concept in WITH_MEDIATOR
        and not isinstance(game, NormalFormGame)
        and len(game.infosets) > game.num_decision_infosets
    )


WITH_MEDIATOR = {
    Concept.CORRELATED_COMMITMENT,
    Concept.EXTENSIVE_CORRELATED,
    Concept.EXTENSIVE_COARSE_CORRELATED,
    Concept.COARSE_CORRELATED,
}


@pytest.mark.parametrize("row", routes(), ids=lambda r: f"{r.name}-{r.answers.concept}")
@given(GAMES)
def test_each_algorithm_answers_what_it_takes_and_refuses_the_rest(row, game):
    concept = row.answers.concept
    is_taken = any(r.name == row.name and not r.lack(game) for r in routes(concept))
    needs_pure = row.name == "pure" and concept is Concept.NASH
    if is_taken and (not needs_pure or solve(game, Concept.PURE_NASH).solutions):
        try:
            answer = solve(game, concept, algorithm=row.name)
        except InfeasibleProgram:  # no commitment leaves several followers a pure equilibrium
            assert row.name == "pure_followers_stackelberg"
            assert game.num_players > 2
            return
        except (NotConverged, UnsupportedGame) as error:
            may_lack = row.name == "two_mixing" or "chance does not exclude" in str(error)
            if not is_hard(game, concept) and not may_lack:
                raise
            return
        assert answer.algorithm == row.name
        check(answer, game, concept)
    else:
        with pytest.raises(UnsupportedGame, match=r"^solve: .*\bneeds a?.*[.]$"):
            solve(game, concept, algorithm=row.name)
