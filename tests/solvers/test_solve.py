"""The table of algorithms: the right row answers, says why, and refusals name what is missing."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import gametheory_core as gt
from gametheory_core.catalog import Tiger, load
from gametheory_core.certificates import EquilibriumObjective
from solvers import Answer, Budget, Concept, minimax, solve

NO_PURE_THREE = gt.NormalFormGame.from_payoffs(  # the third player watches matching pennies
    [
        [[[1, 1], [-1, -1]], [[-1, -1], [1, 1]]],
        [[[-1, -1], [1, 1]], [[1, 1], [-1, -1]]],
        [[[0, 0], [0, 0]], [[0, 0], [0, 0]]],
    ]
)
THREE_COORDINATE = gt.NormalFormGame.from_payoffs(
    [[[[2, 0], [0, 0]], [[0, 0], [0, 1]]]] * 3, title="three coordinate"
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
        ("beer_quiche", Concept.NASH, "sequence_form_lcp"),
        ("beer_quiche", Concept.PURE_NASH, "pure"),
        ("selten_horse", Concept.NASH, "pure"),
        ("chicken", Concept.BEST_NASH, "mixed_integer"),
        ("degenerate", Concept.NASH_COMPONENTS, "nash_components"),
        ("rock_paper_scissors", Concept.MAX_ENTROPY, "max_entropy"),
        ("prisoners_dilemma", Concept.DOMINANCE, "iterated_dominance"),
        ("prisoners_dilemma", Concept.WEAK_DOMINANCE, "iterated_dominance"),
        ("house_patrol", Concept.STACKELBERG, "bayesian_stackelberg"),
        ("guarded_targets", Concept.STACKELBERG, "security_stackelberg"),
        ("chicken", Concept.CORRELATED_COMMITMENT, "correlated_commitment"),
        ("stag_hunt", Concept.ALPHA_RANK, "alpha_rank_limit"),
        ("chicken", Concept.CORRELATED, "correlated_equilibrium"),
        ("chicken", Concept.COARSE_CORRELATED, "correlated_equilibrium"),
        ("chicken", Concept.CORRELATED_PAYOFFS, "correlated_payoff_vertices"),
        ("matching_pennies", Concept.QUANTAL_RESPONSE, "quantal_response"),
        ("irrational_equilibrium", Concept.ALL_NASH, "polynomial_support_enumeration"),
    ],
)
def test_solve_picks_an_algorithm_that_answers(name, concept, algorithm):
    answer = solve(load(name), concept)
    assert answer.algorithm == algorithm
    assert answer.reason
    assert answer.solutions
    for solution in answer.solutions:
        assert (solution.certificate.epsilon or 0) <= Fraction(1, 10**12)
        assert solution.certificate.game == answer.game
        assert solution.certificate.answer == solution.profile
        assert solution.certificate.payoffs == solution.payoffs
        solution.certificate.verify()


def test_solve_says_when_no_algorithm_applies():
    with pytest.raises(
        gt.UnsupportedGame,
        match="no algorithm for minimax takes .*: each of minimax, double_oracle needs a",
    ):
        solve(load("prisoners_dilemma"), Concept.MINIMAX)


def test_solve_names_the_forgetful_player():
    with pytest.raises(gt.UnsupportedGame, match="perfect recall, but player .* forgets"):
        solve(load("absent_minded_driver"), Concept.NASH)


def test_solve_refuses_an_algorithm_of_another_concept():
    with pytest.raises(
        gt.InvalidArgument, match=re.escape("Choose from: vertex_enumeration, support_")
    ):
        solve(load("matching_pennies"), Concept.ALL_NASH, algorithm="minimax")


def test_three_players_without_pure_equilibrium_get_a_mixed_one():
    answer = solve(NO_PURE_THREE, Concept.NASH)
    assert answer.algorithm == "two_mixing"
    (solution,) = answer.solutions
    solution.certificate.verify()
    assert solution.certificate.epsilon == 0


def test_three_players_without_simpler_equilibrium_follow_the_logit_path():
    answer = solve(load("irrational_equilibrium"), Concept.NASH)
    assert answer.algorithm == "logit_homotopy"
    (solution,) = answer.solutions
    solution.certificate.verify()
    assert 0 < solution.certificate.epsilon <= Fraction(1, 10**9)


def test_pure_algorithm_refuses_what_has_no_pure_equilibrium():
    with pytest.raises(
        gt.UnsupportedGame, match="pure equilibrium, but .* has none .*logit_homotopy"
    ):
        solve(NO_PURE_THREE, Concept.NASH, algorithm="pure")


def test_tolerance_leads_to_an_algorithm_that_knows_it():
    """Pure equilibria of three players know no tolerance; the logit homotopy does."""
    answer = solve(THREE_COORDINATE, Concept.NASH, tolerance=1e-6)
    assert answer.algorithm == "logit_homotopy"
    assert answer.solutions[0].certificate.epsilon <= Fraction(1, 10**6)
    assert solve(THREE_COORDINATE, Concept.NASH).algorithm == "pure"


def test_option_that_no_algorithm_knows_is_refused_by_name():
    with pytest.raises(gt.InvalidArgument, match=r"but got objective. It knows: tolerance"):
        solve(load("matching_pennies"), Concept.MINIMAX, objective="x")
    with pytest.raises(gt.InvalidArgument, match="but got leader. It knows: state, jobs"):
        solve(load("chicken"), Concept.ALL_NASH, leader=1)


def test_rationality_leads_from_even_play_to_equilibrium():
    game = load("stag_hunt")
    profiles = [
        solve(game, "quantal-response", rationality=rationality).solutions[0].profile.to_float()
        for rationality in (0.0, 1.0, 50.0)
    ]
    hunted = [profile.strategies[0][0] for profile in profiles]
    assert hunted[0] == 0.5
    assert abs(hunted[2] - 0.5) > abs(hunted[1] - 0.5) > 0.01


def test_objective_decides_which_equilibrium_is_best():
    payoffs = [
        solve(load("chicken"), "best-nash", objective=words, player=0).solutions[0].payoffs[0]
        for words in ("largest-payoff", "least-payoff")
    ]
    assert payoffs[0] > payoffs[1]
    with pytest.raises(gt.InvalidArgument, match="'most' is not one. Choose from: largest-welfare"):
        solve(load("chicken"), "best-nash", objective="most")
    named = solve(load("chicken"), "best-nash", objective=EquilibriumObjective.LEAST_PAYOFF)
    assert named.solutions[0].payoffs[0] == payoffs[1]


@pytest.mark.parametrize("concept", ["best-nash", "correlated", "coarse-correlated"])
def test_player_without_an_objective_about_payoffs_is_refused(concept):
    with pytest.raises(gt.InvalidArgument, match="needs an objective about one player's payoff"):
        solve(load("chicken"), concept, player=1)


def test_two_players_with_a_tolerance_keep_the_path_of_pivots():
    assert solve(load("chicken"), Concept.NASH, tolerance=1e-6).algorithm == "lemke_howson"


def test_irrational_equilibria_come_with_boxes_that_hold_them_alone():
    (solution,) = solve(load("irrational_equilibrium"), Concept.ALL_NASH).solutions
    assert solution.certificate.kind == "isolated-equilibrium"
    kinds = {s.certificate.kind for s in solve(load("nine_equilibria"), "all-nash").solutions}
    assert "nash" in kinds  # exact ones need no box


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
    with pytest.raises(gt.NotConverged, match="budget|limit") as caught:
        solve(load(name), Concept.MINIMAX, budget=Budget(seconds=0.0))
    best = caught.value.best
    assert isinstance(best, Answer)
    best.solutions[0].certificate.verify()
    assert best.solutions[0].certificate.epsilon >= 0


def test_enumeration_of_a_tree_out_of_budget_is_marked_incomplete():
    with pytest.raises(gt.NotConverged, match=r"\S") as caught:
        solve(load("kuhn_poker"), Concept.ALL_NASH, budget=Budget(iterations=1))
    best = caught.value.best
    assert isinstance(best, Answer)
    assert best.is_complete is False


def test_concept_may_be_named():
    assert solve(load("stag_hunt"), "pure-nash").concept is Concept.PURE_NASH
    with pytest.raises(gt.InvalidArgument, match=r"but 'best' is not one\..* from: all-nash, all-"):
        solve(load("stag_hunt"), "best")
    with pytest.raises(gt.InvalidArgument, match=r"Did you mean pure-nash\? Choose"):
        solve(load("stag_hunt"), "pur-nash")


def test_rules_are_refused_with_the_way_to_a_tree():
    with pytest.raises(gt.UnsupportedGame, match="needs a tree or .*a normal form .*posg_to_ext"):
        solve(Tiger(), Concept.NASH)


def test_a_lack_of_several_algorithms_is_said_once_and_with_the_way_out():
    game = load("forgetful_bit")
    with pytest.raises(gt.UnsupportedGame, match="no algorithm for nash takes") as caught:
        solve(game, Concept.NASH)
    problem = str(caught.value)
    assert problem.count("forgets at information set") == 1
    assert "each of sequence_form_lp, " in problem
    assert "extensive_to_normal(game).target" in problem
    assert solve(gt.extensive_to_normal(game).target, Concept.NASH).solutions  # the way is open


def test_algorithms_for_other_numbers_of_players_are_not_named():
    with pytest.raises(gt.UnsupportedGame, match="each of vertex_enumeration, support_") as caught:
        solve(load("forgetful_bit"), Concept.ALL_NASH)
    assert "one player" not in str(caught.value)
    assert "three players" not in str(caught.value)


def test_trees_of_three_players_are_sent_to_play_without_regret():
    game = load("selten_horse")
    with pytest.raises(gt.UnsupportedGame, match="Try counterfactual_regret"):
        solve(game, Concept.EXTENSIVE_CORRELATED)
    assert solve(game, Concept.COARSE_CORRELATED).algorithm == "counterfactual_regret"


def test_absent_minded_players_have_no_way_out():
    with pytest.raises(gt.UnsupportedGame, match="perfect recall") as caught:
        solve(load("absent_minded_driver"), Concept.NASH)
    assert "extensive_to_normal" not in str(caught.value)


@pytest.mark.parametrize("given", [7.5, 42, None, [[1, 2], [3, 4]]])
def test_what_is_no_game_is_refused_with_the_way_to_one(given):
    with pytest.raises(gt.InvalidArgument, match=r"for nash, but got .*load_game reads a game"):
        solve(given, "nash")


@pytest.mark.parametrize("kind", [str, Path])
def test_games_are_solved_by_name_and_from_files(tmp_path, kind):
    game = gt.load_matrix("prisoners_dilemma")
    path = tmp_path / "game.csv"
    gt.write_game(game, path)
    answer = solve(kind(path))
    assert answer.game == game
    assert answer.concept == Concept.NASH
    assert solve("prisoners_dilemma").solutions[0].payoffs == answer.solutions[0].payoffs


def test_names_near_a_game_are_suggested():
    with pytest.raises(
        gt.InvalidArgument, match=r"'kuhn' is not one\. Did you mean kuhn_poker or kuhn"
    ):
        solve("kuhn")
    with pytest.raises(gt.InvalidArgument, match="a file that can be read"):
        solve("none.csv")


def test_matrix_solvers_name_the_solvers_of_trees():
    with pytest.raises(gt.UnsupportedGame, match=r"Try sequence_form_lp.* Or use extensive_to_no"):
        minimax(gt.load_tree("kuhn_poker"))
