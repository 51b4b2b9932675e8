"""At the end of a time limit every algorithm gives what it has, certified, and exit code 3."""

import json

import pytest

from gametheory_core.__main__ import main as core_main
from gametheory_core.conversions.tabular import posg_to_tabular
from gametheory_core.formats.files import write_game
from gametheory_core.games.kinds import is_rules_of_posg
from gametheory_core.games.normal_form import NormalFormGame
from gametheory_core.games.tree_draft import Decision, Terminal, from_sketch
from gametheory_core.loading import load_game
from solvers.__main__ import main
from solvers.algorithms import ALGORITHMS
from solvers.concepts import Concept
from solvers.solve import solve

GAMES = ("commitment_example", "battle_of_the_sexes", "shapley_cycle", "centipede:rounds=3")
GAMES += ("kuhn_poker", "beer_quiche", "selten_horse", "chicken", "matching_pennies")
GAMES += ("house_patrol", "guarded_targets", "irrational_equilibrium")
GAMES += ("iterated_hero", "iterated_prisoners_dilemma", "mediated_chicken")
GAMES += ("stopping_pennies", "repeated_prisoners_dilemma")
ONE_PLAYER = {
    "one.nfg": NormalFormGame.from_payoffs([[1, 2, 2]]),
    "one.efg": from_sketch(Decision(0, "", {"l": Terminal([1]), "r": Terminal([1])}), players="A"),
}
DONE_AT_A_GLANCE = {
    "pure",  # one pure equilibrium
    "minimax",  # uniform play is exact
    "max_entropy",  # and most even
    "security_stackelberg",  # a single sweep
    "stochastic_markov_commitment",  # the first start meets the bound
}
NOTHING_AT_FIRST = {"mixed_integer", "correlated_commitment", "alpha_rank_limit"}
NOTHING_AT_FIRST |= {"correlated_payoff_vertices", "quantal_response"}
NOTHING_AT_FIRST |= {"perfect_information_commitment", "sequential_equilibrium", "quasi_perfect"}
NOTHING_AT_FIRST |= {"stage_correlated_induction", "stage_stackelberg_induction"}
NOTHING_AT_FIRST |= {"jam_value_iteration"}
NEED_WORK = {  # the other games are too easy for a report
    "sequence_form_lp": {},
    "quasi_perfect": {},
    "counterfactual_regret": {"tolerance": 1e-6},
}


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, game in ONE_PLAYER.items():
        write_game(game, name)


def as_solved(name):
    """Load a game; what some solvers are asked about are the tables of rules."""
    game = load_game(name)
    return posg_to_tabular(game).target if is_rules_of_posg(game) else game


def a_game_for(row):
    names = (*GAMES, *ONE_PLAYER)
    name = next((name for name in names if not row.takes(as_solved(name))), None)
    assert name is not None
    return name


@pytest.mark.parametrize("row", ALGORITHMS, ids=lambda row: f"{row.name}-{row.concept.value}")
def test_time_limit_of_zero_still_shows_certified_answers(row, capsys, tmp_path):
    arguments = [a_game_for(row), "--concept", row.concept.value, "--algorithm", row.name]
    code = main([*arguments, "--time-limit", "0", "--format", "json"])
    captured = capsys.readouterr()
    is_list = row.concept is Concept.ALL_NASH and row.name == "pure"  # of more than one
    assert code == (0 if row.name in DONE_AT_A_GLANCE and not is_list else 3)
    assert (captured.err.count("\n") == 1) == (code == 3)
    if row.name in NOTHING_AT_FIRST:
        assert not captured.out
        assert "certified is shown" not in captured.err
        return
    answer = json.loads(captured.out)
    assert answer["solutions"] or row.name == "polynomial_support_enumeration"
    if code == 0:
        assert all(s["certificate"]["epsilon"] in ("0", None) for s in answer["solutions"])
    else:
        assert answer["complete"] is not True
    if row.name != "backward_induction":  # a partial sweep proves an epsilon, not the concept
        path = tmp_path / "answer.json"
        path.write_text(captured.out, encoding="utf-8")
        assert core_main(["verify", str(path)]) == (0 if answer["solutions"] else 1)


@pytest.mark.parametrize("row", ALGORITHMS, ids=lambda row: f"{row.name}-{row.concept.value}")
def test_progress_is_passed_through(row):
    """Some game makes each algorithm work; where a bound decides, nothing is reported."""
    reports = []
    for game in (*map(as_solved, GAMES), *ONE_PLAYER.values()):
        has_answer = row.name != "pure" or (
            not row.takes(game) and solve(game, Concept.PURE_NASH).solutions
        )
        if not row.takes(game) and has_answer and game.title != "Kuhn poker":
            solve(game, row.concept, algorithm=row.name, on_iteration=reports.append)
    if row.name in NEED_WORK and not reports:
        options = {"algorithm": row.name, "on_iteration": reports.append, **NEED_WORK[row.name]}
        solve(load_game("kuhn_poker"), row.concept, **options)
    assert reports
