"""``solve`` on generated games: certified exact answers, or one sentence that says what is lacking.

Which games must be answered is stated here once more, from the properties of the game alone.
"""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gametheory_core.errors import UnsupportedGame
from gametheory_core.evaluation.payoffs import expected_payoffs
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.properties import (
    has_perfect_information,
    has_perfect_recall,
    is_constant_sum,
)
from gametheory_core.testing.generators import (
    extensive_form_games,
    forgetful_games,
    normal_form_games,
    zero_sum_games,
)
from solvers.algorithms import ALGORITHMS
from solvers.concepts import Concept
from solvers.solve import solve

SMALL = {"max_depth": 3, "max_moves": 5}
GAMES = st.one_of(
    normal_form_games(),
    zero_sum_games(),
    extensive_form_games(**SMALL),
    extensive_form_games(**SMALL, zero_sum=True),
    extensive_form_games(**SMALL, perfect_information=True),
    forgetful_games(**SMALL),
)


def must_answer(game, concept):
    """Whether the library promises an answer for this game."""
    is_matrix = isinstance(game, NormalFormGame)
    is_perfect = not is_matrix and bool(has_perfect_information(game))
    has_recall = is_matrix or bool(has_perfect_recall(game))
    is_pair = game.num_players == 2
    if concept is Concept.NASH:
        has_pure = has_recall and bool(solve(game, Concept.PURE_NASH).solutions)
        return is_perfect or (is_pair and has_recall) or has_pure
    return {
        Concept.ALL_NASH: is_pair and has_recall,
        Concept.PURE_NASH: has_recall,
        Concept.MINIMAX: is_pair and has_recall and bool(is_constant_sum(game)),
        Concept.STACKELBERG: is_pair and is_matrix,
        Concept.SUBGAME_PERFECT: is_perfect,
    }[concept]


def check(answer, game, concept):
    assert answer.game == game
    assert answer.concept is concept
    assert answer.reason
    for solution in answer.solutions:
        assert solution.certificate.game == game
        assert solution.certificate.profile == solution.profile
        assert solution.payoffs == tuple(expected_payoffs(game, solution.profile))
        assert solution.certificate.epsilon == 0
        solution.certificate.verify()
    if concept in {Concept.ALL_NASH, Concept.PURE_NASH}:
        assert answer.is_complete
        answer.completeness.verify()
    else:
        assert answer.is_complete is None
    assert answer.solutions or concept is Concept.PURE_NASH


@pytest.mark.parametrize("concept", Concept, ids=lambda concept: concept.value)
@settings(max_examples=60)
@given(GAMES)
def test_every_game_is_answered_exactly_or_refused_in_a_sentence(concept, game):
    if must_answer(game, concept):
        check(solve(game, concept), game, concept)
        return
    with pytest.raises(UnsupportedGame, match=r"(?s)^solve: .*\bneeds a?.*[.]$") as caught:
        solve(game, concept)
    problem = str(caught.value)
    assert "\n" not in problem
    assert re.search(f"no algorithm for {concept.value} takes|needs a pure equilibrium", problem)


@pytest.mark.parametrize("row", ALGORITHMS, ids=lambda row: f"{row.name}-{row.concept.value}")
@settings(max_examples=40)
@given(GAMES)
def test_each_algorithm_answers_what_it_takes_and_refuses_the_rest(row, game):
    rows = [r for r in ALGORITHMS if (r.name, r.concept) == (row.name, row.concept)]
    is_taken = any(not r.takes(game) for r in rows)
    needs_pure = row.name == "pure" and row.concept is Concept.NASH
    if is_taken and (not needs_pure or solve(game, Concept.PURE_NASH).solutions):
        answer = solve(game, row.concept, algorithm=row.name)
        assert answer.algorithm == row.name
        check(answer, game, row.concept)
    else:
        with pytest.raises(UnsupportedGame, match=r"^solve: .*\bneeds a?.*[.]$"):
            solve(game, row.concept, algorithm=row.name)
