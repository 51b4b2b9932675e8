"""The table of algorithms: the right row answers, says why, and refusals name what is missing."""

import re

import pytest

from gametheory_core.catalog.index import load
from gametheory_core.catalog.tiger import Tiger
from gametheory_core.errors import InvalidArgument, NotConverged, UnsupportedGame
from gametheory_core.games.normal_form import NormalFormGame
from solvers.algorithms import ALGORITHMS
from solvers.concepts import Concept
from solvers.solution import Budget
from solvers.solve import Answer, solve

NO_PURE_THREE = NormalFormGame.from_payoffs(  # the third player watches matching pennies
    [
        [[[1, 1], [-1, -1]], [[-1, -1], [1, 1]]],
        [[[-1, -1], [1, 1]], [[1, 1], [-1, -1]]],
        [[[0, 0], [0, 0]], [[0, 0], [0, 0]]],
    ]
)


@pytest.mark.parametrize(
    ("name", "concept", "algorithm"),
    [
        ("kuhn_poker", Concept.NASH, "sequence_form_lp"),
        ("kuhn_poker", Concept.MINIMAX, "sequence_form_lp"),
        ("one_card_poker", Concept.ALL_NASH, "vertex_enumeration"),
        ("rock_paper_scissors", Concept.NASH, "minimax"),
        ("rock_paper_scissors", Concept.MINIMAX, "minimax"),
        ("battle_of_the_sexes", Concept.NASH, "lemke_howson"),
        ("battle_of_the_sexes", Concept.ALL_NASH, "vertex_enumeration"),
        ("battle_of_the_sexes", Concept.PURE_NASH, "pure"),
        ("battle_of_the_sexes", Concept.STACKELBERG, "strong_stackelberg"),
        ("centipede", Concept.NASH, "backward_induction"),
        ("centipede", Concept.SUBGAME_PERFECT, "backward_induction"),
        ("beer_quiche", Concept.NASH, "lemke_howson"),
        ("beer_quiche", Concept.PURE_NASH, "pure"),
        ("selten_horse", Concept.NASH, "pure"),
    ],
)
def test_solve_picks_an_algorithm_that_answers(name, concept, algorithm):
    answer = solve(load(name), concept)
    assert answer.algorithm == algorithm
    assert answer.reason
    assert answer.solutions
    for solution in answer.solutions:
        assert solution.certificate.epsilon == 0
        assert solution.certificate.game == answer.game
        solution.certificate.verify()


@pytest.mark.parametrize("row", ALGORITHMS, ids=lambda row: f"{row.name}-{row.concept.value}")
def test_every_row_answers_some_catalogue_game(row):
    candidates = ["stag_hunt", "matching_pennies", "centipede:rounds=3", "one_card_poker"]
    candidates += ["beer_quiche", "selten_horse"]
    taken = [game for game in map(load, candidates) if not row.takes(game)]
    if row.name == "pure" and row.concept is Concept.NASH:  # asked by name, it needs a pure one
        taken = [game for game in taken if solve(game, Concept.PURE_NASH).solutions]
    assert taken
    for game in taken:
        answer = solve(game, row.concept, algorithm=row.name)
        for solution in answer.solutions:
            solution.certificate.verify()


def test_solve_says_when_no_algorithm_applies():
    with pytest.raises(UnsupportedGame, match="no algorithm for minimax takes .*: minimax needs a"):
        solve(load("prisoners_dilemma"), Concept.MINIMAX)


def test_solve_names_the_forgetful_player():
    with pytest.raises(UnsupportedGame, match="perfect recall, but player .* forgets"):
        solve(load("absent_minded_driver"), Concept.NASH)


def test_solve_refuses_an_algorithm_of_another_concept():
    with pytest.raises(
        InvalidArgument, match=re.escape("Choose from: vertex_enumeration, support_")
    ):
        solve(load("matching_pennies"), Concept.ALL_NASH, algorithm="minimax")


def test_three_players_without_pure_equilibrium_are_refused_politely():
    with pytest.raises(
        UnsupportedGame, match="pure equilibrium, but .* has none .*two players only"
    ):
        solve(NO_PURE_THREE, Concept.NASH)


def test_pure_nash_of_three_players_can_be_an_empty_complete_list():
    answer = solve(NO_PURE_THREE, Concept.PURE_NASH)
    assert answer.solutions == ()
    assert answer.is_complete is True


def test_exact_answers_are_given_even_without_time():
    """The profile to fall back on solves this game; there is nothing left to want."""
    answer = solve(load("rock_paper_scissors"), Concept.MINIMAX, budget=Budget(seconds=0.0))
    assert answer.solutions[0].certificate.epsilon == 0


@pytest.mark.parametrize("name", ["kuhn_poker", "one_card_poker"])
def test_budget_ends_with_a_certified_answer(name):
    with pytest.raises(NotConverged, match="budget|limit") as caught:
        solve(load(name), Concept.MINIMAX, budget=Budget(seconds=0.0))
    best = caught.value.best
    assert isinstance(best, Answer)
    best.solutions[0].certificate.verify()
    assert best.solutions[0].certificate.epsilon >= 0


def test_enumeration_of_a_tree_out_of_budget_is_marked_incomplete():
    with pytest.raises(NotConverged, match=r"\S") as caught:
        solve(load("kuhn_poker"), Concept.ALL_NASH, budget=Budget(iterations=1))
    best = caught.value.best
    assert isinstance(best, Answer)
    assert best.is_complete is False


def test_concept_may_be_named():
    assert solve(load("stag_hunt"), "pure-nash").concept is Concept.PURE_NASH
    with pytest.raises(InvalidArgument, match="but 'best' is none. Choose from: nash"):
        solve(load("stag_hunt"), "best")


def test_rules_are_refused_with_the_way_to_a_tree():
    with pytest.raises(UnsupportedGame, match=r"needs a normal form or a tree.*posg_to_extensive"):
        solve(Tiger(), Concept.NASH)
