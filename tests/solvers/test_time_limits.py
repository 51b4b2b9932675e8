"""At the end of a time limit every solver gives what it has, certified, and exit code 3."""

import json
from contextlib import suppress

import pytest

import solvers
from gametheory_core import NotConverged, UnsupportedGame, write_game
from gametheory_core.__main__ import main as core_main
from solvers.__main__ import main
from solvers.solver import declarations, routes
from tests.solvers.sample_games import games

NOTHING_AT_FIRST = {"mixed_integer", "correlated_commitment", "alpha_rank_limit"}
NOTHING_AT_FIRST |= {"correlated_payoff_vertices", "quantal_response"}
NOTHING_AT_FIRST |= {"perfect_information_commitment", "sequential_equilibrium", "quasi_perfect"}
NOTHING_AT_FIRST |= {"stage_correlated_induction", "stage_stackelberg_induction"}
NOTHING_AT_FIRST |= {
    "best_of_all_equilibria",
    "compact_pure",
    "extensive_best_nash",
    "jam_value_iteration",
    "max_gini_correlated_equilibrium",
    "price_of_anarchy",
    "two_mixing",
}
ROUTES = [
    pytest.param(route, id=f"{route.answers.concept}-{route.name}-{route.kind.needs}")
    for route in routes()
]


def taken(route):
    return [game for game in games() if not route.lack(game)]


@pytest.mark.parametrize("route", ROUTES)
def test_time_limit_of_zero_still_shows_certified_answers(route, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    game = taken(route)[0]
    name = {"a normal form": "game.nfg", "a tree": "game.efg"}.get(route.kind.needs, "game.json")
    write_game(game, name)
    concept = str(route.answers.concept)
    arguments = [name, "--concept", concept, "--algorithm", route.name, "--time-limit", "0"]
    code = main([*arguments, "--format", "json"])
    captured = capsys.readouterr()
    if code == 2:  # after a closer look: there is no pure equilibrium
        assert route.answers.first_of in captured.err
        return
    assert (captured.err.count("\n") == 1) == (code == 3)
    if not captured.out:
        assert route.name in NOTHING_AT_FIRST
        assert "certified is shown" not in captured.err
        return
    answer = json.loads(captured.out)
    if code == 0:
        assert all(s["certificate"]["epsilon"] in ("0", None) for s in answer["solutions"])
    else:
        assert code == 3
        assert answer["complete"] is not True
    if route.name != "backward_induction":  # a partial sweep proves an epsilon, not the concept
        path = tmp_path / "answer.json"
        path.write_text(captured.out, encoding="utf-8")
        assert core_main(["verify", str(path)]) == (0 if answer["solutions"] or code == 0 else 1)


@pytest.mark.parametrize("route", ROUTES)
def test_progress_is_counted_in_declared_units(route):
    """Some game makes each solver work; where a bound decides, nothing is reported."""
    reports = []
    for game in taken(route):
        options = {"algorithm": route.name, "on_iteration": reports.append}
        with suppress(NotConverged, UnsupportedGame):
            solvers.solve(
                game, route.answers.concept, budget=solvers.Budget(seconds=0.3), **options
            )
        if reports:
            break
    assert reports
    assert {report.unit for report in reports} <= {declared.unit for declared in declarations()}
