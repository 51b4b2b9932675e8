"""The tool that tries games finds planted faults, makes them small, and makes them again."""

import copy
import json
import time
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import wraps

import pytest

import gametheory_core as gt
from gametheory_core.catalog import load
from tests.fuzz import __main__ as fuzz
from tests.fuzz import checks, plain_answers, runs
from tests.fuzz.cases import STRATEGIES, case
from tests.fuzz.checks import findings
from tests.fuzz.simpler import simplest
from tests.solvers.sample_games import TWO_BY_TWO

MOST_CASES = 60


@pytest.mark.parametrize("kind", STRATEGIES)
def test_a_case_can_be_made_again_alone(kind):
    first, other = (case(seed, 3, (kind,)) for seed in (5, 6))
    again = case(5, 3, (kind,))
    assert repr(again) == repr(first)
    assert getattr(again.game, "digest", None) == getattr(first.game, "digest", None)
    assert first.kind == other.kind == kind


def first_found(kind, *wanted):
    """Return the first case with one of the findings, and that finding."""
    for index in range(MOST_CASES):
        made = case(0, index, (kind,))
        tried = runs.Runs(made.game, (0, index), wanted[1])
        for found in findings(tried, wanted[0]):
            return made, found
    raise AssertionError(f"not found in {MOST_CASES} games")


def planted(monkeypatch, algorithm, change):
    """Let one solver's answers be changed by a function."""
    true = runs.solve

    def solve(game, concept, **options):
        answer = true(game, concept, **options)
        return change(answer) if answer.algorithm == algorithm else answer

    monkeypatch.setattr(runs, "solve", solve)


def paying(answer, change):
    """An answer that says that the first player gets something else."""
    first = answer.solutions[0]
    payoffs = (change(first.payoffs[0]), *first.payoffs[1:])
    return replace(answer, solutions=(replace(first, payoffs=payoffs),))


def lax(solution):
    """A solution whose certificate verifies, whatever it claims."""
    proof = solution.certificate
    kind = type("Lax", (type(proof),), {"verify": lambda _: None})
    object.__setattr__(changed := copy.copy(proof), "__class__", kind)
    return replace(solution, certificate=changed)


