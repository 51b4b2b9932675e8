"""Concepts of Markov games and mediated games: asked by word, answered with proofs, in rows."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given

import gametheory_core as gt
from gametheory_core import InvalidArgument, NotConverged, UnsupportedGame, certify_nash
from gametheory_core.__main__ import main as core_main
from gametheory_core.catalog import load
from gametheory_core.conversions import harsanyi_transform
from gametheory_core.games import NULL
from gametheory_core.leaders import FollowerClass, FollowerTies, leader_games
from gametheory_core.mediation import EndRule, FairnessKind, MediatorStage, mediated_games
from gametheory_core.strategies.mixed import check_mixed_profile
from solvers import Budget, Concept, solve
from solvers.__main__ import main
from solvers.results.tables import answer_table, label_text
from solvers.solver import routes
from tests.sample_sizes import examples

ASKED = [
    ("iterated_prisoners_dilemma", "markov-stackelberg"),
    ("iterated_prisoners_dilemma", "markov-commitment"),
    ("iterated_chicken:rounds=3", "markov-perfect"),
    ("iterated_chicken:rounds=3", "markov-correlated"),
    ("repeated_prisoners_dilemma", "stage-stackelberg"),
    ("stopping_pennies", "minimax"),
    ("mediated_chicken", "mediated"),
]


def check(answer):
    for solution in answer.solutions:
        assert solution.certificate.answer == solution.profile
        assert solution.certificate.payoffs == solution.payoffs
        solution.certificate.verify()


@pytest.mark.parametrize(("name", "concept"), ASKED)
def test_a_file_of_the_answer_proves_it(name, concept, tmp_path, capsys):
    assert main([name, "--concept", concept, "--format", "json"]) == 0
    written = capsys.readouterr().out
    path = tmp_path / "answer.json"
    path.write_text(written, encoding="utf-8")
    assert core_main(["verify", str(path)]) == 0


@pytest.mark.parametrize(("name", "concept"), ASKED)
@pytest.mark.parametrize("part", ["profile", "payoffs"])
def test_a_file_that_shows_another_answer_is_rejected(name, concept, part, tmp_path, capsys):
    assert main([name, "--concept", concept, "--format", "json"]) == 0
    record = json.loads(capsys.readouterr().out)
    solution = record["solutions"][0]
    if part == "payoffs":
        solution["payoffs"][0] = "1234567"
    else:
        solution["profile"] = {**solution["profile"], "actions": [], "lotteries": []}
    path = tmp_path / "answer.json"
    path.write_text(json.dumps(record), encoding="utf-8")
    assert core_main(["verify", str(path)]) != 0
    assert "needs to show what is certified" in capsys.readouterr().err


@pytest.mark.parametrize(("name", "concept"), ASKED)
def test_people_see_the_answer_and_that_it_is_verified(name, concept, capsys):
    assert main([name, "--concept", concept]) == 0
    shown = capsys.readouterr().out
    assert "verified: " in shown
    assert "payoff of " in shown


@examples(8)
@given(leader_games())
def test_any_leader_game_is_answered(view):
    for concept in (Concept.MARKOV_STACKELBERG, Concept.MARKOV_COMMITMENT):
        for ties in ("strong", "weak"):
            answer = solve(view.game, concept, ties=ties, leader=view.leader)
            assert answer.solutions
            check(answer)


@examples(10)
@given(mediated_games())
def test_any_mediated_game_is_answered(game):
    stages = ["pre-final"]
    if game.is_deterministic and game.num_players > 1:  # transfers need a step surely the last
        stages += ["full"]
    for stage in stages:
        answer = solve(game, Concept.MEDIATED, stage=stage)
        assert answer.solutions
        check(answer)


@pytest.mark.parametrize(
    ("options", "value"),
    [
        ({}, -11),
        ({"follower_class": "stationary"}, -9),
        ({"follower_class": FollowerClass.STATIONARY, "ties": FollowerTies.WEAK}, -9),
        ({"ties": "weak"}, -11),
    ],
)
def test_followers_and_ties_are_chosen_by_word_or_member(options, value):
    answer = solve(load("iterated_prisoners_dilemma"), "markov-stackelberg", **options)
    assert answer.solutions[0].payoffs[0] == value


def test_the_second_player_may_lead():
    answer = solve(load("iterated_prisoners_dilemma"), "markov-stackelberg", leader=1)
    assert answer.solutions[0].payoffs[1] == -11
    rows = answer_table(answer.game, answer.solutions[0].profile, leader=1).rows
    assert rows[0][:2] == ("Follower", "always")


@pytest.mark.parametrize("rule", [EndRule.STEP_IDEAL, "step-ideal"])
def test_end_rules_are_chosen_by_word_or_member(rule):
    answer = solve(load("mediated_chicken"), "mediated", end_rule=rule)
    assert answer.solutions[0].certificate.fairness == 21
    assert solve(load("mediated_chicken"), "mediated").solutions[0].certificate.fairness == 24


@pytest.mark.parametrize(
    ("stage", "value"), [("naive", 18), ("pre-final", 21), (MediatorStage.FULL, 24)]
)
def test_stages_are_chosen_by_word_or_member(stage, value):
    answer = solve(load("mediated_chicken"), "mediated", stage=stage)
    assert answer.solutions[0].certificate.fairness == value


def test_tolerances_may_be_fractions(capsys):
    arguments = ["matching_pennies", "--concept", "minimax", "--tolerance"]
    assert main([*arguments, "1/1000"]) == 0
    assert "verified" in capsys.readouterr().out
    for text in ("1/0", "x", "nan"):
        with pytest.raises(SystemExit, match="2"):
            main([*arguments, text])
        assert (
            f"needs a number, such as 0.001 or 1/1000, but got {text!r}" in capsys.readouterr().err
        )


@pytest.mark.parametrize(
    ("objective", "kind", "payoffs"),
    [
        ("minimum", FairnessKind.MINIMUM, (24, 24)),
        ("gini", FairnessKind.GINI, (25, 20)),
        ("nash", FairnessKind.NASH, (25, 20)),
    ],
)
def test_measures_of_fairness_are_objectives(objective, kind, payoffs):
    (solution,) = solve(load("mediated_chicken"), "mediated", fairness=objective).solutions
    assert solution.certificate.incentives.fairness.kind is kind
    assert solution.payoffs == payoffs


@pytest.mark.parametrize(
    ("name", "concept", "options", "problem"),
    [
        ("iterated_hero", "markov-stackelberg", {"ties": "loose"}, "known ties, but 'loose'"),
        ("iterated_hero", "markov-commitment", {"follower_class": "blind"}, "known follower_class"),
        ("mediated_chicken", "mediated", {"end_rule": "never"}, "step-ideal, history-ideal"),
        ("mediated_chicken", "mediated", {"fairness": "maximum"}, "minimum, gini, nash"),
        ("mediated_chicken", "mediated", {"stage": "last"}, "naive, pre-final, full"),
        ("mediated_chicken", "mediated", {"ties": "weak"}, "jam_value_iteration knows"),
    ],
)
def test_unknown_words_are_refused_with_the_known_ones(name, concept, options, problem):
    with pytest.raises(InvalidArgument, match=problem):
        solve(load(name), concept, **options)


@pytest.mark.parametrize(
    ("name", "concept", "problem"),
    [
        ("stopping_pennies", "markov-stackelberg", "needs a horizon, but"),
        ("fish_war", "markov-stackelberg", "needs two players, but"),
        ("stopping_pennies", "markov-perfect", "needs a horizon, but .*stop_posg.*--horizon N"),
        ("big_match", "markov-stackelberg", "needs a horizon, but .*convert GAME FILE.json --hor"),
        ("stopping_pennies", "nash", "may ask for minimax[.]$"),
        ("iterated_hero", "nash", "may ask for markov-.* Or carry it over with posg_to_ext"),
        ("iterated_hero", "mediated", "needs a mediated game .*mediate.game, responses=...."),
        ("fish_war", "minimax", "needs two players, but"),
        ("tiger", "markov-perfect", "players who see the state, but player '1' sees"),
        ("repeated_matching_pennies", "minimax", "no horizon, but .*convert GAME FILE.efg"),
        ("mediated_chicken", "nash", "You may ask for mediated[.]"),
        ("kuhn_poker", "mediated", "needs a mediated game. You may ask for"),
        ("kuhn_poker", "markov-perfect", "needs the rules of a POSG. You may ask for"),
        ("kuhn_poker", "dominance", "needs a normal form. Use .* convert GAME game.nfg"),
        ("chicken", "minimax", "Try lemke_howson, pure or logit_homotopy, for nash[.]"),
        ("chicken", "mediated", "jam_value_iteration needs a mediated game"),
        ("random_order_team", "markov-perfect", "the rules of a POSG for .*aec_to_posg"),
        (
            "house_patrol",
            "dominance",
            r"needs a normal form.*harsanyi_transform.game..target, or .*nfg",
        ),
        (
            "house_patrol",
            "sequential",
            "needs a tree. You may ask for stackelberg, nash, all-nash[.]$",
        ),
        ("guarded_targets", "all-nash", r"security_to_normal.game., .*You may ask for stackelberg"),
    ],
)
def test_games_that_do_not_fit_are_refused_with_what_is_missing(name, concept, problem):
    with pytest.raises(UnsupportedGame, match=problem):
        solve(load(name), concept)


def test_rounds_that_do_not_end_in_time_have_no_answer():
    with pytest.raises(NotConverged, match="but the budget ended first") as caught:
        solve(load("mediated_chicken"), "mediated", budget=Budget(iterations=1))
    assert caught.value.best is None


def test_labels_are_written_for_people():
    assert label_text((("C", "D"),)) == "(C, D)"
    assert label_text(()) == "()"
    assert label_text(NULL) == "null"
    assert label_text(("a", 3)) == "(a, 3)"


def test_table_of_a_stationary_follower_has_no_times():
    answer = solve(
        load("iterated_prisoners_dilemma:rounds=2"),
        "markov-stackelberg",
        follower_class="stationary",
    )
    table = answer_table(answer.game, answer.solutions[0].profile)
    assert {row[1] for row in table.rows} == {"always"}
    assert len(table.rows) == 10


def test_table_of_a_mediated_answer_follows_play():
    table = answer_table(*_solved("mediated_prisoners_dilemma"))
    assert table.columns == ("step", "state", "returns so far", "leader", "action")
    assert [row[0] for row in table.rows] == ["0", "1", "2", "3"]
    assert table.rows[0][2] == "0, 0"


def _solved(name):
    answer = solve(load(name), "mediated")
    return answer.game, answer.solutions[0].profile


def test_the_normal_form_that_a_refusal_names_answers_for_the_bayesian_game():
    """What the refusal says to do, done: the answer comes back as strategies of the types."""
    carried = harsanyi_transform(load("house_patrol"))
    answer = solve(carried.target, "nash").solutions[0]
    answer.certificate.verify()
    profile = carried.correspondence.to_source(answer.profile)
    check_mixed_profile(carried.source, profile)
    assert certify_nash(carried.target, carried.correspondence.to_target(profile)).epsilon == 0


BUNDLED = sorted((Path(__file__).parents[2] / "docs/examples/games").iterdir())
LISTED = re.compile(r"may ask for ([\w, -]+?)(?:\.| about)")


@pytest.mark.parametrize("path", [*BUNDLED, "stopping_pennies"], ids=lambda own: Path(own).stem)
def test_every_refusal_of_a_concept_offers_what_is_then_answered(path):
    game, refusals = gt.load_game(str(path)), {}
    for concept in {route.answers.concept for route in routes()}:
        try:
            solve(game, concept, budget=Budget(seconds=1))
        except UnsupportedGame as error:
            refusals[concept] = error
        except NotConverged:
            pass
    assert refusals
    offered = set()
    for concept, said in refusals.items():
        assert all((said.needs, said.found, said.remedy)), concept
        offered |= {own for found in LISTED.findall(str(said)) for own in found.split(", ")}
        if "game.nfg" in said.remedy:
            normal = gt.extensive_to_normal(game).target
            assert any(route.kind.holds(normal) for route in routes(concept)), concept
    assert offered.isdisjoint(refusals)
