"""What a solver declares is true: of its games, results, progress, types and place in the table."""

import ast
import importlib
import inspect
import pkgutil
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import pytest

import solvers
import solvers.solver as declaring
from gametheory_core import InvalidArgument, NormalFormGame, UnsupportedGame
from gametheory_core.memory import memory_cap
from solvers import UNLIMITED, Budget, Solution, SolutionSet
from solvers.solution import solution_of
from solvers.solver import Answers, declaration_of, declarations, open_meter, routes, solver
from solvers.table import END, START, table_of_solvers
from tests.solvers.sample_games import PUBLIC, TWO_BY_TWO, call_of, games

DECLARED = [pytest.param(declared, id=declared.name) for declared in declarations()]
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "choosing-a-solver.md"


def public(kind):
    return [name for name in PUBLIC if kind(PUBLIC[name])]


def test_every_function_with_a_budget_is_declared_and_only_those():
    limited = {
        name
        for name in public(inspect.isfunction)
        if "budget" in inspect.signature(PUBLIC[name]).parameters
    }
    limited -= {"solve", "solve_many", "explore"}  # which call others
    assert limited == {declared.name for declared in declarations()}
    for name in limited:
        assert declaration_of(PUBLIC[name]).function is PUBLIC[name]


@pytest.mark.parametrize("name", public(callable))
def test_types_can_be_looked_up_at_run_time(name):
    value = PUBLIC[name]
    if inspect.isfunction(value):
        assert "return" in get_type_hints(value)
    elif inspect.isclass(value):
        for method in (value, *filter(inspect.isfunction, vars(value).values())):
            get_type_hints(method)


def test_no_name_stands_for_a_module_and_something_else():
    for module in pkgutil.walk_packages(solvers.__path__, "solvers."):
        package, _, last = module.name.rpartition(".")
        if not last.startswith("_"):
            value = getattr(importlib.import_module(package), last, None)
            assert value is None or inspect.ismodule(value), module.name


@pytest.mark.parametrize("declared", DECLARED)
def test_results_have_certified_solutions(declared):
    if not declared.answers:
        return
    arguments, options = call_of(declared)
    found = solution_of(declared.function(*arguments, **options))
    listed = found.equilibria if isinstance(found, SolutionSet) else (found,)
    assert listed or found.is_complete
    for solution in listed:
        assert isinstance(solution, Solution)
        assert solution.certificate.game in (arguments[0], getattr(arguments[0], "game", None))
        assert solution.run.algorithm in {known.name for known in declarations()}
        solution.certificate.verify()


def test_every_class_that_a_solver_returns_is_public():
    for declared in declarations():
        returned = get_type_hints(declared.function)["return"]
        own = getattr(returned, "__origin__", returned)
        assert own.__module__.startswith("gametheory_core") or own.__name__ in PUBLIC, own


@pytest.mark.parametrize("declared", DECLARED)
def test_every_option_is_explained(declared):
    documented = {*declared.options} - {"solver", "start"}
    told = inspect.getdoc(declared.function) or ""
    assert all(f"{option}" in told for option in documented)
    assert declared.summary


def test_no_two_solvers_of_a_concept_have_one_rank_for_one_game():
    for game in games():
        for concept in {route.answers.concept for route in routes()}:
            fitting = [route for route in routes(concept) if not route.lack(game)]
            ranks = [route.answers.rank for route in fitting]
            assert len(ranks) == len(set(ranks)), (concept, game)


def test_the_order_is_by_rank_and_not_by_import():
    listed = [(r.answers.rank, r.name, r.conversion is not None) for r in routes()]
    assert listed == sorted(listed)


@pytest.fixture
def own_declarations(monkeypatch):
    monkeypatch.setattr(declaring, "_DECLARED", dict(declaring._DECLARED))


def test_a_name_is_declared_once():
    with pytest.raises(InvalidArgument, match="needs a name of its own, but minimax is declared"):

        @solver(unit="steps")
        def minimax(game):
            return game


@pytest.mark.usefixtures("own_declarations")
def test_the_meter_knows_what_is_counted_and_for_whom():
    @solver(Answers("a-test", rank=1), unit="thoughts")
    def thinking_of_nothing(game, *, budget=UNLIMITED, on_iteration=None):
        """Think."""
        meter = open_meter(budget, on_iteration)
        meter.step()
        return meter.record()

    reports = []
    assert thinking_of_nothing(TWO_BY_TWO, on_iteration=reports.append).algorithm == (
        "thinking_of_nothing"
    )
    assert [report.unit for report in reports] == ["thoughts"]
    assert [route.name for route in routes("a-test")] == ["thinking_of_nothing"]


def test_the_table_in_the_documentation_is_up_to_date():
    before, start, rest = PAGE.read_text(encoding="utf-8").partition(START)
    shown, end, _ = rest.partition(END)
    assert before
    assert start
    assert end
    assert shown.strip() == table_of_solvers().strip(), "run python -m solvers.table"
    for declared in declarations():
        assert not declared.page or (PAGE.parent / f"{declared.page}.md").exists(), declared.name


@pytest.mark.usefixtures("own_declarations")
def test_a_call_costs_microseconds_more_than_the_function():
    """Refusals are decided by looking once; nothing is inspected or imported by a call."""
    game = NormalFormGame.zero_sum([[0]])
    declared = declaration_of(solvers.minimax)
    calls = []

    @solver(takes=declared.takes, unit="steps")
    def nothing_at_all(game, *, budget=UNLIMITED):
        calls.append(game)

    nothing_at_all(game)
    assert calls == [game]


def test_a_fresh_process_knows_every_solver_in_the_source():
    written = {
        node.name
        for path in (ROOT / "solvers").rglob("*.py")
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(mark).startswith("solver(") for mark in node.decorator_list)
    }
    told = "from solvers.solver import declarations; print(*(d.name for d in declarations()))"
    done = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) == written


def test_a_solver_that_runs_out_of_memory_refuses(monkeypatch):
    monkeypatch.setattr(declaring, "_DECLARED", dict(declaring._DECLARED))

    @solver(unit="steps")
    def greedy(game, *, budget=UNLIMITED, on_iteration=None):
        raise MemoryError

    with pytest.raises(UnsupportedGame, match="greedy: needs more memory than the machine gives"):
        greedy(TWO_BY_TWO)


def test_a_limit_on_memory_holds_while_the_solver_runs(monkeypatch):
    monkeypatch.setattr(declaring, "_DECLARED", dict(declaring._DECLARED))

    @solver(unit="steps")
    def modest(game, *, budget=UNLIMITED, on_iteration=None):
        return memory_cap()

    usual = memory_cap()
    assert modest(TWO_BY_TWO, budget=Budget(memory=12_345)) == 12_345
    assert modest(TWO_BY_TWO, budget=Budget(seconds=1)) == usual == memory_cap()