FAULTS = {
    "a lost equilibrium": (
        ("recomputed", "pure-nash by pure"),
        "pure",
        lambda answer: replace(answer, solutions=answer.solutions[1:]),
    ),
    "a flag": (
        ("files", "all-nash by vertex_enumeration"),
        "vertex_enumeration",
        lambda answer: replace(answer, solutions=answer.solutions[:-1]),
    ),
    "a warning": (
        ("answers", "nash by lemke_howson"),
        "lemke_howson",
        lambda answer: (__import__("warnings").warn("slow", stacklevel=1), answer)[1],
    ),
    "a second thought": (
        ("repeats", "nash by lemke_howson"),
        "lemke_howson",
        lambda answer: replace(answer, evidence=str(id(answer))),
    ),
    "a value that depends on the order": (
        ("relabeled", "stackelberg by strong_stackelberg"),
        "strong_stackelberg",
        lambda answer: paying(answer, lambda own: own + answer.game.exact_payoffs[0, 0, 0]),
    ),
    "a list without the first": (
        ("agreement", "nothing_left_out"),
        "polynomial_support_enumeration",
        lambda answer: replace(answer, solutions=answer.solutions[1:]),
    ),
    "a favored seat": (
        ("seated", "best-nash by mixed_integer"),
        "mixed_integer",
        lambda answer: paying(answer, lambda own: own + answer.game.exact_payoffs[0, 0, 0]),
    ),
    "a value that is too large": (
        ("recomputed", "stackelberg by strong_stackelberg"),
        "strong_stackelberg",
        lambda answer: paying(answer, lambda own: own + Fraction(1, 10**40)),
    ),
    "a proof that takes anything": (
        ("forged", "nash by lemke_howson"),
        "lemke_howson",
        lambda answer: replace(answer, solutions=(lax(answer.solutions[0]),)),
    ),
    "an option that is forgotten": (
        ("options", "stackelberg by strong_stackelberg"),
        "strong_stackelberg",
        lambda answer: answer.is_forgotten,
    ),
    "a value of its own": (
        ("agreement", "one_commitment"),
        "pure_followers_stackelberg",
        lambda answer: paying(answer, lambda own: own + 1),
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_planted_faults_are_found(fault, monkeypatch):
    wanted, algorithm, change = FAULTS[fault]
    kind = "many players" if algorithm == "polynomial_support_enumeration" else "two players"
    for index in range(3):
        tried = runs.Runs(case(0, index, (kind,)).game, (0, index), wanted[1])
        assert not list(findings(tried, wanted[0]))
    planted(monkeypatch, algorithm, change)
    _, found = first_found(kind, *wanted)
    assert found.signature[:2] == wanted


def test_broken_files_of_other_formats_are_found(monkeypatch):
    monkeypatch.setattr(checks.formats, "parse_nfg", lambda _: load("matching_pennies"))
    _, found = first_found("two players", "laws", "nfg")
    assert found.kind in {"AssertionError", "ValueError"}


def test_functions_that_answer_no_concept_are_called(monkeypatch):
    def out_of_luck(*_args, **_options):
        raise KeyError("luck")

    changed = [
        replace(declared, function=wraps(declared.function)(out_of_luck))
        if declared.name == "hedge"
        else declared
        for declared in checks.declarations()
    ]
    monkeypatch.setattr(checks, "declarations", lambda: changed)
    assert first_found("two players", "functions", "hedge")[1].kind == "KeyError"


def test_budgets_are_tried(monkeypatch):
    true = runs.Runs.solved

    def solved(own, game, route, **options):
        outcome = true(own, game, route, **options)
        return replace(outcome, wrong=("late", "")) if "budget" in options else outcome

    monkeypatch.setattr(runs.Runs, "solved", solved)
    assert first_found("two players", "budgets", "nash by lemke_howson")[1].kind == "late"


def test_calls_far_past_their_budget_are_stopped(monkeypatch):
    monkeypatch.setattr(runs, "LATEST", 0.05)
    monkeypatch.setattr(runs, "PATIENCE", 0.5)

    def work(seconds):
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    assert runs.called(work, 0.07).wrong[0] == "late"
    assert runs.called(work, 0).wrong is None
    waited = runs.called(time.sleep, 5)  # by a busy machine, say
    assert waited.wrong is None
    assert waited.seconds < 4


def test_a_run_goes_on_after_a_case_that_kills_its_worker(monkeypatch, tmp_path):
    """Case 4 hangs: its worker leaves a trace and dies, and the pool ends with it."""
    tried = []

    def pool(n_jobs):
        assert n_jobs == 2
        return lambda calls: [run(*args) for run, args, _ in calls]

    def attempt(seed, index, kinds):
        tried.append(index)
        if tried.count(4) == 1 and index == 4:
            with (tmp_path / f"worker-{seed}-0.txt").open("a") as trace:
                trace.write("Timeout (0:15:00)!\n")
            raise fuzz.TerminatedWorkerError
        if len(tried) > 8:
            monkeypatch.setattr(fuzz.time, "time", lambda: 10.0**12)
        return case(seed, index, kinds), runs.Runs(TWO_BY_TWO, (seed, index)), []

    monkeypatch.setattr(fuzz, "Parallel", pool)
    monkeypatch.setattr(fuzz, "tried", attempt)
    counts = fuzz.all_work(3, 0, 2, 1e6, ("two players",), tmp_path)
    assert tried[:4] == [0, 2, 4, 6]
    assert sum(own["games"].total() for own in counts) == len(tried) - 1
    assert sum((own["found"] for own in counts), Counter()) == {("answers", "a case", "stuck"): 1}
    assert [path.name for path in tmp_path.iterdir()] == ["stuck-3-4.txt"]


def test_a_crash_is_made_small(monkeypatch):
    """A solver that divides by a payoff fails at the smallest game that has a zero there."""

    def fails_at_ties(answer):
        table = answer.game.exact_payoffs
        if table.shape[1] > 1:
            1 / min(abs(table[0, 0] - table[0, 1]))
        return answer

    planted(monkeypatch, "lemke_howson", fails_at_ties)
    made, found = first_found("two players", "answers", "nash by lemke_howson")
    assert found.kind == "ZeroDivisionError"
    smallest = fuzz.shrunk(made, found, seconds=20)
    assert smallest.num_actions == (2, 1)
    assert not smallest.exact_payoffs.any()


def test_normal_forms_are_made_small():
    game = load("nine_equilibria")
    small = simplest(game, lambda other: bool((other.exact_payoffs > 4).any()))
    assert small.num_actions == (1,)
    assert 4 < small.exact_payoffs.max() < 10


@pytest.mark.parametrize("name", ["kuhn_poker", "beer_quiche"])
def test_trees_are_made_small(name):
    def has_a_set_of_two(game):
        nodes = [int(i) for i in game.node_infoset if 0 <= i < game.num_decision_infosets]
        return len(nodes) > len(set(nodes))

    small = simplest(load(name), has_a_set_of_two)
    assert has_a_set_of_two(small)
    assert small.num_nodes <= 7
    assert small.num_players == 1
    assert not any(small.exact_terminal_payoffs.ravel())


def test_findings_are_kept_and_tried_again(tmp_path, monkeypatch, capsys):
    change = FAULTS["a lost equilibrium"][2]
    arguments = ["--folder", str(tmp_path), "--kinds", "two players"]
    with monkeypatch.context() as patch:
        planted(patch, "pure", change)
        assert fuzz.main([*arguments, "--seconds", "2"]) == 1
        kept = next(tmp_path.glob("recomputed-*.json"))
        assert fuzz.main([str(kept)]) == 1
    record = json.loads(kept.read_text())
    assert record["subject"] == "pure-nash by pure"
    assert "wanted" in record["detail"]
    assert fuzz.main([str(kept)]) == 0
    assert "games" in capsys.readouterr().out


# --- answers from the definitions ---------------------------------------------------------------


def test_linear_programs_are_solved_exactly():
    third = Fraction(1, 3)
    assert plain_answers.largest([1, 1], [([1, 2], 1), ([2, 1], 1)]) == 2 * third
    assert plain_answers.largest([1], [([1], -1)]) is None
    assert plain_answers.largest([-1], [([-1], -2)]) == -2
    assert plain_answers.largest([1, 0], [], [([1, 1], 1), ([2, 2], 2)]) == 1


def test_definitions_give_the_values_of_known_games():
    pennies, chicken = load("matching_pennies"), load("chicken")
    assert plain_answers.minimax_value(pennies.exact_payoffs[0]) == 0
    assert plain_answers.pure_equilibria(pennies) == set()
    assert len(plain_answers.pure_equilibria(chicken)) == 2
    dilemma = load("prisoners_dilemma")
    assert [len(own) for own in plain_answers.undominated(dilemma)] == [1, 1]
    assert plain_answers.undominated(chicken) == ((0, 1), (0, 1))
    even = gt.uniform_profile(pennies).to_exact()
    assert plain_answers.gains(pennies, even) == [0, 0]
    assert plain_answers.is_mixture((1, 1), [(0, 2), (2, 0)])
    assert not plain_answers.is_mixture((1, 1), [(0, 2), (2, 1)])
